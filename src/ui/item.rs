//! The component for each kind of item in a turn.

use super::Ui;
use super::answer::Answer;
use super::blocks::Blocks;
use super::icon::Icon;
use super::live::live;
use super::lookup::LookupView;
use super::notice::NoticeView;
use super::proposal::ProposalView;
use super::questions::QuestionCardView;
use super::store::{ItemSignal, TurnEntry};
use super::thought::Thought;
use crate::view::model::ItemBody;
use leptos::prelude::*;

/// Chooses the component for an item. It is made anew only where the item changes its kind.
#[component]
pub fn ItemView(ui: Ui, turn: TurnEntry, item: ItemSignal) -> impl IntoView {
    let kind = Memo::new(move |_| item.with(|i| kind(&i.body)));
    live(move || {
        // Read, not only tracked: a memo that was never read does not follow what it is made of.
        kind.with(|_| ());
        item.with_untracked(|i| match &i.body {
            ItemBody::Thought { .. } => view! { <Thought ui item /> }.into_any(),
            ItemBody::Prose { .. } => prose(item),
            ItemBody::Lookup(lookup) => {
                view! { <LookupView ui lookup=lookup.clone() /> }.into_any()
            }
            ItemBody::Proposal(_) => view! { <ProposalView ui turn item /> }.into_any(),
            ItemBody::Questions(_) => view! { <QuestionCardView ui item /> }.into_any(),
            ItemBody::Answer(_) => view! { <Answer ui turn item /> }.into_any(),
            ItemBody::CannotAnswer { reason } => view! {
                <div class="cannot">
                    <Icon of=Icon::Warning />
                    <div>
                        <strong>{ui.t.cannot_answer}</strong>
                        <p>{reason.clone()}</p>
                    </div>
                </div>
            }
            .into_any(),
            ItemBody::Notice(notice) => {
                view! { <NoticeView ui notice=notice.clone() /> }.into_any()
            }
        })
    })
    .into_any()
}

fn prose(item: ItemSignal) -> AnyView {
    let blocks = Signal::derive(move || {
        item.with(|i| match &i.body {
            ItemBody::Prose { blocks, .. } => blocks.clone(),
            _ => Vec::new(),
        })
    });
    let writing = move || item.with(|i| matches!(i.body, ItemBody::Prose { live: true, .. }));
    view! {
        <div class="prose" data-live=live(move || writing().to_string())>
            <Blocks blocks />
        </div>
    }
    .into_any()
}

/// Items that never change in place carry their own content in the key, so that a change shows.
#[derive(Clone, PartialEq)]
enum Kind {
    Thought,
    Prose,
    Proposal,
    Questions,
    Answer,
    Fixed(String),
}

fn kind(body: &ItemBody) -> Kind {
    match body {
        ItemBody::Thought { .. } => Kind::Thought,
        ItemBody::Prose { .. } => Kind::Prose,
        ItemBody::Proposal(_) => Kind::Proposal,
        ItemBody::Questions(_) => Kind::Questions,
        ItemBody::Answer(_) => Kind::Answer,
        ItemBody::Lookup(lookup) => Kind::Fixed(format!(
            "{}\n{}\n{}\n{}",
            lookup.tool, lookup.subject, lookup.failed, lookup.detail
        )),
        ItemBody::CannotAnswer { reason } => Kind::Fixed(reason.clone()),
        ItemBody::Notice(notice) => Kind::Fixed(format!(
            "{}\n{}\n{}",
            notice.text,
            notice.next,
            notice.action.is_some()
        )),
    }
}
