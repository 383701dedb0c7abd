//! The worker as the driver sees it: started from a blob, so that it inherits the page's content security
//! policy and cannot reach the network; ended and started again to cancel.

use super::file::text_of;
use crate::engine::{Reply, Request};
use js_sys::{Array, ArrayBuffer, Object, Reflect, Uint8Array};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, ErrorEvent, File, MessageEvent, Url, Worker};

/// What the worker tells the driver.
pub enum EngineEvent {
    Reply(Reply, Option<Vec<u8>>),
    /// The worker died or could not start.
    Lost(String),
}

/// A running worker. Dropping it ends the worker at once; late replies then go nowhere.
pub struct Engine {
    worker: Worker,
    address: String,
    state: Rc<RefCell<Starting>>,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(ErrorEvent)>,
}

/// A worker that was just started drops messages: they wait here until it says that it is ready.
struct Starting {
    ready: bool,
    waiting: Vec<JsValue>,
}

impl Engine {
    /// # Errors
    /// A sentence, where the browser does not start a worker.
    pub fn start(on_event: Rc<dyn Fn(EngineEvent)>) -> Result<Self, String> {
        let address = bootstrap()?;
        let worker = Worker::new(&address).map_err(|e| text_of(&e))?;
        let state = Rc::new(RefCell::new(Starting {
            ready: false,
            waiting: Vec::new(),
        }));
        let message = {
            let (state, worker, on_event) = (state.clone(), worker.clone(), on_event.clone());
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                match read(&event.data()) {
                    Ok((Reply::Ready, _)) => {
                        let waiting = {
                            let mut state = state.borrow_mut();
                            state.ready = true;
                            std::mem::take(&mut state.waiting)
                        };
                        for message in waiting {
                            if let Err(error) = worker.post_message(&message) {
                                on_event(EngineEvent::Lost(text_of(&error)));
                            }
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
        Ok(Self {
            worker,
            address,
            state,
            _message: message,
            _error: error,
        })
    }

    /// Sends a request, with the file where one goes along.
    ///
    /// # Errors
    /// A sentence, where the message could not be sent.
    pub fn post(
        &self,
        request: &Request,
        file: Option<&File>,
        wal: Option<&File>,
    ) -> Result<(), String> {
        let body = serde_json::to_string(request).map_err(|e| e.to_string())?;
        let message = Object::new();
        let set = |key: &str, value: &JsValue| {
            Reflect::set(&message, &key.into(), value)
                .map(|_| ())
                .map_err(|e| text_of(&e))
        };
        set("body", &body.into())?;
        if let Some(file) = file {
            set("file", file)?;
        }
        if let Some(wal) = wal {
            set("wal", wal)?;
        }
        let mut state = self.state.borrow_mut();
        if state.ready {
            self.worker.post_message(&message).map_err(|e| text_of(&e))
        } else {
            state.waiting.push(message.into());
            Ok(())
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
        // An address that is gone already is no problem.
        let _ = Url::revoke_object_url(&self.address);
    }
}

fn read(data: &JsValue) -> Result<(Reply, Option<Vec<u8>>), String> {
    let body = Reflect::get(data, &"body".into())
        .ok()
        .and_then(|b| b.as_string())
        .ok_or("the engine sent something unreadable")?;
    let reply = serde_json::from_str(&body).map_err(|e| e.to_string())?;
    let buffer = Reflect::get(data, &"buffer".into())
        .ok()
        .and_then(|b| b.dyn_into::<ArrayBuffer>().ok())
        .map(|b| Uint8Array::new(&b).to_vec());
    Ok((reply, buffer))
}

/// The blob that starts the worker: it sets the base address and loads the engine from there.
fn bootstrap() -> Result<String, String> {
    let base = web_sys::window()
        .and_then(|w| w.document())
        .and_then(|d| d.base_uri().ok().flatten())
        .ok_or("the page has no address")?;
    let base = Url::new_with_base("./", &base)
        .map_err(|e| text_of(&e))?
        .href();
    let literal = serde_json::to_string(&base).map_err(|e| e.to_string())?;
    let text = format!(
        "self.ASSENT_BASE={literal};\
         self.trustedTypes?.createPolicy('default',{{createScriptURL:u=>u.startsWith(self.ASSENT_BASE)?u:null}});\
         importScripts(self.ASSENT_BASE+'engine.js');\
         wasm_bindgen({{module_or_path:self.ASSENT_BASE+'engine_bg.wasm'}})\
         .catch(e=>self.postMessage({{body:JSON.stringify({{Died:{{message:String(e)}}}})}}));"
    );
    let options = BlobPropertyBag::new();
    options.set_type("text/javascript");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options)
        .map_err(|e| text_of(&e))?;
    Url::create_object_url_with_blob(&blob).map_err(|e| text_of(&e))
}
