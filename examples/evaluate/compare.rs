//! Whether two results are the same: as multisets of rows, in order where the gold orders, columns in any
//! order.

use assent::sql::Value;

pub type Rows = Vec<Vec<Value>>;

/// Columns tried in every order; wider results are compared as they are.
const COLUMNS_MAX: usize = 7;

pub fn same(gold: &Rows, found: &Rows, ordered: bool) -> bool {
    if gold.len() != found.len() {
        return false;
    }
    let (Some(a), Some(b)) = (gold.first(), found.first()) else {
        return gold.is_empty() && found.is_empty();
    };
    if a.len() != b.len() {
        return false;
    }
    let gold = texts(gold);
    let found = texts(found);
    let width = a.len();
    if width > COLUMNS_MAX {
        return agree(&gold, &found, ordered);
    }
    let mut order = Vec::new();
    permute(&gold, &found, width, &mut order, ordered)
}

/// Numbers that are equal are one text, whether whole or real.
fn texts(rows: &Rows) -> Vec<Vec<String>> {
    rows.iter()
        .map(|row| {
            row.iter()
                .map(|value| match value {
                    Value::Integer(i) => format!("n{:.6e}", *i as f64),
                    Value::Real(r) => format!("n{r:.6e}"),
                    other => format!("t{}", other.display()),
                })
                .collect()
        })
        .collect()
}

fn column(rows: &[Vec<String>], at: usize) -> Vec<&str> {
    let mut out: Vec<&str> = rows.iter().map(|r| r[at].as_str()).collect();
    out.sort_unstable();
    out
}

/// Tries the found columns in every order whose columns hold the same values.
fn permute(
    gold: &[Vec<String>],
    found: &[Vec<String>],
    width: usize,
    order: &mut Vec<usize>,
    ordered: bool,
) -> bool {
    if order.len() == width {
        let turned: Vec<Vec<String>> = found
            .iter()
            .map(|row| order.iter().map(|c| row[*c].clone()).collect())
            .collect();
        return agree(gold, &turned, ordered);
    }
    let wanted = column(gold, order.len());
    for next in 0..width {
        if order.contains(&next) || column(found, next) != wanted {
            continue;
        }
        order.push(next);
        if permute(gold, found, width, order, ordered) {
            return true;
        }
        order.pop();
    }
    false
}

fn agree(gold: &[Vec<String>], found: &[Vec<String>], ordered: bool) -> bool {
    if ordered {
        return gold == found;
    }
    let mut gold = gold.to_vec();
    let mut found = found.to_vec();
    gold.sort();
    found.sort();
    gold == found
}

/// Whether the outermost query orders its rows.
pub fn is_ordered(sql: &str) -> bool {
    let lower = sql.to_ascii_lowercase();
    let mut depth = 0_i32;
    for (at, c) in lower.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            'o' if depth == 0 && lower[at..].starts_with("order by") => return true,
            _ => {}
        }
    }
    false
}

/// Easy to extra hard, from what the gold query is made of.
pub fn difficulty(sql: &str) -> &'static str {
    let lower = sql.to_ascii_lowercase();
    let count = |word: &str| lower.matches(word).count();
    let selects = count("select");
    let mut points = count(" join ") + count("group by") + count("order by") + count("having");
    points += count(" or ") + count(" like ") + count(" limit ");
    points += 2 * (selects.saturating_sub(1));
    points += count(" and ").saturating_sub(1);
    match points {
        0 => "easy",
        1..=2 => "medium",
        3..=4 => "hard",
        _ => "extra",
    }
}
