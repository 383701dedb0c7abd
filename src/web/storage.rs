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
    #[error("the chat was changed in another tab")]
    Changed,
    #[error("the chat was deleted in another tab")]
    Gone,
}

/// A chat as it is stored.
pub struct Stored {
    pub json: String,
    /// How often it was written.
    pub revision: u64,
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
    #[serde(default)]
    imported: bool,
    /// How often the chat was written.
    #[serde(default)]
    revision: u64,
}

impl Entry {
    fn new(entry: &ChatEntry, revision: u64) -> Self {
        Self {
            title: entry.title.clone(),
            name: entry.name.clone(),
            file: entry.file.clone(),
            updated_ms: entry.updated_ms,
            waiting: entry.waiting,
            pinned: entry.pinned,
            imported: entry.imported,
            revision,
        }
    }

    fn shown(self, id: String) -> ChatEntry {
        ChatEntry {
            id,
            title: self.title,
            name: self.name,
            file: self.file,
            updated_ms: self.updated_ms,
            waiting: self.waiting,
            pinned: self.pinned,
            imported: self.imported,
        }
    }

    fn value(&self) -> Result<JsValue, StorageError> {
        serde_json::to_string(self)
            .map(|json| JsValue::from_str(&json))
            .map_err(|e| StorageError::Failed(e.to_string()))
    }
}

/// `None` where there is no such line; a line of an unknown form counts as changed.
async fn line(transaction: &Transaction, id: &JsValue) -> Result<Option<Entry>, StorageError> {
    let value = transaction
        .object_store(ENTRIES)
        .map_err(failed)?
        .get(id.clone())
        .map_err(failed)?
        .await
        .map_err(failed)?;
    match value.and_then(|value| value.as_string()) {
        Some(json) => serde_json::from_str(&json)
            .map(Some)
            .map_err(|_| StorageError::Changed),
        None => Ok(None),
    }
}

fn write(
    transaction: &Transaction,
    store: &str,
    key: &JsValue,
    value: &JsValue,
) -> Result<(), StorageError> {
    transaction
        .object_store(store)
        .map_err(failed)?
        .put(value, Some(key))
        .map_err(failed)?;
    Ok(())
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

    /// Saves a chat and its line in the list, both or neither, and gives its new revision. `known` is the one
    /// that the chat was read or written with, `None` for a chat that was never stored. Its name and its pin
    /// stay as they are stored: any tab may change them.
    ///
    /// # Errors
    /// [`StorageError::Changed`] and [`StorageError::Gone`] where the stored chat is another one by now;
    /// nothing is written then.
    pub async fn save_chat(
        &self,
        entry: &ChatEntry,
        json: &str,
        known: Option<u64>,
    ) -> Result<u64, StorageError> {
        let transaction = self.begin(&[CHATS, ENTRIES], TransactionMode::ReadWrite)?;
        let key = JsValue::from_str(&entry.id);
        let stored = line(&transaction, &key).await?;
        let revision = match (known, &stored) {
            (None, None) => 1,
            (Some(known), Some(stored)) if stored.revision == known => known + 1,
            (Some(_), None) => return Err(StorageError::Gone),
            (_, Some(_)) => return Err(StorageError::Changed),
        };
        let mut next = Entry::new(entry, revision);
        if let Some(stored) = stored {
            next.name = stored.name;
            next.pinned = stored.pinned;
        }
        write(&transaction, CHATS, &key, &JsValue::from_str(json))?;
        write(&transaction, ENTRIES, &key, &next.value()?)?;
        finish(transaction).await?;
        Ok(revision)
    }

    /// Changes a chat's line in the list alone; nothing happens where the chat is not stored.
    ///
    /// # Errors
    /// Where the write fails.
    pub async fn change_entry(
        &self,
        id: &str,
        change: impl FnOnce(&mut ChatEntry),
    ) -> Result<(), StorageError> {
        let transaction = self.begin(&[ENTRIES], TransactionMode::ReadWrite)?;
        let key = JsValue::from_str(id);
        let Some(stored) = line(&transaction, &key).await? else {
            return Ok(());
        };
        let revision = stored.revision;
        let mut entry = stored.shown(id.to_owned());
        change(&mut entry);
        write(
            &transaction,
            ENTRIES,
            &key,
            &Entry::new(&entry, revision).value()?,
        )?;
        finish(transaction).await
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
                Some(entry.shown(key.as_string()?))
            })
            .collect();
        list.sort_by_key(|entry| std::cmp::Reverse(entry.updated_ms));
        Ok(list)
    }

    /// # Errors
    /// Where the read fails.
    pub async fn chat(&self, id: &str) -> Result<Option<Stored>, StorageError> {
        let transaction = self.begin(&[CHATS, ENTRIES], TransactionMode::ReadOnly)?;
        let key = JsValue::from_str(id);
        let revision = line(&transaction, &key).await.ok().flatten();
        let json = transaction
            .object_store(CHATS)
            .map_err(failed)?
            .get(key)
            .map_err(failed)?
            .await
            .map_err(failed)?
            .and_then(|value| value.as_string());
        Ok(json.map(|json| Stored {
            json,
            revision: revision.map_or(0, |line| line.revision),
        }))
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

    /// A setting that is more than text.
    ///
    /// # Errors
    /// Where the write fails.
    pub async fn save_value(&self, name: &str, value: &JsValue) -> Result<(), StorageError> {
        self.put(SETTINGS, name, value).await
    }

    /// # Errors
    /// Where the read fails.
    pub async fn value(&self, name: &str) -> Result<Option<JsValue>, StorageError> {
        self.get(SETTINGS, name).await
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
