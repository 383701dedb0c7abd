//! Markdown as elements. Each block is its own memo, so that a streamed token touches only the last one.

use super::live::live;
use super::sql_text::SqlText;
use crate::view::markdown::{Block, Inline, plain};
use leptos::prelude::*;
use std::sync::Arc;

#[component]
pub fn Blocks(#[prop(into)] blocks: Signal<Vec<Arc<Block>>>) -> impl IntoView {
    // Read by every block: a derived signal would copy the whole text for each of them.
    let blocks = Memo::new(move |_| blocks.get());
    let count = Memo::new(move |_| blocks.with(Vec::len));
    view! {
        <For each=move || 0..count.get() key=|i| *i let:i>
            {
                let block = Memo::new(move |_| blocks.with(|b| b.get(i).cloned()));
                live(move || block.get().map(|b| block_view(&b)))
            }
        </For>
    }
    .into_any()
}

fn block_view(block: &Block) -> AnyView {
    match block {
        Block::Paragraph(text) => view! { <p>{inlines(text)}</p> }.into_any(),
        // The page owns the first two levels of headings.
        Block::Heading(1 | 2, text) => view! { <h3>{inlines(text)}</h3> }.into_any(),
        Block::Heading(_, text) => view! { <h4>{inlines(text)}</h4> }.into_any(),
        Block::List { ordered, items } => {
            let items: Vec<_> = items
                .iter()
                .map(|item| view! { <li>{views(item)}</li> }.into_any())
                .collect();
            if *ordered {
                view! { <ol>{items}</ol> }.into_any()
            } else {
                view! { <ul>{items}</ul> }.into_any()
            }
        }
        Block::Quote(inner) => view! { <blockquote>{views(inner)}</blockquote> }.into_any(),
        Block::Code { language, text } if language.eq_ignore_ascii_case("sql") => {
            view! { <SqlText sql=text.clone() /> }.into_any()
        }
        Block::Code { text, .. } => {
            view! { <pre class="code" tabindex="0"><code>{text.clone()}</code></pre> }.into_any()
        }
        Block::Table { head, rows } => table(head, rows),
        Block::Rule => view! { <hr /> }.into_any(),
    }
}

fn views(blocks: &[Block]) -> Vec<AnyView> {
    blocks.iter().map(block_view).collect()
}

fn table(head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) -> AnyView {
    let head: Vec<_> = head
        .iter()
        .map(|cell| view! { <th scope="col">{inlines(cell)}</th> }.into_any())
        .collect();
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let cells: Vec<_> = row
                .iter()
                .map(|cell| view! { <td>{inlines(cell)}</td> }.into_any())
                .collect();
            view! { <tr>{cells}</tr> }.into_any()
        })
        .collect();
    view! {
        <div class="prose-table" tabindex="0">
            <table>
                <thead><tr>{head}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn inlines(list: &[Inline]) -> Vec<AnyView> {
    list.iter().map(inline).collect()
}

fn inline(inline: &Inline) -> AnyView {
    match inline {
        Inline::Text(text) => text.clone().into_any(),
        Inline::Strong(inner) => view! { <strong>{inlines(inner)}</strong> }.into_any(),
        Inline::Emphasis(inner) => view! { <em>{inlines(inner)}</em> }.into_any(),
        Inline::Strike(inner) => view! { <s>{inlines(inner)}</s> }.into_any(),
        Inline::Code(code) => view! { <code>{code.clone()}</code> }.into_any(),
        Inline::Link { address, text } => {
            let shown = (plain(text) != *address).then(|| format!(" ({address})"));
            view! {
                <a href=address.clone() target="_blank" rel="noopener noreferrer nofollow">
                    {inlines(text)}
                    {shown}
                </a>
            }
            .into_any()
        }
        Inline::Claim {
            text,
            cell: Some(cell),
            title,
        } => {
            // What a click does is the answer's (`cell_of`), once for all of its numbers.
            view! {
                <button class="claim" title=title.clone() data-row=cell.row.to_string() data-column=cell.column.to_string()>
                    {text.clone()}
                </button>
            }
            .into_any()
        }
        Inline::Claim { text, title, .. } => {
            let spoken = format!(" ({title})");
            view! {
                <span class="claim-missing" title=title.clone()>
                    {text.clone()}
                    <span class="hidden-text">{spoken}</span>
                </span>
            }
            .into_any()
        }
        Inline::Break => view! { <br /> }.into_any(),
    }
}
