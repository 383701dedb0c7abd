//! A set of questions: a folder with `questions.jsonl` and the databases it names.

use crate::native::{Native, Scratch, clock, introspected};
use assent::builtin::Translator;
use assent::engine::index::index_values;
use assent::engine::introspect::Introspection;
use assent::link::Names;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Debug, Clone, Deserialize)]
pub struct Question {
    pub id: String,
    pub db: String,
    pub question: String,
    #[serde(default)]
    pub gold: String,
    /// Of ambiguous questions: each right reading.
    #[serde(default)]
    pub readings: Vec<Reading>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Reading {
    pub gold: String,
}

impl Question {
    pub fn golds(&self) -> Vec<&str> {
        if self.readings.is_empty() {
            vec![self.gold.as_str()]
        } else {
            self.readings.iter().map(|r| r.gold.as_str()).collect()
        }
    }
}

pub struct Database {
    pub db: Native,
    pub known: Introspection,
    pub translator: Translator,
    pub values: usize,
    pub index_ms: f64,
}

pub struct Set {
    pub questions: Vec<Question>,
    folder: std::path::PathBuf,
    scratch: Scratch,
}

impl Set {
    pub fn read(folder: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let text = std::fs::read_to_string(folder.join("questions.jsonl"))?;
        let mut questions = Vec::new();
        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            questions.push(serde_json::from_str(line)?);
        }
        Ok(Self {
            questions,
            folder: folder.to_path_buf(),
            scratch: Scratch::new("evaluate"),
        })
    }

    /// Questions by database, in the set's order.
    pub fn by_database(&self) -> BTreeMap<&str, Vec<&Question>> {
        let mut out: BTreeMap<&str, Vec<&Question>> = BTreeMap::new();
        for question in &self.questions {
            out.entry(&question.db).or_default().push(question);
        }
        out
    }

    pub fn open(&self, name: &str) -> Database {
        let script = self.folder.join(format!("{name}.sql"));
        let mut db = if script.exists() {
            Native::memory(&std::fs::read_to_string(script).unwrap())
        } else {
            let (_, copy) = self
                .scratch
                .opened(&self.folder.join(format!("{name}.sqlite")));
            Native::open(&copy)
        };
        let known = introspected(&mut db);
        let time = clock();
        let names = Names::new(&known.schema);
        let index = index_values(&mut db, &names, &time).unwrap();
        let index_ms = time();
        let values = index.len();
        Database {
            db,
            translator: Translator::new(&known.schema, index),
            known,
            values,
            index_ms,
        }
    }
}
