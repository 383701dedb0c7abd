//! One question handed from a failed endpoint to the built-in translator. The loop does not know what the
//! translator is: only that this question's turns come from there, and from which message on.

use super::protocol::Effect;
use super::record::Counters;
use super::run::{Context, Phase, Run};
use crate::transcript::Message;

impl Run {
    /// Whether the turns of the current question come from the built-in translator, as the person chose.
    #[must_use]
    pub fn is_translated(&self) -> bool {
        self.turns
            .last()
            .is_some_and(|turn| turn.translated_from.is_some())
    }

    /// The messages of the current question for the translator: the person's words, and what came since
    /// the translator took over. What a model had asked for before is not its own.
    #[must_use]
    pub fn since_question(&self) -> Vec<Message> {
        let messages = self.transcript.messages();
        let asked = messages
            .iter()
            .rposition(|m| matches!(m, Message::User { .. }))
            .unwrap_or(0);
        let taken_over = self.turns.last().and_then(|turn| turn.translated_from);
        let from = taken_over.unwrap_or(0).max(asked + 1);
        let question = messages.get(asked).into_iter();
        let later = messages.get(from..).unwrap_or_default();
        question.chain(later).cloned().collect()
    }

    /// The endpoint failed for good, and the person wants the translator's answer.
    pub(super) fn translate(&mut self, context: &Context, effects: &mut Vec<Effect>) -> bool {
        if self.phase != Phase::Failed {
            return false;
        }
        let from = self.transcript.messages().len();
        if let Some(turn) = self.turns.last_mut() {
            turn.translated_from = Some(from);
            turn.outcome = None;
            turn.ended_at_ms = None;
            turn.counters = Counters::default();
        }
        self.call_model(context, effects);
        true
    }
}
