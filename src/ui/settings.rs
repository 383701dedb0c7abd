//! The dialog "Settings". The key goes out with Save and never comes back.

use super::Ui;
use super::endpoint_test::{BudgetFields, EndpointTest};
use super::icon::Icon;
use super::live::{live, on_click, on_event, on_submit};
use super::settings_fields::{EndpointFields, LookFields, PrivacyFields};
use crate::settings::{Secret, Settings};
use crate::view::model::{SettingsForm, reaches};
use crate::view::{Command, Keeping, KeyChange};
use leptos::prelude::*;

/// What is in the form, before it is saved.
#[derive(Clone, Copy)]
pub struct Form {
    pub settings: RwSignal<Settings>,
    pub key: RwSignal<String>,
    pub forget: RwSignal<bool>,
    /// Keep the key on this device.
    pub keep: RwSignal<bool>,
    pub passphrase: RwSignal<String>,
    /// A passphrase that is too short was offered.
    pub short: RwSignal<bool>,
}

/// Shorter ones are guessed in minutes, whatever stands between.
const PASSPHRASE_CHARS_MIN: usize = 8;

impl Form {
    fn new() -> Self {
        Self {
            settings: RwSignal::default(),
            key: RwSignal::default(),
            forget: RwSignal::new(false),
            keep: RwSignal::new(false),
            passphrase: RwSignal::default(),
            short: RwSignal::new(false),
        }
    }

    /// What is in force, as the dialog opens.
    fn fill(self, held: SettingsForm) {
        self.clear_secrets();
        self.forget.set(false);
        self.keep.set(held.kept_for.is_some());
        self.settings.set(held.settings());
        self.short.set(false);
    }

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

    /// What becomes of the key on this device, or `None` where a passphrase is missing.
    fn keeping(self, ui: Ui, key: &KeyChange) -> Option<Keeping> {
        let (has_key, kept) = ui
            .store
            .settings
            .with_untracked(|s| (s.has_key, s.kept_for.is_some()));
        let new = match key {
            KeyChange::Set(_) => true,
            KeyChange::Keep => has_key && !kept,
            KeyChange::Forget => return Some(Keeping::Not),
        };
        if !self.keep.get_untracked() {
            return Some(Keeping::Not);
        }
        if !new {
            return Some(Keeping::AsIs);
        }
        let passphrase = self.passphrase.get_untracked();
        let long = passphrase.chars().count() >= PASSPHRASE_CHARS_MIN;
        long.then(|| Keeping::Under(Secret::new(passphrase)))
    }

    /// Whether the page may reach the endpoint in the form as it is.
    pub fn is_reached(self, ui: Ui) -> bool {
        let endpoint = self.settings.with(|s| s.endpoint.clone());
        ui.store.settings.with(|s| reaches(&s.reach, &endpoint))
    }

    fn clear_secrets(self) {
        self.key.set(String::new());
        self.passphrase.set(String::new());
    }
}

/// The dialog "Settings".
#[component]
pub fn SettingsDialog(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    let form = Form::new();
    Effect::new(move || {
        let open = ui.store.settings_open.get();
        let Some(dialog) = dialog.get() else {
            return;
        };
        if open && !dialog.open() {
            form.fill(ui.store.settings.get_untracked());
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    let save = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let settings = form.trimmed();
        let key = form.key_change();
        let Some(keeping) = form.keeping(ui, &key) else {
            form.short.set(true);
            return super::dom::focus("settings-passphrase");
        };
        form.clear_secrets();
        ui.store.settings_open.set(false);
        ui.act.send(Command::SaveSettings {
            settings,
            key,
            keeping,
        });
    };
    let close = move || {
        form.clear_secrets();
        ui.store.settings_open.set(false);
    };
    let save_words = move || {
        if form.is_reached(ui) {
            t.save
        } else {
            t.endpoint_more.save_reload
        }
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
                    <button type="submit" class="button" data-kind="primary">{live(save_words)}</button>
                </div>
            </form>
        </dialog>
    }
    .into_any()
}
