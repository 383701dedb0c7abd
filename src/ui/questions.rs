//! The question card.

use super::Ui;
use super::dom;
use super::live::{live, on_click, on_key};
use super::question::{QuestionField, Reply};
use super::store::ItemSignal;
use crate::agent::protocol::Op;
use crate::agent::questions::{Answer, QuestionCard, QuestionKind};
use crate::view::Command;
use crate::view::model::{ItemBody, Questions};
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// The model asks back. After the answer the card folds to what was said.
#[component]
pub fn QuestionCardView(ui: Ui, item: ItemSignal) -> impl IntoView {
    let questions = Memo::new(move |_| {
        item.with(|i| match &i.body {
            ItemBody::Questions(q) => Some(Held(q.clone())),
            _ => None,
        })
    });
    live(move || {
        questions.get().map(|Held(q)| {
            if q.answers.is_none() && !q.skipped && q.read_only {
                elsewhere(ui, &q)
            } else if q.answers.is_none() && !q.skipped {
                view! { <Open ui card=q.card /> }.into_any()
            } else {
                answered(ui, &q)
            }
        })
    })
    .into_any()
}

#[derive(Clone, PartialEq)]
struct Held(Questions);

#[component]
fn Open(ui: Ui, card: QuestionCard) -> impl IntoView {
    let t = ui.t;
    let id = card.id;
    let replies: Vec<Reply> = card.questions.iter().map(|q| Reply::new(&q.id)).collect();
    let asked = StoredValue::new(card.questions.clone());
    let replies = StoredValue::new(replies);
    let missing = RwSignal::new(false);
    let send = move |_| {
        let answers: Vec<Answer> =
            replies.with_value(|r| r.iter().filter_map(Reply::answer).collect());
        if answers.len() < replies.with_value(Vec::len) {
            missing.set(true);
            return;
        }
        ui.act.send(Command::Op(Op::Answer { card: id, answers }));
        dom::focus("composer");
    };
    let skip = move |_| {
        ui.act.send(Command::Op(Op::SkipQuestions { card: id }));
        dom::focus("composer");
    };
    let key = move |event: KeyboardEvent| {
        let digit = event
            .key()
            .parse::<usize>()
            .ok()
            .filter(|n| (1..=9).contains(n));
        let plain =
            !event.ctrl_key() && !event.meta_key() && !event.alt_key() && super::keys::single(ui);
        if let Some(n) = digit.filter(|_| plain && !dom::is_in_field(&event)) {
            event.prevent_default();
            choose(id.0, n, asked, replies);
        }
    };
    let title = format!("questions-{}", id.0);
    let labelled_by = title.clone();
    let fields: Vec<_> = asked
        .get_value()
        .into_iter()
        .zip(replies.get_value())
        .map(|(question, reply)| view! { <QuestionField ui card=id.0 question reply /> }.into_any())
        .collect();
    view! {
        <div class="card questions" data-state="pending" role="group" aria-labelledby=labelled_by tabindex="-1"
            on:keydown=on_key(key)>
            <h3 class="card-title"
                id=title>{if card.title.is_empty() { t.question_title.to_owned() } else { card.title }}</h3>
            {fields}
            <p class="field-error" role="alert">{live(move || missing.get().then_some(t.answer_each))}</p>
            <div class="card-buttons">
                <button class="button" data-kind="primary" on:click=on_click(send)>{t.send_answers}</button>
                <button class="button" on:click=on_click(skip)>{t.best_guess}</button>
            </div>
        </div>
    }
    .into_any()
}

/// Key `n` takes the nth option of the question that holds the focus, or else of the first one.
fn choose(
    card: u64,
    n: usize,
    asked: StoredValue<Vec<crate::agent::questions::Question>>,
    replies: StoredValue<Vec<Reply>>,
) {
    let place = asked.with_value(|list| {
        list.iter()
            .position(|q| dom::holds_focus(&super::question::field_id(card, &q.id)))
            .unwrap_or(0)
    });
    let Some((question, reply)) = asked
        .with_value(|q| q.get(place).cloned())
        .zip(replies.with_value(|r| r.get(place).cloned()))
    else {
        return;
    };
    match question.options.get(n - 1) {
        Some(option) => reply.toggle(&option.id, question.kind),
        None if n == question.options.len() + 1 && question.kind != QuestionKind::Text => {
            reply.choose_other(question.kind);
            dom::focus(&super::question::other_id(card, &question.id));
        }
        None => {}
    }
}

fn elsewhere(ui: Ui, questions: &Questions) -> AnyView {
    let asked: Vec<_> = questions
        .card
        .questions
        .iter()
        .map(|q| view! { <p>{q.question.clone()}</p> }.into_any())
        .collect();
    view! {
        <div class="card questions" data-state="pending">
            {asked}
            <p class="card-note" data-tone="warning">{ui.t.keeping.decided_elsewhere}</p>
        </div>
    }
    .into_any()
}

fn answered(ui: Ui, questions: &Questions) -> AnyView {
    let rows: Vec<_> = questions
        .card
        .questions
        .iter()
        .map(|q| {
            let answer = questions
                .answers
                .iter()
                .flatten()
                .find(|a| a.question == q.id);
            let mut said: Vec<String> = answer
                .iter()
                .flat_map(|a| &a.options)
                .map(|id| {
                    let option = q.options.iter().find(|o| o.id == *id);
                    option.map_or_else(|| id.clone(), |o| o.label.clone())
                })
                .collect();
            said.extend(answer.and_then(|a| a.text.clone()));
            let said = if said.is_empty() {
                ui.t.guessed.to_owned()
            } else {
                said.join(", ")
            };
            view! {
                <div>
                    <dt>{q.question.clone()}</dt>
                    <dd>{said}</dd>
                </div>
            }
            .into_any()
        })
        .collect();
    view! { <dl class="answered" aria-label=ui.t.your_answers>{rows}</dl> }.into_any()
}
