//! Comments that people wrote into a CREATE TABLE text, given to the table or the column they stand beside.
//! Knows tokens, not grammar.

use super::lex::{Kind, Token, tokens};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comments {
    pub table: Option<String>,
    /// By column name as written.
    pub columns: BTreeMap<String, String>,
}

/// A comment on the line of a column is about that column; one on a line of its own is about the next;
/// what stands before the first column's line or after the last bracket is about the table.
#[must_use]
pub fn comments(create_sql: &str) -> Comments {
    let mut walk = Walk::default();
    for token in tokens(create_sql) {
        walk.step(create_sql, &token);
    }
    walk.settle_pending();
    let join = |parts: Vec<String>| (!parts.is_empty()).then(|| parts.join(" "));
    Comments {
        table: join(walk.table),
        columns: walk
            .columns
            .into_iter()
            .filter_map(|(name, parts)| Some((name, join(parts)?)))
            .collect(),
    }
}

#[derive(Default)]
struct Walk {
    depth: u32,
    /// The next solid token at depth 1 names a column.
    expect_name: bool,
    /// The column whose definition was last seen.
    current: Option<String>,
    /// Inside a table constraint, whose comments are about neither.
    in_constraint: bool,
    /// Nothing solid has been seen on this line yet.
    line_is_new: bool,
    /// Comments on lines of their own: about the next column.
    pending: Vec<String>,
    table: Vec<String>,
    columns: BTreeMap<String, Vec<String>>,
}

impl Walk {
    fn step(&mut self, sql: &str, token: &Token) {
        match token.kind {
            Kind::Space => {
                if token.text(sql).contains('\n') {
                    self.line_is_new = true;
                }
            }
            Kind::Comment => self.comment(plain(token.text(sql))),
            _ => self.solid(sql, token),
        }
    }

    fn comment(&mut self, text: String) {
        if text.is_empty() || (self.in_constraint && self.depth > 0) {
            return;
        }
        match (&self.current, self.depth) {
            (_, 0) => self.table.push(text),
            (None, _) if !self.line_is_new => self.table.push(text),
            (Some(column), _) if !self.line_is_new => {
                self.columns.entry(column.clone()).or_default().push(text);
            }
            _ => self.pending.push(text),
        }
    }

    fn solid(&mut self, sql: &str, token: &Token) {
        self.line_is_new = false;
        if token.is(sql, "(") {
            self.depth += 1;
            self.expect_name |= self.depth == 1 && self.current.is_none();
        } else if token.is(sql, ")") {
            self.depth = self.depth.saturating_sub(1);
            if self.depth == 0 {
                self.settle_pending();
            }
        } else if self.depth == 1 && token.is(sql, ",") {
            self.expect_name = true;
        } else if self.expect_name {
            self.expect_name = false;
            self.name(sql, token);
        }
    }

    fn name(&mut self, sql: &str, token: &Token) {
        let constraint = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]
            .iter()
            .any(|word| token.is(sql, word));
        if constraint {
            self.settle_pending();
            self.in_constraint = true;
            return;
        }
        let Some(name) = token.name(sql) else { return };
        let pending = std::mem::take(&mut self.pending);
        self.columns
            .entry(name.clone())
            .or_default()
            .extend(pending);
        self.current = Some(name);
    }

    /// Comments that no column follows belong to the column before them, else to the table.
    fn settle_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        match &self.current {
            Some(column) => self
                .columns
                .entry(column.clone())
                .or_default()
                .extend(pending),
            None => self.table.extend(pending),
        }
    }
}

/// The words of a comment, without its marks and without the stars of a banner.
fn plain(comment: &str) -> String {
    let body = comment
        .strip_prefix("/*")
        .and_then(|c| c.strip_suffix("*/"))
        .or_else(|| comment.strip_prefix("--"))
        .unwrap_or(comment);
    body.lines()
        .map(|line| line.trim().trim_matches(['*', '-', '=']).trim())
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_to_the_column_beside_or_below_them() {
        let found = comments(
            "CREATE TABLE orders ( -- one row per order\n\
             id INTEGER PRIMARY KEY, -- running number\n\
             /* in cents,\n * without tax */\n\
             total INT CHECK (total > 0), /* a */ -- b\n\
             \"the, city\" TEXT, [x] TEXT -- last\n\
             , FOREIGN KEY (id) REFERENCES a(id) -- not a column\n\
             ) -- end of it",
        );
        assert_eq!(found.table.as_deref(), Some("one row per order end of it"));
        let columns: Vec<_> = found
            .columns
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        assert_eq!(
            columns,
            [
                ("id", "running number"),
                ("total", "in cents, without tax a b"),
                ("x", "last"),
            ]
        );
    }

    #[test]
    fn a_text_without_comments_gives_none() {
        assert_eq!(
            comments("CREATE TABLE a(b, c '--no' DEFAULT '/*no*/')"),
            Comments::default()
        );
        assert_eq!(comments(""), Comments::default());
    }
}
