use super::*;

fn findings() -> Vec<Finding> {
    let text = || "x".to_owned();
    vec![
        Finding::Empty,
        Finding::NotSqlite { head: text() },
        Finding::Encrypted,
        Finding::Truncated {
            expected_bytes: 2,
            actual_bytes: 1,
        },
        Finding::Corrupt { message: text() },
        Finding::WalMissing,
        Finding::WalMerged { frames: 3 },
        Finding::HotJournal,
        Finding::Utf16,
        Finding::MissingModule {
            module: text(),
            tables: vec![text()],
        },
        Finding::BrokenView {
            view: text(),
            message: text(),
        },
        Finding::Unreadable { message: text() },
        Finding::EngineFailed { message: text() },
    ]
}

#[test]
fn every_finding_has_a_cause_and_a_next_step() {
    for texts in [&EN, &ZH] {
        for finding in findings() {
            let (cause, next) = (texts.finding)(&finding);
            assert!(!cause.is_empty() && !next.is_empty(), "{finding:?}");
        }
    }
}

#[test]
fn no_text_is_empty_and_the_languages_differ() {
    for (name, source) in [("en", include_str!("en.rs")), ("zh", include_str!("zh.rs"))] {
        assert!(!source.contains(": \"\","), "an empty text in {name}");
    }
    let chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    for text in [
        ZH.ask,
        ZH.approve,
        ZH.promise_local,
        ZH.no_chart,
        ZH.sample_questions[0],
    ] {
        assert!(chinese(text), "{text}");
    }
    for text in [EN.ask, EN.approve, EN.promise_local, EN.no_chart] {
        assert!(!chinese(text), "{text}");
    }
}

#[test]
fn names_that_tests_rely_on() {
    assert_eq!(
        [
            EN.open_file,
            EN.composer,
            EN.ask,
            EN.stop,
            EN.approve,
            EN.edit,
            EN.reject,
            EN.run_edited,
            EN.send_answers,
            EN.run_this_query,
            EN.tab_answer,
            EN.tab_table,
            EN.tab_chart,
            EN.tab_sql,
            EN.settings,
            EN.endpoint,
            EN.api_key,
            EN.model,
            EN.save,
        ],
        [
            "Open a SQLite file",
            "Ask a question about your data",
            "Ask",
            "Stop",
            "Approve",
            "Edit",
            "Reject",
            "Run edited SQL",
            "Send answers",
            "Run this query?",
            "Answer",
            "Table",
            "Chart",
            "SQL",
            "Settings",
            "Endpoint",
            "API key",
            "Model",
            "Save",
        ]
    );
}

#[test]
fn counts_have_their_plural() {
    assert_eq!((EN.rows)(1), "1 row");
    assert_eq!((EN.rows)(12_431), "12\u{202f}431 rows");
    assert_eq!((EN.tables)(0), "0 tables");
    assert_eq!(
        (EN.rows_of)("500", "12\u{202f}431"),
        "500 of 12\u{202f}431 rows"
    );
}
