//! A safe subset of Markdown as data: no HTML, no images, nothing that loads by itself.
//!
//! The subset is what models write in answers: paragraphs, headings, lists, quotes, fenced code, tables, emphasis,
//! code spans and links. Whatever else there is stays text. It is read here and not by a CommonMark library because
//! such a library brings 40 KB (compressed) of entity and Unicode tables to a page that never needs them.

mod blocks;
mod growing;
mod inlines;

pub use growing::Growing;

use super::grid::Active;
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    Paragraph(Vec<Inline>),
    Heading(u8, Vec<Inline>),
    List {
        ordered: bool,
        items: Vec<Vec<Block>>,
    },
    Quote(Vec<Block>),
    Code {
        language: String,
        text: String,
    },
    Table {
        head: Vec<Vec<Inline>>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Rule,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    Text(String),
    Strong(Vec<Inline>),
    Emphasis(Vec<Inline>),
    Strike(Vec<Inline>),
    Code(String),
    /// Shown with its full address; opened only by a click. Only http, https and mailto.
    Link {
        address: String,
        text: Vec<Inline>,
    },
    /// A number of an answer, with the cell of the result that it tells; `None` where it stands in no result.
    Claim {
        text: String,
        cell: Option<Active>,
        /// What it means, in the person's language.
        title: String,
    },
    Break,
}

/// Deeper nesting is shown as plain text, so that hostile input cannot exhaust the stack.
const DEPTH_MAX: usize = 12;

/// Parses any text; never fails, never yields HTML.
#[must_use]
pub fn parse(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    blocks::read(&lines, 0)
}

/// As [`parse`], to be shown: a block that stays is the same one, and costs nothing to compare.
#[must_use]
pub fn shared(text: &str) -> Vec<Arc<Block>> {
    parse(text).into_iter().map(Arc::new).collect()
}

/// The text of inlines without their form.
#[must_use]
pub fn plain(inlines: &[Inline]) -> String {
    let mut out = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) | Inline::Claim { text, .. } => {
                out.push_str(text);
            }
            Inline::Strong(inner)
            | Inline::Emphasis(inner)
            | Inline::Strike(inner)
            | Inline::Link { text: inner, .. } => out.push_str(&plain(inner)),
            Inline::Break => out.push(' '),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[Block]) {
        assert_eq!(parse(text), expected, "{text}");
    }

    fn text(t: &str) -> Inline {
        Inline::Text(t.to_owned())
    }

    fn paragraph(inlines: Vec<Inline>) -> Block {
        Block::Paragraph(inlines)
    }

    #[test]
    fn forms_become_data() {
        check(
            "North sold **12 431** in `orders`.",
            &[paragraph(vec![
                text("North sold "),
                Inline::Strong(vec![text("12 431")]),
                text(" in "),
                Inline::Code("orders".into()),
                text("."),
            ])],
        );
        check(
            "- a\n- b\n",
            &[Block::List {
                ordered: false,
                items: vec![
                    vec![paragraph(vec![text("a")])],
                    vec![paragraph(vec![text("b")])],
                ],
            }],
        );
        check(
            "|a|b|\n|-|-|\n|1|2|\n",
            &[Block::Table {
                head: vec![vec![text("a")], vec![text("b")]],
                rows: vec![vec![vec![text("1")], vec![text("2")]]],
            }],
        );
        check(
            "```sql\nSELECT 1\n```",
            &[Block::Code {
                language: "sql".into(),
                text: "SELECT 1\n".into(),
            }],
        );
    }

    #[test]
    fn lists_nest_and_names_keep_their_underscores() {
        let item = |t: &str| vec![paragraph(vec![text(t)])];
        check(
            "1. a\n   - b\n   - c\n2. d",
            &[Block::List {
                ordered: true,
                items: vec![
                    vec![
                        paragraph(vec![text("a")]),
                        Block::List {
                            ordered: false,
                            items: vec![item("b"), item("c")],
                        },
                    ],
                    item("d"),
                ],
            }],
        );
        check(
            "order_items.unit_price * 2 * 3",
            &[paragraph(vec![text("order_items.unit_price * 2 * 3")])],
        );
        check(
            "***a*** \\*b\\* ~~c~~ &lt;",
            &[paragraph(vec![
                Inline::Strong(vec![Inline::Emphasis(vec![text("a")])]),
                text(" *b* "),
                Inline::Strike(vec![text("c")]),
                text(" <"),
            ])],
        );
        check(
            "a  \nb\nc",
            &[paragraph(vec![text("a"), Inline::Break, text("b c")])],
        );
        check(
            "> q\n\n---\n## h ##",
            &[
                Block::Quote(item("q")),
                Block::Rule,
                Block::Heading(2, vec![text("h")]),
            ],
        );
    }

    #[test]
    fn html_is_text() {
        let shown = format!("{:?}", parse("<script>alert(1)</script>\n\na <b>b</b>"));
        assert!(
            shown.contains("Text(\"<script>alert(1)</script>"),
            "{shown}"
        );
        assert!(shown.contains("Text(\"a <b>b</b>\")"), "{shown}");
    }

    #[test]
    fn images_and_strange_addresses_lose_their_address() {
        for hostile in [
            "![pixel](https://evil.example/x.png)",
            "[x](javascript:alert(1))",
            "[x](JaVaScRiPt:alert(1))",
            "[x](data:text/html,hi)",
            "[x](//evil.example)",
            "[x](  vbscript:x)",
        ] {
            let shown = format!("{:?}", parse(hostile));
            assert!(!shown.contains("Link"), "{shown}");
            assert!(!shown.contains("evil.example/x.png"), "{shown}");
        }
        let shown = format!("{:?}", parse("[x](https://sqlite.org)"));
        assert!(shown.contains("Link"), "{shown}");
    }

    #[test]
    fn deep_nesting_ends() {
        let _ = parse(&">".repeat(20_000));
        let _ = parse(&format!("{}x", "- ".repeat(5_000)));
        let _ = parse(&"*a _b ".repeat(2_000));
        let _ = parse(&"[".repeat(50_000));
        let _ = parse(&"**a ".repeat(20_000));
        let _ = parse(&"`` ` ".repeat(20_000));
        let _ = parse(&"> - ".repeat(5_000));
    }

    #[test]
    fn every_prefix_parses() {
        let text =
            "# T\n\n1. **b** `c`\n   > q\n\n|a|b|\n|-|-|\n|1|![x](y)|\n\n```sql\nSELECT\n```\n<b>";
        for end in 0..=text.len() {
            if let Some(head) = text.get(..end) {
                let _ = parse(head);
            }
        }
    }
}
