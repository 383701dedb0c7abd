//! A safe subset of Markdown as data: no HTML, no images, nothing that loads by itself.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

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
    Break,
}

/// Deeper nesting is shown as plain text, so that hostile input cannot exhaust the stack.
const DEPTH_MAX: usize = 12;

/// Parses any text; never fails, never yields HTML.
#[must_use]
pub fn parse(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    blocks(&mut Parser::new_ext(text, options), 0)
}

/// The text of inlines without their form.
#[must_use]
pub fn plain(inlines: &[Inline]) -> String {
    let mut out = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Strong(inner)
            | Inline::Emphasis(inner)
            | Inline::Strike(inner)
            | Inline::Link { text: inner, .. } => out.push_str(&plain(inner)),
            Inline::Break => out.push(' '),
        }
    }
    out
}

type Events<'a, 'b> = &'a mut Parser<'b>;

/// Blocks up to the end of the surrounding tag.
fn blocks(events: Events<'_, '_>, depth: usize) -> Vec<Block> {
    let mut out = Vec::new();
    // The items of a tight list hold bare inlines.
    let mut bare: Vec<Inline> = Vec::new();
    while let Some(event) = events.next() {
        let block = match event {
            Event::End(_) => break,
            Event::Rule => Some(Block::Rule),
            Event::Start(tag) if is_inline(&tag) => {
                bare.push(span(tag, events, depth));
                continue;
            }
            Event::Start(tag) => {
                flush(&mut bare, &mut out);
                block(tag, events, depth + 1)
            }
            other => {
                bare.extend(leaf(other));
                continue;
            }
        };
        flush(&mut bare, &mut out);
        out.extend(block);
    }
    flush(&mut bare, &mut out);
    out
}

fn flush(bare: &mut Vec<Inline>, out: &mut Vec<Block>) {
    if !bare.is_empty() {
        out.push(Block::Paragraph(std::mem::take(bare)));
    }
}

fn block(tag: Tag<'_>, events: Events<'_, '_>, depth: usize) -> Option<Block> {
    if depth > DEPTH_MAX {
        let text = flat(events);
        return (!text.is_empty()).then(|| Block::Paragraph(vec![Inline::Text(text)]));
    }
    Some(match tag {
        Tag::Heading { level, .. } => Block::Heading(level as u8, inlines(events, depth)),
        Tag::BlockQuote(_) => Block::Quote(blocks(events, depth)),
        Tag::CodeBlock(kind) => Block::Code {
            language: match kind {
                CodeBlockKind::Fenced(info) => {
                    info.split([' ', ',']).next().unwrap_or_default().to_owned()
                }
                CodeBlockKind::Indented => String::new(),
            },
            text: flat(events),
        },
        Tag::List(first) => Block::List {
            ordered: first.is_some(),
            items: children(events, depth, blocks),
        },
        Tag::Table(_) => {
            let mut rows = children(events, depth, |events, depth| {
                children(events, depth, inlines)
            });
            if rows.is_empty() {
                return None;
            }
            Block::Table {
                head: rows.remove(0),
                rows,
            }
        }
        _ => Block::Paragraph(inlines(events, depth)),
    })
}

/// Each child tag up to the end of the parent, read by `read`.
fn children<T>(
    events: Events<'_, '_>,
    depth: usize,
    read: impl Fn(Events<'_, '_>, usize) -> T,
) -> Vec<T> {
    let mut out = Vec::new();
    while let Some(event) = events.next() {
        match event {
            Event::Start(_) => out.push(read(events, depth)),
            Event::End(_) => break,
            _ => {}
        }
    }
    out
}

fn inlines(events: Events<'_, '_>, depth: usize) -> Vec<Inline> {
    let mut out = Vec::new();
    while let Some(event) = events.next() {
        match event {
            Event::End(_) => break,
            Event::Start(tag) => out.push(span(tag, events, depth)),
            other => out.extend(leaf(other)),
        }
    }
    out
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

fn span(tag: Tag<'_>, events: Events<'_, '_>, depth: usize) -> Inline {
    if depth > DEPTH_MAX {
        return Inline::Text(flat(events));
    }
    match tag {
        Tag::Emphasis => Inline::Emphasis(inlines(events, depth + 1)),
        Tag::Strong => Inline::Strong(inlines(events, depth + 1)),
        Tag::Strikethrough => Inline::Strike(inlines(events, depth + 1)),
        Tag::Link { dest_url, .. } if is_safe(&dest_url) => Inline::Link {
            address: dest_url.to_string(),
            text: inlines(events, depth + 1),
        },
        _ => Inline::Text(flat(events)),
    }
}

fn is_safe(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| lower.starts_with(scheme))
}

fn leaf(event: Event<'_>) -> Option<Inline> {
    match event {
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
            Some(Inline::Text(text.to_string()))
        }
        Event::Code(code) => Some(Inline::Code(code.to_string())),
        Event::SoftBreak => Some(Inline::Text(" ".to_owned())),
        Event::HardBreak => Some(Inline::Break),
        _ => None,
    }
}

/// The text up to the end of the open tag, whatever is nested in it.
fn flat(events: Events<'_, '_>) -> String {
    let mut out = String::new();
    let mut open = 1usize;
    for event in events.by_ref() {
        match event {
            Event::Start(_) => open += 1,
            Event::End(_) => open -= 1,
            Event::SoftBreak | Event::HardBreak => out.push('\n'),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                out.push_str(&text);
            }
            _ => {}
        }
        if open == 0 {
            break;
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
    fn html_is_text() {
        let shown = format!("{:?}", parse("<script>alert(1)</script>\n\na <b>b</b>"));
        assert!(
            shown.contains("Text(\"<script>alert(1)</script>"),
            "{shown}"
        );
        assert!(shown.contains("Text(\"<b>\")"), "{shown}");
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
        parse(&">".repeat(20_000));
        parse(&format!("{}x", "- ".repeat(5_000)));
        parse(&"*a _b ".repeat(2_000));
        parse(&"[".repeat(5_000));
    }

    #[test]
    fn every_prefix_parses() {
        let text =
            "# T\n\n1. **b** `c`\n   > q\n\n|a|b|\n|-|-|\n|1|![x](y)|\n\n```sql\nSELECT\n```\n<b>";
        for end in 0..=text.len() {
            if let Some(head) = text.get(..end) {
                parse(head);
            }
        }
    }
}
