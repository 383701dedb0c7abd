//! The write-ahead log beside a database, read as SQLite itself would: every state of a log, whole, torn or
//! damaged, shows the rows that SQLite's own recovery shows.

use crate::native::{Native, Scratch, clock, data};
use assent::engine::Finding;
use assent::engine::doctor::{Beside, HEAD_BYTES, Log, examine, is_hot_journal};
use assent::engine::introspect::introspect;
use assent::engine::sqlite::rows;
use assent::engine::wal::Overlay;
use proptest::prelude::*;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

fn overlay(log: &[u8]) -> Option<Overlay> {
    let read = |from: u64, to: u64| -> Result<Vec<u8>, Infallible> {
        let at = |offset: u64| usize::try_from(offset).unwrap().min(log.len());
        Ok(log[at(from)..at(to)].to_vec())
    };
    let Ok(overlay) = Overlay::read(log.len() as u64, read);
    overlay
}

/// The database as the worker shows it to SQLite, and what the doctor says.
fn merged(file: &[u8], log: &[u8]) -> (Vec<Finding>, Vec<u8>) {
    let mut beside = Beside {
        log: Log::Useless,
        hot_journal: false,
    };
    let mut bytes = file.to_vec();
    if let Some(overlay) = overlay(log) {
        bytes = vec![0; usize::try_from(overlay.database_bytes()).unwrap()];
        let mut at = 0;
        while at < bytes.len() {
            let place = overlay.place(at as u64);
            let end = bytes
                .len()
                .min(at.saturating_add(usize::try_from(place.bytes).unwrap_or(usize::MAX)));
            let source = match place.in_log {
                Some(offset) => &log[usize::try_from(offset).unwrap()..],
                None => file.get(at..).unwrap_or_default(),
            };
            let there = source.len().min(end - at);
            bytes[at..at + there].copy_from_slice(&source[..there]);
            at = end;
        }
        beside.log = Log::Pages(overlay);
    }
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let examination = examine(head, file.len() as u64, &beside);
    for patch in &examination.patches {
        let at = usize::try_from(patch.offset).unwrap();
        bytes[at..at + patch.bytes.len()].copy_from_slice(&patch.bytes);
    }
    (examination.findings, bytes)
}

/// Every row of every table, in SQLite's own words.
fn dump(path: &Path) -> Vec<String> {
    let mut db = Native::open(path);
    let Ok(tables) = rows(
        &mut db,
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
        |r| r.text(0),
    ) else {
        return vec!["unreadable".to_owned()];
    };
    let mut lines = Vec::new();
    for table in tables {
        let columns = rows(&mut db, &format!("PRAGMA table_info({table})"), |r| {
            r.text(1)
        });
        let columns = columns.unwrap_or_default().join(" || '|' || ");
        let sql = format!("SELECT rowid || '|' || {columns} FROM {table} ORDER BY rowid");
        match rows(&mut db, &sql, |r| format!("{table}|{}", r.text(0))) {
            Ok(found) => lines.extend(found),
            Err(error) => lines.push(error.to_string()),
        }
    }
    lines
}

struct Pair {
    file: Vec<u8>,
    log: Vec<u8>,
}

/// A database in use: `script` ran after its last checkpoint.
fn pair(scratch: &Scratch, page_bytes: u32, script: &str) -> Pair {
    let path = scratch.0.join(format!("used-{page_bytes}.db"));
    let mut db = Native::open(&path);
    db.script(&format!(
        "PRAGMA page_size={page_bytes}; PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;
         CREATE TABLE old(a, b); INSERT INTO old SELECT value, hex(zeroblob(300)) FROM (WITH RECURSIVE s(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM s WHERE value < 40) SELECT * FROM s);
         PRAGMA wal_checkpoint(TRUNCATE); {script}"
    ));
    let read = |end: &str| std::fs::read(format!("{}{end}", path.display())).unwrap();
    Pair {
        file: read(""),
        log: read("-wal"),
    }
}

const CHANGES: &str = "
    INSERT INTO old VALUES ('one', 1);
    BEGIN; CREATE TABLE fresh(a, b); INSERT INTO fresh SELECT value, hex(zeroblob(900)) FROM (WITH RECURSIVE s(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM s WHERE value < 30) SELECT * FROM s); COMMIT;
    DELETE FROM old WHERE rowid % 2; UPDATE old SET b = 'changed' WHERE rowid = 4;
    BEGIN; INSERT INTO old SELECT 'late', value FROM (WITH RECURSIVE s(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM s WHERE value < 200) SELECT * FROM s); COMMIT;";

impl Pair {
    /// What SQLite itself finds when both files lie beside each other.
    fn recovered(&self, scratch: &Scratch, name: &str) -> Vec<String> {
        let path = write(scratch, name, &self.file);
        std::fs::write(format!("{}-wal", path.display()), &self.log).unwrap();
        let rows = dump(&path);
        let _ = std::fs::remove_file(format!("{}-wal", path.display()));
        rows
    }

    fn shown(&self, scratch: &Scratch, name: &str) -> Vec<String> {
        let (_, bytes) = merged(&self.file, &self.log);
        dump(&write(scratch, name, &bytes))
    }
}

fn write(scratch: &Scratch, name: &str, bytes: &[u8]) -> PathBuf {
    let path = scratch.0.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn rows_that_are_only_in_the_log_are_shown_for_every_page_size() {
    for page_bytes in [512, 4_096, 65_536] {
        let scratch = Scratch::new(&format!("wal-{page_bytes}"));
        let pair = pair(&scratch, page_bytes, CHANGES);
        let shown = pair.shown(&scratch, "shown.db");
        assert_eq!(shown, pair.recovered(&scratch, "recovered.db"));
        assert!(shown.contains(&"old|4|4|changed".to_owned()));
        assert!(shown.iter().any(|row| row.starts_with("fresh|30|30|")));
        let (findings, _) = merged(&pair.file, &pair.log);
        assert!(
            matches!(findings[..], [Finding::WalMerged { frames: 1.. }]),
            "{findings:?}"
        );
    }
}

#[test]
fn a_log_with_big_endian_checksums_is_read_too() {
    let scratch = Scratch::new("wal-endian");
    let mut pair = pair(&scratch, 1_024, "INSERT INTO old VALUES ('one', 1);");
    let little = overlay(&pair.log).unwrap();
    // The same frames, summed as a big-endian machine would.
    let sum = |start: (u32, u32), bytes: &[u8]| {
        bytes.chunks_exact(8).fold(start, |(a, b), pair| {
            let word = |at: usize| u32::from_be_bytes(pair[at..at + 4].try_into().unwrap());
            let a = a.wrapping_add(word(0)).wrapping_add(b);
            (a, b.wrapping_add(word(4)).wrapping_add(a))
        })
    };
    let put = |log: &mut [u8], at: usize, (a, b): (u32, u32)| {
        log[at..at + 4].copy_from_slice(&a.to_be_bytes());
        log[at + 4..at + 8].copy_from_slice(&b.to_be_bytes());
    };
    pair.log[3] |= 1;
    let mut running = sum((0, 0), &pair.log[..24]);
    put(&mut pair.log, 24, running);
    for at in (32..pair.log.len()).step_by(24 + 1_024) {
        running = sum(
            sum(running, &pair.log[at..at + 8]),
            &pair.log[at + 24..at + 24 + 1_024],
        );
        put(&mut pair.log, at + 16, running);
    }
    let big = overlay(&pair.log).unwrap();
    assert_eq!(
        (big.frames(), big.database_bytes()),
        (little.frames(), little.database_bytes())
    );
    assert_eq!(
        pair.shown(&scratch, "shown.db"),
        pair.recovered(&scratch, "recovered.db")
    );
}

#[test]
fn a_transaction_without_its_commit_and_a_torn_tail_are_left_out() {
    let scratch = Scratch::new("wal-torn");
    let whole = pair(&scratch, 512, CHANGES);
    for cut in (0..whole.log.len()).step_by(whole.log.len() / 60) {
        let torn = Pair {
            file: whole.file.clone(),
            log: whole.log[..cut].to_vec(),
        };
        assert_eq!(
            torn.shown(&scratch, "shown.db"),
            torn.recovered(&scratch, "recovered.db"),
            "cut at {cut}"
        );
    }
}

#[test]
fn an_old_log_that_was_begun_again_gives_only_its_new_frames() {
    let scratch = Scratch::new("wal-restart");
    let again = pair(
        &scratch,
        1_024,
        &format!("{CHANGES} PRAGMA wal_checkpoint(RESTART); INSERT INTO old VALUES ('again', 2);"),
    );
    let overlay = overlay(&again.log).unwrap();
    assert!(overlay.frames() < 5, "{}", overlay.frames());
    assert_eq!(
        again.shown(&scratch, "shown.db"),
        again.recovered(&scratch, "recovered.db")
    );
}

#[test]
fn a_log_that_sqlite_ignores_changes_nothing_and_needs_no_word() {
    let scratch = Scratch::new("wal-useless");
    let used = pair(&scratch, 1_024, "");
    for log in [
        Vec::new(),
        b"not a log at all, but long enough for a header".to_vec(),
    ] {
        let (findings, bytes) = merged(&used.file, &log);
        assert_eq!(findings, []);
        assert_eq!(bytes.len(), used.file.len());
        assert_eq!(bytes[18..20], [1, 1]);
    }
}

#[test]
fn a_file_that_lacks_pages_which_the_log_has_not_either_is_cut_short() {
    let scratch = Scratch::new("wal-short");
    let used = pair(&scratch, 1_024, "INSERT INTO old VALUES ('one', 1);");
    let (findings, _) = merged(&used.file[..4_096], &used.log);
    assert!(
        matches!(
            findings[..],
            [Finding::Truncated { .. }, Finding::WalMerged { .. }]
        ),
        "{findings:?}"
    );
}

#[test]
fn the_public_pair_shows_its_rows_and_names_no_missing_log() {
    let Some(path) = data("odd/wal-pair.db") else {
        return;
    };
    let read = |end: &str| std::fs::read(format!("{}{end}", path.display())).unwrap();
    let (findings, bytes) = merged(&read(""), &read("-wal"));
    assert_eq!(findings, [Finding::WalMerged { frames: 1 }]);
    let scratch = Scratch::new("wal-public");
    let path = write(&scratch, "pair.db", &bytes);
    let found = introspect(&mut Native::open(&path), bytes.len() as u64, &clock()).unwrap();
    let counts: Vec<_> = found
        .schema
        .tables
        .iter()
        .map(|t| (t.name.clone(), t.rows))
        .collect();
    println!("{counts:?}");
    let alone = Pair {
        file: read(""),
        log: Vec::new(),
    };
    let pair = Pair {
        file: read(""),
        log: read("-wal"),
    };
    assert_eq!(
        pair.shown(&scratch, "shown.db"),
        pair.recovered(&scratch, "recovered.db")
    );
    assert_ne!(
        pair.shown(&scratch, "shown.db"),
        alone.shown(&scratch, "alone.db")
    );
}

#[test]
fn a_journal_of_an_unfinished_write_is_named_and_a_cleared_one_is_not() {
    assert!(is_hot_journal(&[0xd9, 0xd5]));
    assert!(!is_hot_journal(&[0; 512]));
    assert!(!is_hot_journal(&[]));
    let scratch = Scratch::new("journal");
    let path = scratch.0.join("half.db");
    Native::open(&path).script("CREATE TABLE old(a, b)");
    let beside = Beside {
        hot_journal: true,
        ..Beside::default()
    };
    let (examination, _) = Scratch::new("journal-copy").opened_with(&path, &beside);
    assert_eq!(examination.findings, [Finding::HotJournal]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is damaged in a log, we show exactly what SQLite's recovery shows.
    #[test]
    fn a_damaged_log_is_read_as_sqlite_reads_it(at in any::<prop::sample::Index>(), bit in 0..8_u32, cut in any::<prop::sample::Index>()) {
        thread_local! {
            static USED: (Scratch, Pair) = {
                let scratch = Scratch::new("wal-damage");
                let pair = pair(&scratch, 512, CHANGES);
                (scratch, pair)
            };
        }
        USED.with(|(scratch, used)| {
            let mut log = used.log.clone();
            let at = at.index(log.len());
            // SQLite refuses a log of another version; we read the file without it.
            prop_assume!(!(4..8).contains(&at));
            log[at] ^= 1 << bit;
            log.truncate(log.len() / 2 + cut.index(log.len() / 2 + 1));
            let damaged = Pair { file: used.file.clone(), log };
            prop_assert_eq!(damaged.shown(scratch, "shown.db"), damaged.recovered(scratch, "recovered.db"));
            Ok(())
        })?;
    }
}
