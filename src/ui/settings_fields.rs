//! The fields of the settings form, by group.

use super::Ui;
use super::endpoint_test::FamilyField;
use super::live::{live, on_click, on_event};
use super::settings::Form;
use super::settings_key::{FreshPage, KeyField};
use crate::settings::{Language, Privacy, Theme};
use crate::view::Command;
use crate::view::presets::PRESETS;
use leptos::prelude::*;

/// Where questions go.
#[component]
pub fn EndpointFields(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t;
    let settings = form.settings;
    let presets: Vec<_> = PRESETS
        .iter()
        .map(|p| view! { <option value=p.address>{p.name}</option> }.into_any())
        .collect();
    let preset = move || {
        let address = settings.with(|s| s.endpoint.clone());
        let known = PRESETS.iter().find(|p| p.address == address);
        known.map_or("", |p| p.address)
    };
    let pick = move |e| {
        let address = event_target_value(&e);
        if let Some(preset) = PRESETS.iter().find(|p| p.address == address) {
            settings.update(|s| {
                s.endpoint = address;
                s.family = None;
                if s.model.is_empty() {
                    s.model = preset.models.first().copied().unwrap_or("").to_owned();
                }
            });
        }
    };
    view! {
        <fieldset class="fields">
            <legend>{t.settings_where}</legend>
            <div class="field">
                <label for="settings-preset">{t.preset}</label>
                <select id="settings-preset" prop:value=live(preset) on:change=on_event(pick)>
                    <option value="">{t.preset_none}</option>
                    {presets}
                </select>
            </div>
            <div class="field">
                <label for="settings-endpoint">{t.endpoint}</label>
                <input id="settings-endpoint" type="text" inputmode="url" autocomplete="off" spellcheck="false"
                    placeholder="https://…/v1" prop:value=live(move || settings.with(|s| s.endpoint.clone()))
                    on:input=on_event(move |e| settings.update(|s| s.endpoint = event_target_value(&e))) />
            </div>
            <FreshPage ui form />
            <FamilyField ui form />
            <KeyField ui form />
            <ModelField ui form />
        </fieldset>
    }
    .into_any()
}

#[component]
fn ModelField(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t;
    let settings = form.settings;
    let asked = RwSignal::new(false);
    let list = move |_| {
        asked.set(true);
        ui.store.models.set(None);
        ui.act.send(Command::ListModels {
            settings: form.trimmed(),
            key: form.key_change(),
        });
    };
    let options = move || {
        ui.store.models.with(|m| match m {
            Some(Ok(names)) => names
                .iter()
                .map(|name| view! { <option value=name.clone()></option> }.into_any())
                .collect::<Vec<_>>(),
            _ => Vec::new(),
        })
    };
    let note = move || {
        if !asked.get() {
            return t.model_note.to_owned();
        }
        ui.store.models.with(|m| match m {
            None => t.models_loading.to_owned(),
            Some(Ok(names)) => (t.models_found)(names.len() as u64),
            Some(Err(message)) => message.clone(),
        })
    };
    view! {
        <div class="field">
            <label for="settings-model">{t.model}</label>
            <div class="field-row">
                <input id="settings-model" type="text" list="settings-models" autocomplete="off" spellcheck="false"
                    aria-describedby="settings-model-note" prop:value=live(move || settings.with(|s| s.model.clone()))
                    on:input=on_event(move |e| settings.update(|s| s.model = event_target_value(&e))) />
                <button type="button" class="button" disabled=live(move || !form.is_reached(ui)) on:click=on_click(list)>{t.list_models}</button>
            </div>
            <datalist id="settings-models">{live(options)}</datalist>
            <p class="field-note" id="settings-model-note" role="status">{live(note)}</p>
        </div>
    }
    .into_any()
}

/// What may leave the browser.
#[component]
pub fn PrivacyFields(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t;
    let choices: Vec<_> = [
        (Privacy::Schema, t.privacy_schema, t.privacy_schema_long),
        (Privacy::Results, t.privacy_results, t.privacy_results_long),
        (Privacy::Samples, t.privacy_samples, t.privacy_samples_long),
    ]
    .into_iter()
    .map(|(privacy, name, long)| {
        let id = format!("privacy-{privacy:?}");
        let note = format!("{id}-note");
        let (described_by, labelled) = (note.clone(), id.clone());
        view! {
            <div class="option">
                <input type="radio" name="privacy" id=id aria-describedby=described_by
                    prop:checked=live(move || form.settings.with(|s| s.privacy == privacy))
                    on:change=on_event(move |_| form.settings.update(|s| s.privacy = privacy)) />
                <div class="option-label">
                    <label for=labelled>{name}</label>
                    <p class="field-note" id=note>{long}</p>
                </div>
            </div>
        }
        .into_any()
    })
    .collect();
    view! {
        <fieldset class="fields">
            <legend>{t.privacy}</legend>
            <p class="field-note">{t.privacy_note}</p>
            {choices}
        </fieldset>
    }
    .into_any()
}

/// Language and theme.
#[component]
pub fn LookFields(ui: Ui, form: Form) -> impl IntoView {
    let t = ui.t;
    let settings = form.settings;
    let language = move || match settings.with(|s| s.language) {
        None => "",
        Some(Language::English) => "en",
        Some(Language::Chinese) => "zh",
    };
    let set_language = move |e| {
        let language = match event_target_value(&e).as_str() {
            "en" => Some(Language::English),
            "zh" => Some(Language::Chinese),
            _ => None,
        };
        settings.update(|s| s.language = language);
    };
    let theme = move || match settings.with(|s| s.theme) {
        Theme::System => "system",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let set_theme = move |e| {
        let theme = match event_target_value(&e).as_str() {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::System,
        };
        settings.update(|s| s.theme = theme);
    };
    view! {
        <fieldset class="fields" data-columns="2">
            <legend>{t.look}</legend>
            <div class="field">
                <label for="settings-language">{t.language}</label>
                <select id="settings-language" prop:value=live(language) on:change=on_event(set_language)>
                    <option value="">{t.language_browser}</option>
                    <option value="en" lang="en">{t.english}</option>
                    <option value="zh" lang="zh-CN">{t.chinese}</option>
                </select>
            </div>
            <div class="field">
                <label for="settings-theme">{t.theme}</label>
                <select id="settings-theme" prop:value=live(theme) on:change=on_event(set_theme)>
                    <option value="system">{t.theme_system}</option>
                    <option value="light">{t.theme_light}</option>
                    <option value="dark">{t.theme_dark}</option>
                </select>
            </div>
            <div class="field field-wide">
                <label class="option-pick">
                    <input type="checkbox" aria-describedby="settings-keys-note"
                        prop:checked=live(move || settings.with(|s| !s.single_keys_off))
                        on:change=on_event(move |e| settings.update(|s| s.single_keys_off = !event_target_checked(&e))) />
                    <span>{t.talk.single_keys}</span>
                </label>
                <p class="field-note" id="settings-keys-note">{t.talk.single_keys_note}</p>
            </div>
        </fieldset>
    }
    .into_any()
}
