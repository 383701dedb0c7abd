//! Decoder of OpenAI chat completions, as OpenAI and the many servers that imitate it send them: bytes in
//! any chunking to events. Must not do IO, and must not act on a call before the answer ended.

use super::calls::{CallDelta, CallSet};
use super::chunk;
use super::content::{ContentSplitter, Piece};
use super::errors;
use super::sse::{AnswerDecoder, Frame};
use super::types::{FinishReason, ModelError, ModelErrorKind, StreamEvent, Usage};
use crate::transcript::Opaque;
use serde_json::{Map, Value};

/// Words of one answer that are held at most. A model that writes more is stuck in a loop.
pub const ANSWER_BYTES_MAX: usize = 16 << 20;

/// Fields of a delta that carry reasoning as text.
const REASONING_FIELDS: [&str; 2] = ["reasoning_content", "reasoning"];

#[derive(Debug)]
pub struct OpenAiDecoder {
    answer: AnswerDecoder,
    content: ContentSplitter,
    calls: CallSet,
    /// Calls found in the text, which count after those of the wire.
    text_calls: Vec<(String, String)>,
    reasoning_field: Option<&'static str>,
    reasoning: String,
    details: Vec<Value>,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    bytes: usize,
    frames: usize,
    said_something: bool,
    done: bool,
}

impl OpenAiDecoder {
    /// `tools` are the names offered in the request: only they are taken for calls inside text.
    #[must_use]
    pub fn new(tools: Vec<String>) -> Self {
        Self {
            answer: AnswerDecoder::default(),
            content: ContentSplitter::new(tools.clone()),
            calls: CallSet::new(tools),
            text_calls: Vec::new(),
            reasoning_field: None,
            reasoning: String::new(),
            details: Vec::new(),
            usage: None,
            finish: None,
            bytes: 0,
            frames: 0,
            said_something: false,
            done: false,
        }
    }

    /// True once nothing more is to be read, even if the socket stays open.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// True once the model has finished and only usage may follow.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// Takes bytes as they arrive.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<StreamEvent> {
        let mut out = Vec::new();
        if self.done {
            return out;
        }
        let mut frames = Vec::new();
        let pushed = self.answer.push(bytes, &mut frames);
        self.frames(&frames, &mut out);
        if let Err(error) = pushed
            && !self.done
        {
            self.fail(malformed(&error.to_string()), &mut out);
        }
        out
    }

    /// Tells that the stream ended.
    pub fn finish(&mut self) -> Vec<StreamEvent> {
        let mut out = Vec::new();
        if self.done {
            return out;
        }
        let mut frames = Vec::new();
        match self.answer.finish(&mut frames) {
            Ok(None) => {
                for frame in &frames {
                    self.last_frame(&frame.data, &mut out);
                }
            }
            Ok(Some(body)) => self.whole(&body, &mut out),
            Err(error) => self.fail(malformed(&error.to_string()), &mut out),
        }
        if !self.done {
            self.end(false, &mut out);
        }
        out
    }

    fn frames(&mut self, frames: &[Frame], out: &mut Vec<StreamEvent>) {
        for frame in frames {
            if self.done {
                return;
            }
            self.frames += 1;
            self.frame(&frame.data, out);
        }
    }

    /// What stood behind the last blank line. It may have been cut: then it is no error of its own.
    fn last_frame(&mut self, data: &str, out: &mut Vec<StreamEvent>) {
        self.frames += 1;
        if is_json(data) {
            return self.frame(data, out);
        }
        for line in data.lines() {
            if !self.done && (is_json(line) || line.trim() == "[DONE]") {
                self.frame(line, out);
            }
        }
    }

    fn frame(&mut self, data: &str, out: &mut Vec<StreamEvent>) {
        let data = data.trim();
        if data == "[DONE]" {
            return self.end(true, out);
        }
        match serde_json::from_str::<Value>(data) {
            Ok(value) => self.chunk(&value, out),
            // Servers that forget the blank lines between frames.
            Err(_) if data.contains('\n') => {
                for line in data.lines() {
                    if !self.done {
                        self.frame(line, out);
                    }
                }
            }
            Err(_) if data.starts_with('{') => {
                self.fail(malformed("a frame of the answer is not valid JSON"), out);
            }
            Err(_) => {}
        }
    }

    /// The answer of a server that did not stream.
    fn whole(&mut self, body: &str, out: &mut Vec<StreamEvent>) {
        if let Ok(value) = serde_json::from_str::<Value>(body.trim()) {
            let known = value.get("choices").is_some() || errors::from_frame(&value).is_some();
            if known {
                self.frames += 1;
                return self.chunk(&value, out);
            }
        }
        let mut lines = body
            .lines()
            .filter(|line| !line.trim().is_empty())
            .peekable();
        if lines.peek().is_some_and(|line| is_json(line)) && body.contains("\"choices\"") {
            for line in lines.filter(|line| is_json(line)) {
                if !self.done {
                    self.frames += 1;
                    self.frame(line, out);
                }
            }
            return;
        }
        self.fail(errors::not_a_chat_answer(body), out);
    }

    fn chunk(&mut self, value: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(error) = errors::from_frame(value) {
            return self.fail(error, out);
        }
        self.note_usage(value.get("usage"));
        self.note_usage(value.get("x_groq").and_then(|groq| groq.get("usage")));
        let choices = value.get("choices").and_then(Value::as_array);
        for choice in choices.into_iter().flatten() {
            if choice.get("index").and_then(Value::as_i64).unwrap_or(0) == 0 && !self.done {
                self.choice(choice, out);
            }
        }
    }

    fn choice(&mut self, choice: &Value, out: &mut Vec<StreamEvent>) {
        self.note_usage(choice.get("usage"));
        if let Some(error) = errors::from_frame(choice) {
            return self.fail(error, out);
        }
        let delta = choice.get("delta").and_then(Value::as_object);
        // A whole message behind deltas only repeats them.
        let message = || choice.get("message").and_then(Value::as_object);
        let said = self.said_something;
        if let Some(delta) = delta.or_else(|| message().filter(|_| !said)) {
            self.delta(delta, out);
        }
        let reason = choice.get("finish_reason").and_then(Value::as_str);
        if let Some(reason) = reason.filter(|r| !r.is_empty())
            && !self.done
        {
            if reason == "error" {
                let message = "the server stopped with an error and did not say which";
                return self.fail(ModelError::new(ModelErrorKind::Server, message), out);
            }
            self.finish.get_or_insert(chunk::finish_reason(reason));
        }
    }

    fn delta(&mut self, delta: &Map<String, Value>, out: &mut Vec<StreamEvent>) {
        self.note_reasoning(delta, out);
        match delta.get("content") {
            Some(Value::String(text)) => self.note_text(text, chunk::is_thought(delta), out),
            Some(Value::Array(parts)) => {
                for part in parts {
                    self.note_part(part, out);
                }
            }
            _ => {}
        }
        if let Some(Value::String(refusal)) = delta.get("refusal") {
            self.note_text(refusal, false, out);
        }
        let calls = delta.get("tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            if !self.done {
                self.note_call(chunk::call_delta(call), out);
            }
        }
        if self.bytes > ANSWER_BYTES_MAX && !self.done {
            let message = format!("the answer is larger than {} MiB", ANSWER_BYTES_MAX >> 20);
            self.fail(malformed(&message), out);
        }
    }

    fn note_reasoning(&mut self, delta: &Map<String, Value>, out: &mut Vec<StreamEvent>) {
        let mut texts = REASONING_FIELDS
            .iter()
            .filter_map(|field| Some((*field, delta.get(*field)?.as_str()?)));
        let first = texts.next();
        let told = match first {
            Some((_, "")) => texts.next().filter(|(_, text)| !text.is_empty()).or(first),
            first => first,
        };
        if let Some((field, text)) = told {
            self.reasoning_field.get_or_insert(field);
            self.reasoning.push_str(text);
            self.reason(text, out);
        }
        let details = delta.get("reasoning_details").and_then(Value::as_array);
        for detail in details.into_iter().flatten() {
            if told.is_none_or(|(_, text)| text.is_empty()) {
                let text = detail.get("text").or_else(|| detail.get("summary"));
                self.reason(text.and_then(Value::as_str).unwrap_or_default(), out);
            }
            self.bytes += detail.to_string().len();
            chunk::merge_detail(&mut self.details, detail);
        }
    }

    fn reason(&mut self, text: &str, out: &mut Vec<StreamEvent>) {
        if text.is_empty() {
            return;
        }
        self.content.reasoning_is_separate();
        self.said_something = true;
        self.bytes += text.len();
        out.push(StreamEvent::Reasoning(text.to_owned()));
    }

    fn note_text(&mut self, text: &str, is_thought: bool, out: &mut Vec<StreamEvent>) {
        if text.is_empty() {
            return;
        }
        if is_thought {
            return self.reason(text, out);
        }
        self.said_something = true;
        self.bytes += text.len();
        let mut pieces = Vec::new();
        self.content.push(text, &mut pieces);
        self.pieces(pieces, out);
    }

    /// A part of a content list: text, or thinking that is itself a list.
    fn note_part(&mut self, part: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(text) = part.as_str().or_else(|| part.get("text")?.as_str()) {
            return self.note_text(text, false, out);
        }
        match part.get("thinking") {
            Some(Value::String(text)) => self.reason(text, out),
            Some(Value::Array(parts)) => {
                for part in parts {
                    let text = part.get("text").and_then(Value::as_str);
                    self.reason(text.unwrap_or_default(), out);
                }
            }
            _ => {}
        }
    }

    fn note_call(&mut self, delta: CallDelta, out: &mut Vec<StreamEvent>) {
        self.said_something = true;
        self.bytes += delta.name.len() + delta.arguments.len();
        if let Err(error) = self.calls.push(delta, out) {
            self.fail(malformed(&error.to_string()), out);
        }
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

    fn note_usage(&mut self, usage: Option<&Value>) {
        if let Some(usage) = usage.and_then(chunk::usage) {
            self.usage = Some(usage);
        }
    }

    /// The end of the answer. `told` is true where the server said so itself.
    fn end(&mut self, told: bool, out: &mut Vec<StreamEvent>) {
        let finished = told || self.finish.is_some();
        let mut pieces = Vec::new();
        self.content.finish(finished, &mut pieces);
        self.pieces(pieces, out);
        if self.frames == 0 {
            return self.fail(errors::no_frames(&self.answer.head()), out);
        }
        if !finished {
            self.done = true;
            out.extend(self.usage.map(StreamEvent::Usage));
            out.push(StreamEvent::Truncated);
            return;
        }
        for (at, (name, arguments)) in std::mem::take(&mut self.text_calls).into_iter().enumerate()
        {
            if self.calls.contains(&name, &arguments) {
                continue;
            }
            let delta = CallDelta {
                // Below all numbers of the wire, so that it can be no other call.
                index: i64::try_from(at).ok().map(|at| i64::MIN + at),
                name,
                arguments,
                ..CallDelta::default()
            };
            if let Err(error) = self.calls.push(delta, out) {
                return self.fail(malformed(&error.to_string()), out);
            }
        }
        self.echo(out);
        if let Err(error) = self.calls.finish(out) {
            return self.fail(malformed(&error.to_string()), out);
        }
        self.done = true;
        out.extend(self.usage.map(StreamEvent::Usage));
        let reason = match (self.finish, self.calls.is_empty()) {
            (Some(reason @ (FinishReason::Length | FinishReason::Filter)), _) => reason,
            (_, false) => FinishReason::Tools,
            (Some(FinishReason::Tools), true) => FinishReason::Other,
            (reason, true) => reason.unwrap_or(FinishReason::Stop),
        };
        out.push(StreamEvent::Finish(reason));
    }

    fn echo(&mut self, out: &mut Vec<StreamEvent>) {
        let mut opaque = |field: &str, data: Value| {
            out.push(StreamEvent::Opaque(Opaque {
                field: field.to_owned(),
                call: None,
                data,
            }));
        };
        if let Some(field) = self.reasoning_field
            && !self.calls.is_empty()
            && self.details.is_empty()
        {
            opaque(field, Value::String(std::mem::take(&mut self.reasoning)));
        }
        if !self.details.is_empty() {
            let details = std::mem::take(&mut self.details);
            opaque("reasoning_details", Value::Array(details));
        }
    }

    fn fail(&mut self, error: ModelError, out: &mut Vec<StreamEvent>) {
        if self.done {
            return;
        }
        let mut pieces = Vec::new();
        self.content.finish(false, &mut pieces);
        self.pieces(pieces, out);
        self.done = true;
        out.push(StreamEvent::Error(error));
    }
}

fn malformed(message: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Malformed, message)
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text.trim()).is_ok()
}
