//! The string fields of an object that is still being written, so that a call's words can be shown while
//! they stream. Total on any input; must not judge: the complete arguments are checked elsewhere.

/// A field of the outermost object whose value is a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialField {
    pub name: String,
    /// The value so far, decoded.
    pub text: String,
    /// False while the value is still being written.
    pub complete: bool,
}

/// String fields in order of appearance. Other values are skipped.
#[must_use]
pub fn string_fields(text: &str) -> Vec<PartialField> {
    let mut fields = Vec::new();
    let mut scanner = Scanner {
        chars: text.chars().peekable(),
    };
    scanner.blanks();
    if scanner.chars.next() != Some('{') {
        return fields;
    }
    loop {
        scanner.blanks();
        match scanner.chars.peek() {
            Some(',') => {
                scanner.chars.next();
                continue;
            }
            Some('"') => {}
            _ => return fields,
        }
        let (name, complete) = scanner.string();
        scanner.blanks();
        if !complete || scanner.chars.next() != Some(':') {
            return fields;
        }
        scanner.blanks();
        if scanner.chars.peek() == Some(&'"') {
            let (text, complete) = scanner.string();
            fields.push(PartialField {
                name,
                text,
                complete,
            });
        } else {
            scanner.skip_value();
        }
    }
}

struct Scanner<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
}

impl Scanner<'_> {
    fn blanks(&mut self) {
        while self.chars.next_if(|c| c.is_ascii_whitespace()).is_some() {}
    }

    /// Reads a string from its opening quote on; false where the text ends inside it.
    fn string(&mut self) -> (String, bool) {
        let mut out = String::new();
        self.chars.next();
        while let Some(c) = self.chars.next() {
            match c {
                '"' => return (out, true),
                '\\' => match self.chars.next() {
                    None => return (out, false),
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('r') => out.push('\r'),
                    Some('b') => out.push('\u{8}'),
                    Some('f') => out.push('\u{c}'),
                    Some('u') => match self.escape() {
                        Some(c) => out.push(c),
                        None => return (out, false),
                    },
                    Some(other) => out.push(other),
                },
                c => out.push(c),
            }
        }
        (out, false)
    }

    /// The character of `\uXXXX`, or of two of them; `None` where the text ends first.
    fn escape(&mut self) -> Option<char> {
        let high = self.hex4()?;
        if !(0xD800..0xDC00).contains(&high) {
            return Some(char::from_u32(high).unwrap_or('\u{FFFD}'));
        }
        match self.chars.peek() {
            None => return None,
            Some('\\') => {}
            Some(_) => return Some('\u{FFFD}'),
        }
        self.chars.next();
        match self.chars.peek() {
            None => return None,
            Some('u') => {}
            Some(_) => return Some('\u{FFFD}'),
        }
        self.chars.next();
        let low = self.hex4()?;
        let pair = 0x1_0000 + ((high - 0xD800) << 10) + (low.wrapping_sub(0xDC00) & 0x3FF);
        Some(char::from_u32(pair).unwrap_or('\u{FFFD}'))
    }

    fn hex4(&mut self) -> Option<u32> {
        let mut value = 0;
        for _ in 0..4 {
            value = value * 16 + self.chars.next()?.to_digit(16).unwrap_or(0);
        }
        Some(value)
    }

    fn skip_value(&mut self) {
        let mut depth = 0_usize;
        while let Some(c) = self.chars.peek().copied() {
            match c {
                '"' => {
                    self.string();
                    continue;
                }
                '{' | '[' => depth += 1,
                '}' | ']' if depth == 0 => return,
                '}' | ']' => depth -= 1,
                ',' if depth == 0 => return,
                _ => {}
            }
            self.chars.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str, bool)]) {
        let got = string_fields(text);
        let got: Vec<_> = got
            .iter()
            .map(|f| (f.name.as_str(), f.text.as_str(), f.complete))
            .collect();
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn fields_appear_as_they_are_written() {
        check("", &[]);
        check("{\"rea", &[]);
        check("{\"reasoning\":", &[]);
        check("{\"reasoning\":\"", &[("reasoning", "", false)]);
        check("{\"reasoning\": \"a\\", &[("reasoning", "a", false)]);
        check("{\"a\":\"x\\u00e", &[("a", "x", false)]);
        check("{\"a\":\"\\ud83d\\ude00!\"", &[("a", "😀!", true)]);
        check("{\"a\":\"\\ud83d\\", &[("a", "", false)]);
        check(
            "{\"n\":1,\"o\":{\"x\":[\"}\"]},\"a\":\"l1\\nl2\",\"sql\":\"SEL",
            &[("a", "l1\nl2", true), ("sql", "SEL", false)],
        );
        check("[\"a\"]", &[]);
        check("{\"a\":\"b\"}{\"c\":\"d\"}", &[("a", "b", true)]);
        check("{\"a\":}", &[]);
    }

    proptest::proptest! {
        #[test]
        fn total_and_growing(text in "[{}\\[\\]\":,a\\\\u0-9 é]{0,60}") {
            let mut names = 0;
            for (at, _) in text.char_indices() {
                let fields = string_fields(text.get(..at).unwrap_or_default());
                assert!(fields.len() >= names);
                names = fields.len();
            }
        }
    }
}
