//! The model's tool calls: planned one by one, until one has to wait.

use super::limits::{CALLS_PER_TURN_MAX, REFUSAL_CHARS_MAX, TOOL_CALLS_MAX, TOOL_RESULT_CHARS_MAX};
use super::protocol::Effect;
use super::questions::{CardId, Question, QuestionCard};
use super::record::{
    CallOrigin, EventBody, LookupRecord, NoticeRecord, Outcome, Phases, ProposalRecord,
    ProposalState, QuestionsRecord,
};
use super::run::{Context, Phase, QueuedCall, Run};
use crate::engine::ResultId;
use crate::prompt;
use crate::sql::SqlHash;
use crate::tools::{self, Plan, ToolContext};

impl Run {
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
        let Some(schema) = context.schema else {
            // The question can be taken up again when the file is open again.
            self.end_with_notice(NoticeRecord::NoFile, context);
            self.phase = Phase::Failed;
            return false;
        };
        if queued.slot >= CALLS_PER_TURN_MAX {
            let text = format!("at most {CALLS_PER_TURN_MAX} calls in one turn");
            let event = self.lookup(from, &queued.call.name, String::new(), context);
            self.lookup_done(event, text, true);
            return true;
        }
        let tool_context = ToolContext {
            schema,
            privacy: context.privacy,
            error_check_due: self.error_check_due(),
        };
        match tools::plan(&queued.call, tool_context) {
            Plan::Reply { subject, text } => {
                let text = prompt::visible(&tools::shorten(&text, TOOL_RESULT_CHARS_MAX));
                let event = self.lookup(from, &queued.call.name, subject, context);
                self.lookup_done(event, text, false);
                true
            }
            Plan::Sample { subject, sql } => {
                let event = self.lookup(from, &queued.call.name, subject, context);
                let effect = self.next_effect();
                let result = ResultId(self.next_id());
                effects.push(Effect::RunSql {
                    effect,
                    approved: SqlHash::of(&sql),
                    sql: sql.clone(),
                    result,
                });
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
                let text = prompt::visible(&tools::shorten(&text, REFUSAL_CHARS_MAX));
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
                subject: tools::shorten(&subject, 200),
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
}
