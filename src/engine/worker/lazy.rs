//! The dropped file as sql.js sees it: an object that looks like a typed array and reads the `File` block
//! by block, so that a file of any size opens without a copy. Nothing can be written through it.

use crate::engine::blocks::Blocks;
use crate::engine::doctor::{Examination, Patch};
use crate::engine::wal::Overlay;
use js_sys::{Object, Reflect, Uint8Array};
use std::cell::Cell;
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
    #[allow(
        clippy::cast_precision_loss,
        reason = "a JavaScript number; no file comes near 2^53 bytes"
    )]
    let slice = file.slice_with_f64_and_f64(from as f64, to as f64)?;
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

/// The object for sql.js. It lives as long as this value.
pub struct LazyFile {
    object: Object,
    failed: Rc<Cell<bool>>,
    _closures: Closures,
}

struct Closures {
    _slice: Closure<dyn FnMut() -> JsValue>,
    _subarray: Closure<dyn FnMut(f64, f64) -> Result<Uint8Array, JsValue>>,
    _set: Closure<dyn FnMut() -> Result<(), JsValue>>,
}

impl LazyFile {
    pub fn new(mut source: Source, examination: &Examination) -> Self {
        let object = Object::new();
        let failed = Rc::new(Cell::new(false));
        source.shown_bytes = examination.shown_bytes;
        source.patches.clone_from(&examination.patches);
        #[allow(
            clippy::cast_precision_loss,
            reason = "a JavaScript number; no file comes near 2^53 bytes"
        )]
        let size = JsValue::from_f64(source.shown_bytes as f64);
        let flag = Rc::clone(&failed);
        let subarray = Closure::new(move |from: f64, to: f64| {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a JavaScript number; no file comes near 2^53 bytes"
            )]
            source.bytes(from as u64, to as u64).map_err(|_| {
                flag.set(true);
                io_error()
            })
        });
        let itself = object.clone();
        let slice = Closure::new(move || JsValue::from(itself.clone()));
        let set = Closure::new(|| Err(io_error()));
        for (name, value) in [
            ("length", &size),
            ("byteLength", &size),
            ("buffer", &JsValue::NULL),
            ("slice", slice.as_ref()),
            ("subarray", subarray.as_ref()),
            ("set", set.as_ref()),
        ] {
            let _ = Reflect::set(&object, &name.into(), value);
        }
        Self {
            object,
            failed,
            _closures: Closures {
                _slice: slice,
                _subarray: subarray,
                _set: set,
            },
        }
    }

    pub fn object(&self) -> &Object {
        &self.object
    }

    /// Set once a read failed: whatever SQLite says afterwards means nothing.
    pub fn failed(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.failed)
    }
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

    /// Asked once for each page that SQLite reads, so it calls JavaScript once.
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
