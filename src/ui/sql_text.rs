//! SQL with colours; its text is exactly the statement.

use crate::view::highlight::tokens;
use leptos::prelude::*;

#[component]
pub fn SqlText(sql: String) -> impl IntoView {
    let pieces: Vec<AnyView> = tokens(&sql)
        .into_iter()
        .map(|(kind, piece)| {
            let text = piece.to_owned();
            match kind.name() {
                "" => text.into_any(),
                name => view! { <span data-token=name>{text}</span> }.into_any(),
            }
        })
        .collect();
    view! { <pre class="sql" translate="no" tabindex="0"><code>{pieces}</code></pre> }.into_any()
}
