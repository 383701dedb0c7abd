//! The conversation, and how it keeps its end in sight.

use super::Ui;
use super::dom;
use super::empty::Empty;
use super::file_gate::FileGate;
use super::icon::Icon;
use super::live::{live, on_click, on_event, when};
use super::store::Store;
use super::turn::Turn;
use crate::view::model::{ChatHold, TurnState};
use leptos::prelude::*;

/// How near to the end, in pixels, still counts as the end.
const END_SLACK: i32 = 48;

/// The conversation, oldest turn first.
#[component]
pub fn Transcript(ui: Ui) -> impl IntoView {
    let store = ui.store;
    let busy = move || match store.last_state() {
        Some(TurnState::Thinking | TurnState::Working) => "true",
        _ => "false",
    };
    let scrolled = move |_| {
        if let Some(log) = dom::by_id("transcript") {
            let left = log.scroll_height() - log.scroll_top() - log.client_height();
            let stuck = left <= END_SLACK;
            if store.stuck.get_untracked() != stuck {
                store.stuck.set(stuck);
            }
        }
    };
    let jump = move |_| store.stuck.set(true);
    let log = NodeRef::<leptos::html::Div>::new();
    let column = NodeRef::<leptos::html::Div>::new();
    Effect::new(move || {
        if let (Some(log), Some(column)) = (log.get(), column.get()) {
            dom::on_resize(&[&log, &column], move || follow(store));
        }
    });
    Effect::new(move || {
        if store.stuck.get() {
            follow(store);
        }
    });
    let is_empty = Memo::new(move |_| store.turns.with(Vec::is_empty));
    // One live region speaks for the page; the log itself stays silent, or every token would be read out.
    view! {
        <div class="transcript-frame">
            <div class="transcript" id="transcript" role="log" aria-live="off" aria-label=ui.t.transcript
                aria-busy=live(busy) tabindex="0" node_ref=log on:scroll=on_event(scrolled)>
                <div class="transcript-column" id="transcript-column" node_ref=column>
                    {live(move || {
                        if is_empty.get() {
                            view! { <Empty ui /> }.into_any()
                        } else {
                            view! { <h1 class="hidden-text">{ui.t.transcript}</h1> }.into_any()
                        }
                    })}
                    <For each=move || store.turns.get() key=|turn| (turn.generation, turn.id) let:turn>
                        <Turn ui turn />
                    </For>
                    {live(move || (!is_empty.get() && store.hold.get() == ChatHold::Mine).then(|| view! { <FileGate ui /> }.into_any()))}
                </div>
            </div>
            {when(move || !store.stuck.get(), move || {
                view! {
                    <button class="button jump" on:click=on_click(jump)>
                        <Icon of=Icon::Down />
                        {ui.t.jump_to_end}
                    </button>
                }
                .into_any()
            })}
        </div>
    }
    .into_any()
}

/// Keeps the end in sight, unless the person has scrolled away. Called when the layout is known, before it is painted.
fn follow(store: Store) {
    if store.stuck.get_untracked()
        && store.turns.with_untracked(|t| !t.is_empty())
        && let Some(log) = dom::by_id("transcript")
    {
        log.set_scroll_top(log.scroll_height());
    }
}
