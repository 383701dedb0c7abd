//! A neutral request to the body of an OpenAI chat completion. Must hold for any messages it is given:
//! each call has exactly one result, in order; ids are unique; arguments are valid JSON. Never sees a key.

use super::quirks::{Echo, Quirks};
use super::repair;
use super::types::{ModelRequest, ToolSpec};
use crate::transcript::{CallId, Message, Opaque, Part, ToolCall, ToolResult};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What stands before words of the application in the user role.
pub const NOTICE_LABEL: &str = "[From the application, not from the person]";
/// Result of a call that has none: it was interrupted.
pub const NO_RESULT: &str = "cancelled";
/// Stands for an empty tool result, which some servers refuse.
pub const EMPTY_RESULT: &str = "(empty)";
/// What the model's turn says between a tool result and the person, for servers that want one.
const FILLER: &str = "OK.";
/// Longest tool name that servers take.
const NAME_CHARS_MAX: usize = 64;
/// Fields that came from servers of this family and may go back.
const ECHO_FIELDS: [&str; 4] = [
    "reasoning_content",
    "reasoning",
    "reasoning_details",
    "extra_content",
];

/// Builds the body.
#[must_use]
pub fn openai_body(request: &ModelRequest, model: &str, quirks: &Quirks) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), model.trim().into());
    let messages =
        Messages::new(quirks, &request.messages).build(&request.system, &request.messages);
    body.insert("messages".into(), Value::Array(messages));
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(openai_tool).collect();
        body.insert("tools".into(), Value::Array(tools));
    }
    body.insert("stream".into(), true.into());
    if quirks.takes("stream_options") {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    let cap = if quirks.max_completion_tokens {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    if let Some(tokens) = request.max_output_tokens
        && quirks.takes(cap)
    {
        body.insert(cap.into(), tokens.into());
    }
    Value::Object(body)
}

pub(super) fn openai_tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": schema(&tool.parameters),
        }
    })
}

/// A schema that servers take: an object type with properties, even where there are none.
pub(super) fn schema(parameters: &Value) -> Value {
    let mut schema = parameters.as_object().cloned().unwrap_or_default();
    schema.entry("type").or_insert_with(|| "object".into());
    schema.entry("properties").or_insert_with(|| json!({}));
    Value::Object(schema)
}

/// A name that servers take, whatever a model made up.
pub(super) fn wire_name(name: &str) -> String {
    let name: String = name
        .chars()
        .take(NAME_CHARS_MAX)
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if name.is_empty() {
        "unknown".to_owned()
    } else {
        name
    }
}

/// Arguments that are valid JSON, whatever a model wrote.
pub(super) fn wire_arguments(call: &ToolCall) -> String {
    let read = repair::arguments(&call.arguments);
    if call.malformed || read.malformed {
        return json!({"malformed_arguments": call.arguments}).to_string();
    }
    read.json
}

/// One step of a conversation in which each call has its result.
pub(super) enum Step<'a> {
    /// Words in the user role; neighbours are joined.
    User(String),
    Assistant {
        parts: &'a [Part],
        /// The calls with their ids on the wire and their results.
        calls: Vec<(String, &'a ToolCall, &'a str)>,
    },
}

/// Which ids of calls a server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdForm {
    Any,
    /// Nine letters and digits.
    Short,
    /// Letters, digits, `_` and `-`.
    Word,
}

impl IdForm {
    fn takes(self, id: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Short => id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric()),
            Self::Word => id
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'),
        }
    }
}

/// Pairs calls with results: what has no partner is closed or dropped. Ids become unique.
pub(super) fn steps(messages: &[Message], form: IdForm) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut ids = Ids::new(messages, form);
    let mut at = 0;
    while let Some(message) = messages.get(at) {
        at += 1;
        let words = match message {
            Message::User { text } => text.clone(),
            Message::Notice { text } => format!("{NOTICE_LABEL}\n{text}"),
            Message::Assistant { parts } => {
                let behind = messages.get(at..).unwrap_or_default();
                let results = behind.iter().map_while(|message| match message {
                    Message::Tool(result) => Some(result),
                    _ => None,
                });
                steps.push(assistant(parts, results, &mut ids));
                continue;
            }
            Message::Tool(_) => continue,
        };
        match steps.last_mut() {
            Some(Step::User(before)) => {
                before.push_str("\n\n");
                before.push_str(&words);
            }
            _ => steps.push(Step::User(words)),
        }
    }
    steps.retain(|step| match step {
        Step::User(words) => !words.trim().is_empty(),
        Step::Assistant { parts, calls } => !calls.is_empty() || !text(parts).trim().is_empty(),
    });
    steps
}

fn assistant<'a>(
    parts: &'a [Part],
    results: impl Iterator<Item = &'a ToolResult>,
    ids: &mut Ids,
) -> Step<'a> {
    let mut waiting: BTreeMap<&CallId, Vec<&str>> = BTreeMap::new();
    for result in results {
        waiting.entry(&result.call).or_default().push(&result.text);
    }
    let mut calls = Vec::new();
    for part in parts {
        if let Part::Call(call) = part {
            let found = waiting.get_mut(&call.id).filter(|texts| !texts.is_empty());
            let text = found.map_or(NO_RESULT, |texts| texts.remove(0));
            let text = if text.trim().is_empty() {
                EMPTY_RESULT
            } else {
                text
            };
            calls.push((ids.unique(&call.id.0), call, text));
        }
    }
    Step::Assistant { parts, calls }
}

/// The words of a message.
pub(super) fn text(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

fn reasoning(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Reasoning(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// Ids on the wire: as they came, unless one is empty, used already, or of a form the server refuses.
struct Ids {
    used: BTreeSet<String>,
    reserved: BTreeSet<String>,
    form: IdForm,
    made: u32,
}

impl Ids {
    fn new(messages: &[Message], form: IdForm) -> Self {
        let mut reserved = BTreeSet::new();
        for message in messages {
            if let Message::Assistant { parts } = message {
                for part in parts {
                    if let Part::Call(call) = part {
                        reserved.insert(call.id.0.clone());
                    }
                }
            }
        }
        Self {
            used: BTreeSet::new(),
            reserved,
            form,
            made: 0,
        }
    }

    fn unique(&mut self, id: &str) -> String {
        let mut wire = id.to_owned();
        if id.is_empty() || self.used.contains(id) || !self.form.takes(id) {
            loop {
                self.made += 1;
                wire = format!("fill{:05}", self.made);
                if !self.used.contains(&wire) && !self.reserved.contains(&wire) {
                    break;
                }
            }
        }
        self.used.insert(wire.clone());
        wire
    }
}

struct Messages<'a> {
    quirks: &'a Quirks,
    /// The reasoning field that goes on every message with calls, empty or not.
    required: Option<&'a str>,
}

impl<'a> Messages<'a> {
    fn new(quirks: &'a Quirks, messages: &'a [Message]) -> Self {
        let received = || {
            messages.iter().find_map(|message| match message {
                Message::Assistant { parts } => parts.iter().find_map(|part| match part {
                    Part::Opaque(Opaque {
                        field, call: None, ..
                    }) if field == "reasoning_content" => Some(field.as_str()),
                    _ => None,
                }),
                _ => None,
            })
        };
        Self {
            quirks,
            required: match &quirks.echo {
                Echo::Required(field) => Some(field.as_str()),
                Echo::Received => received(),
                Echo::Never => None,
            },
        }
    }

    fn build(&self, system: &str, messages: &[Message]) -> Vec<Value> {
        let mut out = Vec::new();
        let mut preface = None;
        if !system.is_empty() && self.quirks.no_system_role {
            preface = Some(system);
        } else if !system.is_empty() {
            out.push(json!({"role": "system", "content": system}));
        }
        let form = if self.quirks.short_ids {
            IdForm::Short
        } else {
            IdForm::Any
        };
        let mut after_tool = false;
        for step in steps(messages, form) {
            match step {
                Step::User(words) => {
                    if after_tool && self.quirks.assistant_after_tool {
                        out.push(json!({"role": "assistant", "content": FILLER}));
                    }
                    let words = match preface.take() {
                        Some(system) => format!("{system}\n\n{words}"),
                        None => words,
                    };
                    out.push(json!({"role": "user", "content": words}));
                    after_tool = false;
                }
                Step::Assistant { parts, calls } => {
                    out.push(self.assistant(parts, &calls));
                    after_tool = !calls.is_empty();
                    for (id, _, result) in calls {
                        out.push(json!({"role": "tool", "tool_call_id": id, "content": result}));
                    }
                }
            }
        }
        if let Some(system) = preface {
            out.insert(0, json!({"role": "user", "content": system}));
        }
        out
    }

    fn assistant(&self, parts: &[Part], calls: &[(String, &ToolCall, &str)]) -> Value {
        let mut message = Map::new();
        message.insert("role".into(), "assistant".into());
        let words = text(parts);
        let content = if words.is_empty() && !self.quirks.empty_content {
            Value::Null
        } else {
            words.into()
        };
        message.insert("content".into(), content);
        if calls.is_empty() {
            return Value::Object(message);
        }
        let mut wire_calls = Vec::new();
        for (id, call, _) in calls {
            let mut wire = Map::new();
            wire.insert("id".into(), id.as_str().into());
            wire.insert("type".into(), "function".into());
            let function =
                json!({"name": wire_name(&call.name), "arguments": wire_arguments(call)});
            wire.insert("function".into(), function);
            self.echo(parts, Some(&call.id), &mut wire);
            wire_calls.push(Value::Object(wire));
        }
        message.insert("tool_calls".into(), Value::Array(wire_calls));
        self.echo(parts, None, &mut message);
        if let Some(field) = self.required
            && !message.contains_key(field)
        {
            message.insert(field.to_owned(), reasoning(parts).into());
        }
        Value::Object(message)
    }

    fn echo(&self, parts: &[Part], of: Option<&CallId>, object: &mut Map<String, Value>) {
        if self.quirks.echo == Echo::Never {
            return;
        }
        for part in parts {
            if let Part::Opaque(Opaque { field, call, data }) = part
                && call.as_ref() == of
                && ECHO_FIELDS.contains(&field.as_str())
            {
                object.insert(field.clone(), data.clone());
            }
        }
    }
}
