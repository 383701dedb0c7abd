//! Events of one answer to one turn, with what can be shown meanwhile. Must not know a wire family.

use super::partial_json::{self, PartialField};
use super::types::{FinishReason, ModelError, StreamEvent, Turn, Usage};
use crate::transcript::{CallId, Opaque, Part, ToolCall};

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    Reasoning(String),
    Opaque(Opaque),
    /// A call by its slot.
    Call(usize),
}

/// A call as far as it has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiveCall {
    pub id: String,
    pub name: String,
    /// Arguments so far; the checked ones once `ended`.
    pub arguments: String,
    pub ended: bool,
    malformed: bool,
}

impl LiveCall {
    /// String fields of the arguments so far, such as the reasoning or the SQL of a proposal.
    #[must_use]
    pub fn fields(&self) -> Vec<PartialField> {
        partial_json::string_fields(&self.arguments)
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assembler {
    pieces: Vec<Piece>,
    calls: Vec<Option<LiveCall>>,
    finish: Option<FinishReason>,
    usage: Option<Usage>,
    truncated: bool,
    error: Option<ModelError>,
}

impl Assembler {
    pub fn push_all(&mut self, events: impl IntoIterator<Item = StreamEvent>) {
        for event in events {
            self.push(event);
        }
    }

    pub fn push(&mut self, event: StreamEvent) {
        match event {
            StreamEvent::Text(more) => match self.pieces.last_mut() {
                Some(Piece::Text(text)) => text.push_str(&more),
                _ => self.pieces.push(Piece::Text(more)),
            },
            StreamEvent::Reasoning(more) => match self.pieces.last_mut() {
                Some(Piece::Reasoning(text)) => text.push_str(&more),
                _ => self.pieces.push(Piece::Reasoning(more)),
            },
            StreamEvent::TextWasReasoning => self.text_was_reasoning(),
            StreamEvent::Opaque(opaque) => self.pieces.push(Piece::Opaque(opaque)),
            StreamEvent::ToolStart { slot, id, name } => {
                if let Some(call) = self.call(slot) {
                    call.id = id;
                    call.name = name;
                    self.pieces.push(Piece::Call(slot));
                }
            }
            StreamEvent::ToolArguments { slot, text } => {
                if let Some(call) = self.call(slot) {
                    call.arguments.push_str(&text);
                }
            }
            StreamEvent::ToolEnd {
                slot,
                json,
                malformed,
            } => {
                if let Some(call) = self.call(slot) {
                    call.arguments = json;
                    call.malformed = malformed;
                    call.ended = true;
                }
            }
            StreamEvent::Usage(usage) => self.usage = Some(usage),
            StreamEvent::Finish(reason) => self.finish = Some(reason),
            StreamEvent::Truncated => self.truncated = true,
            StreamEvent::Error(error) => self.error = Some(error),
        }
    }

    /// Text so far.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// Reasoning so far.
    #[must_use]
    pub fn reasoning(&self) -> String {
        let texts = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Reasoning(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// Calls so far, in order of their slots.
    pub fn calls(&self) -> impl Iterator<Item = &LiveCall> {
        self.calls.iter().flatten()
    }

    /// Whether anything came that a person has seen: then the request is not sent again unasked.
    #[must_use]
    pub fn has_output(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// The turn, and the error that ended it, if one did. Calls that did not end are left out.
    #[must_use]
    pub fn into_turn(self) -> (Turn, Option<ModelError>) {
        let mut calls = self.calls;
        let mut parts = Vec::new();
        for piece in self.pieces {
            match piece {
                Piece::Text(text) => parts.push(Part::Text(text)),
                Piece::Reasoning(text) => parts.push(Part::Reasoning(text)),
                Piece::Opaque(opaque) => parts.push(Part::Opaque(opaque)),
                Piece::Call(slot) => {
                    let call = calls.get_mut(slot).and_then(Option::take);
                    if let Some(call) = call.filter(|call| call.ended) {
                        parts.push(Part::Call(ToolCall {
                            id: CallId(call.id),
                            name: call.name,
                            arguments: call.arguments,
                            malformed: call.malformed,
                        }));
                    }
                }
            }
        }
        let has_call = |id: &CallId| {
            parts
                .iter()
                .any(|part| matches!(part, Part::Call(call) if call.id == *id))
        };
        let orphans: Vec<bool> = parts
            .iter()
            .map(|part| match part {
                Part::Opaque(opaque) => opaque.call.as_ref().is_some_and(|id| !has_call(id)),
                _ => false,
            })
            .collect();
        let mut orphan = orphans.into_iter();
        parts.retain(|_| !orphan.next().unwrap_or(false));
        let turn = Turn {
            parts,
            finish: self.finish,
            usage: self.usage,
            truncated: self.truncated,
        };
        (turn, self.error)
    }

    fn call(&mut self, slot: usize) -> Option<&mut LiveCall> {
        if slot >= super::calls::CALLS_MAX {
            return None;
        }
        if self.calls.len() <= slot {
            self.calls.resize(slot + 1, None);
        }
        self.calls.get_mut(slot).map(Option::get_or_insert_default)
    }

    fn text_was_reasoning(&mut self) {
        let mut merged: Vec<Piece> = Vec::new();
        for piece in std::mem::take(&mut self.pieces) {
            let text = match piece {
                Piece::Text(text) | Piece::Reasoning(text) => text,
                other => {
                    merged.push(other);
                    continue;
                }
            };
            match merged.last_mut() {
                Some(Piece::Reasoning(before)) => before.push_str(&text),
                _ => merged.push(Piece::Reasoning(text)),
            }
        }
        self.pieces = merged;
    }
}

/// Tokens of a text, guessed: four ASCII characters, or two thirds of another one, are about one token.
#[must_use]
pub fn estimate_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let other = text.chars().filter(|c| !c.is_ascii()).count();
    u64::try_from(ascii.div_ceil(4) + (other * 2).div_ceil(3)).unwrap_or(u64::MAX)
}

/// Usage of a turn whose server sent none: counted from the request's body and the turn, and marked so.
#[must_use]
pub fn estimate_usage(body: &str, turn: &Turn) -> Usage {
    let mut usage = Usage {
        input: estimate_tokens(body),
        estimated: true,
        ..Usage::default()
    };
    for part in &turn.parts {
        match part {
            Part::Text(text) => usage.output += estimate_tokens(text),
            Part::Reasoning(text) => usage.reasoning += estimate_tokens(text),
            Part::Call(call) => {
                usage.output += estimate_tokens(&call.name) + estimate_tokens(&call.arguments);
            }
            Part::Opaque(_) => {}
        }
    }
    usage.output += usage.reasoning;
    usage
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn runs_merge_and_unended_calls_are_left_out() {
        let mut live = Assembler::default();
        let start = |slot, id: &str| StreamEvent::ToolStart {
            slot,
            id: id.into(),
            name: "run_sql".into(),
        };
        let opaque = |id: &str| Opaque {
            field: "extra_content".into(),
            call: Some(CallId(id.into())),
            data: json!(1),
        };
        live.push_all([
            StreamEvent::Text("thin".into()),
            StreamEvent::Text("king".into()),
            StreamEvent::TextWasReasoning,
            StreamEvent::Text("hi".into()),
            start(0, "a"),
            StreamEvent::ToolArguments {
                slot: 0,
                text: "{\"sql\":\"SEL".into(),
            },
            start(1, "b"),
            StreamEvent::Opaque(opaque("a")),
            StreamEvent::Opaque(opaque("b")),
        ]);
        assert_eq!(
            (live.text(), live.reasoning()),
            ("hi".into(), "thinking".into())
        );
        let first = live.calls().next().unwrap();
        assert_eq!(first.fields()[0].text, "SEL");
        live.push(StreamEvent::ToolEnd {
            slot: 0,
            json: "{}".into(),
            malformed: false,
        });
        live.push(StreamEvent::Truncated);
        let (turn, error) = live.into_turn();
        assert!(turn.truncated && error.is_none());
        assert_eq!(
            turn.parts,
            [
                Part::Reasoning("thinking".into()),
                Part::Text("hi".into()),
                Part::Call(ToolCall {
                    id: CallId("a".into()),
                    name: "run_sql".into(),
                    arguments: "{}".into(),
                    malformed: false,
                }),
                Part::Opaque(opaque("a")),
            ]
        );
        assert!(estimate_usage("abcd", &turn).estimated);
        assert_eq!(estimate_tokens("abcd文字文"), 3);
    }
}
