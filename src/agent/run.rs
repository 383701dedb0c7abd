//! One chat as a state machine. `handle` takes one input and returns every effect that follows from it;
//! it does no IO, and its cost does not depend on how long the chat is.

use super::approval::ApprovalRequest;
use super::book::model_record;
use super::branches::Fork;
use super::limits::{MODEL_CALLS_MAX, QUESTION_CHARS_MAX};
use super::protocol::{Effect, EffectId, Input, Op};
use super::questions::CardId;
use super::record::{
    Counters, EventBody, ModelRecord, NoticeRecord, Outcome, ProposalState, TurnRecord,
};
use super::turns::Failed;
use crate::engine::{Fingerprint, QueryError, ResultId};
use crate::llm::{ModelError, ModelErrorKind, ModelRequest, Turn};
use crate::prompt;
use crate::settings::{Language, Privacy};
use crate::sql::Schema;
use crate::tools;
use crate::transcript::{Part, ToolCall, Transcript};
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) forks: Vec<Fork>,
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

    /// The pending effects of a loaded run, as they were. A sample is not taken up again: the privacy dial
    /// may have been turned down meanwhile, and nobody saw its text.
    pub fn resume(&mut self, context: &Context) -> Vec<Effect> {
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
            Phase::Sampling { event, .. } => {
                let event = *event;
                let mut effects = Vec::new();
                self.lookup_done(event, "interrupted; ask again if needed".to_owned(), true);
                self.next_call(context, &mut effects);
                effects.push(Effect::Save);
                effects
            }
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
            Op::AskAgain { turn, text } => self.ask_again(turn, &text, context, effects),
            Op::ShowBranch { turn, index } => self.show_branch(turn, index, effects),
            Op::Decide { approval, decision } => self.decide(approval, decision, context, effects),
            Op::Answer { card, answers } => self.answer(card, Some(answers), context, effects),
            Op::SkipQuestions { card } => self.answer(card, None, context, effects),
            Op::Stop => self.stop(&Turn::default(), context, effects),
            Op::Translate => self.translate(context, effects),
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

    pub(super) fn ask(&mut self, text: &str, context: &Context, effects: &mut Vec<Effect>) -> bool {
        let text = text.trim();
        if text.is_empty() || self.is_busy() {
            return false;
        }
        if self.is_waiting() {
            if context.schema.is_none() {
                return false;
            }
            self.dismiss_card();
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
            translated_from: None,
            imported: false,
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
                self.dismiss_card();
            }
            Phase::AwaitingApproval { .. } | Phase::AwaitingAnswers { .. } => {
                self.dismiss_card();
            }
        }
        self.push_event(EventBody::Notice(NoticeRecord::Stopped), context);
        self.end_turn(Outcome::Stopped, context);
        true
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
                    self.set_state(event, ProposalState::Waiting);
                    self.phase = Phase::AwaitingApproval { event, request };
                    effects.push(Effect::AskUser);
                } else {
                    self.set_ran(event, &request);
                    self.proposal_failed(
                        event,
                        &error.to_string(),
                        Failed::Running,
                        context,
                        effects,
                    );
                }
                true
            }
            Phase::Sampling { effect, event, .. } if *effect == id => {
                let event = *event;
                let text = prompt::failure_text(&error.to_string(), false, context.privacy);
                self.lookup_done(event, text, true);
                self.next_call(context, effects);
                true
            }
            Phase::Checking {
                effect,
                event,
                edit_of,
                ..
            } if *effect == id => {
                let (event, edit_of) = (*event, edit_of.clone());
                if !matches!(error, QueryError::EngineLost | QueryError::Database { .. }) {
                    // The check is asked again when the file is open again.
                    return false;
                }
                let message = format!("it could not be checked: {error}");
                match edit_of {
                    Some(request) => self.edit_refused(event, request, message, effects),
                    None => {
                        self.proposal_failed(event, &message, Failed::Checked, context, effects)
                    }
                }
                true
            }
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
