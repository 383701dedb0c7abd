//! The tool calls of one answer, gathered from deltas of servers that number them in their own ways.
//! Must not know the frames; must neither lose what was sent nor make up a call that was not.

use super::repair;
use super::types::StreamEvent;
use crate::transcript::{CallId, Opaque};
use serde_json::Value;

/// No question needs more calls at once; beyond it a model is stuck in a loop.
pub const CALLS_MAX: usize = 64;

/// How far the plain joining of deltas may outgrow the joining that skips repeats: factor and floor.
const REPEATS_FACTOR: usize = 4;
const REPEATS_BYTES_MIN: usize = 65_536;

/// What one delta says about one call. Empty strings stand for what it leaves out.
#[derive(Debug, Default)]
pub struct CallDelta {
    pub index: Option<i64>,
    pub id: String,
    pub name: String,
    pub arguments: String,
    pub extra: Option<Value>,
}

/// A delta that belongs to no call, or one call too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    #[error("a piece of arguments belongs to none of the tool calls")]
    Ambiguous,
    #[error("a tool call has no name")]
    NoName,
    #[error("more than {CALLS_MAX} tool calls in one answer")]
    TooMany,
}

#[derive(Debug, Default)]
struct Call {
    index: Option<i64>,
    wire_id: String,
    /// The id that goes out, set when the call is announced.
    id: Option<String>,
    name: String,
    /// Deltas joined, where a delta that repeats all before it replaces it.
    merged: String,
    /// Deltas joined without that rule, once the two differ.
    plain: Option<String>,
    /// Bytes of `merged` that went out.
    sent: usize,
    extra: Option<Value>,
}

impl Call {
    fn is_complete(&self) -> bool {
        let text = self.merged.trim();
        text.ends_with('}') && repair::is_object(text)
    }

    fn append(&mut self, delta: &str) {
        let starts_object = delta.trim_start().starts_with('{');
        let repeats = starts_object
            && !self.merged.is_empty()
            && delta.len() > self.merged.len()
            && delta.starts_with(&self.merged);
        let replaces = starts_object && !repeats && self.is_complete();
        if (repeats || replaces) && self.plain.is_none() {
            self.plain = Some(self.merged.clone());
        }
        if let Some(plain) = &mut self.plain {
            plain.push_str(delta);
        }
        if repeats {
            delta.clone_into(&mut self.merged);
        } else if replaces {
            // `{}` first is a placeholder; the same again is a repeat; anything else is not ours to drop.
            if self.merged.trim() == "{}" {
                delta.clone_into(&mut self.merged);
            } else if !same_json(&self.merged, delta) {
                self.merged.push_str(delta);
            }
        } else {
            self.merged.push_str(delta);
        }
        let room = (self.merged.len() * REPEATS_FACTOR).max(REPEATS_BYTES_MIN);
        if self.plain.as_ref().is_some_and(|plain| plain.len() > room) {
            self.plain = Some(String::new());
        }
    }

    fn arguments(&self) -> &str {
        match &self.plain {
            Some(plain) if repair::is_object(plain.trim()) => plain,
            _ => once(&self.merged),
        }
    }
}

enum Target {
    Call(usize),
    New,
    Nothing,
    Ambiguous,
}

#[derive(Debug)]
pub struct CallSet {
    calls: Vec<Call>,
    tools: Vec<String>,
    made_ids: u32,
}

impl CallSet {
    #[must_use]
    pub fn new(tools: Vec<String>) -> Self {
        Self {
            calls: Vec::new(),
            tools,
            made_ids: 0,
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Whether a call of this name with these arguments is already there.
    #[must_use]
    pub fn contains(&self, name: &str, arguments: &str) -> bool {
        self.calls
            .iter()
            .any(|call| call.name == name && same_json(call.arguments(), arguments))
    }

    /// Adds a delta; the events announce calls and stream their arguments.
    ///
    /// # Errors
    /// A delta that belongs to no call, or one call too many.
    pub fn push(&mut self, delta: CallDelta, out: &mut Vec<StreamEvent>) -> Result<(), CallError> {
        let slot = match self.target(&delta) {
            Target::Call(slot) => slot,
            Target::Nothing => return Ok(()),
            Target::Ambiguous => return Err(CallError::Ambiguous),
            Target::New if self.calls.len() >= CALLS_MAX => return Err(CallError::TooMany),
            Target::New => {
                self.calls.push(Call {
                    index: delta.index,
                    ..Call::default()
                });
                self.calls.len() - 1
            }
        };
        let Some(call) = self.calls.get_mut(slot) else {
            return Ok(());
        };
        if call.wire_id.is_empty() {
            call.wire_id = delta.id;
        }
        if call.index.is_none() {
            call.index = delta.index;
        }
        if !delta.name.is_empty() && call.name != delta.name {
            call.name.push_str(&delta.name);
        }
        if delta.extra.is_some() {
            call.extra = delta.extra;
        }
        if !delta.arguments.is_empty() {
            call.append(&delta.arguments);
        }
        let partial_name = call.merged.is_empty() && is_partial(&call.name, &self.tools);
        if !call.name.is_empty() && !partial_name {
            self.announce(slot, out);
        }
        Ok(())
    }

    /// Closes all calls. `finished` is false where the answer was cut: then nothing is closed.
    ///
    /// # Errors
    /// A call with arguments and no name.
    pub fn finish(&mut self, out: &mut Vec<StreamEvent>) -> Result<(), CallError> {
        let nameless = |call: &Call| call.name.is_empty();
        if self
            .calls
            .iter()
            .any(|c| nameless(c) && !c.merged.trim().is_empty())
        {
            return Err(CallError::NoName);
        }
        for slot in 0..self.calls.len() {
            if self.calls.get(slot).is_some_and(nameless) {
                continue;
            }
            self.announce(slot, out);
            let Some(call) = self.calls.get_mut(slot) else {
                continue;
            };
            if let (Some(data), Some(id)) = (call.extra.take(), call.id.clone()) {
                out.push(StreamEvent::Opaque(Opaque {
                    field: "extra_content".to_owned(),
                    call: Some(CallId(id)),
                    data,
                }));
            }
            let repair::Arguments { json, malformed } = repair::arguments(call.arguments());
            out.push(StreamEvent::ToolEnd {
                slot,
                json,
                malformed,
            });
        }
        Ok(())
    }

    /// Sends the start of a call once, and the arguments that did not go out yet.
    fn announce(&mut self, slot: usize, out: &mut Vec<StreamEvent>) {
        if self.calls.get(slot).is_some_and(|call| call.id.is_none()) {
            let id = self.free_id(slot);
            if let Some(call) = self.calls.get_mut(slot) {
                call.id = Some(id.clone());
                let name = call.name.clone();
                out.push(StreamEvent::ToolStart { slot, id, name });
            }
        }
        let Some(call) = self.calls.get_mut(slot) else {
            return;
        };
        // `{}` may be a placeholder that the real arguments replace.
        if call.merged.trim() == "{}" {
            return;
        }
        if let Some(text) = call.merged.get(call.sent..).filter(|t| !t.is_empty()) {
            out.push(StreamEvent::ToolArguments {
                slot,
                text: text.to_owned(),
            });
            call.sent = call.merged.len();
        }
    }

    fn free_id(&mut self, slot: usize) -> String {
        let wire = self.calls.get(slot).map_or("", |c| c.wire_id.as_str());
        let taken = |id: &str, calls: &[Call]| {
            calls.iter().enumerate().any(|(at, call)| match &call.id {
                Some(out) => out == id,
                None => at < slot && call.wire_id == id,
            })
        };
        if !wire.is_empty() && !taken(wire, &self.calls) {
            return wire.to_owned();
        }
        loop {
            self.made_ids += 1;
            let id = format!("call{:05}", self.made_ids);
            if !taken(&id, &self.calls) {
                return id;
            }
        }
    }

    fn target(&self, delta: &CallDelta) -> Target {
        if !delta.id.is_empty() {
            return self.target_by_id(delta);
        }
        let at = match delta.index {
            Some(_) => self.by_index(delta.index),
            None => self.calls.len().checked_sub(1),
        };
        match at {
            Some(at) => self.same_or_new(at, delta),
            None if delta.name.is_empty() => self.stray(delta),
            None => Target::New,
        }
    }

    fn target_by_id(&self, delta: &CallDelta) -> Target {
        let same = self.calls.iter().rposition(|call| {
            call.wire_id == delta.id
                && (call.index.is_none() || delta.index.is_none() || call.index == delta.index)
        });
        if let Some(at) = same {
            return self.same_or_new(at, delta);
        }
        let Some((at, call)) = self
            .by_index(delta.index)
            .and_then(|at| self.calls.get(at).map(|call| (at, call)))
        else {
            return Target::New;
        };
        let unclaimed = call.wire_id.is_empty()
            && (call.name.is_empty() || delta.name.is_empty() || call.name == delta.name);
        // Some servers make a new id for each delta.
        let drifts = delta.name.is_empty() && !call.is_complete();
        if unclaimed {
            self.same_or_new(at, delta)
        } else if drifts {
            Target::Call(at)
        } else {
            Target::New
        }
    }

    fn by_index(&self, index: Option<i64>) -> Option<usize> {
        index?;
        self.calls.iter().rposition(|call| call.index == index)
    }

    /// A delta that points at a call may still open another one: servers reuse numbers and ids.
    fn same_or_new(&self, at: usize, delta: &CallDelta) -> Target {
        let Some(call) = self.calls.get(at) else {
            return Target::New;
        };
        if delta.name.is_empty() || call.name.is_empty() {
            return Target::Call(at);
        }
        if call.name != delta.name {
            let joined = format!("{}{}", call.name, delta.name);
            let fragment = call.id.is_none() && self.tools.iter().any(|t| t.starts_with(&joined));
            return if fragment {
                Target::Call(at)
            } else {
                Target::New
            };
        }
        let new_arguments = delta.arguments.trim_start().starts_with('{')
            && call.merged.trim() != "{}"
            && call.is_complete()
            && !delta.arguments.starts_with(&call.merged)
            && !same_json(&call.merged, &delta.arguments);
        if new_arguments {
            Target::New
        } else {
            Target::Call(at)
        }
    }

    /// Arguments at a number that no call has.
    fn stray(&self, delta: &CallDelta) -> Target {
        let text = delta.arguments.trim();
        if text.is_empty() {
            return Target::Nothing;
        }
        if self.calls.is_empty() || text.starts_with('{') {
            return Target::New;
        }
        let mut open = self
            .calls
            .iter()
            .enumerate()
            .filter(|(_, call)| !call.is_complete());
        match (open.next(), open.next()) {
            (Some((at, _)), None) => Target::Call(at),
            (None, _) if text.chars().all(|c| matches!(c, '}' | ']' | '"')) => Target::Nothing,
            _ => Target::Ambiguous,
        }
    }
}

/// The first half of a text that says the same object twice.
fn once(text: &str) -> &str {
    match text.split_at_checked(text.len() / 2) {
        Some((a, b)) if a == b && repair::is_object(a) => a,
        _ => text,
    }
}

/// Whether the name is the beginning of a known tool's name and no tool's whole name.
fn is_partial(name: &str, tools: &[String]) -> bool {
    let mut longer = tools
        .iter()
        .filter(|tool| tool.starts_with(name))
        .peekable();
    longer.peek().is_some() && longer.all(|tool| tool != name)
}

fn same_json(a: &str, b: &str) -> bool {
    match (
        serde_json::from_str::<Value>(a),
        serde_json::from_str::<Value>(b),
    ) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
