//! Writes HTML so that nothing but elements of ours can come out: every text is escaped, and characters that hide or turn round what stands beside them are shown by name.

use sha2::{Digest, Sha256};

pub type Attributes<'a> = &'a [(&'static str, &'a str)];

#[derive(Default)]
pub struct Html(String);

impl Html {
    /// An element with what `inside` writes into it.
    pub fn within(
        &mut self,
        tag: &'static str,
        attributes: Attributes,
        inside: impl FnOnce(&mut Self),
    ) {
        self.begin(tag, attributes);
        inside(self);
        self.end(tag);
    }

    /// An element with a text alone.
    pub fn leaf(&mut self, tag: &'static str, attributes: Attributes, text: &str) {
        self.within(tag, attributes, |h| h.text(text));
    }

    /// An element that holds nothing and has no end tag.
    pub fn empty(&mut self, tag: &'static str, attributes: Attributes) {
        self.begin(tag, attributes);
    }

    /// Text that may come from anywhere.
    pub fn text(&mut self, text: &str) {
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            // The end of a line in the way of another system.
            if c == '\r' && chars.peek() == Some(&'\n') {
                continue;
            }
            match hidden(c) {
                Some(name) => {
                    self.0.push_str("<span class=\"hidden-char\">");
                    self.0.push_str(&name);
                    self.0.push_str("</span>");
                }
                None => escape(c, &mut self.0),
            }
        }
    }

    /// The style sheet of ours, as it is: its hash is in the policy.
    pub fn style(&mut self, css: &str) {
        self.0.push_str("<style>");
        self.0.push_str(css);
        self.0.push_str("</style>");
    }

    pub fn document(self) -> String {
        format!("<!doctype html>\n{}\n", self.0)
    }

    /// Text for an element that can hold no other.
    pub fn plain(&mut self, text: &str) {
        self.0.push_str(&attribute(text));
    }

    pub fn append(&mut self, other: Self) {
        self.0.push_str(&other.0);
    }

    pub fn end(&mut self, tag: &'static str) {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
    }

    pub fn begin(&mut self, tag: &'static str, attributes: Attributes) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            self.0.push_str(&attribute(value));
            self.0.push('"');
        }
        self.0.push('>');
    }
}

/// Text for where no element can stand.
fn attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match hidden(c) {
            Some(name) => out.push_str(&name),
            None => escape(c, &mut out),
        }
    }
    out
}

fn escape(c: char, out: &mut String) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        c => out.push(c),
    }
}

/// The name of a character that cannot be seen but changes what is seen: controls, turns of the writing direction, signs
/// without width. Joiners are left alone, since scripts and emoji need them.
fn hidden(c: char) -> Option<String> {
    let hides = match c {
        '\t' | '\n' => false,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    };
    hides.then(|| format!("U+{:04X}", u32::from(c)))
}

/// SHA-256 in hex.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|b| format!("{b:02x}")).collect()
}

/// A hash as a content security policy names it.
#[must_use]
pub fn policy_hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for i in 0..4 {
            let letter = (bits >> (18 - 6 * i)) & 63;
            match LETTERS.get(letter as usize) {
                Some(letter) if i <= chunk.len() => out.push(char::from(*letter)),
                _ => out.push('='),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        let mut html = Html::default();
        html.text(text);
        html.0
    }

    #[test]
    fn no_text_becomes_markup() {
        assert_eq!(
            text("</style><script>alert('1')</script> & \"x\""),
            "&lt;/style&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;x&quot;"
        );
        let mut html = Html::default();
        html.empty("meta", &[("content", "\"><script>\u{202e}")]);
        assert_eq!(html.0, "<meta content=\"&quot;&gt;&lt;script&gt;U+202E\">");
    }

    #[test]
    fn what_hides_is_shown_by_name() {
        assert_eq!(
            text("a\u{202e}b\0\u{7f}\r"),
            "a<span class=\"hidden-char\">U+202E</span>b<span class=\"hidden-char\">U+0000</span>\
             <span class=\"hidden-char\">U+007F</span><span class=\"hidden-char\">U+000D</span>"
        );
        assert_eq!(text("one\r\n\ttwo 你好 👩‍👩‍👧"), "one\n\ttwo 你好 👩‍👩‍👧");
    }

    #[test]
    fn hashes_are_those_of_the_standards() {
        // RFC 4648, section 10.
        for (bytes, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), expected);
        }
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
