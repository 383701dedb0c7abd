//! What the translator says to the person, in the language of the question. Knows plans, no schema.

use super::plan::{
    Aggregate, Column, Comparison, Condition, Expr, Operand, Pattern, Query, Select, SetOp,
};
use crate::link::fuzzy::is_cjk;
use crate::settings::Language;

/// Sentences with `{}` for a detail.
pub struct Wording {
    language: Language,
    pub no_question: &'static str,
    pub reads_only: &'static str,
    pub not_sure: &'static str,
    pub understood: &'static str,
    pub not_placed: &'static str,
    pub try_instead: &'static str,
    pub by_rules: &'static str,
    pub all_placed: &'static str,
    pub some_guessed: &'static str,
    pub most_placed: &'static str,
    pub next_reading: &'static str,
    pub compare: &'static str,
    pub not_in_query: &'static str,
    pub card_title: &'static str,
    pub card_question: &'static str,
    pub failed: &'static str,
    pub no_row: &'static str,
    pub rows_above: &'static str,
    pub first_rows: &'static str,
    list: &'static str,
    pub colon: &'static str,
    pub stop: &'static str,
    pub semicolon: &'static str,
    gap: &'static str,
    reads: &'static str,
    keeps: &'static str,
    groups: &'static str,
    keeps_groups: &'static str,
    orders: &'static str,
    first: &'static str,
    downwards: &'static str,
    every_column: &'static str,
    rows: &'static str,
    or: &'static str,
    inner: &'static str,
}

const EN: Wording = Wording {
    language: Language::English,
    no_question: "There is no question yet. Ask about the rows of the open file.",
    reads_only: "This asks to change data, and Assent only reads: nothing in the file is ever written. Ask to see the rows that you would change instead.",
    not_sure: "I translate simple questions by rules, and I am not sure enough about this one.",
    understood: "I understood: {}.",
    not_placed: "I could not place: {}.",
    try_instead: "Try the names of tables and columns, one condition at a time, or connect a model.",
    by_rules: "Translated by rules, without a model.",
    all_placed: "Every word of the question has its place in the query.",
    some_guessed: "The question has its place in the query, with some guessing.",
    most_placed: "Most of the question has its place in the query.",
    next_reading: "The query before failed ({}); this is the next reading of the question.",
    compare: "Compare the query with your question before you approve it.",
    not_in_query: "These words are not in the query: {}.",
    card_title: "More than one reading",
    card_question: "Your question can be read in more than one way. Which one do you mean?",
    failed: "My query did not work ({}), and I have no other reading of the question. Ask in other words, or connect a model.",
    no_row: "No row matches. The spelling of a value may differ from what is stored.",
    rows_above: "The rows are above.",
    first_rows: "The rows are above; the first: {}.",
    list: ", ",
    colon: ": ",
    stop: ".",
    semicolon: "; ",
    gap: " ",
    reads: "Reads {}.",
    keeps: "Keeps rows where {}.",
    groups: "One row for each {}.",
    keeps_groups: "Keeps those where {}.",
    orders: "Ordered by {}.",
    first: "Only the first {}.",
    downwards: "{}, largest first",
    every_column: "every column",
    rows: "the number of rows",
    or: " or ",
    inner: "a query over {}",
};

const ZH: Wording = Wording {
    language: Language::Chinese,
    no_question: "还没有问题。请就打开的文件提问。",
    reads_only: "这个问题要求修改数据，而 Assent 只读取，绝不写入文件。可以改为查看你想修改的那些行。",
    not_sure: "内置翻译器按规则翻译简单问题，对这个问题把握不够。",
    understood: "已理解：{}。",
    not_placed: "未能理解：{}。",
    try_instead: "请使用表名和列名，一次只提一个条件，或连接一个模型。",
    by_rules: "按规则翻译，未使用模型。",
    all_placed: "问题中的每个词都已体现在查询中。",
    some_guessed: "问题已体现在查询中，其中有些是推测。",
    most_placed: "问题的大部分已体现在查询中。",
    next_reading: "上一个查询失败（{}），这是对问题的另一种理解。",
    compare: "批准前，请将查询与你的问题核对。",
    not_in_query: "这些词没有体现在查询中：{}。",
    card_title: "多种理解",
    card_question: "你的问题有多种理解方式，你指的是哪一种？",
    failed: "查询未能成功（{}），对这个问题也没有其他理解。请换一种说法，或连接一个模型。",
    no_row: "没有符合条件的行。值的写法可能与存储的不同。",
    rows_above: "结果见上方。",
    first_rows: "结果见上方，前几行：{}。",
    list: "、",
    colon: "：",
    stop: "。",
    semicolon: "；",
    gap: "",
    reads: "读取 {}。",
    keeps: "只保留满足 {} 的行。",
    groups: "每个 {} 一行。",
    keeps_groups: "只保留满足 {} 的组。",
    orders: "按 {} 排序。",
    first: "只取前 {} 行。",
    downwards: "{}（从大到小）",
    every_column: "所有列",
    rows: "行数",
    or: " 或 ",
    inner: "对 {} 的查询",
};

/// A question with Chinese characters is answered in Chinese, like a model is told to do.
#[must_use]
pub fn wording(question: &str) -> &'static Wording {
    if question.chars().any(is_cjk) {
        &ZH
    } else {
        &EN
    }
}

impl Wording {
    #[must_use]
    pub fn fill(&self, text: &str, detail: &str) -> String {
        text.replace("{}", detail)
    }

    #[must_use]
    pub fn listed(&self, parts: &[String]) -> String {
        parts.join(self.list)
    }

    /// Sentences in a row.
    #[must_use]
    pub fn sentences(&self, parts: &[String]) -> String {
        parts.join(self.gap)
    }

    /// What the query does, step by step.
    #[must_use]
    pub fn analysis(&self, query: &Query) -> String {
        match query {
            Query::Select(select) => self.select(select),
            Query::Set { op, left, right } => {
                let how = match (op, self.language) {
                    (SetOp::Intersect, Language::English) => "Only what is in both:",
                    (SetOp::Union, Language::English) => "Together with:",
                    (SetOp::Except, Language::English) => "Without what is in:",
                    (SetOp::Intersect, Language::Chinese) => "只取两者共有的：",
                    (SetOp::Union, Language::Chinese) => "再加上：",
                    (SetOp::Except, Language::Chinese) => "去掉其中的：",
                };
                self.sentences(&[self.analysis(left), how.to_owned(), self.analysis(right)])
            }
        }
    }

    fn select(&self, select: &Select) -> String {
        let mut out = Vec::new();
        let tables: Vec<String> = select.from.iter().map(|s| s.table.clone()).collect();
        out.push(self.fill(self.reads, &self.listed(&tables)));
        let many = |list: &[Condition]| -> Vec<String> {
            list.iter().map(|c| self.condition(c)).collect()
        };
        if !select.filter.is_empty() {
            out.push(self.fill(self.keeps, &self.listed(&many(&select.filter))));
        }
        if !select.group.is_empty() {
            let names: Vec<String> = select.group.iter().map(named).collect();
            out.push(self.fill(self.groups, &self.listed(&names)));
        }
        if !select.having.is_empty() {
            out.push(self.fill(self.keeps_groups, &self.listed(&many(&select.having))));
        }
        if !select.order.is_empty() {
            let keys: Vec<String> = select
                .order
                .iter()
                .map(|o| {
                    let by = self.expr(&o.by);
                    if o.descending {
                        self.fill(self.downwards, &by)
                    } else {
                        by
                    }
                })
                .collect();
            out.push(self.fill(self.orders, &self.listed(&keys)));
        }
        if let Some(limit) = select.limit {
            out.push(self.fill(self.first, &limit.to_string()));
        }
        self.sentences(&out)
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Column(column) => named(column),
            Expr::All => self.every_column.to_owned(),
            Expr::CountRows => self.rows.to_owned(),
            Expr::Aggregate {
                function, column, ..
            } => {
                let function = match function {
                    Aggregate::Count => "count",
                    Aggregate::Sum => "sum",
                    Aggregate::Average => "avg",
                    Aggregate::Minimum => "min",
                    Aggregate::Maximum => "max",
                };
                format!("{function}({})", named(column))
            }
            Expr::Year(column) => match self.language {
                Language::English => format!("the year of {}", named(column)),
                Language::Chinese => format!("{} 的年份", named(column)),
            },
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare { left, op, right } => {
                let op = match op {
                    Comparison::Equal => "=",
                    Comparison::NotEqual => "≠",
                    Comparison::Less => "<",
                    Comparison::LessOrEqual => "≤",
                    Comparison::Greater => ">",
                    Comparison::GreaterOrEqual => "≥",
                };
                format!("{} {op} {}", self.expr(left), self.operand(right))
            }
            Condition::Between { left, low, high } => format!(
                "{} ≤ {} ≤ {}",
                self.operand(low),
                self.expr(left),
                self.operand(high)
            ),
            Condition::Like {
                column,
                pattern,
                text,
                negated,
            } => {
                let text = match pattern {
                    Pattern::Contains => format!("…{text}…"),
                    Pattern::StartsWith => format!("{text}…"),
                    Pattern::EndsWith => format!("…{text}"),
                };
                format!("{} {} “{text}”", named(column), sign(*negated))
            }
            Condition::In {
                column,
                list,
                negated,
            } => {
                let list: Vec<String> = list.iter().map(|o| self.operand(o)).collect();
                format!(
                    "{} {} {}",
                    named(column),
                    sign(*negated),
                    list.join(self.or)
                )
            }
            Condition::InQuery {
                column,
                query,
                negated,
            } => {
                let is = if *negated { "∉" } else { "∈" };
                format!("{} {is} {}", named(column), self.query(query))
            }
            Condition::IsNull { column, negated } => match (self.language, negated) {
                (Language::English, false) => format!("{} is empty", named(column)),
                (Language::English, true) => format!("{} is not empty", named(column)),
                (Language::Chinese, false) => format!("{} 为空", named(column)),
                (Language::Chinese, true) => format!("{} 不为空", named(column)),
            },
            Condition::Any(list) => {
                let list: Vec<String> = list.iter().map(|c| self.condition(c)).collect();
                list.join(self.or)
            }
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Text(text) => format!("“{text}”"),
            Operand::Number(number) => number.text().to_owned(),
            Operand::Query(query) => self.query(query),
        }
    }

    fn query(&self, query: &Query) -> String {
        let tables: Vec<String> = match query {
            Query::Select(select) => select.from.iter().map(|s| s.table.clone()).collect(),
            Query::Set { left, right, .. } => vec![self.query(left), self.query(right)],
        };
        self.fill(self.inner, &self.listed(&tables))
    }
}

fn sign(negated: bool) -> &'static str {
    if negated { "≠" } else { "=" }
}

fn named(column: &Column) -> String {
    format!("{}.{}", column.source, column.name)
}
