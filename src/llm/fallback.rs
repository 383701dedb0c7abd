//! Tools for servers and models that take none: a request that asks for calls in words, and what the
//! history looks like in these words. Must not know a wire family; `text_calls` reads the replies.

use super::types::{ModelRequest, ToolSpec};
use crate::transcript::{Message, Part, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write;

/// How calls travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Protocol {
    /// As the wire family has them.
    #[default]
    Tools,
    /// The reply is one JSON object.
    Json,
    /// Calls stand in tags inside the text.
    Tagged,
}

const JSON: &str = "\n\nHow to use tools\n\
    There is no tool interface here. Reply with one JSON object and nothing else, either\n\
    {\"tool\": \"<name>\", \"arguments\": {…}} to use one tool, or\n\
    {\"answer\": \"<text>\"} to answer. The result of a tool comes in the next message.\n";

const TAGGED: &str = "\n\nHow to use tools\n\
    There is no tool interface here. To use one tool, end your reply with\n\
    <tool name=\"<name>\">\n<argument>value</argument>\n</tool>\n\
    with one tag for each argument, named like it; lists and objects are written as JSON inside their tag. \
    A reply without such a block is your answer. The result of a tool comes in the next message.\n";

/// The request without tools, with their use explained in words.
#[must_use]
pub fn shape(request: &ModelRequest, protocol: Protocol) -> ModelRequest {
    let mut system = request.system.clone();
    match protocol {
        Protocol::Tools => return request.clone(),
        Protocol::Json => system.push_str(JSON),
        Protocol::Tagged => system.push_str(TAGGED),
    }
    system.push_str("Tools:\n");
    for ToolSpec {
        name,
        description,
        parameters,
    } in &request.tools
    {
        let _ = writeln!(system, "- {name}: {description} Arguments: {parameters}");
    }
    ModelRequest {
        system,
        messages: messages(&request.messages, protocol),
        tools: Vec::new(),
        max_output_tokens: request.max_output_tokens,
    }
}

fn messages(messages: &[Message], protocol: Protocol) -> Vec<Message> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    let mut out = Vec::new();
    for message in messages {
        out.push(match message {
            Message::Assistant { parts } => {
                let mut text = String::new();
                for part in parts {
                    match part {
                        Part::Text(words) if protocol == Protocol::Tagged => text.push_str(words),
                        Part::Call(call) => {
                            names.push((&call.id.0, &call.name));
                            text.push_str(&call_text(call, protocol));
                        }
                        Part::Text(_) | Part::Reasoning(_) | Part::Opaque(_) => {}
                    }
                }
                let words = super::request::text(parts);
                if text.is_empty() && !words.trim().is_empty() {
                    text = json!({"answer": words}).to_string();
                }
                Message::Assistant {
                    parts: vec![Part::Text(text)],
                }
            }
            Message::Tool(result) => {
                let of = names.iter().rev().find(|(id, _)| *id == result.call.0);
                let name = of.map_or("the tool", |(_, name)| name);
                Message::Notice {
                    text: format!("Result of {name}:\n{}", result.text),
                }
            }
            other => other.clone(),
        });
    }
    out
}

fn call_text(call: &ToolCall, protocol: Protocol) -> String {
    let arguments: Value =
        serde_json::from_str(&super::request::wire_arguments(call)).unwrap_or_default();
    if protocol != Protocol::Tagged {
        return json!({"tool": call.name, "arguments": arguments}).to_string() + "\n";
    }
    let mut text = format!("\n<tool name=\"{}\">\n", call.name);
    for (key, value) in arguments.as_object().into_iter().flatten() {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let _ = writeln!(text, "<{key}>{value}</{key}>");
    }
    text.push_str("</tool>\n");
    text
}
