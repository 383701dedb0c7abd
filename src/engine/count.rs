//! How many rows a table has, without ever scanning a huge one just to show a number.

use super::sqlite::{Sqlite, SqliteError, identifier, rows};
use crate::sql::{Column, RowCount, Table, TableKind};
use std::collections::BTreeMap;

/// Up to this size every table is counted, however slow the machine: each is read once at most.
const SMALL_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// In a larger file a table is counted only if its rowids span fewer rows than this.
const SMALL_TABLE_ROWS: i64 = 10_000;

/// All counting in a larger file together; after that numbers are estimates.
const COUNTING_MS_MAX: f64 = 300.0;

pub struct Counter<'a> {
    small_file: bool,
    clock: &'a dyn Fn() -> f64,
    started_ms: f64,
    /// Rows per table as ANALYZE once wrote them, by lower-case name.
    statistics: BTreeMap<String, u64>,
}

impl<'a> Counter<'a> {
    #[must_use]
    pub fn new(file_bytes: u64, clock: &'a dyn Fn() -> f64) -> Self {
        Self {
            small_file: file_bytes <= SMALL_FILE_BYTES,
            clock,
            started_ms: clock(),
            statistics: BTreeMap::new(),
        }
    }

    /// Reads `sqlite_stat1`, where the file has one.
    pub fn read_statistics<S: Sqlite>(&mut self, db: &mut S) {
        let Ok(stats) = rows(db, "SELECT tbl, stat FROM sqlite_stat1", |row| {
            (row.text(0), row.text(1))
        }) else {
            return;
        };
        for (table, stat) in stats {
            let first = stat.split(' ').next().unwrap_or_default();
            if let Ok(rows) = first.parse::<u64>() {
                let known = self
                    .statistics
                    .entry(table.to_ascii_lowercase())
                    .or_insert(0);
                *known = rows.max(*known);
            }
        }
    }

    /// Counts a table or estimates it. Views are never run.
    ///
    /// # Errors
    /// Only where the file cannot be read any more.
    pub fn count<S: Sqlite>(&self, db: &mut S, table: &Table) -> Result<RowCount, SqliteError> {
        let stored = matches!(table.kind, TableKind::Table | TableKind::Shadow);
        if table.kind == TableKind::View || (!stored && !self.small_file) {
            return Ok(RowCount::Unknown);
        }
        let name = identifier(&table.name);
        if self.small_file {
            return Ok(exact(db, &name)?.unwrap_or(RowCount::Unknown));
        }
        let in_time = (self.clock)() - self.started_ms < COUNTING_MS_MAX;
        let span = rowid_span(db, table)?;
        if in_time
            && span.is_some_and(|rows| rows <= SMALL_TABLE_ROWS)
            && let Some(exact) = exact(db, &name)?
        {
            return Ok(exact);
        }
        let known = self
            .statistics
            .get(&table.name.to_ascii_lowercase())
            .copied();
        let estimate = known.or_else(|| span.and_then(|s| u64::try_from(s).ok()));
        Ok(estimate.map_or(RowCount::Unknown, RowCount::Estimated))
    }
}

fn exact<S: Sqlite>(db: &mut S, name: &str) -> Result<Option<RowCount>, SqliteError> {
    let rows = number(db, &format!("SELECT count(*) FROM {name}"))?;
    Ok(rows
        .and_then(|r| u64::try_from(r).ok())
        .map(RowCount::Exact))
}

/// The distance between the first and last rowid: at most that many rows. Two lookups, no scan. Where a
/// column is called `rowid`, or there is none, the distance would be a scan or a lie: unknown.
fn rowid_span<S: Sqlite>(db: &mut S, table: &Table) -> Result<Option<i64>, SqliteError> {
    let is_rowid = |column: &Column| column.name.eq_ignore_ascii_case("rowid");
    if table.columns.iter().any(is_rowid) {
        return Ok(None);
    }
    let name = identifier(&table.name);
    let ends = format!(
        "SELECT ifnull((SELECT max(rowid) FROM {name}), 0), ifnull((SELECT min(rowid) FROM {name}), 1)"
    );
    match rows(db, &ends, |row| (row.integer(0), row.integer(1))) {
        Ok(ends) => Ok(ends
            .first()
            .and_then(|(last, first)| last.checked_sub(*first)?.checked_add(1))),
        Err(SqliteError::Database { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The first number of the first row; `None` where SQLite refuses.
fn number<S: Sqlite>(db: &mut S, sql: &str) -> Result<Option<i64>, SqliteError> {
    match rows(db, sql, |row| row.integer(0)) {
        Ok(rows) => Ok(rows.first().copied()),
        Err(SqliteError::Database { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
