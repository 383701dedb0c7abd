//! When the page needs its driver: at once where this browser holds chats or settings, and otherwise with
//! the first thing that a person does.

use super::storage::DATABASE;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::AddEventListenerOptions;

/// They come before the click or the drop that they lead to.
const SIGNS: [&str; 4] = ["pointerdown", "keydown", "dragenter", "touchstart"];

/// Calls `wake` once or more, at the latest when the person first acts.
pub fn on_first_need(wake: impl Fn() + 'static) {
    let wake: Rc<dyn Fn()> = Rc::new(wake);
    listen(&wake);
    #[expect(
        clippy::disallowed_methods,
        reason = "one question to the browser, at the start"
    )]
    spawn_local(async move {
        if has_data().await {
            wake();
        }
    });
}

fn listen(wake: &Rc<dyn Fn()>) {
    let Some(window) = web_sys::window() else {
        return wake();
    };
    let options = AddEventListenerOptions::new();
    options.set_capture(true);
    options.set_once(true);
    for sign in SIGNS {
        let wake = wake.clone();
        let callback = Closure::once_into_js(move || wake());
        let added = window.add_event_listener_with_callback_and_add_event_listener_options(
            sign,
            callback.unchecked_ref(),
            &options,
        );
        debug_assert!(added.is_ok(), "a function can be a listener");
    }
}

/// Whether the browser holds our database. Where it cannot say, it may.
async fn has_data() -> bool {
    names().await.is_none_or(|names| {
        names.iter().any(|entry| {
            js_sys::Reflect::get(&entry, &JsValue::from_str("name"))
                .is_ok_and(|name| name.as_string().as_deref() == Some(DATABASE))
        })
    })
}

async fn names() -> Option<js_sys::Array> {
    let factory = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("indexedDB")).ok()?;
    let method = js_sys::Reflect::get(&factory, &JsValue::from_str("databases")).ok()?;
    let method: &js_sys::Function = method.dyn_ref()?;
    let promise: js_sys::Promise = method.call0(&factory).ok()?.dyn_into().ok()?;
    JsFuture::from(promise).await.ok()?.dyn_into().ok()
}
