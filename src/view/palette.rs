//! What the palette offers, and what of it a few typed letters leave, the best match first.

use super::command::ChatFile;
use super::model::{ChatEntry, FileView};
use super::texts::Texts;

/// More are not listed at once; further letters leave fewer.
pub const SHOWN_MAX: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    NewChat,
    OpenFile,
    OpenSample,
    CloseFile,
    Settings,
    Chats,
    Schema,
    Sent,
    Composer,
    Card,
    Stop,
    Theme,
    Language,
    Save(ChatFile),
    Import,
    Keys,
    Chat(String),
    /// Puts the name into the question.
    Table(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub act: Act,
    pub name: String,
    /// What it is, where it is no command.
    pub kind: &'static str,
}

/// What the page is like now.
#[derive(Debug, Clone, Copy)]
pub struct Now<'a> {
    pub file: &'a FileView,
    pub chats: &'a [ChatEntry],
    pub is_busy: bool,
    pub card_waits: bool,
    pub has_turns: bool,
}

/// All that can be done now: commands first, then chats and tables.
#[must_use]
pub fn entries(t: &Texts, now: Now) -> Vec<Entry> {
    let talk = t.talk;
    let is_open = matches!(now.file, FileView::Open { .. });
    let commands = [
        (now.card_waits, Act::Card, talk.go_to_card),
        (now.is_busy, Act::Stop, t.stop),
        (true, Act::NewChat, t.new_chat),
        (true, Act::OpenFile, t.open_file),
        (!is_open, Act::OpenSample, talk.open_sample),
        (is_open, Act::CloseFile, t.close_file),
        (true, Act::Composer, talk.go_to_composer),
        (true, Act::Chats, t.search_chats),
        (true, Act::Schema, t.schema),
        (true, Act::Sent, talk.show_sent),
        (
            now.has_turns,
            Act::Save(ChatFile::Report),
            t.keeping.save_report,
        ),
        (
            now.has_turns,
            Act::Save(ChatFile::Record),
            t.keeping.save_record,
        ),
        (true, Act::Import, t.keeping.import_chat),
        (true, Act::Settings, t.settings),
        (true, Act::Theme, talk.other_theme),
        (true, Act::Language, t.other_language),
        (true, Act::Keys, talk.keys_title),
    ];
    let mut list: Vec<Entry> = commands
        .into_iter()
        .filter(|(fits, ..)| *fits)
        .map(|(_, act, name)| entry(act, name, ""))
        .collect();
    let untitled = |chat: &ChatEntry| {
        let shown = chat.shown();
        if shown.is_empty() {
            t.untitled_chat
        } else {
            shown
        }
        .to_owned()
    };
    list.extend(
        now.chats
            .iter()
            .map(|chat| entry(Act::Chat(chat.id.clone()), &untitled(chat), talk.kind_chat)),
    );
    if let FileView::Open { schema, .. } = now.file {
        list.extend(
            schema
                .visible()
                .map(|table| entry(Act::Table(table.name.clone()), &table.name, talk.kind_table)),
        );
    }
    list
}

fn entry(act: Act, name: &str, kind: &'static str) -> Entry {
    Entry {
        act,
        name: name.to_owned(),
        kind,
    }
}

/// The entries that hold every word of `query`, whole beginnings first; otherwise the order stays.
#[must_use]
pub fn matching(entries: &[Entry], query: &str) -> Vec<Entry> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut found: Vec<(u8, &Entry)> = entries
        .iter()
        .filter_map(|entry| Some((distance(entry, &words)?, entry)))
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().map(|(_, entry)| entry.clone()).collect()
}

/// How far the name is from the words; `None` where one is not in it at all.
fn distance(entry: &Entry, words: &[&str]) -> Option<u8> {
    let name = entry.name.to_lowercase();
    let mut sum = 0;
    for word in words {
        sum = sum.max(if name.starts_with(word) {
            0
        } else if starts_a_word(&name, word) {
            1
        } else if name.contains(word) || entry.kind.to_lowercase().starts_with(word) {
            2
        } else if in_order(&name, word) {
            3
        } else {
            return None;
        });
    }
    Some(sum)
}

fn starts_a_word(name: &str, word: &str) -> bool {
    name.split(|c: char| !c.is_alphanumeric())
        .any(|part| part.starts_with(word))
}

/// Whether the letters stand in the name in this order, with others between them.
fn in_order(name: &str, letters: &str) -> bool {
    let mut rest = name.chars();
    letters.chars().all(|letter| rest.any(|c| c == letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::texts::{EN, ZH};

    fn now<'a>(file: &'a FileView, chats: &'a [ChatEntry]) -> Now<'a> {
        Now {
            file,
            chats,
            is_busy: false,
            card_waits: false,
            has_turns: false,
        }
    }

    fn chat(title: &str) -> ChatEntry {
        ChatEntry {
            id: title.into(),
            title: title.into(),
            name: None,
            file: None,
            updated_ms: 0,
            waiting: false,
            pinned: false,
            imported: false,
        }
    }

    fn names(found: &[Entry]) -> Vec<&str> {
        found.iter().map(|e| e.name.as_str()).collect()
    }

    #[test]
    fn beginnings_come_first_then_words_then_letters() {
        let chats = [chat("Best sellers"), chat("Orders by theme"), chat("Them")];
        let all = entries(&EN, now(&FileView::None, &chats));
        let found = matching(&all, "them");
        assert_eq!(
            names(&found)[..3],
            ["Them", "Change the theme", "Orders by theme"]
        );
        assert_eq!(names(&matching(&all, "bstsl")), ["Best sellers"]);
        assert_eq!(names(&matching(&all, "theme change")), ["Change the theme"]);
        assert!(matching(&all, "zzz").is_empty());
        assert_eq!(matching(&all, "").len(), all.len());
    }

    #[test]
    fn only_what_can_be_done_is_offered() {
        let mut state = now(&FileView::None, &[]);
        let acts = |state| -> Vec<Act> { entries(&ZH, state).into_iter().map(|e| e.act).collect() };
        for act in [
            Act::Stop,
            Act::Card,
            Act::CloseFile,
            Act::Save(ChatFile::Record),
        ] {
            assert!(!acts(state).contains(&act), "{act:?}");
        }
        state.card_waits = true;
        assert_eq!(acts(state).first(), Some(&Act::Card));
    }
}
