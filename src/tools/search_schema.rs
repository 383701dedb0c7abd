//! `search_schema`: tables and columns whose names or comments fit some words.

use super::{Plan, Tool, ToolContext, args, schema_text};
use serde_json::{Map, Value, json};

pub struct SearchSchema;

impl Tool for SearchSchema {
    fn name(&self) -> &'static str {
        "search_schema"
    }

    fn description(&self) -> &'static str {
        "Finds tables and columns by words in their names and comments. Use it when the list of tables is long."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "A few words, e.g. `customer email`"}
            },
            "required": ["query"]
        })
    }

    fn plan(&self, args: &Map<String, Value>, context: ToolContext) -> Plan {
        let query = args::text(args, "query");
        if query.is_empty() {
            return Plan::Reject("`query` is missing: give a few words to look for".to_owned());
        }
        Plan::Reply {
            text: schema_text::search(context.schema, &query),
            subject: query,
        }
    }
}
