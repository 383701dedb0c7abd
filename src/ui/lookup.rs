//! A look at the schema or a sample, in one line.

use super::Ui;
use super::icon::Icon;
use crate::view::model::Lookup;
use leptos::prelude::*;

#[component]
pub fn LookupView(ui: Ui, lookup: Lookup) -> impl IntoView {
    let open = RwSignal::new(false);
    let label = (ui.t.lookup)(&lookup.tool);
    let detail = StoredValue::new(lookup.detail);
    view! {
        <section class="lookup" data-failed=lookup.failed.to_string()>
            <button class="fold" aria-expanded=move || open.get().to_string()
                on:click=move |_| open.update(|o| *o = !*o)>
                <Icon of=Icon::Chevron />
                {label}
                <span class="lookup-subject">{lookup.subject}</span>
                {lookup.failed.then(|| view! { <span class="badge" data-tone="error">{ui.t.failed}</span> })}
            </button>
            <Show when=move || open.get()>
                <pre class="lookup-detail" tabindex="0">{detail.get_value()}</pre>
            </Show>
        </section>
    }
    .into_any()
}
