//! A desk to play scripts at: the run in the middle, real SQLite on one side, a scripted model on the other.
//! After every input it checks what must always hold: a saved run is the same run, no bytes run that no
//! person approved, every request to the model is well-formed.

use crate::native::{Native, clock, introspected};
use assent::agent::approval::{ApprovalRequest, Decision};
use assent::agent::limits;
use assent::agent::protocol::{Effect, EffectId, Input, Op};
use assent::agent::questions::{Answer, CardId};
use assent::agent::run::{Context, Phase, Run};
use assent::engine::introspect::Introspection;
use assent::engine::run::{Known, Order, run_to_end};
use assent::engine::{Budget, Fingerprint, QueryError, ResultId, guard};
use assent::llm::{FinishReason, ModelError, ModelErrorKind, ModelRequest, Turn};
use assent::settings::{Language, Privacy};
use assent::sql::{SqlHash, Verdict};
use assent::transcript::{CallId, Message, Part, ToolCall};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// A small shop: regions, customers, orders.
pub const SHOP: &str = "
CREATE TABLE regions(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, region_id INT REFERENCES regions(id));
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers(id), total REAL, ordered_at TEXT, note TEXT);
INSERT INTO regions VALUES (1,'North'),(2,'South');
INSERT INTO customers VALUES (1,'Ann',1),(2,'Bo',2),(3,'Cy',2);
INSERT INTO orders VALUES (1,1,10.5,'2024-01-03',NULL),(2,2,20.0,'2024-01-05',NULL),(3,3,5.25,'2024-02-01',NULL);
";

pub struct Desk {
    pub run: Run,
    db: Native,
    known: Introspection,
    pub privacy: Privacy,
    pub file_open: bool,
    /// When false, effects of the engine wait in `engine_effects` until the test answers.
    pub engine_answers: bool,
    pub waiting_engine: Vec<Effect>,
    pub model_effect: Option<(EffectId, u64)>,
    pub requests: Vec<ModelRequest>,
    approved: BTreeSet<SqlHash>,
    story: String,
    now_ms: u64,
    rows_max: u64,
}

impl Desk {
    pub fn open() -> Self {
        Self::with(SHOP)
    }

    pub fn with(script: &str) -> Self {
        let mut db = Native::memory(script);
        let known = introspected(&mut db);
        let mut desk = Self {
            run: Run::default(),
            db,
            known,
            privacy: Privacy::Results,
            file_open: true,
            engine_answers: true,
            waiting_engine: Vec::new(),
            model_effect: None,
            requests: Vec::new(),
            approved: BTreeSet::new(),
            story: String::new(),
            now_ms: 1_000,
            rows_max: 1_000,
        };
        desk.handle(Input::FileOpened {
            fingerprint: fingerprint("shop.db"),
        });
        desk
    }

    pub fn rows_max(mut self, rows: u64) -> Self {
        self.rows_max = rows;
        self
    }

    pub fn privacy(mut self, privacy: Privacy) -> Self {
        self.privacy = privacy;
        self
    }

    fn say(&mut self, line: &str) {
        self.story.push_str(line);
        self.story.push('\n');
    }

    /// What happened so far, for a snapshot; the next call tells only what is new.
    pub fn story(&mut self) -> String {
        std::mem::take(&mut self.story)
    }

    pub fn handle(&mut self, input: Input) {
        self.now_ms += 10;
        let before = self.run.clone();
        let effects = {
            let context = Context {
                now_ms: self.now_ms,
                schema: self.file_open.then_some(&self.known.schema),
                privacy: self.privacy,
                language: Language::English,
            };
            self.run.handle(input.clone(), &context)
        };
        self.check_round_trip(before, &input, &effects);
        for effect in effects {
            self.effect(effect);
        }
    }

    /// A saved and loaded run is the same run, and does the same with the same input.
    fn check_round_trip(&mut self, before: Run, input: &Input, effects: &[Effect]) {
        let saved = serde_json::to_string(&before).unwrap();
        let mut loaded: Run = serde_json::from_str(&saved).unwrap();
        assert_eq!(serde_json::to_string(&loaded).unwrap(), saved);
        let context = Context {
            now_ms: self.now_ms,
            schema: self.file_open.then_some(&self.known.schema),
            privacy: self.privacy,
            language: Language::English,
        };
        let again = loaded.handle(input.clone(), &context);
        let text = |e: &[Effect]| serde_json::to_string(e).unwrap();
        assert_eq!(text(&again), text(effects), "a loaded run does the same");
        assert_eq!(
            serde_json::to_string(&loaded).unwrap(),
            serde_json::to_string(&self.run).unwrap()
        );
    }

    fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::CallModel { effect, delay_ms } => {
                self.model_effect = Some((effect, delay_ms));
                let request = self.request();
                self.check_request(&request);
                self.requests.push(request);
                self.say("→ model");
            }
            Effect::Check { .. } | Effect::RunSql { .. } if !self.engine_answers => {
                self.waiting_engine.push(effect);
            }
            Effect::Check { effect, sql } => self.check(effect, &sql),
            Effect::RunSql {
                effect,
                sql,
                approved,
                result,
            } => self.run_sql(effect, &sql, approved, result),
            Effect::AskUser => {
                let line = self.card_line();
                self.say(&line);
            }
            Effect::Cancel { .. } => self.say("→ cancel"),
            Effect::Release { .. } | Effect::Save => {}
        }
    }

    fn request(&self) -> ModelRequest {
        let context = Context {
            now_ms: self.now_ms,
            schema: self.file_open.then_some(&self.known.schema),
            privacy: self.privacy,
            language: Language::English,
        };
        self.run.model_request(&context, "2025-01-31")
    }

    /// Each call has exactly one result, in order, and ids are unique.
    fn check_request(&self, request: &ModelRequest) {
        let mut open: Vec<CallId> = Vec::new();
        let mut seen = BTreeSet::new();
        for message in &request.messages {
            match message {
                Message::Assistant { parts } => {
                    assert!(open.is_empty(), "calls without results: {open:?}");
                    for part in parts {
                        if let Part::Call(call) = part {
                            assert!(seen.insert(call.id.clone()), "id twice: {:?}", call.id);
                            open.push(call.id.clone());
                        }
                    }
                }
                Message::Tool(result) => {
                    assert_eq!(open.first(), Some(&result.call), "a result out of order");
                    open.remove(0);
                    assert!(result.text.len() <= limits::TOOL_RESULT_CHARS_MAX * 4);
                }
                Message::User { .. } | Message::Notice { .. } => {
                    assert!(open.is_empty(), "calls without results: {open:?}");
                }
            }
        }
        assert!(open.is_empty(), "calls without results: {open:?}");
    }

    pub fn check(&mut self, effect: EffectId, sql: &str) {
        let verdict =
            guard::check(&mut self.db, &self.known.catalog, &self.known.schema, sql).unwrap();
        let line = match &verdict {
            Verdict::Allow(receipt) => {
                let reads: Vec<String> = receipt
                    .reads
                    .iter()
                    .map(|r| format!("{}({})", r.table, r.columns.join(",")))
                    .collect();
                format!("check: reads {}", reads.join(" "))
            }
            Verdict::Deny(denial) => format!("check: {}", denial.for_model()),
            Verdict::Invalid { message, .. } => format!("check: {message}"),
        };
        self.say(&line);
        self.handle(Input::Checked { effect, verdict });
    }

    pub fn run_sql(&mut self, effect: EffectId, sql: &str, approved: SqlHash, result: ResultId) {
        assert_eq!(approved, SqlHash::of(sql));
        let sampled = self.privacy == Privacy::Samples && sql.starts_with("SELECT * FROM \"");
        assert!(
            sampled || self.approved.contains(&approved),
            "nobody approved these bytes: {sql}"
        );
        let order = Order {
            sql: sql.to_owned(),
            approved,
            result,
            budget: Budget {
                rows_max: self.rows_max,
                bytes_max: 1 << 20,
                time_ms: 10_000,
                preview_rows: limits::PREVIEW_ROWS_MAX,
                cell_chars: limits::PREVIEW_CELL_CHARS_MAX,
            },
        };
        let known = Known {
            catalog: &self.known.catalog,
            schema: &self.known.schema,
        };
        match run_to_end(&mut self.db, known, order, &clock()) {
            Ok((mut meta, pages)) => {
                meta.ms = 1.0;
                let preview =
                    pages.preview(limits::PREVIEW_ROWS_MAX, limits::PREVIEW_CELL_CHARS_MAX);
                let rows: Vec<String> = preview
                    .iter()
                    .take(5)
                    .map(|row| {
                        let cells: Vec<String> = row.iter().map(|v| v.display()).collect();
                        format!("[{}]", cells.join(", "))
                    })
                    .collect();
                self.say(&format!("ran: {} rows {}", meta.rows, rows.join(" ")));
                self.handle(Input::Ran {
                    effect,
                    meta,
                    preview,
                });
            }
            Err(error) => {
                self.say(&format!("run failed: {error}"));
                self.handle(Input::RunFailed { effect, error });
            }
        }
    }

    fn card_line(&self) -> String {
        match self.run.phase() {
            Phase::AwaitingApproval { request, .. } => format!("card: {}", request.sql),
            Phase::AwaitingAnswers { .. } => "question card".to_owned(),
            other => format!("no card in {other:?}"),
        }
    }

    pub fn op(&mut self, op: Op) {
        self.handle(Input::Op(op));
    }

    pub fn ask(&mut self, text: &str) -> &mut Self {
        self.say(&format!("person: {text}"));
        self.op(Op::Ask { text: text.into() });
        self
    }

    pub fn pending(&self) -> ApprovalRequest {
        match self.run.phase() {
            Phase::AwaitingApproval { request, .. } => (**request).clone(),
            other => panic!("no approval pending in {other:?}"),
        }
    }

    pub fn approve(&mut self) -> &mut Self {
        let request = self.pending();
        self.say("person: approve");
        self.approved.insert(request.receipt.sql.clone());
        self.op(Op::Decide {
            approval: request.id,
            decision: Decision::Approve {
                shown: request.receipt.sql,
            },
        });
        self
    }

    pub fn edit(&mut self, sql: &str) -> &mut Self {
        let request = self.pending();
        self.say(&format!("person: edit to {sql}"));
        self.approved.insert(SqlHash::of(sql));
        self.op(Op::Decide {
            approval: request.id,
            decision: Decision::Edit { sql: sql.into() },
        });
        self
    }

    pub fn reject(&mut self, reason: Option<&str>) -> &mut Self {
        let request = self.pending();
        self.say(&format!("person: reject {reason:?}"));
        self.op(Op::Decide {
            approval: request.id,
            decision: Decision::Reject {
                reason: reason.map(Into::into),
            },
        });
        self
    }

    pub fn card(&self) -> CardId {
        match self.run.phase() {
            Phase::AwaitingAnswers { card, .. } => *card,
            other => panic!("no question pending in {other:?}"),
        }
    }

    pub fn answer(&mut self, answers: Vec<Answer>) -> &mut Self {
        let card = self.card();
        self.say("person: answers");
        self.op(Op::Answer { card, answers });
        self
    }

    /// The model's turn arrives.
    pub fn turn(&mut self, parts: Vec<Part>, finish: FinishReason) -> &mut Self {
        let (effect, _) = self.model_effect.take().expect("the model was not asked");
        for part in &parts {
            match part {
                Part::Text(text) => self.say(&format!("model: {text}")),
                Part::Call(call) => self.say(&format!("model: {}", call.name)),
                Part::Reasoning(_) | Part::Opaque(_) => {}
            }
        }
        self.handle(Input::ModelDone {
            effect,
            turn: Turn {
                parts,
                finish: Some(finish),
                ..Turn::default()
            },
            thought_ms: 0,
        });
        self
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        self.turn(vec![Part::Text(text.into())], FinishReason::Stop)
    }

    pub fn call(&mut self, name: &str, arguments: Json) -> &mut Self {
        self.turn(
            vec![call(name, &arguments.to_string())],
            FinishReason::Tools,
        )
    }

    pub fn propose(&mut self, sql: &str) -> &mut Self {
        self.call("run_sql", proposal(sql))
    }

    pub fn model_fails(&mut self, kind: ModelErrorKind) -> &mut Self {
        let (effect, _) = self.model_effect.take().expect("the model was not asked");
        self.say(&format!("model fails: {kind:?}"));
        self.handle(Input::ModelFailed {
            effect,
            error: ModelError::new(kind, "scripted"),
            partial: Turn::default(),
            jitter: 0.5,
        });
        self
    }

    /// The text of the last tool result that the model got.
    pub fn told(&self) -> String {
        self.run
            .transcript()
            .messages()
            .iter()
            .rev()
            .find_map(|m| match m {
                Message::Tool(result) => Some(result.text.clone()),
                _ => None,
            })
            .unwrap_or_default()
    }

    /// Everything that the last request would put on the wire, as one text.
    pub fn last_request(&self) -> String {
        serde_json::to_string(self.requests.last().unwrap()).unwrap()
    }

    /// The pending effects of the run, as after a reload.
    pub fn resume(&mut self) -> Vec<Effect> {
        let context = Context {
            now_ms: self.now_ms,
            schema: self.file_open.then_some(&self.known.schema),
            privacy: self.privacy,
            language: Language::English,
        };
        self.run.resume(&context)
    }

    pub fn query_error(&mut self, error: QueryError) {
        let effect = self.waiting_engine.pop().expect("the engine was not asked");
        let id = match effect {
            Effect::Check { effect, .. } | Effect::RunSql { effect, .. } => effect,
            other => panic!("{other:?}"),
        };
        self.handle(Input::RunFailed { effect: id, error });
    }
}

pub fn call(name: &str, arguments: &str) -> Part {
    Part::Call(ToolCall {
        id: CallId(String::new()),
        name: name.into(),
        arguments: arguments.into(),
        malformed: false,
    })
}

/// Complete arguments of `run_sql`.
pub fn proposal(sql: &str) -> Json {
    json!({
        "error_check": "fixed",
        "reasoning": "because",
        "analysis": "tables and columns",
        "sql": sql,
        "final_check": "answers the question"
    })
}

pub fn fingerprint(name: &str) -> Fingerprint {
    Fingerprint {
        name: name.into(),
        bytes: 4096,
        ends: "ab".into(),
    }
}
