//! Decoder of Ollama's own chat: lines of JSON, cut anywhere, to events. Each call comes whole, with its
//! arguments as an object; an error may come with status 200. Must not do IO.

use super::calls::CallDelta;
use super::chunk;
use super::content::{ContentSplitter, Piece};
use super::errors;
use super::sse::{FRAME_BYTES_MAX, Frame, NdjsonDecoder};
use super::tail::{Tail, malformed};
use super::types::{FinishReason, StreamEvent, Usage};
use crate::transcript::Opaque;
use serde_json::Value;

#[derive(Debug)]
pub struct OllamaDecoder {
    lines: NdjsonDecoder,
    content: ContentSplitter,
    tail: Tail,
    /// Calls found in the text, which count after those of the wire.
    text_calls: Vec<(String, String)>,
    thinking: String,
    /// Lines before the first that is JSON: a body that is no stream.
    head: String,
    calls: i64,
    frames: usize,
}

impl OllamaDecoder {
    /// `tools` are the names offered in the request: only they are taken for calls inside text.
    #[must_use]
    pub fn new(tools: Vec<String>) -> Self {
        Self {
            lines: NdjsonDecoder::default(),
            content: ContentSplitter::new(tools.clone()),
            tail: Tail::new(tools),
            text_calls: Vec::new(),
            thinking: String::new(),
            head: String::new(),
            calls: 0,
            frames: 0,
        }
    }

    /// True once nothing more is to be read, even if the socket stays open.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.tail.done
    }

    /// True once the model has finished.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.tail.is_settled()
    }

    /// Takes bytes as they arrive.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<StreamEvent> {
        let mut out = Vec::new();
        if self.tail.done {
            return out;
        }
        let mut frames = Vec::new();
        let pushed = self.lines.push(bytes, &mut frames);
        for frame in &frames {
            self.line(frame, false, &mut out);
        }
        if let Err(error) = pushed {
            self.fail(malformed(&error.to_string()), &mut out);
        }
        out
    }

    /// Tells that the stream ended.
    pub fn finish(&mut self) -> Vec<StreamEvent> {
        let mut out = Vec::new();
        if self.tail.done {
            return out;
        }
        let mut frames = Vec::new();
        self.lines.finish(&mut frames);
        for frame in &frames {
            self.line(frame, true, &mut out);
        }
        self.end(false, &mut out);
        out
    }

    /// `last` is true for a line without its end, which may have been cut.
    fn line(&mut self, frame: &Frame, last: bool, out: &mut Vec<StreamEvent>) {
        if self.tail.done {
            return;
        }
        let line = frame.data.trim();
        // Some gateways send the lines as events.
        let line = line.strip_prefix("data:").map_or(line, str::trim);
        if line == "[DONE]" {
            self.frames += 1;
            return self.end(true, out);
        }
        match serde_json::from_str::<Value>(line) {
            Ok(value) if self.head.is_empty() => {
                self.frames += 1;
                self.chunk(&value, out);
            }
            _ if self.frames == 0 => {
                self.head.push_str(line);
                self.head.push('\n');
                if self.head.len() > FRAME_BYTES_MAX {
                    self.fail(errors::not_a_chat_answer(&self.head), out);
                }
            }
            Err(_) if line.starts_with('{') && !last => {
                self.fail(malformed("a line of the answer is not valid JSON"), out);
            }
            _ => {}
        }
    }

    fn chunk(&mut self, value: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(error) = errors::from_frame(value) {
            return self.fail(error, out);
        }
        let text = |key: &str| value.pointer(key).and_then(Value::as_str);
        let thinking = text("/message/thinking").unwrap_or_default();
        if !thinking.is_empty() {
            self.content.reasoning_is_separate();
            self.thinking.push_str(thinking);
            self.tail.reasoning(thinking, out);
        }
        if let Some(words) = text("/message/content") {
            let mut pieces = Vec::new();
            self.content.push(words, &mut pieces);
            self.pieces(pieces, out);
            self.tail.hold(words.len(), out);
        }
        let calls = value
            .pointer("/message/tool_calls")
            .and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            // Each entry is a call of its own, whatever number it has.
            let delta = CallDelta {
                index: Some(self.calls),
                extra: None,
                ..chunk::call_delta(call)
            };
            self.calls += 1;
            self.tail.call(delta, out);
        }
        if value.get("done") == Some(&Value::Bool(true)) && !self.tail.done {
            self.note_end(value);
            self.end(true, out);
        }
    }

    fn note_end(&mut self, value: &Value) {
        let count = |key: &str| value.get(key).and_then(Value::as_u64);
        let (input, output) = (count("prompt_eval_count"), count("eval_count"));
        if input.is_some() || output.is_some() {
            self.tail.usage = Some(Usage {
                input: input.unwrap_or(0),
                output: output.unwrap_or(0),
                ..Usage::default()
            });
        }
        let reason = value.get("done_reason").and_then(Value::as_str);
        self.tail.finish = Some(match reason {
            None | Some("" | "stop") => FinishReason::Stop,
            Some("length") => FinishReason::Length,
            Some(_) => FinishReason::Other,
        });
    }

    fn pieces(&mut self, pieces: Vec<Piece>, out: &mut Vec<StreamEvent>) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.push(StreamEvent::Text(text)),
                Piece::Reasoning(text) => out.push(StreamEvent::Reasoning(text)),
                Piece::TextWasReasoning => out.push(StreamEvent::TextWasReasoning),
                Piece::Call { name, arguments } => self.text_calls.push((name, arguments)),
            }
        }
    }

    /// The end of the answer. `told` is true where the server said so itself.
    fn end(&mut self, told: bool, out: &mut Vec<StreamEvent>) {
        if self.tail.done {
            return;
        }
        if self.frames == 0 {
            return self.whole(out);
        }
        let mut pieces = Vec::new();
        self.content.finish(told, &mut pieces);
        self.pieces(pieces, out);
        if !told {
            return self.tail.cut(out);
        }
        for (name, arguments) in std::mem::take(&mut self.text_calls) {
            if !self.tail.calls.contains(&name, &arguments) {
                let delta = CallDelta {
                    index: Some(self.calls),
                    name,
                    arguments,
                    ..CallDelta::default()
                };
                self.calls += 1;
                self.tail.call(delta, out);
            }
        }
        if !self.thinking.is_empty() && !self.tail.calls.is_empty() && !self.tail.done {
            out.push(StreamEvent::Opaque(Opaque {
                field: super::anthropic::THINKING.to_owned(),
                call: None,
                data: Value::String(std::mem::take(&mut self.thinking)),
            }));
        }
        self.tail.close(out);
    }

    /// A body that is no line of JSON: one answer over several lines, or no answer at all.
    fn whole(&mut self, out: &mut Vec<StreamEvent>) {
        let head = std::mem::take(&mut self.head);
        if head.trim().is_empty() {
            return self.fail(errors::no_frames(""), out);
        }
        match serde_json::from_str::<Value>(&head) {
            Ok(value) if value.get("message").is_some() => {
                self.frames += 1;
                self.chunk(&value, out);
                self.end(false, out);
            }
            _ => self.fail(errors::not_a_chat_answer(&head), out),
        }
    }

    fn fail(&mut self, error: super::types::ModelError, out: &mut Vec<StreamEvent>) {
        if !self.tail.done {
            let mut pieces = Vec::new();
            self.content.finish(false, &mut pieces);
            self.pieces(pieces, out);
            self.tail.fail(error, out);
        }
    }
}
