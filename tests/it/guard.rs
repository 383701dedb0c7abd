//! The guard on real SQLite: what is refused, what is allowed, and that nothing that runs changes a byte.

use crate::native::{Native, Scratch, clock, data, introspected};
use assent::engine::introspect::Introspection;
use assent::engine::pages::Pages;
use assent::engine::run::{Known, Order, run_to_end};
use assent::engine::{Budget, QueryError, ResultId, ResultMeta, guard};
use assent::sql::{Denial, Receipt, Rule, SqlHash, TableRead, Verdict, Warning};
use serde::Deserialize;
use std::path::Path;

/// The database of the corpus, here and in the browser (tests/e2e/guard.spec.ts).
const SCRIPT: &str = include_str!("../fixtures/guard/schema.sql");

#[derive(Deserialize)]
struct Corpus {
    refused: Vec<Refused>,
    allowed: Vec<String>,
}

#[derive(Deserialize)]
struct Refused {
    sql: String,
    rule: Rule,
    /// What the denial points at.
    token: String,
}

fn corpus() -> Corpus {
    serde_json::from_str(include_str!("../fixtures/guard/statements.json")).unwrap()
}

pub fn budget() -> Budget {
    Budget {
        rows_max: 1_000,
        bytes_max: 1 << 20,
        time_ms: 2_000,
        preview_rows: 10,
        cell_chars: 40,
    }
}

pub fn run(
    db: &mut Native,
    known: &Introspection,
    sql: &str,
    budget: Budget,
) -> Result<(ResultMeta, Pages), QueryError> {
    let known = Known {
        catalog: &known.catalog,
        schema: &known.schema,
    };
    let order = Order {
        sql: sql.to_owned(),
        approved: SqlHash::of(sql),
        result: ResultId(1),
        budget,
    };
    run_to_end(db, known, order, &clock())
}

fn check(db: &mut Native, known: &Introspection, sql: &str) -> Verdict {
    guard::check(db, &known.catalog, &known.schema, sql).unwrap()
}

fn opened() -> (Native, Introspection) {
    let mut db = Native::memory(SCRIPT);
    let known = introspected(&mut db);
    (db, known)
}

fn receipt(sql: &str) -> Receipt {
    let (mut db, known) = opened();
    match check(&mut db, &known, sql) {
        Verdict::Allow(receipt) => receipt,
        other => panic!("{sql}: {other:?}"),
    }
}

fn reads(sql: &str) -> Vec<(String, Vec<String>)> {
    let read = |r: TableRead| (r.table, r.columns);
    receipt(sql).reads.into_iter().map(read).collect()
}

#[test]
fn every_writing_or_hostile_statement_is_refused_by_name_and_place() {
    let (mut db, known) = opened();
    for Refused { sql, rule, token } in corpus().refused {
        match check(&mut db, &known, &sql) {
            Verdict::Deny(denial) => {
                assert_eq!((denial.rule, &denial.token), (rule, &token), "{sql}");
                let at = denial.position.expect(&sql);
                assert!(
                    sql[at..].starts_with(&token) || rule == Rule::NulByte,
                    "{sql}: {at}"
                );
            }
            other => panic!("{sql}: {other:?}"),
        }
    }
}

#[test]
fn honest_queries_are_allowed_whatever_their_names_and_comments_say() {
    let (mut db, known) = opened();
    for sql in corpus().allowed {
        let verdict = check(&mut db, &known, &sql);
        assert!(matches!(verdict, Verdict::Allow(_)), "{sql}: {verdict:?}");
    }
}

#[test]
fn what_sqlite_does_not_accept_comes_back_in_its_words_with_a_hint() {
    let (mut db, known) = opened();
    let invalid = |db: &mut Native, sql: &str| match check(db, &known, sql) {
        Verdict::Invalid { message, hint } => (message, hint),
        other => panic!("{sql}: {other:?}"),
    };
    let (message, hint) = invalid(&mut db, "SELECT nmae FROM a");
    assert_eq!(message, "no such column: nmae");
    assert_eq!(
        hint.as_deref(),
        Some("did you mean name? It is in a, b, v.")
    );
    let (message, hint) = invalid(&mut db, "SELECT * FROM order_details");
    assert_eq!(message, "no such table: order_details");
    assert_eq!(
        hint.as_deref(),
        Some("did you mean the table order details?")
    );
    for sql in [
        "SELECT",
        "SELECT TOP 3 * FROM a",
        "SELECT * FROM a WHERE name ILIKE 'x'",
        "WITH x AS (DELETE FROM a RETURNING *) SELECT * FROM x",
        "SELECT * FROM a QUALIFY 1",
        "EXPLAIN EXPLAIN SELECT 1",
        "SELECT 1abc",
    ] {
        if sql.starts_with("EXPLAIN") {
            let verdict = check(&mut db, &known, sql);
            assert!(matches!(
                verdict,
                Verdict::Deny(Denial {
                    rule: Rule::NotAQuery,
                    ..
                })
            ));
        } else {
            invalid(&mut db, sql);
        }
    }
}

#[test]
fn the_receipt_names_tables_and_columns_through_views_ctes_and_indexes() {
    let is = |sql: &str, expected: &[(&str, &[&str])]| {
        let expected: Vec<(String, Vec<String>)> = expected
            .iter()
            .map(|(t, c)| ((*t).to_owned(), c.iter().map(|c| (*c).to_owned()).collect()))
            .collect();
        assert_eq!(reads(sql), expected, "{sql}");
    };
    is("SELECT name FROM a", &[("a", &["name"])]);
    is("SELECT id, name FROM a", &[("a", &["id", "name"])]);
    is("SELECT g FROM a", &[("a", &["id"])]);
    is("SELECT \"delete\" FROM a", &[("a", &["delete"])]);
    is("SELECT * FROM v", &[("a", &["id", "name"])]);
    is(
        "WITH c AS (SELECT * FROM v) SELECT * FROM c",
        &[("a", &["id", "name"])],
    );
    is(
        "SELECT name, id FROM b WHERE name = 'x'",
        &[("b", &["name", "id"])],
    );
    is(
        "SELECT note FROM b WHERE name = 'x'",
        &[("b", &["name", "note"])],
    );
    is("SELECT y FROM w WHERE k = 'k'", &[("w", &["k", "y"])]);
    is("SELECT 1", &[]);
    is("SELECT body FROM f", &[("f", &["body"])]);
    is("SELECT value FROM json_each('[]')", &[("json_each", &[])]);
    is(
        "SELECT sql FROM sqlite_schema",
        &[("sqlite_schema", &["sql"])],
    );
    is(
        "SELECT a.name, b.note FROM a JOIN b ON a.id = b.id",
        &[("b", &["id", "note"]), ("a", &["id", "name"])],
    );
}

#[test]
fn the_card_is_warned_of_text_in_double_quotes_missing_limits_and_cross_joins() {
    let quoted = |text: &str| Warning::QuotedText { text: text.into() };
    let warns =
        |sql: &str, expected: &[Warning]| assert_eq!(receipt(sql).warnings, expected, "{sql}");
    warns("SELECT \"no_such\" FROM a LIMIT 1", &[quoted("no_such")]);
    warns(
        "SELECT id FROM a WHERE name = \"x\" LIMIT 1",
        &[quoted("x")],
    );
    warns(
        "SELECT id AS \"the id\" FROM a ORDER BY \"the id\" LIMIT 1",
        &[],
    );
    warns("SELECT \"name\" FROM \"a\" LIMIT 1", &[]);
    warns("SELECT name FROM a", &[Warning::NoLimit]);
    warns("SELECT count(*) FROM a, b", &[Warning::CrossJoin]);
    warns("SELECT count(*) FROM a, b WHERE note = \"delete\"", &[]);
    warns("EXPLAIN SELECT name FROM a", &[]);
    assert!(!receipt("SELECT * FROM b WHERE name NOT GLOB 'x' LIMIT 1").analysed);
}

#[test]
fn the_card_is_warned_of_columns_that_look_secret_or_personal_and_they_stay_allowed() {
    let mut db = Native::memory(
        "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, EMail TEXT, 手机号 TEXT, password_hash TEXT);\n\
         CREATE INDEX person_email ON person(EMail); CREATE VIEW card AS SELECT name, 手机号 AS n FROM person;",
    );
    let known = introspected(&mut db);
    let mut sensitive = |sql: &str| match check(&mut db, &known, sql) {
        Verdict::Allow(receipt) => receipt
            .warnings
            .into_iter()
            .find_map(|warning| match warning {
                Warning::SensitiveColumns { columns } => Some(columns),
                _ => None,
            })
            .unwrap_or_default(),
        other => panic!("{sql}: {other:?}"),
    };
    assert_eq!(
        sensitive("SELECT * FROM person"),
        ["person.EMail", "person.手机号", "person.password_hash"]
    );
    assert_eq!(sensitive("SELECT n FROM card"), ["person.手机号"]);
    assert_eq!(
        sensitive("SELECT id FROM person WHERE EMail LIKE 'a%'"),
        ["person.EMail"]
    );
    assert!(sensitive("SELECT id, name FROM person").is_empty());
    assert!(sensitive("EXPLAIN SELECT * FROM person").is_empty());
}

#[test]
fn only_the_approved_bytes_run() {
    let (mut db, known) = opened();
    let known = Known {
        catalog: &known.catalog,
        schema: &known.schema,
    };
    let mut order = Order {
        sql: "SELECT id FROM a".into(),
        approved: SqlHash::of("SELECT id FROM a"),
        result: ResultId(7),
        budget: budget(),
    };
    let (meta, _) = run_to_end(&mut db, known, order.clone(), &clock()).unwrap();
    assert_eq!((meta.result, meta.rows), (ResultId(7), 2));
    order.sql.push(' ');
    let error = run_to_end(&mut db, known, order, &clock()).unwrap_err();
    assert_eq!(error, QueryError::NotApproved);
}

#[test]
fn an_approval_does_not_help_a_statement_that_the_guard_refuses() {
    let (mut db, known) = opened();
    for Refused { sql, .. } in corpus().refused {
        let error = run(&mut db, &known, &sql, budget()).unwrap_err();
        assert!(matches!(error, QueryError::Refused(_)), "{sql}: {error:?}");
    }
}

#[test]
fn no_byte_of_the_file_changes_whatever_was_checked_or_run() {
    let scratch = Scratch::new("bytes");
    let path = scratch.0.join("guarded.db");
    drop({
        let mut db = Native::open(&path);
        db.script(SCRIPT);
        db
    });
    let before = std::fs::read(&path).unwrap();
    let files = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
    let mut db = Native::open(&path);
    let known = introspected(&mut db);
    let Corpus { refused, allowed } = corpus();
    for sql in refused.into_iter().map(|r| r.sql).chain(allowed) {
        let _ = check(&mut db, &known, &sql);
        let _ = run(&mut db, &known, &sql, budget());
        assert_eq!(files(&scratch.0), 1, "{sql}");
    }
    drop(db);
    assert!(std::fs::read(&path).unwrap() == before);
}

#[test]
fn a_query_without_end_is_stopped_by_its_caps() {
    let (mut db, known) = opened();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let (meta, pages) = run(&mut db, &known, endless, budget()).unwrap();
    assert_eq!(
        (meta.rows, meta.truncated, pages.rows()),
        (1_000, true, 1_000)
    );
    let short = Budget {
        rows_max: u64::MAX,
        bytes_max: u64::MAX,
        time_ms: 30,
        ..budget()
    };
    let (meta, _) = run(&mut db, &known, endless, short).unwrap();
    assert!(
        meta.truncated && meta.ms >= 30.0 && meta.ms < 1_000.0,
        "{meta:?}"
    );
    let small = Budget {
        bytes_max: 10_000,
        ..budget()
    };
    let (meta, pages) = run(
        &mut db,
        &known,
        "SELECT zeroblob(4000) FROM a, b, a AS c",
        small,
    )
    .unwrap();
    assert!(meta.truncated && pages.bytes() < 20_000, "{meta:?}");
    let exact = Budget {
        rows_max: 2,
        ..budget()
    };
    let (meta, _) = run(&mut db, &known, "SELECT * FROM a", exact).unwrap();
    assert_eq!((meta.rows, meta.truncated), (2, false));
}

#[test]
fn no_public_gold_query_is_refused() {
    let mut judged = 0;
    for set in ["spider", "kaggle", "ambrosia"] {
        let Some(path) = data(&format!("{set}/questions.jsonl")) else {
            return;
        };
        let folder = path.parent().unwrap();
        let mut open: Option<(String, Native, Introspection)> = None;
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let question: serde_json::Value = serde_json::from_str(line).unwrap();
            let name = question["db"].as_str().unwrap().to_owned();
            if open.as_ref().is_none_or(|(db, ..)| *db != name) {
                let file = folder.join(format!("{name}.sqlite"));
                let mut db = Native::open(&file);
                let known = introspected(&mut db);
                open = Some((name, db, known));
            }
            let (_, db, known) = open.as_mut().unwrap();
            for sql in gold(&question) {
                let verdict = check(db, known, &sql);
                assert!(matches!(verdict, Verdict::Allow(_)), "{sql}: {verdict:?}");
                judged += 1;
            }
        }
    }
    println!("{judged} gold queries allowed");
    assert!(judged > 600);
}

fn gold(question: &serde_json::Value) -> Vec<String> {
    let readings = question["readings"].as_array().into_iter().flatten();
    std::iter::once(question)
        .chain(readings)
        .filter_map(|q| q["gold"].as_str().map(str::to_owned))
        .collect()
}
