//! Markdown of a model as HTML. Links are words with their address: nothing in a report leads elsewhere.

use super::html::Html;
use super::query::sql_text;
use crate::view::markdown::{self, Block, Inline, plain};

pub fn prose(html: &mut Html, text: &str) {
    html.within("div", &[("class", "prose"), ("dir", "auto")], |h| {
        blocks(h, &markdown::parse(text));
    });
}

fn blocks(html: &mut Html, list: &[Block]) {
    for block in list {
        match block {
            Block::Paragraph(text) => html.within("p", &[], |h| inlines(h, text)),
            // The report owns the first three levels of headings.
            Block::Heading(_, text) => html.within("h4", &[], |h| inlines(h, text)),
            Block::List { ordered, items } => {
                html.within(if *ordered { "ol" } else { "ul" }, &[], |h| {
                    for item in items {
                        h.within("li", &[], |h| blocks(h, item));
                    }
                });
            }
            Block::Quote(inner) => html.within("blockquote", &[], |h| blocks(h, inner)),
            Block::Code { language, text } if language.eq_ignore_ascii_case("sql") => {
                sql_text(html, text);
            }
            Block::Code { text, .. } => html.within("pre", &[("tabindex", "0")], |h| {
                h.leaf("code", &[], text);
            }),
            Block::Table { head, rows } => table(html, head, rows),
            Block::Rule => html.empty("hr", &[]),
        }
    }
}

fn table(html: &mut Html, head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) {
    html.within("div", &[("class", "scroll"), ("tabindex", "0")], |h| {
        h.within("table", &[], |h| {
            h.within("thead", &[], |h| {
                h.within("tr", &[], |h| {
                    for cell in head {
                        h.within("th", &[("scope", "col")], |h| inlines(h, cell));
                    }
                });
            });
            h.within("tbody", &[], |h| {
                for row in rows {
                    h.within("tr", &[], |h| {
                        for cell in row {
                            h.within("td", &[], |h| inlines(h, cell));
                        }
                    });
                }
            });
        });
    });
}

fn inlines(html: &mut Html, list: &[Inline]) {
    for inline in list {
        match inline {
            Inline::Text(text) | Inline::Claim { text, .. } => html.text(text),
            Inline::Strong(inner) => html.within("strong", &[], |h| inlines(h, inner)),
            Inline::Emphasis(inner) => html.within("em", &[], |h| inlines(h, inner)),
            Inline::Strike(inner) => html.within("s", &[], |h| inlines(h, inner)),
            Inline::Code(code) => html.leaf("code", &[], code),
            Inline::Link { address, text } => {
                inlines(html, text);
                if plain(text) != *address {
                    html.text(&format!(" ({address})"));
                }
            }
            Inline::Break => html.empty("br", &[]),
        }
    }
}
