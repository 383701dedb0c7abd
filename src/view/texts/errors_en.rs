//! What went wrong and what to do next, in English.

use crate::engine::Finding;
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
