//! The card's statement as text to change. Running it is the approval of exactly that text.

use super::approval::Case;
use super::dom;
use super::live::{live, on_click, on_event, on_key};
use crate::agent::approval::Decision;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

#[component]
pub fn Edit(case: Case, id: String) -> impl IntoView {
    let t = case.ui.t;
    let desk = case.desk;
    let original = case.card.with_value(|c| c.sql.clone());
    let refused = case.card.with_value(|c| c.edit_refused.clone());
    let lines = original.lines().count().clamp(3, 16);
    if desk.draft.get_untracked().is_none() {
        desk.draft.set(Some(original));
    }
    let text = move || desk.draft.get().unwrap_or_default();
    let run = move || {
        let sql = text();
        if !sql.trim().is_empty() {
            case.decide(Decision::Edit { sql });
        }
    };
    let cancel = move || {
        desk.draft.set(None);
        desk.editing.set(false);
    };
    let key = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" if event.ctrl_key() || event.meta_key() => {
            event.prevent_default();
            run();
        }
        "Escape" if !event.is_composing() => {
            event.stop_propagation();
            cancel();
        }
        _ => {}
    };
    let focus = id.clone();
    request_animation_frame(move || {
        if !dom::holds_focus("composer") {
            dom::focus(&focus);
        }
    });
    let error = format!("{id}-refused");
    let is_refused = refused.is_some();
    view! {
        <div class="field">
            <label for=id.clone()>{t.edit_label}</label>
            <textarea id=id class="sql-edit" rows=lines.to_string() spellcheck="false" autocapitalize="off"
                translate="no" aria-describedby=error.clone() aria-invalid=is_refused.to_string() prop:value=live(text)
                on:input=on_event(move |e| desk.draft.set(Some(event_target_value(&e)))) on:keydown=on_key(key)></textarea>
        </div>
        <p class="field-error" id=error role=is_refused.then_some("alert")>{refused}</p>
        <div class="card-buttons">
            <button class="button" data-kind="primary" on:click=on_click(move |_| run())>{t.run_edited}</button>
            <button class="button" on:click=on_click(move |_| cancel())>{t.cancel}</button>
        </div>
    }
    .into_any()
}
