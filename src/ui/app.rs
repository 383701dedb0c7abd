//! The frame of the page and its live region.

use super::Ui;
use super::banner::Banner;
use super::chats::Chats;
use super::dom;
use super::drop::{DropZone, FileInput};
use super::header::Header;
use super::held::Foot;
use super::inspector::Inspector;
use super::keys::KeysDialog;
use super::live::{live, on_click};
use super::palette::Palette;
use super::recent::FileMenu;
use super::settings::SettingsDialog;
use super::store::{Panel, Waiting};
use super::transcript::Transcript;
use super::unlock::UnlockDialog;
use crate::view::model::{ItemBody, TurnState};
use leptos::prelude::*;

/// The whole page.
#[component]
pub fn App(ui: Ui) -> impl IntoView {
    let store = ui.store;
    Effect::new(move || {
        if store.ready.get()
            && let Some(question) = store.queued.get_untracked()
        {
            store.queued.set(None);
            super::composer::ask(ui, question);
        }
    });
    super::line::follow(ui);
    super::keys::listen(ui);
    super::pick::take_launches(ui);
    // A drawer lies over the rest only where there is no room beside it.
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        if !covers(store.panel.get_untracked()) && store.panel.get_untracked() != Panel::None {
            store.panel.set(Panel::None);
        }
    });
    on_cleanup(move || resized.remove());
    let panel = move || match store.panel.get() {
        Panel::None => "none",
        Panel::Chats => "chats",
        Panel::Schema => "schema",
    };
    view! {
        <div class="app" data-panel=live(panel)>
            <a class="skip" href="#composer" on:click=on_click(move |e| {
                e.prevent_default();
                dom::focus("composer");
            })>{ui.t.skip_to_composer}</a>
            <Header ui />
            <Chats ui />
            <main class="main" id="main" inert=live(move || covers(store.panel.get()))>
                <Transcript ui />
                <Banner ui />
                <Foot ui />
            </main>
            <Inspector ui />
            <div class="scrim" aria-hidden="true" on:click=on_click(move |_| store.panel.set(Panel::None))></div>
            <p class="hidden-text" role="status">{live(move || announcement(ui))}</p>
        </div>
        <FileMenu ui />
        <DropZone ui />
        <FileInput ui />
    }
    .into_any()
}

/// What opens over the page. It comes with the driver: nothing of it is there before somebody acts.
#[component]
pub fn Dialogs(ui: Ui) -> impl IntoView {
    view! {
        <SettingsDialog ui />
        <UnlockDialog ui />
        <Palette ui />
        <KeysDialog ui />
    }
    .into_any()
}

/// Whether the column lies over the conversation, as on a narrow screen.
fn covers(panel: Panel) -> bool {
    match panel {
        Panel::None => false,
        Panel::Chats => dom::matches_media("(width < 52rem)"),
        Panel::Schema => dom::matches_media("(width < 70rem)"),
    }
}

/// The one polite sentence: a card waits, or the answer is there.
fn announcement(ui: Ui) -> String {
    match ui.store.waiting() {
        Waiting::Approval => return ui.t.announce_approval.to_owned(),
        Waiting::Questions => return ui.t.announce_questions.to_owned(),
        Waiting::Nothing => {}
    }
    let Some(turn) = ui.store.turns.with(|t| t.last().copied()) else {
        return String::new();
    };
    match turn.state.get() {
        TurnState::Thinking | TurnState::Working => ui.t.announce_busy.to_owned(),
        TurnState::Waiting => String::new(),
        TurnState::Stopped => ui.t.announce_stopped.to_owned(),
        TurnState::Done | TurnState::Failed => {
            let last = turn.items.with(|i| i.last().copied());
            last.map(|e| {
                e.item.with(|i| match &i.body {
                    ItemBody::Answer(a) => a.text.clone(),
                    ItemBody::CannotAnswer { reason } => reason.clone(),
                    ItemBody::Notice(n) => format!("{} {}", n.text, n.next),
                    _ => String::new(),
                })
            })
            .unwrap_or_default()
        }
    }
}
