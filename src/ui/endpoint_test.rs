//! The test of the endpoint in the settings, and the choice of its interface.

use super::Ui;
use super::dom;
use super::live::{live, on_click, on_event};
use super::settings::Form;
use crate::settings::{Family, Settings};
use crate::view::Command;
use crate::view::probe::ProbeRow;
use leptos::prelude::*;

const FAMILIES: [(&str, &str, Family); 3] = [
    ("openai", "OpenAI", Family::OpenAi),
    ("anthropic", "Anthropic", Family::Anthropic),
    ("ollama", "Ollama", Family::Ollama),
];

#[component]
pub fn FamilyField(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t.endpoint_more;
    let settings = form.settings;
    let chosen = move || {
        let family = settings.with(|s| s.family);
        let known = FAMILIES.iter().find(|(_, _, f)| Some(*f) == family);
        known.map_or("", |(value, ..)| value)
    };
    let choose = move |e| {
        let value = event_target_value(&e);
        let family = FAMILIES.iter().find(|(v, ..)| *v == value);
        settings.update(|s| s.family = family.map(|(_, _, f)| *f));
    };
    let options: Vec<_> = FAMILIES
        .iter()
        .map(|(value, name, _)| view! { <option value=*value>{*name}</option> }.into_any())
        .collect();
    view! {
        <div class="field">
            <label for="settings-family">{t.family}</label>
            <select id="settings-family" prop:value=live(chosen) on:change=on_event(choose)>
                <option value="">{t.family_auto}</option>
                {options}
            </select>
        </div>
    }
    .into_any()
}

#[component]
pub fn EndpointTest(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t.endpoint_more;
    let probe = ui.store.probe;
    let running = move || probe.with(|p| p.running);
    let test = move |_| {
        ui.act.send(Command::TestEndpoint {
            settings: form.trimmed(),
            key: form.key_change(),
        });
    };
    let note = move || if running() { t.testing } else { t.test_note };
    let rows = move || {
        let rows = probe.with(|p| p.rows.iter().map(row).collect::<Vec<_>>());
        (!rows.is_empty())
            .then(|| view! { <ul class="probe" aria-label=t.test_results>{rows}</ul> }.into_any())
    };
    let copy = move || {
        let done = probe.with(|p| !p.running && !p.rows.is_empty());
        done.then(|| {
            let copied = move |_| probe.with_untracked(|p| dom::copy(&p.report));
            view! {
                <button type="button" class="text-button" on:click=on_click(copied)>{t.copy_report}</button>
            }
            .into_any()
        })
    };
    let in_words = move || {
        ui.store.settings.with(|s| s.in_words.clone()).map(|said| {
            view! {
                <p class="field-note">{said}</p>
                <button type="button" class="text-button" on:click=on_click(move |_| ui.act.send(Command::UseToolCalls))>
                    {t.use_tool_calls}
                </button>
            }
            .into_any()
        })
    };
    view! {
        <div class="field">
            <div class="field-row">
                <button type="button" class="button" disabled=live(move || running() || !form.is_reached(ui)) on:click=on_click(test)>{t.test}</button>
                <p class="field-note" role="status">{live(note)}</p>
            </div>
            {live(rows)}
            {live(copy)}
            {live(in_words)}
        </div>
    }
    .into_any()
}

fn row(row: &ProbeRow) -> AnyView {
    let verdict = format!("{:?}", row.verdict).to_lowercase();
    let line = |text: &str| {
        let text = text.to_owned();
        (!text.is_empty()).then(|| view! { <span class="field-note">{text}</span> }.into_any())
    };
    view! {
        <li data-verdict=verdict>
            <strong>{row.name}</strong>
            <span class="probe-state">{row.state}</span>
            {line(&row.detail)}
            {line(&row.next)}
        </li>
    }
    .into_any()
}

/// Caps on tokens.
#[component]
pub fn BudgetFields(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t.endpoint_more;
    let settings = form.settings;
    let field = move |id: &'static str,
                      name: &'static str,
                      read: fn(&Settings) -> u64,
                      write: fn(&mut Settings, u64)| {
        view! {
            <div class="field">
                <label for=id>{name}</label>
                <input id=id type="number" min="0" step="1000" inputmode="numeric"
                    prop:value=live(move || settings.with(read).to_string())
                    on:change=on_event(move |e| {
                        let tokens = event_target_value(&e).trim().parse().unwrap_or(0);
                        settings.update(|s| write(s, tokens));
                    }) />
            </div>
        }
        .into_any()
    };
    view! {
        <fieldset class="fields" data-columns="2">
            <legend>{t.budget}</legend>
            {field("settings-turn-tokens", t.budget_turn, |s| s.turn_tokens_max, |s, n| s.turn_tokens_max = n)}
            {field("settings-chat-tokens", t.budget_chat, |s| s.chat_tokens_max, |s, n| s.chat_tokens_max = n)}
            <p class="field-note">{t.budget_note}</p>
        </fieldset>
    }
    .into_any()
}
