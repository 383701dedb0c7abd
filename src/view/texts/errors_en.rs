//! What went wrong and what to do next, in English.

use crate::engine::Finding;
use crate::llm::{ModelError, ModelErrorKind as Kind};
use crate::view::cells::bytes_text;

pub fn finding(finding: &Finding) -> (String, String) {
    let (cause, next) = match finding {
        Finding::Empty => (
            "The file is empty.".to_owned(),
            "Choose another file, or export the database again.",
        ),
        Finding::NotSqlite { head } => (
            format!("This is not a SQLite database: it begins with “{head}”."),
            "Choose a file that SQLite wrote; its name often ends in .db, .sqlite or .sqlite3.",
        ),
        Finding::Encrypted => (
            "The file looks encrypted: it has no readable SQLite header.".to_owned(),
            "Decrypt it with the program that made it, then open the plain copy.",
        ),
        Finding::Truncated {
            expected_bytes,
            actual_bytes,
        } => (
            format!(
                "The file is cut short: {} of {} are there.",
                bytes_text(*actual_bytes),
                bytes_text(*expected_bytes)
            ),
            "Copy or download it again. What can be read is shown, but rows may be missing.",
        ),
        Finding::Corrupt { message } => (
            format!("The database is damaged: {message}."),
            "Restore it from a backup, or recover it with `sqlite3 broken.db .recover`.",
        ),
        Finding::WalMissing => (
            "The database was in use: its latest changes are in a -wal file that was not opened."
                .to_owned(),
            "Open the .db and the .db-wal file together to see them.",
        ),
        Finding::WalMerged { frames } => (
            format!("The -wal file was read too: {frames} pages of recent changes are included."),
            "Nothing needs to be done. Neither file was changed.",
        ),
        Finding::HotJournal => (
            "A write to the file was interrupted: it may hold half of a change.".to_owned(),
            "Open it once in the program that made it, which repairs it, then open it here.",
        ),
        Finding::Utf16 => (
            "Its texts are stored as UTF-16.".to_owned(),
            "Nothing needs to be done.",
        ),
        Finding::MissingModule { module, tables } => (
            format!(
                "{} cannot be read: the extension “{module}” is missing here.",
                tables.join(", ")
            ),
            "All other tables can be used.",
        ),
        Finding::BrokenView { view, message } => (
            format!("The view {view} does not work: {message}."),
            "All other tables can be used.",
        ),
        Finding::Unreadable { message } => (
            format!("The browser cannot read the file: {message}."),
            "Check that it still exists and may be read, then open it again.",
        ),
        Finding::EngineFailed { message } => (
            format!("SQLite could not be started: {message}."),
            "Reload the page. If that does not help, try another browser.",
        ),
    };
    (cause, next.to_owned())
}

pub fn model_error(error: &ModelError) -> (String, String) {
    let (cause, next) = match error.kind {
        Kind::Unreachable => (
            "The endpoint did not answer: it is not running, the address is wrong, or it does not allow this page (CORS).",
            "Check that it runs and that its address in Settings is right. Ollama needs OLLAMA_ORIGINS to name this page.",
        ),
        Kind::MixedContent => (
            "The browser does not let an https page call an http address.",
            "Use an https endpoint, or open this page from http://localhost.",
        ),
        Kind::Unauthorised => (
            "The endpoint does not accept the API key.",
            "Put a valid key into Settings, then try again.",
        ),
        Kind::Forbidden => (
            "The endpoint does not allow this request for your key.",
            "Check what your account may use, or choose another model in Settings.",
        ),
        Kind::ModelNotFound => (
            "The endpoint does not know this model.",
            "Choose one with “List models” in Settings.",
        ),
        Kind::WrongAddress => (
            "The address answers, but not as a chat endpoint.",
            "Check it in Settings; it usually ends in /v1.",
        ),
        Kind::RateLimited => (
            "The endpoint asks for fewer requests.",
            "Wait a little, then try again.",
        ),
        Kind::QuotaExceeded => (
            "The quota or credit of your account is used up.",
            "Top it up at the provider, or use another endpoint.",
        ),
        Kind::ContextTooLong => (
            "The chat is longer than the model can read.",
            "Start a new chat, or use a model with a larger context.",
        ),
        Kind::ContentFiltered => (
            "The endpoint's filter stopped the answer.",
            "Put the question differently.",
        ),
        Kind::Loading => (
            "The server is still loading the model.",
            "Wait a little, then try again.",
        ),
        Kind::Overloaded => (
            "The endpoint is overloaded.",
            "Wait a little, then try again.",
        ),
        Kind::Server => (
            "The endpoint failed on its side.",
            "Try again. If it goes on, look at the provider's status page or the server's log.",
        ),
        Kind::NotJson => (
            "The endpoint answered with a web page instead of data.",
            "Check the address in Settings; a proxy or a login page may stand in between.",
        ),
        Kind::Cut => (
            "The answer broke off on the way.",
            "What arrived is kept. Try again.",
        ),
        Kind::Malformed => (
            "The endpoint's answer made no sense.",
            "Try again, or use another model or endpoint.",
        ),
        Kind::BadParameter | Kind::BadRequest => (
            "The endpoint does not accept the request.",
            "Check the model and the address in Settings.",
        ),
        Kind::NoTools => (
            "This model cannot call tools, which answering needs.",
            "Choose a model with tool calling in Settings.",
        ),
        Kind::Redirected => (
            "The endpoint sends requests on to another address.",
            "Put the final address into Settings.",
        ),
        Kind::BudgetSpent => (
            "Your cap on tokens is reached.",
            "Retry to go on, or change the cap in Settings.",
        ),
        Kind::NotConfigured => (
            "No endpoint is configured yet.",
            "Open Settings and say where your model runs.",
        ),
    };
    (super::with_detail(cause, error), next.to_owned())
}
