//! Opening, opening again, losing and closing files.

use super::{Driver, FileState, OpenFile, Purpose, Source};
use crate::agent::protocol::Input;
use crate::engine::{Finding, Fingerprint, QueryError, Request};
use crate::settings::Language;
use crate::sql::Schema;
use crate::view::Patch;
use crate::view::driver_texts::{self as said, Says};
use crate::view::model::{FileView, NoticeAction, Tone};
use crate::web::engine::{Engine, EngineEvent};
use crate::web::file::{self, Chosen, Files};
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::File;

impl Driver {
    /// Files from a drop, a picker or a paste.
    pub fn open_files(&self, files: Vec<File>) {
        if !files.is_empty() && files.iter().all(file::is_record) {
            self.spawn(|d| async move {
                for file in files {
                    d.import(file).await;
                }
            });
            return;
        }
        match file::choose(files) {
            // A cancelled picker changes nothing.
            Chosen::Nothing => {}
            Chosen::One(files) => self.open(Source {
                files,
                handle: None,
            }),
            Chosen::Beside(beside) => self.open_beside(beside),
            Chosen::Several(names) => {
                let texts = self.says();
                self.banner(
                    Tone::Warning,
                    said::fill(texts.several_files, &names.join(", ")),
                    texts.several_files_next,
                    None,
                );
            }
        }
    }

    /// A `-wal` or `-journal` that comes after its database, or without one.
    fn open_beside(&self, beside: Vec<File>) {
        let source = match &self.state.borrow().file {
            FileState::Opening { source, .. } => Some(source.clone()),
            FileState::Open(open) => Some(open.source.clone()),
            FileState::None | FileState::Failed { .. } => None,
        };
        let belongs = source.filter(|source| {
            let name = source.files.file.name();
            beside.iter().any(|file| file.name().starts_with(&name))
        });
        match (belongs, beside.first()) {
            (Some(source), _) => self.open(Source {
                files: source.files.with(beside),
                handle: source.handle,
            }),
            // The doctor names it like any other file that is no database.
            (None, Some(file)) => self.open(Source {
                files: Files::alone(file.clone()),
                handle: None,
            }),
            (None, None) => {}
        }
    }

    /// The handle of the file that was just dropped, so that a later visit can open it again.
    /// A handle of another file, of an imported chat or a lone `-wal`, is let go.
    pub fn file_handle(&self, handle: JsValue) {
        {
            let mut state = self.state.borrow_mut();
            let source = match &mut state.file {
                FileState::Opening { source, .. } => source,
                FileState::Open(open) => &mut open.source,
                FileState::None | FileState::Failed { .. } => return,
            };
            if file::handle_name(&handle).is_some_and(|name| name != source.files.file.name()) {
                return;
            }
            source.handle = Some(handle);
        }
        self.keep_handle();
        self.note_recent();
    }

    pub(super) fn says(&self) -> &'static Says {
        said::says(self.state.borrow().language())
    }

    pub(super) async fn open_sample(&self) {
        match file::sample().await {
            Ok(file) => self.open(Source {
                files: Files::alone(file),
                handle: None,
            }),
            Err(problem) => {
                let texts = self.says();
                self.banner(
                    Tone::Error,
                    said::fill(texts.sample_failed, &problem),
                    texts.sample_failed_next,
                    None,
                );
            }
        }
    }

    pub(super) async fn reopen_file(&self) {
        let (storage, id) = {
            let state = self.state.borrow();
            (state.storage.clone(), state.chat.id.clone())
        };
        let Some(storage) = storage else { return };
        let handle = match storage.handle(&id).await {
            Ok(Some(handle)) => handle,
            Ok(None) => return,
            Err(error) => return self.storage_failed(&error),
        };
        match file::from_handle(&handle).await {
            Ok(file) => self.open(Source {
                files: Files::alone(file),
                handle: Some(handle),
            }),
            Err(error) => {
                let name = self.state.borrow().chat.run.file().map(|f| f.name.clone());
                self.not_reopened(&name.unwrap_or_default(), &error);
            }
        }
    }

    pub(super) fn open(&self, source: Source) {
        (self.tell)(Patch::Banner(None));
        let name = source.files.file.name();
        {
            let mut state = self.state.borrow_mut();
            state.mismatch = None;
            state.file = FileState::Opening { name, source };
        }
        self.fail_pending(&QueryError::EngineLost);
        self.start_engine();
        self.show_all();
    }

    /// Starts a new worker and opens the file on hand in it.
    fn start_engine(&self) {
        let driver = self.clone();
        let on_event: Rc<dyn Fn(EngineEvent)> = Rc::new(move |event| driver.engine_event(event));
        let started = Engine::start(on_event);
        let posted = {
            let mut state = self.state.borrow_mut();
            state.held.clear();
            // The old worker ends before the new one opens the file.
            state.engine = None;
            let source = match &state.file {
                FileState::Opening { source, .. } => Some(source.clone()),
                FileState::Open(open) => Some(open.source.clone()),
                FileState::None | FileState::Failed { .. } => None,
            };
            match (started, source) {
                (Ok(engine), Some(source)) => {
                    let id = state.next_request(Purpose::Open);
                    let posted = engine.post(&Request::Open { id }, Some(&source.files));
                    state.engine = Some(engine);
                    posted
                }
                (Ok(_), None) => Ok(()),
                (Err(problem), _) => Err(problem),
            }
        };
        if let Err(message) = posted {
            self.not_opened(Finding::EngineFailed { message });
        }
    }

    /// Ends the worker in the middle of whatever it does, and opens the file again.
    pub(super) fn restart_engine(&self) {
        {
            let mut state = self.state.borrow_mut();
            state.pending.clear();
            if let FileState::Open(open) = &mut state.file {
                open.ready = false;
            }
        }
        self.start_engine();
    }

    pub(super) fn engine_lost(&self, problem: &str) {
        let opening = matches!(self.state.borrow().file, FileState::Opening { .. });
        if opening {
            self.state.borrow_mut().pending.clear();
            self.not_opened(Finding::EngineFailed {
                message: problem.to_owned(),
            });
            return;
        }
        // A worker that dies while it opens the file again would die for ever.
        let was_ready = match &self.state.borrow().file {
            FileState::Open(open) => open.ready,
            _ => false,
        };
        self.fail_pending(&QueryError::EngineLost);
        if was_ready {
            self.restart_engine();
            let texts = self.says();
            self.banner(
                Tone::Warning,
                texts.engine_lost.to_owned(),
                texts.engine_lost_next,
                None,
            );
            self.show_all();
        } else {
            self.not_opened(Finding::EngineFailed {
                message: problem.to_owned(),
            });
        }
    }

    pub(super) fn opened(&self, schema: Schema, findings: Vec<Finding>, fingerprint: Fingerprint) {
        let belongs = {
            let mut state = self.state.borrow_mut();
            let source = match std::mem::take(&mut state.file) {
                FileState::Opening { source, .. } => source,
                FileState::Open(open) => open.source,
                FileState::None | FileState::Failed { .. } => return,
            };
            let belongs = state
                .chat
                .run
                .file()
                .is_none_or(|own| own.same_content(&fingerprint));
            state.file = FileState::Open(Box::new(OpenFile {
                source,
                fingerprint: fingerprint.clone(),
                schema: Rc::new(schema),
                findings,
                suggested: Default::default(),
                ready: true,
            }));
            state.mismatch = (!belongs).then(|| fingerprint.name.clone());
            belongs
        };
        if belongs && self.state.borrow().tabs.is_mine() {
            self.input(Input::FileOpened { fingerprint });
            self.keep_handle();
            self.resume();
        }
        self.note_recent();
        self.show_all();
    }

    pub(super) fn suggested(&self, english: Vec<String>, chinese: Vec<String>) {
        if let FileState::Open(open) = &mut self.state.borrow_mut().file {
            open.suggested = (english, chinese);
        }
        self.show_file();
    }

    /// Executes again what a loaded run was waiting for, now that its file is open.
    pub(super) fn resume(&self) {
        let idle = {
            let state = self.state.borrow();
            matches!((&state.file, &state.mismatch), (FileState::Open(_), None))
                && state.tabs.is_mine()
                && state.model.is_none()
                && state.pending.is_empty()
        };
        if idle {
            let effects = self.with_run(|run, context| run.resume(context));
            for effect in effects {
                self.execute(effect);
            }
        }
    }

    pub(super) fn not_opened(&self, finding: Finding) {
        {
            let mut state = self.state.borrow_mut();
            let name = match &state.file {
                FileState::Opening { name, .. } | FileState::Failed { name, .. } => name.clone(),
                FileState::Open(open) => open.fingerprint.name.clone(),
                FileState::None => String::new(),
            };
            state.engine = None;
            state.held.clear();
            state.file = FileState::Failed { name, finding };
        }
        self.fail_pending(&QueryError::NoFile);
        self.show_all();
    }

    pub(super) fn file_changed(&self) {
        {
            let mut state = self.state.borrow_mut();
            state.engine = None;
            state.held.clear();
            state.file = FileState::None;
        }
        self.fail_pending(&QueryError::FileChanged);
        let texts = self.says();
        self.banner(
            Tone::Warning,
            texts.file_changed.to_owned(),
            texts.file_changed_next,
            Some(NoticeAction::OpenFile),
        );
        self.show_all();
    }

    pub(super) fn close_file(&self) {
        {
            let mut state = self.state.borrow_mut();
            state.engine = None;
            state.held.clear();
            state.file = FileState::None;
            state.mismatch = None;
        }
        self.fail_pending(&QueryError::NoFile);
        self.show_all();
    }

    pub(super) fn keep_handle(&self) {
        let (storage, id, handle) = {
            let state = self.state.borrow();
            let handle = match &state.file {
                FileState::Open(open) => open.source.handle.clone(),
                _ => None,
            };
            (state.storage.clone(), state.chat.id.clone(), handle)
        };
        if let (Some(storage), Some(handle)) = (storage, handle) {
            self.state.borrow_mut().has_handle = true;
            self.spawn(|d| async move {
                if let Err(error) = storage.save_handle(&id, &handle).await {
                    d.storage_failed(&error);
                }
            });
        }
    }

    pub(super) fn show_file(&self) {
        let view = {
            let state = self.state.borrow();
            let wanted = state.chat.run.file();
            match (&state.file, wanted, &state.mismatch) {
                (FileState::Open(_), Some(wanted), Some(other)) => FileView::Wanted {
                    name: wanted.name.clone(),
                    other: Some(other.clone()),
                    reopen: state.has_handle,
                },
                (FileState::Open(open), ..) => FileView::Open {
                    name: open.fingerprint.name.clone(),
                    bytes: open.fingerprint.bytes,
                    schema: open.schema.clone(),
                    findings: open.findings.clone(),
                    suggested: match state.language() {
                        Language::English => open.suggested.0.clone(),
                        Language::Chinese => open.suggested.1.clone(),
                    },
                },
                (FileState::Opening { name, .. }, ..) => FileView::Opening { name: name.clone() },
                (FileState::Failed { name, finding }, ..) => FileView::Failed {
                    name: name.clone(),
                    finding: finding.clone(),
                },
                (FileState::None, Some(wanted), _) => FileView::Wanted {
                    name: wanted.name.clone(),
                    other: None,
                    reopen: state.has_handle,
                },
                (FileState::None, None, _) => FileView::None,
            }
        };
        (self.tell)(Patch::File(view));
    }
}
