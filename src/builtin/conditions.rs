//! The conditions of a plan: filters, nested comparisons, absences, conditions on groups.
//! Knows drafts and plans, no words of a question.

use super::assemble::Assembler;
use super::draft::{Absent, Col, Draft, Filter, Having, Item, Test};
use super::plan::{Aggregate, Column, Comparison, Condition, Expr, Number, Operand, Query, Select};
use crate::link::joins::Edge;

impl Assembler<'_> {
    pub(super) fn filters(&mut self, filters: &[Filter]) -> Option<Vec<Condition>> {
        let mut out: Vec<Condition> = Vec::new();
        for filter in filters {
            let condition = self.condition(filter)?;
            match (filter.or, out.pop()) {
                (true, Some(Condition::Any(mut list))) => {
                    list.push(condition);
                    out.push(Condition::Any(list));
                }
                (true, Some(previous)) => out.push(Condition::Any(vec![previous, condition])),
                (_, previous) => {
                    out.extend(previous);
                    out.push(condition);
                }
            }
        }
        Some(out.into_iter().map(as_list).collect())
    }

    fn condition(&mut self, filter: &Filter) -> Option<Condition> {
        let column = self.column(filter.column)?;
        let left = Expr::Column(column.clone());
        let not = |op: Comparison| if filter.negated { op.negated() } else { op };
        let number = |n: &str| Number::new(n).map(Operand::Number);
        Some(match &filter.test {
            Test::Is(texts) => match texts.as_slice() {
                [one] => Condition::Compare {
                    left,
                    op: not(Comparison::Equal),
                    right: Operand::Text(one.clone()),
                },
                list => Condition::In {
                    column,
                    list: list.iter().cloned().map(Operand::Text).collect(),
                    negated: filter.negated,
                },
            },
            Test::Number(op, n) => Condition::Compare {
                left,
                op: not(*op),
                right: number(n)?,
            },
            Test::Text(op, text) => Condition::Compare {
                left,
                op: not(*op),
                right: Operand::Text(text.clone()),
            },
            Test::Year(op, n) => Condition::Compare {
                left: Expr::Year(column),
                op: not(*op),
                right: number(n)?,
            },
            Test::Between(low, high) => Condition::Between {
                left,
                low: number(low)?,
                high: number(high)?,
            },
            Test::YearBetween(low, high) => Condition::Between {
                left: Expr::Year(column),
                low: number(low)?,
                high: number(high)?,
            },
            Test::Like(pattern, text) => Condition::Like {
                column,
                pattern: *pattern,
                text: text.clone(),
                negated: filter.negated,
            },
            Test::Nested(op, function, target, inner) => Condition::Compare {
                left,
                op: not(*op),
                right: Operand::Query(Box::new(self.inner(*function, *target, inner)?)),
            },
            Test::Null => Condition::IsNull {
                column,
                negated: filter.negated,
            },
        })
    }

    fn inner(&mut self, function: Aggregate, target: Col, filters: &[Filter]) -> Option<Query> {
        let draft = Draft {
            focus: Some(target.0),
            items: vec![Item::Aggregate(function, target)],
            filters: filters.to_vec(),
            ..Draft::default()
        };
        self.select(&draft).map(|s| Query::Select(Box::new(s)))
    }

    /// `focus.key NOT IN (SELECT child.column FROM …)`.
    pub(super) fn absent(&mut self, focus: usize, absent: &Absent) -> Option<Condition> {
        let mut tables = vec![focus];
        tables.extend(absent.tables.iter().copied());
        tables.extend(absent.filters.iter().map(|f| f.column.0));
        tables.dedup();
        let edges = self.tree(&tables)?;
        let mut from_focus = edges.iter().filter(|e| e.touches(focus));
        let first = *from_focus.next()?;
        if from_focus.next().is_some() {
            // Two ways out of the focus: one sub-query cannot hold both.
            return None;
        }
        let (outer, inner) = if first.parent == focus {
            (
                (focus, first.parent_column),
                (first.child, first.child_column),
            )
        } else {
            (
                (focus, first.child_column),
                (first.parent, first.parent_column),
            )
        };
        let mut inside = vec![inner.0];
        inside.extend(
            tables
                .iter()
                .copied()
                .filter(|t| *t != focus && *t != inner.0),
        );
        let rest: Vec<Edge> = edges
            .iter()
            .copied()
            .filter(|e| !e.touches(focus))
            .collect();
        let query = Select {
            items: vec![Expr::Column(self.column(inner)?)],
            from: self.sources(&inside, &rest)?,
            filter: {
                let mut filter = self.filters(&absent.filters)?;
                filter.push(Condition::IsNull {
                    column: self.column(inner)?,
                    negated: true,
                });
                filter
            },
            ..Select::default()
        };
        Some(Condition::InQuery {
            column: self.column(outer)?,
            query: Box::new(Query::Select(Box::new(query))),
            negated: true,
        })
    }

    pub(super) fn having(&self, having: &Having) -> Option<Condition> {
        let left = self.measure(having.by)?;
        let number = Operand::Number(Number::new(&having.number)?);
        Some(match &having.to {
            Some(to) => Condition::Between {
                left,
                low: number,
                high: Operand::Number(Number::new(to)?),
            },
            None => Condition::Compare {
                left,
                op: having.op,
                right: number,
            },
        })
    }
}

/// Several equalities of one column are a list.
fn as_list(condition: Condition) -> Condition {
    let Condition::Any(list) = &condition else {
        return condition;
    };
    let mut operands = Vec::new();
    let mut of: Option<&Column> = None;
    for one in list {
        match one {
            Condition::Compare {
                left: Expr::Column(column),
                op: Comparison::Equal,
                right: right @ (Operand::Text(_) | Operand::Number(_)),
            } if of.is_none_or(|c| c == column) => {
                of = Some(column);
                operands.push(right.clone());
            }
            _ => return condition,
        }
    }
    match of {
        Some(column) => Condition::In {
            column: column.clone(),
            list: operands,
            negated: false,
        },
        None => condition,
    }
}
