//! A neutral request to the body of Anthropic messages: results stand first in the user message behind
//! their calls, thinking goes back as it came. Never sees a key.

use super::anthropic::THINKING;
use super::quirks::{Echo, Quirks};
use super::request::{IdForm, Step, schema, steps, wire_arguments, wire_name};
use super::types::{ModelRequest, ToolSpec};
use crate::transcript::{Part, ToolCall};
use serde_json::{Map, Value, json};

/// The server wants a cap; an answer with a query is far below it.
pub const OUTPUT_TOKENS: u32 = 8_192;
/// Stands where the first message is not the person's, which the server refuses.
const OPENING: &str = "(earlier messages are left out)";

/// Builds the body.
#[must_use]
pub fn body(request: &ModelRequest, model: &str, quirks: &Quirks) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), model.trim().into());
    let tokens = request.max_output_tokens.unwrap_or(OUTPUT_TOKENS);
    body.insert("max_tokens".into(), tokens.into());
    if !request.system.trim().is_empty() {
        body.insert("system".into(), request.system.as_str().into());
    }
    body.insert("messages".into(), Value::Array(messages(request, quirks)));
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(tool).collect();
        body.insert("tools".into(), Value::Array(tools));
    }
    body.insert("stream".into(), true.into());
    Value::Object(body)
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": schema(&tool.parameters),
    })
}

fn messages(request: &ModelRequest, quirks: &Quirks) -> Vec<Value> {
    let mut out = Vec::new();
    let mut user: Vec<Value> = Vec::new();
    for step in steps(&request.messages, IdForm::Word) {
        match step {
            Step::User(words) => user.push(json!({"type": "text", "text": words})),
            Step::Assistant { parts, calls } => {
                if out.is_empty() && user.is_empty() {
                    user.push(json!({"type": "text", "text": OPENING}));
                }
                flush(&mut user, &mut out);
                let content = assistant(parts, &calls, quirks);
                out.push(json!({"role": "assistant", "content": content}));
                user.extend(calls.iter().map(|(id, _, result)| {
                    json!({"type": "tool_result", "tool_use_id": id, "content": result})
                }));
            }
        }
    }
    flush(&mut user, &mut out);
    out
}

fn flush(user: &mut Vec<Value>, out: &mut Vec<Value>) {
    if !user.is_empty() {
        out.push(json!({"role": "user", "content": std::mem::take(user)}));
    }
}

fn assistant(parts: &[Part], calls: &[(String, &ToolCall, &str)], quirks: &Quirks) -> Vec<Value> {
    let mut content = Vec::new();
    let mut calls_left = calls.iter();
    for part in parts {
        match part {
            Part::Text(text) if !text.trim().is_empty() => {
                content.push(json!({"type": "text", "text": text}));
            }
            // Outside of a tool loop the server drops it anyway.
            Part::Opaque(opaque)
                if !calls.is_empty()
                    && opaque.field == THINKING
                    && opaque.data.is_object()
                    && quirks.echo != Echo::Never =>
            {
                content.push(opaque.data.clone());
            }
            Part::Call(_) => {
                if let Some((id, call, _)) = calls_left.next() {
                    let input: Value =
                        serde_json::from_str(&wire_arguments(call)).unwrap_or_default();
                    content.push(json!({
                        "type": "tool_use",
                        "id": id,
                        "name": wire_name(&call.name),
                        "input": input,
                    }));
                }
            }
            Part::Text(_) | Part::Reasoning(_) | Part::Opaque(_) => {}
        }
    }
    content
}
