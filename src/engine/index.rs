//! Fills the value index from a database, column by column, within a budget, in slices between which the
//! worker may listen. Reads only texts. Knows no messages and no clock of its own.

use super::run::Clock;
use super::sqlite::{Sqlite, SqliteError, Statement, Step, protect};
use crate::link::names::Names;
use crate::link::values::ValueIndex;

/// Distinct texts of one column; a column with more holds prose or keys, which nobody types in a question.
const COLUMN_VALUES_MAX: usize = 100_000;

/// Distinct texts of a whole database: about 200 bytes of memory each.
const VALUES_MAX: usize = 1_000_000;

/// Steps between two looks at the clock.
const STEPS_PER_LOOK: usize = 512;

/// Indexing under way. Dropping it without [`Indexer::stop`] would leave a statement open.
#[derive(Debug, Default)]
pub struct Indexer {
    /// Columns still to read, last first.
    waiting: Vec<(usize, usize)>,
    all: usize,
    open: Option<(usize, usize, Statement, usize)>,
    index: ValueIndex,
}

impl Indexer {
    #[must_use]
    pub fn new(names: &Names) -> Self {
        let mut waiting: Vec<(usize, usize)> = names
            .tables
            .iter()
            .enumerate()
            .flat_map(|(t, table)| (0..table.columns.len()).map(move |c| (t, c)))
            .collect();
        waiting.reverse();
        Self {
            all: waiting.len(),
            waiting,
            open: None,
            index: ValueIndex::default(),
        }
    }

    /// Columns read so far, and all.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.all - self.waiting.len(), self.all)
    }

    /// Reads on for about `slice_ms`. True when everything, or the budget, is done.
    ///
    /// # Errors
    /// Where the file cannot be read any more. A column that cannot be read is only skipped.
    pub fn advance<S: Sqlite>(
        &mut self,
        db: &mut S,
        names: &Names,
        clock: Clock,
        slice_ms: f64,
    ) -> Result<bool, SqliteError> {
        let start = clock();
        loop {
            if self.open.is_none() && !self.open_next(db, names)? {
                return Ok(true);
            }
            for _ in 0..STEPS_PER_LOOK {
                if !self.step(db)? {
                    break;
                }
            }
            if self.index.len() >= VALUES_MAX {
                self.close(db);
                return Ok(true);
            }
            if clock() - start > slice_ms {
                return Ok(false);
            }
        }
    }

    /// Ends the work and gives what was indexed.
    pub fn stop<S: Sqlite>(mut self, db: &mut S) -> ValueIndex {
        self.close(db);
        self.index
    }

    fn close<S: Sqlite>(&mut self, db: &mut S) {
        if let Some((_, _, statement, _)) = self.open.take() {
            db.finalize(statement);
        }
    }

    fn open_next<S: Sqlite>(&mut self, db: &mut S, names: &Names) -> Result<bool, SqliteError> {
        protect(db)?;
        while let Some((t, c)) = self.waiting.pop() {
            let (Some(table), Some(column)) = (names.tables.get(t), names.column(t, c)) else {
                continue;
            };
            let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
            let sql = format!(
                "SELECT DISTINCT {0} FROM {1} WHERE typeof({0}) = 'text' LIMIT {COLUMN_VALUES_MAX}",
                quoted(&column.name),
                quoted(&table.name)
            );
            match db.prepare(&sql) {
                Ok(Some(prepared)) => {
                    self.open = Some((t, c, prepared.statement, 0));
                    return Ok(true);
                }
                Ok(None) | Err(SqliteError::Database { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// False when the open column has ended.
    fn step<S: Sqlite>(&mut self, db: &mut S) -> Result<bool, SqliteError> {
        let Some((t, c, statement, _)) = &self.open else {
            return Ok(false);
        };
        match db.step(statement) {
            Ok(Step::Row) => {
                let mut bytes = Vec::new();
                db.column_bytes(statement, 0, &mut bytes);
                let text = String::from_utf8_lossy(&bytes);
                self.index.add(*t, *c, &text);
                Ok(true)
            }
            Ok(Step::Done) | Err(SqliteError::Database { .. }) => {
                self.close(db);
                Ok(false)
            }
            Err(error) => {
                self.close(db);
                Err(error)
            }
        }
    }
}

/// The whole index in one go, for callers that need not listen meanwhile.
///
/// # Errors
/// Where the file cannot be read any more.
pub fn index_values<S: Sqlite>(
    db: &mut S,
    names: &Names,
    clock: Clock,
) -> Result<ValueIndex, SqliteError> {
    let mut indexer = Indexer::new(names);
    while !indexer.advance(db, names, clock, f64::INFINITY)? {}
    Ok(indexer.stop(db))
}
