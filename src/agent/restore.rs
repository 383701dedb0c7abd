//! A run from the record of another one, which anybody may have written. What it says is kept as a record and can
//! never go on by itself: nothing waits in it, nothing runs, and a model is told none of it.

use super::approval::Decision;
use super::branches::{OtherBranch, forks_of};
use super::limits::{
    IMPORT_COLUMNS_MAX, IMPORT_EVENTS_MAX, IMPORT_TEXT_CHARS_MAX, IMPORT_TURNS_MAX, OPTIONS_MAX,
    PREVIEW_CELL_CHARS_MAX, PREVIEW_ROWS_MAX, QUESTION_CHARS_MAX, QUESTIONS_MAX, SQL_BYTES_MAX,
};
use super::questions::CardId;
use super::record::{
    CallOrigin, EventBody, NoticeRecord, Outcome, ProposalRecord, ProposalState, QuestionsRecord,
    ResultRecord, TurnRecord,
};
use super::run::Run;
use crate::engine::{Fingerprint, ResultId};
use crate::sql::{SqlHash, Value, Verdict};
use std::collections::BTreeSet;

/// Why a record is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    #[error("it holds no question")]
    Empty,
    #[error("it holds more {0} than a chat can have")]
    TooMany(&'static str),
    #[error("a text in it is longer than a chat keeps")]
    TooLong,
    #[error("it says that a query ran which was not checked and approved in these very bytes")]
    NotApproved,
    #[error("its parts contradict each other ({0})")]
    Contradiction(&'static str),
}

/// The end of the year 9999, the last that dates are written for.
const TIME_MS_MAX: u64 = 253_402_300_799_999;
/// Milliseconds of a run that are believed.
const RAN_MS_MAX: f64 = 1e9;
/// Calls of one model turn that have a place on the page.
const SLOTS_MAX: usize = 62;
/// Longer than this no blob's beginning is kept.
const BLOB_HEAD_MAX: usize = 64;

impl Run {
    /// # Errors
    /// [`RecordFault`] where the record could not have been written by a chat.
    pub fn of_record(
        file: Option<Fingerprint>,
        mut turns: Vec<TurnRecord>,
        mut branches: Vec<OtherBranch>,
    ) -> Result<Self, RecordFault> {
        let mut intake = Intake::default();
        if turns.is_empty() {
            return Err(RecordFault::Empty);
        }
        if let Some(file) = &file {
            short(&file.name, QUESTION_CHARS_MAX)?;
            short(&file.ends, QUESTION_CHARS_MAX)?;
        }
        intake.turns(&mut turns)?;
        intake.branches(&mut branches)?;
        let forks = forks_of(branches, 0..turns.len())
            .ok_or(RecordFault::Contradiction("wordings of a question"))?;
        Ok(Self {
            file,
            turns,
            ids: intake.ids,
            forks,
            ..Self::default()
        })
    }
}

/// Counts what was taken, and gives it numbers of its own.
#[derive(Default)]
struct Intake {
    ids: u64,
    turns: usize,
}

impl Intake {
    fn id(&mut self) -> u64 {
        self.ids += 1;
        self.ids
    }

    fn branches(&mut self, branches: &mut [OtherBranch]) -> Result<(), RecordFault> {
        for branch in branches {
            self.turns(&mut branch.turns)?;
            self.branches(&mut branch.branches)?;
        }
        Ok(())
    }

    fn turns(&mut self, turns: &mut [TurnRecord]) -> Result<(), RecordFault> {
        self.turns += turns.len();
        if self.turns > IMPORT_TURNS_MAX {
            return Err(RecordFault::TooMany("questions"));
        }
        turns.iter_mut().try_for_each(|turn| self.turn(turn))
    }

    fn turn(&mut self, turn: &mut TurnRecord) -> Result<(), RecordFault> {
        if turn.events.len() > IMPORT_EVENTS_MAX {
            return Err(RecordFault::TooMany("steps"));
        }
        short(&turn.question, QUESTION_CHARS_MAX)?;
        turn.id = self.id();
        turn.imported = true;
        turn.asked_at_ms = turn.asked_at_ms.min(TIME_MS_MAX);
        let ended = turn.ended_at_ms.unwrap_or(turn.asked_at_ms);
        turn.ended_at_ms = Some(ended.min(TIME_MS_MAX));
        turn.outcome = turn.outcome.or(Some(Outcome::Stopped));
        // Which message that was is not in the record, and no message is here.
        turn.translated_from = turn.translated_from.map(|_| 0);
        let models: BTreeSet<usize> = turn
            .events
            .iter()
            .enumerate()
            .filter(|(_, event)| matches!(event.body, EventBody::Model(_)))
            .map(|(place, _)| place)
            .collect();
        let mut origins = BTreeSet::new();
        for (place, event) in turn.events.iter_mut().enumerate() {
            event.at_ms = event.at_ms.min(TIME_MS_MAX);
            if let Some(from) = origin(&mut event.body) {
                let is_known = from.model_event < place
                    && models.contains(&from.model_event)
                    && from.slot < SLOTS_MAX;
                if !is_known || !origins.insert((from.model_event, from.slot)) {
                    return Err(RecordFault::Contradiction("where a call came from"));
                }
                short(&from.call.0, QUESTION_CHARS_MAX)?;
            }
            self.event(&mut event.body)?;
        }
        Ok(())
    }

    fn event(&mut self, body: &mut EventBody) -> Result<(), RecordFault> {
        match body {
            EventBody::Model(model) => {
                short(&model.thought, IMPORT_TEXT_CHARS_MAX)?;
                short(&model.text, IMPORT_TEXT_CHARS_MAX)?;
                all_short(&model.unsupported)
            }
            EventBody::Lookup(lookup) => {
                let texts = [&lookup.tool, &lookup.subject, &lookup.told];
                texts
                    .into_iter()
                    .try_for_each(|t| short(t, IMPORT_TEXT_CHARS_MAX))
            }
            EventBody::Proposal(proposal) => self.proposal(proposal),
            EventBody::Questions(questions) => self.questions(questions),
            EventBody::CannotAnswer { reason, .. } => short(reason, IMPORT_TEXT_CHARS_MAX),
            EventBody::Notice(notice) => notice_fits(notice),
        }
    }

    fn proposal(&mut self, proposal: &mut ProposalRecord) -> Result<(), RecordFault> {
        let phases = &proposal.phases;
        let texts = [
            &phases.reasoning,
            &phases.analysis,
            &phases.error_check,
            &phases.final_check,
        ];
        texts
            .into_iter()
            .try_for_each(|t| short(t, IMPORT_TEXT_CHARS_MAX))?;
        short(&phases.sql, SQL_BYTES_MAX)?;
        proposal.edit_refused = None;
        for check in &mut proposal.checks {
            check.at_ms = check.at_ms.min(TIME_MS_MAX);
            short(&check.sql, SQL_BYTES_MAX)?;
            verdict_fits(&check.verdict)?;
        }
        for decided in &mut proposal.decisions {
            decided.at_ms = decided.at_ms.min(TIME_MS_MAX);
            match &decided.decision {
                Decision::Approve { shown } => hash_fits(shown)?,
                Decision::Edit { sql } => short(sql, SQL_BYTES_MAX)?,
                Decision::Reject { reason } => {
                    short(reason.as_deref().unwrap_or_default(), IMPORT_TEXT_CHARS_MAX)?;
                }
            }
        }
        match &proposal.state {
            // Whatever was under way there is not under way here.
            ProposalState::Checking | ProposalState::Waiting | ProposalState::Running => {
                proposal.state = ProposalState::Cancelled;
            }
            ProposalState::Rejected { reason } => {
                short(reason.as_deref().unwrap_or_default(), IMPORT_TEXT_CHARS_MAX)?;
            }
            ProposalState::Refused { message } | ProposalState::Failed { message } => {
                short(message, IMPORT_TEXT_CHARS_MAX)?;
            }
            ProposalState::Ran | ProposalState::Cancelled => {}
        }
        ran_fits(proposal)?;
        match &mut proposal.result {
            Some(result) => self.result(result),
            None => Ok(()),
        }
    }

    fn result(&mut self, result: &mut ResultRecord) -> Result<(), RecordFault> {
        let meta = &mut result.meta;
        // The engine counts its results anew: an old number could name a new result.
        meta.result = ResultId(self.id());
        meta.ms = meta.ms.clamp(0.0, RAN_MS_MAX);
        if meta.columns.len() > IMPORT_COLUMNS_MAX {
            return Err(RecordFault::TooMany("columns"));
        }
        all_short(&meta.columns)?;
        if result.preview.len() > PREVIEW_ROWS_MAX as usize
            || result.preview.len() as u64 > meta.rows
        {
            return Err(RecordFault::Contradiction("rows of a result"));
        }
        for row in &result.preview {
            if row.len() != meta.columns.len() {
                return Err(RecordFault::Contradiction("columns of a result"));
            }
            row.iter().try_for_each(cell_fits)?;
        }
        Ok(())
    }

    fn questions(&mut self, record: &mut QuestionsRecord) -> Result<(), RecordFault> {
        let card = &mut record.card;
        card.id = CardId(self.id());
        if card.questions.len() > QUESTIONS_MAX {
            return Err(RecordFault::TooMany("questions on a card"));
        }
        short(&card.title, IMPORT_TEXT_CHARS_MAX)?;
        for question in &card.questions {
            if question.options.len() > OPTIONS_MAX {
                return Err(RecordFault::TooMany("options"));
            }
            short(&question.id, IMPORT_TEXT_CHARS_MAX)?;
            short(&question.question, IMPORT_TEXT_CHARS_MAX)?;
            for option in &question.options {
                short(&option.id, IMPORT_TEXT_CHARS_MAX)?;
                short(&option.label, IMPORT_TEXT_CHARS_MAX)?;
            }
        }
        let answers = record.answers.as_deref().unwrap_or_default();
        if answers.len() > QUESTIONS_MAX {
            return Err(RecordFault::TooMany("answers"));
        }
        for answer in answers {
            short(&answer.question, IMPORT_TEXT_CHARS_MAX)?;
            short(
                answer.text.as_deref().unwrap_or_default(),
                IMPORT_TEXT_CHARS_MAX,
            )?;
            all_short(&answer.options)?;
        }
        record.cancelled |= record.answers.is_none() && !record.skipped;
        Ok(())
    }
}

fn origin(body: &mut EventBody) -> Option<&mut CallOrigin> {
    match body {
        EventBody::Lookup(lookup) => Some(&mut lookup.from),
        EventBody::Proposal(proposal) => Some(&mut proposal.from),
        EventBody::Questions(questions) => Some(&mut questions.from),
        EventBody::CannotAnswer { from, .. } => Some(from),
        EventBody::Model(_) | EventBody::Notice(_) => None,
    }
}

/// What ran was allowed and approved, byte for byte, and nothing else has rows.
fn ran_fits(proposal: &ProposalRecord) -> Result<(), RecordFault> {
    let may_have_run = matches!(
        proposal.state,
        ProposalState::Ran | ProposalState::Failed { .. }
    );
    let has_rows = proposal.result.is_some();
    match &proposal.ran {
        None if may_have_run || has_rows => {
            Err(RecordFault::Contradiction("rows without a query that ran"))
        }
        None => Ok(()),
        Some(_) if !may_have_run || has_rows != (proposal.state == ProposalState::Ran) => {
            Err(RecordFault::Contradiction("what became of a query"))
        }
        Some(sql) => {
            short(sql, SQL_BYTES_MAX)?;
            let hash = SqlHash::of(sql);
            let approved = proposal.decisions.iter().any(|d| match &d.decision {
                Decision::Approve { shown } => *shown == hash,
                Decision::Edit { sql: edited } => edited == sql,
                Decision::Reject { .. } => false,
            });
            let checked = proposal.checks.iter().any(|check| {
                check.sql == *sql
                    && matches!(&check.verdict, Verdict::Allow(receipt) if receipt.sql == hash)
            });
            if approved && checked {
                Ok(())
            } else {
                Err(RecordFault::NotApproved)
            }
        }
    }
}

fn short(text: &str, chars_max: usize) -> Result<(), RecordFault> {
    // One more for the sign that a text was cut.
    if text.len() <= chars_max || text.chars().count() <= chars_max + 1 {
        Ok(())
    } else {
        Err(RecordFault::TooLong)
    }
}

fn all_short(texts: &[String]) -> Result<(), RecordFault> {
    texts
        .iter()
        .try_for_each(|t| short(t, IMPORT_TEXT_CHARS_MAX))
}

fn hash_fits(hash: &SqlHash) -> Result<(), RecordFault> {
    let hex = hash.as_hex();
    if hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        Ok(())
    } else {
        Err(RecordFault::Contradiction("a hash"))
    }
}

fn verdict_fits(verdict: &Verdict) -> Result<(), RecordFault> {
    match verdict {
        Verdict::Allow(receipt) => {
            hash_fits(&receipt.sql)?;
            for read in &receipt.reads {
                short(&read.table, IMPORT_TEXT_CHARS_MAX)?;
                all_short(&read.columns)?;
            }
            Ok(())
        }
        Verdict::Deny(denial) => short(&denial.token, SQL_BYTES_MAX),
        Verdict::Invalid { message, hint } => {
            short(message, IMPORT_TEXT_CHARS_MAX)?;
            short(hint.as_deref().unwrap_or_default(), IMPORT_TEXT_CHARS_MAX)
        }
    }
}

fn notice_fits(notice: &NoticeRecord) -> Result<(), RecordFault> {
    match notice {
        NoticeRecord::ModelError(error) => {
            all_short(&error.models)?;
            short(&error.message, IMPORT_TEXT_CHARS_MAX)
        }
        NoticeRecord::TriesExhausted { last_error: text }
        | NoticeRecord::ShapeExhausted { problem: text } => short(text, IMPORT_TEXT_CHARS_MAX),
        NoticeRecord::ModelCallsExhausted { .. }
        | NoticeRecord::ToolCallsExhausted { .. }
        | NoticeRecord::LengthLimit
        | NoticeRecord::Filtered
        | NoticeRecord::Stopped
        | NoticeRecord::QuestionTooLong { .. }
        | NoticeRecord::NoFile => Ok(()),
    }
}

fn cell_fits(value: &Value) -> Result<(), RecordFault> {
    match value {
        Value::Null | Value::Integer(_) | Value::Real(_) => Ok(()),
        Value::Text(text) | Value::TextHead { text, .. } => {
            short(text, PREVIEW_CELL_CHARS_MAX as usize)
        }
        Value::Blob { head, .. } if head.len() > BLOB_HEAD_MAX => Err(RecordFault::TooLong),
        Value::Blob { .. } => Ok(()),
    }
}
