//! The line in which a question is written, and its button.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::line;
use super::live::{live, on_click, on_event, on_key, on_submit, when};
use crate::agent::protocol::Op;
use crate::view::Command;
use crate::view::model::FileView;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// Where the question is written. "Ask" becomes "Stop" while a turn is under way.
#[component]
pub fn Composer(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let store = ui.store;
    let send = move || {
        let text = store.draft.get_untracked().trim().to_owned();
        if text.is_empty() {
            return;
        }
        if store.ready.get_untracked() {
            store.draft.set(String::new());
            ask(ui, text);
        } else if stoppable(ui) {
            store.draft.set(String::new());
            line::put(ui, text);
        }
    };
    let key = move |event: KeyboardEvent| {
        // 229 is what browsers report while an input method composes and `isComposing` is not yet set.
        let composing = event.is_composing() || event.key_code() == 229;
        match event.key().as_str() {
            "Enter" if !event.shift_key() && !composing => {
                event.prevent_default();
                send();
            }
            "Escape" if !composing && stoppable(ui) => {
                event.prevent_default();
                stop(ui);
            }
            _ => {}
        }
    };
    let no_file = move || store.file.with(|f| !matches!(f, FileView::Open { .. }));
    let in_line = move || stoppable(ui) && store.draft.with(|d| !d.trim().is_empty());
    let hint = move || {
        if no_file() {
            t.composer_no_file
        } else if in_line() {
            t.talk.line_hint
        } else if store.settings.with(|s| s.endpoint.trim().is_empty()) {
            t.composer_builtin
        } else {
            t.composer_hint
        }
    };
    let off = move || !store.ready.get() || store.draft.with(|d| d.trim().is_empty());
    view! {
        <form class="composer" on:submit=on_submit(move |e| e.prevent_default())>
            <label class="hidden-text" for="composer">{t.composer}</label>
            <div class="composer-box">
                <textarea id="composer" class="composer-text" rows="1" placeholder=t.composer
                    aria-describedby="composer-hint" prop:value=live(move || store.draft.get())
                    on:input=on_event(move |e| store.draft.set(event_target_value(&e))) on:keydown=on_key(key)></textarea>
                {live(move || {
                    if stoppable(ui) {
                        view! {
                            {when(in_line, move || view! {
                                <button type="button" class="button" on:click=on_click(move |_| {
                                    send();
                                    dom::focus("composer");
                                })>{t.talk.put_in_line}</button>
                            }.into_any())}
                            <button type="button" class="button composer-send" data-kind="stop"
                                on:click=on_click(move |_| {
                                stop(ui);
                                dom::focus("composer");
                            })>
                                <Icon of=Icon::Stop />
                                {t.stop}
                            </button>
                        }
                        .into_any()
                    } else {
                        view! {
                            <button type="button" class="button composer-send" data-kind="primary" disabled=live(off)
                                on:click=on_click(move |_| {
                                    send();
                                    dom::focus("composer");
                                })>
                                <Icon of=Icon::Send />
                                {t.ask}
                            </button>
                        }
                        .into_any()
                    }
                })}
            </div>
            <p class="composer-hint" id="composer-hint">{live(hint)}</p>
        </form>
    }
    .into_any()
}

pub fn ask(ui: Ui, text: String) {
    ui.store.stuck.set(true);
    ui.act.send(Command::Op(Op::Ask { text }));
}

fn stop(ui: Ui) {
    ui.act.send(Command::Op(Op::Stop));
}

fn stoppable(ui: Ui) -> bool {
    ui.store.is_busy() && !ui.store.ready.get()
}
