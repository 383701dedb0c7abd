//! One approved run: exactly the approved bytes, stepped with caps into pages, in slices between which the
//! worker may listen. Knows no clock of its own and no messages.

use super::guard::refusal;
use super::pages::{Filled, Pages};
use super::protocol::{Budget, Cap, QueryError, ResultId, ResultMeta};
use super::sqlite::{Sqlite, SqliteError, Statement, Step, protect, total_changes};
use crate::sql::lex::tokens;
use crate::sql::receipt::Catalog;
use crate::sql::{Schema, SqlHash};

/// Milliseconds since any fixed moment.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// What is needed to judge a statement again, right before it runs.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    pub catalog: &'a Catalog,
    pub schema: &'a Schema,
}

/// What was asked to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub sql: String,
    pub approved: SqlHash,
    pub result: ResultId,
    pub budget: Budget,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The slice is over; more rows may come.
    More,
    Done,
}

/// A statement under way. [`Run::finish`] or [`Run::abandon`] must end it.
#[derive(Debug)]
pub struct Run {
    statement: Statement,
    pages: Pages,
    order: Order,
    changes_before: i64,
    started_ms: f64,
    cap: Option<Cap>,
}

impl From<SqliteError> for QueryError {
    fn from(error: SqliteError) -> Self {
        match error {
            SqliteError::Database { message, .. } => Self::Database { message },
            SqliteError::FileChanged => Self::FileChanged,
            SqliteError::Crashed { .. } => Self::EngineLost,
        }
    }
}

impl Run {
    /// Compares the bytes with the approval, judges the statement once more and prepares it.
    ///
    /// # Errors
    /// `NotApproved`, `Refused`, or what SQLite says.
    pub fn start<S: Sqlite>(
        db: &mut S,
        known: Known,
        order: Order,
        clock: Clock,
    ) -> Result<Self, QueryError> {
        let started_ms = clock();
        if SqlHash::of(&order.sql) != order.approved {
            return Err(QueryError::NotApproved);
        }
        if let Some(verdict) = refusal(db, known.catalog, known.schema, &order.sql)? {
            return Err(QueryError::Refused(verdict));
        }
        protect(db)?;
        let changes_before = total_changes(db)?;
        let Some(prepared) = db.prepare(&order.sql)? else {
            return Err(QueryError::Database {
                message: "the statement is empty".to_owned(),
            });
        };
        let rest = order.sql.get(prepared.tail..).unwrap_or("?");
        if tokens(rest)
            .iter()
            .any(|t| t.is_solid() && !t.is(rest, ";"))
        {
            db.finalize(prepared.statement);
            return Err(QueryError::Database {
                message: "SQLite saw a second statement".to_owned(),
            });
        }
        let columns = (0..db.column_count(&prepared.statement))
            .map(|i| db.column_name(&prepared.statement, i))
            .collect();
        Ok(Self {
            statement: prepared.statement,
            pages: Pages::new(columns),
            order,
            changes_before,
            started_ms,
            cap: None,
        })
    }

    #[must_use]
    pub fn result(&self) -> ResultId {
        self.order.result
    }

    /// The rows so far.
    #[must_use]
    pub fn pages(&self) -> &Pages {
        &self.pages
    }

    #[must_use]
    pub fn elapsed_ms(&self, clock: Clock) -> f64 {
        clock() - self.started_ms
    }

    /// Steps until a page is full, `slice_ms` are over, or the statement or its budget ends.
    ///
    /// # Errors
    /// What SQLite says; the run must still be abandoned. A time cap that is reached between two rows only
    /// truncates; inside one long step nothing here can stop SQLite, and the page must end the worker.
    pub fn advance<S: Sqlite>(
        &mut self,
        db: &mut S,
        clock: Clock,
        slice_ms: f64,
    ) -> Result<Progress, QueryError> {
        let slice_start = clock();
        let mut pace = Pace::default();
        loop {
            if self.pages.rows() >= self.order.budget.rows_max {
                if db.step(&self.statement)? == Step::Row {
                    self.cap = Some(Cap::Rows);
                }
                return Ok(Progress::Done);
            }
            if self.pages.bytes() >= self.order.budget.bytes_max {
                self.cap = Some(Cap::Bytes);
                return Ok(Progress::Done);
            }
            let left = self.order.budget.rows_max - self.pages.rows();
            let rows = usize::try_from(left).map_or(pace.rows, |left| left.min(pace.rows));
            let filled = self.pages.fill(db, &self.statement, rows)?;
            if filled == Filled::Done {
                return Ok(Progress::Done);
            }
            let now = clock();
            pace.looked(now);
            #[expect(
                clippy::cast_precision_loss,
                reason = "no budget comes near 2^53 milliseconds"
            )]
            if now - self.started_ms > self.order.budget.time_ms as f64 {
                self.cap = Some(Cap::Time);
                return Ok(Progress::Done);
            }
            if filled == Filled::Page || now - slice_start > slice_ms {
                return Ok(Progress::More);
            }
        }
    }

    /// Ends the statement and proves that nothing changed.
    ///
    /// # Errors
    /// `EngineLost` where the database did change: the connection must be thrown away.
    pub fn finish<S: Sqlite>(
        self,
        db: &mut S,
        clock: Clock,
    ) -> Result<(ResultMeta, Pages), QueryError> {
        let ms = clock() - self.started_ms;
        db.finalize(self.statement);
        if total_changes(db)? != self.changes_before {
            return Err(QueryError::EngineLost);
        }
        let meta = ResultMeta {
            result: self.order.result,
            columns: self.pages.columns().to_vec(),
            rows: self.pages.rows(),
            truncated: self.cap.is_some(),
            cap: self.cap,
            ms,
        };
        Ok((meta, self.pages))
    }

    #[must_use]
    pub fn budget(&self) -> Budget {
        self.order.budget
    }

    /// Ends the statement; its rows are forgotten.
    pub fn abandon<S: Sqlite>(self, db: &mut S) {
        db.finalize(self.statement);
    }
}

/// How many rows are filled between two looks at the clock: as many as take a moment.
struct Pace {
    rows: usize,
    last_ms: Option<f64>,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            rows: 1,
            last_ms: None,
        }
    }
}

impl Pace {
    const ROWS_MAX: usize = 4_096;
    /// Far below a slice, far above what a clock costs.
    const FILL_MS: f64 = 3.0;

    fn looked(&mut self, now: f64) {
        let took = self.last_ms.map_or(0.0, |last| now - last);
        self.last_ms = Some(now);
        self.rows = if took < Self::FILL_MS {
            (self.rows * 2).min(Self::ROWS_MAX)
        } else if took < 2.0 * Self::FILL_MS {
            self.rows
        } else {
            (self.rows / 4).max(1)
        };
    }
}

/// A whole run without a pause, for callers that need not listen meanwhile.
///
/// # Errors
/// As [`Run::start`], [`Run::advance`] and [`Run::finish`].
pub fn run_to_end<S: Sqlite>(
    db: &mut S,
    known: Known,
    order: Order,
    clock: Clock,
) -> Result<(ResultMeta, Pages), QueryError> {
    let mut run = Run::start(db, known, order, clock)?;
    loop {
        match run.advance(db, clock, f64::INFINITY) {
            Ok(Progress::More) => {}
            Ok(Progress::Done) => return run.finish(db, clock),
            Err(error) => {
                run.abandon(db);
                return Err(error);
            }
        }
    }
}
