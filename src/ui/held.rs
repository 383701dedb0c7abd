//! What stands in the composer's place where this tab may only read the chat.

use super::Ui;
use super::composer::Composer;
use super::icon::Icon;
use super::line::Line;
use super::live::{live, on_click};
use crate::view::Command;
use crate::view::model::ChatHold;
use leptos::prelude::*;

/// The composer, or why there is none and what to do.
#[component]
pub fn Foot(ui: Ui) -> impl IntoView {
    let hold = Memo::new(move |_| ui.store.hold.get());
    live(move || match hold.get() {
        ChatHold::Mine => view! {
            <Line ui />
            <Composer ui />
        }
        .into_any(),
        hold => held(ui, hold),
    })
    .into_any()
}

fn held(ui: Ui, hold: ChatHold) -> AnyView {
    let t = ui.t.keeping;
    let (text, next, act) = if hold == ChatHold::Deleted {
        (t.deleted, t.deleted_next, t.bring_back)
    } else {
        (t.elsewhere, t.elsewhere_next, t.use_here)
    };
    view! {
        <div class="held">
            <div class="gate" role="status">
                <Icon of=Icon::Lock />
                <div class="gate-words">
                    <strong>{text}</strong>
                    <p>{next}</p>
                </div>
                <div class="gate-buttons">
                    <button class="button" data-kind="primary" id="composer"
                        on:click=on_click(move |_| ui.act.send(Command::TakeChat))>{act}</button>
                </div>
            </div>
        </div>
    }
    .into_any()
}
