//! One model request from effect to input: built, sent, decoded while it streams, learned from once.

use super::{Driver, Purpose};
use crate::agent::protocol::{EffectId, Input};
use crate::agent::run::Context;
use crate::engine::Request;
use crate::llm::budget::Meter;
use crate::llm::{
    Assembler, Decoder, Family, ModelError, ModelErrorKind, Quirks, Turn, WireRequest, assemble,
};
use crate::settings::Secret;
use crate::view::transcript::{Live, LiveCall};
use crate::web::clock;
use crate::web::http::{self, Ended, Flow, HttpCall, Stop};
use std::cell::RefCell;
use std::rc::Rc;

/// A request under way. Dropping it aborts the request at once.
pub(super) struct Call {
    pub effect: EffectId,
    /// Unlike the effect's id, unique over all chats.
    serial: u64,
    stop: Stop,
    assembler: Rc<RefCell<Assembler>>,
    started_ms: u64,
}

impl Call {
    /// What has arrived so far, without calls: an unfinished call is never acted on.
    pub fn partial(&self) -> Turn {
        self.assembler.borrow().clone().into_turn().0
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// Everything that one request needs.
struct Prepared {
    family: Family,
    wire: WireRequest,
    key: Secret,
    /// Endpoint and model, under which quirks are remembered.
    name: String,
    decoder: Decoder,
}

impl Driver {
    pub(super) fn call_model(&self, effect: EffectId, delay_ms: u64) {
        let stop = Stop::default();
        let assembler = Rc::new(RefCell::new(Assembler::default()));
        let serial = {
            let mut state = self.state.borrow_mut();
            state.requests += 1;
            let serial = state.requests;
            state.live = Some(Live::default());
            state.model = Some(Call {
                effect,
                serial,
                stop: stop.clone(),
                assembler: assembler.clone(),
                started_ms: clock::now_ms(),
            });
            serial
        };
        self.spawn(move |driver| async move {
            if delay_ms > 0 {
                let wait = u32::try_from(delay_ms).unwrap_or(u32::MAX);
                gloo_timers::future::TimeoutFuture::new(wait).await;
            }
            if !driver.is_current(serial) {
                return;
            }
            if driver.translates() {
                driver.translate(effect, serial);
            } else if !driver.asks_for_key(effect, serial) {
                driver.converse(effect, serial, &stop, &assembler).await;
            }
        });
    }

    /// Without an endpoint, or where the person chose it for this question, the built-in translator answers;
    /// nothing leaves the browser then.
    fn translates(&self) -> bool {
        let state = self.state.borrow();
        state.settings.endpoint.trim().is_empty() || state.chat.run.is_translated()
    }

    fn translate(&self, effect: EffectId, serial: u64) {
        let request = {
            let mut state = self.state.borrow_mut();
            let messages = state.chat.run.since_question();
            let id = state.next_request(Purpose::Translate { effect, serial });
            Request::Translate { id, messages }
        };
        self.post(&request);
    }

    /// The translator's turn arrived, or the engine that runs it was lost.
    pub(super) fn translated(&self, effect: EffectId, serial: u64, turn: Result<Turn, String>) {
        if !self.is_current(serial) {
            return;
        }
        {
            let mut state = self.state.borrow_mut();
            state.model = None;
            state.live = None;
        }
        match turn {
            Ok(turn) => self.input(Input::ModelDone {
                effect,
                turn,
                thought_ms: 0,
            }),
            Err(message) => self.input(Input::ModelFailed {
                effect,
                error: ModelError::new(ModelErrorKind::BadRequest, message),
                partial: Turn::default(),
                jitter: clock::jitter(),
            }),
        }
    }

    pub(super) fn is_current(&self, serial: u64) -> bool {
        self.state
            .borrow()
            .model
            .as_ref()
            .is_some_and(|call| call.serial == serial)
    }

    async fn converse(
        &self,
        effect: EffectId,
        serial: u64,
        stop: &Stop,
        assembler: &Rc<RefCell<Assembler>>,
    ) {
        let started_ms = clock::now_ms();
        let outcome = loop {
            if let Some(error) = self.over_budget() {
                break Err(error);
            }
            let prepared = match self.prepare() {
                Ok(prepared) => prepared,
                Err(error) => break Err(error),
            };
            self.show_sent();
            let name = prepared.name.clone();
            let body = prepared.wire.body.clone();
            match self.send(prepared, stop, assembler).await {
                Ok(ended) => break Ok((ended, body)),
                // A refusal of a parameter is learned from, and the request goes out once more, changed.
                Err(error) if !assembler.borrow().has_output() && self.learn(&name, &error) => {}
                Err(error) => break Err(error),
            }
        };
        if !self.is_current(serial) || matches!(outcome, Ok((Ended::Stopped, _))) {
            return;
        }
        let thought_ms = {
            let mut state = self.state.borrow_mut();
            state.model = None;
            state
                .live
                .take()
                .and_then(|live| live.thought_ms)
                .unwrap_or_else(|| clock::now_ms().saturating_sub(started_ms))
        };
        let (mut turn, streamed_error) = std::mem::take(&mut *assembler.borrow_mut()).into_turn();
        let error = match outcome {
            Ok((_, body)) => {
                self.count_usage(&mut turn, &body);
                streamed_error
            }
            Err(error) => Some(error),
        };
        match error {
            Some(error) => self.input(Input::ModelFailed {
                effect,
                error,
                partial: turn,
                jitter: clock::jitter(),
            }),
            None => self.input(Input::ModelDone {
                effect,
                turn,
                thought_ms,
            }),
        }
        self.show_sent();
    }

    /// The stop of a cap that is reached. Retry goes on.
    fn over_budget(&self) -> Option<ModelError> {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let turn = state.chat.run.turns().last().map_or(0, |t| t.id);
        if state.turn_meter.0 != turn {
            state.turn_meter = (turn, Meter::default());
        }
        let settings = &state.settings;
        let (cap, meter) = if state.turn_meter.1.stops(settings.turn_tokens_max) {
            (settings.turn_tokens_max, state.turn_meter.1)
        } else if state.chat.meter.stops(settings.chat_tokens_max) {
            (settings.chat_tokens_max, state.chat.meter)
        } else {
            return None;
        };
        let message = format!("{} / {cap}", meter.spent);
        Some(ModelError::new(ModelErrorKind::BudgetSpent, message))
    }

    fn count_usage(&self, turn: &mut Turn, body: &str) {
        let usage = turn
            .usage
            .unwrap_or_else(|| assemble::estimate_usage(body, turn));
        turn.usage = Some(usage);
        let mut state = self.state.borrow_mut();
        state.chat.ledger.note_usage(usage);
        state.chat.meter.add(usage.input + usage.output);
        let meter = &mut state.turn_meter.1;
        meter.add(usage.input + usage.output);
        state.last_tokens = usage.input + usage.output;
        state.tokens_estimated = usage.estimated;
    }

    fn prepare(&self) -> Result<Prepared, ModelError> {
        let request =
            self.with_run(|run, context: &Context| run.model_request(context, &clock::today()));
        let mut state = self.state.borrow_mut();
        let settings = &state.settings;
        if settings.endpoint.trim().is_empty() || settings.model.trim().is_empty() {
            return Err(ModelError::new(ModelErrorKind::NotConfigured, ""));
        }
        let (endpoint, model) = (settings.endpoint.clone(), settings.model.clone());
        let (name, family) = (Self::quirks_name(settings), Self::family(settings));
        let quirks = state
            .quirks
            .entry(name.clone())
            .or_insert_with(|| Quirks::for_address(&endpoint))
            .clone();
        let wire = family.prepare(&endpoint, model.trim(), &quirks, &request)?;
        // A key goes to the one origin it was entered for.
        let held = &state.keys.held;
        let key = if held.origin == wire.origin {
            held.secret.clone()
        } else {
            Secret::default()
        };
        state.chat.sent_bytes += wire.body.len() as u64;
        let (_, schema) = crate::prompt::system_parts(&request.system);
        let ledger = &mut state.chat.ledger;
        ledger.record(clock::now_ms(), &wire, model.trim(), &request, schema);
        Ok(Prepared {
            family,
            wire,
            key,
            name,
            decoder: family.decoder(&request, &quirks),
        })
    }

    async fn send(
        &self,
        prepared: Prepared,
        stop: &Stop,
        assembler: &Rc<RefCell<Assembler>>,
    ) -> Result<Ended, ModelError> {
        let Prepared {
            family,
            wire,
            key,
            mut decoder,
            ..
        } = prepared;
        let call = HttpCall {
            url: &wire.url,
            headers: family.headers(key.reveal()),
            body: Some(&wire.body),
            key: key.reveal(),
        };
        let mut on_chunk = |bytes: &[u8]| {
            let events = decoder.feed(bytes);
            assembler.borrow_mut().push_all(events);
            self.show_soon();
            if decoder.is_done() {
                Flow::Done
            } else if decoder.is_settled() {
                Flow::Settled
            } else {
                Flow::More
            }
        };
        let ended = http::stream(call, stop, &mut on_chunk).await?;
        if ended != Ended::Stopped {
            let events = decoder.finish();
            assembler.borrow_mut().push_all(events);
        }
        Ok(ended)
    }

    /// Copies what has arrived to where the page shows it: once a frame, however many chunks came.
    pub(super) fn refresh_live(&self) {
        let mut state = self.state.borrow_mut();
        let Some(call) = &state.model else { return };
        let assembler = call.assembler.borrow();
        let calls: Vec<LiveCall> = assembler
            .calls()
            .map(|call| LiveCall {
                name: call.name.clone(),
                arguments: call.arguments.clone(),
            })
            .collect();
        let mut live = Live {
            reasoning: assembler.reasoning(),
            text: assembler.text(),
            calls,
            thought_ms: None,
        };
        if !live.text.is_empty() || !live.calls.is_empty() {
            let known = state.live.as_ref().and_then(|l| l.thought_ms);
            let thought = clock::now_ms().saturating_sub(call.started_ms);
            live.thought_ms = known.or(Some(thought));
        }
        drop(assembler);
        state.live = Some(live);
    }

    fn learn(&self, name: &str, error: &ModelError) -> bool {
        let learned = self
            .state
            .borrow_mut()
            .quirks
            .get_mut(name)
            .is_some_and(|quirks| quirks.learn(error));
        if learned {
            self.save_quirks();
            self.show_settings();
        }
        learned
    }
}
