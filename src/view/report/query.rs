//! One query: its exact text, who decided what and when, what it read, and its rows.

use super::Writer;
use super::html::{Html, sha256_hex};
use crate::agent::approval::Decision;
use crate::agent::record::{
    CheckRecord, DecisionRecord, Phases, ProposalRecord, ProposalState, ResultRecord,
};
use crate::sql::{Receipt, SqlHash, Value, Verdict};
use crate::view::cells::{self, count_text};
use crate::view::highlight::tokens;
use serde::Serialize;

/// SQL with colours; its text is the statement, with what hides shown by name.
pub fn sql_text(html: &mut Html, sql: &str) {
    let attributes = [("class", "sql"), ("translate", "no"), ("tabindex", "0")];
    html.within("pre", &attributes, |h| {
        h.within("code", &[], |h| {
            for (kind, piece) in tokens(sql) {
                match kind.name() {
                    "" => h.text(piece),
                    name => h.leaf("span", &[("data-token", name)], piece),
                }
            }
        });
    });
}

/// What happened to a proposal, for its line of history.
enum Step<'a> {
    Checked(&'a CheckRecord),
    Decided(&'a DecisionRecord),
}

impl Writer {
    pub(super) fn query(&mut self, record: &ProposalRecord, proposed_at_ms: u64) {
        self.queries += 1;
        let number = self.queries;
        let text = text_of(record).to_owned();
        self.class("section", "query", |r| {
            r.class("div", "query-head", |r| {
                let name = (r.w.query)(&count_text(number));
                r.leaf("h3", "part", &name);
                let (state, tone) = r.state(record);
                r.html
                    .leaf("span", &[("class", "state"), ("data-tone", tone)], state);
            });
            if record.phases != Phases::default() {
                r.folded(r.w.reasoning, |r| r.phases(&record.phases));
            }
            sql_text(&mut r.html, &text);
            r.class("dl", "hashes", |r| {
                r.hash_fact(r.w.sql_hash, SqlHash::of(&text).as_hex());
            });
            if record.ran.is_none() {
                r.leaf("p", "note", r.w.nothing_ran);
            }
            if text != record.phases.sql && !record.phases.sql.is_empty() {
                r.folded(r.w.model_text, |r| {
                    sql_text(&mut r.html, &record.phases.sql)
                });
            }
            r.history(record, &text, proposed_at_ms);
            if let Some(receipt) = receipt_of(record, &text) {
                r.receipt(receipt);
            }
            if let Some(result) = &record.result {
                r.result(result, number);
            }
        });
    }

    fn state(&self, record: &ProposalRecord) -> (&'static str, &'static str) {
        match &record.state {
            ProposalState::Ran => (self.w.ran, "safe"),
            ProposalState::Rejected { .. } => (self.w.state_rejected, "danger"),
            ProposalState::Refused { .. } => (self.t.refused, "danger"),
            ProposalState::Failed { .. } => (self.t.query_failed, "danger"),
            ProposalState::Cancelled => (self.t.cancelled, "plain"),
            ProposalState::Checking | ProposalState::Waiting | ProposalState::Running => {
                (self.w.undecided, "plain")
            }
        }
    }

    fn phases(&mut self, phases: &Phases) {
        for (name, text) in [
            (self.w.error_check, &phases.error_check),
            (self.w.reason, &phases.reasoning),
            (self.w.analysis, &phases.analysis),
            (self.w.final_check, &phases.final_check),
        ] {
            if !text.is_empty() {
                self.html.leaf("h4", &[], name);
                self.html
                    .leaf("p", &[("class", "as-written"), ("dir", "auto")], text);
            }
        }
    }

    fn history(&mut self, record: &ProposalRecord, text: &str, proposed_at_ms: u64) {
        let checks = record.checks.iter().map(|c| (c.at_ms, Step::Checked(c)));
        let decisions = record.decisions.iter().map(|d| (d.at_ms, Step::Decided(d)));
        // A check is answered before anybody decides, and an edit before it is checked: only times tell.
        let mut steps: Vec<(u64, Step)> = checks.chain(decisions).collect();
        steps.sort_by_key(|(at, _)| *at);
        self.html.leaf("h4", &[], self.w.history);
        self.class("ol", "history", |r| {
            r.step(proposed_at_ms, |r| r.html.text(r.w.proposed));
            for (at, step) in steps {
                r.step(at, |r| match step {
                    Step::Checked(check) => r.checked(check),
                    Step::Decided(decided) => r.decided(&decided.decision, text),
                });
            }
            if let ProposalState::Failed { message } = &record.state {
                r.within("li", &[], |r| {
                    r.html.text(r.t.query_failed);
                    r.html.text(": ");
                    r.html.text(message);
                });
            }
        });
    }

    fn step(&mut self, at_ms: u64, inside: impl FnOnce(&mut Self)) {
        self.within("li", &[], |r| {
            r.time(at_ms);
            r.within("div", &[], inside);
        });
    }

    fn checked(&mut self, check: &CheckRecord) {
        match &check.verdict {
            Verdict::Allow(_) => self.html.text(self.w.allowed),
            Verdict::Deny(denial) => self.because(self.w.denied, &denial.for_model()),
            Verdict::Invalid { message, .. } => self.because(self.w.denied, message),
        }
    }

    fn because(&mut self, what: &str, why: &str) {
        self.html.text(what);
        self.html.text(" ");
        self.html.leaf("q", &[("dir", "auto")], why);
    }

    fn decided(&mut self, decision: &Decision, text: &str) {
        match decision {
            Decision::Approve { shown } if *shown == SqlHash::of(text) => {
                self.html.leaf("strong", &[], self.w.approved);
            }
            Decision::Approve { shown } => {
                self.html.text(self.w.approved_other);
                self.html.text(" ");
                self.leaf("code", "hash", shown.as_hex());
            }
            Decision::Edit { sql } if sql == text => {
                self.html.leaf("strong", &[], self.w.edited);
            }
            Decision::Edit { sql } => {
                self.html.text(self.w.edited_other);
                sql_text(&mut self.html, sql);
            }
            Decision::Reject { reason } => {
                self.html.leaf("strong", &[], self.w.rejected);
                if let Some(reason) = reason {
                    self.html.text(" ");
                    self.html.leaf("q", &[("dir", "auto")], reason);
                }
            }
        }
    }

    fn receipt(&mut self, receipt: &Receipt) {
        self.class("div", "receipt", |r| {
            r.within("p", &[], |r| {
                r.html.leaf("strong", &[], r.t.proved_read_only);
                r.html.text(" · ");
                let count = count_text(u64::from(receipt.instructions));
                r.html.text(&(r.t.receipt_instructions)(&count));
            });
            if receipt.reads.is_empty() {
                r.html.leaf("p", &[], r.t.reads_nothing);
            } else {
                r.html.leaf("h4", &[], r.t.reads);
                r.within("ul", &[("translate", "no")], |r| {
                    for read in &receipt.reads {
                        r.within("li", &[], |r| {
                            r.html.leaf("code", &[], &read.table);
                            r.html.text(" ");
                            r.html.text(&read.columns.join(", "));
                        });
                    }
                });
            }
            for warning in &receipt.warnings {
                let text = (r.t.warning)(warning);
                r.leaf("p", "note warning", &text);
            }
            if !receipt.analysed {
                r.leaf("p", "note", r.t.receipt_not_analysed);
            }
        });
    }

    fn result(&mut self, result: &ResultRecord, query: u64) {
        let (shown, all) = (result.preview.len() as u64, result.meta.rows);
        self.class("section", "rows", |r| {
            let about = match (shown, all) {
                (0, 0) => r.w.no_rows.to_owned(),
                (1, 1) => (r.t.rows)(1),
                _ if shown == all => (r.w.all_rows)(&(r.t.rows)(all)),
                _ => (r.w.first_rows)(&count_text(shown), &count_text(all)),
            };
            r.leaf("h3", "part", r.w.result);
            r.within("p", &[("class", "when")], |r| {
                r.html
                    .text(&format!("{about} · {}", (r.t.took)(result.meta.ms)));
            });
            if result.meta.truncated {
                let text = (r.t.truncated)(result.meta.cap, &count_text(all));
                r.leaf("p", "note warning", &text);
            }
            if shown == 0 {
                return;
            }
            r.figure(&result.meta.columns, &result.preview, shown < all);
            let caption = (r.w.table_of)(&count_text(query));
            r.table(&result.meta.columns, &result.preview, &caption);
            if let Some(hash) = rows_hash(&result.meta.columns, &result.preview) {
                r.class("dl", "hashes", |r| r.hash_fact(r.w.rows_hash, &hash));
            }
        });
    }

    fn table(&mut self, columns: &[String], rows: &[Vec<Value>], caption: &str) {
        self.within("div", &[("class", "scroll"), ("tabindex", "0")], |r| {
            r.within("table", &[], |r| {
                r.html.leaf("caption", &[], caption);
                r.within("thead", &[], |r| {
                    r.within("tr", &[], |r| {
                        for (at, column) in columns.iter().enumerate() {
                            let kind = kind_of(rows, at);
                            let attributes = [("scope", "col"), ("data-kind", kind)];
                            r.html.leaf("th", &attributes, column);
                        }
                    });
                });
                r.within("tbody", &[], |r| {
                    for row in rows {
                        r.within("tr", &[], |r| {
                            for value in row {
                                let cell = cells::cell(value);
                                let attributes = [("data-kind", cell.kind.name()), ("dir", "auto")];
                                r.html.leaf("td", &attributes, &cell.text);
                            }
                        });
                    }
                });
            });
        });
    }
}

/// The text that ran, or that was last to be decided.
fn text_of(record: &ProposalRecord) -> &str {
    let last = || record.checks.last().map(|check| check.sql.as_str());
    match &record.ran {
        Some(ran) => ran,
        None => last().unwrap_or(&record.phases.sql),
    }
}

fn receipt_of<'a>(record: &'a ProposalRecord, text: &str) -> Option<&'a Receipt> {
    let hash = SqlHash::of(text);
    record
        .checks
        .iter()
        .rev()
        .find_map(|check| match &check.verdict {
            Verdict::Allow(receipt) if receipt.sql == hash => Some(receipt),
            _ => None,
        })
}

/// Of a column, as its first value that is not NULL.
fn kind_of(rows: &[Vec<Value>], column: usize) -> &'static str {
    rows.iter()
        .filter_map(|row| row.get(column))
        .find(|value| !value.is_null())
        .map_or("null", |value| cells::cell(value).kind.name())
}

fn rows_hash(columns: &[String], rows: &[Vec<Value>]) -> Option<String> {
    #[derive(Serialize)]
    struct Hashed<'a> {
        columns: &'a [String],
        rows: &'a [Vec<Value>],
    }
    let json = serde_json::to_vec(&Hashed { columns, rows }).ok()?;
    Some(sha256_hex(&json))
}
