//! `cannot_answer`: a first-class outcome, also for requests to change data.

use super::{Plan, Tool, ToolContext, args, shorten};
use serde_json::{Map, Value, json};

const REASON_CHARS_MAX: usize = 2_000;

pub struct CannotAnswer;

impl Tool for CannotAnswer {
    fn name(&self) -> &'static str {
        "cannot_answer"
    }

    fn description(&self) -> &'static str {
        "Ends the question: this database does not hold the answer, or the request would change data."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "reason": {
                    "type": "string",
                    "description": "For the person, in their language: what is missing, and what could be asked instead"
                }
            },
            "required": ["reason"]
        })
    }

    fn plan(&self, args: &Map<String, Value>, _context: ToolContext) -> Plan {
        let reason = args::text(args, "reason");
        if reason.is_empty() {
            return Plan::Reject(
                "`reason` is missing: tell the person what is missing and what could be asked"
                    .to_owned(),
            );
        }
        Plan::CannotAnswer {
            reason: shorten(&reason, REASON_CHARS_MAX),
        }
    }
}
