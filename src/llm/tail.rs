//! What the decoders of all families share: the words, calls, counts and end of one answer. Must not know a
//! frame of any.

use super::calls::{CallDelta, CallSet};
use super::content::{ContentSplitter, Piece};
use super::types::{FinishReason, ModelError, ModelErrorKind, StreamEvent, Usage};

/// Words of one answer that are held at most. A model that writes more is stuck in a loop.
pub const ANSWER_BYTES_MAX: usize = 16 << 20;

#[derive(Debug)]
pub(super) struct Tail {
    content: ContentSplitter,
    /// Calls found in the text, which count after those of the wire.
    text_calls: Vec<(String, String)>,
    pub calls: CallSet,
    pub usage: Option<Usage>,
    pub finish: Option<FinishReason>,
    pub done: bool,
    bytes: usize,
}

impl Tail {
    pub fn new(tools: Vec<String>) -> Self {
        Self {
            content: ContentSplitter::new(tools.clone()),
            text_calls: Vec::new(),
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

    /// Text that is nothing else.
    pub fn text(&mut self, text: &str, out: &mut Vec<StreamEvent>) {
        if !text.is_empty() && !self.done {
            out.push(StreamEvent::Text(text.to_owned()));
            self.hold(text.len(), out);
        }
    }

    /// Text in which a server may have left thinking and calls.
    pub fn mixed_text(&mut self, text: &str, out: &mut Vec<StreamEvent>) {
        if self.content.passes(text) {
            return self.text(text, out);
        }
        if !self.done {
            let mut pieces = Vec::new();
            self.content.push(text, &mut pieces);
            self.pieces(pieces, out);
            self.hold(text.len(), out);
        }
    }

    /// Gives out text that was held back. `told` is true where the server finished its answer.
    pub fn flush(&mut self, told: bool, out: &mut Vec<StreamEvent>) {
        let mut pieces = Vec::new();
        self.content.finish(told, &mut pieces);
        self.pieces(pieces, out);
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

    /// Opens the calls that stood in the text and did not come on the wire as well.
    pub fn take_text_calls(&mut self, out: &mut Vec<StreamEvent>) {
        for (at, (name, arguments)) in (0..).zip(std::mem::take(&mut self.text_calls)) {
            if !self.calls.contains(&name, &arguments) {
                let delta = CallDelta {
                    // Below all numbers of the wire, so that it can be no other call.
                    index: Some(i64::MIN + at),
                    name,
                    arguments,
                    ..CallDelta::default()
                };
                self.call(delta, out);
            }
        }
    }

    /// Reasoning in a field of its own: closing tags in the text are text then.
    pub fn reasoning(&mut self, text: &str, out: &mut Vec<StreamEvent>) {
        if !text.is_empty() && !self.done {
            self.content.reasoning_is_separate();
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
        if !self.done {
            self.flush(false, out);
            self.done = true;
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
