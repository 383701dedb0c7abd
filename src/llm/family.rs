//! The one seam between the loop and the wire families: which one an endpoint speaks, the request in its
//! words, and the decoder of its answers. Never sees a key except to put it in a header.

use super::address::Address;
use super::anthropic::AnthropicDecoder;
use super::fallback::{self, Protocol};
use super::ollama::OllamaDecoder;
use super::openai::OpenAiDecoder;
use super::quirks::Quirks;
use super::text_decoder::TextDecoder;
use super::types::{ModelError, ModelRequest, StreamEvent};
use super::{request, request_anthropic, request_ollama};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Family {
    #[default]
    OpenAi,
    Anthropic,
    Ollama,
}

/// A request as it is sent: the ledger keeps it as it stands. It holds no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireRequest {
    pub url: String,
    /// What the key is bound to.
    pub origin: String,
    pub body: String,
}

/// The version of Anthropic's messages that is spoken here.
const ANTHROPIC_VERSION: &str = "2023-06-01";

impl Family {
    pub const ALL: [Self; 3] = [Self::OpenAi, Self::Anthropic, Self::Ollama];

    /// The family that an address points at, where the person did not choose one.
    #[must_use]
    pub fn for_address(base: &str) -> Self {
        Address::family(base)
    }

    /// Puts a request into this family's words.
    ///
    /// # Errors
    /// An address that is none, see [`Address::of`].
    pub fn prepare(
        self,
        base: &str,
        model: &str,
        quirks: &Quirks,
        request: &ModelRequest,
    ) -> Result<WireRequest, ModelError> {
        let address = Address::of(base, self)?;
        Ok(WireRequest {
            url: address.chat,
            origin: address.origin,
            body: self.body(model, quirks, request).to_string(),
        })
    }

    fn body(self, model: &str, quirks: &Quirks, request: &ModelRequest) -> Value {
        let shaped;
        let request = if quirks.protocol == Protocol::Tools {
            request
        } else {
            shaped = fallback::shape(request, quirks.protocol);
            &shaped
        };
        let mut body = match self {
            Self::OpenAi => request::openai_body(request, model, quirks),
            Self::Anthropic => request_anthropic::body(request, model, quirks),
            Self::Ollama => request_ollama::body(request, model, quirks),
        };
        if quirks.protocol == Protocol::Json
            && let Some(body) = body.as_object_mut()
        {
            match self {
                Self::OpenAi => {
                    body.insert("response_format".into(), json!({"type": "json_object"}));
                }
                Self::Ollama => {
                    body.insert("format".into(), "json".into());
                }
                Self::Anthropic => {}
            }
        }
        body
    }

    /// Headers that carry the key. More of them would break preflights.
    #[must_use]
    pub fn headers(self, key: &str) -> Vec<(&'static str, String)> {
        let key = key.trim();
        let mut headers = vec![("content-type", "application/json".to_owned())];
        if self == Self::Anthropic {
            headers.push(("anthropic-version", ANTHROPIC_VERSION.to_owned()));
            let allowed = "true".to_owned();
            headers.push(("anthropic-dangerous-direct-browser-access", allowed));
        }
        if !key.is_empty() {
            headers.push(match self {
                Self::Anthropic => ("x-api-key", key.to_owned()),
                Self::OpenAi | Self::Ollama => ("authorization", format!("Bearer {key}")),
            });
        }
        headers
    }

    /// A decoder for one answer to `request`.
    #[must_use]
    pub fn decoder(self, request: &ModelRequest, quirks: &Quirks) -> Decoder {
        let tools = request.tools.iter().map(|tool| tool.name.clone()).collect();
        let wire = match self {
            Self::OpenAi => Decoder::OpenAi(Box::new(OpenAiDecoder::new(tools))),
            Self::Anthropic => Decoder::Anthropic(Box::new(AnthropicDecoder::new(tools))),
            Self::Ollama => Decoder::Ollama(Box::new(OllamaDecoder::new(tools))),
        };
        match quirks.protocol {
            Protocol::Tools => wire,
            protocol => Decoder::Text(Box::new(TextDecoder::new(wire, protocol, request))),
        }
    }
}

/// Decodes one answer.
#[derive(Debug)]
pub enum Decoder {
    OpenAi(Box<OpenAiDecoder>),
    Anthropic(Box<AnthropicDecoder>),
    Ollama(Box<OllamaDecoder>),
    /// Around one of the others, where calls stand in the text.
    Text(Box<TextDecoder>),
}

impl Decoder {
    /// Takes bytes as they arrive, cut anywhere.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<StreamEvent> {
        match self {
            Self::OpenAi(decoder) => decoder.feed(bytes),
            Self::Anthropic(decoder) => decoder.feed(bytes),
            Self::Ollama(decoder) => decoder.feed(bytes),
            Self::Text(decoder) => decoder.feed(bytes),
        }
    }

    /// Tells that the stream ended. Calls end here at the latest; after it `feed` yields nothing.
    pub fn finish(&mut self) -> Vec<StreamEvent> {
        match self {
            Self::OpenAi(decoder) => decoder.finish(),
            Self::Anthropic(decoder) => decoder.finish(),
            Self::Ollama(decoder) => decoder.finish(),
            Self::Text(decoder) => decoder.finish(),
        }
    }

    /// True once nothing more is to be read, even if the socket stays open.
    #[must_use]
    pub fn is_done(&self) -> bool {
        match self {
            Self::OpenAi(decoder) => decoder.is_done(),
            Self::Anthropic(decoder) => decoder.is_done(),
            Self::Ollama(decoder) => decoder.is_done(),
            Self::Text(decoder) => decoder.is_done(),
        }
    }

    /// True once the model has finished and only usage may follow.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        match self {
            Self::OpenAi(decoder) => decoder.is_settled(),
            Self::Anthropic(decoder) => decoder.is_settled(),
            Self::Ollama(decoder) => decoder.is_settled(),
            Self::Text(decoder) => decoder.is_settled(),
        }
    }
}
