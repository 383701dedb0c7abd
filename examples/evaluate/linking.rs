//! Linking alone: how many gold tables and columns stand among the first ranked ones, by database and with
//! all schemas in one, and how many gold literals are found from the question.

use crate::set::{Database, Question, Set};
use assent::engine::guard;
use assent::link::rank::joined;
use assent::link::words::number;
use assent::link::{Names, ValueIndex, Word, rank, words};
use assent::sql::lex::tokens;
use assent::sql::{Schema, Verdict};

#[derive(Default)]
struct Recall {
    met: usize,
    all: usize,
}

impl Recall {
    fn add(&mut self, met: bool) {
        self.all += 1;
        self.met += usize::from(met);
    }

    #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
    fn percent(&self) -> f64 {
        100.0 * self.met as f64 / self.all.max(1) as f64
    }
}

#[derive(Default)]
struct Recalls {
    tables: [Recall; 3],
    columns: [Recall; 3],
}

const CUTS: [usize; 3] = [5, 10, 20];

impl Recalls {
    fn print(&self, name: &str) {
        for (what, list) in [("tables", &self.tables), ("columns", &self.columns)] {
            println!(
                "{name:<10} {what:<8} recall@5 {:.1} %  @10 {:.1} %  @20 {:.1} %",
                list[0].percent(),
                list[1].percent(),
                list[2].percent()
            );
        }
    }

    fn add(
        &mut self,
        question: &[Word],
        names: &Names,
        values: &ValueIndex,
        gold: &Gold,
        prefix: &str,
    ) {
        let ranked = rank(question, names, values);
        for (n, cut) in CUTS.iter().enumerate() {
            for (table, columns) in gold {
                let wanted = format!("{prefix}{table}");
                let Some(t) = names.table_index(&wanted) else {
                    continue;
                };
                self.tables[n].add(ranked.tables.iter().take(*cut).any(|(r, _)| *r == t));
                for column in columns {
                    let Some(c) = names.column_index(t, column) else {
                        continue;
                    };
                    self.columns[n]
                        .add(ranked.columns.iter().take(*cut).any(|(r, _)| *r == (t, c)));
                }
            }
        }
    }
}

type Gold = Vec<(String, Vec<String>)>;

pub fn run(set: &Set, others: &[Set]) {
    let (mut own, mut merged, mut literals) =
        (Recalls::default(), Recalls::default(), Recall::default());
    let (mut values, mut index_ms) = (0, 0.0);
    let databases: Vec<(&str, Vec<&Question>, Database)> = set
        .by_database()
        .into_iter()
        .map(|(name, questions)| (name, questions, set.open(name)))
        .collect();
    let more: Vec<(&str, Database)> = others
        .iter()
        .flat_map(|other| {
            let names: Vec<&str> = other.by_database().into_keys().collect();
            names.into_iter().map(|name| (name, other.open(name)))
        })
        .collect();
    let (all_names, all_values) = merge(
        databases
            .iter()
            .map(|(name, _, d)| (*name, d))
            .chain(more.iter().map(|(name, d)| (*name, d))),
    );
    let mut databases = databases;
    for (name, questions, database) in &mut databases {
        values += database.values;
        index_ms += database.index_ms;
        for question in questions.iter() {
            let asked = words(&question.question);
            let sql = question
                .golds()
                .first()
                .copied()
                .unwrap_or_default()
                .to_owned();
            let gold = gold_reads(database, &sql);
            let translator = &database.translator;
            own.add(&asked, &translator.names, &translator.values, &gold, "");
            merged.add(&asked, &all_names, &all_values, &gold, &prefix(name));
            for literal in gold_literals(&sql) {
                literals.add(is_found(&asked, &translator.values, &literal));
            }
        }
    }
    own.print("by itself");
    println!("all schemas in one: {} tables", all_names.tables.len());
    merged.print("merged");
    println!(
        "gold literals found {:.1} % of {}",
        literals.percent(),
        literals.all
    );
    #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
    let rate = values as f64 / (index_ms / 1_000.0).max(1e-9);
    println!("value index: {values} distinct texts, {rate:.0} a second");
}

fn prefix(name: &str) -> String {
    format!("{name}::")
}

/// All databases as one: tables keep their own words, but are many.
fn merge<'a>(databases: impl Iterator<Item = (&'a str, &'a Database)>) -> (Names, ValueIndex) {
    let mut names = Names::default();
    let values = ValueIndex::default();
    for (name, database) in databases {
        let schema: &Schema = &database.known.schema;
        for mut table in Names::new(schema).tables {
            table.name = format!("{}{}", prefix(name), table.name);
            names.tables.push(table);
        }
    }
    (names, values)
}

/// What the gold query reads, by the guard's receipt.
fn gold_reads(database: &mut Database, sql: &str) -> Gold {
    let known = &database.known;
    match guard::check(&mut database.db, &known.catalog, &known.schema, sql) {
        Ok(Verdict::Allow(receipt)) => receipt
            .reads
            .into_iter()
            .map(|r| (r.table, r.columns))
            .collect(),
        _ => Vec::new(),
    }
}

fn gold_literals(sql: &str) -> Vec<String> {
    let mut out = Vec::new();
    for token in tokens(sql) {
        let text = token.text(sql);
        let quoted = text.starts_with('\'') || text.starts_with('"');
        if quoted && text.len() > 2 {
            out.push(text[1..text.len() - 1].replace("''", "'"));
        }
    }
    out
}

/// Whether the literal is a stored text that the question's words lead to, or stands in the question.
fn is_found(question: &[Word], values: &ValueIndex, literal: &str) -> bool {
    let wanted = assent::link::fuzzy::fold(&literal.replace('%', ""));
    let stored = |text: &str| assent::link::fuzzy::fold(text) == wanted;
    for from in 0..question.len() {
        for len in 1..=8 {
            let Some(span) = question.get(from..from + len) else {
                break;
            };
            let refs: Vec<&Word> = span.iter().collect();
            let folded = joined(&refs);
            if folded == wanted || number(&folded).is_some_and(|n| n == wanted) {
                return true;
            }
            let places = assent::builtin::places(&folded);
            if places.contains(&wanted.as_str()) {
                return true;
            }
            if folded.chars().count() >= 3
                && values.near(&folded, true).iter().any(|h| stored(h.text))
            {
                return true;
            }
        }
    }
    false
}
