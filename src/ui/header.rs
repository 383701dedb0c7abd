//! The bar on top.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click};
use super::palette::PaletteButton;
use super::store::Panel;
use crate::settings::Theme;
use crate::view::Command;
use crate::view::cells::{bytes_text, count_text};
use crate::view::model::FileView;
use leptos::prelude::*;

/// Brand, file, what was sent, language, theme and settings.
#[component]
pub fn Header(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let store = ui.store;
    let toggle = move |panel: Panel, column: &'static str| {
        if store.panel.get_untracked() == panel {
            return store.panel.set(Panel::None);
        }
        store.panel.set(panel);
        request_animation_frame(move || dom::focus(column));
    };
    let is_open = move |panel: Panel| {
        if store.panel.get() == panel {
            "true"
        } else {
            "false"
        }
    };
    view! {
        <header class="header">
            <button class="icon-button header-chats" id="header-chats" aria-label=t.chats aria-controls="chats"
                aria-expanded=live(move || is_open(Panel::Chats)) on:click=on_click(move |_| toggle(Panel::Chats, "chats"))>
                <Icon of=Icon::Menu />
            </button>
            <span class="brand" translate="no">{t.brand}</span>
            {live(move || file(ui))}
            <div class="header-tools">
            {live(move || sent(ui))}
            <PaletteButton ui />
            <LanguageButton ui />
            <ThemeButton ui />
            <button class="icon-button" aria-label=t.settings title=t.settings
                on:click=on_click(move |_| store.settings_open.set(true))>
                <Icon of=Icon::Settings />
            </button>
            <button class="icon-button header-schema" id="header-schema" aria-label=t.schema aria-controls="inspector"
                aria-expanded=live(move || is_open(Panel::Schema)) on:click=on_click(move |_| toggle(Panel::Schema, "inspector"))>
                <Icon of=Icon::Sidebar />
            </button>
            </div>
        </header>
    }
    .into_any()
}

fn file(ui: Ui) -> Option<AnyView> {
    let t = ui.t;
    ui.store.file.with(|file| match file {
        FileView::Open { name, schema, .. } => {
            let tables = (t.tables)(schema.visible().count() as u64);
            Some(
                view! {
                    <span class="header-file">
                        <button class="header-menu" popovertarget="file-menu" aria-label=(t.keeping.file_menu)(name)>
                            <Icon of=Icon::Database />
                            <strong class="header-name" title=name.clone()>{name.clone()}</strong>
                            <Icon of=Icon::Chevron />
                        </button>
                        <span class="header-tables">{tables}</span>
                        <span class="badge" data-tone="safe" title=t.read_only_long>{t.read_only}</span>
                    </span>
                }
                .into_any(),
            )
        }
        _ => None,
    })
}

fn sent(ui: Ui) -> Option<AnyView> {
    let t = ui.t;
    ui.store.sent.get().map(|sent| {
        let tokens = (t.tokens)(&count_text(sent.tokens), sent.estimated);
        let title = format!("{} {tokens}", t.sent_long);
        let cap = ui.store.settings.with(|s| s.chat_tokens_max);
        view! {
            <span class="header-sent" title=title>{(t.sent)(&bytes_text(sent.bytes))}</span>
            {(cap > 0).then(|| ring(ui, sent.chat_tokens, cap))}
        }
        .into_any()
    })
}

/// How much of the chat's tokens is spent.
fn ring(ui: Ui, spent: u64, cap: u64) -> AnyView {
    let percent = spent.saturating_mul(100).div_ceil(cap).min(100);
    let label = (ui.t.talk.budget_spent)(&count_text(spent), &count_text(cap));
    view! {
        <span class="ring" role="img" aria-label=label.clone() title=label data-full=(percent >= 80).to_string()>
            <svg viewBox="0 0 20 20" aria-hidden="true">
                <circle class="ring-all" cx="10" cy="10" r="8" />
                <circle class="ring-spent" cx="10" cy="10" r="8" pathLength="100"
                    stroke-dasharray=format!("{percent} 100") transform="rotate(-90 10 10)" />
            </svg>
            <span aria-hidden="true">{format!("{percent}%")}</span>
        </span>
    }
    .into_any()
}

#[component]
fn LanguageButton(ui: Ui) -> impl IntoView {
    let change = move |_| {
        other_language(ui);
        // The page is laid out anew in the other language, this button included.
        request_animation_frame(|| dom::focus("language"));
    };
    view! {
        <button id="language" class="text-button header-language" lang=ui.t.other_language_tag
            on:click=on_click(change)>
            {ui.t.other_language}
        </button>
    }
    .into_any()
}

#[component]
fn ThemeButton(ui: Ui) -> impl IntoView {
    let theme = move || ui.store.settings.with(|s| s.theme);
    let label = move || (ui.t.theme_now)(theme());
    let icon = move || match theme() {
        Theme::System => view! { <Icon of=Icon::System /> }.into_any(),
        Theme::Light => view! { <Icon of=Icon::Sun /> }.into_any(),
        Theme::Dark => view! { <Icon of=Icon::Moon /> }.into_any(),
    };
    view! {
        <button class="icon-button header-theme" aria-label=live(label) title=live(label)
            on:click=on_click(move |_| next_theme(ui))>{live(icon)}</button>
    }
    .into_any()
}

pub fn other_language(ui: Ui) {
    ui.act.send(Command::OtherLanguage);
}

pub fn next_theme(ui: Ui) {
    ui.act.send(Command::NextTheme);
}

/// Folds the side column away and gives the focus back to its button.
pub fn close_panel(ui: Ui) {
    let button = match ui.store.panel.get_untracked() {
        Panel::Chats => "header-chats",
        Panel::Schema => "header-schema",
        Panel::None => return,
    };
    ui.store.panel.set(Panel::None);
    request_animation_frame(move || dom::focus(button));
}
