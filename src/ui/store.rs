//! The page's state as signals: one per item, so that a streamed token lays out nothing but its own item.

use super::line::InLine;
use super::look;
use super::update::NewVersion;
use crate::agent::branches::Branch;
use crate::settings::Language;
use crate::view::model::{
    CardState, ChatEntry, ChatHold, FileView, Item, ItemBody, Notice, Questions, RecentFile,
    SettingsForm, TurnState, TurnView,
};
use crate::view::probe::ProbeView;
use crate::view::sent::SentRow;
use crate::view::{Patch, UnlockView};
use leptos::prelude::*;
use std::rc::Rc;

pub type ItemSignal = RwSignal<Rc<Item>, LocalStorage>;

#[derive(Clone, Copy)]
pub struct TurnEntry {
    pub id: u64,
    /// Tells turns of one chat from those of another, whose ids are the same.
    pub generation: u64,
    pub question: RwSignal<String>,
    pub state: RwSignal<TurnState>,
    pub items: RwSignal<Vec<ItemEntry>>,
    pub branch: RwSignal<Option<Branch>>,
}

#[derive(Clone, Copy)]
pub struct ItemEntry {
    pub key: u64,
    pub item: ItemSignal,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    pub bytes: u64,
    pub tokens: u64,
    pub chat_tokens: u64,
    pub estimated: bool,
}

/// The folded side columns on a narrow screen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Panel {
    None,
    Chats,
    Schema,
}

/// Why the transcript speaks to a screen reader.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    Nothing,
    Approval,
    Questions,
}

#[derive(Clone, Copy)]
pub struct Store {
    pub turns: RwSignal<Vec<TurnEntry>>,
    pub file: RwSignal<FileView, LocalStorage>,
    pub chats: RwSignal<Vec<ChatEntry>>,
    pub chat: RwSignal<String>,
    pub settings: RwSignal<SettingsForm>,
    pub language: RwSignal<Language>,
    pub ready: RwSignal<bool>,
    pub hold: RwSignal<ChatHold>,
    pub recent: RwSignal<Vec<RecentFile>>,
    pub banner: RwSignal<Option<Notice>>,
    pub update: RwSignal<NewVersion>,
    pub models: RwSignal<Option<Result<Vec<String>, String>>>,
    pub probe: RwSignal<ProbeView>,
    pub ledger: RwSignal<Vec<SentRow>>,
    pub body: RwSignal<Option<(usize, String)>>,
    pub sent: RwSignal<Option<Sent>>,
    /// The composer's text; kept here so that a change of language does not lose it.
    pub draft: RwSignal<String>,
    /// A sample question that is asked as soon as one can be.
    pub queued: RwSignal<Option<String>>,
    /// Follow-ups that wait for the answer under way.
    pub line: RwSignal<Vec<InLine>>,
    pub panel: RwSignal<Panel>,
    pub settings_open: RwSignal<bool>,
    pub palette: RwSignal<bool>,
    pub keys_open: RwSignal<bool>,
    pub unlock: RwSignal<Option<UnlockView>>,
    /// The transcript is at its end and stays there.
    pub stuck: RwSignal<bool>,
    generations: StoredValue<Generations, LocalStorage>,
}

/// Signals of one chat live in one owner. The last chat's outlive it by one switch: its effects may still read
/// them when the switch is made.
struct Generations {
    chat: String,
    number: u64,
    current: Owner,
    last: Option<Owner>,
}

impl Store {
    pub fn new() -> Self {
        let (theme, language) = look::last();
        Self {
            turns: RwSignal::default(),
            file: RwSignal::new_local(FileView::None),
            chats: RwSignal::default(),
            chat: RwSignal::default(),
            settings: RwSignal::new(SettingsForm {
                theme,
                language,
                ..SettingsForm::default()
            }),
            language: RwSignal::new(look::spoken(language)),
            ready: RwSignal::new(false),
            hold: RwSignal::default(),
            recent: RwSignal::default(),
            banner: RwSignal::new(None),
            update: RwSignal::new(NewVersion::None),
            models: RwSignal::new(None),
            probe: RwSignal::default(),
            ledger: RwSignal::default(),
            body: RwSignal::new(None),
            sent: RwSignal::new(None),
            draft: RwSignal::default(),
            queued: RwSignal::new(None),
            line: RwSignal::default(),
            panel: RwSignal::new(Panel::None),
            settings_open: RwSignal::new(false),
            palette: RwSignal::new(false),
            keys_open: RwSignal::new(false),
            unlock: RwSignal::new(None),
            stuck: RwSignal::new(true),
            generations: StoredValue::new_local(Generations {
                chat: String::new(),
                number: 0,
                current: Owner::new(),
                last: None,
            }),
        }
    }

    pub fn apply(self, patch: Patch) {
        match patch {
            Patch::Turns { chat, turns } => self.show(chat, turns),
            Patch::Turn(turn) => self.merge(turn),
            Patch::File(file) => self.file.set(file),
            Patch::Chats { list, current } => {
                self.chats.set(list);
                change(self.chat, current);
            }
            Patch::Settings(form) => {
                let language = look::show(form.theme, form.language);
                change(self.settings, form);
                change(self.language, language);
            }
            Patch::Recent(list) => change(self.recent, list),
            Patch::Hold(hold) => change(self.hold, hold),
            Patch::Ready(ready) => change(self.ready, ready),
            Patch::Banner(banner) => change(self.banner, banner),
            Patch::Models(models) => self.models.set(Some(models)),
            Patch::Unlock(unlock) => change(self.unlock, unlock),
            Patch::Probe(probe) => self.probe.set(probe),
            Patch::Ledger(rows) => change(self.ledger, rows),
            Patch::Body(body) => self.body.set(body),
            Patch::Sent {
                bytes,
                tokens,
                chat_tokens,
                estimated,
            } => change(
                self.sent,
                Some(Sent {
                    bytes,
                    tokens,
                    chat_tokens,
                    estimated,
                }),
            ),
        }
    }

    /// True while a turn is under way.
    pub fn is_busy(self) -> bool {
        self.last_state().is_some_and(|s| {
            matches!(
                s,
                TurnState::Thinking | TurnState::Working | TurnState::Waiting
            )
        })
    }

    pub fn last_state(self) -> Option<TurnState> {
        self.turns.with(|t| t.last().map(|t| t.state.get()))
    }

    /// What the last turn waits for.
    pub fn waiting(self) -> Waiting {
        let Some(turn) = self.turns.with(|t| t.last().copied()) else {
            return Waiting::Nothing;
        };
        if turn.state.get() != TurnState::Waiting {
            return Waiting::Nothing;
        }
        turn.items.with(|items| {
            items
                .iter()
                .rev()
                .map(|e| e.item.with(|i| waits(i)))
                .find(|w| *w != Waiting::Nothing)
                .unwrap_or(Waiting::Nothing)
        })
    }

    /// All turns of a chat. Those of the chat on show are changed in place, so that nothing folds or jumps.
    fn show(self, chat: String, list: Vec<TurnView>) {
        if self.generations.with_value(|g| g.chat == chat) && !list.is_empty() {
            self.arrange(&list);
            list.into_iter().for_each(|turn| self.merge(turn));
        } else {
            self.generations.update_value(|g| g.chat = chat);
            change(self.body, None);
            self.replace(list);
        }
    }

    /// Takes turns away that are not in the list: another branch is shown.
    fn arrange(self, list: &[TurnView]) {
        let shown = self.turns.get_untracked();
        let kept: Vec<TurnEntry> = list
            .iter()
            .filter_map(|turn| shown.iter().find(|t| t.id == turn.id).copied())
            .collect();
        if kept.len() < shown.len() {
            self.turns.set(kept);
        }
    }

    fn replace(self, list: Vec<TurnView>) {
        let old = self.turns.get_untracked();
        self.generations.update_value(|g| {
            g.number += 1;
            if let Some(owner) = g.last.take() {
                owner.cleanup();
            }
            g.last = Some(std::mem::replace(&mut g.current, Owner::new()));
        });
        let turns = list.into_iter().map(|t| self.entry(t)).collect();
        self.turns.set(turns);
        self.stuck.set(true);
        // Frees the rows of the last chat at once; what is left is a few bytes per item.
        for entry in old.iter().flat_map(|t| t.items.get_untracked()) {
            entry.item.update_untracked(|item| {
                *item = Rc::new(Item {
                    key: entry.key,
                    body: ItemBody::CannotAnswer {
                        reason: String::new(),
                    },
                });
            });
        }
    }

    fn merge(self, turn: TurnView) {
        let known = self
            .turns
            .with_untracked(|t| t.iter().find(|t| t.id == turn.id).copied());
        let Some(entry) = known else {
            let entry = self.entry(turn);
            self.turns.update(|t| t.push(entry));
            self.stuck.set(true);
            return;
        };
        change(entry.question, turn.question);
        change(entry.branch, turn.branch);
        let items = entry.items.get_untracked();
        let same = items.len() == turn.items.len()
            && items.iter().zip(&turn.items).all(|(e, i)| e.key == i.key);
        let next: Vec<ItemEntry> = turn
            .items
            .into_iter()
            .map(|item| match items.iter().find(|e| e.key == item.key) {
                Some(entry) => {
                    let changed = entry
                        .item
                        .with_untracked(|old| !Rc::ptr_eq(old, &item) && *old != item);
                    if changed {
                        entry.item.set(item);
                    }
                    *entry
                }
                None => self.item(item),
            })
            .collect();
        if !same {
            entry.items.set(next);
        }
        change(entry.state, turn.state);
    }

    fn entry(self, turn: TurnView) -> TurnEntry {
        let items = turn.items.into_iter().map(|i| self.item(i)).collect();
        let generation = self.generations.with_value(|g| g.number);
        self.owned(|| TurnEntry {
            id: turn.id,
            generation,
            question: RwSignal::new(turn.question),
            state: RwSignal::new(turn.state),
            items: RwSignal::new(items),
            branch: RwSignal::new(turn.branch),
        })
    }

    fn item(self, item: Rc<Item>) -> ItemEntry {
        self.owned(|| ItemEntry {
            key: item.key,
            item: RwSignal::new_local(item),
        })
    }

    fn owned<T>(self, make: impl FnOnce() -> T) -> T {
        self.generations
            .with_value(|g| g.current.clone())
            .with(make)
    }
}

fn waits(item: &Item) -> Waiting {
    match &item.body {
        ItemBody::Proposal(p) if matches!(&p.card, CardState::Pending(c) if !c.read_only) => {
            Waiting::Approval
        }
        ItemBody::Questions(Questions {
            answers: None,
            skipped: false,
            read_only: false,
            ..
        }) => Waiting::Questions,
        _ => Waiting::Nothing,
    }
}

/// Sets a signal only where the value differs, so that nothing is laid out for nothing.
fn change<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}
