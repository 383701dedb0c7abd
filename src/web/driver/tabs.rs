//! Several tabs of one browser. One of them holds a chat and writes it; the others show it, follow along, and
//! may take it over. A save that would go over a newer one becomes a chat of its own.

use super::Driver;
use crate::agent::protocol::Input;
use crate::engine::Request;
use crate::session::SavedChat;
use crate::view::Patch;
use crate::view::driver_texts as said;
use crate::view::model::{ChatEntry, ChatHold, Tone};
use crate::web::clock;
use crate::web::file::text_of;
use crate::web::locks::{self, Lock, OnLost, Place};
use crate::web::storage::{Storage, StorageError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BroadcastChannel, MessageEvent};

const CHANNEL: &str = "assent-chats";
/// The chat of this tab, which a reload brings back whatever other tabs show.
const OWN: &str = "assent-chat";
/// How long another tab may take to save and let go before the chat is taken from it.
const PATIENCE_MS: u32 = 3_000;

/// What tabs tell each other. What changed is read from storage.
#[derive(Serialize, Deserialize)]
enum Word {
    Wanted {
        chat: String,
    },
    Changed {
        chat: String,
    },
    /// The list of recent files.
    Recent,
}

#[derive(Default)]
pub(super) struct Tabs {
    channel: Option<Channel>,
    locks: BTreeMap<String, Lock>,
    /// The place in the queue for the chat on show.
    place: Option<Place>,
    pub hold: ChatHold,
    /// Of the chats that this tab read or wrote.
    pub revisions: BTreeMap<String, u64>,
}

struct Channel {
    channel: BroadcastChannel,
    _heard: Closure<dyn FnMut(MessageEvent)>,
}

impl Tabs {
    pub fn is_mine(&self) -> bool {
        self.hold == ChatHold::Mine
    }
}

fn lock_name(chat: &str) -> String {
    format!("assent-chat-{chat}")
}

/// The chat that this tab showed before it was reloaded.
pub(super) fn own_chat() -> Option<String> {
    let storage = web_sys::window()?.session_storage().ok()??;
    storage.get_item(OWN).ok()?
}

pub(super) fn remember_own(chat: &str) {
    let storage = web_sys::window().and_then(|w| w.session_storage().ok().flatten());
    if let Some(storage) = storage {
        // Without it a reload shows the chat that any tab opened last.
        let _ = storage.set_item(OWN, chat);
    }
}

impl Driver {
    /// Begins to hear other tabs.
    pub(super) fn listen_to_tabs(&self) {
        let driver = self.clone();
        let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let word = event.data().as_string();
            if let Some(word) = word.and_then(|json| serde_json::from_str(&json).ok()) {
                driver.hear(word);
            }
        });
        match BroadcastChannel::new(CHANNEL) {
            Ok(channel) => {
                channel.set_onmessage(Some(heard.as_ref().unchecked_ref()));
                self.state.borrow_mut().tabs.channel = Some(Channel {
                    channel,
                    _heard: heard,
                });
            }
            // Saves are compared with what is stored, so that nothing is lost without it.
            Err(error) => web_sys::console::warn_1(&JsValue::from_str(&text_of(&error))),
        }
    }

    fn tell_tabs(&self, word: &Word) {
        let state = self.state.borrow();
        if let (Some(channel), Ok(json)) = (&state.tabs.channel, serde_json::to_string(word)) {
            // A closed channel has nobody to tell.
            let _ = channel.channel.post_message(&JsValue::from_str(&json));
        }
    }

    pub(super) fn tell_changed(&self, chat: &str) {
        self.tell_tabs(&Word::Changed {
            chat: chat.to_owned(),
        });
    }

    pub(super) fn tell_recent(&self) {
        self.tell_tabs(&Word::Recent);
    }

    fn hear(&self, word: Word) {
        match word {
            Word::Wanted { chat } => self.give_up(&chat),
            Word::Changed { chat } => self.spawn(|d| async move { d.follow(&chat).await }),
            Word::Recent => self.spawn(|d| async move { d.show_recent().await }),
        }
    }

    fn on_lost(&self, chat: &str) -> OnLost {
        let (driver, chat) = (self.clone(), chat.to_owned());
        Rc::new(move || driver.give_up(&chat))
    }

    /// The right to write a chat, if no other tab has it.
    pub(super) async fn acquire(&self, chat: &str) -> bool {
        if self.state.borrow().tabs.locks.contains_key(chat) {
            return true;
        }
        let lock = locks::now(&lock_name(chat), self.on_lost(chat)).await;
        let got = lock.is_some();
        if let Some(lock) = lock {
            let mut state = self.state.borrow_mut();
            state.tabs.locks.insert(chat.to_owned(), lock);
        }
        got
    }

    /// The same, even if another tab has it: that one is asked first.
    pub(super) async fn obtain(&self, chat: &str) -> Option<Lock> {
        if let Some(lock) = self.state.borrow_mut().tabs.locks.remove(chat) {
            return Some(lock);
        }
        let name = lock_name(chat);
        if let Some(lock) = locks::now(&name, self.on_lost(chat)).await {
            return Some(lock);
        }
        self.tell_tabs(&Word::Wanted {
            chat: chat.to_owned(),
        });
        match locks::within(&name, PATIENCE_MS, self.on_lost(chat)).await {
            Some(lock) => Some(lock),
            None => locks::by_force(&name, self.on_lost(chat)).await,
        }
    }

    /// Another tab takes the chat: what is under way is stopped and saved, then it is let go.
    fn give_up(&self, chat: &str) {
        let held = {
            let state = self.state.borrow();
            state.chat.id == chat && state.tabs.is_mine() && state.tabs.locks.contains_key(chat)
        };
        if held {
            self.leave_chat();
            self.set_hold(ChatHold::Elsewhere);
            self.show_all();
        }
        self.let_go();
    }

    /// Lets go of every chat that is not this tab's to write, once all is saved.
    pub(super) fn let_go(&self) {
        let gone = {
            let mut state = self.state.borrow_mut();
            if state.saving {
                return;
            }
            let own = state.tabs.is_mine().then(|| state.chat.id.clone());
            let all = std::mem::take(&mut state.tabs.locks);
            let (kept, gone): (BTreeMap<_, _>, BTreeMap<_, _>) = all
                .into_iter()
                .partition(|(id, _)| own.as_ref() == Some(id));
            state.tabs.locks = kept;
            gone
        };
        drop(gone);
        self.stand_in_line();
    }

    /// A chat that another tab holds comes to this one when that tab is done with it.
    fn stand_in_line(&self) {
        let chat = {
            let state = self.state.borrow();
            let waits = state.tabs.hold == ChatHold::Elsewhere && state.tabs.place.is_none();
            waits.then(|| state.chat.id.clone())
        };
        if let Some(chat) = chat {
            let (driver, id) = (self.clone(), chat.clone());
            let place = locks::wait(&lock_name(&chat), self.on_lost(&chat), move |lock| {
                let taker = driver.clone();
                driver.spawn(|_| async move { taker.take_up(&id, lock).await });
            });
            self.state.borrow_mut().tabs.place = Some(place);
        }
    }

    pub(super) fn set_hold(&self, hold: ChatHold) {
        let left = {
            let mut state = self.state.borrow_mut();
            state.tabs.hold = hold;
            state.tabs.place.take()
        };
        drop(left);
        (self.tell)(Patch::Hold(hold));
    }

    /// "Use it here."
    pub(super) async fn take_chat(&self) {
        // The place in the queue would stand before what is asked for now.
        let (chat, hold, place) = {
            let mut state = self.state.borrow_mut();
            let place = state.tabs.place.take();
            (state.chat.id.clone(), state.tabs.hold, place)
        };
        drop(place);
        if hold == ChatHold::Mine {
            return;
        }
        let Some(lock) = self.obtain(&chat).await else {
            return;
        };
        if hold == ChatHold::Deleted {
            self.bring_back(&chat, lock);
        } else {
            self.take_up(&chat, lock).await;
        }
    }

    /// A chat that was deleted in another tab is stored once more, as this one shows it.
    fn bring_back(&self, chat: &str, lock: Lock) {
        {
            let mut state = self.state.borrow_mut();
            if state.chat.id != chat {
                return;
            }
            state.tabs.revisions.remove(chat);
            state.tabs.locks.insert(chat.to_owned(), lock);
        }
        self.set_hold(ChatHold::Mine);
        self.save_soon();
        self.go_on();
    }

    /// This tab has the lock now: the chat goes on here, from what is stored.
    async fn take_up(&self, chat: &str, lock: Lock) {
        let storage = {
            let state = self.state.borrow();
            let still = state.chat.id == chat && state.tabs.hold == ChatHold::Elsewhere;
            state.storage.clone().filter(|_| still)
        };
        let Some(storage) = storage else { return };
        let stored = storage.chat(chat).await;
        if self.state.borrow().chat.id != chat {
            return;
        }
        match stored {
            Ok(Some(stored)) => {
                self.state
                    .borrow_mut()
                    .tabs
                    .locks
                    .insert(chat.to_owned(), lock);
                self.adopt(chat, &stored);
                self.set_hold(ChatHold::Mine);
                self.go_on();
            }
            Ok(None) => {
                drop(lock);
                self.set_hold(ChatHold::Deleted);
            }
            Err(error) => self.storage_failed(&error),
        }
    }

    /// Shows a chat that became this tab's own, and takes up what it waits for.
    fn go_on(&self) {
        let fingerprint = {
            let state = self.state.borrow();
            match (&state.file, &state.mismatch) {
                (super::FileState::Open(open), None) => Some(open.fingerprint.clone()),
                _ => None,
            }
        };
        if let Some(fingerprint) = fingerprint {
            self.input(Input::FileOpened { fingerprint });
        }
        self.resume();
        self.show_all();
    }

    /// Another tab changed a chat: the list is read anew, and the chat too where it is on show.
    async fn follow(&self, chat: &str) {
        let storage = self.state.borrow().storage.clone();
        let Some(storage) = storage else { return };
        match storage.entries().await {
            Ok(entries) => self.merge_entries(entries),
            Err(error) => return self.storage_failed(&error),
        }
        if self.follows(chat)
            && let Err(error) = self.read_again(&storage, chat).await
        {
            self.storage_failed(&error);
        }
    }

    /// Whether a chat on show is to be read again: it is not this tab's to write, or no lock says whose it is
    /// and nothing of this tab would be lost.
    fn follows(&self, chat: &str) -> bool {
        let state = self.state.borrow();
        let idle = !state.saving
            && state.to_save.is_empty()
            && state.model.is_none()
            && state.pending.is_empty();
        state.chat.id == chat && (!state.tabs.is_mine() || (!locks::are_there() && idle))
    }

    async fn read_again(&self, storage: &Storage, chat: &str) -> Result<(), StorageError> {
        let stored = storage.chat(chat).await?;
        if !self.follows(chat) {
            return Ok(());
        }
        let (known, hold, has_turns) = {
            let state = self.state.borrow();
            (
                state.tabs.revisions.get(chat).copied(),
                state.tabs.hold,
                !state.chat.run.turns().is_empty(),
            )
        };
        match stored {
            None if known.is_some() && has_turns => self.set_hold(ChatHold::Deleted),
            Some(stored) if known != Some(stored.revision) || hold == ChatHold::Deleted => {
                self.release_results();
                self.adopt(chat, &stored);
                if hold == ChatHold::Deleted {
                    self.set_hold(ChatHold::Elsewhere);
                    self.stand_in_line();
                }
                self.show_all();
            }
            None | Some(_) => {}
        }
        Ok(())
    }

    fn merge_entries(&self, stored: Vec<ChatEntry>) {
        {
            let mut state = self.state.borrow_mut();
            let mut list = stored;
            for (id, (waiting, _)) in &state.to_save {
                match list.iter_mut().find(|entry| entry.id == *id) {
                    Some(known) => {
                        known.waiting = waiting.waiting;
                        known.updated_ms = waiting.updated_ms;
                    }
                    None => list.push(waiting.clone()),
                }
            }
            list.sort_by_key(|entry| std::cmp::Reverse(entry.updated_ms));
            state.chats = list;
        }
        self.show_chats();
    }

    /// What this tab holds in its engine may not be what another tab's results are.
    pub(super) fn release_results(&self) {
        let held = std::mem::take(&mut self.state.borrow_mut().held);
        for result in held {
            self.post(&Request::Release { result });
        }
    }

    /// A save found another chat than it knew: what this tab has becomes a chat of its own, and nothing is
    /// written over. A chat that is gone is stored again.
    pub(super) fn keep_apart(&self, entry: ChatEntry, json: &str, error: &StorageError) {
        let gone = matches!(error, StorageError::Gone);
        let on_show = self.state.borrow().chat.id == entry.id;
        let id = if gone {
            entry.id.clone()
        } else {
            clock::fresh_id()
        };
        {
            let mut state = self.state.borrow_mut();
            state.tabs.revisions.remove(&entry.id);
            state.tabs.revisions.remove(&id);
            if on_show {
                state.chat.id.clone_from(&id);
            }
        }
        if on_show {
            self.set_hold(ChatHold::Mine);
            self.hold_soon(&id);
            self.remember_current();
            self.save_soon();
            self.show_all();
        } else if let Ok(mut chat) = SavedChat::from_json(json) {
            chat.id.clone_from(&id);
            if let Ok(json) = chat.to_json() {
                let copy = ChatEntry {
                    id: id.clone(),
                    ..entry.clone()
                };
                let mut state = self.state.borrow_mut();
                state.chats.push(copy.clone());
                state.to_save.insert(id, (copy, json));
            }
        }
        let texts = self.says();
        let text = if gone {
            texts.chat_gone
        } else {
            texts.chat_changed
        };
        self.banner(
            Tone::Warning,
            said::fill(text, entry.shown()),
            texts.chat_apart_next,
            None,
        );
        self.tell_changed(&entry.id);
    }

    /// A new chat is held from its beginning; nobody else can know its name yet.
    pub(super) fn hold_soon(&self, chat: &str) {
        let chat = chat.to_owned();
        self.spawn(|d| async move {
            d.acquire(&chat).await;
            d.let_go();
        });
    }
}
