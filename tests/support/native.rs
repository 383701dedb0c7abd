//! Native SQLite behind the engine's trait, and the public data beside the checkout.
#![allow(
    dead_code,
    unsafe_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_sign_loss,
    reason = "shared by programs that each use a part; SQLite's own interface is C; a broken test should stop"
)]

use assent::engine::doctor::{Beside, Examination, HEAD_BYTES, examine};
use assent::engine::introspect::{Introspection, introspect};
use assent::engine::sqlite::{ColumnKind, Prepared, Sqlite, SqliteError, Statement, Step};
use rusqlite::ffi;
use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub struct Native {
    db: *mut ffi::sqlite3,
}

impl Native {
    /// Opens a file for reading and writing: the guard must hold by itself.
    pub fn open(path: &Path) -> Self {
        let name = CString::new(path.to_str().unwrap()).unwrap();
        let mut db = std::ptr::null_mut();
        let code = unsafe { ffi::sqlite3_open(name.as_ptr(), &raw mut db) };
        assert_eq!(code, ffi::SQLITE_OK, "{}", path.display());
        Self { db }
    }

    pub fn memory(script: &str) -> Self {
        let mut native = Self::open(Path::new(":memory:"));
        native.script(script);
        native
    }

    pub fn script(&mut self, script: &str) {
        let script = CString::new(script).unwrap();
        let mut message: *mut c_char = std::ptr::null_mut();
        let code = unsafe {
            ffi::sqlite3_exec(
                self.db,
                script.as_ptr(),
                None,
                std::ptr::null_mut(),
                &raw mut message,
            )
        };
        assert_eq!(code, ffi::SQLITE_OK, "{}", self.error());
    }

    fn error(&self) -> SqliteError {
        let (code, message) = unsafe {
            let message = CStr::from_ptr(ffi::sqlite3_errmsg(self.db));
            (
                ffi::sqlite3_extended_errcode(self.db),
                message.to_string_lossy().into_owned(),
            )
        };
        SqliteError::Database { code, message }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        let code = unsafe { ffi::sqlite3_close(self.db) };
        assert_eq!(code, ffi::SQLITE_OK, "a statement was not finalised");
    }
}

fn raw(statement: &Statement) -> *mut ffi::sqlite3_stmt {
    statement.0 as *mut ffi::sqlite3_stmt
}

fn column(column: usize) -> c_int {
    c_int::try_from(column).unwrap()
}

impl Sqlite for Native {
    fn prepare(&mut self, sql: &str) -> Result<Option<Prepared>, SqliteError> {
        let mut statement = std::ptr::null_mut();
        let mut tail = std::ptr::null();
        let text = CString::new(sql).unwrap();
        let code = unsafe {
            ffi::sqlite3_prepare_v2(
                self.db,
                text.as_ptr(),
                -1,
                &raw mut statement,
                &raw mut tail,
            )
        };
        if code != ffi::SQLITE_OK {
            return Err(self.error());
        }
        let tail = tail as usize - text.as_ptr() as usize;
        Ok((!statement.is_null()).then_some(Prepared {
            statement: Statement(statement as usize),
            tail,
        }))
    }

    fn step(&mut self, statement: &Statement) -> Result<Step, SqliteError> {
        match unsafe { ffi::sqlite3_step(raw(statement)) } {
            ffi::SQLITE_ROW => Ok(Step::Row),
            ffi::SQLITE_DONE => Ok(Step::Done),
            _ => Err(self.error()),
        }
    }

    fn finalize(&mut self, statement: Statement) {
        unsafe { ffi::sqlite3_finalize(raw(&statement)) };
    }

    fn column_count(&self, statement: &Statement) -> usize {
        usize::try_from(unsafe { ffi::sqlite3_column_count(raw(statement)) }).unwrap()
    }

    fn column_name(&self, statement: &Statement, i: usize) -> String {
        let name = unsafe { CStr::from_ptr(ffi::sqlite3_column_name(raw(statement), column(i))) };
        name.to_string_lossy().into_owned()
    }

    fn column_kind(&self, statement: &Statement, i: usize) -> ColumnKind {
        match unsafe { ffi::sqlite3_column_type(raw(statement), column(i)) } {
            ffi::SQLITE_INTEGER => ColumnKind::Integer,
            ffi::SQLITE_FLOAT => ColumnKind::Real,
            ffi::SQLITE_TEXT => ColumnKind::Text,
            ffi::SQLITE_BLOB => ColumnKind::Blob,
            _ => ColumnKind::Null,
        }
    }

    fn column_integer(&self, statement: &Statement, i: usize) -> i64 {
        unsafe { ffi::sqlite3_column_int64(raw(statement), column(i)) }
    }

    fn column_real(&self, statement: &Statement, i: usize) -> f64 {
        unsafe { ffi::sqlite3_column_double(raw(statement), column(i)) }
    }

    fn column_bytes(&self, statement: &Statement, i: usize, out: &mut Vec<u8>) {
        let (statement, i) = (raw(statement), column(i));
        unsafe {
            let start = if ffi::sqlite3_column_type(statement, i) == ffi::SQLITE_BLOB {
                ffi::sqlite3_column_blob(statement, i).cast::<u8>()
            } else {
                ffi::sqlite3_column_text(statement, i)
            };
            let length = ffi::sqlite3_column_bytes(statement, i) as usize;
            if !start.is_null() {
                out.extend_from_slice(std::slice::from_raw_parts(start, length));
            }
        }
    }
}

/// Milliseconds of the machine's clock.
pub fn clock() -> impl Fn() -> f64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "the clock that tests hand to the engine"
    )]
    let start = Instant::now();
    move || start.elapsed().as_secs_f64() * 1_000.0
}

/// Public data beside the checkout, or in the folder named by `ASSENT_DATA`. Says so where it is missing.
pub fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ASSENT_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {name} is not in {}", folder.display());
    None
}

/// A scratch folder of this process, removed with its value.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assent-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A writable copy of a file, with the doctor's patches as the worker's lazy file shows them.
    pub fn opened(&self, source: &Path) -> (Examination, PathBuf) {
        self.opened_with(source, &Beside::default())
    }

    /// The same with what lay beside the file: `beside` without pages of a log.
    pub fn opened_with(&self, source: &Path, beside: &Beside) -> (Examination, PathBuf) {
        let mut bytes = std::fs::read(source).unwrap();
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        let examination = examine(head, bytes.len() as u64, beside);
        for patch in &examination.patches {
            let at = usize::try_from(patch.offset).unwrap();
            bytes[at..at + patch.bytes.len()].copy_from_slice(&patch.bytes);
        }
        bytes.resize(usize::try_from(examination.shown_bytes).unwrap(), 0);
        let copy = self.0.join(source.file_name().unwrap());
        std::fs::write(&copy, bytes).unwrap();
        (examination, copy)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn introspected(db: &mut Native) -> Introspection {
    introspect(db, 0, &clock()).unwrap()
}
