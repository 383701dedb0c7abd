//! The conversation as the model sees it. Every tool call has exactly one result, in order;
//! the type keeps it so. Knows nothing else of ours.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A tool call's id, unique in a transcript.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CallId(pub String);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Message {
    User {
        text: String,
    },
    /// Words of the application to the model, sent in the user role and labelled as such.
    Notice {
        text: String,
    },
    Assistant {
        parts: Vec<Part>,
    },
    Tool(ToolResult),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Part {
    Text(String),
    Reasoning(String),
    /// Data of the endpoint that goes back to it byte for byte, never shown.
    Opaque(Opaque),
    Call(ToolCall),
}

/// Endpoint data to be echoed. `field` is its name on the wire
/// (`reasoning_content`, `reasoning_details`, `extra_content`, `thinking` …).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opaque {
    pub field: String,
    /// The call it belongs to, if it belongs to one.
    #[serde(default)]
    pub call: Option<CallId>,
    pub data: serde_json::Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: CallId,
    pub name: String,
    /// Arguments as the model wrote them: JSON text if `malformed` is false.
    pub arguments: String,
    #[serde(default)]
    pub malformed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    pub call: CallId,
    pub text: String,
    pub is_error: bool,
}

/// Messages in order, with the pairing of calls and results kept by construction.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    messages: Vec<Message>,
    /// Calls of the last assistant message that have no result yet, in order.
    open: Vec<CallId>,
    used: BTreeSet<CallId>,
    made_ids: u64,
}

/// The end of a conversation from one question on, with its calls that are still open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tail {
    messages: Vec<Message>,
    open: Vec<CallId>,
}

impl Transcript {
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    #[must_use]
    pub fn open_calls(&self) -> &[CallId] {
        &self.open
    }

    /// Adds the person's words. Calls still open are closed as cancelled first.
    pub fn push_user(&mut self, text: impl Into<String>) {
        self.cancel_open("cancelled");
        self.messages.push(Message::User { text: text.into() });
    }

    /// Adds words of the application.
    pub fn push_notice(&mut self, text: impl Into<String>) {
        self.cancel_open("cancelled");
        self.messages.push(Message::Notice { text: text.into() });
    }

    /// Adds a model turn and returns its calls, with ids made unique in this transcript.
    pub fn push_assistant(&mut self, mut parts: Vec<Part>) -> Vec<ToolCall> {
        self.cancel_open("cancelled");
        let mut renamed: Vec<(CallId, CallId)> = Vec::new();
        let mut calls: Vec<ToolCall> = Vec::new();
        for part in &mut parts {
            if let Part::Call(call) = part {
                if call.id.0.is_empty() || self.used.contains(&call.id) {
                    let new = self.make_id();
                    renamed.push((std::mem::replace(&mut call.id, new.clone()), new));
                }
                self.used.insert(call.id.clone());
                calls.push(call.clone());
            }
        }
        for part in &mut parts {
            if let Part::Opaque(Opaque {
                call: Some(call), ..
            }) = part
                && let Some((_, new)) = renamed.iter().find(|(old, _)| old == call)
            {
                *call = new.clone();
            }
        }
        self.open = calls.iter().map(|c| c.id.clone()).collect();
        if !parts.is_empty() {
            self.messages.push(Message::Assistant { parts });
        }
        calls
    }

    /// Closes an open call. Returns false, and changes nothing, if that call is not the next open one:
    /// results go in the order of the calls.
    pub fn push_result(&mut self, result: ToolResult) -> bool {
        if self.open.first() != Some(&result.call) {
            return false;
        }
        self.open.remove(0);
        self.messages.push(Message::Tool(result));
        true
    }

    /// Gives every open call the same closing result.
    pub fn cancel_open(&mut self, text: &str) {
        for call in std::mem::take(&mut self.open) {
            self.messages.push(Message::Tool(ToolResult {
                call,
                text: text.to_owned(),
                is_error: true,
            }));
        }
    }

    /// Takes the question that comes after `before` others, and all that follows it, away. Ids of its calls stay used.
    pub fn cut_at_question(&mut self, before: usize) -> Tail {
        let at = self
            .messages
            .iter()
            .enumerate()
            .filter(|(_, m)| matches!(m, Message::User { .. }))
            .map(|(at, _)| at)
            .nth(before);
        match at {
            Some(at) => Tail {
                messages: self.messages.split_off(at),
                open: std::mem::take(&mut self.open),
            },
            None => Tail {
                messages: Vec::new(),
                open: Vec::new(),
            },
        }
    }

    /// Puts back what was cut at the same place.
    pub fn graft(&mut self, tail: Tail) {
        self.cancel_open("cancelled");
        self.messages.extend(tail.messages);
        self.open = tail.open;
    }

    fn make_id(&mut self) -> CallId {
        loop {
            self.made_ids += 1;
            // Nine letters and digits: the one form that every server accepts.
            let id = CallId(format!("call{:05}", self.made_ids));
            if !self.used.contains(&id) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str) -> Part {
        Part::Call(ToolCall {
            id: CallId(id.into()),
            name: "list_tables".into(),
            arguments: "{}".into(),
            malformed: false,
        })
    }

    #[test]
    fn ids_are_made_unique_and_results_keep_the_order() {
        let mut t = Transcript::default();
        t.push_user("q");
        let calls = t.push_assistant(vec![call("a"), call("a"), call("")]);
        let ids: Vec<_> = calls.iter().map(|c| c.id.0.as_str()).collect();
        assert_eq!(ids, ["a", "call00001", "call00002"]);
        let result = |id: &str| ToolResult {
            call: CallId(id.into()),
            text: "ok".into(),
            is_error: false,
        };
        assert!(!t.push_result(result("call00001")));
        assert!(t.push_result(result("a")));
        t.push_user("never mind");
        assert!(t.open_calls().is_empty());
        let results = t
            .messages()
            .iter()
            .filter(|m| matches!(m, Message::Tool(_)))
            .count();
        assert_eq!(results, 3);
        let again = t.push_assistant(vec![call("a")]);
        assert_eq!(again[0].id.0, "call00003");
    }
}
