//! What the page shows, as plain data. The driver makes it from a run; `ui` only lays it out.

use super::chart::ChartChoice;
use super::markdown::Block;
use crate::agent::approval::ApprovalId;
use crate::agent::branches::Branch;
use crate::agent::questions::{Answer, QuestionCard};
use crate::engine::{Cap, Finding, ResultId};
use crate::settings::{Family, Language, Privacy, Settings, Theme};
use crate::sql::{Receipt, Schema, SqlHash, Value};
use std::rc::Rc;
use std::sync::Arc;

/// One question of the person and all that followed from it.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnView {
    pub id: u64,
    pub question: String,
    pub items: Vec<Rc<Item>>,
    pub state: TurnState,
    /// Which wording of the question this is, where it was asked in more than one.
    pub branch: Option<Branch>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnState {
    /// The model writes.
    Thinking,
    /// The engine checks or runs.
    Working,
    /// A card waits for the person.
    Waiting,
    Done,
    Stopped,
    Failed,
}

/// `key` is stable while the item lives; a changed item keeps its key.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub key: u64,
    pub body: ItemBody,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ItemBody {
    /// The model's private reasoning. `seconds` once it is over.
    Thought {
        text: String,
        seconds: Option<u64>,
    },
    /// Prose before a tool call, or while it still streams.
    Prose {
        blocks: Vec<Arc<Block>>,
        live: bool,
    },
    /// A look at the schema or a sample.
    Lookup(Lookup),
    /// The five steps of one proposal, its SQL and its card.
    Proposal(Box<Proposal>),
    Questions(Questions),
    /// The final sentence, with the results it speaks of.
    Answer(AnswerView),
    /// "This cannot be answered", with the reason.
    CannotAnswer {
        reason: String,
    },
    Notice(Notice),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    /// The tool's name, e.g. `describe_tables`.
    pub tool: String,
    /// What was looked at, e.g. `orders, customers`.
    pub subject: String,
    pub failed: bool,
    /// What the model was told.
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    pub steps: [Step; 5],
    pub sql: String,
    pub card: CardState,
    pub result: Option<ResultView>,
}

/// A step of the timeline, in the order Reason, Analyse, Query, Check, Final.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub kind: StepKind,
    pub state: StepState,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    Reason,
    Analyse,
    Query,
    Check,
    Final,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepState {
    Waiting,
    Live,
    Done,
    Failed,
}

#[derive(Debug, Clone, PartialEq)]
pub enum CardState {
    /// The model still writes it, or the guard still checks it.
    Forming,
    /// Waits for the person.
    Pending(PendingCard),
    /// Approved by the person; runs, or has run (then the proposal has a result or an error).
    Approved {
        edited_from: Option<String>,
        running: bool,
    },
    Rejected {
        reason: Option<String>,
    },
    /// The guard or SQLite refused it; `message` says why.
    Refused {
        message: String,
    },
    /// SQLite failed while it ran.
    Failed {
        message: String,
    },
    Cancelled,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PendingCard {
    pub id: ApprovalId,
    pub sql: String,
    pub hash: SqlHash,
    pub receipt: Receipt,
    pub edited_from: Option<String>,
    /// Set where the person's last edit was refused: the reason; the card stays open.
    pub edit_refused: Option<String>,
    /// False while the file is not open (after a reload): Approve is off, the card says what to do.
    pub file_open: bool,
    /// True where another tab decides.
    pub read_only: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Questions {
    pub card: QuestionCard,
    /// `None` while it waits.
    pub answers: Option<Vec<Answer>>,
    pub skipped: bool,
    /// True where another tab answers.
    pub read_only: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AnswerView {
    pub blocks: Vec<Arc<Block>>,
    /// Copyable source of the answer.
    pub text: String,
    pub live: bool,
    /// The last result that the answer speaks of.
    pub result: Option<Rc<ResultView>>,
    /// Numbers in the text that stand in no result.
    pub unsupported: Vec<String>,
    /// True where no query ran for this question.
    pub without_rows: bool,
}

/// A result as kept with the chat: its first rows, and its id while the engine still holds all of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultView {
    pub id: ResultId,
    pub sql: String,
    pub columns: Vec<String>,
    pub preview: Vec<Vec<Value>>,
    pub rows: u64,
    pub truncated: bool,
    /// What ended the run early, where that is known.
    pub cap: Option<Cap>,
    pub ms: f64,
    /// True while the engine holds the rows, so that windows can be fetched.
    pub live: bool,
    pub chart: Option<ChartChoice>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    pub tone: Tone,
    /// What happened and why, in the person's language.
    pub text: String,
    /// What to do next, in the person's language.
    pub next: String,
    pub action: Option<NoticeAction>,
    /// Offers the built-in translator for this question.
    pub or_translate: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Info,
    Warning,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeAction {
    Retry,
    OpenSettings,
    OpenFile,
    RestoreChat,
    /// Loads a new version of the page.
    Update,
}

/// The open file, or the way to one.
#[derive(Debug, Clone, PartialEq)]
pub enum FileView {
    None,
    Opening {
        name: String,
    },
    Open {
        name: String,
        bytes: u64,
        schema: Rc<Schema>,
        findings: Vec<Finding>,
        /// Questions that can be answered without a model.
        suggested: Vec<String>,
    },
    /// The chat belongs to a file that is not open now. `other` names a different file that was offered.
    Wanted {
        name: String,
        other: Option<String>,
        /// True where a stored handle can open it with one click.
        reopen: bool,
    },
    Failed {
        name: String,
        finding: Finding,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatEntry {
    pub id: String,
    /// The first question.
    pub title: String,
    /// What the person calls it instead.
    pub name: Option<String>,
    pub file: Option<String>,
    pub updated_ms: u64,
    /// A card waits in it.
    pub waiting: bool,
    pub pinned: bool,
    /// Something of it came as a file and was not witnessed here.
    pub imported: bool,
}

impl ChatEntry {
    /// The person's name for it, or else its first question.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.title)
    }
}

/// A file that was open before and can be opened again by its handle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentFile {
    pub id: String,
    pub name: String,
    pub bytes: u64,
    pub opened_ms: u64,
}

/// Who may go on with the chat on show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChatHold {
    #[default]
    Mine,
    /// Another tab writes it; this one follows along.
    Elsewhere,
    /// Another tab deleted it.
    Deleted,
}

impl ChatHold {
    #[must_use]
    pub fn of(mine: bool) -> Self {
        if mine { Self::Mine } else { Self::Elsewhere }
    }
}

/// The settings form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsForm {
    pub endpoint: String,
    pub model: String,
    pub family: Option<Family>,
    /// Whether a key is held; the key itself never comes back to the form.
    pub has_key: bool,
    /// The origin of the key that is kept under a passphrase.
    pub kept_for: Option<String>,
    /// Origins that the page may reach; empty while any may be.
    pub reach: Vec<String>,
    /// Why calls travel in words with this endpoint and model, where they do.
    pub in_words: Option<String>,
    pub privacy: Privacy,
    pub turn_tokens_max: u64,
    pub chat_tokens_max: u64,
    pub language: Option<Language>,
    pub theme: Theme,
    pub single_keys_off: bool,
}

impl SettingsForm {
    /// What of it is kept between visits.
    #[must_use]
    pub fn settings(self) -> Settings {
        Settings {
            endpoint: self.endpoint,
            model: self.model,
            family: self.family,
            privacy: self.privacy,
            turn_tokens_max: self.turn_tokens_max,
            chat_tokens_max: self.chat_tokens_max,
            language: self.language,
            theme: self.theme,
            single_keys_off: self.single_keys_off,
        }
    }
}

/// Whether the page may reach an endpoint as it is; else it has to be loaded afresh.
#[must_use]
pub fn reaches(reach: &[String], endpoint: &str) -> bool {
    let origin = crate::llm::origin(endpoint);
    reach.is_empty() || origin.is_empty() || reach.contains(&origin)
}

#[cfg(test)]
mod tests {
    use super::reaches;

    #[test]
    fn another_origin_is_not_reached() {
        let reach = ["http://page.test", "https://api.test"].map(str::to_owned);
        for endpoint in [
            "https://api.test/v1",
            "https://API.test",
            "",
            "http://page.test/x",
        ] {
            assert!(reaches(&reach, endpoint), "{endpoint}");
        }
        for endpoint in [
            "http://api.test/v1",
            "https://api.test:8443",
            "https://api.test.evil",
        ] {
            assert!(!reaches(&reach, endpoint), "{endpoint}");
            assert!(reaches(&[], endpoint), "{endpoint}");
        }
    }
}
