//! What the page asks of the driver, and what the driver tells the page.

use super::model::{ChatEntry, ChatHold, FileView, Notice, RecentFile, SettingsForm, TurnView};
use super::probe::ProbeView;
use super::sent::SentRow;
use crate::agent::protocol::Op;
use crate::settings::{Secret, Settings};

/// A person's act. Files and row windows travel beside it, since they are not plain data.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    Op(Op),
    NewChat,
    OpenChat {
        id: String,
    },
    DeleteChat {
        id: String,
    },
    /// Goes on in this tab with the chat that another one holds or deleted.
    TakeChat,
    /// Brings back the chat that was deleted last.
    RestoreChat,
    /// Gives a chat a name of the person's own; an empty one takes it away.
    RenameChat {
        id: String,
        name: String,
    },
    PinChat {
        id: String,
        pinned: bool,
    },
    OpenSample,
    /// Opens the chat's file again through its stored handle.
    ReopenFile,
    CloseFile,
    /// Opens a file of the list of recent ones.
    OpenRecent {
        id: String,
    },
    /// Takes a file out of that list.
    ForgetRecent {
        id: String,
    },
    SaveSettings {
        settings: Settings,
        key: KeyChange,
        keeping: Keeping,
    },
    /// These two change what is stored, whatever the page has read of it so far.
    NextTheme,
    OtherLanguage,
    /// Opens the question for the passphrase of the key that is kept.
    AskUnlock,
    Unlock {
        passphrase: Secret,
    },
    /// Closes that question without an answer.
    LeaveLocked,
    /// Tries tool calls again with an endpoint that was asked for words.
    UseToolCalls,
    /// Saves the chat on show as a file.
    ExportChat(ChatFile),
    /// Asks the endpoint in the form which models it has.
    ListModels {
        settings: Settings,
        key: KeyChange,
    },
    /// Tries out the endpoint in the form, with nothing of the file.
    TestEndpoint {
        settings: Settings,
        key: KeyChange,
    },
    /// Fetches the exact body of a request by its place in the ledger.
    ShowBody {
        at: usize,
    },
}

/// A chat as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatFile {
    /// JSON: all of it, to be kept and imported again.
    Record,
    /// HTML: to be read and printed.
    Report,
}

#[derive(Debug, Clone, PartialEq)]
pub enum KeyChange {
    Keep,
    Set(Secret),
    Forget,
}

/// What becomes of the key beyond this visit.
#[derive(Debug, Clone, PartialEq)]
pub enum Keeping {
    AsIs,
    /// Kept on this device, under this passphrase.
    Under(Secret),
    /// Not kept, and forgotten where it was.
    Not,
}

/// The question for the passphrase of a key that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnlockView {
    pub origin: String,
    pub busy: bool,
    /// Why the last try failed, empty before it.
    pub problem: &'static str,
}

/// What the driver tells the page after each drain.
#[derive(Debug, Clone)]
pub enum Patch {
    /// The whole transcript of a chat.
    Turns {
        chat: String,
        turns: Vec<TurnView>,
    },
    /// One turn changed, or is new.
    Turn(TurnView),
    File(FileView),
    Chats {
        list: Vec<ChatEntry>,
        current: String,
    },
    /// Files that were open before, newest first.
    Recent(Vec<RecentFile>),
    /// Whether the chat on show can be gone on with here.
    Hold(ChatHold),
    Settings(SettingsForm),
    /// True when a question can be asked: a file is open and nothing is under way.
    Ready(bool),
    /// Shown above the composer until dismissed; `None` clears it.
    Banner(Option<Notice>),
    /// `None` closes the question.
    Unlock(Option<UnlockView>),
    Models(Result<Vec<String>, String>),
    /// What a test of the endpoint found so far.
    Probe(ProbeView),
    /// The requests of this chat.
    Ledger(Vec<SentRow>),
    /// The body that was asked for, and its place.
    Body(Option<(usize, String)>),
    /// Bytes sent to the endpoint in this chat, and the tokens of its last turn.
    Sent {
        bytes: u64,
        tokens: u64,
        /// Tokens of the whole chat.
        chat_tokens: u64,
        estimated: bool,
    },
}
