//! Reads one JSON text without copying it: a list of nodes over the text, in one allocation. For frames,
//! which are small and many; it takes exactly what `serde_json` takes. Must not know what a frame means.

use serde_json::Value;
use std::borrow::Cow;

/// Values inside values, as deep as `serde_json` goes.
const DEPTH_MAX: usize = 127;
/// Most frames have fewer nodes.
const NODES_USUAL: usize = 24;

#[derive(Debug)]
struct Node<'a> {
    /// Name in the object that holds it, empty elsewhere.
    key: Cow<'a, str>,
    /// The value of a string.
    text: Option<Cow<'a, str>>,
    raw: &'a str,
    /// Nodes of this value, with all inside it.
    size: usize,
}

/// A text that was read.
#[derive(Debug)]
pub struct Document<'a> {
    nodes: Vec<Node<'a>>,
}

impl<'a> Document<'a> {
    /// `None` where the text is not one JSON value.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut reader = Reader {
            text,
            at: 0,
            nodes: Vec::with_capacity(NODES_USUAL),
        };
        reader.blanks();
        reader.value(Cow::Borrowed(""), DEPTH_MAX)?;
        reader.blanks();
        (reader.at == text.len()).then_some(Self {
            nodes: reader.nodes,
        })
    }

    #[must_use]
    pub fn root(&self) -> Json<'_> {
        Json { nodes: &self.nodes }
    }
}

/// One value of a [`Document`]. The first node is the value, the others stand inside it.
#[derive(Debug, Clone, Copy)]
pub struct Json<'t> {
    nodes: &'t [Node<'t>],
}

impl<'t> Json<'t> {
    /// The member of an object; the last one where a name stands twice.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Self> {
        let members = self.items().filter(|(name, _)| *name == key);
        members.last().map(|(_, value)| value)
    }

    /// The elements of a list. Nothing else has elements.
    pub fn elements(self) -> impl Iterator<Item = Self> {
        self.items()
            .filter(move |_| self.is_list())
            .map(|(_, value)| value)
    }

    /// Names and values inside an object; names are empty in a list.
    pub fn items(self) -> impl Iterator<Item = (&'t str, Self)> {
        let mut rest = self.nodes.get(1..).unwrap_or_default();
        std::iter::from_fn(move || {
            let first = rest.first()?;
            let (nodes, after) = rest.split_at_checked(first.size)?;
            rest = after;
            Some((&*first.key, Self { nodes }))
        })
    }

    /// The value as it was written.
    #[must_use]
    pub fn raw(self) -> &'t str {
        self.nodes.first().map_or("null", |node| node.raw)
    }

    #[must_use]
    pub fn as_str(self) -> Option<&'t str> {
        self.nodes.first()?.text.as_deref()
    }

    /// The text of a member, empty where there is none.
    #[must_use]
    pub fn text(self, key: &str) -> &'t str {
        self.get(key).and_then(Self::as_str).unwrap_or_default()
    }

    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.raw().parse().ok()
    }

    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.raw().parse().ok()
    }

    #[must_use]
    pub fn is_null(self) -> bool {
        self.raw() == "null"
    }

    #[must_use]
    pub fn is_true(self) -> bool {
        self.raw() == "true"
    }

    #[must_use]
    pub fn is_object(self) -> bool {
        self.raw().starts_with('{')
    }

    #[must_use]
    pub fn is_list(self) -> bool {
        self.raw().starts_with('[')
    }

    /// A copy to keep.
    #[must_use]
    pub fn to_value(self) -> Value {
        serde_json::from_str(self.raw()).unwrap_or_default()
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Node<'a>>,
}

impl<'a> Reader<'a> {
    // The page is built for size, where a call for each byte would cost more than the byte.
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    fn skip(&mut self, of: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.peek().is_some_and(&of) {
            self.at += 1;
        }
        self.at - start
    }

    fn blanks(&mut self) {
        self.skip(|b| matches!(b, b' ' | b'\n' | b'\t' | b'\r'));
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn value(&mut self, key: Cow<'a, str>, depth: usize) -> Option<()> {
        let (slot, start) = (self.nodes.len(), self.at);
        self.nodes.push(Node {
            key,
            text: None,
            raw: "",
            size: 1,
        });
        let mut text = None;
        match self.peek()? {
            b'"' => text = Some(self.string()?),
            b'{' => self.inside(b'}', depth)?,
            b'[' => self.inside(b']', depth)?,
            b't' => self.word("true")?,
            b'f' => self.word("false")?,
            b'n' => self.word("null")?,
            _ => self.number()?,
        }
        let size = self.nodes.len() - slot;
        let node = self.nodes.get_mut(slot)?;
        node.raw = self.text.get(start..self.at)?;
        node.text = text;
        node.size = size;
        Some(())
    }

    /// What stands between brackets.
    fn inside(&mut self, close: u8, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        self.at += 1;
        self.blanks();
        if self.take(close) {
            return Some(());
        }
        loop {
            let mut key = Cow::Borrowed("");
            if close == b'}' {
                key = (self.peek()? == b'"').then(|| self.string()).flatten()?;
                self.blanks();
                self.take(b':').then_some(())?;
                self.blanks();
            }
            self.value(key, depth)?;
            self.blanks();
            if self.take(close) {
                return Some(());
            }
            self.take(b',').then_some(())?;
            self.blanks();
        }
    }

    /// A string, from its opening quote on.
    fn string(&mut self) -> Option<Cow<'a, str>> {
        let start = self.at;
        self.at += 1;
        let mut escaped = false;
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            self.at += rest
                .iter()
                .position(|b| *b < b' ' || *b == b'"' || *b == b'\\')?;
            match self.peek()? {
                b'"' => break,
                b'\\' => {
                    escaped = true;
                    self.at += 2;
                }
                _ => return None,
            }
        }
        self.at += 1;
        let raw = self.text.get(start..self.at)?;
        if escaped {
            return serde_json::from_str(raw).ok().map(Cow::Owned);
        }
        raw.get(1..raw.len() - 1).map(Cow::Borrowed)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.text.get(self.at..)?.starts_with(word).then_some(())?;
        self.at += word.len();
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let start = self.at;
        let digit = |b: u8| b.is_ascii_digit();
        self.take(b'-');
        if !self.take(b'0') && self.skip(digit) == 0 {
            return None;
        }
        let whole = !matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        if self.take(b'.') && self.skip(digit) == 0 {
            return None;
        }
        if self.take(b'e') || self.take(b'E') {
            let _sign = self.take(b'+') || self.take(b'-');
            if self.skip(digit) == 0 {
                return None;
            }
        }
        let raw = self.text.get(start..self.at)?;
        // Only these may be out of range.
        let huge = (!whole || raw.len() > 300) && !raw.parse::<f64>().ok()?.is_finite();
        (!huge).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Accepts what `serde_json` accepts, and reads the same.
    fn check(text: &str) {
        let expected = serde_json::from_str::<Value>(text).ok();
        let document = Document::parse(text);
        let got = document.as_ref().map(|d| same(d.root()));
        assert_eq!(got, expected, "{text}");
    }

    fn same(json: Json) -> Value {
        let value = json.to_value();
        match &value {
            Value::Object(object) => {
                for (key, member) in object {
                    assert_eq!(&same(json.get(key).unwrap()), member);
                }
                assert!(json.get("\u{1}none").is_none() && json.is_object());
            }
            Value::Array(list) => {
                let elements: Vec<Value> = json.elements().map(same).collect();
                assert_eq!(&elements, list);
                assert!(json.is_list());
            }
            other => {
                assert_eq!(json.as_str(), other.as_str());
                let negative_zero = json.raw() == "-0";
                assert!(negative_zero || json.as_i64() == other.as_i64());
                assert_eq!(json.as_u64(), other.as_u64());
                assert_eq!(json.is_null(), other.is_null());
                assert_eq!(json.is_true(), *other == Value::Bool(true));
                assert_eq!(json.elements().count(), 0);
            }
        }
        value
    }

    #[test]
    fn takes_what_serde_json_takes() {
        for text in [
            "",
            " ",
            "{",
            "}",
            "{}",
            "[]",
            "[ ]",
            "{ }x",
            "{}{}",
            "[1,]",
            "[,1]",
            "{\"a\":1,}",
            "{\"a\" : [1, {\"b\":null}] , \"a\":true}",
            "{a:1}",
            "{\"a\"}",
            "{1:1}",
            "tru",
            "true",
            "nullx",
            "\"a",
            "\"\\",
            "\"\\\"",
            "\"\\q\"",
            "\"\\u00e9\\n\"",
            "\"\\ud83d\"",
            "\"\\ud83d\\ude00\"",
            "\"a\nb\"",
            "\"é😀\"",
            "{\"\\u0061\":1}",
            "-",
            "01",
            "-0",
            "1.",
            ".5",
            "1.5e3",
            "1e",
            "1e999",
            "-1e+2",
            "18446744073709551615",
            "18446744073709551616",
            "+1",
            "NaN",
            "\u{feff}{}",
        ] {
            check(text);
        }
        for depth in [126, 127, 128, 129] {
            check(&("[".repeat(depth) + &"]".repeat(depth)));
            check(&("{\"a\":".repeat(depth) + "1" + &"}".repeat(depth)));
        }
        check(&"1".repeat(400));
    }

    proptest! {
        #[test]
        fn takes_what_serde_json_takes_at_random(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\\n\"", "\"", "\\", "1", "-2.5e3", "true", "null",
                " ", "\n", "é", "\"a\":1", "{\"a\":[]}", "\\u00",
            ]), 0..10),
        ) {
            check(&pieces.concat());
        }

        #[test]
        fn reads_any_value(keys in prop::collection::vec(".{0,4}", 0..5), text in ".{0,12}", number in any::<i64>()) {
            let mut inner = serde_json::Map::new();
            for key in &keys {
                inner.insert(key.clone(), serde_json::json!([text, number, {"x": text}]));
            }
            check(&Value::Object(inner.clone()).to_string());
            check(&serde_json::to_string_pretty(&inner).unwrap());
        }
    }
}
