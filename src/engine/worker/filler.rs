//! The small wasm module of filler.wat beside sql.js: it fills a batch of rows in sql.js's memory, wasm calling
//! wasm. Knows memory layouts, and nothing of runs.

use crate::engine::sqlite::FILL_BYTES_MAX;
use js_sys::{Object, Reflect, Uint8Array, WebAssembly};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[derive(Clone)]
    type Exports;
    #[wasm_bindgen(method, catch)]
    fn fill(
        this: &Exports,
        statement: u32,
        columns: u32,
        rows: u32,
        tags: u32,
        slots: u32,
        arena: u32,
        room: u32,
        base: u32,
        counts: u32,
    ) -> Result<i32, JsValue>;
}

/// The bytes of filler.wat.
const MODULE: &[u8] = include_bytes!("filler.wasm");

/// What the filler imports, and sql.js's names for it.
const IMPORTS: [(&str, &str); 6] = [
    ("step", "_sqlite3_step"),
    ("type", "_sqlite3_column_type"),
    ("double", "_sqlite3_column_double"),
    ("text", "_sqlite3_column_text"),
    ("blob", "_sqlite3_column_blob"),
    ("bytes", "_sqlite3_column_bytes"),
];

/// A row was stepped to that does not fit.
pub const ROW_TOO_LARGE: i32 = -1;

/// Room for texts and blobs of one batch.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a constant of one mebibyte"
)]
const ARENA_BYTES: u32 = FILL_BYTES_MAX as u32;

/// Room for tags and slots of one batch.
const CELLS_BYTES: u32 = 512 * 1024;

const COUNTS_BYTES: u32 = 8;
const CELL_BYTES: u32 = 9;

/// The memory that one batch needs; a row of more columns than fit is left to the caller.
pub const BATCH_BYTES: u32 = COUNTS_BYTES + CELLS_BYTES + ARENA_BYTES;

#[derive(Clone)]
pub struct Filler {
    exports: Exports,
}

/// Where the parts of a filled batch lie, and how it ended.
pub struct Batch {
    /// SQLite's code of the last step, or [`ROW_TOO_LARGE`].
    pub code: i32,
    /// Rows of room: the distance between two columns.
    pub stride: u32,
    pub counts: u32,
    pub slots: u32,
    pub tags: u32,
    pub arena: u32,
}

impl Filler {
    /// Puts the filler beside a loaded sql.js.
    ///
    /// # Errors
    /// What the browser says.
    pub fn new(module: &JsValue, memory: &WebAssembly::Memory) -> Result<Self, JsValue> {
        let functions = Object::new();
        Reflect::set(&functions, &"memory".into(), memory)?;
        for (name, export) in IMPORTS {
            let function = Reflect::get(module, &export.into())?;
            Reflect::set(&functions, &name.into(), &function)?;
        }
        let imports = Object::new();
        Reflect::set(&imports, &"sqlite".into(), &functions)?;
        let module = WebAssembly::Module::new(&Uint8Array::from(MODULE).into())?;
        let instance = WebAssembly::Instance::new(&module, &imports)?;
        Ok(Self {
            exports: Reflect::get(&instance, &"exports".into())?.unchecked_into(),
        })
    }

    /// Fills at most `rows` rows of `columns` cells into the batch at `address`, which has [`BATCH_BYTES`].
    /// `None` where not even one row of so many columns has room.
    ///
    /// # Errors
    /// A trap inside SQLite.
    pub fn fill(
        &self,
        statement: u32,
        columns: u32,
        rows: usize,
        address: u32,
        base: u32,
    ) -> Result<Option<Batch>, JsValue> {
        let fit = CELLS_BYTES / (CELL_BYTES * columns.max(1));
        let stride = u32::try_from(rows).map_or(fit, |rows| rows.min(fit));
        if stride == 0 {
            return Ok(None);
        }
        let slots = address + COUNTS_BYTES;
        let tags = slots + stride * columns * 8;
        let arena = tags + stride * columns;
        let code = self.exports.fill(
            statement,
            columns,
            stride,
            tags,
            slots,
            arena,
            ARENA_BYTES,
            base,
            address,
        )?;
        Ok(Some(Batch {
            code,
            stride,
            counts: address,
            slots,
            tags,
            arena,
        }))
    }
}
