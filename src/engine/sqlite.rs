//! The database as the engine needs it: a narrow trait over SQLite's C interface, so that everything above
//! it runs on sql.js in the worker and on native SQLite in tests. Knows nothing of files, rules or results.

use super::pages::{Cell, Page};
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SqliteError {
    /// In SQLite's own words.
    #[error("{message}")]
    Database { code: i32, message: String },
    /// The file under the database could not be read any more. What SQLite says after that means nothing.
    #[error("the file changed on disk while it was read")]
    FileChanged,
    /// The engine itself trapped. The connection must not be used again.
    #[error("the engine ended unexpectedly: {message}")]
    Crashed { message: String },
}

/// A prepared statement of one [`Sqlite`]. Not copied, so that it is finalised once.
#[derive(Debug, PartialEq, Eq)]
pub struct Statement(pub usize);

#[derive(Debug, PartialEq, Eq)]
pub struct Prepared {
    pub statement: Statement,
    /// Where the text after the statement begins, in bytes.
    pub tail: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Row,
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Null,
    Integer,
    Real,
    Text,
    Blob,
}

/// One open connection. Column functions speak of the row of the last [`Sqlite::step`].
pub trait Sqlite {
    /// # Errors
    /// What SQLite says of the text. `Ok(None)` where it holds no statement.
    fn prepare(&mut self, sql: &str) -> Result<Option<Prepared>, SqliteError>;

    /// # Errors
    /// Any error while running.
    fn step(&mut self, statement: &Statement) -> Result<Step, SqliteError>;

    fn finalize(&mut self, statement: Statement);

    fn column_count(&self, statement: &Statement) -> usize;

    fn column_name(&self, statement: &Statement, column: usize) -> String;

    fn column_kind(&self, statement: &Statement, column: usize) -> ColumnKind;

    /// Exact, all 64 bits.
    fn column_integer(&self, statement: &Statement, column: usize) -> i64;

    fn column_real(&self, statement: &Statement, column: usize) -> f64;

    /// Appends the bytes of a text or blob: whole, embedded NULs and invalid UTF-8 included.
    fn column_bytes(&self, statement: &Statement, column: usize, out: &mut Vec<u8>);

    /// Steps until `rows` more rows are in the page, the page is full, it has grown by [`FILL_BYTES_MAX`], or there
    /// are no more. An engine that has a faster way than cell by cell takes it.
    ///
    /// # Errors
    /// Any error while running; the rows before it are in the page.
    fn fill(
        &mut self,
        statement: &Statement,
        page: &mut Page,
        rows: usize,
    ) -> Result<Step, SqliteError>
    where
        Self: Sized,
    {
        fill_by_cells(self, statement, page, rows)
    }
}

/// Every engine's way: step, and copy cell by cell.
///
/// # Errors
/// As [`Sqlite::fill`].
pub fn fill_by_cells<S: Sqlite>(
    db: &mut S,
    statement: &Statement,
    page: &mut Page,
    rows: usize,
) -> Result<Step, SqliteError> {
    let before = page.arena_bytes();
    for _ in 0..rows {
        if db.step(statement)? == Step::Done {
            return Ok(Step::Done);
        }
        page.push_row(db, statement);
        if page.is_full() || page.arena_bytes() - before >= FILL_BYTES_MAX {
            break;
        }
    }
    Ok(Step::Row)
}

/// A fill ends after about this many bytes of texts and blobs, so that a run's caps are looked at in time.
pub const FILL_BYTES_MAX: usize = 1024 * 1024;

/// A statement that finalises itself.
pub struct Query<'a, S: Sqlite> {
    db: &'a mut S,
    statement: Option<Statement>,
}

impl<'a, S: Sqlite> Query<'a, S> {
    /// # Errors
    /// What SQLite says of the text.
    pub fn new(db: &'a mut S, sql: &str) -> Result<Self, SqliteError> {
        let statement = db.prepare(sql)?.map(|p| p.statement);
        Ok(Self { db, statement })
    }

    /// True while there is a row.
    ///
    /// # Errors
    /// Any error while running.
    pub fn step(&mut self) -> Result<bool, SqliteError> {
        match &self.statement {
            Some(statement) => Ok(self.db.step(statement)? == Step::Row),
            None => Ok(false),
        }
    }
}

impl<S: Sqlite> Drop for Query<'_, S> {
    fn drop(&mut self) {
        if let Some(statement) = self.statement.take() {
            self.db.finalize(statement);
        }
    }
}

/// Runs a statement of our own for its effect on the connection.
///
/// # Errors
/// What SQLite says.
pub fn execute<S: Sqlite>(db: &mut S, sql: &str) -> Result<(), SqliteError> {
    let mut query = Query::new(db, sql)?;
    while query.step()? {}
    Ok(())
}

/// Rows read at once for our own statements: few for the first look, more where there are more.
const ROWS_AT_ONCE: [usize; 2] = [64, 1_024];

/// Collects what `read` makes of each row.
///
/// # Errors
/// What SQLite says.
pub fn rows<S: Sqlite, T>(
    db: &mut S,
    sql: &str,
    mut read: impl FnMut(&Row) -> T,
) -> Result<Vec<T>, SqliteError> {
    let Some(Prepared { statement, .. }) = db.prepare(sql)? else {
        return Ok(Vec::new());
    };
    let mut out = Vec::new();
    let end = collect(db, &statement, |row| out.push(read(row)));
    db.finalize(statement);
    end.map(|()| out)
}

fn collect<S: Sqlite>(
    db: &mut S,
    statement: &Statement,
    mut each: impl FnMut(&Row),
) -> Result<(), SqliteError> {
    let columns = db.column_count(statement);
    let [first, then] = ROWS_AT_ONCE;
    let mut at_once = first;
    loop {
        let mut page = Page::new(0, columns, None);
        let step = db.fill(statement, &mut page, at_once)?;
        for number in 0..page.rows() {
            each(&Row {
                page: &page,
                number,
            });
        }
        if step == Step::Done {
            return Ok(());
        }
        at_once = then;
    }
}

/// One row of a statement of our own.
pub struct Row<'a> {
    page: &'a Page,
    number: usize,
}

impl Row<'_> {
    fn cell(&self, column: usize) -> Cell<'_> {
        self.page.cell(self.number, column).unwrap_or(Cell::Null)
    }

    /// Zero for what is no number.
    #[must_use]
    pub fn integer(&self, column: usize) -> i64 {
        match self.cell(column) {
            Cell::Integer(integer) => integer,
            _ => 0,
        }
    }

    #[must_use]
    pub fn is_null(&self, column: usize) -> bool {
        self.cell(column) == Cell::Null
    }

    /// The value as text; empty for NULL.
    #[must_use]
    pub fn text(&self, column: usize) -> String {
        match self.cell(column) {
            Cell::Null => String::new(),
            Cell::Integer(integer) => integer.to_string(),
            Cell::Real(real) => real.to_string(),
            Cell::Text(bytes) | Cell::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        }
    }

    #[must_use]
    pub fn optional_text(&self, column: usize) -> Option<String> {
        (!self.is_null(column)).then(|| self.text(column))
    }
}

/// Set again before every statement: preparing a hostile PRAGMA elsewhere could have switched them off.
const PROTECTION: [&str; 3] = [
    "PRAGMA query_only=1",
    "PRAGMA trusted_schema=0",
    "PRAGMA cell_size_check=1",
];

/// Makes the connection refuse writes and distrust the file.
///
/// # Errors
/// What SQLite says.
pub fn protect<S: Sqlite>(db: &mut S) -> Result<(), SqliteError> {
    PROTECTION.iter().try_for_each(|sql| execute(db, sql))
}

/// Rows changed since the connection was opened. It must never move.
///
/// # Errors
/// What SQLite says.
pub fn total_changes<S: Sqlite>(db: &mut S) -> Result<i64, SqliteError> {
    let counts = rows(db, "SELECT total_changes()", |row| row.integer(0))?;
    Ok(counts.first().copied().unwrap_or_default())
}

/// A name or text as a string literal.
#[must_use]
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A name in double quotes.
#[must_use]
pub fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
