//! Tries out the endpoint in the form, step by step, and tells the page what was found.

use super::Driver;
use crate::llm::probe::{Answer, Probe, Step};
use crate::llm::types::ModelError;
use crate::llm::{Assembler, Family, Quirks, StreamEvent};
use crate::settings::{Secret, Settings};
use crate::view::probe::{Tested, view};
use crate::view::{KeyChange, Patch};
use crate::web::http::{self, Flow, HttpCall, Stop};

/// The setting that holds what endpoints turned out to want.
pub(super) const QUIRKS: &str = "quirks";

impl Driver {
    /// The family of an endpoint: chosen, or told by its address.
    pub(super) fn family(settings: &Settings) -> Family {
        let chosen = settings.family;
        chosen.unwrap_or_else(|| Family::for_address(&settings.endpoint))
    }

    /// Under which the quirks of an endpoint and model are kept.
    pub(super) fn quirks_name(settings: &Settings) -> String {
        let family = Self::family(settings);
        format!("{} {} {family:?}", settings.endpoint, settings.model)
    }

    /// Tries tool calls again where they were given up.
    pub(super) fn use_tool_calls(&self) {
        {
            let mut state = self.state.borrow_mut();
            let name = Self::quirks_name(&state.settings);
            if let Some(quirks) = state.quirks.get_mut(&name) {
                quirks.use_tool_calls();
            }
        }
        self.save_quirks();
        self.show_settings();
    }

    pub(super) async fn test_endpoint(&self, settings: &Settings, key: KeyChange) {
        if self.asks_for_form_key(&settings.endpoint, &key) {
            return;
        }
        let family = Self::family(settings);
        let key = self.form_key(&settings.endpoint, key);
        let name = Self::quirks_name(settings);
        let known = self.state.borrow().quirks.get(&name).cloned();
        let mut quirks = known.unwrap_or_else(|| Quirks::for_address(&settings.endpoint));
        let mut probe = Probe::default();
        while let Some(step) = probe.next() {
            self.show_probe(&probe, settings, true);
            if step == Step::Models {
                probe.note_models(Self::models_of(family, &settings.endpoint, &key).await);
                continue;
            }
            let mut answer = Self::try_step(step, family, settings, &quirks, &key).await;
            // A parameter that is refused is left out once, as in a chat.
            if let Err(error) = &answer {
                let mut other = step.quirks(&quirks);
                let protocol = other.protocol;
                if other.learn(error) && other.protocol == protocol {
                    other.protocol = quirks.protocol;
                    quirks = other;
                    answer = Self::try_step(step, family, settings, &quirks, &key).await;
                }
            }
            probe.note(step, answer);
        }
        if let Some(protocol) = probe.protocol() {
            quirks.choose(protocol);
        }
        self.state.borrow_mut().quirks.insert(name, quirks);
        self.save_quirks();
        self.show_settings();
        self.show_probe(&probe, settings, false);
    }

    async fn models_of(
        family: Family,
        endpoint: &str,
        key: &Secret,
    ) -> Result<Vec<String>, ModelError> {
        let address = crate::llm::address::Address::of(endpoint, family)?;
        http::list_models(&address.models, family.headers(key.reveal()), key.reveal()).await
    }

    async fn try_step(
        step: Step,
        family: Family,
        settings: &Settings,
        quirks: &Quirks,
        key: &Secret,
    ) -> Answer {
        let request = step.request().unwrap_or_else(empty_request);
        let wire = family.prepare(
            &settings.endpoint,
            settings.model.trim(),
            &step.quirks(quirks),
            &request,
        )?;
        let mut decoder = family.decoder(&request, &Quirks::default());
        let (mut assembler, mut pieces) = (Assembler::default(), 0);
        let call = HttpCall {
            url: &wire.url,
            headers: family.headers(key.reveal()),
            body: Some(&wire.body),
            key: key.reveal(),
        };
        let mut on_chunk = |bytes: &[u8]| {
            let events = decoder.feed(bytes);
            // A fast server's frames arrive together: what counts is that there are several.
            pieces += events.iter().filter(|event| is_piece(event)).count();
            assembler.push_all(events);
            if decoder.is_done() {
                Flow::Done
            } else if decoder.is_settled() {
                Flow::Settled
            } else {
                Flow::More
            }
        };
        http::stream(call, &Stop::default(), &mut on_chunk).await?;
        assembler.push_all(decoder.finish());
        match assembler.into_turn() {
            (_, Some(error)) => Err(error),
            (turn, None) => Ok((turn, pieces)),
        }
    }

    fn show_probe(&self, probe: &Probe, settings: &Settings, running: bool) {
        let origin = web_sys::window().and_then(|window| window.location().origin().ok());
        let tested = Tested {
            endpoint: &settings.endpoint,
            model: &settings.model,
            family: Self::family(settings),
            page: origin.as_deref().unwrap_or_default(),
        };
        let language = self.state.borrow().language();
        let shown = view(&probe.findings(), tested, running, language);
        (self.tell)(Patch::Probe(shown));
    }

    /// Keeps what endpoints turned out to want, for the next visit.
    pub(super) fn save_quirks(&self) {
        self.spawn(|d| async move {
            let (storage, json) = {
                let state = d.state.borrow();
                let json = serde_json::to_string(&state.quirks);
                (state.storage.clone(), json)
            };
            if let (Some(storage), Ok(json)) = (storage, json)
                && let Err(error) = storage.save_setting(QUIRKS, &json).await
            {
                d.storage_failed(&error);
            }
        });
    }

    /// Asks the endpoint in the form which models it has.
    pub(super) async fn list_models(&self, settings: &Settings, key: KeyChange) {
        if self.asks_for_form_key(&settings.endpoint, &key) {
            return (self.tell)(Patch::Models(Ok(Vec::new())));
        }
        let family = Self::family(settings);
        let key = self.form_key(&settings.endpoint, key);
        let result = Self::models_of(family, &settings.endpoint, &key).await;
        let language = self.state.borrow().language();
        let told = result.map_err(|error| {
            let record = crate::agent::record::NoticeRecord::ModelError(error);
            let notice = crate::view::notices::notice(&record, language);
            format!("{} {}", notice.text, notice.next)
        });
        (self.tell)(Patch::Models(told));
    }
}

fn is_piece(event: &StreamEvent) -> bool {
    matches!(event, StreamEvent::Text(_) | StreamEvent::Reasoning(_))
}

fn empty_request() -> crate::llm::ModelRequest {
    crate::llm::ModelRequest {
        system: String::new(),
        messages: Vec::new(),
        tools: Vec::new(),
        max_output_tokens: None,
    }
}
