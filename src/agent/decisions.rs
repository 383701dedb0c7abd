//! What the person decides: approvals, edits, rejections, answers, and cards left behind.

use super::approval::{ApprovalId, ApprovalRequest, Decision};
use super::limits::QUESTION_CHARS_MAX;
use super::protocol::Effect;
use super::questions::{Answer, CardId, QuestionCard};
use super::record::{DecisionRecord, EventBody, Outcome, ProposalState};
use super::run::{Context, Phase, Run};
use crate::engine::ResultId;
use crate::tools;

impl Run {
    pub(super) fn decide(
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
            proposal.state = ProposalState::Running;
            proposal.edit_refused = None;
        }
        self.phase = Phase::Running {
            effect,
            event,
            request,
            result,
        };
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
    pub(super) fn dismiss_card(&mut self) {
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

    pub(super) fn record_decision(&mut self, event: usize, decision: Decision, context: &Context) {
        if let Some(proposal) = self.proposal_mut(event) {
            proposal.decisions.push(DecisionRecord {
                at_ms: context.now_ms,
                decision,
            });
        }
    }

    /// The card of an edit that was refused comes back, with the reason.
    pub(super) fn edit_refused(
        &mut self,
        event: usize,
        request: Box<ApprovalRequest>,
        reason: String,
        effects: &mut Vec<Effect>,
    ) {
        if let Some(proposal) = self.proposal_mut(event) {
            proposal.edit_refused = Some(reason);
        }
        self.phase = Phase::AwaitingApproval { event, request };
        effects.push(Effect::AskUser);
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
