//! A chat as one HTML file to read, print and hand on: no script, nothing from elsewhere, every text escaped. Reads the
//! record alone, so that it says what happened and not what a page showed.

mod figure;
mod html;
mod prose;
mod query;
mod turn;
mod words;

use super::cells::{bytes_text, count_text};
use super::chart::points::date_text;
use super::texts::{self, Texts};
use crate::agent::branches::OtherBranch;
use crate::agent::record::{EventBody, ProposalState, TurnRecord};
use crate::agent::run::Run;
use crate::llm::Ledger;
use crate::settings::Language;
use html::{Html, policy_hash};
use std::collections::BTreeSet;
use words::{Words, words};

const TOKENS: &str = include_str!("../../../style/tokens.css");
const STYLE: &str = include_str!("report.css");

/// What a report is made of.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    pub title: &'a str,
    pub run: &'a Run,
    pub ledger: &'a Ledger,
    pub sent_bytes: u64,
    /// Milliseconds since 1970-01-01 UTC.
    pub now_ms: u64,
    pub language: Language,
}

/// What every part of the report needs.
struct Writer {
    html: Html,
    w: &'static Words,
    t: &'static Texts,
    language: Language,
    /// Queries that were written, for their numbers.
    queries: u64,
}

/// The whole document.
#[must_use]
pub fn html(report: &Report) -> String {
    let mut writer = Writer {
        html: Html::default(),
        w: words(report.language),
        t: texts::of(report.language),
        language: report.language,
        queries: 0,
    };
    let title = if report.title.trim().is_empty() {
        writer.t.untitled_chat
    } else {
        report.title
    };
    let style = format!("{TOKENS}\n{STYLE}");
    let mut head = Html::default();
    head.within("head", &[], |h| {
        let policy = format!(
            "default-src 'none'; style-src '{}'; base-uri 'none'; form-action 'none'",
            policy_hash(&style)
        );
        h.empty("meta", &[("charset", "utf-8")]);
        h.empty(
            "meta",
            &[
                ("http-equiv", "Content-Security-Policy"),
                ("content", &policy),
            ],
        );
        let viewport = "width=device-width, initial-scale=1";
        h.empty("meta", &[("name", "viewport"), ("content", viewport)]);
        h.empty("meta", &[("name", "referrer"), ("content", "no-referrer")]);
        h.within("title", &[], |h| h.plain(&format!("{title} · Assent")));
        h.style(&style);
    });
    writer.body(report, title);
    let mut whole = Html::default();
    whole.within("html", &[("lang", writer.w.language)], |h| {
        h.append(head);
        h.append(writer.html);
    });
    whole.document()
}

impl Writer {
    fn within(
        &mut self,
        tag: &'static str,
        attributes: html::Attributes,
        inside: impl FnOnce(&mut Self),
    ) {
        self.html.begin(tag, attributes);
        inside(self);
        self.html.end(tag);
    }

    fn class(&mut self, tag: &'static str, class: &str, inside: impl FnOnce(&mut Self)) {
        self.within(tag, &[("class", class)], inside);
    }

    fn leaf(&mut self, tag: &'static str, class: &str, text: &str) {
        self.html.leaf(tag, &[("class", class)], text);
    }

    fn body(&mut self, report: &Report, title: &str) {
        self.within("body", &[], |r| {
            r.class("header", "head", |r| r.head(report, title));
            r.within("main", &[], |r| {
                for (n, turn) in report.run.turns().iter().enumerate() {
                    r.turn(turn, n + 1);
                }
                let branches = report.run.other_branches();
                if !branches.is_empty() {
                    r.class("section", "wordings", |r| {
                        r.leaf("h2", "part", r.w.other_wordings);
                        r.branches(&branches);
                    });
                }
            });
            r.class("footer", "about", |r| {
                r.leaf("h2", "part", r.w.about);
                for text in [
                    r.w.about_run,
                    r.w.about_hashes,
                    r.w.about_rows_hash,
                    r.w.about_file_hash,
                    r.w.about_hidden,
                ] {
                    r.html.leaf("p", &[], text);
                }
            });
        });
    }

    fn head(&mut self, report: &Report, title: &str) {
        self.class("p", "kicker", |r| {
            r.html.leaf("strong", &[], "Assent");
            r.html.leaf("span", &[], r.w.kicker);
        });
        self.html.leaf("h1", &[("dir", "auto")], title);
        self.class("dl", "facts", |r| {
            match report.run.file() {
                Some(file) => {
                    r.fact(
                        r.w.file,
                        &format!("{} · {}", file.name, bytes_text(file.bytes)),
                    );
                    r.hash_fact(r.w.file_hash, &file.ends);
                }
                None => r.fact(r.w.file, r.w.no_file),
            }
            r.fact(r.w.saved, &stamp(report.now_ms));
            let turns = report.run.turns();
            r.fact(r.w.questions, &count_text(turns.len() as u64));
            r.fact(r.w.queries, &queries(turns, r.w));
            r.fact(r.w.sent, &sent(report, r.w));
        });
    }

    fn fact(&mut self, name: &str, value: &str) {
        self.within("div", &[], |r| {
            r.html.leaf("dt", &[], name);
            r.html.leaf("dd", &[], value);
        });
    }

    fn hash_fact(&mut self, name: &str, hash: &str) {
        self.within("div", &[], |r| {
            r.html.leaf("dt", &[], name);
            r.within("dd", &[], |r| r.leaf("code", "hash", hash));
        });
    }

    fn time(&mut self, ms: u64) {
        let text = stamp(ms);
        let machine = text.replacen(' ', "T", 1).replace(" UTC", "Z");
        self.html.leaf("time", &[("datetime", &machine)], &text);
    }

    fn branches(&mut self, branches: &[OtherBranch]) {
        for branch in branches {
            let (n, of) = (branch.index + 1, branch.at + 1);
            let name = (self.w.wording)(&n.to_string(), &of.to_string());
            self.class("section", "wording", |r| {
                r.leaf("h2", "part", &name);
                for (i, turn) in branch.turns.iter().enumerate() {
                    r.turn(turn, branch.at + i + 1);
                }
            });
            self.branches(&branch.branches);
        }
    }
}

/// Milliseconds since 1970 as `2025-01-31 12:34:56 UTC`.
fn stamp(ms: u64) -> String {
    #[expect(
        clippy::cast_precision_loss,
        reason = "days are far below 2^53 for any date that has four digits"
    )]
    let day = date_text((ms - ms % 86_400_000) as f64);
    let seconds = ms / 1000 % 86_400;
    format!(
        "{day} {:02}:{:02}:{:02} UTC",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

fn queries(turns: &[TurnRecord], w: &Words) -> String {
    let (mut ran, mut rejected, mut other) = (0_u64, 0_u64, 0_u64);
    for event in turns.iter().flat_map(|turn| &turn.events) {
        if let EventBody::Proposal(proposal) = &event.body {
            match proposal.state {
                _ if proposal.ran.is_some() => ran += 1,
                ProposalState::Rejected { .. } => rejected += 1,
                _ => other += 1,
            }
        }
    }
    let [ran, rejected, other] = [ran, rejected, other].map(count_text);
    (w.queries_of)(&ran, &rejected, &other)
}

fn sent(report: &Report, w: &Words) -> String {
    let entries = report.ledger.entries();
    let origins: BTreeSet<&str> = entries.iter().map(|e| e.about().origin).collect();
    if origins.is_empty() {
        return w.sent_nothing.to_owned();
    }
    let origins: Vec<&str> = origins.into_iter().collect();
    (w.sent_of)(
        &bytes_text(report.sent_bytes),
        &count_text(entries.len() as u64 + report.ledger.dropped),
        &origins.join(", "),
    )
}
