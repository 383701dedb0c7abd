//! What the decoders of Anthropic and Ollama share: the calls, counts and end of one answer. Must not know
//! a frame of either.

use super::calls::{CallDelta, CallSet};
use super::openai::ANSWER_BYTES_MAX;
use super::types::{FinishReason, ModelError, ModelErrorKind, StreamEvent, Usage};

#[derive(Debug)]
pub(super) struct Tail {
    pub calls: CallSet,
    pub usage: Option<Usage>,
    pub finish: Option<FinishReason>,
    pub done: bool,
    bytes: usize,
}

impl Tail {
    pub fn new(tools: Vec<String>) -> Self {
        Self {
            calls: CallSet::new(tools),
            usage: None,
            finish: None,
            done: false,
            bytes: 0,
        }
    }

    pub fn is_settled(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// Counts what is held; an answer without an end is ended here.
    pub fn hold(&mut self, bytes: usize, out: &mut Vec<StreamEvent>) {
        self.bytes += bytes;
        if self.bytes > ANSWER_BYTES_MAX {
            let message = format!("the answer is larger than {} MiB", ANSWER_BYTES_MAX >> 20);
            self.fail(malformed(&message), out);
        }
    }

    pub fn text(&mut self, text: &str, out: &mut Vec<StreamEvent>) {
        if !text.is_empty() && !self.done {
            out.push(StreamEvent::Text(text.to_owned()));
            self.hold(text.len(), out);
        }
    }

    pub fn reasoning(&mut self, text: &str, out: &mut Vec<StreamEvent>) {
        if !text.is_empty() && !self.done {
            out.push(StreamEvent::Reasoning(text.to_owned()));
            self.hold(text.len(), out);
        }
    }

    pub fn call(&mut self, delta: CallDelta, out: &mut Vec<StreamEvent>) {
        if self.done {
            return;
        }
        let bytes = delta.name.len() + delta.arguments.len() + delta.id.len();
        match self.calls.push(delta, out) {
            Ok(()) => self.hold(bytes, out),
            Err(error) => self.fail(malformed(&error.to_string()), out),
        }
    }

    pub fn fail(&mut self, error: ModelError, out: &mut Vec<StreamEvent>) {
        if !std::mem::replace(&mut self.done, true) {
            out.push(StreamEvent::Error(error));
        }
    }

    /// The end of an answer that the server finished: closes the calls.
    pub fn close(&mut self, out: &mut Vec<StreamEvent>) {
        if self.done {
            return;
        }
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

    /// The end of an answer that was cut: no call counts.
    pub fn cut(&mut self, out: &mut Vec<StreamEvent>) {
        if !std::mem::replace(&mut self.done, true) {
            out.extend(self.usage.map(StreamEvent::Usage));
            out.push(StreamEvent::Truncated);
        }
    }
}

pub(super) fn malformed(message: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Malformed, message)
}
