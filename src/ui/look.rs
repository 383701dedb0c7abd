//! Theme and language: on the document, and in a copy that public/theme.js reads before the first paint, when the
//! settings themselves cannot be read yet.

use crate::settings::{Language, Theme};
use web_sys::Storage;

const THEME: &str = "assent-theme";
const LANGUAGE: &str = "assent-language";

/// Theme and language of the last visit, where the browser kept them.
pub fn last() -> (Theme, Option<Language>) {
    let read = |name| storage()?.get_item(name).ok()?;
    let theme = match read(THEME).as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    };
    let language = match read(LANGUAGE).as_deref() {
        Some("en") => Some(Language::English),
        Some("zh-CN") => Some(Language::Chinese),
        _ => None,
    };
    (theme, language)
}

/// Shows and remembers what is chosen, and gives the language to speak.
pub fn show(theme: Theme, chosen: Option<Language>) -> Language {
    let name = match theme {
        Theme::System => None,
        Theme::Light => Some("light"),
        Theme::Dark => Some("dark"),
    };
    set_root("data-theme", name);
    remember(THEME, name);
    let language = spoken(chosen);
    set_root("lang", Some(tag(language)));
    remember(LANGUAGE, chosen.map(tag));
    language
}

/// The chosen language, or else the browser's.
pub fn spoken(chosen: Option<Language>) -> Language {
    chosen.unwrap_or_else(|| match leptos::prelude::window().navigator().language() {
        Some(tag) if tag.to_ascii_lowercase().starts_with("zh") => Language::Chinese,
        _ => Language::English,
    })
}

fn tag(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::Chinese => "zh-CN",
    }
}

fn set_root(name: &str, value: Option<&str>) {
    if let Some(root) = leptos::prelude::document().document_element() {
        let _ = match value {
            Some(value) => root.set_attribute(name, value),
            None => root.remove_attribute(name),
        };
    }
}

/// Without it the next visit begins in the browser's own.
fn remember(name: &str, value: Option<&str>) {
    if let Some(storage) = storage() {
        let _ = match value {
            Some(value) => storage.set_item(name, value),
            None => storage.remove_item(name),
        };
    }
}

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}
