//! A paused run survives: saved between any two steps, loaded another day, decided then.

use super::desk::{Desk, proposal};
use assent::agent::protocol::{Effect, Input, Op};
use assent::agent::record::Outcome;
use assent::agent::run::{Phase, Run};
use assent::engine::QueryError;
use assent::llm::{ModelErrorKind, Turn};
use assent::transcript::Part;
use serde_json::json;

/// A step of a script.
type Step = fn(&mut Desk);

/// Scripts that together pass through every phase.
fn scripts() -> Vec<Vec<Step>> {
    vec![
        vec![
            |d| _ = d.ask("How many orders?"),
            |d| _ = d.call("list_tables", json!({})),
            |d| _ = d.propose("SELECT nope FROM orders"),
            |d| _ = d.propose("SELECT count(*) FROM orders"),
            |d| _ = d.approve(),
            |d| _ = d.text("There are 3."),
        ],
        vec![
            |d| _ = d.ask("Best?"),
            |d| {
                d.call(
                    "ask_user_questions",
                    json!({"title": "t", "questions": [{"id": "a", "question": "b", "type": "TEXT"}]}),
                );
            },
            |d| {
                let card = d.card();
                d.op(Op::SkipQuestions { card });
            },
            |d| _ = d.propose("SELECT 1"),
            |d| _ = d.reject(Some("no")),
            |d| _ = d.propose("SELECT 2"),
            |d| _ = d.edit("SELECT 3"),
            |d| _ = d.call("cannot_answer", json!({"reason": "no data"})),
        ],
        vec![
            |d| _ = d.ask("q"),
            |d| _ = d.model_fails(ModelErrorKind::Overloaded),
            |d| _ = d.model_fails(ModelErrorKind::Unauthorised),
            |d| d.op(Op::Retry),
            |d| _ = d.text("Hello."),
        ],
    ]
}

fn play(script: &[Step], steps: usize) -> Desk {
    let mut desk = Desk::open();
    for step in &script[..steps] {
        step(&mut desk);
    }
    desk
}

/// After whatever happened, a new question can be asked and answered.
fn assert_usable(desk: &mut Desk) {
    if desk.run.is_busy() {
        desk.handle(Input::Stopped {
            partial: Turn::default(),
        });
    }
    desk.ask("Is the chat usable?");
    desk.propose("SELECT 42").approve().text("Yes: 42.");
    let turn = desk.run.turns().last().unwrap();
    assert_eq!(turn.outcome, Some(Outcome::Answered));
}

#[test]
fn stop_after_every_step_leaves_a_usable_chat() {
    for script in scripts() {
        for steps in 1..=script.len() {
            let mut desk = play(&script, steps);
            desk.op(Op::Stop);
            assert!(!desk.run.is_busy() && !desk.run.is_waiting());
            assert!(desk.run.transcript().open_calls().is_empty());
            assert_usable(&mut desk);
        }
    }
}

#[test]
fn reload_after_every_step_gives_the_pending_effects_again() {
    for script in scripts() {
        for steps in 1..=script.len() {
            let mut desk = play(&script, steps);
            let json = serde_json::to_string(&desk.run).unwrap();
            desk.run = serde_json::from_str::<Run>(&json).unwrap();
            let effects = desk.resume();
            match desk.run.phase() {
                Phase::Idle | Phase::Failed => assert!(effects.is_empty()),
                Phase::CallingModel { effect, .. } => {
                    assert!(
                        matches!(effects[..], [Effect::CallModel { effect: again, .. }] if again == *effect)
                    );
                }
                Phase::AwaitingApproval { .. } | Phase::AwaitingAnswers { .. } => {
                    assert_eq!(effects, [Effect::AskUser]);
                }
                other => panic!("the desk's engine answers at once, yet {other:?}"),
            }
            for step in &script[steps..] {
                step(&mut desk);
            }
            assert_usable(&mut desk);
        }
    }
}

#[test]
fn reload_while_the_engine_works_asks_the_engine_again() {
    let mut desk = Desk::open();
    desk.engine_answers = false;
    desk.ask("q").propose("SELECT 1");
    assert!(matches!(desk.resume()[..], [Effect::Check { .. }]));
    let Some(Effect::Check { effect, sql }) = desk.waiting_engine.pop() else {
        panic!("no check");
    };
    desk.check(effect, &sql);
    desk.approve();
    let again = desk.resume();
    assert_eq!(again, desk.waiting_engine);
}

#[test]
fn a_crash_of_the_engine_after_every_step_leaves_a_usable_chat() {
    for script in scripts() {
        for steps in 1..=script.len() {
            let mut desk = Desk::open();
            desk.engine_answers = false;
            for step in &script[..steps] {
                if desk.waiting_engine.is_empty() && !desk.run.is_busy()
                    || desk.model_effect.is_some()
                {
                    let ready =
                        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| step(&mut desk)));
                    if ready.is_err() {
                        break;
                    }
                }
                if !desk.waiting_engine.is_empty() {
                    desk.query_error(QueryError::EngineLost);
                }
            }
            desk.engine_answers = true;
            desk.op(Op::Stop);
            assert_usable(&mut desk);
        }
    }
}

#[test]
fn late_answers_to_abandoned_effects_are_dropped() {
    let mut desk = Desk::open();
    desk.ask("q");
    let (stale, _) = desk.model_effect.take().unwrap();
    desk.op(Op::Stop);
    desk.ask("again");
    let before = desk.run.clone();
    desk.handle(Input::ModelDone {
        effect: stale,
        turn: Turn {
            parts: vec![Part::Text("too late".into())],
            ..Turn::default()
        },
        thought_ms: 0,
    });
    assert_eq!(desk.run, before);
}

#[test]
fn stop_keeps_what_had_arrived() {
    let mut desk = Desk::open();
    desk.ask("q");
    desk.handle(Input::Stopped {
        partial: Turn {
            parts: vec![Part::Text("South sold".into())],
            ..Turn::default()
        },
    });
    let json = serde_json::to_string(&desk.run.turns()[0].events).unwrap();
    assert!(json.contains("South sold"), "{json}");
    desk.ask("go on");
    assert!(desk.last_request().contains("South sold"));
}

#[test]
fn a_cut_stream_is_never_acted_on() {
    let mut desk = Desk::open();
    desk.ask("q");
    let (effect, _) = desk.model_effect.take().unwrap();
    desk.handle(Input::ModelDone {
        effect,
        turn: Turn {
            parts: vec![super::desk::call(
                "run_sql",
                &proposal("SELECT 1").to_string(),
            )],
            truncated: true,
            ..Turn::default()
        },
        thought_ms: 0,
    });
    assert!(!desk.run.is_waiting());
    desk.op(Op::Retry);
    desk.text("Hello.");
    assert_eq!(desk.run.turns()[0].outcome, Some(Outcome::Answered));
}
