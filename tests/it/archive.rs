//! A chat as a file: what is saved to be read shows nothing but text, and what is imported can never act.

use crate::agent::desk::{Desk, fingerprint};
use assent::agent::approval::{ApprovalId, Decision};
use assent::agent::protocol::{Effect, Input, Op};
use assent::agent::record::{EventBody, ProposalState};
use assent::agent::restore::RecordFault;
use assent::agent::run::{Context, Phase, Run};
use assent::llm::Ledger;
use assent::session::SavedChat;
use assent::session::record::{ImportError, read, write};
use assent::settings::{Language, Privacy};
use assent::sql::{Schema, SqlHash};
use assent::view::report::{Report, html};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

const NAMES: &str =
    "SELECT name, total FROM customers JOIN orders ON customer_id = customers.id ORDER BY total";
const HOSTILE: &str = "</style><script>alert(1)</script><img src=x onerror=alert(1)>\u{202e}\u{0}";

/// Every state that a chat can be in: answered, edited, rejected, refused, asked in other words, and a card that waits.
fn chat() -> SavedChat {
    let mut desk = Desk::open();
    desk.ask("Who spent what?")
        .propose(NAMES)
        .approve()
        .text("Ann spent **10.5**.");
    desk.ask("How many orders?")
        .propose("SELECT count(*) FROM orders")
        .edit("SELECT count(*) AS n FROM orders WHERE total > 6")
        .text("There are 2.");
    desk.ask("Delete all")
        .propose("DELETE FROM orders")
        .propose("SELECT * FROM orders")
        .reject(Some("not that"))
        .text("Then not.");
    let turn = desk.run.turns()[2].id;
    desk.op(Op::AskAgain {
        turn,
        text: "List the regions".into(),
    });
    desk.propose("SELECT name FROM regions");
    saved(desk.run)
}

fn saved(run: Run) -> SavedChat {
    SavedChat {
        run,
        ..SavedChat::new("c1".into(), 5)
    }
}

fn import(json: &str) -> Result<SavedChat, ImportError> {
    read(json, "c2".into(), 9)
}

fn changed(change: impl FnOnce(&mut Json)) -> Result<SavedChat, ImportError> {
    let mut json: Json = serde_json::from_str(&write(&chat()).unwrap()).unwrap();
    change(&mut json);
    import(&json.to_string())
}

/// Whatever a person or a page can send to an imported chat, nothing runs and nothing is checked or sent.
fn assert_inert(chat: &SavedChat) {
    let mut run = chat.run.clone();
    assert_eq!(*run.phase(), Phase::Idle);
    assert!(run.transcript().messages().is_empty());
    let schema = Schema::default();
    let context = Context {
        now_ms: 1,
        schema: Some(&schema),
        privacy: Privacy::Samples,
        language: Language::English,
    };
    assert!(run.resume(&context).is_empty());
    for id in 0..200 {
        let decide = Op::Decide {
            approval: ApprovalId(id),
            decision: Decision::Approve {
                shown: SqlHash::of(NAMES),
            },
        };
        assert!(run.handle(Input::Op(decide), &context).is_empty());
    }
    assert!(run.handle(Input::Op(Op::Retry), &context).is_empty());
    assert!(run.handle(Input::Op(Op::Translate), &context).is_empty());
    let turns: Vec<u64> = run.turns().iter().map(|t| t.id).collect();
    for turn in turns {
        for index in 0..3 {
            let effects = run.handle(Input::Op(Op::ShowBranch { turn, index }), &context);
            assert!(effects.iter().all(|e| matches!(e, Effect::Save)));
            assert_eq!(*run.phase(), Phase::Idle);
        }
    }
    for turn in run.turns() {
        assert!(turn.imported && turn.outcome.is_some());
        for event in &turn.events {
            if let EventBody::Proposal(p) = &event.body {
                assert!(!matches!(
                    p.state,
                    ProposalState::Checking | ProposalState::Waiting | ProposalState::Running
                ));
                assert!(
                    p.ran
                        .as_deref()
                        .is_none_or(|sql| p.decisions.iter().any(|d| {
                            match &d.decision {
                                Decision::Approve { shown } => *shown == SqlHash::of(sql),
                                Decision::Edit { sql: edited } => edited == sql,
                                Decision::Reject { .. } => false,
                            }
                        }))
                );
            }
        }
    }
}

fn page(run: &Run, title: &str, language: Language) -> String {
    html(&Report {
        title,
        run,
        ledger: &Ledger::default(),
        sent_bytes: 0,
        now_ms: 1_700_000_000_000,
        language,
    })
}

#[test]
fn an_exported_chat_comes_back_as_a_record_that_cannot_act() {
    let before = chat();
    let after = import(&write(&before).unwrap()).unwrap();
    assert_inert(&after);
    assert_eq!(after.id, "c2");
    let questions = |chat: &SavedChat| -> Vec<String> {
        chat.run
            .turns()
            .iter()
            .map(|t| t.question.clone())
            .collect()
    };
    assert_eq!(questions(&after), questions(&before));
    assert_eq!(after.run.file(), before.run.file());
    assert_eq!(after.run.branch(2), before.run.branch(2));
    assert_eq!(after.run.other_branches().len(), 1);
    // What waited is cancelled; what ran keeps its rows.
    let state = |turn: usize| {
        after.run.turns()[turn]
            .events
            .iter()
            .find_map(|e| match &e.body {
                EventBody::Proposal(p) => {
                    Some((p.state.clone(), p.result.as_ref().map(|r| r.meta.rows)))
                }
                _ => None,
            })
    };
    assert_eq!(state(0), Some((ProposalState::Ran, Some(3))));
    assert_eq!(state(1), Some((ProposalState::Ran, Some(1))));
    assert_eq!(state(2), Some((ProposalState::Cancelled, None)));
    // An import of an import is the same again.
    let again = import(&write(&after).unwrap()).unwrap();
    assert_eq!(again.run, after.run);
}

#[test]
fn a_model_is_told_nothing_of_what_was_imported() {
    let mut desk = Desk::open();
    desk.run = import(&write(&chat()).unwrap()).unwrap().run;
    desk.ask("How many customers?");
    let request = desk.last_request();
    assert!(request.contains("How many customers?"));
    for earlier in [
        "Who spent what?",
        "Ann spent",
        "not that",
        "List the regions",
    ] {
        assert!(!request.contains(earlier), "{earlier}");
    }
    desk.propose("SELECT count(*) FROM customers")
        .approve()
        .text("3.");
    let turn = desk.run.turns()[3].id;
    desk.op(Op::AskAgain {
        turn,
        text: "How many regions?".into(),
    });
    assert!(!desk.last_request().contains("How many customers?"));
}

#[test]
fn a_query_that_nobody_approved_is_no_record() {
    let forged = |json: &mut Json| {
        let events = json["turns"][0]["events"].as_array_mut().unwrap();
        let proposal = events
            .iter_mut()
            .find_map(|e| e["body"].get_mut("Proposal"))
            .unwrap();
        proposal["ran"] = json!("SELECT 'other bytes'");
    };
    assert_eq!(
        changed(forged).unwrap_err(),
        ImportError::Refused(RecordFault::NotApproved)
    );
}

#[test]
fn what_no_chat_writes_is_refused_with_a_reason() {
    assert!(matches!(
        changed(|j| j["version"] = json!(2)),
        Err(ImportError::Newer(2))
    ));
    assert!(matches!(
        changed(|j| j["format"] = json!("other")),
        Err(ImportError::NotARecord(_))
    ));
    assert!(matches!(
        changed(|j| j["turns"] = json!([])),
        Err(ImportError::Refused(RecordFault::Empty))
    ));
    assert!(matches!(
        changed(|j| j["turns"][0]["question"] = json!("x".repeat(9_000))),
        Err(ImportError::Refused(RecordFault::TooLong))
    ));
    assert!(matches!(
        changed(|j| j["branches"][0]["at"] = json!(7)),
        Err(ImportError::Refused(RecordFault::Contradiction(_)))
    ));
    for text in ["", "{", "null", "[]", "SQLite format 3"] {
        assert!(
            matches!(import(text), Err(ImportError::NotARecord(_))),
            "{text}"
        );
    }
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(import(&deep), Err(ImportError::NotARecord(_))));
}

#[test]
fn the_report_shows_hostile_words_as_text() {
    let mut desk = Desk::with(&format!(
        "CREATE TABLE \"<b>t</b>\"(name TEXT); INSERT INTO \"<b>t</b>\" VALUES ('{}');",
        "</td><script>alert(2)</script>\u{202e}"
    ));
    desk.ask(HOSTILE)
        .propose("SELECT name FROM \"<b>t</b>\" -- </code></pre><script>")
        .approve()
        .text("See [this](https://evil.test/?q=1) <img src=x> </style>");
    for language in [Language::English, Language::Chinese] {
        let page = page(&desk.run, HOSTILE, language);
        for bad in [
            "<script", "<img", "<b>", "<a ", "<link", "href=", "src=\"", "\u{202e}", "\0",
        ] {
            assert!(!page.contains(bad), "{bad:?} in {language:?}");
        }
        assert_eq!(page.matches("<style>").count(), 1);
        assert_eq!(page.matches("</style>").count(), 1);
        assert!(page.contains("&lt;script&gt;") && page.contains("U+202E"));
        assert!(page.contains("default-src &#39;none&#39;; style-src &#39;sha256-"));
    }
}

#[test]
fn the_report_says_who_decided_what_and_names_every_wording() {
    let chat = chat();
    let page = page(&chat.run, &chat.title(), Language::English);
    for text in [
        "A person approved exactly this text.",
        "A person edited it into exactly this text, which approved it.",
        "A person rejected it.",
        "not that",
        "Not decided yet",
        "Wording 1 of question 3",
        "All 3 rows",
        SqlHash::of(NAMES).as_hex(),
        &fingerprint("shop.db").ends,
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(page.contains("<td data-kind=\"text\" dir=\"auto\">Ann</td>"));
    assert!(page.contains("<td data-kind=\"number\" dir=\"auto\">10.5</td>"));
    let imported = import(&write(&chat).unwrap()).unwrap();
    let page = self::page(&imported.run, "", Language::English);
    assert!(page.contains("not witnessed where this report was made"));
}

/// Places in a JSON value, by number.
fn swap(json: &mut Json, at: &mut usize, with: &Json) -> bool {
    if *at == 0 {
        *json = with.clone();
        return true;
    }
    *at -= 1;
    match json {
        Json::Array(list) => list.iter_mut().any(|v| swap(v, at, with)),
        Json::Object(map) => map.iter_mut().any(|(_, v)| swap(v, at, with)),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_damaged_export_never_panics_and_never_acts(
        places in prop::collection::vec((0_usize..900, 0_usize..10), 1..4),
        cut in prop::option::of(0_usize..1_000),
    ) {
        let values = [
            json!(null), json!(0), json!(-1), json!(u64::MAX), json!(1e308), json!(""),
            json!(HOSTILE), json!([]), json!({}), json!("Waiting"),
        ];
        let mut json: Json = serde_json::from_str(&write(&chat()).unwrap()).unwrap();
        for (at, value) in places {
            swap(&mut json, &mut at.clone(), &values[value]);
        }
        let mut text = json.to_string();
        if let Some(cut) = cut {
            let mut at = text.len() * cut / 1_000;
            while !text.is_char_boundary(at) { at -= 1; }
            text.truncate(at);
        }
        if let Ok(chat) = import(&text) {
            assert_inert(&chat);
            let page = page(&chat.run, &chat.title(), Language::Chinese);
            prop_assert!(!page.contains("<script"));
        }
    }
}
