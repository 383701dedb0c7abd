//! One message above the composer, until it is dismissed.

use super::Ui;
use super::icon::Icon;
use super::notice::NoticeView;
use leptos::prelude::*;

#[component]
pub fn Banner(ui: Ui) -> impl IntoView {
    move || {
        ui.store.banner.get().map(|notice| {
            view! {
                <div class="banner">
                    <NoticeView ui notice />
                    <button class="icon-button" aria-label=ui.t.dismiss on:click=move |_| ui.store.banner.set(None)>
                        <Icon of=Icon::Close />
                    </button>
                </div>
            }
            .into_any()
        })
    }
}
