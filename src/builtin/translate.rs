//! One question to scored candidates: a few readings of its ambiguous words, each a plan with a score.
//! Knows the schema's names, joins and values; builds no turn.

use super::assemble::Assembler;
use super::draft::{Col, Doubt, Draft};
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
    /// It asks to write, which nothing here does.
    pub asks_for_change: bool,
}

/// Alternatives tried for one question. Each costs a whole reading.
const READINGS_MAX: usize = 8;

/// Doubtful mentions that are read both ways.
const DOUBTS_MAX: usize = 2;

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
            return Translation {
                asks_for_change: true,
                ..Translation::default()
            };
        }
        let tokens = tag(&words, &self.names, &self.values);
        let mut stems: Vec<String> = words.iter().map(|w| w.stem.clone()).collect();
        stems.sort_unstable();
        stems.dedup();
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut doubts: Vec<Doubt> = Vec::new();
        for (variant, weight) in self.variants(&tokens) {
            let (found, doubtful) = self.candidate(&variant, &stems);
            keep(&mut candidates, found, weight);
            if doubts.is_empty() {
                doubts = doubtful;
            }
        }
        for doubt in doubts.iter().take(DOUBTS_MAX) {
            for column in doubt.columns {
                let variant = decided(&tokens, doubt, column);
                let (found, _) = self.candidate(&variant, &stems);
                keep(&mut candidates, found, 1.0);
            }
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        Translation {
            candidates,
            understood: self.understood(&tokens),
            asks_for_change: false,
        }
    }

    fn candidate(&self, tokens: &[Token], stems: &[String]) -> (Option<Candidate>, Vec<Doubt>) {
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
        let found = assembler.query(&draft).map(|query| Candidate {
            sql: print(&query),
            query,
            score: draft.score * assembler.certainty,
            left_over: draft.left_over,
        });
        (found, draft.doubts)
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

/// Adds a reading; one that only joins in another order is the same reading.
fn keep(candidates: &mut Vec<Candidate>, found: Option<Candidate>, weight: f32) {
    let Some(mut found) = found else { return };
    found.score *= weight;
    match candidates
        .iter_mut()
        .find(|c| c.query.reads_as(&found.query))
    {
        Some(same) if same.score < found.score => *same = found,
        Some(_) => {}
        None => candidates.push(found),
    }
}

/// The tokens, with the doubtful mention meaning that column.
fn decided(tokens: &[Token], doubt: &Doubt, column: Col) -> Vec<Token> {
    let mut out = tokens.to_vec();
    if let Some(Tag::Mention(list)) = out.get_mut(doubt.at).map(|t| &mut t.tag) {
        let other = |c: Col| c != column && doubt.columns.contains(&c);
        list.retain(|c| match c.target {
            Target::Column(t, col) | Target::Value(t, col, _) => !other((t, col)),
            Target::Table(_) => true,
        });
    }
    out
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
    let chinese: String = words.iter().map(|w| w.folded.as_str()).collect();
    first.is_some_and(|w| !w.quoted && VERBS.contains(&w.folded.as_str()))
        || changes_in_chinese(&chinese)
}

/// "删除…", "请把…删掉"; not "更新日期最晚的…", where the verb is part of a name.
fn changes_in_chinese(question: &str) -> bool {
    const VERBS: &[&str] = &[
        "删除", "删掉", "更新", "修改", "插入", "清空", "新增", "添加", "改成", "改为",
    ];
    let polite = ["请", "帮我", "你", "能", "可以", "麻烦"];
    let mut rest = question;
    while let Some(next) = polite.iter().find_map(|p| rest.strip_prefix(p)) {
        rest = next;
    }
    let named = |after: &str| {
        ["日期", "时间", "人", "的", "次数"]
            .iter()
            .any(|n| after.starts_with(n))
    };
    let begins = VERBS
        .iter()
        .any(|v| rest.strip_prefix(v).is_some_and(|after| !named(after)));
    let takes = rest.starts_with('把') || rest.starts_with('将');
    begins || (takes && VERBS.iter().any(|v| rest.contains(v)))
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
