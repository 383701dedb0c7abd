//! Tables are found by search and described on demand; tools answer errors as results.

use super::desk::{Desk, call};
use assent::llm::FinishReason;
use expect_test::expect;
use serde_json::json;

#[test]
fn list_tables_names_every_table_with_its_size() {
    let mut desk = Desk::open();
    desk.ask("q").call("list_tables", json!({}));
    expect![[r#"
        regions (2 rows)
        customers (3 rows)
        orders (3 rows)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn describe_tables_shows_columns_and_keys() {
    let mut desk = Desk::open();
    desk.ask("q")
        .call("describe_tables", json!({"tables": ["customers", "ordrs"]}));
    expect![[r#"
        customers (3 rows)
          id INTEGER primary key
          name TEXT
          region_id INT
          foreign key (region_id) → regions(id)

        no table `ordrs`; did you mean orders, customers, regions?
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn search_schema_finds_columns_by_words() {
    let mut desk = Desk::open();
    desk.ask("q")
        .call("search_schema", json!({"query": "customer region"}));
    expect![[r#"
        customers.region_id INT
        orders.customer_id INT
        regions (2 rows)
        customers (3 rows)
    "#]]
    .assert_eq(
        &desk
            .told()
            .lines()
            .take(6)
            .map(|l| l.to_owned() + "\n")
            .collect::<String>(),
    );
}

#[test]
fn an_unknown_tool_is_answered_with_the_tools_that_exist() {
    let mut desk = Desk::open();
    desk.ask("q").call("drop_everything", json!({}));
    expect!["there is no tool `drop_everything`; the tools are list_tables, describe_tables, search_schema, sample_rows, run_sql, ask_user_questions, cannot_answer"]
        .assert_eq(&desk.told());
}

#[test]
fn broken_arguments_are_answered_with_the_form_that_is_wanted() {
    let mut desk = Desk::open();
    desk.ask("q").turn(
        vec![call("search_schema", "{\"query\": ")],
        FinishReason::Tools,
    );
    let told = desk.told();
    assert!(
        told.starts_with("the arguments are not valid JSON"),
        "{told}"
    );
    assert!(told.contains("\"required\":[\"query\"]"), "{told}");
}

#[test]
fn arguments_sent_as_a_string_are_understood() {
    let mut desk = Desk::open();
    desk.ask("q").turn(
        vec![call("search_schema", r#""{\"query\": \"total\"}""#)],
        FinishReason::Tools,
    );
    assert!(desk.told().contains("orders.total REAL"));
}
