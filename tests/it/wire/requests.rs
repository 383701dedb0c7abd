//! Requests: what goes back to a server, and what holds for every body.

use super::request;
use assent::llm::invariants::check_invariants;
use assent::llm::quirks::Echo;
use assent::llm::{Family, ModelRequest, Quirks};
use assent::transcript::{CallId, Message, Opaque, Part, ToolCall, ToolResult};
use proptest::prelude::*;
use serde_json::{Value, json};

const KEY: &str = "sk-0123456789";
const FAMILIES: &[Family] = &Family::ALL;

fn call(id: &str, arguments: &str) -> Part {
    Part::Call(ToolCall {
        id: CallId(id.into()),
        name: "run_sql".into(),
        arguments: arguments.into(),
        malformed: false,
    })
}

fn opaque(field: &str, call: Option<&str>, data: Value) -> Part {
    Part::Opaque(Opaque {
        field: field.into(),
        call: call.map(|id| CallId(id.into())),
        data,
    })
}

fn result(id: &str, text: &str) -> Message {
    Message::Tool(ToolResult {
        call: CallId(id.into()),
        text: text.into(),
        is_error: false,
    })
}

fn user(text: &str) -> Message {
    Message::User { text: text.into() }
}

fn assistant(parts: Vec<Part>) -> Message {
    Message::Assistant { parts }
}

fn with(messages: Vec<Message>) -> ModelRequest {
    ModelRequest {
        system: "Be brief.".into(),
        messages,
        max_output_tokens: Some(100),
        ..request()
    }
}

fn body(messages: Vec<Message>, quirks: &Quirks) -> Value {
    let wire = Family::OpenAi
        .prepare("https://api.x/v1", " m ", quirks, &with(messages))
        .unwrap();
    check_invariants(&wire.body, KEY).unwrap();
    serde_json::from_str(&wire.body).unwrap()
}

#[test]
fn the_whole_body() {
    let body = body(
        vec![
            user("q"),
            Message::Notice {
                text: "note".into(),
            },
            assistant(vec![
                Part::Reasoning("hm".into()),
                Part::Text("Let me see.".into()),
                call("a", "{\"sql\":1}"),
            ]),
            result("a", ""),
        ],
        &Quirks::default(),
    );
    assert_eq!(
        body,
        json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "q\n\n[From the application, not from the person]\nnote"},
                {"role": "assistant", "content": "Let me see.", "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "run_sql", "arguments": "{\"sql\":1}"}}
                ]},
                {"role": "tool", "tool_call_id": "a", "content": "(empty)"},
            ],
            "tools": [
                {"type": "function", "function": {"name": "run_sql", "description": "", "parameters": {"type": "object", "properties": {}}}},
                {"type": "function", "function": {"name": "list_tables", "description": "", "parameters": {"type": "object", "properties": {}}}},
            ],
            "stream": true,
            "stream_options": {"include_usage": true},
            "max_tokens": 100,
        })
    );
}

#[test]
fn c31_reasoning_goes_back_with_calls_only() {
    let messages = || {
        vec![
            user("q"),
            assistant(vec![
                Part::Reasoning("hm".into()),
                call("a", "{}"),
                opaque("reasoning_content", None, json!("hm")),
            ]),
            result("a", "ok"),
            assistant(vec![call("b", "{}")]),
            result("b", "ok"),
            assistant(vec![
                Part::Reasoning("so".into()),
                Part::Text("Done.".into()),
                opaque("reasoning_content", None, json!("so")),
            ]),
            user("again"),
        ]
    };
    let sent = body(messages(), &Quirks::default());
    assert_eq!(sent["messages"][2]["reasoning_content"], "hm");
    assert_eq!(sent["messages"][4]["reasoning_content"], "");
    assert!(sent["messages"][6].get("reasoning_content").is_none());
    assert!(sent.get("tool_choice").is_none());
    let never = Quirks {
        echo: Echo::Never,
        ..Quirks::default()
    };
    let sent = body(messages(), &never).to_string();
    assert!(!sent.contains("reasoning_content"));
    let required = Quirks::for_address("https://api.deepseek.com");
    let sent = body(
        vec![
            user("q"),
            assistant(vec![call("a", "{}")]),
            result("a", "ok"),
        ],
        &required,
    );
    assert_eq!(sent["messages"][2]["reasoning_content"], "");
}

#[test]
fn c32_signature_goes_back_on_its_call() {
    let signature = json!({"google": {"thought_signature": "s=="}});
    let sent = body(
        vec![
            user("q"),
            assistant(vec![
                call("a", "{}"),
                opaque("extra_content", Some("a"), signature.clone()),
                call("b", "{}"),
            ]),
            result("a", "1"),
            result("b", "2"),
        ],
        &Quirks::default(),
    );
    let calls = &sent["messages"][2]["tool_calls"];
    assert_eq!(calls[0]["extra_content"], signature);
    assert!(calls[1].get("extra_content").is_none());
    assert!(sent["messages"][2].get("extra_content").is_none());
}

#[test]
fn fields_of_other_families_stay_here() {
    let sent = body(
        vec![
            user("q"),
            assistant(vec![
                opaque("thinking", None, json!({"type": "thinking"})),
                call("a", "{}"),
            ]),
            result("a", "1"),
        ],
        &Quirks::default(),
    );
    assert!(sent["messages"][2].get("thinking").is_none());
}

#[test]
fn c37_malformed_arguments_are_wrapped() {
    let broken = Part::Call(ToolCall {
        id: CallId("a".into()),
        name: "run sql?".into(),
        arguments: "{\"sql\":\"SEL".into(),
        malformed: true,
    });
    let sent = body(
        vec![user("q"), assistant(vec![broken]), result("a", "no")],
        &Quirks::default(),
    );
    let function = &sent["messages"][2]["tool_calls"][0]["function"];
    assert_eq!(function["name"], "run_sql_");
    assert_eq!(
        function["arguments"],
        "{\"malformed_arguments\":\"{\\\"sql\\\":\\\"SEL\"}"
    );
}

#[test]
fn c38_ids_are_unique_and_short_where_wanted() {
    let messages = || {
        vec![
            user("q"),
            assistant(vec![call("exec:0", "{}"), call("exec:0", "{}")]),
            result("exec:0", "1"),
            result("exec:0", "2"),
        ]
    };
    let sent = body(messages(), &Quirks::default());
    let ids = |sent: &Value| {
        [0, 1].map(|at| {
            let id = sent["messages"][2]["tool_calls"][at]["id"].clone();
            assert_eq!(sent["messages"][3 + at]["tool_call_id"], id);
            assert_eq!(sent["messages"][3 + at]["content"], (at + 1).to_string());
            id.as_str().unwrap().to_owned()
        })
    };
    assert_eq!(ids(&sent), ["exec:0", "fill00001"]);
    let mistral = Quirks::for_address("https://api.mistral.ai/v1");
    assert_eq!(ids(&body(messages(), &mistral)), ["fill00001", "fill00002"]);
}

#[test]
fn quirks_change_the_body() {
    let quirks = Quirks {
        dropped: ["stream_options".to_owned()].into(),
        max_completion_tokens: true,
        empty_content: true,
        no_system_role: true,
        assistant_after_tool: true,
        ..Quirks::default()
    };
    let sent = body(
        vec![
            user("q"),
            assistant(vec![call("a", "{}")]),
            result("a", "1"),
            user("w"),
        ],
        &quirks,
    );
    assert!(sent.get("stream_options").is_none() && sent.get("max_tokens").is_none());
    assert_eq!(sent["max_completion_tokens"], 100);
    assert_eq!(
        sent["messages"][0],
        json!({"role": "user", "content": "Be brief.\n\nq"})
    );
    assert_eq!(sent["messages"][1]["content"], "");
    assert_eq!(sent["messages"][3]["role"], "assistant");
}

fn part() -> impl Strategy<Value = Part> {
    let id = "[ab]?|call00001|exec:0";
    prop_oneof![
        "[a-z ]{0,5}".prop_map(Part::Text),
        "[a-z]{0,5}".prop_map(Part::Reasoning),
        (
            id,
            "[a-z?é]{0,4}",
            "(\\{\\})|(\\{\"a\":1\\})|\\PC{0,9}",
            any::<bool>()
        )
            .prop_map(|(id, name, arguments, malformed)| Part::Call(ToolCall {
                id: CallId(id),
                name,
                arguments,
                malformed
            })),
        (
            "reasoning_content|extra_content|thinking|redacted_thinking",
            proptest::option::of(id)
        )
            .prop_map(|(field, call)| Part::Opaque(Opaque {
                field,
                call: call.map(CallId),
                data: json!({"type": "thinking", "thinking": "x", "signature": "s"})
            })),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        "[a-z]{0,3}".prop_map(|text| Message::User { text }),
        "[a-z]{0,3}".prop_map(|text| Message::Notice { text }),
        proptest::collection::vec(part(), 0..5).prop_map(|parts| Message::Assistant { parts }),
        ("[ab]?|call00001|exec:0", "[a-z]{0,3}").prop_map(|(id, text)| Message::Tool(ToolResult {
            call: CallId(id),
            text,
            is_error: false
        })),
    ]
}

proptest! {
    #[test]
    fn any_messages_make_a_valid_body(
        messages in proptest::collection::vec(message(), 0..12),
        flags in any::<[bool; 5]>(),
        field in proptest::option::of("reasoning_content"),
    ) {
        let [short_ids, empty_content, no_system_role, assistant_after_tool, never] = flags;
        let echo = match field {
            Some(field) => Echo::Required(field),
            None if never => Echo::Never,
            None => Echo::Received,
        };
        let quirks = Quirks { short_ids, empty_content, no_system_role, assistant_after_tool, echo, ..Quirks::default() };
        for family in FAMILIES {
            let wire = family.prepare("http://localhost:1", "m", &quirks, &with(messages.clone())).unwrap();
            check_invariants(&wire.body, KEY).unwrap();
        }
    }
}
