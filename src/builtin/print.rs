//! Prints a plan as SQLite's SQL. Names and texts are quoted here and nowhere else.
//! Knows the plan only.

use super::plan::{
    Aggregate, Column, Comparison, Condition, Expr, Operand, OrderBy, Pattern, Query, Select,
    SetOp, Source,
};

#[must_use]
pub fn print(query: &Query) -> String {
    match query {
        Query::Select(select) => print_select(select),
        Query::Set { op, left, right } => {
            let word = match op {
                SetOp::Intersect => "INTERSECT",
                SetOp::Union => "UNION",
                SetOp::Except => "EXCEPT",
            };
            format!("{}\n{word}\n{}", print(left), print(right))
        }
    }
}

fn print_select(select: &Select) -> String {
    let printer = Printer {
        qualified: select.from.len() > 1,
    };
    let items: Vec<String> = select.items.iter().map(|e| printer.expr(e)).collect();
    let mut sql = String::from(if select.distinct {
        "SELECT DISTINCT "
    } else {
        "SELECT "
    });
    sql.push_str(&items.join(", "));
    for (n, source) in select.from.iter().enumerate() {
        sql.push_str(if n == 0 { "\nFROM " } else { "\nJOIN " });
        sql.push_str(&printer.source(source));
    }
    let filters: Vec<String> = select.filter.iter().map(|c| printer.condition(c)).collect();
    clause(&mut sql, "\nWHERE ", &filters, " AND ");
    let group: Vec<String> = select.group.iter().map(|c| printer.column(c)).collect();
    clause(&mut sql, "\nGROUP BY ", &group, ", ");
    let having: Vec<String> = select.having.iter().map(|c| printer.condition(c)).collect();
    clause(&mut sql, "\nHAVING ", &having, " AND ");
    let order: Vec<String> = select.order.iter().map(|o| printer.order(o)).collect();
    clause(&mut sql, "\nORDER BY ", &order, ", ");
    if let Some(limit) = select.limit {
        sql.push_str(&format!("\nLIMIT {limit}"));
    }
    sql
}

fn clause(sql: &mut String, word: &str, parts: &[String], between: &str) {
    if !parts.is_empty() {
        sql.push_str(word);
        sql.push_str(&parts.join(between));
    }
}

/// Columns are written with their table only where there is more than one.
struct Printer {
    qualified: bool,
}

impl Printer {
    fn source(&self, source: &Source) -> String {
        let mut text = name(&source.table);
        if let Some(alias) = &source.alias {
            text.push_str(" AS ");
            text.push_str(&name(alias));
        }
        if let Some((left, right)) = &source.on {
            text.push_str(&format!(
                " ON {} = {}",
                self.column(left),
                self.column(right)
            ));
        }
        text
    }

    fn column(&self, column: &Column) -> String {
        if self.qualified {
            format!("{}.{}", name(&column.source), name(&column.name))
        } else {
            name(&column.name)
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Column(column) => self.column(column),
            Expr::All => "*".to_owned(),
            Expr::CountRows => "count(*)".to_owned(),
            Expr::Aggregate {
                function,
                distinct,
                column,
            } => format!(
                "{}({}{})",
                function_name(*function),
                if *distinct { "DISTINCT " } else { "" },
                self.column(column)
            ),
            Expr::Year(column) => {
                format!("CAST(strftime('%Y', {}) AS INTEGER)", self.column(column))
            }
        }
    }

    fn order(&self, order: &OrderBy) -> String {
        let by = self.expr(&order.by);
        if order.descending {
            format!("{by} DESC")
        } else {
            by
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare { left, op, right } => {
                format!("{} {} {}", self.expr(left), comparison(*op), operand(right))
            }
            Condition::Between { left, low, high } => format!(
                "{} BETWEEN {} AND {}",
                self.expr(left),
                operand(low),
                operand(high)
            ),
            Condition::Like {
                column,
                pattern,
                text: wanted,
                negated,
            } => self.like(column, *pattern, wanted, *negated),
            Condition::In {
                column,
                list,
                negated,
            } => {
                let list: Vec<String> = list.iter().map(operand).collect();
                format!(
                    "{} {}IN ({})",
                    self.column(column),
                    not(*negated),
                    list.join(", ")
                )
            }
            Condition::InQuery {
                column,
                query,
                negated,
            } => format!(
                "{} {}IN (\n{}\n)",
                self.column(column),
                not(*negated),
                print(query)
            ),
            Condition::IsNull { column, negated } => {
                format!("{} IS {}NULL", self.column(column), not(*negated))
            }
            Condition::Any(list) => {
                let list: Vec<String> = list.iter().map(|c| self.condition(c)).collect();
                format!("({})", list.join(" OR "))
            }
        }
    }

    fn like(&self, column: &Column, pattern: Pattern, wanted: &str, negated: bool) -> String {
        let escaped = wanted
            .replace('\\', "\\\\")
            .replace('%', "\\%")
            .replace('_', "\\_");
        let whole = match pattern {
            Pattern::Contains => format!("%{escaped}%"),
            Pattern::StartsWith => format!("{escaped}%"),
            Pattern::EndsWith => format!("%{escaped}"),
        };
        let escape = if escaped == wanted {
            ""
        } else {
            " ESCAPE '\\'"
        };
        format!(
            "{} {}LIKE {}{escape}",
            self.column(column),
            not(negated),
            text(&whole)
        )
    }
}

fn not(negated: bool) -> &'static str {
    if negated { "NOT " } else { "" }
}

fn function_name(function: Aggregate) -> &'static str {
    match function {
        Aggregate::Count => "count",
        Aggregate::Sum => "sum",
        Aggregate::Average => "avg",
        Aggregate::Minimum => "min",
        Aggregate::Maximum => "max",
    }
}

fn comparison(op: Comparison) -> &'static str {
    match op {
        Comparison::Equal => "=",
        Comparison::NotEqual => "<>",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    }
}

fn operand(operand: &Operand) -> String {
    match operand {
        Operand::Text(value) => text(value),
        Operand::Number(number) => number.text().to_owned(),
        Operand::Query(query) => format!("(\n{}\n)", print(query)),
    }
}

/// A text literal. SQLite has no escapes inside one but the doubled quote; NUL would end the statement.
fn text(value: &str) -> String {
    format!("'{}'", value.replace('\0', "").replace('\'', "''"))
}

/// A name, quoted where it is not plain lower-risk letters, digits and underscores, or is a keyword.
fn name(value: &str) -> String {
    let plain = value
        .chars()
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain && !is_keyword(value) {
        value.to_owned()
    } else {
        format!("\"{}\"", value.replace('"', "\"\""))
    }
}

/// SQLite's keywords, of which some are fine as names; quoting those too costs nothing.
fn is_keyword(value: &str) -> bool {
    const KEYWORDS: &str = " abort action add after all alter always analyze and as asc attach autoincrement before \
        begin between by cascade case cast check collate column commit conflict constraint create cross current \
        current_date current_time current_timestamp database default deferrable deferred delete desc detach distinct \
        do drop each else end escape except exclude exclusive exists explain fail filter first following for foreign \
        from full generated glob group groups having if ignore immediate in index indexed initially inner insert \
        instead intersect into is isnull join key last left like limit match materialized natural no not nothing \
        notnull null nulls of offset on or order others outer over partition plan pragma preceding primary query \
        raise range recursive references regexp reindex release rename replace restrict returning right rollback row \
        rows savepoint select set table temp temporary then ties to transaction trigger unbounded union unique \
        update using vacuum values view virtual when where window with within without true false ";
    KEYWORDS.contains(&format!(" {} ", value.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::plan::Number;

    fn column(source: &str, name: &str) -> Column {
        Column {
            source: source.into(),
            name: name.into(),
        }
    }

    #[test]
    fn names_and_texts_are_quoted() {
        let select = Select {
            items: vec![Expr::Column(column("order", "unit price"))],
            from: vec![Source {
                table: "order".into(),
                alias: None,
                on: None,
            }],
            filter: vec![
                Condition::Compare {
                    left: Expr::Column(column("order", "note")),
                    op: Comparison::Equal,
                    right: Operand::Text("it's".into()),
                },
                Condition::Like {
                    column: column("order", "note"),
                    pattern: Pattern::Contains,
                    text: "50%".into(),
                    negated: false,
                },
            ],
            ..Select::default()
        };
        assert_eq!(
            print(&Query::Select(Box::new(select))),
            "SELECT \"unit price\"\nFROM \"order\"\nWHERE note = 'it''s' AND note LIKE '%50\\%%' ESCAPE '\\'"
        );
    }

    #[test]
    fn joins_groups_and_limits_are_printed_in_order() {
        let select = Select {
            items: vec![Expr::Column(column("a", "n")), Expr::CountRows],
            from: vec![
                Source {
                    table: "a".into(),
                    alias: None,
                    on: None,
                },
                Source {
                    table: "b".into(),
                    alias: Some("b 2".into()),
                    on: Some((column("a", "id"), column("b 2", "a_id"))),
                },
            ],
            group: vec![column("a", "id")],
            having: vec![Condition::Compare {
                left: Expr::CountRows,
                op: Comparison::GreaterOrEqual,
                right: Operand::Number(Number::new("1,000").unwrap()),
            }],
            order: vec![OrderBy {
                by: Expr::CountRows,
                descending: true,
            }],
            limit: Some(3),
            ..Select::default()
        };
        assert_eq!(
            print(&Query::Select(Box::new(select))),
            "SELECT a.n, count(*)\nFROM a\nJOIN b AS \"b 2\" ON a.id = \"b 2\".a_id\nGROUP BY a.id\n\
             HAVING count(*) >= 1000\nORDER BY count(*) DESC\nLIMIT 3"
        );
    }
}
