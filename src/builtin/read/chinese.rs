//! What Chinese says in another order than English: the head of a phrase stands last, the key of an order
//! in front of its direction, the number in front of "after".

use super::Reader;
use super::resolve::Want;
use crate::builtin::draft::{Item, Measure, Sort};
use crate::builtin::lexicon::Role;
use crate::builtin::token::Tag;
use crate::link::fuzzy::is_cjk;

/// Tokens that a key and its direction may be apart: "按每个部门的平均工资从高到低".
const ORDER_SPAN_MAX: usize = 8;

impl Reader<'_> {
    pub(super) fn is_chinese(&self) -> bool {
        self.tokens
            .iter()
            .any(|t| t.text.chars().any(is_cjk) && t.role().is_some())
    }

    pub(super) fn is_chinese_at(&self, at: usize) -> bool {
        self.token(at).is_some_and(|t| t.text.chars().any(is_cjk))
    }

    /// The token of the table that a Chinese question is about: the one asked for by "哪些" or "多少", else
    /// the last that no negation holds.
    pub(super) fn chinese_focus(&self, table_at: &dyn Fn(usize) -> Option<usize>) -> Option<usize> {
        let after = |at: usize, wanted: &dyn Fn(usize) -> bool| {
            self.before(at, &[Role::Distinct]).is_some_and(wanted)
        };
        let asks = |b: usize| match self.role(b) {
            Some(Role::HowMany) => true,
            Some(Role::Lead) => self.token(b).is_some_and(|t| t.text.contains('哪')),
            _ => false,
        };
        let each = |b: usize| self.role(b) == Some(Role::Each);
        let held = |at: usize| {
            (at.saturating_sub(3)..at)
                .any(|b| matches!(self.role(b), Some(Role::Not | Role::Without)))
        };
        let all = || (0..self.tokens.len()).filter(|at| table_at(*at).is_some());
        all()
            .find(|at| after(*at, &asks))
            .or_else(|| all().rev().find(|at| !after(*at, &each) && !held(*at)))
            .or_else(|| all().rev().find(|at| !after(*at, &each)))
    }

    /// From the head on, the question says what to return.
    pub(super) fn select_from(&mut self, head: usize) {
        let link = self.before_number(head);
        if let Some(link) = link.filter(|b| self.token(*b).is_some_and(|t| t.text == "的")) {
            // "价格超过10的产品": what stands before "的" describes the head.
            let from = (0..link)
                .rev()
                .find(|i| matches!(self.role(*i), Some(Role::Comma | Role::Lead)))
                .map_or(0, |i| i + 1);
            let described = self.select.iter_mut().take(link).skip(from);
            described.for_each(|s| *s = false);
        }
        self.select.iter_mut().skip(head).for_each(|s| *s = true);
    }

    /// The token before the head, across "前三个".
    fn before_number(&self, head: usize) -> Option<usize> {
        (0..head).rev().find(|i| {
            let number = matches!(self.token(*i).map(|t| &t.tag), Some(Tag::Number(_)));
            let words = matches!(
                self.role(*i),
                Some(Role::Filler | Role::Top | Role::Distinct)
            );
            !number && (!words || self.token(*i).is_some_and(|t| t.text == "的"))
        })
    }

    /// In Chinese a noun behind "的" is what the words before it describe: `大于30的店员`.
    pub(super) fn is_described(&self, at: usize) -> bool {
        (0..at)
            .rev()
            .take_while(|i| self.role(*i) == Some(Role::Filler))
            .any(|i| self.token(i).is_some_and(|t| t.text == "的"))
    }

    /// `订单数量超过2`, `订单超过2个`: the rows of the table right before the comparison are counted.
    pub(super) fn chinese_count(&self, noun: usize, at: usize) -> Option<(usize, Vec<usize>)> {
        let token = self.token(noun).filter(|_| self.is_chinese_at(at))?;
        let (table, score) = token.table()?;
        let number = self.skip(noun + 1, &[]);
        let says_number = self.role(number) == Some(Role::NumberOf);
        let next = if says_number { number + 1 } else { noun + 1 };
        let near = self.skip(next, &[]) == at;
        (near && score > 0.8 && score >= token.column_score()).then(|| {
            let mut spent = vec![noun];
            spent.extend(says_number.then_some(number));
            (table, spent)
        })
    }

    /// `按工资从高到低排序`, `按订单数量降序`.
    pub(super) fn read_chinese_order(&mut self) {
        for at in 0..self.tokens.len() {
            let by = self
                .token(at)
                .is_some_and(|t| t.text.starts_with('按') || t.text.starts_with('依'));
            if !by || self.is_used(at) {
                continue;
            }
            let inside = at + 1..(at + 1 + ORDER_SPAN_MAX).min(self.tokens.len());
            let end = inside
                .take_while(|i| !matches!(self.role(*i), Some(Role::Comma)))
                .find(|i| matches!(self.role(*i), Some(Role::OrderBy | Role::Direction { .. })));
            let Some(end) = end else { continue };
            let key = (at + 1..end).rev().find(|i| self.is_mention(*i));
            let Some(key) = key else { continue };
            let count = (at + 1..end).any(|i| self.role(i) == Some(Role::NumberOf));
            let aggregate = (at + 1..end).find_map(|i| match self.role(i) {
                Some(Role::Aggregate(function)) => Some(function),
                _ => None,
            });
            let Some(by) = self.order_key(key, count, aggregate) else {
                continue;
            };
            let mut descending = false;
            let mut last = end;
            while let Some(Role::OrderBy | Role::Direction { .. }) = self.role(last) {
                if let Some(Role::Direction { descending: down }) = self.role(last) {
                    descending = down;
                }
                last += 1;
            }
            (at..last).for_each(|i| self.use_up(i));
            self.draft.order.push(Sort { by, descending });
        }
    }

    /// `面积前两名的商店`: the largest, without a word that says so.
    pub(super) fn read_chinese_top(&mut self) {
        for at in 0..self.tokens.len() {
            let next = self.skip(at + 1, &[]);
            let number = match self.token(next).map(|t| &t.tag) {
                Some(Tag::Number(n)) => n.parse::<u64>().ok(),
                _ => None,
            };
            let top = self.role(at) == Some(Role::Top) && self.is_chinese_at(at);
            let (Some(limit), Some(key), true) = (number, self.before(at, &[]), top) else {
                continue;
            };
            if self.is_used(at) || !self.draft.order.is_empty() {
                continue;
            }
            let Some((column, score)) = self.column_at(key, Want::Number) else {
                continue;
            };
            if score > 0.6 && self.numeric(column) {
                self.draft.order.push(Sort {
                    by: Measure::Column(column),
                    descending: true,
                });
                self.draft.limit = Some(limit);
                [at, next, key].into_iter().for_each(|i| self.use_up(i));
            }
        }
    }

    /// `25到35之间`: a range without a word in front.
    pub(super) fn chinese_range(&self, at: usize) -> bool {
        let number = |i: usize| matches!(self.token(i).map(|t| &t.tag), Some(Tag::Number(_)));
        let to = |i: usize| {
            self.token(i)
                .is_some_and(|t| matches!(t.text.as_str(), "到" | "至" | "~" | "-" | "和" | "与"))
        };
        let link = self.skip(at + 1, &[]);
        let second = self.skip(link + 1, &[]);
        let ends = self
            .token(self.skip(second + 1, &[]))
            .is_some_and(|t| t.text.starts_with('之'))
            || (second + 1..second + 4).any(|i| {
                self.token(i)
                    .is_some_and(|t| t.text.replace(' ', "") == "之间")
            });
        let plain = self
            .token(link)
            .is_some_and(|t| matches!(t.text.as_str(), "到" | "至"));
        number(at) && to(link) && number(second) && (plain || ends)
    }

    /// `…的订单有多少`: the rows named before are counted.
    pub(super) fn counts_what_stands_before(&self, count: usize) -> bool {
        self.is_chinese_at(count)
            && self.draft.groups.is_empty()
            && self
                .draft
                .items
                .iter()
                .all(|i| matches!(i, Item::Label(t) if Some(*t) == self.draft.focus))
    }

    /// `下过订单`: a verb of one character in front of the mark of what has happened.
    pub(super) fn has_happened(&self, at: usize) -> bool {
        self.is_chinese_at(at) && self.token(at + 1).is_some_and(|t| t.text == "过")
    }
}
