//! One message above the composer, until it is dismissed. A new version of the page is said when nothing else is.

use super::Ui;
use super::icon::Icon;
use super::live::{live, on_click};
use super::notice::NoticeView;
use super::update::{self, NewVersion};
use leptos::prelude::*;

#[component]
pub fn Banner(ui: Ui) -> impl IntoView {
    live(move || {
        let said = ui.store.banner.get();
        let dismiss = if said.is_some() {
            |ui: Ui| ui.store.banner.set(None)
        } else {
            |ui: Ui| ui.store.update.set(NewVersion::None)
        };
        said.or_else(|| update::notice(ui)).map(|notice| {
            view! {
                <div class="banner">
                    <NoticeView ui notice />
                    <button class="icon-button" aria-label=ui.t.dismiss
                        on:click=on_click(move |_| dismiss(ui))>
                        <Icon of=Icon::Close />
                    </button>
                </div>
            }
            .into_any()
        })
    })
    .into_any()
}
