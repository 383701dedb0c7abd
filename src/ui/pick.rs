//! Choosing files: with the browser's picker that gives handles, so that they can be opened again later, or else
//! with a plain one.

use super::Ui;
use super::dom;
use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// Asks for a file; must be called from a click.
pub fn file(ui: Ui) {
    if ask(ui).is_none() {
        dom::click("file-input");
    }
}

/// Opens what the system starts an installed Assent with, where the browser hands it over.
pub fn take_launches(ui: Ui) {
    let taken = Closure::<dyn FnMut(JsValue)>::new(move |launch: JsValue| {
        // A start without files is a plain one.
        let files = Reflect::get(&launch, &"files".into()).unwrap_or_default();
        let _ = open(ui, &files);
    })
    .into_js_value();
    let take = || {
        let queue = Reflect::get(&js_sys::global(), &"launchQueue".into()).ok()?;
        let method: Function = Reflect::get(&queue, &"setConsumer".into())
            .ok()?
            .dyn_into()
            .ok()?;
        method.call1(&queue, &taken).ok()
    };
    let _ = take();
}

fn ask(ui: Ui) -> Option<()> {
    let window = web_sys::window()?;
    let picker: Function = Reflect::get(&window, &"showOpenFilePicker".into())
        .ok()?
        .dyn_into()
        .ok()?;
    let options = Object::new();
    Reflect::set(&options, &"multiple".into(), &JsValue::TRUE).ok()?;
    let chosen: Promise = picker.call1(&window, &options).ok()?.dyn_into().ok()?;
    let found = Closure::once_into_js(move |handles: JsValue| {
        // Nothing is chosen where a file is gone by now.
        let _ = open(ui, &handles);
    });
    // The person closed the picker: nothing changes.
    let closed = Closure::once_into_js(|_: JsValue| {});
    then(&chosen, &found, &closed)
}

/// Opens the files of handles, and keeps the handle of a single one.
pub fn open(ui: Ui, handles: &JsValue) -> Option<()> {
    let handles: Array = handles.clone().dyn_into().ok()?;
    let files: Array = handles
        .iter()
        .filter_map(|handle| {
            let method: Function = Reflect::get(&handle, &"getFile".into())
                .ok()?
                .dyn_into()
                .ok()?;
            method.call0(&handle).ok()
        })
        .collect();
    let single = (handles.length() == 1).then(|| handles.get(0));
    let found = Closure::once_into_js(move |files: JsValue| {
        let files = files.dyn_into::<Array>().unwrap_or_default();
        ui.act
            .open_files(files.iter().filter_map(|f| f.dyn_into().ok()).collect());
        if let Some(handle) = single {
            ui.act.keep_handle(handle);
        }
    });
    let gone = Closure::once_into_js(|_: JsValue| {});
    then(&Promise::all(&files), &found, &gone)
}

fn then(promise: &Promise, done: &JsValue, failed: &JsValue) -> Option<()> {
    let method: Function = Reflect::get(promise, &"then".into())
        .ok()?
        .dyn_into()
        .ok()?;
    method.call2(promise, done, failed).ok()?;
    Some(())
}
