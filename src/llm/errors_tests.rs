use super::*;
use ModelErrorKind as K;

fn reply(status: u16, content_type: &str, body: &str) -> ModelError {
    let reply = Reply {
        status,
        content_type,
        retry_after: None,
        body,
    };
    from_reply(&reply, "sk-secret-1234")
}

fn check(status: u16, body: &str, kind: K) {
    let error = reply(status, "application/json", body);
    assert_eq!(error.kind, kind, "{status} {body}");
    assert_eq!(error.status, Some(status));
}

#[test]
fn c40_http_failures_are_named() {
    let html = "<html><head><title>502 Bad Gateway</title><style>a{}</style></head><body>nginx";
    let error = reply(502, "text/html", html);
    assert_eq!(
        (error.kind, error.message.as_str()),
        (K::Server, "502 Bad Gateway nginx")
    );
    check(429, "", K::RateLimited);
    assert_eq!(reply(429, "", "").message, "HTTP 429");
    let error = reply(
        400,
        "",
        r#"[{"error":{"code":400,"message":"first","status":"INVALID_ARGUMENT"}}]"#,
    );
    assert_eq!(
        (error.kind, error.message.as_str()),
        (K::BadRequest, "first")
    );
    check(
        503,
        r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
        K::Loading,
    );
    check(
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#,
        K::ContextTooLong,
    );
}

#[test]
fn wordings_of_the_servers() {
    let said = |message: &str| {
        format!(
            "{{\"error\":{{\"message\":{}}}}}",
            serde_json::json!(message)
        )
    };
    for (status, message, kind) in [
        (
            400,
            "the request exceeds the available context size, try increasing it",
            K::ContextTooLong,
        ),
        (
            400,
            "prompt is too long: 210000 tokens > 200000 maximum",
            K::ContextTooLong,
        ),
        (
            400,
            "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
            K::ContextTooLong,
        ),
        (
            400,
            "Range of input length should be [1, 98304]",
            K::ContextTooLong,
        ),
        (
            400,
            "Please reduce the length of the messages or completion.",
            K::ContextTooLong,
        ),
        (
            500,
            "the prompt is 9000 tokens, larger than the context size (4096)",
            K::ContextTooLong,
        ),
        (
            429,
            "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000. Please try again in 1.2s.",
            K::RateLimited,
        ),
        (400, "Too many tokens per minute", K::RateLimited),
        (
            429,
            "You exceeded your current quota, please check your plan and billing details.",
            K::QuotaExceeded,
        ),
        (
            429,
            "You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.",
            K::RateLimited,
        ),
        (402, "Insufficient Balance", K::QuotaExceeded),
        (
            402,
            "This request requires more credits, or fewer max_tokens.",
            K::QuotaExceeded,
        ),
        (401, "Incorrect API key provided: sk-1", K::Unauthorised),
        (
            400,
            "API key not valid. Please pass a valid API key.",
            K::Unauthorised,
        ),
        (
            403,
            "Country, region, or territory not supported",
            K::Forbidden,
        ),
        (
            404,
            "The model `gpt-9` does not exist or you do not have access to it.",
            K::ModelNotFound,
        ),
        (
            404,
            "model \"x\" not found, try pulling it first",
            K::ModelNotFound,
        ),
        (400, "foo/bar is not a valid model ID", K::ModelNotFound),
        (
            404,
            "No models loaded. Please load a model in the developer page.",
            K::ModelNotFound,
        ),
        (404, "Not Found", K::WrongAddress),
        (405, "Method Not Allowed", K::WrongAddress),
        (
            400,
            "registry.ollama.ai/library/gemma does not support tools",
            K::NoTools,
        ),
        (404, "No endpoints found that support tool use.", K::NoTools),
        (
            400,
            "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
            K::NoTools,
        ),
        (500, "tools param requires --jinja flag", K::NoTools),
        (
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            K::BadParameter,
        ),
        (
            400,
            "property 'messages.2.reasoning_content' is unsupported",
            K::BadParameter,
        ),
        (
            400,
            "The response was filtered due to the prompt triggering content management policy.",
            K::ContentFiltered,
        ),
        (529, "Overloaded", K::Overloaded),
        (
            503,
            "The model is overloaded. Please try again later.",
            K::Overloaded,
        ),
        (503, "Model too busy", K::Overloaded),
        (500, "Internal error", K::Server),
        (301, "Moved", K::Redirected),
        (
            400,
            "messages: at least one message is required",
            K::BadRequest,
        ),
    ] {
        check(status, &said(message), kind);
    }
    check(
        422,
        r#"{"detail":[{"loc":["body","stream_options"],"msg":"extra fields not permitted"}]}"#,
        K::BadParameter,
    );
    check(404, r#"{"detail":"Not Found"}"#, K::WrongAddress);
    check(404, "404 page not found", K::WrongAddress);
    check(400, r#"{"error":"model is required"}"#, K::BadRequest);
}

#[test]
fn keys_never_come_back_and_words_are_short() {
    let error = reply(401, "", r#"{"error":"bad api key sk-secret-1234"}"#);
    assert_eq!(error.message, "bad api key •••");
    let long = format!("{{\"error\":\"{}\"}}", "é".repeat(1000));
    assert_eq!(
        reply(400, "", &long).message.chars().count(),
        MESSAGE_CHARS_MAX + 1
    );
    assert_eq!(redact("none of it", "none"), "none of it");
}

#[test]
fn pauses_are_read() {
    let ms = |words: &str| wording::asked_wait_ms(words);
    assert_eq!(ms("please try again in 6m0s."), Some(360_000));
    assert_eq!(ms("please retry in 34.07s"), Some(34_070));
    assert_eq!(ms("try again in 250ms"), Some(250));
    assert_eq!(ms("try again in 2 seconds"), Some(2_000));
    assert_eq!(ms("try again in a while"), None);
    let reply = Reply {
        status: 429,
        retry_after: Some("7"),
        ..Reply::default()
    };
    assert_eq!(from_reply(&reply, "").retry_after_ms, Some(7_000));
    let body = r#"{"error":{"code":429,"message":"quota","details":[{"retryDelay":"12s"}]}}"#;
    assert_eq!(self::reply(429, "", body).retry_after_ms, Some(12_000));
}

#[test]
fn retries_are_few_and_bounded() {
    let delay = |kind, attempt| retry_delay_ms(&ModelError::new(kind, ""), attempt, 1.0);
    assert_eq!(delay(K::RateLimited, 0), Some(1_000));
    assert_eq!(delay(K::RateLimited, 3), Some(8_000));
    assert_eq!(delay(K::RateLimited, 4), None);
    assert_eq!(delay(K::Unreachable, 0), Some(300));
    assert_eq!(delay(K::Unreachable, 1), None);
    assert_eq!(delay(K::Loading, 59), Some(3_000));
    assert_eq!(delay(K::Unauthorised, 0), None);
    assert_eq!(delay(K::ContextTooLong, 0), None);
    let mut asked = ModelError::new(K::RateLimited, "");
    asked.retry_after_ms = Some(5_000);
    assert_eq!(retry_delay_ms(&asked, 0, f64::NAN), Some(5_000));
    asked.retry_after_ms = Some(600_000);
    assert_eq!(retry_delay_ms(&asked, 0, 0.5), None);
}
