//! Structured questions instead of guessing.

use super::desk::Desk;
use assent::agent::protocol::Op;
use assent::agent::questions::Answer;
use expect_test::expect;
use serde_json::{Value, json};

fn best() -> Value {
    json!({
        "title": "What does best mean?",
        "questions": [
            {"id": "best", "question": "Best by what?", "type": "SINGLE_CHOICE",
             "options": [{"id": "rev", "label": "Revenue", "recommended": true}, {"id": "units", "label": "Units"}]},
            {"id": "when", "question": "Which months?", "type": "MULTI_CHOICE", "options": ["January", "February"]},
            {"id": "note", "question": "Anything else?", "type": "TEXT"}
        ]
    })
}

#[test]
fn the_model_waits_for_the_answers_and_gets_them_by_label() {
    let mut desk = Desk::open();
    desk.ask("Best region?").call("ask_user_questions", best());
    desk.answer(vec![
        Answer {
            question: "best".into(),
            options: vec!["rev".into()],
            text: None,
        },
        Answer {
            question: "when".into(),
            options: vec!["o1".into(), "o2".into()],
            text: Some("and March".into()),
        },
    ]);
    expect![[r#"
        The person's answers:
        - Best by what?: Revenue
        - Which months?: January; February; and March
        - Anything else?: (no answer: use your best guess and name it)
    "#]]
    .assert_eq(&desk.told());
    expect![[r#"
        person: Best region?
        → model
        model: ask_user_questions
        question card
        person: answers
        → model
    "#]]
    .assert_eq(&desk.story());
}

#[test]
fn skipping_asks_for_a_named_guess() {
    let mut desk = Desk::open();
    desk.ask("Best region?").call("ask_user_questions", best());
    let card = desk.card();
    desk.op(Op::SkipQuestions { card });
    expect![
        "The person skipped the questions: use your best guess, and name the guess in your answer."
    ]
    .assert_eq(&desk.told());
}

#[test]
fn a_card_of_the_wrong_shape_goes_back_with_what_is_wrong() {
    for (arguments, expected) in [
        (json!({}), "`questions` must be a list"),
        (json!({"questions": []}), "`questions` must be a list"),
        (
            json!({"questions": [{"id": "a"}]}),
            "question 1: `question` is missing",
        ),
        (
            json!({"questions": [{"question": "x", "type": "RADIO"}]}),
            "`type` is `RADIO`",
        ),
        (
            json!({"questions": [{"question": "x", "type": "SINGLE_CHOICE", "options": ["one"]}]}),
            "at least two options",
        ),
        (
            json!({"questions": [{"id": "a", "question": "x", "type": "TEXT"}, {"id": "a", "question": "y", "type": "TEXT"}]}),
            "two questions have the id `a`",
        ),
    ] {
        let mut desk = Desk::open();
        desk.ask("q").call("ask_user_questions", arguments);
        assert!(desk.told().contains(expected), "{}", desk.told());
    }
}
