//! The page before the first question.

use super::Ui;
use super::composer::ask;
use super::dom;
use super::file_gate::FileGate;
use super::icon::Icon;
use super::live::{live, on_click};
use super::recent::Recent;
use crate::view::model::FileView;
use crate::view::{Command, suggest};
use leptos::prelude::*;

/// What the page shows before the first question.
#[component]
pub fn Empty(ui: Ui) -> impl IntoView {
    let kind = Memo::new(move |_| {
        ui.store.file.with(|f| match f {
            FileView::None => 0,
            FileView::Failed { .. } => 1,
            FileView::Open { .. } => 2,
            FileView::Opening { .. } | FileView::Wanted { .. } => 3,
        })
    });
    live(move || match kind.get() {
        0 => view! { <Welcome ui /> }.into_any(),
        1 => view! {
            <h1 class="hidden-text">{ui.t.welcome_title}</h1>
            <FileGate ui />
            <Sample ui />
        }
        .into_any(),
        2 => view! { <Ready ui /> }.into_any(),
        _ => view! {
            <h1 class="hidden-text">{ui.t.welcome_title}</h1>
            <FileGate ui />
        }
        .into_any(),
    })
    .into_any()
}

#[component]
fn Welcome(ui: Ui) -> impl IntoView {
    let t = ui.t;
    view! {
        <section class="welcome" aria-labelledby="welcome-title">
            <h1 id="welcome-title" class="welcome-title">{t.welcome_title}</h1>
            <p class="welcome-words">{t.welcome_words}</p>
            <div class="welcome-drop">
                <Icon of=Icon::Database />
                <button class="button" data-kind="primary" data-size="large"
                    on:click=on_click(move |_| super::pick::file(ui))>
                    {t.open_file}
                </button>
                <p class="welcome-or">{t.or_drop}</p>
            </div>
            <Recent ui id="recent-title" />
            <Sample ui />
            <ul class="promises">
                <li>
                    <Icon of=Icon::Check />
                    {t.promise_approve}
                </li>
                <li>
                    <Icon of=Icon::Lock />
                    {t.promise_local}
                </li>
            </ul>
        </section>
    }
    .into_any()
}

#[component]
fn Sample(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let questions: Vec<_> = t
        .sample_questions
        .iter()
        .map(|question| {
            let pick = move |_| {
                ui.store.queued.set(Some((*question).to_owned()));
                ui.act.send(Command::OpenSample);
            };
            view! { <li><button class="suggestion" on:click=on_click(pick)>{*question}</button></li> }
                .into_any()
        })
        .collect();
    view! {
        <section class="sample" aria-labelledby="sample-title">
            <h2 id="sample-title" class="sample-title">{t.no_file_at_hand}</h2>
            <button class="button" on:click=on_click(move |_| ui.act.send(Command::OpenSample))>{t.try_sample}</button>
            <p class="sample-or">{t.sample_or_question}</p>
            <ul class="suggestions">{questions}</ul>
        </section>
    }
    .into_any()
}

/// A file is open, nothing was asked.
#[component]
fn Ready(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let no_model = move || ui.store.settings.with(|s| s.endpoint.trim().is_empty());
    let questions = move || {
        ui.store.file.with(|f| match f {
            FileView::Open { suggested, .. } if no_model() => suggested.clone(),
            FileView::Open { schema, .. } => suggest::questions(schema, t),
            _ => Vec::new(),
        })
    };
    let buttons = move || {
        let list: Vec<_> = questions()
            .into_iter()
            .map(|question| {
                let text = question.clone();
                let pick = move |_| {
                    if ui.store.ready.get_untracked() {
                        ask(ui, text.clone());
                    } else {
                        ui.store.draft.set(text.clone());
                        dom::focus("composer");
                    }
                };
                view! { <li><button class="suggestion" on:click=on_click(pick)>{question}</button></li> }.into_any()
            })
            .collect();
        list
    };
    view! {
        <section class="welcome" aria-labelledby="welcome-title">
            <h1 id="welcome-title" class="welcome-title">{t.ready_title}</h1>
            <p class="welcome-words">{t.ready_words}</p>
            <ul class="suggestions">{live(buttons)}</ul>
        </section>
    }
    .into_any()
}
