//! Reads a tagged question into a draft. Each pass takes what it understands and marks its tokens as used;
//! what is left over at the end costs score. Knows tags, names, values and joins; prints nothing.

mod absence;
mod chinese;
mod combine;
mod compare;
mod counts;
mod doubt;
mod filters;
mod items;
mod leftover;
mod order;
mod patterns;
mod resolve;

use super::draft::Draft;
use super::lexicon::Role;
use super::token::{Tag, Token};
use crate::link::joins::JoinGraph;
use crate::link::names::Names;
use crate::link::values::ValueIndex;
use std::collections::BTreeSet;

/// What a reading may look at.
#[derive(Debug, Clone, Copy)]
pub struct Knowledge<'a> {
    pub names: &'a Names,
    pub graph: &'a JoinGraph,
    pub values: &'a ValueIndex,
}

/// Reads the question. The draft's score says how much of it was understood.
#[must_use]
pub fn read(tokens: &[Token], know: Knowledge) -> Draft {
    let mut reader = Reader::new(tokens, know);
    reader.find_focus();
    reader.read_chinese_order();
    reader.read_order();
    reader.read_extremes();
    reader.read_chinese_top();
    reader.read_groups();
    reader.read_absence();
    reader.read_comparisons();
    reader.read_values();
    reader.read_items();
    reader.join_filters();
    reader.note_doubts();
    reader.count_left_over();
    reader.draft
}

pub(super) struct Reader<'a> {
    pub tokens: &'a [Token],
    pub used: Vec<bool>,
    /// Whether a token stands where the question says what to return.
    pub select: Vec<bool>,
    pub know: Knowledge<'a>,
    pub draft: Draft,
    /// Tables named anywhere.
    pub named: BTreeSet<usize>,
    /// Joined steps from the focus to each table.
    pub steps: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(tokens: &'a [Token], know: Knowledge<'a>) -> Self {
        let mut reader = Self {
            tokens,
            used: vec![false; tokens.len()],
            select: Vec::new(),
            know,
            draft: Draft {
                score: 1.0,
                ..Draft::default()
            },
            named: BTreeSet::new(),
            steps: vec![0; know.names.tables.len()],
        };
        reader.select = reader.regions();
        reader.named = tokens
            .iter()
            .filter_map(Token::table)
            .filter(|(_, score)| *score > 0.85)
            .map(|(t, _)| t)
            .collect();
        reader
    }

    pub(super) fn role(&self, at: usize) -> Option<Role> {
        self.tokens.get(at).and_then(Token::role)
    }

    pub(super) fn token(&self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at)
    }

    pub(super) fn use_up(&mut self, at: usize) {
        if let Some(used) = self.used.get_mut(at) {
            *used = true;
        }
    }

    pub(super) fn is_used(&self, at: usize) -> bool {
        self.used.get(at).copied().unwrap_or(true)
    }

    pub(super) fn in_select(&self, at: usize) -> bool {
        self.select.get(at).copied().unwrap_or(false)
    }

    pub(super) fn is_mention(&self, at: usize) -> bool {
        matches!(self.token(at).map(|t| &t.tag), Some(Tag::Mention(_)))
    }

    /// The next token that is no filler, from `at` on.
    pub(super) fn skip(&self, mut at: usize, skipped: &[Role]) -> usize {
        while let Some(role) = self.role(at) {
            if role != Role::Filler && !skipped.contains(&role) {
                break;
            }
            at += 1;
        }
        at
    }

    /// The token before `at` that is no filler.
    pub(super) fn before(&self, at: usize, skipped: &[Role]) -> Option<usize> {
        let mut at = at;
        while let Some(previous) = at.checked_sub(1) {
            match self.role(previous) {
                Some(role) if role == Role::Filler || skipped.contains(&role) => at = previous,
                _ => return Some(previous),
            }
        }
        None
    }

    /// Marks the tokens that say what to return.
    fn regions(&self) -> Vec<bool> {
        let mut out = Vec::with_capacity(self.tokens.len());
        // "For the cars with 4 doors, which …": a condition stands in front.
        let mut select = !matches!(
            self.role(self.skip(0, &[])),
            Some(Role::Prep | Role::Clause | Role::Of)
        );
        let (mut mentions, mut counts) = (0, false);
        for (at, token) in self.tokens.iter().enumerate() {
            let opens = self.before(at, &[]).is_none_or(|b| {
                matches!(
                    self.role(b),
                    Some(Role::Comma | Role::And | Role::Lead | Role::Prep)
                )
            });
            match token.role() {
                Some(role @ (Role::Lead | Role::HowMany | Role::HowMuch)) => {
                    select = true;
                    mentions = 0;
                    counts = role == Role::HowMany;
                }
                Some(Role::Which | Role::Who | Role::When | Role::Where) => {
                    select = opens;
                    mentions = 0;
                }
                Some(Role::NumberOf | Role::Aggregate(_)) if opens => select = true,
                Some(
                    Role::Clause
                    | Role::Whose
                    | Role::Without
                    | Role::Not
                    | Role::Between
                    | Role::Like(_)
                    | Role::Named
                    | Role::OrderBy
                    | Role::Compare(..),
                ) => select = false,
                Some(Role::Prep | Role::Have | Role::Be | Role::Do) if mentions > 0 => {
                    select = false
                }
                _ => {}
            }
            // "how many teams offer training": what is counted was named, a verb follows.
            if counts && mentions > 0 && matches!(token.tag, Tag::Unknown { .. }) {
                select = false;
            }
            if matches!(token.tag, Tag::Mention(_)) {
                mentions += 1;
            }
            out.push(select);
        }
        out
    }

    /// The table that the question is about.
    fn find_focus(&mut self) {
        let table_at = |at: usize| {
            let token = self.tokens.get(at)?;
            let (t, score) = token.table()?;
            let column = token.column_score();
            (score > 0.8 && score + 0.12 >= column).then_some(t)
        };
        let after_each = |at: usize| {
            self.before(at, &[])
                .is_some_and(|b| self.role(b) == Some(Role::Each))
        };
        let all = 0..self.tokens.len();
        let first_select = all
            .clone()
            .filter(|at| self.in_select(*at) && !after_each(*at))
            .find_map(table_at);
        let negation = all
            .clone()
            .find(|at| matches!(self.role(*at), Some(Role::Not | Role::Without)))
            .unwrap_or(self.tokens.len());
        let anywhere = all
            .clone()
            .filter(|at| !after_each(*at) && *at < negation)
            .find_map(table_at)
            .or_else(|| all.clone().filter(|at| *at < negation).find_map(table_at));
        let chinese = if self.is_chinese() {
            self.chinese_focus(&table_at)
        } else {
            None
        };
        let first_select = match chinese {
            Some(head) => table_at(head),
            None => first_select,
        };
        let by_columns = || self.table_of_columns(negation);
        self.draft.focus = first_select.or(anywhere).or_else(by_columns);
        if let Some(head) = chinese {
            self.select_from(head);
        }
        if let Some(focus) = self.draft.focus {
            self.steps = self.know.graph.steps(focus, self.know.names.tables.len());
        }
    }

    /// The table that holds most of the columns and values named.
    fn table_of_columns(&self, end: usize) -> Option<usize> {
        let mut scores = vec![0.0_f32; self.know.names.tables.len()];
        for token in self.tokens.iter().take(end) {
            let mut best = vec![0.0_f32; scores.len()];
            let columns = token.columns().map(|(t, _, s)| (t, s));
            let stored = token.stored().map(|(t, _, _, s)| (t, s));
            for (t, score) in columns.chain(stored) {
                if let Some(slot) = best.get_mut(t) {
                    *slot = slot.max(score);
                }
            }
            for (sum, score) in scores.iter_mut().zip(best) {
                *sum += score;
            }
        }
        scores
            .iter()
            .enumerate()
            .filter(|(_, s)| **s > 0.0)
            .max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)))
            .map(|(t, _)| t)
    }
}
