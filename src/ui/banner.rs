//! One message above the composer, until it is dismissed.

use super::Ui;
use super::icon::Icon;
use super::live::{live, on_click};
use super::notice::NoticeView;
use leptos::prelude::*;

#[component]
pub fn Banner(ui: Ui) -> impl IntoView {
    live(move || {
        ui.store.banner.get().map(|notice| {
            view! {
                <div class="banner">
                    <NoticeView ui notice />
                    <button class="icon-button" aria-label=ui.t.dismiss
                        on:click=on_click(move |_| ui.store.banner.set(None))>
                        <Icon of=Icon::Close />
                    </button>
                </div>
            }
            .into_any()
        })
    })
    .into_any()
}
