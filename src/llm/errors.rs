//! What servers say when they fail, to a named error; and when a request may be sent again. Must not keep
//! a key or a whole body.

use super::json::Json;
use super::types::{ModelError, ModelErrorKind};
use super::wording;
use serde_json::Value;

/// A server's words are shown on a card: longer ones are cut.
pub const MESSAGE_CHARS_MAX: usize = 300;
/// Enough of a page to see whose it is.
pub const PAGE_CHARS_MAX: usize = 200;
/// Shorter keys are placeholders of local servers ("none", "ollama"), not secrets.
pub const KEY_CHARS_MIN: usize = 8;

/// Times that a request is sent again by itself.
pub const RETRIES_MAX: u32 = 4;
/// A server that cannot be reached is hardly ever reached a moment later, and people wait.
pub const RETRIES_UNREACHABLE_MAX: u32 = 1;
pub const RETRY_UNREACHABLE_MS: u64 = 300;
/// Loading a large model takes minutes: polled at a fixed pace.
pub const RETRIES_LOADING_MAX: u32 = 60;
pub const RETRY_LOADING_MS: u64 = 3_000;
/// First pause, doubled each time, up to the last.
pub const RETRY_FIRST_MS: u64 = 1_000;
pub const RETRY_LAST_MS: u64 = 20_000;
/// A server that asks for a longer pause is reported instead of waited for.
pub const RETRY_AFTER_MAX_MS: u64 = 60_000;

/// An HTTP answer that is not a stream of the model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reply<'a> {
    pub status: u16,
    pub content_type: &'a str,
    /// Often unreadable in browsers.
    pub retry_after: Option<&'a str>,
    pub body: &'a str,
}

/// Names an HTTP failure.
#[must_use]
pub fn from_reply(reply: &Reply, key: &str) -> ModelError {
    let body = reply.body.trim();
    let mut error = match serde_json::from_str::<Value>(body) {
        Ok(value) => {
            let said = read(&value, false).unwrap_or_else(|| Said {
                message: body.to_owned(),
                ..Said::default()
            });
            named(Some(reply.status), said)
        }
        Err(_) if is_page(body, reply.content_type) => page(reply.status, body),
        Err(_) => named(
            Some(reply.status),
            Said {
                message: body.to_owned(),
                ..Said::default()
            },
        ),
    };
    error.status = Some(reply.status);
    if let Some(seconds) = reply.retry_after.and_then(|s| s.trim().parse::<f64>().ok()) {
        error.retry_after_ms = wording::to_ms(seconds);
    }
    if error.message.is_empty() {
        error.message = format!("HTTP {}", reply.status);
    }
    error.message = redact(&error.message, key);
    error
}

/// The error inside a frame of a stream, if it holds one.
#[must_use]
pub(super) fn from_frame(frame: Json) -> Option<ModelError> {
    // Frames that have none of these are no errors, and they are nearly all.
    let tells = |(key, value): (&str, Json)| match key {
        "error" => !value.is_null(),
        "errors" | "detail" => true,
        "object" | "type" => value.as_str() == Some("error"),
        _ => false,
    };
    if frame.is_object() && !frame.items().any(tells) {
        return None;
    }
    read(&frame.to_value(), true).map(|said| named(None, said))
}

/// An answer with status 200 that is no chat answer.
#[must_use]
pub fn not_a_chat_answer(body: &str) -> ModelError {
    let value = serde_json::from_str::<Value>(body.trim()).ok();
    if let Some(said) = value.as_ref().and_then(|value| read(value, false)) {
        return named(None, said);
    }
    if value.is_some() {
        let start = shorten(body.trim(), PAGE_CHARS_MAX);
        return ModelError::new(ModelErrorKind::WrongAddress, start);
    }
    let kind = if body.trim().starts_with(['{', '[']) {
        ModelErrorKind::Malformed
    } else {
        ModelErrorKind::NotJson
    };
    ModelError::new(kind, page_text(body))
}

/// An answer that ended without a single frame; `head` is how it began.
#[must_use]
pub fn no_frames(head: &str) -> ModelError {
    let head = head.trim();
    let is_stream = [":", "data:", "event:", "id:", "retry:"]
        .iter()
        .any(|field| head.starts_with(field));
    if head.is_empty() || is_stream {
        return ModelError::new(ModelErrorKind::Cut, "the answer was empty");
    }
    ModelError::new(ModelErrorKind::NotJson, page_text(head))
}

/// The text without the key, should a server repeat it.
#[must_use]
pub fn redact(text: &str, key: &str) -> String {
    let key = key.trim();
    if key.chars().count() < KEY_CHARS_MIN {
        return text.to_owned();
    }
    text.replace(key, "•••")
}

/// Milliseconds to wait before the request is sent again, or `None` if it must not be.
/// `attempt` counts from 0; `jitter` is a number from 0 to 1. Ask only while nothing of the answer was
/// shown or acted on.
#[must_use]
pub fn retry_delay_ms(error: &ModelError, attempt: u32, jitter: f64) -> Option<u64> {
    if !error.is_transient() {
        return None;
    }
    let (times, base) = match error.kind {
        ModelErrorKind::Unreachable => (RETRIES_UNREACHABLE_MAX, RETRY_UNREACHABLE_MS),
        ModelErrorKind::Loading => (RETRIES_LOADING_MAX, RETRY_LOADING_MS),
        _ => {
            let doubled = RETRY_FIRST_MS.saturating_mul(1 << attempt.min(16));
            (RETRIES_MAX, doubled.min(RETRY_LAST_MS))
        }
    };
    if attempt >= times {
        return None;
    }
    if let Some(asked) = error.retry_after_ms {
        return (asked <= RETRY_AFTER_MAX_MS).then(|| asked.max(base));
    }
    let jitter = if jitter.is_finite() {
        jitter.clamp(0.0, 1.0)
    } else {
        0.5
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 1000"
    )]
    let thousandths = (jitter * 1000.0) as u64;
    Some(base / 2 + base / 2 * thousandths / 1000)
}

/// What a server said, whatever the shape it said it in.
#[derive(Debug, Default)]
struct Said {
    message: String,
    /// Code, type and parameter: words for the classifier.
    code: String,
    status: Option<u16>,
    retry_after_ms: Option<u64>,
}

/// Reads an error. With `strict`, only shapes that cannot be part of an answer.
fn read(value: &Value, strict: bool) -> Option<Said> {
    let value = match value {
        Value::Array(list) => list.first()?,
        value => value,
    };
    match value.get("error") {
        Some(Value::String(text)) if !text.is_empty() => {
            let mut said = read_object(value);
            said.message.clone_from(text);
            return Some(said);
        }
        Some(error @ Value::Object(object)) if !object.is_empty() => {
            return Some(read_object(error));
        }
        _ => {}
    }
    let is_error = |key: &str| value.get(key).and_then(Value::as_str) == Some("error");
    if is_error("object") || is_error("type") {
        return Some(read_object(value));
    }
    if value.get("choices").is_some() {
        return None;
    }
    let listed = || value.get("errors")?.as_array()?.first();
    let told = ["detail", "message"]
        .iter()
        .any(|key| value.get(*key).is_some());
    match listed() {
        Some(error) => Some(read_object(error)),
        None if told && !strict => Some(read_object(value)),
        None if value.get("detail").is_some() => Some(read_object(value)),
        None => None,
    }
}

fn read_object(object: &Value) -> Said {
    let text = |key: &str| match object.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let mut message = text("message");
    match object.get("detail") {
        Some(Value::String(detail)) if message.is_empty() => message.clone_from(detail),
        // FastAPI: [{"loc":["body","name"],"msg":…}]
        Some(Value::Array(list)) => {
            for item in list.iter().take(3) {
                let place = item.get("loc").map(Value::to_string).unwrap_or_default();
                let told = item.get("msg").and_then(Value::as_str).unwrap_or_default();
                message = format!("{message} {told} {place}").trim().to_owned();
            }
        }
        _ => {}
    }
    let raw = object.get("metadata").and_then(|meta| meta.get("raw"));
    if let Some(raw) = raw.and_then(Value::as_str) {
        message = format!("{message}: {raw}");
    }
    let param = text("param");
    if !param.is_empty() && !message.contains(&param) {
        message = format!("{message} ({param})");
    }
    let code = object.get("code").or_else(|| object.get("status"));
    let status = code.and_then(|code| match code {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    });
    let details = object.get("details").and_then(Value::as_array);
    let delay = details
        .into_iter()
        .flatten()
        .find_map(|detail| detail.get("retryDelay")?.as_str());
    Said {
        code: format!("{} {} {}", text("code"), text("type"), text("status")),
        status: status
            .and_then(|status| u16::try_from(status).ok())
            .filter(|status| (300..600).contains(status)),
        retry_after_ms: delay.and_then(wording::duration_ms),
        message,
    }
}

fn named(status: Option<u16>, said: Said) -> ModelError {
    let status = status.filter(|status| *status >= 300).or(said.status);
    let words = format!("{} {}", said.message, said.code).to_lowercase();
    let retry_after_ms = said
        .retry_after_ms
        .or_else(|| wording::asked_wait_ms(&words));
    let mut message = shorten(said.message.trim(), MESSAGE_CHARS_MAX);
    if message.is_empty() {
        message = shorten(said.code.trim(), MESSAGE_CHARS_MAX);
    }
    ModelError {
        kind: wording::kind(status, &words, retry_after_ms.is_some()),
        message,
        status,
        retry_after_ms,
        models: Vec::new(),
    }
}

fn is_page(body: &str, content_type: &str) -> bool {
    content_type.contains("html") || body.starts_with('<')
}

fn page(status: u16, body: &str) -> ModelError {
    let kind = match status {
        401 | 407 => ModelErrorKind::Unauthorised,
        403 => ModelErrorKind::Forbidden,
        404 | 405 => ModelErrorKind::WrongAddress,
        413 => ModelErrorKind::ContextTooLong,
        429 => ModelErrorKind::RateLimited,
        300..=399 => ModelErrorKind::Redirected,
        500.. => ModelErrorKind::Server,
        _ => ModelErrorKind::NotJson,
    };
    ModelError::new(kind, page_text(body))
}

/// The words of a page: tags, styles and scripts left out.
fn page_text(body: &str) -> String {
    let mut out = String::new();
    let mut rest = body;
    while let Some((text, after)) = rest.split_once('<') {
        out.push_str(text);
        out.push(' ');
        let lower = after.get(..6).unwrap_or_default().to_ascii_lowercase();
        let skipped = ["script", "style"]
            .iter()
            .find(|tag| lower.starts_with(**tag));
        let after = match skipped {
            Some(tag) => after
                .split_once(&format!("</{tag}"))
                .map_or("", |(_, rest)| rest),
            None => after,
        };
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
        if out.len() > PAGE_CHARS_MAX * 8 {
            break;
        }
    }
    out.push_str(rest);
    let words: Vec<_> = out.split_whitespace().collect();
    shorten(&words.join(" "), PAGE_CHARS_MAX)
}

fn shorten(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
