//! Words of a question and words inside a name: tokens, splitting, light stemming. Knows only text.

use super::fuzzy::{fold, is_cjk};

/// One word of a question; a quoted text is one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As written, without quotes.
    pub text: String,
    pub folded: String,
    pub stem: String,
    pub quoted: bool,
    /// Starts with a capital letter.
    pub capital: bool,
    /// Byte offset in the question.
    pub start: usize,
}

impl Word {
    #[must_use]
    pub fn is_number(&self) -> bool {
        !self.quoted && number(&self.text).is_some()
    }

    #[must_use]
    pub fn is_punctuation(&self) -> bool {
        !self.quoted && self.folded.is_empty()
    }
}

/// The number as SQL writes it: thousands separators are gone.
#[must_use]
pub fn number(text: &str) -> Option<String> {
    let plain = text.replace(',', "");
    let digits = plain.strip_prefix('-').unwrap_or(&plain);
    let mut dots = 0;
    for c in digits.chars() {
        match c {
            '0'..='9' => {}
            '.' => dots += 1,
            _ => return None,
        }
    }
    let ends = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.ends_with(|c: char| c.is_ascii_digit());
    (ends && dots <= 1).then_some(plain)
}

/// Words longer than this, and questions with more of them, are cut.
const WORDS_MAX: usize = 160;

/// Splits a question into words, punctuation marks and quoted texts.
#[must_use]
pub fn words(question: &str) -> Vec<Word> {
    let chars: Vec<(usize, char)> = question.char_indices().collect();
    let mut out: Vec<Word> = Vec::new();
    let mut at = 0;
    while let Some(&(start, c)) = chars.get(at) {
        if out.len() >= WORDS_MAX {
            break;
        }
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        if let Some((text, next)) = quoted(&chars, at) {
            out.push(word(text, start, true));
            at = next;
            continue;
        }
        let end = word_end(&chars, at);
        let text: String = chars.iter().take(end).skip(at).map(|(_, c)| *c).collect();
        out.push(word(text, start, false));
        at = end;
    }
    out
}

fn word(text: String, start: usize, quoted: bool) -> Word {
    let folded = fold(&text);
    Word {
        stem: stem(&folded),
        capital: text.chars().next().is_some_and(char::is_uppercase),
        folded,
        quoted,
        start,
        text,
    }
}

fn closing(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' => &['"'],
        '\'' => &['\''],
        '`' => &['`', '\''],
        '“' | '”' => &['”', '“'],
        '‘' => &['’'],
        '「' => &['」'],
        '『' => &['』'],
        '《' => &['》'],
        _ => return None,
    })
}

/// A quoted text that starts here, and the place after it.
fn quoted(chars: &[(usize, char)], at: usize) -> Option<(String, usize)> {
    let (_, open) = *chars.get(at)?;
    let close = closing(open)?;
    let before = at.checked_sub(1).and_then(|b| chars.get(b));
    if open == '\'' && before.is_some_and(|(_, c)| c.is_alphanumeric()) {
        return None;
    }
    let mut from = at + 1;
    while matches!(chars.get(from), Some((_, c)) if *c == open) {
        from += 1;
    }
    let mut end = from;
    loop {
        let (_, c) = *chars.get(end)?;
        let next = chars.get(end + 1).map(|(_, c)| *c);
        if close.contains(&c) && (c != '\'' || !next.is_some_and(char::is_alphanumeric)) {
            break;
        }
        end += 1;
    }
    let text: String = chars.iter().take(end).skip(from).map(|(_, c)| *c).collect();
    while matches!(chars.get(end), Some((_, c)) if close.contains(c)) {
        end += 1;
    }
    let text = text.trim().to_owned();
    (!fold(&text).is_empty()).then_some((text, end))
}

fn word_end(chars: &[(usize, char)], at: usize) -> usize {
    let Some(&(_, first)) = chars.get(at) else {
        return at + 1;
    };
    if !first.is_alphanumeric() || is_cjk(first) {
        return at + 1;
    }
    let mut end = at;
    while let Some(&(_, c)) = chars.get(end) {
        let next = chars.get(end + 1).map(|(_, c)| *c);
        let after = chars.get(end + 2).map(|(_, c)| *c);
        let apostrophe = matches!(c, '\'' | '’')
            && next.is_some_and(char::is_alphanumeric)
            && !matches!(next, Some('s' | 'S') if !after.is_some_and(char::is_alphanumeric));
        let in_number =
            matches!(c, '.' | ',') && digit(chars, end.wrapping_sub(1)) && digit(chars, end + 1);
        let part = (c.is_alphanumeric() && !is_cjk(c)) || c == '_' || apostrophe || in_number;
        if !part {
            break;
        }
        end += 1;
    }
    end.max(at + 1)
}

fn digit(chars: &[(usize, char)], at: usize) -> bool {
    chars.get(at).is_some_and(|(_, c)| c.is_ascii_digit())
}

/// The words inside a name: `orderDate2`, `order_date_2` and `Order Date 2` are the same words.
#[must_use]
pub fn split_name(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    for (i, c) in chars.iter().copied().enumerate() {
        let before = i.checked_sub(1).and_then(|b| chars.get(b)).copied();
        let next = chars.get(i + 1).copied();
        if starts_part(before, c, next) && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        if c.is_alphanumeric() {
            part.push(c);
        }
    }
    parts.push(part);
    parts
        .iter()
        .flat_map(|p| fold(p).split(' ').map(str::to_owned).collect::<Vec<_>>())
        .filter(|p| !p.is_empty())
        .collect()
}

fn starts_part(before: Option<char>, c: char, next: Option<char>) -> bool {
    let Some(before) = before else { return false };
    if !c.is_alphanumeric() || !before.is_alphanumeric() {
        return true;
    }
    let camel = c.is_uppercase() && before.is_lowercase();
    let acronym_end =
        c.is_uppercase() && before.is_uppercase() && next.is_some_and(char::is_lowercase);
    let digits = c.is_ascii_digit() != before.is_ascii_digit();
    camel || acronym_end || digits || is_cjk(c) != is_cjk(before)
}

/// A light stem: plural, -ing, -ed, -er of English; other words stay as they are.
#[must_use]
pub fn stem(word: &str) -> String {
    if let Some(singular) = irregular(word) {
        return singular.to_owned();
    }
    if !word.is_ascii() || word.len() <= 3 {
        return word.to_owned();
    }
    let w = singular(word);
    for suffix in ["ing", "ed"] {
        if let Some(base) = w.strip_suffix(suffix)
            && base.len() >= 3
            && base.contains(['a', 'e', 'i', 'o', 'u', 'y'])
        {
            return trimmed(base);
        }
    }
    trimmed(&w)
}

/// Whether one of the stems is this word.
#[must_use]
pub fn holds(stems: &[String], word: &str) -> bool {
    let wanted = stem(word);
    stems.contains(&wanted)
}

/// One of them: `cities` to `city`. Words of other forms stay as they are.
#[must_use]
pub fn singular(word: &str) -> String {
    if let Some(base) = word.strip_suffix("ies") {
        return format!("{base}y");
    }
    for suffix in ["sses", "xes", "ches", "shes", "zes"] {
        if word.ends_with(suffix) {
            return word.get(..word.len() - 2).unwrap_or(word).to_owned();
        }
    }
    match word.strip_suffix('s') {
        Some(base) if !base.ends_with(['s', 'u', 'i']) => base.to_owned(),
        _ => word.to_owned(),
    }
}

/// One form for `hire`, `hired` and `hiring`, `stop` and `stopped`.
fn trimmed(base: &str) -> String {
    let mut chars = base.chars().rev();
    let (last, before) = (chars.next(), chars.next());
    if base.len() > 3 && last == before && !matches!(last, Some('l' | 's' | 'e' | 'o')) {
        return base.get(..base.len() - 1).unwrap_or(base).to_owned();
    }
    match last {
        Some('e') if base.len() > 3 => base.get(..base.len() - 1).unwrap_or(base).to_owned(),
        Some('y') if base.len() > 3 => {
            format!("{}i", base.get(..base.len() - 1).unwrap_or(base))
        }
        _ => base.to_owned(),
    }
}

fn irregular(word: &str) -> Option<&'static str> {
    Some(match word {
        "ids" => "id",
        "people" | "persons" | "person" => "person",
        "men" | "man" => "man",
        "women" | "woman" => "woman",
        "children" | "child" => "child",
        "cities" | "city" => "citi",
        "has" | "having" | "had" => "have",
        "taught" | "teaches" | "teaching" | "teach" => "teach",
        "bought" | "buys" | "buying" => "buy",
        "sold" | "sells" | "selling" => "sell",
        "wrote" | "written" | "writing" | "writes" => "write",
        "won" | "wins" | "winning" => "win",
        "data" => "data",
        "year" | "years" => "year",
        "series" => "series",
        "movies" | "movie" => "movi",
        "this" => "this",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_however_they_are_written() {
        for name in ["orderDate2", "order_date_2", "Order Date 2", "ORDER-DATE2"] {
            assert_eq!(split_name(name), ["order", "date", "2"], "{name}");
        }
        assert_eq!(split_name("HTTPServerID"), ["http", "server", "id"]);
        assert_eq!(split_name("订单date"), ["订单", "date"]);
        assert!(split_name("__").is_empty());
    }

    #[test]
    fn forms_of_one_word_share_a_stem() {
        for group in [
            vec!["hire", "hired", "hiring", "hires"],
            vec!["stop", "stopped", "stops"],
            vec!["city", "cities"],
            vec!["class", "classes"],
            vec!["country", "countries"],
            vec!["box", "boxes"],
        ] {
            let stems: Vec<String> = group.iter().map(|w| stem(w)).collect();
            assert!(stems.iter().all(|s| Some(s) == stems.first()), "{stems:?}");
        }
    }

    #[test]
    fn quotes_hold_one_word_and_apostrophes_part_nothing() {
        let found: Vec<String> = words("the customer's name is 'Ann O\\'Neil' or “Bo”, 1,000.5?")
            .into_iter()
            .map(|w| w.text)
            .collect();
        assert!(found.contains(&"Bo".to_owned()), "{found:?}");
        assert!(found.contains(&"1,000.5".to_owned()), "{found:?}");
        assert_eq!(number("1,000.5").as_deref(), Some("1000.5"));
        assert_eq!(words("don't").len(), 1);
    }
}
