//! How conditions join: and, or, both; which belong inside a negation; which become sub-queries.

use super::Reader;
use crate::builtin::draft::{Absent, Filter, Item, Measure, Test};
use crate::builtin::lexicon::Role;
use crate::builtin::plan::{Aggregate, Comparison};

impl Reader<'_> {
    /// Decides how the filters join, and which belong inside a negation.
    pub(super) fn join_filters(&mut self) {
        self.draft.filters.sort_by_key(|f| f.at);
        self.move_into_absence();
        let mut out: Vec<Filter> = Vec::new();
        for mut filter in std::mem::take(&mut self.draft.filters) {
            if let Some(previous) = out.last() {
                let (mut or, mut and) = (false, false);
                for i in previous.at..filter.at {
                    if self.role(i) == Some(Role::Or) {
                        or = true;
                        self.use_up(i);
                    }
                    and |= self.role(i) == Some(Role::And);
                }
                let both = self.tokens.iter().any(|t| t.role() == Some(Role::Both));
                let clash = clash(previous, &filter);
                if or {
                    filter.or = true;
                } else if clash && (and || both) && !(previous.negated || filter.negated) {
                    let own = Some(filter.column.0) == self.draft.focus && self.is_label_only();
                    if own && !both && matches!(filter.test, Test::Is(_)) {
                        filter.or = true;
                    } else {
                        self.draft.both.push(filter);
                        continue;
                    }
                }
            }
            out.push(filter);
        }
        for at in 0..self.tokens.len() {
            let filters = out.len() + self.draft.both.len();
            if matches!(self.role(at), Some(Role::Both | Role::Either)) && filters > 1 {
                self.use_up(at);
            }
        }
        self.draft.filters = out;
        self.nest_order();
        self.negate_over_rows();
    }

    /// A figure over the row with an extreme: the extreme becomes a condition.
    fn nest_order(&mut self) {
        let figures = !self.draft.items.is_empty()
            && self.draft.items.iter().all(|i| {
                matches!(
                    i,
                    Item::CountRows(_) | Item::CountDistinct(_) | Item::Aggregate(..)
                )
            });
        if !figures || !self.draft.groups.is_empty() || self.draft.limit != Some(1) {
            return;
        }
        let [sort] = self.draft.order.as_slice() else {
            return;
        };
        let Measure::Column(column) = sort.by else {
            return;
        };
        let function = if sort.descending {
            Aggregate::Maximum
        } else {
            Aggregate::Minimum
        };
        self.push_filter(
            0,
            column,
            Test::Nested(Comparison::Equal, function, column, Vec::new()),
            false,
        );
        self.draft.order.clear();
        self.draft.limit = None;
    }

    /// "from X but not from Y", where one thing has many of these: Y must not be among them.
    fn negate_over_rows(&mut self) {
        let Some(focus) = self.draft.focus else {
            return;
        };
        let many = |t: usize| self.know.graph.between(focus, t).any(|e| e.parent == focus);
        let (turned, kept): (Vec<Filter>, Vec<Filter>) = std::mem::take(&mut self.draft.filters)
            .into_iter()
            .partition(|f| {
                f.negated
                    && matches!(f.test, Test::Is(_) | Test::Like(..))
                    && f.column.0 != focus
                    && many(f.column.0)
            });
        self.draft.filters = kept;
        for mut filter in turned {
            filter.negated = false;
            self.draft.absent.push(Absent {
                at: filter.at,
                tables: vec![filter.column.0],
                filters: vec![filter],
            });
        }
    }

    /// Whether what is returned names single rows of the focus, so that one row cannot have two values.
    fn is_label_only(&self) -> bool {
        self.draft.items.iter().all(|item| match item {
            Item::Label(t) | Item::CountRows(t) | Item::Everything(t) => {
                Some(*t) == self.draft.focus
            }
            Item::Column((t, c)) => {
                Some(*t) == self.draft.focus
                    && (self.label(*t) == Some(*c)
                        || self.know.names.column(*t, *c).is_some_and(|c| c.primary))
            }
            _ => true,
        })
    }

    fn move_into_absence(&mut self) {
        let Some(focus) = self.draft.focus else {
            return;
        };
        for absent in &mut self.draft.absent {
            let (inside, outside): (Vec<Filter>, Vec<Filter>) =
                std::mem::take(&mut self.draft.filters)
                    .into_iter()
                    .partition(|f| f.at > absent.at && f.column.0 != focus);
            absent.filters.extend(inside);
            self.draft.filters = outside;
        }
    }
}

/// Two tests of one column that no single value passes.
fn clash(a: &Filter, b: &Filter) -> bool {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    if a.column != b.column {
        return false;
    }
    match (&a.test, &b.test) {
        (Test::Is(x), Test::Is(y)) => x != y,
        (Test::Number(Equal, x), Test::Number(Equal, y))
        | (Test::Year(Equal, x), Test::Year(Equal, y)) => x != y,
        (Test::Number(Greater | GreaterOrEqual, x), Test::Number(Less | LessOrEqual, y))
        | (Test::Number(Less | LessOrEqual, y), Test::Number(Greater | GreaterOrEqual, x)) => {
            match (x.parse::<f64>(), y.parse::<f64>()) {
                (Ok(x), Ok(y)) => x >= y,
                _ => false,
            }
        }
        _ => false,
    }
}
