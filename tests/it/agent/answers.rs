//! Answers speak only from the rows.

use super::desk::Desk;
use assent::agent::record::{EventBody, Outcome};
use serde_json::json;

fn answer(desk: &Desk) -> (String, Vec<String>) {
    let turn = desk.run.turns().last().unwrap();
    turn.events
        .iter()
        .rev()
        .find_map(|e| match &e.body {
            EventBody::Model(m) if m.answer => Some((m.text.clone(), m.unsupported.clone())),
            _ => None,
        })
        .unwrap()
}

#[test]
fn numbers_that_are_not_in_the_rows_are_marked() {
    let mut desk = Desk::open();
    desk.ask("How many orders?")
        .propose("SELECT count(*) FROM orders")
        .approve()
        .text("There are 3 orders, 12 % more than last year.");
    assert_eq!(answer(&desk).1, ["12"]);
}

#[test]
fn numbers_without_any_query_are_sent_back_once_then_marked() {
    let mut desk = Desk::open();
    desk.ask("How many orders?").text("There are 4711 orders.");
    assert!(
        desk.last_request()
            .contains("these numbers come from nowhere")
    );
    desk.text("Still 4711.");
    assert_eq!(answer(&desk).1, ["4711"]);
}

#[test]
fn sql_as_text_is_sent_back() {
    let mut desk = Desk::open();
    desk.ask("q").text("```sql\nSELECT 1\n```");
    assert!(desk.last_request().contains("Propose it with run_sql"));
}

#[test]
fn an_empty_turn_is_sent_back() {
    let mut desk = Desk::open();
    desk.ask("q").text("  ").text("Hello.");
    assert_eq!(answer(&desk).0, "Hello.");
}

#[test]
fn cannot_answer_is_an_outcome_of_its_own() {
    let mut desk = Desk::open();
    desk.ask("What is the weather?").call(
        "cannot_answer",
        json!({"reason": "No weather in this database."}),
    );
    assert_eq!(desk.run.turns()[0].outcome, Some(Outcome::CannotAnswer));
    assert!(desk.run.transcript().open_calls().is_empty());
}

#[test]
fn a_follow_up_sees_the_earlier_turns() {
    let mut desk = Desk::open();
    desk.ask("How many orders?")
        .propose("SELECT count(*) FROM orders")
        .approve()
        .text("There are 3.")
        .ask("And customers?");
    let request = desk.last_request();
    assert!(request.contains("How many orders?") && request.contains("There are 3."));
    desk.text("You already know: 3.");
    assert_eq!(answer(&desk).1, Vec::<String>::new());
}
