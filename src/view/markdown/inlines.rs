//! The text of a block into inlines.

use super::{DEPTH_MAX, Inline};

/// A label or address longer than this is text; it keeps the search for its end short.
const LINK_MAX: usize = 2_000;

const ENTITIES: [(&str, &str); 6] = [
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&nbsp;", "\u{a0}"),
];

pub fn read(text: &str) -> Vec<Inline> {
    Reader {
        text,
        at: 0,
        plain: String::new(),
        out: Vec::new(),
        hopeless: Vec::new(),
        depth: 0,
    }
    .run()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    plain: String,
    out: Vec<Inline>,
    /// Delimiters for which no end was found: a later one has none either.
    hopeless: Vec<&'a str>,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn run(mut self) -> Vec<Inline> {
        while let Some(c) = self.rest().chars().next() {
            let taken = match c {
                '\\' => self.escape(),
                '`' => self.code(),
                '*' | '_' | '~' => self.emphasis(c),
                '[' => self.link(1),
                '!' if self.rest().starts_with("![") => self.image(),
                '<' => self.address(),
                '&' => self.entity(),
                '\n' => self.line_end(),
                _ => 0,
            };
            if taken == 0 {
                self.plain.push(c);
                self.at += c.len_utf8();
            } else {
                self.at += taken;
            }
        }
        self.flush();
        self.out
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn flush(&mut self) {
        if !self.plain.is_empty() {
            self.out.push(Inline::Text(std::mem::take(&mut self.plain)));
        }
    }

    fn push(&mut self, inline: Inline) {
        self.flush();
        self.out.push(inline);
    }

    fn inner(&self, text: &str) -> Vec<Inline> {
        if self.depth >= DEPTH_MAX {
            return vec![Inline::Text(text.to_owned())];
        }
        Reader {
            text,
            at: 0,
            plain: String::new(),
            out: Vec::new(),
            hopeless: Vec::new(),
            depth: self.depth + 1,
        }
        .run()
    }

    fn escape(&mut self) -> usize {
        match self.rest().chars().nth(1) {
            Some('\n') => {
                self.push(Inline::Break);
                2
            }
            Some(c) if c.is_ascii_punctuation() => {
                self.plain.push(c);
                2
            }
            _ => 0,
        }
    }

    fn line_end(&mut self) -> usize {
        let hard = self.plain.ends_with("  ");
        self.plain.truncate(self.plain.trim_end_matches(' ').len());
        if hard {
            self.push(Inline::Break);
        } else {
            self.plain.push(' ');
        }
        1
    }

    fn entity(&mut self) -> usize {
        let rest = self.rest();
        let found = ENTITIES.iter().find(|(name, _)| rest.starts_with(name));
        found.map_or(0, |(name, text)| {
            self.plain.push_str(text);
            name.len()
        })
    }

    fn code(&mut self) -> usize {
        let rest = self.rest();
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let mark = rest.get(..ticks).unwrap_or_default();
        let body = rest.get(ticks..).unwrap_or_default();
        let end = (!self.hopeless.contains(&mark))
            .then(|| find_run(body, ticks))
            .flatten();
        if let Some(code) = end.and_then(|end| body.get(..end)) {
            let text = code.replace('\n', " ");
            let padded = text.len() > 2 && text.starts_with(' ') && text.ends_with(' ');
            let text = if padded { text.trim().to_owned() } else { text };
            self.push(Inline::Code(text));
            return code.len() + 2 * ticks;
        }
        self.hopeless.push(mark);
        self.plain.push_str(mark);
        ticks
    }

    fn emphasis(&mut self, c: char) -> usize {
        let rest = self.rest();
        let double = rest.get(..2).filter(|two| two.chars().all(|d| d == c));
        let single = rest.get(..1).filter(|_| c != '~');
        for mark in [double, single].into_iter().flatten() {
            if let Some(inner) = self.enclosed(mark, c) {
                let content = self.inner(inner);
                self.push(match mark {
                    "~~" => Inline::Strike(content),
                    "**" | "__" => Inline::Strong(content),
                    _ => Inline::Emphasis(content),
                });
                return inner.len() + 2 * mark.len();
            }
        }
        // The whole run is text, or its second half would be tried alone.
        let length = rest.len() - rest.trim_start_matches(c).len();
        self.plain.push_str(rest.get(..length).unwrap_or_default());
        length
    }

    fn enclosed(&mut self, mark: &'a str, c: char) -> Option<&'a str> {
        if self.hopeless.contains(&mark) {
            return None;
        }
        let body = self.rest().get(mark.len()..)?;
        let before = self.text.get(..self.at)?.chars().next_back();
        let opens = body.chars().next().is_some_and(|n| !n.is_whitespace())
            && (c != '_' || before.is_none_or(|b| !b.is_alphanumeric()));
        if !opens {
            return None;
        }
        let end = closing(body, mark, c);
        if end.is_none() {
            self.hopeless.push(mark);
        }
        body.get(..end?).filter(|inner| !inner.is_empty())
    }

    /// `[text](address)`; `skip` bytes stand before the label's text.
    fn link(&mut self, skip: usize) -> usize {
        let Some((label, address)) = parts(self.rest(), skip) else {
            return 0;
        };
        let taken = skip + label.len() + 2 + address.len() + 1;
        let target = address.split_whitespace().next().unwrap_or_default();
        let target = target.trim_matches(['<', '>']);
        let text = self.inner(label);
        if is_safe(target) {
            self.push(Inline::Link {
                address: target.to_owned(),
                text,
            });
        } else {
            self.flush();
            self.out.extend(text);
        }
        taken
    }

    /// An image is its description: nothing loads by itself.
    fn image(&mut self) -> usize {
        let Some((label, address)) = parts(self.rest(), 2) else {
            return 0;
        };
        self.plain.push_str(label);
        label.len() + address.len() + 5
    }

    fn address(&mut self) -> usize {
        let rest = self.rest();
        let Some(address) = rest
            .get(1..)
            .and_then(|r| r.get(..r.find(['>', ' ', '\n', '<'])?))
        else {
            return 0;
        };
        let closed = rest
            .get(address.len() + 1..)
            .is_some_and(|r| r.starts_with('>'));
        if !closed || !is_safe(address) {
            return 0;
        }
        self.push(Inline::Link {
            address: address.to_owned(),
            text: vec![Inline::Text(address.to_owned())],
        });
        address.len() + 2
    }
}

/// The start of the next run of exactly `ticks` backticks.
fn find_run(body: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = body.get(at..)?;
        let start = at + rest.find('`')?;
        let run = body.get(start..)?;
        let length = run.len() - run.trim_start_matches('`').len();
        if length == ticks {
            return Some(start);
        }
        at = start + length;
    }
}

/// The start of the mark that closes an emphasis.
fn closing(body: &str, mark: &str, c: char) -> Option<usize> {
    let mut before = ' ';
    let mut skip_to = 0;
    for (at, now) in body.char_indices() {
        if at < skip_to {
            before = now;
            continue;
        }
        if now == '\\' {
            skip_to = at + 1 + body.get(at + 1..)?.chars().next().map_or(0, char::len_utf8);
        } else if now == '`' {
            let run = body.get(at..)?;
            skip_to = at + run.len() - run.trim_start_matches('`').len();
        } else if now == c {
            let run = body.get(at..)?;
            let length = run.len() - run.trim_start_matches(c).len();
            let after = run.get(length..)?.chars().next();
            let closes =
                !before.is_whitespace() && (c != '_' || after.is_none_or(|a| !a.is_alphanumeric()));
            // A single mark does not end inside a double one, unless both end together.
            if closes && (length == mark.len() || length >= 3) {
                return Some(at + length - mark.len());
            }
            skip_to = at + length;
        }
        before = now;
    }
    None
}

/// The label and the address of `…label](address)`.
fn parts(rest: &str, skip: usize) -> Option<(&str, &str)> {
    let mut depth = 1;
    let mut label = None;
    for (at, c) in rest.get(skip..)?.char_indices().take(LINK_MAX) {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            label = rest.get(skip..skip + at);
            break;
        }
    }
    let label = label?;
    let after = rest.get(skip + label.len() + 1..)?.strip_prefix('(')?;
    let mut depth = 1;
    for (at, c) in after.char_indices().take(LINK_MAX) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some((label, after.get(..at)?));
        }
    }
    None
}

fn is_safe(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| lower.starts_with(scheme))
}
