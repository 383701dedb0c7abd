//! What the engine's worker is made of: fetched and compiled once, handed to every worker. Must not know what it does.

use super::file::text_of;
use gloo_net::http::{Request, Response};
use js_sys::{Array, Object, Promise, Reflect, WebAssembly};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

const WASM: &str = "application/wasm";

/// Scripts as text, and modules as `{ engine, sqlite }` in a message.
pub struct Parts {
    pub engine_script: String,
    pub sqlite_script: String,
    pub modules: JsValue,
}

thread_local! {
    static LOADED: RefCell<Option<Rc<Parts>>> = const { RefCell::new(None) };
}

impl Parts {
    /// From the folder with the built files, or as they were loaded before.
    ///
    /// # Errors
    /// A sentence that names the file; the next call tries again.
    pub async fn load(base: &str) -> Result<Rc<Self>, String> {
        if let Some(parts) = LOADED.with_borrow(Clone::clone) {
            return Ok(parts);
        }
        let at = |file: &str| format!("{base}{file}");
        let coming = Array::of4(
            &future_to_promise(script(at("engine.js"))),
            &future_to_promise(script(at("sqlite/sql-wasm-browser.js"))),
            &future_to_promise(module(at("engine_bg.wasm"))),
            &future_to_promise(module(at("sqlite/sql-wasm-browser.wasm"))),
        );
        let parts = JsFuture::from(Promise::all(&coming))
            .await
            .map_err(|e| text_of(&e))?;
        let parts = Array::from(&parts);
        let modules = Object::new();
        for (name, at) in [("engine", 2), ("sqlite", 3)] {
            Reflect::set(&modules, &name.into(), &parts.get(at)).map_err(|e| text_of(&e))?;
        }
        let text = |at| parts.get(at).as_string().unwrap_or_default();
        let parts = Rc::new(Self {
            engine_script: text(0),
            sqlite_script: text(1),
            modules: modules.into(),
        });
        LOADED.set(Some(parts.clone()));
        Ok(parts)
    }
}

async fn script(address: String) -> Result<JsValue, JsValue> {
    let response = fetched(&address).await?;
    let text = response.text().await.map_err(|e| failed(&address, &e))?;
    Ok(text.into())
}

async fn module(address: String) -> Result<JsValue, JsValue> {
    let response = fetched(&address).await?;
    let kind = response.headers().get("content-type").unwrap_or_default();
    let compiling = if kind.starts_with(WASM) {
        let response = JsValue::from(web_sys::Response::from(response));
        WebAssembly::compile_streaming(&Promise::resolve(&response))
    } else {
        // A server that does not know the type of .wasm files cannot be streamed from.
        let bytes = response.binary().await.map_err(|e| failed(&address, &e))?;
        WebAssembly::compile(&js_sys::Uint8Array::from(bytes.as_slice()))
    };
    JsFuture::from(compiling).await
}

async fn fetched(address: &str) -> Result<Response, JsValue> {
    let answer = Request::get(address).send().await;
    let response = answer.map_err(|e| failed(address, &e))?;
    if response.ok() {
        Ok(response)
    } else {
        Err(failed(address, &response.status()))
    }
}

fn failed(address: &str, problem: &dyn std::fmt::Display) -> JsValue {
    format!("{address} did not load ({problem})").into()
}
