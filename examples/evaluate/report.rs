//! The figures, as text and as JSON.

use crate::desk::{Kind, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

#[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}

struct Figures {
    questions: usize,
    right: usize,
    wrong: usize,
    refused: usize,
    asked: usize,
    failed: usize,
}

impl Figures {
    fn of<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Self {
        let mut f = Self {
            questions: 0,
            right: 0,
            wrong: 0,
            refused: 0,
            asked: 0,
            failed: 0,
        };
        for outcome in outcomes {
            f.questions += 1;
            match outcome.kind {
                Kind::Right => f.right += 1,
                Kind::Wrong => f.wrong += 1,
                Kind::Refused => f.refused += 1,
                Kind::Asked => f.asked += 1,
                Kind::Failed => f.failed += 1,
            }
        }
        f
    }

    fn execution_accuracy(&self) -> f64 {
        percent(self.right, self.questions)
    }

    fn precision(&self) -> f64 {
        percent(self.right, self.right + self.wrong)
    }

    fn coverage(&self) -> f64 {
        percent(self.right + self.wrong, self.questions)
    }

    fn line(&self, name: &str) -> String {
        format!(
            "{name:<34} {:>4}  EX {:>5.1} %  precision {:>5.1} %  coverage {:>5.1} %",
            self.questions,
            self.execution_accuracy(),
            self.precision(),
            self.coverage()
        )
    }

    fn json(&self) -> Value {
        json!({
            "questions": self.questions, "right": self.right, "wrong": self.wrong,
            "refused": self.refused, "asked": self.asked, "failed": self.failed,
            "execution_accuracy": self.execution_accuracy(),
            "precision": self.precision(), "coverage": self.coverage(),
        })
    }
}

/// Valid efficiency score: right answers weighted by the square root of gold time over own time, capped as
/// is usual because times this short are noise.
fn efficiency(outcomes: &[Outcome]) -> f64 {
    let sum: f64 = outcomes
        .iter()
        .filter(|o| o.kind == Kind::Right)
        .map(|o| (o.gold_ms.max(0.01) / o.ran_ms.max(0.01)).sqrt().min(1.25))
        .sum();
    #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
    let all = outcomes.len().max(1) as f64;
    100.0 * sum / all
}

fn grouped<'a>(
    outcomes: &'a [Outcome],
    key: impl Fn(&'a Outcome) -> &'a str,
) -> BTreeMap<&'a str, Figures> {
    let mut names: Vec<&str> = outcomes.iter().map(&key).collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|name| {
            (
                name,
                Figures::of(outcomes.iter().filter(|o| key(o) == name)),
            )
        })
        .collect()
}

struct Times {
    mean: f64,
    p95: f64,
    max: f64,
}

fn times(outcomes: &[Outcome]) -> Times {
    let mut all: Vec<f64> = outcomes.iter().map(|o| o.source_ms).collect();
    all.sort_by(f64::total_cmp);
    #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    let at = all.len() * 95 / 100;
    Times {
        mean,
        p95: all.get(at).or(all.last()).copied().unwrap_or(0.0),
        max: all.last().copied().unwrap_or(0.0),
    }
}

pub fn print(outcomes: &[Outcome], log: bool) {
    if log {
        for outcome in outcomes {
            print_one(outcome);
        }
    }
    let all = Figures::of(outcomes.iter());
    println!("{}", all.line("all"));
    println!(
        "refused {}  asked {}  failed {}  wrong {}",
        all.refused, all.asked, all.failed, all.wrong
    );
    let answered: Vec<&Outcome> = outcomes.iter().filter(|o| o.tries > 0).collect();
    let first = answered.iter().filter(|o| o.first_try).count();
    let rounds: usize = answered.iter().map(|o| o.tries - 1).sum();
    let times = times(outcomes);
    println!(
        "first try {:.1} %  correction rounds {rounds}  VES {:.1}  ms a question: mean {:.2}, p95 {:.2}, max {:.2}",
        percent(first, answered.len()),
        efficiency(outcomes),
        times.mean,
        times.p95,
        times.max
    );
    if log {
        print_calibration(outcomes);
    }
    for (name, figures) in grouped(outcomes, |o| o.difficulty) {
        println!("{}", figures.line(name));
    }
    for (name, figures) in grouped(outcomes, |o| &o.question.db) {
        println!("{}", figures.line(name));
    }
}

/// Whether a higher score is more often right: what the threshold is chosen by.
fn print_calibration(outcomes: &[Outcome]) {
    for (low, high) in [(0.7, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 1.01)] {
        let inside = |o: &&Outcome| o.score.is_some_and(|s| s >= low && s < high);
        let figures = Figures::of(outcomes.iter().filter(inside));
        println!("score from {low:.2}: {}", figures.line("").trim_start());
    }
}

fn print_one(outcome: &Outcome) {
    println!(
        "{:?} {:.2} [{}] {}",
        outcome.kind,
        outcome.score.unwrap_or(0.0),
        outcome.question.id,
        outcome.question.question
    );
    let flat = |sql: &str| sql.split_whitespace().collect::<Vec<_>>().join(" ");
    if outcome.kind != Kind::Right {
        for gold in outcome.question.golds() {
            println!("    gold: {}", flat(gold));
        }
        println!("    own:  {}", flat(&outcome.sql));
        if outcome.kind == Kind::Refused {
            println!("    said: {}", outcome.said);
        }
    }
}

/// For each kind of break: how many the loop could see, and how many were put right.
pub fn print_breaks(outcomes: &[Outcome]) {
    let mut kinds: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for outcome in outcomes {
        let Some((kind, seen)) = outcome.broke else {
            continue;
        };
        let slot = kinds.entry(kind).or_default();
        slot.0 += 1;
        if seen {
            slot.1 += 1;
            slot.2 += usize::from(outcome.kind == Kind::Right && outcome.tries <= 4);
        }
    }
    let (mut seen, mut mended) = (0, 0);
    for (kind, (all, visible, right)) in &kinds {
        println!("{kind:<20} {all:>4} broken, {visible:>4} visible, {right:>4} corrected");
        seen += visible;
        mended += right;
    }
    let writes: usize = outcomes.iter().map(|o| o.writes).sum();
    println!(
        "corrected of visible: {:.1} %  statements that wrote: {writes}",
        percent(mended, seen)
    );
}

pub fn write(outcomes: &[Outcome], path: &Path) -> std::io::Result<()> {
    let groups = |map: BTreeMap<&str, Figures>| -> Value {
        map.iter()
            .map(|(name, f)| ((*name).to_owned(), f.json()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let times = times(outcomes);
    let questions: Vec<Value> = outcomes
        .iter()
        .map(|o| {
            json!({
                "id": o.question.id, "db": o.question.db, "question": o.question.question,
                "outcome": format!("{:?}", o.kind), "sql": o.sql, "gold": o.question.golds(),
                "score": o.score, "tries": o.tries, "said": o.said, "ms": o.source_ms,
                "difficulty": o.difficulty,
            })
        })
        .collect();
    let report = json!({
        "all": Figures::of(outcomes.iter()).json(),
        "by_difficulty": groups(grouped(outcomes, |o| o.difficulty)),
        "by_database": groups(grouped(outcomes, |o| &o.question.db)),
        "ves": efficiency(outcomes),
        "ms": { "mean": times.mean, "p95": times.p95, "max": times.max },
        "questions": questions,
    });
    std::fs::write(path, format!("{report:#}\n"))
}
