//! What must hold for every body that leaves the browser, whatever led to it. Tests check it on each
//! request; must not depend on how a body is built.

use super::errors::KEY_CHARS_MIN;
use serde_json::Value;
use std::collections::BTreeSet;

/// The largest body that is sent: 4 MiB, far above any context window that a result cap leaves room for.
pub const BODY_BYTES_MAX: usize = 4 << 20;

/// Checks a body in the words of chat completions, Anthropic messages or Ollama chat.
///
/// # Errors
/// The first rule that is broken, in words.
pub fn check_invariants(body: &str, key: &str) -> Result<(), String> {
    let key = key.trim();
    if key.chars().count() >= KEY_CHARS_MIN && body.contains(key) {
        return Err("the key is in the body".to_owned());
    }
    if body.len() > BODY_BYTES_MAX {
        return Err(format!("the body has {} bytes", body.len()));
    }
    let value: Value = serde_json::from_str(body).map_err(|e| format!("no JSON: {e}"))?;
    if value.get("tool_choice").is_some() {
        return Err("tool_choice is forced".to_owned());
    }
    if value.get("model").and_then(Value::as_str).is_none() {
        return Err("no model".to_owned());
    }
    check_tools(&value)?;
    let messages = value
        .get("messages")
        .and_then(Value::as_array)
        .ok_or("no messages")?;
    let mut seen = BTreeSet::new();
    let mut open: Vec<String> = Vec::new();
    for message in messages {
        let results = results(message);
        if results.is_empty() && !open.is_empty() {
            return Err(format!("calls without a result: {open:?}"));
        }
        for id in results {
            if open.first() != Some(&id) {
                return Err(format!("result {id:?} where {open:?} are open"));
            }
            open.remove(0);
        }
        for (id, arguments_ok) in calls(message) {
            if !arguments_ok {
                return Err(format!("arguments of {id:?} are no JSON object"));
            }
            // Ollama's own calls have no ids: they pair by order.
            if !id.starts_with("name:") && !seen.insert(id.clone()) {
                return Err(format!("id {id:?} twice"));
            }
            open.push(id);
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err(format!("calls without a result: {open:?}"))
    }
}

fn check_tools(body: &Value) -> Result<(), String> {
    let tools = body.get("tools").and_then(Value::as_array);
    for tool in tools.into_iter().flatten() {
        let schema = tool
            .pointer("/function/parameters")
            .or_else(|| tool.get("input_schema"));
        let properties = schema.and_then(|schema| schema.get("properties"));
        if !properties.is_some_and(Value::is_object) {
            return Err("a tool without an object of properties".to_owned());
        }
    }
    Ok(())
}

fn str_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn blocks<'a>(message: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    let blocks = message.get("content").and_then(Value::as_array);
    blocks
        .into_iter()
        .flatten()
        .filter(move |block| str_of(block, "type") == kind)
}

fn results(message: &Value) -> Vec<String> {
    if str_of(message, "role") == "tool" {
        let id = str_of(message, "tool_call_id");
        return vec![if id.is_empty() {
            format!("name:{}", str_of(message, "tool_name"))
        } else {
            id.to_owned()
        }];
    }
    blocks(message, "tool_result")
        .map(|block| str_of(block, "tool_use_id").to_owned())
        .collect()
}

fn calls(message: &Value) -> Vec<(String, bool)> {
    let wire = message.get("tool_calls").and_then(Value::as_array);
    let mut calls: Vec<_> = wire
        .into_iter()
        .flatten()
        .map(|call| {
            let ok = match call.pointer("/function/arguments") {
                Some(Value::String(text)) => super::repair::is_object(text),
                Some(value) => value.is_object(),
                None => false,
            };
            let id = match str_of(call, "id") {
                "" => {
                    let name = call.pointer("/function/name").and_then(Value::as_str);
                    format!("name:{}", name.unwrap_or_default())
                }
                id => id.to_owned(),
            };
            (id, ok)
        })
        .collect();
    calls.extend(blocks(message, "tool_use").map(|block| {
        let ok = block.get("input").is_some_and(Value::is_object);
        (str_of(block, "id").to_owned(), ok)
    }));
    calls
}
