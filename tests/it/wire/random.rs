//! Random streams in random chunks: no panic, the same events, and no call that was not sent.

use super::{decode, frames, show, turn};
use assent::llm::{Family, Protocol, StreamEvent, ToolSpec, text_calls};
use assent::transcript::Part;
use proptest::prelude::*;

const FAMILIES: &[Family] = &Family::ALL;

/// Pieces of streams: whole frames, parts of them, and noise.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        r#"{"choices":[{"delta":{"content":"a<think>b"}}]}"#,
        r#"{"choices":[{"delta":{"content":"</think>c"}}]}"#,
        r#"{"choices":[{"delta":{"content":"<tool_call>{\"name\":\"run_sql\"}"}}]}"#,
        r#"{"choices":[{"delta":{"content":"</tool_call>"},"finish_reason":"stop"}]}"#,
        r#"{"choices":[{"delta":{"reasoning_content":"r"}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"run_sql","arguments":"{"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":1}"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":3,"function":{"arguments":"}"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"run_sql","arguments":{}}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"function":{"name":"run"}}]},"finish_reason":"tool_calls"}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":1}}"#,
        r#"{"error":{"message":"x"}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"run_sql","input":{}}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"thinking","thinking":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"signature_delta","signature":"s"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}"#,
        r#"{"type":"message_stop"}"#,
        r#"{"message":{"content":"hi","thinking":"t","tool_calls":[{"function":{"name":"run_sql","arguments":{"a":1}}}]},"done":false}"#,
        r#"{"message":{"content":""},"done":true,"done_reason":"stop"}"#,
        "[DONE]",
    ]);
    prop_oneof![
        4 => known.clone().prop_map(|json| frames(&[json]).into_bytes()),
        1 => known.prop_map(|json| format!("{json}\r\n").into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..12),
        1 => "(data:|event:|:|\n|\r|\\{|\\}|\"|é|😀| ){0,6}".prop_map(String::into_bytes),
    ]
}

fn check(bytes: &[u8], sizes: &[usize]) {
    for family in FAMILIES {
        let whole = decode(*family, std::iter::once(bytes));
        let mut rest = bytes;
        let mut chunks = Vec::new();
        for size in sizes.iter().cycle() {
            let (chunk, after) = rest.split_at((*size).clamp(1, rest.len().max(1)).min(rest.len()));
            chunks.push(chunk);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        let cut = decode(*family, chunks.into_iter());
        assert_eq!(show(&whole), show(&cut));
        let ends = whole
            .iter()
            .filter(|event| {
                matches!(
                    event,
                    StreamEvent::Finish(_) | StreamEvent::Truncated | StreamEvent::Error(_)
                )
            })
            .count();
        assert_eq!(ends, 1, "one end: {:?}", show(&whole));
        let text = String::from_utf8_lossy(bytes);
        for part in turn(whole).parts {
            if let Part::Call(call) = part {
                assert!(text.contains(&call.name), "made up {call:?}");
                assert!(call.malformed || call.arguments.starts_with('{'));
            }
        }
    }
}

/// A short run in every test; `ASSENT_CASES=1000000` for the long one.
fn config() -> ProptestConfig {
    let cases = std::env::var("ASSENT_CASES").ok();
    ProptestConfig {
        cases: cases.and_then(|cases| cases.parse().ok()).unwrap_or(128),
        ..ProptestConfig::default()
    }
}

/// Replies in words: what is called was offered, and its statement stands in the text.
fn check_words(text: &str) {
    let tools: Vec<ToolSpec> = super::request().tools;
    for protocol in [Protocol::Json, Protocol::Tagged] {
        let reading = text_calls::read(text, protocol, &tools, &[]);
        let Some((name, arguments)) = reading.call else {
            continue;
        };
        assert!(tools.iter().any(|tool| tool.name == name), "{name}");
        let arguments: serde_json::Value = serde_json::from_str(&arguments).unwrap();
        assert!(arguments.is_object());
        if let Some(sql) = arguments.get("sql").and_then(|sql| sql.as_str()) {
            let first = sql.split_whitespace().next().unwrap_or_default();
            assert!(text.contains(first), "made up {sql}");
        } else {
            assert!(text.contains(&name), "made up {name}");
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn words(pieces in prop::collection::vec(prop::sample::select(vec![
        "```", "sql", "\n", "SELECT 1", "select 2;", "<tool name=", "\"run_sql\"", ">", "</tool>",
        "<sql>", "</sql>", "{", "}", "\"tool\"", ":", ",", "\"sql\"", "\"list_tables\"", "null",
        "SQLQuery:", "prose ", "</think>", "{\"tool\":\"run_sql\",\"arguments\":{\"sql\":\"SELECT 3\"}}", "é",
    ]), 0..16)) {
        check_words(&pieces.concat());
    }

    #[test]
    fn streams_of_known_and_random_pieces(
        pieces in prop::collection::vec(piece(), 0..12),
        sizes in prop::collection::vec(1_usize..40, 1..6),
    ) {
        check(&pieces.concat(), &sizes);
    }

    #[test]
    fn noise(bytes in prop::collection::vec(any::<u8>(), 0..200), size in 1_usize..20) {
        check(&bytes, &[size]);
    }
}
