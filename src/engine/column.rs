//! The numbers of one column as one buffer that crosses from the worker to the page, for charts. Written here, read
//! here.

use super::pages::{Cell, Pages};
use super::time::milliseconds;

/// Before the numbers, so that they are aligned.
const HEAD_BYTES: usize = 8;

/// The first `rows_max` cells of a column as a buffer: their number (u32, little-endian), four bytes of zero, and a
/// number (f64) a row: of a text that is a date its milliseconds since 1970, and NaN where the cell is neither.
/// `None` where there is no such column.
#[must_use]
pub fn encode(pages: &Pages, column: u32, rows_max: u32) -> Option<Vec<u8>> {
    let column = usize::try_from(column).ok()?;
    if column >= pages.columns().len() {
        return None;
    }
    let rows = u32::try_from(pages.rows().min(u64::from(rows_max))).ok()?;
    let mut out = Vec::with_capacity(HEAD_BYTES + usize::try_from(rows).ok()? * 8);
    out.extend_from_slice(&rows.to_le_bytes());
    out.resize(HEAD_BYTES, 0);
    for row in 0..u64::from(rows) {
        #[expect(clippy::cast_precision_loss, reason = "a chart's pixels are coarser")]
        let number = match pages.cell(row, column).unwrap_or(Cell::Null) {
            Cell::Integer(i) => i as f64,
            Cell::Real(r) => r,
            Cell::Text(text) => milliseconds(text).unwrap_or(f64::NAN),
            Cell::Null | Cell::Blob(_) => f64::NAN,
        };
        out.extend_from_slice(&number.to_le_bytes());
    }
    Some(out)
}

/// Reads a column; `None` where the buffer is not one.
#[must_use]
pub fn decode(buffer: &[u8]) -> Option<Vec<f64>> {
    let (head, numbers) = buffer.split_at_checked(HEAD_BYTES)?;
    let rows = u32::from_le_bytes(*head.first_chunk()?);
    let (numbers, rest) = numbers.as_chunks::<8>();
    let whole = rest.is_empty() && numbers.len() == usize::try_from(rows).ok()?;
    whole.then(|| numbers.iter().map(|n| f64::from_le_bytes(*n)).collect())
}
