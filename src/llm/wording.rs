//! The many wordings of the same few failures. Order matters: throttling talks about tokens too, and is
//! looked for before a context that is too long. Keeps no state.

use super::types::ModelErrorKind;

const THROTTLED: &[&str] = &[
    "rate limit",
    "rate_limit",
    "rate-limit",
    "ratelimit",
    "too many requests",
    "too_many_requests",
    "tokens per min",
    "requests per min",
    "per minute",
    "per day",
    "throttl",
    "slow down",
    "resource_exhausted",
    "resource has been exhausted",
    "too many concurrent",
    "max concurrency",
    "请求过于频繁",
    "速率限制",
    "限流",
];

const NO_CREDIT: &[&str] = &[
    "insufficient_quota",
    "insufficient quota",
    "exceeded your current quota",
    "insufficient balance",
    "insufficient_balance",
    "insufficient credit",
    "credit balance",
    "out of credits",
    "more credits",
    "no credits",
    "payment required",
    "billing",
    "arrearage",
    "余额不足",
    "欠费",
];

const TOO_LONG: &[&str] = &[
    "context length",
    "context_length",
    "context window",
    "context_window",
    "context size",
    "context_size",
    "maximum context",
    "max context",
    "context limit",
    "available context",
    "prompt is too long",
    "prompt too long",
    "prompt_too_long",
    "input is too long",
    "input too long",
    "inputs too long",
    "request too large",
    "request_too_large",
    "too many tokens",
    "too many input tokens",
    "token limit",
    "tokens limit",
    "max_prompt_tokens",
    "maximum prompt length",
    "maximum allowed length",
    "maximum number of tokens",
    "maximum input length",
    "maximum number of input tokens",
    "input token count",
    "input length",
    "number of tokens in the input",
    "reduce the length",
    "reduce your prompt",
    "reduce your input",
    "exceeds the limit of",
    "exceeds the model",
    "exceed_context",
    "longer than the model",
    "n_ctx",
    "n_keep",
    "payload too large",
    "entity too large",
    "上下文长度",
    "超出最大长度",
    "输入长度",
    "tokens超",
];

const FILTERED: &[&str] = &[
    "content_filter",
    "content filter",
    "content management policy",
    "content_policy",
    "content policy",
    "responsibleai",
    "safety system",
    "blocked by safety",
    "moderation",
    "data_inspection_failed",
    "datainspectionfailed",
    "inappropriate content",
    "content was flagged",
    "input was flagged",
    "prompt was flagged",
    "high risk",
    "敏感",
];

const LOADING: &[&str] = &[
    "loading model",
    "model is loading",
    "currently loading",
    "still loading",
    "being loaded",
    "model is not ready",
    "warming up",
    "starting up",
    "cold start",
];

const OVERLOADED: &[&str] = &[
    "overload",
    "over capacity",
    "at capacity",
    "no capacity",
    "capacity exceeded",
    "server is busy",
    "server busy",
    "high demand",
    "try again later",
    "temporarily unavailable",
    "currently unavailable",
    "no available",
    "繁忙",
];

const NO_TOOLS: &[&str] = &[
    "not support tools",
    "not support tool",
    "support tool use",
    "support tool calling",
    "tool use is not supported",
    "tool_use is not supported",
    "tool calling is not supported",
    "tool calls are not supported",
    "tools is not supported",
    "tools are not supported",
    "`tools` is not supported",
    "not support function",
    "function calling is not",
    "functions are not supported",
    "enable-auto-tool-choice",
    "--jinja",
    "tool choice requires",
    "tools param requires",
    "unsupported parameter: 'tools'",
    "unrecognized request argument supplied: tools",
    "unknown parameter: 'tools'",
    "unknown field `tools`",
];

const BAD_PARAMETER: &[&str] = &[
    "unsupported parameter",
    "unsupported_parameter",
    "unknown parameter",
    "unknown_parameter",
    "unrecognized request argument",
    "unrecognized parameter",
    "unrecognized_",
    "unsupported value",
    "extra fields not permitted",
    "extra inputs are not permitted",
    "extra_forbidden",
    "additional propert",
    "unknown field",
    "unknown name",
    "unexpected keyword",
    "unexpected field",
    "is unsupported",
    "unsupported for",
    "invalid parameter",
];

const BAD_KEY: &[&str] = &[
    "api key",
    "api_key",
    "apikey",
    "api-key",
    "authentication",
    "unauthorized",
    "unauthenticated",
    "invalid token",
    "invalid x-api-key",
    "auth credentials",
    "access token",
    "令牌",
];

const NO_MODEL: &[&str] = &[
    "model_not_found",
    "modelnotfound",
    "model not found",
    "model not exist",
    "no such model",
    "unknown model",
    "invalid model",
    "not a valid model",
    "no models loaded",
    "try pulling it",
    "deploymentnotfound",
    "unknown_model",
    "模型不存在",
];

const WRONG_ADDRESS: &[&str] = &[
    "unexpected endpoint",
    "unknown endpoint",
    "invalid url",
    "unknown request url",
    "no route",
    "path not found",
    "route not found",
    "method not allowed",
];

/// The kind of a failure. `status` is `None` for an error inside a stream; `words` are in lower case.
#[must_use]
pub fn kind(status: Option<u16>, words: &str, asks_to_wait: bool) -> ModelErrorKind {
    use ModelErrorKind as K;
    let says = |list: &[&str]| list.iter().any(|phrase| words.contains(phrase));
    let is = |statuses: &[u16]| status.is_some_and(|status| statuses.contains(&status));
    if is(&[413]) {
        return K::ContextTooLong;
    }
    if says(NO_CREDIT) && !asks_to_wait || is(&[402]) {
        return K::QuotaExceeded;
    }
    if is(&[429]) || says(THROTTLED) {
        return K::RateLimited;
    }
    if status.is_some_and(|status| (300..400).contains(&status)) {
        return K::Redirected;
    }
    if is(&[401]) {
        return K::Unauthorised;
    }
    if says(NO_TOOLS) {
        return K::NoTools;
    }
    if says(TOO_LONG) {
        return K::ContextTooLong;
    }
    if says(FILTERED) {
        return K::ContentFiltered;
    }
    if says(LOADING) || is(&[503]) && words.contains("loading") {
        return K::Loading;
    }
    if is(&[503, 529]) || says(OVERLOADED) {
        return K::Overloaded;
    }
    if status.is_some_and(|status| status >= 500) {
        return K::Server;
    }
    refused(status, words)
}

/// The request reached the server and was not taken.
fn refused(status: Option<u16>, words: &str) -> ModelErrorKind {
    use ModelErrorKind as K;
    let says = |list: &[&str]| list.iter().any(|phrase| words.contains(phrase));
    let missing = words.contains("model")
        && [
            "does not exist",
            "not found",
            "not exist",
            "do not have access",
        ]
        .iter()
        .any(|phrase| words.contains(phrase));
    if says(BAD_PARAMETER) {
        return K::BadParameter;
    }
    if says(NO_MODEL) || missing {
        return K::ModelNotFound;
    }
    if says(WRONG_ADDRESS) {
        return K::WrongAddress;
    }
    if says(BAD_KEY) {
        return if status == Some(403) {
            K::Forbidden
        } else {
            K::Unauthorised
        };
    }
    match status {
        Some(403) => K::Forbidden,
        Some(404 | 405) => K::WrongAddress,
        Some(408) => K::Cut,
        Some(400..500) => K::BadRequest,
        _ if words.contains("invalid_request") || words.contains("bad request") => K::BadRequest,
        _ => K::Server,
    }
}

/// The pause that a message asks for: "try again in 6m0s", "retry in 34.07s".
#[must_use]
pub fn asked_wait_ms(words: &str) -> Option<u64> {
    ["again in ", "retry in ", "retry after ", "wait "]
        .iter()
        .find_map(|phrase| duration_ms(words.split_once(phrase)?.1))
}

/// Reads `34s`, `1.5s`, `200ms`, `6m0s`, `2 seconds`, `1 minute`.
#[must_use]
pub fn duration_ms(text: &str) -> Option<u64> {
    let mut rest = text.trim_start();
    let mut seconds = 0.0;
    let mut found = false;
    loop {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let Ok(number) = number.trim_end_matches('.').parse::<f64>() else {
            break;
        };
        let unit = after.trim_start();
        let (factor, length) = if unit.starts_with("ms") || unit.starts_with("millis") {
            (0.001, 2)
        } else if unit.starts_with('s') {
            (1.0, 1)
        } else if unit.starts_with('m') {
            (60.0, 1)
        } else if unit.starts_with('h') {
            (3600.0, 1)
        } else {
            break;
        };
        seconds += number * factor;
        found = true;
        rest = unit.get(length..).unwrap_or_default();
    }
    found.then(|| to_ms(seconds)).flatten()
}

/// Seconds to whole milliseconds, if they are a sensible pause.
#[must_use]
pub fn to_ms(seconds: f64) -> Option<u64> {
    const DAY_S: f64 = 86_400.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be between 0 and a day"
    )]
    (0.0..=DAY_S)
        .contains(&seconds)
        .then(|| (seconds * 1000.0).ceil() as u64)
}
