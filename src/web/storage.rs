//! Chats, settings and file handles in IndexedDB. Every failure is a sentence; none loses what is in memory.

use crate::view::model::ChatEntry;
use idb::{
    Database, DatabaseEvent, Factory, ObjectStoreParams, Query, Transaction, TransactionMode,
};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

pub(super) const DATABASE: &str = "assent";
const VERSION: u32 = 1;
const CHATS: &str = "chats";
const ENTRIES: &str = "entries";
const HANDLES: &str = "handles";
const SETTINGS: &str = "settings";

#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error("the browser's storage is not available ({0})")]
    Unavailable(String),
    #[error("the chat could not be saved ({0})")]
    Failed(String),
}

fn unavailable(error: idb::Error) -> StorageError {
    StorageError::Unavailable(error.to_string())
}

fn failed(error: idb::Error) -> StorageError {
    StorageError::Failed(error.to_string())
}

async fn finish(transaction: Transaction) -> Result<(), StorageError> {
    transaction
        .commit()
        .map_err(failed)?
        .await
        .map_err(failed)?;
    Ok(())
}

/// The open database.
pub struct Storage {
    database: Database,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    title: String,
    #[serde(default)]
    name: Option<String>,
    file: Option<String>,
    updated_ms: u64,
    waiting: bool,
    #[serde(default)]
    pinned: bool,
}

impl Entry {
    fn json(entry: &ChatEntry) -> Result<String, StorageError> {
        let line = Self {
            title: entry.title.clone(),
            name: entry.name.clone(),
            file: entry.file.clone(),
            updated_ms: entry.updated_ms,
            waiting: entry.waiting,
            pinned: entry.pinned,
        };
        serde_json::to_string(&line).map_err(|e| StorageError::Failed(e.to_string()))
    }
}

impl Storage {
    /// # Errors
    /// Where the browser gives no storage (private windows, full disk).
    pub async fn open() -> Result<Self, StorageError> {
        let factory = Factory::new().map_err(unavailable)?;
        let mut request = factory.open(DATABASE, Some(VERSION)).map_err(unavailable)?;
        request.on_upgrade_needed(|event| {
            let Ok(database) = event.database() else {
                return;
            };
            let present = database.store_names();
            for store in [CHATS, ENTRIES, HANDLES, SETTINGS] {
                if !present.iter().any(|name| name == store) {
                    // A store that cannot be made shows as a failed read or write later.
                    let _ = database.create_object_store(store, ObjectStoreParams::new());
                }
            }
        });
        Ok(Self {
            database: request.await.map_err(unavailable)?,
        })
    }

    fn begin(&self, stores: &[&str], mode: TransactionMode) -> Result<Transaction, StorageError> {
        self.database.transaction(stores, mode).map_err(failed)
    }

    /// Saves a chat and its line in the list, both or neither.
    ///
    /// # Errors
    /// Where the write fails.
    pub async fn save_chat(&self, entry: &ChatEntry, json: &str) -> Result<(), StorageError> {
        let line = Entry::json(entry)?;
        let transaction = self.begin(&[CHATS, ENTRIES], TransactionMode::ReadWrite)?;
        let key = JsValue::from_str(&entry.id);
        for (store, text) in [(CHATS, json), (ENTRIES, line.as_str())] {
            transaction
                .object_store(store)
                .map_err(failed)?
                .put(&JsValue::from_str(text), Some(&key))
                .map_err(failed)?;
        }
        finish(transaction).await
    }

    /// Saves a chat's line in the list alone.
    ///
    /// # Errors
    /// Where the write fails.
    pub async fn save_entry(&self, entry: &ChatEntry) -> Result<(), StorageError> {
        let line = Entry::json(entry)?;
        self.put(ENTRIES, &entry.id, &JsValue::from_str(&line))
            .await
    }

    /// All chats, newest first. A line that cannot be read is left out of the list and left in place.
    ///
    /// # Errors
    /// Where the read fails.
    pub async fn entries(&self) -> Result<Vec<ChatEntry>, StorageError> {
        let transaction = self.begin(&[ENTRIES], TransactionMode::ReadOnly)?;
        let store = transaction.object_store(ENTRIES).map_err(failed)?;
        let keys = store
            .get_all_keys(None, None)
            .map_err(failed)?
            .await
            .map_err(failed)?;
        let values = store
            .get_all(None, None)
            .map_err(failed)?
            .await
            .map_err(failed)?;
        let mut list: Vec<ChatEntry> = keys
            .iter()
            .zip(&values)
            .filter_map(|(key, value)| {
                let entry: Entry = serde_json::from_str(&value.as_string()?).ok()?;
                Some(ChatEntry {
                    id: key.as_string()?,
                    title: entry.title,
                    name: entry.name,
                    file: entry.file,
                    updated_ms: entry.updated_ms,
                    waiting: entry.waiting,
                    pinned: entry.pinned,
                })
            })
            .collect();
        list.sort_by_key(|entry| std::cmp::Reverse(entry.updated_ms));
        Ok(list)
    }

    /// # Errors
    /// Where the read fails.
    pub async fn chat(&self, id: &str) -> Result<Option<String>, StorageError> {
        Ok(self
            .get(CHATS, id)
            .await?
            .and_then(|value| value.as_string()))
    }

    /// # Errors
    /// Where the write fails.
    pub async fn delete_chat(&self, id: &str) -> Result<(), StorageError> {
        let transaction = self.begin(&[CHATS, ENTRIES, HANDLES], TransactionMode::ReadWrite)?;
        for store in [CHATS, ENTRIES, HANDLES] {
            transaction
                .object_store(store)
                .map_err(failed)?
                .delete(Query::Key(JsValue::from_str(id)))
                .map_err(failed)?;
        }
        finish(transaction).await
    }

    /// Keeps a file handle for a chat; the browser asks the person again before it opens the file.
    ///
    /// # Errors
    /// Where the write fails.
    pub async fn save_handle(&self, chat: &str, handle: &JsValue) -> Result<(), StorageError> {
        self.put(HANDLES, chat, handle).await
    }

    /// # Errors
    /// Where the read fails.
    pub async fn handle(&self, chat: &str) -> Result<Option<JsValue>, StorageError> {
        self.get(HANDLES, chat).await
    }

    /// # Errors
    /// Where the write fails.
    pub async fn save_setting(&self, name: &str, json: &str) -> Result<(), StorageError> {
        self.put(SETTINGS, name, &JsValue::from_str(json)).await
    }

    /// # Errors
    /// Where the read fails.
    pub async fn setting(&self, name: &str) -> Result<Option<String>, StorageError> {
        Ok(self
            .get(SETTINGS, name)
            .await?
            .and_then(|value| value.as_string()))
    }

    async fn put(&self, store: &str, key: &str, value: &JsValue) -> Result<(), StorageError> {
        let transaction = self.begin(&[store], TransactionMode::ReadWrite)?;
        transaction
            .object_store(store)
            .map_err(failed)?
            .put(value, Some(&JsValue::from_str(key)))
            .map_err(failed)?;
        finish(transaction).await
    }

    async fn get(&self, store: &str, key: &str) -> Result<Option<JsValue>, StorageError> {
        let transaction = self.begin(&[store], TransactionMode::ReadOnly)?;
        let value = transaction
            .object_store(store)
            .map_err(failed)?
            .get(Query::Key(JsValue::from_str(key)))
            .map_err(failed)?
            .await
            .map_err(failed)?;
        Ok(value.filter(|v| !v.is_undefined() && !v.is_null()))
    }
}
