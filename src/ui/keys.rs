//! Keys that work anywhere, and the help that lists all of them.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click, on_event};
use leptos::ev;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// Whether keys without Ctrl or Command may act.
pub fn single(ui: Ui) -> bool {
    !ui.store.settings.with_untracked(|s| s.single_keys_off)
}

/// Listens for the keys that work anywhere.
pub fn listen(ui: Ui) {
    let store = ui.store;
    let listener = window_event_listener(ev::keydown, move |event: KeyboardEvent| {
        if event.is_composing() || event.key_code() == 229 || event.default_prevented() {
            return;
        }
        let command = event.ctrl_key() || event.meta_key();
        let plain = !command && !event.alt_key() && !dom::is_in_field(&event) && single(ui);
        match event.key().as_str() {
            "k" | "K" if command && !event.alt_key() && !event.shift_key() => {
                store.palette.update(|open| *open = !*open)
            }
            "." if command => dom::focus_pending_card(),
            "?" if plain && !dom::is_dialog_open() => store.keys_open.set(true),
            "/" if plain && !dom::is_dialog_open() => dom::focus("composer"),
            "Escape"
                if store.panel.get_untracked() != super::store::Panel::None
                    && !dom::is_dialog_open() =>
            {
                super::header::close_panel(ui);
            }
            _ => return,
        }
        event.prevent_default();
    });
    on_cleanup(move || listener.remove());
}

#[component]
pub fn KeysDialog(ui: Ui) -> impl IntoView {
    let t = ui.t.talk;
    let open = ui.store.keys_open;
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    Effect::new(move || {
        let open = open.get();
        let Some(dialog) = dialog.get() else {
            return;
        };
        if open && !dialog.open() {
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    let body = move || open.get().then(|| groups(ui));
    view! {
        <dialog class="dialog" aria-labelledby="keys-title" node_ref=dialog on:close=on_event(move |_| open.set(false))>
            <div class="dialog-form">
                <div class="dialog-head">
                    <h2 id="keys-title">{t.keys_title}</h2>
                    <button type="button" class="icon-button" aria-label=ui.t.close
                        on:click=on_click(move |_| open.set(false))>
                        <Icon of=Icon::Close />
                    </button>
                </div>
                <div class="dialog-body keys" tabindex="0" role="group" aria-labelledby="keys-title">{live(body)}</div>
            </div>
        </dialog>
    }
    .into_any()
}

/// `Mod` stands for Ctrl or Command.
fn groups(ui: Ui) -> Vec<AnyView> {
    let t = ui.t.talk;
    let anywhere = [
        ("Mod+K", t.key_palette),
        ("Mod+.", t.key_card),
        ("/", t.key_composer),
        ("?", t.key_help),
    ];
    let card = [
        ("Mod+⏎", t.key_approve),
        ("E", t.key_edit),
        ("Esc", t.key_reject),
        ("1–9", t.key_option),
    ];
    let composer = [("⏎", t.key_send), ("⏎", t.key_line), ("Esc", t.key_stop)];
    let table = [
        ("← ↑ ↓ →", t.key_cells),
        ("Mod+Home, Mod+End", t.key_ends),
        ("⏎", t.key_whole),
        ("Alt+← Alt+→", t.key_width),
        ("⏎", t.key_sort),
    ];
    let off = !single(ui);
    [
        (t.keys_anywhere, &anywhere[..]),
        (t.keys_card, &card),
        (t.keys_composer, &composer),
        (t.keys_table, &table),
    ]
    .into_iter()
    .map(|(title, keys)| {
        let rows: Vec<_> = keys
            .iter()
            .filter(|(key, _)| !off || !matches!(*key, "/" | "?" | "E" | "1–9"))
            .map(|(key, does)| row(key, does))
            .collect();
        view! {
            <section>
                <h3 class="keys-group">{title}</h3>
                <dl class="keys-list">{rows}</dl>
            </section>
        }
        .into_any()
    })
    .collect()
}

fn row(key: &str, does: &'static str) -> AnyView {
    let caps: Vec<_> = key
        .split(", ")
        .map(|cap| {
            let cap = cap.replace("Mod+", dom::command_key());
            view! { <kbd>{cap}</kbd> }.into_any()
        })
        .collect();
    view! {
        <div class="keys-row">
            <dt>{caps}</dt>
            <dd>{does}</dd>
        </div>
    }
    .into_any()
}
