//! Rows of the OpenAI family.

use super::{check_bytes, frames};
use assent::llm::{Family, StreamEvent};

const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
const TOOLS: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#;
const USAGE: &str =
    r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}"#;
const DONE: &str = "[DONE]";

fn text(text: &str) -> String {
    delta(&format!("{{\"content\":{}}}", serde_json::json!(text)))
}

fn delta(delta: &str) -> String {
    format!("{{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":null}}]}}")
}

/// One chunk with these tool-call deltas.
fn calls(calls: &str) -> String {
    delta(&format!("{{\"tool_calls\":[{calls}]}}"))
}

fn check(parts: &[&str], expected: &[&str]) -> Vec<StreamEvent> {
    check_bytes(Family::OpenAi, frames(parts).as_bytes(), expected)
}

fn check_raw(bytes: &str, expected: &[&str]) {
    check_bytes(Family::OpenAi, bytes.as_bytes(), expected);
}

#[test]
fn c01_text_stop_usage() {
    check(
        &[&text("Hi"), STOP, USAGE, DONE],
        &["Tx Hi", "U 9 2 0 0", "F stop"],
    );
}

#[test]
fn c02_parallel_calls_interleaved() {
    check(
        &[
            &calls(
                r#"{"index":0,"id":"a","type":"function","function":{"name":"run_sql","arguments":""}}"#,
            ),
            &calls(
                r#"{"index":1,"id":"b","type":"function","function":{"name":"list_tables","arguments":""}}"#,
            ),
            &calls(
                r#"{"index":0,"function":{"arguments":"{\"sql\":"}},{"index":1,"function":{"arguments":"{"}}"#,
            ),
            &calls(r#"{"index":1,"function":{"arguments":"}"}}"#),
            &calls(r#"{"index":0,"function":{"arguments":"\"x\"}"}}"#),
            TOOLS,
            DONE,
        ],
        &[
            "TS 0 a run_sql",
            "TS 1 b list_tables",
            "TA 0 {\"sql\":",
            "TA 1 {",
            "TA 0 \"x\"}",
            "TE 0 {\"sql\":\"x\"}",
            "TE 1 {}",
            "F tools",
        ],
    );
}

#[test]
fn c03_no_index() {
    check(
        &[
            &calls(
                r#"{"id":"a","type":"function","function":{"name":"run_sql","arguments":"{\"sql\":1}"}}"#,
            ),
            STOP,
            DONE,
        ],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"sql\":1}",
            "TE 0 {\"sql\":1}",
            "F tools",
        ],
    );
}

#[test]
fn c04_two_ids_with_one_index() {
    check(
        &[
            &calls(r#"{"index":0,"id":"a","function":{"name":"run_sql","arguments":"{\"a\":1}"}}"#),
            &calls(r#"{"index":0,"id":"b","function":{"name":"run_sql","arguments":"{\"a\":2}"}}"#),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"a\":1}",
            "TS 1 b run_sql",
            "TA 1 {\"a\":2}",
            "TE 0 {\"a\":1}",
            "TE 1 {\"a\":2}",
            "F tools",
        ],
    );
}

#[test]
fn c05_indexes_with_gaps() {
    check(
        &[
            &calls(r#"{"index":1,"id":"a","function":{"name":"run_sql","arguments":"{}"}}"#),
            &calls(r#"{"index":5,"id":"b","function":{"name":"run_sql","arguments":"{}"}}"#),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TS 1 b run_sql",
            "TE 0 {}",
            "TE 1 {}",
            "F tools",
        ],
    );
}

#[test]
fn c06_empty_id() {
    check(
        &[
            &calls(r#"{"index":0,"id":"","function":{"name":"run_sql","arguments":"{\"a\":1}"}}"#),
            TOOLS,
        ],
        &[
            "TS 0 call00001 run_sql",
            "TA 0 {\"a\":1}",
            "TE 0 {\"a\":1}",
            "F tools",
        ],
    );
}

#[test]
fn c07_everything_repeated() {
    let part = |arguments: &str| {
        calls(&format!(
            r#"{{"index":0,"id":"a","type":"function","function":{{"name":"run_sql","arguments":"{arguments}"}}}}"#
        ))
    };
    check(
        &[&part("{"), &part(r#"\"a\":"#), &part("1}"), TOOLS],
        &[
            "TS 0 a run_sql",
            "TA 0 {",
            "TA 0 \"a\":",
            "TA 0 1}",
            "TE 0 {\"a\":1}",
            "F tools",
        ],
    );
}

fn arguments(text: &str) -> String {
    calls(&format!(
        r#"{{"index":0,"function":{{"arguments":{}}}}}"#,
        serde_json::json!(text)
    ))
}

const START: &str = r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"run_sql","arguments":""}}]}}]}"#;

#[test]
fn c08_cumulative_arguments() {
    check(
        &[START, &arguments("{\"a\""), &arguments("{\"a\":1}"), TOOLS],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"a\"",
            "TA 0 :1}",
            "TE 0 {\"a\":1}",
            "F tools",
        ],
    );
}

#[test]
fn c08_an_object_inside_that_looks_cumulative_is_kept() {
    let events = check(
        &[
            START,
            &arguments("{\"a\":"),
            &arguments("{\"a\":1}"),
            &arguments("}"),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"a\":",
            "TA 0 1}",
            "TA 0 }",
            "TE 0 {\"a\":{\"a\":1}}",
            "F tools",
        ],
    );
    assert_eq!(super::turn(events).parts.len(), 1);
}

#[test]
fn c09_equal_deltas_are_kept() {
    check(
        &[
            START,
            &arguments("{\"a\":\""),
            &arguments("x"),
            &arguments("x"),
            &arguments("\"}"),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"a\":\"",
            "TA 0 x",
            "TA 0 x",
            "TA 0 \"}",
            "TE 0 {\"a\":\"xx\"}",
            "F tools",
        ],
    );
    check(&[&text("x"), &text("x"), STOP], &["Tx x", "Tx x", "F stop"]);
}

#[test]
fn c10_full_arguments_again() {
    let again =
        calls(r#"{"index":0,"id":"a","function":{"name":"run_sql","arguments":"{\"a\":1}"}}"#);
    for last in [arguments("{\"a\":1}"), again] {
        check(
            &[START, &arguments("{\"a\""), &arguments(":1}"), &last, TOOLS],
            &[
                "TS 0 a run_sql",
                "TA 0 {\"a\"",
                "TA 0 :1}",
                "TE 0 {\"a\":1}",
                "F tools",
            ],
        );
    }
    check(
        &[
            START,
            &arguments("{}"),
            &arguments("{\"a\":"),
            &arguments("1}"),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"a\":",
            "TA 0 1}",
            "TE 0 {\"a\":1}",
            "F tools",
        ],
    );
}

#[test]
fn c11_arguments_as_an_object() {
    check(
        &[
            &calls(
                r#"{"index":0,"id":"a","function":{"name":"run_sql","arguments":{"b":1,"a":[2]}}}"#,
            ),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"b\":1,\"a\":[2]}",
            "TE 0 {\"b\":1,\"a\":[2]}",
            "F tools",
        ],
    );
}

#[test]
fn c12_no_arguments() {
    for call in [
        r#"{"index":0,"id":"a","function":{"name":"list_tables"}}"#,
        r#"{"index":0,"id":"a","function":{"name":"list_tables","arguments":""}}"#,
        r#"{"index":0,"id":"a","function":{"name":"list_tables","arguments":null}}"#,
    ] {
        check(
            &[&calls(call), TOOLS],
            &["TS 0 a list_tables", "TE 0 {}", "F tools"],
        );
    }
}

#[test]
fn c13_arguments_before_the_name() {
    check(
        &[
            &calls(r#"{"index":0,"function":{"arguments":"{\"a\":"}}"#),
            &calls(r#"{"index":0,"id":"a","function":{"name":"run_sql","arguments":"1}"}}"#),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"a\":1}",
            "TE 0 {\"a\":1}",
            "F tools",
        ],
    );
}

#[test]
fn c14_last_brace_at_the_next_index() {
    check(
        &[
            START,
            &arguments("{\"a\":1"),
            &calls(r#"{"index":1,"function":{"arguments":"}"}}"#),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"a\":1",
            "TA 0 }",
            "TE 0 {\"a\":1}",
            "F tools",
        ],
    );
}

#[test]
fn c15_last_brace_with_two_calls_open() {
    check(
        &[
            START,
            &arguments("{\"a\":1"),
            &calls(r#"{"index":1,"id":"b","function":{"name":"run_sql","arguments":"{\"a\":2"}}"#),
            &calls(r#"{"index":2,"function":{"arguments":"}"}}"#),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"a\":1",
            "TS 1 b run_sql",
            "TA 1 {\"a\":2",
            "E Malformed final a piece of arguments belongs to none of the tool calls",
        ],
    );
}

#[test]
fn c16_calls_that_finish_with_stop() {
    check(
        &[START, &arguments("{\"a\":1}"), STOP, DONE],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"a\":1}",
            "TE 0 {\"a\":1}",
            "F tools",
        ],
    );
}

#[test]
fn c17_empty_finish_reasons() {
    let empty = r#"{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":""}]}"#;
    check(
        &[empty, empty, empty, STOP, DONE],
        &["Tx x", "Tx x", "Tx x", "F stop"],
    );
}

#[test]
fn c18_odd_chunks() {
    check(
        &[
            r#"{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}"#,
            r#"{"choices":[{"index":0,"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{"role":"","content":"a"}}]}"#,
            r#"{"choices":[{"index":1,"delta":{"content":"other"}}]}"#,
            r#"{"choices":[null,7,{"delta":null},{"delta":{"content":[{"type":"text","text":"b"}],"tool_calls":null}}]}"#,
            r#"{"choices":{"0":1}}"#,
            "7",
            "null",
            "[]",
            "",
            "ping",
            STOP,
            DONE,
        ],
        &["Tx a", "Tx b", "F stop"],
    );
}

#[test]
fn c19_no_space_and_crlf() {
    let stream = frames(&[&text("Hi"), STOP, USAGE, DONE]);
    let expected = ["Tx Hi", "U 9 2 0 0", "F stop"];
    let tight = stream.replace("data: ", "data:").replace('\n', "\r\n");
    check_raw(&tight, &expected);
    check_raw(&stream.replace('\n', "\r"), &expected);
    // Some servers leave out the blank lines.
    check_raw(&stream.replace("\n\n", "\n"), &expected);
}

#[test]
fn c20_comments() {
    let stream = frames(&[&text("Hi"), STOP, USAGE, DONE]);
    let noisy = format!(
        ": OPENROUTER PROCESSING\n\n{}",
        stream.replace("\n\n", "\n\n: keep-alive\n\n")
    );
    check_raw(&noisy, &["Tx Hi", "U 9 2 0 0", "F stop"]);
}

#[test]
fn c21_mark_and_emoji() {
    let stream = format!("\u{FEFF}{}", frames(&[&text("héé 😀文"), STOP, DONE]));
    check_raw(&stream, &["Tx héé 😀文", "F stop"]);
}

#[test]
fn c22_end_without_finish() {
    check(&[&text("Hi")], &["Tx Hi", "Trunc"]);
    check(
        &[START, &arguments("{\"a\":1}")],
        &["TS 0 a run_sql", "TA 0 {\"a\":1}", "Trunc"],
    );
    let cut = format!("{}data: {{\"choices\":[{{\"de", frames(&[&text("Hi")]));
    check_raw(&cut, &["Tx Hi", "Trunc"]);
    check_raw("", &["E Cut retryable the answer was empty"]);
    check_raw(": wait\n\n", &["E Cut retryable the answer was empty"]);
}

#[test]
fn c23_last_frame_without_blank_line() {
    for end in ["", "\n"] {
        check_raw(
            &format!("{}data: {STOP}{end}", frames(&[&text("Hi")])),
            &["Tx Hi", "F stop"],
        );
    }
}

#[test]
fn c24_done_with_the_socket_open() {
    let mut decoder = Family::OpenAi.decoder(&super::request(), &assent::llm::Quirks::default());
    let mut events = decoder.feed(frames(&[&text("Hi")]).as_bytes());
    assert!(!decoder.is_settled());
    events.extend(decoder.feed(b"data: [DONE]\n\n"));
    assert!(decoder.is_done() && decoder.is_settled());
    assert_eq!(super::show(&events), ["Tx Hi", "F stop"]);
    let mut decoder = Family::OpenAi.decoder(&super::request(), &assent::llm::Quirks::default());
    decoder.feed(frames(&[STOP]).as_bytes());
    assert!(decoder.is_settled() && !decoder.is_done());
    check(&[&text("Hi"), DONE, &text("more")], &["Tx Hi", "F stop"]);
}

#[test]
fn c25_error_behind_text() {
    check(
        &[
            &text("Hi"),
            r#"{"error":{"code":502,"message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"#,
            STOP,
            DONE,
        ],
        &["Tx Hi", "E Server retryable Provider disconnected"],
    );
    check(
        &[
            &text("Hi"),
            r#"{"error":{"message":"Rate limit exceeded"},"choices":[]}"#,
        ],
        &["Tx Hi", "E RateLimited retryable Rate limit exceeded"],
    );
}

#[test]
fn c26_error_object_first() {
    check(
        &[
            r#"{"object":"error","message":"This model's maximum context length is 4096 tokens","type":"BadRequestError","code":400}"#,
            DONE,
        ],
        &["E ContextTooLong final This model's maximum context length is 4096 tokens"],
    );
    check_raw(
        r#"{"object":"error","message":"overloaded","code":529}"#,
        &["E Overloaded retryable overloaded"],
    );
}

#[test]
fn c27_null_error_with_usage() {
    check(
        &[
            &text("Hi"),
            STOP,
            r#"{"error":null,"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1,"prompt_cache_hit_tokens":4,"completion_tokens_details":{"reasoning_tokens":1}}}"#,
            r#"{"choices":[],"usage":null}"#,
            DONE,
        ],
        &["Tx Hi", "U 5 1 4 1", "F stop"],
    );
}

#[test]
fn c31_reasoning_with_a_call_is_to_be_echoed() {
    check(
        &[
            &delta(r#"{"reasoning_content":"think","content":null}"#),
            &delta(r#"{"reasoning_content":"ing"}"#),
            START,
            &arguments("{}"),
            TOOLS,
            DONE,
        ],
        &[
            "R think",
            "R ing",
            "TS 0 a run_sql",
            "Op reasoning_content \"thinking\"",
            "TE 0 {}",
            "F tools",
        ],
    );
    check(
        &[
            &delta(r#"{"reasoning":"x","reasoning_content":null}"#),
            &text("Hi"),
            STOP,
        ],
        &["R x", "Tx Hi", "F stop"],
    );
    check(
        &[&delta(r#"{"reasoning_content":""}"#), START, TOOLS],
        &[
            "TS 0 a run_sql",
            "Op reasoning_content \"\"",
            "TE 0 {}",
            "F tools",
        ],
    );
}

#[test]
fn c32_signature_on_one_of_two_calls() {
    check(
        &[
            &calls(
                r#"{"index":0,"id":"a","function":{"name":"run_sql","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s=="}}}"#,
            ),
            &calls(r#"{"index":1,"id":"b","function":{"name":"run_sql","arguments":"{}"}}"#),
            TOOLS,
        ],
        &[
            "TS 0 a run_sql",
            "TS 1 b run_sql",
            "Op extra_content of a {\"google\":{\"thought_signature\":\"s==\"}}",
            "TE 0 {}",
            "TE 1 {}",
            "F tools",
        ],
    );
}

#[test]
fn c33_reasoning_details_merge() {
    let detail = |rest: &str| {
        delta(&format!(
            r#"{{"reasoning_details":[{{"type":"reasoning.text","index":0,{rest}}}]}}"#
        ))
    };
    check(
        &[
            &detail(r#""text":"a","signature":null"#),
            &detail(r#""text":"b""#),
            &detail(r#""signature":"s""#),
            &delta(
                r#"{"reasoning":"c","reasoning_details":[{"type":"reasoning.encrypted","index":1,"data":"e"}]}"#,
            ),
            &text("Hi"),
            STOP,
        ],
        &[
            "R a",
            "R b",
            "R c",
            "Tx Hi",
            "Op reasoning_details [{\"type\":\"reasoning.text\",\"index\":0,\"text\":\"ab\",\"signature\":\"s\"},{\"type\":\"reasoning.encrypted\",\"index\":1,\"data\":\"e\"}]",
            "F stop",
        ],
    );
}

#[test]
fn c34_call_inside_text() {
    check(
        &[
            &text("Let me see. <tool"),
            &text("_call>\n{\"name\": \"run_sql\", \"arg"),
            &text("uments\": {\"sql\": \"a\"}}\n</tool_"),
            &text("call>"),
            STOP,
        ],
        &[
            "Tx Let me see. ",
            "TS 0 call00001 run_sql",
            "TA 0 {\"sql\":\"a\"}",
            "TE 0 {\"sql\":\"a\"}",
            "F tools",
        ],
    );
}

#[test]
fn c35_unknown_tool_inside_text() {
    check(
        &[
            &text("<tool_call>{\"name\":\"rm\",\"arguments\":{}}</tool_call>"),
            STOP,
        ],
        &[
            "Tx <tool_call>{\"name\":\"rm\",\"arguments\":{}}</tool_call>",
            "F stop",
        ],
    );
}

#[test]
fn c36_closing_tag_alone() {
    check(
        &[&text("hm</think>\n\nHi"), STOP],
        &["R hm", "Tx Hi", "F stop"],
    );
    let events = check(
        &[&text("h"), &text("m</thi"), &text("nk>Hi"), STOP],
        &["Tx h", "Tx m", "Tx was R", "Tx Hi", "F stop"],
    );
    let parts = format!("{:?}", super::turn(events).parts);
    assert_eq!(parts, "[Reasoning(\"hm\"), Text(\"Hi\")]");
    check(
        &[&text("<think>\nhm</think>"), &text("\n\nHi"), STOP],
        &["R \nhm", "Tx Hi", "F stop"],
    );
}

#[test]
fn c37_broken_arguments() {
    check(
        &[START, &arguments("{\"sql\":\"a\nb\",}"), TOOLS],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"sql\":\"a\nb\",}",
            "TE 0 {\"sql\":\"a\\nb\"}",
            "F tools",
        ],
    );
    let cut = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}"#;
    check(
        &[START, &arguments("{\"sql\":\"SELECT"), cut],
        &[
            "TS 0 a run_sql",
            "TA 0 {\"sql\":\"SELECT",
            "TE 0 malformed {\"sql\":\"SELECT",
            "F length",
        ],
    );
}

#[test]
fn c38_equal_ids() {
    check(
        &[
            &calls(
                r#"{"index":0,"id":"exec:0","function":{"name":"run_sql","arguments":"{\"a\":1}"}}"#,
            ),
            &calls(
                r#"{"index":1,"id":"exec:0","function":{"name":"run_sql","arguments":"{\"a\":2}"}}"#,
            ),
            TOOLS,
        ],
        &[
            "TS 0 exec:0 run_sql",
            "TA 0 {\"a\":1}",
            "TS 1 call00001 run_sql",
            "TA 1 {\"a\":2}",
            "TE 0 {\"a\":1}",
            "TE 1 {\"a\":2}",
            "F tools",
        ],
    );
}

#[test]
fn answers_that_are_no_stream() {
    check_raw(
        r#"{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","reasoning_content":"hm","tool_calls":[{"id":"a","type":"function","function":{"name":"run_sql","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
        &[
            "R hm",
            "Tx Hi",
            "TS 0 a run_sql",
            "TA 0 {\"a\":1}",
            "Op reasoning_content \"hm\"",
            "TE 0 {\"a\":1}",
            "U 1 2 0 0",
            "F tools",
        ],
    );
    check_raw(&format!("{}\n{STOP}\n", text("Hi")), &["Tx Hi", "F stop"]);
    check_raw(
        "<!doctype html><title>Sign in</title>",
        &["E NotJson final Sign in"],
    );
    check_raw("Internal error", &["E NotJson final Internal error"]);
    check_raw(
        r#"{"error":"Unexpected endpoint or method. (POST /chat)"}"#,
        &["E WrongAddress final Unexpected endpoint or method. (POST /chat)"],
    );
    check_raw(r#"{"ok":true}"#, &["E WrongAddress final {\"ok\":true}"]);
}

#[test]
fn a_message_behind_deltas_is_not_said_twice() {
    check(
        &[
            &text("Hi"),
            r#"{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}"#,
        ],
        &["Tx Hi", "F stop"],
    );
}

#[test]
fn thinking_in_lists_and_marked_content() {
    check(
        &[
            &delta(
                r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Hi"}]}"#,
            ),
            &delta(r#"{"content":"more","extra_content":{"google":{"thought":true}}}"#),
            STOP,
        ],
        &["R hm", "Tx Hi", "R more", "F stop"],
    );
}

#[test]
fn a_broken_frame_in_the_middle_is_an_error() {
    check(
        &[&text("Hi"), "{\"choices\":[{", STOP],
        &[
            "Tx Hi",
            "E Malformed final a frame of the answer is not valid JSON",
        ],
    );
}
