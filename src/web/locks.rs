//! Locks that all tabs of one browser share (Web Locks). Knows names, not what they stand for.
//! Where the browser has none, every lock is given: who uses them compares what is stored as well.

use gloo_timers::callback::Timeout;
use js_sys::{Function, Object, Promise, Reflect};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

/// A lock until it is dropped.
pub struct Lock {
    release: Option<Function>,
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            // Resolving a promise does not throw.
            let _ = release.call0(&JsValue::UNDEFINED);
        }
    }
}

/// A place in the queue for a lock, until it is dropped.
pub struct Place {
    abort: Option<AbortController>,
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(abort) = &self.abort {
            abort.abort();
        }
    }
}

/// Called where another tab took the lock by force.
pub type OnLost = Rc<dyn Fn()>;
type Given = Rc<RefCell<Option<Box<dyn FnOnce(Option<Lock>)>>>>;

/// Whether this browser has locks.
#[must_use]
pub fn are_there() -> bool {
    manager().is_some()
}

/// The lock, if nobody has it.
pub async fn now(name: &str, on_lost: OnLost) -> Option<Lock> {
    ask(name, &[("ifAvailable", &JsValue::TRUE)], on_lost).await
}

/// The lock, whoever has it.
pub async fn by_force(name: &str, on_lost: OnLost) -> Option<Lock> {
    ask(name, &[("steal", &JsValue::TRUE)], on_lost).await
}

/// The lock, if it comes within that time.
pub async fn within(name: &str, ms: u32, on_lost: OnLost) -> Option<Lock> {
    let abort = AbortController::new().ok()?;
    let signal = abort.signal();
    let timer = Timeout::new(ms, move || abort.abort());
    let lock = ask(name, &[("signal", &signal)], on_lost).await;
    drop(timer);
    lock
}

/// Stands in the queue for a lock.
pub fn wait(name: &str, on_lost: OnLost, given: impl FnOnce(Lock) + 'static) -> Place {
    let abort = AbortController::new().ok();
    let signal = abort
        .as_ref()
        .map_or(JsValue::UNDEFINED, |a| a.signal().into());
    let given = move |lock: Option<Lock>| {
        if let Some(lock) = lock {
            given(lock);
        }
    };
    request(name, &[("signal", &signal)], on_lost, Box::new(given));
    Place { abort }
}

async fn ask(name: &str, options: &[(&str, &JsValue)], on_lost: OnLost) -> Option<Lock> {
    let found: Rc<RefCell<Option<Lock>>> = Rc::default();
    let (promise, resolve) = deferred();
    let keep = found.clone();
    let given = move |lock: Option<Lock>| {
        *keep.borrow_mut() = lock;
        if let Some(resolve) = resolve {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    };
    request(name, options, on_lost, Box::new(given));
    // It is resolved in every case, and never rejected.
    let _ = JsFuture::from(promise).await;
    found.borrow_mut().take()
}

fn request(
    name: &str,
    options: &[(&str, &JsValue)],
    on_lost: OnLost,
    given: Box<dyn FnOnce(Option<Lock>)>,
) {
    let Some(manager) = manager() else {
        return given(Some(Lock { release: None }));
    };
    let given: Given = Rc::new(RefCell::new(Some(given)));
    if asked(&manager, name, options, on_lost, &given).is_none() {
        tell(&given, None);
    }
}

fn asked(
    manager: &JsValue,
    name: &str,
    options: &[(&str, &JsValue)],
    on_lost: OnLost,
    given: &Given,
) -> Option<()> {
    let form = Object::new();
    for (key, value) in options {
        Reflect::set(&form, &(*key).into(), value).ok()?;
    }
    let granted = {
        let given = given.clone();
        Closure::once_into_js(move |lock: JsValue| -> JsValue {
            if !lock.is_object() {
                tell(&given, None);
                return JsValue::UNDEFINED;
            }
            // The lock is held while this promise is open.
            let (held, release) = deferred();
            tell(&given, Some(Lock { release }));
            held.into()
        })
    };
    let method: Function = Reflect::get(manager, &"request".into())
        .ok()?
        .dyn_into()
        .ok()?;
    let over: Promise = method
        .call3(manager, &name.into(), &form, &granted)
        .ok()?
        .dyn_into()
        .ok()?;
    let failed = {
        let given = given.clone();
        Closure::once_into_js(move |_: JsValue| {
            // Before it was given the wait ended; afterwards the lock was taken away.
            if given.borrow().is_some() {
                tell(&given, None);
            } else {
                on_lost();
            }
        })
    };
    let then: Function = Reflect::get(&over, &"then".into()).ok()?.dyn_into().ok()?;
    then.call2(&over, &JsValue::UNDEFINED, &failed).ok()?;
    Some(())
}

fn tell(given: &Given, lock: Option<Lock>) {
    let act = given.borrow_mut().take();
    if let Some(act) = act {
        act(lock);
    }
}

/// A promise, and what resolves it.
fn deferred() -> (Promise, Option<Function>) {
    let mut resolve = None;
    let promise = Promise::new(&mut |done: Function, _| resolve = Some(done));
    (promise, resolve)
}

fn manager() -> Option<JsValue> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    Reflect::get(&navigator, &"locks".into())
        .ok()
        .filter(JsValue::is_object)
}
