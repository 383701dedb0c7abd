//! One question and all that followed from it.

use super::Ui;
use super::asked::Asked;
use super::item::ItemView;
use super::live::live;
use super::store::TurnEntry;
use crate::view::model::TurnState;
use leptos::prelude::*;

#[component]
pub fn Turn(ui: Ui, turn: TurnEntry) -> impl IntoView {
    let t = ui.t;
    let id = format!("turn-{}", turn.id);
    let labelled_by = id.clone();
    let note = move || {
        let items = turn.items.with(Vec::is_empty);
        match turn.state.get() {
            TurnState::Thinking if items => Some((t.thinking, "live")),
            TurnState::Working => Some((t.working, "live")),
            TurnState::Stopped => Some((t.stopped, "still")),
            _ => None,
        }
    };
    view! {
        <article class="turn" aria-labelledby=labelled_by>
            <Asked ui turn id />
            <For each=move || turn.items.get() key=|entry| entry.key let:entry>
                <ItemView ui turn item=entry.item />
            </For>
            {live(move || note().map(|(text, kind)| {
                view! { <p class="turn-note" data-kind=kind>{text}</p> }
                .into_any()
            }))}
        </article>
    }
    .into_any()
}
