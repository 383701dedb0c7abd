//! Every loop ends.

use super::desk::{Desk, call};
use assent::agent::limits::{
    CALLS_PER_TURN_MAX, MODEL_CALLS_MAX, QUESTION_CHARS_MAX, SHAPE_NUDGES_MAX,
};
use assent::agent::protocol::Op;
use assent::agent::record::{EventBody, NoticeRecord, Outcome};
use assent::llm::{FinishReason, ModelErrorKind};
use serde_json::json;

fn notice(desk: &Desk) -> NoticeRecord {
    match &desk.run.turns().last().unwrap().events.last().unwrap().body {
        EventBody::Notice(notice) => notice.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_model_that_never_stops_calling_tools_is_stopped() {
    let mut desk = Desk::open();
    desk.ask("q");
    for _ in 0..MODEL_CALLS_MAX {
        desk.call("list_tables", json!({}));
    }
    assert_eq!(
        notice(&desk),
        NoticeRecord::ModelCallsExhausted {
            calls: MODEL_CALLS_MAX
        }
    );
    assert!(desk.model_effect.is_none());
}

#[test]
fn many_calls_in_one_turn_are_each_answered_and_bounded() {
    let mut desk = Desk::open();
    desk.ask("q");
    let many = vec![call("list_tables", "{}"); CALLS_PER_TURN_MAX + 2];
    desk.turn(many, FinishReason::Tools);
    assert!(desk.told().contains("at most 8 calls in one turn"));
}

#[test]
fn broken_turns_end_with_a_reason() {
    let mut desk = Desk::open();
    desk.ask("q");
    for _ in 0..=SHAPE_NUDGES_MAX {
        desk.call("no_such_tool", json!({}));
    }
    assert!(matches!(notice(&desk), NoticeRecord::ShapeExhausted { .. }));
    assert_eq!(desk.run.turns()[0].outcome, Some(Outcome::Failed));
}

#[test]
fn a_question_that_is_too_long_is_refused_by_its_length() {
    let mut desk = Desk::open();
    desk.ask(&"x".repeat(QUESTION_CHARS_MAX + 1));
    assert_eq!(
        notice(&desk),
        NoticeRecord::QuestionTooLong {
            chars: QUESTION_CHARS_MAX + 1
        }
    );
}

#[test]
fn without_a_file_the_question_is_kept_and_the_next_step_named() {
    let mut desk = Desk::open();
    desk.file_open = false;
    desk.ask("q");
    assert_eq!(notice(&desk), NoticeRecord::NoFile);
}

#[test]
fn a_passing_network_error_is_retried_and_then_shown_with_retry() {
    let mut desk = Desk::open();
    desk.ask("q").model_fails(ModelErrorKind::Overloaded);
    let (_, delay) = desk.model_effect.unwrap();
    assert!(delay > 0);
    for _ in 0..10 {
        if desk.model_effect.is_some() {
            desk.model_fails(ModelErrorKind::Overloaded);
        }
    }
    assert!(matches!(notice(&desk), NoticeRecord::ModelError(_)));
    desk.op(Op::Retry);
    desk.text("Hello.");
    assert_eq!(desk.run.turns()[0].outcome, Some(Outcome::Answered));
}

#[test]
fn a_refused_key_is_shown_at_once() {
    let mut desk = Desk::open();
    desk.ask("q").model_fails(ModelErrorKind::Unauthorised);
    assert!(desk.model_effect.is_none());
    assert!(matches!(notice(&desk), NoticeRecord::ModelError(_)));
}

#[test]
fn an_answer_cut_at_the_length_limit_says_so() {
    let mut desk = Desk::open();
    desk.ask("q").turn(
        vec![assent::transcript::Part::Text("Once upon a".into())],
        FinishReason::Length,
    );
    assert_eq!(notice(&desk), NoticeRecord::LengthLimit);
}
