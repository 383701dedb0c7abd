//! Splits SQL into coloured pieces. Only for the eye: the pieces joined give the text back unchanged.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Keyword,
    Name,
    Text,
    Number,
    Comment,
    Other,
}

impl TokenKind {
    /// The name that the style sheet knows; empty for what needs no colour.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Text => "text",
            Self::Number => "number",
            Self::Comment => "comment",
            Self::Name | Self::Other => "",
        }
    }
}

const KEYWORDS: &str = " ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS CURRENT DELETE DESC DISTINCT DROP ELSE \
    END ESCAPE EXCEPT EXISTS EXPLAIN FALSE FILTER FIRST FOLLOWING FROM FULL GLOB GROUP GROUPS HAVING IN INNER \
    INSERT INTERSECT INTO IS ISNULL JOIN LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NOT NOTNULL NULL NULLS \
    OFFSET ON OR ORDER OUTER OVER PARTITION PLAN PRECEDING QUERY RANGE RECURSIVE REGEXP RIGHT ROW ROWS SELECT SET \
    TABLE THEN TRUE UNBOUNDED UNION UPDATE USING VALUES WHEN WHERE WINDOW WITH ";

/// The pieces in order. Neighbours of the same colour are joined.
#[must_use]
pub fn tokens(sql: &str) -> Vec<(TokenKind, &str)> {
    let mut out: Vec<(TokenKind, &str)> = Vec::new();
    let mut rest = sql;
    let mut start = 0;
    let mut last: Option<TokenKind> = None;
    let mut at = 0;
    while !rest.is_empty() {
        let (kind, length) = next(rest);
        if last != Some(kind) {
            if let (Some(last), Some(piece)) = (last, sql.get(start..at)) {
                out.push((last, piece));
            }
            start = at;
            last = Some(kind);
        }
        at += length;
        rest = sql.get(at..).unwrap_or_default();
    }
    if let (Some(last), Some(piece)) = (last, sql.get(start..)) {
        out.push((last, piece));
    }
    out
}

pub type Piece = (TokenKind, String);

/// The pieces of each line, with the end of the line.
#[must_use]
pub fn lines(sql: &str) -> Vec<Vec<Piece>> {
    let mut out: Vec<Vec<Piece>> = Vec::new();
    let mut begins = true;
    for (kind, piece) in tokens(sql) {
        for part in piece.split_inclusive('\n') {
            if begins {
                out.push(Vec::new());
            }
            if let Some(line) = out.last_mut() {
                line.push((kind, part.to_owned()));
            }
            begins = part.ends_with('\n');
        }
    }
    out
}

fn next(rest: &str) -> (TokenKind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    match first {
        '-' if rest.starts_with("--") => {
            (TokenKind::Comment, rest.find('\n').unwrap_or(rest.len()))
        }
        '/' if rest.starts_with("/*") => {
            let end = rest
                .get(2..)
                .and_then(|r| r.find("*/"))
                .map_or(rest.len(), |i| i + 4);
            (TokenKind::Comment, end)
        }
        '\'' => (TokenKind::Text, quoted(rest, '\'')),
        '"' | '`' => (TokenKind::Name, quoted(rest, first)),
        '[' => (
            TokenKind::Name,
            rest.find(']').map_or(rest.len(), |i| i + 1),
        ),
        '0'..='9' => (
            TokenKind::Number,
            run(rest, |c| c.is_ascii_alphanumeric() || c == '.'),
        ),
        c if is_name(c) => {
            let length = run(rest, |c| is_name(c) || c.is_ascii_digit());
            let word = rest.get(..length).unwrap_or_default();
            let keyword =
                word.is_ascii() && KEYWORDS.contains(&format!(" {} ", word.to_ascii_uppercase()));
            (
                if keyword {
                    TokenKind::Keyword
                } else {
                    TokenKind::Name
                },
                length,
            )
        }
        c => (TokenKind::Other, c.len_utf8()),
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$' || !c.is_ascii()
}

fn run(rest: &str, accept: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !accept(c)).unwrap_or(rest.len())
}

/// Up to the closing quote; a doubled quote stands for itself.
fn quoted(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            if chars.peek().is_some_and(|(_, next)| *next == quote) {
                chars.next();
            } else {
                return at + 1;
            }
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_to_the_same_text() {
        for sql in [
            "SELECT a, 'it''s' -- x\nFROM \"t\" WHERE n > 1.5e3 /* y",
            "select 中文 from [a b] where x = 'open",
            "",
            "\u{feff}'",
            "/*/",
            "/**/1",
        ] {
            let joined: String = tokens(sql).iter().map(|(_, piece)| *piece).collect();
            assert_eq!(joined, sql);
        }
    }

    #[test]
    fn kinds_are_told_apart() {
        let kinds: Vec<_> = tokens("SELECT 'FROM' -- FROM").into_iter().collect();
        assert_eq!(
            kinds,
            [
                (TokenKind::Keyword, "SELECT"),
                (TokenKind::Other, " "),
                (TokenKind::Text, "'FROM'"),
                (TokenKind::Other, " "),
                (TokenKind::Comment, "-- FROM"),
            ]
        );
        assert_eq!(
            tokens("selection"),
            [(TokenKind::Name, "selection")],
            "a keyword inside a name is no keyword"
        );
    }
}
