//! Calls in the text of a model that has no tools: a JSON object, tags, or a statement in a fence. Only
//! offered tools are called, and only with what the text says; prose alone is never a call.

use super::fallback::Protocol;
use super::repair;
use super::types::ToolSpec;
use serde_json::{Map, Value, json};

/// Statements in one reply among which the person is asked to choose.
pub const STATEMENTS_MAX: usize = 5;
/// Stands for an explanation that a reply in words does not have.
const NOT_GIVEN: &str = "(not given)";
const RUN_SQL: &str = "run_sql";
const ASK: &str = "ask_user_questions";

/// What a reply says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    pub text: String,
    /// Name and arguments, which are the text of a JSON object.
    pub call: Option<(String, String)>,
}

/// Reads a finished reply. `proposed` are statements that were called for already: a reply that repeats
/// one speaks of it.
#[must_use]
pub fn read(text: &str, protocol: Protocol, tools: &[ToolSpec], proposed: &[String]) -> Reading {
    let plain = || Reading {
        text: text.to_owned(),
        call: None,
    };
    if protocol == Protocol::Tools {
        return plain();
    }
    if let Some(object) = whole_object(text) {
        return from_object(&object, tools).unwrap_or_else(plain);
    }
    if let Some(reading) = tagged(text, tools) {
        return reading;
    }
    statements(text, tools, proposed).unwrap_or_else(plain)
}

/// The one object of a reply, bare, in a fence or between words.
fn whole_object(text: &str) -> Option<Map<String, Value>> {
    let trimmed = text.trim();
    if trimmed.starts_with('{') || trimmed.starts_with("```") {
        let read = repair::arguments(trimmed);
        if !read.malformed {
            return serde_json::from_str(&read.json).ok();
        }
    }
    let (from, to) = (trimmed.find('{')?, trimmed.rfind('}')?);
    let object: Map<String, Value> = serde_json::from_str(trimmed.get(from..=to)?).ok()?;
    let speaks = ["tool", "sql"].iter().any(|key| object.contains_key(*key));
    speaks.then_some(object)
}

fn from_object(object: &Map<String, Value>, tools: &[ToolSpec]) -> Option<Reading> {
    let text_at = |keys: &[&str]| {
        let mut texts = keys.iter().filter_map(|key| object.get(*key)?.as_str());
        texts.find(|text| !text.trim().is_empty())
    };
    if let Some(name) = text_at(&["tool", "name", "function"]) {
        let tool = tools.iter().find(|tool| tool.name == name)?;
        let arguments = match ["arguments", "parameters", "args"]
            .iter()
            .find_map(|key| object.get(*key))
        {
            Some(Value::Object(arguments)) => arguments.clone(),
            Some(Value::String(text)) => {
                let read = repair::arguments(text);
                serde_json::from_str(&read.json).ok()?
            }
            Some(Value::Null) | None => known(object, tool),
            Some(_) => return None,
        };
        return Some(called(String::new(), tool, arguments));
    }
    if let Some(sql) = text_at(&["sql", "query"]) {
        let tool = tools.iter().find(|tool| tool.name == RUN_SQL)?;
        let mut arguments = known(object, tool);
        arguments.insert("sql".to_owned(), sql.into());
        if let Some(reason) = text_at(&["reasoning", "reason", "explanation"]) {
            arguments.insert("reasoning".to_owned(), reason.into());
        }
        return Some(called(String::new(), tool, arguments));
    }
    let words = text_at(&["answer", "text", "response", "message", "reason"])?;
    Some(Reading {
        text: words.to_owned(),
        call: None,
    })
}

/// The fields of an object that the tool knows.
fn known(object: &Map<String, Value>, tool: &ToolSpec) -> Map<String, Value> {
    let fields = object.iter().filter(|(key, _)| property(tool, key));
    fields.map(|(k, v)| (k.clone(), v.clone())).collect()
}

fn property(tool: &ToolSpec, key: &str) -> bool {
    let properties = tool.parameters.get("properties");
    properties.is_some_and(|properties| properties.get(key).is_some())
}

fn called(text: String, tool: &ToolSpec, mut arguments: Map<String, Value>) -> Reading {
    if tool.name == RUN_SQL {
        let required = tool.parameters.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        for name in names.filter(|name| *name != "sql") {
            arguments.entry(name).or_insert_with(|| NOT_GIVEN.into());
        }
    }
    Reading {
        text,
        call: Some((tool.name.clone(), Value::Object(arguments).to_string())),
    }
}

/// `<tool name="…">` with a tag for each argument, or with a JSON object.
fn tagged(text: &str, tools: &[ToolSpec]) -> Option<Reading> {
    let (before, rest) = text.split_once("<tool name=")?;
    let (name, rest) = rest.split_once('>')?;
    let name = name.trim().trim_matches(['"', '\'']);
    let tool = tools.iter().find(|tool| tool.name == name)?;
    let (body, after) = rest.split_once("</tool>").unwrap_or((rest, ""));
    let body = body.trim();
    let arguments = if body.starts_with('{') {
        let read = repair::arguments(body);
        serde_json::from_str(&read.json).ok()?
    } else {
        tags(body, tool)?
    };
    Some(called(joined(before, after), tool, arguments))
}

fn tags(body: &str, tool: &ToolSpec) -> Option<Map<String, Value>> {
    let mut arguments = Map::new();
    let mut rest = body;
    while let Some((_, after)) = rest.split_once('<') {
        let (key, value) = after.split_once('>')?;
        if !property(tool, key) {
            return None;
        }
        let (value, after) = value.split_once(&format!("</{key}>"))?;
        let value = value.trim();
        let parsed = value
            .starts_with(['{', '['])
            .then(|| serde_json::from_str(value).ok())
            .flatten();
        arguments.insert(key.to_owned(), parsed.unwrap_or_else(|| value.into()));
        rest = after;
    }
    Some(arguments)
}

fn joined(before: &str, after: &str) -> String {
    format!("{}\n{}", before.trim_end(), after.trim_start())
        .trim()
        .to_owned()
}

/// One statement is proposed; of several the person chooses.
fn statements(text: &str, tools: &[ToolSpec], proposed: &[String]) -> Option<Reading> {
    let (mut found, prose) = find_sql(text);
    found.retain(|sql| !proposed.iter().any(|old| same_sql(old, sql)));
    if let [sql] = found.as_slice() {
        let tool = tools.iter().find(|tool| tool.name == RUN_SQL)?;
        let mut arguments = Map::new();
        arguments.insert("sql".to_owned(), sql.as_str().into());
        if !prose.is_empty() {
            arguments.insert("reasoning".to_owned(), prose.as_str().into());
        }
        return Some(called(String::new(), tool, arguments));
    }
    let tool = tools.iter().find(|tool| tool.name == ASK)?;
    if found.len() < 2 || found.len() > STATEMENTS_MAX {
        return None;
    }
    let options: Vec<Value> = (1..)
        .zip(&found)
        .map(|(n, sql): (u32, _)| json!({"id": n.to_string(), "label": sql}))
        .collect();
    let card = json!({
        "title": "SQL",
        "questions": [{
            "id": "sql",
            "question": "Which query is meant? / 要用哪一条查询？",
            "type": "SINGLE_CHOICE",
            "options": options,
        }],
    });
    Some(Reading {
        text: prose,
        call: Some((tool.name.clone(), card.to_string())),
    })
}

fn same_sql(a: &str, b: &str) -> bool {
    let words = |sql: &'_ str| sql.trim_end_matches([';', ' ', '\n']).to_owned();
    words(a).split_whitespace().eq(words(b).split_whitespace())
}

/// The different statements of a text, and the text without them.
#[must_use]
pub fn find_sql(text: &str) -> (Vec<String>, String) {
    let mut found: Vec<String> = Vec::new();
    let mut prose = String::new();
    let mut add = |sql: &str| {
        let sql = sql.trim();
        if !sql.is_empty() && !found.iter().any(|old| same_sql(old, sql)) {
            found.push(sql.to_owned());
        }
    };
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("```") {
        prose.push_str(before);
        let Some((block, after)) = after.split_once("```") else {
            // A fence that was never closed may be half a statement.
            prose.push_str("```");
            rest = after;
            break;
        };
        let (label, body) = block.split_once('\n').unwrap_or(("", block));
        match label.trim().to_ascii_lowercase().as_str() {
            "sql" | "sqlite" | "sqlite3" => add(body),
            "" if reads(body) => add(body),
            _ if reads(block) => add(block),
            _ => {
                prose.push_str("```");
                prose.push_str(block);
                prose.push_str("```");
            }
        }
        rest = after;
    }
    prose.push_str(rest);
    if found.is_empty()
        && let Some((before, sql, after)) = prefixed(&prose)
    {
        return (vec![sql.to_owned()], joined(before, after));
    }
    (found, prose.trim().to_owned())
}

/// `SQLQuery: …`, up to what such prompts let follow.
fn prefixed(text: &str) -> Option<(&str, &str, &str)> {
    let (before, after) = ["SQLQuery:", "SQL Query:", "SQL:"]
        .iter()
        .find_map(|prefix| text.split_once(prefix))?;
    let end = ["SQLResult:", "Answer:", "\n\n"]
        .iter()
        .filter_map(|end| after.find(end))
        .min()
        .unwrap_or(after.len());
    let (sql, after) = after.split_at_checked(end)?;
    let sql = sql.trim();
    reads(sql).then_some((before, sql, after))
}

/// Whether a text without a label begins as a statement that reads.
fn reads(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let word = word.trim_end_matches('(').to_ascii_uppercase();
    matches!(
        word.as_str(),
        "SELECT" | "WITH" | "VALUES" | "EXPLAIN" | "PRAGMA"
    )
}

#[cfg(test)]
#[path = "text_calls_tests.rs"]
mod tests;
