//! The translator as a source of turns: the same parts that a model would send.
//! Knows the transcript and the neutral model types; what it says is in `wording`.

use super::translate::{Candidate, Translation, Translator};
use super::wording::{Wording, wording};
use crate::llm::{FinishReason, Turn};
use crate::transcript::{CallId, Message, Part, ToolCall, ToolResult};
use serde_json::json;

/// Below this a reading is not shown: the person is told what was understood instead.
pub const SCORE_MIN: f32 = 0.7;

/// Readings that are closer than this are equally good.
const TIE: f32 = 0.015;

/// Readings on one card.
const READINGS_MAX: usize = 4;

/// One question and what was made of it.
struct Asked<'a> {
    translation: Translation,
    says: &'a Wording,
}

/// The next turn for a conversation: `messages` end with the person's question, or with what came of the
/// last turn (rows, an error, answers to a card).
#[must_use]
pub fn respond(translator: &Translator, messages: &[Message]) -> Turn {
    let Some((at, question)) = last_question(messages) else {
        return cannot(wording("").no_question);
    };
    let after = messages.get(at + 1..).unwrap_or_default();
    let results: Vec<&ToolResult> = after
        .iter()
        .filter_map(|m| match m {
            Message::Tool(result) => Some(result),
            _ => None,
        })
        .collect();
    let asked = Asked {
        translation: translator.translate(question),
        says: wording(question),
    };
    match results.last() {
        None if question.trim().is_empty() => cannot(asked.says.no_question),
        None => first_turn(&asked),
        Some(result) if result.is_error => after_failure(&asked, after, &result.text),
        Some(result) if was_card(after, result) => after_card(&asked, &result.text),
        Some(result) => sentence(asked.says, &result.text),
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

fn first_turn(asked: &Asked) -> Turn {
    let good: Vec<&Candidate> = asked
        .translation
        .candidates
        .iter()
        .filter(|c| c.score >= SCORE_MIN)
        .collect();
    let Some(best) = good.first() else {
        return cannot(&not_understood(asked));
    };
    let close: Vec<&Candidate> = good
        .iter()
        .copied()
        .take_while(|c| best.score - c.score < TIE)
        .take(READINGS_MAX)
        .collect();
    if close.len() > 1 {
        card(asked.says, &close)
    } else {
        proposal(asked.says, best, None)
    }
}

fn not_understood(asked: &Asked) -> String {
    let (says, translation) = (asked.says, &asked.translation);
    if translation.asks_for_change {
        return says.reads_only.to_owned();
    }
    let mut parts = vec![says.not_sure.to_owned()];
    if !translation.understood.is_empty() {
        parts.push(says.fill(says.understood, &says.listed(&translation.understood)));
    }
    if let Some(best) = translation.candidates.first()
        && !best.left_over.is_empty()
    {
        parts.push(says.fill(says.not_placed, &says.listed(&best.left_over)));
    }
    parts.push(says.try_instead.to_owned());
    says.sentences(&parts)
}

fn proposal(says: &Wording, candidate: &Candidate, error: Option<&str>) -> Turn {
    let mut arguments = json!({
        "reasoning": reasoning(says, candidate),
        "analysis": says.analysis(&candidate.query),
        "sql": candidate.sql,
        "final_check": final_check(says, candidate),
    });
    if let (Some(error), Some(object)) = (error, arguments.as_object_mut()) {
        let text = says.fill(says.next_reading, error);
        object.insert("error_check".to_owned(), text.into());
    }
    call("run_sql", &arguments)
}

fn reasoning(says: &Wording, candidate: &Candidate) -> String {
    let sure = if candidate.score > 0.9 {
        says.all_placed
    } else if candidate.left_over.is_empty() {
        says.some_guessed
    } else {
        says.most_placed
    };
    says.sentences(&[says.by_rules.to_owned(), sure.to_owned()])
}

fn final_check(says: &Wording, candidate: &Candidate) -> String {
    if candidate.left_over.is_empty() {
        return says.compare.to_owned();
    }
    let missing = says.fill(says.not_in_query, &says.listed(&candidate.left_over));
    says.sentences(&[missing, says.compare.to_owned()])
}

fn card(says: &Wording, readings: &[&Candidate]) -> Turn {
    let options: Vec<serde_json::Value> = readings
        .iter()
        .enumerate()
        .map(|(n, c)| {
            json!({"id": format!("reading{}", n + 1), "label": one_line(&c.sql), "recommended": n == 0})
        })
        .collect();
    call(
        "ask_user_questions",
        &json!({
            "title": says.card_title,
            "questions": [{
                "id": "reading",
                "question": says.card_question,
                "type": "SINGLE_CHOICE",
                "options": options
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
fn after_card(asked: &Asked, answers: &str) -> Turn {
    let chosen = asked
        .translation
        .candidates
        .iter()
        .find(|c| answers.contains(&one_line(&c.sql)))
        .or(asked.translation.candidates.first());
    match chosen {
        Some(candidate) => proposal(asked.says, candidate, None),
        None => cannot(&not_understood(asked)),
    }
}

/// The next reading that was not tried yet, or an honest end.
fn after_failure(asked: &Asked, after: &[Message], error: &str) -> Turn {
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
    let next = asked.translation.candidates.iter().find(|c| {
        let written = json!(c.sql).to_string();
        c.score >= SCORE_MIN && !tried.iter().any(|t| t.contains(&written))
    });
    match next {
        Some(candidate) => proposal(asked.says, candidate, Some(&first_line(error))),
        None => cannot(&asked.says.fill(asked.says.failed, &first_line(error))),
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
fn sentence(says: &Wording, told: &str) -> Turn {
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
        (columns, [row]) if !columns.is_empty() => {
            let pairs: Vec<String> = columns
                .iter()
                .zip(row)
                .map(|(c, v)| format!("{c}{}**{v}**", says.colon))
                .collect();
            format!("{}{}", says.listed(&pairs), says.stop)
        }
        (_, []) if count.contains(": 0 rows") => says.no_row.to_owned(),
        (_, []) => says.rows_above.to_owned(),
        (_, rows) => {
            let first: Vec<String> = rows.iter().take(3).map(|r| r.join(", ")).collect();
            says.fill(says.first_rows, &first.join(says.semicolon))
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
