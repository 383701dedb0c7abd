//! What makes a reading doubtful although every word has its place: columns that fit a word equally well,
//! and plans that answer something else than was asked.

use super::Reader;
use crate::builtin::draft::{Col, Doubt, Item, Test};
use crate::builtin::lexicon::Role;
use crate::builtin::token::Tag;

/// Fits above this are the column's whole name.
const WHOLE: f32 = 0.93;

/// Words for people, as stems of a general kind; tables called so answer "who".
const PEOPLE: &[&str] = &[
    "person", "people", "member", "user", "employee", "customer", "student", "teacher", "author",
    "artist", "player", "patient", "doctor", "manager", "owner", "guest", "visitor", "actor",
    "writer", "name", "human",
];

impl Reader<'_> {
    pub(super) fn note_doubts(&mut self) {
        self.doubt_columns();
        self.doubt_known_answer();
        self.doubt_who();
    }

    /// Two columns of one table fit a word of the question alike, and nothing else tells them apart.
    fn doubt_columns(&mut self) {
        for at in 0..self.tokens.len() {
            let Some(token) = self.token(at) else { break };
            let best = token.column_score();
            if !(0.6..WHOLE).contains(&best)
                || !self.is_used(at)
                || !matches!(token.tag, Tag::Mention(_))
                || token.table().is_some_and(|(_, s)| s > 0.8)
                || token.value_score() > best
            {
                continue;
            }
            let alike: Vec<Col> = token
                .columns()
                .filter(|(_, _, s)| best - s < 0.01)
                .map(|(t, c, _)| (t, c))
                .collect();
            let Some(used) = alike.iter().copied().find(|c| self.draft.uses(*c)) else {
                continue;
            };
            let rival = alike.iter().copied().find(|other| {
                *other != used
                    && other.0 == used.0
                    && self.is_plain(*other)
                    && self.numeric(*other) == self.numeric(used)
                    && self.noun_bonus(at, *other) >= self.noun_bonus(at, used)
            });
            if let (Some(rival), true) = (rival, self.is_plain(used)) {
                self.draft.doubts.push(Doubt {
                    at,
                    columns: [used, rival],
                });
            }
        }
    }

    fn is_plain(&self, column: Col) -> bool {
        self.know
            .names
            .column(column.0, column.1)
            .is_some_and(|c| !c.primary && !c.foreign)
    }

    /// The only thing returned is what the question already says.
    fn doubt_known_answer(&mut self) {
        let fixed = |column: Col| {
            self.draft.filters.iter().any(|f| {
                f.column == column
                    && !f.negated
                    && !f.or
                    && matches!(&f.test, Test::Is(texts) if texts.len() == 1)
            })
        };
        let known = |item: &Item| match item {
            Item::Column(column) => fixed(*column),
            Item::Label(t) => self.label(*t).is_some_and(|c| fixed((*t, c))),
            _ => false,
        };
        if !self.draft.items.is_empty() && self.draft.items.iter().all(known) {
            self.draft.score *= 0.6;
        }
    }

    /// "Who made …": an answer that names no people is about something else.
    fn doubt_who(&mut self) {
        let asks = self
            .tokens
            .iter()
            .take(2)
            .any(|t| t.role() == Some(Role::Who));
        let [Item::Label(table)] = self.draft.items.as_slice() else {
            return;
        };
        let Some(names) = self.know.names.tables.get(*table) else {
            return;
        };
        let person = |stem: &String| {
            PEOPLE
                .iter()
                .any(|p| crate::link::synonyms::likeness(&crate::link::words::stem(p), stem) > 0.8)
                || stem.ends_with("er")
                || stem.ends_with("or")
                || stem.ends_with("ist")
        };
        let personal = names.columns.iter().any(|c| {
            [
                "gender",
                "sex",
                "age",
                "birth",
                "first",
                "nationality",
                "citizenship",
            ]
            .iter()
            .any(|w| crate::link::words::holds(&c.stems, w))
        });
        if asks && !personal && !names.stems.iter().any(person) {
            self.draft.score *= 0.65;
        }
    }
}
