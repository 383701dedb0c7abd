//! Advice about a statement that is already allowed: a missing LIMIT, a join without a condition, a
//! double-quoted text. The parser here understands less than SQLite does and sometimes more, so this never
//! allows and never denies; where it fails the advice is missing and the receipt says so.

use super::lex::{Kind, tokens};
use super::schema::Schema;
use super::verdict::Warning;
use sqlparser::ast::{
    Expr, GroupByExpr, Join, JoinConstraint, JoinOperator, Query, Select, SelectItem, SetExpr,
    Statement, TableFactor, TableWithJoins,
};
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Analysis {
    pub warnings: Vec<Warning>,
    /// False where the parser did not understand the statement.
    pub parsed: bool,
}

/// The parser recurses into brackets; the worker's stack is small.
const RECURSION_MAX: usize = 40;

/// Longer token lists make deep trees, which are dropped recursively.
const TOKENS_MAX: usize = 4_000;

/// Looks at one query (without `EXPLAIN`). `texts` are the text constants of its compiled program.
#[must_use]
pub fn analyse(sql: &str, schema: &Schema, texts: &BTreeSet<String>) -> Analysis {
    let mut warnings = quoted_texts(sql, texts);
    let Some(query) = parse(sql) else {
        return Analysis {
            warnings,
            parsed: false,
        };
    };
    if query.limit_clause.is_none() && query.fetch.is_none() && gives_rows_one_by_one(&query.body) {
        warnings.push(Warning::NoLimit);
    }
    let mut walk = Walk {
        schema,
        one_row: BTreeSet::new(),
        ctes: BTreeSet::new(),
        crossed: false,
    };
    walk.query(&query);
    if walk.crossed {
        warnings.push(Warning::CrossJoin);
    }
    Analysis {
        warnings,
        parsed: true,
    }
}

fn parse(sql: &str) -> Option<Query> {
    if tokens(sql).len() > TOKENS_MAX {
        return None;
    }
    let statements = Parser::new(&SQLiteDialect {})
        .with_recursion_limit(RECURSION_MAX)
        .try_with_sql(sql)
        .ok()?
        .parse_statements()
        .ok()?;
    match statements.into_iter().next()? {
        Statement::Query(query) => Some(*query),
        _ => None,
    }
}

/// Double-quoted names that SQLite compiled into text: proved by the program, not guessed.
fn quoted_texts(sql: &str, texts: &BTreeSet<String>) -> Vec<Warning> {
    let tokens = tokens(sql);
    let names = |kind: Kind| {
        tokens
            .iter()
            .filter(move |t| t.kind == kind)
            .filter_map(|t| t.name(sql))
    };
    let single: BTreeSet<String> = names(Kind::Text).collect();
    let double: BTreeSet<String> = tokens
        .iter()
        .filter(|t| t.kind == Kind::QuotedName && t.text(sql).starts_with('"'))
        .filter_map(|t| t.name(sql))
        .collect();
    double
        .into_iter()
        .filter(|name| texts.contains(name) && !single.contains(name))
        .map(|text| Warning::QuotedText { text })
        .collect()
}

/// Whether the rows are a table's rows, as many as there are: no grouping and no aggregate.
fn gives_rows_one_by_one(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(select) => !select.from.is_empty() && !is_grouped(select),
        SetExpr::Query(query) => query.limit_clause.is_none() && gives_rows_one_by_one(&query.body),
        SetExpr::SetOperation { left, right, .. } => {
            gives_rows_one_by_one(left) || gives_rows_one_by_one(right)
        }
        _ => false,
    }
}

fn is_grouped(select: &Select) -> bool {
    let by_columns = match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(columns, _) => !columns.is_empty(),
    };
    by_columns || has_aggregate(select)
}

fn has_aggregate(select: &Select) -> bool {
    select.projection.iter().any(|item| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
            calls_aggregate(&expr.to_string())
        }
        _ => false,
    })
}

fn calls_aggregate(expr: &str) -> bool {
    let tokens: Vec<_> = tokens(expr).into_iter().filter(|t| t.is_solid()).collect();
    let windowed = tokens.iter().any(|t| t.is(expr, "OVER"));
    !windowed
        && tokens.windows(2).any(|pair| match pair {
            [name, open] => open.is(expr, "(") && AGGREGATES.iter().any(|a| name.is(expr, a)),
            _ => false,
        })
}

const AGGREGATES: &[&str] = &[
    "avg",
    "count",
    "group_concat",
    "json_group_array",
    "json_group_object",
    "max",
    "median",
    "min",
    "string_agg",
    "sum",
    "total",
    "stdev",
    "variance",
];

/// Looks for FROM clauses whose tables nothing connects.
struct Walk<'a> {
    schema: &'a Schema,
    /// CTEs of a single row: crossing with one multiplies nothing.
    one_row: BTreeSet<String>,
    ctes: BTreeSet<String>,
    crossed: bool,
}

/// One table of a FROM clause.
struct Relation {
    alias: String,
    /// The schema's table behind it, where it is one.
    table: Option<String>,
    /// A single row, or a function of other tables' columns.
    free: bool,
}

impl Walk<'_> {
    fn query(&mut self, query: &Query) {
        for cte in query.with.iter().flat_map(|w| &w.cte_tables) {
            let name = cte.alias.name.value.to_ascii_lowercase();
            if is_one_row(&cte.query) {
                self.one_row.insert(name.clone());
            }
            self.ctes.insert(name);
            self.query(&cte.query);
        }
        self.body(&query.body);
    }

    fn body(&mut self, body: &SetExpr) {
        match body {
            SetExpr::Select(select) => self.select(select),
            SetExpr::Query(query) => self.query(query),
            SetExpr::SetOperation { left, right, .. } => {
                self.body(left);
                self.body(right);
            }
            _ => {}
        }
    }

    fn select(&mut self, select: &Select) {
        let mut relations = Vec::new();
        let mut conditions: Vec<String> = Vec::new();
        let mut groups = Groups::default();
        for from in &select.from {
            self.from(from, &mut relations, &mut conditions, &mut groups);
        }
        if relations.len() < 2 {
            return;
        }
        if let Some(filter) = &select.selection {
            conjuncts(filter, &mut conditions);
        }
        let mut unknown = false;
        for condition in &conditions {
            match self.mentioned(condition, &relations) {
                Some(mentioned) => groups.join_all(&mentioned),
                None => unknown = true,
            }
        }
        let bound: BTreeSet<usize> = (0..relations.len())
            .filter(|&i| relations.get(i).is_some_and(|r| !r.free))
            .map(|i| groups.find(i))
            .collect();
        self.crossed |= !unknown && bound.len() > 1;
    }

    fn from(
        &mut self,
        from: &TableWithJoins,
        relations: &mut Vec<Relation>,
        conditions: &mut Vec<String>,
        groups: &mut Groups,
    ) {
        self.factor(&from.relation, relations);
        for Join {
            relation,
            join_operator,
            ..
        } in &from.joins
        {
            let before = relations.len();
            self.factor(relation, relations);
            let joined: Vec<usize> = (before.saturating_sub(1)..relations.len()).collect();
            match constraint(join_operator) {
                Some(JoinConstraint::On(expr)) => conjuncts(expr, conditions),
                Some(JoinConstraint::None) => {}
                Some(_) | None => groups.join_all(&joined),
            }
        }
    }

    fn factor(&mut self, factor: &TableFactor, relations: &mut Vec<Relation>) {
        match factor {
            TableFactor::Table {
                name, alias, args, ..
            } => {
                let table = name.0.last().map(|part| match part.as_ident() {
                    Some(ident) => ident.value.clone(),
                    None => part.to_string(),
                });
                let table = table.unwrap_or_default();
                let lower = table.to_ascii_lowercase();
                relations.push(Relation {
                    alias: alias
                        .as_ref()
                        .map_or_else(|| lower.clone(), |a| a.name.value.to_ascii_lowercase()),
                    free: args.is_some() || self.one_row.contains(&lower),
                    table: (!self.ctes.contains(&lower)).then_some(table),
                });
            }
            TableFactor::Derived {
                subquery, alias, ..
            } => {
                self.query(subquery);
                relations.push(Relation {
                    alias: alias
                        .as_ref()
                        .map(|a| a.name.value.to_ascii_lowercase())
                        .unwrap_or_default(),
                    table: None,
                    free: is_one_row(subquery),
                });
            }
            other => relations.push(Relation {
                alias: other.to_string(),
                table: None,
                free: true,
            }),
        }
    }

    /// The relations a condition speaks of; `None` where a name cannot be placed.
    fn mentioned(&self, condition: &str, relations: &[Relation]) -> Option<Vec<usize>> {
        let tokens: Vec<_> = tokens(condition)
            .into_iter()
            .filter(|t| t.is_solid())
            .collect();
        let mut found = Vec::new();
        let mut rest = tokens.iter().peekable();
        while let Some(token) = rest.next() {
            if !matches!(token.kind, Kind::Name | Kind::QuotedName) {
                continue;
            }
            let name = token.name(condition)?.to_ascii_lowercase();
            match rest.peek() {
                Some(next) if next.is(condition, "(") => continue,
                Some(next) if next.is(condition, ".") => {
                    rest.next();
                    rest.next();
                    found.extend(relations.iter().position(|r| r.alias == name));
                }
                _ => {
                    let homes = self.homes(&name, relations);
                    if homes.is_empty() && token.kind == Kind::Name {
                        return None;
                    }
                    found.extend(homes);
                }
            }
        }
        Some(found)
    }

    /// Relations with a column of that name.
    fn homes(&self, column: &str, relations: &[Relation]) -> Vec<usize> {
        relations
            .iter()
            .enumerate()
            .filter(|(_, r)| {
                let table = r.table.as_deref().and_then(|t| self.schema.table(t));
                table.is_some_and(|t| t.column(column).is_some())
            })
            .map(|(i, _)| i)
            .collect()
    }
}

fn is_one_row(query: &Query) -> bool {
    match query.body.as_ref() {
        SetExpr::Select(select) => {
            let grouped =
                matches!(&select.group_by, GroupByExpr::Expressions(by, _) if by.is_empty());
            select.from.is_empty() || (grouped && has_aggregate(select))
        }
        SetExpr::Values(_) => true,
        _ => false,
    }
}

fn constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    match operator {
        JoinOperator::Join(c)
        | JoinOperator::Inner(c)
        | JoinOperator::Left(c)
        | JoinOperator::LeftOuter(c)
        | JoinOperator::Right(c)
        | JoinOperator::RightOuter(c)
        | JoinOperator::FullOuter(c)
        | JoinOperator::CrossJoin(c) => Some(c),
        _ => None,
    }
}

/// The parts of an AND, as text.
fn conjuncts(expr: &Expr, out: &mut Vec<String>) {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match expr {
            Expr::Nested(inner) => stack.push(inner),
            Expr::BinaryOp { left, op, right } if *op == sqlparser::ast::BinaryOperator::And => {
                stack.push(left);
                stack.push(right);
            }
            other => out.push(other.to_string()),
        }
    }
}

/// Which relations are connected (disjoint sets).
#[derive(Default)]
struct Groups {
    parent: BTreeMap<usize, usize>,
}

impl Groups {
    fn find(&self, mut i: usize) -> usize {
        while let Some(&parent) = self.parent.get(&i) {
            i = parent;
        }
        i
    }

    fn join_all(&mut self, members: &[usize]) {
        for pair in members.windows(2) {
            if let [a, b] = pair {
                let (a, b) = (self.find(*a), self.find(*b));
                if a != b {
                    self.parent.insert(a.max(b), a.min(b));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sql: &str, expected: &[Warning]) {
        let analysis = analyse(sql, &Schema::default(), &BTreeSet::new());
        assert!(analysis.parsed, "{sql}");
        assert_eq!(analysis.warnings, expected, "{sql}");
    }

    #[test]
    fn a_missing_limit_is_noticed_where_rows_are_listed() {
        check("SELECT a FROM t", &[Warning::NoLimit]);
        check(
            "SELECT a FROM t UNION SELECT count(*) FROM u",
            &[Warning::NoLimit],
        );
        check("SELECT sum(a) OVER () FROM t", &[Warning::NoLimit]);
        check("SELECT a FROM t LIMIT 3", &[]);
        check("SELECT count(*) FROM t", &[]);
        check("SELECT a, round(avg(b), 2) AS m FROM t GROUP BY a", &[]);
        check("SELECT 1", &[]);
        check("VALUES (1), (2)", &[]);
    }

    #[test]
    fn tables_that_nothing_connects_are_noticed() {
        let cross = &[Warning::CrossJoin];
        check("SELECT count(*) FROM a, b", cross);
        check("SELECT count(*) FROM a CROSS JOIN b", cross);
        check(
            "SELECT count(*) FROM a JOIN b ON a.x = 1 WHERE b.y = 2",
            cross,
        );
        check("SELECT count(*) FROM (SELECT 1 FROM a, b) z", cross);
        check("SELECT count(*) FROM a, b, c WHERE a.x = b.x", cross);
        check("SELECT count(*) FROM a, b WHERE a.x = b.x AND a.y > 1", &[]);
        check(
            "SELECT count(*) FROM a JOIN b USING (x) NATURAL JOIN c",
            &[],
        );
        check("SELECT count(*) FROM a JOIN b ON a.x = b.x", &[]);
        check("SELECT count(*) FROM a, (SELECT max(x) AS m FROM a) z", &[]);
        check("SELECT count(*) FROM a, json_each(a.list)", &[]);
        check("SELECT count(*) FROM a, b WHERE x = y", &[]);
    }

    #[test]
    fn a_double_quoted_text_is_proved_by_the_program() {
        let texts = ["Berlin".to_owned()].into();
        let quoted = |sql: &str| analyse(sql, &Schema::default(), &texts).warnings;
        assert_eq!(
            quoted("SELECT \"a\" FROM t WHERE c = \"Berlin\" LIMIT 1"),
            [Warning::QuotedText {
                text: "Berlin".into()
            }]
        );
        assert_eq!(quoted("SELECT 1 FROM t WHERE c = 'Berlin' LIMIT 1"), []);
    }

    #[test]
    fn what_is_not_understood_is_said_so() {
        let deep = format!("SELECT {}1{}", "(".repeat(500), ")".repeat(500));
        let long = format!("SELECT 1{}", "+1".repeat(10_000));
        for sql in [
            "SELECT 1 FROM t WHERE a NOT GLOB",
            &deep,
            &long,
            "",
            "SELECT (",
        ] {
            assert!(!analyse(sql, &Schema::default(), &BTreeSet::new()).parsed);
        }
    }
}
