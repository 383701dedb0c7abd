//! The app without its page: a run, real SQLite, a source of turns, and a person who approves everything.

use crate::compare::{self, Rows};
use crate::native::clock;
use crate::set::{Database, Question, Set};
use assent::agent::approval::Decision;
use assent::agent::limits;
use assent::agent::protocol::{Effect, EffectId, Input, Op};
use assent::agent::record::{EventBody, Outcome as Ended, ProposalState};
use assent::agent::run::{Context, Phase, Run};
use assent::builtin;
use assent::engine::run::{Known, Order, run_to_end};
use assent::engine::{Budget, Fingerprint, guard};
use assent::llm::{ModelError, ModelRequest, Turn};
use assent::settings::{Language, Privacy};
use assent::view::notices;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Whatever answers model requests.
pub trait Source {
    fn turn(&mut self, request: &ModelRequest, database: &Database) -> Result<Turn, ModelError>;

    /// What was broken on purpose, and whether the loop could see it.
    fn broke(&self) -> Option<(&'static str, bool)> {
        None
    }
}

pub struct Builtin;

impl Builtin {
    pub fn new(_question: &Question, _database: &Database) -> Self {
        Self
    }
}

impl Source for Builtin {
    fn turn(&mut self, request: &ModelRequest, database: &Database) -> Result<Turn, ModelError> {
        Ok(builtin::respond(&database.translator, &request.messages))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Right,
    Wrong,
    /// "Cannot answer".
    Refused,
    /// A question card.
    Asked,
    /// The loop ended without rows.
    Failed,
}

pub struct Outcome {
    pub question: Question,
    pub kind: Kind,
    pub sql: String,
    pub said: String,
    pub score: Option<f32>,
    pub tries: usize,
    pub first_try: bool,
    /// Milliseconds for the source's turns.
    pub source_ms: f64,
    pub gold_ms: f64,
    pub ran_ms: f64,
    pub difficulty: &'static str,
    pub broke: Option<(&'static str, bool)>,
    /// Statements that ran although they write. Must stay 0.
    pub writes: usize,
}

pub fn run_all(
    set: &Set,
    source: impl Fn(&Question, &Database) -> Box<dyn Source>,
) -> Vec<Outcome> {
    let mut out = Vec::new();
    for (name, questions) in set.by_database() {
        let mut database = set.open(name);
        for question in questions {
            let mut source = source(question, &database);
            out.push(Desk::new(&mut database, source.as_mut()).ask(question));
        }
    }
    out
}

struct Desk<'a> {
    run: Run,
    database: &'a mut Database,
    source: &'a mut dyn Source,
    now_ms: u64,
    rows: Option<Rows>,
    ran_ms: f64,
    source_ms: f64,
    writes: usize,
}

impl<'a> Desk<'a> {
    fn new(database: &'a mut Database, source: &'a mut dyn Source) -> Self {
        Self {
            run: Run::default(),
            database,
            source,
            now_ms: 1_000,
            rows: None,
            ran_ms: 0.0,
            source_ms: 0.0,
            writes: 0,
        }
    }

    fn handle(&mut self, input: Input) -> Vec<Effect> {
        self.now_ms += 10;
        let context = Context {
            now_ms: self.now_ms,
            schema: Some(&self.database.known.schema),
            privacy: Privacy::Results,
            language: Language::English,
        };
        self.run.handle(input, &context)
    }

    fn ask(mut self, question: &Question) -> Outcome {
        let fingerprint = Fingerprint {
            name: question.db.clone(),
            ..fingerprint()
        };
        self.handle(Input::FileOpened { fingerprint });
        let ask = Op::Ask {
            text: question.question.clone(),
        };
        let mut effects: VecDeque<Effect> = self.handle(Input::Op(ask)).into();
        let mut steps = 0;
        while let Some(effect) = effects.pop_front() {
            steps += 1;
            if steps > 200 {
                break;
            }
            effects.extend(self.effect(effect));
        }
        self.outcome(question)
    }

    fn effect(&mut self, effect: Effect) -> Vec<Effect> {
        match effect {
            Effect::CallModel { effect, delay_ms } => {
                std::thread::sleep(Duration::from_millis(delay_ms));
                self.call(effect)
            }
            Effect::Check { effect, sql } => {
                let known = &self.database.known;
                let verdict =
                    guard::check(&mut self.database.db, &known.catalog, &known.schema, &sql)
                        .unwrap();
                self.handle(Input::Checked { effect, verdict })
            }
            Effect::RunSql {
                effect,
                sql,
                approved,
                result,
            } => {
                let order = Order {
                    sql,
                    approved,
                    result,
                    budget: budget(),
                };
                self.run_sql(effect, order)
            }
            Effect::AskUser => self.approve(),
            Effect::Cancel { .. } | Effect::Release { .. } | Effect::Save => Vec::new(),
        }
    }

    fn call(&mut self, effect: EffectId) -> Vec<Effect> {
        let context = Context {
            now_ms: self.now_ms,
            schema: Some(&self.database.known.schema),
            privacy: Privacy::Results,
            language: Language::English,
        };
        let request = self.run.model_request(&context, "2025-01-31");
        let start = Instant::now();
        let turn = self.source.turn(&request, self.database);
        self.source_ms += start.elapsed().as_secs_f64() * 1_000.0;
        match turn {
            Ok(turn) => self.handle(Input::ModelDone {
                effect,
                turn,
                thought_ms: 0,
            }),
            Err(error) => self.handle(Input::ModelFailed {
                effect,
                error,
                partial: Turn::default(),
                jitter: 0.5,
            }),
        }
    }

    fn run_sql(&mut self, effect: EffectId, order: Order) -> Vec<Effect> {
        let known = Known {
            catalog: &self.database.known.catalog,
            schema: &self.database.known.schema,
        };
        let start = order.sql.trim_start().to_ascii_lowercase();
        match run_to_end(&mut self.database.db, known, order, &clock()) {
            Ok((meta, pages)) => {
                if !start.starts_with("select") && !start.starts_with("with") {
                    self.writes += 1;
                }
                self.ran_ms = meta.ms;
                self.rows = Some(pages.preview(u32::MAX, u32::MAX));
                let preview =
                    pages.preview(limits::PREVIEW_ROWS_MAX, limits::PREVIEW_CELL_CHARS_MAX);
                self.handle(Input::Ran {
                    effect,
                    meta,
                    preview,
                })
            }
            Err(error) => self.handle(Input::RunFailed { effect, error }),
        }
    }

    /// The person approves every query, and answers no question.
    fn approve(&mut self) -> Vec<Effect> {
        let Phase::AwaitingApproval { request, .. } = self.run.phase() else {
            return Vec::new();
        };
        let (approval, shown) = (request.id, request.receipt.sql.clone());
        self.handle(Input::Op(Op::Decide {
            approval,
            decision: Decision::Approve { shown },
        }))
    }

    fn outcome(mut self, question: &Question) -> Outcome {
        let (mut sql, mut said, mut tries, mut failed) = (String::new(), String::new(), 0, 0);
        let turn = self.run.turns().last().cloned();
        for event in turn.iter().flat_map(|t| &t.events) {
            match &event.body {
                EventBody::Proposal(p) => {
                    tries += 1;
                    sql.clone_from(&p.phases.sql);
                    if matches!(
                        p.state,
                        ProposalState::Refused { .. } | ProposalState::Failed { .. }
                    ) {
                        failed += 1;
                    }
                }
                EventBody::CannotAnswer { reason, .. } => said.clone_from(reason),
                EventBody::Model(m) if m.answer => said.clone_from(&m.text),
                EventBody::Notice(notice) => {
                    said = notices::notice(notice, Language::English).text;
                }
                _ => {}
            }
        }
        let asked = matches!(self.run.phase(), Phase::AwaitingAnswers { .. });
        let ended = turn.and_then(|t| t.outcome);
        let (mut right, mut gold_ms) = (false, 0.0);
        for gold in question.golds() {
            let (rows, ms) = gold_rows(self.database, gold);
            gold_ms = ms;
            right |= self
                .rows
                .as_ref()
                .is_some_and(|found| compare::same(&rows, found, compare::is_ordered(gold)));
        }
        let kind = match (&self.rows, ended) {
            _ if asked => Kind::Asked,
            (_, Some(Ended::CannotAnswer)) => Kind::Refused,
            (Some(_), _) if right => Kind::Right,
            (Some(_), _) => Kind::Wrong,
            (None, _) => Kind::Failed,
        };
        let score = self
            .database
            .translator
            .translate(&question.question)
            .candidates
            .first()
            .map(|c| c.score);
        Outcome {
            kind,
            sql,
            said,
            score,
            tries,
            first_try: tries == 1 && failed == 0,
            source_ms: self.source_ms,
            gold_ms,
            ran_ms: self.ran_ms,
            difficulty: compare::difficulty(question.golds().first().copied().unwrap_or_default()),
            broke: self.source.broke(),
            writes: std::mem::take(&mut self.writes),
            question: question.clone(),
        }
    }
}

/// The gold query's rows, on the same connection.
pub fn gold_rows(database: &mut Database, gold: &str) -> (Rows, f64) {
    use assent::sql::SqlHash;
    let order = Order {
        sql: gold.to_owned(),
        approved: SqlHash::of(gold),
        result: assent::engine::ResultId(u64::MAX),
        budget: budget(),
    };
    let known = Known {
        catalog: &database.known.catalog,
        schema: &database.known.schema,
    };
    match run_to_end(&mut database.db, known, order, &clock()) {
        Ok((meta, pages)) => (pages.preview(u32::MAX, u32::MAX), meta.ms),
        Err(error) => {
            eprintln!("a gold query does not run: {error}: {gold}");
            (Vec::new(), 0.0)
        }
    }
}

fn budget() -> Budget {
    Budget {
        rows_max: 100_000,
        bytes_max: 1 << 28,
        time_ms: 10_000,
        preview_rows: limits::PREVIEW_ROWS_MAX,
        cell_chars: limits::PREVIEW_CELL_CHARS_MAX,
    }
}

fn fingerprint() -> Fingerprint {
    Fingerprint {
        name: String::new(),
        bytes: 4_096,
        ends: "0".repeat(64),
    }
}
