//! Calls in words, for servers and models that take no tools: one switch after a refusal, a body without
//! tools, and a reply read back to the same turn in all families.

use super::{show, turn};
use assent::llm::invariants::check_invariants;
use assent::llm::{
    Family, ModelError, ModelErrorKind, ModelRequest, Protocol, Quirks, StreamEvent,
};
use assent::transcript::{CallId, Message, Part, ToolCall, ToolResult};
use serde_json::{Value, json};

fn with(messages: Vec<Message>) -> ModelRequest {
    ModelRequest {
        system: "Be brief.".into(),
        messages,
        ..super::request()
    }
}

fn quirks(protocol: Protocol) -> Quirks {
    Quirks {
        protocol,
        ..Quirks::default()
    }
}

/// The text as one answer of a family.
fn answer(family: Family, text: &str) -> String {
    match family {
        Family::OpenAi => {
            let chunk = json!({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]});
            format!("data: {chunk}\n\ndata: [DONE]\n\n")
        }
        Family::Anthropic => {
            let body = json!({"type": "message", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"});
            body.to_string()
        }
        Family::Ollama => json!({"message": {"content": text}, "done": true}).to_string(),
    }
}

fn decode(family: Family, protocol: Protocol, text: &str, size: usize) -> Vec<StreamEvent> {
    let request = with(vec![Message::User { text: "q".into() }]);
    let mut decoder = family.decoder(&request, &quirks(protocol));
    let mut events = Vec::new();
    for chunk in answer(family, text).as_bytes().chunks(size) {
        events.extend(decoder.feed(chunk));
    }
    events.extend(decoder.finish());
    assert!(decoder.is_done());
    events
}

fn check(text: &str, expected: &[&str]) {
    for family in Family::ALL {
        for protocol in [Protocol::Json, Protocol::Tagged] {
            for size in [1, 7, 10_000] {
                let events = decode(family, protocol, text, size);
                assert_eq!(show(&events), expected, "{family:?} {protocol:?} {size}");
            }
        }
    }
}

#[test]
fn replies_become_calls_of_offered_tools_only() {
    check(
        r#"{"tool":"run_sql","arguments":{"sql":"SELECT 1"}}"#,
        &[
            "TS 0 text00001 run_sql",
            r#"TA 0 {"sql":"SELECT 1"}"#,
            r#"TE 0 {"sql":"SELECT 1"}"#,
            "F tools",
        ],
    );
    check(r#"{"answer":"Five."}"#, &["Tx Five.", "F stop"]);
    let unknown = r#"{"tool":"rm","arguments":{}}"#;
    check(unknown, &[&format!("Tx {unknown}"), "F stop"]);
    check("Nothing to run.", &["Tx Nothing to run.", "F stop"]);
    let thinking = "<think>hm</think>```sql\nSELECT 2\n```";
    let events = decode(Family::Ollama, Protocol::Tagged, thinking, 1);
    let lines = show(&events);
    assert_eq!(lines.first().unwrap(), "R hm");
    assert!(lines.contains(&r#"TE 0 {"sql":"SELECT 2"}"#.to_owned()));
}

#[test]
fn a_cut_reply_calls_nothing() {
    let request = with(Vec::new());
    let mut decoder = Family::OpenAi.decoder(&request, &quirks(Protocol::Tagged));
    let chunk = json!({"choices": [{"delta": {"content": "```sql\nSELECT 1\n```"}}]});
    let mut events = decoder.feed(format!("data: {chunk}\n\n").as_bytes());
    events.extend(decoder.finish());
    assert_eq!(show(&events), ["Tx ```sql\nSELECT 1\n```", "Trunc"]);
    assert!(
        !turn(events)
            .parts
            .iter()
            .any(|part| matches!(part, Part::Call(_)))
    );
}

#[test]
fn the_body_has_words_in_place_of_tools() {
    let history = vec![
        Message::User { text: "q".into() },
        Message::Assistant {
            parts: vec![
                Part::Text("Look.".into()),
                Part::Call(ToolCall {
                    id: CallId("a".into()),
                    name: "run_sql".into(),
                    arguments: r#"{"sql":"SELECT '<'"}"#.into(),
                    malformed: false,
                }),
            ],
        },
        Message::Tool(ToolResult {
            call: CallId("a".into()),
            text: "1 row".into(),
            is_error: false,
        }),
    ];
    for family in Family::ALL {
        let mut quirks = Quirks::default();
        let refused = ModelError::new(ModelErrorKind::NoTools, "model does not support tools");
        assert!(quirks.learn(&refused) && !quirks.learn(&refused));
        for protocol in [Protocol::Json, Protocol::Tagged] {
            quirks.protocol = protocol;
            let wire = family
                .prepare("http://localhost:1", "m", &quirks, &with(history.clone()))
                .unwrap();
            check_invariants(&wire.body, "").unwrap();
            let body: Value = serde_json::from_str(&wire.body).unwrap();
            assert!(body.get("tools").is_none());
            assert!(!wire.body.contains("tool_call"));
            assert!(wire.body.contains("Result of run_sql:\\n1 row"));
            let told = wire.body.contains("Look.");
            assert_eq!(told, protocol == Protocol::Tagged);
            let asks_json = body.get("response_format").or_else(|| body.get("format"));
            let may = family != Family::Anthropic && protocol == Protocol::Json;
            assert_eq!(asks_json.is_some(), may);
        }
    }
}
