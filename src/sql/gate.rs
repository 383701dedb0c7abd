//! The lexical gate: what may be shown to SQLite at all. Preparing or explaining a PRAGMA already has
//! effects, so this runs before anything is prepared. Knows tokens, not grammar, schema or database.

use super::lex::{Kind, Token, tokens};
use super::verdict::{Denial, Rule};

/// Longest statement that is looked at. A person's query is a few kilobytes; more is a mistake or an attack.
pub const SQL_BYTES_MAX: usize = 64 * 1024;

/// A statement that may be prepared, cut into tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gated {
    pub tokens: Vec<Token>,
    /// Where the query itself begins: after leading comments and `EXPLAIN [QUERY PLAN]`.
    pub query: usize,
    /// The person asked for `EXPLAIN`, not for the rows.
    pub explain: bool,
}

/// Lets through exactly one SELECT, WITH, VALUES, or EXPLAIN of these.
///
/// # Errors
/// The first rule that is broken, with the token and its position.
pub fn gate(sql: &str) -> Result<Gated, Denial> {
    if sql.len() > SQL_BYTES_MAX {
        return Err(denial(
            Rule::TooLong,
            format!("{} bytes", sql.len()),
            SQL_BYTES_MAX,
        ));
    }
    if let Some(at) = sql.find('\0') {
        return Err(denial(Rule::NulByte, "\\0".to_owned(), at));
    }
    let tokens = tokens(sql);
    let solid: Vec<&Token> = tokens
        .iter()
        .filter(|t| t.is_solid())
        .skip_while(|t| t.is(sql, ";"))
        .collect();
    if let Some(open) = tokens.iter().find(|t| t.kind == Kind::Unterminated) {
        return Err(refuse(Rule::Unterminated, sql, open));
    }
    let (query, explain) = query_start(sql, &solid)?;
    let mut rest = solid.iter().skip_while(|t| !t.is(sql, ";"));
    if let Some(second) = rest.find(|t| !t.is(sql, ";")) {
        return Err(refuse(Rule::SeveralStatements, sql, second));
    }
    if let Some(variable) = solid.iter().find(|t| t.kind == Kind::Variable) {
        return Err(refuse(Rule::Parameter, sql, variable));
    }
    Ok(Gated {
        query,
        explain,
        tokens,
    })
}

/// The offset of SELECT, WITH or VALUES, and whether EXPLAIN stands before it.
fn query_start(sql: &str, solid: &[&Token]) -> Result<(usize, bool), Denial> {
    let mut words = solid.iter();
    let Some(mut first) = words.next() else {
        return Err(denial(Rule::Empty, String::new(), 0));
    };
    let explain = first.is(sql, "EXPLAIN");
    if explain {
        let explained = first;
        first = words
            .next()
            .ok_or_else(|| refuse(Rule::NotAQuery, sql, explained))?;
        if first.is(sql, "QUERY") {
            let query = first;
            let plan = words
                .next()
                .ok_or_else(|| refuse(Rule::NotAQuery, sql, query))?;
            if !plan.is(sql, "PLAN") {
                return Err(refuse(Rule::NotAQuery, sql, plan));
            }
            first = words
                .next()
                .ok_or_else(|| refuse(Rule::NotAQuery, sql, plan))?;
        }
    }
    if ["SELECT", "WITH", "VALUES"]
        .iter()
        .any(|word| first.is(sql, word))
    {
        Ok((first.range.start, explain))
    } else {
        Err(refuse(Rule::NotAQuery, sql, first))
    }
}

/// Where a statement that turned out to write says so: the first writing verb outside parentheses.
#[must_use]
pub fn writing_verb<'a>(sql: &str, tokens: &'a [Token]) -> Option<&'a Token> {
    let mut depth = 0_i32;
    tokens.iter().filter(|t| t.is_solid()).find(|t| {
        if t.is(sql, "(") {
            depth += 1;
        } else if t.is(sql, ")") {
            depth -= 1;
        }
        depth == 0
            && ["INSERT", "UPDATE", "DELETE", "REPLACE"]
                .iter()
                .any(|verb| t.is(sql, verb))
    })
}

fn refuse(rule: Rule, sql: &str, token: &Token) -> Denial {
    let text: String = token.text(sql).chars().take(TOKEN_CHARS_MAX).collect();
    denial(rule, text, token.range.start)
}

/// An unclosed string can be the whole statement; the message needs only its beginning.
const TOKEN_CHARS_MAX: usize = 40;

fn denial(rule: Rule, token: String, at: usize) -> Denial {
    Denial {
        rule,
        token,
        position: Some(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(sql: &str) -> Result<usize, (Rule, String, usize)> {
        gate(sql)
            .map(|g| g.query)
            .map_err(|d| (d.rule, d.token, d.position.unwrap()))
    }

    #[test]
    fn one_query_passes_with_its_comments_and_semicolons() {
        for (sql, at) in [
            ("select 1", 0),
            ("/* c */ select 1", 8),
            ("--x\nselect 1", 4),
            ("select 1;;", 0),
            (";select 1", 1),
            ("select 1 -- note", 0),
            ("VALUES(1),(2)", 0),
            ("SELECT 'a;b', \"DROP\", [;] FROM `;`", 0),
            ("EXPLAIN QUERY PLAN SELECT 1", 19),
            ("explain with x as (select 1) select * from x", 8),
            ("\u{feff}SELECT 1", 3),
        ] {
            assert_eq!(verdict(sql), Ok(at), "{sql}");
        }
    }

    #[test]
    fn everything_else_is_refused_by_name_and_place() {
        for (sql, rule, token, at) in [
            ("", Rule::Empty, "", 0),
            ("  -- nothing", Rule::Empty, "", 0),
            (";;", Rule::Empty, "", 0),
            ("select '\0'", Rule::NulByte, "\\0", 8),
            ("select 'a", Rule::Unterminated, "'a", 7),
            ("select 1 /* x", Rule::Unterminated, "/* x", 9),
            ("SELECT 1; SELECT 2", Rule::SeveralStatements, "SELECT", 10),
            (
                "EXPLAIN SELECT 1; DELETE FROM a",
                Rule::SeveralStatements,
                "DELETE",
                18,
            ),
            ("EXPLAIN PRAGMA query_only=0", Rule::NotAQuery, "PRAGMA", 8),
            ("PRAGMA query_only=0", Rule::NotAQuery, "PRAGMA", 0),
            ("EXPLAIN", Rule::NotAQuery, "EXPLAIN", 0),
            ("EXPLAIN QUERY", Rule::NotAQuery, "QUERY", 8),
            ("EXPLAIN ; SELECT 1", Rule::NotAQuery, ";", 8),
            ("(SELECT 1)", Rule::NotAQuery, "(", 0),
            ("\"select\" 1", Rule::NotAQuery, "\"select\"", 0),
            ("SELECT ?1", Rule::Parameter, "?1", 7),
            ("SELECT :a", Rule::Parameter, ":a", 7),
        ] {
            assert_eq!(verdict(sql), Err((rule, token.to_owned(), at)), "{sql}");
        }
        let long = format!("SELECT {}", "1+".repeat(SQL_BYTES_MAX));
        assert_eq!(verdict(&long).unwrap_err().0, Rule::TooLong);
    }

    #[test]
    fn the_writing_verb_is_found_behind_a_with() {
        let sql = "WITH x AS (SELECT replace(1,2,3)) DELETE FROM a";
        let gated = gate(sql).unwrap();
        let verb = writing_verb(sql, &gated.tokens).unwrap();
        assert_eq!(verb.range.start, 34);
    }
}
