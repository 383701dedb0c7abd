//! The geometry of a grid of many rows: which rows a scroll position means, how far a key moves, how wide columns
//! are, which rows to fetch. Knows numbers and values, no elements.
//!
//! Browsers clamp the height of an element (Firefox at about 17 million pixels), so a large result is taller
//! than its scroll bar's track. Small scrolls then move rows one to one, and jumps by proportion.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixels and rows, far below 2^53 and never negative"
)]

use super::cells::cell;
use crate::engine::SortOrder;
use crate::sql::Value;
use std::collections::BTreeMap;
use std::ops::Range;

/// The height of a row, which the style sheet keeps to.
pub const ROW_PX: f64 = 29.0;

/// The tallest element that every browser shows whole.
pub const SPACER_PX_MAX: f64 = 5_000_000.0;

/// Rows in the document at once, with the head.
pub const ROWS_SHOWN_MAX: u64 = 40;

/// Scrolls up to this many screens at once count as small.
const SMALL_SCREENS: f64 = 3.0;

/// Where a grid is scrolled to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scroll {
    rows: u64,
    /// The height in which rows are seen, without the head.
    view_px: f64,
    /// The scroll bar's own position, as last seen.
    bar_px: f64,
    /// The true position, as if the element could be as tall as the rows.
    top_px: f64,
}

impl Scroll {
    #[must_use]
    pub fn new(rows: u64, view_px: f64) -> Self {
        Self {
            rows,
            // A taller view would need more rows than are in the document.
            view_px: view_px.clamp(ROW_PX, (ROWS_SHOWN_MAX - 2) as f64 * ROW_PX),
            bar_px: 0.0,
            top_px: 0.0,
        }
    }

    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The same position with another height or number of rows.
    #[must_use]
    pub fn resized(self, rows: u64, view_px: f64) -> Self {
        let mut resized = Self::new(rows, view_px);
        resized.bar_px = self.bar_px;
        resized.top_px = self.top_px.min(resized.top_max());
        resized
    }

    fn height(&self) -> f64 {
        self.rows as f64 * ROW_PX
    }

    /// The height of the element that makes the scroll bar.
    #[must_use]
    pub fn spacer_px(&self) -> f64 {
        self.height().min(SPACER_PX_MAX)
    }

    fn top_max(&self) -> f64 {
        (self.height() - self.view_px).max(0.0)
    }

    fn bar_max(&self) -> f64 {
        (self.spacer_px() - self.view_px).max(0.0)
    }

    /// The person moved the scroll bar, or what moves it.
    pub fn moved(&mut self, bar_px: f64) {
        let by = bar_px - self.bar_px;
        self.bar_px = bar_px;
        self.top_px = if self.height() <= SPACER_PX_MAX {
            bar_px.min(self.top_max())
        } else if bar_px <= 0.0 {
            0.0
        } else if bar_px >= self.bar_max() - 1.0 {
            self.top_max()
        } else if by.abs() <= SMALL_SCREENS * self.view_px {
            (self.top_px + by).clamp(0.0, self.top_max())
        } else {
            bar_px / self.bar_max() * self.top_max()
        };
    }

    /// Scrolls as little as shows the row whole. Gives the position for the scroll bar where it has to move.
    pub fn reveal(&mut self, row: u64) -> Option<f64> {
        let start = row as f64 * ROW_PX;
        let top = if start < self.top_px {
            start
        } else if start + ROW_PX > self.top_px + self.view_px {
            start + ROW_PX - self.view_px
        } else {
            return None;
        };
        self.top_px = top.clamp(0.0, self.top_max());
        self.bar_px = if self.top_max() > 0.0 {
            // Whole pixels, as browsers report them back.
            (self.top_px / self.top_max() * self.bar_max()).round()
        } else {
            0.0
        };
        Some(self.bar_px)
    }

    /// The rows that are seen, even in part.
    #[must_use]
    pub fn seen(&self) -> Range<u64> {
        let first = (self.top_px / ROW_PX).floor() as u64;
        let last = ((self.top_px + self.view_px) / ROW_PX).ceil() as u64;
        let first = first.min(self.rows);
        first..last.clamp(first, self.rows.min(first + ROWS_SHOWN_MAX - 1))
    }

    /// How much of the first seen row is above the edge.
    #[must_use]
    pub fn above_px(&self) -> f64 {
        self.top_px - (self.top_px / ROW_PX).floor() * ROW_PX
    }

    /// Rows that a page key moves.
    #[must_use]
    pub fn page_rows(&self) -> u64 {
        ((self.view_px / ROW_PX).floor() as u64)
            .saturating_sub(1)
            .max(1)
    }
}

/// The cell that keys act on. Row 0 is the head, row 1 the first of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Active {
    pub row: u64,
    pub column: usize,
}

impl Active {
    /// Where a key leads; `None` where it means nothing here.
    #[must_use]
    pub fn moved(self, key: &str, control: bool, scroll: &Scroll, columns: usize) -> Option<Self> {
        let Self { row, column } = self;
        let last = columns.saturating_sub(1);
        let at = |row: u64, column: usize| Self {
            row: row.min(scroll.rows),
            column: column.min(last),
        };
        Some(match (key, control) {
            ("ArrowDown", false) => at(row + 1, column),
            ("ArrowUp", false) => at(row.saturating_sub(1), column),
            ("ArrowRight", false) => at(row, column + 1),
            ("ArrowLeft", false) => at(row, column.saturating_sub(1)),
            ("PageDown", false) => at(row + scroll.page_rows(), column),
            ("PageUp", false) => at(row.saturating_sub(scroll.page_rows()).max(1), column),
            ("Home", false) => at(row, 0),
            ("End", false) => at(row, last),
            ("Home" | "ArrowUp", true) => at(1, if key == "Home" { 0 } else { column }),
            ("End" | "ArrowDown", true) => {
                at(scroll.rows, if key == "End" { last } else { column })
            }
            _ => return None,
        })
    }
}

/// The order after one more click on a column: up, down, as the rows came.
#[must_use]
pub fn next_order(order: Option<SortOrder>, column: usize) -> Option<SortOrder> {
    let column = u32::try_from(column).ok()?;
    match order {
        Some(order) if order.column == column && order.descending => None,
        Some(order) if order.column == column => Some(SortOrder {
            column,
            descending: true,
        }),
        _ => Some(SortOrder {
            column,
            descending: false,
        }),
    }
}

/// Widest and narrowest column, before the person sets one.
const WIDTH_PX: Range<f64> = 72.0..320.0;

/// Narrowest and widest column that the person can set.
pub const WIDTH_SET_PX: Range<f64> = 40.0..1_600.0;

/// Rows that widths are measured on.
const MEASURED_ROWS: usize = 60;

/// A width for each column, from its name and first cells.
#[must_use]
pub fn widths(columns: &[String], rows: &[Vec<Value>]) -> Vec<f64> {
    let measured = |index: usize, name: &String| {
        let cells = rows.iter().take(MEASURED_ROWS);
        let widest = cells
            .filter_map(|row| row.get(index))
            .map(|value| text_px(&cell(value).text))
            .fold(0.0, f64::max);
        // The head also holds the mark of its order.
        let width = widest.max(text_px(name) + 14.0) + 26.0;
        width.clamp(WIDTH_PX.start, WIDTH_PX.end).round()
    };
    columns
        .iter()
        .enumerate()
        .map(|(index, name)| measured(index, name))
        .collect()
}

/// About as wide as the page's small text; exact is not worth asking the browser.
fn text_px(text: &str) -> f64 {
    text.chars()
        .take(60)
        .map(|c| if u32::from(c) >= 0x1100 { 13.5 } else { 7.4 })
        .sum()
}

/// The widths, stretched where they would leave a gap at the right.
#[must_use]
pub fn fitted(widths: &[f64], view_px: f64) -> Vec<f64> {
    let total: f64 = widths.iter().sum();
    let stretch = if total > 0.0 && total < view_px {
        view_px / total
    } else {
        1.0
    };
    widths.iter().map(|width| width * stretch).collect()
}

/// Columns on and near the screen, and how far the first of them is from the left.
#[must_use]
pub fn columns_near(
    widths: &[f64],
    left_px: f64,
    view_px: f64,
    margin_px: f64,
) -> (Range<usize>, f64) {
    let (mut at, mut first, mut start, mut last) = (0.0, 0, 0.0, widths.len());
    for (index, width) in widths.iter().enumerate() {
        if at + width <= left_px - margin_px {
            first = index + 1;
            start = at + width;
        }
        if at > left_px + view_px + margin_px {
            last = index;
            break;
        }
        at += width;
    }
    (first.min(last)..last, start)
}

/// Rows of one fetch.
pub const BLOCK_ROWS: u64 = 200;

/// Blocks of rows that are kept around the screen.
const BLOCKS_MAX: usize = 12;

/// Fetched rows, in blocks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Blocks {
    blocks: BTreeMap<u64, Vec<Vec<Value>>>,
}

impl Blocks {
    #[must_use]
    pub fn row(&self, row: u64) -> Option<&Vec<Value>> {
        let block = self.blocks.get(&(row / BLOCK_ROWS))?;
        block.get((row % BLOCK_ROWS) as usize)
    }

    /// The first row of a block that is seen and not here yet.
    #[must_use]
    pub fn wanted(&self, seen: &Range<u64>) -> Option<u64> {
        let mut missing = seen.clone().filter(|row| self.row(*row).is_none());
        missing.next().map(|row| {
            let start = row / BLOCK_ROWS * BLOCK_ROWS;
            // A block of wide rows may have come in part.
            let have = self.blocks.get(&(row / BLOCK_ROWS)).map_or(0, Vec::len);
            start + have as u64
        })
    }

    /// Keeps rows that begin at `first`, and forgets blocks far from them.
    pub fn put(&mut self, first: u64, rows: Vec<Vec<Value>>) {
        let mut first = first;
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            let number = first / BLOCK_ROWS;
            let block = self.blocks.entry(number).or_default();
            let room = (BLOCK_ROWS - first % BLOCK_ROWS) as usize;
            if (first % BLOCK_ROWS) as usize != block.len() {
                return;
            }
            block.extend(rows.by_ref().take(room));
            first = (number + 1) * BLOCK_ROWS;
        }
        let near = first / BLOCK_ROWS;
        while self.blocks.len() > BLOCKS_MAX {
            let farthest = self
                .blocks
                .keys()
                .max_by_key(|at| at.abs_diff(near))
                .copied();
            if let Some(farthest) = farthest {
                self.blocks.remove(&farthest);
            }
        }
    }

    pub fn clear(&mut self) {
        self.blocks.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLION: u64 = 1_000_000;
    const VIEW: f64 = 400.0;

    #[test]
    fn a_small_result_scrolls_as_its_bar_does() {
        let mut scroll = Scroll::new(100, VIEW);
        assert_eq!(scroll.spacer_px(), 2_900.0);
        scroll.moved(1_000.0);
        assert_eq!((scroll.seen(), scroll.above_px().round()), (34..49, 14.0));
        scroll.moved(99_999.0);
        assert_eq!(scroll.seen(), 86..100);
        assert_eq!(Scroll::new(0, VIEW).seen(), 0..0);
        assert_eq!(Scroll::new(2, VIEW).seen(), 0..2);
    }

    #[test]
    fn a_million_rows_are_reached_one_by_one_by_jumps_and_at_both_ends() {
        let mut scroll = Scroll::new(MILLION, VIEW);
        assert_eq!(scroll.spacer_px(), SPACER_PX_MAX);
        scroll.moved(100.0);
        assert_eq!(scroll.seen().start, 3);
        scroll.moved((SPACER_PX_MAX - VIEW) / 2.0);
        assert!(
            scroll.seen().start.abs_diff(MILLION / 2) < 10,
            "{:?}",
            scroll.seen()
        );
        let before = scroll.seen().start;
        scroll.moved((SPACER_PX_MAX - VIEW) / 2.0 + ROW_PX);
        assert_eq!(scroll.seen().start, before + 1);
        scroll.moved(SPACER_PX_MAX - VIEW);
        assert_eq!(scroll.seen().end, MILLION);
        scroll.moved(0.0);
        assert_eq!(scroll.seen().start, 0);
    }

    #[test]
    fn never_more_than_forty_rows_and_none_outside_whatever_is_scrolled() {
        for rows in [0, 1, 17, 200, 172_413, 172_414, MILLION, 1 << 40] {
            for view in [1.0, 29.0, 416.0, 5_000.0] {
                let mut scroll = Scroll::new(rows, view);
                let mut at = 1_u64;
                for _ in 0..300 {
                    at = at
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695);
                    match at >> 62 {
                        0 => scroll.moved((at >> 20) as f64 % scroll.spacer_px().max(1.0)),
                        1 => scroll.moved(scroll.bar_px + (at >> 40) as f64 % 300.0 - 150.0),
                        _ if rows > 0 => {
                            let row = (at >> 8) % rows;
                            scroll.reveal(row);
                            assert!(
                                scroll.seen().contains(&row) || view < ROW_PX,
                                "{row} {scroll:?}"
                            );
                        }
                        _ => {}
                    }
                    let seen = scroll.seen();
                    assert!(
                        seen.end <= rows && seen.end - seen.start < ROWS_SHOWN_MAX,
                        "{scroll:?}"
                    );
                    assert!((0.0..ROW_PX).contains(&scroll.above_px()));
                    assert!(rows == 0 || seen.start < rows, "{scroll:?}");
                }
            }
        }
    }

    #[test]
    fn keys_reach_head_first_and_last_row_and_stay_inside() {
        let scroll = Scroll::new(MILLION, VIEW);
        let moved = |row, column, key, control| {
            let Active { row, column } = Active { row, column }
                .moved(key, control, &scroll, 6)
                .unwrap();
            (row, column)
        };
        assert_eq!(moved(1, 0, "ArrowUp", false), (0, 0));
        assert_eq!(moved(0, 0, "ArrowUp", false), (0, 0));
        assert_eq!(moved(3, 5, "ArrowRight", false), (3, 5));
        assert_eq!(moved(3, 2, "End", true), (MILLION, 5));
        assert_eq!(moved(MILLION, 2, "PageDown", false), (MILLION, 2));
        assert_eq!(moved(5, 2, "PageUp", false), (1, 2));
        assert_eq!(moved(5, 2, "Home", true), (1, 0));
        assert_eq!(Active::default().moved("a", false, &scroll, 6), None);
    }

    #[test]
    fn a_column_sorts_up_then_down_then_not_and_another_starts_anew() {
        let up = next_order(None, 2);
        let down = next_order(up, 2);
        assert_eq!(
            up,
            Some(SortOrder {
                column: 2,
                descending: false
            })
        );
        assert_eq!(
            down,
            Some(SortOrder {
                column: 2,
                descending: true
            })
        );
        assert_eq!(next_order(down, 2), None);
        assert_eq!(
            next_order(down, 0),
            Some(SortOrder {
                column: 0,
                descending: false
            })
        );
    }

    #[test]
    fn two_thousand_columns_are_not_all_near() {
        let widths = vec![100.0; 2_000];
        assert_eq!(columns_near(&widths, 0.0, 800.0, 200.0), (0..11, 0.0));
        assert_eq!(
            columns_near(&widths, 100_000.0, 800.0, 200.0),
            (998..1_011, 99_800.0)
        );
        assert_eq!(
            columns_near(&widths, 199_200.0, 800.0, 200.0),
            (1_990..2_000, 199_000.0)
        );
        assert_eq!(columns_near(&[], 0.0, 800.0, 200.0), (0..0, 0.0));
        assert_eq!(fitted(&[100.0, 300.0], 800.0), [200.0, 600.0]);
        assert_eq!(fitted(&[100.0, 300.0], 200.0), [100.0, 300.0]);
    }

    #[test]
    fn rows_come_in_blocks_that_may_be_short_and_far_ones_go() {
        let rows = |first: u64, count: u64| -> Vec<Vec<Value>> {
            (first..first + count)
                .map(|i| vec![Value::Integer(i.cast_signed())])
                .collect()
        };
        let mut blocks = Blocks::default();
        assert_eq!(blocks.wanted(&(190..210)), Some(0));
        blocks.put(0, rows(0, 150));
        assert_eq!(blocks.wanted(&(190..210)), Some(150));
        blocks.put(150, rows(150, 100));
        assert_eq!(blocks.wanted(&(190..250)), None);
        assert_eq!(blocks.wanted(&(190..251)), Some(250));
        assert_eq!(blocks.row(249), Some(&vec![Value::Integer(249)]));
        for block in 10..40 {
            blocks.put(block * BLOCK_ROWS, rows(block * BLOCK_ROWS, BLOCK_ROWS));
        }
        assert_eq!(blocks.row(0), None);
        assert!(blocks.row(39 * BLOCK_ROWS).is_some());
    }
}
