//! What stands between the chat and its file: opening, wanted again, or failed. Nothing while one is open.

use super::Ui;
use super::icon::Icon;
use super::live::{live, on_click};
use crate::view::Command;
use crate::view::model::FileView;
use leptos::prelude::*;

#[component]
pub fn FileGate(ui: Ui) -> impl IntoView {
    let t = ui.t;
    live(move || {
        ui.store.file.with(|file| match file {
            FileView::Open { .. } => None,
            FileView::None => Some(gate(t.no_file_open.to_owned(), None, pick(ui))),
            FileView::Opening { name } => Some(opening((t.opening)(name))),
            FileView::Wanted {
                name,
                other,
                reopen,
            } => {
                let warning = other.as_ref().map(|other| (t.other_file)(other, name));
                let name = name.clone();
                let buttons = view! {
                    {reopen.then(|| {
                        let label = (t.reopen)(&name);
                        view! {
                            <button class="button" data-kind="primary"
                                on:click=on_click(move |_| ui.act.send(Command::ReopenFile))>{label}</button>
                        }.into_any()
                    })}
                    {pick(ui)}
                }.into_any();
                Some(gate((t.wanted)(&name), warning, buttons.into_any()))
            }
            FileView::Failed { name, finding } => {
                let (cause, next) = (t.finding)(finding);
                Some(
                    view! {
                        <section class="gate" data-tone="error" role="alert">
                            <Icon of=Icon::Warning />
                            <div class="gate-words">
                                <strong>{(t.not_opened)(name)}</strong>
                                <p>{cause}</p>
                                <p class="notice-next">{next}</p>
                            </div>
                            <div class="gate-buttons">{pick(ui)}</div>
                        </section>
                    }
                    .into_any(),
                )
            }
        })
    }).into_any()
}

fn gate(words: String, warning: Option<String>, buttons: AnyView) -> AnyView {
    view! {
        <section class="gate">
            <Icon of=Icon::Database />
            <div class="gate-words">
                <p>{words}</p>
                {warning.map(|w| view! { <p class="gate-warning" role="alert">{w}</p> }.into_any())}
            </div>
            <div class="gate-buttons">{buttons}</div>
        </section>
    }
    .into_any()
}

fn opening(words: String) -> AnyView {
    let label = words.clone();
    view! {
        <section class="gate" role="status">
            <div class="gate-words">
                <p>{words}</p>
                <div class="progress" role="progressbar" aria-label=label></div>
            </div>
        </section>
    }
    .into_any()
}

fn pick(ui: Ui) -> AnyView {
    view! {
        <button class="button" on:click=on_click(move |_| super::pick::file(ui))>{ui.t.open_file}</button>
    }
    .into_any()
}
