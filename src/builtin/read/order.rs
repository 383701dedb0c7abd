//! Ordering and extremes: "sorted by age", "the oldest", "with the most orders", "top 3".

use super::Reader;
use super::resolve::Want;
use crate::builtin::draft::{Item, Key, Measure, Sort};
use crate::builtin::lexicon::{Extreme, Hint, Role};
use crate::builtin::plan::Aggregate;
use crate::builtin::token::Tag;

impl Reader<'_> {
    /// Takes a clause that only orders the rows.
    pub(super) fn read_order(&mut self) {
        let starts = |role: Option<Role>| {
            matches!(
                role,
                Some(Role::OrderBy | Role::Direction { .. } | Role::Alphabetical)
            )
        };
        let Some(from) =
            (0..self.tokens.len()).find(|at| starts(self.role(*at)) && !self.is_used(*at))
        else {
            return;
        };
        let mut descending = false;
        let mut turned = false;
        let mut at = from;
        let mut measure: Option<Measure> = None;
        let mut count = false;
        let mut aggregate = None;
        while at < self.tokens.len() {
            match self.role(at) {
                Some(Role::Direction { descending: down }) => {
                    descending = down;
                    self.use_up(at);
                }
                Some(Role::OrderBy | Role::Alphabetical) => self.use_up(at),
                Some(Role::Extreme(e)) if measure.is_some() => {
                    if !turned {
                        descending = e.descending;
                    }
                    turned = true;
                    self.use_up(at);
                }
                Some(Role::NumberOf) => {
                    count = true;
                    self.use_up(at);
                }
                Some(Role::Aggregate(function)) => {
                    aggregate = Some(function);
                    self.use_up(at);
                }
                Some(Role::Lead | Role::HowMany | Role::Which) => break,
                Some(Role::Comma | Role::And) if measure.is_some() => break,
                Some(_) => {}
                None if measure.is_none() && self.is_mention(at) => {
                    measure = self.order_key(at, count, aggregate);
                }
                None => {
                    if self.owner_of_key(at) {
                        self.use_up(at);
                    }
                }
            }
            at += 1;
        }
        self.push_order(measure, descending);
    }

    /// `by the name of the teacher`: the table behind the key belongs to it.
    fn owner_of_key(&self, at: usize) -> bool {
        self.token(at)
            .and_then(crate::builtin::token::Token::table)
            .is_some_and(|(t, score)| score > 0.8 && (self.named.contains(&t)))
    }

    pub(super) fn order_key(
        &mut self,
        at: usize,
        count: bool,
        aggregate: Option<Aggregate>,
    ) -> Option<Measure> {
        let token = self.token(at)?;
        if count && let Some((table, _)) = token.table() {
            self.use_up(at);
            return Some(Measure::CountOf(table));
        }
        // `of the teacher's name`: the table only says whose column comes next.
        let at = if self.owns_next(at) {
            self.use_up(at);
            self.skip(at + 1, &[])
        } else {
            at
        };
        let (column, _) = self.column_at(at, Want::Any)?;
        if let Some((_, owner)) = self.owner_after(at).or_else(|| self.owner_before(at)) {
            self.use_up(owner);
        }
        self.use_up(at);
        Some(match aggregate {
            Some(function) => Measure::Aggregate(function, column),
            None => Measure::Column(column),
        })
    }

    fn push_order(&mut self, measure: Option<Measure>, descending: bool) {
        self.draft.order.push(Sort {
            by: measure.unwrap_or(Measure::FirstItem),
            descending,
        });
    }

    /// Takes superlatives.
    pub(super) fn read_extremes(&mut self) {
        self.read_top();
        for at in 0..self.tokens.len() {
            if self.is_used(at) {
                continue;
            }
            match self.role(at) {
                Some(Role::Extreme(extreme)) => self.extreme(at, extreme),
                Some(Role::Frequency { descending }) => self.frequency(at, descending),
                Some(Role::Aggregate(f)) if !self.in_select(at) => {
                    let descending = match f {
                        Aggregate::Maximum => true,
                        Aggregate::Minimum => false,
                        _ => continue,
                    };
                    if self.after_comparison(at) {
                        continue;
                    }
                    self.extreme(
                        at,
                        Extreme {
                            descending,
                            hint: Hint::None,
                        },
                    );
                }
                _ => {}
            }
        }
    }

    /// `top 10 countries with the most …`, `which 5 products have the highest …`: the number is how many
    /// rows to return.
    fn read_top(&mut self) {
        for at in 0..self.tokens.len() {
            let next = self.skip(at + 1, &[]);
            let top = self.role(at) == Some(Role::Top);
            let asks = matches!(self.role(at), Some(Role::Lead | Role::Which))
                && self
                    .token(self.skip(next + 1, &[]))
                    .is_some_and(|t| t.table().is_some());
            if (top || asks)
                && let Some(Tag::Number(n)) = self.token(next).map(|t| &t.tag)
                && let Ok(limit) = n.parse::<u64>()
                && self
                    .tokens
                    .iter()
                    .skip(if top { 0 } else { next })
                    .any(|t| matches!(t.role(), Some(Role::Extreme(_) | Role::Frequency { .. })))
                && !matches!(self.role(next + 1), Some(Role::Extreme(_)))
            {
                self.draft.limit = Some(limit);
                if top {
                    self.use_up(at);
                }
                self.use_up(next);
            }
        }
    }

    /// `more than the highest …` is a nested comparison, not an order.
    pub(super) fn after_comparison(&self, at: usize) -> bool {
        self.before(at, &[Role::Of, Role::Prep, Role::Any])
            .is_some_and(|b| matches!(self.role(b), Some(Role::Compare(..))))
    }

    fn extreme(&mut self, at: usize, extreme: Extreme) {
        if self.after_comparison(at) || !self.draft.order.is_empty() {
            return;
        }
        let mut next = self.skip(at + 1, &[Role::Of, Role::Distinct]);
        let mut aggregate = None;
        let mut spent = vec![at];
        while let Some(role) = self.role(next) {
            match role {
                Role::NumberOf => {}
                Role::Aggregate(f) => aggregate = Some(f),
                _ => break,
            }
            spent.push(next);
            next = self.skip(next + 1, &[Role::Of, Role::Distinct]);
        }
        self.read_limit(at, &mut spent, &mut next);
        self.to_head_noun(&mut next, &mut spent);
        if self
            .token(next)
            .is_some_and(|t| t.value_score() > t.column_score() && t.table().is_none())
            && self.is_mention(next + 1)
        {
            // "the most operational plants": a condition in front of the noun.
            next += 1;
        }
        let Some(sort) = self.extreme_key(at, next, extreme, aggregate, &mut spent) else {
            return;
        };
        for token in spent {
            self.use_up(token);
        }
        if let Sort {
            by: Measure::Column(column),
            descending,
        } = sort
            && self.is_plain_value(at, next)
        {
            let function = if descending {
                Aggregate::Maximum
            } else {
                Aggregate::Minimum
            };
            self.draft.items.push(Item::Aggregate(function, column));
            return;
        }
        if let Measure::Column(column) = sort.by
            && self.is_asked_for(at, next)
        {
            self.draft.items.push(Item::Column(column));
        }
        self.draft.order.push(sort);
        if self.draft.limit.is_none() {
            self.draft.limit = Some(1);
        }
    }

    /// `the smallest size and its colour`: the extreme value stands first in what to return.
    fn is_asked_for(&self, at: usize, next: usize) -> bool {
        self.in_select(at)
            && self
                .token(next)
                .is_some_and(|t| t.column_score() > 0.6 && t.table().is_none())
            && self
                .before(at, &[])
                .is_none_or(|b| matches!(self.role(b), Some(Role::Lead)))
            && (next + 1..self.tokens.len()).any(|i| {
                self.in_select(i)
                    && !self.is_used(i)
                    && self.token(i).is_some_and(|t| t.column_score() > 0.7)
            })
    }

    /// `what is the highest price`: only the value is asked for.
    fn is_plain_value(&self, at: usize, next: usize) -> bool {
        if !self.in_select(at) || self.draft.limit.is_some() {
            return false;
        }
        let leads = self.before(at, &[]).is_none_or(|b| {
            matches!(
                self.role(b),
                Some(Role::Lead | Role::And | Role::Comma | Role::HowMuch)
            )
        });
        let others = (0..self.tokens.len()).any(|i| {
            i != next
                && self.in_select(i)
                && !self.is_used(i)
                && self
                    .token(i)
                    .is_some_and(|t| t.column_score() > 0.7 && t.table().is_none())
        });
        leads && !others && self.token(next).is_some_and(|t| t.column_score() > 0.0)
    }

    /// `most common singer citizenship`: a table's noun before the column that is meant.
    fn to_head_noun(&self, at: &mut usize, spent: &mut Vec<usize>) {
        let next = *at + 1;
        let Some((table, _)) = self.token(*at).and_then(|t| t.table()) else {
            return;
        };
        let head = self.token(next).is_some_and(|n| {
            n.columns().any(|(t, _, s)| t == table && s > 0.8)
                && n.table().is_none_or(|(_, s)| s < n.column_score())
        });
        if head && !self.is_used(next) && !self.is_verb(next) {
            spent.push(*at);
            *at = next;
        }
    }

    /// `top 3`, `the 3 oldest`, `3 highest`.
    fn read_limit(&mut self, at: usize, spent: &mut Vec<usize>, next: &mut usize) {
        let number = |i: usize| match self.token(i).map(|t| &t.tag) {
            Some(Tag::Number(n)) => n.parse::<u64>().ok().filter(|n| *n < 1_000),
            _ => None,
        };
        if let Some(limit) = number(*next) {
            self.draft.limit = Some(limit);
            spent.push(*next);
            *next = self.skip(*next + 1, &[]);
        } else if let Some(before) = self.before(at, &[])
            && let Some(limit) = number(before)
        {
            self.draft.limit = Some(limit);
            spent.push(before);
            if let Some(top) = self.before(before, &[])
                && self.role(top) == Some(Role::Top)
            {
                spent.push(top);
            }
        }
    }

    fn extreme_key(
        &self,
        at: usize,
        next: usize,
        extreme: Extreme,
        aggregate: Option<Aggregate>,
        spent: &mut Vec<usize>,
    ) -> Option<Sort> {
        let descending = extreme.descending;
        if let Some(by) = self.key_in_front(at) {
            let (measure, token) = by;
            spent.push(token);
            if matches!(measure, Measure::Aggregate(..)) {
                spent.extend(self.before(token, &[Role::Of]));
            }
            return Some(Sort {
                by: measure,
                descending,
            });
        }
        let token = self.token(next);
        let table = token.and_then(|t| t.table()).filter(|(_, s)| *s > 0.8);
        let column = self.column_at(next, Want::Number);
        let is_key = column.is_some_and(|((t, c), _)| {
            self.know
                .names
                .column(t, c)
                .is_some_and(|c| c.primary && !c.foreign)
        });
        if let (Some(((t, _), _)), true) = (
            column,
            is_key && extreme.hint == Hint::None && table.is_none(),
        ) {
            // Nobody asks for the largest key: rows are counted.
            spent.push(next);
            return Some(Sort {
                by: Measure::CountOf(t),
                descending,
            });
        }
        let column_fits = column.is_some_and(|(_, s)| s > 0.6) && !is_key;
        if let (Some((column, _)), true) = (column, column_fits)
            && (self.numeric(column)
                || (self.is_time(column)
                    && (extreme.hint != Hint::None || column_score(token) > 0.9)))
            && (table.is_none_or(|(_, s)| s < column_score(token)) || extreme.hint != Hint::None)
            && (extreme.hint == Hint::None || self.is_time(column))
        {
            spent.push(next);
            if let Some((_, owner)) = self.owner_before(next) {
                spent.push(owner);
            }
            let by = match aggregate {
                Some(function) => Measure::Aggregate(function, column),
                None => Measure::Column(column),
            };
            return Some(Sort { by, descending });
        }
        self.hint_or_count(next, extreme, table.map(|(t, _)| t), spent)
    }

    /// The column that the adjective speaks of, else how many rows of the table there are.
    fn hint_or_count(
        &self,
        next: usize,
        extreme: Extreme,
        table: Option<usize>,
        spent: &mut Vec<usize>,
    ) -> Option<Sort> {
        let descending = extreme.descending;
        if extreme.hint != Hint::None {
            let (column, flips) = table
                .and_then(|t| self.hinted_in(t, extreme.hint))
                .or_else(|| self.hinted(extreme.hint))?;
            return Some(Sort {
                by: Measure::Column(column),
                descending: descending != flips,
            });
        }
        let table = table?;
        spent.push(next);
        Some(Sort {
            by: Measure::CountOf(table),
            descending,
        })
    }

    /// `which model is the most popular`: the column returned is what is counted.
    fn column_before(&self, at: usize) -> Option<crate::builtin::draft::Col> {
        (0..at)
            .rev()
            .filter(|i| self.in_select(*i) && !self.is_used(*i))
            .find(|i| {
                self.token(*i).is_some_and(|t| {
                    t.column_score() > 0.8 && t.table().is_none_or(|(_, s)| s < t.column_score())
                })
            })
            .and_then(|i| self.column_at(i, Want::Any))
            .map(|(column, _)| column)
            .filter(|c| self.label(c.0) != Some(c.1))
    }

    /// In Chinese the key stands in front: "工资最高的员工", "员工最多的部门".
    fn key_in_front(&self, at: usize) -> Option<(Measure, usize)> {
        let cjk = self.token(at)?.text.chars().any(crate::link::fuzzy::is_cjk);
        let front = self.before(at, &[]).filter(|_| cjk)?;
        let token = self.token(front)?;
        match token.table() {
            Some((t, score)) if score > 0.8 && score >= token.column_score() => {
                (Some(t) != self.draft.focus).then_some((Measure::CountOf(t), front))
            }
            _ => {
                let (column, score) = self.column_at(front, Want::Number)?;
                let function = self.before(front, &[Role::Of]).and_then(|b| self.role(b));
                let measure = match function {
                    Some(Role::Aggregate(function)) => Measure::Aggregate(function, column),
                    _ => Measure::Column(column),
                };
                (score > 0.6 && self.numeric(column)).then_some((measure, front))
            }
        }
    }

    /// `the most common city`, `visited most often`.
    fn frequency(&mut self, at: usize, descending: bool) {
        let next = self.skip(at + 1, &[Role::Of, Role::Distinct]);
        let sort = |table| Sort {
            by: Measure::CountOf(table),
            descending,
        };
        let mut spent = vec![at];
        let mut after = next;
        self.read_limit(at, &mut spent, &mut after);
        self.to_head_noun(&mut after, &mut spent);
        if let Some((column, _)) = self.column_at(after, Want::Any)
            && self.token(after).is_some_and(|t| t.column_score() > 0.6)
        {
            spent.push(after);
            if let Some((_, owner)) = self.owner_before(after) {
                spent.push(owner);
            }
            self.draft.items.push(Item::Column(column));
            self.draft.groups.push(Key::Column(column));
            self.draft.order.push(sort(column.0));
        } else if let Some(column) = self.column_before(at) {
            self.draft.groups.push(Key::Column(column));
            self.draft.order.push(sort(column.0));
        } else if let Some(focus) = self.draft.focus {
            // The thing is counted in the table that speaks of it: one step away, named by a verb.
            let verb = (0..at)
                .rev()
                .filter_map(|i| self.token(i).and_then(|t| t.table()))
                .find(|(t, _)| *t != focus && self.steps.get(*t) == Some(&1));
            let Some((table, _)) = verb else { return };
            self.draft.groups.push(Key::Table(focus));
            self.draft.order.push(sort(table));
        } else {
            return;
        }
        for token in spent {
            self.use_up(token);
        }
        if self.draft.limit.is_none() {
            self.draft.limit = Some(1);
        }
    }
}

fn column_score(token: Option<&crate::builtin::token::Token>) -> f32 {
    token.map_or(0.0, crate::builtin::token::Token::column_score)
}
