//! The numbers of an answer, each with the cell that it tells, or marked as standing in no result.

use super::grid::Active;
use super::markdown::{Block, Inline, plain};
use super::texts::Texts;
use crate::agent::grounding::{Number, Told, numbers};
use crate::sql::Value;
use std::sync::Arc;

/// What an answer speaks of.
pub struct Source<'a> {
    pub columns: &'a [String],
    /// The rows that the model was told of.
    pub rows: &'a [Vec<Value>],
    /// Numbers that stand in nothing the model was told, as written.
    pub unsupported: &'a [String],
    pub texts: &'a Texts,
}

/// The blocks of an answer with their numbers linked or marked. Code and links stay as they are.
#[must_use]
pub fn marked(blocks: &[Arc<Block>], source: &Source) -> Vec<Arc<Block>> {
    blocks
        .iter()
        .map(|block| Arc::new(source.block(block)))
        .collect()
}

impl Source<'_> {
    fn block(&self, block: &Block) -> Block {
        let blocks = |list: &[Block]| list.iter().map(|b| self.block(b)).collect();
        match block {
            Block::Paragraph(text) => Block::Paragraph(self.inlines(text)),
            Block::Heading(level, text) => Block::Heading(*level, self.inlines(text)),
            Block::List { ordered, items } => Block::List {
                ordered: *ordered,
                items: items.iter().map(|item| blocks(item)).collect(),
            },
            Block::Quote(inner) => Block::Quote(blocks(inner)),
            Block::Table { head, rows } => Block::Table {
                head: head.clone(),
                rows: rows.iter().map(|row| self.table_row(row)).collect(),
            },
            Block::Code { .. } | Block::Rule => block.clone(),
        }
    }

    /// The names of a row stand beside its numbers, in cells of their own.
    fn table_row(&self, row: &[Vec<Inline>]) -> Vec<Vec<Inline>> {
        let around = row.iter().map(|cell| plain(cell)).collect::<Vec<_>>();
        let around = around.join(" ");
        row.iter()
            .map(|cell| cell.iter().flat_map(|i| self.inline(i, &around)).collect())
            .collect()
    }

    fn inlines(&self, list: &[Inline]) -> Vec<Inline> {
        let mut before = String::new();
        let mut out = Vec::new();
        for inline in list {
            out.extend(self.inline(inline, &before));
            before.push_str(&plain(std::slice::from_ref(inline)));
        }
        out
    }

    /// `before` is what was said before: it tells rows apart that hold the same number.
    fn inline(&self, inline: &Inline, before: &str) -> Vec<Inline> {
        let inner = |list: &[Inline]| list.iter().flat_map(|i| self.inline(i, before)).collect();
        vec![match inline {
            Inline::Text(text) => return self.text(text, before),
            Inline::Strong(list) => Inline::Strong(inner(list)),
            Inline::Emphasis(list) => Inline::Emphasis(inner(list)),
            Inline::Strike(list) => Inline::Strike(inner(list)),
            Inline::Code(_) | Inline::Link { .. } | Inline::Claim { .. } | Inline::Break => {
                inline.clone()
            }
        }]
    }

    fn text(&self, text: &str, before: &str) -> Vec<Inline> {
        let chars: Vec<char> = text.chars().collect();
        let piece = |from: usize, to: usize| -> String {
            chars.get(from..to).unwrap_or_default().iter().collect()
        };
        let mut out = Vec::new();
        let mut done = 0;
        let mut said = before.to_owned();
        for number in numbers(text) {
            let (from, to) = (number.place.start, number.place.end);
            let gap = piece(done, from);
            said.push_str(&gap);
            let cell = self.cell(&number, &said);
            if cell.is_none() && !self.unsupported.contains(&number.written) {
                said.push_str(&number.written);
                push_text(&mut out, &(gap + &number.written));
                done = to;
                continue;
            }
            let claim = Inline::Claim {
                title: self.title(cell),
                text: number.written,
                cell,
            };
            // The parts of a date stand in one cell, and are one link.
            if !joined(&mut out, &gap, &claim) {
                push_text(&mut out, &gap);
                out.push(claim);
            }
            done = to;
        }
        push_text(&mut out, &piece(done, chars.len()));
        out
    }

    fn title(&self, cell: Option<Active>) -> String {
        let Some(cell) = cell else {
            return self.texts.talk.not_in_result.to_owned();
        };
        let column = self.columns.get(cell.column).cloned();
        (self.texts.talk.show_cell)(&column.unwrap_or_default(), cell.row)
    }

    /// The cell that a number tells: one told exactly before one told rounded, then one of a row that was named, the
    /// last named first, then the first.
    fn cell(&self, number: &Number, said: &str) -> Option<Active> {
        let mut best: Option<((Told, usize), Active)> = None;
        for (row, values) in (1..).zip(self.rows) {
            for (column, value) in values.iter().enumerate() {
                let Some(told) = number.tells(value) else {
                    continue;
                };
                let rank = (told, since_named(values, said));
                if best.as_ref().is_none_or(|(held, _)| rank < *held) {
                    best = Some((rank, Active { row, column }));
                }
            }
        }
        best.map(|(_, cell)| cell)
    }
}

/// Bytes said since a text of the row was named; all of them and one more where none was.
fn since_named(row: &[Value], said: &str) -> usize {
    row.iter()
        .filter_map(|value| match value {
            Value::Text(name) if name.chars().any(char::is_alphabetic) => {
                said.rfind(name.as_str()).map(|at| said.len() - at)
            }
            _ => None,
        })
        .min()
        .unwrap_or(said.len() + 1)
}

/// Lengthens the last claim where the next one follows in the same cell with a mark between them, as in `2024-05`.
fn joined(out: &mut [Inline], gap: &str, next: &Inline) -> bool {
    let (
        Some(Inline::Claim {
            text,
            cell: Some(cell),
            ..
        }),
        Inline::Claim {
            text: more,
            cell: Some(same),
            ..
        },
    ) = (out.last_mut(), next)
    else {
        return false;
    };
    if cell != same || !matches!(gap, "-" | "/" | ":" | "." | "T") {
        return false;
    }
    text.push_str(gap);
    text.push_str(more);
    true
}

fn push_text(out: &mut Vec<Inline>, text: &str) {
    if text.is_empty() {
        return;
    }
    match out.last_mut() {
        Some(Inline::Text(before)) => before.push_str(text),
        _ => out.push(Inline::Text(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Language;
    use crate::view::{markdown, texts};

    fn check(answer: &str, unsupported: &[&str], expected: &[(&str, Option<(u64, usize)>)]) {
        let t = |text: &str| Value::Text(text.into());
        let rows = vec![
            vec![
                t("North"),
                Value::Integer(12_431),
                Value::Real(0.25),
                t("2024-05"),
            ],
            vec![
                t("South"),
                Value::Integer(900),
                Value::Real(0.125),
                t("2024-06"),
            ],
            vec![
                t("West"),
                Value::Integer(900),
                Value::Real(2.5),
                Value::Null,
            ],
        ];
        let columns = ["region", "orders", "share", "month"].map(str::to_owned);
        let unsupported: Vec<String> = unsupported.iter().map(|n| (*n).to_owned()).collect();
        let source = Source {
            columns: &columns,
            rows: &rows,
            unsupported: &unsupported,
            texts: texts::of(Language::English),
        };
        let mut found = Vec::new();
        for block in marked(&markdown::shared(answer), &source) {
            of_block(&block, &mut found);
        }
        let expected: Vec<_> = expected
            .iter()
            .map(|(text, cell)| ((*text).to_owned(), *cell))
            .collect();
        assert_eq!(found, expected, "{answer}");
    }

    type Found = Vec<(String, Option<(u64, usize)>)>;

    fn of_block(block: &Block, found: &mut Found) {
        match block {
            Block::Paragraph(list) | Block::Heading(_, list) => of_inlines(list, found),
            Block::List { items, .. } => items.iter().flatten().for_each(|b| of_block(b, found)),
            Block::Quote(inner) => inner.iter().for_each(|b| of_block(b, found)),
            Block::Table { rows, .. } => {
                rows.iter()
                    .flatten()
                    .for_each(|cell| of_inlines(cell, found));
            }
            Block::Code { .. } | Block::Rule => {}
        }
    }

    fn of_inlines(list: &[Inline], found: &mut Found) {
        for inline in list {
            match inline {
                Inline::Claim { text, cell, title } => {
                    assert!(!title.is_empty());
                    found.push((text.clone(), cell.map(|c| (c.row, c.column))));
                }
                Inline::Strong(inner) | Inline::Emphasis(inner) | Inline::Strike(inner) => {
                    of_inlines(inner, found);
                }
                Inline::Text(_) | Inline::Code(_) | Inline::Link { .. } | Inline::Break => {}
            }
        }
    }

    #[test]
    fn a_number_leads_to_its_cell_as_written_or_rounded() {
        check(
            "North had **12,431** orders, a share of 25 %.",
            &[],
            &[("12,431", Some((1, 1))), ("25", Some((1, 2)))],
        );
        check("共 12431 单。", &[], &[("12431", Some((1, 1)))]);
        check("About 13 %.", &[], &[("13", Some((2, 2)))]);
    }

    #[test]
    fn equal_numbers_are_told_apart_by_the_name_said_last() {
        check(
            "South had 900, and West had 900 too.",
            &[],
            &[("900", Some((2, 1))), ("900", Some((3, 1)))],
        );
        check(
            "|region|orders|\n|-|-|\n|West|900|\n|South|900|\n",
            &[],
            &[("900", Some((3, 1))), ("900", Some((2, 1)))],
        );
        check("There were 900.", &[], &[("900", Some((2, 1)))]);
    }

    #[test]
    fn the_parts_of_a_date_are_one_link() {
        check("Best was 2024-05.", &[], &[("2024-05", Some((1, 3)))]);
    }

    #[test]
    fn what_stands_nowhere_is_marked_and_what_the_question_said_is_left_alone() {
        check("It grew by 7 % in the top 5.", &["7"], &[("7", None)]);
        check("`7` and [7](https://sqlite.org)", &["7"], &[]);
        check("1. North\n2. South\n\n```\n900\n```", &["1"], &[]);
    }
}
