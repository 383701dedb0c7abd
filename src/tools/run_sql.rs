//! `run_sql`: the one way to propose a query. Its arguments are the phases that the person sees;
//! a proposal without them is sent back.

use super::{Plan, Tool, ToolContext, args, shorten};
use crate::agent::limits::{PHASE_CHARS_MAX, SQL_BYTES_MAX};
use crate::agent::record::Phases;
use serde_json::{Map, Value, json};

pub struct RunSql;

impl Tool for RunSql {
    fn name(&self) -> &'static str {
        "run_sql"
    }

    fn description(&self) -> &'static str {
        "Proposes one read-only SQLite query. The person sees every argument on a card and approves, edits or \
         rejects it; only then it runs. Fill the arguments in the order given."
    }

    fn parameters(&self) -> Value {
        let text = |description: &str| json!({"type": "string", "description": description});
        json!({
            "type": "object",
            "properties": {
                "error_check": text("Only after a failed query: what went wrong, why, and how this one fixes it"),
                "reasoning": text("What is needed and why, the expected outcome, difficulties"),
                "analysis": text("Tables, joins, columns, filters, ordering, grouping"),
                "sql": text("One SELECT statement in SQLite's dialect, using only names that exist. LIMIT 10 unless the question says otherwise"),
                "final_check": text("Why this query answers the question exactly: units, NULLs, duplicates, ties")
            },
            "required": ["reasoning", "analysis", "sql", "final_check"]
        })
    }

    fn plan(&self, args: &Map<String, Value>, context: ToolContext) -> Plan {
        let phase = |key: &str| shorten(&args::text(args, key), PHASE_CHARS_MAX);
        let mut sql = args::text(args, "sql");
        if sql.is_empty() {
            sql = args::text(args, "query");
        }
        let phases = Phases {
            reasoning: phase("reasoning"),
            analysis: phase("analysis"),
            error_check: phase("error_check"),
            final_check: phase("final_check"),
            sql,
        };
        let mut missing = Vec::new();
        for (name, text) in [
            ("reasoning", &phases.reasoning),
            ("analysis", &phases.analysis),
            ("sql", &phases.sql),
            ("final_check", &phases.final_check),
        ] {
            if text.is_empty() {
                missing.push(name);
            }
        }
        if context.error_check_due && phases.error_check.is_empty() {
            missing.push("error_check");
        }
        if !missing.is_empty() {
            return Plan::Reject(format!(
                "not shown to the person: {} missing. Call run_sql again with all of error_check (after a failed \
                 query), reasoning, analysis, sql and final_check",
                missing.join(", ")
            ));
        }
        if phases.sql.len() > SQL_BYTES_MAX {
            return Plan::Reject(format!(
                "the statement has {} bytes; at most {SQL_BYTES_MAX} are allowed",
                phases.sql.len()
            ));
        }
        Plan::Propose(phases)
    }
}
