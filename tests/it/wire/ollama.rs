//! Ollama's own chat: row C39, and what its versions and gateways do.

use super::{check_bytes, turn};
use assent::llm::invariants::check_invariants;
use assent::llm::{Family, ModelRequest, Quirks};
use assent::transcript::{Message, Part, ToolResult};
use serde_json::{Value, json};

const DONE: &str = r#"{"model":"q","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}"#;
const CALL: &str = r#"{"message":{"role":"assistant","content":"","thinking":"hm","tool_calls":[{"function":{"name":"run_sql","arguments":{"sql":"é"}}}]},"done":false}"#;

fn lines(parts: &[&str]) -> String {
    parts.iter().map(|part| format!("{part}\n")).collect()
}

#[test]
fn c39_a_call_then_the_error_variant() {
    let events = check_bytes(
        Family::Ollama,
        lines(&[CALL, DONE]).as_bytes(),
        &[
            "R hm",
            "TS 0 call00001 run_sql",
            "TA 0 {\"sql\":\"é\"}",
            "Op thinking \"hm\"",
            "TE 0 {\"sql\":\"é\"}",
            "U 7 3 0 0",
            "F tools",
        ],
    );
    check_bytes(
        Family::Ollama,
        lines(&[r#"{"error":"model \"q\" not found, try pulling it first"}"#]).as_bytes(),
        &["E ModelNotFound final model \"q\" not found, try pulling it first"],
    );
    check_bytes(
        Family::Ollama,
        br#"{"message":{"content":"par"},"done":false}
{"error":"an error was encountered while running the model: unexpected EOF"}"#,
        &[
            "Tx par",
            "E Server retryable an error was encountered while running the model: unexpected EOF",
        ],
    );
    let call = turn(events.clone())
        .parts
        .into_iter()
        .find_map(|part| match part {
            Part::Call(call) => Some(call),
            _ => None,
        })
        .unwrap();
    let body = send(vec![
        Message::User { text: "q".into() },
        Message::Assistant {
            parts: turn(events).parts,
        },
        Message::Tool(ToolResult {
            call: call.id,
            text: "rows".into(),
            is_error: false,
        }),
    ]);
    assert_eq!(
        body["messages"],
        json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": "", "thinking": "hm", "tool_calls": [
                {"function": {"name": "run_sql", "arguments": {"sql": "é"}}}
            ]},
            {"role": "tool", "tool_name": "run_sql", "content": "rows"},
        ])
    );
    assert_eq!(
        body["options"],
        json!({"num_ctx": 8192, "num_predict": 100})
    );
    assert_eq!(body["tools"][0]["function"]["name"], "run_sql");
}

fn send(messages: Vec<Message>) -> Value {
    let request = ModelRequest {
        system: "Be brief.".into(),
        messages,
        max_output_tokens: Some(100),
        ..super::request()
    };
    let base = "http://localhost:11434/api";
    let wire = Family::for_address(base)
        .prepare(base, "q", &Quirks::default(), &request)
        .unwrap();
    assert_eq!(wire.url, "http://localhost:11434/api/chat");
    check_invariants(&wire.body, "").unwrap();
    serde_json::from_str(&wire.body).unwrap()
}

#[test]
fn equal_calls_stay_apart_and_keep_their_ids() {
    let call = r#"{"message":{"tool_calls":[{"id":"x","function":{"index":0,"name":"run_sql","arguments":{}}},{"id":"x","function":{"index":0,"name":"run_sql","arguments":"{\"a\":1}"}}]}}"#;
    check_bytes(
        Family::Ollama,
        lines(&[call, call, r#"{"done":true}"#]).as_bytes(),
        &[
            "TS 0 x run_sql",
            "TS 1 call00001 run_sql",
            "TA 1 {\"a\":1}",
            "TS 2 call00002 run_sql",
            "TS 3 call00003 run_sql",
            "TA 3 {\"a\":1}",
            "TE 0 {}",
            "TE 1 {\"a\":1}",
            "TE 2 {}",
            "TE 3 {\"a\":1}",
            "F tools",
        ],
    );
}

#[test]
fn text_thinking_tags_and_calls_in_text() {
    check_bytes(
        Family::Ollama,
        lines(&[
            r#"{"message":{"content":"<think>a"}}"#,
            r#"{"message":{"content":"b</think>\n😀"}}"#,
            r#"{"message":{"content":"<tool_call>{\"name\":\"run_sql\"}</tool"}}"#,
            r#"{"message":{"content":"_call>"},"done":true,"done_reason":"length"}"#,
        ])
        .as_bytes(),
        &[
            "R a",
            "R b",
            "Tx 😀",
            "TS 0 call00001 run_sql",
            "TE 0 {}",
            "F length",
        ],
    );
}

#[test]
fn other_shapes_and_ends() {
    let hi = r#"{"message":{"content":"Hi"},"done":false}"#;
    check_bytes(Family::Ollama, hi.as_bytes(), &["Tx Hi", "Trunc"]);
    check_bytes(
        Family::Ollama,
        format!("{hi}\n{{\"mess").as_bytes(),
        &["Tx Hi", "Trunc"],
    );
    check_bytes(
        Family::Ollama,
        format!("{hi}\n{{\"mess\n").as_bytes(),
        &[
            "Tx Hi",
            "E Malformed final a line of the answer is not valid JSON",
        ],
    );
    // As events, with marks and blank lines.
    check_bytes(
        Family::Ollama,
        format!("\u{FEFF}data: {hi}\r\n\r\ndata: {DONE}\r\n\r\n").as_bytes(),
        &["Tx Hi", "U 7 3 0 0", "F stop"],
    );
    // Not streamed and set in lines.
    check_bytes(
        Family::Ollama,
        b"{\n \"message\": {\"content\": \"Hi\"},\n \"done\": true\n}\n",
        &["Tx Hi", "F stop"],
    );
    check_bytes(
        Family::Ollama,
        b"<html>\n<b>404</b>\n</html>",
        &["E NotJson final 404"],
    );
    check_bytes(
        Family::Ollama,
        b"\n",
        &["E Cut retryable the answer was empty"],
    );
}
