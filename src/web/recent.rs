//! Files that were open before: a handle of each, and what a person knows it by. Nothing of what is in them.

use super::file;
use super::storage::{Storage, StorageError};
use crate::view::model::RecentFile;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// More than these are found faster with the browser's own picker.
const RECENT_MAX: usize = 8;
const SETTING: &str = "recent-files";

/// One file of the list.
#[derive(Clone)]
pub struct Recent {
    pub shown: RecentFile,
    /// When it was last changed, as it was then.
    pub modified_ms: f64,
    pub handle: JsValue,
}

/// The list, newest first. What cannot be read of it is left out.
///
/// # Errors
/// Where the read fails.
pub async fn list(storage: &Storage) -> Result<Vec<Recent>, StorageError> {
    let stored = storage.value(SETTING).await?;
    let list: Option<Array> = stored.and_then(|value| value.dyn_into().ok());
    Ok(list
        .iter()
        .flat_map(Array::iter)
        .filter_map(|entry| read(&entry))
        .collect())
}

/// Puts a file at the head of the list, in place of what the list has of the same file.
///
/// # Errors
/// Where a read or the write fails.
pub async fn add(storage: &Storage, file: Recent) -> Result<(), StorageError> {
    let mut kept = vec![file.clone()];
    for other in list(storage).await? {
        if !file::is_same(&file.handle, &other.handle).await {
            kept.push(other);
        }
    }
    kept.truncate(RECENT_MAX);
    write(storage, &kept).await
}

/// # Errors
/// Where a read or the write fails.
pub async fn remove(storage: &Storage, id: &str) -> Result<(), StorageError> {
    let mut kept = list(storage).await?;
    kept.retain(|file| file.shown.id != id);
    write(storage, &kept).await
}

async fn write(storage: &Storage, list: &[Recent]) -> Result<(), StorageError> {
    let stored: Array = list.iter().filter_map(entry).collect();
    storage.save_value(SETTING, &stored).await
}

#[expect(clippy::cast_precision_loss, reason = "sizes and times are below 2^53")]
fn entry(file: &Recent) -> Option<JsValue> {
    let object = Object::new();
    let shown = &file.shown;
    for (key, value) in [
        ("id", JsValue::from_str(&shown.id)),
        ("name", JsValue::from_str(&shown.name)),
        ("bytes", JsValue::from_f64(shown.bytes as f64)),
        ("opened", JsValue::from_f64(shown.opened_ms as f64)),
        ("modified", JsValue::from_f64(file.modified_ms)),
        ("handle", file.handle.clone()),
    ] {
        Reflect::set(&object, &key.into(), &value).ok()?;
    }
    Some(object.into())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole numbers, written by `entry`"
)]
fn read(entry: &JsValue) -> Option<Recent> {
    let get = |key: &str| Reflect::get(entry, &key.into()).ok();
    Some(Recent {
        shown: RecentFile {
            id: get("id")?.as_string()?,
            name: get("name")?.as_string()?,
            bytes: get("bytes")?.as_f64()? as u64,
            opened_ms: get("opened")?.as_f64()? as u64,
        },
        modified_ms: get("modified")?.as_f64()?,
        handle: get("handle").filter(JsValue::is_object)?,
    })
}
