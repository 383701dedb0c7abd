//! What only a browser can show: storage, files and text across the border to JavaScript.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is not as promised"
)]

use assent::session::SavedChat;
use assent::view::model::ChatEntry;
use assent::web::file::{self, Chosen};
use assent::web::storage::Storage;
use js_sys::Array;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::File;

wasm_bindgen_test_configure!(run_in_browser);

fn entry(id: &str, updated_ms: u64) -> ChatEntry {
    ChatEntry {
        id: id.into(),
        title: format!("chat {id}"),
        name: None,
        file: Some("shop.db".into()),
        updated_ms,
        waiting: id == "b",
        pinned: id == "a",
        imported: id == "b",
    }
}

fn named(name: &str) -> File {
    File::new_with_str_sequence(&Array::of1(&JsValue::from_str("x")), name).unwrap()
}

#[wasm_bindgen_test]
fn text_crosses_to_javascript_and_back_unchanged() {
    let text = "销售额 · São Paulo · 🦀";
    assert_eq!(JsValue::from_str(text).as_string().as_deref(), Some(text));
}

#[wasm_bindgen_test]
async fn a_chat_is_kept_listed_newest_first_and_read_back_the_same() {
    let storage = Storage::open().await.unwrap();
    for (id, updated_ms) in [("a", 1), ("b", 2)] {
        let chat = SavedChat::new(id.into(), updated_ms);
        storage
            .save_chat(&entry(id, updated_ms), &chat.to_json().unwrap(), None)
            .await
            .unwrap();
    }
    // Another visit.
    let storage = Storage::open().await.unwrap();
    let entries = storage.entries().await.unwrap();
    assert_eq!(entries, [entry("b", 2), entry("a", 1)]);
    let stored = storage.chat("a").await.unwrap().unwrap();
    assert_eq!(
        SavedChat::from_json(&stored.json).unwrap(),
        SavedChat::new("a".into(), 1)
    );
    storage.delete_chat("a").await.unwrap();
    storage.delete_chat("b").await.unwrap();
    assert!(storage.chat("a").await.unwrap().is_none());
    assert!(storage.entries().await.unwrap().is_empty());
}

#[wasm_bindgen_test]
async fn a_setting_is_kept_and_a_missing_one_is_none() {
    let storage = Storage::open().await.unwrap();
    assert!(storage.setting("never-set").await.unwrap().is_none());
    storage.save_setting("kept", "{\"a\":1}").await.unwrap();
    assert_eq!(
        storage.setting("kept").await.unwrap().as_deref(),
        Some("{\"a\":1}")
    );
}

#[wasm_bindgen_test]
fn one_database_is_chosen_with_its_wal_and_several_are_not_guessed_between() {
    assert!(matches!(file::choose(Vec::new()), Chosen::Nothing));
    let beside = [
        "shop.db-wal",
        "shop.db-shm",
        "shop.db-journal",
        "other.db-wal",
    ];
    for main_first in [true, false] {
        let mut files: Vec<File> = beside.iter().map(|name| named(name)).collect();
        files.insert(if main_first { 0 } else { beside.len() }, named("shop.db"));
        let files = match file::choose(files) {
            Chosen::One(files) => Some(files),
            _ => None,
        }
        .unwrap();
        assert_eq!(files.file.name(), "shop.db");
        assert_eq!(files.wal.unwrap().name(), "shop.db-wal");
        assert_eq!(files.journal.unwrap().name(), "shop.db-journal");
    }
    let chosen = file::choose(vec![named("shop.db-wal")]);
    assert!(matches!(chosen, Chosen::Beside(files) if files.len() == 1));
    let chosen = file::choose(vec![named("a.db"), named("b.db")]);
    assert!(matches!(chosen, Chosen::Several(names) if names == ["a.db", "b.db"]));
}
