//! The key and what the page may reach: held for one origin, kept under a passphrase on request, and the policy
//! that lets nothing else be reached.

use super::{Driver, Key};
use crate::agent::protocol::{EffectId, Input};
use crate::llm::{ModelError, ModelErrorKind, Turn};
use crate::settings::{Language, Secret, Settings};
use crate::view::model::{SettingsForm, Tone};
use crate::view::{Keeping, KeyChange, Patch, UnlockView, texts};
use crate::web::vault::{self, Sealed, VaultError};
use crate::web::{clock, policy};

/// The setting that holds the sealed key.
pub(super) const KEPT: &str = "kept-key";

/// What is known of keys and of what can be reached.
#[derive(Default)]
pub(super) struct Keys {
    pub held: Key,
    pub kept: Option<Sealed>,
    /// Origins that the page may reach; empty while any may be.
    pub reach: Vec<String>,
    /// The call that waits for the key.
    waiting: Option<(EffectId, u64)>,
}

impl Keys {
    fn is_locked(&self, origin: &str) -> bool {
        let held = self.held.origin == origin && !self.held.secret.is_empty();
        !held && self.kept.as_ref().is_some_and(|k| k.origin == origin)
    }
}

impl Driver {
    /// Lets the page reach the configured endpoint and nothing else, from the first endpoint on.
    pub(super) fn narrow(&self) {
        let mut state = self.state.borrow_mut();
        let origin = crate::llm::origin(&state.settings.endpoint);
        if state.keys.reach.is_empty() && !origin.is_empty() && policy::narrow(&origin) {
            state.keys.reach = vec![policy::own_origin(), origin];
        }
    }

    /// Changes one thing; `edit` also gets the language that is spoken.
    pub(super) fn edit_settings(&self, edit: impl FnOnce(&mut Settings, Language)) {
        let settings = {
            let state = self.state.borrow();
            let mut settings = state.settings.clone();
            edit(&mut settings, state.language());
            settings
        };
        self.save_settings(settings, KeyChange::Keep, Keeping::AsIs);
    }

    pub(super) fn save_settings(&self, settings: Settings, key: KeyChange, keeping: Keeping) {
        let fresh = {
            let mut state = self.state.borrow_mut();
            let origin = crate::llm::origin(&settings.endpoint);
            let fresh = !reaches(&state.keys.reach, &settings.endpoint);
            let held = &mut state.keys.held;
            match key {
                KeyChange::Keep if held.origin == origin => {}
                // A key is bound to one origin: for another one it has to be entered again.
                KeyChange::Keep | KeyChange::Forget => *held = Key::default(),
                KeyChange::Set(secret) => *held = Key { secret, origin },
            }
            state.settings = settings;
            fresh
        };
        self.narrow();
        self.show_settings();
        self.show_all();
        self.spawn(|d| async move {
            let json = serde_json::to_string(&d.state.borrow().settings);
            if let Ok(json) = json {
                d.write_setting("settings", &json).await;
            }
            // It takes a second, and whoever closes the page meanwhile still has the settings.
            d.keep_key(keeping).await;
            if fresh && let Some(window) = web_sys::window() {
                // A browser that refuses leaves the page as it is: the settings still offer it.
                let _ = window.location().reload();
            }
        });
    }

    async fn write_setting(&self, name: &str, json: &str) {
        let storage = self.state.borrow().storage.clone();
        if let Some(storage) = storage
            && let Err(error) = storage.save_setting(name, json).await
        {
            self.storage_failed(&error);
        }
    }

    async fn keep_key(&self, keeping: Keeping) {
        let kept = match keeping {
            Keeping::AsIs => return,
            Keeping::Not if self.state.borrow().keys.kept.is_none() => return,
            Keeping::Not => None,
            Keeping::Under(passphrase) => {
                let (secret, origin) = {
                    let held = &self.state.borrow().keys.held;
                    (held.secret.clone(), held.origin.clone())
                };
                if secret.is_empty() || origin.is_empty() {
                    return;
                }
                match vault::seal(&secret, &origin, &passphrase).await {
                    Ok(sealed) => Some(sealed),
                    Err(_) => {
                        let texts = self.endpoint_texts();
                        let text = texts.no_crypto.to_owned();
                        return self.banner(Tone::Warning, text, texts.no_crypto_next, None);
                    }
                }
            }
        };
        if let Ok(json) = serde_json::to_string(&kept) {
            self.write_setting(KEPT, &json).await;
        }
        self.state.borrow_mut().keys.kept = kept;
        self.show_settings();
    }

    /// The key as the form has it; one that is held goes to its own origin only.
    pub(super) fn form_key(&self, endpoint: &str, key: KeyChange) -> Secret {
        match key {
            KeyChange::Set(secret) => secret,
            KeyChange::Forget => Secret::default(),
            KeyChange::Keep => self.key_for(&crate::llm::origin(endpoint)),
        }
    }

    pub(super) fn key_for(&self, origin: &str) -> Secret {
        let held = &self.state.borrow().keys.held;
        if held.origin == origin {
            held.secret.clone()
        } else {
            Secret::default()
        }
    }

    /// Asks for the passphrase where the form means the key that is kept.
    pub(super) fn asks_for_form_key(&self, endpoint: &str, key: &KeyChange) -> bool {
        let origin = crate::llm::origin(endpoint);
        let locked = *key == KeyChange::Keep && self.state.borrow().keys.is_locked(&origin);
        if locked {
            self.ask_unlock();
        }
        locked
    }

    /// Asks for the passphrase where the call needs the key that is kept; the call waits for it.
    pub(super) fn asks_for_key(&self, effect: EffectId, serial: u64) -> bool {
        {
            let mut state = self.state.borrow_mut();
            let origin = crate::llm::origin(&state.settings.endpoint);
            if !state.keys.is_locked(&origin) {
                return false;
            }
            state.keys.waiting = Some((effect, serial));
        }
        self.ask_unlock();
        true
    }

    pub(super) fn ask_unlock(&self) {
        self.show_unlock(false, "");
    }

    fn show_unlock(&self, busy: bool, problem: &'static str) {
        let kept = self.state.borrow().keys.kept.as_ref().map(|k| UnlockView {
            origin: k.origin.clone(),
            busy,
            problem,
        });
        (self.tell)(Patch::Unlock(kept));
    }

    pub(super) async fn unlock(&self, passphrase: Secret) {
        let kept = self.state.borrow().keys.kept.clone();
        let Some(sealed) = kept else { return };
        self.show_unlock(true, "");
        let texts = self.endpoint_texts();
        match vault::open(&sealed, &passphrase).await {
            Ok(secret) => {
                let waiting = {
                    let keys = &mut self.state.borrow_mut().keys;
                    let origin = sealed.origin;
                    keys.held = Key { secret, origin };
                    keys.waiting.take()
                };
                (self.tell)(Patch::Unlock(None));
                self.show_settings();
                if let Some((effect, serial)) = waiting
                    && self.is_current(serial)
                {
                    self.call_model(effect, 0);
                }
            }
            Err(VaultError::Refused) => self.show_unlock(false, texts.unlock_wrong),
            Err(VaultError::Unavailable) => self.show_unlock(false, texts.no_crypto),
        }
    }

    /// The person closed the question for the passphrase: the call that waited ends.
    pub(super) fn leave_locked(&self) {
        (self.tell)(Patch::Unlock(None));
        let waiting = self.state.borrow_mut().keys.waiting.take();
        let Some((effect, serial)) = waiting else {
            return;
        };
        if !self.is_current(serial) {
            return;
        }
        {
            let mut state = self.state.borrow_mut();
            state.model = None;
            state.live = None;
        }
        self.input(Input::ModelFailed {
            effect,
            error: ModelError::new(ModelErrorKind::KeyLocked, ""),
            partial: Turn::default(),
            jitter: clock::jitter(),
        });
    }

    fn endpoint_texts(&self) -> &'static texts::EndpointTexts {
        texts::of(self.state.borrow().language()).endpoint_more
    }

    pub(super) fn show_settings(&self) {
        let form = {
            let state = self.state.borrow();
            let settings = &state.settings;
            let quirks = state.quirks.get(&Self::quirks_name(settings));
            SettingsForm {
                endpoint: settings.endpoint.clone(),
                model: settings.model.clone(),
                family: settings.family,
                has_key: !state.keys.held.secret.is_empty(),
                kept_for: state.keys.kept.as_ref().map(|kept| kept.origin.clone()),
                reach: state.keys.reach.clone(),
                in_words: quirks.and_then(|q| crate::view::probe::in_words(q, state.language())),
                privacy: settings.privacy,
                turn_tokens_max: settings.turn_tokens_max,
                chat_tokens_max: settings.chat_tokens_max,
                language: settings.language,
                theme: settings.theme,
                single_keys_off: settings.single_keys_off,
            }
        };
        (self.tell)(Patch::Settings(form));
    }
}

fn reaches(reach: &[String], endpoint: &str) -> bool {
    crate::view::model::reaches(reach, endpoint)
}
