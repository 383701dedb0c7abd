//! The worker's edge: loads sql.js, listens, and answers requests with the engine's pure parts. The only
//! place of the engine that may know JavaScript. Knows neither page nor model, and never the network
//! beyond its own files.
//!
//! The page starts it from a `blob:` script: `start.js` after a line that sets `self.ASSENT_BASE` (absolute address of
//! the folder with the built files, ending in `/`). sql.js is expected in `sqlite/` below that folder.

mod filler;
mod lazy;
mod session;
mod sqljs;

use super::protocol::{Reply, Request};
use js_sys::{ArrayBuffer, JSON, Object, Reflect, Uint8Array};
use session::{Files, Session};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, File, MessageEvent};

/// Starts the worker. Says `Ready`, or `Died` where sql.js cannot be loaded.
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        post(&Reply::Died {
            message: info.to_string(),
        });
    }));
    #[expect(
        clippy::disallowed_methods,
        reason = "loading sql.js is the one wait of the worker"
    )]
    wasm_bindgen_futures::spawn_local(async {
        match sqljs::load(&base(), !is_plain()).await {
            Ok(engine) => listen(Session::new(engine)),
            Err(error) => post(&Reply::Died {
                message: describe(&error),
            }),
        }
    });
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// The absolute address of the built files.
fn base() -> String {
    Reflect::get(&js_sys::global(), &"ASSENT_BASE".into())
        .ok()
        .and_then(|base| base.as_string())
        .unwrap_or_default()
}

/// Tests set this to read rows without the filler, and expect the same.
fn is_plain() -> bool {
    Reflect::has(&js_sys::global(), &"ASSENT_PLAIN".into()).unwrap_or(false)
}

fn now_ms() -> f64 {
    scope().performance().map_or(0.0, |p| p.now())
}

/// What a JavaScript exception says.
fn describe(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into());
    match message.ok().and_then(|m| m.as_string()) {
        Some(message) => message,
        None => JSON::stringify(error).map_or_else(|_| "unknown error".to_owned(), String::from),
    }
}

fn listen(session: Session) {
    let session = Rc::new(RefCell::new(session));
    let ticking = Rc::clone(&session);
    session
        .borrow_mut()
        .on_tick(move || ticking.borrow_mut().tick());
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        let part = |name: &str| Reflect::get(&data, &name.into()).unwrap_or_default();
        let body = part("body").as_string().unwrap_or_default();
        match serde_json::from_str::<Request>(&body) {
            Ok(request) => {
                let file = |name: &str| part(name).dyn_into::<File>().ok();
                let files = file("file").map(|database| Files {
                    file: database,
                    wal: file("wal"),
                    journal: file("journal"),
                });
                session.borrow_mut().handle(request, files);
            }
            Err(error) => post(&Reply::Died {
                message: format!("not a request: {error}"),
            }),
        }
    });
    scope().set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // The listener lives as long as the worker.
    listener.forget();
    post(&Reply::Ready);
}

fn post(reply: &Reply) {
    let _ = scope().post_message(&envelope(reply));
}

/// Posts bytes beside the reply, without a copy on the way.
fn post_buffer(reply: &Reply, bytes: &[u8]) {
    let buffer: ArrayBuffer = Uint8Array::from(bytes).buffer();
    let message = envelope(reply);
    let _ = Reflect::set(&message, &"buffer".into(), &buffer);
    let _ = scope().post_message_with_transfer(&message, &js_sys::Array::of1(&buffer));
}

fn envelope(reply: &Reply) -> Object {
    let message = Object::new();
    // A reply is plain data, so it always has a JSON form.
    let body = serde_json::to_string(reply).unwrap_or_default();
    let _ = Reflect::set(&message, &"body".into(), &body.into());
    message
}
