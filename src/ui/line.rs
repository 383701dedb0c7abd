//! Follow-ups that wait in line while an answer is under way.

use super::Ui;
use super::icon::Icon;
use super::live::{live, on_click};
use crate::view::model::TurnState;
use leptos::prelude::*;

/// A question in line, and the chat that it is for.
#[derive(Clone, PartialEq, Eq)]
pub struct InLine {
    pub chat: String,
    pub text: String,
}

/// Puts the composer's text in line. It is asked when the turn under way ends with an answer.
pub fn put(ui: Ui, text: String) {
    let chat = ui.store.chat.get_untracked();
    ui.store
        .line
        .update(|line| line.push(InLine { chat, text }));
}

/// Asks the first one as soon as an answer is there.
pub fn follow(ui: Ui) {
    let store = ui.store;
    Effect::new(move || {
        let answered = store.last_state() == Some(TurnState::Done);
        if store.ready.get()
            && answered
            && let Some(at) = first(ui)
        {
            ask(ui, at);
        }
    });
}

fn first(ui: Ui) -> Option<usize> {
    let chat = ui.store.chat.get();
    ui.store
        .line
        .with(|line| line.iter().position(|q| q.chat == chat))
}

fn take(ui: Ui, at: usize) -> Option<InLine> {
    let mut line = ui.store.line.write();
    (at < line.len()).then(|| line.remove(at))
}

fn ask(ui: Ui, at: usize) {
    if let Some(next) = take(ui, at) {
        super::composer::ask(ui, next.text);
    }
}

/// The questions in line, above the composer.
#[component]
pub fn Line(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let store = ui.store;
    let list = move || {
        let chat = store.chat.get();
        let mine: Vec<(usize, String)> = store.line.with(|line| {
            let mine = line.iter().enumerate().filter(|(_, q)| q.chat == chat);
            mine.map(|(at, q)| (at, q.text.clone())).collect()
        });
        if mine.is_empty() {
            return None;
        }
        let held = store.ready.get();
        let rows: Vec<_> = mine
            .into_iter()
            .map(|(at, text)| row(ui, at, text, held))
            .collect();
        Some(
            view! {
                <section class="line" aria-label=t.talk.line>
                    {held.then(|| view! { <p class="line-note">{t.talk.line_held}</p> }.into_any())}
                    <ol class="line-list">{rows}</ol>
                </section>
            }
            .into_any(),
        )
    };
    live(list).into_any()
}

fn row(ui: Ui, at: usize, text: String, held: bool) -> AnyView {
    let t = ui.t.talk;
    let label = (t.take_out)(&text);
    view! {
        <li class="line-row">
            <span class="line-text">{text}</span>
            {held.then(|| view! {
                <button type="button" class="text-button" on:click=on_click(move |_| ask(ui, at))>{t.ask_now}</button>
            }.into_any())}
            <button type="button" class="icon-button" aria-label=label on:click=on_click(move |_| drop(take(ui, at)))>
                <Icon of=Icon::Close />
            </button>
        </li>
    }
    .into_any()
}
