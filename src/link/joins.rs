//! Join paths: over declared foreign keys, and over likely ones where none are declared.
//! Knows names and types, no rows.

use super::names::Names;
use crate::sql::Schema;
use std::collections::VecDeque;

/// One way to join two tables: `child.child_column = parent.parent_column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub child: usize,
    pub child_column: usize,
    pub parent: usize,
    pub parent_column: usize,
    pub declared: bool,
}

impl Edge {
    /// The table on the other side.
    #[must_use]
    pub fn other(&self, table: usize) -> usize {
        if self.child == table {
            self.parent
        } else {
            self.child
        }
    }

    #[must_use]
    pub fn touches(&self, table: usize) -> bool {
        self.child == table || self.parent == table
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct JoinGraph {
    pub edges: Vec<Edge>,
}

/// A guess from names alone links at most this many tables; beyond it same names mean nothing.
const GUESS_TABLES_MAX: usize = 400;

impl JoinGraph {
    #[must_use]
    pub fn new(schema: &Schema, names: &Names) -> Self {
        let mut edges = declared(schema, names);
        if names.tables.len() <= GUESS_TABLES_MAX {
            for guess in likely(names) {
                let known = edges.iter().any(|e: &Edge| {
                    (e.child, e.parent) == (guess.child, guess.parent)
                        || (e.child, e.parent) == (guess.parent, guess.child)
                        || (e.child, e.child_column) == (guess.child, guess.child_column)
                });
                if !known {
                    edges.push(guess);
                }
            }
        }
        Self { edges }
    }

    pub fn between(&self, a: usize, b: usize) -> impl Iterator<Item = &Edge> {
        self.edges
            .iter()
            .filter(move |e| e.touches(a) && e.other(a) == b)
    }

    /// Edges that connect all tables, the first being the root; nearest first. `prefer` breaks ties between
    /// edges of the same two tables (higher is better). `None` where no path exists.
    #[must_use]
    pub fn tree(&self, tables: &[usize], prefer: &dyn Fn(&Edge) -> f32) -> Option<Vec<Edge>> {
        let mut inside: Vec<usize> = tables.first().copied().into_iter().collect();
        let mut out: Vec<Edge> = Vec::new();
        loop {
            let missing: Vec<usize> = tables
                .iter()
                .copied()
                .filter(|t| !inside.contains(t))
                .collect();
            if missing.is_empty() {
                return Some(out);
            }
            for edge in self.path(&inside, &missing, prefer)? {
                for table in [edge.child, edge.parent] {
                    if !inside.contains(&table) {
                        inside.push(table);
                    }
                }
                out.push(edge);
            }
        }
    }

    /// The shortest path from any of `from` to any of `to`.
    fn path(
        &self,
        from: &[usize],
        to: &[usize],
        prefer: &dyn Fn(&Edge) -> f32,
    ) -> Option<Vec<Edge>> {
        let mut reached: Vec<(usize, Option<(usize, Edge)>)> =
            from.iter().map(|t| (*t, None)).collect();
        let mut queue: VecDeque<usize> = (0..reached.len()).collect();
        while let Some(at) = queue.pop_front() {
            let (table, _) = *reached.get(at)?;
            if to.contains(&table) {
                return Some(walk_back(&reached, at));
            }
            let mut next: Vec<&Edge> = self
                .edges
                .iter()
                .filter(|e| e.touches(table) && e.other(table) != table)
                .collect();
            next.sort_by(|a, b| prefer(b).total_cmp(&prefer(a)).then(a.cmp(b)));
            for edge in next {
                let other = edge.other(table);
                if !reached.iter().any(|(t, _)| *t == other) {
                    reached.push((other, Some((at, *edge))));
                    queue.push_back(reached.len() - 1);
                }
            }
        }
        None
    }
}

fn walk_back(reached: &[(usize, Option<(usize, Edge)>)], mut at: usize) -> Vec<Edge> {
    let mut path = Vec::new();
    while let Some((_, Some((before, edge)))) = reached.get(at) {
        path.push(*edge);
        at = *before;
    }
    path.reverse();
    path
}

fn declared(schema: &Schema, names: &Names) -> Vec<Edge> {
    let mut edges = Vec::new();
    for table in schema.visible() {
        let Some(child) = names.table_index(&table.name) else {
            continue;
        };
        for key in &table.foreign_keys {
            let Some(parent) = names.table_index(&key.table) else {
                continue;
            };
            let to = key
                .references
                .first()
                .and_then(|c| names.column_index(parent, c))
                .or_else(|| {
                    names
                        .tables
                        .get(parent)
                        .and_then(|t| t.key.first().copied())
                });
            let from = key
                .columns
                .first()
                .and_then(|c| names.column_index(child, c));
            if let (Some(child_column), Some(parent_column), 1) = (from, to, key.columns.len()) {
                edges.push(Edge {
                    child,
                    child_column,
                    parent,
                    parent_column,
                    declared: true,
                });
            }
        }
    }
    edges
}

/// `customer_id` or `customerId` meets `customers.id`; a key column met by the same name elsewhere; a
/// column called as another table meets its key.
fn likely(names: &Names) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (parent, to) in names.tables.iter().enumerate() {
        let (Some(&parent_column), 1) = (to.key.first(), to.key.len()) else {
            continue;
        };
        let Some(key) = to.columns.get(parent_column) else {
            continue;
        };
        for (child, from) in names.tables.iter().enumerate() {
            if child == parent {
                continue;
            }
            for (child_column, column) in from.columns.iter().enumerate() {
                let own_key = column.primary && from.key.len() == 1;
                let same_name =
                    column.name.eq_ignore_ascii_case(&key.name) && key.stems.len() > 1 && !own_key;
                let mut with_table = to.stems.clone();
                with_table.extend(key.stems.iter().filter(|s| !to.stems.contains(s)).cloned());
                let named = column.stems == with_table && !own_key;
                let called = column.stems == to.stems && column.kind == key.kind && !own_key;
                if same_name || named || called {
                    edges.push(Edge {
                        child,
                        child_column,
                        parent,
                        parent_column,
                        declared: false,
                    });
                }
            }
        }
    }
    edges
}

impl JoinGraph {
    /// Joined steps from one table to each of `tables` tables; a large number where there is no way.
    #[must_use]
    pub fn steps(&self, from: usize, tables: usize) -> Vec<usize> {
        let mut out = vec![usize::MAX; tables];
        let mut queue = VecDeque::from([from]);
        if let Some(slot) = out.get_mut(from) {
            *slot = 0;
        }
        while let Some(table) = queue.pop_front() {
            let next = out.get(table).copied().unwrap_or(0).saturating_add(1);
            for edge in self.edges.iter().filter(|e| e.touches(table)) {
                if let Some(slot) = out.get_mut(edge.other(table))
                    && *slot == usize::MAX
                {
                    *slot = next;
                    queue.push_back(edge.other(table));
                }
            }
        }
        out
    }
}
