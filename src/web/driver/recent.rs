//! The list of files that were open before: kept, shown, opened again.

use super::{Driver, FileState, Source};
use crate::view::Patch;
use crate::view::driver_texts as said;
use crate::view::model::{NoticeAction, RecentFile, Tone};
use crate::web::file::{self, Files, HandleError};
use crate::web::recent::{self, Recent};
use crate::web::{clock, locks};
use std::rc::Rc;

/// The list is read and written in one go, whatever other tabs do.
const LOCK: &str = "assent-recent";
const PATIENCE_MS: u32 = 2_000;

impl Driver {
    /// The open file goes to the head of the list, where the browser gave a handle of it.
    pub(super) fn note_recent(&self) {
        let found = {
            let state = self.state.borrow();
            match &state.file {
                FileState::Open(open) => open.source.handle.clone().map(|handle| Recent {
                    shown: RecentFile {
                        id: clock::fresh_id(),
                        name: open.fingerprint.name.clone(),
                        bytes: open.fingerprint.bytes,
                        opened_ms: clock::now_ms(),
                    },
                    modified_ms: open.source.files.file.last_modified(),
                    handle,
                }),
                _ => None,
            }
        };
        let Some(file) = found else { return };
        self.spawn(|d| async move {
            let storage = d.state.borrow().storage.clone();
            let Some(storage) = storage else { return };
            let lock = locks::within(LOCK, PATIENCE_MS, Rc::new(|| {})).await;
            let added = recent::add(&storage, file).await;
            drop(lock);
            match added {
                Ok(()) => d.tell_recent(),
                Err(error) => d.storage_failed(&error),
            }
            d.show_recent().await;
        });
    }

    pub(super) async fn show_recent(&self) {
        let list = self.recent().await;
        (self.tell)(Patch::Recent(list.into_iter().map(|r| r.shown).collect()));
    }

    async fn recent(&self) -> Vec<Recent> {
        let storage = self.state.borrow().storage.clone();
        let Some(storage) = storage else {
            return Vec::new();
        };
        recent::list(&storage).await.unwrap_or_else(|error| {
            self.storage_failed(&error);
            Vec::new()
        })
    }

    pub(super) async fn open_recent(&self, id: String) {
        let found = self.recent().await.into_iter().find(|r| r.shown.id == id);
        let Some(wanted) = found else {
            return self.show_recent().await;
        };
        let name = wanted.shown.name.clone();
        match file::from_handle(&wanted.handle).await {
            Ok(file) => {
                #[expect(clippy::cast_precision_loss, reason = "sizes are below 2^53")]
                let same = file.size() == wanted.shown.bytes as f64;
                let changed = !same || file.last_modified() != wanted.modified_ms;
                self.open(Source {
                    files: Files::alone(file),
                    handle: Some(wanted.handle),
                });
                if changed {
                    let texts = self.says();
                    let text = said::fill(texts.recent_changed, &name);
                    self.banner(Tone::Info, text, texts.recent_changed_next, None);
                }
            }
            Err(error) => self.not_reopened(&name, &error),
        }
    }

    /// Why a kept handle opened nothing.
    pub(super) fn not_reopened(&self, name: &str, error: &HandleError) {
        let texts = self.says();
        let (text, next) = match error {
            HandleError::Gone => (said::fill(texts.recent_gone, name), texts.recent_gone_next),
            HandleError::Denied => (
                said::fill(texts.recent_denied, name),
                texts.recent_denied_next,
            ),
            HandleError::Other(problem) => (
                said::fill(texts.handle_failed, problem),
                texts.handle_failed_next,
            ),
        };
        self.banner(Tone::Warning, text, next, Some(NoticeAction::OpenFile));
    }

    pub(super) async fn forget_recent(&self, id: String) {
        let storage = self.state.borrow().storage.clone();
        let Some(storage) = storage else { return };
        let lock = locks::within(LOCK, PATIENCE_MS, Rc::new(|| {})).await;
        let removed = recent::remove(&storage, &id).await;
        drop(lock);
        match removed {
            Ok(()) => self.tell_recent(),
            Err(error) => self.storage_failed(&error),
        }
        self.show_recent().await;
    }
}
