//! The person's question: as it was asked, in its other wordings, and as a text to ask again.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click, on_event, on_key, when};
use super::store::TurnEntry;
use crate::agent::branches::Branch;
use crate::agent::protocol::Op;
use crate::view::Command;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

#[component]
pub fn Asked(ui: Ui, turn: TurnEntry, id: String) -> impl IntoView {
    let editing = RwSignal::new(false);
    let field = format!("{id}-text");
    let pencil = format!("{id}-edit");
    let (edit_id, focus) = (field.clone(), field.clone());
    let back = StoredValue::new(pencil.clone());
    let start = move |_| {
        editing.set(true);
        let focus = focus.clone();
        request_animation_frame(move || dom::focus(&focus));
    };
    let hidden = move || editing.get().then_some("hidden-text");
    let words = move || turn.question.get();
    let start = StoredValue::new_local(start);
    view! {
        <h2 class=live(move || hidden().unwrap_or("turn-question")) id=id>
            <span class="hidden-text">{ui.t.you_asked}</span>
            {live(words)}
        </h2>
        {when(move || editing.get(), move || {
            view! { <Edit ui turn id=edit_id.clone() editing back /> }.into_any()
        })}
        {when(move || !editing.get(), move || {
            view! {
                <div class="turn-acts">
                    {live(move || turn.branch.get().map(|branch| wordings(ui, turn.id, branch)))}
                    <button class="icon-button turn-edit" id=pencil.clone() aria-label=ui.t.talk.edit_question
                        title=ui.t.talk.edit_question disabled=live(move || !ui.store.ready.get())
                        on:click=on_click(move |e| start.with_value(|start| start(e)))>
                        <Icon of=Icon::Pencil />
                    </button>
                </div>
            }
            .into_any()
        })}
    }
    .into_any()
}

#[component]
fn Edit(
    ui: Ui,
    turn: TurnEntry,
    id: String,
    editing: RwSignal<bool>,
    back: StoredValue<String>,
) -> impl IntoView {
    let t = ui.t;
    let draft = RwSignal::new(turn.question.get_untracked());
    let lines = draft.with_untracked(|d| d.lines().count().clamp(1, 8));
    let leave = move || {
        editing.set(false);
        request_animation_frame(move || dom::focus(&back.get_value()));
    };
    let off = move || !ui.store.ready.get() || draft.with(|d| d.trim().is_empty());
    let send = move || {
        let text = draft.get_untracked().trim().to_owned();
        if text.is_empty() || !ui.store.ready.get_untracked() {
            return;
        }
        editing.set(false);
        ui.store.stuck.set(true);
        ui.act.send(Command::Op(Op::AskAgain {
            turn: turn.id,
            text,
        }));
        dom::focus("composer");
    };
    let key = move |event: KeyboardEvent| {
        if event.is_composing() || event.key_code() == 229 {
            return;
        }
        match event.key().as_str() {
            "Enter" if !event.shift_key() => send(),
            "Escape" => leave(),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    view! {
        <div class="turn-rewrite">
            <textarea class="turn-rewrite-text" id=id rows=lines.to_string() aria-label=t.talk.question_text
                prop:value=live(move || draft.get()) on:input=on_event(move |e| draft.set(event_target_value(&e)))
                on:keydown=on_key(key)></textarea>
            <div class="card-buttons">
                <button class="button" data-kind="primary" disabled=live(off) on:click=on_click(move |_| send())>
                    {t.talk.ask_again}
                </button>
                <button class="button" on:click=on_click(move |_| leave())>{t.cancel}</button>
            </div>
        </div>
    }
    .into_any()
}

/// "‹ 2 / 3 ›"
fn wordings(ui: Ui, turn: u64, branch: Branch) -> AnyView {
    let t = ui.t.talk;
    let show = move |index: usize| {
        ui.act.send(Command::Op(Op::ShowBranch { turn, index }));
    };
    let at = branch.index;
    let step = move |label: &'static str, to: Option<usize>, side: &'static str| {
        view! {
            <button class="icon-button turn-wording" data-side=side aria-label=label title=label
                disabled=live(move || to.is_none() || ui.store.is_busy() && !ui.store.ready.get())
                on:click=on_click(move |_| to.into_iter().for_each(show))>
                <Icon of=Icon::Chevron />
            </button>
        }
        .into_any()
    };
    let label = (t.wording)(at + 1, branch.of);
    view! {
        <span class="turn-wordings" role="group" aria-label=label>
            {step(t.earlier_wording, at.checked_sub(1), "earlier")}
            <span aria-hidden="true">{format!("{} / {}", at + 1, branch.of)}</span>
            {step(t.later_wording, Some(at + 1).filter(|n| *n < branch.of), "later")}
        </span>
    }
    .into_any()
}
