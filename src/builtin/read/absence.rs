//! What is not there: "singers without songs", "students who never enrolled", "do not have any".

use super::Reader;
use crate::builtin::draft::Absent;
use crate::builtin::lexicon::Role;

impl Reader<'_> {
    /// Takes negations that are about rows of another table. Others stay for the comparisons.
    pub(super) fn read_absence(&mut self) {
        for at in 0..self.tokens.len() {
            if !matches!(self.role(at), Some(Role::Not | Role::Without)) || self.is_used(at) {
                continue;
            }
            let Some(focus) = self.draft.focus else {
                return;
            };
            let next = self.skip(at + 1, &[Role::Be, Role::Have, Role::Any, Role::Do]);
            if matches!(
                self.role(next),
                Some(Role::Compare(..) | Role::Like(_) | Role::Between | Role::Null { .. })
            ) {
                continue;
            }
            let found = self.absent_tables(next, focus);
            if found.is_empty() {
                continue;
            }
            let mut tables: Vec<usize> = Vec::new();
            for (token, table) in &found {
                self.use_up(*token);
                if !tables.contains(table) {
                    tables.push(*table);
                }
            }
            for between in at..next {
                if matches!(
                    self.role(between),
                    Some(Role::Not | Role::Without | Role::Any)
                ) {
                    self.use_up(between);
                }
            }
            self.use_up(at);
            self.draft.absent.push(Absent {
                at,
                tables,
                filters: Vec::new(),
            });
        }
    }

    /// Tables named right behind the negation: by noun or, weaker, by verb.
    fn absent_tables(&self, from: usize, focus: usize) -> Vec<(usize, usize)> {
        let mut strong: Vec<(usize, usize)> = Vec::new();
        let mut weak: Vec<(usize, usize)> = Vec::new();
        for at in from..self.tokens.len().min(from + 7) {
            match self.role(at) {
                Some(
                    Role::And
                    | Role::Or
                    | Role::Comma
                    | Role::OrderBy
                    | Role::Compare(..)
                    | Role::Lead,
                ) => break,
                Some(_) => continue,
                None => {}
            }
            let Some(token) = self.token(at) else { break };
            if token.is_value() && token.value_score() > 0.9 && token.table().is_none() {
                break;
            }
            let Some((table, score)) = token.table() else {
                continue;
            };
            let steps = self.steps.get(table).copied().unwrap_or(9);
            if table == focus || steps > 3 {
                if table == focus && at == from {
                    continue;
                }
                continue;
            }
            if score > 0.85 {
                strong.push((at, table));
            } else {
                weak.push((at, table));
            }
        }
        if strong.is_empty() { weak } else { strong }
    }
}
