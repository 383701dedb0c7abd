//! The column of chats.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{either, live, on_click, on_event, on_focus, on_key, when};
use super::pick;
use super::store::Panel;
use crate::view::Command;
use crate::view::chats::listed;
use crate::view::command::ChatFile;
use crate::view::model::ChatEntry;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// From this many chats on the list has a search field.
const SEARCH_FROM: usize = 4;

/// The column of chats.
#[component]
pub fn Chats(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let store = ui.store;
    let query = RwSignal::new(String::new());
    let new = move |_| {
        ui.act.send(Command::NewChat);
        store.panel.set(Panel::None);
        dom::focus("composer");
    };
    let has_turns = move || store.turns.with(|turns| !turns.is_empty());
    let many = move || store.chats.with(|chats| chats.len() >= SEARCH_FROM);
    let shown = Memo::new(move |_| {
        let query = if many() { query.get() } else { String::new() };
        store.chats.with(|chats| listed(chats, &query))
    });
    let none_found =
        move || shown.with(Vec::is_empty) && store.chats.with(|chats| !chats.is_empty());
    view! {
        <nav class="chats" id="chats" tabindex="-1" aria-label=t.chats>
            <button class="button chats-new" on:click=on_click(new)>
                <Icon of=Icon::Plus />
                {t.new_chat}
            </button>
            {when(many, move || view! { <Search ui query /> }.into_any())}
            <ul class="chats-list">
                <For each=move || shown.get()
                    key=|c| (c.id.clone(), c.shown().to_owned(), c.file.clone(), c.waiting, c.pinned, c.imported) let:chat>
                    <Chat ui chat />
                </For>
            </ul>
            {when(none_found, move || view! { <p class="chats-none">{t.no_chat_found}</p> }.into_any())}
            <div class="chats-files">
                {when(has_turns, move || {
                    let save = move |form, name| {
                        let save = on_click(move |_| ui.act.send(Command::ExportChat(form)));
                        view! {
                            <button class="text-button" on:click=save>
                                <Icon of=Icon::Save />
                                {name}
                            </button>
                        }
                        .into_any()
                    };
                    [save(ChatFile::Report, t.keeping.save_report), save(ChatFile::Record, t.keeping.save_record)].into_any()
                })}
                <button class="text-button" on:click=on_click(move |_| pick::file(ui))>
                    <Icon of=Icon::Open />
                    {t.keeping.import_chat}
                </button>
            </div>
        </nav>
    }
    .into_any()
}

#[component]
fn Search(ui: Ui, query: RwSignal<String>) -> impl IntoView {
    let input = move |event| query.set(event_target_value(&event));
    view! {
        <input class="chats-search" id="chats-search" type="search" autocomplete="off" aria-label=ui.t.search_chats
            placeholder=ui.t.search_chats prop:value=live(move || query.get()) on:input=on_event(input) />
    }
    .into_any()
}

#[component]
fn Chat(ui: Ui, chat: ChatEntry) -> impl IntoView {
    let chat = StoredValue::new(chat);
    let renaming = RwSignal::new(false);
    view! {
        <li class="chat">
            {either(
                move || renaming.get(),
                move || view! { <Rename ui chat renaming /> }.into_any(),
                move || view! { <Line ui chat renaming /> }.into_any(),
            )}
        </li>
    }
    .into_any()
}

#[component]
fn Line(ui: Ui, chat: StoredValue<ChatEntry>, renaming: RwSignal<bool>) -> impl IntoView {
    let t = ui.t;
    let ChatEntry {
        id,
        file,
        waiting,
        pinned,
        imported,
        ..
    } = chat.get_value();
    let title = title(ui, chat);
    let id = StoredValue::new(id);
    let current = move || (ui.store.chat.get() == id.get_value()).then_some("page");
    let open = move |_| {
        ui.act.send(Command::OpenChat { id: id.get_value() });
        ui.store.panel.set(Panel::None);
    };
    let delete = move |_| ui.act.send(Command::DeleteChat { id: id.get_value() });
    let pin = move |_| {
        ui.act.send(Command::PinChat {
            id: id.get_value(),
            pinned: !pinned,
        });
    };
    let pin_label = if pinned { t.unpin_chat } else { t.pin_chat }(&title);
    let rename_label = (t.rename_chat)(&title);
    let delete_label = (t.delete_chat)(&title);
    view! {
        <button class="chat-open" id=own_id(&id.get_value()) aria-current=live(current) on:click=on_click(open)>
            <span class="chat-title">{title}</span>
            <span class="chat-about">
                {pinned.then(|| view! { <Icon of=Icon::Pin /> }.into_any())}
                {file}
                {imported.then(|| view! { <span class="badge">{t.keeping.imported}</span> }.into_any())}
                {waiting.then(|| view! { <span class="badge" data-tone="waiting">{t.waits}</span> }.into_any())}
            </span>
        </button>
        <span class="chat-acts">
            <button class="icon-button chat-act" data-on=pinned.then_some("") aria-label=pin_label on:click=on_click(pin)>
                <Icon of=Icon::Pin />
            </button>
            <button class="icon-button chat-act" aria-label=rename_label on:click=on_click(move |_| renaming.set(true))>
                <Icon of=Icon::Pencil />
            </button>
            <button class="icon-button chat-act" aria-label=delete_label on:click=on_click(delete)>
                <Icon of=Icon::Trash />
            </button>
        </span>
    }
    .into_any()
}

/// The name as a field: Enter or leaving it keeps what it says, Escape does not.
#[component]
fn Rename(ui: Ui, chat: StoredValue<ChatEntry>, renaming: RwSignal<bool>) -> impl IntoView {
    let before = title(ui, chat);
    let name = RwSignal::new(before.clone());
    let field = NodeRef::<leptos::html::Input>::new();
    Effect::new(move || {
        if let Some(field) = field.get() {
            let _ = field.focus();
            field.select();
        }
    });
    let keep = move |_| {
        if !renaming.get_untracked() {
            return;
        }
        renaming.set(false);
        focus_line(chat);
        let name = name.get_untracked();
        if name != before {
            ui.act.send(Command::RenameChat {
                id: chat.with_value(|c| c.id.clone()),
                name,
            });
        }
    };
    let key = move |event: KeyboardEvent| {
        if event.is_composing() || event.key_code() == 229 {
            return;
        }
        match event.key().as_str() {
            "Enter" => dom::blur(&event),
            "Escape" => {
                renaming.set(false);
                focus_line(chat);
            }
            _ => {}
        }
    };
    view! {
        <input class="chat-rename" aria-label=ui.t.chat_name node_ref=field
            prop:value=live(move || name.get())
            on:input=on_event(move |event| name.set(event_target_value(&event)))
            on:keydown=on_key(key) on:focusout=on_focus(keep) />
    }
    .into_any()
}

fn own_id(chat: &str) -> String {
    format!("chat-{chat}")
}

/// Gives the focus back to the line, once it is there again.
fn focus_line(chat: StoredValue<ChatEntry>) {
    let id = chat.with_value(|c| own_id(&c.id));
    request_animation_frame(move || dom::focus(&id));
}

fn title(ui: Ui, chat: StoredValue<ChatEntry>) -> String {
    let shown = chat.with_value(|c| c.shown().to_owned());
    if shown.is_empty() {
        ui.t.untitled_chat.to_owned()
    } else {
        shown
    }
}
