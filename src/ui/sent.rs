//! The inspector's second tab: every request as it left the browser.

use super::Ui;
use super::dom;
use super::live::{Live, live, on_click, on_key};
use crate::view::Command;
use crate::view::cells::{bytes_text, count_text};
use crate::view::sent::SentRow;
use leptos::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    Schema,
    Sent,
}

impl Tab {
    fn id(self) -> &'static str {
        match self {
            Self::Schema => "inspector-tab-schema",
            Self::Sent => "inspector-tab-sent",
        }
    }
}

#[component]
pub fn SentTabs(ui: Ui, tab: RwSignal<Tab>) -> impl IntoView {
    let t = ui.t.endpoint_more;
    let button = move |own: Tab, name: &'static str, panel: &'static str| {
        let selected = move || tab.get() == own;
        view! {
            <button class="tab" role="tab" id=own.id() aria-controls=panel
                aria-selected=live(move || selected().to_string())
                tabindex=live(move || if selected() { "0" } else { "-1" })
                on:click=on_click(move |_| tab.set(own))>
                {name}
            </button>
        }
        .into_any()
    };
    let key = move |event: web_sys::KeyboardEvent| {
        if matches!(event.key().as_str(), "ArrowLeft" | "ArrowRight") {
            event.prevent_default();
            let next = match tab.get_untracked() {
                Tab::Schema => Tab::Sent,
                Tab::Sent => Tab::Schema,
            };
            tab.set(next);
            dom::focus(next.id());
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label=t.inspector_tabs on:keydown=on_key(key)>
            {button(Tab::Schema, ui.t.schema, "inspector-schema")}
            {button(Tab::Sent, t.sent_tab, "inspector-sent")}
        </div>
    }
    .into_any()
}

#[component]
pub fn SentPanel(ui: Ui) -> impl IntoView {
    let t = ui.t.endpoint_more;
    let open = RwSignal::new(None::<u64>);
    let rows = move || {
        ui.store.ledger.with(|rows| {
            if rows.is_empty() {
                return view! { <p class="inspector-empty">{t.sent_none}</p> }.into_any();
            }
            let rows: Vec<_> = rows.iter().map(|r| row(ui, r, open)).collect();
            view! { <ul class="sent-list">{rows}</ul> }.into_any()
        })
    };
    view! {
        <div role="tabpanel" id="inspector-sent" aria-labelledby=Tab::Sent.id()>
            <p class="inspector-hint">{t.sent_hint}</p>
            {live(rows)}
        </div>
    }
    .into_any()
}

fn row(ui: Ui, row: &SentRow, open: RwSignal<Option<u64>>) -> AnyView {
    let t = ui.t.endpoint_more;
    let (at, number) = (row.at, row.number);
    let parts: Vec<_> = [
        (t.part_instructions, row.split.instructions),
        (t.part_schema, row.split.schema),
        (t.part_values, row.split.values),
        (t.part_results, row.split.results),
        (t.part_conversation, row.split.conversation),
    ]
    .into_iter()
    .map(|(name, bytes)| {
        view! { <div><dt>{name}</dt><dd>{bytes_text(bytes)}</dd></div> }.into_any()
    })
    .collect();
    let tokens = row.tokens.map(|(input, output)| {
        let words = (t.tokens)(&count_text(input), &count_text(output), row.estimated);
        view! { <span>{words}</span> }.into_any()
    });
    let is_open = move || open.get() == Some(number);
    let unfold = move |_| {
        if open.get_untracked() == Some(number) {
            return open.set(None);
        }
        ui.store.body.set(None);
        open.set(Some(number));
        ui.act.send(Command::ShowBody { at });
    };
    view! {
        <li class="sent-row">
            <p class="sent-head">
                <strong>{format!("{number} · {}", dom::time_of_day(row.at_ms))}</strong>
                <span>{bytes_text(row.bytes)}</span>
            </p>
            <p class="inspector-about" translate="no">{format!("{} · {}", row.origin, row.model)}</p>
            <dl class="sent-parts">{parts}</dl>
            <p class="inspector-about">{tokens}</p>
            <button class="text-button" aria-expanded=live(move || is_open().to_string()) on:click=on_click(unfold)>
                {t.sent_body}
            </button>
            {body(ui, at, is_open)}
        </li>
    }
    .into_any()
}

fn body(ui: Ui, at: usize, is_open: impl Fn() -> bool + Send + 'static) -> Live<Option<AnyView>> {
    let t = ui.t.endpoint_more;
    live(move || {
        if !is_open() {
            return None;
        }
        let text = ui.store.body.with(|body| {
            let body = body.as_ref().filter(|(of, _)| *of == at);
            body.map(|(_, text)| text.clone())
        })?;
        let copied = text.clone();
        Some(
            view! {
                <pre class="sent-body" translate="no" tabindex="0"><code>{text}</code></pre>
                <button class="text-button" on:click=on_click(move |_| dom::copy(&copied))>{t.sent_copy}</button>
            }
            .into_any(),
        )
    })
}
