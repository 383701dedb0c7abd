//! A test of an endpoint: what is asked, one step after another, and what the answers mean. Nothing of the
//! person's file is in it. Must not do IO.

use super::fallback::Protocol;
use super::quirks::Quirks;
use super::types::{ModelError, ModelErrorKind, ModelRequest, ToolSpec, Turn};
use crate::transcript::{Message, Part};
use serde_json::json;

/// Room for the thinking of models that cannot do without.
const OUTPUT_TOKENS: u32 = 1_024;
const TOOL: &str = "look_up";

/// What is asked of the endpoint, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Models,
    Stream,
    Tools,
    Json,
}

/// What a person wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    Reachable,
    Key,
    Models,
    Stream,
    Tools,
    Parallel,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Good,
    /// Assent works without it.
    Lacking,
    Bad,
    /// Something before it failed.
    Untried,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub check: Check,
    pub verdict: Verdict,
    /// What went wrong, where an answer said so.
    pub error: Option<ModelError>,
}

/// An answer to a step: the turn, and in how many chunks it came.
pub type Answer = Result<(Turn, usize), ModelError>;

/// The answers so far.
#[derive(Debug, Clone, Default)]
pub struct Probe {
    models: Option<Result<Vec<String>, ModelError>>,
    stream: Option<Answer>,
    tools: Option<Answer>,
    json: Option<Answer>,
}

impl Probe {
    /// What to ask next; `None` when nothing more can be learned.
    #[must_use]
    pub fn next(&self) -> Option<Step> {
        let works = matches!(self.stream, Some(Ok(_)));
        match () {
            () if self.models.is_none() => Some(Step::Models),
            () if self.stream.is_none() => Some(Step::Stream),
            () if works && self.tools.is_none() => Some(Step::Tools),
            () if works && self.json.is_none() => Some(Step::Json),
            () => None,
        }
    }

    pub fn note_models(&mut self, models: Result<Vec<String>, ModelError>) {
        self.models = Some(models);
    }

    pub fn note(&mut self, step: Step, answer: Answer) {
        match step {
            Step::Models => {}
            Step::Stream => self.stream = Some(answer),
            Step::Tools => self.tools = Some(answer),
            Step::Json => self.json = Some(answer),
        }
    }

    /// What the answers mean.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        vec![
            self.reachable(),
            self.key(),
            self.model_list(),
            found(Check::Stream, self.stream.as_ref(), |_, chunks| {
                // One chunk is an answer that came whole: slower to see, no worse.
                if chunks > 1 {
                    Verdict::Good
                } else {
                    Verdict::Lacking
                }
            }),
            lacking(found(Check::Tools, self.tools.as_ref(), |turn, _| {
                calls(turn, 1)
            })),
            lacking(found(Check::Parallel, self.tools.as_ref(), |turn, _| {
                calls(turn, 2)
            })),
            lacking(found(Check::Json, self.json.as_ref(), |turn, _| {
                let text = super::request::text(&turn.parts);
                if super::repair::is_object(text.trim()) {
                    Verdict::Good
                } else {
                    Verdict::Lacking
                }
            })),
        ]
    }

    /// How calls should travel to this endpoint and model, from what was found.
    #[must_use]
    pub fn protocol(&self) -> Option<Protocol> {
        let refused = |answer: &Option<Answer>| {
            matches!(answer, Some(Err(error)) if matches!(
                error.kind,
                ModelErrorKind::NoTools | ModelErrorKind::BadParameter | ModelErrorKind::BadRequest
            ))
        };
        match (&self.tools, &self.json) {
            (Some(Ok(_)), _) => Some(Protocol::Tools),
            (tools, json) if refused(tools) && refused(json) => Some(Protocol::Tagged),
            (tools, Some(Ok(_))) if refused(tools) => Some(Protocol::Json),
            _ => None,
        }
    }

    fn errors(&self) -> impl Iterator<Item = &ModelError> {
        let models = self.models.as_ref().and_then(|m| m.as_ref().err());
        let stream = self.stream.as_ref().and_then(|s| s.as_ref().err());
        stream.into_iter().chain(models)
    }

    fn answered(&self) -> bool {
        matches!(self.models, Some(Ok(_))) || matches!(self.stream, Some(Ok(_)))
    }

    fn reachable(&self) -> Finding {
        use ModelErrorKind as K;
        let away = |error: &&ModelError| {
            matches!(
                error.kind,
                K::Unreachable | K::MixedContent | K::Redirected | K::NotConfigured
            )
        };
        // A chat that is refused without the header that lets a page read it looks like no answer at all.
        let chat_away = self
            .stream
            .as_ref()
            .and_then(|s| s.as_ref().err())
            .filter(away);
        let nothing = || self.errors().find(away).filter(|_| !self.answered());
        self.verdict(Check::Reachable, chat_away.or_else(nothing))
    }

    fn key(&self) -> Finding {
        use ModelErrorKind as K;
        let refused = |error: &&ModelError| matches!(error.kind, K::Unauthorised | K::Forbidden);
        let chat_works = matches!(self.stream, Some(Ok(_)));
        let error = self.errors().find(refused).filter(|_| !chat_works);
        let mut finding = self.verdict(Check::Key, error);
        if self.reachable().verdict == Verdict::Bad {
            finding.verdict = Verdict::Untried;
        }
        finding
    }

    fn verdict(&self, check: Check, error: Option<&ModelError>) -> Finding {
        Finding {
            check,
            verdict: match (error, &self.models, &self.stream) {
                (Some(_), _, _) => Verdict::Bad,
                (None, None, None) => Verdict::Untried,
                _ => Verdict::Good,
            },
            error: error.cloned(),
        }
    }

    fn model_list(&self) -> Finding {
        let (verdict, error) = match &self.models {
            None => (Verdict::Untried, None),
            Some(Ok(names)) if names.is_empty() => (Verdict::Lacking, None),
            Some(Ok(_)) => (Verdict::Good, None),
            Some(Err(error)) => (Verdict::Lacking, Some(error.clone())),
        };
        Finding {
            check: Check::Models,
            verdict,
            error,
        }
    }
}

fn found(
    check: Check,
    answer: Option<&Answer>,
    judge: impl Fn(&Turn, usize) -> Verdict,
) -> Finding {
    let (verdict, error) = match answer {
        None => (Verdict::Untried, None),
        Some(Err(error)) => (Verdict::Bad, Some(error.clone())),
        Some(Ok((turn, chunks))) => (judge(turn, *chunks), None),
    };
    Finding {
        check,
        verdict,
        error,
    }
}

fn lacking(mut finding: Finding) -> Finding {
    if finding.verdict == Verdict::Bad {
        finding.verdict = Verdict::Lacking;
    }
    finding
}

fn calls(turn: &Turn, wanted: usize) -> Verdict {
    let is_call = |part: &&Part| matches!(part, Part::Call(call) if call.name == TOOL);
    if turn.parts.iter().filter(is_call).count() >= wanted {
        Verdict::Good
    } else {
        Verdict::Lacking
    }
}

impl Step {
    /// The request of a step; `None` for the list of models.
    #[must_use]
    pub fn request(self) -> Option<ModelRequest> {
        let (text, tools) = match self {
            Self::Models => return None,
            Self::Stream => ("Count from one to ten in words.", Vec::new()),
            Self::Tools => (
                "Look up \"apple\" and \"pear\": call the tool once for each word, both calls in one reply.",
                vec![ToolSpec {
                    name: TOOL.to_owned(),
                    description: "Looks up one word.".to_owned(),
                    parameters: json!({
                        "type": "object",
                        "properties": {"word": {"type": "string"}},
                        "required": ["word"],
                    }),
                }],
            ),
            Self::Json => (
                "Reply with the JSON object {\"answer\": \"yes\"} and nothing else.",
                Vec::new(),
            ),
        };
        Some(ModelRequest {
            system: "This is a test of the connection. Be brief.".to_owned(),
            messages: vec![Message::User {
                text: text.to_owned(),
            }],
            tools,
            max_output_tokens: Some(OUTPUT_TOKENS),
        })
    }

    /// The quirks to ask with. The reply is read as it stands, so that it can be judged.
    #[must_use]
    pub fn quirks(self, known: &Quirks) -> Quirks {
        Quirks {
            protocol: match self {
                Self::Json => Protocol::Json,
                Self::Models | Self::Stream | Self::Tools => Protocol::Tools,
            },
            ..known.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{CallId, ToolCall};
    use Verdict::{Bad, Good, Lacking, Untried};

    fn turn(parts: Vec<Part>, chunks: usize) -> Answer {
        let turn = Turn {
            parts,
            ..Turn::default()
        };
        Ok((turn, chunks))
    }

    fn call() -> Part {
        Part::Call(ToolCall {
            id: CallId("a".into()),
            name: TOOL.into(),
            arguments: "{}".into(),
            malformed: false,
        })
    }

    fn error(kind: ModelErrorKind) -> ModelError {
        ModelError::new(kind, "x")
    }

    fn verdicts(probe: &Probe) -> Vec<Verdict> {
        probe.findings().iter().map(|f| f.verdict).collect()
    }

    #[test]
    fn all_is_asked_and_all_is_well() {
        let mut probe = Probe::default();
        assert_eq!(verdicts(&probe), [Untried; 7]);
        assert_eq!(probe.next(), Some(Step::Models));
        probe.note_models(Ok(vec!["m".into()]));
        let answers = [
            turn(vec![Part::Text("one".into())], 5),
            turn(vec![call(), call()], 2),
            turn(vec![Part::Text("{\"answer\":\"yes\"}".into())], 2),
        ];
        for answer in answers {
            let step = probe.next().unwrap();
            assert!(step.request().is_some());
            probe.note(step, answer);
        }
        assert_eq!(probe.next(), None);
        assert_eq!(verdicts(&probe), [Good; 7]);
        assert_eq!(probe.protocol(), Some(Protocol::Tools));
    }

    #[test]
    fn what_fails_is_named_and_the_rest_is_not_tried() {
        let mut probe = Probe::default();
        probe.note_models(Err(error(ModelErrorKind::Unreachable)));
        probe.note(Step::Stream, Err(error(ModelErrorKind::Unreachable)));
        assert_eq!(probe.next(), None);
        assert_eq!(
            verdicts(&probe),
            [Bad, Untried, Lacking, Bad, Untried, Untried, Untried]
        );
        let mut probe = Probe::default();
        probe.note_models(Err(error(ModelErrorKind::Unauthorised)));
        probe.note(Step::Stream, Err(error(ModelErrorKind::Unauthorised)));
        assert_eq!(
            verdicts(&probe),
            [Good, Bad, Lacking, Bad, Untried, Untried, Untried]
        );
        // The list alone is out of reach: no matter.
        let mut probe = Probe::default();
        probe.note_models(Err(error(ModelErrorKind::Unreachable)));
        probe.note(Step::Stream, turn(vec![], 1));
        probe.note(Step::Tools, Err(error(ModelErrorKind::NoTools)));
        assert_eq!(probe.protocol(), None);
        probe.note(Step::Json, turn(vec![Part::Text("yes".into())], 1));
        assert_eq!(
            verdicts(&probe),
            [Good, Good, Lacking, Lacking, Lacking, Lacking, Lacking]
        );
        assert_eq!(probe.protocol(), Some(Protocol::Json));
    }
}
