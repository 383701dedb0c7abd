//! A look at the schema or a sample, in one line.

use super::Ui;
use super::icon::Icon;
use super::live::{live, on_click, when};
use crate::view::model::Lookup;
use leptos::prelude::*;

#[component]
pub fn LookupView(ui: Ui, lookup: Lookup) -> impl IntoView {
    let open = RwSignal::new(false);
    let label = (ui.t.lookup)(&lookup.tool);
    let detail = StoredValue::new(lookup.detail);
    view! {
        <section class="lookup" data-failed=lookup.failed.to_string()>
            <button class="fold" aria-expanded=live(move || open.get().to_string())
                on:click=on_click(move |_| open.update(|o| *o = !*o))>
                <Icon of=Icon::Chevron />
                {label}
                <span class="lookup-subject">{lookup.subject}</span>
                {lookup.failed.then(|| {
                    view! { <span class="badge" data-tone="error">{ui.t.failed}</span> }
                    .into_any()
                })}
            </button>
            {when(move || open.get(), move || {
                view! { <pre class="lookup-detail" tabindex="0">{detail.get_value()}</pre> }
                .into_any()
            })}
        </section>
    }
    .into_any()
}
