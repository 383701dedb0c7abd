//! When an endpoint fails for good, the built-in translator can answer that question.

use super::desk::Desk;
use crate::native::introspected;
use assent::agent::protocol::Op;
use assent::agent::record::Outcome;
use assent::agent::run::{Phase, Run};
use assent::builtin::{Translator, respond};
use assent::link::ValueIndex;
use assent::llm::ModelErrorKind;
use assent::settings::Language;
use assent::transcript::Message;
use assent::view::model::{ItemBody, Notice};
use assent::view::transcript::{Surroundings, turn};
use serde_json::json;

const SHOP: &str = "CREATE TABLE orders(id INTEGER PRIMARY KEY, total REAL);
    INSERT INTO orders VALUES (1, 10), (2, 20), (3, 45);";

fn last_notice(run: &Run, language: Language) -> Notice {
    let around = Surroundings {
        language,
        file_open: true,
        read_only: false,
        held: &|_| true,
        live: None,
    };
    let view = turn(run, run.turns().len() - 1, around).unwrap();
    let found = view.items.iter().rev().find_map(|item| match &item.body {
        ItemBody::Notice(notice) => Some(notice.clone()),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn the_translator_answers_where_the_endpoint_failed() {
    let mut desk = Desk::with(SHOP);
    let mut db = crate::native::Native::memory(SHOP);
    let translator = Translator::new(&introspected(&mut db).schema, ValueIndex::default());
    desk.ask("How many orders are there?");
    desk.call("list_tables", json!({}));
    desk.model_fails(ModelErrorKind::Unauthorised);
    assert_eq!(*desk.run.phase(), Phase::Failed);
    for language in [Language::English, Language::Chinese] {
        let notice = last_notice(&desk.run, language);
        assert!(notice.or_translate && !notice.next.is_empty());
    }

    desk.op(Op::Translate);
    assert!(desk.run.is_translated());
    assert!(!last_notice(&desk.run, Language::English).or_translate);
    // The model's lookups are not the translator's: it starts at the question.
    assert!(
        matches!(desk.run.since_question().as_slice(), [Message::User { text }] if text == "How many orders are there?")
    );
    let saved = serde_json::to_string(&desk.run).unwrap();
    assert_eq!(serde_json::from_str::<Run>(&saved).unwrap(), desk.run);

    let first = respond(&translator, &desk.run.since_question());
    desk.turn(first.parts, first.finish.unwrap());
    desk.approve();
    let second = respond(&translator, &desk.run.since_question());
    desk.turn(second.parts, second.finish.unwrap());
    assert_eq!(desk.run.turns()[0].outcome, Some(Outcome::Answered));
    assert_eq!(*desk.run.phase(), Phase::Idle);

    desk.ask("And the average total?");
    assert!(
        !desk.run.is_translated(),
        "the next question goes to the endpoint again"
    );
}

#[test]
fn nothing_is_taken_over_without_a_failure() {
    let mut desk = Desk::with(SHOP);
    desk.ask("How many orders are there?");
    desk.op(Op::Translate);
    assert!(!desk.run.is_translated());
    desk.text("There are 3.");
    desk.op(Op::Translate);
    assert!(!desk.run.is_translated());
}
