//! The native side of `cargo xtask bench engine`: makes the database, and times native SQLite on it.
//! `engine_bench make FILE BYTES` · `engine_bench make-tables FILE` · `engine_bench time FILE ROUNDS < queries.json`,
//! which prints milliseconds.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["make", file, bytes] => native::make(file, bytes.parse()?),
        ["make-tables", file] => native::make_tables(file),
        ["time", file, rounds] => native::time(file, rounds.parse()?),
        _ => {
            Err("usage: engine_bench make FILE BYTES | make-tables FILE | time FILE ROUNDS".into())
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use rusqlite::{Connection, OpenFlags};
    use std::collections::BTreeMap;
    use std::time::Instant;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    /// Bytes of one event with its key, about.
    const ROW_BYTES: u64 = 62;
    const PEOPLE: i64 = 20_000;

    /// People, places and as many events as fill the size. The same bytes on every run.
    pub fn make(file: &str, bytes: u64) -> Outcome {
        let db = Connection::open(file)?;
        db.execute_batch(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-200000; BEGIN;
             CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT NOT NULL, place INT NOT NULL);
             CREATE TABLE places(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
             CREATE TABLE events(id INTEGER PRIMARY KEY, person INT NOT NULL, kind INT NOT NULL, amount REAL NOT NULL,
                 note TEXT NOT NULL, at TEXT);",
        )?;
        let series = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)";
        db.execute(
            &format!("{series} INSERT INTO places SELECT i, 'place ' || i FROM n"),
            [100],
        )?;
        db.execute(
            &format!("{series} INSERT INTO people SELECT i, 'person ' || i, i % 100 + 1 FROM n"),
            [PEOPLE],
        )?;
        let sql = format!(
            "{series} INSERT INTO events SELECT i, i * 7919 % {PEOPLE} + 1, i % 37, i * 31 % 100003 / 7.0,
             'note ' || (i * 48271 % 65537) || ' of a day that was long', CASE WHEN i % 9 THEN '2024-' || (i % 12 + 1) END FROM n"
        );
        db.execute(&sql, [i64::try_from(bytes / ROW_BYTES)?])?;
        db.execute_batch("COMMIT")?;
        Ok(())
    }

    /// A thousand tables of twenty columns, a few rows and an index each, every one pointing at the one before.
    pub fn make_tables(file: &str) -> Outcome {
        let db = Connection::open(file)?;
        db.execute_batch(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF; BEGIN",
        )?;
        for table in 0..1_000 {
            let columns: Vec<String> = (2..20).map(|c| format!("column_{c} TEXT")).collect();
            db.execute_batch(&format!(
                "CREATE TABLE table_{table}(id INTEGER PRIMARY KEY, before INT REFERENCES table_{}(id), {});
                 CREATE INDEX index_{table} ON table_{table}(column_2, column_3);
                 INSERT INTO table_{table}(column_2) VALUES ('a'), ('b'), ('c');",
                (table + 999) % 1_000,
                columns.join(", ")
            ))?;
        }
        db.execute_batch("COMMIT")?;
        Ok(())
    }

    /// Reads `{name: sql}` and prints `{name: [milliseconds]}`, all rows stepped.
    pub fn time(file: &str, rounds: usize) -> Outcome {
        let queries: BTreeMap<String, String> = serde_json::from_reader(std::io::stdin())?;
        let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (name, sql) in &queries {
            for _ in 0..rounds {
                #[expect(clippy::disallowed_methods, reason = "a measurement")]
                let start = Instant::now();
                let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
                let mut statement = db.prepare(sql)?;
                let mut rows = statement.query([])?;
                while rows.next()?.is_some() {}
                times
                    .entry(name)
                    .or_default()
                    .push(start.elapsed().as_secs_f64() * 1_000.0);
            }
        }
        println!("{}", serde_json::to_string(&times)?);
        Ok(())
    }
}
