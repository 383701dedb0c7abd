//! An oracle with noise: it knows the gold query, breaks it in one known way, and repairs itself only from
//! what the loop tells it. Measures the loop without a model.

use crate::desk::Source;
use crate::set::{Database, Question};
use assent::llm::{FinishReason, ModelError, ModelRequest, Turn};
use assent::sql::lex::tokens;
use assent::transcript::{CallId, Message, Part, ToolCall};
use serde_json::json;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Break {
    Column,
    Table,
    Value,
    Join,
    Syntax,
    Delete,
}

const BREAKS: [Break; 6] = [
    Break::Column,
    Break::Table,
    Break::Value,
    Break::Join,
    Break::Syntax,
    Break::Delete,
];

pub struct Noisy {
    gold: String,
    sql: String,
    kind: Break,
    /// Whether anything could be broken in that way.
    broken: bool,
    /// What the break replaced, and by what.
    from: String,
    to: String,
    visible: bool,
}

impl Noisy {
    pub fn new(question: &Question, database: &Database) -> Self {
        let gold = question
            .golds()
            .first()
            .copied()
            .unwrap_or_default()
            .to_owned();
        let seed = question
            .id
            .bytes()
            .fold(7_usize, |s, b| (s * 31 + usize::from(b)) % 10_007);
        let mut noisy = Self {
            sql: gold.clone(),
            gold,
            kind: Break::Delete,
            broken: false,
            from: String::new(),
            to: String::new(),
            visible: false,
        };
        for step in 0..BREAKS.len() {
            noisy.kind = BREAKS[(seed + step) % BREAKS.len()];
            if let Some((from, to, sql)) = broken(&noisy.gold, noisy.kind, database) {
                (noisy.from, noisy.to, noisy.sql) = (from, to, sql);
                noisy.broken = true;
                break;
            }
        }
        noisy
    }

    /// Changes the query only as far as the last message says how.
    fn repair(&mut self, told: &str) {
        self.visible = true;
        let lower = told.to_lowercase();
        let meant = told
            .split("did you mean ")
            .nth(1)
            .and_then(|t| t.split('?').next())
            .map(|t| t.trim_start_matches("the table ").trim().to_owned());
        let named = !self.to.is_empty() && lower.contains(&self.to.to_lowercase());
        match self.kind {
            Break::Column | Break::Table => {
                if let (Some(meant), true) = (meant, named) {
                    self.sql = replace_name(&self.sql, &self.to, &meant);
                }
            }
            Break::Syntax | Break::Join if named => self.sql.clone_from(&self.gold),
            Break::Delete if lower.contains("delete") => self.sql.clone_from(&self.gold),
            Break::Value if lower.contains("no rows") => self.sql.clone_from(&self.gold),
            Break::Syntax | Break::Join | Break::Delete | Break::Value => {}
        }
    }
}

impl Source for Noisy {
    fn turn(&mut self, request: &ModelRequest, _database: &Database) -> Result<Turn, ModelError> {
        let result = request.messages.iter().rev().find_map(|m| match m {
            Message::Tool(result) => Some(result.clone()),
            _ => None,
        });
        let failed = result.as_ref().is_some_and(|r| r.is_error);
        let empty = result.as_ref().is_some_and(|r| r.text.contains("No rows."));
        Ok(match result {
            Some(result) if failed || (empty && self.sql != self.gold) => {
                let before = self.sql.clone();
                self.repair(&result.text);
                if before == self.sql {
                    return Ok(said("I cannot repair this query from what I was told."));
                }
                propose(&self.sql, true)
            }
            Some(_) => said("Here are the rows."),
            None => propose(&self.sql, false),
        })
    }

    fn broke(&self) -> Option<(&'static str, bool)> {
        let name = match self.kind {
            Break::Column => "wrong column",
            Break::Table => "wrong table",
            Break::Value => "value misspelt",
            Break::Join => "missing join",
            Break::Syntax => "syntax error",
            Break::Delete => "DELETE",
        };
        self.broken.then_some((name, self.visible))
    }
}

/// What was replaced, by what, and the broken query.
fn broken(gold: &str, kind: Break, database: &Database) -> Option<(String, String, String)> {
    let names = &database.translator.names;
    let words: Vec<String> = tokens(gold).iter().filter_map(|t| t.name(gold)).collect();
    match kind {
        Break::Column => {
            let column = words.iter().find(|w| {
                w.len() > 4
                    && names
                        .tables
                        .iter()
                        .any(|t| t.columns.iter().any(|c| c.name.eq_ignore_ascii_case(w)))
                    && names.table_index(w).is_none()
            })?;
            let wrong = swapped(column);
            Some((
                column.clone(),
                wrong.clone(),
                replace_name(gold, column, &wrong),
            ))
        }
        Break::Table => {
            let table = words
                .iter()
                .find(|w| w.len() > 4 && names.table_index(w).is_some())?;
            let wrong = format!("{table}s");
            Some((
                table.clone(),
                wrong.clone(),
                replace_name(gold, table, &wrong),
            ))
        }
        Break::Value => misspelt(gold),
        Break::Join => unjoined(gold),
        Break::Syntax => {
            let at = gold.to_ascii_lowercase().find("from ")?;
            // SQLite names the place where it could not go on: the word behind the mistake.
            let next: String = gold[at + 5..]
                .trim_start_matches(['(', '"', '`', ' '])
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            Some((
                String::new(),
                next,
                format!("{}FRM {}", &gold[..at], &gold[at + 5..]),
            ))
        }
        Break::Delete => {
            let table = words.iter().find(|w| names.table_index(w).is_some())?;
            Some((
                String::new(),
                "DELETE".to_owned(),
                format!("DELETE FROM \"{table}\""),
            ))
        }
    }
}

/// One literal with two letters swapped.
fn misspelt(gold: &str) -> Option<(String, String, String)> {
    let at = gold.find(['\'', '"'])?;
    let quote = gold[at..].chars().next()?;
    let end = at + 1 + gold[at + 1..].find(quote)?;
    let value = &gold[at + 1..end];
    if value.len() < 4 || value.contains('%') {
        return None;
    }
    let wrong = swapped(value);
    Some((
        value.to_owned(),
        wrong.clone(),
        format!("{}{wrong}{}", &gold[..=at], &gold[end..]),
    ))
}

/// One table left out, with its alias still in use.
fn unjoined(gold: &str) -> Option<(String, String, String)> {
    let lower = gold.to_ascii_lowercase();
    let at = lower.find(" join ")?;
    let on = at + lower[at..].find(" on ")?;
    let end = [
        " where ",
        " group ",
        " order ",
        " join ",
        " union ",
        " intersect ",
        " except ",
    ]
    .iter()
    .filter_map(|w| lower[on..].find(w).map(|e| on + e))
    .min()
    .unwrap_or(gold.len());
    let alias = gold[at + 6..on].split_whitespace().last()?.to_owned();
    Some((
        gold[at..end].to_owned(),
        alias,
        format!("{}{}", &gold[..at], &gold[end..]),
    ))
}

/// Two letters in the middle change places.
fn swapped(text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = (1..chars.len().saturating_sub(1)).find(|i| chars[*i] != chars[*i + 1]);
    match at {
        Some(at) => chars.swap(at, at + 1),
        None => chars.push('x'),
    }
    chars.into_iter().collect()
}

fn replace_name(sql: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    let mut done = 0;
    for token in tokens(sql) {
        if token
            .name(sql)
            .is_some_and(|n| n.eq_ignore_ascii_case(from))
        {
            out.push_str(&sql[done..token.range.start]);
            out.push_str(to);
            done = token.range.end;
        }
    }
    out.push_str(&sql[done..]);
    out
}

fn propose(sql: &str, after_error: bool) -> Turn {
    let error_check = if after_error {
        "the message names the mistake"
    } else {
        ""
    };
    turn(vec![Part::Call(ToolCall {
        id: CallId(String::new()),
        name: "run_sql".into(),
        arguments: json!({
            "error_check": error_check, "reasoning": "from the oracle", "analysis": "from the oracle",
            "sql": sql, "final_check": "from the oracle",
        })
        .to_string(),
        malformed: false,
    })])
}

fn said(text: &str) -> Turn {
    turn(vec![Part::Text(text.into())])
}

fn turn(parts: Vec<Part>) -> Turn {
    Turn {
        parts,
        finish: Some(FinishReason::Stop),
        usage: None,
        truncated: false,
    }
}
