//! `list_tables`: every table and view by name, with its size.

use super::{Plan, Tool, ToolContext, schema_text};
use serde_json::{Map, Value, json};

pub struct ListTables;

impl Tool for ListTables {
    fn name(&self) -> &'static str {
        "list_tables"
    }

    fn description(&self) -> &'static str {
        "Lists all tables and views with their row counts. Takes no arguments."
    }

    fn parameters(&self) -> Value {
        json!({"type": "object", "properties": {}})
    }

    fn plan(&self, _args: &Map<String, Value>, context: ToolContext) -> Plan {
        Plan::Reply {
            subject: String::new(),
            text: schema_text::names(context.schema),
        }
    }
}
