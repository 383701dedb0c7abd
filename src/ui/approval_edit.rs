//! The card's statement as text to change. Running it is the approval of exactly that text.
//!
//! The text area holds it. The editor (`scripts/editor`), once it is there, covers the text area and writes into it.

use super::Ui;
use super::approval::Case;
use super::dom;
use super::live::{live, on_click, on_event, on_key, when};
use super::part::{self, Part};
use crate::agent::approval::Decision;
use crate::settings::Language;
use crate::view::model::FileView;
use js_sys::Array;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::KeyboardEvent;

/// What covers the text area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cover {
    /// Nothing yet.
    Coming,
    Editor,
    /// Nothing: its script did not load.
    Missing,
}

#[component]
pub fn Edit(case: Case, id: String) -> impl IntoView {
    let t = case.ui.t;
    let desk = case.desk;
    let (sql, original) = case.card.with_value(|c| {
        let original = c.edited_from.clone().unwrap_or_else(|| c.sql.clone());
        (c.sql.clone(), original)
    });
    let refused = case.card.with_value(|c| c.edit_refused.clone());
    let lines = sql.lines().count().clamp(3, 16);
    if desk.draft.get_untracked().is_none() {
        desk.draft.set(Some(sql));
    }
    let text = move || desk.draft.get().unwrap_or_default();
    let run = move || {
        let sql = text();
        if !sql.trim().is_empty() {
            case.decide(Decision::Edit { sql });
        }
    };
    let cancel = move || {
        desk.draft.set(None);
        desk.editing.set(false);
    };
    let key = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" if event.ctrl_key() || event.meta_key() => {
            event.prevent_default();
            run();
        }
        // The editor's own Escape, which closes a list of completions, leaves it open.
        "Escape" if !event.is_composing() && !event.default_prevented() => {
            event.stop_propagation();
            cancel();
        }
        _ => {}
    };
    let cover = cover(case, &id, original.clone(), refused.clone());
    let error = format!("{id}-refused");
    let is_refused = refused.is_some();
    view! {
        <div class="field" on:keydown=on_key(key)>
            <label for=id.clone()>{t.edit_label}</label>
            <textarea id=id class="sql-edit" rows=lines.to_string() spellcheck="false" autocapitalize="off"
                translate="no" aria-describedby=error.clone() aria-invalid=is_refused.to_string() prop:value=live(text)
                on:input=on_event(move |e| desk.draft.set(Some(event_target_value(&e))))></textarea>
        </div>
        <p class="field-error" id=error role=is_refused.then_some("alert")>{refused}</p>
        {when(move || cover.get() == Cover::Editor, move || {
            let original = original.clone();
            let note = move || if text() == original { t.parts.not_changed } else { t.parts.compared };
            view! { <p class="card-note">{live(note)} " " {t.parts.editor_keys}</p> }.into_any()
        })}
        {when(move || cover.get() == Cover::Missing, move || {
            view! { <p class="card-note" data-tone="warning" role="status">{t.parts.editor_missing}</p> }.into_any()
        })}
        <div class="card-buttons">
            <button class="button" data-kind="primary" on:click=on_click(move |_| run())>{t.run_edited}</button>
            <button class="button" on:click=on_click(move |_| cancel())>{t.cancel}</button>
        </div>
    }
    .into_any()
}

/// Focuses the text area of that id and puts the editor over it, unless the person has begun to type by then.
fn cover(case: Case, id: &str, original: String, refused: Option<String>) -> RwSignal<Cover> {
    let cover = RwSignal::new(Cover::Coming);
    let editor = StoredValue::new_local(None::<JsValue>);
    let begun = case.desk.draft.get_untracked();
    let id = id.to_owned();
    request_animation_frame(move || {
        if !dom::holds_focus("composer") {
            dom::focus(&id);
        }
        part::load(Part::Editor, move |exports| {
            let Some(exports) = exports else {
                cover.try_set(Cover::Missing);
                return;
            };
            let untouched = case.desk.draft.try_get_untracked() == Some(begun);
            let area = dom::by_id(&id).filter(|_| untouched && !cover.is_disposed());
            let opened = area.and_then(|area| {
                let asked = asked(case.ui, area.into(), &original, refused.as_deref());
                part::call(&exports, "open", &asked)
            });
            if opened.is_some() {
                editor.set_value(opened);
                cover.try_set(Cover::Editor);
            }
        });
    });
    on_cleanup(move || {
        if let Some(Some(editor)) = editor.try_get_value() {
            part::call(&editor, "close", &JsValue::UNDEFINED);
        }
    });
    cover
}

/// What `open` of scripts/editor/main.js is given.
fn asked(ui: Ui, area: JsValue, original: &str, refused: Option<&str>) -> JsValue {
    part::object(&[
        ("area", area),
        ("original", original.into()),
        ("tables", tables(ui).into()),
        ("label", ui.t.edit_label.into()),
        ("description", ui.t.parts.editor_keys.into()),
        (
            "problem",
            refused.map_or(JsValue::UNDEFINED, JsValue::from_str),
        ),
        (
            "chinese",
            (ui.store.language.get_untracked() == Language::Chinese).into(),
        ),
    ])
}

/// The schema at hand as `[table, [[column, type], …]]`.
fn tables(ui: Ui) -> Array {
    let tables = Array::new();
    ui.store.file.with_untracked(|file| {
        let FileView::Open { schema, .. } = file else {
            return;
        };
        for table in schema.visible() {
            let columns = Array::new();
            for column in &table.columns {
                columns.push(&Array::of2(
                    &column.name.as_str().into(),
                    &column.declared_type.as_str().into(),
                ));
            }
            tables.push(&Array::of2(&table.name.as_str().into(), &columns));
        }
    });
    tables
}
