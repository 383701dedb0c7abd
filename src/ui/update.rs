//! A new version of the page (public/offline.js): said when it is there, taken when the person says so.

use super::Ui;
use super::store::Store;
use crate::view::model::{Notice, NoticeAction, Tone};
use leptos::prelude::*;
use web_sys::Event;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NewVersion {
    None,
    Ready,
    /// Other tabs go on with the version that they have.
    Waits,
}

/// Hears of a new version for as long as the page is there.
pub fn listen(store: Store) {
    for (event, update) in [
        ("assent-update-ready", NewVersion::Ready),
        ("assent-update-waits", NewVersion::Waits),
    ] {
        let _ = window_event_listener_untyped(event, move |_| store.update.set(update));
    }
}

/// Takes the new version, which loads the page afresh.
pub fn take() {
    if let Ok(event) = Event::new("assent-update") {
        let _ = window().dispatch_event(&event);
    }
}

pub fn notice(ui: Ui) -> Option<Notice> {
    let t = ui.t.keeping;
    let (text, next) = match ui.store.update.get() {
        NewVersion::None => return None,
        NewVersion::Ready => (t.update_ready, t.update_ready_next),
        NewVersion::Waits => (t.update_waits, t.update_waits_next),
    };
    Some(Notice {
        tone: Tone::Info,
        text: text.to_owned(),
        next: next.to_owned(),
        action: Some(NoticeAction::Update),
        or_translate: false,
    })
}
