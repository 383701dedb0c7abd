//! Boxed closures for views. Leptos compiles its machinery once for every type of closure that it is given; boxed,
//! there is one type for each kind of value, which makes the page's wasm a third smaller.

use leptos::ev::{Event, FocusEvent, KeyboardEvent, MouseEvent, SubmitEvent};
use leptos::prelude::*;

pub type Live<T> = Box<dyn FnMut() -> T + Send>;
pub type Handler<E> = Box<dyn FnMut(E)>;

/// A value that follows the signals it reads.
pub fn live<T: 'static>(read: impl FnMut() -> T + Send + 'static) -> Live<T> {
    Box::new(read)
}

/// A view that is there while `condition` holds.
pub fn when(
    condition: impl Fn() -> bool + Send + Sync + 'static,
    view: impl Fn() -> AnyView + Send + 'static,
) -> Live<Option<AnyView>> {
    let condition = Memo::new(move |_| condition());
    live(move || condition.get().then(|| untrack(&view)))
}

/// One of two views.
pub fn either(
    condition: impl Fn() -> bool + Send + Sync + 'static,
    yes: impl Fn() -> AnyView + Send + 'static,
    no: impl Fn() -> AnyView + Send + 'static,
) -> Live<AnyView> {
    let condition = Memo::new(move |_| condition());
    live(move || {
        if condition.get() {
            untrack(&yes)
        } else {
            untrack(&no)
        }
    })
}

pub fn on_click(act: impl FnMut(MouseEvent) + 'static) -> Handler<MouseEvent> {
    Box::new(act)
}

pub fn on_key(act: impl FnMut(KeyboardEvent) + 'static) -> Handler<KeyboardEvent> {
    Box::new(act)
}

pub fn on_submit(act: impl FnMut(SubmitEvent) + 'static) -> Handler<SubmitEvent> {
    Box::new(act)
}

pub fn on_event(act: impl FnMut(Event) + 'static) -> Handler<Event> {
    Box::new(act)
}

pub fn on_focus(act: impl FnMut(FocusEvent) + 'static) -> Handler<FocusEvent> {
    Box::new(act)
}
