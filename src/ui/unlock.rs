//! The question for the passphrase of a key that is kept. The passphrase goes out with Unlock and is dropped.

use super::Ui;
use super::live::{live, on_click, on_event, on_submit};
use crate::settings::Secret;
use crate::view::Command;
use leptos::prelude::*;

#[component]
pub fn UnlockDialog(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let more = t.endpoint_more;
    let asked = ui.store.unlock;
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    let passphrase = RwSignal::new(String::new());
    Effect::new(move || {
        let open = asked.with(Option::is_some);
        let Some(dialog) = dialog.get() else {
            return;
        };
        if open && !dialog.open() {
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            passphrase.set(String::new());
            dialog.close();
        }
    });
    let leave = move || {
        if asked.with_untracked(Option::is_some) {
            ui.act.send(Command::LeaveLocked);
        }
    };
    let unlock = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let typed = std::mem::take(&mut *passphrase.write());
        ui.act.send(Command::Unlock {
            passphrase: Secret::new(typed),
        });
    };
    let words = move || asked.with(|a| a.as_ref().map(|a| (more.key_kept)(&a.origin)));
    let busy = move || asked.with(|a| a.as_ref().is_some_and(|a| a.busy));
    let said = move || {
        let problem = asked.with(|a| a.as_ref().map_or("", |a| a.problem));
        if busy() { more.unlocking } else { problem }
    };
    view! {
        <dialog class="dialog" aria-labelledby="unlock-title" node_ref=dialog on:close=on_event(move |_| leave())>
            <form class="dialog-form" novalidate=true on:submit=on_submit(unlock)>
                <div class="dialog-head"><h2 id="unlock-title">{more.unlock_title}</h2></div>
                <div class="dialog-body">
                    <div class="field">
                        <p>{live(words)}</p>
                        <label for="unlock-passphrase">{more.passphrase}</label>
                        <input id="unlock-passphrase" type="password" autocomplete="current-password"
                            aria-describedby="unlock-note" prop:value=live(move || passphrase.get())
                            on:input=on_event(move |e| passphrase.set(event_target_value(&e))) />
                        <p class="field-note" id="unlock-note" role="status">{live(said)}</p>
                    </div>
                </div>
                <div class="dialog-foot">
                    <button type="button" class="button" on:click=on_click(move |_| leave())>{t.cancel}</button>
                    <button type="submit" class="button" data-kind="primary" disabled=live(busy)>{more.unlock}</button>
                </div>
            </form>
        </dialog>
    }
    .into_any()
}
