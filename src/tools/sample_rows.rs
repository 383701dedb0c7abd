//! `sample_rows`: a few rows of one table. Runs by itself only where the privacy dial says so;
//! otherwise the person sees it on a card like any other statement.

use super::{Plan, Tool, ToolContext, args, schema_text};
use crate::agent::limits::SAMPLE_ROWS_MAX;
use crate::agent::record::Phases;
use crate::settings::Privacy;
use serde_json::{Map, Value, json};

pub struct SampleRows;

impl Tool for SampleRows {
    fn name(&self) -> &'static str {
        "sample_rows"
    }

    fn description(&self) -> &'static str {
        "Shows a few rows of one table, to learn how values are written. The person may have to approve it."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "table": {"type": "string", "description": "Exact table name"}
            },
            "required": ["table"]
        })
    }

    fn plan(&self, args: &Map<String, Value>, context: ToolContext) -> Plan {
        let name = args::text(args, "table");
        let Some(table) = context.schema.table(&name) else {
            let near = schema_text::nearest(context.schema, &name);
            return Plan::Reject(format!(
                "no table `{name}`; the nearest names are {}",
                near.join(", ")
            ));
        };
        let sql = format!(
            "SELECT * FROM {} LIMIT {SAMPLE_ROWS_MAX}",
            schema_text::quoted(&table.name)
        );
        match context.privacy {
            Privacy::Schema => Plan::Reject(
                "the person does not share any values; work from names, types and comments"
                    .to_owned(),
            ),
            Privacy::Results => Plan::Propose(Phases {
                reasoning: format!("See how values are written in {}.", table.name),
                analysis: format!("{SAMPLE_ROWS_MAX} rows of {}, all columns.", table.name),
                sql,
                error_check: String::new(),
                final_check: "A sample, not an answer.".to_owned(),
            }),
            Privacy::Samples => Plan::Sample {
                subject: table.name.clone(),
                sql,
            },
        }
    }
}
