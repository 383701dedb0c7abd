//! What the statement reads, the proof that it only reads, and what to beware of.

use super::Ui;
use super::icon::Icon;
use super::live::{live, on_click, when};
use crate::view::Receipt;
use crate::view::cells::count_text;
use leptos::prelude::*;

#[component]
pub fn ReceiptView(ui: Ui, receipt: Receipt) -> impl IntoView {
    let t = ui.t;
    let open = RwSignal::new(false);
    let tables: Vec<_> = receipt
        .reads
        .iter()
        .map(|r| view! { <code>{r.table.clone()}</code> }.into_any())
        .collect();
    let reads = if tables.is_empty() {
        t.reads_nothing
    } else {
        t.reads
    };
    let warnings: Vec<_> = receipt
        .warnings
        .iter()
        .map(|w| {
            view! {
                <li>
                    <Icon of=Icon::Warning />
                    {(t.warning)(w)}
                </li>
            }
            .into_any()
        })
        .collect();
    let has_warnings = !warnings.is_empty();
    let receipt = StoredValue::new(receipt);
    view! {
        <div class="receipt">
            <p class="receipt-reads">{reads} " " {tables}</p>
            <button class="fold receipt-proof" aria-expanded=live(move || open.get().to_string())
                on:click=on_click(move |_| open.update(|o| *o = !*o))>
                <Icon of=Icon::Shield />
                {t.proved_read_only}
                <Icon of=Icon::Chevron />
            </button>
            {when(move || open.get(), move || view! { {receipt.with_value(|r| details(ui, r))} }.into_any())}
            {has_warnings.then(|| view! { <ul class="receipt-warnings">{warnings}</ul> }.into_any())}
        </div>
    }
    .into_any()
}

fn details(ui: Ui, receipt: &Receipt) -> AnyView {
    let t = ui.t;
    let rows: Vec<_> = receipt
        .reads
        .iter()
        .map(|r| {
            view! {
                <div>
                    <dt translate="no">{r.table.clone()}</dt>
                    <dd translate="no">{r.columns.join(", ")}</dd>
                </div>
            }
            .into_any()
        })
        .collect();
    view! {
        <div class="receipt-details">
            <p>{(t.receipt_instructions)(&count_text(u64::from(receipt.instructions)))}</p>
            <dl>{rows}</dl>
            {(!receipt.analysed).then(|| view! { <p>{t.receipt_not_analysed}</p> }.into_any())}
            <p class="receipt-hash" translate="no">"SHA-256 " {receipt.sql.as_hex().to_owned()}</p>
        </div>
    }
    .into_any()
}
