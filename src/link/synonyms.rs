//! General synonyms and abbreviations of names in databases, as stems. Knows no schema.

use super::fuzzy::{distance, is_cjk, typos_max};
use super::words::stem;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Groups of words that name the same kind of thing in most databases, one line a group.
const GROUPS: &[&str] = &[
    "worker employee staff personnel",
    "buyer customer client shopper",
    "shop store",
    "product item good article",
    "cost price fee charge",
    "salary pay wage earning",
    "town city hometown",
    "nation country",
    "state province",
    "zip postcode postal",
    "phone telephone mobile cell",
    "mail email",
    "sex gender",
    "birthday birthdate born birth",
    "nationality citizenship",
    "student pupil",
    "teacher instructor lecturer professor",
    "course class",
    "movie film",
    "song track",
    "singer artist musician sing sung",
    "writer author",
    "car vehicle auto automobile",
    "flight fly flew",
    "airline carrier",
    "kind type category",
    "amount sum",
    "quantity number count",
    "site location place loc situated located",
    "id identifier",
    "description describe",
    "status situation condition",
    "begin start begun",
    "end finish",
    "depart source origin leave departure from",
    "arrive dest destination land arrival to",
    "order purchase",
    "review rating",
    "rank position",
    "title name",
    "boss manager supervisor",
    "firm company business",
    "kid child",
    "enroll enrolment enrollment registration register enrol",
    "produce producer maker manufacturer make",
    "kill death dead die",
    "hurt injury injure injured",
    "weigh weight",
    "height tall",
    "length duration",
    "arrange arrangement",
    "detail information",
    "lecture teach",
    "accelerate acceleration",
];

/// Short forms in names, with the word they stand for .
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("num", "number"),
    ("nbr", "number"),
    ("no", "number"),
    ("qty", "quantity"),
    ("amt", "amount"),
    ("dept", "department"),
    ("addr", "address"),
    ("desc", "description"),
    ("descr", "descript"),
    ("emp", "employee"),
    ("cust", "customer"),
    ("prod", "product"),
    ("cat", "category"),
    ("fname", "first"),
    ("lname", "last"),
    ("dob", "birth"),
    ("tel", "phone"),
    ("avg", "average"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("yr", "year"),
    ("mgr", "manager"),
    ("org", "organization"),
    ("acct", "account"),
    ("ref", "reference"),
    ("abbrev", "abbreviation"),
    ("abbr", "abbreviat"),
    ("dest", "destination"),
    ("src", "source"),
    ("temp", "temperature"),
    ("img", "image"),
    ("pct", "percent"),
    ("stu", "student"),
    ("lang", "language"),
    ("gov", "government"),
    ("pop", "population"),
    ("lat", "latitude"),
    ("lon", "longitude"),
    ("lng", "longitude"),
];

/// How well a word of the question stands for a word of a name (both stems): 1 for the same word.
#[must_use]
pub fn likeness(word: &str, name: &str) -> f32 {
    if word == name {
        return 1.0;
    }
    if word.chars().any(is_cjk) {
        return within(word, name);
    }
    if abbreviates(name, word) || abbreviates(word, name) {
        return 0.95;
    }
    if grouped(word, name) {
        return 0.85;
    }
    let chars = word.chars().count().min(name.chars().count());
    if chars >= 5 && (related(word, name) || related(name, word)) {
        return 0.85;
    }
    let typos = typos_max(chars);
    if typos > 0 && word.chars().next() == name.chars().next() {
        return match distance(word, name, typos) {
            Some(_) => 0.8,
            None => 0.0,
        };
    }
    0.0
}

/// Chinese words stand inside longer ones without a space.
fn within(word: &str, name: &str) -> f32 {
    let (short, long) = (word.chars().count(), name.chars().count());
    if (short < 2 && long > 1) || !name.contains(word) {
        return 0.0;
    }
    #[allow(clippy::cast_precision_loss, reason = "small counts are exact")]
    let share = short.min(long) as f32 / short.max(long) as f32;
    0.4 + 0.5 * share
}

fn abbreviates(short: &str, long: &str) -> bool {
    ABBREVIATIONS
        .iter()
        .any(|(s, l)| *s == short && (stem(l) == long || grouped(&stem(l), long)))
}

fn grouped(a: &str, b: &str) -> bool {
    static NUMBERS: OnceLock<HashMap<String, Vec<usize>>> = OnceLock::new();
    let numbers = NUMBERS.get_or_init(|| {
        let mut out: HashMap<String, Vec<usize>> = HashMap::new();
        for (n, group) in GROUPS.iter().enumerate() {
            for word in group.split(' ') {
                out.entry(stem(word)).or_default().push(n);
            }
        }
        out
    });
    match (numbers.get(a), numbers.get(b)) {
        (Some(a), Some(b)) => a.iter().any(|n| b.contains(n)),
        _ => false,
    }
}

/// `nation` and `national`, `teach` and `teacher`: one is the other with an ending.
fn related(short: &str, long: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "er", "or", "al", "ion", "ation", "at", "ment", "ly", "ship", "nes", "r", "e", "i", "iti",
    ];
    long.strip_prefix(short)
        .is_some_and(|ending| ENDINGS.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_is_graded() {
        assert!(likeness("price", "price") > likeness("cost", "price"));
        assert!(likeness("number", "num") > 0.9);
        assert!(likeness("teach", "teacher") > 0.8);
        assert!(likeness("adress", "address") > 0.7);
        assert!(likeness("cat", "car") < 0.1);
    }
}
