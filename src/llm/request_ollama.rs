//! A neutral request to the body of Ollama's own chat: arguments are objects, results are named by their
//! tool, thinking goes back in tool loops. Never sees a key.

use super::anthropic::THINKING;
use super::assemble::estimate_tokens;
use super::quirks::{Echo, Quirks};
use super::request::{IdForm, Step, openai_tool, steps, text, wire_arguments, wire_name};
use super::types::ModelRequest;
use crate::transcript::{Part, ToolCall};
use serde_json::{Map, Value, json};

/// Window that is asked for at least. The server's own default is smaller and cuts the schema off unsaid.
pub const CONTEXT_TOKENS_MIN: u64 = 8_192;
/// Beyond it the window alone fills the memory of most machines.
pub const CONTEXT_TOKENS_MAX: u64 = 65_536;
/// Left for the answer.
const ANSWER_TOKENS: u64 = 2_048;

/// Builds the body.
#[must_use]
pub fn body(request: &ModelRequest, model: &str, quirks: &Quirks) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), model.trim().into());
    let messages = Value::Array(messages(request, quirks));
    let mut words = estimate_tokens(&messages.to_string());
    body.insert("messages".into(), messages);
    if !request.tools.is_empty() {
        let tools = Value::Array(request.tools.iter().map(openai_tool).collect());
        words += estimate_tokens(&tools.to_string());
        body.insert("tools".into(), tools);
    }
    body.insert("stream".into(), true.into());
    let mut options = Map::new();
    if quirks.takes("num_ctx") {
        let answer = request.max_output_tokens.map_or(ANSWER_TOKENS, u64::from);
        // Powers of two: the server loads the model again whenever the window changes.
        let window = words.saturating_add(answer).checked_next_power_of_two();
        let window = window.unwrap_or(CONTEXT_TOKENS_MAX);
        let window = window.clamp(CONTEXT_TOKENS_MIN, CONTEXT_TOKENS_MAX);
        options.insert("num_ctx".into(), window.into());
    }
    if let Some(tokens) = request.max_output_tokens {
        options.insert("num_predict".into(), tokens.into());
    }
    if !options.is_empty() {
        body.insert("options".into(), Value::Object(options));
    }
    Value::Object(body)
}

fn messages(request: &ModelRequest, quirks: &Quirks) -> Vec<Value> {
    let mut out = Vec::new();
    if !request.system.is_empty() {
        out.push(json!({"role": "system", "content": request.system}));
    }
    for step in steps(&request.messages, IdForm::Any) {
        match step {
            Step::User(words) => out.push(json!({"role": "user", "content": words})),
            Step::Assistant { parts, calls } => {
                out.push(assistant(parts, &calls, quirks));
                out.extend(calls.iter().map(|(_, call, result)| {
                    let name = wire_name(&call.name);
                    json!({"role": "tool", "tool_name": name, "content": result})
                }));
            }
        }
    }
    out
}

fn assistant(parts: &[Part], calls: &[(String, &ToolCall, &str)], quirks: &Quirks) -> Value {
    let mut message = Map::new();
    message.insert("role".into(), "assistant".into());
    message.insert("content".into(), text(parts).into());
    if calls.is_empty() {
        return Value::Object(message);
    }
    let thinking = parts.iter().find_map(|part| match part {
        Part::Opaque(opaque) if opaque.field == THINKING => opaque.data.as_str(),
        _ => None,
    });
    if let Some(thinking) = thinking.filter(|_| quirks.echo != Echo::Never) {
        message.insert("thinking".into(), thinking.into());
    }
    let calls = calls.iter().map(|(_, call, _)| {
        let arguments: Value = serde_json::from_str(&wire_arguments(call)).unwrap_or_default();
        json!({"function": {"name": wire_name(&call.name), "arguments": arguments}})
    });
    message.insert("tool_calls".into(), calls.collect());
    Value::Object(message)
}
