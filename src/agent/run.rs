//! One chat as a state machine. `handle` takes one input and returns every effect that follows from it;
//! it does no IO, and its cost does not depend on how long the chat is.

use super::approval::{ApprovalId, ApprovalRequest, Decision};
use super::limits::{MODEL_CALLS_MAX, QUESTION_CHARS_MAX};
use super::protocol::{Effect, EffectId, Input, Op};
use super::questions::{CardId, QuestionCard};
use super::record::{
    Counters, Event, EventBody, ModelRecord, NoticeRecord, Outcome, ProposalRecord, TurnRecord,
};
use crate::engine::{Fingerprint, QueryError, ResultId};
use crate::llm::{ModelError, ModelErrorKind, ModelRequest, Turn};
use crate::prompt;
use crate::settings::{Language, Privacy};
use crate::sql::Schema;
use crate::tools;
use crate::transcript::{Part, ToolCall, ToolResult, Transcript};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What a run may look at but does not own.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Milliseconds since 1970-01-01 UTC.
    pub now_ms: u64,
    /// `None` while the chat's file is not open.
    pub schema: Option<&'a Schema>,
    pub privacy: Privacy,
    pub language: Language,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub(super) transcript: Transcript,
    pub(super) file: Option<Fingerprint>,
    pub(super) turns: Vec<TurnRecord>,
    pub(super) phase: Phase,
    pub(super) queue: VecDeque<QueuedCall>,
    pub(super) ids: u64,
}

/// Where the run stands. Approval and questions are values here, so that they outlive the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum Phase {
    #[default]
    Idle,
    CallingModel {
        effect: EffectId,
        attempt: u32,
        delay_ms: u64,
    },
    Checking {
        effect: EffectId,
        event: usize,
        sql: String,
        /// The card that an edit came from; it comes back if the edit is refused.
        edit_of: Option<Box<ApprovalRequest>>,
    },
    AwaitingApproval {
        event: usize,
        request: Box<ApprovalRequest>,
    },
    Running {
        effect: EffectId,
        event: usize,
        request: Box<ApprovalRequest>,
        result: ResultId,
    },
    Sampling {
        effect: EffectId,
        event: usize,
        sql: String,
        result: ResultId,
    },
    AwaitingAnswers {
        event: usize,
        card: CardId,
    },
    /// A model error that Retry can try again.
    Failed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct QueuedCall {
    pub call: ToolCall,
    pub model_event: usize,
    pub slot: usize,
}

impl Run {
    #[must_use]
    pub fn turns(&self) -> &[TurnRecord] {
        &self.turns
    }

    #[must_use]
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The file that this chat belongs to, once a question was asked.
    #[must_use]
    pub fn file(&self) -> Option<&Fingerprint> {
        self.file.as_ref()
    }

    /// True while the model, the guard or the engine is at work.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(
            self.phase,
            Phase::CallingModel { .. }
                | Phase::Checking { .. }
                | Phase::Running { .. }
                | Phase::Sampling { .. }
        )
    }

    /// True while a card waits for the person.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        matches!(
            self.phase,
            Phase::AwaitingApproval { .. } | Phase::AwaitingAnswers { .. }
        )
    }

    /// Takes one input and returns all that follows. Stale and impossible inputs change nothing.
    pub fn handle(&mut self, input: Input, context: &Context) -> Vec<Effect> {
        let mut effects = Vec::new();
        let accepted = match input {
            Input::Op(op) => self.op(op, context, &mut effects),
            Input::FileOpened { fingerprint } => {
                if self.turns.is_empty() {
                    self.file = Some(fingerprint);
                }
                false
            }
            Input::ModelDone {
                effect,
                turn,
                thought_ms,
            } => self.model_done(effect, turn, thought_ms, context, &mut effects),
            Input::ModelFailed {
                effect,
                error,
                partial,
                jitter,
            } => self.model_failed(effect, error, &partial, jitter, context, &mut effects),
            Input::Checked { effect, verdict } => {
                self.checked(effect, verdict, context, &mut effects)
            }
            Input::Ran {
                effect,
                meta,
                preview,
            } => self.ran(effect, meta, preview, context, &mut effects),
            Input::RunFailed { effect, error } => {
                self.run_failed(effect, error, context, &mut effects)
            }
            Input::Stopped { partial } => self.stop(&partial, context, &mut effects),
        };
        if accepted {
            effects.push(Effect::Save);
        }
        effects
    }

    /// The pending effects of a loaded run, as they were.
    #[must_use]
    pub fn resume(&self) -> Vec<Effect> {
        match &self.phase {
            Phase::Idle | Phase::Failed => Vec::new(),
            Phase::CallingModel {
                effect, delay_ms, ..
            } => vec![Effect::CallModel {
                effect: *effect,
                delay_ms: *delay_ms,
            }],
            Phase::Checking { effect, sql, .. } => vec![Effect::Check {
                effect: *effect,
                sql: sql.clone(),
            }],
            Phase::AwaitingApproval { .. } | Phase::AwaitingAnswers { .. } => vec![Effect::AskUser],
            Phase::Running {
                effect,
                request,
                result,
                ..
            } => vec![Effect::RunSql {
                effect: *effect,
                sql: request.sql.clone(),
                approved: request.receipt.sql.clone(),
                result: *result,
            }],
            Phase::Sampling {
                effect,
                sql,
                result,
                ..
            } => vec![self.sample_effect(*effect, sql, *result)],
        }
    }

    /// The request that a `CallModel` effect stands for.
    #[must_use]
    pub fn model_request(&self, context: &Context, today: &str) -> ModelRequest {
        let file = self.file.as_ref().map_or("", |f| f.name.as_str());
        ModelRequest {
            system: prompt::system(
                file,
                context.schema,
                context.privacy,
                context.language,
                today,
            ),
            messages: prompt::history(self.transcript.messages(), context.privacy),
            tools: tools::specs(),
            max_output_tokens: None,
        }
    }

    fn op(&mut self, op: Op, context: &Context, effects: &mut Vec<Effect>) -> bool {
        match op {
            Op::Ask { text } => self.ask(&text, context, effects),
            Op::Decide { approval, decision } => self.decide(approval, decision, context, effects),
            Op::Answer { card, answers } => self.answer(card, Some(answers), context, effects),
            Op::SkipQuestions { card } => self.answer(card, None, context, effects),
            Op::Stop => self.stop(&Turn::default(), context, effects),
            Op::Retry => {
                if self.phase != Phase::Failed {
                    return false;
                }
                if let Some(turn) = self.turns.last_mut() {
                    turn.outcome = None;
                    turn.ended_at_ms = None;
                }
                self.call_model(context, effects);
                true
            }
        }
    }

    fn ask(&mut self, text: &str, context: &Context, effects: &mut Vec<Effect>) -> bool {
        let text = text.trim();
        if text.is_empty() || self.is_busy() {
            return false;
        }
        if self.is_waiting() {
            self.dismiss_card(context);
        }
        self.queue.clear();
        let chars = text.chars().count();
        let id = self.next_id();
        self.turns.push(TurnRecord {
            id,
            question: tools::shorten(text, QUESTION_CHARS_MAX),
            asked_at_ms: context.now_ms,
            ended_at_ms: None,
            outcome: None,
            events: Vec::new(),
            counters: Counters::default(),
        });
        if chars > QUESTION_CHARS_MAX {
            self.end_with_notice(NoticeRecord::QuestionTooLong { chars }, context);
        } else if context.schema.is_none() {
            self.end_with_notice(NoticeRecord::NoFile, context);
        } else {
            self.transcript.push_user(text);
            self.call_model(context, effects);
        }
        true
    }

    pub(super) fn call_model(&mut self, context: &Context, effects: &mut Vec<Effect>) {
        self.queue.clear();
        let calls = self.counters_mut().map_or(0, |c| {
            c.model_calls += 1;
            c.model_calls
        });
        if calls > MODEL_CALLS_MAX {
            let notice = NoticeRecord::ModelCallsExhausted {
                calls: MODEL_CALLS_MAX,
            };
            self.end_with_notice(notice, context);
            return;
        }
        let effect = self.next_effect();
        self.phase = Phase::CallingModel {
            effect,
            attempt: 0,
            delay_ms: 0,
        };
        effects.push(Effect::CallModel {
            effect,
            delay_ms: 0,
        });
    }

    fn model_failed(
        &mut self,
        id: EffectId,
        error: ModelError,
        partial: &Turn,
        jitter: f64,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let Phase::CallingModel {
            effect, attempt, ..
        } = &self.phase
        else {
            return false;
        };
        if *effect != id {
            return false;
        }
        let attempt = *attempt;
        let retry = partial
            .parts
            .is_empty()
            .then(|| crate::llm::retry_delay_ms(&error, attempt, jitter))
            .flatten();
        if let Some(delay_ms) = retry {
            let effect = self.next_effect();
            self.phase = Phase::CallingModel {
                effect,
                attempt: attempt + 1,
                delay_ms,
            };
            effects.push(Effect::CallModel { effect, delay_ms });
            return true;
        }
        self.record_partial(partial, context);
        let filtered = error.kind == ModelErrorKind::ContentFiltered;
        self.end_with_notice(NoticeRecord::ModelError(error), context);
        if !filtered {
            self.phase = Phase::Failed;
        }
        true
    }

    /// Keeps what had arrived. It is shown, but never sent back: it may end in the middle of a call.
    pub(super) fn record_partial(&mut self, partial: &Turn, context: &Context) {
        let record = ModelRecord {
            partial: true,
            ..model_record(partial, 0)
        };
        if !record.text.is_empty() || !record.thought.is_empty() {
            self.push_event(EventBody::Model(record), context);
        }
    }

    fn stop(&mut self, partial: &Turn, context: &Context, effects: &mut Vec<Effect>) -> bool {
        match &self.phase {
            Phase::Idle | Phase::Failed => return false,
            Phase::CallingModel { effect, .. } => {
                effects.push(Effect::Cancel { effect: *effect });
                self.record_partial(partial, context);
                let text: String = partial
                    .parts
                    .iter()
                    .filter_map(|p| match p {
                        Part::Text(t) => Some(t.as_str()),
                        _ => None,
                    })
                    .collect();
                if !text.is_empty() {
                    self.transcript.push_assistant(vec![Part::Text(text)]);
                }
            }
            Phase::Checking { effect, .. }
            | Phase::Running { effect, .. }
            | Phase::Sampling { effect, .. } => {
                effects.push(Effect::Cancel { effect: *effect });
                self.dismiss_card(context);
            }
            Phase::AwaitingApproval { .. } | Phase::AwaitingAnswers { .. } => {
                self.dismiss_card(context);
            }
        }
        self.push_event(EventBody::Notice(NoticeRecord::Stopped), context);
        self.end_turn(Outcome::Stopped, context);
        true
    }

    fn decide(
        &mut self,
        approval: ApprovalId,
        decision: Decision,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let Phase::AwaitingApproval { event, request } = &self.phase else {
            return false;
        };
        if request.id != approval {
            return false;
        }
        let (event, request) = (*event, request.clone());
        match decision {
            Decision::Approve { shown } => {
                if shown != request.receipt.sql {
                    return false;
                }
                self.record_decision(event, Decision::Approve { shown }, context);
                self.start_run(event, request, effects);
            }
            Decision::Edit { sql } if sql == request.sql => {
                let shown = request.receipt.sql.clone();
                self.record_decision(event, Decision::Approve { shown }, context);
                self.start_run(event, request, effects);
            }
            Decision::Edit { sql } => {
                let effect = self.next_effect();
                self.record_decision(event, Decision::Edit { sql: sql.clone() }, context);
                self.phase = Phase::Checking {
                    effect,
                    event,
                    sql: sql.clone(),
                    edit_of: Some(request),
                };
                effects.push(Effect::Check { effect, sql });
            }
            Decision::Reject { reason } => {
                let reason = reason
                    .map(|r| tools::shorten(r.trim(), QUESTION_CHARS_MAX))
                    .filter(|r| !r.is_empty());
                let decision = Decision::Reject {
                    reason: reason.clone(),
                };
                self.record_decision(event, decision, context);
                self.rejected(event, reason, context, effects);
            }
        }
        true
    }

    pub(super) fn start_run(
        &mut self,
        event: usize,
        request: Box<ApprovalRequest>,
        effects: &mut Vec<Effect>,
    ) {
        let effect = self.next_effect();
        let result = ResultId(self.next_id());
        effects.push(Effect::RunSql {
            effect,
            sql: request.sql.clone(),
            approved: request.receipt.sql.clone(),
            result,
        });
        if let Some(proposal) = self.proposal_mut(event) {
            proposal.state = super::record::ProposalState::Running;
            proposal.edit_refused = None;
        }
        self.phase = Phase::Running {
            effect,
            event,
            request,
            result,
        };
    }

    fn run_failed(
        &mut self,
        id: EffectId,
        error: QueryError,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let lost = matches!(
            error,
            QueryError::NoFile
                | QueryError::FileChanged
                | QueryError::EngineLost
                | QueryError::Cancelled
                | QueryError::NotApproved
        );
        match &self.phase {
            Phase::Running {
                effect,
                event,
                request,
                ..
            } if *effect == id => {
                let (event, request) = (*event, request.clone());
                if lost {
                    // Not the statement's fault: the card comes back and can be approved again.
                    self.set_state(event, super::record::ProposalState::Waiting);
                    self.phase = Phase::AwaitingApproval { event, request };
                    effects.push(Effect::AskUser);
                } else {
                    self.set_ran(event, &request);
                    self.proposal_failed(event, &error.to_string(), false, context, effects);
                }
                true
            }
            Phase::Sampling { effect, event, .. } if *effect == id => {
                let event = *event;
                self.lookup_done(event, format!("failed: {error}"), true);
                self.next_call(context, effects);
                true
            }
            // The check is asked again when the file is open again.
            Phase::Checking { .. }
            | Phase::Idle
            | Phase::CallingModel { .. }
            | Phase::AwaitingApproval { .. }
            | Phase::Running { .. }
            | Phase::Sampling { .. }
            | Phase::AwaitingAnswers { .. }
            | Phase::Failed => false,
        }
    }
}

/// Bookkeeping that every branch uses.
impl Run {
    pub(super) fn next_id(&mut self) -> u64 {
        self.ids += 1;
        self.ids
    }

    pub(super) fn next_effect(&mut self) -> EffectId {
        EffectId(self.next_id())
    }

    pub(super) fn counters_mut(&mut self) -> Option<&mut Counters> {
        self.turns.last_mut().map(|t| &mut t.counters)
    }

    /// Adds an event to the current turn and returns its place.
    pub(super) fn push_event(&mut self, body: EventBody, context: &Context) -> usize {
        let Some(turn) = self.turns.last_mut() else {
            return 0;
        };
        turn.events.push(Event {
            at_ms: context.now_ms,
            body,
        });
        turn.events.len() - 1
    }

    pub(super) fn event_mut(&mut self, event: usize) -> Option<&mut EventBody> {
        self.turns
            .last_mut()?
            .events
            .get_mut(event)
            .map(|e| &mut e.body)
    }

    pub(super) fn proposal_mut(&mut self, event: usize) -> Option<&mut ProposalRecord> {
        match self.event_mut(event)? {
            EventBody::Proposal(proposal) => Some(proposal),
            _ => None,
        }
    }

    /// Closes the next open call with this text.
    pub(super) fn tell(&mut self, call: &crate::transcript::CallId, text: String, is_error: bool) {
        self.transcript.push_result(ToolResult {
            call: call.clone(),
            text,
            is_error,
        });
    }

    pub(super) fn end_with_notice(&mut self, notice: NoticeRecord, context: &Context) {
        self.push_event(EventBody::Notice(notice), context);
        self.end_turn(Outcome::Failed, context);
    }

    pub(super) fn end_turn(&mut self, outcome: Outcome, context: &Context) {
        self.transcript.cancel_open("cancelled: the question ended");
        self.queue.clear();
        self.phase = Phase::Idle;
        if let Some(turn) = self.turns.last_mut() {
            turn.outcome = Some(outcome);
            turn.ended_at_ms = Some(context.now_ms);
        }
    }

    pub(super) fn asked_card(&self, card: CardId) -> Option<&QuestionCard> {
        self.turns
            .last()?
            .events
            .iter()
            .rev()
            .find_map(|e| match &e.body {
                EventBody::Questions(q) if q.card.id == card => Some(&q.card),
                _ => None,
            })
    }
}

/// The words and thoughts of a turn, without its calls.
pub(super) fn model_record(turn: &Turn, thought_ms: u64) -> ModelRecord {
    let mut record = ModelRecord {
        thought_ms,
        usage: turn.usage,
        ..ModelRecord::default()
    };
    for part in &turn.parts {
        match part {
            Part::Text(text) => record.text.push_str(text),
            Part::Reasoning(text) => record.thought.push_str(text),
            Part::Opaque(_) | Part::Call(_) => {}
        }
    }
    record.text = record.text.trim().to_owned();
    record.thought = record.thought.trim().to_owned();
    record
}
