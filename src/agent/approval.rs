//! Approval as a value: a request that waits in the saved state, and the person's decision.
//! An approval binds to the exact bytes that were shown.

use crate::sql::{Receipt, SqlHash};
use serde::{Deserialize, Serialize};

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct ApprovalId(pub u64);

/// A checked statement that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRequest {
    pub id: ApprovalId,
    /// The exact text that will run.
    pub sql: String,
    pub receipt: Receipt,
    /// The model's text, where the person edited it before the check.
    pub edited_from: Option<String>,
    pub asked_at_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Decision {
    /// `shown` is the hash of the text on the card; anything else is not approved.
    Approve {
        shown: SqlHash,
    },
    /// Judged like the model's own SQL, then asked again unless it is allowed: the edit itself is the approval
    /// of exactly these bytes.
    Edit {
        sql: String,
    },
    Reject {
        reason: Option<String>,
    },
}
