//! The schema in words for a model: names, descriptions, search. Compact, capped, every cut named.

use super::shorten;
use crate::agent::limits::{
    PROMPT_SCHEMA_CHARS_MAX, PROMPT_TABLES_MAX, SEARCH_HITS_MAX, TOOL_RESULT_CHARS_MAX,
};
use crate::sql::{Column, Generated, RowCount, Schema, Table, TableKind};
use std::fmt::Write;

/// A name as SQLite takes it anywhere.
#[must_use]
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The name bare where it may stand so, quoted elsewhere: models copy what they see.
fn written(name: &str) -> String {
    let mut chars = name.chars();
    let plain = chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain {
        name.to_owned()
    } else {
        one_line(&quoted(name))
    }
}

/// Names and comments come from the file: they stay inside their line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], "⏎")
}

fn rows(count: RowCount) -> String {
    match count {
        RowCount::Exact(1) => "1 row".to_owned(),
        RowCount::Exact(n) => format!("{n} rows"),
        RowCount::Estimated(n) => format!("about {n} rows"),
        RowCount::Unknown => "rows not counted".to_owned(),
    }
}

/// One line a table.
#[must_use]
pub fn names(schema: &Schema) -> String {
    let mut text = String::new();
    let mut left_out = 0;
    for table in schema.visible() {
        let line = format!("{}\n", headline(table));
        if text.len() + line.len() > TOOL_RESULT_CHARS_MAX {
            left_out += 1;
        } else {
            text.push_str(&line);
        }
    }
    if text.is_empty() {
        text.push_str("the database has no tables\n");
    }
    if left_out > 0 {
        let _ = writeln!(text, "and {left_out} more: use search_schema");
    }
    text
}

fn headline(table: &Table) -> String {
    let mut line = written(&table.name);
    match &table.kind {
        TableKind::View => line.push_str(" (view)"),
        TableKind::Virtual { module } => {
            let _ = write!(line, " (virtual, {module})");
        }
        TableKind::Table | TableKind::Shadow => {
            let _ = write!(line, " ({})", rows(table.rows));
        }
    }
    if let Some(problem) = &table.problem {
        let _ = write!(
            line,
            " — cannot be read: {}",
            one_line(&shorten(problem, 120))
        );
    } else if let Some(comment) = &table.comment {
        let _ = write!(line, " — {}", one_line(&shorten(comment, 120)));
    }
    line
}

/// A table with all its columns, keys and comments.
#[must_use]
pub fn describe(table: &Table) -> String {
    let mut text = format!("{}\n", headline(table));
    for column in &table.columns {
        let _ = writeln!(text, "  {}", column_line(column));
    }
    for key in &table.foreign_keys {
        let _ = writeln!(
            text,
            "  foreign key ({}) → {}({})",
            list(&key.columns),
            written(&key.table),
            list(&key.references)
        );
    }
    for index in table.indexes.iter().filter(|i| i.unique) {
        let names: Vec<String> = index
            .columns
            .iter()
            .map(|c| c.clone().unwrap_or_else(|| "(expression)".to_owned()))
            .collect();
        let _ = writeln!(text, "  unique ({})", list(&names));
    }
    text
}

fn column_line(column: &Column) -> String {
    let mut line = written(&column.name);
    if !column.declared_type.is_empty() {
        let _ = write!(line, " {}", one_line(&column.declared_type));
    }
    if column.primary_key > 0 {
        line.push_str(" primary key");
    }
    if column.not_null && column.primary_key == 0 {
        line.push_str(" not null");
    }
    if column.generated != Generated::No {
        line.push_str(" generated");
    }
    if let Some(comment) = &column.comment {
        let _ = write!(line, " -- {}", one_line(&shorten(comment, 160)));
    }
    line
}

fn list(names: &[String]) -> String {
    names
        .iter()
        .map(|n| written(n))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The schema for the prompt: whole where it is small, else only names.
#[must_use]
pub fn overview(schema: &Schema) -> String {
    let count = schema.visible().count();
    if count <= PROMPT_TABLES_MAX {
        let whole: String = schema.visible().map(describe).collect();
        if whole.len() <= PROMPT_SCHEMA_CHARS_MAX {
            return whole;
        }
    }
    let mut text = format!("{count} tables and views; describe the ones you need:\n");
    let mut shown = 0;
    for table in schema.visible() {
        let name = written(&table.name);
        if text.len() + name.len() > PROMPT_SCHEMA_CHARS_MAX {
            break;
        }
        if shown > 0 {
            text.push_str(", ");
        }
        text.push_str(&name);
        shown += 1;
    }
    if shown < count {
        let _ = write!(text, " … and {} more: use search_schema", count - shown);
    }
    text.push('\n');
    text
}

/// Tables and columns whose names or comments hold the words, best first.
#[must_use]
pub fn search(schema: &Schema, query: &str) -> String {
    let words: Vec<String> = split_words(query);
    let mut hits: Vec<(usize, String)> = Vec::new();
    for table in schema.visible() {
        let own = score(&words, &table.name, table.comment.as_deref());
        if own > 0 {
            hits.push((own * 2, headline(table)));
        }
        for column in &table.columns {
            let score = score(&words, &column.name, column.comment.as_deref());
            if score > 0 {
                let line = format!("{}.{}", written(&table.name), column_line(column));
                hits.push((score * 2 + usize::from(own > 0), line));
            }
        }
    }
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.0));
    let total = hits.len();
    let mut text: String = hits
        .into_iter()
        .take(SEARCH_HITS_MAX)
        .map(|(_, line)| line + "\n")
        .collect();
    if total == 0 {
        text = "nothing fits these words; try others, or list_tables\n".to_owned();
    } else if total > SEARCH_HITS_MAX {
        let _ = writeln!(
            text,
            "and {} more: use more specific words",
            total - SEARCH_HITS_MAX
        );
    }
    text
}

fn score(words: &[String], name: &str, comment: Option<&str>) -> usize {
    let parts = split_words(name);
    let comment = comment.unwrap_or_default().to_lowercase();
    words
        .iter()
        .map(|w| {
            if parts.iter().any(|p| p == w) {
                3
            } else if parts
                .iter()
                .any(|p| p.contains(w.as_str()) || stem_of(w, p))
            {
                2
            } else {
                usize::from(comment.contains(w.as_str()))
            }
        })
        .sum()
}

fn stem_of(word: &str, part: &str) -> bool {
    part.len() >= 3 && word.starts_with(part)
}

/// Lower-case words of a name or a question: camel case, underscores and punctuation split.
fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in text.chars() {
        let ends = !c.is_alphanumeric() || (c.is_uppercase() && was_lower);
        if ends && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Up to three table names that look like `name`.
#[must_use]
pub fn nearest(schema: &Schema, name: &str) -> Vec<String> {
    let mut ranked: Vec<(usize, &str)> = schema
        .visible()
        .map(|t| {
            (
                distance(&t.name.to_lowercase(), &name.to_lowercase()),
                t.name.as_str(),
            )
        })
        .collect();
    ranked.sort();
    ranked
        .into_iter()
        .take(3)
        .map(|(_, n)| n.to_owned())
        .collect()
}

/// Levenshtein distance in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(64).enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, cb) in row.iter_mut().skip(1).zip(&b) {
            let substituted = diagonal + usize::from(ca != *cb);
            diagonal = *cell;
            left = substituted.min(*cell + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn names_split_into_words() {
        assert_eq!(
            split_words("orderItems_2023 fooBar"),
            ["order", "items", "2023", "foo", "bar"]
        );
    }
}
