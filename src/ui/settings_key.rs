//! The key in the settings: typed, kept under a passphrase, unlocked, forgotten; and what the page may reach.

use super::Ui;
use super::live::{live, on_click, on_event, when};
use super::settings::Form;
use crate::view::Command;
use leptos::prelude::*;

#[component]
pub fn KeyField(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t;
    let more = t.endpoint_more;
    let store = ui.store;
    let held = move || store.settings.with(|s| s.has_key) && !form.forget.get();
    let kept = move || store.settings.with(|s| s.kept_for.is_some()) && !form.forget.get();
    let placeholder = move || if held() { t.key_held } else { t.key_none };
    let kept_note = move || {
        let kept = store.settings.with(|s| s.kept_for.clone());
        kept.map(|origin| (more.key_kept)(&origin))
    };
    let forget = move |_| {
        form.forget.set(true);
        form.keep.set(false);
    };
    view! {
        <div class="field">
            <label for="settings-key">{t.api_key}</label>
            <input id="settings-key" type="password" autocomplete="off" placeholder=live(placeholder)
                aria-describedby="settings-key-note" prop:value=live(move || form.key.get())
                on:input=on_event(move |e| form.key.set(event_target_value(&e))) />
            <p class="field-note" id="settings-key-note">{t.key_note}</p>
            {when(kept, move || view! { <p class="field-note">{live(kept_note)}</p> }.into_any())}
            {when(move || kept() && !held(), move || {
                view! { <button type="button" class="text-button" on:click=on_click(move |_| ui.act.send(Command::AskUnlock))>{more.unlock}</button> }
                .into_any()
            })}
            {when(move || kept() || held(), move || {
                view! { <button type="button" class="text-button" on:click=on_click(forget)>{t.key_forget}</button> }
                .into_any()
            })}
            <KeepFields ui form />
        </div>
    }
    .into_any()
}

#[component]
fn KeepFields(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t.endpoint_more;
    let new = move || {
        let fresh = ui
            .store
            .settings
            .with(|s| s.kept_for.is_none() && s.has_key);
        form.keep.get() && (fresh || form.key.with(|k| !k.trim().is_empty()))
    };
    let note = move || {
        if form.short.get() {
            t.passphrase_short
        } else {
            t.key_keep_note
        }
    };
    view! {
        <div class="option">
            <input type="checkbox" id="settings-keep" prop:checked=live(move || form.keep.get())
                on:change=on_event(move |e| form.keep.set(event_target_checked(&e))) />
            <label class="option-label" for="settings-keep">{t.key_keep}</label>
        </div>
        {when(new, move || view! {
            <label for="settings-passphrase">{t.passphrase}</label>
            <input id="settings-passphrase" type="password" autocomplete="new-password"
                aria-describedby="settings-passphrase-note" aria-invalid=live(move || form.short.get().to_string())
                prop:value=live(move || form.passphrase.get())
                on:input=on_event(move |e| form.passphrase.set(event_target_value(&e))) />
            <p class="field-note" id="settings-passphrase-note" role="status">{live(note)}</p>
        }
        .into_any())}
    }
    .into_any()
}

/// What an endpoint costs that this page may not reach.
#[component]
pub fn FreshPage(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t.endpoint_more;
    let note = move || {
        let new = form.settings.with(|s| s.endpoint.clone());
        let old = ui.store.settings.with(|s| s.reach.last().cloned());
        let reached = form.is_reached(ui);
        old.filter(|_| !reached)
            .map(|old| (t.fresh_page)(&old, new.trim()))
    };
    view! { <p class="field-note" role="status">{live(note)}</p> }.into_any()
}
