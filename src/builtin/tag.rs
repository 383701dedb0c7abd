//! Tags a question: covers its words with phrases that do something, mentions of schema names, stored
//! values and numbers, so that as much as possible is explained. Knows words and names, not what they
//! mean together.

use super::chinese::{CHINESE, NOUNS};
use super::lexicon::{ENGLISH, Role, is_light, places};
use super::token::{Candidate, Tag, Target, Token};
use crate::link::names::{ColumnKind, Names};
use crate::link::rank::joined;
use crate::link::values::ValueIndex;
use crate::link::words::{Word, number};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Words that one mention or phrase may span.
const SPAN_MAX: usize = 8;

/// Below this a name does not fit its words.
const FIT_MIN: f32 = 0.3;

type Phrases = HashMap<String, Role>;

fn phrases() -> &'static Phrases {
    static PHRASES: OnceLock<Phrases> = OnceLock::new();
    PHRASES.get_or_init(|| {
        ENGLISH
            .iter()
            .chain(CHINESE)
            .flat_map(|(texts, role)| texts.split('|').map(move |t| (t.to_owned(), *role)))
            .collect()
    })
}

struct Piece {
    len: usize,
    value: f32,
    token: Token,
}

/// Covers the words with tokens of the highest total value.
#[must_use]
pub fn tag(words: &[Word], names: &Names, values: &ValueIndex) -> Vec<Token> {
    let tagger = Tagger {
        words,
        names,
        values,
    };
    let mut best: Vec<(f32, Option<Piece>)> = Vec::new();
    best.resize_with(words.len() + 1, || (0.0, None));
    for at in (0..words.len()).rev() {
        let mut chosen: Option<(f32, Piece)> = None;
        for piece in tagger.pieces(at) {
            let rest = best.get(at + piece.len).map_or(0.0, |b| b.0);
            let total = piece.value + rest;
            if chosen.as_ref().is_none_or(|(value, _)| total > *value) {
                chosen = Some((total, piece));
            }
        }
        if let (Some(slot), Some((total, piece))) = (best.get_mut(at), chosen) {
            *slot = (total, Some(piece));
        }
    }
    let mut out = Vec::new();
    let mut at = 0;
    while let Some((_, Some(piece))) = best.get(at) {
        out.push(piece.token.clone());
        at += piece.len.max(1);
    }
    out
}

struct Tagger<'a> {
    words: &'a [Word],
    names: &'a Names,
    values: &'a ValueIndex,
}

impl Tagger<'_> {
    /// All tokens that may start here.
    fn pieces(&self, at: usize) -> Vec<Piece> {
        let mut out = Vec::new();
        let Some(first) = self.words.get(at) else {
            return out;
        };
        out.push(self.single(first));
        for len in 1..=SPAN_MAX {
            let Some(span) = self.words.get(at..at + len) else {
                break;
            };
            let refs: Vec<&Word> = span.iter().collect();
            if len > 1
                && refs
                    .iter()
                    .any(|w| w.is_punctuation() && !w.text.starts_with('、'))
            {
                // Stored texts may hold points and dashes inside; a phrase may not.
                let inside =
                    refs.last().is_some_and(|w| !w.is_punctuation()) && !first.is_punctuation();
                if len <= 6 && !first.quoted && inside {
                    out.extend(self.mention(&refs, len, false));
                }
                continue;
            }
            if len > 1
                && let Some(digits) = chinese_number(&joined(&refs))
            {
                #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
                out.push(Piece {
                    len,
                    value: len as f32 * 1.02 + 0.15,
                    token: self.token(&refs, Tag::Number(digits.to_string())),
                });
            }
            if !refs.iter().any(|w| w.quoted) {
                out.extend(self.phrase(&refs, len));
            }
            if len == 1 || !refs.iter().any(|w| w.quoted) {
                out.extend(self.mention(&refs, len, true));
            }
        }
        out
    }

    fn single(&self, word: &Word) -> Piece {
        let tag = if word.quoted {
            Tag::Quoted(word.text.clone())
        } else if let Some(digits) = number(&word.text) {
            Tag::Number(digits)
        } else if let Some(digits) = number_word(&word.folded) {
            Tag::Number(digits.to_owned())
        } else if word.is_punctuation() {
            Tag::Role(match word.text.as_str() {
                "," | ";" | "，" | "；" | "。" | "." | "?" | "？" | ":" => Role::Comma,
                "、" => Role::And,
                _ => Role::Filler,
            })
        } else {
            Tag::Unknown {
                light: is_light(&word.folded),
            }
        };
        let value = match tag {
            Tag::Unknown { .. } => 0.05,
            Tag::Quoted(_) => 0.8,
            Tag::Number(_) => 1.0,
            Tag::Role(_) | Tag::Mention(_) => 0.5,
        };
        let values = match &tag {
            Tag::Number(digits) => self.stored(digits, 1.0),
            _ => Vec::new(),
        };
        Piece {
            len: 1,
            value,
            token: Token {
                tag,
                text: word.text.clone(),
                quoted: word.quoted,
                values,
                stem: word.stem.clone(),
            },
        }
    }

    fn phrase(&self, span: &[&Word], len: usize) -> Option<Piece> {
        let text = joined(span);
        let role = *phrases().get(&text)?;
        #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
        Some(Piece {
            len,
            value: len as f32 * 1.02 + 0.15 * (len as f32 - 1.0),
            token: self.token(span, Tag::Role(role)),
        })
    }

    fn token(&self, span: &[&Word], tag: Tag) -> Token {
        let text: Vec<&str> = span.iter().map(|w| w.text.as_str()).collect();
        Token {
            tag,
            text: text.join(" "),
            quoted: span.iter().any(|w| w.quoted),
            values: Vec::new(),
            stem: span.last().map(|w| w.stem.clone()).unwrap_or_default(),
        }
    }

    fn mention(&self, span: &[&Word], len: usize, names: bool) -> Option<Piece> {
        let folded = joined(span);
        let mut candidates = if names {
            self.named(span, &folded)
        } else {
            Vec::new()
        };
        let name_score = candidates.iter().map(|c| c.score).fold(0.0, f32::max);
        let (stored, value_score) = self.value_candidates(span, &folded, name_score);
        candidates.extend(stored);
        if candidates.is_empty() {
            return None;
        }
        #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
        let words = len as f32;
        let value = (name_score * words).max(value_score * words) + 0.12 * (words - 1.0);
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        candidates.truncate(24);
        Some(Piece {
            len,
            value,
            token: self.token(span, Tag::Mention(candidates)),
        })
    }

    /// Tables and columns with these words as their name.
    fn named(&self, span: &[&Word], folded: &str) -> Vec<Candidate> {
        if span.len() > 5 || span.iter().any(|w| w.quoted) && span.len() > 1 {
            return Vec::new();
        }
        let single_role = span.len() == 1 && phrases().contains_key(folded);
        let mut out = self.named_by(span, &stems_of(span, folded, true), single_role);
        if out.is_empty() {
            out = self.named_by(span, &stems_of(span, folded, false), single_role);
        }
        out
    }

    fn named_by(&self, span: &[&Word], stems: &[String], single_role: bool) -> Vec<Candidate> {
        if stems.is_empty() || self.is_owned(span) {
            return Vec::new();
        }
        // "cars produced" is a noun and what was done to it, unless a name says exactly that.
        let participle = span.len() > 1
            && span.iter().any(|w| {
                w.folded.len() > 4 && (w.folded.ends_with("ed") || w.folded.ends_with("ing"))
            });
        let least = if participle { 0.99 } else { FIT_MIN };
        let mut out = Vec::new();
        for (t, table) in self.names.tables.iter().enumerate() {
            let fit = table.fit(stems);
            if fit >= least && (!single_role || fit > 0.95) {
                out.push(candidate(Target::Table(t), fit));
            }
            for (c, column) in table.columns.iter().enumerate() {
                let fit = column.fit(table, stems);
                let fit = if single_role && fit < 0.95 { 0.0 } else { fit };
                if fit >= least {
                    out.push(candidate(Target::Column(t, c), fit));
                }
            }
        }
        out
    }

    /// `names of the countries`: two mentions, where the last word names a table.
    fn is_owned(&self, span: &[&Word]) -> bool {
        span.iter().any(|w| w.folded == "of")
            && span.last().is_some_and(|last| {
                let head = [last.stem.clone()];
                self.names.tables.iter().any(|t| t.fit(&head) > 0.7)
            })
    }

    /// Stored texts that these words are, and what the span is worth as one.
    fn value_candidates(
        &self,
        span: &[&Word],
        folded: &str,
        name_score: f32,
    ) -> (Vec<Candidate>, f32) {
        let Some(first) = span.first() else {
            return (Vec::new(), 0.0);
        };
        let quoted = first.quoted;
        let plain = span.len() == 1 && phrases().contains_key(folded);
        if folded.is_empty() || (plain && !quoted && !is_name_like(first)) {
            return (Vec::new(), 0.0);
        }
        let cjk = folded.chars().any(crate::link::fuzzy::is_cjk);
        let capital = span.iter().any(|w| w.capital) || cjk;
        let exact = self.stored(folded, 1.0);
        if !exact.is_empty() {
            let worth = match (quoted, capital, span.len()) {
                (true, _, _) => 1.4,
                (_, true, _) => 1.1,
                (_, _, 1) => 0.75,
                _ => 1.05,
            };
            return (exact, worth);
        }
        if name_score > 0.8 {
            return (Vec::new(), 0.0);
        }
        if span.len() <= 2 {
            let found: Vec<Candidate> = places(folded)
                .iter()
                .flat_map(|place| self.stored(place, 0.95))
                .collect();
            if !found.is_empty() {
                return (found, 1.05);
            }
        }
        let misspelt =
            span.len() == 1 && name_score < 0.5 && folded.len() >= 6 && !plain && !is_light(folded);
        if misspelt && !capital && !quoted {
            let found: Vec<Candidate> = self
                .values
                .near(folded, false)
                .into_iter()
                .filter(|hit| hit.score > 0.8)
                .map(|hit| Candidate {
                    target: Target::Value(hit.table, hit.column, hit.text.to_owned()),
                    score: hit.score * 0.95,
                })
                .collect();
            return (found, 0.5);
        }
        self.near(folded, quoted, capital && first.capital, span.len())
    }

    fn near(&self, folded: &str, quoted: bool, capital: bool, len: usize) -> (Vec<Candidate>, f32) {
        let long = folded.chars().count() >= 5 || folded.chars().any(crate::link::fuzzy::is_cjk);
        let named = quoted || (capital && long);
        if !named || len > 5 {
            return (Vec::new(), 0.0);
        }
        let found: Vec<Candidate> = self
            .values
            .near(folded, quoted || capital)
            .into_iter()
            .filter(|hit| hit.score > 0.55)
            .map(|hit| Candidate {
                target: Target::Value(hit.table, hit.column, hit.text.to_owned()),
                score: hit.score * 0.95,
            })
            .collect();
        let best = found.iter().map(|c| c.score).fold(0.0, f32::max);
        (found, best * 0.95)
    }

    fn stored(&self, folded: &str, score: f32) -> Vec<Candidate> {
        self.values
            .exact(folded)
            .into_iter()
            .map(|hit| Candidate {
                target: Target::Value(hit.table, hit.column, hit.text.to_owned()),
                score,
            })
            .collect()
    }
}

fn candidate(target: Target, fit: f32) -> Candidate {
    Candidate {
        target,
        score: 0.45 + 0.55 * fit,
    }
}

/// A capital in the middle of a question marks a name even where the word has a role.
fn is_name_like(word: &Word) -> bool {
    word.capital && word.start > 0 && word.text.chars().count() > 1
}

fn stems_of(span: &[&Word], folded: &str, verbatim: bool) -> Vec<String> {
    const SKIPPED: &[&str] = &["of", "the", "in", "a", "for", "to"];
    if !verbatim && let Some((_, stems)) = NOUNS.iter().find(|(noun, _)| *noun == folded) {
        return stems.iter().map(|s| crate::link::words::stem(s)).collect();
    }
    if folded.chars().any(crate::link::fuzzy::is_cjk) {
        return vec![folded.to_owned()];
    }
    if span
        .iter()
        .any(|w| matches!(w.folded.as_str(), "in" | "a" | "for" | "to"))
        && span.len() < 3
    {
        return Vec::new();
    }
    let edge = |w: Option<&&Word>| w.is_some_and(|w| SKIPPED.contains(&w.folded.as_str()));
    if edge(span.first()) || edge(span.last()) {
        return Vec::new();
    }
    span.iter()
        .filter(|w| !w.folded.is_empty() && !matches!(w.folded.as_str(), "of" | "the"))
        .flat_map(|w| {
            w.folded
                .split(' ')
                .map(crate::link::words::stem)
                .collect::<Vec<_>>()
        })
        .collect()
}

fn number_word(folded: &str) -> Option<&'static str> {
    Some(match folded {
        "one" | "一" => "1",
        "two" | "两" | "二" => "2",
        "three" | "三" => "3",
        "four" | "四" => "4",
        "five" | "五" => "5",
        "six" | "六" => "6",
        "seven" | "七" => "7",
        "eight" | "八" => "8",
        "nine" | "九" => "9",
        "ten" | "十" => "10",
        _ => return None,
    })
}

/// `二十五`, `三百`, `一千二百`: up to the ten thousands.
fn chinese_number(text: &str) -> Option<u64> {
    let (mut sum, mut digit, mut seen) = (0_u64, None, false);
    for c in text.chars() {
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1_000,
            '万' => 10_000,
            '零' => continue,
            _ => {
                let value = "一二三四五六七八九".chars().position(|d| d == c);
                let value = value.map(|v| v as u64 + 1).or((c == '两').then_some(2))?;
                if digit.replace(value).is_some() {
                    return None;
                }
                continue;
            }
        };
        seen = true;
        sum = if unit == 10_000 {
            (sum + digit.take().unwrap_or(0)) * unit
        } else {
            sum + digit.take().unwrap_or(1) * unit
        };
    }
    seen.then_some(sum + digit.unwrap_or(0))
}

/// Whether a column holds numbers, by its type or by what was found in it.
#[must_use]
pub fn is_numeric(names: &Names, values: &ValueIndex, table: usize, column: usize) -> bool {
    let Some(name) = names.column(table, column) else {
        return false;
    };
    match name.kind {
        ColumnKind::Number => true,
        ColumnKind::Date => false,
        ColumnKind::Text => values
            .texts(table, column)
            .is_some_and(|t| t.texts > 0 && t.numeric * 10 >= t.texts * 8),
        ColumnKind::Unknown => values
            .texts(table, column)
            .is_none_or(|t| t.numeric * 10 >= t.texts * 8),
    }
}
