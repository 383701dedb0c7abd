//! Parts of texts, and what is missing: "contains the word", "starts with", "is unknown".

use super::Reader;
use super::resolve::Want;
use crate::builtin::draft::{Col, Filter, Test};
use crate::builtin::lexicon::Role;
use crate::builtin::plan::Pattern;
use crate::builtin::token::Tag;

impl Reader<'_> {
    pub(super) fn like(&mut self, at: usize, pattern: Pattern) {
        let negated = self.negated(at);
        let next = self.skip(
            at + 1,
            &[Role::Be, Role::Like(Pattern::Contains), Role::Prep],
        );
        // "以王开头": the text stands in front.
        let next = match self.before(at, &[]) {
            Some(before) if self.is_chinese_at(at) && pattern != Pattern::Contains => before,
            _ => next,
        };
        let Some(token) = self.token(next) else {
            return;
        };
        let text = match &token.tag {
            Tag::Quoted(text) | Tag::Number(text) => text.clone(),
            Tag::Unknown { .. } | Tag::Mention(_) => token.text.clone(),
            Tag::Role(_) if token.text.chars().count() <= 2 => token.text.clone(),
            Tag::Role(_) => return,
        };
        let plain = matches!(token.tag, Tag::Mention(_)) && !token.quoted && !token.is_value();
        if plain
            && pattern == Pattern::Contains
            && self.token(at).is_some_and(|t| !t.text.contains(' '))
        {
            return;
        }
        let column = match self.subject_text(at) {
            Some(found) => Some(found),
            None => self
                .draft
                .focus
                .and_then(|f| self.label(f).map(|c| ((f, c), None))),
        };
        let Some((column, spent)) = column else {
            return;
        };
        if let Some(spent) = spent {
            self.use_up(spent);
        }
        for token in at.min(next)..=at.max(next) {
            self.use_up(token);
        }
        self.draft.filters.push(Filter {
            at,
            column,
            test: Test::Like(pattern, text),
            negated,
            or: false,
        });
    }

    fn subject_text(&self, at: usize) -> Option<(Col, Option<usize>)> {
        // "with the word X in its title": the column may come behind.
        let behind = self.skip(at + 1, &[]) + 1;
        for ahead in behind..behind + 4 {
            if let Some(token) = self.token(ahead)
                && token.column_score() > 0.7
                && !self.is_used(ahead)
                && (at + 1..ahead).any(|i| self.role(i) == Some(Role::Prep))
                && let Some((column, _)) = self.column_at(ahead, Want::Any)
            {
                return Some((column, Some(ahead)));
            }
        }
        for back in (at.saturating_sub(6)..at).rev() {
            if matches!(self.role(back), Some(Role::Comma | Role::Lead)) {
                return None;
            }
            let Some(token) = self.token(back) else {
                continue;
            };
            if token.column_score() > 0.6
                && token.table().is_none_or(|(_, s)| s < token.column_score())
                && let Some((column, _)) = self.column_at(back, Want::Any)
            {
                let spent = (!self.in_select(back)).then_some(back);
                return Some((column, spent));
            }
        }
        None
    }

    pub(super) fn null(&mut self, at: usize, negated: bool) {
        let negated = negated || self.negated(at);
        let Some(back) = (at.saturating_sub(4)..at)
            .rev()
            .find(|b| self.token(*b).is_some_and(|t| t.column_score() > 0.6))
        else {
            return;
        };
        let Some((column, _)) = self.column_at(back, Want::Any) else {
            return;
        };
        self.use_up(at);
        self.use_up(back);
        self.draft.filters.push(Filter {
            at,
            column,
            test: Test::Null,
            negated,
            or: false,
        });
    }
}
