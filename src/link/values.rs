//! The value index: distinct texts of columns, found again by folded text, by typos and, for Chinese,
//! Japanese and Korean, by pairs of characters. Knows no SQL; the caller feeds it within its own budget.

use super::fuzzy::{distance, fold, is_cjk, typos_max};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A stored text and the column that holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueHit<'a> {
    pub table: usize,
    pub column: usize,
    /// As stored.
    pub text: &'a str,
    /// 1 for the same folded text, less for near ones.
    pub score: f32,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    column: u32,
    /// The entry before it with the same hash, or `NONE`.
    before: u32,
    text: Span,
    folded: Span,
}

/// A piece of all texts in one: a text of its own would cost an allocation each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: u32,
    len: u16,
}

const NONE: u32 = u32::MAX;

/// Spreads keys that are hashes or packed characters already.
#[derive(Debug, Clone, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, key: u32) {
        self.write_u64(u64::from(key));
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type Keyed<K, V> = HashMap<K, V, BuildHasherDefault<Spread>>;

/// Numbers of one column, gathered while it was indexed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ColumnTexts {
    pub texts: u32,
    /// Texts that are numbers all through.
    pub numeric: u32,
    /// Texts that differ from another one only in case or width.
    pub longest: u32,
}

#[derive(Debug, Clone, Default)]
pub struct ValueIndex {
    columns: Vec<(usize, usize, ColumnTexts)>,
    entries: Vec<Entry>,
    texts: String,
    /// The last entry of each hash.
    exact: Keyed<u64, u32>,
    grams: Keyed<u64, Vec<u32>>,
}

/// Characters of a value that are indexed; longer texts are prose, not names.
const VALUE_CHARS_MAX: usize = 80;

/// Postings read for one lookup of near values. Keeps a lookup under two milliseconds.
const POSTINGS_MAX: usize = 20_000;

/// Values with one folded text that are looked at.
const SAME_MAX: usize = 64;

/// Near values that are measured exactly.
const MEASURED_MAX: usize = 64;

impl ValueIndex {
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Memory that the index holds, without the allocator's own.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists: usize = self.grams.values().map(Vec::capacity).sum();
        let keys = self.exact.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.grams.capacity() * (size_of::<(u64, Vec<u32>)>() + 1);
        let entries = self.entries.capacity() * size_of::<Entry>();
        self.texts.capacity() + entries + keys + lists * size_of::<u32>()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds one distinct text of a column; tables and columns are numbered as in `Names`.
    /// Values of one column come one after the other.
    pub fn add(&mut self, table: usize, column: usize, text: &str) {
        let number = self.column_number(table, column);
        let folded = fold(text);
        if let Some((_, _, seen)) = self.columns.get_mut(number as usize) {
            seen.texts += 1;
            seen.numeric += u32::from(text.trim().parse::<f64>().is_ok());
            seen.longest = seen
                .longest
                .max(u32::try_from(text.len()).unwrap_or(u32::MAX));
        }
        if folded.is_empty() || text.chars().nth(VALUE_CHARS_MAX).is_some() {
            return;
        }
        let Ok(id) = u32::try_from(self.entries.len()) else {
            return;
        };
        let Some(stored) = self.keep(text) else {
            return;
        };
        let same = folded == text;
        let Some(span) = (if same {
            Some(stored)
        } else {
            self.keep(&folded)
        }) else {
            return;
        };
        for gram in grams(&folded) {
            self.grams.entry(gram).or_default().push(id);
        }
        let before = self.exact.insert(hash(&folded), id).unwrap_or(NONE);
        self.entries.push(Entry {
            column: number,
            before,
            text: stored,
            folded: span,
        });
    }

    /// `None` where four gigabytes of text are full.
    fn keep(&mut self, text: &str) -> Option<Span> {
        let start = u32::try_from(self.texts.len()).ok()?;
        let len = u16::try_from(text.len()).ok()?;
        self.texts.push_str(text);
        Some(Span { start, len })
    }

    fn text(&self, span: Span) -> &str {
        let start = span.start as usize;
        self.texts
            .get(start..start + usize::from(span.len))
            .unwrap_or_default()
    }

    fn column_number(&mut self, table: usize, column: usize) -> u32 {
        let at = match self.columns.last() {
            Some((t, c, _)) if (*t, *c) == (table, column) => self.columns.len() - 1,
            _ => match self
                .columns
                .iter()
                .position(|(t, c, _)| (*t, *c) == (table, column))
            {
                Some(at) => at,
                None => {
                    self.columns.push((table, column, ColumnTexts::default()));
                    self.columns.len() - 1
                }
            },
        };
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    /// What is known of the texts of a column; `None` where it holds none.
    #[must_use]
    pub fn texts(&self, table: usize, column: usize) -> Option<ColumnTexts> {
        self.columns
            .iter()
            .find(|(t, c, _)| (*t, *c) == (table, column))
            .map(|(_, _, texts)| *texts)
    }

    fn hit(&self, id: u32, score: f32) -> Option<ValueHit<'_>> {
        let entry = self.entries.get(id as usize)?;
        let (table, column, _) = *self.columns.get(entry.column as usize)?;
        Some(ValueHit {
            table,
            column,
            text: self.text(entry.text),
            score,
        })
    }

    /// Values with the same folded text.
    #[must_use]
    pub fn exact(&self, folded: &str) -> Vec<ValueHit<'_>> {
        let mut ids: Vec<u32> = Vec::new();
        let mut next = self.exact.get(&hash(folded)).copied();
        while let Some(id) = next
            && let Some(entry) = self.entries.get(id as usize)
        {
            if self.text(entry.folded) == folded {
                ids.push(id);
            }
            next = (entry.before != NONE).then_some(entry.before);
        }
        ids.iter()
            .rev()
            .take(SAME_MAX)
            .filter_map(|id| self.hit(*id, 1.0))
            .collect()
    }

    /// Values that differ by a typo, or, when `parts` is set, hold the text as whole words; best first.
    #[must_use]
    pub fn near(&self, folded: &str, parts: bool) -> Vec<ValueHit<'_>> {
        let mut lists: Vec<&Vec<u32>> = grams(folded)
            .into_iter()
            .filter_map(|gram| self.grams.get(&gram))
            .collect();
        lists.sort_by_key(|list| list.len());
        let mut ids: Vec<u32> = Vec::with_capacity(POSTINGS_MAX);
        for list in lists {
            if ids.len() + list.len() > POSTINGS_MAX {
                break;
            }
            ids.extend(list);
        }
        // Sorting and counting runs is faster than a map of this size.
        ids.sort_unstable();
        let mut best: Vec<(u32, u32)> = ids
            .chunk_by(|a, b| a == b)
            .filter_map(|run| Some((*run.first()?, u32::try_from(run.len()).ok()?)))
            .collect();
        let order = |(id, count): &(u32, u32)| (std::cmp::Reverse(*count), *id);
        if best.len() > MEASURED_MAX {
            best.select_nth_unstable_by_key(MEASURED_MAX, order);
            best.truncate(MEASURED_MAX);
        }
        best.sort_unstable_by_key(order);
        let mut hits: Vec<ValueHit<'_>> = best
            .into_iter()
            .filter_map(|(id, _)| {
                let entry = self.entries.get(id as usize)?;
                let score = closeness(folded, self.text(entry.folded), parts)?;
                self.hit(id, score)
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(12);
        hits
    }
}

fn closeness(wanted: &str, stored: &str, parts: bool) -> Option<f32> {
    if wanted == stored {
        return Some(1.0);
    }
    let chars = wanted.chars().count();
    let tight = |text: &str| text.replace(' ', "");
    if tight(wanted) == tight(stored) {
        return Some(0.97);
    }
    let max = typos_max(chars);
    if max > 0
        && let Some(edits) = distance(wanted, stored, max)
    {
        #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
        return Some(0.95 - 0.08 * edits as f32);
    }
    if parts {
        let inside = if wanted.chars().any(is_cjk) {
            stored.contains(wanted) || wanted.contains(stored)
        } else {
            format!(" {stored} ").contains(&format!(" {wanted} "))
        };
        if inside {
            #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
            let share = chars as f32 / stored.chars().count().max(chars) as f32;
            return Some(0.5 + 0.3 * share);
        }
    }
    None
}

/// Three characters a gram; two where they are Chinese, Japanese or Korean.
fn grams(folded: &str) -> Vec<u64> {
    let mut out: Vec<u64> = Vec::with_capacity(folded.len() + 1);
    let mut chars = std::iter::once(' ').chain(folded.chars()).chain([' ']);
    let (mut first, mut second) = (chars.next(), chars.next());
    while let (Some(c), Some(next)) = (first, second) {
        let third = chars.next();
        if is_cjk(c) || is_cjk(next) {
            out.push(packed(&[c, next]));
        } else if let Some(after) = third {
            out.push(packed(&[c, next, after]));
        }
        (first, second) = (second, third);
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn packed(chars: &[char]) -> u64 {
    chars
        .iter()
        .fold(0_u64, |sum, c| (sum << 21) | u64::from(u32::from(*c)))
}

/// FNV-1a: the index needs no defence against chosen keys beyond the comparison that follows.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_however_they_are_written() {
        let mut index = ValueIndex::default();
        for text in ["São Tomé", "North Harbour", "北京大学", "42"] {
            index.add(0, 1, text);
        }
        assert_eq!(index.exact(&fold("sao tome")).len(), 1);
        assert_eq!(
            index.near("north harbor", false).first().map(|h| h.text),
            Some("North Harbour")
        );
        assert_eq!(
            index.near("harbour", true).first().map(|h| h.text),
            Some("North Harbour")
        );
        assert_eq!(
            index.near("北京", true).first().map(|h| h.text),
            Some("北京大学")
        );
        assert!(index.near("south", false).is_empty());
        assert_eq!(
            index.texts(0, 1).map(|t| (t.texts, t.numeric)),
            Some((4, 1))
        );
    }
}
