//! A question asked again in other words. What followed it before is kept beside what follows now, with whatever
//! waited in it, and either can be shown.

use super::protocol::Effect;
use super::record::{EventBody, NoticeRecord, TurnRecord};
use super::run::{Context, Phase, QueuedCall, Run};
use crate::transcript::Tail as Messages;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A place from which a chat went on in more than one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Fork {
    /// The place of the turn that differs.
    at: usize,
    /// The ways on in the order in which they were asked; `None` stands for the one on show.
    tails: Vec<Option<Box<Tail>>>,
}

/// All of a chat from one turn on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Tail {
    turns: Vec<TurnRecord>,
    messages: Messages,
    phase: Phase,
    queue: VecDeque<QueuedCall>,
    forks: Vec<Fork>,
}

/// Which of the ways on from a turn is on show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// From 0.
    pub index: usize,
    pub of: usize,
}

impl Run {
    /// The branch that the turn at place `n` begins; `None` where its question was asked in one way only.
    #[must_use]
    pub fn branch(&self, n: usize) -> Option<Branch> {
        let tails = &self.forks.iter().find(|fork| fork.at == n)?.tails;
        Some(Branch {
            index: tails.iter().position(Option::is_none)?,
            of: tails.len(),
        })
    }

    /// The turns that are not on show, branch by branch, for the record.
    #[must_use]
    pub fn other_branches(&self) -> Vec<&[TurnRecord]> {
        let mut found = Vec::new();
        collect(&self.forks, &mut found);
        found
    }

    pub(super) fn ask_again(
        &mut self,
        turn: u64,
        text: &str,
        context: &Context,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let Some(at) = self.place(turn) else {
            return false;
        };
        if self.is_busy() || text.trim().is_empty() || context.schema.is_none() {
            return false;
        }
        let tail = self.cut(at);
        match self.forks.iter_mut().find(|fork| fork.at == at) {
            Some(fork) => {
                put_away(fork, tail);
                fork.tails.push(None);
            }
            None => self.forks.push(Fork {
                at,
                tails: vec![Some(Box::new(tail)), None],
            }),
        }
        self.ask(text, context, effects)
    }

    pub(super) fn show_branch(
        &mut self,
        turn: u64,
        index: usize,
        effects: &mut Vec<Effect>,
    ) -> bool {
        if self.is_busy() {
            return false;
        }
        let Some(at) = self.place(turn) else {
            return false;
        };
        let wanted = self
            .forks
            .iter_mut()
            .find(|fork| fork.at == at)
            .and_then(|fork| fork.tails.get_mut(index))
            .and_then(Option::take);
        let Some(tail) = wanted else {
            return false;
        };
        let shown = self.cut(at);
        if let Some(fork) = self.forks.iter_mut().find(|fork| fork.at == at) {
            // The slot of the wanted tail is empty now too, so that the first empty one may be either.
            put_away_beside(fork, shown, index);
        }
        self.turns.extend(tail.turns);
        self.transcript.graft(tail.messages);
        self.phase = tail.phase;
        self.queue = tail.queue;
        self.forks.extend(tail.forks);
        if self.is_waiting() {
            effects.push(Effect::AskUser);
        }
        true
    }

    fn place(&self, turn: u64) -> Option<usize> {
        self.turns.iter().position(|t| t.id == turn)
    }

    /// Takes everything from that turn on away.
    fn cut(&mut self, at: usize) -> Tail {
        let asked_before = self.turns.iter().take(at).filter(|t| was_sent(t)).count();
        let turns = self.turns.split_off(at.min(self.turns.len()));
        let (forks, deeper) = std::mem::take(&mut self.forks)
            .into_iter()
            .partition(|fork: &Fork| fork.at <= at);
        self.forks = forks;
        Tail {
            turns,
            messages: self.transcript.cut_at_question(asked_before),
            phase: std::mem::take(&mut self.phase),
            queue: std::mem::take(&mut self.queue),
            forks: deeper,
        }
    }
}

/// Whether the question became a message; too long a one, or one without a file, did not.
fn was_sent(turn: &TurnRecord) -> bool {
    !turn.events.iter().any(|event| {
        matches!(
            event.body,
            EventBody::Notice(NoticeRecord::QuestionTooLong { .. } | NoticeRecord::NoFile)
        )
    })
}

fn put_away(fork: &mut Fork, tail: Tail) {
    put_away_beside(fork, tail, usize::MAX);
}

fn put_away_beside(fork: &mut Fork, tail: Tail, except: usize) {
    let slot = fork
        .tails
        .iter_mut()
        .enumerate()
        .find(|(index, slot)| slot.is_none() && *index != except);
    if let Some((_, slot)) = slot {
        *slot = Some(Box::new(tail));
    }
}

fn collect<'a>(forks: &'a [Fork], found: &mut Vec<&'a [TurnRecord]>) {
    for tail in forks.iter().flat_map(|fork| fork.tails.iter().flatten()) {
        found.push(&tail.turns);
        collect(&tail.forks, found);
    }
}
