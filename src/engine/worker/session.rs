//! One worker's state: the open file, its results, the run under way. Answers every request.

use super::lazy::{LazyFile, Source, read_bytes, size};
use super::sqljs::{Database, Engine};
use super::{describe, now_ms, post, post_buffer};
use crate::builtin::{Translator, respond, suggest};
use crate::engine::column;
use crate::engine::doctor::{Beside, HEAD_BYTES, Log, examine, is_hot_journal, quick_check};
use crate::engine::guard;
use crate::engine::index::Indexer;
use crate::engine::introspect::{Introspection, introspect};
use crate::engine::order::order;
use crate::engine::pages::Pages;
use crate::engine::protocol::{
    FINGERPRINT_END_BYTES, Finding, Fingerprint, QueryError, Reply, Request, RequestId, ResultId,
    SortOrder, WindowOf,
};
use crate::engine::run::{Known, Order, Progress, Run};
use crate::engine::sqlite::{SqliteError, execute};
use crate::engine::wal::Overlay;
use crate::engine::window::encode_part;
use crate::link::values::ValueIndex;
use crate::settings::Language;
use crate::sql::Schema;
use crate::transcript::Message;
use gloo_timers::callback::Timeout;
use js_sys::Reflect;
use std::collections::{BTreeMap, VecDeque};
use wasm_bindgen::prelude::*;
use web_sys::{File, MessageChannel, MessageEvent};

/// How long a run works before the worker listens again. Short enough for a Stop to feel immediate.
const SLICE_MS: f64 = 40.0;

/// How long the values of a file are read before the first question without a model is answered.
const INDEX_MS_MAX: f64 = 1_500.0;

/// Questions offered for a file, and tables above which none are.
const SUGGESTIONS: usize = 3;
const SUGGEST_TABLES_MAX: usize = 200;
/// A query that waits for the file goes first.
const SUGGEST_AFTER_MS: u32 = 30;

/// Beyond this SQLite reports that it is out of memory instead of taking the tab down.
const HEAP_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// Cached bytes of the file, by what the device says it has.
const CACHE_BYTES: u64 = 256 * 1024 * 1024;
const CACHE_BYTES_LARGE_DEVICE: u64 = 512 * 1024 * 1024;
const LARGE_DEVICE_GIB: f64 = 8.0;

/// What came with an `Open`.
pub struct Files {
    pub file: File,
    pub wal: Option<File>,
    pub journal: Option<File>,
}

struct Opened {
    db: Database,
    known: Introspection,
    /// Why nothing can be read any more.
    lost: Option<QueryError>,
    /// Made when the built-in translator is first asked.
    translator: Option<Translator>,
    /// Closed after the database that reads through it.
    _file: LazyFile,
}

/// A finished result, and the order that it was last looked at in.
struct Held {
    pages: Pages,
    order: Option<(SortOrder, Vec<u32>)>,
}

impl Held {
    /// Sorts, once for each change of the order.
    fn sort(&mut self, by: SortOrder) -> Option<()> {
        if self.order.as_ref().is_none_or(|(order, _)| *order != by) {
            self.order = Some((by, order(&self.pages, by)?));
        }
        Some(())
    }
}

struct Active {
    id: RequestId,
    run: Run,
}

pub struct Session {
    engine: Engine,
    opened: Option<Opened>,
    results: BTreeMap<ResultId, Held>,
    active: Option<Active>,
    waiting: VecDeque<(RequestId, Order)>,
    /// Dropped with the file that it is about.
    suggesting: Option<Timeout>,
    /// A message to ourselves comes after those that are queued, and without a timer's delay.
    channel: Option<MessageChannel>,
}

impl Session {
    pub fn new(engine: Engine) -> Self {
        Self {
            engine,
            opened: None,
            results: BTreeMap::new(),
            active: None,
            waiting: VecDeque::new(),
            suggesting: None,
            channel: MessageChannel::new().ok(),
        }
    }

    /// What to call for the next slice.
    pub fn on_tick(&mut self, mut tick: impl FnMut() + 'static) {
        let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |_| tick());
        if let Some(channel) = &self.channel {
            channel
                .port1()
                .set_onmessage(Some(listener.as_ref().unchecked_ref()));
        }
        // Lives as long as the worker.
        listener.forget();
    }

    pub fn handle(&mut self, request: Request, files: Option<Files>) {
        match request {
            Request::Open { id } => self.open(id, files),
            Request::Check { id, sql } => self.check(id, &sql),
            Request::Run {
                id,
                sql,
                approved,
                result,
                budget,
            } => {
                let order = Order {
                    sql,
                    approved,
                    result,
                    budget,
                };
                self.waiting.push_back((id, order));
                if self.active.is_none() {
                    self.next_run();
                }
            }
            Request::Window { id, of } => self.window(id, of),
            Request::Column {
                id,
                result,
                column: wanted,
                rows_max,
            } => {
                let pages = self.results.get(&result).map(|held| &held.pages);
                match pages.and_then(|pages| column::encode(pages, wanted, rows_max)) {
                    Some(buffer) => post_buffer(&Reply::Column { id }, &buffer),
                    None => post(&Reply::NoWindow { id }),
                }
            }
            Request::Release { result } => self.release(result),
            Request::Translate { id, messages } => self.translate(id, &messages),
            Request::Close => self.close(),
        }
    }

    fn open(&mut self, id: RequestId, files: Option<Files>) {
        self.close();
        let started = now_ms();
        let opened = match files {
            Some(files) => self.read(files),
            None => Err(Finding::Unreadable {
                message: "no file came with the request".to_owned(),
            }),
        };
        match opened {
            Err(finding) => post(&Reply::NotOpened { id, finding }),
            Ok((opened, findings, fingerprint)) => {
                post(&Reply::Opened {
                    id,
                    schema: opened.known.schema.clone(),
                    findings,
                    fingerprint,
                    ms: now_ms() - started,
                });
                let schema = opened.known.schema.clone();
                let suggest = move || suggest_questions(&schema);
                self.suggesting = Some(Timeout::new(SUGGEST_AFTER_MS, suggest));
                self.opened = Some(opened);
            }
        }
    }

    fn read(&self, files: Files) -> Result<(Opened, Vec<Finding>, Fingerprint), Finding> {
        let unreadable = |error: JsValue| Finding::Unreadable {
            message: describe(&error),
        };
        let file = files.file;
        let (bytes, name) = (size(&file), file.name());
        let (beside, log) = beside(files.wal, files.journal.as_ref()).map_err(unreadable)?;
        let tail_start = bytes.saturating_sub(FINGERPRINT_END_BYTES as u64);
        let tail = read_bytes(&file, tail_start, bytes).map_err(unreadable)?;
        let head_end = HEAD_BYTES.max(FINGERPRINT_END_BYTES) as u64;
        let head = read_bytes(&file, 0, head_end.min(bytes)).map_err(unreadable)?;
        let fingerprint = Fingerprint::of(name, bytes, &head, &tail);
        let mut source = Source::new(file, log, cache_bytes());
        let head = source.bytes(0, head_end).map_err(unreadable)?.to_vec();
        let examination = examine(&head, bytes, &beside);
        if let Some(fatal) = examination.findings.iter().find(|f| f.is_fatal()) {
            return Err(fatal.clone());
        }
        let engine_failed = |error: JsValue| Finding::EngineFailed {
            message: describe(&error),
        };
        let lazy = LazyFile::new(source, &examination).map_err(engine_failed)?;
        let mut db = self
            .engine
            .open(lazy.object(), lazy.failed())
            .map_err(engine_failed)?;
        let (known, found) =
            survey(&mut db, examination.shown_bytes).map_err(|error| match error {
                SqliteError::Database { message, .. } => Finding::Corrupt { message },
                SqliteError::FileChanged => Finding::Unreadable {
                    message: error.to_string(),
                },
                SqliteError::Crashed { message } => Finding::EngineFailed { message },
            })?;
        let mut findings = examination.findings;
        findings.extend(found);
        let opened = Opened {
            db,
            known,
            lost: None,
            translator: None,
            _file: lazy,
        };
        Ok((opened, findings, fingerprint))
    }

    fn check(&mut self, id: RequestId, sql: &str) {
        let answer = usable(self.opened.as_mut()).and_then(|opened| {
            let known = &opened.known;
            guard::check(&mut opened.db, &known.catalog, &known.schema, sql)
                .map_err(QueryError::from)
        });
        match answer {
            Ok(verdict) => post(&Reply::Checked { id, verdict }),
            Err(error) => {
                self.note_loss(&error);
                post(&Reply::CheckFailed { id, error });
            }
        }
    }

    /// Starts the next waiting run; works the first slice at once.
    fn next_run(&mut self) {
        while let Some((id, order)) = self.waiting.pop_front() {
            let started = usable(self.opened.as_mut()).and_then(|opened| {
                let known = Known {
                    catalog: &opened.known.catalog,
                    schema: &opened.known.schema,
                };
                Run::start(&mut opened.db, known, order, &now_ms)
            });
            match started {
                Ok(run) => {
                    self.results.remove(&run.result());
                    self.active = Some(Active { id, run });
                    self.tick();
                    return;
                }
                Err(error) => self.fail(id, error),
            }
        }
    }

    /// One slice of the run under way.
    pub fn tick(&mut self) {
        let (Some(mut active), Some(opened)) = (self.active.take(), self.opened.as_mut()) else {
            return;
        };
        match active.run.advance(&mut opened.db, &now_ms, SLICE_MS) {
            Ok(Progress::More) => {
                post(&Reply::Progress {
                    id: active.id,
                    rows: active.run.pages().rows(),
                    ms: active.run.elapsed_ms(&now_ms),
                });
                self.active = Some(active);
                if let Some(channel) = &self.channel {
                    let _ = channel.port2().post_message(&JsValue::NULL);
                }
                return;
            }
            Ok(Progress::Done) => {
                let budget = active.run.budget();
                match active.run.finish(&mut opened.db, &now_ms) {
                    Ok((meta, pages)) => {
                        let preview = pages.preview(budget.preview_rows, budget.cell_chars);
                        let held = Held { pages, order: None };
                        self.results.insert(meta.result, held);
                        post(&Reply::Ran {
                            id: active.id,
                            meta,
                            preview,
                        });
                    }
                    Err(error) => self.fail(active.id, error),
                }
            }
            Err(error) => {
                active.run.abandon(&mut opened.db);
                self.fail(active.id, error);
            }
        }
        self.next_run();
    }

    /// The translator learns the file's values at its first question, for as long as a person waits gladly.
    fn translate(&mut self, id: RequestId, messages: &[Message]) {
        let opened = match usable(self.opened.as_mut()) {
            Ok(opened) => opened,
            Err(error) => return post(&Reply::CheckFailed { id, error }),
        };
        if opened.translator.is_none() {
            let mut translator = Translator::new(&opened.known.schema, ValueIndex::default());
            let mut indexer = Indexer::new(&translator.names);
            // What was read before an error or the end of the time still helps.
            let _ = indexer.advance(&mut opened.db, &translator.names, &now_ms, INDEX_MS_MAX);
            translator.values = indexer.stop(&mut opened.db);
            opened.translator = Some(translator);
        }
        if let Some(translator) = &opened.translator {
            let turn = respond(translator, messages);
            post(&Reply::Translated { id, turn });
        }
    }

    fn window(&mut self, id: RequestId, of: WindowOf) {
        let running = self
            .active
            .as_ref()
            .map(|a| &a.run)
            .filter(|run| run.result() == of.result);
        let buffer = match (running, of.order) {
            (Some(run), None) => encode_part(run.pages(), None, &of),
            (Some(_), Some(_)) => None,
            (None, by) => self.results.get_mut(&of.result).and_then(|held| {
                if let Some(by) = by {
                    held.sort(by)?;
                }
                let rows = held.order.as_ref().map(|(_, rows)| rows.as_slice());
                encode_part(&held.pages, by.and(rows), &of)
            }),
        };
        match buffer {
            Some(buffer) => post_buffer(
                &Reply::Window {
                    id,
                    result: of.result,
                },
                &buffer,
            ),
            None => post(&Reply::NoWindow { id }),
        }
    }

    fn release(&mut self, result: ResultId) {
        self.results.remove(&result);
        let queued: Vec<RequestId> = self
            .waiting
            .iter()
            .filter(|(_, order)| order.result == result)
            .map(|(id, _)| *id)
            .collect();
        self.waiting.retain(|(_, order)| order.result != result);
        for id in queued {
            self.fail(id, QueryError::Cancelled);
        }
        if self
            .active
            .as_ref()
            .is_some_and(|a| a.run.result() == result)
        {
            self.cancel_active();
            self.next_run();
        }
    }

    fn cancel_active(&mut self) {
        if let (Some(active), Some(opened)) = (self.active.take(), self.opened.as_mut()) {
            active.run.abandon(&mut opened.db);
            self.fail(active.id, QueryError::Cancelled);
        }
    }

    fn close(&mut self) {
        for (id, _) in std::mem::take(&mut self.waiting) {
            self.fail(id, QueryError::Cancelled);
        }
        self.cancel_active();
        self.results.clear();
        self.suggesting = None;
        self.opened = None;
    }

    fn fail(&mut self, id: RequestId, error: QueryError) {
        self.note_loss(&error);
        post(&Reply::RunFailed { id, error });
    }

    /// After these errors nothing that the connection says can be trusted.
    fn note_loss(&mut self, error: &QueryError) {
        if matches!(error, QueryError::FileChanged | QueryError::EngineLost)
            && let Some(opened) = &mut self.opened
        {
            opened.lost.get_or_insert_with(|| error.clone());
        }
    }
}

fn usable(opened: Option<&mut Opened>) -> Result<&mut Opened, QueryError> {
    let opened = opened.ok_or(QueryError::NoFile)?;
    match &opened.lost {
        Some(error) => Err(error.clone()),
        None => Ok(opened),
    }
}

/// What the files beside the database say.
fn beside(
    wal: Option<File>,
    journal: Option<&File>,
) -> Result<(Beside, Option<(File, Overlay)>), JsValue> {
    let hot_journal = match journal {
        Some(journal) => is_hot_journal(&read_bytes(journal, 0, size(journal).min(1))?),
        None => false,
    };
    let overlay = match &wal {
        Some(wal) => Overlay::read(size(wal), |from, to| read_bytes(wal, from, to))?,
        None => None,
    };
    let log = match (&wal, &overlay) {
        (None, _) => Log::None,
        (Some(_), None) => Log::Useless,
        (Some(_), Some(overlay)) => Log::Pages(overlay.clone()),
    };
    Ok((Beside { log, hot_journal }, wal.zip(overlay)))
}

/// Everything that is learnt about a file when it is opened.
fn survey(db: &mut Database, bytes: u64) -> Result<(Introspection, Vec<Finding>), SqliteError> {
    execute(db, &format!("PRAGMA hard_heap_limit={HEAP_BYTES_MAX}"))?;
    let mut known = introspect(db, bytes, &now_ms)?;
    let mut findings = std::mem::take(&mut known.findings);
    findings.extend(quick_check(db, bytes)?);
    Ok((known, findings))
}

/// Offers questions about the file, where its schema is not so large that they would be a wild pick.
fn suggest_questions(schema: &Schema) {
    if schema.tables.len() > SUGGEST_TABLES_MAX {
        return;
    }
    let translator = Translator::new(schema, ValueIndex::default());
    post(&Reply::Suggested {
        english: suggest(&translator, Language::English, SUGGESTIONS),
        chinese: suggest(&translator, Language::Chinese, SUGGESTIONS),
    });
}

fn cache_bytes() -> u64 {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).unwrap_or_default();
    let gib = Reflect::get(&navigator, &"deviceMemory".into()).unwrap_or_default();
    if gib.as_f64().is_some_and(|gib| gib >= LARGE_DEVICE_GIB) {
        CACHE_BYTES_LARGE_DEVICE
    } else {
        CACHE_BYTES
    }
}
