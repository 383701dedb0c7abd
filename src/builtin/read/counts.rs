//! Counts: which rows, or which different values of a column, "how many" speaks of.

use super::Reader;
use super::items::Waiting;
use super::resolve::Want;
use crate::builtin::draft::{Col, Item};
use crate::builtin::lexicon::Role;

impl Reader<'_> {
    pub(super) fn stored_figure(&self, at: usize, waiting: &Waiting) -> bool {
        let next = self.skip(at + 1, &[Role::Of]);
        !waiting.functions.is_empty()
            && self
                .column_at(next, Want::Number)
                .is_some_and(|(c, score)| score > 0.8 && self.numeric(c))
            && self
                .token(next)
                .is_some_and(|t| t.table().is_none_or(|(_, score)| score < t.column_score()))
    }

    /// `list the count and the name`: a figure without a noun of its own.
    pub(super) fn stands_alone(&self, at: usize) -> bool {
        let next = self.skip(at + 1, &[]);
        self.token(at)
            .is_some_and(|t| t.text.eq_ignore_ascii_case("count"))
            && at > 0
            && matches!(self.role(next), Some(Role::And | Role::Comma))
    }

    pub(super) fn count_focus(&mut self, at: usize) {
        self.use_up(at);
        if let Some(focus) = self.draft.focus {
            self.draft.items.push(Item::CountRows(focus));
        }
    }

    pub(super) fn counted(&mut self, at: usize, count: usize, waiting: &mut Waiting) {
        // "how many car models": the last noun is what is counted.
        if self
            .token(at + 1)
            .is_some_and(|n| n.table().is_some_and(|(_, s)| s > 0.8))
            && !self.is_used(at + 1)
            && !self.is_verb(at + 1)
        {
            self.use_up(at);
            self.counted(at + 1, count, waiting);
            return;
        }
        let Some(token) = self.token(at) else { return };
        let table = token.table().filter(|(_, s)| *s > 0.75);
        let column = self.column_at(at, Want::Any).filter(|(_, s)| *s > 0.6);
        let distinct = std::mem::take(&mut waiting.distinct);
        self.use_up(count);
        self.use_up(at);
        match (table, column) {
            (Some((t, score)), column) if column.is_none_or(|(_, s)| s <= score + 0.02) => {
                if self.owns_next(at) {
                    self.used_count_of_column(at, count, distinct);
                } else {
                    self.draft.items.push(Item::CountRows(t));
                }
            }
            (_, Some((column, _))) => self.count_column(column, distinct),
            (Some((t, _)), None) => self.draft.items.push(Item::CountRows(t)),
            (None, None) => {
                // A word that only narrows the noun behind it: that one is counted.
                for token in [count, at] {
                    if let Some(slot) = self.used.get_mut(token) {
                        *slot = false;
                    }
                }
                waiting.count = Some(count);
                waiting.distinct = distinct;
            }
        }
    }

    /// `how many student ids`: the column behind the table is counted.
    fn used_count_of_column(&mut self, at: usize, _count: usize, distinct: bool) {
        let next = self.skip(at + 1, &[]);
        if let Some((column, _)) = self.column_at(next, Want::Any) {
            self.use_up(next);
            self.count_column(column, distinct);
        }
    }

    /// A stored number is returned; other columns are counted by their different values.
    fn count_column(&mut self, column: Col, distinct: bool) {
        let key = self
            .know
            .names
            .column(column.0, column.1)
            .is_some_and(|c| c.primary && !c.foreign);
        let item = if key && !distinct {
            Item::CountRows(column.0)
        } else if self.numeric(column) && !distinct {
            Item::Column(column)
        } else {
            Item::CountDistinct(column)
        };
        self.draft.items.push(item);
    }
}
