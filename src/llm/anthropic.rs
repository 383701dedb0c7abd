//! Decoder of Anthropic messages: bytes in any chunking to events. Thinking blocks are kept as they came,
//! because the server checks their signature. Must not do IO, and must not act on a call before the
//! answer ended.

use super::calls::CallDelta;
use super::errors;
use super::json::{Document, Json};
use super::sse::{AnswerDecoder, Frame};
use super::tail::{Tail, malformed};
use super::types::{FinishReason, StreamEvent, Usage};
use crate::transcript::Opaque;
use serde_json::Value;
use std::collections::BTreeMap;

/// Blocks of one answer that are open at once. Servers have one.
pub const BLOCKS_OPEN_MAX: usize = 256;
/// Field under which a thinking block is kept for the next request.
pub const THINKING: &str = "thinking";

#[derive(Debug)]
enum Block {
    Text,
    /// Text and signature are gathered into it; whatever else it holds stays.
    Thinking(Value),
    Tool,
    Other,
}

#[derive(Debug)]
pub struct AnthropicDecoder {
    answer: AnswerDecoder,
    blocks: BTreeMap<i64, Block>,
    tail: Tail,
    input: Option<u64>,
    output: Option<u64>,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    frames: usize,
}

impl AnthropicDecoder {
    /// `tools` are the names offered in the request.
    #[must_use]
    pub fn new(tools: Vec<String>) -> Self {
        Self {
            answer: AnswerDecoder::default(),
            blocks: BTreeMap::new(),
            tail: Tail::new(tools),
            input: None,
            output: None,
            cache_read: None,
            cache_write: None,
            frames: 0,
        }
    }

    /// True once nothing more is to be read, even if the socket stays open.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.tail.done
    }

    /// True once the model has finished and only usage may follow.
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
        let mut answer = std::mem::take(&mut self.answer);
        let pushed = answer.push(bytes, &mut |frame| self.frame(frame, false, &mut out));
        self.answer = answer;
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
        let mut answer = std::mem::take(&mut self.answer);
        let rest = answer.finish(&mut |frame| self.frame(frame, true, &mut out));
        self.answer = answer;
        match rest {
            Ok(None) => {}
            Ok(Some(body)) => self.whole(&body, &mut out),
            Err(error) => self.tail.fail(malformed(&error.to_string()), &mut out),
        }
        self.end(false, &mut out);
        out
    }

    /// `last` is true behind the last blank line, where a frame may have been cut.
    fn frame(&mut self, frame: Frame, last: bool, out: &mut Vec<StreamEvent>) {
        if self.tail.done {
            return;
        }
        self.frames += 1;
        let data = frame.data.trim();
        if data == "[DONE]" {
            return self.end(true, out);
        }
        match Document::parse(data) {
            Some(document) => {
                let value = document.root();
                let kind = value.get("type").and_then(Json::as_str);
                self.event(kind.unwrap_or(frame.event), value, out);
            }
            // Servers that forget the blank lines between frames.
            None if data.contains('\n') => {
                for data in data.lines() {
                    self.frame(Frame { event: "", data }, last, out);
                }
            }
            None if data.starts_with('{') && !last => {
                let error = malformed("a frame of the answer is not valid JSON");
                self.tail.fail(error, out);
            }
            None => {}
        }
    }

    fn event(&mut self, kind: &str, value: Json, out: &mut Vec<StreamEvent>) {
        let index = value.get("index").and_then(Json::as_i64).unwrap_or(0);
        match kind {
            "message_start" => {
                if let Some(message) = value.get("message") {
                    self.note_usage(message.get("usage"));
                }
            }
            "content_block_start" => {
                if let Some(block) = value.get("content_block") {
                    self.start(index, block, out);
                }
            }
            "content_block_delta" => {
                if let Some(delta) = value.get("delta") {
                    self.delta(index, delta, out);
                }
            }
            "content_block_stop" => self.stop(index, out),
            "message_delta" => {
                self.note_usage(value.get("usage"));
                let reason = value
                    .get("delta")
                    .and_then(|delta| delta.get("stop_reason"));
                self.note_stop(reason);
            }
            "message_stop" => self.end(true, out),
            "ping" => {}
            _ => {
                if let Some(error) = errors::from_frame(value) {
                    self.tail.fail(error, out);
                }
            }
        }
    }

    fn start(&mut self, index: i64, block: Json, out: &mut Vec<StreamEvent>) {
        // A block that was never closed still has to be kept.
        self.stop(index, out);
        if self.blocks.len() >= BLOCKS_OPEN_MAX {
            return self.tail.fail(malformed("too many open blocks"), out);
        }
        let kind = match block.text("type") {
            "text" => {
                self.tail.text(block.text("text"), out);
                Block::Text
            }
            "thinking" | "redacted_thinking" => {
                self.tail.reasoning(block.text("thinking"), out);
                self.tail.hold(block.raw().len(), out);
                Block::Thinking(block.to_value())
            }
            "tool_use" => {
                // `{}` here announces the deltas.
                let input = block.get("input").filter(|input| input.is_object());
                let input = input.filter(|input| input.items().next().is_some());
                let delta = CallDelta {
                    index: Some(index),
                    id: block.text("id").to_owned(),
                    name: block.text("name").to_owned(),
                    arguments: input.map_or_else(String::new, |i| i.to_value().to_string()),
                    extra: None,
                };
                self.tail.call(delta, out);
                Block::Tool
            }
            _ => Block::Other,
        };
        self.blocks.insert(index, kind);
    }

    fn delta(&mut self, index: i64, delta: Json, out: &mut Vec<StreamEvent>) {
        let text = |key: &str| delta.text(key);
        match (text("type"), self.blocks.get_mut(&index)) {
            // Text needs no block to be understood.
            ("text_delta", _) => self.tail.text(text("text"), out),
            ("thinking_delta", Some(Block::Thinking(block))) => {
                append(block, "thinking", text("thinking"));
                self.tail.reasoning(text("thinking"), out);
            }
            ("thinking_delta", _) => self.tail.reasoning(text("thinking"), out),
            ("signature_delta", Some(Block::Thinking(block))) => {
                append(block, "signature", text("signature"));
                self.tail.hold(text("signature").len(), out);
            }
            ("input_json_delta", Some(Block::Tool)) => {
                let delta = CallDelta {
                    index: Some(index),
                    arguments: text("partial_json").to_owned(),
                    ..CallDelta::default()
                };
                self.tail.call(delta, out);
            }
            _ => {}
        }
    }

    fn stop(&mut self, index: i64, out: &mut Vec<StreamEvent>) {
        if let Some(Block::Thinking(block)) = self.blocks.remove(&index) {
            out.push(StreamEvent::Opaque(Opaque {
                field: THINKING.to_owned(),
                call: None,
                data: block,
            }));
        }
    }

    /// The answer of a server that did not stream.
    fn whole(&mut self, body: &str, out: &mut Vec<StreamEvent>) {
        let document = Document::parse(body.trim());
        let value = document.as_ref().map(Document::root);
        let value = value.filter(|value| errors::from_frame(*value).is_none());
        let content = value.and_then(|value| value.get("content"));
        let (Some(value), Some(content)) = (value, content.filter(|c| c.is_list())) else {
            return self.tail.fail(errors::not_a_chat_answer(body), out);
        };
        self.frames += 1;
        for (index, block) in (0..).zip(content.elements()) {
            if !self.tail.done {
                self.start(index, block, out);
                self.stop(index, out);
            }
        }
        self.note_usage(value.get("usage"));
        self.note_stop(value.get("stop_reason"));
        self.end(true, out);
    }

    fn note_stop(&mut self, reason: Option<Json>) {
        let reason = reason.and_then(Json::as_str).unwrap_or_default();
        if !reason.is_empty() {
            self.tail.finish = Some(match reason {
                "end_turn" | "stop_sequence" | "stop" => FinishReason::Stop,
                "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
                "tool_use" => FinishReason::Tools,
                "refusal" => FinishReason::Filter,
                _ => FinishReason::Other,
            });
        }
    }

    /// Each count stands until a later one replaces it.
    fn note_usage(&mut self, usage: Option<Json>) {
        let Some(usage) = usage else { return };
        let count = |key: &str| usage.get(key).and_then(Json::as_u64);
        self.input = count("input_tokens").or(self.input);
        self.output = count("output_tokens").or(self.output);
        self.cache_read = count("cache_read_input_tokens").or(self.cache_read);
        self.cache_write = count("cache_creation_input_tokens").or(self.cache_write);
        if self.input.is_none() && self.output.is_none() {
            return;
        }
        let cached = self.cache_read.unwrap_or(0);
        // Here the input leaves out what the cache held; elsewhere it does not.
        let input = [self.input, self.cache_write].iter().flatten().sum::<u64>();
        self.tail.usage = Some(Usage {
            input: input.saturating_add(cached),
            output: self.output.unwrap_or(0),
            cached,
            reasoning: 0,
            estimated: false,
        });
    }

    /// The end of the answer. `told` is true where the server said so itself.
    fn end(&mut self, told: bool, out: &mut Vec<StreamEvent>) {
        if self.tail.done {
            return;
        }
        if self.frames == 0 {
            let error = errors::no_frames(&self.answer.head());
            return self.tail.fail(error, out);
        }
        if !told && self.tail.finish.is_none() {
            return self.tail.cut(out);
        }
        for index in self.blocks.keys().copied().collect::<Vec<_>>() {
            self.stop(index, out);
        }
        self.tail.close(out);
    }
}

fn append(block: &mut Value, key: &str, more: &str) {
    let Some(block) = block.as_object_mut() else {
        return;
    };
    match block.get_mut(key) {
        Some(Value::String(text)) => text.push_str(more),
        _ => {
            block.insert(key.to_owned(), more.into());
        }
    }
}
