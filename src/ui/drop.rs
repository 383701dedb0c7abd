//! Files from a picker, a drop or a paste. Hands them on and opens none.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{on_event, when};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{ClipboardEvent, DataTransfer, DragEvent};

/// The file picker's control. The visible buttons click it.
#[component]
pub fn FileInput(ui: Ui) -> impl IntoView {
    let input = NodeRef::<leptos::html::Input>::new();
    let change = move |_| {
        if let Some(input) = input.get_untracked() {
            ui.act.open_files(dom::files(input.files()));
            // Emptied, so that the same file can be picked again.
            input.set_value("");
        }
    };
    view! {
        <input id="file-input" type="file" multiple=true hidden=true tabindex="-1"
            aria-label=ui.t.file_input node_ref=input on:change=on_event(change) />
    }
    .into_any()
}

/// Takes files dropped anywhere on the window, and pasted ones.
#[component]
pub fn DropZone(ui: Ui) -> impl IntoView {
    let over = RwSignal::new(false);
    let drag = move |event: DragEvent| {
        if has_files(event.data_transfer().as_ref()) {
            event.prevent_default();
            over.set(true);
        }
    };
    let listeners = [
        window_event_listener(ev::dragenter, drag),
        window_event_listener(ev::dragover, drag),
        window_event_listener(ev::dragleave, move |event: DragEvent| {
            // Leaving the window, not only passing from one element to the next.
            if event.related_target().is_none() {
                over.set(false);
            }
        }),
        window_event_listener(ev::drop, move |event: DragEvent| {
            over.set(false);
            take(ui, &event);
        }),
        window_event_listener(ev::paste, move |event: ClipboardEvent| {
            let files = dom::files(event.clipboard_data().and_then(|d| d.files()));
            if !files.is_empty() {
                event.prevent_default();
                ui.act.open_files(files);
            }
        }),
    ];
    on_cleanup(move || {
        for listener in listeners {
            listener.remove();
        }
    });
    view! {
        {when(move || over.get(), move || {
            view! {
                <div class="drop-overlay" aria-hidden="true">
                    <div class="drop-card">
                        <Icon of=Icon::Database />
                        <p>{ui.t.drop_here}</p>
                    </div>
                </div>
            }
            .into_any()
        })}
    }
    .into_any()
}

fn has_files(data: Option<&DataTransfer>) -> bool {
    data.is_some_and(|d| d.types().iter().any(|t| t == "Files"))
}

fn take(ui: Ui, event: &DragEvent) {
    let Some(data) = event.data_transfer().filter(|d| has_files(Some(d))) else {
        return;
    };
    event.prevent_default();
    let files = dom::files(data.files());
    if let [_] = files.as_slice() {
        keep_handle(ui, &data);
    }
    ui.act.open_files(files);
}

/// Asks for the file's handle, which exists in some browsers and only during the drop.
fn keep_handle(ui: Ui, data: &DataTransfer) -> Option<()> {
    let item = data.items().get(0)?;
    let method = js_sys::Reflect::get(&item, &JsValue::from_str("getAsFileSystemHandle")).ok()?;
    let method: &js_sys::Function = method.dyn_ref()?;
    let promise: js_sys::Promise = method.call0(&item).ok()?.dyn_into().ok()?;
    let found = Closure::once(move |handle: JsValue| {
        if handle.is_object() {
            ui.act.keep_handle(handle);
        }
    });
    let ignore = Closure::once(|_: JsValue| {});
    let _ = promise.then(&found).catch(&ignore);
    found.forget();
    ignore.forget();
    Some(())
}
