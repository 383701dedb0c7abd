//! Texts that grow: each line is an element of its own, so that a streamed token lays out its own line only. The
//! lines together are exactly the text.

use super::live::live;
use crate::view::highlight;
use leptos::prelude::*;

/// Plain text.
#[component]
pub fn GrowingText(#[prop(into)] text: Signal<String>) -> impl IntoView {
    let lines = Memo::new(move |_| {
        text.with(|text| {
            let lines = text.split_inclusive('\n').map(str::to_owned);
            lines.collect::<Vec<_>>()
        })
    });
    let count = Memo::new(move |_| lines.with(Vec::len));
    view! {
        <For each=move || 0..count.get() key=|i| *i let:i>
            {
                let line = Memo::new(move |_| lines.with(|l| l.get(i).cloned().unwrap_or_default()));
                view! { <span class="line">{live(move || line.get())}</span> }.into_any()
            }
        </For>
    }
    .into_any()
}

/// A statement with its colours.
#[component]
pub fn GrowingSql(sql: Memo<String>) -> impl IntoView {
    let lines = Memo::new(move |_| sql.with(|sql| highlight::lines(sql)));
    let count = Memo::new(move |_| lines.with(Vec::len));
    view! {
        <pre class="sql" translate="no" tabindex="0"><code>
            <For each=move || 0..count.get() key=|i| *i let:i>
                {
                    let line = Memo::new(move |_| lines.with(|l| l.get(i).cloned().unwrap_or_default()));
                    view! {
                        <span class="line">{live(move || line.get().into_iter().map(piece).collect::<Vec<_>>())}</span>
                    }
                    .into_any()
                }
            </For>
        </code></pre>
    }
    .into_any()
}

fn piece((kind, text): highlight::Piece) -> AnyView {
    match kind.name() {
        "" => text.into_any(),
        name => view! { <span data-token=name>{text}</span> }.into_any(),
    }
}
