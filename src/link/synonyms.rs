//! General synonyms and abbreviations of names in databases, as stems. Knows no schema.

use super::fuzzy::{distance, typos_max};

/// Groups of words that name the same kind of thing in most databases. One line a group, stems only.
const GROUPS: &[&[&str]] = &[
    &["worker", "employe", "staff", "personnel"],
    &["buyer", "customer", "client", "shopper"],
    &["shop", "store"],
    &["product", "item", "good", "article"],
    &["cost", "price", "fee", "charge"],
    &["salari", "pay", "wage", "earn"],
    &["town", "citi"],
    &["nation", "countri"],
    &["state", "provinc"],
    &["zip", "postcod", "postal"],
    &["phone", "telephon", "mobil", "cell"],
    &["mail", "email"],
    &["sex", "gender"],
    &["birthday", "birthdat", "born"],
    &["nationaliti", "citizenship"],
    &["student", "pupil"],
    &["teacher", "instructor", "lecturer", "professor"],
    &["course", "class", "cours"],
    &["movi", "film"],
    &["song", "track"],
    &["singer", "artist", "musician"],
    &["writer", "author"],
    &["car", "vehicl", "auto", "automobil"],
    &["flight", "fli", "flew"],
    &["airlin", "carrier"],
    &["kind", "typ", "category", "categori"],
    &["amount", "sum"],
    &["quantiti", "number", "count"],
    &["site", "locat", "place", "loc", "situat"],
    &["id", "identifier", "ident", "key"],
    &["descript", "describ"],
    &["statu", "state", "situation", "condit"],
    &["creat", "made"],
    &["begin", "start", "begun"],
    &["end", "finish"],
    &["depart", "sourc", "origin", "leav", "from"],
    &["arriv", "dest", "destinat", "land", "to"],
    &["order", "purchas"],
    &["review", "rat"],
    &["rank", "position"],
    &["titl", "name"],
    &["boss", "manager", "supervisor"],
    &["firm", "compani", "busines"],
    &["house", "home"],
    &["kid", "child"],
    &["enrol", "enroll", "enrolment", "enrollment", "registr", "register"],
    &["produc", "maker", "manufactur", "made", "make"],
    &["kill", "death", "dead", "die"],
    &["hurt", "injur", "injury", "injuri"],
    &["weigh", "weight"],
    &["tall", "height", "high"],
    &["larg", "siz", "area"],
    &["long", "length", "durat"],
    &["sing", "singer", "sung"],
    &["arrang", "arrangement"],
    &["detail", "inform"],
];

/// Short forms in names, with the word they stand for (as a stem).
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("num", "number"),
    ("nbr", "number"),
    ("no", "number"),
    ("qty", "quantiti"),
    ("amt", "amount"),
    ("dept", "department"),
    ("addr", "address"),
    ("desc", "descript"),
    ("descr", "descript"),
    ("emp", "employe"),
    ("cust", "customer"),
    ("prod", "product"),
    ("cat", "categori"),
    ("fname", "first"),
    ("lname", "last"),
    ("dob", "birth"),
    ("tel", "phone"),
    ("avg", "averag"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("yr", "year"),
    ("mgr", "manager"),
    ("org", "organizat"),
    ("acct", "account"),
    ("ref", "referenc"),
    ("abbrev", "abbreviat"),
    ("abbr", "abbreviat"),
    ("dest", "destinat"),
    ("src", "sourc"),
    ("temp", "temperatur"),
    ("img", "imag"),
    ("pct", "percent"),
    ("stu", "student"),
    ("lang", "languag"),
    ("gov", "govern"),
    ("pop", "populat"),
    ("lat", "latitud"),
    ("lon", "longitud"),
    ("lng", "longitud"),
];

/// How well a word of the question stands for a word of a name (both stems): 1 for the same word.
#[must_use]
pub fn likeness(word: &str, name: &str) -> f32 {
    if word == name {
        return 1.0;
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

fn abbreviates(short: &str, long: &str) -> bool {
    ABBREVIATIONS
        .iter()
        .any(|(s, l)| *s == short && (*l == long || grouped(l, long)))
}

fn grouped(a: &str, b: &str) -> bool {
    GROUPS.iter().any(|g| g.contains(&a) && g.contains(&b))
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
