//! What left the browser, request by request: the exact body, where it went, and what it was made of.
//! Bodies of one chat begin alike, so each is kept as what it adds to the one before. Never sees a key.

use super::family::WireRequest;
use super::types::{ModelRequest, Usage};
use crate::transcript::{Message, Part};
use serde::{Deserialize, Serialize};

/// Requests that are listed; a turn has a dozen at most.
pub const LEDGER_ENTRIES_MAX: usize = 500;
/// Bytes that the bodies of one chat may take in storage: they are written anew with each save.
pub const LEDGER_BYTES_MAX: usize = 4 << 20;

/// Tools whose results are made of names and types.
const SCHEMA_TOOLS: [&str; 3] = ["list_tables", "describe_tables", "search_schema"];
const SAMPLE_TOOL: &str = "sample_rows";

/// Bytes of a body by what they are. Their sum is the body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// Rules and tools of the application, and the form of the request.
    pub instructions: u64,
    /// Names and types of the file.
    pub schema: u64,
    /// Sample values.
    pub values: u64,
    /// Results of approved queries.
    pub results: u64,
    /// The person's words and the model's own.
    pub conversation: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    pub at_ms: u64,
    pub origin: String,
    pub model: String,
    pub bytes: u64,
    pub split: Split,
    /// Set when the answer came.
    #[serde(default)]
    pub usage: Option<Usage>,
    /// Bytes that the body shares with the beginning of the one before.
    shared: usize,
    rest: String,
}

/// A request with its body, as it is exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sent<'a> {
    #[serde(flatten)]
    pub about: About<'a>,
    pub body: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct About<'a> {
    pub at_ms: u64,
    pub origin: &'a str,
    pub model: &'a str,
    pub bytes: u64,
    pub split: Split,
    pub usage: Option<Usage>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ledger {
    entries: Vec<LedgerEntry>,
    /// Requests before the first that is kept.
    pub dropped: u64,
}

impl Ledger {
    #[must_use]
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// Adds a request that goes out now. `schema` is what its system text says of the file.
    pub fn record(
        &mut self,
        at_ms: u64,
        wire: &WireRequest,
        model: &str,
        request: &ModelRequest,
        schema: &str,
    ) {
        let before = self.last_body();
        let shared = shared_bytes(&before, &wire.body);
        self.entries.push(LedgerEntry {
            at_ms,
            origin: wire.origin.clone(),
            model: model.to_owned(),
            bytes: wire.body.len() as u64,
            split: split(&wire.body, request, schema),
            usage: None,
            shared,
            rest: wire.body.get(shared..).unwrap_or_default().to_owned(),
        });
        let mut held: usize = self.entries.iter().map(|entry| entry.rest.len()).sum();
        while self.entries.len() > LEDGER_ENTRIES_MAX
            || (held > LEDGER_BYTES_MAX && self.entries.len() > 1)
        {
            self.drop_first();
            held = self.entries.iter().map(|entry| entry.rest.len()).sum();
        }
    }

    /// Notes the tokens of the last request.
    pub fn note_usage(&mut self, usage: Usage) {
        if let Some(entry) = self.entries.last_mut() {
            entry.usage = Some(usage);
        }
    }

    /// The exact body of a request.
    #[must_use]
    pub fn body(&self, at: usize) -> Option<String> {
        let mut body = String::new();
        for entry in self.entries.get(..=at)? {
            body.truncate(entry.shared.min(body.len()));
            body.push_str(&entry.rest);
        }
        Some(body)
    }

    /// All requests with their bodies.
    #[must_use]
    pub fn sent(&self) -> Vec<Sent<'_>> {
        let mut body = String::new();
        let with_body = |entry: &'_ LedgerEntry| {
            body.truncate(entry.shared.min(body.len()));
            body.push_str(&entry.rest);
            body.clone()
        };
        let bodies: Vec<String> = self.entries.iter().map(with_body).collect();
        let sent = self.entries.iter().zip(bodies);
        sent.map(|(entry, body)| Sent {
            about: entry.about(),
            body,
        })
        .collect()
    }

    fn last_body(&self) -> String {
        let last = self.entries.len().checked_sub(1);
        last.and_then(|at| self.body(at)).unwrap_or_default()
    }

    fn drop_first(&mut self) {
        let second = self.body(1);
        if let (Some(entry), Some(body)) = (self.entries.get_mut(1), second) {
            entry.shared = 0;
            entry.rest = body;
        }
        if !self.entries.is_empty() {
            self.entries.remove(0);
            self.dropped += 1;
        }
    }
}

impl LedgerEntry {
    #[must_use]
    pub fn about(&self) -> About<'_> {
        About {
            at_ms: self.at_ms,
            origin: &self.origin,
            model: &self.model,
            bytes: self.bytes,
            split: self.split,
            usage: self.usage,
        }
    }
}

/// Length of the common beginning, at a character's end in both.
fn shared_bytes(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    (0..=same)
        .rev()
        .find(|at| a.is_char_boundary(*at) && b.is_char_boundary(*at))
        .unwrap_or(0)
}

fn split(body: &str, request: &ModelRequest, schema: &str) -> Split {
    let mut split = Split {
        schema: escaped(schema),
        ..Split::default()
    };
    let mut tools: Vec<(&str, &str)> = Vec::new();
    for message in &request.messages {
        match message {
            Message::User { text } => split.conversation += escaped(text),
            Message::Assistant { parts } => {
                for part in parts {
                    match part {
                        Part::Text(text) => split.conversation += escaped(text),
                        Part::Call(call) => {
                            tools.push((&call.id.0, &call.name));
                            // A string on one wire, an object on another: counted as the shorter.
                            split.conversation += call.arguments.len() as u64;
                        }
                        Part::Reasoning(_) | Part::Opaque(_) => {}
                    }
                }
            }
            Message::Tool(result) => {
                let of = tools.iter().rev().find(|(id, _)| *id == result.call.0);
                let bytes = escaped(&result.text);
                match of.map(|(_, name)| *name) {
                    Some(name) if SCHEMA_TOOLS.contains(&name) => split.schema += bytes,
                    Some(SAMPLE_TOOL) => split.values += bytes,
                    Some("run_sql") => split.results += bytes,
                    _ => split.conversation += bytes,
                }
            }
            Message::Notice { .. } => {}
        }
    }
    let told = split.schema + split.values + split.results + split.conversation;
    split.instructions = (body.len() as u64).saturating_sub(told);
    split
}

/// Bytes of a text inside JSON.
fn escaped(text: &str) -> u64 {
    let quoted = serde_json::to_string(text).map_or(2, |quoted| quoted.len());
    (quoted as u64).saturating_sub(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{Family, Quirks};
    use crate::transcript::{CallId, ToolCall, ToolResult};

    fn request(messages: Vec<Message>) -> ModelRequest {
        ModelRequest {
            system: format!("Rules\n{SCHEMA}"),
            messages,
            tools: Vec::new(),
            max_output_tokens: None,
        }
    }

    const SCHEMA: &str = "\nDatabase `a.db`\nt(x)\n";

    fn wire(request: &ModelRequest) -> WireRequest {
        Family::OpenAi
            .prepare("https://h", "m", &Quirks::default(), request)
            .unwrap()
    }

    #[test]
    fn a_body_is_split_by_what_it_is_made_of() {
        let call = |id: &str, name: &str| {
            Part::Call(ToolCall {
                id: CallId(id.into()),
                name: name.into(),
                arguments: "{}".into(),
                malformed: false,
            })
        };
        let result = |id: &str, text: &str| {
            Message::Tool(ToolResult {
                call: CallId(id.into()),
                text: text.into(),
                is_error: false,
            })
        };
        let request = request(vec![
            Message::User { text: "q\n".into() },
            Message::Assistant {
                parts: vec![
                    call("a", "list_tables"),
                    call("b", "sample_rows"),
                    call("c", "run_sql"),
                ],
            },
            result("a", "t"),
            result("b", "12"),
            result("c", "345"),
        ]);
        let wire = wire(&request);
        let split = split(&wire.body, &request, SCHEMA);
        assert_eq!((split.values, split.results), (2, 3));
        assert_eq!(split.schema, 1 + escaped(SCHEMA));
        assert_eq!(split.conversation, 3 + 3 * 2);
        let sum = split.instructions + split.schema + split.values + split.results;
        assert_eq!(sum + split.conversation, wire.body.len() as u64);
    }

    #[test]
    fn bodies_come_back_exactly_and_the_oldest_give_way() {
        let mut ledger = Ledger::default();
        let mut messages = Vec::new();
        let mut bodies = Vec::new();
        for n in 0..LEDGER_ENTRIES_MAX + 20 {
            messages.push(Message::User {
                text: format!("é{n}文"),
            });
            if n % 50 == 49 {
                messages.clear();
            }
            let request = request(messages.clone());
            let wire = wire(&request);
            ledger.record(n as u64, &wire, "m", &request, SCHEMA);
            bodies.push(wire.body);
        }
        assert_eq!(ledger.dropped, 20);
        let json = serde_json::to_string(&ledger).unwrap();
        assert!(json.len() < bodies.iter().map(String::len).sum::<usize>());
        let read: Ledger = serde_json::from_str(&json).unwrap();
        assert_eq!(read, ledger);
        let sent = read.sent();
        for (at, body) in bodies.iter().skip(20).enumerate() {
            assert_eq!(read.body(at).as_ref(), Some(body));
            assert_eq!(sent[at].body, *body);
        }
        assert_eq!(read.body(LEDGER_ENTRIES_MAX), None);
    }

    #[test]
    fn the_bytes_are_capped() {
        let mut ledger = Ledger::default();
        for n in 0..6 {
            let request = request(vec![Message::User {
                text: format!("{n}{}", "x".repeat(1 << 20)),
            }]);
            ledger.record(n, &wire(&request), "m", &request, SCHEMA);
        }
        assert_eq!(ledger.dropped, 3);
        assert!(ledger.body(0).unwrap().contains("3xxx"));
    }
}
