//! `ask_user_questions`: the question card.

use super::{Plan, Tool, ToolContext, args, shorten};
use crate::agent::limits::{OPTIONS_MAX, QUESTIONS_MAX};
use crate::agent::questions::{Question, QuestionKind, QuestionOption};
use serde_json::{Map, Value, json};

const LABEL_CHARS_MAX: usize = 200;

pub struct AskUserQuestions;

impl Tool for AskUserQuestions {
    fn name(&self) -> &'static str {
        "ask_user_questions"
    }

    fn description(&self) -> &'static str {
        "Asks the person when a word can mean two things that give different answers. Prefer options to free text. \
         The person can always write something else, or tell you to use your best guess."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "questions": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": QUESTIONS_MAX,
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string"},
                            "question": {"type": "string"},
                            "type": {"type": "string", "enum": ["SINGLE_CHOICE", "MULTI_CHOICE", "TEXT"]},
                            "options": {
                                "type": "array",
                                "maxItems": OPTIONS_MAX,
                                "items": {
                                    "type": "object",
                                    "properties": {
                                        "id": {"type": "string"},
                                        "label": {"type": "string"},
                                        "recommended": {"type": "boolean"}
                                    },
                                    "required": ["id", "label"]
                                }
                            }
                        },
                        "required": ["id", "question", "type"]
                    }
                }
            },
            "required": ["title", "questions"]
        })
    }

    fn plan(&self, args: &Map<String, Value>, _context: ToolContext) -> Plan {
        let list = match args.get("questions") {
            Some(Value::Array(list)) if !list.is_empty() => list,
            _ => return Plan::Reject("`questions` must be a list with at least one".to_owned()),
        };
        if list.len() > QUESTIONS_MAX {
            return Plan::Reject(format!("at most {QUESTIONS_MAX} questions on one card"));
        }
        let mut questions: Vec<Question> = Vec::new();
        for (n, item) in list.iter().enumerate() {
            match question(item, n) {
                Ok(q) if questions.iter().any(|other| other.id == q.id) => {
                    return Plan::Reject(format!("two questions have the id `{}`", q.id));
                }
                Ok(q) => questions.push(q),
                Err(problem) => return Plan::Reject(format!("question {}: {problem}", n + 1)),
            }
        }
        Plan::AskUser {
            title: shorten(&args::text(args, "title"), LABEL_CHARS_MAX),
            questions,
        }
    }
}

fn question(item: &Value, n: usize) -> Result<Question, String> {
    let object = item.as_object().ok_or("not an object")?;
    let text = args::text(object, "question");
    if text.is_empty() {
        return Err("`question` is missing".to_owned());
    }
    let mut id = args::text(object, "id");
    if id.is_empty() {
        id = format!("q{}", n + 1);
    }
    let options: Vec<QuestionOption> = match object.get("options") {
        Some(Value::Array(list)) => list
            .iter()
            .enumerate()
            .filter_map(|(n, o)| option(o, n))
            .collect(),
        _ => Vec::new(),
    };
    if options.len() > OPTIONS_MAX {
        return Err(format!("at most {OPTIONS_MAX} options"));
    }
    let kind = match args::text(object, "type").to_ascii_uppercase().as_str() {
        "SINGLE_CHOICE" => QuestionKind::SingleChoice,
        "MULTI_CHOICE" => QuestionKind::MultiChoice,
        "TEXT" => QuestionKind::Text,
        "" if options.is_empty() => QuestionKind::Text,
        "" => QuestionKind::SingleChoice,
        other => {
            return Err(format!(
                "`type` is `{}`; it must be SINGLE_CHOICE, MULTI_CHOICE or TEXT",
                shorten(other, 40)
            ));
        }
    };
    if kind != QuestionKind::Text && options.len() < 2 {
        return Err("a choice needs at least two options".to_owned());
    }
    Ok(Question {
        id,
        question: shorten(&text, 500),
        kind,
        options: if kind == QuestionKind::Text {
            Vec::new()
        } else {
            options
        },
    })
}

fn option(item: &Value, n: usize) -> Option<QuestionOption> {
    let (id, label, recommended) = match item {
        Value::String(label) => (String::new(), label.clone(), false),
        Value::Object(o) => (
            args::text(o, "id"),
            args::text(o, "label"),
            o.get("recommended").and_then(Value::as_bool) == Some(true),
        ),
        _ => return None,
    };
    let label = if label.is_empty() { id.clone() } else { label };
    (!label.is_empty()).then(|| QuestionOption {
        id: if id.is_empty() {
            format!("o{}", n + 1)
        } else {
            id
        },
        label: shorten(&label, LABEL_CHARS_MAX),
        recommended,
    })
}
