//! The conformance table of the wire families: one test a row, named by its id. Each stream is decoded
//! whole, byte by byte, and cut once at every place: the events must be the same.

mod anthropic;
mod fallback;
mod ollama;
mod openai;
mod random;
mod requests;

use assent::llm::{
    Assembler, Decoder, Family, FinishReason, ModelRequest, Quirks, StreamEvent, ToolSpec, Turn,
};

pub fn tools(names: &[&str]) -> ModelRequest {
    let tool = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        description: String::new(),
        parameters: serde_json::json!({}),
    };
    ModelRequest {
        system: String::new(),
        messages: Vec::new(),
        tools: names.iter().map(tool).collect(),
        max_output_tokens: None,
    }
}

pub fn request() -> ModelRequest {
    tools(&["run_sql", "list_tables"])
}

/// Events of one answer; a decoder that is done gets nothing more, as the edge does it.
pub fn decode<'a>(family: Family, chunks: impl Iterator<Item = &'a [u8]>) -> Vec<StreamEvent> {
    let mut decoder: Decoder = family.decoder(&request(), &Quirks::default());
    let mut events = Vec::new();
    for chunk in chunks {
        events.extend(decoder.feed(chunk));
        if decoder.is_done() {
            break;
        }
    }
    events.extend(decoder.finish());
    assert!(decoder.is_done());
    assert!(decoder.feed(b"data: {}\n\n").is_empty());
    assert!(decoder.finish().is_empty());
    events
}

pub fn turn(events: Vec<StreamEvent>) -> Turn {
    let mut assembler = Assembler::default();
    assembler.push_all(events);
    assembler.into_turn().0
}

/// The notation of the table, one event a line.
pub fn show(events: &[StreamEvent]) -> Vec<String> {
    let line = |event: &StreamEvent| match event {
        StreamEvent::Text(text) => format!("Tx {text}"),
        StreamEvent::Reasoning(text) => format!("R {text}"),
        StreamEvent::TextWasReasoning => "Tx was R".to_owned(),
        StreamEvent::Opaque(opaque) => match &opaque.call {
            Some(call) => format!("Op {} of {} {}", opaque.field, call.0, opaque.data),
            None => format!("Op {} {}", opaque.field, opaque.data),
        },
        StreamEvent::ToolStart { slot, id, name } => format!("TS {slot} {id} {name}"),
        StreamEvent::ToolArguments { slot, text } => format!("TA {slot} {text}"),
        StreamEvent::ToolEnd {
            slot,
            json,
            malformed,
        } => {
            format!(
                "TE {slot} {}{json}",
                if *malformed { "malformed " } else { "" }
            )
        }
        StreamEvent::Usage(u) => format!("U {} {} {} {}", u.input, u.output, u.cached, u.reasoning),
        StreamEvent::Finish(reason) => format!(
            "F {}",
            match reason {
                FinishReason::Stop => "stop",
                FinishReason::Length => "length",
                FinishReason::Tools => "tools",
                FinishReason::Filter => "filter",
                FinishReason::Other => "other",
            }
        ),
        StreamEvent::Error(error) => {
            let retry = if error.is_transient() {
                "retryable"
            } else {
                "final"
            };
            format!("E {:?} {retry} {}", error.kind, error.message)
        }
        StreamEvent::Truncated => "Trunc".to_owned(),
    };
    events.iter().map(line).collect()
}

/// Decodes `bytes` in every chunking and compares.
pub fn check_bytes(family: Family, bytes: &[u8], expected: &[&str]) -> Vec<StreamEvent> {
    let whole = decode(family, std::iter::once(bytes));
    assert_eq!(show(&whole), expected, "whole");
    assert_eq!(
        show(&decode(family, bytes.chunks(1))),
        expected,
        "byte by byte"
    );
    for at in 0..bytes.len() {
        let (a, b) = bytes.split_at(at);
        let events = decode(family, [a, b].into_iter());
        assert_eq!(show(&events), expected, "cut at {at}");
    }
    whole
}

/// Each part becomes one `data:` frame.
pub fn frames(parts: &[&str]) -> String {
    parts
        .iter()
        .map(|part| format!("data: {part}\n\n"))
        .collect()
}
