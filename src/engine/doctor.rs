//! The file doctor: what the first bytes and the size of a file tell before SQLite sees it, and what
//! SQLite's own quick check tells afterwards. Knows bytes, not files.

use super::protocol::Finding;
use super::sqlite::{Sqlite, SqliteError, rows};
use super::wal::Overlay;

/// Bytes from the start of the file that the doctor wants to see.
pub const HEAD_BYTES: usize = 64 * 1024;

/// Files up to this size are checked whole when they are opened: a few tens of milliseconds.
pub const QUICK_CHECK_BYTES_MAX: u64 = 8 * 1024 * 1024;

const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// What was found, and which bytes to present differently so that the rest of the file can be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Examination {
    pub findings: Vec<Finding>,
    pub patches: Vec<Patch>,
    /// The size to show to SQLite. More than the file has where it is cut off: what is missing reads as
    /// zeros, so that only the tables in it are damaged. SQLite would refuse the file as a whole.
    pub shown_bytes: u64,
}

/// Bytes that SQLite is shown in place of the file's own. The file itself is never written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    pub offset: u64,
    pub bytes: Vec<u8>,
}

/// Looks at the first bytes (at most [`HEAD_BYTES`]) and the size of a database file, and at what came with it.
/// Where pages of the log lie over the file, `head` has them too.
#[must_use]
pub fn examine(head: &[u8], file_bytes: u64, beside: &Beside) -> Examination {
    let fatal = |finding| Examination {
        findings: vec![finding],
        patches: Vec::new(),
        shown_bytes: file_bytes,
    };
    if file_bytes == 0 {
        return fatal(Finding::Empty);
    }
    if !head.starts_with(MAGIC) {
        return fatal(if looks_encrypted(head) {
            Finding::Encrypted
        } else {
            Finding::NotSqlite {
                head: printable(head),
            }
        });
    }
    let mut found = Examination {
        shown_bytes: file_bytes,
        ..Examination::default()
    };
    match &beside.log {
        Log::Pages(overlay) => found.merge(overlay, file_bytes),
        Log::None | Log::Useless => found.truncation(head, file_bytes),
    }
    if head.get(18) == Some(&2) || head.get(19) == Some(&2) {
        if beside.log == Log::None {
            found.findings.push(Finding::WalMissing);
        }
        found.patches.push(Patch {
            offset: 18,
            bytes: vec![1, 1],
        });
    }
    if beside.hot_journal {
        found.findings.push(Finding::HotJournal);
    }
    if matches!(be32(head, 56), Some(2 | 3)) {
        found.findings.push(Finding::Utf16);
    }
    found
}

/// The files that lay beside the database and were opened with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside {
    pub log: Log,
    pub hot_journal: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Log {
    /// No `-wal` came along.
    #[default]
    None,
    /// One came along, and SQLite would find nothing to take from it.
    Useless,
    Pages(Overlay),
}

/// Whether a rollback journal that begins with these bytes holds a change that was not finished: SQLite
/// clears or zeroes the journal of a finished one.
#[must_use]
pub fn is_hot_journal(head: &[u8]) -> bool {
    head.first().is_some_and(|byte| *byte != 0)
}

impl Examination {
    fn merge(&mut self, overlay: &Overlay, file_bytes: u64) {
        self.shown_bytes = overlay.database_bytes();
        let missing = overlay.missing_bytes(file_bytes);
        if missing > 0 {
            self.findings.push(Finding::Truncated {
                expected_bytes: self.shown_bytes,
                actual_bytes: self.shown_bytes - missing,
            });
        }
        self.findings.push(Finding::WalMerged {
            frames: overlay.frames(),
        });
    }

    /// The header's page count against the size.
    fn truncation(&mut self, head: &[u8], actual_bytes: u64) {
        let page_bytes = match head.get(16..18) {
            Some([0, 1]) => 65_536,
            Some([high, low]) => u64::from(*high) << 8 | u64::from(*low),
            _ => 0,
        };
        let count_is_valid = be32(head, 24).is_some() && be32(head, 24) == be32(head, 92);
        let pages = u64::from(be32(head, 28).unwrap_or(0));
        let expected_bytes = pages * page_bytes;
        if page_bytes < 512 || !count_is_valid || expected_bytes <= actual_bytes {
            return;
        }
        self.findings.push(Finding::Truncated {
            expected_bytes,
            actual_bytes,
        });
        self.shown_bytes = expected_bytes;
    }
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(field.try_into().ok()?))
}

/// Compressed and media files look as random as encrypted ones; these say what they are.
const KNOWN_FORMATS: &[&[u8]] = &[
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"7z\xbc\xaf",
    b"Rar!",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"%PDF",
    b"BZh",
    b"\xfd7zXZ",
    b"\x7fELF",
];

/// Fewer bytes than this cannot be told from noise.
const ENTROPY_BYTES_MIN: usize = 1_024;

/// Random bytes reach almost 8 bits each; text stays below 6, tables of numbers below 7.
const ENTROPY_BITS_MIN: f64 = 7.5;

fn looks_encrypted(head: &[u8]) -> bool {
    head.len() >= ENTROPY_BYTES_MIN
        && !KNOWN_FORMATS.iter().any(|magic| head.starts_with(magic))
        && entropy_bits(head) > ENTROPY_BITS_MIN
}

/// Shannon entropy in bits per byte.
#[expect(
    clippy::cast_precision_loss,
    reason = "a file's head has far fewer than 2^53 bytes"
)]
fn entropy_bits(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = bytes.len() as f64;
    counts
        .iter()
        .filter(|c| **c > 0)
        .map(|c| f64::from(*c) / total)
        .map(|p| -p * p.log2())
        .sum()
}

/// Enough to recognise what the file is.
const HEAD_CHARS: usize = 32;

fn printable(head: &[u8]) -> String {
    let start = head.get(..HEAD_CHARS).unwrap_or(head);
    String::from_utf8_lossy(start)
        .chars()
        .map(|c| if c.is_control() { '·' } else { c })
        .collect()
}

/// Complaints of the check that are about the rows, not about the file.
const ABOUT_DATA: &[&str] = &[
    "NULL value in",
    "CHECK constraint failed",
    "non-unique entry",
    "NUMERIC value in",
    "TEXT value in",
    "non-INT value in",
    "non-INTEGER value in",
    "non-REAL value in",
    "non-TEXT value in",
    "non-BLOB value in",
    "non-NUMERIC value in",
];

/// More complaints say nothing new.
const COMPLAINTS_MAX: u32 = 20;

/// Lets SQLite look over the whole file, where it is small. One finding at most.
///
/// # Errors
/// Only where the file cannot be read any more.
pub fn quick_check<S: Sqlite>(db: &mut S, file_bytes: u64) -> Result<Option<Finding>, SqliteError> {
    if file_bytes > QUICK_CHECK_BYTES_MAX {
        return Ok(None);
    }
    let sql = format!("PRAGMA quick_check({COMPLAINTS_MAX})");
    let complaints = match rows(db, &sql, |row| row.text(0)) {
        Ok(complaints) => complaints,
        Err(SqliteError::Database { message, .. }) => vec![message],
        Err(error) => return Err(error),
    };
    let damage = complaints
        .into_iter()
        .find(|c| c != "ok" && !ABOUT_DATA.iter().any(|data| c.contains(data)));
    Ok(damage.map(|message| Finding::Corrupt { message }))
}
