//! The five steps of a proposal in a row. The live one shows its text; a finished one unfolds when asked.

use super::Ui;
use super::growing::GrowingText;
use super::icon::Icon;
use super::live::{live, on_click, when};
use crate::view::model::{Step, StepState};
use leptos::prelude::*;

#[component]
pub fn Steps(
    ui: Ui,
    /// Unique on the page.
    id: String,
    steps: Memo<Vec<Step>>,
    /// The step shown while the person has not chosen one and none is live.
    resting: Signal<Option<usize>>,
) -> impl IntoView {
    let t = ui.t;
    let chosen = RwSignal::new(None::<Option<usize>>);
    let shown = Memo::new(move |_| {
        chosen.get().unwrap_or_else(|| {
            let live = steps.with(|s| {
                s.iter()
                    .position(|s| s.state == StepState::Live && !s.text.is_empty())
            });
            live.or_else(|| resting.get())
        })
    });
    let text = move || {
        let i = shown.get()?;
        steps.with(|s| s.get(i).map(|s| s.text.clone()))
    };
    let text = Memo::new(move |_| text().unwrap_or_default());
    let panel = StoredValue::new(format!("{id}-step"));
    let buttons: Vec<_> = (0..5)
        .map(|i| {
            view! { <StepButton ui steps i shown chosen panel=panel.get_value() /> }.into_any()
        })
        .collect();
    view! {
        <div class="steps">
            <ol class="steps-row" aria-label=t.steps>{buttons}</ol>
            <div class="steps-text" id=panel.get_value()>
                {when(move || text.with(|text| !text.is_empty()), move || view! { <p><GrowingText text /></p> }.into_any())}
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn StepButton(
    ui: Ui,
    steps: Memo<Vec<Step>>,
    i: usize,
    shown: Memo<Option<usize>>,
    chosen: RwSignal<Option<Option<usize>>>,
    panel: String,
) -> impl IntoView {
    let step =
        Memo::new(move |_| steps.with(|s| s.get(i).map(|s| (s.kind, s.state, s.text.is_empty()))));
    let state = move || step.get().map(|s| s.1);
    let name = move || match state() {
        Some(StepState::Done) => "done",
        Some(StepState::Live) => "live",
        Some(StepState::Failed) => "failed",
        _ => "waiting",
    };
    let open = move || shown.get() == Some(i);
    let toggle = move |_| {
        chosen.set(Some(if shown.get_untracked() == Some(i) {
            None
        } else {
            Some(i)
        }));
    };
    view! {
        <li class="step" data-state=live(name)>
            <button class="step-button" aria-expanded=live(move || open().to_string()) aria-controls=panel
                disabled=live(move || step.get().is_none_or(|s| s.2)) on:click=on_click(toggle)>
                <span class="step-mark" aria-hidden="true">
                    {live(move || match state() {
                        Some(StepState::Done) => Some(view! { <Icon of=Icon::Check /> }.into_any()),
                        Some(StepState::Failed) => Some(view! { <Icon of=Icon::Cross /> }.into_any()),
                        _ => None,
                    })}
                </span>
                {live(move || step.get().map(|s| (ui.t.step)(s.0)))}
                <span class="hidden-text">{live(move || state().map(|s| (ui.t.step_state)(s)))}</span>
            </button>
        </li>
    }
    .into_any()
}
