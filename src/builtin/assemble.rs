//! From a draft to a plan: finds the joins, names the columns, builds sub-queries and set operations.
//! Knows the schema's names and joins, no words of a question.

use super::draft::{Col, Draft, Item, Key, Measure};
use super::plan::{Aggregate, Column, Condition, Expr, OrderBy, Query, Select, SetOp, Source};
use crate::link::joins::{Edge, JoinGraph};
use crate::link::names::{ColumnKind, Names};

pub struct Assembler<'a> {
    pub names: &'a Names,
    pub graph: &'a JoinGraph,
    /// Stems of the question: they choose between two joins of the same tables.
    pub stems: &'a [String],
    pub certainty: f32,
}

/// The column that names a row of the table for a person.
#[must_use]
pub fn label(names: &Names, table: usize) -> Option<usize> {
    let table = names.tables.get(table)?;
    let text = |c: &crate::link::names::ColumnName| c.kind != ColumnKind::Number;
    let named = |stem: &str| {
        table.columns.iter().position(|c| {
            c.stems
                .last()
                .is_some_and(|s| *s == crate::link::words::stem(stem))
                && (c.stems.len() == 1
                    || c.stems.iter().take(c.stems.len() - 1).all(|s| {
                        table
                            .stems
                            .iter()
                            .any(|t| crate::link::synonyms::likeness(s, t) > 0.7)
                    }))
        })
    };
    named("name")
        .or_else(|| named("title"))
        .or_else(|| {
            table
                .columns
                .iter()
                .position(|c| c.stems == table.stems && text(c))
        })
        .or_else(|| {
            table.columns.iter().position(|c| {
                ["name", "title", "名称", "姓名"]
                    .iter()
                    .any(|w| crate::link::words::holds(&c.stems, w))
                    && text(c)
            })
        })
        .or_else(|| {
            table
                .columns
                .iter()
                .position(|c| text(c) && !c.primary && !c.foreign && c.kind == ColumnKind::Text)
        })
        .or_else(|| table.key.first().copied())
        .or(if table.columns.is_empty() {
            None
        } else {
            Some(0)
        })
}

impl Assembler<'_> {
    pub(super) fn column(&self, column: Col) -> Option<Column> {
        let table = self.names.tables.get(column.0)?;
        Some(Column {
            source: table.name.clone(),
            name: table.columns.get(column.1)?.name.clone(),
        })
    }

    fn key(&self, table: usize) -> Option<Col> {
        let key = &self.names.tables.get(table)?.key;
        match key.as_slice() {
            [one] => Some((table, *one)),
            _ => None,
        }
    }

    /// Builds the plan, or `None` where tables cannot be joined or something lacks.
    pub fn query(&mut self, draft: &Draft) -> Option<Query> {
        if draft.both.is_empty() {
            return self.select(draft).map(|s| Query::Select(Box::new(s)));
        }
        // Each side of the intersection has one of the clashing filters.
        let mut left = draft.clone();
        let sides = std::mem::take(&mut left.both);
        left.order.clear();
        left.limit = None;
        let mut query = Query::Select(Box::new(self.select(&left)?));
        for side in &sides {
            let mut right = left.clone();
            right.filters.retain(|f| f.column != side.column);
            right.filters.push(side.clone());
            query = Query::Set {
                op: SetOp::Intersect,
                left: Box::new(query),
                right: Box::new(Query::Select(Box::new(self.select(&right)?))),
            };
        }
        Some(query)
    }

    /// How many groups pass a condition: the groups are a sub-query.
    fn count_of_groups(&mut self, draft: &Draft) -> Option<Select> {
        if draft.having.is_empty() || !draft.groups.is_empty() {
            return None;
        }
        let (counted, figure) = match draft.items.as_slice() {
            [Item::CountRows(table)] => (self.key(*table)?, Expr::CountRows),
            [Item::CountDistinct(column)] => (
                *column,
                Expr::Aggregate {
                    function: Aggregate::Count,
                    distinct: true,
                    column: self.column(*column)?,
                },
            ),
            _ => return None,
        };
        let mut inner = draft.clone();
        inner.items = vec![Item::Column(counted)];
        inner.groups = vec![Key::Column(counted)];
        let query = Query::Select(Box::new(self.select(&inner)?));
        Some(Select {
            items: vec![figure],
            from: self.sources(&[counted.0], &[])?,
            filter: vec![Condition::InQuery {
                column: self.column(counted)?,
                query: Box::new(query),
                negated: false,
            }],
            ..Select::default()
        })
    }

    pub(super) fn select(&mut self, draft: &Draft) -> Option<Select> {
        if let Some(select) = self.count_of_groups(draft) {
            return Some(select);
        }
        let mut tables: Vec<usize> = Vec::new();
        let mut wanted = draft.tables();
        if let Some(focus) = draft.focus {
            let needed = wanted.is_empty() || !draft.absent.is_empty();
            if wanted.remove(&focus) || needed {
                tables.push(focus);
            }
        }
        tables.extend(wanted);
        let edges = self.tree(&tables)?;
        let sources = self.sources(&tables, &edges)?;
        let groups = self.groups(draft);
        let mut select = Select {
            from: sources,
            ..Select::default()
        };
        for item in &draft.items {
            let item = self.item(item, draft, &edges, groups.is_empty())?;
            if !select.items.contains(&item) {
                select.items.push(item);
            }
        }
        if select.items.is_empty() {
            return None;
        }
        select.filter = self.filters(&draft.filters)?;
        for absent in &draft.absent {
            select.filter.push(self.absent(draft.focus?, absent)?);
        }
        for column in &groups {
            select.group.push(self.column(*column)?);
        }
        for having in &draft.having {
            select.having.push(self.having(having)?);
        }
        self.order(draft, &mut select)?;
        let figures = draft
            .items
            .iter()
            .any(|i| !matches!(i, Item::Column(_) | Item::Label(_) | Item::Everything(_)));
        select.distinct = groups.is_empty()
            && !figures
            && draft.order.is_empty()
            && (draft.distinct || self.repeats(draft, &edges));
        if draft.distinct && groups.is_empty() && !figures {
            select.distinct = true;
        }
        Some(select)
    }

    /// Whether joins that only test something would repeat rows of what is returned.
    fn repeats(&self, draft: &Draft, edges: &[Edge]) -> bool {
        let mut shown = std::collections::BTreeSet::new();
        for item in &draft.items {
            match item {
                Item::Column((t, _)) | Item::Label(t) | Item::Everything(t) => {
                    shown.insert(*t);
                }
                _ => {}
            }
        }
        shown.len() == 1 && edges.iter().any(|e| self.multiplies(e, &shown))
    }

    fn multiplies(&self, edge: &Edge, shown: &std::collections::BTreeSet<usize>) -> bool {
        shown.contains(&edge.parent)
            && !shown.contains(&edge.child)
            && self.key(edge.child) != Some((edge.child, edge.child_column))
    }

    pub(super) fn tree(&mut self, tables: &[usize]) -> Option<Vec<Edge>> {
        let prefer = |edge: &Edge| self.preference(edge);
        let edges = self.graph.tree(tables, &prefer)?;
        for edge in &edges {
            let rivals: Vec<f32> = self
                .graph
                .between(edge.child, edge.parent)
                .filter(|e| *e != edge)
                .map(|e| self.preference(e))
                .collect();
            let own = self.preference(edge);
            if rivals.iter().any(|r| (own - r).abs() < 0.01) {
                self.certainty *= 0.7;
            }
            if !edge.declared {
                self.certainty *= 0.97;
            }
        }
        // Each further join is one more chance to be wrong.
        #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
        let far = edges.len().saturating_sub(2) as f32;
        self.certainty *= 0.95_f32.powf(far);
        Some(edges)
    }

    /// Words of the question that the joining column shares.
    fn preference(&self, edge: &Edge) -> f32 {
        let Some(column) = self.names.column(edge.child, edge.child_column) else {
            return 0.0;
        };
        let parent = self.names.tables.get(edge.parent);
        column
            .stems
            .iter()
            .filter(|s| parent.is_none_or(|p| !p.stems.contains(s)))
            .map(|s| {
                self.stems
                    .iter()
                    .map(|w| crate::link::synonyms::likeness(w, s))
                    .fold(0.0, f32::max)
            })
            .fold(0.0, f32::max)
    }

    pub(super) fn sources(&self, tables: &[usize], edges: &[Edge]) -> Option<Vec<Source>> {
        let root = *tables.first()?;
        let table_name = |t: usize| self.names.tables.get(t).map(|t| t.name.clone());
        let mut inside = vec![root];
        let mut out = vec![Source {
            table: table_name(root)?,
            alias: None,
            on: None,
        }];
        for edge in edges {
            let new = if inside.contains(&edge.child) {
                edge.parent
            } else {
                edge.child
            };
            if inside.contains(&new) {
                continue;
            }
            inside.push(new);
            out.push(Source {
                table: table_name(new)?,
                alias: None,
                on: Some((
                    self.column((edge.child, edge.child_column))?,
                    self.column((edge.parent, edge.parent_column))?,
                )),
            });
        }
        Some(out)
    }

    /// Columns to group by: named ones, or those that stand beside a figure.
    fn groups(&self, draft: &Draft) -> Vec<Col> {
        let mut out: Vec<Col> = Vec::new();
        let mut push = |column: Col| {
            if !out.contains(&column) {
                out.push(column);
            }
        };
        let counts = |m: &Measure| matches!(m, Measure::CountOf(_) | Measure::Aggregate(..));
        let figures = draft.items.iter().any(|i| {
            matches!(
                i,
                Item::CountRows(_) | Item::CountDistinct(_) | Item::Aggregate(..)
            )
        });
        let grouped =
            figures || !draft.having.is_empty() || draft.order.iter().any(|s| counts(&s.by));
        for key in &draft.groups {
            match key {
                // "the name of each teacher": nothing is counted, every row is shown.
                Key::Table(_) if !grouped => {}
                Key::Column(column) => push(*column),
                Key::Table(t) => {
                    if let Some(column) = self
                        .key(*t)
                        .or_else(|| label(self.names, *t).map(|c| (*t, c)))
                    {
                        push(column);
                    }
                }
            }
        }
        if draft.groups.is_empty() && grouped {
            for column in self.natural_groups(draft, figures) {
                push(column);
            }
        }
        out
    }

    /// Without "each", a figure is taken for every row of what stands beside it.
    fn natural_groups(&self, draft: &Draft, figures: bool) -> Vec<Col> {
        let mut out = Vec::new();
        for item in &draft.items {
            match item {
                Item::Column((t, c)) => {
                    let names_row = label(self.names, *t) == Some(*c)
                        || self.key(*t) == Some((*t, *c))
                        || draft
                            .items
                            .iter()
                            .any(|i| matches!(i, Item::Label(l) if l == t))
                        || draft
                            .items
                            .iter()
                            .any(|i| matches!(i, Item::Column(k) if self.key(*t) == Some(*k)));
                    match self.key(*t) {
                        Some(key) if names_row && !self.counted(draft, *t) => out.push(key),
                        _ => out.push((*t, *c)),
                    }
                }
                Item::Label(t) | Item::Everything(t) => {
                    let column = self
                        .key(*t)
                        .or_else(|| label(self.names, *t).map(|c| (*t, c)));
                    out.extend(column);
                }
                _ => {}
            }
        }
        if out.is_empty()
            && !figures
            && let Some(focus) = draft.focus
        {
            out.extend(self.key(focus));
        }
        out
    }

    /// Whether rows of that table itself are what is counted.
    fn counted(&self, draft: &Draft, table: usize) -> bool {
        draft
            .items
            .iter()
            .any(|i| matches!(i, Item::CountRows(t) if *t == table))
            || draft.order.iter().any(|s| s.by == Measure::CountOf(table))
            || draft.having.iter().any(|h| h.by == Measure::CountOf(table))
    }

    fn item(&self, item: &Item, draft: &Draft, edges: &[Edge], ungrouped: bool) -> Option<Expr> {
        Some(match item {
            Item::Column(column) => Expr::Column(self.column(*column)?),
            Item::Label(t) => Expr::Column(self.column((*t, label(self.names, *t)?))?),
            Item::Everything(_) => Expr::All,
            Item::CountDistinct(column) => Expr::Aggregate {
                function: Aggregate::Count,
                distinct: true,
                column: self.column(*column)?,
            },
            Item::Aggregate(function, column) => Expr::Aggregate {
                function: *function,
                distinct: false,
                column: self.column(*column)?,
            },
            Item::CountRows(t) => {
                let shown = std::collections::BTreeSet::from([*t]);
                let repeats = edges.iter().any(|e| self.multiplies(e, &shown));
                match self.key(*t) {
                    Some(key)
                        if (ungrouped && repeats) || (draft.distinct && !edges.is_empty()) =>
                    {
                        Expr::Aggregate {
                            function: Aggregate::Count,
                            distinct: true,
                            column: self.column(key)?,
                        }
                    }
                    _ => Expr::CountRows,
                }
            }
        })
    }

    pub(super) fn measure(&self, measure: Measure) -> Option<Expr> {
        Some(match measure {
            Measure::Column(column) => Expr::Column(self.column(column)?),
            Measure::CountOf(_) => Expr::CountRows,
            Measure::Aggregate(function, column) => Expr::Aggregate {
                function,
                distinct: false,
                column: self.column(column)?,
            },
            Measure::FirstItem => return None,
        })
    }

    fn order(&self, draft: &Draft, select: &mut Select) -> Option<()> {
        for sort in &draft.order {
            let by = match sort.by {
                Measure::FirstItem => match select.items.first()? {
                    Expr::All => {
                        let table = draft.focus?;
                        Expr::Column(self.column((table, label(self.names, table)?))?)
                    }
                    first => first.clone(),
                },
                other => self.measure(other)?,
            };
            select.order.push(OrderBy {
                by,
                descending: sort.descending,
            });
        }
        select.limit = draft.limit;
        Some(())
    }
}
