//! Ranks tables and columns by how well they fit a question: rare words weigh more (BM25's idea), whole
//! names and stored values more still. For choosing what a prompt shows, and for the recall figures.

use super::names::Names;
use super::synonyms::likeness;
use super::values::ValueIndex;
use super::words::Word;
use std::collections::HashMap;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranked {
    /// Tables, best first, with their scores.
    pub tables: Vec<(usize, f32)>,
    /// Columns as (table, column), best first.
    pub columns: Vec<((usize, usize), f32)>,
}

/// A stored value found in the question is worth that many plain words.
const VALUE_WEIGHT: f32 = 2.5;

/// Words up to this many are looked up together as one value.
const SPAN_MAX: usize = 6;

#[must_use]
pub fn rank(question: &[Word], names: &Names, values: &ValueIndex) -> Ranked {
    let words: Vec<&Word> = question.iter().filter(|w| is_content(w)).collect();
    let rarity = Rarity::new(&words, names);
    let value_hits = value_scores(question, values);
    let mut tables: Vec<(usize, f32)> = Vec::new();
    let mut columns: Vec<((usize, usize), f32)> = Vec::new();
    for (t, table) in names.tables.iter().enumerate() {
        let own = rarity.score(&words, &table.stems) + 0.5 * rarity.score(&words, &table.comment);
        let mut best: Vec<f32> = Vec::new();
        for (c, column) in table.columns.iter().enumerate() {
            let mut score =
                rarity.score(&words, &column.stems) + 0.5 * rarity.score(&words, &column.comment);
            score += VALUE_WEIGHT * value_hits.get(&(t, c)).copied().unwrap_or(0.0);
            best.push(score);
            let bonus = if column.primary || column.foreign {
                0.3
            } else {
                0.0
            };
            columns.push(((t, c), score + 0.55 * own + bonus));
        }
        best.sort_by(|a, b| b.total_cmp(a));
        let from_columns: f32 = best
            .iter()
            .zip([0.6, 0.35, 0.2])
            .map(|(score, weight)| score * weight)
            .sum();
        tables.push((t, 1.6 * own + from_columns));
    }
    spread(&mut tables, &mut columns, names);
    tables.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    columns.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ranked { tables, columns }
}

/// A good table lifts its columns a little.
fn spread(tables: &mut [(usize, f32)], columns: &mut [((usize, usize), f32)], names: &Names) {
    let lift: HashMap<usize, f32> = tables.iter().map(|(t, s)| (*t, 0.25 * s)).collect();
    for ((t, _), score) in columns {
        *score += lift.get(t).copied().unwrap_or(0.0);
    }
    // Of two tables that fit alike, the one with fewer columns is the more likely target.
    for (t, score) in tables {
        let width = names.tables.get(*t).map_or(0, |t| t.columns.len());
        #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
        {
            *score -= 0.001 * width as f32;
        }
    }
}

fn is_content(word: &Word) -> bool {
    const PLAIN: &[&str] = &[
        "the", "a", "an", "of", "and", "or", "in", "is", "are", "was", "what", "which", "who",
        "how", "many", "show", "list", "find", "give", "return", "me", "all", "for", "each",
        "with", "that", "do", "doe", "have", "by", "on", "at", "their", "his", "her", "its", "be",
        "there", "to", "than", "more", "les", "most", "least",
    ];
    !word.is_punctuation() && !word.is_number() && !PLAIN.contains(&word.stem.as_str())
}

fn value_scores(question: &[Word], values: &ValueIndex) -> HashMap<(usize, usize), f32> {
    let mut out: HashMap<(usize, usize), f32> = HashMap::new();
    for from in 0..question.len() {
        for len in 1..=SPAN_MAX {
            let span: Vec<&Word> = question.iter().skip(from).take(len).collect();
            if span.len() < len {
                break;
            }
            if len == 1 && span.iter().all(|w| !is_content(w)) {
                continue;
            }
            let text = joined(&span);
            for hit in values.exact(&text) {
                let slot = out.entry((hit.table, hit.column)).or_default();
                *slot = slot.max(1.0);
            }
        }
    }
    out
}

/// The folded text of neighbouring words, without spaces between Chinese characters.
#[must_use]
pub fn joined(words: &[&Word]) -> String {
    let mut out = String::new();
    for word in words.iter().filter(|w| !w.folded.is_empty()) {
        let cjk = |c: Option<char>| c.is_some_and(super::fuzzy::is_cjk);
        let touching = cjk(out.chars().last()) && cjk(word.folded.chars().next());
        if !out.is_empty() && !touching {
            out.push(' ');
        }
        out.push_str(&word.folded);
    }
    out
}

/// Weights of the question's words: words that stand in few names weigh more.
struct Rarity {
    weights: Vec<f32>,
}

impl Rarity {
    fn new(words: &[&Word], names: &Names) -> Self {
        let total = names
            .tables
            .iter()
            .map(|t| t.columns.len() + 1)
            .sum::<usize>();
        let weights = words
            .iter()
            .map(|w| {
                let met = names
                    .tables
                    .iter()
                    .flat_map(|t| {
                        std::iter::once(&t.stems).chain(t.columns.iter().map(|c| &c.stems))
                    })
                    .filter(|stems| stems.contains(&w.stem))
                    .count();
                #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
                (1.0 + (total as f32 + 1.0) / (met as f32 + 0.5)).ln()
            })
            .collect();
        Self { weights }
    }

    /// Found words by their weight, saturated, less for names with many other words.
    fn score(&self, words: &[&Word], name: &[String]) -> f32 {
        if name.is_empty() {
            return 0.0;
        }
        let mut sum = 0.0_f32;
        let mut met = vec![false; name.len()];
        for (word, weight) in words.iter().zip(&self.weights) {
            let best = name
                .iter()
                .enumerate()
                .map(|(i, n)| (likeness(&word.stem, n), i))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((quality, i)) = best
                && quality > 0.0
                && let Some(slot) = met.get_mut(i)
                && !*slot
            {
                *slot = true;
                sum += weight * quality * quality;
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
        let share = met.iter().filter(|m| **m).count() as f32 / name.len() as f32;
        sum * (0.5 + 0.5 * share)
    }
}
