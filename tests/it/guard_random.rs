//! Random statements against SQLite itself: whatever SQLite would treat as more than one statement or as a write
//! is refused, before anything of it is prepared on the guarded connection. `ASSENT_STATEMENTS` sets how many.

use crate::native::{Native, introspected};
use assent::engine::guard;
use assent::sql::Verdict;
use assent::sql::gate::gate;
use rusqlite::ffi;
use std::ffi::CString;

const STATEMENTS: u64 = 20_000;

const SCHEMA: &str = "CREATE TABLE a(id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE b(id INT, n TEXT);
    CREATE VIEW v AS SELECT name FROM a; CREATE TRIGGER tr AFTER INSERT ON a BEGIN DELETE FROM b; END;";

/// Whole statements; `_` takes a piece of white space or comment.
const STATEMENTS_PARTS: &[&str] = &[
    "SELECT_1",
    "SELECT_name_FROM_a_WHERE_id_=_1",
    "VALUES(1),(2)",
    "WITH_x_AS_(SELECT_1)_SELECT_*_FROM_x",
    "EXPLAIN_SELECT_1",
    "EXPLAIN_QUERY_PLAN_SELECT_*_FROM_a",
    "SELECT_replace(name,'a',';')_FROM_a",
    "SELECT_*_FROM_v_UNION_SELECT_n_FROM_b",
    "SELECT_CASE_WHEN_1_THEN_2_END",
    "SELECT_*_FROM_pragma_table_info('a')",
    "DELETE_FROM_a",
    "INSERT_INTO_a(name)_VALUES('x')",
    "UPDATE_a_SET_name='y'",
    "REPLACE_INTO_a_VALUES(1,2)",
    "WITH_x_AS_(SELECT_1)_DELETE_FROM_a",
    "WITH_x(i)_AS_(VALUES(1))_INSERT_INTO_a_SELECT_i,i_FROM_x",
    "WITH_x_AS_(SELECT_1)_UPDATE_a_SET_name=2",
    "WITH_x_AS_(SELECT_1)_REPLACE_INTO_b_VALUES(1,2)",
    "DELETE_FROM_a_RETURNING_*",
    "PRAGMA_user_version=7",
    "PRAGMA_query_only=0",
    "PRAGMA_writable_schema(1)",
    "EXPLAIN_PRAGMA_query_only=0",
    "ATTACH_':memory:'_AS_z",
    "DETACH_z",
    "VACUUM",
    "VACUUM_INTO_'x'",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT_s",
    "RELEASE_s",
    "REINDEX",
    "ANALYZE",
    "CREATE_TABLE_q(x)",
    "CREATE_TEMP_TABLE_q(x)",
    "CREATE_VIEW_w_AS_SELECT_1",
    "DROP_TABLE_a",
    "ALTER_TABLE_a_ADD_COLUMN_z",
    "CREATE_INDEX_i_ON_a(name)",
    "CREATE_TABLE_c_AS_SELECT_1",
    "END",
    "EXPLAIN_DELETE_FROM_a",
    "SELECT_*_FROM_pragma_optimize",
    "",
];

const SPACES: &[&str] = &[
    " ",
    "\n",
    "\t",
    "\r\n",
    "\x0c",
    "/**/",
    "/*;*/",
    "/* ' */",
    "/* -- */",
    "/*/ */",
    "--;\n",
    "-- '\n",
    "-- /*\n",
    "  ",
    "/* \" */",
    "--\n",
    " /* ; DELETE FROM a */ ",
];

const ENDS: &[&str] = &[
    "",
    "",
    "",
    ";",
    ";;",
    " ; ",
    "; ",
    ";",
    "--",
    "-- ;\n",
    ";--x",
    ";/*",
    "/* x",
    "/*x*/",
    ";/**/",
    "'",
    "\"",
    "`",
    "[",
    "\0",
    ";\n--\n;",
    "\u{feff}",
    ";\u{feff}",
    "\u{a0}",
    ")",
    "(",
    "?1",
    ":a",
    "@a",
    "$a::b(c;d)",
    "#",
    "\\",
];

/// Pieces that are spliced anywhere: what tells strings, names, comments and statements apart.
const PIECES: &[&str] = &[
    "'",
    "''",
    "\"",
    "\"\"",
    "`",
    "[",
    "]",
    "--",
    "/*",
    "*/",
    ";",
    "\n",
    "\r",
    "x'00'",
    "x'0",
    "'a;b'",
    "\"a;b\"",
    "[a;b]",
    "`a;b`",
    "\0",
    "e",
    "1e",
    "0x",
    ".",
    "||",
    "/",
    "-",
    "*",
    "$",
    "$a(",
    "::",
    "?",
    "@",
    "#",
    "!",
    "!=",
    "<>",
    "&",
    "~",
    "\u{feff}",
    "é",
    "🦀",
    "DELETE FROM a",
    " SELECT ",
    " PRAGMA query_only=0 ",
    " WITH ",
    " EXPLAIN ",
    "\x0b",
    "\x1a",
    "\u{85}",
    "\u{2028}",
    "END;",
];

/// A seeded generator: the same statements on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % most
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn statement(&mut self) -> String {
        let part = self.pick(STATEMENTS_PARTS);
        let mut text = String::new();
        for c in part.chars() {
            if c == '_' {
                text.push_str(self.pick(SPACES));
            } else if self.below(9) == 0 {
                text.extend(c.to_lowercase());
            } else {
                text.push(c);
            }
        }
        text
    }

    fn text(&mut self) -> String {
        let mut text = String::new();
        if self.below(6) == 0 {
            text.push_str(self.pick(SPACES));
        }
        text.push_str(&self.statement());
        if self.below(3) == 0 {
            text.push_str(self.pick(&[";", ";", "; ", "", ";;", " "]));
            text.push_str(self.pick(ENDS));
            text.push_str(self.pick(SPACES));
            text.push_str(&self.statement());
        }
        if self.below(2) == 0 {
            text.push_str(self.pick(ENDS));
        }
        for _ in 0..self.below(6).saturating_sub(3) {
            let places: Vec<usize> = text
                .char_indices()
                .map(|(at, _)| at)
                .chain([text.len()])
                .collect();
            let at = places[self.below(places.len())];
            text.insert_str(at, self.pick(PIECES));
        }
        text
    }
}

/// What SQLite itself makes of a text, on a connection without any protection.
struct Reference {
    db: *mut ffi::sqlite3,
}

#[derive(Debug, Default)]
struct Seen {
    statements: usize,
    writes: bool,
    /// Some part is no SQL to SQLite.
    broken: bool,
}

impl Reference {
    fn new() -> Self {
        let mut db = std::ptr::null_mut();
        let name = CString::new(":memory:").unwrap();
        let script = CString::new(SCHEMA).unwrap();
        #[expect(unsafe_code, reason = "SQLite's own interface is C")]
        unsafe {
            assert_eq!(
                ffi::sqlite3_open(name.as_ptr(), &raw mut db),
                ffi::SQLITE_OK
            );
            let code = ffi::sqlite3_exec(
                db,
                script.as_ptr(),
                None,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            );
            assert_eq!(code, ffi::SQLITE_OK);
        }
        Self { db }
    }

    /// Prepares one statement after the other, and runs none. A text ends at a NUL, as C sees it.
    fn read(&self, sql: &str) -> Seen {
        let text = sql.split('\0').next().unwrap();
        let text = CString::new(text).unwrap();
        let mut seen = Seen::default();
        let mut rest = text.as_ptr();
        #[expect(unsafe_code, reason = "SQLite's own interface is C")]
        unsafe {
            while *rest != 0 {
                let mut statement = std::ptr::null_mut();
                let code =
                    ffi::sqlite3_prepare_v2(self.db, rest, -1, &raw mut statement, &raw mut rest);
                if code != ffi::SQLITE_OK {
                    seen.broken = true;
                    break;
                }
                if !statement.is_null() {
                    seen.statements += 1;
                    seen.writes |= ffi::sqlite3_stmt_readonly(statement) == 0;
                    ffi::sqlite3_finalize(statement);
                }
            }
        }
        seen
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "SQLite's own interface is C")]
        unsafe {
            ffi::sqlite3_close(self.db);
        }
    }
}

#[test]
fn what_sqlite_takes_for_a_write_or_for_several_statements_is_refused() {
    let count = std::env::var("ASSENT_STATEMENTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(STATEMENTS);
    let mut random = Random(0x5eed_0fa5_5e47);
    let mut db = Native::memory(SCHEMA);
    let known = introspected(&mut db);
    let (mut allowed, mut refused, mut invalid, mut writes, mut several) = (0, 0, 0, 0, 0);
    for _ in 0..count {
        let sql = random.text();
        let verdict = guard::check(&mut db, &known.catalog, &known.schema, &sql).unwrap();
        // A fresh one each time would be slow; preparing a PRAGMA may change a connection, never the file.
        let reference = Reference::new();
        let seen = reference.read(&sql);
        writes += u64::from(seen.writes);
        several += u64::from(seen.statements > 1);
        match verdict {
            Verdict::Allow(_) => {
                allowed += 1;
                assert!(!seen.writes, "a write was allowed: {sql:?}");
                assert!(
                    seen.statements == 1 && !seen.broken,
                    "{seen:?} was allowed: {sql:?}"
                );
                assert!(!sql.contains('\0'), "{sql:?}");
            }
            Verdict::Deny(_) => refused += 1,
            Verdict::Invalid { .. } => {
                invalid += 1;
                assert!(
                    seen.broken || seen.statements <= 1,
                    "the gate let {seen:?} through: {sql:?}"
                );
                assert!(!seen.writes, "a write reached SQLite: {sql:?}");
            }
        }
        // What passes the gate alone is exactly one statement to SQLite, or none that it understands.
        if gate(&sql).is_ok() {
            assert!(
                seen.statements <= 1,
                "the gate let {seen:?} through: {sql:?}"
            );
        }
    }
    println!(
        "{count} statements: {allowed} allowed, {refused} refused, {invalid} invalid; SQLite saw {writes} writes, {several} with several statements"
    );
    // A generator that makes only nonsense would prove nothing.
    assert!(allowed * 50 > count && writes * 20 > count && several * 50 > count);
}
