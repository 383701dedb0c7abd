//! Carries bytes to and from model endpoints by fetch. Must not know what the bytes mean. Nothing is sent
//! but what it is given: no cookies, no referrer, and no redirect is followed, so that a key stays with
//! the origin it was meant for.

use super::clock;
use crate::llm::address::Address;
use crate::llm::errors::{self, Reply};
use crate::llm::models;
use crate::llm::types::{ModelError, ModelErrorKind};
use gloo_net::http::{Method, RequestBuilder};
use gloo_timers::callback::Timeout;
use js_sys::Uint8Array;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, ReadableStreamDefaultReader, ReadableStreamReadResult, ReferrerPolicy,
    RequestCredentials, RequestRedirect, Response, ResponseType,
};

/// A model on a small machine reads a long prompt for minutes before its first byte.
pub const FIRST_BYTE_TIMEOUT_MS: u32 = 300_000;
/// Servers send at least a comment in this time; longer silence is a dead connection.
pub const STALL_TIMEOUT_MS: u32 = 90_000;
/// Usage follows a finish at once or not at all.
pub const SETTLE_TIMEOUT_MS: u32 = 2_000;
/// A list of models comes quickly or the address is wrong.
pub const LIST_TIMEOUT_MS: u32 = 20_000;
/// The least time between two reads: what a fast server sends meanwhile is read at once. Each read costs the page half
/// a millisecond, whatever it brings.
const READ_PAUSE_MS: f64 = 25.0;
/// An error page is not read beyond this.
pub const ERROR_BYTES_MAX: usize = 64 * 1024;
/// A list of models is not read beyond this: `OpenRouter` sends about half a megabyte.
pub const LIST_BYTES_MAX: usize = 8 << 20;

/// What is sent.
#[derive(Debug)]
pub struct HttpCall<'a> {
    pub url: &'a str,
    pub headers: Vec<(&'static str, String)>,
    /// `None` is a GET.
    pub body: Option<&'a str>,
    /// Only to keep it out of error messages.
    pub key: &'a str,
}

/// What the reader wants after a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    More,
    /// The answer is finished, only usage may follow.
    Settled,
    /// Nothing more is to be read.
    Done,
}

/// How an answer ended that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The stream ended, or only silence followed the finish.
    Stream,
    /// The reader had all it wanted.
    Done,
    /// The person stopped it.
    Stopped,
}

/// Stops one request, at once. Clones stop the same request.
#[derive(Debug, Clone)]
pub struct Stop {
    controller: Option<AbortController>,
    timed_out: Rc<Cell<bool>>,
    stopped: Rc<Cell<bool>>,
}

impl Default for Stop {
    fn default() -> Self {
        Self {
            controller: AbortController::new().ok(),
            timed_out: Rc::default(),
            stopped: Rc::default(),
        }
    }
}

impl Stop {
    /// Ends the request; the stream returns [`Ended::Stopped`].
    pub fn stop(&self) {
        self.stopped.set(true);
        self.close();
    }

    fn close(&self) {
        if let Some(controller) = &self.controller {
            controller.abort();
        }
    }

    fn after(&self, ms: u32) -> Timeout {
        let (timed_out, controller) = (self.timed_out.clone(), self.controller.clone());
        Timeout::new(ms, move || {
            timed_out.set(true);
            if let Some(controller) = controller {
                controller.abort();
            }
        })
    }
}

/// Closes the connection when the reader goes, for whatever reason.
struct CloseOnDrop(Stop);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Sends a request and hands over its answer chunk by chunk.
///
/// # Errors
/// The named failure: of the network, of the HTTP answer, or a cut or stalled stream.
pub async fn stream(
    call: HttpCall<'_>,
    stop: &Stop,
    on_chunk: &mut dyn FnMut(&[u8]) -> Flow,
) -> Result<Ended, ModelError> {
    if stop.stopped.get() {
        return Ok(Ended::Stopped);
    }
    let _close = CloseOnDrop(stop.clone());
    let mut timer = stop.after(FIRST_BYTE_TIMEOUT_MS);
    let response = match send(&call, stop).await {
        Ok(response) => response,
        Err(_) if stop.stopped.get() => return Ok(Ended::Stopped),
        Err(error) => return Err(error),
    };
    if !response.ok() {
        return match failure(&response, call.key).await {
            _ if stop.stopped.get() => Ok(Ended::Stopped),
            error => Err(error),
        };
    }
    let Some(reader) = reader(&response) else {
        return Ok(Ended::Stream);
    };
    let mut settled = false;
    let mut read_at_ms = 0.0;
    loop {
        let early_ms = READ_PAUSE_MS - (clock::ticks_ms() - read_at_ms);
        if early_ms > 0.0 {
            clock::wait(early_ms).await;
        }
        read_at_ms = clock::ticks_ms();
        let chunk = match read(&reader).await {
            _ if stop.stopped.get() => return Ok(Ended::Stopped),
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok(Ended::Stream),
            Err(_) if settled => return Ok(Ended::Stream),
            Err(_) if stop.timed_out.get() => return Err(stalled()),
            Err(_) => {
                let message = "the connection broke in the middle of the answer";
                return Err(ModelError::new(ModelErrorKind::Cut, message));
            }
        };
        match on_chunk(&chunk) {
            Flow::Done => return Ok(Ended::Done),
            // One deadline for what follows a finish: keep-alive comments do not move it.
            Flow::Settled if !settled => {
                settled = true;
                drop(std::mem::replace(&mut timer, stop.after(SETTLE_TIMEOUT_MS)));
            }
            Flow::Settled => {}
            Flow::More => drop(std::mem::replace(&mut timer, stop.after(STALL_TIMEOUT_MS))),
        }
    }
}

/// The models that an endpoint offers.
///
/// # Errors
/// The named failure, as for [`stream`]; an answer that is no list is a wrong address.
pub async fn list_models(
    url: &str,
    headers: Vec<(&'static str, String)>,
    key: &str,
) -> Result<Vec<String>, ModelError> {
    let stop = Stop::default();
    let _close = CloseOnDrop(stop.clone());
    let _timer = stop.after(LIST_TIMEOUT_MS);
    let call = HttpCall {
        url,
        headers,
        body: None,
        key,
    };
    let response = send(&call, &stop).await?;
    if !response.ok() {
        return Err(failure(&response, key).await);
    }
    let body = text(&response, LIST_BYTES_MAX).await;
    let names = models::read(&body);
    if names.is_empty() && !body.contains('[') {
        return Err(errors::not_a_chat_answer(&body));
    }
    Ok(names)
}

async fn send(call: &HttpCall<'_>, stop: &Stop) -> Result<Response, ModelError> {
    let failed = |kind, message: &str| Err(ModelError::new(kind, message));
    let Some(window) = web_sys::window() else {
        return failed(ModelErrorKind::Unreachable, "there is no page");
    };
    let page = window.location().origin().unwrap_or_default();
    let address = Address::parse(call.url)?;
    if address.is_mixed_content(&page) {
        let message = format!("{page} may not call {}", address.origin);
        return failed(ModelErrorKind::MixedContent, &message);
    }
    // Anything else makes the browser throw.
    let is_header = |value: &str| value.bytes().all(|b| (0x20..0x7F).contains(&b));
    if !call.headers.iter().all(|(_, value)| is_header(value)) {
        let message = "the key holds characters that no key has";
        return failed(ModelErrorKind::Unauthorised, message);
    }
    let mut builder = RequestBuilder::new(call.url)
        .credentials(RequestCredentials::Omit)
        .redirect(RequestRedirect::Manual)
        .referrer_policy(ReferrerPolicy::NoReferrer)
        .abort_signal(
            stop.controller
                .as_ref()
                .map(AbortController::signal)
                .as_ref(),
        );
    for (name, value) in &call.headers {
        builder = builder.header(name, value);
    }
    let request = match call.body {
        Some(body) => builder.method(Method::POST).body(body),
        None => builder.method(Method::GET).build(),
    };
    let Ok(request) = request else {
        return failed(
            ModelErrorKind::WrongAddress,
            "the browser does not take this address",
        );
    };
    let answer = JsFuture::from(window.fetch_with_request(&request.into())).await;
    match answer.and_then(JsCast::dyn_into::<Response>) {
        Ok(response) if response.type_() == ResponseType::Opaqueredirect => {
            let message = "the server sends requests on to another address; enter that one";
            failed(ModelErrorKind::Redirected, message)
        }
        Ok(response) => Ok(response),
        Err(_) if stop.timed_out.get() => Err(stalled()),
        Err(_) if !window.navigator().on_line() => {
            failed(ModelErrorKind::Unreachable, "this device is offline")
        }
        Err(_) => {
            let message = format!("no answer from {}", address.origin);
            failed(ModelErrorKind::Unreachable, &message)
        }
    }
}

fn stalled() -> ModelError {
    ModelError::new(ModelErrorKind::Cut, "the server fell silent")
}

async fn failure(response: &Response, key: &str) -> ModelError {
    let header = |name: &str| response.headers().get(name).ok().flatten();
    let body = text(response, ERROR_BYTES_MAX).await;
    let content_type = header("content-type").unwrap_or_default();
    let retry_after = header("retry-after");
    let reply = Reply {
        status: response.status(),
        content_type: &content_type,
        retry_after: retry_after.as_deref(),
        body: &body,
    };
    errors::from_reply(&reply, key)
}

fn reader(response: &Response) -> Option<ReadableStreamDefaultReader> {
    let body = response.body()?;
    ReadableStreamDefaultReader::new(&body).ok()
}

/// The next chunk; `None` at the end.
async fn read(reader: &ReadableStreamDefaultReader) -> Result<Option<Vec<u8>>, JsValue> {
    let result = JsFuture::from(reader.read()).await?;
    let result: ReadableStreamReadResult = result.unchecked_into();
    if result.get_done().unwrap_or(true) {
        return Ok(None);
    }
    let chunk: Uint8Array = result.get_value().dyn_into()?;
    Ok(Some(chunk.to_vec()))
}

/// The beginning of a body; what was read counts where the rest fails.
async fn text(response: &Response, bytes_max: usize) -> String {
    let mut bytes = Vec::new();
    if let Some(reader) = reader(response) {
        while let Ok(Some(chunk)) = read(&reader).await {
            bytes.extend_from_slice(&chunk);
            if bytes.len() >= bytes_max {
                bytes.truncate(bytes_max);
                break;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
