//! One question of a card, and what was chosen so far.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_event};
use crate::agent::questions::{Answer, Question, QuestionKind};
use leptos::prelude::*;

/// What the person has chosen so far for one question.
#[derive(Clone)]
pub struct Reply {
    question: String,
    options: RwSignal<Vec<String>>,
    other: RwSignal<bool>,
    text: RwSignal<String>,
}

impl Reply {
    pub fn new(question: &str) -> Self {
        Self {
            question: question.to_owned(),
            options: RwSignal::default(),
            other: RwSignal::new(false),
            text: RwSignal::default(),
        }
    }

    /// `None` while nothing was chosen or written.
    pub fn answer(&self) -> Option<Answer> {
        let text = self.text.get_untracked().trim().to_owned();
        let text = (self.other.get_untracked() && !text.is_empty()).then_some(text);
        let options = self.options.get_untracked();
        (!options.is_empty() || text.is_some()).then(|| Answer {
            question: self.question.clone(),
            options,
            text,
        })
    }

    pub fn toggle(&self, id: &str, kind: QuestionKind) {
        let single = kind == QuestionKind::SingleChoice;
        self.options.update(|list| {
            if single {
                list.clear();
                list.push(id.to_owned());
            } else if let Some(at) = list.iter().position(|o| o == id) {
                list.remove(at);
            } else {
                list.push(id.to_owned());
            }
        });
        if single {
            self.other.set(false);
        }
    }

    pub fn choose_other(&self, kind: QuestionKind) {
        if kind == QuestionKind::SingleChoice {
            self.options.set(Vec::new());
            self.other.set(true);
        } else {
            self.other.update(|o| *o = !*o);
        }
    }
}

pub fn field_id(card: u64, question: &str) -> String {
    format!("question-{card}-{question}")
}

pub fn other_id(card: u64, question: &str) -> String {
    format!("question-{card}-{question}-other")
}

/// One question: radios, checkboxes or a text, and always a way to say something else.
#[component]
pub fn QuestionField(ui: Ui, card: u64, question: Question, reply: Reply) -> impl IntoView {
    let t = ui.t;
    let kind = question.kind;
    let text_id = other_id(card, &question.id);
    let text = reply.text;
    let other = reply.other;
    let input = view! {
        <input id=text_id.clone() type="text" autocomplete="off" aria-label=t.other_label
            prop:value=live(move || text.get()) on:input=on_event(move |e| {
                text.set(event_target_value(&e));
                other.set(true);
            }) />
    }
    .into_any();
    let field = field_id(card, &question.id);
    if kind == QuestionKind::Text {
        other.set(true);
        return view! {
            <fieldset class="question" id=field>
                <legend>{question.question}</legend>
                {input}
            </fieldset>
        }
        .into_any();
    }
    let input_type = if kind == QuestionKind::SingleChoice {
        "radio"
    } else {
        "checkbox"
    };
    let name = format!("question-{card}-{}", question.id);
    let count = question.options.len();
    let options: Vec<_> = question
        .options
        .into_iter()
        .enumerate()
        .map(|(i, option)| {
            let chosen = reply.options;
            let reply = StoredValue::new(reply.clone());
            let id = StoredValue::new(option.id);
            view! {
                <label class="option">
                    <input type=input_type name=name.clone()
                        prop:checked=live(move || chosen.with(|c| id.with_value(|id| c.contains(id))))
                        on:change=on_event(move |_| reply.with_value(|r| id.with_value(|id| r.toggle(id, kind)))) />
                    <span class="option-key" aria-hidden="true">{i + 1}</span>
                    <span class="option-label">{option.label}</span>
                    {option.recommended.then(|| view! {
                        <span class="badge" data-tone="safe"><Icon of=Icon::Star />{t.recommended}</span>
                    }.into_any())}
                </label>
            }.into_any()
        })
        .collect();
    let reply = StoredValue::new(reply);
    let choose_other = move |_| {
        reply.with_value(|r| {
            if kind == QuestionKind::SingleChoice || !r.other.get_untracked() {
                r.choose_other(kind);
                dom::focus(&text_id);
            } else {
                r.choose_other(kind);
            }
        });
    };
    view! {
        <fieldset class="question" id=field>
            <legend>{question.question}</legend>
            {options}
            <div class="option option-other">
                <label class="option-pick">
                    <input type=input_type name=name prop:checked=live(move || other.get())
                        on:change=on_event(choose_other) />
                    <span class="option-key" aria-hidden="true">{count + 1}</span>
                    <span class="option-label">{t.other}</span>
                </label>
                {input}
            </div>
        </fieldset>
    }
    .into_any()
}
