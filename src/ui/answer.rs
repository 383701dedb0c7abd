//! The answer: its words, and the result that it speaks of.

use super::Ui;
use super::blocks::Blocks;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click, when};
use super::result::ResultPanel;
use super::store::{ItemSignal, TurnEntry};
use crate::view::grid::Active;
use crate::view::model::{AnswerView, ItemBody};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, MouseEvent};

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

/// The words of the answer, what to beware of, and copy. `show` gets the cell of a number that was clicked.
#[component]
pub fn AnswerText(
    ui: Ui,
    item: ItemSignal,
    #[prop(optional)] show: Option<Box<dyn Fn(Active)>>,
) -> impl IntoView {
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
    let clicked = move |event: MouseEvent| {
        if let Some((show, cell)) = show.as_ref().zip(cell_of(&event)) {
            show(cell);
        }
    };
    view! {
        <div class="prose answer-text" data-live=live(move || writing().to_string()) on:click=on_click(clicked)>
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

/// The cell that a number in the words tells.
fn cell_of(event: &MouseEvent) -> Option<Active> {
    let claim = event.target()?.dyn_into::<Element>().ok()?;
    let claim = claim.closest(".claim").ok()??;
    let number = |name: &str| claim.get_attribute(name)?.parse().ok();
    Some(Active {
        row: number("data-row")?,
        column: usize::try_from(number("data-column")?).ok()?,
    })
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
