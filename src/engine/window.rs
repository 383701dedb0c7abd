//! A window of rows as one buffer that crosses from the worker to the page. Written here, read here.
//!
//! Layout, all numbers little-endian; with C columns and R rows:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `AWN1` |
//! | 4 | C, u32 |
//! | 8 | index of the first row, u64 |
//! | 4 | R, u32; may be fewer than were asked for |
//! | 4 | zero |
//! | C × R | tags, column after column: 0 NULL, 1 integer, 2 real, 3 text, 4 blob, 5 cut text |
//! | 8 × C × R | slots, column after column: i64; f64; or u32 offset into the arena and u32 length |
//! | rest | arena; before the bytes of a blob or cut text stands its full length, u64 |

use super::pages::{BLOB_HEAD_BYTES, Cell, Pages};
use super::protocol::{Part, WindowOf};
use crate::sql::Value;
use std::ops::Range;

/// Rows of one window. A screen shows about 40; a window is a few screens.
pub const WINDOW_ROWS_MAX: u32 = 1_000;

/// A window ends early here: a wide result of long texts must not stall the page.
pub const WINDOW_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Bytes of a text that cross; a cell on screen shows far less.
pub const WINDOW_TEXT_BYTES_MAX: usize = 2_048;

const MAGIC: &[u8; 4] = b"AWN1";
const HEADER_BYTES: usize = 24;
const CUT_TEXT: u8 = 5;

/// A decoded window. Texts that are cut are `TextHead`, blobs are their first bytes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Window {
    pub first: u64,
    /// Row by row.
    pub rows: Vec<Vec<Value>>,
}

/// Bytes of a text that is asked for whole: more than anyone reads, less than a page can show.
pub const WHOLE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Bytes of a blob that is asked for whole.
pub const WHOLE_BLOB_BYTES_MAX: usize = 64 * 1024;

/// How much of a text and of a blob crosses.
#[derive(Clone, Copy)]
struct Most {
    text: usize,
    blob: usize,
}

const GLANCE: Most = Most {
    text: WINDOW_TEXT_BYTES_MAX,
    blob: BLOB_HEAD_BYTES,
};

const WHOLE: Most = Most {
    text: WHOLE_BYTES_MAX,
    blob: WHOLE_BLOB_BYTES_MAX,
};

/// The part of a result that was asked for; `None` where it begins beyond the last row or names no column.
/// `order` lists all rows as [`super::order::order`] sorted them.
#[must_use]
pub fn encode_part(pages: &Pages, order: Option<&[u32]>, of: &WindowOf) -> Option<Vec<u8>> {
    let columns = pages.columns().len();
    match of.part {
        Part::Glance => encode_rows(pages, order, of.first, of.count, 0..columns, GLANCE),
        Part::Whole => encode_rows(pages, order, of.first, of.count, 0..columns, WHOLE),
        Part::Cell(column) => {
            let column = usize::try_from(column).ok().filter(|c| *c < columns)?;
            encode_rows(pages, order, of.first, 1, column..column + 1, WHOLE)
        }
    }
}

/// The rows from `first`, at most `count`; `None` where `first` is beyond the last row.
#[must_use]
pub fn encode(pages: &Pages, first: u64, count: u32) -> Option<Vec<u8>> {
    let columns = 0..pages.columns().len();
    encode_rows(pages, None, first, count, columns, GLANCE)
}

fn encode_rows(
    pages: &Pages,
    order: Option<&[u32]>,
    first: u64,
    count: u32,
    wanted: Range<usize>,
    most: Most,
) -> Option<Vec<u8>> {
    if first > pages.rows() {
        return None;
    }
    let columns = wanted.len();
    let count = (pages.rows() - first).min(u64::from(count.min(WINDOW_ROWS_MAX)));
    let mut cells: Vec<(u8, u64)> = Vec::new();
    let mut arena = Vec::new();
    let mut rows = 0;
    while rows < count && (rows == 0 || arena.len() + cells.len() * 9 < WINDOW_BYTES_MAX) {
        let shown = first + rows;
        let row = match order {
            Some(order) => u64::from(*order.get(usize::try_from(shown).ok()?)?),
            None => shown,
        };
        for column in wanted.clone() {
            let cell = pages.cell(row, column).unwrap_or(Cell::Null);
            cells.push(encode_cell(&cell, &mut arena, most));
        }
        rows += 1;
    }
    let rows = usize::try_from(rows).ok()?;
    let mut out = Vec::with_capacity(HEADER_BYTES + cells.len() * 9 + arena.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&u32::try_from(columns).ok()?.to_le_bytes());
    out.extend_from_slice(&first.to_le_bytes());
    out.extend_from_slice(&u32::try_from(rows).ok()?.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    let by_column = |column: usize| cells.iter().skip(column).step_by(columns.max(1)).take(rows);
    for column in 0..columns {
        out.extend(by_column(column).map(|(tag, _)| *tag));
    }
    for column in 0..columns {
        for (_, slot) in by_column(column) {
            out.extend_from_slice(&slot.to_le_bytes());
        }
    }
    out.extend_from_slice(&arena);
    Some(out)
}

fn encode_cell(cell: &Cell, arena: &mut Vec<u8>, most: Most) -> (u8, u64) {
    let mut place = |full: Option<usize>, bytes: &[u8]| {
        let offset = arena.len() as u64;
        if let Some(full) = full {
            arena.extend_from_slice(&(full as u64).to_le_bytes());
        }
        arena.extend_from_slice(bytes);
        offset | (bytes.len() as u64) << 32
    };
    match cell {
        Cell::Null => (0, 0),
        Cell::Integer(i) => (1, i.cast_unsigned()),
        Cell::Real(r) => (2, r.to_bits()),
        Cell::Text(bytes) => match bytes.get(..most.text) {
            Some(head) if head.len() < bytes.len() => {
                (CUT_TEXT, place(Some(bytes.len()), whole_chars(head)))
            }
            _ => (3, place(None, bytes)),
        },
        Cell::Blob(bytes) => {
            let head = bytes.get(..most.blob).unwrap_or(bytes);
            (4, place(Some(bytes.len()), head))
        }
    }
}

/// Without a last character that was cut in its middle.
fn whole_chars(bytes: &[u8]) -> &[u8] {
    let mut end = bytes.len();
    while end > 0 && bytes.len() - end < 4 {
        match bytes.get(end - 1) {
            Some(b) if b & 0xc0 == 0x80 => end -= 1,
            Some(b) if *b >= 0xc0 => {
                let length = b.leading_ones() as usize;
                let complete = end - 1 + length <= bytes.len();
                let cut = if complete { bytes.len() } else { end - 1 };
                return bytes.get(..cut).unwrap_or(bytes);
            }
            _ => break,
        }
    }
    bytes
}

/// Reads a window; `None` where the buffer is not one.
#[must_use]
pub fn decode(buffer: &[u8]) -> Option<Window> {
    let header = buffer.get(..HEADER_BYTES)?;
    if header.get(..4)? != MAGIC {
        return None;
    }
    let columns = usize::try_from(u32_at(header, 4)?).ok()?;
    let first = u64_at(header, 8)?;
    let rows = usize::try_from(u32_at(header, 16)?).ok()?;
    // Without columns the buffer's length would not bound the number of rows.
    if columns == 0 && rows > 0 {
        return None;
    }
    let cells = columns.checked_mul(rows)?;
    let tags = buffer.get(HEADER_BYTES..HEADER_BYTES.checked_add(cells)?)?;
    let slots_at = HEADER_BYTES + cells;
    let arena_at = slots_at.checked_add(cells.checked_mul(8)?)?;
    let slots = buffer.get(slots_at..arena_at)?;
    let arena = buffer.get(arena_at..)?;
    let mut out = Vec::with_capacity(rows);
    for row in 0..rows {
        let mut values = Vec::with_capacity(columns);
        for column in 0..columns {
            let at = column * rows + row;
            values.push(decode_cell(*tags.get(at)?, u64_at(slots, at * 8)?, arena)?);
        }
        out.push(values);
    }
    Some(Window { first, rows: out })
}

fn decode_cell(tag: u8, slot: u64, arena: &[u8]) -> Option<Value> {
    let bytes = |skip: usize| {
        let offset = usize::try_from(slot & u64::from(u32::MAX)).ok()?;
        let length = usize::try_from(slot >> 32).ok()?;
        let start = offset.checked_add(skip)?;
        arena.get(start..start.checked_add(length)?)
    };
    let full = || u64_at(arena, usize::try_from(slot & u64::from(u32::MAX)).ok()?);
    Some(match tag {
        0 => Value::Null,
        1 => Value::Integer(slot.cast_signed()),
        2 => Value::Real(f64::from_bits(slot)),
        3 => Value::Text(String::from_utf8_lossy(bytes(0)?).into_owned()),
        4 => Value::Blob {
            head: bytes(8)?.to_vec(),
            bytes: full()?,
        },
        CUT_TEXT => Value::TextHead {
            text: String::from_utf8_lossy(bytes(8)?).into_owned(),
            bytes: full()?,
        },
        _ => return None,
    })
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(field.try_into().ok()?))
}
