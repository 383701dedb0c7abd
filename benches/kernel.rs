//! One `handle` stays under a millisecond and costs the same however long the chat is. Measures the four
//! inputs of a question on chats of 2 to 2 000 messages, and fails where one is slow or grows.

#![allow(
    clippy::unwrap_used,
    reason = "a bench that cannot be set up should stop"
)]

use assent::agent::approval::Decision;
use assent::agent::protocol::{Effect, EffectId, Input, Op};
use assent::agent::run::{Context, Phase, Run};
use assent::engine::{Fingerprint, ResultMeta};
use assent::llm::{FinishReason, Turn};
use assent::settings::{Language, Privacy};
use assent::sql::{Receipt, Schema, SqlHash, Value, Verdict};
use assent::transcript::{CallId, Part, ToolCall};
use criterion::{BatchSize, BenchmarkId, Criterion};
use std::hint::black_box;
use std::time::{Duration, Instant};

const LENGTHS: [usize; 4] = [2, 20, 200, 2_000];
const HANDLE_MAX: Duration = Duration::from_millis(1);
/// Growth from 20 to 200 messages that is still noise. An answer is compared with the rows of up to four
/// earlier questions, which a chat of 2 messages does not have.
const GROWTH_MAX: f64 = 2.0;
const ROUNDS: usize = 400;
const SQL: &str = "SELECT name, total FROM orders ORDER BY total DESC LIMIT 10";

/// A chat just before one of the inputs, and that input.
struct Moment {
    step: &'static str,
    run: Run,
    input: Input,
}

struct Chat {
    run: Run,
    schema: Schema,
}

impl Chat {
    fn new() -> Self {
        let mut chat = Self {
            run: Run::default(),
            schema: Schema::default(),
        };
        chat.handle(Input::FileOpened {
            fingerprint: Fingerprint {
                name: "shop.db".into(),
                bytes: 4_096,
                ends: "ab".into(),
            },
        });
        chat
    }

    /// A chat of so many messages.
    fn of(messages: usize) -> Self {
        let mut chat = Self::new();
        while chat.run.transcript().messages().len() + 4 <= messages {
            for _ in 0..4 {
                let input = chat.next();
                chat.handle(input);
                chat.pass_card();
            }
        }
        while chat.run.transcript().messages().len() < messages {
            chat.handle(ask());
            let input = answer(model_effect(&chat.run));
            chat.handle(input);
        }
        assert_eq!(chat.run.transcript().messages().len(), messages);
        chat
    }

    fn handle(&mut self, input: Input) -> Vec<Effect> {
        handle(&mut self.run, input, &self.schema)
    }

    /// The next of the four measured inputs of a question.
    fn next(&self) -> Input {
        let answered = self
            .run
            .turns()
            .last()
            .is_some_and(|turn| turn.events.len() > 1);
        match self.run.phase() {
            Phase::CallingModel { effect, .. } if answered => answer(*effect),
            Phase::CallingModel { effect, .. } => proposal(*effect),
            Phase::Running { effect, result, .. } => Input::Ran {
                effect: *effect,
                meta: ResultMeta {
                    cap: None,
                    result: *result,
                    columns: vec!["name".into(), "total".into()],
                    rows: 10,
                    truncated: false,
                    ms: 1.0,
                },
                preview: (0..10)
                    .map(|n| vec![Value::Text(format!("Customer {n}")), Value::Integer(n * 7)])
                    .collect(),
            },
            _ => ask(),
        }
    }

    /// Passes the check and the card, which are not measured.
    fn pass_card(&mut self) {
        if let Phase::Checking { effect, .. } = self.run.phase() {
            let effect = *effect;
            self.handle(Input::Checked {
                effect,
                verdict: Verdict::Allow(Receipt {
                    sql: SqlHash::of(SQL),
                    reads: Vec::new(),
                    instructions: 12,
                    warnings: Vec::new(),
                    analysed: true,
                }),
            });
        }
        if let Phase::AwaitingApproval { request, .. } = self.run.phase() {
            let (approval, shown) = (request.id, request.receipt.sql.clone());
            self.handle(Input::Op(Op::Decide {
                approval,
                decision: Decision::Approve { shown },
            }));
        }
    }
}

fn handle(run: &mut Run, input: Input, schema: &Schema) -> Vec<Effect> {
    let context = Context {
        now_ms: 1,
        schema: Some(schema),
        privacy: Privacy::Results,
        language: Language::English,
    };
    run.handle(input, &context)
}

fn ask() -> Input {
    Input::Op(Op::Ask {
        text: "Which orders are the largest?".into(),
    })
}

fn model_effect(run: &Run) -> EffectId {
    match run.phase() {
        Phase::CallingModel { effect, .. } => *effect,
        _ => EffectId::default(),
    }
}

fn model(effect: EffectId, part: Part, finish: FinishReason) -> Input {
    Input::ModelDone {
        effect,
        turn: Turn {
            parts: vec![part],
            finish: Some(finish),
            ..Turn::default()
        },
        thought_ms: 0,
    }
}

fn proposal(effect: EffectId) -> Input {
    let arguments = serde_json::json!({
        "reasoning": "The largest orders are wanted.",
        "analysis": "orders, by total",
        "sql": SQL,
        "final_check": "One row an order."
    });
    let call = Part::Call(ToolCall {
        id: CallId(String::new()),
        name: "run_sql".into(),
        arguments: arguments.to_string(),
        malformed: false,
    });
    model(effect, call, FinishReason::Tools)
}

fn answer(effect: EffectId) -> Input {
    let text = "The largest orders are of the customers below.";
    model(effect, Part::Text(text.into()), FinishReason::Stop)
}

/// The four moments of one question at the end of a chat of so many messages.
fn moments(messages: usize) -> Vec<Moment> {
    let mut chat = Chat::of(messages);
    ["ask", "proposal", "result", "answer"]
        .map(|step| {
            let moment = Moment {
                step,
                run: chat.run.clone(),
                input: chat.next(),
            };
            chat.handle(moment.input.clone());
            chat.pass_card();
            moment
        })
        .into()
}

fn main() {
    let schema = Chat::new().schema;
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500))
        .without_plots()
        .configure_from_args();
    let mut group = criterion.benchmark_group("handle");
    for messages in LENGTHS {
        for moment in moments(messages) {
            group.bench_function(BenchmarkId::new(moment.step, messages), |bencher| {
                bencher.iter_batched(
                    || (moment.run.clone(), moment.input.clone()),
                    |(mut run, input)| {
                        let effects = handle(&mut run, input, &schema);
                        (run, effects)
                    },
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
    compare(&schema);
}

/// All lengths within one run, so that a slow machine is slow for all. A cloned chat has no room
/// to grow, so its first push moves every message: that is the growth of the small times, and not the loop's.
fn compare(schema: &Schema) {
    println!("\none handle, median of {ROUNDS}, in chats of {LENGTHS:?} messages");
    let moments = LENGTHS.map(moments);
    let mut question = [Duration::ZERO; LENGTHS.len()];
    for step in 0..4 {
        let mut times = LENGTHS.map(|_| Vec::with_capacity(ROUNDS));
        for (moments, times) in moments.iter().zip(&mut times) {
            for _ in 0..ROUNDS {
                times.extend(moments.get(step).map(|moment| time(moment, schema)));
            }
        }
        let medians = times.map(|mut times| {
            times.sort_unstable();
            times.get(ROUNDS / 2).copied().unwrap()
        });
        println!("{medians:>10.2?}");
        for (sum, median) in question.iter_mut().zip(medians) {
            assert!(median < HANDLE_MAX, "one handle takes {median:?}");
            *sum += median;
        }
    }
    let [two, twenty, long, _] = question.map(|time| time.as_secs_f64());
    println!(
        "a whole question at 200 messages: {:.2} times that at 2, {:.2} times that at 20",
        long / two,
        long / twenty
    );
    assert!(long / twenty < GROWTH_MAX, "a handle grows with the chat");
}

#[expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
fn time(moment: &Moment, schema: &Schema) -> Duration {
    let (mut run, input) = (moment.run.clone(), moment.input.clone());
    let start = Instant::now();
    black_box(handle(&mut run, input, schema));
    start.elapsed()
}
