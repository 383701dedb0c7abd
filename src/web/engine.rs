//! The worker as the driver sees it: ended and started again to cancel. It starts from a blob in a realm of its
//! own, whose policy lets it reach nothing at all; the page itself must be able to reach a model. What the worker is
//! made of comes from the page, which a service worker answers also without a network.

use super::engine_parts::Parts;
use super::file::{Files, text_of};
use crate::engine::{Reply, Request};
use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{BlobPropertyBag, ErrorEvent, HtmlIFrameElement, MessageEvent, Url, Window, Worker};

/// What a worker's realm may do: run what it is given.
const POLICY: &str = "default-src 'none'; script-src 'wasm-unsafe-eval'; worker-src blob:";

/// What the worker tells the driver.
pub enum EngineEvent {
    Reply(Reply, Option<Vec<u8>>),
    /// The worker died or could not start.
    Lost(String),
}

type OnEvent = Rc<dyn Fn(EngineEvent)>;

/// A worker that starts or runs. Dropping it ends the worker at once; late replies then go nowhere.
pub struct Engine {
    state: Rc<RefCell<State>>,
}

struct State {
    /// Before the worker, which ends first.
    running: Option<Running>,
    realm: Realm,
    /// A worker that was just started drops messages: they wait here until it says that it is ready.
    ready: bool,
    waiting: Vec<JsValue>,
}

impl Engine {
    /// # Errors
    /// A sentence, where the browser gives the worker no realm. What fails later is an event.
    pub fn start(on_event: OnEvent) -> Result<Self, String> {
        let base = base()?;
        let state = Rc::new(RefCell::new(State {
            running: None,
            realm: Realm::new()?,
            ready: false,
            waiting: Vec::new(),
        }));
        let starting = Rc::downgrade(&state);
        #[expect(
            clippy::disallowed_methods,
            reason = "the worker's parts are fetched, and the driver goes on meanwhile"
        )]
        spawn_local(async move {
            let parts = Parts::load(&base).await;
            // It was ended meanwhile.
            let Some(state) = starting.upgrade() else {
                return;
            };
            let started = parts.and_then(|parts| {
                let realm = &state.borrow().realm;
                Running::start(realm, &parts, &base, &starting, &on_event)
            });
            match started {
                Ok(running) => state.borrow_mut().running = Some(running),
                Err(problem) => {
                    drop(state);
                    on_event(EngineEvent::Lost(problem));
                }
            }
        });
        Ok(Self { state })
    }

    /// Sends a request, with the files where some go along.
    ///
    /// # Errors
    /// A sentence, where the message could not be sent.
    pub fn post(&self, request: &Request, files: Option<&Files>) -> Result<(), String> {
        let body = serde_json::to_string(request).map_err(|e| e.to_string())?;
        let message = Object::new();
        let set = |key: &str, value: &JsValue| {
            Reflect::set(&message, &key.into(), value)
                .map(|_| ())
                .map_err(|e| text_of(&e))
        };
        set("body", &body.into())?;
        if let Some(files) = files {
            set("file", &files.file)?;
            set("wal", &files.wal.clone().into())?;
            set("journal", &files.journal.clone().into())?;
        }
        let mut state = self.state.borrow_mut();
        match &state.running {
            Some(running) if state.ready => running.post(&message),
            _ => {
                state.waiting.push(message.into());
                Ok(())
            }
        }
    }
}

/// The worker itself.
struct Running {
    worker: Worker,
    address: String,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(ErrorEvent)>,
}

impl Running {
    fn start(
        realm: &Realm,
        parts: &Parts,
        base: &str,
        state: &Weak<RefCell<State>>,
        on_event: &OnEvent,
    ) -> Result<Self, String> {
        let (worker, address) = realm
            .start(&bootstrap(parts, base)?)
            .map_err(|e| text_of(&e))?;
        let message = {
            let (state, on_event) = (state.clone(), on_event.clone());
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                match read(&event.data()) {
                    Ok((Reply::Ready, _)) => {
                        for problem in send_waiting(&state) {
                            on_event(EngineEvent::Lost(problem));
                        }
                    }
                    Ok((reply, buffer)) => on_event(EngineEvent::Reply(reply, buffer)),
                    Err(problem) => on_event(EngineEvent::Lost(problem)),
                }
            })
        };
        let error = {
            let on_event = on_event.clone();
            Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
                on_event(EngineEvent::Lost(event.message()));
            })
        };
        worker.set_onmessage(Some(message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(error.as_ref().unchecked_ref()));
        let running = Self {
            worker,
            address,
            _message: message,
            _error: error,
        };
        running.post(&parts.modules)?;
        Ok(running)
    }

    fn post(&self, message: &JsValue) -> Result<(), String> {
        self.worker.post_message(message).map_err(|e| text_of(&e))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
        // An address that is gone already is no problem.
        let _ = Url::revoke_object_url(&self.address);
    }
}

/// Sends what waited for the worker, and gives what went wrong.
fn send_waiting(state: &Weak<RefCell<State>>) -> Vec<String> {
    let Some(state) = state.upgrade() else {
        return Vec::new();
    };
    let mut state = state.borrow_mut();
    state.ready = true;
    let waiting = std::mem::take(&mut state.waiting);
    let Some(running) = &state.running else {
        return Vec::new();
    };
    waiting
        .iter()
        .filter_map(|message| running.post(message).err())
        .collect()
}

fn read(data: &JsValue) -> Result<(Reply, Option<Vec<u8>>), String> {
    let body = Reflect::get(data, &"body".into())
        .ok()
        .and_then(|b| b.as_string())
        .ok_or("the engine sent something unreadable")?;
    let reply = serde_json::from_str(&body).map_err(|e| e.to_string())?;
    let buffer = Reflect::get(data, &"buffer".into())
        .ok()
        // It is made in the worker's realm, so it is no instance of this one's ArrayBuffer.
        .filter(JsValue::is_object)
        .map(|b| Uint8Array::new(&b).to_vec());
    Ok((reply, buffer))
}

/// The absolute address of the folder with the built files.
fn base() -> Result<String, String> {
    let base = web_sys::window()
        .and_then(|w| w.document())
        .and_then(|d| d.base_uri().ok().flatten())
        .ok_or("the page has no address")?;
    let base = Url::new_with_base("./", &base).map_err(|e| text_of(&e))?;
    Ok(base.href())
}

/// The script of the worker: all that it runs, so that it need not fetch. The compiled modules come as its first message.
fn bootstrap(parts: &Parts, base: &str) -> Result<String, String> {
    let literal = serde_json::to_string(base).map_err(|e| e.to_string())?;
    Ok(format!(
        "self.ASSENT_BASE={literal};\n\
         self.ASSENT_GIVEN=new Promise((take)=>{{self.onmessage=({{data}})=>take(data)}});\n\
         {}\n;{}\n;{}",
        parts.sqlite_script,
        parts.engine_script,
        include_str!("../engine/worker/start.js")
    ))
}

/// An empty frame that is not shown. A worker made from a blob inherits the policy of the realm that made it,
/// and a policy that is added to this one adds to the page's: it can only narrow.
struct Realm {
    frame: HtmlIFrameElement,
    window: Window,
}

impl Realm {
    fn new() -> Result<Self, String> {
        let document = web_sys::window()
            .and_then(|w| w.document())
            .ok_or("the page has no document")?;
        let frame: HtmlIFrameElement = document
            .create_element("iframe")
            .map_err(|e| text_of(&e))?
            .unchecked_into();
        frame.set_hidden(true);
        let body = document.body().ok_or("the page has no body")?;
        body.append_child(&frame).map_err(|e| text_of(&e))?;
        let narrowed = narrow(&frame);
        if narrowed.is_err() {
            frame.remove();
        }
        let window = narrowed?;
        Ok(Self { frame, window })
    }

    /// A worker of this realm, and the address of its script.
    fn start(&self, script: &str) -> Result<(Worker, String), JsValue> {
        let options = BlobPropertyBag::new();
        options.set_type("text/javascript");
        let parts = Array::of1(&script.into());
        let blob = construct(&self.window, "Blob", &Array::of2(&parts, &options))?;
        let urls = Reflect::get(&self.window, &"URL".into())?;
        let address = call(&urls, "createObjectURL", &blob)?;
        // Trusted by the page's own policy: this realm has none, and may not make one.
        let types = web_sys::window().map(JsValue::from).unwrap_or_default();
        let types = Reflect::get(&types, &"trustedTypes".into())?;
        let trusted = if types.is_undefined() {
            address.clone()
        } else {
            let policy = Reflect::get(&types, &"defaultPolicy".into())?;
            call(&policy, "createScriptURL", &address)?
        };
        let worker = construct(&self.window, "Worker", &Array::of1(&trusted))?;
        Ok((
            worker.unchecked_into(),
            address.as_string().unwrap_or_default(),
        ))
    }
}

impl Drop for Realm {
    fn drop(&mut self) {
        self.frame.remove();
    }
}

fn narrow(frame: &HtmlIFrameElement) -> Result<Window, String> {
    let window = frame.content_window().ok_or("the frame has no window")?;
    let document = window.document().ok_or("the frame has no document")?;
    let meta = document.create_element("meta").map_err(|e| text_of(&e))?;
    for (name, value) in [
        ("http-equiv", "Content-Security-Policy"),
        ("content", POLICY),
    ] {
        meta.set_attribute(name, value).map_err(|e| text_of(&e))?;
    }
    let head = document.head().ok_or("the frame has no head")?;
    head.append_child(&meta).map_err(|e| text_of(&e))?;
    Ok(window)
}

fn construct(realm: &Window, class: &str, arguments: &Array) -> Result<JsValue, JsValue> {
    let class: Function = Reflect::get(realm, &class.into())?.dyn_into()?;
    Reflect::construct(&class, arguments)
}

fn call(object: &JsValue, method: &str, argument: &JsValue) -> Result<JsValue, JsValue> {
    let method: Function = Reflect::get(object, &method.into())?.dyn_into()?;
    method.call1(object, argument)
}
