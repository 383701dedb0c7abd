//! The value index: distinct texts of columns, found again by folded text, by typos and, for Chinese,
//! Japanese and Korean, by pairs of characters. Knows no SQL; the caller feeds it within its own budget.

use super::fuzzy::{distance, fold, is_cjk, typos_max};
use std::collections::HashMap;

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

#[derive(Debug, Clone)]
struct Entry {
    column: u32,
    text: Box<str>,
    folded: Box<str>,
}

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
    exact: HashMap<u64, Vec<u32>>,
    grams: HashMap<u64, Vec<u32>>,
}

/// Characters of a value that are indexed; longer texts are prose, not names.
const VALUE_CHARS_MAX: usize = 80;

/// Postings read for one lookup of near values. Keeps a lookup under two milliseconds.
const POSTINGS_MAX: usize = 20_000;

/// Near values that are measured exactly.
const MEASURED_MAX: usize = 64;

impl ValueIndex {
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
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
        self.exact.entry(hash(&folded)).or_default().push(id);
        for gram in grams(&folded) {
            self.grams.entry(gram).or_default().push(id);
        }
        self.entries.push(Entry {
            column: number,
            text: text.into(),
            folded: folded.into(),
        });
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
            text: &entry.text,
            score,
        })
    }

    /// Values with the same folded text.
    #[must_use]
    pub fn exact(&self, folded: &str) -> Vec<ValueHit<'_>> {
        self.exact
            .get(&hash(folded))
            .into_iter()
            .flatten()
            .filter(|id| {
                self.entries
                    .get(**id as usize)
                    .is_some_and(|e| *e.folded == *folded)
            })
            .take(64)
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
        let mut counts: HashMap<u32, u32> = HashMap::new();
        let mut budget = POSTINGS_MAX;
        for list in lists {
            if list.len() > budget {
                break;
            }
            budget -= list.len();
            for id in list {
                *counts.entry(*id).or_default() += 1;
            }
        }
        let mut best: Vec<(u32, u32)> = counts.into_iter().collect();
        best.sort_unstable_by_key(|(id, count)| (std::cmp::Reverse(*count), *id));
        let mut hits: Vec<ValueHit<'_>> = best
            .into_iter()
            .take(MEASURED_MAX)
            .filter_map(|(id, _)| {
                let entry = self.entries.get(id as usize)?;
                let score = closeness(folded, &entry.folded, parts)?;
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
    let mut chars: Vec<char> = vec![' '];
    chars.extend(folded.chars());
    chars.push(' ');
    let mut out: Vec<u64> = Vec::with_capacity(chars.len());
    for (i, c) in chars.iter().enumerate() {
        let next = chars.get(i + 1).copied();
        let after = chars.get(i + 2).copied();
        if let Some(next) = next
            && (is_cjk(*c) || is_cjk(next))
        {
            out.push(packed(&[*c, next]));
        } else if let (Some(next), Some(after)) = (next, after) {
            out.push(packed(&[*c, next, after]));
        }
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
