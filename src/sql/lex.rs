//! SQL text into tokens, exactly as SQLite's own tokeniser cuts it. Total: every byte of any input is in
//! exactly one token. Used by the guard and by the editor's colours; knows no grammar.
//!
//! Source of the rules: <https://www.sqlite.org/draft/tokenreq.html> and the behaviour of SQLite 3.54.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Space,
    /// `-- …` or `/* … */`.
    Comment,
    Keyword,
    Name,
    /// `"…"`, `[…]` or `` `…` ``.
    QuotedName,
    /// `'…'`.
    Text,
    /// `x'…'`.
    Blob,
    Number,
    /// `?1`, `:a`, `@a`, `$a`.
    Variable,
    Operator,
    /// A string, name, blob or comment that is not closed before the input ends.
    Unterminated,
    /// What SQLite calls an unrecognised token.
    Illegal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    /// Bytes of the input.
    pub range: Range<usize>,
}

impl Token {
    #[must_use]
    pub fn text<'a>(&self, sql: &'a str) -> &'a str {
        sql.get(self.range.clone()).unwrap_or_default()
    }

    /// Neither space nor comment.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        !matches!(self.kind, Kind::Space | Kind::Comment)
    }

    #[must_use]
    pub fn is(&self, sql: &str, word: &str) -> bool {
        matches!(self.kind, Kind::Keyword | Kind::Name | Kind::Operator)
            && self.text(sql).eq_ignore_ascii_case(word)
    }

    /// The name a token stands for, quotes removed; `None` where it cannot be a name.
    #[must_use]
    pub fn name(&self, sql: &str) -> Option<String> {
        let text = self.text(sql);
        match self.kind {
            Kind::Name | Kind::Keyword => Some(text.to_owned()),
            Kind::QuotedName | Kind::Text => Some(unquoted(text)),
            _ => None,
        }
    }
}

/// The content of `'…'`, `"…"`, `` `…` `` or `[…]`, with doubled quotes undone.
fn unquoted(text: &str) -> String {
    let inner = |close: char| {
        text.get(1..text.len().saturating_sub(1))
            .unwrap_or_default()
            .replace(&format!("{close}{close}"), &close.to_string())
    };
    match text.as_bytes().first() {
        Some(b'[') => text
            .get(1..text.len().saturating_sub(1))
            .unwrap_or_default()
            .to_owned(),
        Some(b'"') => inner('"'),
        Some(b'`') => inner('`'),
        _ => inner('\''),
    }
}

#[must_use]
pub fn tokens(sql: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < sql.len() {
        let (kind, len) = next(Bytes(sql.as_bytes().get(at..).unwrap_or_default()));
        let mut end = (at + len.max(1)).min(sql.len());
        while !sql.is_char_boundary(end) {
            end += 1;
        }
        let kind = match kind {
            Kind::Name if is_keyword(sql.get(at..end).unwrap_or_default()) => Kind::Keyword,
            other => other,
        };
        out.push(Token {
            kind,
            range: at..end,
        });
        at = end;
    }
    out
}

/// The rest of the input; reading past its end yields 0, as in C.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn at(self, i: usize) -> u8 {
        self.0.get(i).copied().unwrap_or(0)
    }

    fn run(self, from: usize, accept: impl Fn(u8) -> bool) -> usize {
        from + self
            .0
            .get(from..)
            .unwrap_or_default()
            .iter()
            .take_while(|&&b| accept(b))
            .count()
    }

    fn find(self, from: usize, byte: u8) -> Option<usize> {
        let found = self.0.get(from..)?.iter().position(|&b| b == byte)?;
        Some(from + found)
    }
}

fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

fn next(z: Bytes) -> (Kind, usize) {
    match z.at(0) {
        b' ' | b'\t' | b'\n' | 0x0c | b'\r' => (Kind::Space, z.run(1, is_space)),
        0xef if z.at(1) == 0xbb && z.at(2) == 0xbf => (Kind::Space, 3),
        b'-' if z.at(1) == b'-' => (Kind::Comment, z.run(2, |b| b != b'\n')),
        b'-' if z.at(1) == b'>' => (Kind::Operator, if z.at(2) == b'>' { 3 } else { 2 }),
        b'/' if z.at(1) == b'*' => block_comment(z),
        b'\'' => quoted(z, b'\'', Kind::Text),
        b'"' => quoted(z, b'"', Kind::QuotedName),
        b'`' => quoted(z, b'`', Kind::QuotedName),
        b'[' => match z.find(1, b']') {
            Some(end) => (Kind::QuotedName, end + 1),
            None => (Kind::Unterminated, z.0.len()),
        },
        b'.' if z.at(1).is_ascii_digit() => number(z),
        b'0'..=b'9' => number(z),
        b'?' => (Kind::Variable, z.run(1, |b| b.is_ascii_digit())),
        b'$' | b'@' | b':' | b'#' => variable(z),
        b'x' | b'X' if z.at(1) == b'\'' => blob(z),
        b if is_name_byte(b) => (Kind::Name, z.run(1, is_name_byte)),
        _ => operator(z),
    }
}

fn operator(z: Bytes) -> (Kind, usize) {
    let len = match (z.at(0), z.at(1)) {
        (b'=' | b'!', b'=') | (b'<', b'=' | b'>' | b'<') | (b'>', b'=' | b'>') | (b'|', b'|') => 2,
        (b'!', _) => return (Kind::Illegal, 1),
        (
            b'-' | b'/' | b'.' | b'(' | b')' | b';' | b'+' | b'*' | b'%' | b'=' | b'<' | b'>'
            | b'|' | b',' | b'&' | b'~',
            _,
        ) => 1,
        _ => return (Kind::Illegal, 1),
    };
    (Kind::Operator, len)
}

fn block_comment(z: Bytes) -> (Kind, usize) {
    let mut from = 2;
    while let Some(star) = z.find(from, b'*') {
        if z.at(star + 1) == b'/' {
            return (Kind::Comment, star + 2);
        }
        from = star + 1;
    }
    (Kind::Unterminated, z.0.len())
}

fn quoted(z: Bytes, close: u8, kind: Kind) -> (Kind, usize) {
    let mut from = 1;
    while let Some(end) = z.find(from, close) {
        if z.at(end + 1) != close {
            return (kind, end + 1);
        }
        from = end + 2;
    }
    (Kind::Unterminated, z.0.len())
}

fn blob(z: Bytes) -> (Kind, usize) {
    let digits = z.run(2, |b| b.is_ascii_hexdigit());
    if z.at(digits) == b'\'' && digits.is_multiple_of(2) {
        return (Kind::Blob, digits + 1);
    }
    match z.find(digits, b'\'') {
        Some(end) => (Kind::Illegal, end + 1),
        None => (Kind::Unterminated, z.0.len()),
    }
}

/// Digits with single `_` between them, from `from`.
fn digits(z: Bytes, from: usize, accept: impl Fn(u8) -> bool) -> usize {
    let mut i = from;
    while accept(z.at(i)) || (i > from && z.at(i) == b'_' && accept(z.at(i + 1))) {
        i += 1;
    }
    i
}

fn number(z: Bytes) -> (Kind, usize) {
    let decimal = |b: u8| b.is_ascii_digit();
    let mut i;
    if z.at(0) == b'0' && matches!(z.at(1), b'x' | b'X') && z.at(2).is_ascii_hexdigit() {
        i = digits(z, 2, |b| b.is_ascii_hexdigit());
    } else {
        i = digits(z, 0, decimal);
        if z.at(i) == b'.' {
            i = digits(z, i + 1, decimal);
        }
        let sign = usize::from(matches!(z.at(i + 1), b'+' | b'-'));
        if matches!(z.at(i), b'e' | b'E') && z.at(i + 1 + sign).is_ascii_digit() {
            i = digits(z, i + 1 + sign, decimal);
        }
    }
    let end = z.run(i, is_name_byte);
    (if end > i { Kind::Illegal } else { Kind::Number }, end)
}

fn variable(z: Bytes) -> (Kind, usize) {
    let mut i = 1;
    let mut named = false;
    loop {
        let b = z.at(i);
        if is_name_byte(b) {
            named = true;
            i += 1;
        } else if b == b'(' && named {
            i = z.run(i + 1, |b| b != 0 && !is_space(b) && b != b')');
            if z.at(i) == b')' {
                return (Kind::Variable, i + 1);
            }
            return (Kind::Illegal, i);
        } else if b == b':' && z.at(i + 1) == b':' {
            i += 2;
        } else {
            break;
        }
    }
    (if named { Kind::Variable } else { Kind::Illegal }, i)
}

/// SQLite's keywords, sorted. Many of them may still be names where the grammar allows it.
const KEYWORDS: &[&str] = &[
    "ABORT",
    "ACTION",
    "ADD",
    "AFTER",
    "ALL",
    "ALTER",
    "ALWAYS",
    "ANALYZE",
    "AND",
    "AS",
    "ASC",
    "ATTACH",
    "AUTOINCREMENT",
    "BEFORE",
    "BEGIN",
    "BETWEEN",
    "BY",
    "CASCADE",
    "CASE",
    "CAST",
    "CHECK",
    "COLLATE",
    "COLUMN",
    "COMMIT",
    "CONFLICT",
    "CONSTRAINT",
    "CREATE",
    "CROSS",
    "CURRENT",
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "DATABASE",
    "DEFAULT",
    "DEFERRABLE",
    "DEFERRED",
    "DELETE",
    "DESC",
    "DETACH",
    "DISTINCT",
    "DO",
    "DROP",
    "EACH",
    "ELSE",
    "END",
    "ESCAPE",
    "EXCEPT",
    "EXCLUDE",
    "EXCLUSIVE",
    "EXISTS",
    "EXPLAIN",
    "FAIL",
    "FILTER",
    "FIRST",
    "FOLLOWING",
    "FOR",
    "FOREIGN",
    "FROM",
    "FULL",
    "GENERATED",
    "GLOB",
    "GROUP",
    "GROUPS",
    "HAVING",
    "IF",
    "IGNORE",
    "IMMEDIATE",
    "IN",
    "INDEX",
    "INDEXED",
    "INITIALLY",
    "INNER",
    "INSERT",
    "INSTEAD",
    "INTERSECT",
    "INTO",
    "IS",
    "ISNULL",
    "JOIN",
    "KEY",
    "LAST",
    "LEFT",
    "LIKE",
    "LIMIT",
    "MATCH",
    "MATERIALIZED",
    "NATURAL",
    "NO",
    "NOT",
    "NOTHING",
    "NOTNULL",
    "NULL",
    "NULLS",
    "OF",
    "OFFSET",
    "ON",
    "OR",
    "ORDER",
    "OTHERS",
    "OUTER",
    "OVER",
    "PARTITION",
    "PLAN",
    "PRAGMA",
    "PRECEDING",
    "PRIMARY",
    "QUERY",
    "RAISE",
    "RANGE",
    "RECURSIVE",
    "REFERENCES",
    "REGEXP",
    "REINDEX",
    "RELEASE",
    "RENAME",
    "REPLACE",
    "RESTRICT",
    "RETURNING",
    "RIGHT",
    "ROLLBACK",
    "ROW",
    "ROWS",
    "SAVEPOINT",
    "SELECT",
    "SET",
    "TABLE",
    "TEMP",
    "TEMPORARY",
    "THEN",
    "TIES",
    "TO",
    "TRANSACTION",
    "TRIGGER",
    "UNBOUNDED",
    "UNION",
    "UNIQUE",
    "UPDATE",
    "USING",
    "VACUUM",
    "VALUES",
    "VIEW",
    "VIRTUAL",
    "WHEN",
    "WHERE",
    "WINDOW",
    "WITH",
    "WITHIN",
    "WITHOUT",
];

#[must_use]
pub fn is_keyword(word: &str) -> bool {
    word.len() <= 17
        && KEYWORDS
            .binary_search(&word.to_ascii_uppercase().as_str())
            .is_ok()
}

#[cfg(test)]
#[path = "lex_tests.rs"]
mod tests;
