use super::*;

fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str, parameters: Value| ToolSpec {
        name: name.into(),
        description: String::new(),
        parameters,
    };
    vec![
        tool(
            RUN_SQL,
            json!({"properties": {"reasoning": {}, "sql": {}}, "required": ["reasoning", "sql"]}),
        ),
        tool("list_tables", json!({})),
        tool(ASK, json!({"properties": {"title": {}, "questions": {}}})),
    ]
}

fn check(text: &str, call: Option<(&str, Value)>, words: &str) {
    for protocol in [Protocol::Json, Protocol::Tagged] {
        let got = read(text, protocol, &tools(), &["SELECT  0;".into()]);
        let got_call = got.call.map(|(name, arguments)| {
            let arguments: Value = serde_json::from_str(&arguments).unwrap();
            (name, arguments)
        });
        let call = call.clone().map(|(name, v)| (name.to_owned(), v));
        assert_eq!(got_call, call, "{text}");
        assert_eq!(got.text, words, "{text}");
    }
    let tools_protocol = read(text, Protocol::Tools, &tools(), &[]);
    assert_eq!(tools_protocol.call, None);
}

fn sql(reasoning: &str, sql: &str) -> Option<(&'static str, Value)> {
    let arguments = json!({"reasoning": reasoning, "sql": sql});
    Some((RUN_SQL, arguments))
}

#[test]
fn objects() {
    check(
        r#"{"tool":"run_sql","arguments":{"reasoning":"r","sql":"SELECT 1"}}"#,
        sql("r", "SELECT 1"),
        "",
    );
    check(
        "```json\n{\"tool\":\"list_tables\"}\n```",
        Some(("list_tables", json!({}))),
        "",
    );
    check(
        "Sure: {\"sql\":\"SELECT 1\",\"reason\":\"r\",\"x\":1} .",
        sql("r", "SELECT 1"),
        "",
    );
    check(r#"{"sql":"SELECT 1"}"#, sql(NOT_GIVEN, "SELECT 1"), "");
    check(
        r#"{"sql":null,"reason":"no such table"}"#,
        None,
        "no such table",
    );
    check(r#"{"answer":"5"}"#, None, "5");
    for text in [
        r#"{"tool":"rm","arguments":{}}"#,
        r#"{"tool":"run_sql","arguments":[1]}"#,
        r#"{"tool":"run_sql","arguments":{"sql":"SELEC"#,
        r#"{"a":1}"#,
        "The set {1, 2} has two members.",
    ] {
        check(text, None, text);
    }
}

#[test]
fn tags_and_what_is_no_tag() {
    check(
        "I look.\n<tool name=\"run_sql\">\n<reasoning>a < b</reasoning>\n<sql>\nSELECT 1 < 2\n</sql>\n</tool>",
        Some((
            RUN_SQL,
            json!({"reasoning": "a < b", "sql": "SELECT 1 < 2"}),
        )),
        "I look.",
    );
    check(
        "<tool name='run_sql'>{\"sql\":\"SELECT 1\",\"reasoning\":\"r\"}</tool>",
        sql("r", "SELECT 1"),
        "",
    );
    check(
        "<tool name=\"ask_user_questions\"><title>t</title><questions>[{\"id\":\"a\"}]</questions></tool>",
        Some((ASK, json!({"title": "t", "questions": [{"id": "a"}]}))),
        "",
    );
    for text in [
        "<tool name=\"rm\"></tool>",
        "<tool name=\"run_sql\"><sql>SELECT 1",
        "<tool name=\"run_sql\"><b>x</b></tool>",
        "<tool name=",
    ] {
        check(text, None, text);
    }
}

#[test]
fn statements_in_fences() {
    check(
        "Count them:\n```sql\nSELECT 1;\n```\n",
        sql("Count them:", "SELECT 1;"),
        "",
    );
    check("```\nselect 1\n```", sql(NOT_GIVEN, "select 1"), "");
    check(
        "SQLQuery: SELECT 1\nSQLResult: 1",
        sql("SQLResult: 1", "SELECT 1"),
        "",
    );
    check(
        "```sql\nSELECT 1\n```\nagain\n```sql\nSELECT\n 1;\n```",
        sql("again", "SELECT 1"),
        "",
    );
    // A reply that repeats what was proposed speaks of it.
    check(
        "I ran ```sql\nSELECT 0\n```",
        None,
        "I ran ```sql\nSELECT 0\n```",
    );
    check(
        "Either\n```sql\nSELECT 1\n```\nor\n```sql\nSELECT 2\n```",
        Some((
            ASK,
            json!({"title": "SQL", "questions": [{
                "id": "sql",
                "question": "Which query is meant? / 要用哪一条查询？",
                "type": "SINGLE_CHOICE",
                "options": [{"id": "1", "label": "SELECT 1"}, {"id": "2", "label": "SELECT 2"}],
            }]}),
        )),
        "Either\n\nor",
    );
    for text in [
        "You could select the rows with a query.",
        "```sql\nSELECT 1",
        "```python\nselect = 1\n```",
        "```\nDROP TABLE t\n```",
        "SQL: is a language",
        "",
    ] {
        check(text, None, text);
    }
}
