//! The chain that judges a statement: gate → EXPLAIN → receipt → verdict. The same for the model's SQL and
//! the person's edit. Runs nothing but EXPLAIN.

use super::sqlite::{Sqlite, SqliteError, protect, rows};
use crate::link::sensitive::is_sensitive;
use crate::sql::analysis::analyse;
use crate::sql::gate::{Gated, gate, writing_verb};
use crate::sql::hint::hint;
use crate::sql::lex::tokens;
use crate::sql::receipt::{Catalog, Instruction, Program, read_program};
use crate::sql::{Denial, Receipt, Rule, Schema, SqlHash, TableRead, Verdict, Warning};
use std::collections::BTreeSet;

/// Judges one statement, and says what a person should know of it.
///
/// # Errors
/// Only where the file cannot be read any more; everything else is a verdict.
pub fn check<S: Sqlite>(
    db: &mut S,
    catalog: &Catalog,
    schema: &Schema,
    sql: &str,
) -> Result<Verdict, SqliteError> {
    let proof = match prove(db, catalog, schema, sql)? {
        Ok(proof) => proof,
        Err(refusal) => return Ok(refusal),
    };
    let program = proof.program;
    let analysis = analyse(proof.query, schema, &program.texts);
    let warnings = if proof.gated.explain {
        Vec::new()
    } else {
        let sensitive = sensitive_columns(&program.reads);
        analysis.warnings.into_iter().chain(sensitive).collect()
    };
    Ok(Verdict::Allow(Receipt {
        sql: SqlHash::of(sql),
        reads: program.reads,
        instructions: program.instructions,
        warnings,
        analysed: analysis.parsed,
    }))
}

/// Judges a statement that a person approved once more, before it runs: the verdict of [`check`] where that refuses.
///
/// # Errors
/// As [`check`].
pub fn refusal<S: Sqlite>(
    db: &mut S,
    catalog: &Catalog,
    schema: &Schema,
    sql: &str,
) -> Result<Option<Verdict>, SqliteError> {
    Ok(prove(db, catalog, schema, sql)?.err())
}

/// A statement that only reads.
struct Proof<'a> {
    gated: Gated,
    query: &'a str,
    program: Program,
}

fn prove<'a, S: Sqlite>(
    db: &mut S,
    catalog: &Catalog,
    schema: &Schema,
    sql: &'a str,
) -> Result<Result<Proof<'a>, Verdict>, SqliteError> {
    let gated = match gate(sql) {
        Ok(gated) => gated,
        Err(denial) => return Ok(Err(Verdict::Deny(denial))),
    };
    let query = sql.get(gated.query..).unwrap_or_default();
    let program = match explain(db, query) {
        Ok(program) => program,
        Err(SqliteError::Database { message, .. }) => {
            let hint = hint(&message, schema);
            return Ok(Err(Verdict::Invalid { message, hint }));
        }
        Err(error) => return Err(error),
    };
    let names = mentioned(&gated, sql, catalog);
    Ok(match read_program(&program, catalog, &names) {
        Ok(program) => Ok(Proof {
            gated,
            query,
            program,
        }),
        Err(denial) => Err(Verdict::Deny(placed(denial, &gated, sql))),
    })
}

/// A hint about what the rows may show; nothing is refused for it.
fn sensitive_columns(reads: &[TableRead]) -> Option<Warning> {
    let columns: Vec<String> = reads
        .iter()
        .flat_map(|read| read.columns.iter().map(move |column| (read, column)))
        .filter(|(_, column)| is_sensitive(column))
        .map(|(read, column)| format!("{}.{column}", read.table))
        .collect();
    (!columns.is_empty()).then_some(Warning::SensitiveColumns { columns })
}

fn explain<S: Sqlite>(db: &mut S, query: &str) -> Result<Vec<Instruction>, SqliteError> {
    protect(db)?;
    rows(db, &format!("EXPLAIN {query}"), |row| Instruction {
        opcode: row.text(1),
        p1: row.integer(2),
        p2: row.integer(3),
        p3: row.integer(4),
        p4: row.text(5),
    })
}

/// Lower-case names in the statement, and in the views it reaches.
fn mentioned(gated: &Gated, sql: &str, catalog: &Catalog) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = gated
        .tokens
        .iter()
        .filter_map(|t| t.name(sql))
        .map(|n| n.to_ascii_lowercase())
        .collect();
    let mut views: Vec<String> = names.iter().cloned().collect();
    while let Some(view) = views.pop() {
        let Some(text) = catalog.views.get(&view) else {
            continue;
        };
        for name in tokens(text).iter().filter_map(|t| t.name(text)) {
            let name = name.to_ascii_lowercase();
            if names.insert(name.clone()) {
                views.push(name);
            }
        }
    }
    names
}

/// A denial from the program has no place in the text; the verb that caused it has.
fn placed(denial: Denial, gated: &Gated, sql: &str) -> Denial {
    let word = denial.token.clone();
    let token = match denial.rule {
        Rule::Writes => writing_verb(sql, &gated.tokens),
        _ => gated
            .tokens
            .iter()
            .find(|t| t.name(sql).is_some_and(|n| n.eq_ignore_ascii_case(&word))),
    };
    match token {
        Some(token) => Denial {
            rule: denial.rule,
            token: token.text(sql).to_owned(),
            position: Some(token.range.start),
        },
        None => denial,
    }
}
