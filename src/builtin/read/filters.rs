//! Conditions by stored values and bare numbers: "in Paris", "whose citizenship is not France",
//! "with 4 cylinders", "in 2014 or 2015"; and how conditions join: and, or, both.

use super::Reader;
use super::resolve::Want;
use crate::builtin::draft::{Col, Doubt, Filter, Having, Measure, Test};
use crate::builtin::lexicon::Role;
use crate::builtin::plan::Comparison;
use crate::builtin::token::{Tag, Token};

/// The column of a value, with the spellings that are meant.
struct Chosen {
    column: Col,
    texts: Vec<String>,
    certainty: f32,
    /// Another column that holds it and fits as well.
    rival: Option<Col>,
}

impl Reader<'_> {
    pub(super) fn read_values(&mut self) {
        for at in 0..self.tokens.len() {
            if self.is_used(at) {
                continue;
            }
            let Some(token) = self.token(at) else { break };
            match &token.tag {
                Tag::Quoted(_) => {
                    let negated = self.is_negated(at);
                    self.value_filter(at, negated);
                }
                Tag::Number(number) => {
                    let negated = self.is_negated(at);
                    self.number_filter(at, number, negated);
                }
                Tag::Mention(_) if token.is_value() && self.means_value(at) => {
                    let negated = self.is_negated(at);
                    self.value_filter(at, negated);
                }
                _ => {}
            }
        }
    }

    /// Whether a mention that may be a name or a stored value is the value.
    fn means_value(&self, at: usize) -> bool {
        let Some(token) = self.token(at) else {
            return false;
        };
        let name = token
            .table()
            .map_or(0.0, |(_, s)| s)
            .max(token.column_score());
        let capital = token.text.chars().next().is_some_and(char::is_uppercase) && at > 0;
        // "the retired pilots": right before a noun a stored word is an adjective.
        let adjective = || {
            self.token(at + 1)
                .and_then(Token::table)
                .is_some_and(|(_, score)| score > 0.8)
        };
        token.quoted
            || token.value_score() > name + 0.02
            || (token.value_score() >= name && (capital || adjective()))
    }

    fn is_negated(&mut self, at: usize) -> bool {
        let skipped = [
            Role::Be,
            Role::Prep,
            Role::Named,
            Role::Any,
            Role::Of,
            Role::Have,
            Role::Do,
            Role::Either,
            Role::Clause,
        ];
        let mut place = at;
        // Across the column's own name and a verb: "not from city X", "not built by X".
        for _ in 0..3 {
            let Some(before) = self.before(place, &skipped) else {
                return false;
            };
            match self.role(before) {
                Some(Role::Not | Role::Without) if !self.is_used(before) => {
                    self.use_up(before);
                    return true;
                }
                Some(_) => return false,
                None => place = before,
            }
        }
        false
    }

    /// A filter by the stored or quoted text at `at`.
    pub(super) fn value_filter(&mut self, at: usize, negated: bool) {
        let near = self.column_near_value(at);
        let Some(token) = self.token(at) else { return };
        let stored: Vec<(Col, String, f32)> = token
            .stored()
            .map(|(t, c, text, score)| ((t, c), text.to_owned(), score))
            .collect();
        let beside = near.as_ref().map_or_else(Vec::new, |(column, spent)| {
            self.alike(*column, spent.first().copied())
        });
        let chosen = self.value_column(at, &beside, &stored);
        let (column, texts, certainty) = match (chosen, &near) {
            (Some(chosen), _) => {
                if let Some(rival) = chosen.rival {
                    self.draft.doubts.push(Doubt {
                        at,
                        columns: [chosen.column, rival],
                    });
                }
                (chosen.column, chosen.texts, chosen.certainty)
            }
            (None, Some((column, _))) => (*column, vec![token.text.clone()], 0.75),
            (None, None) => match (self.draft.focus, matches!(token.tag, Tag::Quoted(_))) {
                (Some(focus), true) => match self.label(focus) {
                    Some(label) => ((focus, label), vec![token.text.clone()], 0.6),
                    None => return,
                },
                _ => return,
            },
        };
        self.draft.score *= certainty;
        if let Some((_, spent)) = near {
            spent.into_iter().for_each(|t| self.use_up(t));
        }
        self.use_up(at);
        self.draft.filters.push(Filter {
            at,
            column,
            test: Test::Is(texts),
            negated,
            or: false,
        });
    }

    /// All columns of that table which the mention beside a value fits as well as this one.
    fn alike(&self, column: Col, mention: Option<usize>) -> Vec<Col> {
        let mut out = vec![column];
        let token = mention.and_then(|at| self.token(at));
        let fits: Vec<(usize, usize, f32)> = token.map_or_else(Vec::new, |t| t.columns().collect());
        let own = fits.iter().find(|(t, c, _)| (*t, *c) == column);
        if let Some((table, _, score)) = own {
            let others = fits
                .iter()
                .filter(|(t, _, s)| t == table && (s - score).abs() < 0.01);
            out.extend(others.map(|(t, c, _)| (*t, *c)));
        }
        out
    }

    /// The column whose stored texts are meant, with all spellings that fold alike.
    fn value_column(
        &self,
        at: usize,
        near: &[Col],
        stored: &[(Col, String, f32)],
    ) -> Option<Chosen> {
        let shared = self.shared_stems(stored);
        let rank = |column: Col, score: f32| {
            let mut rank = score + self.closeness(column.0);
            if near.contains(&column) {
                rank += 0.6;
            } else if near.iter().any(|n| self.same_name(*n, column)) {
                rank += 0.4;
            }
            // "the Alton airport": the noun behind the value says whose it is.
            if let Some(next) = self.token(self.skip(at + 1, &[])) {
                if next.table().is_some_and(|(t, s)| t == column.0 && s > 0.7) {
                    rank += 0.2;
                }
                if next.columns().any(|(t, c, s)| (t, c) == column && s > 0.7) {
                    rank += 0.2;
                }
            }
            rank += self.verb_bonus(at, column, &shared);
            if self.label(column.0) == Some(column.1) {
                rank += 0.04;
            }
            rank
        };
        let mut ranked: Vec<(f32, &(Col, String, f32))> =
            stored.iter().map(|s| (rank(s.0, s.2), s)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (best, (column, _, score)) = ranked.first()?;
        let texts: Vec<String> = stored
            .iter()
            .filter(|(c, _, s)| c == column && s >= score)
            .map(|(_, text, _)| text.clone())
            .collect();
        let rival = ranked.iter().find(|(_, (c, _, _))| c != column);
        let rival = rival
            .filter(|(second, _)| best - second < 0.03)
            .map(|(_, (c, _, _))| *c);
        Some(Chosen {
            column: *column,
            texts,
            certainty: if rival.is_some() {
                0.8
            } else {
                0.9 + 0.1 * score
            },
            rival,
        })
    }

    /// "depart from X", "to X": a verb or a preposition that the column's name answers to.
    fn verb_bonus(&self, at: usize, column: Col, shared: &[String]) -> f32 {
        let Some(name) = self.know.names.column(column.0, column.1) else {
            return 0.0;
        };
        for (steps, back) in (at.saturating_sub(6)..at).rev().enumerate() {
            let Some(token) = self.token(back) else { break };
            let best = name
                .stems
                .iter()
                .filter(|s| !shared.contains(s))
                .map(|s| crate::link::synonyms::likeness(&token.stem, s))
                .fold(0.0, f32::max);
            if best > 0.8 {
                #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
                return 0.3 - 0.04 * steps as f32;
            }
        }
        0.0
    }

    /// Words that the names of all columns with this value share.
    fn shared_stems(&self, stored: &[(Col, String, f32)]) -> Vec<String> {
        let mut names = stored
            .iter()
            .filter_map(|(c, _, _)| self.know.names.column(c.0, c.1))
            .map(|c| &c.stems);
        let Some(first) = names.next() else {
            return Vec::new();
        };
        let rest: Vec<&Vec<String>> = names.collect();
        if rest.iter().all(|s| *s == first) {
            return Vec::new();
        }
        first
            .iter()
            .filter(|s| rest.iter().all(|r| r.contains(s)))
            .cloned()
            .collect()
    }

    fn same_name(&self, a: Col, b: Col) -> bool {
        let name = |c: Col| self.know.names.column(c.0, c.1).map(|c| &c.stems);
        name(a).is_some() && name(a) == name(b)
    }

    /// The column named beside a value: `citizenship is France`, `city Aberdeen`, `the 'PPT' type code`.
    fn column_near_value(&self, at: usize) -> Option<(Col, Vec<usize>)> {
        let mut back = at;
        for _ in 0..8 {
            let Some(previous) = back.checked_sub(1) else {
                break;
            };
            back = previous;
            match self.role(back) {
                Some(
                    Role::Filler
                    | Role::Be
                    | Role::Named
                    | Role::Prep
                    | Role::Not
                    | Role::Of
                    | Role::Either
                    | Role::Or
                    | Role::Compare(..)
                    | Role::Have
                    | Role::Any
                    | Role::Both,
                ) => continue,
                Some(Role::And) => continue,
                Some(_) => break,
                None => {}
            }
            let Some(token) = self.token(back) else { break };
            if matches!(token.tag, Tag::Quoted(_) | Tag::Number(_))
                || (token.is_value() && self.is_used(back))
            {
                continue;
            }
            if matches!(token.tag, Tag::Unknown { .. }) {
                continue;
            }
            let beside = self.adjacent_to_value(back, at);
            if self.is_used(back)
                && !beside
                && matches!(self.token(at).map(|t| &t.tag), Some(Tag::Number(_)))
            {
                break;
            }
            if token.column_score() > 0.6
                && (!self.in_select(back) || beside)
                && let Some((column, _)) = self.column_for_value(back, at)
                && !(self.in_select(back) && self.is_elsewhere(at, column))
            {
                let mut spent = vec![back];
                if let Some((_, owner)) = self.owner_before(back) {
                    spent.push(owner);
                }
                return Some((column, spent));
            }
            break;
        }
        self.column_behind_value(at)
    }

    /// `the PPT type code`: the column's name behind its value.
    fn column_behind_value(&self, at: usize) -> Option<(Col, Vec<usize>)> {
        let ahead = self.skip(at + 1, &[]);
        let next = self.token(ahead)?;
        if ahead == at + 1
            && !self.is_used(ahead)
            && next.column_score() > 0.85
            && next.table().is_none_or(|(_, s)| s < next.column_score())
        {
            let (column, _) = self.column_for_value(ahead, at)?;
            let holds = self
                .token(at)?
                .stored()
                .any(|(t, c, _, _)| (t, c) == column);
            return holds.then(|| (column, vec![ahead]));
        }
        None
    }

    /// The value is stored, but not in that column: "what country is Acme in".
    fn is_elsewhere(&self, value: usize, column: Col) -> bool {
        self.token(value).is_some_and(|t| {
            t.value_score() > 0.9 && !t.stored().any(|(t, c, _, _)| (t, c) == column)
        })
    }

    fn adjacent_to_value(&self, from: usize, to: usize) -> bool {
        use Comparison::{Equal, NotEqual};
        (from + 1..to).all(|i| {
            matches!(
                self.role(i),
                Some(
                    Role::Filler
                        | Role::Named
                        | Role::Be
                        | Role::Not
                        | Role::Compare(Equal | NotEqual, _)
                )
            )
        })
    }

    /// The column for a mention beside a value: one that holds the value goes first.
    fn column_for_value(&self, mention: usize, value: usize) -> Option<(Col, f32)> {
        let token = self.token(value)?;
        let holding = self
            .token(mention)?
            .columns()
            .filter(|(t, c, s)| {
                *s > 0.6 && token.stored().any(|(vt, vc, _, _)| (vt, vc) == (*t, *c))
            })
            .max_by(|a, b| (a.2 + self.closeness(a.0)).total_cmp(&(b.2 + self.closeness(b.0))))
            .map(|(t, c, s)| ((t, c), s));
        holding.or_else(|| self.column_at(mention, Want::Any))
    }

    fn number_filter(&mut self, at: usize, number: &str, negated: bool) {
        let next = self.skip(at + 1, &[Role::Distinct]);
        let op = if negated {
            Comparison::NotEqual
        } else {
            Comparison::Equal
        };
        let mut spent = vec![at];
        let yearly = number.len() == 4
            && self
                .before(at, &[Role::Of])
                .is_some_and(|b| matches!(self.role(b), Some(Role::Prep | Role::Or | Role::And)));
        let column = if yearly && let Some(column) = self.time_column(at) {
            self.take_time_word(at, column, &mut spent);
            Some(column)
        } else if let Some((column, tokens)) = self.column_near_value(at)
            && (self.numeric(column)
                || self.is_time(column)
                || self
                    .token(at)
                    .is_some_and(|t| t.stored().any(|(t, c, _, _)| (t, c) == column)))
        {
            spent.extend(tokens);
            Some(column)
        } else if !self.is_used(next)
            && let Some(token) = self.token(next)
            && token.column_score() > 0.7
            && token.table().is_none_or(|(_, s)| s < token.column_score())
            && let Some((column, _)) = self.column_at(next, Want::Number)
            && self.numeric(column)
            && !self.is_key(column)
        {
            spent.push(next);
            Some(column)
        } else if let Some((table, score)) = self.token(next).and_then(|t| t.table())
            && score > 0.8
            && number.len() < 4
        {
            self.draft.having.push(Having {
                by: Measure::CountOf(table),
                op,
                number: number.to_owned(),
                to: None,
            });
            self.use_up(at);
            self.use_up(next);
            return;
        } else if number.len() == 4 && !number.contains('.') {
            self.time_column(at)
        } else {
            None
        };
        let Some(column) = column else {
            if self.token(at).is_some_and(|t| t.is_value()) {
                self.draft.score *= 0.85;
                self.value_filter(at, negated);
            }
            return;
        };
        self.push_equal(at, column, op, number, negated, spent);
    }

    fn push_equal(
        &mut self,
        at: usize,
        column: Col,
        op: Comparison,
        number: &str,
        negated: bool,
        spent: Vec<usize>,
    ) {
        let test = if self.holds_dates(column) && number.len() == 4 {
            Test::Year(op, number.to_owned())
        } else if let Some(text) = self.stored_number(at, column) {
            self.push_filter(at, column, Test::Is(vec![text]), negated);
            spent.into_iter().for_each(|t| self.use_up(t));
            return;
        } else {
            Test::Number(op, number.to_owned())
        };
        self.push_filter(at, column, test, false);
        spent.into_iter().for_each(|t| self.use_up(t));
    }

    /// `in year 2014`, `opened in 2010`: the word that named the column.
    fn take_time_word(&self, at: usize, column: Col, spent: &mut Vec<usize>) {
        for back in at.saturating_sub(4)..at {
            let named = self
                .token(back)
                .is_some_and(|t| t.columns().any(|(t, c, s)| (t, c) == column && s > 0.6));
            if named && !self.in_select(back) {
                spent.push(back);
            }
        }
    }

    /// The text that is stored where a column without a type holds numbers as text.
    fn stored_number(&self, at: usize, column: Col) -> Option<String> {
        let declared = self.know.names.column(column.0, column.1)?.kind;
        if declared == crate::link::names::ColumnKind::Number {
            return None;
        }
        self.token(at)?
            .stored()
            .find(|(t, c, _, _)| (*t, *c) == column)
            .map(|(_, _, text, _)| text.to_owned())
    }

    pub(super) fn push_filter(&mut self, at: usize, column: Col, test: Test, negated: bool) {
        self.draft.filters.push(Filter {
            at,
            column,
            test,
            negated,
            or: false,
        });
    }
}
