//! The palette: everything that can be done, by a few letters.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click, on_event, on_key, on_submit};
use super::store::{Panel, Waiting};
use crate::agent::protocol::Op;
use crate::view::Command;
use crate::view::palette::{Act, Entry, Now, SHOWN_MAX, entries, matching};
use leptos::prelude::*;
use web_sys::KeyboardEvent;

#[component]
pub fn Palette(ui: Ui) -> impl IntoView {
    let t = ui.t.talk;
    let open = ui.store.palette;
    let query = RwSignal::new(String::new());
    let at = RwSignal::new(0_usize);
    let all = StoredValue::new(Vec::<Entry>::new());
    let found = RwSignal::new(Vec::<Entry>::new());
    let search = move |words: String| {
        found.set(all.with_value(|all| matching(all, &words)));
        query.set(words);
        at.set(0);
    };
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    Effect::new(move || {
        let open = open.get();
        let Some(dialog) = dialog.get() else {
            return;
        };
        if open && !dialog.open() {
            search(String::new());
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    follow(ui, query, all, found);
    let choose = move |n: usize| {
        let Some(entry) = found.with_untracked(|f| f.get(n).cloned()) else {
            return;
        };
        open.set(false);
        perform(ui, entry.act);
    };
    let key = move |event: KeyboardEvent| {
        let now = at.get_untracked();
        if event.is_composing() || event.key_code() == 229 {
            return;
        }
        let count = found.with_untracked(Vec::len).min(SHOWN_MAX);
        if let Some(next) = step(&event.key(), now, count) {
            event.prevent_default();
            at.set(next);
            request_animation_frame(move || dom::reveal(&option_id(next)));
        } else if event.key() == "Enter" {
            event.prevent_default();
            choose(now);
        }
    };
    let active = move || {
        found
            .with(|f| at.get() < f.len())
            .then(|| option_id(at.get()))
    };
    view! {
        <dialog class="dialog palette" aria-label=t.palette node_ref=dialog on:close=on_event(move |_| open.set(false))>
            <form class="palette-form" on:submit=on_submit(move |e| e.prevent_default())>
                <input class="palette-field" type="text" role="combobox" autocomplete="off" spellcheck="false"
                    aria-label=t.palette_field placeholder=t.palette_field aria-expanded="true" aria-controls="palette-list"
                    aria-activedescendant=live(active) prop:value=live(move || query.get())
                    on:input=on_event(move |e| search(event_target_value(&e))) on:keydown=on_key(key) />
                <ul class="palette-list" role="listbox" id="palette-list" aria-label=t.palette_short>
                    {live(move || found.with(|f| options(f, at, choose)))}
                </ul>
                <p class="palette-none" role="status">{live(move || found.with(Vec::is_empty).then_some(t.palette_none))}</p>
            </form>
        </dialog>
    }
    .into_any()
}

/// A file that is still opening when the palette opens brings its tables a moment later.
fn follow(
    ui: Ui,
    query: RwSignal<String>,
    all: StoredValue<Vec<Entry>>,
    found: RwSignal<Vec<Entry>>,
) {
    Effect::new(move || {
        if ui.store.palette.get() {
            all.set_value(offered(ui));
            let words = query.get_untracked();
            found.set(all.with_value(|all| matching(all, &words)));
        }
    });
}

/// The next option, round and round.
fn step(key: &str, now: usize, count: usize) -> Option<usize> {
    match key {
        "ArrowDown" => Some((now + 1) % count.max(1)),
        "ArrowUp" => Some(now.checked_sub(1).unwrap_or(count.saturating_sub(1))),
        _ => None,
    }
}

fn options(
    found: &[Entry],
    at: RwSignal<usize>,
    choose: impl Fn(usize) + Copy + 'static,
) -> Vec<AnyView> {
    found
        .iter()
        .take(SHOWN_MAX)
        .enumerate()
        .map(|(n, entry)| {
            let (name, kind) = (entry.name.clone(), entry.kind);
            view! {
                <li class="palette-option" role="option" id=option_id(n)
                    aria-selected=live(move || (at.get() == n).to_string()) on:click=on_click(move |_| choose(n))>
                    <span class="palette-name">{name}</span>
                    <span class="palette-kind">{kind}</span>
                </li>
            }
            .into_any()
        })
        .collect()
}

fn option_id(n: usize) -> String {
    format!("palette-{n}")
}

fn offered(ui: Ui) -> Vec<Entry> {
    let store = ui.store;
    let (waiting, busy) = (store.waiting(), store.is_busy() && !store.ready.get());
    store.file.with(|file| {
        store.chats.with(|chats| {
            let now = Now {
                file,
                chats,
                is_busy: busy,
                card_waits: waiting != Waiting::Nothing,
                has_turns: store.turns.with(|t| !t.is_empty()),
            };
            entries(ui.t, now)
        })
    })
}

fn perform(ui: Ui, act: Act) {
    let store = ui.store;
    let later = |id: &'static str| request_animation_frame(move || dom::focus(id));
    match act {
        Act::NewChat => {
            ui.act.send(Command::NewChat);
            later("composer");
        }
        Act::OpenFile => dom::click("file-input"),
        Act::OpenSample => ui.act.send(Command::OpenSample),
        Act::CloseFile => ui.act.send(Command::CloseFile),
        Act::Settings => store.settings_open.set(true),
        Act::Chats => {
            store.panel.set(Panel::Chats);
            later("chats");
            later("chats-search");
        }
        Act::Schema => {
            store.panel.set(Panel::Schema);
            click_later("inspector-tab-schema");
        }
        Act::Sent => {
            store.panel.set(Panel::Schema);
            click_later("inspector-tab-sent");
        }
        Act::Composer => later("composer"),
        Act::Card => request_animation_frame(dom::focus_pending_card),
        Act::Stop => ui.act.send(Command::Op(Op::Stop)),
        Act::Theme => super::header::next_theme(ui),
        Act::Language => super::header::other_language(ui),
        Act::Save(form) => ui.act.send(Command::ExportChat(form)),
        Act::Import => dom::click("file-input"),
        Act::Keys => store.keys_open.set(true),
        Act::Chat(id) => {
            ui.act.send(Command::OpenChat { id });
            later("composer");
        }
        Act::Table(name) => {
            super::schema_table::insert(ui, &name);
            later("composer");
        }
    }
}

fn click_later(id: &'static str) {
    request_animation_frame(move || {
        dom::click(id);
        dom::focus(id);
    });
}

/// The button that opens it.
#[component]
pub fn PaletteButton(ui: Ui) -> impl IntoView {
    let label = ui.t.talk.palette;
    view! {
        <button class="text-button header-palette" aria-label=label title=label aria-keyshortcuts="Control+K Meta+K"
            on:click=on_click(move |_| ui.store.palette.set(true))>
            <Icon of=Icon::Search />
            <kbd aria-hidden="true">{format!("{}K", dom::command_key())}</kbd>
        </button>
    }
    .into_any()
}
