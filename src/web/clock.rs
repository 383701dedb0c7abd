//! Time, chance and frames, read in one place.

use crate::settings::Language;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

/// Milliseconds since 1970-01-01 UTC.
#[must_use]
pub fn now_ms() -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::disallowed_methods,
        reason = "the one place; whole milliseconds fit into 53 bits for another 285 000 years"
    )]
    let ms = js_sys::Date::now() as u64;
    ms
}

/// The local date, `2025-01-31`.
#[must_use]
pub fn today() -> String {
    let date = js_sys::Date::new_0();
    format!(
        "{:04}-{:02}-{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date()
    )
}

/// A number in 0..1 for back-off jitter.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn jitter() -> f64 {
    js_sys::Math::random()
}

/// An id that no other chat on this machine has.
#[must_use]
pub fn fresh_id() -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::disallowed_methods,
        reason = "the one place; nine digits beside the millisecond are enough for one person's chats"
    )]
    let random = (js_sys::Math::random() * 1e9) as u64;
    format!("{:x}-{random:x}", now_ms())
}

/// The language that the browser asks for.
#[must_use]
pub fn language() -> Language {
    let wanted = web_sys::window().and_then(|w| w.navigator().language());
    match wanted {
        Some(tag) if tag.to_ascii_lowercase().starts_with("zh") => Language::Chinese,
        _ => Language::English,
    }
}

/// Milliseconds on a clock that never jumps.
#[must_use]
pub fn ticks_ms() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |performance| performance.now())
}

/// Calls back after so many milliseconds.
pub fn after(ms: f64, act: impl FnOnce() + 'static) {
    gloo_timers::callback::Timeout::new(whole(ms), act).forget();
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pauses are short, and a negative one is none"
)]
fn whole(ms: f64) -> u32 {
    ms.max(0.0) as u32
}

/// Ends after a pause.
pub async fn wait(ms: f64) {
    gloo_timers::future::TimeoutFuture::new(whole(ms)).await;
}

/// Calls back before the next frame is painted.
pub fn next_frame(act: impl FnOnce() + 'static) {
    let callback = Closure::once_into_js(act);
    // Without a window there is nothing to paint.
    if let Some(window) = web_sys::window() {
        let _ = window.request_animation_frame(callback.unchecked_ref());
    }
}
