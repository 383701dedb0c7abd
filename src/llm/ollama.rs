//! Decoder of Ollama's own chat: lines of JSON, cut anywhere, to events. Each call comes whole, with its
//! arguments as an object; an error may come with status 200. Must not do IO.

use super::calls::CallDelta;
use super::chunk;
use super::errors;
use super::json::{Document, Json};
use super::sse::{FRAME_BYTES_MAX, Frame, NdjsonDecoder};
use super::tail::{Tail, malformed};
use super::types::{FinishReason, StreamEvent, Usage};
use crate::transcript::Opaque;
use serde_json::Value;

#[derive(Debug)]
pub struct OllamaDecoder {
    lines: NdjsonDecoder,
    tail: Tail,
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
            tail: Tail::new(tools),
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
        let mut lines = std::mem::take(&mut self.lines);
        let pushed = lines.push(bytes, &mut |frame| self.line(frame, false, &mut out));
        self.lines = lines;
        if let Err(error) = pushed {
            self.tail.fail(malformed(&error.to_string()), &mut out);
        }
        out
    }

    /// Tells that the stream ended.
    pub fn finish(&mut self) -> Vec<StreamEvent> {
        let mut out = Vec::new();
        if self.tail.done {
            return out;
        }
        std::mem::take(&mut self.lines).finish(&mut |frame| self.line(frame, true, &mut out));
        self.end(false, &mut out);
        out
    }

    /// `last` is true for a line without its end, which may have been cut.
    fn line(&mut self, frame: Frame, last: bool, out: &mut Vec<StreamEvent>) {
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
        match Document::parse(line) {
            Some(document) if self.head.is_empty() => {
                self.frames += 1;
                self.chunk(document.root(), out);
            }
            _ if self.frames == 0 => {
                self.head.push_str(line);
                self.head.push('\n');
                if self.head.len() > FRAME_BYTES_MAX {
                    self.tail.fail(errors::not_a_chat_answer(&self.head), out);
                }
            }
            None if line.starts_with('{') && !last => {
                self.tail
                    .fail(malformed("a line of the answer is not valid JSON"), out);
            }
            _ => {}
        }
    }

    fn chunk(&mut self, value: Json, out: &mut Vec<StreamEvent>) {
        if let Some(error) = errors::from_frame(value) {
            return self.tail.fail(error, out);
        }
        if let Some(message) = value.get("message") {
            self.message(message, out);
        }
        if value.get("done").is_some_and(Json::is_true) && !self.tail.done {
            self.note_end(value);
            self.end(true, out);
        }
    }

    fn message(&mut self, message: Json, out: &mut Vec<StreamEvent>) {
        let thinking = message.text("thinking");
        self.thinking.push_str(thinking);
        self.tail.reasoning(thinking, out);
        if let Some(words) = message.get("content").and_then(Json::as_str) {
            self.tail.mixed_text(words, out);
        }
        let calls = message.get("tool_calls");
        for call in calls.into_iter().flat_map(Json::elements) {
            // Each entry is a call of its own, whatever number it has.
            let delta = CallDelta {
                index: Some(self.calls),
                extra: None,
                ..chunk::call_delta(call)
            };
            self.calls += 1;
            self.tail.call(delta, out);
        }
    }

    fn note_end(&mut self, value: Json) {
        let count = |key: &str| value.get(key).and_then(Json::as_u64);
        let (input, output) = (count("prompt_eval_count"), count("eval_count"));
        if input.is_some() || output.is_some() {
            self.tail.usage = Some(Usage {
                input: input.unwrap_or(0),
                output: output.unwrap_or(0),
                ..Usage::default()
            });
        }
        let reason = value.get("done_reason").and_then(Json::as_str);
        self.tail.finish = Some(match reason {
            None | Some("" | "stop") => FinishReason::Stop,
            Some("length") => FinishReason::Length,
            Some(_) => FinishReason::Other,
        });
    }

    /// The end of the answer. `told` is true where the server said so itself.
    fn end(&mut self, told: bool, out: &mut Vec<StreamEvent>) {
        if self.tail.done {
            return;
        }
        if self.frames == 0 {
            return self.whole(out);
        }
        self.tail.flush(told, out);
        if !told {
            return self.tail.cut(out);
        }
        self.tail.take_text_calls(out);
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
            return self.tail.fail(errors::no_frames(""), out);
        }
        match Document::parse(&head) {
            Some(document) if document.root().get("message").is_some() => {
                self.frames += 1;
                self.chunk(document.root(), out);
                self.end(false, out);
            }
            _ => self.tail.fail(errors::not_a_chat_answer(&head), out),
        }
    }
}
