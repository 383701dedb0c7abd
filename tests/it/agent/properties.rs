//! Whatever comes in, in whatever order: no panic, nothing unapproved runs, and it always ends.

use super::desk::{Desk, call, proposal};
use assent::agent::approval::{ApprovalId, Decision};
use assent::agent::protocol::{EffectId, Input, Op};
use assent::agent::questions::{Answer, CardId};
use assent::engine::QueryError;
use assent::llm::{FinishReason, ModelError, ModelErrorKind, Turn};
use assent::sql::{SqlHash, Verdict};
use assent::transcript::Part;
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Act {
    Ask(String),
    Turn(Vec<(u8, String)>, bool),
    Fail(u8),
    Approve,
    ApproveOther(String),
    Edit(String),
    Reject,
    Answer,
    Skip,
    Stop,
    Again(usize, String),
    Branch(usize, usize),
    Retry,
    Translate,
    Stale(u64),
    CloseFile,
    OpenFile,
}

fn sql() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("SELECT count(*) FROM orders".to_owned()),
        Just("SELECT nope FROM orders".to_owned()),
        Just("DELETE FROM orders".to_owned()),
        Just("SELECT name FROM customers; DROP TABLE orders".to_owned()),
        Just("SELECT abs(-9223372036854775807 - 1)".to_owned()),
        ".{0,40}",
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let turn = proptest::collection::vec((0..9u8, sql()), 0..4);
    prop_oneof![
        3 => ".{0,30}".prop_map(Act::Ask),
        8 => (turn, prop::bool::weighted(0.1)).prop_map(|(calls, cut)| Act::Turn(calls, cut)),
        1 => (0..4u8).prop_map(Act::Fail),
        5 => Just(Act::Approve),
        1 => sql().prop_map(Act::ApproveOther),
        2 => sql().prop_map(Act::Edit),
        1 => Just(Act::Reject),
        2 => Just(Act::Answer),
        1 => Just(Act::Skip),
        1 => Just(Act::Stop),
        1 => (0..4usize, ".{0,20}").prop_map(|(turn, text)| Act::Again(turn, text)),
        1 => (0..4usize, 0..3usize).prop_map(|(turn, index)| Act::Branch(turn, index)),
        1 => Just(Act::Retry),
        1 => Just(Act::Translate),
        1 => (0..40u64).prop_map(Act::Stale),
        1 => Just(Act::CloseFile),
        2 => Just(Act::OpenFile),
    ]
}

fn part(kind: u8, text: &str) -> Part {
    let ask = r#"{"title":"t","questions":[{"id":"a","question":"b","type":"SINGLE_CHOICE","options":["x","y"]}]}"#;
    match kind {
        0 => Part::Text(text.into()),
        1 => Part::Reasoning(text.into()),
        2 => call("list_tables", text),
        3 => call("ask_user_questions", ask),
        4 => call("cannot_answer", r#"{"reason":"no"}"#),
        5 => call(text, "{}"),
        6 => call("sample_rows", r#"{"table":"orders"}"#),
        _ => call("run_sql", &proposal(text).to_string()),
    }
}

fn perform(desk: &mut Desk, act: Act) {
    match act {
        Act::Ask(text) => drop(desk.ask(&text)),
        Act::Turn(parts, cut) => {
            if let Some((effect, _)) = desk.model_effect.take() {
                desk.handle(Input::ModelDone {
                    effect,
                    turn: Turn {
                        parts: parts.iter().map(|(kind, text)| part(*kind, text)).collect(),
                        finish: Some(FinishReason::Stop),
                        truncated: cut,
                        usage: None,
                    },
                    thought_ms: 1,
                });
            }
        }
        Act::Fail(kind) => {
            if let Some((effect, _)) = desk.model_effect.take() {
                let kind = match kind {
                    0 => ModelErrorKind::Unreachable,
                    1 => ModelErrorKind::Unauthorised,
                    2 => ModelErrorKind::ContentFiltered,
                    _ => ModelErrorKind::Cut,
                };
                desk.handle(Input::ModelFailed {
                    effect,
                    error: ModelError::new(kind, ""),
                    partial: Turn::default(),
                    jitter: f64::NAN,
                });
            }
        }
        Act::Approve | Act::Edit(_) | Act::Reject | Act::ApproveOther(_) => decide(desk, act),
        Act::Answer => {
            for n in 0..40 {
                desk.op(Op::Answer {
                    card: CardId(n),
                    answers: vec![Answer {
                        question: "a".into(),
                        options: vec!["o1".into(), "?".into()],
                        text: Some("t".into()),
                    }],
                });
            }
        }
        Act::Skip => {
            for n in 0..40 {
                desk.op(Op::SkipQuestions { card: CardId(n) });
            }
        }
        Act::Stop => desk.op(Op::Stop),
        Act::Again(turn, text) => {
            if let Some(turn) = desk.run.turns().get(turn).map(|t| t.id) {
                desk.op(Op::AskAgain { turn, text });
            }
        }
        Act::Branch(turn, index) => {
            if let Some(turn) = desk.run.turns().get(turn).map(|t| t.id) {
                desk.op(Op::ShowBranch { turn, index });
            }
        }
        Act::Retry => desk.op(Op::Retry),
        Act::Translate => desk.op(Op::Translate),
        Act::Stale(n) => stale(desk, EffectId(n)),
        Act::CloseFile => desk.file_open = false,
        Act::OpenFile => desk.file_open = true,
    }
}

fn decide(desk: &mut Desk, act: Act) {
    if !matches!(
        desk.run.phase(),
        assent::agent::run::Phase::AwaitingApproval { .. }
    ) {
        return;
    }
    match act {
        Act::Approve => drop(desk.approve()),
        Act::Edit(sql) => drop(desk.edit(&sql)),
        Act::ApproveOther(sql) => {
            let id = desk.pending().id;
            for approval in [id, ApprovalId(id.0 + 1)] {
                desk.op(Op::Decide {
                    approval,
                    decision: Decision::Approve {
                        shown: SqlHash::of(&format!("{sql} ")),
                    },
                });
            }
        }
        _ => drop(desk.reject(None)),
    }
}

/// Answers to effects that nobody asked for now, among them forged permissions.
fn stale(desk: &mut Desk, effect: EffectId) {
    if desk.model_effect.is_some_and(|(live, _)| live == effect) {
        return;
    }
    desk.handle(Input::ModelDone {
        effect,
        turn: Turn {
            parts: vec![part(7, "SELECT 1")],
            ..Turn::default()
        },
        thought_ms: 0,
    });
    desk.handle(Input::Checked {
        effect,
        verdict: Verdict::Invalid {
            message: "late".into(),
            hint: None,
        },
    });
    desk.handle(Input::RunFailed {
        effect,
        error: QueryError::Cancelled,
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_inputs_never_panic_never_run_unapproved_bytes_and_always_end(
        acts in proptest::collection::vec(act(), 0..40)
    ) {
        // The desk itself asserts approval, round trips and well-formed requests at every step.
        let mut desk = Desk::open();
        for act in acts {
            perform(&mut desk, act);
        }
        let mut rounds = 0;
        while let Some((effect, _)) = desk.model_effect.take() {
            rounds += 1;
            prop_assert!(rounds < 200, "the loop does not end");
            desk.handle(Input::ModelDone {
                effect,
                turn: Turn { parts: vec![part(7, "SELECT nope")], ..Turn::default() },
                thought_ms: 0,
            });
            desk.op(Op::Stop);
        }
        prop_assert!(!desk.run.is_busy());
    }
}
