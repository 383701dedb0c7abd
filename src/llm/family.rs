//! The one seam between the loop and the wire families: which one an endpoint speaks, the request in its
//! words, and the decoder of its answers. Never sees a key except to put it in a header.

use super::address::Address;
use super::openai::OpenAiDecoder;
use super::quirks::Quirks;
use super::request;
use super::types::{ModelError, ModelRequest, StreamEvent};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Family {
    #[default]
    OpenAi,
}

/// A request as it is sent: the ledger keeps it as it stands. It holds no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireRequest {
    pub url: String,
    /// What the key is bound to.
    pub origin: String,
    pub body: String,
}

impl Family {
    /// Puts a request into this family's words.
    ///
    /// # Errors
    /// An address that is none, see [`Address::parse`].
    pub fn prepare(
        self,
        base: &str,
        model: &str,
        quirks: &Quirks,
        request: &ModelRequest,
    ) -> Result<WireRequest, ModelError> {
        let address = Address::parse(base)?;
        Ok(WireRequest {
            url: address.chat,
            origin: address.origin,
            body: match self {
                Self::OpenAi => request::openai_body(request, model, quirks).to_string(),
            },
        })
    }

    /// Headers that carry the key. More of them would break preflights.
    #[must_use]
    pub fn headers(self, key: &str) -> Vec<(&'static str, String)> {
        let key = key.trim();
        let mut headers = vec![("content-type", "application/json".to_owned())];
        if !key.is_empty() {
            headers.push(("authorization", format!("Bearer {key}")));
        }
        headers
    }

    /// A decoder for one answer to `request`.
    #[must_use]
    pub fn decoder(self, request: &ModelRequest) -> Decoder {
        let tools = request.tools.iter().map(|tool| tool.name.clone()).collect();
        match self {
            Self::OpenAi => Decoder::OpenAi(Box::new(OpenAiDecoder::new(tools))),
        }
    }
}

/// Decodes one answer.
#[derive(Debug)]
pub enum Decoder {
    OpenAi(Box<OpenAiDecoder>),
}

impl Decoder {
    /// Takes bytes as they arrive, cut anywhere.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<StreamEvent> {
        match self {
            Self::OpenAi(decoder) => decoder.feed(bytes),
        }
    }

    /// Tells that the stream ended. Calls end here at the latest; after it `feed` yields nothing.
    pub fn finish(&mut self) -> Vec<StreamEvent> {
        match self {
            Self::OpenAi(decoder) => decoder.finish(),
        }
    }

    /// True once nothing more is to be read, even if the socket stays open.
    #[must_use]
    pub fn is_done(&self) -> bool {
        match self {
            Self::OpenAi(decoder) => decoder.is_done(),
        }
    }

    /// True once the model has finished and only usage may follow.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        match self {
            Self::OpenAi(decoder) => decoder.is_settled(),
        }
    }
}
