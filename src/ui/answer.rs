//! The answer: its words, and the result that it speaks of.

use super::Ui;
use super::blocks::Blocks;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click, when};
use super::result::ResultPanel;
use super::store::{ItemSignal, TurnEntry};
use crate::view::model::{AnswerView, ItemBody};
use leptos::prelude::*;

/// The answer, with the result it speaks of behind its tabs.
#[component]
pub fn Answer(ui: Ui, turn: TurnEntry, item: ItemSignal) -> impl IntoView {
    let id = format!("answer-{}-{}", turn.id, item.with_untracked(|i| i.key));
    let id = StoredValue::new(id);
    let result = Memo::new(move |_| {
        of(item, |a| {
            a.result.as_ref().map(|r| (r.id.0, r.live, r.rows))
        })
        .flatten()
    });
    live(move || {
        // Read, not only tracked, as in item.rs.
        result.with(|_| ());
        let result = item.with_untracked(|i| answer(&i.body).and_then(|a| a.result.clone()));
        match result {
            Some(result) => {
                view! { <ResultPanel ui id=id.get_value() result answer=item /> }.into_any()
            }
            None => view! {
                <div class="answer">
                    <AnswerText ui item />
                </div>
            }
            .into_any(),
        }
    })
    .into_any()
}

/// The words of the answer, what to beware of, and copy.
#[component]
pub fn AnswerText(ui: Ui, item: ItemSignal) -> impl IntoView {
    let t = ui.t;
    let blocks = Signal::derive(move || of(item, |a| a.blocks.clone()).unwrap_or_default());
    let writing = move || of(item, |a| a.live).unwrap_or_default();
    let unsupported = move || {
        let list = of(item, |a| a.unsupported.clone()).unwrap_or_default();
        (!list.is_empty()).then(|| {
            view! { <p class="answer-note" data-tone="warning">{(t.unsupported)(&list.join(", "))}</p> }.into_any()
        })
    };
    let without_rows = move || {
        let bare = of(item, |a| a.without_rows && !a.live).unwrap_or_default();
        bare.then(|| view! { <p class="answer-note">{t.without_rows}</p> }.into_any())
    };
    let copy = move |_| dom::copy(&of(item, |a| a.text.clone()).unwrap_or_default());
    view! {
        <div class="prose answer-text" data-live=live(move || writing().to_string())>
            <Blocks blocks />
        </div>
        {live(unsupported)}
        {live(without_rows)}
        {when(move || !writing(), move || {
            view! {
                <button class="icon-button answer-copy" aria-label=t.copy_answer title=t.copy_answer on:click=on_click(copy)>
                    <Icon of=Icon::Copy />
                </button>
            }
            .into_any()
        })}
    }
    .into_any()
}

fn answer(body: &ItemBody) -> Option<&AnswerView> {
    match body {
        ItemBody::Answer(a) => Some(a),
        _ => None,
    }
}

fn of<T>(item: ItemSignal, get: impl FnOnce(&AnswerView) -> T) -> Option<T> {
    item.with(|i| answer(&i.body).map(get))
}
