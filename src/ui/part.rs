//! Scripts that load on demand (`scripts/`), by way of `boot.js`, which knows their addresses.

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Editor,
    Charts,
}

impl Part {
    fn name(self) -> JsValue {
        JsValue::from_str(match self {
            Self::Editor => "editor",
            Self::Charts => "charts",
        })
    }
}

/// Fetches the script when the browser has nothing better to do; nothing of it runs.
pub fn load_ahead(part: Part) {
    // What does not come ahead comes when it is needed.
    let _ = call(&loader(), "ahead", &part.name());
}

/// Gives the script's exports to `then`, or `None` where it did not load. Asking again tries again.
pub fn load(part: Part, then: impl FnOnce(Option<JsValue>) + 'static) {
    let promise = call(&loader(), "load", &part.name())
        .and_then(|promise| promise.dyn_into::<Promise>().ok());
    let Some(promise) = promise else {
        return then(None);
    };
    let then = std::rc::Rc::new(std::cell::Cell::new(Some(then)));
    let other = then.clone();
    let loaded = Closure::once_into_js(move |exports: JsValue| {
        if let Some(then) = then.take() {
            then(Some(exports));
        }
    });
    let failed = Closure::once_into_js(move |_: JsValue| {
        if let Some(then) = other.take() {
            then(None);
        }
    });
    let Ok(then) = Reflect::get(&promise, &JsValue::from_str("then")) else {
        return;
    };
    if let Some(then) = then.dyn_ref::<Function>() {
        let _ = then.call2(&promise, &loaded, &failed);
    }
}

/// Calls a method with one argument; `None` where it is not there or throws.
pub fn call(object: &JsValue, method: &str, argument: &JsValue) -> Option<JsValue> {
    let method = Reflect::get(object, &JsValue::from_str(method)).ok()?;
    method.dyn_ref::<Function>()?.call1(object, argument).ok()
}

/// A plain object of these fields.
pub fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // A plain object takes any field.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

fn loader() -> JsValue {
    Reflect::get(&js_sys::global(), &JsValue::from_str("assentPart")).unwrap_or_default()
}
