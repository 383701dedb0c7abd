//! Comparisons: "older than 20", "more than 3 orders", "between 5 and 10", "above the average".

use super::Reader;
use super::resolve::Want;
use crate::builtin::draft::{Col, Filter, Having, Measure, Test};
use crate::builtin::lexicon::{Hint, Role};
use crate::builtin::plan::{Aggregate, Comparison};
use crate::builtin::token::Tag;

/// What a comparison is made with.
enum Subject {
    Column(Col, Vec<usize>),
    Count(usize, Vec<usize>),
    Aggregate(Aggregate, Col, Vec<usize>),
}

impl Reader<'_> {
    pub(super) fn read_comparisons(&mut self) {
        for at in 0..self.tokens.len() {
            if self.is_used(at) {
                continue;
            }
            match self.role(at) {
                Some(Role::Compare(op, hint)) => self.comparison(at, op, hint),
                Some(Role::Between) => self.between(at, at + 1),
                None if self.chinese_range(at) => self.between(at, at),
                Some(Role::Like(pattern)) => self.like(at, pattern),
                Some(Role::Null { negated }) => self.null(at, negated),
                _ => {}
            }
        }
    }

    pub(super) fn negated(&mut self, at: usize) -> bool {
        let before = self.before(at, &[Role::Be, Role::Have, Role::Do]);
        match before {
            Some(b) if self.role(b) == Some(Role::Not) && !self.is_used(b) => {
                self.use_up(b);
                true
            }
            _ => false,
        }
    }

    fn number_at(&self, at: usize) -> Option<String> {
        match self.token(at).map(|t| &t.tag) {
            Some(Tag::Number(n)) => Some(n.clone()),
            _ => None,
        }
    }

    fn comparison(&mut self, at: usize, op: Comparison, hint: Hint) {
        let negated = self.negated(at);
        let op = if negated { op.negated() } else { op };
        let next = self.skip(at + 1, &[Role::Of, Role::Be, Role::Have]);
        if let Some(number) = self.number_at(next) {
            self.compare_number(at, next, op, hint, &number);
        } else if let Some(before) = self.before(at, &[])
            && let Some(number) = self.number_at(before)
            && (matches!(op, Comparison::GreaterOrEqual | Comparison::LessOrEqual)
                || (self.is_chinese_at(at) && hint == Hint::Time))
        {
            // "2 or more orders", and "20 以上".
            self.compare_number_around(at, before, next, op, hint, &number);
        } else if self.nested(at, next, op, hint) {
        } else {
            self.compare_text(at, next, op);
        }
    }

    fn compare_number_around(
        &mut self,
        at: usize,
        number_at: usize,
        next: usize,
        op: Comparison,
        hint: Hint,
        number: &str,
    ) {
        if hint == Hint::Time
            && number.len() == 4
            && let Some(column) = self.subject_time(at)
        {
            self.push_year(column, op, number, None, at);
            [at, number_at].into_iter().for_each(|t| self.use_up(t));
            return;
        }
        let subject = self
            .subject_after(next)
            .or_else(|| self.subject_before(number_at, hint));
        self.push_number(subject, &[at, number_at], op, number, None);
    }

    fn compare_number(&mut self, at: usize, next: usize, op: Comparison, hint: Hint, number: &str) {
        let mut spent = vec![at, next];
        if hint == Hint::Time
            && number.len() == 4
            && let Some(column) = self.subject_time(at)
        {
            self.push_year(column, op, number, None, at);
            spent.iter().for_each(|t| self.use_up(*t));
            return;
        }
        let after = self.skip(next + 1, &[Role::Of, Role::Distinct]);
        // "20 or more": the operator stands behind a number that another one began.
        if let Some(Role::Compare(c, Hint::None)) = self.role(after)
            && matches!(c, Comparison::GreaterOrEqual | Comparison::LessOrEqual)
            && op == Comparison::Equal
        {
            spent.push(after);
        }
        let beside = self.before(at, &[Role::Be]).is_some_and(|b| {
            !self.is_used(b)
                && self
                    .token(b)
                    .is_some_and(|t| t.column_score() > 0.8 && t.table().is_none())
        });
        let first = if beside {
            self.subject_before(at, hint)
        } else {
            None
        };
        let subject = first
            .or_else(|| self.subject_after(after))
            .or_else(|| self.subject_before(at, hint))
            .or_else(|| self.subject_again());
        self.push_number(subject, &spent, op, number, None);
    }

    fn subject_time(&self, at: usize) -> Option<Col> {
        self.time_column(at)
    }

    fn push_year(
        &mut self,
        column: Col,
        op: Comparison,
        number: &str,
        to: Option<&str>,
        at: usize,
    ) {
        let dates = self.holds_dates(column);
        let test = match (to, dates) {
            (Some(to), true) => Test::YearBetween(number.to_owned(), to.to_owned()),
            (Some(to), false) => Test::Between(number.to_owned(), to.to_owned()),
            (None, true) => Test::Year(op, number.to_owned()),
            (None, false) => Test::Number(op, number.to_owned()),
        };
        for back in at.saturating_sub(4)..at {
            let here = self
                .token(back)
                .is_some_and(|t| t.columns().any(|(tt, c, s)| (tt, c) == column && s > 0.6));
            if here && !(self.in_select(back)) {
                self.use_up(back);
            }
        }
        self.draft.filters.push(Filter {
            at,
            column,
            test,
            negated: false,
            or: false,
        });
    }

    /// `more than 3 orders`, `at least 4 cylinders`.
    fn subject_after(&self, at: usize) -> Option<Subject> {
        if self.is_used(at) || !self.is_mention(at) || self.is_described(at) {
            return None;
        }
        let token = self.token(at)?;
        let table = token.table().filter(|(_, s)| *s > 0.8);
        let column = self
            .column_at(at, Want::Number)
            .filter(|(c, s)| *s > 0.65 && (self.numeric(*c)));
        match (table, column) {
            (Some((t, score)), Some((_, fit))) if score >= fit => Some(Subject::Count(t, vec![at])),
            (_, Some((column, _))) => Some(Subject::Column(column, vec![at])),
            (Some((t, _)), None) => Some(Subject::Count(t, vec![at])),
            (None, None) => None,
        }
    }

    /// `whose age is over 20`, `average age above 20`, `number of orders is more than 3`.
    fn subject_before(&self, at: usize, hint: Hint) -> Option<Subject> {
        if !matches!(hint, Hint::None | Hint::Time)
            && let Some((column, _)) = self.hinted(hint)
        {
            return Some(Subject::Column(column, Vec::new()));
        }
        let mut back = at;
        for _ in 0..7 {
            back = back.checked_sub(1)?;
            match self.role(back) {
                Some(Role::Comma | Role::OrderBy | Role::Lead) => return None,
                Some(_) => continue,
                None => {}
            }
            let Some(token) = self.token(back) else {
                continue;
            };
            if token.candidates().is_empty() || (self.is_used(back) && token.column_score() < 0.9) {
                continue;
            }
            if let Some((table, spent)) = self.chinese_count(back, at) {
                return Some(Subject::Count(table, spent));
            }
            let before = self.before(back, &[Role::Of]);
            let role = before.and_then(|b| self.role(b));
            if let (Some(Role::NumberOf), Some((t, _)), Some(b)) = (role, token.table(), before) {
                return Some(Subject::Count(t, vec![back, b]));
            }
            let Some((column, score)) = self.column_at(back, Want::Number) else {
                continue;
            };
            let is_table = token
                .table()
                .is_some_and(|(_, s)| s >= token.column_score());
            if score < 0.6 || is_table || !(self.numeric(column) || self.is_time(column)) {
                continue;
            }
            if let (Some(Role::Aggregate(f)), Some(b)) = (role, before) {
                return Some(Subject::Aggregate(f, column, vec![back, b]));
            }
            let mut spent = Vec::new();
            if !self.in_select(back) || self.adjacent(back, at) {
                spent.push(back);
            }
            if let Some((_, owner)) = self.owner_before(back)
                && !self.in_select(owner)
            {
                spent.push(owner);
            }
            return Some(Subject::Column(column, spent));
        }
        None
    }

    pub(super) fn is_key(&self, column: Col) -> bool {
        self.know
            .names
            .column(column.0, column.1)
            .is_some_and(|c| c.primary || c.foreign)
    }

    /// `above 40 … and below 30`: the same column as in the comparison before.
    fn subject_again(&self) -> Option<Subject> {
        self.draft
            .filters
            .iter()
            .rev()
            .find(|f| matches!(f.test, Test::Number(..)))
            .map(|f| Subject::Column(f.column, Vec::new()))
    }

    fn adjacent(&self, from: usize, to: usize) -> bool {
        (from + 1..to).all(|i| matches!(self.role(i), Some(Role::Filler | Role::Be)))
    }

    fn push_number(
        &mut self,
        subject: Option<Subject>,
        spent: &[usize],
        op: Comparison,
        number: &str,
        to: Option<&str>,
    ) {
        let Some(subject) = subject else { return };
        let at = spent.first().copied().unwrap_or(0);
        if let Subject::Column(column, said) = &subject
            && self.is_key(*column)
            && !said.iter().any(|i| i.abs_diff(at) <= 2)
        {
            // Nobody compares keys with a number that stands elsewhere.
            return;
        }
        let (measure, extra) = match subject {
            Subject::Column(column, extra) => {
                if self.holds_dates(column) && number.len() == 4 {
                    self.push_year(column, op, number, to, at);
                } else {
                    let test = match to {
                        Some(to) => Test::Between(number.to_owned(), to.to_owned()),
                        None => Test::Number(op, number.to_owned()),
                    };
                    self.draft.filters.push(Filter {
                        at,
                        column,
                        test,
                        negated: false,
                        or: false,
                    });
                }
                (None, extra)
            }
            Subject::Count(t, extra) => (Some(Measure::CountOf(t)), extra),
            Subject::Aggregate(f, column, extra) => (Some(Measure::Aggregate(f, column)), extra),
        };
        if let Some(by) = measure {
            self.draft.having.push(Having {
                by,
                op,
                number: number.to_owned(),
                to: to.map(str::to_owned),
            });
        }
        for token in spent.iter().chain(&extra) {
            self.use_up(*token);
        }
    }

    fn between(&mut self, at: usize, from: usize) {
        let first = self.skip(from, &[Role::Prep, Role::Of]);
        let Some(low) = self.number_at(first) else {
            return;
        };
        let and = self.skip(first + 1, &[]);
        let second = self.skip(and, &[Role::And, Role::Prep]);
        let Some(high) = self.number_at(second) else {
            return;
        };
        let after = self.skip(second + 1, &[]);
        let subject = self
            .subject_after(after)
            .or_else(|| self.subject_before(at, Hint::None));
        let subject = match subject {
            None if low.len() == 4 => self.time_column(at).map(|c| Subject::Column(c, Vec::new())),
            other => other,
        };
        self.push_number(
            subject,
            &[at, first, second],
            Comparison::Equal,
            &low,
            Some(&high),
        );
    }

    /// `above the average`, `than the highest price of all books`.
    fn nested(&mut self, at: usize, next: usize, op: Comparison, hint: Hint) -> bool {
        let next = self.skip(next, &[Role::Any, Role::Of]);
        let function = match self.role(next) {
            Some(Role::Aggregate(f)) => f,
            Some(Role::Extreme(e)) if e.descending => Aggregate::Maximum,
            Some(Role::Extreme(_)) => Aggregate::Minimum,
            _ => return false,
        };
        let inner_at = self.skip(next + 1, &[Role::Of]);
        let inner = self
            .column_at(inner_at, Want::Number)
            .filter(|(c, s)| *s > 0.6 && self.numeric(*c) && !self.is_used(inner_at));
        let outer = self.subject_before(at, hint);
        let (column, mut spent) = match (outer, inner) {
            (Some(Subject::Column(column, spent)), _) => (column, spent),
            (_, Some((column, _))) => (column, Vec::new()),
            _ => return false,
        };
        let target = inner.map_or(column, |(c, _)| c);
        if inner.is_some() {
            spent.push(inner_at);
        }
        spent.extend([at, next]);
        self.draft.filters.push(Filter {
            at,
            column,
            test: Test::Nested(op, function, target, Vec::new()),
            negated: false,
            or: false,
        });
        for token in spent {
            self.use_up(token);
        }
        true
    }

    /// `other than France`, `before '2001-01-01'`.
    fn compare_text(&mut self, at: usize, next: usize, op: Comparison) {
        let Some(token) = self.token(next) else {
            return;
        };
        match op {
            Comparison::Equal | Comparison::NotEqual => {
                if token.is_value() || matches!(token.tag, Tag::Quoted(_)) {
                    self.use_up(at);
                    self.value_filter(next, op == Comparison::NotEqual);
                }
            }
            _ => {
                let text = match &token.tag {
                    Tag::Quoted(text) => text.clone(),
                    _ if token.is_value() && token.quoted => token.text.clone(),
                    _ => return,
                };
                let column = match self.subject_before(at, Hint::None) {
                    Some(Subject::Column(column, spent)) => {
                        spent.iter().for_each(|t| self.use_up(*t));
                        Some(column)
                    }
                    _ => self.time_column(at),
                };
                let Some(column) = column else { return };
                self.use_up(at);
                self.use_up(next);
                self.draft.filters.push(Filter {
                    at,
                    column,
                    test: Test::Text(op, text),
                    negated: false,
                    or: false,
                });
            }
        }
    }
}
