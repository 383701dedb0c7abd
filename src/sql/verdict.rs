//! What the guard says of one statement. The same verdict judges the model's SQL and the person's edit.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of a statement's exact bytes, in hex. An approval is bound to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SqlHash(String);

impl SqlHash {
    #[must_use]
    pub fn of(sql: &str) -> Self {
        let digest = Sha256::digest(sql.as_bytes());
        Self(digest.iter().map(|b| format!("{b:02x}")).collect())
    }

    #[must_use]
    pub fn as_hex(&self) -> &str {
        &self.0
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Proved to read only.
    Allow(Receipt),
    /// Refused by a rule, before or after SQLite compiled it.
    Deny(Denial),
    /// SQLite itself does not accept it.
    Invalid {
        message: String,
        hint: Option<String>,
    },
}

/// The proof, read from SQLite's compiled program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub sql: SqlHash,
    /// Tables and the columns read of each, views and CTEs resolved to what they read.
    pub reads: Vec<TableRead>,
    /// Instructions in the compiled program, each of which was looked at.
    pub instructions: u32,
    pub warnings: Vec<Warning>,
    /// False where the advisory parser did not understand the statement, so that warnings may be missing.
    pub analysed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRead {
    pub table: String,
    pub columns: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denial {
    pub rule: Rule,
    /// The exact token (or instruction) that broke the rule.
    pub token: String,
    /// Byte offset of the token in the statement, where the rule looked at text.
    pub position: Option<usize>,
}

/// Why a statement is refused, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    Empty,
    TooLong,
    NulByte,
    Unterminated,
    /// More than one statement.
    SeveralStatements,
    /// The first keyword is not SELECT, WITH, VALUES or EXPLAIN of these.
    NotAQuery,
    /// A bound parameter (`?1`, `:name`): nothing would be bound, so it would silently be NULL.
    Parameter,
    /// The compiled program writes or has a side effect.
    Writes,
    /// A function with side effects.
    Function,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Warning {
    /// A double-quoted name that is no column: SQLite takes it as text.
    QuotedText {
        text: String,
    },
    NoLimit,
    CrossJoin,
    /// Columns that are read and whose names look like secrets or personal data, each as `table.column`.
    SensitiveColumns {
        columns: Vec<String>,
    },
}

impl Denial {
    /// The refusal in words that a model can act on.
    #[must_use]
    pub fn for_model(&self) -> String {
        let why = match self.rule {
            Rule::Empty => "the statement is empty",
            Rule::TooLong => "the statement is too long",
            Rule::NulByte => "the statement contains a NUL byte",
            Rule::Unterminated => "a string, name or comment is not closed",
            Rule::SeveralStatements => "only one statement is allowed",
            Rule::NotAQuery => "only SELECT (or WITH … SELECT, VALUES) is allowed",
            Rule::Parameter => "parameters have no value here; write the value itself",
            Rule::Writes => "the statement would write or have a side effect",
            Rule::Function => "that function is not allowed",
        };
        match self.position {
            Some(at) => format!("refused: {why} (at `{}`, byte {at})", self.token),
            None if self.token.is_empty() => format!("refused: {why}"),
            None => format!("refused: {why} (`{}`)", self.token),
        }
    }
}
