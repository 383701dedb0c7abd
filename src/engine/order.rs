//! The rows of a finished result in the order of one column, as SQLite would sort them: NULLs, numbers, texts
//! by their bytes, blobs. The rows stay where they are; an order is a list of row numbers.

use super::pages::{Cell, Pages};
use super::protocol::SortOrder;
use std::cmp::Ordering;

/// Row numbers in that order; rows that compare equal keep theirs. `None` where there is no such column, or
/// more rows than 32 bits count.
#[must_use]
pub fn order(pages: &Pages, by: SortOrder) -> Option<Vec<u32>> {
    let column = usize::try_from(by.column).ok()?;
    if column >= pages.columns().len() {
        return None;
    }
    let rows = u32::try_from(pages.rows()).ok()?;
    let mut keys: Vec<(Cell, u32)> = (0..rows)
        .map(|row| {
            let cell = pages.cell(u64::from(row), column);
            (cell.unwrap_or(Cell::Null), row)
        })
        .collect();
    if by.descending {
        keys.sort_by(|(a, _), (b, _)| compare(b, a));
    } else {
        keys.sort_by(|(a, _), (b, _)| compare(a, b));
    }
    Some(keys.into_iter().map(|(_, row)| row).collect())
}

/// SQLite's order of two values with the collation BINARY.
#[must_use]
pub fn compare(a: &Cell, b: &Cell) -> Ordering {
    match (a, b) {
        (Cell::Integer(a), Cell::Integer(b)) => a.cmp(b),
        (Cell::Real(a), Cell::Real(b)) => reals(*a, *b),
        (Cell::Integer(a), Cell::Real(b)) => integer_and_real(*a, *b),
        (Cell::Real(a), Cell::Integer(b)) => integer_and_real(*b, *a).reverse(),
        (Cell::Text(a), Cell::Text(b)) | (Cell::Blob(a), Cell::Blob(b)) => a.cmp(b),
        _ => class(a).cmp(&class(b)),
    }
}

fn class(cell: &Cell) -> u8 {
    match cell {
        Cell::Null => 0,
        Cell::Integer(_) | Cell::Real(_) => 1,
        Cell::Text(_) => 2,
        Cell::Blob(_) => 3,
    }
}

/// SQLite stores no NaN; one that came from elsewhere sorts before all numbers, so that the order is total.
fn reals(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b)
        .unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
}

/// Exact, where a conversion of either would round.
fn integer_and_real(integer: i64, real: f64) -> Ordering {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if real.is_nan() || real < -BEYOND {
        return Ordering::Greater;
    }
    if real >= BEYOND {
        return Ordering::Less;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "between the two bounds, the whole part is an i64"
    )]
    let whole = real.trunc() as i64;
    integer
        .cmp(&whole)
        .then_with(|| reals(0.0, real - real.trunc()))
}
