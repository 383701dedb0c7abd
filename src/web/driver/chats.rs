//! Chats: loading, saving, switching, deleting.

use super::keys::KEPT;
use super::probe::QUIRKS;
use super::{Driver, FileState, tabs};
use crate::agent::protocol::Input;
use crate::engine::Fingerprint;
use crate::session::SavedChat;
use crate::view::Patch;
use crate::view::driver_texts as said;
use crate::view::model::{ChatEntry, ChatHold, NoticeAction, Tone};
use crate::web::clock;
use crate::web::storage::{Storage, StorageError, Stored};
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// The setting that names the chat to show after a reload.
const CURRENT: &str = "current-chat";

/// What brings a deleted chat back.
pub(super) struct Deleted {
    entry: ChatEntry,
    json: Option<String>,
    handle: Option<JsValue>,
}

impl Driver {
    /// Reads settings and chats, and shows the chat that was open last.
    pub async fn load(&self) {
        match Storage::open().await {
            Ok(storage) => {
                let storage = Rc::new(storage);
                self.state.borrow_mut().storage = Some(storage.clone());
                self.listen_to_tabs();
                if let Err(error) = self.load_from(&storage).await {
                    self.storage_failed(&error);
                }
            }
            Err(error) => self.storage_failed(&error),
        }
        self.show_settings();
        self.show_all();
        self.show_recent().await;
    }

    async fn load_from(&self, storage: &Storage) -> Result<(), StorageError> {
        if let Some(json) = storage.setting("settings").await?
            && let Ok(settings) = serde_json::from_str(&json)
        {
            self.state.borrow_mut().settings = settings;
        }
        self.narrow();
        if let Some(json) = storage.setting(KEPT).await?
            && let Ok(kept) = serde_json::from_str(&json)
        {
            self.state.borrow_mut().keys.kept = kept;
        }
        if let Some(json) = storage.setting(QUIRKS).await?
            && let Ok(quirks) = serde_json::from_str(&json)
        {
            self.state.borrow_mut().quirks = quirks;
        }
        let entries = storage.entries().await?;
        self.state.borrow_mut().chats = entries;
        self.load_chat(storage).await
    }

    /// A reload brings back the chat of this tab; a new tab shows the last one, if no other tab has it.
    async fn load_chat(&self, storage: &Storage) -> Result<(), StorageError> {
        let own = tabs::own_chat();
        let last = match &own {
            Some(id) => Some(id.clone()),
            None => storage.setting(CURRENT).await?,
        };
        if let Some(id) = last {
            let mine = self.acquire(&id).await;
            if (mine || own.is_some())
                && let Some(stored) = storage.chat(&id).await?
                && self.adopt(&id, &stored)
            {
                let has_handle = storage.handle(&id).await?.is_some();
                self.state.borrow_mut().has_handle = has_handle;
                self.set_hold(ChatHold::of(mine));
                tabs::remember_own(&id);
                self.let_go();
                return Ok(());
            }
        }
        let id = self.state.borrow().chat.id.clone();
        self.hold_soon(&id);
        Ok(())
    }

    /// Makes a saved chat the current one, where it can be read.
    pub(super) fn adopt(&self, id: &str, stored: &Stored) -> bool {
        match SavedChat::from_json(&stored.json) {
            Ok(chat) => {
                let mut state = self.state.borrow_mut();
                state.tabs.revisions.insert(id.to_owned(), stored.revision);
                state.chat = chat;
                state.mismatch = match (&state.file, state.chat.run.file()) {
                    (FileState::Open(open), Some(own)) => (!own.same_content(&open.fingerprint))
                        .then(|| open.fingerprint.name.clone()),
                    _ => None,
                };
                true
            }
            Err(error) => {
                let texts = self.says();
                self.banner(
                    Tone::Error,
                    error.to_string(),
                    texts.chat_unreadable_next,
                    None,
                );
                false
            }
        }
    }

    pub(super) fn new_chat(&self) {
        self.leave_chat();
        self.set_hold(ChatHold::Mine);
        let id = clock::fresh_id();
        let fingerprint = {
            let mut state = self.state.borrow_mut();
            state.opening = None;
            state.chat = SavedChat::new(id.clone(), clock::now_ms());
            state.mismatch = None;
            state.has_handle = false;
            match &state.file {
                FileState::Open(open) => Some(open.fingerprint.clone()),
                _ => None,
            }
        };
        if let Some(fingerprint) = fingerprint {
            self.belongs_to(fingerprint);
        }
        self.hold_soon(&id);
        self.remember_current();
        self.show_all();
    }

    fn belongs_to(&self, fingerprint: Fingerprint) {
        self.input(Input::FileOpened { fingerprint });
    }

    pub(super) async fn open_chat(&self, id: String) {
        let storage = {
            let mut state = self.state.borrow_mut();
            state.opening = None;
            if state.chat.id == id {
                return;
            }
            state.opening = Some(id.clone());
            state.storage.clone()
        };
        let Some(storage) = storage else { return };
        // Held before it is read: from then on it can only change here.
        let mine = self.acquire(&id).await;
        let loaded = storage.chat(&id).await;
        let handle = storage.handle(&id).await;
        if self.state.borrow().opening.as_ref() != Some(&id) {
            return self.let_go();
        }
        self.state.borrow_mut().opening = None;
        // Only now: what the person did while it was read belongs to the chat that is left.
        self.leave_chat();
        match loaded {
            Ok(Some(stored)) => {
                if self.adopt(&id, &stored) {
                    self.state.borrow_mut().has_handle = matches!(handle, Ok(Some(_)));
                    self.set_hold(ChatHold::of(mine));
                }
            }
            Ok(None) => {}
            Err(error) => self.storage_failed(&error),
        }
        self.remember_current();
        self.let_go();
        self.resume();
        self.show_all();
    }

    /// Stops what is under way and saves, so that the chat can be left.
    pub(super) fn leave_chat(&self) {
        let busy = {
            let state = self.state.borrow();
            state.tabs.is_mine() && state.chat.run.is_busy()
        };
        if busy {
            self.stop();
        }
        {
            let mut state = self.state.borrow_mut();
            state.live = None;
            state.model = None;
        }
        // Another chat counts its results from the beginning again.
        self.release_results();
    }

    pub(super) async fn delete_chat(&self, id: String) {
        let (storage, is_current) = {
            let state = self.state.borrow();
            (state.storage.clone(), state.chat.id == id)
        };
        if is_current {
            self.leave_chat();
            self.new_chat();
        }
        let (entry, unsaved) = {
            let mut state = self.state.borrow_mut();
            let entry = state.chats.iter().find(|c| c.id == id).cloned();
            state.chats.retain(|c| c.id != id);
            (entry, state.to_save.remove(&id))
        };
        self.show_chats();
        let (Some(storage), Some(entry)) = (storage, entry) else {
            return;
        };
        // Another tab that has it saves what it did there first.
        let lock = self.obtain(&id).await;
        let deleted = Deleted {
            json: match unsaved {
                Some((_, json)) => Some(json),
                None => storage.chat(&id).await.ok().flatten().map(|c| c.json),
            },
            handle: storage.handle(&id).await.ok().flatten(),
            entry,
        };
        if let Err(error) = storage.delete_chat(&id).await {
            return self.storage_failed(&error);
        }
        {
            let mut state = self.state.borrow_mut();
            state.chats.retain(|c| c.id != id);
            state.tabs.revisions.remove(&id);
        }
        self.tell_changed(&id);
        drop(lock);
        self.show_chats();
        self.say_deleted(deleted);
    }

    fn say_deleted(&self, deleted: Deleted) {
        let text = said::fill(self.says().chat_deleted, deleted.entry.shown());
        let action = deleted.json.is_some().then_some(NoticeAction::RestoreChat);
        self.state.borrow_mut().deleted = Some(deleted);
        self.banner(Tone::Info, text, "", action);
    }

    pub(super) async fn restore_chat(&self) {
        let (storage, deleted) = {
            let mut state = self.state.borrow_mut();
            (state.storage.clone(), state.deleted.take())
        };
        let (Some(storage), Some(deleted)) = (storage, deleted) else {
            return;
        };
        (self.tell)(Patch::Banner(None));
        let Deleted {
            entry,
            json: Some(json),
            handle,
        } = deleted
        else {
            return;
        };
        match storage.save_chat(&entry, &json, None).await {
            // Another tab brought it back.
            Ok(_) | Err(StorageError::Changed) => {}
            Err(error) => return self.storage_failed(&error),
        }
        if let Some(handle) = handle
            && let Err(error) = storage.save_handle(&entry.id, &handle).await
        {
            self.storage_failed(&error);
        }
        self.tell_changed(&entry.id);
        {
            let mut state = self.state.borrow_mut();
            state.chats.retain(|c| c.id != entry.id);
            state.chats.push(entry);
            state.chats.sort_by_key(|c| std::cmp::Reverse(c.updated_ms));
        }
        self.show_chats();
    }

    pub(super) async fn rename_chat(&self, id: String, name: String) {
        let name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        self.change_entry(&id, |entry| entry.name = name.clone())
            .await;
    }

    pub(super) async fn pin_chat(&self, id: String, pinned: bool) {
        self.change_entry(&id, |entry| entry.pinned = pinned).await;
    }

    async fn change_entry(&self, id: &str, change: impl Fn(&mut ChatEntry)) {
        let storage = {
            let mut state = self.state.borrow_mut();
            if let Some((waiting, _)) = state.to_save.get_mut(id) {
                change(waiting);
            }
            if let Some(entry) = state.chats.iter_mut().find(|c| c.id == id) {
                change(entry);
            }
            state.storage.clone()
        };
        self.show_chats();
        let Some(storage) = storage else { return };
        match storage.change_entry(id, change).await {
            Ok(()) => self.tell_changed(id),
            Err(error) => self.storage_failed(&error),
        }
    }

    pub(super) fn remember_current(&self) {
        let (storage, id) = {
            let state = self.state.borrow();
            (state.storage.clone(), state.chat.id.clone())
        };
        tabs::remember_own(&id);
        let Some(storage) = storage else { return };
        self.spawn(|d| async move {
            if let Err(error) = storage.save_setting(CURRENT, &id).await {
                d.storage_failed(&error);
            }
        });
    }

    /// Saves the chat as it is now, even if another one is on show by the time the disk is asked.
    pub(super) fn save_soon(&self) {
        let (snapshot, is_new) = {
            let mut state = self.state.borrow_mut();
            if state.chat.run.turns().is_empty() || !state.tabs.is_mine() {
                return;
            }
            state.chat.updated_ms = clock::now_ms();
            let mut entry = entry(&state.chat);
            let known = state.chats.iter().find(|c| c.id == entry.id);
            let is_new = known.is_none();
            if let Some(known) = known {
                entry.name = known.name.clone();
                entry.pinned = known.pinned;
            }
            state.chats.retain(|c| c.id != entry.id);
            state.chats.insert(0, entry.clone());
            (state.chat.to_json().map(|json| (entry, json)), is_new)
        };
        self.show_chats();
        if is_new {
            self.remember_current();
            self.keep_handle();
        }
        let (entry, json) = match snapshot {
            Ok(snapshot) => snapshot,
            Err(error) => {
                let texts = self.says();
                return self.banner(
                    Tone::Error,
                    error.to_string(),
                    texts.chat_unreadable_next,
                    None,
                );
            }
        };
        let already_saving = {
            let mut state = self.state.borrow_mut();
            state.to_save.insert(entry.id.clone(), (entry, json));
            std::mem::replace(&mut state.saving, true)
        };
        if !already_saving {
            self.spawn(|d| async move { d.save_all().await });
        }
    }

    /// Writes what waits; newer states of a chat replace older ones that were not written yet.
    async fn save_all(&self) {
        loop {
            let (storage, next) = {
                let mut state = self.state.borrow_mut();
                let next = state.to_save.pop_first();
                state.saving = next.is_some();
                (state.storage.clone(), next)
            };
            let Some((id, (entry, json))) = next else {
                return self.let_go();
            };
            let Some(storage) = storage else { continue };
            let known = self.state.borrow().tabs.revisions.get(&id).copied();
            match storage.save_chat(&entry, &json, known).await {
                Ok(revision) => {
                    let mut state = self.state.borrow_mut();
                    state.tabs.revisions.insert(id.clone(), revision);
                    drop(state);
                    self.tell_changed(&id);
                }
                Err(error @ (StorageError::Changed | StorageError::Gone)) => {
                    self.keep_apart(entry, &json, &error);
                }
                Err(error) => self.storage_failed(&error),
            }
        }
    }

    pub(super) fn storage_failed(&self, error: &StorageError) {
        let texts = self.says();
        self.banner(
            Tone::Warning,
            said::fill(texts.storage_failed, &error.to_string()),
            texts.storage_failed_next,
            None,
        );
    }

    pub(super) fn show_chats(&self) {
        let patch = {
            let state = self.state.borrow();
            Patch::Chats {
                list: state.chats.clone(),
                current: state.chat.id.clone(),
            }
        };
        (self.tell)(patch);
    }
}

fn entry(chat: &SavedChat) -> ChatEntry {
    ChatEntry {
        id: chat.id.clone(),
        title: chat.title(),
        name: None,
        file: chat.run.file().map(|f| f.name.clone()),
        updated_ms: chat.updated_ms,
        waiting: chat.run.is_waiting(),
        pinned: false,
        imported: chat.run.turns().iter().any(|turn| turn.imported),
    }
}
