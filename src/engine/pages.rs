//! Result pages: the rows of one result, column by column, in a few large allocations. A cell is a tag byte,
//! an 8-byte slot, and for texts and blobs bytes in the page's arena. Knows nothing of SQL or messages.

use super::sqlite::{ColumnKind, Sqlite, SqliteError, Statement, Step};
use crate::sql::Value;

/// Cells of a preview: it is kept with the chat, and a result may have 2 000 columns.
const PREVIEW_CELLS_MAX: usize = 8_000;
/// Rows of a full page.
pub const PAGE_ROWS: usize = 16_384;

/// A page also ends here, so that a wide result does not make one giant allocation. Offsets fit 32 bits.
pub const PAGE_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Room that a page gets in advance.
const ROOM_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Bytes of a blob that are shown; the rest only counts.
pub const BLOB_HEAD_BYTES: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    Null = 0,
    Integer = 1,
    Real = 2,
    Text = 3,
    Blob = 4,
}

/// A borrowed cell: exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    Null,
    Integer(i64),
    Real(f64),
    /// UTF-8 as the file holds it, which may be invalid.
    Text(&'a [u8]),
    Blob(&'a [u8]),
}

impl Cell<'_> {
    #[must_use]
    pub fn tag(&self) -> Tag {
        match self {
            Self::Null => Tag::Null,
            Self::Integer(_) => Tag::Integer,
            Self::Real(_) => Tag::Real,
            Self::Text(_) => Tag::Text,
            Self::Blob(_) => Tag::Blob,
        }
    }

    /// An owned value; texts cut after `chars` characters, blobs after their head.
    #[must_use]
    pub fn to_value(&self, chars: usize) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(i) => Value::Integer(*i),
            Self::Real(r) => Value::Real(*r),
            Self::Text(bytes) => {
                // Four bytes hold any character, so this much is enough and a huge text is not copied.
                let head = bytes.get(..chars.saturating_mul(4)).unwrap_or(bytes);
                let text = String::from_utf8_lossy(head);
                match text.char_indices().nth(chars) {
                    None if head.len() == bytes.len() => Value::Text(text.into_owned()),
                    cut => Value::TextHead {
                        text: text
                            .get(..cut.map_or(text.len(), |(at, _)| at))
                            .unwrap_or_default()
                            .to_owned(),
                        bytes: bytes.len() as u64,
                    },
                }
            }
            Self::Blob(bytes) => Value::Blob {
                head: bytes.get(..BLOB_HEAD_BYTES).unwrap_or(bytes).to_vec(),
                bytes: bytes.len() as u64,
            },
        }
    }
}

#[derive(Debug, Default)]
struct PageColumn {
    tags: Vec<u8>,
    /// The bits of an i64 or f64, or `offset << 32 | length` into the arena. Little-endian, as they are handed over.
    slots: Vec<[u8; 8]>,
}

/// One page: up to [`PAGE_ROWS`] rows.
#[derive(Debug)]
pub struct Page {
    first: u64,
    rows: usize,
    columns: Vec<PageColumn>,
    arena: Vec<u8>,
}

impl Page {
    /// With as much room as the page before it needed, where that is little.
    #[must_use]
    pub fn new(first: u64, columns: usize, before: Option<&Self>) -> Self {
        let room = before.filter(|page| page.bytes() <= ROOM_BYTES_MAX);
        let rows = room.map_or(0, |page| page.rows);
        let column = || PageColumn {
            tags: Vec::with_capacity(rows),
            slots: Vec::with_capacity(rows),
        };
        Self {
            first,
            rows: 0,
            columns: (0..columns).map(|_| column()).collect(),
            arena: Vec::with_capacity(room.map_or(0, |page| page.arena.len())),
        }
    }

    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    fn bytes(&self) -> usize {
        self.arena.len() + self.rows * self.columns.len() * CELL_BYTES
    }

    #[must_use]
    pub fn is_full(&self) -> bool {
        self.rows >= PAGE_ROWS || self.bytes() >= PAGE_BYTES_MAX
    }

    /// A cell; rows count from the beginning of the page.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell<'_>> {
        let column = self.columns.get(column)?;
        let (tag, slot) = (*column.tags.get(row)?, *column.slots.get(row)?);
        let slot = u64::from_le_bytes(slot);
        let bytes = || {
            let offset = usize::try_from(slot >> 32).ok()?;
            let length = usize::try_from(slot & u64::from(u32::MAX)).ok()?;
            self.arena.get(offset..offset.checked_add(length)?)
        };
        Some(match tag {
            t if t == Tag::Integer as u8 => Cell::Integer(slot.cast_signed()),
            t if t == Tag::Real as u8 => Cell::Real(f64::from_bits(slot)),
            t if t == Tag::Text as u8 => Cell::Text(bytes()?),
            t if t == Tag::Blob as u8 => Cell::Blob(bytes()?),
            _ => Cell::Null,
        })
    }
}

impl Page {
    /// Appends the statement's current row, cell by cell.
    pub fn push_row<S: Sqlite>(&mut self, db: &S, statement: &Statement) {
        for (i, column) in self.columns.iter_mut().enumerate() {
            let (tag, slot) = match db.column_kind(statement, i) {
                ColumnKind::Null => (Tag::Null, 0),
                ColumnKind::Integer => (
                    Tag::Integer,
                    db.column_integer(statement, i).cast_unsigned(),
                ),
                ColumnKind::Real => (Tag::Real, db.column_real(statement, i).to_bits()),
                kind @ (ColumnKind::Text | ColumnKind::Blob) => {
                    let offset = self.arena.len() as u64;
                    db.column_bytes(statement, i, &mut self.arena);
                    let length = self.arena.len() as u64 - offset;
                    let tag = if kind == ColumnKind::Text {
                        Tag::Text
                    } else {
                        Tag::Blob
                    };
                    (tag, offset << 32 | length)
                }
            };
            column.tags.push(tag as u8);
            column.slots.push(slot.to_le_bytes());
        }
        self.rows += 1;
    }

    /// Appends rows that were laid out elsewhere: `stride` tags and then slots (little-endian) a column, of which
    /// the first `rows` are used. The offsets in slots count from the beginning of this page's arena.
    pub fn push_rows(
        &mut self,
        rows: usize,
        stride: usize,
        tags: &[u8],
        slots: &[u8],
        arena: &[u8],
    ) {
        let (slots, _) = slots.as_chunks::<8>();
        let parts = tags.chunks(stride.max(1)).zip(slots.chunks(stride.max(1)));
        for (column, (tags, slots)) in self.columns.iter_mut().zip(parts) {
            let (tags, slots) = (tags.get(..rows), slots.get(..rows));
            column.tags.extend_from_slice(tags.unwrap_or(&[]));
            column.slots.extend_from_slice(slots.unwrap_or(&[]));
        }
        self.arena.extend_from_slice(arena);
        self.rows += rows;
    }

    /// Where the next text or blob will begin.
    #[must_use]
    pub fn arena_bytes(&self) -> usize {
        self.arena.len()
    }

    #[must_use]
    pub fn width(&self) -> usize {
        self.columns.len()
    }
}

/// How a fill ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filled {
    /// The rows that were asked for.
    Rows,
    /// A page has just become full.
    Page,
    /// The statement has no more rows.
    Done,
}

/// Tag and slot.
const CELL_BYTES: usize = 9;

/// All pages of one result.
#[derive(Debug)]
pub struct Pages {
    columns: Vec<String>,
    pages: Vec<Page>,
    rows: u64,
    full_bytes: usize,
}

impl Pages {
    #[must_use]
    pub fn new(columns: Vec<String>) -> Self {
        Self {
            columns,
            pages: Vec::new(),
            rows: 0,
            full_bytes: 0,
        }
    }

    /// Column names as SQLite gives them; duplicates are kept.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes of all cells, tags and slots included.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.full_bytes + self.pages.last().map_or(0, Page::bytes)) as u64
    }

    #[must_use]
    pub fn cell(&self, row: u64, column: usize) -> Option<Cell<'_>> {
        let after = self.pages.partition_point(|p| p.first <= row);
        let page = self.pages.get(after.checked_sub(1)?)?;
        page.cell(usize::try_from(row - page.first).ok()?, column)
    }

    /// Steps the statement until `rows` more rows are here, the page is full, or the rows end.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn fill<S: Sqlite>(
        &mut self,
        db: &mut S,
        statement: &Statement,
        rows: usize,
    ) -> Result<Filled, SqliteError> {
        if self.pages.last().is_none_or(Page::is_full) {
            self.full_bytes += self.pages.last().map_or(0, Page::bytes);
            let page = Page::new(self.rows, self.columns.len(), self.pages.last());
            self.pages.push(page);
        }
        let Some(page) = self.pages.last_mut() else {
            return Ok(Filled::Done);
        };
        let before = page.rows;
        let rows = rows.min(PAGE_ROWS.saturating_sub(before)).max(1);
        let step = db.fill(statement, page, rows);
        self.rows += (page.rows - before) as u64;
        Ok(match step? {
            Step::Done => Filled::Done,
            Step::Row if page.is_full() => Filled::Page,
            Step::Row => Filled::Rows,
        })
    }

    /// The first rows as values, for the model and the card: fewer than `rows` where they are wide.
    #[must_use]
    pub fn preview(&self, rows: u32, chars: u32) -> Vec<Vec<Value>> {
        let mut cells_left = PREVIEW_CELLS_MAX;
        let mut preview = Vec::new();
        for row in 0..self.rows.min(u64::from(rows)) {
            let Some(left) = cells_left.checked_sub(self.columns.len()) else {
                break;
            };
            cells_left = left;
            let cells = (0..self.columns.len()).map(|column| {
                self.cell(row, column)
                    .map_or(Value::Null, |cell| cell.to_value(chars as usize))
            });
            preview.push(cells.collect());
        }
        preview
    }
}
