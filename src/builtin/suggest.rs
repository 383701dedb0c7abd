//! Questions worth asking of any schema, each of which the translator itself answers.
//! Knows names and joins; runs nothing.

use super::assemble::label;
use super::respond::SCORE_MIN;
use super::translate::Translator;
use crate::link::names::ColumnKind;
use crate::settings::Language;

/// Makes a question about one table, where the table is fit for it.
type Maker = fn(&Translator, usize, Language) -> Option<String>;

/// Tables looked at, the largest first.
const TABLES_MAX: usize = 24;

/// At most `count` questions, the most interesting first; different in kind where the schema allows it.
#[must_use]
pub fn suggest(translator: &Translator, language: Language, count: usize) -> Vec<String> {
    let mut order: Vec<usize> = (0..translator.names.tables.len()).collect();
    order.sort_by_key(|t| {
        let table = translator.names.tables.get(*t);
        std::cmp::Reverse(table.map_or(0, |t| t.rows))
    });
    order.truncate(TABLES_MAX);
    let makers: [Maker; 5] = [most_related, extreme, per_category, without, how_many];
    let mut out: Vec<String> = Vec::new();
    let mut used: Vec<usize> = Vec::new();
    for round in 0..2 {
        for make in makers {
            let fresh = order.iter().filter(|t| round == 1 || !used.contains(t));
            let found = fresh
                .filter_map(|t| make(translator, *t, language).map(|q| (*t, q)))
                .find(|(_, q)| !out.contains(q) && is_sure(translator, q));
            if let Some((table, question)) = found {
                used.push(table);
                out.push(question);
            }
            if out.len() >= count {
                return out;
            }
        }
    }
    out
}

fn is_sure(translator: &Translator, question: &str) -> bool {
    let found = translator.translate(question).candidates;
    match found.as_slice() {
        [] => false,
        [best] => best.score > SCORE_MIN + 0.1,
        [best, second, ..] => best.score > SCORE_MIN + 0.1 && best.score - second.score > 0.02,
    }
}

fn said(stems_of: &str) -> String {
    crate::link::words::split_name(stems_of).join(" ")
}

/// One row of the table, and several, as English says it.
fn one_and_many(name: &str) -> (String, String) {
    let (front, last) = match name.rsplit_once(' ') {
        Some((front, last)) => (format!("{front} "), last),
        None => (String::new(), name),
    };
    let one = match last {
        "people" => "person".to_owned(),
        "children" => "child".to_owned(),
        other => crate::link::words::singular(other),
    };
    let many = match one.as_str() {
        "person" => "people".to_owned(),
        "child" => "children".to_owned(),
        _ if one != last => last.to_owned(),
        _ if last.ends_with('y') && !last.trim_end_matches('y').ends_with(['a', 'e', 'o', 'u']) => {
            format!("{}ies", last.trim_end_matches('y'))
        }
        _ if last.ends_with(['s', 'x', 'z']) || last.ends_with("ch") || last.ends_with("sh") => {
            format!("{last}es")
        }
        _ if last.is_ascii() => format!("{last}s"),
        _ => last.to_owned(),
    };
    (format!("{front}{one}"), format!("{front}{many}"))
}

fn table_said(translator: &Translator, table: usize) -> Option<String> {
    translator.names.tables.get(table).map(|t| said(&t.name))
}

fn column_said(translator: &Translator, table: usize, column: usize) -> Option<String> {
    translator
        .names
        .column(table, column)
        .map(|c| said(&c.name))
}

fn measure(translator: &Translator, table: usize) -> Option<usize> {
    let table = translator.names.tables.get(table)?;
    table.columns.iter().position(|c| {
        c.kind == ColumnKind::Number
            && !c.primary
            && !c.foreign
            && !c.is_bool
            && !["id", "code", "year", "number", "zip"]
                .iter()
                .any(|w| crate::link::words::holds(&c.stems, w))
    })
}

fn how_many(translator: &Translator, table: usize, language: Language) -> Option<String> {
    let name = table_said(translator, table)?;
    Some(match language {
        Language::Chinese => format!("有多少个{name}"),
        Language::English => format!("How many {} are there?", one_and_many(&name).1),
    })
}

fn extreme(translator: &Translator, table: usize, language: Language) -> Option<String> {
    let name = table_said(translator, table)?;
    let number = column_said(translator, table, measure(translator, table)?)?;
    label(&translator.names, table)?;
    Some(match language {
        Language::Chinese => format!("{number}最高的{name}"),
        Language::English => format!("Which {} has the highest {number}?", one_and_many(&name).0),
    })
}

fn per_category(translator: &Translator, table: usize, language: Language) -> Option<String> {
    let info = translator.names.tables.get(table)?;
    let category = info.columns.iter().enumerate().position(|(c, column)| {
        let texts = translator.values.texts(table, c).map_or(0, |t| t.texts);
        column.kind == ColumnKind::Text
            && !column.primary
            && label(&translator.names, table) != Some(c)
            && (2..=40).contains(&texts)
            && u64::from(texts) * 2 < info.rows.max(1)
    })?;
    let name = table_said(translator, table)?;
    let category = column_said(translator, table, category)?;
    Some(match language {
        Language::Chinese => format!("每个{category}有多少个{name}"),
        Language::English => {
            format!(
                "How many {} are there for each {category}?",
                one_and_many(&name).1
            )
        }
    })
}

fn most_related(translator: &Translator, table: usize, language: Language) -> Option<String> {
    let edge = translator.graph.edges.iter().find(|e| {
        e.parent == table
            && e.child != table
            && e.declared
            && label(&translator.names, table).is_some()
    })?;
    let (one, many) = (
        table_said(translator, table)?,
        table_said(translator, edge.child)?,
    );
    Some(match language {
        Language::Chinese => format!("哪个{one}的{many}最多"),
        Language::English => format!(
            "Which {} has the most {}?",
            one_and_many(&one).0,
            one_and_many(&many).1
        ),
    })
}

fn without(translator: &Translator, table: usize, language: Language) -> Option<String> {
    let edge = translator
        .graph
        .edges
        .iter()
        .find(|e| e.parent == table && e.child != table && e.declared)?;
    let (one, many) = (
        table_said(translator, table)?,
        table_said(translator, edge.child)?,
    );
    Some(match language {
        Language::Chinese => format!("没有{many}的{one}"),
        Language::English => format!(
            "Which {} do not have any {}?",
            one_and_many(&one).1,
            one_and_many(&many).1
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::one_and_many;

    #[test]
    fn names_of_tables_are_said_as_one_or_as_many() {
        for (name, one, many) in [
            ("orders", "order", "orders"),
            ("customer", "customer", "customers"),
            ("order items", "order item", "order items"),
            ("category", "category", "categories"),
            ("box", "box", "boxes"),
            ("address", "address", "addresses"),
            ("people", "person", "people"),
            ("订单", "订单", "订单"),
        ] {
            assert_eq!(one_and_many(name), (one.to_owned(), many.to_owned()));
        }
    }
}
