//! Reading arguments: lenient in form, strict in meaning, and every problem in words that a model can act on.

use crate::transcript::ToolCall;
use serde_json::{Map, Value};

pub fn object(call: &ToolCall) -> Result<Map<String, Value>, String> {
    let text = call.arguments.trim();
    if text.is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(map)) => Ok(map),
        // Some models send the object as a JSON string.
        Ok(Value::String(inner)) => match serde_json::from_str::<Value>(&inner) {
            Ok(Value::Object(map)) => Ok(map),
            _ => Err("the arguments are a string, not an object".to_owned()),
        },
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err("the arguments are not an object".to_owned()),
        Err(error) => Err(format!("the arguments are not valid JSON ({error})")),
    }
}

/// The text under `key`, trimmed; empty where it is missing or of another type.
pub fn text(args: &Map<String, Value>, key: &str) -> String {
    match args.get(key) {
        Some(Value::String(s)) => s.trim().to_owned(),
        Some(Value::Array(lines)) => lines
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join("\n"),
        Some(Value::Number(n)) => n.to_string(),
        _ => String::new(),
    }
}

/// Texts under `key`: a list, or one text with commas.
pub fn texts(args: &Map<String, Value>, key: &str) -> Vec<String> {
    let split = |s: &str| {
        s.split(',')
            .map(|p| p.trim().to_owned())
            .filter(|p| !p.is_empty())
            .collect::<Vec<_>>()
    };
    match args.get(key) {
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(Value::as_str)
            .map(|s| s.trim().to_owned())
            .filter(|s| !s.is_empty())
            .collect(),
        Some(Value::String(s)) => match serde_json::from_str::<Vec<String>>(s) {
            Ok(list) => list,
            Err(_) => split(s),
        },
        _ => Vec::new(),
    }
}
