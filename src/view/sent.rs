//! The requests of a chat as rows: where each went and what it was made of. Bodies are fetched one by one.

use crate::llm::Ledger;
use crate::llm::ledger::Split;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentRow {
    /// Its place in the ledger.
    pub at: usize,
    /// Its number in the chat, from 1.
    pub number: u64,
    pub at_ms: u64,
    pub origin: String,
    pub model: String,
    pub bytes: u64,
    pub split: Split,
    /// In and out; `None` until the answer came.
    pub tokens: Option<(u64, u64)>,
    pub estimated: bool,
}

/// The newest first.
#[must_use]
pub fn rows(ledger: &Ledger) -> Vec<SentRow> {
    let rows = ledger.entries().iter().enumerate().rev();
    rows.map(|(at, entry)| SentRow {
        at,
        number: ledger.dropped + at as u64 + 1,
        at_ms: entry.at_ms,
        origin: entry.origin.clone(),
        model: entry.model.clone(),
        bytes: entry.bytes,
        split: entry.split,
        tokens: entry.usage.map(|usage| (usage.input, usage.output)),
        estimated: entry.usage.is_some_and(|usage| usage.estimated),
    })
    .collect()
}
