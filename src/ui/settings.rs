//! The dialog "Settings". The key goes out with Save and never comes back.

use super::Ui;
use super::endpoint_test::{BudgetFields, EndpointTest};
use super::icon::Icon;
use super::live::{on_click, on_event, on_submit};
use super::settings_fields::{EndpointFields, LookFields, PrivacyFields};
use crate::settings::{Secret, Settings};
use crate::view::{Command, KeyChange};
use leptos::prelude::*;

/// What is in the form, before it is saved.
#[derive(Clone, Copy)]
pub struct Form {
    pub settings: RwSignal<Settings>,
    pub key: RwSignal<String>,
    pub forget: RwSignal<bool>,
}

impl Form {
    /// The settings as they would be saved.
    pub fn trimmed(self) -> Settings {
        let mut settings = self.settings.get_untracked();
        settings.endpoint = settings.endpoint.trim().to_owned();
        settings.model = settings.model.trim().to_owned();
        settings
    }

    pub fn key_change(self) -> KeyChange {
        let key = self.key.get_untracked().trim().to_owned();
        if !key.is_empty() {
            KeyChange::Set(Secret::new(key))
        } else if self.forget.get_untracked() {
            KeyChange::Forget
        } else {
            KeyChange::Keep
        }
    }
}

/// The dialog "Settings".
#[component]
pub fn SettingsDialog(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    let form = Form {
        settings: RwSignal::default(),
        key: RwSignal::default(),
        forget: RwSignal::new(false),
    };
    Effect::new(move || {
        let open = ui.store.settings_open.get();
        let Some(dialog) = dialog.get() else {
            return;
        };
        if open && !dialog.open() {
            let held = ui.store.settings.get_untracked();
            form.settings.set(Settings {
                endpoint: held.endpoint,
                model: held.model,
                family: held.family,
                privacy: held.privacy,
                turn_tokens_max: held.turn_tokens_max,
                chat_tokens_max: held.chat_tokens_max,
                language: held.language,
                theme: held.theme,
            });
            form.key.set(String::new());
            form.forget.set(false);
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    let save = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let settings = form.trimmed();
        let key = form.key_change();
        form.key.set(String::new());
        ui.store.settings_open.set(false);
        ui.act.send(Command::SaveSettings { settings, key });
    };
    let close = move || {
        form.key.set(String::new());
        ui.store.settings_open.set(false);
    };
    view! {
        <dialog class="dialog" aria-labelledby="settings-title" node_ref=dialog on:close=on_event(move |_| close())>
            <form class="dialog-form" novalidate=true on:submit=on_submit(save)>
                <div class="dialog-head">
                    <h2 id="settings-title">{t.settings}</h2>
                    <button type="button" class="icon-button" aria-label=t.close on:click=on_click(move |_| close())>
                        <Icon of=Icon::Close />
                    </button>
                </div>
                <div class="dialog-body">
                    <EndpointFields ui form />
                    <EndpointTest ui form />
                    <PrivacyFields ui form />
                    <BudgetFields ui form />
                    <LookFields ui form />
                </div>
                <div class="dialog-foot">
                    <button type="button" class="button" on:click=on_click(move |_| close())>{t.cancel}</button>
                    <button type="submit" class="button" data-kind="primary">{t.save}</button>
                </div>
            </form>
        </dialog>
    }
    .into_any()
}
