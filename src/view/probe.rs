//! What a test of the endpoint found, in words, with the next step for what is wrong. Never shows a key.

use super::notices;
use super::presets;
use super::texts;
use crate::agent::record::NoticeRecord;
use crate::llm::ModelErrorKind;
use crate::llm::probe::{Check, Finding, Verdict};
use crate::llm::{Protocol, Quirks};
use crate::settings::{Family, Language};
use std::fmt::Write;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProbeView {
    pub running: bool,
    pub rows: Vec<ProbeRow>,
    /// The same as text, to be copied.
    pub report: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ProbeRow {
    pub name: &'static str,
    pub verdict: Verdict,
    pub state: &'static str,
    /// What happened, empty where there is nothing to say.
    pub detail: String,
    /// What to do, empty where nothing is to be done.
    pub next: String,
}

/// What was tested.
#[derive(Debug, Clone, Copy)]
pub struct Tested<'a> {
    pub endpoint: &'a str,
    pub model: &'a str,
    pub family: Family,
    /// The page's own origin, which some servers have to be told.
    pub page: &'a str,
}

#[must_use]
pub fn view(findings: &[Finding], tested: Tested, running: bool, language: Language) -> ProbeView {
    let rows: Vec<ProbeRow> = findings
        .iter()
        .map(|finding| row(finding, tested, language))
        .collect();
    let report = report(&rows, tested);
    ProbeView {
        running,
        rows,
        report,
    }
}

/// Why calls travel in words with an endpoint and model; `None` where they are tool calls.
#[must_use]
pub fn in_words(quirks: &Quirks, language: Language) -> Option<String> {
    let told = texts::of(language).endpoint_more.in_words;
    match quirks.protocol {
        Protocol::Tools => None,
        protocol => Some(told(protocol == Protocol::Json, &quirks.refusal)),
    }
}

fn row(finding: &Finding, tested: Tested, language: Language) -> ProbeRow {
    let texts = texts::of(language).endpoint_more;
    let (mut detail, mut next) = (String::new(), String::new());
    if let Some(error) = &finding.error {
        let notice = notices::notice(&NoticeRecord::ModelError(error.clone()), language);
        detail = notice.text;
        if finding.verdict == Verdict::Bad {
            next = notice.next;
        }
        let kept_out =
            error.kind == ModelErrorKind::Unreachable && finding.check == Check::Reachable;
        let preset = presets::PRESETS
            .iter()
            .find(|preset| presets::same_server(preset.address, tested.endpoint));
        if let Some(remedy) = preset.and_then(|preset| preset.remedy(language))
            && (kept_out || finding.check == Check::Tools)
        {
            let _ = write!(next, " {}", remedy.replace("{page}", tested.page));
        }
    }
    if next.is_empty() && finding.verdict == Verdict::Lacking {
        next = (texts.check_lacking)(finding.check).to_owned();
    }
    ProbeRow {
        name: (texts.check)(finding.check),
        verdict: finding.verdict,
        state: (texts.verdict)(finding.verdict),
        detail,
        next: next.trim().to_owned(),
    }
}

fn report(rows: &[ProbeRow], tested: Tested) -> String {
    // A key in the address is no part of a report.
    let address = tested.endpoint.split(['?', '#']).next().unwrap_or_default();
    let mut text = format!(
        "Assent, connection test\n{address} ({:?})\n{}\nfrom {}\n",
        tested.family, tested.model, tested.page
    );
    for row in rows {
        let _ = write!(text, "- {}: {}", row.name, row.state);
        for more in [&row.detail, &row.next] {
            if !more.is_empty() {
                let _ = write!(text, "; {more}");
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::ModelError;

    #[test]
    fn a_report_names_the_remedy_and_no_query() {
        let finding = Finding {
            check: Check::Reachable,
            verdict: Verdict::Bad,
            error: Some(ModelError::new(ModelErrorKind::Unreachable, "no answer")),
        };
        let tested = Tested {
            endpoint: "http://localhost:11434/api?key=sk-secret",
            model: "m",
            family: Family::Ollama,
            page: "https://page.example",
        };
        for language in [Language::English, Language::Chinese] {
            let view = view(std::slice::from_ref(&finding), tested, false, language);
            let report = view.report;
            assert!(
                report.contains("OLLAMA_ORIGINS=https://page.example"),
                "{report}"
            );
            assert!(!report.contains("sk-secret"));
        }
    }
}
