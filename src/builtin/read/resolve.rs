//! Which column a mention is: by its own fit, by the table that owns it in the sentence, and by nearness
//! to what the question is about.

use super::Reader;
use crate::builtin::draft::{Col, Item, Key};
use crate::builtin::lexicon::{Hint, Role};
use crate::builtin::tag::is_numeric;
use crate::link::names::ColumnKind;

/// What kind of column is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    Any,
    Number,
}

impl Reader<'_> {
    /// The best column for the mention at `at`.
    pub(in crate::builtin) fn column_at(&self, at: usize, want: Want) -> Option<(Col, f32)> {
        let owner = self.owner(at);
        self.column_owned(at, want, owner)
    }

    pub(in crate::builtin) fn column_owned(
        &self,
        at: usize,
        want: Want,
        owner: Option<usize>,
    ) -> Option<(Col, f32)> {
        let token = self.token(at)?;
        token
            .columns()
            .map(|(t, c, score)| {
                let mut rank = score + self.closeness(t);
                if owner == Some(t) {
                    rank += 0.35;
                }
                rank += self.noun_bonus(at, (t, c));
                if self.draft.groups.contains(&Key::Table(t)) && owner.is_none() {
                    rank += if self.says_their() { 0.3 } else { 0.15 };
                }
                if self.in_select(at) && owner.is_none() && self.last_table() == Some(t) {
                    rank += 0.14;
                }
                if want == Want::Number {
                    rank += if self.numeric((t, c)) { 0.15 } else { -0.3 };
                }
                if let Some(column) = self.know.names.column(t, c) {
                    // A key names the thing itself; a foreign key only points at it.
                    if column.primary {
                        rank += 0.02;
                    } else if column.foreign {
                        rank -= 0.04;
                    }
                    if column.pointer && owner != Some(t) {
                        rank -= 0.3;
                    }
                    if want == Want::Number && (column.primary || column.foreign) && score < 0.95 {
                        rank -= 0.4;
                    }
                }
                ((t, c), score, rank)
            })
            .max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)))
            .map(|(column, score, _)| (column, score))
    }

    /// "for each town, list its name": what is returned belongs to the group.
    fn says_their(&self) -> bool {
        self.tokens.iter().any(|t| t.role() == Some(Role::Their))
    }

    /// The table of the column returned just before.
    pub(in crate::builtin) fn last_table(&self) -> Option<usize> {
        match self.draft.items.last() {
            Some(Item::Column((t, _)) | Item::Label(t)) => Some(*t),
            _ => None,
        }
    }

    /// A word that says what is done, not what is wanted: `flights departing from`, `flights depart from`.
    pub(in crate::builtin) fn is_verb(&self, at: usize) -> bool {
        let Some(token) = self.token(at) else {
            return false;
        };
        if token.column_score() > 0.95 && token.candidates().iter().any(|c| c.score > 0.95) {
            return false;
        }
        let text = token.text.to_lowercase();
        let form = text.ends_with("ing") || text.ends_with("ed");
        let behind_noun = at
            .checked_sub(1)
            .and_then(|b| self.token(b))
            .is_some_and(|t| t.table().is_some());
        let before_prep = matches!(self.role(at + 1), Some(Role::Prep | Role::Compare(..)));
        let pronoun = at
            .checked_sub(1)
            .and_then(|b| self.token(b))
            .is_some_and(|t| {
                matches!(
                    t.text.to_lowercase().as_str(),
                    "it" | "they" | "he" | "she" | "did" | "do" | "does" | "we"
                )
            });
        (form && (behind_noun || before_prep)) || (behind_noun && before_prep) || pronoun
    }

    /// `name of the song`, `song name`: a noun beside the mention that the column's own name holds.
    pub(super) fn noun_bonus(&self, at: usize, column: Col) -> f32 {
        let Some(name) = self.know.names.column(column.0, column.1) else {
            return 0.0;
        };
        let free = self
            .know
            .names
            .tables
            .get(column.0)
            .map_or(&[][..], |t| &t.stems);
        let holds = |i: usize| {
            self.token(i).is_some_and(|t| {
                t.role().is_none() && name.stems.contains(&t.stem) && !free.contains(&t.stem)
            })
        };
        let own = self.token(at).is_some_and(|t| name.stems.contains(&t.stem));
        if !own || name.stems.len() < 2 {
            return 0.0;
        }
        let before = self
            .before(at, &[])
            .is_some_and(|b| at - b <= 2 && holds(b));
        let mut next = at + 1;
        while matches!(
            self.role(next),
            Some(Role::Filler | Role::And | Role::Comma)
        ) || self
            .token(next)
            .is_some_and(|t| t.column_score() > 0.8 && self.role(next + 1) == Some(Role::Of))
        {
            next += 1;
        }
        let linked = matches!(self.role(next), Some(Role::Of | Role::Prep));
        let after = linked && holds(self.skip(next + 1, &[]));
        if before || after { 0.4 } else { 0.0 }
    }

    /// How near a table is to what the question is about.
    pub(in crate::builtin) fn closeness(&self, table: usize) -> f32 {
        let mut rank = 0.0;
        if self.draft.focus == Some(table) {
            rank += 0.2;
        } else if self.named.contains(&table) {
            rank += 0.12;
        }
        let steps = self.steps.get(table).copied().unwrap_or(9).min(9);
        #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
        let far = steps as f32 * 0.07;
        rank - far
    }

    pub(in crate::builtin) fn numeric(&self, column: Col) -> bool {
        is_numeric(self.know.names, self.know.values, column.0, column.1)
    }

    /// The table that owns the column mentioned at `at`: `singer names`, `the singer's name`,
    /// `name and age of the singers`.
    pub(in crate::builtin) fn owner(&self, at: usize) -> Option<usize> {
        self.owner_before(at)
            .or_else(|| self.owner_after(at))
            .map(|(t, _)| t)
    }

    pub(in crate::builtin) fn owner_before(&self, at: usize) -> Option<(usize, usize)> {
        let previous = self.before(at, &[])?;
        if at - previous > 2 {
            return None;
        }
        let (table, score) = self.token(previous)?.table()?;
        (score > 0.8).then_some((table, previous))
    }

    pub(in crate::builtin) fn owner_after(&self, at: usize) -> Option<(usize, usize)> {
        let mut linked = false;
        for next in at + 1..at + 13 {
            let token = self.token(next)?;
            match token.role() {
                Some(Role::Of) => linked = true,
                Some(Role::Prep) => {
                    let stays = token.text.eq_ignore_ascii_case("for")
                        || token.text.eq_ignore_ascii_case("from")
                        || token.text.eq_ignore_ascii_case("in");
                    if !stays {
                        return None;
                    }
                    linked = true;
                }
                Some(Role::Each) => linked = true,
                Some(
                    Role::Filler
                    | Role::And
                    | Role::Comma
                    | Role::Distinct
                    | Role::Any
                    | Role::Extreme(_)
                    | Role::Aggregate(_)
                    | Role::NumberOf,
                ) => {}
                Some(_) => return None,
                None => {
                    let table = token.table().filter(|(_, score)| *score > 0.8);
                    if linked && let Some((table, _)) = table {
                        return Some((table, next));
                    }
                    if linked && !token.is_value() && token.column_score() < 0.5 {
                        return None;
                    }
                }
            }
        }
        None
    }

    /// A column of the focus (or of a table near it) that an adjective speaks of; true where the sense of
    /// larger and smaller turns around.
    pub(in crate::builtin) fn hinted(&self, hint: Hint) -> Option<(Col, bool)> {
        let mut tables: Vec<usize> = self.draft.focus.into_iter().collect();
        tables.extend(
            self.named
                .iter()
                .copied()
                .filter(|t| Some(*t) != self.draft.focus),
        );
        for table in tables {
            if let Some(found) = self.hinted_in(table, hint) {
                return Some(found);
            }
        }
        None
    }

    pub(in crate::builtin) fn hinted_in(&self, table: usize, hint: Hint) -> Option<(Col, bool)> {
        let columns = &self.know.names.tables.get(table)?.columns;
        for (stem, flips) in hint.columns() {
            let found = columns.iter().position(|c| {
                crate::link::words::holds(&c.stems, stem)
                    && !c.foreign
                    && (c.kind != ColumnKind::Text || self.comparable((table, 0), c.kind, stem))
            });
            if let Some(column) = found {
                return Some(((table, column), *flips));
            }
        }
        if hint == Hint::Time {
            let column = columns.iter().position(|c| c.kind == ColumnKind::Date)?;
            return Some(((table, column), false));
        }
        None
    }

    /// Texts that sort like numbers or dates: years, dates and ages are often stored so.
    fn comparable(&self, _column: Col, _kind: ColumnKind, stem: &str) -> bool {
        matches!(stem, "year" | "date" | "age" | "birth" | "time")
    }

    /// A column that holds years or dates: of the focus first.
    pub(in crate::builtin) fn time_column(&self, at: usize) -> Option<Col> {
        let mut tables: Vec<usize> = (0..self.know.names.tables.len()).collect();
        tables.sort_by(|a, b| {
            self.closeness(*b)
                .total_cmp(&self.closeness(*a))
                .then(a.cmp(b))
        });
        // A word just before ("opened in 2010") may name the column better than any rule.
        for back in (at.saturating_sub(4)..at).rev() {
            let Some(token) = self.token(back) else {
                continue;
            };
            if let Some(((t, c), _)) = self.column_at(back, Want::Any)
                && token.column_score() > 0.6
                && self.is_time((t, c))
            {
                return Some((t, c));
            }
        }
        // "concerts in 2014": the thing just before is what is dated.
        if let Some(nearest) = (at.saturating_sub(6)..at)
            .rev()
            .filter_map(|back| self.token(back).and_then(|t| t.table()))
            .find(|(_, score)| *score > 0.85)
        {
            tables.retain(|t| *t != nearest.0);
            tables.insert(0, nearest.0);
        }
        tables
            .into_iter()
            .filter(|t| {
                self.draft.focus == Some(*t)
                    || self.named.contains(t)
                    || self.steps.get(*t) == Some(&1)
            })
            .find_map(|t| {
                let columns = &self.know.names.tables.get(t)?.columns;
                let stem_of = |c: &crate::link::names::ColumnName| {
                    ["year", "date"]
                        .iter()
                        .any(|w| crate::link::words::holds(&c.stems, w))
                };
                columns
                    .iter()
                    .position(stem_of)
                    .or_else(|| columns.iter().position(|c| c.kind == ColumnKind::Date))
                    .map(|c| (t, c))
            })
    }

    pub(in crate::builtin) fn is_time(&self, column: Col) -> bool {
        self.know.names.column(column.0, column.1).is_some_and(|c| {
            c.kind == ColumnKind::Date
                || ["year", "date", "start"]
                    .iter()
                    .any(|w| crate::link::words::holds(&c.stems, w))
        })
    }

    /// Whether a column holds whole dates rather than bare years.
    pub(in crate::builtin) fn holds_dates(&self, column: Col) -> bool {
        self.know
            .names
            .column(column.0, column.1)
            .is_some_and(|c| c.kind == ColumnKind::Date && !c.stems.iter().any(|s| s == "year"))
            && !self.numeric(column)
    }

    /// The column that names a row of the table for a person.
    pub(in crate::builtin) fn label(&self, table: usize) -> Option<usize> {
        super::super::assemble::label(self.know.names, table)
    }
}
