//! One question to scored candidates: a few readings of its ambiguous words, each a plan with a score.
//! Knows the schema's names, joins and values; builds no turn.

use super::assemble::Assembler;
use super::draft::Draft;
use super::plan::Query;
use super::print::print;
use super::read::{Knowledge, read};
use super::tag::tag;
use super::token::{Tag, Target, Token};
use crate::link::joins::JoinGraph;
use crate::link::names::Names;
use crate::link::values::ValueIndex;
use crate::link::words::{Word, words};
use crate::sql::Schema;

/// What the translator knows of one database. Made once for a file.
#[derive(Debug, Clone, Default)]
pub struct Translator {
    pub names: Names,
    pub graph: JoinGraph,
    pub values: ValueIndex,
}

/// One reading of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub query: Query,
    pub sql: String,
    /// 0 to 1: how much of the question the plan accounts for.
    pub score: f32,
    pub left_over: Vec<String>,
}

/// All readings of a question, best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Translation {
    pub candidates: Vec<Candidate>,
    /// What was understood, for the person: `table`, `table.column`, values.
    pub understood: Vec<String>,
}

/// Alternatives tried for one question. Each costs a whole reading.
const READINGS_MAX: usize = 8;

/// What a reading is worth that takes a word for what it fits less well.
const WEAKER: f32 = 0.94;

impl Translator {
    #[must_use]
    pub fn new(schema: &Schema, values: ValueIndex) -> Self {
        let mut names = Names::new(schema);
        let graph = JoinGraph::new(schema, &names);
        for edge in &graph.edges {
            let key = names
                .column(edge.parent, edge.parent_column)
                .map_or_else(String::new, |c| c.name.clone());
            names.mark_foreign(edge.child, edge.child_column, &key);
        }
        Self {
            names,
            graph,
            values,
        }
    }

    #[must_use]
    pub fn translate(&self, question: &str) -> Translation {
        let words = words(question);
        if asks_for_change(&words) {
            return Translation::default();
        }
        let tokens = tag(&words, &self.names, &self.values);
        let mut stems: Vec<String> = words.iter().map(|w| w.stem.clone()).collect();
        stems.sort_unstable();
        stems.dedup();
        let mut candidates: Vec<Candidate> = Vec::new();
        for (variant, weight) in self.variants(&tokens) {
            let Some(mut found) = self.candidate(&variant, &stems) else {
                continue;
            };
            found.score *= weight;
            if !candidates.iter().any(|c| c.sql == found.sql) {
                candidates.push(found);
            }
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        Translation {
            candidates,
            understood: self.understood(&tokens),
        }
    }

    fn candidate(&self, tokens: &[Token], stems: &[String]) -> Option<Candidate> {
        let know = Knowledge {
            names: &self.names,
            graph: &self.graph,
            values: &self.values,
        };
        let draft: Draft = read(tokens, know);
        let mut assembler = Assembler {
            names: &self.names,
            graph: &self.graph,
            stems,
            certainty: 1.0,
        };
        let query = assembler.query(&draft)?;
        Some(Candidate {
            sql: print(&query),
            query,
            score: draft.score * assembler.certainty,
            left_over: draft.left_over,
        })
    }

    fn understood(&self, tokens: &[Token]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for token in tokens {
            let Some(best) = token.candidates().first() else {
                continue;
            };
            let column = |t: usize, c: usize| {
                let table = self.names.tables.get(t)?;
                Some(format!("{}.{}", table.name, table.columns.get(c)?.name))
            };
            let text = match &best.target {
                Target::Table(t) => self.names.tables.get(*t).map(|t| t.name.clone()),
                Target::Column(t, c) => column(*t, *c),
                Target::Value(t, c, text) => column(*t, *c).map(|c| format!("{c} = “{text}”")),
            };
            out.extend(text.filter(|t| !out.contains(t)));
        }
        out
    }
}

/// "Delete all …": nothing here writes, and a list of rows would be no answer.
fn asks_for_change(words: &[Word]) -> bool {
    const VERBS: &[&str] = &[
        "delete", "drop", "remove", "insert", "update", "add", "alter", "truncate", "create",
        "set", "rename", "change",
    ];
    let polite = |w: &&Word| {
        !w.is_punctuation()
            && !matches!(
                w.folded.as_str(),
                "please" | "can" | "could" | "you" | "now"
            )
    };
    let first = words.iter().find(polite);
    let chinese: String = words.iter().take(3).map(|w| w.folded.as_str()).collect();
    first.is_some_and(|w| !w.quoted && VERBS.contains(&w.folded.as_str()))
        || ["删除", "更新", "修改", "插入", "清空"]
            .iter()
            .any(|v| chinese.contains(v))
}

impl Translator {
    /// The tokens as tagged, and once more for each mention that could well be something else.
    fn variants(&self, tokens: &[Token]) -> Vec<(Vec<Token>, f32)> {
        let mut out = vec![(tokens.to_vec(), 1.0)];
        for (at, token) in tokens.iter().enumerate() {
            let Tag::Mention(list) = &token.tag else {
                continue;
            };
            // A column that only points at the table of the same name is no other reading.
            let other = token.columns().any(|(t, c, score)| {
                score > 0.8 && self.names.column(t, c).is_some_and(|c| !c.foreign)
            });
            let table = token.table().map_or(0.0, |(_, score)| score);
            let named = table > 0.8;
            let column = token.column_score();
            if !named || !other || out.len() >= READINGS_MAX {
                continue;
            }
            for tables in [true, false] {
                let mut changed = tokens.to_vec();
                if let Some(slot) = changed.get_mut(at) {
                    let kept = |c: &&super::token::Candidate| {
                        matches!(c.target, Target::Table(_)) == tables
                    };
                    slot.tag = Tag::Mention(list.iter().filter(kept).cloned().collect());
                }
                let weaker = if tables {
                    table < column
                } else {
                    column <= table
                };
                out.push((changed, if weaker { WEAKER } else { 1.0 }));
            }
        }
        out
    }
}
