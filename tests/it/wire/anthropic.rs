//! Anthropic messages: rows C28–C30, and what servers that imitate it do.

use super::{check_bytes, turn};
use assent::llm::invariants::check_invariants;
use assent::llm::{Family, ModelRequest, Quirks};
use assent::transcript::{CallId, Message, Part, ToolCall, ToolResult};
use serde_json::{Value, json};

fn events(parts: &[&str]) -> String {
    let frame = |part: &&str| {
        let value: Value = serde_json::from_str(part).unwrap();
        format!(
            "event: {}\ndata: {part}\n\n",
            value["type"].as_str().unwrap()
        )
    };
    parts.iter().map(frame).collect()
}

const START: &str = r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":1}}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;
const THINKING: &str =
    r#"{"type":"thinking","thinking":"Let me","signature":"c2ln+/=","kept":{"b":1,"a":2}}"#;

fn thinking_and_call() -> String {
    events(&[
        START,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":"","kept":{"b":1,"a":2}}}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let "}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"me"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"+/="}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"xyz"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"run_sql","input":{}}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"sql\":"}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"é\"}"}}"#,
        r#"{"type":"content_block_stop","index":2}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":20}}"#,
        STOP,
    ])
}

#[test]
fn c28_thinking_goes_back_byte_for_byte() {
    let events = check_bytes(
        Family::Anthropic,
        thinking_and_call().as_bytes(),
        &[
            "R Let ",
            "R me",
            &format!("Op thinking {THINKING}"),
            r#"Op thinking {"type":"redacted_thinking","data":"xyz"}"#,
            "TS 0 toolu_1 run_sql",
            "TA 0 {\"sql\":",
            "TA 0 \"é\"}",
            "TE 0 {\"sql\":\"é\"}",
            "U 15 20 5 0",
            "F tools",
        ],
    );
    let text = send(vec![
        user("q"),
        Message::Assistant {
            parts: turn(events).parts,
        },
        result("toolu_1", "rows"),
        user("and now?"),
    ]);
    assert!(text.contains(&format!("[{THINKING},")), "{text}");
    let body: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "q"}]},
            {"role": "assistant", "content": [
                serde_json::from_str::<Value>(THINKING).unwrap(),
                {"type": "redacted_thinking", "data": "xyz"},
                {"type": "tool_use", "id": "toolu_1", "name": "run_sql", "input": {"sql": "é"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": "rows"},
                {"type": "text", "text": "and now?"},
            ]},
        ])
    );
}

#[test]
fn c29_no_arguments() {
    check_bytes(
        Family::Anthropic,
        events(&[
            START,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"list_tables","input":{}}}"#,
            r#"{"type":"ping"}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}"#,
            r#"{"type":"content_block_stop","index":1}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":3}}"#,
            STOP,
        ])
        .as_bytes(),
        &["Tx Hi", "TS 0 t list_tables", "TE 0 {}", "U 15 3 5 0", "F tools"],
    );
}

#[test]
fn c30_overloaded_in_the_middle() {
    check_bytes(
        Family::Anthropic,
        events(&[
            START,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"par"}}"#,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        ])
        .as_bytes(),
        &["Tx par", "E Overloaded retryable Overloaded"],
    );
}

#[test]
fn a_cut_stream_closes_no_call() {
    let whole = thinking_and_call();
    let cut = whole.find("event: message_delta").unwrap();
    let events = check_bytes(
        Family::Anthropic,
        &whole.as_bytes()[..cut],
        &[
            "R Let ",
            "R me",
            &format!("Op thinking {THINKING}"),
            r#"Op thinking {"type":"redacted_thinking","data":"xyz"}"#,
            "TS 0 toolu_1 run_sql",
            "TA 0 {\"sql\":",
            "TA 0 \"é\"}",
            "U 15 1 5 0",
            "Trunc",
        ],
    );
    let calls = turn(events).parts;
    assert!(!calls.iter().any(|part| matches!(part, Part::Call(_))));
    // The reason came, the last frame did not.
    let cut = whole.find("event: message_stop").unwrap();
    let events = super::decode(Family::Anthropic, [&whole.as_bytes()[..cut]].into_iter());
    assert_eq!(super::show(&events).last().unwrap(), "F tools");
}

#[test]
fn an_answer_that_was_not_streamed() {
    check_bytes(
        Family::Anthropic,
        br#"{"type":"message","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"Hi"},{"type":"tool_use","id":"t","name":"run_sql","input":{"sql":"x"}}],"stop_reason":"max_tokens","usage":{"input_tokens":1,"output_tokens":2}}"#,
        &[
            "R hm",
            r#"Op thinking {"type":"thinking","thinking":"hm","signature":"s"}"#,
            "Tx Hi",
            "TS 0 t run_sql",
            "TA 0 {\"sql\":\"x\"}",
            "TE 0 {\"sql\":\"x\"}",
            "U 1 2 0 0",
            "F length",
        ],
    );
    check_bytes(
        Family::Anthropic,
        br#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
        &["E Unauthorised final invalid x-api-key"],
    );
    check_bytes(
        Family::Anthropic,
        b"<html>no</html>",
        &["E NotJson final no"],
    );
    check_bytes(
        Family::Anthropic,
        b"",
        &["E Cut retryable the answer was empty"],
    );
}

fn send(messages: Vec<Message>) -> String {
    let request = ModelRequest {
        system: "Be brief.".into(),
        messages,
        ..super::request()
    };
    let base = "https://api.anthropic.com";
    let wire = Family::for_address(base)
        .prepare(base, " m ", &Quirks::default(), &request)
        .unwrap();
    assert_eq!(wire.url, "https://api.anthropic.com/v1/messages");
    check_invariants(&wire.body, "sk-ant-0123456789").unwrap();
    wire.body
}

fn user(text: &str) -> Message {
    Message::User { text: text.into() }
}

fn result(id: &str, text: &str) -> Message {
    Message::Tool(ToolResult {
        call: CallId(id.into()),
        text: text.into(),
        is_error: false,
    })
}

#[test]
fn headers_and_frame_of_the_body() {
    assert_eq!(
        Family::Anthropic.headers(" sk-ant-0123456789 "),
        [
            ("content-type", "application/json".to_owned()),
            ("anthropic-version", "2023-06-01".to_owned()),
            (
                "anthropic-dangerous-direct-browser-access",
                "true".to_owned()
            ),
            ("x-api-key", "sk-ant-0123456789".to_owned()),
        ]
    );
    let call = |id: &str| {
        Part::Call(ToolCall {
            id: CallId(id.into()),
            name: "run_sql".into(),
            arguments: "{\"sql\":1,}".into(),
            malformed: false,
        })
    };
    let text = send(vec![
        Message::Assistant {
            parts: vec![Part::Text(" ".into()), call("exec:0"), call("exec:1")],
        },
        result("exec:1", ""),
    ]);
    let body: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(body["system"], "Be brief.");
    assert_eq!(
        (&body["model"], &body["max_tokens"]),
        (&json!("m"), &json!(8192))
    );
    assert_eq!(body["tools"][1]["name"], "list_tables");
    assert_eq!(
        body["tools"][1]["input_schema"],
        json!({"type": "object", "properties": {}})
    );
    // Ids of other servers are not of the form that this one takes.
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "(earlier messages are left out)"}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "fill00001", "name": "run_sql", "input": {"sql": 1}},
                {"type": "tool_use", "id": "fill00002", "name": "run_sql", "input": {"sql": 1}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "fill00001", "content": "cancelled"},
                {"type": "tool_result", "tool_use_id": "fill00002", "content": "(empty)"},
            ]},
        ])
    );
}
