//! The run's inner half: what a model turn, a verdict, a result or an answer leads to.

use super::approval::{ApprovalId, ApprovalRequest};
use super::book::model_record;
use super::grounding::{self, Known};
use super::limits::{SHAPE_NUDGES_MAX, TRIES_MAX};
use super::protocol::{Effect, EffectId};
use super::record::{
    CheckRecord, Event, EventBody, NoticeRecord, Outcome, ProposalState, ResultRecord,
};
use super::run::{Context, Phase, QueuedCall, Run};
use crate::engine::ResultMeta;
use crate::llm::{FinishReason, ModelError, ModelErrorKind, Turn};
use crate::prompt;
use crate::sql::{SqlHash, Value, Verdict};
use crate::tools;
use crate::transcript::Part;

/// Earlier turns whose rows an answer may still speak of.
const TURNS_REMEMBERED: usize = 4;

/// When a proposal failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failed {
    /// Before anything ran.
    Checked,
    Running,
}

impl Run {
    pub(super) fn model_done(
        &mut self,
        id: EffectId,
        turn: Turn,
        thought_ms: u64,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let Phase::CallingModel { effect, .. } = &self.phase else {
            return false;
        };
        if *effect != id {
            return false;
        }
        if turn.truncated {
            self.record_partial(&turn, context);
            let error = ModelError::new(ModelErrorKind::Cut, "the stream ended early");
            self.end_with_notice(NoticeRecord::ModelError(error), context);
            self.phase = Phase::Failed;
            return true;
        }
        let record = model_record(&turn, thought_ms);
        let text = record.text.clone();
        let has_calls = turn.parts.iter().any(|p| matches!(p, Part::Call(_)));
        let calls = self.transcript.push_assistant(turn.parts);
        let event = self.push_event(EventBody::Model(record), context);
        if has_calls {
            for (slot, call) in calls.into_iter().enumerate() {
                self.queue.push_back(QueuedCall {
                    call,
                    model_event: event,
                    slot,
                });
            }
            self.next_call(context, effects);
        } else {
            self.text_done(event, &text, turn.finish, context, effects);
        }
        true
    }

    /// A model turn without calls: the answer, unless its shape is wrong.
    fn text_done(
        &mut self,
        event: usize,
        text: &str,
        finish: Option<FinishReason>,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) {
        if finish == Some(FinishReason::Filter) {
            self.end_with_notice(NoticeRecord::Filtered, context);
            return;
        }
        if text.is_empty() {
            let nudge = "You sent nothing. Answer, or call a tool.";
            self.nudge(nudge, "an empty turn", context, effects);
            return;
        }
        let has_rows = self.results_of_turn().next().is_some();
        if !has_rows && holds_sql(text) {
            let nudge = "SQL in text is not shown and never runs. Propose it with run_sql.";
            self.nudge(nudge, "SQL as text", context, effects);
            return;
        }
        let unsupported = grounding::unsupported(text, &self.known_numbers());
        let nudged = self
            .turns
            .last()
            .is_some_and(|t| t.counters.shape_nudges > 0);
        if !has_rows && !unsupported.is_empty() && !nudged {
            let nudge = "No query of yours ran for this question, so these numbers come from nowhere. \
                         Propose a query with run_sql, or answer without numbers.";
            self.nudge(nudge, "numbers without rows", context, effects);
            return;
        }
        if let Some(EventBody::Model(record)) = self.event_mut(event) {
            record.answer = true;
            record.unsupported = unsupported;
        }
        if finish == Some(FinishReason::Length) {
            self.push_event(EventBody::Notice(NoticeRecord::LengthLimit), context);
        }
        self.end_turn(Outcome::Answered, context);
    }

    /// Tells the model that its turn lacks the shape asked for; ends the question when that does not help.
    fn nudge(&mut self, text: &str, problem: &str, context: &Context, effects: &mut Vec<Effect>) {
        if self.shape_exhausted(problem, context) {
            return;
        }
        self.transcript.push_notice(text);
        self.call_model(context, effects);
    }

    pub(super) fn shape_exhausted(&mut self, problem: &str, context: &Context) -> bool {
        let nudges = self.counters_mut().map_or(0, |c| {
            c.shape_nudges += 1;
            c.shape_nudges
        });
        if nudges <= SHAPE_NUDGES_MAX {
            return false;
        }
        let notice = NoticeRecord::ShapeExhausted {
            problem: tools::shorten(problem, 300),
        };
        self.end_with_notice(notice, context);
        true
    }

    pub(super) fn checked(
        &mut self,
        id: EffectId,
        verdict: Verdict,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let Phase::Checking {
            effect,
            event,
            sql,
            edit_of,
        } = &self.phase
        else {
            return false;
        };
        if *effect != id {
            return false;
        }
        let (event, sql, edit_of) = (*event, sql.clone(), edit_of.clone());
        if let Some(proposal) = self.proposal_mut(event) {
            proposal.checks.push(CheckRecord {
                at_ms: context.now_ms,
                sql: sql.clone(),
                by_person: edit_of.is_some(),
                verdict: verdict.clone(),
            });
        }
        match (verdict, edit_of) {
            // A receipt for other bytes proves nothing about these.
            (Verdict::Allow(receipt), _) if receipt.sql != SqlHash::of(&sql) => {
                self.proposal_failed(
                    event,
                    "the check was for another text",
                    Failed::Checked,
                    context,
                    effects,
                );
            }
            (Verdict::Allow(receipt), edit_of) => {
                let id = ApprovalId(self.next_id());
                let edited = edit_of.is_some();
                let request = Box::new(ApprovalRequest {
                    id,
                    sql,
                    receipt,
                    edited_from: edit_of.map(|r| r.edited_from.unwrap_or(r.sql)),
                    asked_at_ms: context.now_ms,
                });
                if edited {
                    self.start_run(event, request, effects);
                } else {
                    self.set_state(event, ProposalState::Waiting);
                    self.phase = Phase::AwaitingApproval { event, request };
                    effects.push(Effect::AskUser);
                }
            }
            (refusal, Some(request)) => {
                self.edit_refused(event, request, refusal_text(&refusal), effects);
            }
            (refusal, None) => {
                self.proposal_failed(
                    event,
                    &refusal_text(&refusal),
                    Failed::Checked,
                    context,
                    effects,
                );
            }
        }
        true
    }

    /// A proposal failed: the model is told, shortened, and may try again up to the limit.
    pub(super) fn proposal_failed(
        &mut self,
        event: usize,
        message: &str,
        when: Failed,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) {
        let message = prompt::short_error(message);
        let repeats = self.repeats_earlier_failure(event, &message);
        let before_run = when == Failed::Checked;
        let state = if before_run {
            ProposalState::Refused {
                message: message.clone(),
            }
        } else {
            ProposalState::Failed {
                message: message.clone(),
            }
        };
        self.set_state(event, state);
        let Some(call) = self.proposal_mut(event).map(|p| p.from.call.clone()) else {
            return;
        };
        let tries = self.counters_mut().map_or(0, |c| {
            c.failed_tries += 1;
            c.failed_tries
        });
        let mut text = prompt::failure_text(&message, before_run, context.privacy);
        text.push_str(&format!("\nThis was try {tries} of {TRIES_MAX}."));
        if repeats {
            text.push_str(
                " It is the same failure as before: take another approach, or say that it cannot be answered.",
            );
        }
        self.tell(&call, text, true);
        if tries >= TRIES_MAX {
            let notice = NoticeRecord::TriesExhausted {
                last_error: message,
            };
            self.end_with_notice(notice, context);
        } else {
            self.next_call(context, effects);
        }
    }

    fn repeats_earlier_failure(&self, event: usize, message: &str) -> bool {
        let Some(turn) = self.turns.last() else {
            return false;
        };
        turn.events
            .iter()
            .take(event)
            .any(|earlier| match &earlier.body {
                EventBody::Proposal(p) => match &p.state {
                    ProposalState::Refused { message: m }
                    | ProposalState::Failed { message: m } => m == message,
                    _ => false,
                },
                _ => false,
            })
    }

    pub(super) fn ran(
        &mut self,
        id: EffectId,
        meta: ResultMeta,
        preview: Vec<Vec<Value>>,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let result = ResultRecord { meta, preview };
        match &self.phase {
            Phase::Running {
                effect,
                event,
                request,
                ..
            } if *effect == id => {
                let (event, request) = (*event, request.clone());
                self.set_ran(event, &request);
                let text =
                    prompt::result_text(&result, request.edited_from.as_deref(), context.privacy);
                let Some(proposal) = self.proposal_mut(event) else {
                    return false;
                };
                proposal.result = Some(result);
                proposal.state = ProposalState::Ran;
                let call = proposal.from.call.clone();
                self.tell(&call, text, false);
                self.next_call(context, effects);
                true
            }
            Phase::Sampling {
                effect,
                event,
                result: held,
                ..
            } if *effect == id => {
                let event = *event;
                effects.push(Effect::Release { result: *held });
                let text = prompt::sample_text(&result, context.privacy);
                self.lookup_done(event, text, false);
                self.next_call(context, effects);
                true
            }
            _ => false,
        }
    }

    pub(super) fn error_check_due(&self) -> bool {
        self.turns.last().is_some_and(|turn| {
            turn.events
                .iter()
                .rev()
                .find_map(|e| match &e.body {
                    EventBody::Proposal(p) => Some(matches!(
                        p.state,
                        ProposalState::Refused { .. } | ProposalState::Failed { .. }
                    )),
                    _ => None,
                })
                .unwrap_or(false)
        })
    }

    fn results_of_turn(&self) -> impl Iterator<Item = &ResultRecord> {
        results(self.turns.last().map_or(&[], |t| &t.events))
    }

    fn known_numbers(&self) -> Known {
        let mut known = Known::default();
        let own = self.turns.iter().rev().filter(|turn| !turn.imported);
        for turn in own.take(TURNS_REMEMBERED) {
            known.add_text(&turn.question);
            for event in &turn.events {
                match &event.body {
                    EventBody::Lookup(lookup) if !lookup.failed => known.add_text(&lookup.told),
                    EventBody::Proposal(proposal) if proposal.result.is_some() => {
                        known.add_text(proposal.ran.as_deref().unwrap_or_default());
                    }
                    _ => {}
                }
            }
            for result in results(&turn.events) {
                known.add_text(&result.meta.rows.to_string());
                for value in result.preview.iter().flatten() {
                    known.add_value(value);
                }
            }
        }
        known
    }
}

fn results(events: &[Event]) -> impl Iterator<Item = &ResultRecord> {
    events.iter().filter_map(|e| match &e.body {
        EventBody::Proposal(p) => p.result.as_ref(),
        _ => None,
    })
}

fn refusal_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Allow(_) => String::new(),
        Verdict::Deny(denial) => denial.for_model(),
        Verdict::Invalid { message, hint } => match hint {
            Some(hint) => format!("{message} ({hint})"),
            None => message.clone(),
        },
    }
}

/// A fenced block or a line that starts like a query.
fn holds_sql(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.contains("```sql")
        || lower.lines().any(|line| {
            let line = line.trim_start();
            (line.starts_with("select ") || line.starts_with("with "))
                && lower.contains(" from ")
                && line.len() > 14
                && (line.contains(" from ") || line.ends_with(',') || lower.contains("\nfrom "))
        })
}
