//! Chats: loading, saving, switching, deleting, exporting.

use super::keys::KEPT;
use super::probe::QUIRKS;
use super::{Driver, FileState};
use crate::agent::protocol::Input;
use crate::agent::record::TurnRecord;
use crate::engine::{Fingerprint, Request};
use crate::llm::ledger::Sent;
use crate::session::SavedChat;
use crate::view::Patch;
use crate::view::driver_texts as said;
use crate::view::model::{ChatEntry, Tone};
use crate::web::storage::{Storage, StorageError};
use crate::web::{clock, file};
use std::rc::Rc;

/// The setting that names the chat to show after a reload.
const CURRENT: &str = "current-chat";

impl Driver {
    pub(super) async fn load(&self) {
        match Storage::open().await {
            Ok(storage) => {
                let storage = Rc::new(storage);
                self.state.borrow_mut().storage = Some(storage.clone());
                if let Err(error) = self.load_from(&storage).await {
                    self.storage_failed(&error);
                }
            }
            Err(error) => self.storage_failed(&error),
        }
        self.show_settings();
        self.show_all();
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
        if let Some(id) = storage.setting(CURRENT).await?
            && let Some(json) = storage.chat(&id).await?
        {
            let untouched = {
                let state = self.state.borrow();
                state.chat.run.turns().is_empty() && matches!(state.file, FileState::None)
            };
            // What the person did while the chats were loading comes first.
            if untouched {
                self.adopt(&json);
                let has_handle = storage.handle(&id).await?.is_some();
                self.state.borrow_mut().has_handle = has_handle;
            }
        }
        Ok(())
    }

    /// Makes a saved chat the current one.
    fn adopt(&self, json: &str) {
        match SavedChat::from_json(json) {
            Ok(chat) => {
                let mut state = self.state.borrow_mut();
                state.chat = chat;
                state.mismatch = match (&state.file, state.chat.run.file()) {
                    (FileState::Open(open), Some(own)) => (!own.same_content(&open.fingerprint))
                        .then(|| open.fingerprint.name.clone()),
                    _ => None,
                };
            }
            Err(error) => {
                let texts = self.says();
                self.banner(
                    Tone::Error,
                    error.to_string(),
                    texts.chat_unreadable_next,
                    None,
                );
            }
        }
    }

    pub(super) fn new_chat(&self) {
        self.leave_chat();
        let fingerprint = {
            let mut state = self.state.borrow_mut();
            state.chat = SavedChat::new(clock::fresh_id(), clock::now_ms());
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
        self.remember_current();
        self.show_all();
    }

    fn belongs_to(&self, fingerprint: Fingerprint) {
        self.input(Input::FileOpened { fingerprint });
    }

    pub(super) async fn open_chat(&self, id: String) {
        let storage = {
            let state = self.state.borrow();
            if state.chat.id == id {
                return;
            }
            state.storage.clone()
        };
        let Some(storage) = storage else { return };
        let loaded = storage.chat(&id).await;
        let handle = storage.handle(&id).await;
        // Only now: what the person did while it was read belongs to the chat that is left.
        self.leave_chat();
        match loaded {
            Ok(Some(json)) => {
                self.adopt(&json);
                self.state.borrow_mut().has_handle = matches!(handle, Ok(Some(_)));
            }
            Ok(None) => {}
            Err(error) => self.storage_failed(&error),
        }
        self.remember_current();
        self.resume();
        self.show_all();
    }

    /// Stops what is under way and saves, so that the chat can be left.
    fn leave_chat(&self) {
        if self.state.borrow().chat.run.is_busy() {
            self.stop();
        }
        let held = {
            let mut state = self.state.borrow_mut();
            state.live = None;
            state.model = None;
            std::mem::take(&mut state.held)
        };
        // Another chat counts its results from the beginning again.
        for result in held {
            self.post(&Request::Release { result });
        }
    }

    pub(super) async fn delete_chat(&self, id: String) {
        let (storage, is_current) = {
            let mut state = self.state.borrow_mut();
            state.chats.retain(|c| c.id != id);
            state.to_save.remove(&id);
            (state.storage.clone(), state.chat.id == id)
        };
        if is_current {
            self.leave_chat();
            self.new_chat();
            // What stopping it left to be saved goes with it.
            self.state.borrow_mut().to_save.remove(&id);
        }
        if let Some(storage) = storage
            && let Err(error) = storage.delete_chat(&id).await
        {
            self.storage_failed(&error);
        }
        self.state.borrow_mut().chats.retain(|c| c.id != id);
        self.show_chats();
    }

    fn remember_current(&self) {
        let (storage, id) = {
            let state = self.state.borrow();
            (state.storage.clone(), state.chat.id.clone())
        };
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
            if state.chat.run.turns().is_empty() {
                return;
            }
            state.chat.updated_ms = clock::now_ms();
            let entry = entry(&state.chat);
            let is_new = !state.chats.iter().any(|c| c.id == entry.id);
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
            let Some((_, (entry, json))) = next else {
                return;
            };
            if let Some(storage) = storage
                && let Err(error) = storage.save_chat(&entry, &json).await
            {
                self.storage_failed(&error);
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

    /// Saves the chat's record as a JSON file: questions, proposals, decisions, results. No key is in it.
    pub(super) fn export_chat(&self) {
        #[derive(serde::Serialize)]
        struct Record<'a> {
            format: &'static str,
            version: u32,
            file: Option<&'a Fingerprint>,
            turns: &'a [TurnRecord],
            /// The exact requests, and how many before them are no longer kept.
            sent: Vec<Sent<'a>>,
            sent_dropped: u64,
        }
        let (name, json) = {
            let state = self.state.borrow();
            let record = Record {
                format: "assent-chat-record",
                version: crate::session::VERSION,
                file: state.chat.run.file(),
                turns: state.chat.run.turns(),
                sent: state.chat.ledger.sent(),
                sent_dropped: state.chat.ledger.dropped,
            };
            (
                format!("assent-{}.json", state.chat.id),
                serde_json::to_string_pretty(&record).map_err(|e| e.to_string()),
            )
        };
        let saved = json.and_then(|json| file::save(&name, "application/json", &json));
        if let Err(problem) = saved {
            let texts = self.says();
            self.banner(
                Tone::Error,
                said::fill(texts.export_failed, &problem),
                texts.export_failed_next,
                None,
            );
        }
    }
}

fn entry(chat: &SavedChat) -> ChatEntry {
    ChatEntry {
        id: chat.id.clone(),
        title: chat.title(),
        file: chat.run.file().map(|f| f.name.clone()),
        updated_ms: chat.updated_ms,
        waiting: chat.run.is_waiting(),
    }
}
