//! The only interpreter of effects. It turns a person's commands into inputs, executes what the run wants,
//! feeds the answers back, and tells the page what changed. It decides nothing that the core could decide.

mod archive;
mod chats;
mod effects;
mod files;
mod keys;
mod model;
mod probe;
mod recent;
mod tabs;

use super::clock;
use super::engine::Engine;
use super::file::Files;
use super::storage::Storage;
use crate::agent::protocol::{EffectId, Input, Op};
use crate::agent::run::{Context, Run};
use crate::engine::{Finding, Fingerprint, RequestId, ResultId};
use crate::llm::Quirks;
use crate::llm::budget::Meter;
use crate::session::SavedChat;
use crate::settings::{Language, Secret, Settings};
use crate::sql::{Schema, Value};
use crate::view::model::{ChatEntry, Notice, NoticeAction, Tone, TurnView};
use crate::view::transcript::{self, Live, Surroundings};
use crate::view::{Command, Patch};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

/// The time between two looks at an answer that streams: at least every other frame of most screens, as nobody reads
/// faster, and so many times what the last look took that a slow machine has most of its time for the person.
const SHOW_PAUSE_MS: Range<f64> = 24.0..120.0;
const SHOW_PAUSE_LOOKS: f64 = 16.0;

/// Cheap to clone; all clones are one driver.
#[derive(Clone)]
pub struct Driver {
    state: Rc<RefCell<State>>,
    queue: Rc<RefCell<VecDeque<Input>>>,
    draining: Rc<Cell<bool>>,
    tell: Rc<dyn Fn(Patch)>,
}

struct State {
    chat: SavedChat,
    chats: Vec<ChatEntry>,
    storage: Option<Rc<Storage>>,
    settings: Settings,
    keys: keys::Keys,
    quirks: BTreeMap<String, Quirks>,
    file: FileState,
    /// Set where the file on hand is not the one that the chat belongs to.
    mismatch: Option<String>,
    has_handle: bool,
    tabs: tabs::Tabs,
    /// The chat that is being read, to be shown next.
    opening: Option<String>,
    engine: Option<Engine>,
    requests: u64,
    /// What each request to the engine is for.
    pending: BTreeMap<RequestId, Purpose>,
    held: BTreeSet<ResultId>,
    model: Option<model::Call>,
    live: Option<Live>,
    /// The last turn without what streams, as it was shown last.
    settled: Option<TurnView>,
    frame_asked: bool,
    /// When the live turn was last shown.
    shown_at_ms: f64,
    /// What the last look took, with its frame.
    look_ms: f64,
    /// States of chats that wait to be written.
    to_save: BTreeMap<String, (ChatEntry, String)>,
    saving: bool,
    deleted: Option<chats::Deleted>,
    /// The question that is counted, by its number, and its tokens.
    turn_meter: (u64, Meter),
    last_tokens: u64,
    tokens_estimated: bool,
}

/// The key, and the one origin that it may be sent to.
#[derive(Default)]
struct Key {
    secret: Secret,
    origin: String,
}

#[derive(Default)]
enum FileState {
    #[default]
    None,
    Opening {
        name: String,
        source: Source,
    },
    Open(Box<OpenFile>),
    Failed {
        name: String,
        finding: Finding,
    },
}

/// Where a file came from, so that it can be opened again.
#[derive(Clone)]
struct Source {
    files: Files,
    handle: Option<JsValue>,
}

struct OpenFile {
    source: Source,
    fingerprint: Fingerprint,
    schema: Rc<Schema>,
    findings: Vec<Finding>,
    /// Questions that the built-in translator answers, in English and in Chinese.
    suggested: (Vec<String>, Vec<String>),
    /// False while a new worker opens it again after a cancel.
    ready: bool,
}

enum Purpose {
    Open,
    Effect(EffectId),
    /// A turn of the built-in translator, for the call with this serial.
    Translate {
        effect: EffectId,
        serial: u64,
    },
    Window(WindowReply),
    Column(ColumnReply),
}

/// Where a window's rows go; `None` when they are gone.
pub type WindowReply = Box<dyn Fn(Option<Vec<Vec<Value>>>)>;

/// Where a column's numbers go; `None` when they are gone.
pub type ColumnReply = Box<dyn FnOnce(Option<Vec<f64>>)>;

impl Driver {
    /// A driver with an empty chat. [`Driver::load`] comes before anything else is asked of it.
    #[must_use]
    pub fn new(tell: Rc<dyn Fn(Patch)>) -> Self {
        Self {
            state: Rc::new(RefCell::new(State::new())),
            queue: Rc::default(),
            draining: Rc::default(),
            tell,
        }
    }

    /// Does what the person asked for.
    pub fn command(&self, command: Command) {
        match command {
            // Another tab decides in this chat.
            Command::Op(_) if !self.state.borrow().tabs.is_mine() => {}
            Command::Op(Op::Stop) => self.stop(),
            Command::Op(op @ (Op::AskAgain { .. } | Op::ShowBranch { .. })) => {
                self.input(Input::Op(op));
                self.show_turns();
            }
            Command::Op(op) => self.input(Input::Op(op)),
            Command::NewChat => self.new_chat(),
            Command::OpenChat { id } => self.spawn(|d| async move { d.open_chat(id).await }),
            Command::DeleteChat { id } => self.spawn(|d| async move { d.delete_chat(id).await }),
            Command::TakeChat => self.spawn(|d| async move { d.take_chat().await }),
            Command::RestoreChat => self.spawn(|d| async move { d.restore_chat().await }),
            Command::RenameChat { id, name } => {
                self.spawn(|d| async move { d.rename_chat(id, name).await });
            }
            Command::PinChat { id, pinned } => {
                self.spawn(|d| async move { d.pin_chat(id, pinned).await });
            }
            Command::OpenSample => self.spawn(|d| async move { d.open_sample().await }),
            Command::ReopenFile => self.spawn(|d| async move { d.reopen_file().await }),
            Command::OpenRecent { id } => self.spawn(|d| async move { d.open_recent(id).await }),
            Command::ForgetRecent { id } => {
                self.spawn(|d| async move { d.forget_recent(id).await });
            }
            Command::CloseFile => self.close_file(),
            Command::SaveSettings {
                settings,
                key,
                keeping,
            } => self.save_settings(settings, key, keeping),
            Command::NextTheme => self.edit_settings(|s, _| s.theme = s.theme.next()),
            Command::OtherLanguage => {
                self.edit_settings(|s, spoken| s.language = Some(spoken.other()));
            }
            Command::AskUnlock => self.ask_unlock(),
            Command::Unlock { passphrase } => {
                self.spawn(|d| async move { d.unlock(passphrase).await });
            }
            Command::LeaveLocked => self.leave_locked(),
            Command::UseToolCalls => self.use_tool_calls(),
            Command::ExportChat(form) => self.export_chat(form),
            Command::ListModels { settings, key } => {
                self.spawn(|d| async move { d.list_models(&settings, key).await });
            }
            Command::TestEndpoint { settings, key } => {
                self.spawn(|d| async move { d.test_endpoint(&settings, key).await });
            }
            Command::ShowBody { at } => {
                let body = self.state.borrow().chat.ledger.body(at);
                (self.tell)(Patch::Body(body.map(|body| (at, body))));
            }
        }
    }

    fn spawn<F: Future<Output = ()> + 'static>(&self, make: impl FnOnce(Self) -> F) {
        #[expect(
            clippy::disallowed_methods,
            reason = "the driver is where waiting happens"
        )]
        spawn_local(make(self.clone()));
    }

    /// Feeds one input to the run and executes everything that follows, in order.
    fn input(&self, input: Input) {
        self.queue.borrow_mut().push_back(input);
        if self.draining.replace(true) {
            return;
        }
        loop {
            let next = self.queue.borrow_mut().pop_front();
            let Some(input) = next else { break };
            let effects = self.with_run(|run, context| run.handle(input, context));
            for effect in effects {
                self.execute(effect);
            }
        }
        self.draining.set(false);
        self.show_last_turn();
    }

    fn with_run<T>(&self, act: impl FnOnce(&mut Run, &Context) -> T) -> T {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let schema = match (&state.file, &state.mismatch) {
            (FileState::Open(open), None) => Some(open.schema.clone()),
            _ => None,
        };
        let context = Context {
            now_ms: clock::now_ms(),
            schema: schema.as_deref(),
            privacy: state.settings.privacy,
            language: state.language(),
        };
        act(&mut state.chat.run, &context)
    }

    /// Tells the page what the last turn looks like now.
    fn show_last_turn(&self) {
        let (turn, ready) = {
            let mut state = self.state.borrow_mut();
            state.settled = state.settled_turn();
            (state.growing_turn(), state.is_ready())
        };
        if let Some(turn) = turn {
            (self.tell)(Patch::Turn(turn));
        }
        (self.tell)(Patch::Ready(ready));
    }

    fn show_all(&self) {
        self.show_turns();
        self.show_file();
        self.show_chats();
        self.show_sent();
    }

    fn show_turns(&self) {
        let (chat, turns, ready) = {
            let state = self.state.borrow();
            let held = |id| state.held.contains(&id);
            (
                state.chat.id.clone(),
                transcript::turns(&state.chat.run, state.surroundings(&held)),
                state.is_ready(),
            )
        };
        (self.tell)(Patch::Turns { chat, turns });
        (self.tell)(Patch::Ready(ready));
    }

    /// Shows the live turn in a coming frame, once, however many chunks arrive before it.
    fn show_soon(&self) {
        let pause = {
            let mut state = self.state.borrow_mut();
            if std::mem::replace(&mut state.frame_asked, true) {
                return;
            }
            let pause = SHOW_PAUSE_LOOKS * state.look_ms;
            pause.clamp(SHOW_PAUSE_MS.start, SHOW_PAUSE_MS.end)
                - (clock::ticks_ms() - state.shown_at_ms)
        };
        let driver = self.clone();
        let show = move || clock::next_frame(move || driver.show_live());
        if pause > 0.0 {
            clock::after(pause, show);
        } else {
            show();
        }
    }

    fn show_live(&self) {
        let start = clock::ticks_ms();
        {
            let mut state = self.state.borrow_mut();
            state.frame_asked = false;
            state.shown_at_ms = start;
        }
        // After the frame, with its style, layout and paint.
        let driver = self.clone();
        clock::after(0.0, move || {
            driver.state.borrow_mut().look_ms = clock::ticks_ms() - start;
        });
        self.refresh_live();
        let turn = self.state.borrow().growing_turn();
        if let Some(turn) = turn {
            (self.tell)(Patch::Turn(turn));
        }
    }

    fn banner(&self, tone: Tone, text: String, next: &str, action: Option<NoticeAction>) {
        (self.tell)(Patch::Banner(Some(Notice {
            tone,
            text,
            next: next.to_owned(),
            action,
            or_translate: false,
        })));
    }

    fn show_sent(&self) {
        let rows = crate::view::sent::rows(&self.state.borrow().chat.ledger);
        (self.tell)(Patch::Ledger(rows));
        let patch = {
            let state = self.state.borrow();
            Patch::Sent {
                bytes: state.chat.sent_bytes,
                tokens: state.last_tokens,
                chat_tokens: state.chat.meter.spent,
                estimated: state.tokens_estimated,
            }
        };
        (self.tell)(patch);
    }
}

impl State {
    fn new() -> Self {
        Self {
            chat: SavedChat::new(clock::fresh_id(), clock::now_ms()),
            chats: Vec::new(),
            storage: None,
            settings: Settings::default(),
            keys: keys::Keys::default(),
            quirks: BTreeMap::new(),
            file: FileState::None,
            mismatch: None,
            has_handle: false,
            tabs: tabs::Tabs::default(),
            opening: None,
            engine: None,
            requests: 0,
            pending: BTreeMap::new(),
            held: BTreeSet::new(),
            model: None,
            live: None,
            settled: None,
            frame_asked: false,
            shown_at_ms: 0.0,
            look_ms: 0.0,
            to_save: BTreeMap::new(),
            saving: false,
            deleted: None,
            turn_meter: (0, Meter::default()),
            last_tokens: 0,
            tokens_estimated: false,
        }
    }

    fn language(&self) -> Language {
        self.settings.language.unwrap_or_else(clock::language)
    }

    fn surroundings<'a>(&'a self, held: &'a dyn Fn(ResultId) -> bool) -> Surroundings<'a> {
        Surroundings {
            language: self.language(),
            file_open: matches!((&self.file, &self.mismatch), (FileState::Open(_), None)),
            read_only: !self.tabs.is_mine(),
            held,
            live: self.live.as_ref(),
        }
    }

    fn settled_turn(&self) -> Option<TurnView> {
        let held = |id| self.held.contains(&id);
        let around = Surroundings {
            live: None,
            ..self.surroundings(&held)
        };
        let last = self.chat.run.turns().len().checked_sub(1)?;
        transcript::turn(&self.chat.run, last, around)
    }

    fn growing_turn(&self) -> Option<TurnView> {
        match (&self.settled, &self.live) {
            (Some(settled), Some(live)) => Some(transcript::growing(settled, &self.chat.run, live)),
            (settled, _) => settled.clone(),
        }
    }

    fn is_ready(&self) -> bool {
        matches!((&self.file, &self.mismatch), (FileState::Open(_), None))
            && self.tabs.is_mine()
            && !self.chat.run.is_busy()
    }

    fn next_request(&mut self, purpose: Purpose) -> RequestId {
        self.requests += 1;
        let id = RequestId(self.requests);
        self.pending.insert(id, purpose);
        id
    }
}
