//! The model's reasoning: open while it streams, folded when it is over, unless the person opened it.

use super::Ui;
use super::growing::GrowingText;
use super::icon::Icon;
use super::live::{live, on_click, when};
use super::store::ItemSignal;
use crate::view::model::ItemBody;
use leptos::prelude::*;

#[component]
pub fn Thought(ui: Ui, item: ItemSignal) -> impl IntoView {
    let t = ui.t;
    let seconds = Memo::new(move |_| {
        item.with(|i| match &i.body {
            ItemBody::Thought { seconds, .. } => *seconds,
            _ => None,
        })
    });
    let text = move || {
        item.with(|i| match &i.body {
            ItemBody::Thought { text, .. } => text.clone(),
            _ => String::new(),
        })
    };
    let chosen = RwSignal::new(None::<bool>);
    let open = move || chosen.get().unwrap_or_else(|| seconds.get().is_none());
    let label = move || match seconds.get() {
        Some(s) => (t.thought_for)(s),
        None => t.thinking.to_owned(),
    };
    view! {
        <section class="thought" data-live=live(move || seconds.get().is_none().to_string())>
            <button class="fold" aria-expanded=live(move || open().to_string())
                on:click=on_click(move |_| chosen.set(Some(!open())))>
                <Icon of=Icon::Chevron />
                {live(label)}
            </button>
            {when(open, move || view! { <p class="thought-text"><GrowingText text=Signal::derive(text) /></p> }.into_any())}
        </section>
    }
    .into_any()
}
