//! The list of chats: what it shows first, and what a search leaves of it.

use super::model::ChatEntry;

/// The chats whose name, first question or file holds every word of `query`, whatever its case. Pinned ones
/// come first; otherwise the order stays.
#[must_use]
pub fn listed(chats: &[ChatEntry], query: &str) -> Vec<ChatEntry> {
    let query = query.to_lowercase();
    let mut found: Vec<ChatEntry> = chats
        .iter()
        .filter(|chat| {
            let text = searched(chat).to_lowercase();
            query.split_whitespace().all(|word| text.contains(word))
        })
        .cloned()
        .collect();
    found.sort_by_key(|chat| !chat.pinned);
    found
}

fn searched(chat: &ChatEntry) -> String {
    let parts = [
        chat.name.as_deref(),
        Some(&chat.title),
        chat.file.as_deref(),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat(id: &str, title: &str, file: &str) -> ChatEntry {
        ChatEntry {
            id: id.into(),
            title: title.into(),
            name: None,
            file: Some(file.into()),
            updated_ms: 0,
            waiting: false,
            pinned: false,
            imported: false,
        }
    }

    fn ids(chats: &[ChatEntry], query: &str) -> Vec<String> {
        listed(chats, query).into_iter().map(|c| c.id).collect()
    }

    #[test]
    fn pinned_chats_come_first_and_the_rest_keeps_its_order() {
        let mut chats = [
            chat("a", "one", "x.db"),
            chat("b", "two", "x.db"),
            chat("c", "three", "x.db"),
        ];
        chats[2].pinned = true;
        assert_eq!(ids(&chats, ""), ["c", "a", "b"]);
    }

    #[test]
    fn a_search_finds_words_of_the_name_the_question_and_the_file() {
        let mut chats = [
            chat("a", "Which region sold best?", "shop.db"),
            chat("b", "哪个地区卖得最好", "商店.db"),
            chat("c", "How many orders?", "shop.db"),
        ];
        chats[2].name = Some("Board figures".into());
        assert_eq!(ids(&chats, "REGION shop"), ["a"]);
        assert_eq!(ids(&chats, "地区"), ["b"]);
        assert_eq!(ids(&chats, "figures"), ["c"]);
        assert_eq!(
            ids(&chats, "orders"),
            ["c"],
            "a named chat is still found by its question"
        );
        assert!(ids(&chats, "orders region").is_empty());
    }
}
