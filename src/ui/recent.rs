//! Files that were open before, and the menu of the open one.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click};
use super::pick;
use crate::settings::Language;
use crate::view::Command;
use crate::view::cells::bytes_text;
use crate::view::model::{FileView, RecentFile};
use leptos::prelude::*;

/// The list with its heading; nothing where there is none.
#[component]
pub fn Recent(ui: Ui, id: &'static str) -> impl IntoView {
    live(move || {
        let files = ui.store.recent.get();
        (!files.is_empty()).then(|| list(ui, id, files))
    })
    .into_any()
}

fn list(ui: Ui, id: &'static str, files: Vec<RecentFile>) -> AnyView {
    let lines: Vec<_> = files.into_iter().map(|file| line(ui, file)).collect();
    view! {
        <section class="recent" aria-labelledby=id>
            <h2 class="recent-title" id=id>{ui.t.keeping.recent}</h2>
            <ul class="recent-list">{lines}</ul>
        </section>
    }
    .into_any()
}

fn line(ui: Ui, file: RecentFile) -> AnyView {
    let t = ui.t.keeping;
    let tag = match ui.store.language.get_untracked() {
        Language::English => "en",
        Language::Chinese => "zh-CN",
    };
    let when = (t.opened_at)(&dom::day(file.opened_ms, tag));
    let about = format!("{} · {when}", bytes_text(file.bytes));
    let forget_label = (t.forget_file)(&file.name);
    let id = StoredValue::new(file.id);
    let open = move |_| {
        hide_menu();
        ui.act.send(Command::OpenRecent { id: id.get_value() });
    };
    let forget = move |_| ui.act.send(Command::ForgetRecent { id: id.get_value() });
    view! {
        <li class="recent-file">
            <button class="recent-open" on:click=on_click(open)>
                <Icon of=Icon::Database />
                <span class="recent-name">{file.name}</span>
                <span class="recent-about">{about}</span>
            </button>
            <button class="icon-button" aria-label=forget_label.clone() title=forget_label on:click=on_click(forget)>
                <Icon of=Icon::Close />
            </button>
        </li>
    }
    .into_any()
}

const MENU: &str = "file-menu";

fn hide_menu() {
    dom::hide_popover(MENU);
}

/// What can be done with the file: another one, one of before, none.
#[component]
pub fn FileMenu(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let open = Memo::new(move |_| ui.store.file.with(|f| matches!(f, FileView::Open { .. })));
    live(move || {
        open.get().then(|| {
            view! {
                <div class="file-menu" id=MENU popover="auto">
                    <div class="file-menu-acts">
                        <button class="text-button" on:click=on_click(move |_| {
                            hide_menu();
                            pick::file(ui);
                        })>{t.open_another}</button>
                        <button class="text-button" on:click=on_click(move |_| {
                            hide_menu();
                            ui.act.send(Command::CloseFile);
                        })>{t.close_file}</button>
                    </div>
                    <Recent ui id="file-menu-recent" />
                </div>
            }
            .into_any()
        })
    })
    .into_any()
}
