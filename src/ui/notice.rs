//! What happened, why, and what to do next.

use super::Ui;
use super::icon::Icon;
use super::live::on_click;
use crate::agent::protocol::Op;
use crate::view::Command;
use crate::view::model::{Notice, NoticeAction, Tone};
use leptos::prelude::*;

#[component]
pub fn NoticeView(ui: Ui, notice: Notice) -> impl IntoView {
    let t = ui.t;
    let tone = match notice.tone {
        Tone::Info => "info",
        Tone::Warning => "warning",
        Tone::Error => "error",
    };
    let role = if notice.tone == Tone::Error {
        "alert"
    } else {
        "note"
    };
    let action = notice.action.map(|action| {
        let label = match action {
            NoticeAction::Retry => t.retry,
            NoticeAction::OpenSettings => t.open_settings,
            NoticeAction::OpenFile => t.choose_file,
            NoticeAction::RestoreChat => t.undo,
            NoticeAction::Update => t.keeping.reload,
        };
        let act = move |_| match action {
            NoticeAction::Retry => ui.act.send(Command::Op(Op::Retry)),
            NoticeAction::OpenSettings => ui.store.settings_open.set(true),
            NoticeAction::OpenFile => super::pick::file(ui),
            NoticeAction::RestoreChat => ui.act.send(Command::RestoreChat),
            NoticeAction::Update => super::update::take(),
        };
        view! { <button class="button" on:click=on_click(act)>{label}</button> }.into_any()
    });
    let translate = notice.or_translate.then(|| {
        let act = move |_| ui.act.send(Command::Op(Op::Translate));
        view! { <button class="button" on:click=on_click(act)>{t.answer_builtin}</button> }
            .into_any()
    });
    view! {
        <div class="notice" data-tone=tone role=role>
            <Icon of=Icon::Warning />
            <div class="notice-words">
                <p>{notice.text}</p>
                {(!notice.next.is_empty()).then(|| view! { <p class="notice-next">{notice.next}</p> }.into_any())}
            </div>
            {action}
            {translate}
        </div>
    }
    .into_any()
}
