//! What happened, turn by turn: the audit trail, and the source of everything that the page shows.
//! Plain data; a saved chat is mostly this.

use super::questions::{Answer, QuestionCard};
use crate::engine::{ResultId, ResultMeta};
use crate::llm::{ModelError, Usage};
use crate::sql::{Value, Verdict};
use crate::transcript::CallId;
use serde::{Deserialize, Serialize};

/// One question of the person and all that followed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    pub id: u64,
    pub question: String,
    pub asked_at_ms: u64,
    pub ended_at_ms: Option<u64>,
    pub outcome: Option<Outcome>,
    pub events: Vec<Event>,
    pub counters: Counters,
    /// The person gave this question to the built-in translator: its turns begin at this message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translated_from: Option<usize>,
    /// It happened elsewhere and came as a file: nothing of it is told to a model or counts as known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub imported: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    Answered,
    CannotAnswer,
    /// A limit, or a model error that waits for Retry.
    Failed,
    Stopped,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    pub model_calls: u32,
    pub tool_calls: u32,
    pub failed_tries: u32,
    pub shape_nudges: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub at_ms: u64,
    pub body: EventBody,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum EventBody {
    /// A model turn ended. Its calls follow as events of their own, which name it.
    Model(ModelRecord),
    Lookup(LookupRecord),
    Proposal(Box<ProposalRecord>),
    Questions(QuestionsRecord),
    CannotAnswer {
        from: CallOrigin,
        reason: String,
    },
    Notice(NoticeRecord),
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelRecord {
    pub thought: String,
    pub thought_ms: u64,
    pub text: String,
    /// True where the text is the turn's answer.
    pub answer: bool,
    /// Numbers of the answer that stand in no row that came back.
    pub unsupported: Vec<String>,
    /// True where the stream ended early and this is what had arrived.
    pub partial: bool,
    pub usage: Option<Usage>,
}

/// Which model event a call came from, and its place in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallOrigin {
    pub call: CallId,
    pub model_event: usize,
    pub slot: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LookupRecord {
    pub from: CallOrigin,
    pub tool: String,
    pub subject: String,
    pub told: String,
    pub failed: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProposalRecord {
    pub from: CallOrigin,
    pub phases: Phases,
    pub checks: Vec<CheckRecord>,
    pub decisions: Vec<DecisionRecord>,
    /// The exact text that ran.
    pub ran: Option<String>,
    pub result: Option<ResultRecord>,
    pub state: ProposalState,
    /// Why the person's last edit was refused, while the card is open.
    pub edit_refused: Option<String>,
}

/// The model's own words around one query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    pub reasoning: String,
    pub analysis: String,
    pub sql: String,
    pub error_check: String,
    pub final_check: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ProposalState {
    Checking,
    Waiting,
    Running,
    Ran,
    Rejected {
        reason: Option<String>,
    },
    /// By the guard or by SQLite before anything ran.
    Refused {
        message: String,
    },
    Failed {
        message: String,
    },
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckRecord {
    pub at_ms: u64,
    pub sql: String,
    pub by_person: bool,
    pub verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionRecord {
    pub at_ms: u64,
    pub decision: super::approval::Decision,
}

/// A result as kept with the chat. `result` lives only as long as the engine that made it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultRecord {
    pub meta: ResultMeta,
    pub preview: Vec<Vec<Value>>,
}

impl ResultRecord {
    #[must_use]
    pub fn id(&self) -> ResultId {
        self.meta.result
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuestionsRecord {
    pub from: CallOrigin,
    pub card: QuestionCard,
    pub answers: Option<Vec<Answer>>,
    pub skipped: bool,
    pub cancelled: bool,
}

/// Things that the loop itself says to the person. The words are in `view::texts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum NoticeRecord {
    /// A model request failed; Retry sends it again.
    ModelError(ModelError),
    TriesExhausted {
        last_error: String,
    },
    ModelCallsExhausted {
        calls: u32,
    },
    ToolCallsExhausted {
        calls: u32,
    },
    /// The model kept sending turns without the shape that was asked for.
    ShapeExhausted {
        problem: String,
    },
    /// The answer was cut at the model's length limit.
    LengthLimit,
    Filtered,
    Stopped,
    QuestionTooLong {
        chars: usize,
    },
    NoFile,
}
