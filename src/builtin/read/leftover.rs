//! What was not understood costs score: a forgotten condition gives a wrong answer that looks right.

use super::Reader;
use crate::builtin::lexicon::Role;
use crate::builtin::token::{Tag, Target, Token};

impl Reader<'_> {
    pub(super) fn count_left_over(&mut self) {
        let mut counted: Vec<usize> = self
            .draft
            .having
            .iter()
            .filter_map(|h| match h.by {
                crate::builtin::draft::Measure::CountOf(t) => Some(t),
                _ => None,
            })
            .collect();
        counted.dedup();
        let figures = self.draft.items.iter().all(|i| {
            !matches!(
                i,
                crate::builtin::draft::Item::Column(_) | crate::builtin::draft::Item::Label(_)
            )
        });
        if figures && !self.draft.both.is_empty() {
            // Two figures have no rows in common.
            self.draft.score *= 0.4;
        }
        let rows =
            |i: &&crate::builtin::draft::Item| matches!(i, crate::builtin::draft::Item::Label(_));
        if self.draft.items.iter().filter(rows).count() > 1 && self.draft.groups.is_empty() {
            // "X and Y" may be pairs, or one list after the other.
            self.draft.score *= 0.69;
        }
        if counted.len() > 1 {
            // One join counts pairs, not each side.
            self.draft.score *= 0.4;
        }
        for at in 0..self.tokens.len() {
            if self.is_used(at) {
                continue;
            }
            let Some(token) = self.token(at) else { break };
            let cost = match &token.tag {
                Tag::Role(Role::Where | Role::When) if !self.in_select(at) => 1.0,
                Tag::Role(Role::Each) if self.repeats_group(at) => 0.98,
                Tag::Role(role) => role_cost(*role),
                Tag::Number(_) => 0.35,
                Tag::Quoted(_) => 0.2,
                Tag::Unknown { light } => self.unknown_cost(at, *light),
                Tag::Mention(_) if self.is_verb(at) && !token.is_value() => 0.95,
                Tag::Mention(_) => self.mention_cost(token),
            };
            if cost < 0.95 {
                self.draft.left_over.push(token.text.clone());
            }
            self.draft.score *= cost;
        }
    }

    /// "…, and the number of templates for each": the columns beside the figure are the groups.
    fn repeats_group(&self, at: usize) -> bool {
        use crate::builtin::draft::Item;
        let shown = |i: &Item| matches!(i, Item::Column(_) | Item::Label(_));
        let items = &self.draft.items;
        let mixed = items.iter().any(shown) && !items.iter().all(shown);
        let next = self.skip(at + 1, &[Role::Comma, Role::Of]);
        mixed
            && (next >= self.tokens.len()
                || self
                    .token(next)
                    .is_some_and(|t| matches!(t.tag, Tag::Unknown { .. }) || t.role().is_some()))
    }

    fn unknown_cost(&self, at: usize, light: bool) -> f32 {
        let Some(token) = self.token(at) else {
            return 1.0;
        };
        let next = self.token(at + 1);
        // A word right before a noun narrows it down: without it the rows are too many.
        let narrows = next.is_some_and(|n| {
            matches!(n.tag, Tag::Mention(_))
                && n.table().map_or(0.0, |t| t.1).max(n.column_score()) > 0.7
        });
        if narrows && !light && token.text.chars().count() > 2 && !self.is_after_noun(at) {
            return 0.6;
        }
        let mut letters = token.text.chars();
        let capital = letters.next().is_some_and(char::is_uppercase);
        if token.text.chars().count() <= 1 && !token.text.chars().any(crate::link::fuzzy::is_cjk) {
            return 0.95;
        }
        if capital && at > 0 {
            return 0.5;
        }
        if light || token.stem.ends_with("ly") || self.has_happened(at) {
            return 0.97;
        }
        // Verbs often repeat what a join already says.
        let verb = token.text.ends_with("ed") || token.text.ends_with("ing");
        let place = !self.in_select(at)
            && at
                .checked_sub(1)
                .is_some_and(|b| self.role(b) == Some(Role::Prep));
        match (verb, place) {
            (true, _) => 0.88,
            (_, true) => 0.66,
            _ => 0.74,
        }
    }

    /// Behind a noun an unknown word is more likely a verb: "teams train".
    fn is_after_noun(&self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|b| self.is_mention(b) || self.role(b) == Some(Role::Be))
    }

    fn mention_cost(&mut self, token: &Token) -> f32 {
        let tables = self.draft.tables();
        let hidden: Vec<usize> = self
            .draft
            .absent
            .iter()
            .flat_map(|a| a.tables.clone())
            .collect();
        let known = |t: usize| tables.contains(&t) || hidden.contains(&t);
        let table = token.table();
        if let Some((t, _)) = table
            && known(t)
        {
            return 1.0;
        }
        let repeats = token.candidates().iter().any(|c| match c.target {
            Target::Column(t, col) => self.draft.uses((t, col)),
            Target::Value(..) | Target::Table(_) => false,
        });
        if repeats && !token.is_value() {
            return 0.98;
        }
        if let Some((t, score)) = table {
            let reachable = self.steps.get(t).is_some_and(|s| *s < 9);
            let best = score > 0.7 && score > token.column_score();
            if (score > 0.85 || best) && reachable {
                self.draft.involved.insert(t);
                let sure = score > 0.85 && self.draft.absent.is_empty();
                return if sure { 0.88 } else { 0.78 };
            }
            if score <= 0.85 && token.column_score() < 0.8 {
                return 0.93;
            }
        }
        if token.is_value() && token.value_score() >= 0.9 && token.column_score() < 0.9 {
            return 0.45;
        }
        // A column of the focus's own key or table, named once more.
        let weak = token.column_score() < 0.7;
        if weak { 0.88 } else { 0.6 }
    }
}

fn role_cost(role: Role) -> f32 {
    match role {
        Role::Compare(..)
        | Role::Between
        | Role::Not
        | Role::Without
        | Role::Extreme(_)
        | Role::Frequency { .. }
        | Role::Each
        | Role::HowMany
        | Role::OrderBy
        | Role::Direction { .. } => 0.35,
        Role::NumberOf | Role::Aggregate(_) | Role::Like(_) | Role::Null { .. } => 0.5,
        Role::Distinct | Role::When | Role::Where | Role::Top => 0.8,
        Role::Both | Role::Either => 0.85,
        Role::Or => 0.7,
        Role::HowMuch | Role::Everything => 0.7,
        _ => 1.0,
    }
}
