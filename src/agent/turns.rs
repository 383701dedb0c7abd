//! The run's inner half: what a model turn, a verdict, a result or an answer leads to.

use super::approval::{ApprovalId, ApprovalRequest, Decision};
use super::grounding::{self, Known};
use super::limits::{CALLS_PER_TURN_MAX, SHAPE_NUDGES_MAX, TOOL_CALLS_MAX, TRIES_MAX};
use super::protocol::{Effect, EffectId};
use super::questions::{Answer, CardId, Question, QuestionCard};
use super::record::{
    CallOrigin, CheckRecord, DecisionRecord, EventBody, LookupRecord, NoticeRecord, Outcome,
    Phases, ProposalRecord, ProposalState, QuestionsRecord, ResultRecord,
};
use super::run::{Context, Phase, QueuedCall, Run, model_record};
use crate::engine::{ResultId, ResultMeta};
use crate::llm::{FinishReason, ModelError, ModelErrorKind, Turn};
use crate::prompt;
use crate::sql::{Schema, SqlHash, Value, Verdict};
use crate::tools::{self, Plan, ToolContext};
use crate::transcript::Part;

/// Earlier turns whose rows an answer may still speak of.
const TURNS_REMEMBERED: usize = 4;

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

    fn shape_exhausted(&mut self, problem: &str, context: &Context) -> bool {
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

    /// Handles queued calls until one has to wait, or asks the model again when none is left.
    pub(super) fn next_call(&mut self, context: &Context, effects: &mut Vec<Effect>) {
        while let Some(queued) = self.queue.pop_front() {
            let calls = self.counters_mut().map_or(0, |c| {
                c.tool_calls += 1;
                c.tool_calls
            });
            if calls > TOOL_CALLS_MAX {
                let notice = NoticeRecord::ToolCallsExhausted {
                    calls: TOOL_CALLS_MAX,
                };
                self.end_with_notice(notice, context);
                return;
            }
            if !self.one_call(queued, context, effects) {
                return;
            }
        }
        self.call_model(context, effects);
    }

    /// Returns true when the call has its result and the next one may follow.
    fn one_call(
        &mut self,
        queued: QueuedCall,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let from = CallOrigin {
            call: queued.call.id.clone(),
            model_event: queued.model_event,
            slot: queued.slot,
        };
        let none = Schema::default();
        let plan = if queued.slot >= CALLS_PER_TURN_MAX {
            Plan::Reject(format!("at most {CALLS_PER_TURN_MAX} calls in one turn"))
        } else if context.schema.is_none() {
            Plan::Reject("no file is open; wait for the person to open it".to_owned())
        } else {
            tools::plan(
                &queued.call,
                ToolContext {
                    schema: context.schema.unwrap_or(&none),
                    privacy: context.privacy,
                    error_check_due: self.error_check_due(),
                },
            )
        };
        match plan {
            Plan::Reply { subject, text } => {
                let text =
                    prompt::visible(&tools::shorten(&text, super::limits::TOOL_RESULT_CHARS_MAX));
                let event = self.lookup(from, &queued.call.name, subject, context);
                self.lookup_done(event, text, false);
                true
            }
            Plan::Sample { subject, sql } => {
                let event = self.lookup(from, &queued.call.name, subject, context);
                let effect = self.next_effect();
                let result = ResultId(self.next_id());
                effects.push(self.sample_effect(effect, &sql, result));
                self.phase = Phase::Sampling {
                    effect,
                    event,
                    sql,
                    result,
                };
                false
            }
            Plan::Propose(phases) => {
                self.propose(from, phases, context, effects);
                false
            }
            Plan::AskUser { title, questions } => {
                self.ask_user(from, title, questions, context, effects);
                false
            }
            Plan::CannotAnswer { reason } => {
                self.tell(&from.call, "told to the person".to_owned(), false);
                self.push_event(EventBody::CannotAnswer { from, reason }, context);
                self.end_turn(Outcome::CannotAnswer, context);
                false
            }
            Plan::Reject(text) => {
                let event = self.lookup(from, &queued.call.name, String::new(), context);
                self.lookup_done(event, text.clone(), true);
                !self.shape_exhausted(&text, context)
            }
        }
    }

    fn lookup(
        &mut self,
        from: CallOrigin,
        tool: &str,
        subject: String,
        context: &Context,
    ) -> usize {
        self.push_event(
            EventBody::Lookup(LookupRecord {
                from,
                tool: tools::shorten(tool, 60),
                subject,
                told: String::new(),
                failed: false,
            }),
            context,
        )
    }

    pub(super) fn lookup_done(&mut self, event: usize, text: String, failed: bool) {
        let Some(EventBody::Lookup(lookup)) = self.event_mut(event) else {
            return;
        };
        lookup.told.clone_from(&text);
        lookup.failed = failed;
        let call = lookup.from.call.clone();
        self.tell(&call, text, failed);
    }

    pub(super) fn sample_effect(&self, effect: EffectId, sql: &str, result: ResultId) -> Effect {
        Effect::RunSql {
            effect,
            sql: sql.to_owned(),
            approved: SqlHash::of(sql),
            result,
        }
    }

    fn propose(
        &mut self,
        from: CallOrigin,
        phases: Phases,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) {
        let sql = phases.sql.clone();
        let effect = self.next_effect();
        let event = self.push_event(
            EventBody::Proposal(Box::new(ProposalRecord {
                from,
                phases,
                checks: Vec::new(),
                decisions: Vec::new(),
                ran: None,
                result: None,
                state: ProposalState::Checking,
                edit_refused: None,
            })),
            context,
        );
        self.phase = Phase::Checking {
            effect,
            event,
            sql: sql.clone(),
            edit_of: None,
        };
        effects.push(Effect::Check { effect, sql });
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
                    true,
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
                if let Some(proposal) = self.proposal_mut(event) {
                    proposal.edit_refused = Some(refusal_text(&refusal));
                }
                self.phase = Phase::AwaitingApproval { event, request };
                effects.push(Effect::AskUser);
            }
            (refusal, None) => {
                self.proposal_failed(event, &refusal_text(&refusal), true, context, effects);
            }
        }
        true
    }

    /// A proposal failed: the model is told, shortened, and may try again up to the limit.
    pub(super) fn proposal_failed(
        &mut self,
        event: usize,
        message: &str,
        before_run: bool,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) {
        let message = prompt::short_error(message);
        let repeats = self.repeats_earlier_failure(event, &message);
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
        let mut text = format!(
            "{} {message}\nThis was try {tries} of {TRIES_MAX}.",
            if before_run {
                "Not shown to the person, not run:"
            } else {
                "The query failed:"
            }
        );
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
                let text = prompt::result_text(&result, None, context.privacy);
                self.lookup_done(event, text, false);
                self.next_call(context, effects);
                true
            }
            _ => false,
        }
    }

    pub(super) fn rejected(
        &mut self,
        event: usize,
        reason: Option<String>,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) {
        let Some(proposal) = self.proposal_mut(event) else {
            return;
        };
        let call = proposal.from.call.clone();
        let text = match &reason {
            Some(reason) => format!(
                "The person rejected this query. Their reason: {reason}\nPropose a query that respects it, or ask."
            ),
            None => "The person rejected this query without a reason. Propose another one, or ask what they want."
                .to_owned(),
        };
        proposal.state = ProposalState::Rejected { reason };
        self.tell(&call, text, true);
        self.next_call(context, effects);
    }

    fn ask_user(
        &mut self,
        from: CallOrigin,
        title: String,
        questions: Vec<Question>,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) {
        let id = CardId(self.next_id());
        let event = self.push_event(
            EventBody::Questions(QuestionsRecord {
                from,
                card: QuestionCard {
                    id,
                    title,
                    questions,
                },
                answers: None,
                skipped: false,
                cancelled: false,
            }),
            context,
        );
        self.phase = Phase::AwaitingAnswers { event, card: id };
        effects.push(Effect::AskUser);
    }

    /// `answers` of `None` means: use your best guess.
    pub(super) fn answer(
        &mut self,
        card: CardId,
        answers: Option<Vec<Answer>>,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let Phase::AwaitingAnswers {
            event,
            card: pending,
        } = &self.phase
        else {
            return false;
        };
        if *pending != card {
            return false;
        }
        let event = *event;
        let text = match (&answers, self.asked_card(card)) {
            (Some(answers), Some(asked)) => answers_text(asked, answers),
            _ => "The person skipped the questions: use your best guess, and name the guess in your answer."
                .to_owned(),
        };
        let Some(EventBody::Questions(record)) = self.event_mut(event) else {
            return false;
        };
        record.skipped = answers.is_none();
        record.answers = answers;
        let call = record.from.call.clone();
        self.tell(&call, text, false);
        self.next_call(context, effects);
        true
    }

    /// A card is left behind: the person stopped, or wrote something else.
    pub(super) fn dismiss_card(&mut self, _context: &Context) {
        let event = match &self.phase {
            Phase::AwaitingApproval { event, .. }
            | Phase::Checking { event, .. }
            | Phase::Running { event, .. }
            | Phase::Sampling { event, .. }
            | Phase::AwaitingAnswers { event, .. } => *event,
            Phase::Idle | Phase::CallingModel { .. } | Phase::Failed => return,
        };
        match self.event_mut(event) {
            Some(EventBody::Proposal(proposal)) => proposal.state = ProposalState::Cancelled,
            Some(EventBody::Questions(questions)) => questions.cancelled = true,
            Some(EventBody::Lookup(lookup)) => lookup.failed = true,
            _ => {}
        }
        self.transcript
            .cancel_open("cancelled: the person stopped or wrote something else");
        if let Some(turn) = self.turns.last_mut()
            && turn.outcome.is_none()
        {
            turn.outcome = Some(Outcome::Stopped);
        }
    }

    pub(super) fn set_state(&mut self, event: usize, state: ProposalState) {
        if let Some(proposal) = self.proposal_mut(event) {
            proposal.state = state;
        }
    }

    pub(super) fn set_ran(&mut self, event: usize, request: &ApprovalRequest) {
        if let Some(proposal) = self.proposal_mut(event) {
            proposal.ran = Some(request.sql.clone());
        }
    }

    pub(super) fn record_decision(&mut self, event: usize, decision: Decision, context: &Context) {
        if let Some(proposal) = self.proposal_mut(event) {
            proposal.decisions.push(DecisionRecord {
                at_ms: context.now_ms,
                decision,
            });
        }
    }

    fn error_check_due(&self) -> bool {
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
        for turn in self.turns.iter().rev().take(TURNS_REMEMBERED) {
            known.add_text(&turn.question);
            for event in &turn.events {
                match &event.body {
                    EventBody::Lookup(lookup) => known.add_text(&lookup.told),
                    EventBody::Proposal(proposal) => known.add_text(&proposal.phases.sql),
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

fn results(events: &[super::record::Event]) -> impl Iterator<Item = &ResultRecord> {
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

fn answers_text(card: &QuestionCard, answers: &[Answer]) -> String {
    let mut text = String::from("The person's answers:\n");
    for question in &card.questions {
        let answer = answers.iter().find(|a| a.question == question.id);
        let mut said: Vec<String> = answer.map_or_else(Vec::new, |a| {
            a.options
                .iter()
                .map(|id| {
                    question
                        .options
                        .iter()
                        .find(|o| o.id == *id)
                        .map_or_else(|| id.clone(), |o| o.label.clone())
                })
                .collect()
        });
        if let Some(free) = answer.and_then(|a| a.text.as_deref()).map(str::trim)
            && !free.is_empty()
        {
            said.push(tools::shorten(free, super::limits::QUESTION_CHARS_MAX));
        }
        let said = if said.is_empty() {
            "(no answer: use your best guess and name it)".to_owned()
        } else {
            said.join("; ")
        };
        text.push_str(&format!("- {}: {said}\n", question.question));
    }
    text
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
