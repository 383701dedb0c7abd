//! What goes into a run and what comes out of it. Everything is plain data, so that a run can be saved
//! between any two of them.

use super::approval::{ApprovalId, Decision};
use super::questions::{Answer, CardId};
use crate::engine::{Fingerprint, QueryError, ResultId, ResultMeta};
use crate::llm::{ModelError, Turn};
use crate::sql::{SqlHash, Value, Verdict};
use serde::{Deserialize, Serialize};

/// What the person does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Op {
    Ask {
        text: String,
    },
    /// Asks the question of that turn again in other words; what followed it before is kept.
    AskAgain {
        turn: u64,
        text: String,
    },
    /// Shows another of the ways on from that turn.
    ShowBranch {
        turn: u64,
        index: usize,
    },
    Decide {
        approval: ApprovalId,
        decision: Decision,
    },
    Answer {
        card: CardId,
        answers: Vec<Answer>,
    },
    /// "Use your best guess."
    SkipQuestions {
        card: CardId,
    },
    /// Ends what is under way; what was written so far is kept.
    Stop,
    /// Sends the last model request again after an error.
    Retry,
    /// After an error: this question goes to the built-in translator instead.
    Translate,
}

/// Names one effect, so that a late answer to an abandoned one can be told apart and dropped.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct EffectId(pub u64);

/// What a run is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Input {
    Op(Op),
    /// A file is open. A chat without questions takes it as its own.
    FileOpened {
        fingerprint: Fingerprint,
    },
    ModelDone {
        effect: EffectId,
        turn: Turn,
        /// Milliseconds until the first word that was not reasoning.
        thought_ms: u64,
    },
    /// `partial` is what had arrived before the failure; `jitter` is a random number in 0..1.
    ModelFailed {
        effect: EffectId,
        error: ModelError,
        partial: Turn,
        jitter: f64,
    },
    Checked {
        effect: EffectId,
        verdict: Verdict,
    },
    Ran {
        effect: EffectId,
        meta: ResultMeta,
        preview: Vec<Vec<Value>>,
    },
    RunFailed {
        effect: EffectId,
        error: QueryError,
    },
    /// The person stopped while the model was writing: what had arrived.
    Stopped {
        partial: Turn,
    },
}

/// What a run wants done. Loading a saved run and calling `resume` gives the pending ones again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Effect {
    /// Send `run.model_request()` after `delay_ms`.
    CallModel {
        effect: EffectId,
        delay_ms: u64,
    },
    /// Judge the statement; run nothing.
    Check {
        effect: EffectId,
        sql: String,
    },
    /// Run exactly this approved statement.
    RunSql {
        effect: EffectId,
        sql: String,
        approved: SqlHash,
        result: ResultId,
    },
    /// Let go of a result that nobody will look at again.
    Release {
        result: ResultId,
    },
    /// Show the pending card.
    AskUser,
    /// Abort whatever is under way for this effect.
    Cancel {
        effect: EffectId,
    },
    Save,
}
