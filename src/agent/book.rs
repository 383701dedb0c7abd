//! Bookkeeping that every branch of the loop uses: ids, events, ends of turns.

use super::approval::ApprovalRequest;
use super::protocol::EffectId;
use super::questions::{CardId, QuestionCard};
use super::record::{
    Counters, Event, EventBody, ModelRecord, NoticeRecord, Outcome, ProposalRecord, ProposalState,
};
use super::run::{Context, Phase, Run};
use crate::llm::Turn;
use crate::transcript::{CallId, Part, ToolResult};

impl Run {
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
    pub(super) fn tell(&mut self, call: &CallId, text: String, is_error: bool) {
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
