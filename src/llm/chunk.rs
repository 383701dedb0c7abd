//! Reads the parts of a chat-completion chunk: usage, reasons, call deltas, reasoning details. Keeps no state.

use super::calls::CallDelta;
use super::json::Json;
use super::types::{FinishReason, Usage};
use serde_json::{Map, Value};

/// Gemini marks thoughts that it sends as content.
#[must_use]
pub fn is_thought(delta: Json) -> bool {
    let google = delta
        .get("extra_content")
        .and_then(|extra| extra.get("google"));
    google
        .and_then(|google| google.get("thought"))
        .is_some_and(Json::is_true)
}

#[must_use]
pub fn finish_reason(reason: &str) -> FinishReason {
    match reason {
        "stop" | "eos" | "end_turn" | "stop_sequence" | "STOP" => FinishReason::Stop,
        "length" | "max_tokens" | "MAX_TOKENS" | "model_length" => FinishReason::Length,
        "tool_calls" | "function_call" | "tool_use" => FinishReason::Tools,
        "content_filter" | "SAFETY" | "sensitive" | "refusal" => FinishReason::Filter,
        _ => FinishReason::Other,
    }
}

#[must_use]
pub fn call_delta(call: Json) -> CallDelta {
    // Some servers put the name and the arguments beside the id.
    let function = call
        .get("function")
        .filter(|f| f.is_object())
        .unwrap_or(call);
    let arguments = function.get("arguments").filter(|a| !a.is_null());
    CallDelta {
        index: call.get("index").and_then(Json::as_i64),
        id: call.text("id").to_owned(),
        name: function.text("name").to_owned(),
        arguments: arguments.map_or_else(String::new, |arguments| match arguments.as_str() {
            Some(text) => text.to_owned(),
            None => arguments.to_value().to_string(),
        }),
        extra: call
            .get("extra_content")
            .filter(|v| !v.is_null())
            .map(Json::to_value),
    }
}

/// Fragments of one detail share type, number and id; their texts are joined.
pub fn merge_detail(details: &mut Vec<Value>, fragment: Value) {
    let Some(new) = fragment.as_object() else {
        return details.push(fragment);
    };
    let same = |old: &Map<String, Value>| {
        let ids = (old.get("id"), new.get("id"));
        let one_id = match ids {
            (Some(Value::String(a)), Some(Value::String(b))) => a == b,
            _ => true,
        };
        one_id && old.get("type") == new.get("type") && old.get("index") == new.get("index")
    };
    let old = details
        .iter_mut()
        .rev()
        .filter_map(Value::as_object_mut)
        .find(|old| same(old));
    let Some(old) = old else {
        return details.push(fragment);
    };
    for (key, value) in new {
        let joined = matches!(key.as_str(), "text" | "summary" | "data");
        match (old.get_mut(key), value) {
            (Some(Value::String(text)), Value::String(more)) if joined => text.push_str(more),
            (_, Value::Null) => {}
            _ => {
                old.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Reads the usage of any of the servers; `None` where it has no counts.
#[must_use]
pub fn usage(value: Json) -> Option<Usage> {
    let count = |path: &[&str]| {
        path.iter()
            .try_fold(value, |at, key| at.get(key))
            .and_then(Json::as_u64)
    };
    let input = count(&["prompt_tokens"]).or_else(|| count(&["input_tokens"]));
    let output = count(&["completion_tokens"]).or_else(|| count(&["output_tokens"]));
    if input.is_none() && output.is_none() {
        return None;
    }
    Some(Usage {
        input: input.unwrap_or(0),
        output: output.unwrap_or(0),
        cached: count(&["prompt_tokens_details", "cached_tokens"])
            .or_else(|| count(&["prompt_cache_hit_tokens"]))
            .or_else(|| count(&["cached_tokens"]))
            .unwrap_or(0),
        reasoning: count(&["completion_tokens_details", "reasoning_tokens"]).unwrap_or(0),
        estimated: false,
    })
}
