//! Folding of case, width and accents, and bounded edit distance. Knows only text.

/// Lower case, half width, no accents; every run of other characters is one space.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(c.to_ascii_lowercase());
            continue;
        }
        let c = half_width(c);
        if c.is_alphanumeric() {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            match without_accent(c) {
                Some(plain) => out.push_str(plain),
                None => out.extend(c.to_lowercase().filter(|c| c.is_alphanumeric())),
            }
        } else if !is_joiner(c) {
            gap = true;
        }
    }
    out
}

/// Characters that stand inside a word without parting it.
fn is_joiner(c: char) -> bool {
    matches!(c, '\'' | '’' | '\u{0300}'..='\u{036F}')
}

fn half_width(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        other => other,
    }
}

/// Latin letters with marks, as far as names of people and places use them.
fn without_accent(c: char) -> Option<&'static str> {
    Some(match c {
        'À'..='Å' | 'à'..='å' | 'Ā'..='ą' => "a",
        'Æ' | 'æ' => "ae",
        'Ç' | 'ç' | 'Ć'..='č' => "c",
        'Ď'..='đ' | 'Ð' | 'ð' => "d",
        'È'..='Ë' | 'è'..='ë' | 'Ē'..='ě' => "e",
        'Ĝ'..='ģ' => "g",
        'Ì'..='Ï' | 'ì'..='ï' | 'Ĩ'..='ı' => "i",
        'Ĺ'..='ł' => "l",
        'Ñ' | 'ñ' | 'Ń'..='ň' => "n",
        'Ò'..='Ö' | 'Ø' | 'ò'..='ö' | 'ø' | 'Ō'..='ő' => "o",
        'Œ' | 'œ' => "oe",
        'Ŕ'..='ř' => "r",
        'Ś'..='š' => "s",
        'ß' => "ss",
        'Ţ'..='ť' => "t",
        'Ù'..='Ü' | 'ù'..='ü' | 'Ũ'..='ų' => "u",
        'Ý' | 'ý' | 'ÿ' => "y",
        'Ź'..='ž' => "z",
        _ => return None,
    })
}

/// Chinese, Japanese and Korean characters, which stand without spaces between words.
#[must_use]
pub fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

/// Edits between two texts (insertions, deletions, replacements, swaps of neighbours), or `None` above `max`.
#[must_use]
pub fn distance(a: &str, b: &str, max: usize) -> Option<usize> {
    let a: Vec<char> = a.chars().take(CHARS_MAX).collect();
    let b: Vec<char> = b.chars().take(CHARS_MAX).collect();
    if a.len().abs_diff(b.len()) > max {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last: Option<char> = None;
    for (i, x) in a.iter().enumerate() {
        let mut next = Vec::with_capacity(b.len() + 1);
        let mut left = i + 1;
        next.push(left);
        let mut last_y: Option<char> = None;
        for (j, y) in b.iter().enumerate() {
            let diagonal = row.get(j).copied().unwrap_or(max + 1);
            let up = row.get(j + 1).copied().unwrap_or(max + 1);
            let mut cost = (diagonal + usize::from(x != y)).min(up + 1).min(left + 1);
            if j > 0 && last == Some(*y) && last_y == Some(*x) {
                cost = cost.min(before.get(j - 1).copied().unwrap_or(max) + 1);
            }
            next.push(cost);
            left = cost;
            last_y = Some(*y);
        }
        if next.iter().all(|cost| *cost > max) {
            return None;
        }
        before = std::mem::replace(&mut row, next);
        last = Some(*x);
    }
    row.last().copied().filter(|cost| *cost <= max)
}

/// The distance is quadratic in the length.
const CHARS_MAX: usize = 96;

/// Typos that a word of that many characters may have and still be the same word.
#[must_use]
pub fn typos_max(chars: usize) -> usize {
    match chars {
        0..=4 => 0,
        5..=8 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_forgets_how_a_word_is_written() {
        for (from, to) in [
            ("São Paulo", "sao paulo"),
            ("ＡＢＣ　１", "abc 1"),
            ("O'Neil-Smith", "oneil smith"),
            ("  ", ""),
            ("北京 市", "北京 市"),
        ] {
            assert_eq!(fold(from), to);
        }
    }

    #[test]
    fn a_swap_is_one_edit_and_the_bound_holds() {
        assert_eq!(distance("nevada", "nevdaa", 2), Some(1));
        assert_eq!(distance("kitten", "sitting", 3), Some(3));
        assert_eq!(distance("kitten", "sitting", 2), None);
        assert_eq!(distance("", "", 0), Some(0));
    }
}
