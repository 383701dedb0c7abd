//! sql.js behind the engine's trait, through its raw C exports. Knows neither requests nor files.

use super::describe;
use super::filler::{BATCH_BYTES, Batch, Filler, ROW_TOO_LARGE};
use crate::engine::pages::Page;
use crate::engine::sqlite::{
    ColumnKind, Prepared, Sqlite, SqliteError, Statement, Step, fill_by_cells,
};
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array, WebAssembly};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = initSqlJs, catch)]
    fn init_sql_js(config: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_name = importScripts, catch)]
    fn import_scripts(address: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(js_name = fetch, catch)]
    fn fetch(address: &str) -> Result<Promise, JsValue>;

    #[derive(Clone)]
    type Module;
    #[wasm_bindgen(method, js_name = _malloc)]
    fn malloc(this: &Module, bytes: u32) -> u32;
    #[wasm_bindgen(method, js_name = _free)]
    fn free(this: &Module, address: u32);
    #[wasm_bindgen(method, js_name = _sqlite3_prepare_v2, catch)]
    fn prepare(
        this: &Module,
        db: u32,
        sql: u32,
        bytes: i32,
        statement: u32,
        tail: u32,
    ) -> Result<i32, JsValue>;
    #[wasm_bindgen(method, js_name = _sqlite3_step, catch)]
    fn step(this: &Module, statement: u32) -> Result<i32, JsValue>;
    #[wasm_bindgen(method, js_name = _sqlite3_finalize, catch)]
    fn finalize(this: &Module, statement: u32) -> Result<i32, JsValue>;
    #[wasm_bindgen(method, js_name = _sqlite3_errmsg)]
    fn errmsg(this: &Module, db: u32) -> u32;
    #[wasm_bindgen(method, js_name = _sqlite3_extended_errcode)]
    fn extended_errcode(this: &Module, db: u32) -> i32;
    #[wasm_bindgen(method, js_name = _sqlite3_column_count)]
    fn column_count(this: &Module, statement: u32) -> u32;
    #[wasm_bindgen(method, js_name = _sqlite3_column_name)]
    fn column_name(this: &Module, statement: u32, column: u32) -> u32;
    #[wasm_bindgen(method, js_name = _sqlite3_column_type)]
    fn column_type(this: &Module, statement: u32, column: u32) -> i32;
    #[wasm_bindgen(method, js_name = _sqlite3_column_double)]
    fn column_double(this: &Module, statement: u32, column: u32) -> f64;
    #[wasm_bindgen(method, js_name = _sqlite3_column_text)]
    fn column_text(this: &Module, statement: u32, column: u32) -> u32;
    #[wasm_bindgen(method, js_name = _sqlite3_column_blob)]
    fn column_blob(this: &Module, statement: u32, column: u32) -> u32;
    #[wasm_bindgen(method, js_name = _sqlite3_column_bytes)]
    fn column_bytes(this: &Module, statement: u32, column: u32) -> u32;
}

const SQLITE_OK: i32 = 0;
const SQLITE_NOMEM: i32 = 7;
const SQLITE_ROW: i32 = 100;
const SQLITE_DONE: i32 = 101;

/// Below this an integer is exact as a double.
const DOUBLE_EXACT: f64 = 9_007_199_254_740_992.0;

/// C strings are names and messages, and few are longer.
const STRING_CHUNK_BYTES: u32 = 128;

/// Loaded sql.js; opens databases.
#[derive(Clone)]
pub struct Engine {
    module: Module,
    memory: WebAssembly::Memory,
    /// Without it rows are read cell by cell.
    filler: Option<Filler>,
}

/// Loads sql.js from `sqlite/` below `base`; with `fill`, the filler beside it.
///
/// # Errors
/// Whatever the browser says while loading.
pub async fn load(base: &str, fill: bool) -> Result<Engine, JsValue> {
    if !Reflect::has(&js_sys::global(), &"initSqlJs".into())? {
        import_scripts(&format!("{base}sqlite/sql-wasm-browser.js"))?;
    }
    let memory = Rc::new(RefCell::new(None));
    let config = Object::new();
    let address = format!("{base}sqlite/sql-wasm-browser.wasm");
    let found = Rc::clone(&memory);
    // sql.js keeps its memory to itself; instantiating for it is the one way to get hold of it.
    let instantiate = Closure::once_into_js(move |imports: Object, done: Function| {
        #[expect(
            clippy::disallowed_methods,
            reason = "loading sql.js is the one wait of the worker"
        )]
        wasm_bindgen_futures::spawn_local(async move {
            match instantiate(&address, &imports).await {
                Ok(instance) => {
                    *found.borrow_mut() = exported_memory(&instance);
                    let _ = done.call1(&JsValue::NULL, &instance);
                }
                Err(error) => super::post(&crate::engine::Reply::Died {
                    message: describe(&error),
                }),
            }
        });
    });
    Reflect::set(&config, &"instantiateWasm".into(), &instantiate)?;
    let module: Module = JsFuture::from(init_sql_js(&config)?)
        .await?
        .unchecked_into();
    let memory = memory.borrow_mut().take();
    let memory = memory.ok_or("sql.js has no memory")?;
    let filler = if fill {
        Filler::new(&module, &memory).ok()
    } else {
        None
    };
    Ok(Engine {
        module,
        memory,
        filler,
    })
}

/// What the script that started the worker has begun to compile while the engine itself was loaded.
fn compiled() -> Option<Promise> {
    Reflect::get(&js_sys::global(), &"ASSENT_SQLITE".into())
        .ok()?
        .dyn_into()
        .ok()
}

async fn instantiate(address: &str, imports: &Object) -> Result<JsValue, JsValue> {
    if let Some(compiled) = compiled()
        && let Ok(module) = JsFuture::from(compiled).await
        && let Ok(module) = module.dyn_into::<WebAssembly::Module>()
    {
        return Ok(WebAssembly::Instance::new(&module, imports)?.into());
    }
    let streamed = JsFuture::from(WebAssembly::instantiate_streaming(
        &fetch(address)?.into(),
        imports,
    ))
    .await;
    let instantiated = match streamed {
        Ok(instantiated) => instantiated,
        // A server that does not know the type of .wasm files cannot be streamed from.
        Err(_) => {
            let response = JsFuture::from(fetch(address)?).await?;
            let read: Function = Reflect::get(&response, &"arrayBuffer".into())?.unchecked_into();
            let bytes = JsFuture::from(Promise::resolve(&read.call0(&response)?)).await?;
            let bytes = Uint8Array::new(&bytes).to_vec();
            JsFuture::from(WebAssembly::instantiate_buffer(&bytes, imports)).await?
        }
    };
    Reflect::get(&instantiated, &"instance".into())
}

/// The memory among the exports, whose names are shortened by the build.
fn exported_memory(instance: &JsValue) -> Option<WebAssembly::Memory> {
    let exports = Reflect::get(instance, &"exports".into()).ok()?;
    Object::values(&exports.unchecked_into())
        .iter()
        .find_map(|export: JsValue| export.dyn_into::<WebAssembly::Memory>().ok())
}

/// One open database.
pub struct Database {
    module: Module,
    memory: WebAssembly::Memory,
    view: RefCell<Uint8Array>,
    /// sql.js's own object; dropping the last reference to it does not close it.
    object: JsValue,
    db: u32,
    /// Room for two pointers.
    scratch: u32,
    filler: Option<Filler>,
    /// Room for one batch of the filler, once it is needed.
    batch: u32,
    file_failed: Rc<Cell<bool>>,
    /// SQLite could not spell a value out, and gave nothing instead.
    memory_failed: Cell<bool>,
}

impl Engine {
    /// Opens what looks like a typed array.
    ///
    /// # Errors
    /// What sql.js says.
    pub fn open(&self, data: &Object, file_failed: Rc<Cell<bool>>) -> Result<Database, JsValue> {
        let constructor: Function =
            Reflect::get(&self.module, &"Database".into())?.unchecked_into();
        let object = Reflect::construct(&constructor, &Array::of1(data))?;
        let db = Reflect::get(&object, &"db".into())?.as_f64().unwrap_or(0.0);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a JavaScript number that SQLite made from an integer or an address"
        )]
        Ok(Database {
            view: RefCell::new(Uint8Array::new(&self.memory.buffer())),
            scratch: self.module.malloc(8),
            module: self.module.clone(),
            memory: self.memory.clone(),
            object,
            db: db as u32,
            filler: self.filler.clone(),
            batch: 0,
            file_failed,
            memory_failed: Cell::new(false),
        })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.module.free(self.scratch);
        self.module.free(self.batch);
        if let Ok(close) = Reflect::get(&self.object, &"close".into()) {
            let _ = close.unchecked_into::<Function>().call0(&self.object);
        }
    }
}

impl Database {
    /// sql.js's memory; a view dies when the memory grows.
    fn view(&self) -> Uint8Array {
        let mut view = self.view.borrow_mut();
        if view.length() == 0 {
            *view = Uint8Array::new(&self.memory.buffer());
        }
        view.clone()
    }

    fn append(&self, address: u32, bytes: u32, out: &mut Vec<u8>) {
        if address == 0 || bytes == 0 {
            return;
        }
        let view = self.view();
        let end = address.saturating_add(bytes).min(view.length());
        let start = out.len();
        out.resize(start + end.saturating_sub(address) as usize, 0);
        if let Some(room) = out.get_mut(start..) {
            view.subarray(address, end).copy_to(room);
        }
    }

    /// Two addresses that lie side by side.
    fn pointers(&self, address: u32) -> [u32; 2] {
        let mut bytes = Vec::with_capacity(8);
        self.append(address, 8, &mut bytes);
        let both = bytes.first_chunk().copied().map_or(0, u64::from_le_bytes);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "each half of a word is taken apart here"
        )]
        [both as u32, (both >> 32) as u32]
    }

    /// A C string.
    fn string(&self, address: u32) -> String {
        let mut bytes = Vec::new();
        if address == 0 {
            return String::new();
        }
        let mut at = address;
        loop {
            let before = bytes.len();
            self.append(at, STRING_CHUNK_BYTES, &mut bytes);
            let chunk = bytes.get(before..).unwrap_or_default();
            if let Some(end) = chunk.iter().position(|b| *b == 0) {
                bytes.truncate(before + end);
                break;
            }
            if chunk.is_empty() {
                break;
            }
            at = at.saturating_add(STRING_CHUNK_BYTES);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn error(&self) -> SqliteError {
        if self.file_failed.get() {
            return SqliteError::FileChanged;
        }
        SqliteError::Database {
            code: self.module.extended_errcode(self.db),
            message: self.string(self.module.errmsg(self.db)),
        }
    }

    fn stepped(&self, code: i32) -> Result<Step, SqliteError> {
        match code {
            // A failed read can end as a short scan that looks complete.
            _ if self.file_failed.get() => Err(SqliteError::FileChanged),
            SQLITE_ROW => Ok(Step::Row),
            SQLITE_DONE => Ok(Step::Done),
            _ => Err(self.error()),
        }
    }

    /// Moves a filled batch into the page. A row that did not fit is read cell by cell.
    fn take(
        &self,
        statement: &Statement,
        page: &mut Page,
        batch: &Batch,
    ) -> Result<Step, SqliteError> {
        let mut bytes = Vec::new();
        self.append(batch.counts, batch.arena - batch.counts, &mut bytes);
        let cut = (batch.slots - batch.counts) as usize;
        let (counts, cells) = bytes.split_at_checked(cut).unwrap_or_default();
        let cut = (batch.tags - batch.slots) as usize;
        let (slots, tags) = cells.split_at_checked(cut).unwrap_or_default();
        let count = |at: usize| {
            let field = counts.get(at..at + 4).and_then(|f| f.try_into().ok());
            field.map_or(0, u32::from_le_bytes)
        };
        let (rows, used) = (count(0), count(4));
        let mut arena = Vec::new();
        self.append(batch.arena, used, &mut arena);
        page.push_rows(rows as usize, batch.stride as usize, tags, slots, &arena);
        if batch.code == ROW_TOO_LARGE {
            page.push_row(self, statement);
            return self.stepped(SQLITE_ROW);
        }
        self.stepped(batch.code)
    }

    fn crashed(&self, exception: &JsValue) -> SqliteError {
        if self.file_failed.get() {
            return SqliteError::FileChanged;
        }
        SqliteError::Crashed {
            message: describe(exception),
        }
    }
}

fn out_of_memory() -> SqliteError {
    SqliteError::Database {
        code: SQLITE_NOMEM,
        message: "out of memory".to_owned(),
    }
}

fn raw(statement: &Statement) -> u32 {
    u32::try_from(statement.0).unwrap_or(0)
}

fn number(column: usize) -> u32 {
    u32::try_from(column).unwrap_or(u32::MAX)
}

impl Sqlite for Database {
    fn prepare(&mut self, sql: &str) -> Result<Option<Prepared>, SqliteError> {
        let bytes = number(sql.len());
        let text = self.module.malloc(bytes.saturating_add(1));
        if text == 0 {
            return Err(out_of_memory());
        }
        let view = self.view();
        view.subarray(text, text + bytes).copy_from(sql.as_bytes());
        view.set_index(text + bytes, 0);
        let (statement, tail) = (self.scratch, self.scratch + 4);
        let code = self.module.prepare(self.db, text, -1, statement, tail);
        let [statement, tail] = self.pointers(self.scratch);
        self.module.free(text);
        match code {
            Ok(SQLITE_OK) => Ok((statement != 0).then_some(Prepared {
                statement: Statement(statement as usize),
                tail: tail.saturating_sub(text) as usize,
            })),
            Ok(_) => Err(self.error()),
            Err(exception) => Err(self.crashed(&exception)),
        }
    }

    fn step(&mut self, statement: &Statement) -> Result<Step, SqliteError> {
        if self.memory_failed.take() {
            return Err(out_of_memory());
        }
        match self.module.step(raw(statement)) {
            Ok(code) => self.stepped(code),
            Err(exception) => Err(self.crashed(&exception)),
        }
    }

    fn finalize(&mut self, statement: Statement) {
        let _ = self.module.finalize(raw(&statement));
    }

    fn column_count(&self, statement: &Statement) -> usize {
        self.module.column_count(raw(statement)) as usize
    }

    fn column_name(&self, statement: &Statement, column: usize) -> String {
        self.string(self.module.column_name(raw(statement), number(column)))
    }

    fn column_kind(&self, statement: &Statement, column: usize) -> ColumnKind {
        match self.module.column_type(raw(statement), number(column)) {
            1 => ColumnKind::Integer,
            2 => ColumnKind::Real,
            3 => ColumnKind::Text,
            4 => ColumnKind::Blob,
            _ => ColumnKind::Null,
        }
    }

    fn column_integer(&self, statement: &Statement, column: usize) -> i64 {
        let rounded = self.module.column_double(raw(statement), number(column));
        if rounded.abs() < DOUBLE_EXACT {
            #[allow(
                clippy::cast_possible_truncation,
                reason = "a JavaScript number that SQLite made from an integer or an address"
            )]
            return rounded as i64;
        }
        let (statement, column) = (raw(statement), number(column));
        let mut digits = Vec::new();
        let text = self.module.column_text(statement, column);
        let bytes = self.module.column_bytes(statement, column);
        self.append(text, bytes, &mut digits);
        let digits = String::from_utf8_lossy(&digits);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a JavaScript number that SQLite made from an integer or an address"
        )]
        digits.parse().unwrap_or(rounded as i64)
    }

    fn column_real(&self, statement: &Statement, column: usize) -> f64 {
        self.module.column_double(raw(statement), number(column))
    }

    fn column_bytes(&self, statement: &Statement, column: usize, out: &mut Vec<u8>) {
        let kind = self.column_kind(statement, column);
        let (statement, column) = (raw(statement), number(column));
        let start = if kind == ColumnKind::Blob {
            self.module.column_blob(statement, column)
        } else {
            self.module.column_text(statement, column)
        };
        if start == 0 && kind == ColumnKind::Text {
            self.memory_failed.set(true);
        }
        let bytes = self.module.column_bytes(statement, column);
        self.append(start, bytes, out);
    }

    fn fill(
        &mut self,
        statement: &Statement,
        page: &mut Page,
        rows: usize,
    ) -> Result<Step, SqliteError> {
        if let Some(filler) = self.filler.clone() {
            if self.batch == 0 {
                self.batch = self.module.malloc(BATCH_BYTES);
            }
            let (columns, base) = (number(page.width()), number(page.arena_bytes()));
            if self.batch != 0 {
                match filler.fill(raw(statement), columns, rows, self.batch, base) {
                    Ok(Some(batch)) => return self.take(statement, page, &batch),
                    Ok(None) => {}
                    Err(exception) => return Err(self.crashed(&exception)),
                }
            }
        }
        fill_by_cells(self, statement, page, rows)
    }
}
