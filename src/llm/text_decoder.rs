//! Events of a reply whose calls stand in its text. The text is held until the reply is whole, since only
//! then it is known what of it is a call.

use super::fallback::Protocol;
use super::family::Decoder;
use super::text_calls;
use super::types::{FinishReason, ModelRequest, StreamEvent, ToolSpec};
use crate::transcript::{Message, Part};

/// Nine letters and digits: the one form of an id that every server accepts.
const CALL_ID: &str = "text00001";

#[derive(Debug)]
pub struct TextDecoder {
    wire: Decoder,
    protocol: Protocol,
    tools: Vec<ToolSpec>,
    /// Statements called for since the person last spoke.
    proposed: Vec<String>,
    text: String,
    has_call: bool,
}

impl TextDecoder {
    #[must_use]
    pub fn new(wire: Decoder, protocol: Protocol, request: &ModelRequest) -> Self {
        Self {
            wire,
            protocol,
            tools: request.tools.clone(),
            proposed: proposed(&request.messages),
            text: String::new(),
            has_call: false,
        }
    }

    #[must_use]
    pub fn is_done(&self) -> bool {
        self.wire.is_done()
    }

    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.wire.is_settled()
    }

    pub fn feed(&mut self, bytes: &[u8]) -> Vec<StreamEvent> {
        let events = self.wire.feed(bytes);
        self.take(events)
    }

    pub fn finish(&mut self) -> Vec<StreamEvent> {
        let events = self.wire.finish();
        self.take(events)
    }

    fn take(&mut self, events: Vec<StreamEvent>) -> Vec<StreamEvent> {
        let mut out = Vec::new();
        for event in events {
            match event {
                StreamEvent::Text(text) => self.text.push_str(&text),
                StreamEvent::TextWasReasoning => {
                    let text = std::mem::take(&mut self.text);
                    out.push(StreamEvent::Reasoning(text));
                }
                StreamEvent::ToolStart { .. } => {
                    self.has_call = true;
                    out.push(event);
                }
                StreamEvent::Finish(reason) => self.end(reason, &mut out),
                StreamEvent::Truncated | StreamEvent::Error(_) => {
                    self.say(&mut out);
                    out.push(event);
                }
                other => out.push(other),
            }
        }
        out
    }

    fn say(&mut self, out: &mut Vec<StreamEvent>) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            out.push(StreamEvent::Text(text));
        }
    }

    fn end(&mut self, reason: FinishReason, out: &mut Vec<StreamEvent>) {
        let whole = matches!(reason, FinishReason::Stop | FinishReason::Other);
        if self.has_call || !whole {
            self.say(out);
            return out.push(StreamEvent::Finish(reason));
        }
        let reading = text_calls::read(&self.text, self.protocol, &self.tools, &self.proposed);
        self.text = reading.text;
        self.say(out);
        let Some((name, json)) = reading.call else {
            return out.push(StreamEvent::Finish(reason));
        };
        out.push(StreamEvent::ToolStart {
            slot: 0,
            id: CALL_ID.to_owned(),
            name,
        });
        out.push(StreamEvent::ToolArguments {
            slot: 0,
            text: json.clone(),
        });
        out.push(StreamEvent::ToolEnd {
            slot: 0,
            json,
            malformed: false,
        });
        out.push(StreamEvent::Finish(FinishReason::Tools));
    }
}

fn proposed(messages: &[Message]) -> Vec<String> {
    let since = messages
        .iter()
        .rposition(|message| matches!(message, Message::User { .. }))
        .unwrap_or(0);
    let mut found = Vec::new();
    for message in messages.iter().skip(since) {
        let Message::Assistant { parts } = message else {
            continue;
        };
        for part in parts {
            if let Part::Call(call) = part
                && let Ok(arguments) = serde_json::from_str::<serde_json::Value>(&call.arguments)
                && let Some(sql) = arguments.get("sql").and_then(|sql| sql.as_str())
            {
                found.push(sql.to_owned());
            }
        }
    }
    found
}
