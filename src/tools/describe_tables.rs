//! `describe_tables`: columns, types, keys and comments of named tables.

use super::{Plan, Tool, ToolContext, args, schema_text};
use crate::agent::limits::DESCRIBE_TABLES_MAX;
use serde_json::{Map, Value, json};

pub struct DescribeTables;

impl Tool for DescribeTables {
    fn name(&self) -> &'static str {
        "describe_tables"
    }

    fn description(&self) -> &'static str {
        "Describes tables: columns with types, primary and foreign keys, indexes, comments."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "tables": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Exact table names"
                }
            },
            "required": ["tables"]
        })
    }

    fn plan(&self, args: &Map<String, Value>, context: ToolContext) -> Plan {
        let mut names = args::texts(args, "tables");
        if names.is_empty() {
            names = args::texts(args, "table");
        }
        if names.is_empty() {
            return Plan::Reject("`tables` is missing: name at least one table".to_owned());
        }
        let left_out = names.len().saturating_sub(DESCRIBE_TABLES_MAX);
        names.truncate(DESCRIBE_TABLES_MAX);
        let mut text = String::new();
        let mut found = false;
        for name in &names {
            if let Some(table) = context.schema.table(name) {
                found = true;
                text.push_str(&schema_text::describe(table));
            } else {
                let near = schema_text::nearest(context.schema, name);
                text.push_str(&format!("no table `{name}`"));
                if !near.is_empty() {
                    text.push_str(&format!("; did you mean {}?", near.join(", ")));
                }
            }
            text.push('\n');
        }
        if left_out > 0 {
            text.push_str(&format!(
                "{left_out} more were asked for: at most {DESCRIBE_TABLES_MAX} in one call\n"
            ));
        }
        if found {
            Plan::Reply {
                subject: names.join(", "),
                text,
            }
        } else {
            Plan::Reject(text)
        }
    }
}
