//! What to return: columns, counts, aggregates, and the groups they are taken over.

use super::Reader;
use super::resolve::Want;
use crate::builtin::draft::{Col, Item, Key, Measure, Sort};
use crate::builtin::lexicon::Role;
use crate::builtin::plan::Aggregate;
use crate::builtin::token::Tag;

/// Functions and counts that wait for their column.
#[derive(Default)]
pub(super) struct Waiting {
    pub functions: Vec<Aggregate>,
    pub count: Option<usize>,
    pub distinct: bool,
    /// A function that was just used may go on: `average age and weight`.
    last: Vec<Aggregate>,
    /// What a sentence before this one asked for.
    before: Vec<Item>,
}

impl Reader<'_> {
    /// `for each city`, `per department`.
    pub(super) fn read_groups(&mut self) {
        for at in 0..self.tokens.len() {
            if self.role(at) != Some(Role::Each) || self.is_used(at) {
                continue;
            }
            let next = self.skip(
                at + 1,
                &[Role::Of, Role::Distinct, Role::Clause, Role::Comma],
            );
            let Some(key) = self.group_key(next) else {
                continue;
            };
            self.use_up(at);
            self.use_up(next);
            if !self.draft.groups.contains(&key) {
                self.draft.groups.push(key);
            }
        }
    }

    fn group_key(&mut self, at: usize) -> Option<Key> {
        let token = self.token(at)?;
        let table = token.table().filter(|(_, score)| *score > 0.75);
        let column = self.column_at(at, Want::Any).filter(|(_, s)| *s > 0.6);
        match (table, column) {
            (Some((t, score)), Some((column, fit))) => {
                let own = self.draft.focus == Some(column.0) && column.0 != t;
                Some(if (fit > score + 0.05) || (own && fit >= score) {
                    Key::Column(column)
                } else {
                    Key::Table(t)
                })
            }
            (Some((t, _)), None) => {
                // `each city name`: the column stands behind its table.
                let next = self.skip(at + 1, &[]);
                if self.owner_before(next).is_some_and(|(o, _)| o == t)
                    && self.token(next).is_some_and(|n| n.column_score() > 0.6)
                    && let Some((column, _)) = self.column_owned(next, Want::Any, Some(t))
                {
                    self.use_up(next);
                    return Some(Key::Column(column));
                }
                Some(Key::Table(t))
            }
            (None, Some((column, _))) => Some(Key::Column(column)),
            (None, None) => None,
        }
    }

    /// Takes everything that stands where the question says what to return.
    pub(super) fn read_items(&mut self) {
        let mut waiting = Waiting::default();
        for at in 0..self.tokens.len() {
            if self.is_used(at) || !self.in_select(at) {
                continue;
            }
            match self.role(at) {
                // "the average number of seats", where the number of seats is stored.
                Some(Role::NumberOf) if self.stored_figure(at, &waiting) => self.use_up(at),
                Some(Role::HowMany) if self.stands_alone(at) => self.count_focus(at),
                Some(Role::HowMany | Role::NumberOf) => waiting.count = Some(at),
                Some(Role::Aggregate(f)) => {
                    waiting.functions.push(f);
                    self.use_up(at);
                }
                Some(Role::Distinct) => {
                    waiting.distinct = true;
                    self.use_up(at);
                }
                Some(Role::Everything) => {
                    if let Some(focus) = self.draft.focus {
                        self.draft.items.push(Item::Everything(focus));
                    }
                    self.use_up(at);
                }
                Some(Role::When) => self.when(at),
                Some(Role::Where) => self.place(at),
                Some(Role::HowMuch) => self.use_up(at),
                Some(Role::And | Role::Comma | Role::Filler | Role::Of) => {}
                Some(Role::Lead) if self.starts_sentence(at) && !self.draft.items.is_empty() => {
                    waiting.before = std::mem::take(&mut self.draft.items);
                }
                Some(_) => waiting.last.clear(),
                None if self.is_mention(at) => self.item(at, &mut waiting),
                None => {}
            }
        }
        self.finish_items(&waiting);
    }

    /// "Which …? List the name": the last sentence says what to return.
    fn starts_sentence(&self, at: usize) -> bool {
        at.checked_sub(1)
            .and_then(|b| self.token(b))
            .is_some_and(|t| matches!(t.text.as_str(), "." | "?" | ";" | "。" | "？" | "；"))
    }

    fn item(&mut self, at: usize, waiting: &mut Waiting) {
        if let Some(count) = waiting.count.take() {
            self.counted(at, count, waiting);
            return;
        }
        let Some(token) = self.token(at) else { return };
        if self.is_verb(at) {
            return;
        }
        let table = token.table().filter(|(_, s)| *s > 0.75);
        let owns_next = self.owns_next(at);
        let modifies = table.is_some()
            && self.token(at + 1).is_some_and(|n| {
                !self.is_used(at + 1)
                    && !self.is_verb(at + 1)
                    && n.table().map_or(0.0, |(_, s)| s).max(n.column_score()) > 0.8
            });
        if table.is_some() && (owns_next || modifies || self.owned_before(at)) {
            self.use_up(at);
            return;
        }
        let carried = waiting.functions.is_empty();
        let mut functions = if carried {
            std::mem::take(&mut waiting.last)
        } else {
            std::mem::take(&mut waiting.functions)
        };
        let want = if functions.is_empty() {
            Want::Any
        } else {
            Want::Number
        };
        let column = self
            .column_at(at, want)
            .filter(|(_, s)| *s > 0.6 && table.is_none_or(|(_, t)| *s > t));
        match (column, table) {
            (Some((column, score)), _) => {
                let column = self.named_by_owner(at, column);
                let grouped = self.draft.groups.contains(&Key::Column(column));
                if carried && (grouped || !self.numeric(column)) {
                    functions.clear();
                }
                self.use_up(at);
                self.draft.score *= 0.85 + 0.15 * score;
                if !functions.is_empty() && self.is_object(at) {
                    self.draft.score *= 0.6;
                }
                self.push_columns(column, &functions);
                waiting.last = functions;
                self.draft.distinct |= std::mem::take(&mut waiting.distinct);
            }
            (None, Some((t, _))) => {
                if functions.is_empty() {
                    self.draft.distinct |= std::mem::take(&mut waiting.distinct);
                    self.table_item(at, t);
                } else {
                    waiting.functions = functions;
                }
            }
            (None, None) => waiting.functions = functions,
        }
    }

    /// "which town leads the total sales": the figure is what a verb does, not what is returned.
    fn is_object(&self, at: usize) -> bool {
        let asks = (0..at).rev().find(|i| {
            matches!(
                self.role(*i),
                Some(Role::Which | Role::Who | Role::And | Role::Comma | Role::Lead | Role::Each)
            )
        });
        !self.draft.items.is_empty()
            && asks.is_some_and(|i| matches!(self.role(i), Some(Role::Which | Role::Who)))
    }

    /// "the continent name", where continents have no column called name: the label is meant.
    fn named_by_owner(&self, at: usize, column: Col) -> Col {
        let says_name = self.token(at).is_some_and(|t| {
            matches!(
                t.text.to_lowercase().as_str(),
                "name" | "names" | "名称" | "名字" | "姓名"
            )
        });
        match self.owner(at).or(self.last_table()).or(self.draft.focus) {
            Some(owner) if says_name && owner != column.0 => {
                self.label(owner).map_or(column, |label| (owner, label))
            }
            _ => column,
        }
    }

    fn push_columns(&mut self, column: Col, functions: &[Aggregate]) {
        if functions.is_empty() {
            let item = Item::Column(column);
            if !self.draft.items.contains(&item) {
                self.draft.items.push(item);
            }
        }
        for function in functions {
            self.draft.items.push(Item::Aggregate(*function, column));
        }
    }

    /// A table stands alone: its rows are asked for, by their names.
    fn table_item(&mut self, at: usize, table: usize) {
        self.use_up(at);
        let is_owner =
            self.draft.items.iter().any(
                |i| matches!(i, Item::Column((t, _)) | Item::Aggregate(_, (t, _)) if *t == table),
            );
        if !is_owner {
            self.draft.items.push(Item::Label(table));
        }
    }

    /// `singer names`: the table only says whose column comes next.
    pub(super) fn owns_next(&self, at: usize) -> bool {
        let mut next = self.skip(at + 1, &[]);
        // `员工的平均工资`: a figure of the table's column.
        let figure = matches!(self.role(at + 1), Some(Role::Aggregate(_)));
        if (figure && self.is_chinese_at(at + 1))
            || self.token(at + 1).is_some_and(|t| t.text == "的")
        {
            while matches!(self.role(next), Some(Role::Aggregate(_) | Role::Distinct)) {
                next = self.skip(next + 1, &[]);
            }
            let column = self.token(next).is_some_and(|n| n.column_score() > 0.6);
            return column && self.is_mention(next) && !self.is_used(next);
        }
        let Some((table, _)) = self.token(at).and_then(|t| t.table()) else {
            return false;
        };
        // "the last invoice issue date": a light word may stand between.
        if matches!(
            self.token(next).map(|t| &t.tag),
            Some(Tag::Unknown { light: true })
        ) {
            next = self.skip(next + 1, &[]);
        }
        next - at <= 3
            && self.is_mention(next)
            && !self.is_used(next)
            && !self.is_verb(next)
            && self.token(next).is_some_and(|n| {
                n.column_score() > 0.6 && n.table().is_none_or(|(_, s)| s < n.column_score())
            })
            && self
                .token(next)
                .is_some_and(|n| n.columns().any(|(t, _, _)| t == table))
    }

    /// `names of the singers`: the table says whose columns came before.
    fn owned_before(&self, at: usize) -> bool {
        let Some(link) = self.before(at, &[Role::Distinct, Role::Any, Role::Each]) else {
            return false;
        };
        let linked = matches!(self.role(link), Some(Role::Of))
            || (matches!(self.role(link), Some(Role::Prep))
                && self
                    .token(link)
                    .is_some_and(|t| !t.text.eq_ignore_ascii_case("by")));
        linked && !self.draft.items.is_empty()
    }

    fn when(&mut self, at: usize) {
        if let Some(column) = self.time_column(at) {
            self.use_up(at);
            if self.is_chinese_at(at) {
                self.draft.items.retain(|i| !matches!(i, Item::Label(_)));
            }
            self.draft.items.push(Item::Column(column));
            self.draft.score *= 0.9;
        }
    }

    /// `where is …`: the column that says a place.
    fn place(&mut self, at: usize) {
        const PLACES: &[&str] = &[
            "location", "address", "hometown", "city", "country", "place", "region",
        ];
        let Some(focus) = self.draft.focus else {
            return;
        };
        let Some(table) = self.know.names.tables.get(focus) else {
            return;
        };
        let found = PLACES.iter().find_map(|p| {
            table
                .columns
                .iter()
                .position(|c| crate::link::words::holds(&c.stems, p))
        });
        if let Some(column) = found {
            self.use_up(at);
            self.draft.items.push(Item::Column((focus, column)));
            self.draft.score *= 0.92;
        }
    }

    fn finish_items(&mut self, waiting: &Waiting) {
        if let Some(count) = waiting.count
            && let Some(focus) = self.draft.focus
        {
            self.use_up(count);
            if self.counts_what_stands_before(count) {
                self.draft.items.clear();
            }
            let earlier = waiting
                .before
                .iter()
                .find(|i| matches!(i, Item::CountRows(_) | Item::CountDistinct(_)));
            self.draft
                .items
                .push(earlier.cloned().unwrap_or(Item::CountRows(focus)));
        }
        if self.draft.items.is_empty() {
            self.draft.items.clone_from(&waiting.before);
        }
        if !waiting.functions.is_empty() {
            self.draft.score *= 0.4;
        }
        if waiting.distinct {
            self.draft.distinct = true;
        }
        self.what_called();
        if self.draft.items.is_empty() {
            self.items_from_keys();
        }
        if self
            .draft
            .items
            .iter()
            .any(|i| matches!(i, Item::Everything(_)))
        {
            self.draft
                .items
                .retain(|i| matches!(i, Item::Everything(_)));
        }
        if waiting.before.is_empty() {
            self.label_groups();
        }
        self.sum_per_item();
    }

    /// "what are the large boats called": their names.
    fn what_called(&mut self) {
        let end = self
            .tokens
            .iter()
            .rposition(|t| !matches!(t.role(), Some(Role::Comma | Role::Filler)));
        if let (Some(at), Some(focus)) = (end, self.draft.focus)
            && self.role(at) == Some(Role::Named)
            && self.draft.items.is_empty()
        {
            self.use_up(at);
            self.draft.items.push(Item::Label(focus));
        }
    }

    /// "which country has the most capacity": over all rows of a country, not in its largest one.
    fn sum_per_item(&mut self) {
        let most = self.tokens.iter().any(|t| {
            matches!(t.role(), Some(Role::Extreme(_)))
                && matches!(
                    t.text.to_lowercase().as_str(),
                    "most" | "least" | "最多" | "最少"
                )
        });
        let ([Item::Column(item)], [sort], true) = (
            self.draft.items.as_slice(),
            self.draft.order.as_slice(),
            most,
        ) else {
            return;
        };
        let Measure::Column(measured) = sort.by else {
            return;
        };
        let names_row = self.label(item.0) == Some(item.1)
            || self
                .know
                .names
                .column(item.0, item.1)
                .is_some_and(|c| c.primary);
        if names_row || item.0 != measured.0 || *item == measured || self.is_time(measured) {
            return;
        }
        let (key, descending) = (Key::Column(*item), sort.descending);
        self.draft.order = vec![Sort {
            by: Measure::Aggregate(Aggregate::Sum, measured),
            descending,
        }];
        self.draft.groups = vec![key];
        self.draft.score *= 0.9;
    }

    /// Only groups or an order were named: they are what is returned.
    fn items_from_keys(&mut self) {
        let keys = self.draft.groups.clone();
        for key in keys {
            match key {
                Key::Column(column) => self.draft.items.push(Item::Column(column)),
                Key::Table(t) => self.draft.items.push(Item::Label(t)),
            }
        }
        if self.draft.items.is_empty()
            && let Some(focus) = self.draft.focus
        {
            let said = self
                .tokens
                .iter()
                .any(|t| matches!(t.role(), Some(Role::Who | Role::Which | Role::Lead)));
            self.draft.score *= if said { 0.9 } else { 0.6 };
            self.draft.items.push(Item::Label(focus));
        }
    }

    /// Whether something of the table is returned, or the rows are its own.
    fn shows(&self, table: usize) -> bool {
        let shown = |i: &Item| matches!(i, Item::Column((t, _)) | Item::Label(t) | Item::Everything(t) if *t == table);
        self.draft.focus == Some(table)
            || !self.draft.order.is_empty()
            || self.draft.items.iter().any(shown)
    }

    /// A grouped figure is of no use without its group.
    fn label_groups(&mut self) {
        let figures = self.draft.items.iter().all(|i| {
            matches!(
                i,
                Item::CountRows(_) | Item::CountDistinct(_) | Item::Aggregate(..)
            )
        });
        let groups = self.draft.groups.clone();
        for key in groups {
            match key {
                Key::Column(column)
                    if !self.draft.items.contains(&Item::Column(column))
                        && self.draft.order.is_empty() =>
                {
                    self.draft.items.insert(0, Item::Column(column));
                }
                // "the animals of each zoo": which row belongs to which is half of the answer.
                Key::Table(t) if figures || !self.shows(t) => {
                    self.draft.items.insert(0, Item::Label(t));
                }
                _ => {}
            }
        }
    }
}
