//! Effects, one by one, and the engine's replies.

use super::{ColumnReply, Driver, FileState, Purpose, WindowReply};
use crate::agent::limits::{
    PREVIEW_CELL_CHARS_MAX, PREVIEW_ROWS_MAX, RESULT_BYTES_MAX, RESULT_ROWS_MAX, RESULTS_HELD_MAX,
    RUN_MS_MAX,
};
use crate::agent::protocol::{Effect, EffectId, Input};
use crate::engine::{
    Budget, QueryError, Reply, Request, RequestId, ResultId, WindowOf, column, window,
};
use crate::llm::Turn;
use crate::web::engine::EngineEvent;
use gloo_timers::callback::Timeout;

/// What one run may use.
const BUDGET: Budget = Budget {
    rows_max: RESULT_ROWS_MAX,
    bytes_max: RESULT_BYTES_MAX,
    time_ms: RUN_MS_MAX,
    preview_rows: PREVIEW_ROWS_MAX,
    cell_chars: PREVIEW_CELL_CHARS_MAX,
};

/// The worker checks the time between rows; one that never gets there is ended this much later.
const WATCHDOG_SLACK_MS: u64 = 2_000;

impl Driver {
    pub(super) fn execute(&self, effect: Effect) {
        match effect {
            Effect::CallModel { effect, delay_ms } => self.call_model(effect, delay_ms),
            Effect::Check { effect, sql } => {
                self.ask_engine(effect, |id| Request::Check { id, sql });
            }
            Effect::RunSql {
                effect,
                sql,
                approved,
                result,
            } => {
                let asked = self.ask_engine(effect, |id| Request::Run {
                    id,
                    sql,
                    approved,
                    result,
                    budget: BUDGET,
                });
                if let Some(request) = asked {
                    self.watch(request, effect);
                }
            }
            Effect::Cancel { effect } => self.cancel(effect),
            Effect::Release { result } => self.post(&Request::Release { result }),
            // The card is part of what is shown after every drain.
            Effect::AskUser => {}
            Effect::Save => self.save_soon(),
        }
    }

    /// The id of the request, if there is an open file to ask about.
    fn ask_engine(
        &self,
        effect: EffectId,
        make: impl FnOnce(RequestId) -> Request,
    ) -> Option<RequestId> {
        let request = {
            let mut state = self.state.borrow_mut();
            match (&state.file, &state.mismatch) {
                (FileState::Open(_), None) => {
                    let id = state.next_request(Purpose::Effect(effect));
                    Some((id, make(id)))
                }
                _ => None,
            }
        };
        match request {
            Some((id, request)) => {
                self.post(&request);
                Some(id)
            }
            None => {
                self.input(Input::RunFailed {
                    effect,
                    error: QueryError::NoFile,
                });
                None
            }
        }
    }

    pub(super) fn post(&self, request: &Request) {
        let problem = self
            .state
            .borrow()
            .engine
            .as_ref()
            .and_then(|engine| engine.post(request, None).err());
        if let Some(problem) = problem {
            self.engine_event(EngineEvent::Lost(problem));
        }
    }

    fn watch(&self, request: RequestId, effect: EffectId) {
        let driver = self.clone();
        let wait = u32::try_from(RUN_MS_MAX + WATCHDOG_SLACK_MS).unwrap_or(u32::MAX);
        Timeout::new(wait, move || {
            let late = driver.state.borrow().pending.contains_key(&request);
            if late {
                driver.restart_engine();
                driver.input(Input::RunFailed {
                    effect,
                    error: QueryError::TimedOut { ms: RUN_MS_MAX },
                });
            }
        })
        .forget();
    }

    fn is_pending(&self, effect: EffectId) -> bool {
        self.state
            .borrow()
            .pending
            .values()
            .any(|p| matches!(p, Purpose::Effect(e) if *e == effect))
    }

    fn cancel(&self, effect: EffectId) {
        {
            let mut state = self.state.borrow_mut();
            if state.model.as_ref().is_some_and(|m| m.effect == effect) {
                // Dropping the call aborts the request.
                state.model = None;
                state.live = None;
            }
        }
        if self.is_pending(effect) {
            self.restart_engine();
        }
    }

    /// Stop: what had arrived of the model's turn goes along, so that it is kept.
    pub(super) fn stop(&self) {
        let partial = self
            .state
            .borrow()
            .model
            .as_ref()
            .map_or_else(Turn::default, |m| m.partial());
        self.input(Input::Stopped { partial });
    }

    /// What the worker said.
    pub(super) fn engine_event(&self, event: EngineEvent) {
        match event {
            EngineEvent::Reply(reply, buffer) => self.engine_reply(reply, buffer),
            EngineEvent::Lost(problem) => self.engine_lost(&problem),
        }
    }

    fn engine_reply(&self, reply: Reply, buffer: Option<Vec<u8>>) {
        match reply {
            Reply::Ready | Reply::Progress { .. } => {}
            Reply::Opened {
                id,
                schema,
                findings,
                fingerprint,
                ..
            } => {
                if self.take(id).is_some() {
                    self.opened(schema, findings, fingerprint);
                }
            }
            Reply::Suggested { english, chinese } => self.suggested(english, chinese),
            Reply::NotOpened { id, finding } => {
                if self.take(id).is_some() {
                    self.not_opened(finding);
                }
            }
            Reply::Checked { id, verdict } => {
                if let Some(Purpose::Effect(effect)) = self.take(id) {
                    self.input(Input::Checked { effect, verdict });
                }
            }
            Reply::Ran { id, meta, preview } => {
                if let Some(Purpose::Effect(effect)) = self.take(id) {
                    self.hold(meta.result);
                    self.input(Input::Ran {
                        effect,
                        meta,
                        preview,
                    });
                }
            }
            Reply::Translated { id, turn } => {
                if let Some(Purpose::Translate { effect, serial }) = self.take(id) {
                    self.translated(effect, serial, Ok(turn));
                }
            }
            Reply::Died { message } => self.engine_lost(&message),
            Reply::RunFailed { id, error } | Reply::CheckFailed { id, error } => {
                match self.take(id) {
                    Some(Purpose::Effect(effect)) => {
                        self.input(Input::RunFailed {
                            effect,
                            error: error.clone(),
                        });
                        if error == QueryError::FileChanged {
                            self.file_changed();
                        }
                    }
                    Some(Purpose::Translate { effect, serial }) => {
                        self.translated(effect, serial, Err(error.to_string()));
                    }
                    Some(Purpose::Open | Purpose::Window(_) | Purpose::Column(_)) | None => {}
                }
            }
            Reply::Window { id, .. } => {
                if let Some(Purpose::Window(reply)) = self.take(id) {
                    let rows = buffer.and_then(|bytes| window::decode(&bytes));
                    reply(rows.map(|window| window.rows));
                }
            }
            Reply::Column { id } => {
                if let Some(Purpose::Column(reply)) = self.take(id) {
                    reply(buffer.and_then(|bytes| column::decode(&bytes)));
                }
            }
            Reply::NoWindow { id } => self.rows_gone(id),
        }
    }

    fn rows_gone(&self, id: RequestId) {
        match self.take(id) {
            Some(Purpose::Window(reply)) => reply(None),
            Some(Purpose::Column(reply)) => reply(None),
            Some(Purpose::Open | Purpose::Effect(_) | Purpose::Translate { .. }) | None => {}
        }
    }

    /// Keeps a result that the engine holds; the oldest one makes room.
    fn hold(&self, result: ResultId) {
        let oldest = {
            let mut state = self.state.borrow_mut();
            state.held.insert(result);
            if state.held.len() > RESULTS_HELD_MAX {
                state.held.pop_first()
            } else {
                None
            }
        };
        if let Some(result) = oldest {
            self.post(&Request::Release { result });
        }
    }

    fn take(&self, id: RequestId) -> Option<Purpose> {
        self.state.borrow_mut().pending.remove(&id)
    }

    /// A part of a held result.
    pub fn window(&self, of: WindowOf, reply: WindowReply) {
        let request = {
            let mut state = self.state.borrow_mut();
            if !state.held.contains(&of.result) {
                drop(state);
                reply(None);
                return;
            }
            let id = state.next_request(Purpose::Window(reply));
            Request::Window { id, of }
        };
        self.post(&request);
    }

    /// The numbers of a column of a held result, from its first row on.
    pub fn column(&self, result: ResultId, column: u32, rows_max: u32, reply: ColumnReply) {
        let request = {
            let mut state = self.state.borrow_mut();
            if !state.held.contains(&result) {
                drop(state);
                reply(None);
                return;
            }
            let id = state.next_request(Purpose::Column(reply));
            Request::Column {
                id,
                result,
                column,
                rows_max,
            }
        };
        self.post(&request);
    }

    /// Everything asked of a worker that is gone comes to its end here.
    pub(super) fn fail_pending(&self, error: &QueryError) {
        let pending = std::mem::take(&mut self.state.borrow_mut().pending);
        for purpose in pending.into_values() {
            match purpose {
                Purpose::Open => {}
                Purpose::Translate { effect, serial } => {
                    self.translated(effect, serial, Err(error.to_string()));
                }
                Purpose::Effect(effect) => self.input(Input::RunFailed {
                    effect,
                    error: error.clone(),
                }),
                Purpose::Window(reply) => reply(None),
                Purpose::Column(reply) => reply(None),
            }
        }
    }
}
