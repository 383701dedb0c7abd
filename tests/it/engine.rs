//! The engine on real files: what the doctor says, what introspection finds, and values that survive.

use crate::guard::{budget, run};
use crate::native::{Native, Scratch, clock, data, introspected};
use assent::engine::doctor::quick_check;
use assent::engine::introspect::introspect;
use assent::engine::pages::{Cell, Filled, Pages};
use assent::engine::sqlite::{ColumnKind, Prepared, Sqlite, SqliteError, Statement, Step};
use assent::engine::window::{WINDOW_TEXT_BYTES_MAX, decode, encode};
use assent::engine::{Budget, Finding};
use assent::sql::{Generated, RowCount, Schema, Table, TableKind, Value};
use proptest::prelude::*;

fn wide() -> Budget {
    Budget {
        rows_max: 1 << 40,
        bytes_max: 1 << 40,
        time_ms: 60_000,
        ..budget()
    }
}

/// What opening a file in the worker would report.
fn opened(name: &str) -> Option<(Vec<Finding>, Option<Schema>)> {
    let source = data(&format!("odd/{name}"))?;
    let scratch = Scratch::new(name);
    let (examination, copy) = scratch.opened(&source);
    let mut findings = examination.findings;
    if findings.iter().any(Finding::is_fatal) {
        return Some((findings, None));
    }
    let bytes = std::fs::metadata(&source).unwrap().len();
    let mut db = Native::open(&copy);
    match introspect(&mut db, bytes, &clock()) {
        Ok(found) => {
            findings.extend(found.findings);
            findings.extend(quick_check(&mut db, bytes).unwrap());
            Some((findings, Some(found.schema)))
        }
        Err(error) => {
            findings.push(Finding::Corrupt {
                message: error.to_string(),
            });
            Some((findings, None))
        }
    }
}

fn summary(schema: &Schema) -> Vec<String> {
    let line = |t: &Table| format!("{} {:?} {:?}", t.name, t.kind, t.rows);
    schema.tables.iter().map(line).collect()
}

#[test]
fn files_that_are_no_database_are_told_apart() {
    let Some((findings, _)) = opened("zero.db") else {
        return;
    };
    assert_eq!(findings, [Finding::Empty]);
    assert_eq!(opened("enc.db").unwrap().0, [Finding::Encrypted]);
    let (findings, _) = opened("text.db").unwrap();
    assert!(matches!(&findings[..], [Finding::NotSqlite { head }] if !head.is_empty()));
}

#[test]
fn a_truncated_or_damaged_file_says_so_and_the_rest_stays_usable() {
    let Some((findings, schema)) = opened("trunc.db") else {
        return;
    };
    println!("{findings:?} {:?}", schema.as_ref().map(summary));
    assert!(matches!(
        findings[0],
        Finding::Truncated {
            actual_bytes: 22_528,
            ..
        }
    ));
    assert!(schema.is_some_and(|s| {
        s.tables
            .iter()
            .any(|t| matches!(t.rows, RowCount::Exact(_)))
    }));
    let (findings, schema) = opened("corrupt.db").unwrap();
    println!("{findings:?}");
    assert!(
        findings
            .iter()
            .any(|f| matches!(f, Finding::Corrupt { .. }))
    );
    assert_eq!(schema.unwrap().table("a").unwrap().rows, RowCount::Exact(1));
}

#[test]
fn a_wal_header_a_utf16_file_and_missing_modules_are_named() {
    let Some((findings, schema)) = opened("wal.db") else {
        return;
    };
    assert_eq!(findings, [Finding::WalMissing]);
    assert!(schema.unwrap().table("t").is_some());
    let (findings, schema) = opened("utf16.db").unwrap();
    assert_eq!(findings, [Finding::Utf16]);
    assert_eq!(schema.unwrap().tables[0].columns[0].name, "名");
    let (findings, schema) = opened("fts4.db").unwrap();
    println!("{findings:?}");
    let schema = schema.unwrap();
    let visible: Vec<_> = schema.visible().map(|t| t.name.as_str()).collect();
    assert_eq!(visible, ["f"]);
}

#[test]
fn a_table_of_a_missing_module_is_named_and_hides_only_itself() {
    let scratch = Scratch::new("module");
    let path = scratch.0.join("module.db");
    Native::open(&path).script(
        "CREATE TABLE ok(a); CREATE TABLE docs_data(id);\n\
         PRAGMA writable_schema=1;\n\
         INSERT INTO sqlite_schema VALUES\n\
         ('table', 'docs', 'docs', 0, 'CREATE VIRTUAL TABLE docs USING nosuch(body)');",
    );
    let found = introspected(&mut Native::open(&path));
    assert_eq!(
        found.findings,
        [Finding::MissingModule {
            module: "nosuch".into(),
            tables: vec!["docs".into()]
        }]
    );
    assert_eq!(found.schema.table("ok").unwrap().rows, RowCount::Exact(0));
    for name in ["fts5.db", "rtree.db"] {
        let Some((_, schema)) = opened(name) else {
            return;
        };
        let schema = schema.unwrap();
        let visible: Vec<_> = schema.visible().map(|t| t.name.as_str()).collect();
        let expected: &[&str] = if name == "fts5.db" {
            &["docs", "docs_fts"]
        } else {
            &["r", "ok"]
        };
        assert_eq!(visible, expected);
    }
}

#[test]
fn odd_names_generated_columns_and_broken_views_are_described_one_by_one() {
    let Some((findings, schema)) = opened("odd.db") else {
        return;
    };
    assert_eq!(
        findings,
        [Finding::BrokenView {
            view: "badv".into(),
            message: "no such table: main.tmp1".into()
        }]
    );
    let schema = schema.unwrap();
    let names: Vec<_> = schema.tables.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "order details",
            "gen",
            "wr",
            "st",
            "okv",
            "badv",
            "bigs",
            "a",
            "b",
            "empty",
            "autoi"
        ]
    );
    let details: Vec<_> = schema.tables[0]
        .columns
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(details, ["unit price", "qty\"x", "select", "group"]);
    let generated: Vec<_> = schema.tables[1]
        .columns
        .iter()
        .map(|c| c.generated)
        .collect();
    assert_eq!(
        generated,
        [Generated::No, Generated::Virtual, Generated::Stored]
    );
    assert_eq!(schema.table("empty").unwrap().rows, RowCount::Exact(0));
    assert_eq!(schema.table("OKV").unwrap().kind, TableKind::View);
}

#[test]
fn keys_indexes_comments_and_shadow_tables_are_found() {
    let mut db = Native::memory(
        "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x');\n\
         CREATE TABLE shop( -- where we sell\n  id INTEGER PRIMARY KEY,\n  \
         city_id INT REFERENCES city, -- may be empty\n  a INT, b INT, FOREIGN KEY (a, b) REFERENCES pair(x, y));\n\
         CREATE TABLE pair(x INT, y INT, PRIMARY KEY (x, y));\n\
         CREATE UNIQUE INDEX shop_city ON shop(city_id, lower(a)) WHERE a > 1;\n\
         CREATE VIRTUAL TABLE words USING fts5(body);",
    );
    let schema = introspected(&mut db).schema;
    let shop = schema.table("shop").unwrap();
    assert_eq!(shop.comment.as_deref(), Some("where we sell"));
    assert_eq!(
        shop.column("city_id").unwrap().comment.as_deref(),
        Some("may be empty")
    );
    let keys: Vec<_> = shop
        .foreign_keys
        .iter()
        .map(|k| format!("{:?} -> {} {:?}", k.columns, k.table, k.references))
        .collect();
    assert_eq!(
        keys,
        [
            r#"["city_id"] -> city ["id"]"#,
            r#"["a", "b"] -> pair ["x", "y"]"#
        ]
    );
    let index = &shop.indexes[0];
    assert_eq!(index.columns, [Some("city_id".to_owned()), None]);
    assert!(index.unique && index.partial);
    let visible: Vec<_> = schema.visible().map(|t| t.name.as_str()).collect();
    assert_eq!(visible, ["city", "shop", "pair", "words"]);
    assert!(schema.tables.iter().any(|t| t.kind == TableKind::Shadow));
}

#[test]
fn a_huge_table_is_estimated_and_never_scanned() {
    let mut db = Native::memory(
        "CREATE TABLE big(id INTEGER PRIMARY KEY); CREATE TABLE small(x); CREATE VIEW v AS SELECT 1;\n\
         CREATE TABLE w(k PRIMARY KEY) WITHOUT ROWID; CREATE TABLE odd(rowid TEXT);\n\
         INSERT INTO big VALUES (1), (5000000); INSERT INTO small VALUES (1), (2);",
    );
    let found = introspect(&mut db, 1 << 33, &clock()).unwrap();
    assert_eq!(
        summary(&found.schema),
        [
            "big Table Estimated(5000000)",
            "small Table Exact(2)",
            "v View Unknown",
            "w Table Unknown",
            "odd Table Unknown",
        ]
    );
}

#[test]
fn rows_of_a_small_file_are_counted_however_slow_the_machine() {
    let mut db = Native::memory(
        "CREATE TABLE a(x); INSERT INTO a VALUES (1), (2); CREATE TABLE k(k PRIMARY KEY) WITHOUT ROWID;\n\
         CREATE TABLE gaps(id INTEGER PRIMARY KEY); INSERT INTO gaps VALUES (1), (900000);",
    );
    let now = std::cell::Cell::new(0.0);
    let hour_later = || {
        now.set(now.get() + 3_600_000.0);
        now.get()
    };
    let counts = |bytes: u64, db: &mut Native| {
        let tables = introspect(db, bytes, &hour_later).unwrap().schema.tables;
        tables.into_iter().map(|t| t.rows).collect::<Vec<_>>()
    };
    let exact = [2, 0, 2].map(RowCount::Exact);
    assert_eq!(counts(2_000_000, &mut db), exact);
    let estimated = [
        RowCount::Estimated(2),
        RowCount::Unknown,
        RowCount::Estimated(900_000),
    ];
    assert_eq!(counts(1 << 33, &mut db), estimated);
}

#[test]
fn a_thousand_tables_of_twenty_columns_take_less_than_a_second() {
    let columns: Vec<String> = (0..20)
        .map(|i| format!("c{i} INTEGER -- about {i}\n"))
        .collect();
    let script: String = (0..1_000)
        .map(|i| format!("CREATE TABLE t{i}({});", columns.join(",")))
        .collect();
    let mut db = Native::memory(&script);
    let now = clock();
    let found = introspect(&mut db, 1 << 20, &now).unwrap();
    let ms = now();
    assert_eq!(found.schema.tables.len(), 1_000);
    println!("{ms:.0} ms");
    assert!(ms < 1_000.0 || cfg!(debug_assertions), "{ms}");
}

#[test]
fn rows_are_the_same_as_through_another_library() {
    let Some(path) = data("chinook.sqlite") else {
        return;
    };
    let mut db = Native::open(&path);
    let known = introspected(&mut db);
    let other = rusqlite::Connection::open(&path).unwrap();
    for table in known.schema.visible() {
        let sql = format!("SELECT * FROM \"{}\"", table.name);
        let (meta, pages) = run(&mut db, &known, &sql, wide()).unwrap();
        assert_eq!(table.rows, RowCount::Exact(meta.rows), "{}", table.name);
        let mut statement = other.prepare(&sql).unwrap();
        let names: Vec<_> = statement.column_names().map(str::to_owned).collect();
        assert_eq!(meta.columns, names);
        let mut rows = statement.query([]).unwrap();
        let mut at = 0;
        while let Some(row) = rows.next().unwrap() {
            for i in 0..names.len() {
                use rusqlite::types::ValueRef;
                let expected = match row.get_ref(i).unwrap() {
                    ValueRef::Null => Cell::Null,
                    ValueRef::Integer(i) => Cell::Integer(i),
                    ValueRef::Real(r) => Cell::Real(r),
                    ValueRef::Text(t) => Cell::Text(t),
                    ValueRef::Blob(b) => Cell::Blob(b),
                };
                assert_eq!(pages.cell(at, i), Some(expected));
            }
            at += 1;
        }
        assert_eq!(at, meta.rows);
    }
}

#[test]
fn odd_values_keep_their_meaning_up_to_the_page() {
    let mut db = Native::memory("");
    let known = introspected(&mut db);
    let sql = "SELECT 9007199254740993 AS x, -9223372036854775808 AS x, 9e999, -9e999, NULL, '', \
               'NULL', x'00ff', x'', CAST(x'41ff42' AS TEXT), CAST(x'410042' AS TEXT), 1.0, '表', \
               zeroblob(5000), printf('%.*c', 3000, 'é')";
    let (meta, pages) = run(&mut db, &known, sql, wide()).unwrap();
    assert_eq!(&meta.columns[..2], ["x", "x"]);
    let window = decode(&encode(&pages, 0, 10).unwrap()).unwrap();
    let blob = |head: &[u8], bytes| Value::Blob {
        head: head.to_vec(),
        bytes,
    };
    assert_eq!(
        window.rows[0],
        [
            Value::Integer(9_007_199_254_740_993),
            Value::Integer(i64::MIN),
            Value::Real(f64::INFINITY),
            Value::Real(f64::NEG_INFINITY),
            Value::Null,
            Value::Text(String::new()),
            Value::Text("NULL".into()),
            blob(&[0, 255], 2),
            blob(&[], 0),
            Value::Text("A\u{fffd}B".into()),
            Value::Text("A\0B".into()),
            Value::Real(1.0),
            Value::Text("表".into()),
            blob(&[0; 64], 5_000),
            Value::TextHead {
                text: "é".repeat(WINDOW_TEXT_BYTES_MAX / 2),
                bytes: 6_000
            },
        ]
    );
    let preview = &pages.preview(1, 3)[0];
    assert_eq!(preview[12], Value::Text("表".into()));
    assert_eq!(
        preview[14],
        Value::TextHead {
            text: "ééé".into(),
            bytes: 6_000
        }
    );
}

#[test]
fn windows_cross_page_borders_and_end_where_the_rows_end() {
    let mut db = Native::memory("");
    let known = introspected(&mut db);
    let sql = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 40000) SELECT i, 'r' || i FROM n";
    let (meta, pages) = run(&mut db, &known, sql, wide()).unwrap();
    assert_eq!(meta.rows, 40_000);
    for first in [0, 16_380, 32_767, 39_990, 40_000] {
        let window = decode(&encode(&pages, first, 50).unwrap()).unwrap();
        assert_eq!(window.first, first);
        assert_eq!(window.rows.len() as u64, (40_000 - first).min(50));
        for (i, row) in (first..).zip(&window.rows) {
            let expected = [
                Value::Integer(i64::try_from(i).unwrap()),
                Value::Text(format!("r{i}")),
            ];
            assert_eq!(row[..], expected);
        }
    }
    assert_eq!(encode(&pages, 40_001, 1), None);
}

#[test]
fn two_thousand_columns_are_no_trouble() {
    let mut db = Native::memory("");
    let known = introspected(&mut db);
    let columns: Vec<String> = (0..2_000).map(|i| format!("{i} AS c")).collect();
    let (meta, pages) = run(
        &mut db,
        &known,
        &format!("SELECT {}", columns.join(",")),
        wide(),
    )
    .unwrap();
    assert_eq!(meta.columns.len(), 2_000);
    let window = decode(&encode(&pages, 0, 1).unwrap()).unwrap();
    assert_eq!(window.rows[0][1_999], Value::Integer(1_999));
}

/// A database that answers every step with the next of the given rows.
struct Given {
    rows: Vec<Vec<Value>>,
    steps: usize,
}

impl Given {
    fn cell(&self, column: usize) -> &Value {
        &self.rows[self.steps - 1][column]
    }
}

impl Sqlite for Given {
    fn prepare(&mut self, _: &str) -> Result<Option<Prepared>, SqliteError> {
        Ok(None)
    }

    fn step(&mut self, _: &Statement) -> Result<Step, SqliteError> {
        self.steps += 1;
        Ok(if self.steps > self.rows.len() {
            Step::Done
        } else {
            Step::Row
        })
    }

    fn finalize(&mut self, _: Statement) {}

    fn column_count(&self, _: &Statement) -> usize {
        self.rows[0].len()
    }

    fn column_name(&self, _: &Statement, _: usize) -> String {
        String::new()
    }

    fn column_kind(&self, _: &Statement, column: usize) -> ColumnKind {
        match self.cell(column) {
            Value::Null => ColumnKind::Null,
            Value::Integer(_) => ColumnKind::Integer,
            Value::Real(_) => ColumnKind::Real,
            Value::Text(_) | Value::TextHead { .. } => ColumnKind::Text,
            Value::Blob { .. } => ColumnKind::Blob,
        }
    }

    fn column_integer(&self, _: &Statement, column: usize) -> i64 {
        match self.cell(column) {
            Value::Integer(i) => *i,
            _ => 0,
        }
    }

    fn column_real(&self, _: &Statement, column: usize) -> f64 {
        match self.cell(column) {
            Value::Real(r) => *r,
            _ => 0.0,
        }
    }

    fn column_bytes(&self, _: &Statement, column: usize, out: &mut Vec<u8>) {
        match self.cell(column) {
            Value::Text(text) => out.extend_from_slice(text.as_bytes()),
            Value::Blob { head, .. } => out.extend_from_slice(head),
            _ => {}
        }
    }
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::Integer),
        any::<u64>().prop_map(|bits| Value::Real(f64::from_bits(bits))),
        any::<String>().prop_map(Value::Text),
        prop::collection::vec(any::<u8>(), 0..64).prop_map(|head| Value::Blob {
            bytes: head.len() as u64,
            head,
        }),
    ]
}

/// Equality in which a NaN is itself.
fn bits(value: &Value) -> String {
    match value {
        Value::Real(r) => format!("real {}", r.to_bits()),
        other => format!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn any_values_survive_pages_and_windows(
        rows in (1_usize..5).prop_flat_map(|width| prop::collection::vec(
            prop::collection::vec(value(), width), 1..20)),
        first in 0_usize..20,
    ) {
        let mut given = Given { rows, steps: 0 };
        let statement = Statement(0);
        let mut pages = Pages::new(vec![String::new(); given.column_count(&statement)]);
        while pages.fill(&mut given, &statement, 7).unwrap() != Filled::Done {}
        let encoded = encode(&pages, first as u64, 1_000);
        if first > given.rows.len() {
            prop_assert_eq!(encoded, None);
        } else {
            let window = decode(&encoded.unwrap()).unwrap();
            let out: Vec<Vec<String>> = window.rows.iter().map(|r| r.iter().map(bits).collect()).collect();
            let expected: Vec<Vec<String>> = given.rows[first..].iter().map(|r| r.iter().map(bits).collect()).collect();
            prop_assert_eq!(out, expected);
        }
    }

    #[test]
    fn a_broken_buffer_is_no_window_and_no_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        columns in 0_u32..9, rows in any::<u32>(),
    ) {
        let _ = decode(&bytes);
        let mut forged = b"AWN1".to_vec();
        forged.extend(columns.to_le_bytes());
        forged.extend([0; 8]);
        forged.extend(rows.to_le_bytes());
        forged.extend([0; 4]);
        forged.extend(&bytes);
        let _ = decode(&forged);
    }
}
