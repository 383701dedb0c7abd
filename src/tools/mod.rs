//! What the model may ask for. One file a tool: its name, its words for the model, the JSON Schema of its
//! arguments, and a plan. A tool never executes anything: it plans, and the loop decides.

mod args;
mod ask_user_questions;
mod cannot_answer;
mod describe_tables;
mod list_tables;
mod run_sql;
mod sample_rows;
pub mod schema_text;
mod search_schema;

use crate::agent::questions::Question;
use crate::agent::record::Phases;
use crate::llm::ToolSpec;
use crate::settings::Privacy;
use crate::sql::Schema;
use crate::transcript::ToolCall;

/// What a plan may look at.
#[derive(Debug, Clone, Copy)]
pub struct ToolContext<'a> {
    pub schema: &'a Schema,
    pub privacy: Privacy,
    /// The last proposal failed, so that the next one must say what went wrong.
    pub error_check_due: bool,
}

/// What should happen with a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    /// Answered from the schema at once.
    Reply {
        subject: String,
        text: String,
    },
    /// A statement of ours that needs no card, because the privacy dial allows it.
    Sample {
        subject: String,
        sql: String,
    },
    /// A proposal: checked, then shown on a card.
    Propose(Phases),
    AskUser {
        title: String,
        questions: Vec<Question>,
    },
    CannotAnswer {
        reason: String,
    },
    /// Told to the model as an error. Nothing happens.
    Reject(String),
}

/// One tool. Name, description, arguments and plan stand in one place.
pub trait Tool: Sync {
    fn name(&self) -> &'static str;
    fn description(&self) -> &'static str;
    fn parameters(&self) -> serde_json::Value;
    /// Arguments are an object; anything wrong with them comes back as [`Plan::Reject`].
    fn plan(&self, args: &serde_json::Map<String, serde_json::Value>, context: ToolContext)
    -> Plan;
}

/// All tools, in the order in which a model sees them.
#[must_use]
pub fn all() -> [&'static dyn Tool; 7] {
    [
        &list_tables::ListTables,
        &describe_tables::DescribeTables,
        &search_schema::SearchSchema,
        &sample_rows::SampleRows,
        &run_sql::RunSql,
        &ask_user_questions::AskUserQuestions,
        &cannot_answer::CannotAnswer,
    ]
}

/// The tools in a model's words.
#[must_use]
pub fn specs() -> Vec<ToolSpec> {
    all()
        .iter()
        .map(|t| ToolSpec {
            name: t.name().to_owned(),
            description: t.description().to_owned(),
            parameters: t.parameters(),
        })
        .collect()
}

/// Plans one call, whatever its name and arguments are.
#[must_use]
pub fn plan(call: &ToolCall, context: ToolContext) -> Plan {
    let Some(tool) = all().into_iter().find(|t| t.name() == call.name) else {
        let names: Vec<_> = all().iter().map(|t| t.name()).collect();
        return Plan::Reject(format!(
            "there is no tool `{}`; the tools are {}",
            shorten(&call.name, 60),
            names.join(", ")
        ));
    };
    match args::object(call) {
        Ok(args) => tool.plan(&args, context),
        Err(problem) => Plan::Reject(format!(
            "{problem}; call {} again with a JSON object of this form: {}",
            tool.name(),
            tool.parameters()
        )),
    }
}

/// The first `max` characters, marked where something was cut.
#[must_use]
pub fn shorten(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}
