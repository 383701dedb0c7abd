//! The approval card: "Run this query?", its buttons and its keys. Decides nothing; it sends decisions.

use super::Ui;
use super::approval_edit::Edit;
use super::dom;
use super::icon::Icon;
use super::live::{either, live, on_click, on_event, on_key, when};
use super::receipt::ReceiptView;
use super::sql_text::SqlText;
use crate::agent::approval::Decision;
use crate::agent::protocol::Op;
use crate::view::Command;
use crate::view::model::PendingCard;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// A key pressed for something else must not decide: a card that has just appeared hears none.
const GRACE_MS: f64 = 400.0;

/// What the person has begun on a card; it outlives a card that is shown again after a refused edit.
#[derive(Clone, Copy)]
pub struct Desk {
    pub editing: RwSignal<bool>,
    /// The edited text; `None` until it was touched.
    pub draft: RwSignal<Option<String>>,
    pub rejecting: RwSignal<bool>,
    pub reason: RwSignal<String>,
}

impl Desk {
    pub fn new() -> Self {
        Self {
            editing: RwSignal::new(false),
            draft: RwSignal::new(None),
            rejecting: RwSignal::new(false),
            reason: RwSignal::default(),
        }
    }
}

/// One card on the desk, with the acts that its buttons and keys share.
#[derive(Clone, Copy)]
pub struct Case {
    pub ui: Ui,
    pub desk: Desk,
    pub card: StoredValue<PendingCard>,
}

impl Case {
    pub fn decide(self, decision: Decision) {
        let Some(approval) = self.card.try_with_value(|c| c.id) else {
            return;
        };
        self.ui
            .act
            .send(Command::Op(Op::Decide { approval, decision }));
        dom::focus("composer");
    }

    fn approve(self) {
        if let Some(card) = self.card.try_get_value().filter(|c| c.file_open) {
            self.decide(Decision::Approve { shown: card.hash });
        }
    }

    fn edit(self) {
        self.desk.rejecting.set(false);
        self.desk.editing.set(true);
    }

    /// The first call asks for a reason, the second one rejects.
    fn reject(self, reason_id: String) {
        if self.desk.rejecting.get_untracked() {
            let reason = self.desk.reason.get_untracked().trim().to_owned();
            self.decide(Decision::Reject {
                reason: (!reason.is_empty()).then_some(reason),
            });
        } else {
            self.desk.rejecting.set(true);
            request_animation_frame(move || dom::focus(&reason_id));
        }
    }
}

/// "Run this query?"
#[component]
pub fn Approval(ui: Ui, card: PendingCard, desk: Desk, id: String) -> impl IntoView {
    let t = ui.t;
    let shown_at = dom::now_ms();
    let sql = StoredValue::new(card.sql.clone());
    let receipt = card.receipt.clone();
    let edited = card.edited_from.clone();
    let file_open = card.file_open;
    let read_only = card.read_only;
    let case = Case {
        ui,
        desk,
        card: StoredValue::new(card),
    };
    let reason_id = StoredValue::new(format!("{id}-reason"));
    let edit_id = StoredValue::new(format!("{id}-edit"));
    let key = move |event: KeyboardEvent| {
        let early = event.time_stamp() - shown_at < GRACE_MS;
        if read_only || early || dom::is_in_field(&event) || event.repeat() {
            return;
        }
        let command = event.ctrl_key() || event.meta_key();
        match event.key().as_str() {
            "Enter" if command => case.approve(),
            "e" | "E" if !command && !event.alt_key() && super::keys::single(ui) => case.edit(),
            "Escape" if !desk.editing.get_untracked() => case.reject(reason_id.get_value()),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let title = format!("{id}-title");
    let labelled_by = title.clone();
    view! {
        <div class="card" data-state="pending" role="group" tabindex="-1" id=id aria-labelledby=labelled_by
            on:keydown=on_key(key)>
            <h3 class="card-title" id=title>{t.run_this_query}</h3>
            {edited.map(|_| view! { <p class="card-note">{t.edited_by_you}</p> }.into_any())}
            {either(
                move || desk.editing.get(),
                move || view! { <Edit case id=edit_id.get_value() /> }.into_any(),
                move || view! { <SqlText sql=sql.get_value() /> }.into_any(),
            )}
            <ReceiptView ui receipt />
            {(read_only || !file_open).then(|| {
                let note = if read_only { t.keeping.decided_elsewhere } else { t.card_needs_file };
                view! { <p class="card-note" data-tone="warning">{note}</p> }
                .into_any()
            })}
            {when(move || !read_only && !desk.editing.get(), move || {
                view! { <Buttons case reason_id=reason_id.get_value() file_open /> }
                .into_any()
            })}
        </div>
    }
    .into_any()
}

#[component]
fn Buttons(case: Case, reason_id: String, file_open: bool) -> impl IntoView {
    let t = case.ui.t;
    let desk = case.desk;
    let reason_id = StoredValue::new(reason_id);
    let key = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" if !event.is_composing() && event.key_code() != 229 => {
            event.prevent_default();
            case.reject(reason_id.get_value());
        }
        "Escape" => desk.rejecting.set(false),
        _ => {}
    };
    view! {
        {when(move || desk.rejecting.get(), move || {
            view! {
                <div class="field card-reason">
                    <label for=reason_id.get_value()>{t.reject_reason}</label>
                    <input id=reason_id.get_value() type="text" autocomplete="off" placeholder=t.reject_hint
                        prop:value=live(move || desk.reason.get())
                        on:input=on_event(move |e| desk.reason.set(event_target_value(&e))) on:keydown=on_key(key) />
                </div>
            }
            .into_any()
        })}
        <div class="card-buttons">
            {either(move || desk.rejecting.get(), move || rejecting(case, reason_id), move || {
                deciding(case, reason_id, file_open)
            })}
        </div>
    }
    .into_any()
}

fn deciding(case: Case, reason_id: StoredValue<String>, file_open: bool) -> AnyView {
    let t = case.ui.t;
    view! {
        <button class="button" data-kind="primary" disabled=!file_open on:click=on_click(move |_| case.approve())>
            <Icon of=Icon::Check />
            {t.approve}
            <kbd aria-hidden="true">{format!("{}⏎", dom::command_key())}</kbd>
        </button>
        <button class="button" on:click=on_click(move |_| case.edit())>
            <Icon of=Icon::Pencil />
            {t.edit}
            {super::keys::single(case.ui).then(|| view! { <kbd aria-hidden="true">"E"</kbd> }.into_any())}
        </button>
        <button class="button" on:click=on_click(move |_| case.reject(reason_id.get_value()))>
            <Icon of=Icon::Close />
            {t.reject}
            <kbd aria-hidden="true">"Esc"</kbd>
        </button>
    }
    .into_any()
}

fn rejecting(case: Case, reason_id: StoredValue<String>) -> AnyView {
    let t = case.ui.t;
    view! {
        <button class="button" data-kind="danger" on:click=on_click(move |_| case.reject(reason_id.get_value()))>
            {t.reject}
        </button>
        <button class="button" on:click=on_click(move |_| case.desk.rejecting.set(false))>{t.cancel}</button>
    }
    .into_any()
}
