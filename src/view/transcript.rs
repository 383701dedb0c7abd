//! One turn of a run as the page shows it: records of the past, and what is streaming now.

use super::chart;
use super::claims;
use super::markdown;
use super::model::{
    AnswerView, CardState, Item, ItemBody, Lookup, Notice, PendingCard, Proposal, Questions,
    ResultView, Step, StepKind, StepState, Tone, TurnState, TurnView,
};
use super::notices;
use super::texts;
use crate::agent::approval::{ApprovalRequest, Decision};
use crate::agent::record::{
    CallOrigin, EventBody, ModelRecord, Outcome, Phases, ProposalRecord, ProposalState,
    ResultRecord, TurnRecord,
};
use crate::agent::run::{Phase, Run};
use crate::llm::partial_json;
use crate::settings::Language;
use std::rc::Rc;

/// What has arrived of the model turn that streams now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Live {
    pub reasoning: String,
    pub text: markdown::Growing,
    pub calls: Vec<LiveCall>,
    /// Milliseconds of reasoning, once something else follows.
    pub thought_ms: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct LiveCall {
    pub name: String,
    /// The arguments' JSON so far.
    pub arguments: String,
}

/// What the page knows beside the run.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub language: Language,
    pub file_open: bool,
    /// Another tab goes on with the chat: nothing can be decided here.
    pub read_only: bool,
    /// Results that the engine still holds.
    pub held: &'a dyn Fn(crate::engine::ResultId) -> bool,
    pub live: Option<&'a Live>,
}

/// Items of one model event share a block of keys, so that what streamed keeps its place when it is done.
const KEYS_PER_EVENT: u64 = 64;
const PROSE_KEY: u64 = 1;
const CALL_KEY: u64 = 2;
/// No event has this place.
const IMPORTED_KEY: u64 = u64::MAX;

/// All turns of a run.
#[must_use]
pub fn turns(run: &Run, around: Surroundings) -> Vec<TurnView> {
    (0..run.turns().len())
        .filter_map(|n| turn(run, n, around))
        .collect()
}

/// The last turn while the model writes. `settled` is the same turn as it was without what streams: it is not made
/// again for each frame.
#[must_use]
pub fn growing(settled: &TurnView, run: &Run, live: &Live) -> TurnView {
    let mut turn = settled.clone();
    let place = run.turns().last().map_or(0, |record| record.events.len());
    live_items(place, live, &mut turn.items);
    turn
}

/// The turn at place `n`.
#[must_use]
pub fn turn(run: &Run, n: usize, around: Surroundings) -> Option<TurnView> {
    let record = run.turns().get(n)?;
    let is_last = n + 1 == run.turns().len();
    let phase = if is_last { run.phase() } else { &Phase::Idle };
    let mut items = Vec::new();
    let came_before = |n: usize| run.turns().get(n).is_some_and(|turn| turn.imported);
    if record.imported && !n.checked_sub(1).is_some_and(came_before) {
        items.push(imported_note(around.language));
    }
    for (place, event) in record.events.iter().enumerate() {
        event_items(record, place, &event.body, phase, around, &mut items);
    }
    if let (true, Some(live)) = (is_last, around.live) {
        live_items(record.events.len(), live, &mut items);
    }
    Some(TurnView {
        id: record.id,
        question: record.question.clone(),
        items,
        state: state(record, phase),
        branch: run.branch(n),
    })
}

/// Stands before what came from a file, once.
fn imported_note(language: Language) -> Rc<Item> {
    let t = texts::of(language).keeping;
    Rc::new(Item {
        key: IMPORTED_KEY,
        body: ItemBody::Notice(Notice {
            tone: Tone::Info,
            text: t.imported_long.to_owned(),
            next: t.imported_next.to_owned(),
            action: None,
            or_translate: false,
        }),
    })
}

fn state(record: &TurnRecord, phase: &Phase) -> TurnState {
    match phase {
        Phase::CallingModel { .. } => TurnState::Thinking,
        Phase::Checking { .. } | Phase::Running { .. } | Phase::Sampling { .. } => {
            TurnState::Working
        }
        Phase::AwaitingApproval { .. } | Phase::AwaitingAnswers { .. } => TurnState::Waiting,
        Phase::Idle | Phase::Failed => match record.outcome {
            Some(Outcome::Failed) => TurnState::Failed,
            Some(Outcome::Stopped) => TurnState::Stopped,
            Some(Outcome::Answered | Outcome::CannotAnswer) | None => TurnState::Done,
        },
    }
}

fn push(items: &mut Vec<Rc<Item>>, key: u64, body: ItemBody) {
    items.push(Rc::new(Item { key, body }));
}

fn event_key(place: usize) -> u64 {
    place as u64 * KEYS_PER_EVENT
}

fn call_key(from: &CallOrigin) -> u64 {
    event_key(from.model_event) + CALL_KEY + from.slot as u64
}

fn event_items(
    record: &TurnRecord,
    place: usize,
    event: &EventBody,
    phase: &Phase,
    around: Surroundings,
    items: &mut Vec<Rc<Item>>,
) {
    match event {
        EventBody::Model(model) => model_items(record, place, model, around, items),
        EventBody::Lookup(lookup) => push(
            items,
            call_key(&lookup.from),
            ItemBody::Lookup(Lookup {
                tool: lookup.tool.clone(),
                subject: lookup.subject.clone(),
                failed: lookup.failed,
                detail: lookup.told.clone(),
            }),
        ),
        EventBody::Proposal(proposal) => push(
            items,
            call_key(&proposal.from),
            ItemBody::Proposal(Box::new(self::proposal(proposal, place, phase, around))),
        ),
        EventBody::Questions(questions) => push(
            items,
            call_key(&questions.from),
            ItemBody::Questions(Questions {
                card: questions.card.clone(),
                answers: questions
                    .answers
                    .clone()
                    .or_else(|| (questions.skipped || questions.cancelled).then(Vec::new)),
                skipped: questions.skipped || questions.cancelled,
                read_only: around.read_only,
            }),
        ),
        EventBody::CannotAnswer { from, reason } => push(
            items,
            call_key(from),
            ItemBody::CannotAnswer {
                reason: reason.clone(),
            },
        ),
        EventBody::Notice(notice) => {
            let mut shown = notices::notice(notice, around.language);
            shown.or_translate = *phase == Phase::Failed
                && place + 1 == record.events.len()
                && record.translated_from.is_none()
                && !around.read_only;
            shown.action = shown
                .action
                .filter(|_| !around.read_only && !record.imported);
            push(items, event_key(place), ItemBody::Notice(shown));
        }
    }
}

fn model_items(
    record: &TurnRecord,
    place: usize,
    model: &ModelRecord,
    around: Surroundings,
    items: &mut Vec<Rc<Item>>,
) {
    let key = event_key(place);
    if !model.thought.is_empty() {
        let body = ItemBody::Thought {
            text: model.thought.clone(),
            seconds: Some(seconds(model.thought_ms)),
        };
        push(items, key, body);
    }
    if model.text.is_empty() {
        return;
    }
    let body = if model.answer {
        let result = record
            .events
            .iter()
            .take(place)
            .rev()
            .find_map(|e| match &e.body {
                EventBody::Proposal(p) => p.result.as_ref().zip(p.ran.as_deref()),
                _ => None,
            });
        let (columns, rows) = result.map_or((&[][..], &[][..]), |(r, _)| {
            (r.meta.columns.as_slice(), r.preview.as_slice())
        });
        let source = claims::Source {
            columns,
            rows,
            unsupported: &model.unsupported,
            texts: texts::of(around.language),
        };
        ItemBody::Answer(AnswerView {
            blocks: claims::marked(&markdown::shared(&model.text), &source),
            text: model.text.clone(),
            live: false,
            result: result.map(|(r, sql)| Rc::new(result_view(r, sql, around))),
            unsupported: model.unsupported.clone(),
            without_rows: result.is_none(),
        })
    } else {
        ItemBody::Prose {
            blocks: markdown::shared(&model.text),
            live: false,
        }
    };
    push(items, key + PROSE_KEY, body);
}

fn seconds(ms: u64) -> u64 {
    ms.div_ceil(1000).max(1)
}

fn result_view(result: &ResultRecord, sql: &str, around: Surroundings) -> ResultView {
    ResultView {
        id: result.meta.result,
        sql: sql.to_owned(),
        columns: result.meta.columns.clone(),
        preview: result.preview.clone(),
        rows: result.meta.rows,
        truncated: result.meta.truncated,
        cap: result.meta.cap,
        ms: result.meta.ms,
        live: (around.held)(result.meta.result),
        chart: chart::choose(&result.meta.columns, &result.preview),
    }
}

fn proposal(
    record: &ProposalRecord,
    place: usize,
    phase: &Phase,
    around: Surroundings,
) -> Proposal {
    let edited_from = record
        .ran
        .as_ref()
        .filter(|ran| **ran != record.phases.sql)
        .map(|_| record.phases.sql.clone());
    let card = match &record.state {
        ProposalState::Checking => CardState::Forming,
        ProposalState::Waiting => match phase {
            Phase::AwaitingApproval { event, request } if *event == place => {
                CardState::Pending(pending(request, record, around))
            }
            _ => CardState::Cancelled,
        },
        ProposalState::Running => CardState::Approved {
            edited_from: running_edit(record),
            running: true,
        },
        ProposalState::Ran => CardState::Approved {
            edited_from,
            running: false,
        },
        ProposalState::Rejected { reason } => CardState::Rejected {
            reason: reason.clone(),
        },
        ProposalState::Refused { message } => CardState::Refused {
            message: message.clone(),
        },
        ProposalState::Failed { message } => CardState::Failed {
            message: message.clone(),
        },
        ProposalState::Cancelled => CardState::Cancelled,
    };
    let sql = record.ran.clone().unwrap_or_else(|| match &card {
        CardState::Pending(pending) => pending.sql.clone(),
        _ => record.phases.sql.clone(),
    });
    Proposal {
        steps: recorded_steps(&record.phases, &record.state),
        result: record.result.as_ref().map(|r| result_view(r, &sql, around)),
        sql,
        card,
    }
}

fn running_edit(record: &ProposalRecord) -> Option<String> {
    match record.decisions.last().map(|d| &d.decision) {
        Some(Decision::Edit { .. }) => Some(record.phases.sql.clone()),
        _ => None,
    }
}

fn pending(
    request: &ApprovalRequest,
    record: &ProposalRecord,
    around: Surroundings,
) -> PendingCard {
    PendingCard {
        id: request.id,
        sql: request.sql.clone(),
        hash: request.receipt.sql.clone(),
        receipt: request.receipt.clone(),
        edited_from: request.edited_from.clone(),
        edit_refused: record.edit_refused.clone(),
        file_open: around.file_open,
        read_only: around.read_only,
    }
}

fn recorded_steps(phases: &Phases, state: &ProposalState) -> [Step; 5] {
    let done = |kind, text: &str| Step {
        kind,
        state: StepState::Done,
        text: text.to_owned(),
    };
    let check = match state {
        ProposalState::Checking => StepState::Live,
        ProposalState::Refused { .. } | ProposalState::Failed { .. } => StepState::Failed,
        _ => StepState::Done,
    };
    let mut check_text = phases.error_check.clone();
    if let ProposalState::Refused { message } | ProposalState::Failed { message } = state {
        if !check_text.is_empty() {
            check_text.push('\n');
        }
        check_text.push_str(message);
    }
    [
        done(StepKind::Reason, &phases.reasoning),
        done(StepKind::Analyse, &phases.analysis),
        done(StepKind::Query, &phases.sql),
        Step {
            kind: StepKind::Check,
            state: check,
            text: check_text,
        },
        done(StepKind::Final, &phases.final_check),
    ]
}

fn live_items(place: usize, live: &Live, items: &mut Vec<Rc<Item>>) {
    let key = event_key(place);
    if !live.reasoning.is_empty() {
        let body = ItemBody::Thought {
            text: live.reasoning.clone(),
            seconds: live.thought_ms.map(seconds),
        };
        push(items, key, body);
    }
    let blocks = live.text.blocks();
    if !blocks.is_empty() {
        let body = ItemBody::Prose {
            blocks,
            live: live.calls.is_empty(),
        };
        push(items, key + PROSE_KEY, body);
    }
    for (slot, call) in live.calls.iter().enumerate() {
        let key = key + CALL_KEY + slot as u64;
        if call.name == "run_sql" {
            push(
                items,
                key,
                ItemBody::Proposal(Box::new(live_proposal(call))),
            );
        } else if !call.name.is_empty() {
            let body = ItemBody::Lookup(Lookup {
                tool: call.name.clone(),
                subject: String::new(),
                failed: false,
                detail: String::new(),
            });
            push(items, key, body);
        }
    }
}

fn live_proposal(call: &LiveCall) -> Proposal {
    let fields = partial_json::string_fields(&call.arguments);
    let field = |names: &[&str]| fields.iter().find(|f| names.contains(&f.name.as_str()));
    let step = |kind, names: &[&str]| {
        let found = field(names);
        Step {
            kind,
            state: match found {
                None => StepState::Waiting,
                Some(f) if !f.complete => StepState::Live,
                Some(_) => StepState::Done,
            },
            text: found.map(|f| f.text.clone()).unwrap_or_default(),
        }
    };
    let steps = [
        step(StepKind::Reason, &["reasoning"]),
        step(StepKind::Analyse, &["analysis"]),
        step(StepKind::Query, &["sql", "query"]),
        step(StepKind::Check, &["error_check"]),
        step(StepKind::Final, &["final_check"]),
    ];
    Proposal {
        sql: field(&["sql", "query"])
            .map(|f| f.text.clone())
            .unwrap_or_default(),
        steps,
        card: CardState::Forming,
        result: None,
    }
}
