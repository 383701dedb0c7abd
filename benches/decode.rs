//! How fast answers are decoded: megabytes of each family's stream a second, in chunks as a network has
//! them. `cargo bench --bench decode`.

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

fn stream(family: Family) -> String {
    let mut text = String::new();
    if family == Family::Anthropic {
        text.push_str("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n");
    }
    for n in 0..DELTAS {
        let _ = match family {
            Family::OpenAi => write!(
                text,
                "data: {{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\" word{n}\"}},\"finish_reason\":null}}]}}\n\n"
            ),
            Family::Anthropic => write!(
                text,
                "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\" word{n}\"}}}}\n\n"
            ),
            Family::Ollama => writeln!(
                text,
                "{{\"model\":\"m\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":{{\"role\":\"assistant\",\"content\":\" word{n}\"}},\"done\":false}}"
            ),
        };
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
        let text = stream(family);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("{family:?}"), |bench| {
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
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
