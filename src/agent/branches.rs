//! A question asked again in other words. What followed it before is kept beside what follows now, with whatever
//! waited in it, and either can be shown.

use super::protocol::Effect;
use super::record::{EventBody, NoticeRecord, TurnRecord};
use super::run::{Context, Phase, QueuedCall, Run};
use crate::transcript::{Tail as Messages, Transcript};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// A place from which a chat went on in more than one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Fork {
    /// The place of the turn that differs.
    at: usize,
    /// The ways on in the order in which they were asked; `None` stands for the one on show.
    tails: Vec<Option<Box<Tail>>>,
}

/// A way on from a turn that is not on show, for the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OtherBranch {
    /// The place of its first turn in the chat.
    pub at: usize,
    /// Its place among the wordings of that question, from 0.
    pub index: usize,
    pub turns: Vec<TurnRecord>,
    /// Those that go on from its own turns.
    pub branches: Vec<OtherBranch>,
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

    /// All that is not on show, for the record.
    #[must_use]
    pub fn other_branches(&self) -> Vec<OtherBranch> {
        others(&self.forks)
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

/// Whether the question became a message; too long a one, or one without a file, did not, nor did one that came
/// with a file.
fn was_sent(turn: &TurnRecord) -> bool {
    !turn.imported
        && !turn.events.iter().any(|event| {
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

fn others(forks: &[Fork]) -> Vec<OtherBranch> {
    forks
        .iter()
        .flat_map(|fork| {
            let kept = fork.tails.iter().enumerate();
            kept.filter_map(|(index, tail)| {
                let tail = tail.as_ref()?;
                Some(OtherBranch {
                    at: fork.at,
                    index,
                    turns: tail.turns.clone(),
                    branches: others(&tail.forks),
                })
            })
        })
        .collect()
}

/// Forks from what was kept of them, with nothing under way in any branch. `turns` are the places of the turns that
/// they may begin at. `None` where the branches do not fit there or each other.
pub(super) fn forks_of(branches: Vec<OtherBranch>, turns: Range<usize>) -> Option<Vec<Fork>> {
    let mut places: BTreeMap<usize, BTreeMap<usize, OtherBranch>> = BTreeMap::new();
    for branch in branches {
        let fits = turns.contains(&branch.at) && !branch.turns.is_empty();
        let wordings = places.entry(branch.at).or_default();
        if !fits || wordings.insert(branch.index, branch).is_some() {
            return None;
        }
    }
    places
        .into_iter()
        .map(|(at, mut wordings)| {
            let slots = wordings.len() + 1;
            let tails = (0..slots)
                .map(|index| match wordings.remove(&index) {
                    Some(branch) => tail_of(branch).map(|tail| Some(Box::new(tail))),
                    None => Some(None),
                })
                .collect::<Option<Vec<_>>>()?;
            wordings.is_empty().then_some(Fork { at, tails })
        })
        .collect()
}

fn tail_of(branch: OtherBranch) -> Option<Tail> {
    let deeper = branch.at + 1..branch.at + branch.turns.len();
    Some(Tail {
        turns: branch.turns,
        messages: Transcript::default().cut_at_question(0),
        phase: Phase::Idle,
        queue: VecDeque::new(),
        forks: forks_of(branch.branches, deeper)?,
    })
}
