//! The page: Leptos components that lay out `view`'s models and send `Command`s.
//! Knows nothing of models, SQL, the engine or storage: the driver stands behind [`Actions`].

mod answer;
mod app;
mod approval;
mod approval_edit;
mod asked;
mod banner;
mod blocks;
mod chart;
mod chart_svg;
mod chats;
mod composer;
mod dom;
mod drop;
mod empty;
mod endpoint_test;
mod file_gate;
mod grid;
mod grid_rows;
mod growing;
mod header;
mod held;
mod icon;
mod inspector;
mod item;
mod keys;
mod line;
mod live;
mod look;
mod lookup;
mod notice;
mod palette;
mod part;
mod pick;
mod proposal;
mod question;
mod questions;
mod receipt;
mod recent;
mod result;
mod result_table;
mod schema_table;
mod sent;
mod settings;
mod settings_fields;
mod settings_key;
mod sql_text;
mod steps;
mod store;
mod thought;
mod transcript;
mod turn;
mod unlock;
mod update;

use crate::view::model::{Notice, Tone};
use crate::view::texts::{self, Texts};
use crate::view::{Command, Patch, ResultId, Value, WindowOf};
use leptos::mount::mount_to_body;
use leptos::prelude::*;
use std::rc::Rc;
use store::Store;
use wasm_bindgen::JsValue;

pub type Rows = Vec<Vec<Value>>;

/// What the page may ask of the driver.
#[derive(Clone)]
pub struct Actions {
    send: Rc<dyn Fn(Command)>,
    open_files: Rc<dyn Fn(Vec<web_sys::File>)>,
    keep_handle: Rc<dyn Fn(JsValue)>,
    window: Rc<dyn Fn(WindowRequest)>,
    column: Rc<dyn Fn(ColumnRequest)>,
}

impl Actions {
    /// `open_files` gets all files of one pick, drop or paste. `keep_handle` gets, a little later, the
    /// `FileSystemFileHandle` of a single dropped file, where the browser has one, to be stored for the next visit.
    pub fn new(
        send: impl Fn(Command) + 'static,
        open_files: impl Fn(Vec<web_sys::File>) + 'static,
        keep_handle: impl Fn(JsValue) + 'static,
        window: impl Fn(WindowRequest) + 'static,
        column: impl Fn(ColumnRequest) + 'static,
    ) -> Self {
        Self {
            send: Rc::new(send),
            open_files: Rc::new(open_files),
            keep_handle: Rc::new(keep_handle),
            window: Rc::new(window),
            column: Rc::new(column),
        }
    }

    pub fn send(&self, command: Command) {
        (self.send)(command);
    }

    pub fn open_files(&self, files: Vec<web_sys::File>) {
        (self.open_files)(files);
    }

    pub fn keep_handle(&self, handle: JsValue) {
        (self.keep_handle)(handle);
    }

    pub fn window(&self, request: WindowRequest) {
        (self.window)(request);
    }

    pub fn column(&self, request: ColumnRequest) {
        (self.column)(request);
    }
}

/// Asks for rows of a live result; `reply` gets `None` where they are gone.
pub struct WindowRequest {
    pub of: WindowOf,
    pub reply: Box<dyn FnOnce(Option<Rows>)>,
}

/// Asks for the first numbers of a column of a live result; `reply` gets `None` where they are gone.
pub struct ColumnRequest {
    pub result: ResultId,
    pub column: u32,
    pub rows_max: u32,
    pub reply: Box<dyn FnOnce(Option<Vec<f64>>)>,
}

/// The driver's way to the page.
#[derive(Clone)]
pub struct PageHandle {
    store: Store,
    act: Act,
    _owner: Owner,
}

impl PageHandle {
    /// Shows a change. While an answer streams, call it at most once per animation frame.
    pub fn apply(&self, patch: Patch) {
        self.store.apply(patch);
    }

    /// Adds what opens over the page. Called once, by the part that comes with the driver.
    pub fn add_dialogs(&self) {
        let (store, act) = (self.store, self.act);
        mount_to_body(move || {
            live::live(move || {
                let ui = Ui::new(store, act);
                view! { <app::Dialogs ui /> }.into_any()
            })
        });
    }

    /// Says that the part behind the page did not load, and what to do.
    pub fn say_driver_missing(&self) {
        let t = texts::of(self.store.language.get_untracked());
        self.apply(Patch::Banner(Some(Notice {
            tone: Tone::Error,
            text: t.part_missing.to_owned(),
            next: t.part_missing_next.to_owned(),
            action: None,
            or_translate: false,
        })));
    }
}

/// Puts the page into the body, in place of the static shell, and shows the empty state.
#[must_use]
pub fn mount(actions: Actions) -> PageHandle {
    let owner = Owner::new();
    let (store, act) = owner.with(|| (Store::new(), Act(StoredValue::new_local(actions))));
    update::listen(store);
    mount_to_body(move || {
        live::live(move || {
            let ui = Ui::new(store, act);
            view! { <app::App ui /> }.into_any()
        })
    });
    dom::remove_shell();
    PageHandle {
        store,
        act,
        _owner: owner,
    }
}

/// What every component gets: state, acts and texts. A change of language lays the page out anew.
#[derive(Clone, Copy)]
struct Ui {
    store: Store,
    act: Act,
    t: &'static Texts,
}

impl Ui {
    /// Follows the language.
    fn new(store: Store, act: Act) -> Self {
        Self {
            store,
            act,
            t: texts::of(store.language.get()),
        }
    }
}

#[derive(Clone, Copy)]
struct Act(StoredValue<Actions, LocalStorage>);

impl Act {
    fn with(self, run: impl FnOnce(Actions)) {
        if let Some(actions) = self.0.try_get_value() {
            run(actions);
        }
    }

    fn send(self, command: Command) {
        self.with(|a| a.send(command));
    }

    fn open_files(self, files: Vec<web_sys::File>) {
        if !files.is_empty() {
            self.with(|a| a.open_files(files));
        }
    }

    fn keep_handle(self, handle: JsValue) {
        self.with(|a| a.keep_handle(handle));
    }

    fn window(self, request: WindowRequest) {
        self.with(|a| a.window(request));
    }

    fn column(self, request: ColumnRequest) {
        self.with(|a| a.column(request));
    }
}
