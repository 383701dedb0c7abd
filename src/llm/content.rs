//! Text of a model whose server leaves thinking and tool calls inside it: `<think>…</think>` becomes
//! reasoning and `<tool_call>…</tool_call>` a call. Must never call a tool that was not offered: such
//! text stays text.

use super::repair;
use serde_json::{Map, Value};

const THINK_TAGS: [(&str, &str); 3] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
];
const ORPHAN_CLOSE: &str = "</think>";
const CALL_OPEN: &str = "<tool_call>";
const CALL_CLOSE: &str = "</tool_call>";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Reasoning(String),
    /// All text so far was reasoning: its closing tag came without an opening one.
    TextWasReasoning,
    Call {
        name: String,
        /// JSON text of an object.
        arguments: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Only blanks so far: an opening tag may come.
    Start,
    Text,
    /// Until the closing tag of this number.
    Think(usize),
    /// Behind a closing tag: blanks are dropped.
    AfterThink,
    Call,
}

#[derive(Debug)]
pub struct ContentSplitter {
    mode: Mode,
    hold: String,
    tools: Vec<String>,
    /// Whether a closing tag without an opening one may still turn text into reasoning.
    orphan_close: bool,
    text_out: bool,
}

impl ContentSplitter {
    #[must_use]
    pub fn new(tools: Vec<String>) -> Self {
        Self {
            mode: Mode::Start,
            hold: String::new(),
            tools,
            orphan_close: true,
            text_out: false,
        }
    }

    /// The server sends reasoning in a field of its own, so closing tags in the text are text.
    pub fn reasoning_is_separate(&mut self) {
        self.orphan_close = false;
    }

    /// Whether the delta is text as it stands, which nearly every one is; else it has to be pushed.
    pub fn passes(&mut self, delta: &str) -> bool {
        let passes =
            self.mode == Mode::Text && self.hold.is_empty() && !delta.as_bytes().contains(&b'<');
        self.text_out |= passes && !delta.is_empty();
        passes
    }

    pub fn push(&mut self, delta: &str, out: &mut Vec<Piece>) {
        self.hold.push_str(delta);
        while self.step(out) {}
    }

    /// Gives out what was held back. An unclosed call counts only where the server finished its answer.
    pub fn finish(&mut self, finished: bool, out: &mut Vec<Piece>) {
        let rest = std::mem::take(&mut self.hold);
        match std::mem::replace(&mut self.mode, Mode::Text) {
            Mode::Start | Mode::Text => self.text(rest, out),
            Mode::AfterThink => {}
            Mode::Think(_) => reasoning(rest, out),
            Mode::Call => match parse_call(&rest, &self.tools).filter(|_| finished) {
                Some(call) => out.push(call),
                None => self.text(format!("{CALL_OPEN}{rest}"), out),
            },
        }
    }

    /// Consumes one part of what is held; false where more input is needed.
    fn step(&mut self, out: &mut Vec<Piece>) -> bool {
        match self.mode {
            Mode::Start => self.step_start(),
            Mode::Text => self.step_text(out),
            Mode::Think(_) if !self.hold.as_bytes().contains(&b'<') => {
                reasoning(std::mem::take(&mut self.hold), out);
                false
            }
            Mode::Think(tag) => {
                let close = THINK_TAGS.get(tag).map_or(ORPHAN_CLOSE, |t| t.1);
                let Some(at) = self.hold.find(close) else {
                    reasoning(self.take_undoubted(&[close]), out);
                    return false;
                };
                reasoning(self.take(at, close.len()), out);
                self.orphan_close = false;
                self.mode = Mode::AfterThink;
                true
            }
            Mode::AfterThink => {
                let rest = self.hold.trim_start();
                if rest.is_empty() {
                    self.hold.clear();
                    return false;
                }
                self.hold = rest.to_owned();
                self.mode = Mode::Text;
                true
            }
            Mode::Call => {
                let Some(at) = self.hold.find(CALL_CLOSE) else {
                    return false;
                };
                let block = self.take(at, CALL_CLOSE.len());
                self.mode = Mode::Text;
                match parse_call(&block, &self.tools) {
                    Some(call) => {
                        self.orphan_close = false;
                        self.mode = Mode::AfterThink;
                        out.push(call);
                    }
                    None => self.text(format!("{CALL_OPEN}{block}{CALL_CLOSE}"), out),
                }
                true
            }
        }
    }

    fn step_start(&mut self) -> bool {
        let text = self.hold.trim_start();
        if let Some(tag) = THINK_TAGS.iter().position(|t| text.starts_with(t.0)) {
            let open = THINK_TAGS.get(tag).map_or(0, |t| t.0.len());
            self.hold = text.get(open..).unwrap_or_default().to_owned();
            self.mode = Mode::Think(tag);
            return true;
        }
        if THINK_TAGS.iter().any(|t| t.0.starts_with(text)) {
            return false;
        }
        self.mode = Mode::Text;
        true
    }

    fn step_text(&mut self, out: &mut Vec<Piece>) -> bool {
        // Nearly every delta: no tag begins in it.
        if !self.hold.as_bytes().contains(&b'<') {
            let text = std::mem::take(&mut self.hold);
            self.text(text, out);
            return false;
        }
        let call = (!self.tools.is_empty())
            .then(|| self.hold.find(CALL_OPEN))
            .flatten();
        let close = self
            .orphan_close
            .then(|| self.hold.find(ORPHAN_CLOSE))
            .flatten();
        match (call, close) {
            (call, Some(at)) if call.is_none_or(|call| at < call) => {
                let before = self.take(at, ORPHAN_CLOSE.len());
                if self.text_out {
                    out.push(Piece::TextWasReasoning);
                }
                reasoning(before, out);
                self.orphan_close = false;
                self.mode = Mode::AfterThink;
                true
            }
            (Some(at), _) => {
                let before = self.take(at, CALL_OPEN.len());
                self.text(before, out);
                self.mode = Mode::Call;
                true
            }
            _ => {
                let text = self.take_undoubted(&[CALL_OPEN, ORPHAN_CLOSE]);
                self.text(text, out);
                false
            }
        }
    }

    /// Takes the text before `at` and drops the tag of `tag` bytes there.
    fn take(&mut self, at: usize, tag: usize) -> String {
        let rest = self.hold.split_off((at + tag).min(self.hold.len()));
        self.hold.truncate(at);
        std::mem::replace(&mut self.hold, rest)
    }

    /// Takes all that cannot be the beginning of one of the tags.
    fn take_undoubted(&mut self, tags: &[&str]) -> String {
        let doubtful = self
            .hold
            .rfind('<')
            .filter(|at| {
                let tail = self.hold.get(*at..).unwrap_or_default();
                tags.iter().any(|tag| tag.starts_with(tail))
            })
            .unwrap_or(self.hold.len());
        let rest = self.hold.split_off(doubtful);
        std::mem::replace(&mut self.hold, rest)
    }

    fn text(&mut self, text: String, out: &mut Vec<Piece>) {
        if !text.is_empty() {
            self.text_out = true;
            out.push(Piece::Text(text));
        }
    }
}

fn reasoning(text: String, out: &mut Vec<Piece>) {
    if !text.is_empty() {
        out.push(Piece::Reasoning(text));
    }
}

/// Reads `{"name":…,"arguments":…}` or `<function=name><parameter=key>value</parameter></function>`.
fn parse_call(block: &str, tools: &[String]) -> Option<Piece> {
    let block = block.trim();
    let (name, arguments) = if block.starts_with("<function=") {
        parse_tagged(block)?
    } else {
        parse_json(block)?
    };
    tools
        .contains(&name)
        .then_some(Piece::Call { name, arguments })
}

fn parse_json(block: &str) -> Option<(String, String)> {
    let mended = repair::arguments(block);
    if mended.malformed {
        return None;
    }
    let mut object: Map<String, Value> = serde_json::from_str(&mended.json).ok()?;
    let name = object.get("name")?.as_str()?.to_owned();
    let arguments = object
        .remove("arguments")
        .or_else(|| object.remove("parameters"));
    let text = match arguments {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) => text,
        Some(value) => value.to_string(),
    };
    let arguments = repair::arguments(&text);
    (!arguments.malformed).then_some((name, arguments.json))
}

fn parse_tagged(block: &str) -> Option<(String, String)> {
    let (name, mut rest) = block.strip_prefix("<function=")?.split_once('>')?;
    let mut object = Map::new();
    while let Some((_, after)) = rest.split_once("<parameter=") {
        let (key, after) = after.split_once('>')?;
        let (value, after) = after.split_once("</parameter>")?;
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        let parsed = value
            .starts_with(['{', '['])
            .then(|| serde_json::from_str(value).ok())
            .flatten();
        object.insert(
            key.trim().to_owned(),
            parsed.unwrap_or_else(|| Value::String(value.to_owned())),
        );
        rest = after;
    }
    Some((name.trim().to_owned(), Value::Object(object).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(deltas: &[&str], finished: bool) -> String {
        let mut splitter = ContentSplitter::new(vec!["run_sql".into()]);
        let mut out = Vec::new();
        for delta in deltas {
            splitter.push(delta, &mut out);
        }
        splitter.finish(finished, &mut out);
        let mut all = String::new();
        let mut last = ' ';
        for piece in out {
            let (kind, text) = match piece {
                Piece::Text(t) => ('T', t),
                Piece::Reasoning(t) => ('R', t),
                Piece::TextWasReasoning => ('W', String::new()),
                Piece::Call { name, arguments } => ('C', format!("{name}{arguments}")),
            };
            if kind != last || kind == 'C' {
                all.push('|');
                all.push(kind);
                all.push(' ');
            }
            last = kind;
            all.push_str(&text);
        }
        all
    }

    /// Whole, in single characters, and cut once at every place: the same pieces.
    fn check(text: &str, expected: &str) {
        assert_eq!(run(&[text], true), expected);
        for (at, _) in text.char_indices() {
            let (a, b) = text.split_at(at);
            let got = run(&[a, b], true).replace("|T think|W |R ing", "|R thinking");
            assert_eq!(got, expected, "cut at {at}");
        }
    }

    #[test]
    fn thinking_and_calls_are_taken_out_of_text() {
        check("hello", "|T hello");
        check("  a < b", "|T   a < b");
        check("<think>x < y</think>\n\nhi", "|R x < y|T hi");
        check("\n<thinking>x</thinking>hi", "|R x|T hi");
        check("<think>cut", "|R cut");
        check("<thin", "|T <thin");
        check(
            "a <tool_call>\n{\"name\":\"run_sql\",\"arguments\":{\"sql\":\"x\"}}\n</tool_call>\n",
            "|T a |C run_sql{\"sql\":\"x\"}",
        );
        check(
            "<tool_call>{\"name\":\"rm\",\"arguments\":{}}</tool_call>",
            "|T <tool_call>{\"name\":\"rm\",\"arguments\":{}}</tool_call>",
        );
        check(
            "<tool_call><function=run_sql>\n<parameter=sql>\nSELECT 1\n</parameter>\n</function></tool_call>",
            "|C run_sql{\"sql\":\"SELECT 1\"}",
        );
        check(
            "<tool_call>nonsense</tool_call>",
            "|T <tool_call>nonsense</tool_call>",
        );
    }

    #[test]
    fn a_closing_tag_alone_turns_what_came_before_into_reasoning() {
        assert_eq!(run(&["thinking</think>hi"], true), "|R thinking|T hi");
        assert_eq!(
            run(&["think", "ing</thi", "nk>", "hi"], true),
            "|T thinking|W |T hi"
        );
    }

    #[test]
    fn an_unclosed_call_counts_only_at_a_finish() {
        let text = "<tool_call>{\"name\":\"run_sql\",\"arguments\":{}}";
        assert_eq!(run(&[text], true), "|C run_sql{}");
        assert_eq!(run(&[text], false), format!("|T {text}"));
    }
}
