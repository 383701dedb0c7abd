//! What an endpoint and model turned out to want: learned from its refusals, kept with the settings.
//! Must not know how a request is sent.

use super::address::host;
use super::fallback::Protocol;
use super::types::{ModelError, ModelErrorKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Whether reasoning goes back to the endpoint, always on messages with tool calls only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Echo {
    /// Each field that came, under its name.
    #[default]
    Received,
    /// This field on every message with calls, empty if there is nothing to say.
    Required(String),
    Never,
}

/// How a request must differ from the usual one for one endpoint and model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Quirks {
    /// How calls travel: in words where the server or model takes no tools.
    pub protocol: Protocol,
    /// What the server said when it refused tools; empty where a test found that out.
    pub refusal: String,
    /// Parameters that the server refused.
    pub dropped: BTreeSet<String>,
    pub echo: Echo,
    /// The echo was changed once; a second refusal is reported.
    pub echo_learned: bool,
    /// The answer's cap is called `max_completion_tokens`.
    pub max_completion_tokens: bool,
    /// Ids must be nine letters and digits.
    pub short_ids: bool,
    /// `content` may not be null.
    pub empty_content: bool,
    /// The system text goes in the user role.
    pub no_system_role: bool,
    /// A user message may not follow a tool result.
    pub assistant_after_tool: bool,
}

const DROPPABLE: &[&str] = &["stream_options", "max_completion_tokens", "max_tokens"];
const ECHO_FIELDS: &[&str] = &[
    "reasoning_content",
    "reasoning_details",
    "extra_content",
    "reasoning",
];

/// Tools named as a parameter; a `tool_call_id` or a `tools.0.name` is another matter.
const REFUSED_TOOLS: &[&str] = &[
    "'tools'",
    "\"tools\"",
    "`tools`",
    "(tools)",
    "tools param",
    "parameter: tools",
    "tools is not",
    "tools are not",
    "field tools",
];
const REFUSALS: &[&str] = &[
    "unsupported",
    "not support",
    "unknown",
    "unrecognized",
    "unexpected",
    "not permitted",
    "not allowed",
    "extra",
];

impl Quirks {
    /// What is known beforehand about an endpoint.
    #[must_use]
    pub fn for_address(base: &str) -> Self {
        let host = host(base.trim());
        let is = |ends: &[&str]| ends.iter().any(|end| host.ends_with(end));
        let mut quirks = Self::default();
        if is(&["deepseek.com", "moonshot.cn", "moonshot.ai"]) {
            quirks.echo = Echo::Required("reasoning_content".to_owned());
        }
        quirks.short_ids = is(&["mistral.ai"]);
        quirks.max_completion_tokens = is(&["openai.com"]);
        quirks
    }

    /// Takes in a refusal. True if the request changes by it and is worth sending once more.
    pub fn learn(&mut self, error: &ModelError) -> bool {
        use ModelErrorKind as K;
        if error.kind == K::NoTools {
            let changes = self.protocol == Protocol::Tools;
            if changes {
                self.protocol = Protocol::Json;
                self.refusal.clone_from(&error.message);
            }
            return changes;
        }
        let refused = matches!(
            error.kind,
            K::BadParameter | K::BadRequest | K::Malformed | K::Server | K::ContentFiltered
        );
        if !refused || error.status.is_some_and(|status| status == 429) {
            return false;
        }
        let before = self.clone();
        self.take(&error.message.to_lowercase());
        if self.protocol != before.protocol {
            self.refusal.clone_from(&error.message);
        }
        *self != before
    }

    fn take(&mut self, words: &str) {
        let says = |list: &[&str]| list.iter().any(|phrase| words.contains(phrase));
        if words.contains("thinking") && says(&["signature", "redacted_thinking"]) {
            self.echo = Echo::Never;
            return;
        }
        let no_json = ["response_format", "json_object", "json mode", "\"format\""];
        if self.protocol == Protocol::Json && says(&no_json) {
            self.protocol = Protocol::Tagged;
            return;
        }
        if self.protocol == Protocol::Tools && says(REFUSED_TOOLS) && says(REFUSALS) {
            self.protocol = Protocol::Json;
            return;
        }
        if let Some(field) = ECHO_FIELDS.iter().find(|field| words.contains(*field)) {
            return self.flip_echo(field, words);
        }
        if says(&["use 'max_completion_tokens'", "use max_completion_tokens"]) {
            self.max_completion_tokens = true;
            return;
        }
        if let Some(name) = DROPPABLE.iter().find(|name| words.contains(*name)) {
            self.dropped.insert((*name).to_owned());
            return;
        }
        if says(&["tool call id", "tool_call_id", "tool_calls"])
            && says(&["length of 9", "9 char", "a-z, a-z, 0-9"])
        {
            self.short_ids = true;
            return;
        }
        if words.contains("system")
            && says(&[
                "system role",
                "role 'system'",
                "\"system\"",
                "system message",
                "developer instruction",
            ])
            && says(&["support", "not enabled", "unexpected", "invalid", "only"])
        {
            self.no_system_role = true;
            return;
        }
        if says(&[
            "'user' after role 'tool'",
            "\"user\" after role \"tool\"",
            "user after tool",
            "after tool",
            "roles must alternate",
        ]) {
            self.assistant_after_tool = true;
            return;
        }
        if words.contains("content")
            && says(&["null", "none", "nonetype", "required", "valid string"])
        {
            self.empty_content = true;
        }
    }

    fn flip_echo(&mut self, field: &str, words: &str) {
        if std::mem::replace(&mut self.echo_learned, true) {
            return;
        }
        let wants = [
            "missing",
            "must be",
            "required",
            "must have",
            "should be passed",
            "provide",
        ];
        let refuses = [
            "unsupported",
            "not permitted",
            "unexpected",
            "unknown",
            "unrecognized",
            "not allowed",
            "extra",
        ];
        let says = |list: &[&str]| list.iter().any(|phrase| words.contains(phrase));
        self.echo = if says(&wants) && !says(&refuses) {
            Echo::Required(field.to_owned())
        } else {
            Echo::Never
        };
    }

    /// Takes over what a test found to work.
    pub fn choose(&mut self, protocol: Protocol) {
        self.protocol = protocol;
        self.refusal.clear();
    }

    /// Forgets that tools were refused.
    pub fn use_tool_calls(&mut self) {
        self.choose(Protocol::Tools);
    }

    /// Whether a parameter may be sent.
    #[must_use]
    pub fn takes(&self, parameter: &str) -> bool {
        !self.dropped.contains(parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(quirks: &mut Quirks, message: &str) -> bool {
        quirks.learn(&ModelError::new(ModelErrorKind::BadRequest, message))
    }

    #[test]
    fn a_refusal_changes_the_next_request_once() {
        let mut q = Quirks::default();
        assert!(learn(&mut q, "Unknown parameter: 'stream_options'."));
        assert!(!q.takes("stream_options"));
        assert!(!learn(&mut q, "Unknown parameter: 'stream_options'."));
        assert!(learn(
            &mut q,
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        ));
        assert!(q.max_completion_tokens && q.takes("max_tokens"));
        assert!(learn(
            &mut q,
            "property 'messages.2.reasoning_content' is unsupported"
        ));
        assert_eq!(q.echo, Echo::Never);
        assert!(!learn(&mut q, "reasoning_content is missing"));
        assert!(!learn(&mut q, "no such thing"));
        let mut q = Quirks::default();
        assert!(learn(
            &mut q,
            "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"
        ));
        assert_eq!(q.echo, Echo::Required("reasoning_content".into()));
        assert!(learn(
            &mut q,
            "Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9."
        ));
        assert!(q.short_ids);
        assert!(learn(&mut q, "Unexpected role 'user' after role 'tool'"));
        assert!(q.assistant_after_tool);
        assert!(!q.learn(&ModelError::new(ModelErrorKind::Unauthorised, "max_tokens")));
        let json = serde_json::to_string(&q).unwrap();
        assert_eq!(serde_json::from_str::<Quirks>(&json).unwrap(), q);
        assert_eq!(
            serde_json::from_str::<Quirks>("{}").unwrap(),
            Quirks::default()
        );
    }

    #[test]
    fn refused_tools_are_asked_for_in_words() {
        let mut q = Quirks::default();
        assert!(q.learn(&ModelError::new(ModelErrorKind::NoTools, "no tools")));
        assert_eq!(q.protocol, Protocol::Json);
        assert!(!q.learn(&ModelError::new(ModelErrorKind::NoTools, "no tools")));
        assert_eq!(q.refusal, "no tools");
        assert!(learn(&mut q, "response_format is not supported"));
        assert_eq!(q.protocol, Protocol::Tagged);
        assert_eq!(q.refusal, "response_format is not supported");
        assert!(!learn(&mut q, "response_format is not supported"));
        let mut q = Quirks::default();
        assert!(learn(
            &mut q,
            "Unrecognized request argument supplied: 'tools'"
        ));
        assert_eq!(q.protocol, Protocol::Json);
        q.use_tool_calls();
        assert_eq!(q, Quirks::default());
        let mut q = Quirks::default();
        assert!(!learn(&mut q, "Invalid 'tools[0].function.name'"));
    }

    #[test]
    fn some_endpoints_are_known_beforehand() {
        assert_eq!(
            Quirks::for_address("https://api.deepseek.com/v1").echo,
            Echo::Required("reasoning_content".into())
        );
        assert!(Quirks::for_address(" https://api.mistral.ai").short_ids);
        assert_eq!(Quirks::for_address("http://localhost:1"), Quirks::default());
    }
}
