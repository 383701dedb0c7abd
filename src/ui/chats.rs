//! The column of chats.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click, when};
use super::store::Panel;
use crate::view::Command;
use crate::view::model::ChatEntry;
use leptos::prelude::*;

/// The column of chats.
#[component]
pub fn Chats(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let store = ui.store;
    let new = move |_| {
        ui.act.send(Command::NewChat);
        store.panel.set(Panel::None);
        dom::focus("composer");
    };
    let has_turns = move || store.turns.with(|turns| !turns.is_empty());
    view! {
        <nav class="chats" id="chats" aria-label=t.chats>
            <button class="button chats-new" on:click=on_click(new)>
                <Icon of=Icon::Plus />
                {t.new_chat}
            </button>
            <ul class="chats-list">
                <For each=move || store.chats.get()
                    key=|c| (c.id.clone(), c.title.clone(), c.file.clone(), c.waiting) let:chat>
                    <Chat ui chat />
                </For>
            </ul>
            {when(has_turns, move || {
                view! {
                    <button class="text-button chats-export" on:click=on_click(move |_| ui.act.send(Command::ExportChat))>
                        <Icon of=Icon::Save />
                        {t.export_chat}
                    </button>
                }
                .into_any()
            })}
        </nav>
    }
    .into_any()
}

#[component]
fn Chat(ui: Ui, chat: ChatEntry) -> impl IntoView {
    let t = ui.t;
    let title = if chat.title.is_empty() {
        t.untitled_chat.to_owned()
    } else {
        chat.title
    };
    let id = StoredValue::new(chat.id);
    let current = move || (ui.store.chat.get() == id.get_value()).then_some("page");
    let open = move |_| {
        ui.act.send(Command::OpenChat { id: id.get_value() });
        ui.store.panel.set(Panel::None);
    };
    let delete = move |_| ui.act.send(Command::DeleteChat { id: id.get_value() });
    let label = (t.delete_chat)(&title);
    view! {
        <li class="chat">
            <button class="chat-open" aria-current=live(current) on:click=on_click(open)>
                <span class="chat-title">{title}</span>
                <span class="chat-about">
                    {chat.file}
                    {chat.waiting.then(|| {
                        view! { <span class="badge" data-tone="waiting">{t.waits}</span> }
                        .into_any()
                    })}
                </span>
            </button>
            <button class="icon-button chat-delete" aria-label=label on:click=on_click(delete)>
                <Icon of=Icon::Trash />
            </button>
        </li>
    }
    .into_any()
}
