//! The translator as a source of turns: the same parts that a model would send.
//! Knows the transcript and the neutral model types; the words here are for the person.

use super::plan::Query;
use super::translate::{Candidate, Translation, Translator};
use crate::llm::{FinishReason, Turn};
use crate::transcript::{CallId, Message, Part, ToolCall, ToolResult};
use serde_json::json;

/// Below this a reading is not shown: the person is told what was understood instead.
pub const SCORE_MIN: f32 = 0.7;

/// Two readings that are closer than this are equally good.
const TIE: f32 = 0.015;

/// The next turn for a conversation: `messages` end with the person's question, or with what came of the
/// last turn (rows, an error, answers to a card).
#[must_use]
pub fn respond(translator: &Translator, messages: &[Message]) -> Turn {
    let Some((at, question)) = last_question(messages) else {
        return cannot("There is no question yet.");
    };
    let after = messages.get(at + 1..).unwrap_or_default();
    let results: Vec<&ToolResult> = after
        .iter()
        .filter_map(|m| match m {
            Message::Tool(result) => Some(result),
            _ => None,
        })
        .collect();
    let translation = translator.translate(question);
    match results.last() {
        None => first_turn(&translation),
        Some(result) if result.is_error => after_failure(&translation, after, &result.text),
        Some(result) if was_card(after, result) => after_card(&translation, &result.text),
        Some(result) => sentence(&translation, &result.text),
    }
}

fn last_question(messages: &[Message]) -> Option<(usize, &str)> {
    messages
        .iter()
        .enumerate()
        .rev()
        .find_map(|(i, m)| match m {
            Message::User { text } => Some((i, text.as_str())),
            _ => None,
        })
}

fn first_turn(translation: &Translation) -> Turn {
    let good: Vec<&Candidate> = translation
        .candidates
        .iter()
        .filter(|c| c.score >= SCORE_MIN)
        .collect();
    match good.as_slice() {
        [] => cannot(&not_understood(translation)),
        [best, second, ..] if best.score - second.score < TIE => card(best, second),
        [best, ..] => proposal(best, None),
    }
}

fn not_understood(translation: &Translation) -> String {
    let mut text = String::from(
        "I translate simple questions by rules, and I am not sure enough about this one.",
    );
    if !translation.understood.is_empty() {
        text.push_str(&format!(
            " I understood: {}.",
            translation.understood.join(", ")
        ));
    }
    if let Some(best) = translation.candidates.first()
        && !best.left_over.is_empty()
    {
        text.push_str(&format!(
            " I could not place: {}.",
            best.left_over.join(", ")
        ));
    }
    text.push_str(
        " Try the names of tables and columns, one condition at a time, or connect a model.",
    );
    text
}

fn proposal(candidate: &Candidate, error: Option<&str>) -> Turn {
    let mut arguments = json!({
        "reasoning": reasoning(candidate),
        "analysis": analysis(&candidate.query),
        "sql": candidate.sql,
        "final_check": final_check(candidate),
    });
    if let (Some(error), Some(object)) = (error, arguments.as_object_mut()) {
        object.insert(
            "error_check".to_owned(),
            format!("The query before failed ({error}); this is the next reading of the question.")
                .into(),
        );
    }
    call("run_sql", &arguments)
}

fn reasoning(candidate: &Candidate) -> String {
    let sure = if candidate.score > 0.9 {
        "Every word of the question has its place in the query"
    } else if candidate.left_over.is_empty() {
        "The question has its place in the query, with some guessing"
    } else {
        "Most of the question has its place in the query"
    };
    format!("Translated by rules, without a model. {sure}.")
}

fn analysis(query: &Query) -> String {
    match query {
        Query::Select(select) => {
            let tables: Vec<&str> = select.from.iter().map(|s| s.table.as_str()).collect();
            let mut text = format!("Reads {}.", tables.join(", "));
            let mut add = |n: usize, one: &str, many: &str| {
                if n == 1 {
                    text.push_str(&format!(" {one}."));
                } else if n > 1 {
                    text.push_str(&format!(" {n} {many}."));
                }
            };
            add(select.filter.len(), "One condition", "conditions");
            add(select.group.len(), "Grouped", "grouping columns");
            add(
                select.having.len(),
                "One condition on groups",
                "conditions on groups",
            );
            add(select.order.len(), "Ordered", "ordering columns");
            text
        }
        Query::Set { left, right, .. } => {
            format!("{} Combined with: {}", analysis(left), analysis(right))
        }
    }
}

fn final_check(candidate: &Candidate) -> String {
    if candidate.left_over.is_empty() {
        "Compare the query with your question before you approve it.".to_owned()
    } else {
        format!(
            "These words are not in the query: {}. Compare it with your question before you approve it.",
            candidate.left_over.join(", ")
        )
    }
}

fn card(best: &Candidate, second: &Candidate) -> Turn {
    let option = |id: &str, c: &Candidate, recommended: bool| json!({"id": id, "label": one_line(&c.sql), "recommended": recommended});
    call(
        "ask_user_questions",
        &json!({
            "title": "Two readings",
            "questions": [{
                "id": "reading",
                "question": "Your question can be read in two ways. Which one do you mean?",
                "type": "SINGLE_CHOICE",
                "options": [option("first", best, true), option("second", second, false)]
            }]
        }),
    )
}

fn one_line(sql: &str) -> String {
    let line = sql.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(190).collect()
}

fn was_card(after: &[Message], result: &ToolResult) -> bool {
    called(after, &result.call).is_some_and(|c| c.name == "ask_user_questions")
}

fn called<'a>(messages: &'a [Message], id: &CallId) -> Option<&'a ToolCall> {
    messages.iter().find_map(|m| match m {
        Message::Assistant { parts } => parts.iter().find_map(|p| match p {
            Part::Call(call) if call.id == *id => Some(call),
            _ => None,
        }),
        _ => None,
    })
}

/// The answer names one of the readings by its text; a skipped card leaves the best one.
fn after_card(translation: &Translation, answers: &str) -> Turn {
    let chosen = translation
        .candidates
        .iter()
        .find(|c| answers.contains(&one_line(&c.sql)))
        .or(translation.candidates.first());
    match chosen {
        Some(candidate) => proposal(candidate, None),
        None => cannot(&not_understood(translation)),
    }
}

/// The next reading that was not tried yet, or an honest end.
fn after_failure(translation: &Translation, after: &[Message], error: &str) -> Turn {
    let tried: Vec<&str> = after
        .iter()
        .filter_map(|m| match m {
            Message::Assistant { parts } => Some(parts),
            _ => None,
        })
        .flatten()
        .filter_map(|p| match p {
            Part::Call(call) => Some(call.arguments.as_str()),
            _ => None,
        })
        .collect();
    let next = translation.candidates.iter().find(|c| {
        let written = json!(c.sql).to_string();
        c.score >= SCORE_MIN && !tried.iter().any(|t| t.contains(&written))
    });
    match next {
        Some(candidate) => proposal(candidate, Some(&first_line(error))),
        None => cannot(&format!(
            "My query did not work ({}), and I have no other reading of the question.",
            first_line(error)
        )),
    }
}

fn first_line(text: &str) -> String {
    text.lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(200)
        .collect()
}

/// A sentence from the rows that came back, in the form in which they are told.
fn sentence(_translation: &Translation, told: &str) -> Turn {
    let mut lines = told.lines().skip_while(|l| !l.starts_with("<data"));
    lines.next();
    let header: Vec<&str> = lines
        .next()
        .map_or_else(Vec::new, |l| l.split(" | ").collect());
    let rows: Vec<Vec<&str>> = lines
        .take_while(|l| !l.starts_with("</data>"))
        .map(|l| l.split(" | ").collect())
        .collect();
    let count = told
        .lines()
        .find(|l| l.starts_with('r') && l.contains(" row"))
        .unwrap_or_default();
    let text = match (header.as_slice(), rows.as_slice()) {
        ([column], [row]) => format!(
            "{column}: **{}**.",
            row.first().copied().unwrap_or_default()
        ),
        (columns, [row]) if !columns.is_empty() => {
            let pairs: Vec<String> = columns
                .iter()
                .zip(row)
                .map(|(c, v)| format!("{c}: **{v}**"))
                .collect();
            format!("{}.", pairs.join(", "))
        }
        (_, []) if count.contains(": 0 rows") => {
            "No row matches. The spelling of a value may differ from what is stored.".to_owned()
        }
        (_, []) => "The rows are above.".to_owned(),
        (_, rows) => {
            let first: Vec<String> = rows.iter().take(3).map(|r| r.join(", ")).collect();
            format!("The rows are above; the first: {}.", first.join("; "))
        }
    };
    Turn {
        parts: vec![Part::Text(text)],
        finish: Some(FinishReason::Stop),
        usage: None,
        truncated: false,
    }
}

fn cannot(reason: &str) -> Turn {
    call("cannot_answer", &json!({ "reason": reason }))
}

fn call(name: &str, arguments: &serde_json::Value) -> Turn {
    Turn {
        parts: vec![Part::Call(ToolCall {
            // The transcript gives it an id of its own.
            id: CallId(String::new()),
            name: name.to_owned(),
            arguments: arguments.to_string(),
            malformed: false,
        })],
        finish: Some(FinishReason::Tools),
        usage: None,
        truncated: false,
    }
}
