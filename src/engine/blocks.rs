//! Cached blocks of a large file: which bytes to fetch on a miss, and which to forget. Knows neither files
//! nor JavaScript; a block's content is any `B`.
//!
//! A read of the file costs about half a millisecond whatever its size, so misses that follow each other
//! fetch twice as much each time, while scattered ones fetch one unit. A few such sequences are followed at
//! once: a scan also visits the inner pages of its b-tree, and a join scans several tables.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// The smallest fetch, and the grain of the cache.
pub const UNIT_BYTES: u64 = 64 * 1024;

/// The largest fetch: 4 MiB.
const UNITS_MAX: u64 = 64;

/// A cached stretch of the file.
#[derive(Debug)]
struct Extent<B> {
    bytes: u64,
    used: u64,
    content: B,
}

#[derive(Debug)]
pub struct Blocks<B> {
    file_bytes: u64,
    budget_bytes: u64,
    /// By first byte; extents never overlap and begin on unit boundaries.
    extents: BTreeMap<u64, Extent<B>>,
    /// First bytes by a use, not always the last: a read is far more frequent than a fetch, so only a fetch puts this
    /// in order.
    by_use: BTreeMap<u64, u64>,
    tick: u64,
    cached_bytes: u64,
    /// Where a next miss would continue an earlier one, and how many units that one fetched.
    sequences: VecDeque<(u64, u64)>,
}

/// Sequences followed at once; the one unused for longest is forgotten.
const SEQUENCES_MAX: usize = 8;

impl<B> Blocks<B> {
    #[must_use]
    pub fn new(file_bytes: u64, budget_bytes: u64) -> Self {
        Self {
            file_bytes,
            budget_bytes,
            extents: BTreeMap::new(),
            by_use: BTreeMap::new(),
            tick: 0,
            cached_bytes: 0,
            sequences: VecDeque::new(),
        }
    }

    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    #[must_use]
    pub fn cached_bytes(&self) -> u64 {
        self.cached_bytes
    }

    /// The cached stretch that holds `offset`: which bytes, and the content.
    pub fn get(&mut self, offset: u64) -> Option<(Range<u64>, &B)> {
        let (&first, extent) = self.extents.range_mut(..=offset).next_back()?;
        if offset - first >= extent.bytes {
            return None;
        }
        self.tick += 1;
        extent.used = self.tick;
        Some((first..first + extent.bytes, &extent.content))
    }

    /// The bytes to fetch for a miss at `offset`; never overlaps what is cached, never passes the end.
    pub fn plan(&mut self, offset: u64) -> Range<u64> {
        let first = offset - offset % UNIT_BYTES;
        let followed = self.sequences.iter().position(|(next, _)| *next == first);
        let units = match followed.and_then(|i| self.sequences.remove(i)) {
            Some((_, units)) => (units * 2).min(UNITS_MAX),
            None => 1,
        };
        let next_cached = self.extents.range(first..).next().map(|(&at, _)| at);
        let end = (first + units * UNIT_BYTES)
            .min(self.file_bytes)
            .min(next_cached.unwrap_or(u64::MAX));
        self.sequences.push_back((end, units));
        if self.sequences.len() > SEQUENCES_MAX {
            self.sequences.pop_front();
        }
        first..end
    }

    /// Keeps what was fetched and forgets the least recently used beyond the budget.
    pub fn insert(&mut self, range: Range<u64>, content: B) {
        let bytes = range.end.saturating_sub(range.start);
        self.tick += 1;
        let extent = Extent {
            bytes,
            used: self.tick,
            content,
        };
        self.by_use.insert(self.tick, range.start);
        if let Some(old) = self.extents.insert(range.start, extent) {
            self.cached_bytes -= old.bytes;
        }
        self.cached_bytes += bytes;
        while self.cached_bytes > self.budget_bytes && self.extents.len() > 1 {
            let Some((used, oldest)) = self.by_use.pop_first() else {
                return;
            };
            match self.extents.get(&oldest).map(|extent| extent.used) {
                // Used again since: it waits for its turn anew.
                Some(again) if again > used => {
                    self.by_use.insert(again, oldest);
                }
                Some(_) => {
                    if let Some(gone) = self.extents.remove(&oldest) {
                        self.cached_bytes -= gone.bytes;
                    }
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: u64 = 100 * UNIT_BYTES + 5;

    fn fetch(blocks: &mut Blocks<Range<u64>>, offset: u64) -> u64 {
        if blocks.get(offset).is_some() {
            return 0;
        }
        let range = blocks.plan(offset);
        assert!(range.contains(&offset));
        blocks.insert(range.clone(), range.clone());
        range.end - range.start
    }

    #[test]
    fn a_scan_fetches_more_each_time_and_ends_at_the_end() {
        let mut blocks = Blocks::new(FILE, u64::MAX);
        let mut fetched = Vec::new();
        for offset in (0..FILE).step_by(4096) {
            let bytes = fetch(&mut blocks, offset);
            if bytes > 0 {
                fetched.push(bytes);
            }
        }
        let units: Vec<u64> = fetched.iter().map(|b| b / UNIT_BYTES).collect();
        assert_eq!(units, [1, 2, 4, 8, 16, 32, 37]);
        assert_eq!(fetched.iter().sum::<u64>(), FILE);
        assert_eq!(blocks.cached_bytes(), FILE);
    }

    #[test]
    fn two_scans_at_once_both_speed_up() {
        let mut blocks = Blocks::new(FILE, u64::MAX);
        let mut fetches = 0;
        for offset in (0..40 * UNIT_BYTES).step_by(4096) {
            fetches += u32::from(fetch(&mut blocks, offset) > 0);
            fetches += u32::from(fetch(&mut blocks, 50 * UNIT_BYTES + offset) > 0);
        }
        assert_eq!(fetches, 12);
    }

    #[test]
    fn scattered_reads_fetch_one_unit_and_never_overlap() {
        let mut blocks = Blocks::new(FILE, u64::MAX);
        assert_eq!(fetch(&mut blocks, 50 * UNIT_BYTES), UNIT_BYTES);
        assert_eq!(fetch(&mut blocks, 49 * UNIT_BYTES), UNIT_BYTES);
        assert_eq!(fetch(&mut blocks, 48 * UNIT_BYTES), UNIT_BYTES);
        assert_eq!(fetch(&mut blocks, 50 * UNIT_BYTES + 7), 0);
        let held = blocks.get(49 * UNIT_BYTES).map(|(range, _)| range);
        assert_eq!(held, Some(49 * UNIT_BYTES..50 * UNIT_BYTES));
        assert_eq!(blocks.get(10), None);
    }

    #[test]
    fn what_stays_is_always_what_was_used_last() {
        let mut blocks = Blocks::new(FILE, 5 * UNIT_BYTES);
        // The units in the order of their last use, as a list that every read moves.
        let mut model: Vec<u64> = Vec::new();
        let mut at = 1_u64;
        for _ in 0..5_000 {
            at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let unit = (at >> 40) % 9 * 2;
            let fetched = fetch(&mut blocks, unit * UNIT_BYTES);
            assert_eq!(fetched == 0, model.contains(&unit), "{unit} of {model:?}");
            model.retain(|held| *held != unit);
            model.push(unit);
            if model.len() > 5 {
                model.remove(0);
            }
        }
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let mut blocks = Blocks::new(FILE, 2 * UNIT_BYTES);
        fetch(&mut blocks, 10 * UNIT_BYTES);
        fetch(&mut blocks, 30 * UNIT_BYTES);
        assert!(blocks.get(10 * UNIT_BYTES).is_some());
        fetch(&mut blocks, 50 * UNIT_BYTES);
        assert!(blocks.get(10 * UNIT_BYTES).is_some());
        assert!(blocks.get(30 * UNIT_BYTES).is_none());
        assert_eq!(blocks.cached_bytes(), 2 * UNIT_BYTES);
    }
}
