//! One proposed query, from its first step to its rows.

use super::Ui;
use super::approval::{Approval, Desk};
use super::growing::GrowingSql;
use super::icon::Icon;
use super::live::{live, on_click, when};
use super::part::{self, Part};
use super::result::ResultPanel;
use super::sql_text::SqlText;
use super::steps::Steps;
use super::store::{ItemSignal, TurnEntry};
use crate::view::model::{CardState, ItemBody, Proposal, ResultView, StepState};
use leptos::prelude::*;
use std::rc::Rc;

/// One proposed query: its steps, its card, what was decided, and its rows until an answer shows them.
#[component]
pub fn ProposalView(ui: Ui, turn: TurnEntry, item: ItemSignal) -> impl IntoView {
    let key = item.with_untracked(|i| i.key);
    let id = format!("proposal-{}-{key}", turn.id);
    let read = move |get: fn(&Proposal) -> CardState| {
        item.with(|i| match &i.body {
            ItemBody::Proposal(p) => get(p),
            _ => CardState::Cancelled,
        })
    };
    let card = Memo::new(move |_| read(|p| p.card.clone()));
    let steps = Memo::new(move |_| {
        item.with(|i| match &i.body {
            ItemBody::Proposal(p) => p.steps.to_vec(),
            _ => Vec::new(),
        })
    });
    let sql = Memo::new(move |_| {
        item.with(|i| match &i.body {
            ItemBody::Proposal(p) => p.sql.clone(),
            _ => String::new(),
        })
    });
    // Whoever decides wants the reasons in sight; afterwards they fold away.
    let resting = Signal::derive(move || {
        let pending = card.with(|c| matches!(c, CardState::Pending(_)));
        pending.then_some(0)
    });
    // The person may want to edit what is being written.
    part::load_ahead(Part::Editor);
    let desk = Desk::new();
    let card_id = StoredValue::new(format!("{id}-card"));
    let body = move || match card.get() {
        CardState::Forming => forming(ui, steps, sql),
        CardState::Pending(card) => {
            view! { <Approval ui card desk id=card_id.get_value() /> }.into_any()
        }
        decided => view! { <Decided ui card=decided sql /> }.into_any(),
    };
    let results = format!("{id}-result");
    view! {
        <div class="proposal">
            <Steps ui id=id.clone() steps resting />
            {live(body)}
            <Rows ui id=results turn item />
        </div>
    }
    .into_any()
}

fn forming(ui: Ui, steps: Memo<Vec<crate::view::model::Step>>, sql: Memo<String>) -> AnyView {
    let note = move || {
        let writing = steps.with(|s| {
            s.iter()
                .take(3)
                .any(|s| matches!(s.state, StepState::Live | StepState::Waiting))
        });
        if writing {
            ui.t.writing_query
        } else {
            ui.t.checking_query
        }
    };
    view! {
        <div class="card" data-state="forming">
            {when(move || sql.with(|sql| !sql.is_empty()), move || view! { <GrowingSql sql /> }.into_any())}
            <p class="turn-note" data-kind="live">{live(note)}</p>
        </div>
    }
    .into_any()
}

/// Who decided what, in one line; the statement unfolds.
#[component]
fn Decided(ui: Ui, card: CardState, sql: Memo<String>) -> impl IntoView {
    let t = ui.t;
    let open = RwSignal::new(false);
    let (label, tone, detail) = match card {
        CardState::Approved {
            edited_from,
            running,
        } => {
            let label = match (&edited_from, running) {
                (_, true) => t.running,
                (Some(_), false) => t.approved_edited,
                (None, false) => t.approved,
            };
            (label, "safe", None)
        }
        CardState::Rejected { reason } => (t.rejected, "muted", reason),
        CardState::Refused { message } => (t.refused, "error", Some(message)),
        CardState::Failed { message } => (t.query_failed, "error", Some(message)),
        CardState::Forming | CardState::Pending(_) | CardState::Cancelled => {
            (t.cancelled, "muted", None)
        }
    };
    view! {
        <div class="decided" data-tone=tone>
            <button class="fold" aria-expanded=live(move || open.get().to_string())
                on:click=on_click(move |_| open.update(|o| *o = !*o))>
                <Icon of=Icon::Chevron />
                <strong>{label}</strong>
                {detail.map(|d| view! { <span class="decided-detail">{d}</span> }.into_any())}
            </button>
            {when(move || open.get(), move || {
                view! {
                    <SqlText sql=sql.get() />
                }
                .into_any()
            })}
        </div>
    }
    .into_any()
}

/// Where the rows of this proposal are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Nowhere,
    Open,
    /// A later proposal follows; the rows are one click away.
    Folded,
}

#[component]
fn Rows(ui: Ui, id: String, turn: TurnEntry, item: ItemSignal) -> impl IntoView {
    let key = item.with_untracked(|i| i.key);
    let place = Memo::new(move |_| {
        item.with(|i| {
            let result = proposal_result(&i.body)?;
            Some((place(turn, key, result), result.id.0, result.live))
        })
    });
    let id = StoredValue::new(id);
    live(move || {
        let (place, ..) = place.get()?;
        let result = item.with_untracked(|i| proposal_result(&i.body).cloned().map(Rc::new))?;
        match place {
            Place::Nowhere => None,
            Place::Open => Some(view! { <ResultPanel ui id=id.get_value() result /> }.into_any()),
            Place::Folded => Some(folded(ui, id.get_value(), result)),
        }
    })
    .into_any()
}

fn folded(ui: Ui, id: String, result: Rc<ResultView>) -> AnyView {
    let open = RwSignal::new(false);
    let label = (ui.t.rows)(result.rows);
    let id = StoredValue::new(id);
    let result = StoredValue::new_local(result);
    view! {
        <button class="fold" aria-expanded=live(move || open.get().to_string())
            on:click=on_click(move |_| open.update(|o| *o = !*o))>
            <Icon of=Icon::Chevron />
            {label}
        </button>
        {when(move || open.get(), move || {
            view! { <ResultPanel ui id=id.get_value() result=result.get_value() /> }
            .into_any()
        })}
    }
    .into_any()
}

fn proposal_result(body: &ItemBody) -> Option<&ResultView> {
    match body {
        ItemBody::Proposal(p) => p.result.as_ref(),
        _ => None,
    }
}

fn place(turn: TurnEntry, key: u64, result: &ResultView) -> Place {
    turn.items.with(|items| {
        let mut after = items.iter().skip_while(|e| e.key != key).skip(1);
        let mut place = Place::Open;
        for entry in after.by_ref() {
            entry.item.with(|i| match &i.body {
                ItemBody::Answer(a) if a.result.as_ref().is_some_and(|r| r.id == result.id) => {
                    place = Place::Nowhere;
                }
                ItemBody::Proposal(_) | ItemBody::Answer(_) if place == Place::Open => {
                    place = Place::Folded;
                }
                _ => {}
            });
        }
        place
    })
}
