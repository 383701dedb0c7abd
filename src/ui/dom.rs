//! Small acts on the document that Leptos has no words for. Each does nothing where the browser lacks the thing.

use leptos::prelude::{document, window};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, Element, Event, HtmlAnchorElement, HtmlElement, Url};

pub fn remove_shell() {
    if let Some(shell) = document().get_element_by_id("shell") {
        shell.remove();
    }
}

pub fn focus(id: &str) {
    if let Some(element) = by_id(id) {
        let _ = element.focus();
    }
}

pub fn click(id: &str) {
    if let Some(element) = by_id(id) {
        element.click();
    }
}

pub fn by_id(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// Whether the event comes from a field in which keys mean text.
pub fn is_in_field(event: &Event) -> bool {
    event
        .target()
        .and_then(|t| t.dyn_into::<Element>().ok())
        .is_some_and(|e| {
            let tag = e.tag_name();
            tag == "TEXTAREA"
                || tag == "SELECT"
                || (tag == "INPUT"
                    && !matches!(
                        e.get_attribute("type").as_deref(),
                        Some("radio" | "checkbox")
                    ))
                || matches!(e.closest("[data-typing]"), Ok(Some(_)))
        })
}

/// Scrolls no farther than needed to show the element.
pub fn reveal(id: &str) {
    if let Some(element) = by_id(id) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// The focus goes to the card that waits, if one does.
pub fn focus_pending_card() {
    let card = document().query_selector(".card[data-state=\"pending\"]");
    if let Some(card) = card
        .ok()
        .flatten()
        .and_then(|c| c.dyn_into::<HtmlElement>().ok())
    {
        let _ = card.focus();
    }
}

pub fn is_dialog_open() -> bool {
    document()
        .query_selector("dialog[open]")
        .is_ok_and(|found| found.is_some())
}

pub fn matches_media(query: &str) -> bool {
    window()
        .match_media(query)
        .ok()
        .flatten()
        .is_some_and(|list| list.matches())
}

/// What the key for commands is called on this machine.
pub fn command_key() -> &'static str {
    let platform = window().navigator().platform().unwrap_or_default();
    if platform.starts_with("Mac") || platform.starts_with("iP") {
        "⌘ "
    } else {
        "Ctrl "
    }
}

/// Whether the focus is inside the element of that id.
pub fn holds_focus(id: &str) -> bool {
    document()
        .active_element()
        .zip(document().get_element_by_id(id))
        .is_some_and(|(active, holder)| holder.contains(Some(&active)))
}

#[wasm_bindgen]
extern "C" {
    type ResizeObserver;
    #[wasm_bindgen(constructor)]
    fn new(callback: &js_sys::Function) -> ResizeObserver;
    #[wasm_bindgen(method)]
    fn observe(this: &ResizeObserver, target: &Element);
}

/// Calls back in each frame in which one of the elements got another size, after the layout and before it is painted.
/// It ends with the elements.
pub fn on_resize(elements: &[&Element], act: impl FnMut() + 'static) {
    let callback = Closure::<dyn FnMut()>::new(act).into_js_value();
    let observer = ResizeObserver::new(callback.unchecked_ref());
    for element in elements {
        observer.observe(element);
    }
}

/// Milliseconds on the clock that events carry.
pub fn now_ms() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

pub fn copy(text: &str) {
    let written = window().navigator().clipboard().write_text(text);
    // A refusal needs no report: the text stays on the page, to be copied by hand.
    let ignore = Closure::once(|_: JsValue| {});
    let _ = written.catch(&ignore);
    ignore.forget();
}

pub fn save(name: &str, mime: &str, text: &str) {
    let _ = try_save(name, mime, text);
}

fn try_save(name: &str, mime: &str, text: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(mime);
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let anchor: HtmlAnchorElement = document().create_element("a")?.dyn_into()?;
    anchor.set_href(&address);
    anchor.set_download(name);
    anchor.click();
    Url::revoke_object_url(&address)
}

/// The files of a pick, drop or paste.
pub fn files(list: Option<web_sys::FileList>) -> Vec<web_sys::File> {
    list.map(|list| (0..list.length()).filter_map(|i| list.get(i)).collect())
        .unwrap_or_default()
}

/// `14:05:09`, as the browser writes it.
pub fn time_of_day(ms: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "times are far below 2^53")]
    let ms = ms as f64;
    let date = js_sys::Date::new(&JsValue::from_f64(ms));
    date.to_locale_time_string("default").into()
}

/// The day, and the time where it is today.
pub fn day(ms: u64, tag: &str) -> String {
    #[expect(clippy::cast_precision_loss, reason = "times are far below 2^53")]
    let date = js_sys::Date::new(&JsValue::from_f64(ms as f64));
    let options = js_sys::Object::new();
    if date.to_date_string() == js_sys::Date::new_0().to_date_string() {
        let _ = js_sys::Reflect::set(&options, &"timeStyle".into(), &"short".into());
    } else {
        let _ = js_sys::Reflect::set(&options, &"dateStyle".into(), &"medium".into());
    }
    date.to_locale_string(tag, &options).into()
}

/// Closes a popover; where it is not open nothing happens.
pub fn hide_popover(id: &str) {
    if let Some(element) = by_id(id) {
        let _ = element.hide_popover();
    }
}

/// Takes the focus from the element that an event came from.
pub fn blur(event: &web_sys::KeyboardEvent) {
    let target: Option<web_sys::HtmlElement> = event.target().and_then(|t| t.dyn_into().ok());
    if let Some(target) = target {
        let _ = target.blur();
    }
}
