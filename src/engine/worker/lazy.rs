//! The dropped file as sql.js sees it: an object that looks like a typed array and reads the `File` block
//! by block, so that a file of any size opens without a copy. Nothing can be written through it.

use crate::engine::blocks::Blocks;
use crate::engine::doctor::{Examination, Patch};
use crate::engine::wal::Overlay;
use js_sys::{Object, Reflect, Uint8Array};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{File, FileReaderSync};

/// Emscripten turns an exception of this shape into an I/O error for SQLite.
const EIO: i32 = 29;

/// Reads `from..to` of a file at once.
///
/// # Errors
/// The browser's exception where the file changed, was removed or may not be read.
pub fn read(file: &File, from: u64, to: u64) -> Result<Uint8Array, JsValue> {
    let slice = file.slice_with_f64_and_f64(float(from), float(to))?;
    let buffer = FileReaderSync::new()?.read_as_array_buffer(&slice)?;
    Ok(Uint8Array::new(&buffer))
}

/// Reads `from..to` as Rust bytes.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(file: &File, from: u64, to: u64) -> Result<Vec<u8>, JsValue> {
    read(file, from, to).map(|array| array.to_vec())
}

#[wasm_bindgen]
extern "C" {
    /// What `start.js` makes of the function that reads.
    type Quick;

    #[wasm_bindgen(js_name = ASSENT_LAZY, catch)]
    fn quick(length: f64, read: &JsValue) -> Result<Quick, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn file(this: &Quick) -> Object;

    #[wasm_bindgen(method)]
    fn remember(this: &Quick, content: &Uint8Array, at: f64);
}

/// The object for sql.js. It lives as long as this value.
pub struct LazyFile {
    object: Object,
    failed: Rc<Cell<bool>>,
    _read: Closure<dyn FnMut(f64, f64) -> Result<Uint8Array, JsValue>>,
}

impl LazyFile {
    /// # Errors
    /// Where the script that started the worker lacks `start.js`.
    pub fn new(mut source: Source, examination: &Examination) -> Result<Self, JsValue> {
        let failed = Rc::new(Cell::new(false));
        source.shown_bytes = examination.shown_bytes;
        source.patches.clone_from(&examination.patches);
        let length = float(source.shown_bytes);
        let flag = Rc::clone(&failed);
        let made = Rc::new(OnceCell::<Quick>::new());
        let known = Rc::clone(&made);
        let read = Closure::new(move |from: f64, to: f64| {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a JavaScript number; no file comes near 2^53 bytes"
            )]
            let (from, to) = (from as u64, to as u64);
            let bytes = source.bytes(from, to).map_err(|_| {
                flag.set(true);
                io_error()
            })?;
            if let Some((at, content)) = source.as_it_stands(from)
                && let Some(quick) = known.get()
            {
                quick.remember(content, float(at));
            }
            Ok(bytes)
        });
        let quick = quick(length, read.as_ref())?;
        let object = quick.file();
        let _ = made.set(quick);
        Ok(Self {
            object,
            failed,
            _read: read,
        })
    }

    pub fn object(&self) -> &Object {
        &self.object
    }

    /// Set once a read failed: whatever SQLite says afterwards means nothing.
    pub fn failed(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.failed)
    }
}

/// A number of bytes for JavaScript.
#[allow(
    clippy::cast_precision_loss,
    reason = "a JavaScript number; no file comes near 2^53 bytes"
)]
fn float(bytes: u64) -> f64 {
    bytes as f64
}

fn io_error() -> JsValue {
    let error = Object::new();
    let _ = Reflect::set(&error, &"name".into(), &"ErrnoError".into());
    let _ = Reflect::set(&error, &"errno".into(), &EIO.into());
    error.into()
}

/// The size of a file.
pub fn size(file: &File) -> u64 {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a JavaScript number; no file comes near 2^53 bytes"
    )]
    let bytes = file.size() as u64;
    bytes
}

/// One file behind its cached blocks.
struct Cached {
    file: File,
    blocks: Blocks<Uint8Array>,
}

impl Cached {
    fn new(file: File, budget_bytes: u64) -> Self {
        Self {
            blocks: Blocks::new(size(&file), budget_bytes),
            file,
        }
    }

    /// What one cached block holds of `from..to`, and how many bytes; `None` beyond the end of the file.
    fn piece(&mut self, from: u64, to: u64) -> Result<Option<Piece>, JsValue> {
        if let Some(piece) = self.cached(from, to) {
            return Ok(Some(piece));
        }
        if from >= self.blocks.file_bytes() || from >= to {
            return Ok(None);
        }
        let range = self.blocks.plan(from);
        let content = read(&self.file, range.start, range.end)?;
        if u64::from(content.length()) != range.end - range.start {
            return Err("the file is shorter than it was".into());
        }
        self.blocks.insert(range, content);
        Ok(self.cached(from, to))
    }

    fn cached(&mut self, from: u64, to: u64) -> Option<Piece> {
        let (range, content) = self.blocks.get(from)?;
        let end = to.min(range.end);
        let bytes = content.subarray(small(from - range.start), small(end - range.start));
        Some((bytes, end - from))
    }
}

/// Bytes, and how many they are.
type Piece = (Uint8Array, u64);

/// What a database's bytes are made of: its file, the newer pages in the log, and the doctor's patches.
pub struct Source {
    file: Cached,
    log: Option<(Cached, Overlay)>,
    shown_bytes: u64,
    patches: Vec<Patch>,
}

impl Source {
    /// The log gets a quarter of the budget: it is small beside its database, or should be.
    pub fn new(file: File, log: Option<(File, Overlay)>, budget_bytes: u64) -> Self {
        let shown_bytes = match &log {
            Some((_, overlay)) => overlay.database_bytes(),
            None => size(&file),
        };
        Self {
            file: Cached::new(file, budget_bytes),
            log: log.map(|(log, overlay)| (Cached::new(log, budget_bytes / 4), overlay)),
            shown_bytes,
            patches: Vec::new(),
        }
    }

    /// The bytes `from..to` of the database; where the file lacks some, they are zero.
    ///
    /// # Errors
    /// The browser's exception where the file changed, was removed or may not be read.
    pub fn bytes(&mut self, from: u64, to: u64) -> Result<Uint8Array, JsValue> {
        let to = to.min(self.shown_bytes).max(from);
        let patched = self
            .patches
            .iter()
            .any(|p| p.offset < to && from < p.offset + p.bytes.len() as u64);
        if !patched
            && let Some((whole, bytes)) = self.piece(from, to)?
            && bytes == to - from
        {
            return Ok(whole);
        }
        let out = Uint8Array::new_with_length(small(to - from));
        let mut at = from;
        while at < to {
            match self.piece(at, to)? {
                Some((piece, bytes)) => {
                    out.set(&piece, small(at - from));
                    at += bytes;
                }
                // Beyond the file's end, where a later page may still be in the log.
                None => at += self.together(at).min(to - at),
            }
        }
        for patch in &self.patches {
            for (i, byte) in (patch.offset..).zip(&patch.bytes) {
                if (from..to).contains(&i) {
                    out.set_index(small(i - from), *byte);
                }
            }
        }
        Ok(out)
    }

    /// The cached block that holds `from` and where it begins, if SQLite may see all of it as the file has it.
    fn as_it_stands(&mut self, from: u64) -> Option<(u64, &Uint8Array)> {
        let (range, content) = self.file.blocks.get(from)?;
        let altered =
            |p: &Patch| p.offset < range.end && range.start < p.offset + p.bytes.len() as u64;
        let whole = self.log.is_none()
            && range.end <= self.shown_bytes
            && !self.patches.iter().any(altered);
        whole.then_some((range.start, content))
    }

    fn together(&self, at: u64) -> u64 {
        self.log
            .as_ref()
            .map_or(u64::MAX, |(_, overlay)| overlay.place(at).bytes)
    }

    /// The beginning of `from..to`, as much as lies together; `None` where there is nothing.
    fn piece(&mut self, from: u64, to: u64) -> Result<Option<Piece>, JsValue> {
        let Some((log, overlay)) = &mut self.log else {
            return self.file.piece(from, to);
        };
        let place = overlay.place(from);
        let bytes = place.bytes.min(to.saturating_sub(from));
        match place.in_log {
            Some(at) => log.piece(at, at + bytes),
            None => self.file.piece(from, from + bytes),
        }
    }
}

/// Offsets within one read or block, which are far below 4 GiB.
fn small(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
