//! Decoder of OpenAI chat completions, as OpenAI and the many servers that imitate it send them: bytes in
//! any chunking to events. Must not do IO, and must not act on a call before the answer ended.

use super::chunk;
use super::errors;
use super::json::{Document, Json};
use super::sse::{AnswerDecoder, Frame};
use super::tail::{Tail, malformed};
use super::types::{ModelError, ModelErrorKind, StreamEvent};
use crate::transcript::Opaque;
use serde_json::Value;

/// Fields of a delta that carry reasoning as text.
const REASONING_FIELDS: [&str; 2] = ["reasoning_content", "reasoning"];

#[derive(Debug)]
pub struct OpenAiDecoder {
    answer: AnswerDecoder,
    tail: Tail,
    reasoning_field: Option<&'static str>,
    reasoning: String,
    details: Vec<Value>,
    frames: usize,
    said_something: bool,
}

impl OpenAiDecoder {
    /// `tools` are the names offered in the request: only they are taken for calls inside text.
    #[must_use]
    pub fn new(tools: Vec<String>) -> Self {
        Self {
            answer: AnswerDecoder::default(),
            tail: Tail::new(tools),
            reasoning_field: None,
            reasoning: String::new(),
            details: Vec::new(),
            frames: 0,
            said_something: false,
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
        let pushed = answer.push(bytes, &mut |frame: Frame| {
            if !self.tail.done {
                self.frames += 1;
                self.frame(frame.data, &mut out);
            }
        });
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
        let rest = answer.finish(&mut |frame| self.last_frame(frame.data, &mut out));
        self.answer = answer;
        match rest {
            Ok(None) => {}
            Ok(Some(body)) => self.whole(&body, &mut out),
            Err(error) => self.tail.fail(malformed(&error.to_string()), &mut out),
        }
        self.end(false, &mut out);
        out
    }

    /// What stood behind the last blank line. It may have been cut: then it is no error of its own.
    fn last_frame(&mut self, data: &str, out: &mut Vec<StreamEvent>) {
        self.frames += 1;
        if is_json(data) {
            return self.frame(data, out);
        }
        for line in data.lines() {
            if !self.tail.done && (is_json(line) || line.trim() == "[DONE]") {
                self.frame(line, out);
            }
        }
    }

    fn frame(&mut self, data: &str, out: &mut Vec<StreamEvent>) {
        let data = data.trim();
        if data == "[DONE]" {
            return self.end(true, out);
        }
        match Document::parse(data) {
            Some(document) => self.chunk(document.root(), out),
            // Servers that forget the blank lines between frames.
            None if data.contains('\n') => {
                for line in data.lines() {
                    if !self.tail.done {
                        self.frame(line, out);
                    }
                }
            }
            None if data.starts_with('{') => {
                let error = malformed("a frame of the answer is not valid JSON");
                self.tail.fail(error, out);
            }
            None => {}
        }
    }

    /// The answer of a server that did not stream.
    fn whole(&mut self, body: &str, out: &mut Vec<StreamEvent>) {
        if let Some(document) = Document::parse(body.trim()) {
            let value = document.root();
            if value.get("choices").is_some() || errors::from_frame(value).is_some() {
                self.frames += 1;
                return self.chunk(value, out);
            }
        }
        let mut lines = body
            .lines()
            .filter(|line| !line.trim().is_empty())
            .peekable();
        if lines.peek().is_some_and(|line| is_json(line)) && body.contains("\"choices\"") {
            for line in lines.filter(|line| is_json(line)) {
                if !self.tail.done {
                    self.frames += 1;
                    self.frame(line, out);
                }
            }
            return;
        }
        self.tail.fail(errors::not_a_chat_answer(body), out);
    }

    fn chunk(&mut self, value: Json, out: &mut Vec<StreamEvent>) {
        if let Some(error) = errors::from_frame(value) {
            return self.tail.fail(error, out);
        }
        self.note_usage(value.get("usage"));
        self.note_usage(value.get("x_groq").and_then(|groq| groq.get("usage")));
        let choices = value.get("choices");
        for choice in choices.into_iter().flat_map(Json::elements) {
            if choice.get("index").and_then(Json::as_i64).unwrap_or(0) == 0 && !self.tail.done {
                self.choice(choice, out);
            }
        }
    }

    fn choice(&mut self, choice: Json, out: &mut Vec<StreamEvent>) {
        self.note_usage(choice.get("usage"));
        if let Some(error) = errors::from_frame(choice) {
            return self.tail.fail(error, out);
        }
        let part = |key: &str| choice.get(key).filter(|part| part.is_object());
        // A whole message behind deltas only repeats them.
        let said = self.said_something;
        if let Some(delta) = part("delta").or_else(|| part("message").filter(|_| !said)) {
            self.delta(delta, out);
        }
        let reason = choice.text("finish_reason");
        if reason == "error" {
            let message = "the server stopped with an error and did not say which";
            let error = ModelError::new(ModelErrorKind::Server, message);
            return self.tail.fail(error, out);
        }
        if !reason.is_empty() {
            let reason = chunk::finish_reason(reason);
            self.tail.finish.get_or_insert(reason);
        }
    }

    fn delta(&mut self, delta: Json, out: &mut Vec<StreamEvent>) {
        self.note_reasoning(delta, out);
        if let Some(content) = delta.get("content") {
            match content.as_str() {
                Some(text) if !text.is_empty() && chunk::is_thought(delta) => {
                    self.reason(text, out);
                }
                Some(text) => self.say(text, out),
                None => {
                    for part in content.elements() {
                        self.note_part(part, out);
                    }
                }
            }
        }
        self.say(delta.text("refusal"), out);
        let calls = delta.get("tool_calls");
        for call in calls.into_iter().flat_map(Json::elements) {
            self.said_something = true;
            self.tail.call(chunk::call_delta(call), out);
        }
    }

    fn note_reasoning(&mut self, delta: Json, out: &mut Vec<StreamEvent>) {
        let mut texts = REASONING_FIELDS
            .iter()
            .filter_map(|field| Some((*field, delta.get(field)?.as_str()?)));
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
        let details = delta.get("reasoning_details");
        for detail in details.into_iter().flat_map(Json::elements) {
            if told.is_none_or(|(_, text)| text.is_empty()) {
                let text = detail.get("text").or_else(|| detail.get("summary"));
                self.reason(text.and_then(Json::as_str).unwrap_or_default(), out);
            }
            self.tail.hold(detail.raw().len(), out);
            chunk::merge_detail(&mut self.details, detail.to_value());
        }
    }

    fn reason(&mut self, text: &str, out: &mut Vec<StreamEvent>) {
        self.said_something |= !text.is_empty();
        self.tail.reasoning(text, out);
    }

    fn say(&mut self, text: &str, out: &mut Vec<StreamEvent>) {
        if !text.is_empty() {
            self.said_something = true;
            self.tail.mixed_text(text, out);
        }
    }

    /// A part of a content list: text, or thinking that is itself a list.
    fn note_part(&mut self, part: Json, out: &mut Vec<StreamEvent>) {
        if let Some(text) = part.as_str().or_else(|| part.get("text")?.as_str()) {
            return self.say(text, out);
        }
        let Some(thinking) = part.get("thinking") else {
            return;
        };
        self.reason(thinking.as_str().unwrap_or_default(), out);
        for part in thinking.elements() {
            self.reason(part.text("text"), out);
        }
    }

    fn note_usage(&mut self, usage: Option<Json>) {
        if let Some(usage) = usage.and_then(chunk::usage) {
            self.tail.usage = Some(usage);
        }
    }

    /// The end of the answer. `told` is true where the server said so itself.
    fn end(&mut self, told: bool, out: &mut Vec<StreamEvent>) {
        if self.tail.done {
            return;
        }
        let finished = told || self.tail.finish.is_some();
        self.tail.flush(finished, out);
        if self.frames == 0 {
            return self.tail.fail(errors::no_frames(&self.answer.head()), out);
        }
        if !finished {
            return self.tail.cut(out);
        }
        self.tail.take_text_calls(out);
        if !self.tail.done {
            self.echo(out);
            self.tail.close(out);
        }
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
            && !self.tail.calls.is_empty()
            && self.details.is_empty()
        {
            opaque(field, Value::String(std::mem::take(&mut self.reasoning)));
        }
        if !self.details.is_empty() {
            let details = std::mem::take(&mut self.details);
            opaque("reasoning_details", Value::Array(details));
        }
    }
}

fn is_json(text: &str) -> bool {
    Document::parse(text.trim()).is_some()
}
