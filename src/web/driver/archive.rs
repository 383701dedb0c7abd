//! Chats as files: saved to be read, saved to be kept, and taken back.

use super::{Driver, FileState, Source};
use crate::agent::restore::RecordFault;
use crate::session::SavedChat;
use crate::session::record::{self, ImportError};
use crate::view::cells::bytes_text;
use crate::view::command::ChatFile;
use crate::view::driver_texts as said;
use crate::view::model::{ChatHold, Tone};
use crate::view::report::{self, Report};
use crate::web::clock;
use crate::web::file::{self, Files};
use web_sys::File;

/// How every SQLite database begins, whatever its file is called.
const SQLITE_MAGIC: &str = "SQLite format 3\0";
const SQLITE_MAGIC_BYTES: f64 = 16.0;

impl Driver {
    /// Offers the chat on show as a file. No key is in it.
    pub(super) fn export_chat(&self, form: ChatFile) {
        let saved = match form {
            ChatFile::Record => self.record(),
            ChatFile::Report => Ok(self.report()),
        };
        let saved = saved.and_then(|text| {
            let (ending, mime) = match form {
                ChatFile::Record => ("json", "application/json"),
                ChatFile::Report => ("html", "text/html"),
            };
            let name = format!("assent-{}.{ending}", self.state.borrow().chat.id);
            file::save(&name, mime, &text)
        });
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

    fn record(&self) -> Result<String, String> {
        record::write(&self.state.borrow().chat).map_err(|e| e.to_string())
    }

    fn report(&self) -> String {
        let state = self.state.borrow();
        let name = state
            .chats
            .iter()
            .find(|entry| entry.id == state.chat.id)
            .map(|entry| entry.shown().to_owned());
        report::html(&Report {
            title: &name.unwrap_or_else(|| state.chat.title()),
            run: &state.chat.run,
            ledger: &state.chat.ledger,
            sent_bytes: state.chat.sent_bytes,
            now_ms: clock::now_ms(),
            language: state.language(),
        })
    }

    /// Takes a file that is named like an exported chat.
    pub(super) async fn import(&self, file: File) {
        match self.read_record(&file).await {
            Ok(Some(chat)) => self.adopt_imported(chat),
            // Whatever it is called, it is a database.
            Ok(None) => self.open(Source {
                files: Files::alone(file),
                handle: None,
            }),
            Err(error) => self.not_imported(&file.name(), &error),
        }
    }

    async fn read_record(&self, chosen: &File) -> Result<Option<SavedChat>, ImportError> {
        let unreadable = ImportError::NotARecord;
        let head = file::text(chosen, Some(SQLITE_MAGIC_BYTES))
            .await
            .map_err(unreadable)?;
        if head == SQLITE_MAGIC {
            return Ok(None);
        }
        record::size_fits(file::bytes(chosen))?;
        let json = file::text(chosen, None).await.map_err(unreadable)?;
        record::read(&json, clock::fresh_id(), clock::now_ms()).map(Some)
    }

    fn adopt_imported(&self, chat: SavedChat) {
        self.leave_chat();
        self.set_hold(ChatHold::Mine);
        let id = chat.id.clone();
        {
            let mut state = self.state.borrow_mut();
            state.opening = None;
            state.chat = chat;
            state.has_handle = false;
            state.mismatch = match (&state.file, state.chat.run.file()) {
                (FileState::Open(open), Some(own)) => {
                    (!own.same_content(&open.fingerprint)).then(|| open.fingerprint.name.clone())
                }
                _ => None,
            };
        }
        self.hold_soon(&id);
        self.remember_current();
        self.save_soon();
        self.show_all();
        let texts = self.says();
        self.banner(
            Tone::Info,
            texts.imported.to_owned(),
            texts.imported_next,
            None,
        );
    }

    fn not_imported(&self, name: &str, error: &ImportError) {
        let texts = self.says();
        let (text, next, detail) = match error {
            ImportError::TooLarge(bytes) => (
                texts.import_large,
                texts.import_large_next,
                bytes_text(*bytes),
            ),
            ImportError::NotARecord(detail) => {
                (texts.import_other, texts.import_other_next, detail.clone())
            }
            ImportError::Newer(_) => (texts.import_newer, texts.import_newer_next, String::new()),
            ImportError::Refused(RecordFault::NotApproved) => (
                texts.import_forged,
                texts.import_refused_next,
                String::new(),
            ),
            ImportError::Refused(fault) => (
                texts.import_refused,
                texts.import_refused_next,
                fault.to_string(),
            ),
        };
        let text = said::fill(text, &detail).replace("{name}", name);
        self.banner(Tone::Error, text, next, None);
    }
}
