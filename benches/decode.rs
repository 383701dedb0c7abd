//! How fast answers are decoded: megabytes of each family's stream a second, in chunks as a network has
//! them, for streams of text, of reasoning and of a call's arguments. `cargo bench --bench decode`.

use assent::llm::{Family, ModelRequest, Quirks, ToolSpec};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::fmt::Write;
use std::hint::black_box;

/// About the size of a packet.
const CHUNK: usize = 1_400;
const DELTAS: usize = 20_000;

fn request() -> ModelRequest {
    let tool = ToolSpec {
        name: "run_sql".to_owned(),
        description: String::new(),
        parameters: serde_json::json!({}),
    };
    ModelRequest {
        system: String::new(),
        messages: Vec::new(),
        tools: vec![tool],
        max_output_tokens: None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Of {
    Text,
    Reasoning,
    /// Ollama sends calls whole.
    Arguments,
}

fn stream(family: Family, of: Of) -> String {
    let mut text = String::new();
    let (open, close) = match (family, of) {
        (Family::Anthropic, Of::Text) => (r#"{"type":"text","text":""}"#, ""),
        (Family::Anthropic, Of::Reasoning) => (r#"{"type":"thinking","thinking":""}"#, ""),
        (Family::Anthropic, Of::Arguments) => {
            let open = r#"{"type":"tool_use","id":"a","name":"run_sql","input":{}}"#;
            (open, r#"{"type":"input_json_delta","partial_json":"\"}"}"#)
        }
        (Family::OpenAi, Of::Arguments) => {
            let open = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"run_sql","arguments":"{\"sql\":\""}}]}"#;
            let close = r#"{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]}"#;
            (open, close)
        }
        _ => ("", ""),
    };
    let anthropic = |kind: &str, name: &str, inner: &str| {
        format!("event: {kind}\ndata: {{\"type\":\"{kind}\",\"index\":0,\"{name}\":{inner}}}\n\n")
    };
    let openai = |delta: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":null}}]}}\n\n"
        )
    };
    let frame = |delta: &str| match family {
        Family::OpenAi => openai(delta),
        Family::Anthropic => anthropic("content_block_delta", "delta", delta),
        Family::Ollama => format!(
            "{{\"model\":\"m\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":{delta},\"done\":false}}\n"
        ),
    };
    match family {
        Family::Anthropic => {
            text.push_str(&anthropic("content_block_start", "content_block", open));
            if of == Of::Arguments {
                let start = r#"{"type":"input_json_delta","partial_json":"{\"sql\":\""}"#;
                text.push_str(&frame(start));
            }
        }
        _ if !open.is_empty() => text.push_str(&frame(open)),
        _ => {}
    }
    for n in 0..DELTAS {
        let delta = match (family, of) {
            (Family::OpenAi, Of::Text) => format!("{{\"content\":\" word{n}\"}}"),
            (Family::OpenAi, Of::Reasoning) => format!("{{\"reasoning_content\":\" word{n}\"}}"),
            (Family::OpenAi, Of::Arguments) => format!(
                "{{\"tool_calls\":[{{\"index\":0,\"function\":{{\"arguments\":\" word{n}\"}}}}]}}"
            ),
            (Family::Anthropic, Of::Text) => {
                format!("{{\"type\":\"text_delta\",\"text\":\" word{n}\"}}")
            }
            (Family::Anthropic, Of::Reasoning) => {
                format!("{{\"type\":\"thinking_delta\",\"thinking\":\" word{n}\"}}")
            }
            (Family::Anthropic, Of::Arguments) => {
                format!("{{\"type\":\"input_json_delta\",\"partial_json\":\" word{n}\"}}")
            }
            (Family::Ollama, Of::Reasoning) => {
                format!("{{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\" word{n}\"}}")
            }
            (Family::Ollama, _) => format!("{{\"role\":\"assistant\",\"content\":\" word{n}\"}}"),
        };
        let _ = text.write_str(&frame(&delta));
    }
    if !close.is_empty() {
        text.push_str(&frame(close));
    }
    text.push_str(match family {
        Family::OpenAi => "data: [DONE]\n\n",
        Family::Anthropic => "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
        Family::Ollama => "{\"done\":true}\n",
    });
    text
}

fn decode(criterion: &mut Criterion) {
    let request = request();
    let mut group = criterion.benchmark_group("decode");
    for family in Family::ALL {
        for of in [Of::Text, Of::Reasoning, Of::Arguments] {
            if (family, of) == (Family::Ollama, Of::Arguments) {
                continue;
            }
            let text = stream(family, of);
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(format!("{family:?} {of:?}"), |bench| {
                bench.iter(|| {
                    let mut decoder = family.decoder(&request, &Quirks::default());
                    let mut events = 0;
                    for chunk in text.as_bytes().chunks(CHUNK) {
                        events += decoder.feed(black_box(chunk)).len();
                    }
                    assert!(decoder.is_done() && events > DELTAS);
                    events
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
