//! The addresses of an endpoint, from what a person typed. Must not know what is sent there.

use super::family::Family;
use super::types::{ModelError, ModelErrorKind};

/// Where an endpoint's calls go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Scheme, host and port: what a key is bound to and what the page may connect to.
    pub origin: String,
    /// Where chats go.
    pub chat: String,
    /// The list of models.
    pub models: String,
}

impl Address {
    /// Reads a base address of chat completions, with or without scheme, version, final path or query.
    ///
    /// # Errors
    /// [`ModelErrorKind::NotConfigured`] for nothing, [`ModelErrorKind::WrongAddress`] for no web address.
    pub fn parse(typed: &str) -> Result<Self, ModelError> {
        Self::of(typed, Family::OpenAi)
    }

    /// Reads a base address of a family.
    ///
    /// # Errors
    /// As [`Address::parse`].
    pub fn of(typed: &str, family: Family) -> Result<Self, ModelError> {
        let Parts {
            origin,
            path,
            query,
        } = Parts::parse(typed)?;
        let (chat, models) = match family {
            Family::OpenAi => ("/chat/completions", "/models"),
            Family::Anthropic => ("/messages", "/models"),
            Family::Ollama => ("/api/chat", "/api/tags"),
        };
        let base = match family {
            Family::OpenAi => strip_any(&path, &[chat, models, "/completions"]),
            Family::Anthropic => strip_any(&path, &[chat, models]),
            Family::Ollama => strip_any(&path, &[chat, models, "/api/generate", "/api", "/v1"]),
        };
        let whole = family == Family::Ollama || base.len() != path.len() || has_version(base);
        let version = if whole { "" } else { "/v1" };
        Ok(Self {
            chat: format!("{origin}{base}{version}{chat}{query}"),
            models: format!("{origin}{base}{version}{models}{query}"),
            origin,
        })
    }

    /// The family that an address points at, where the person did not choose one.
    #[must_use]
    pub fn family(typed: &str) -> Family {
        let Ok(Parts { origin, path, .. }) = Parts::parse(typed) else {
            return Family::OpenAi;
        };
        let host = host(&origin);
        let is_anthropic = host == "anthropic.com"
            || host.ends_with(".anthropic.com")
            || path.ends_with("/anthropic")
            || path.ends_with("/messages");
        let api = path == "/api" || path.starts_with("/api/");
        let is_ollama = path.ends_with("/api/chat")
            || path.ends_with("/api/tags")
            || (api && (origin.ends_with(":11434") || host == "ollama.com"));
        if is_anthropic {
            Family::Anthropic
        } else if is_ollama {
            Family::Ollama
        } else {
            Family::OpenAi
        }
    }

    /// Whether a page at `page_origin` is stopped by the browser from calling this address.
    #[must_use]
    pub fn is_mixed_content(&self, page_origin: &str) -> bool {
        page_origin.starts_with("https://")
            && self.origin.starts_with("http://")
            && !is_local(host(&self.origin))
    }
}

/// An address cut into its parts; `path` has no slash at its end, `query` keeps its question mark.
struct Parts {
    origin: String,
    path: String,
    query: String,
}

impl Parts {
    fn parse(typed: &str) -> Result<Self, ModelError> {
        let typed = typed.trim().trim_matches(['"', '\'', '<', '>']).trim();
        if typed.is_empty() {
            let message = "no endpoint is configured";
            return Err(ModelError::new(ModelErrorKind::NotConfigured, message));
        }
        let wrong = |why: &str| Err(ModelError::new(ModelErrorKind::WrongAddress, why));
        if typed.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return wrong("the address contains a blank");
        }
        let (scheme, rest) = match typed.split_once("://") {
            Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
            None if is_local(host(&format!("http://{typed}"))) => ("http".to_owned(), typed),
            None => ("https".to_owned(), typed),
        };
        if scheme != "http" && scheme != "https" {
            return wrong("the address must begin with http:// or https://");
        }
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) if !query.is_empty() => (rest, format!("?{query}")),
            Some((rest, _)) => (rest, String::new()),
            None => (rest, String::new()),
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        if authority.contains('@') {
            return wrong("a name or password in the address is not sent; use the key field");
        }
        if authority.is_empty() || authority.starts_with(':') {
            return wrong("the address has no host");
        }
        let segments: Vec<_> = path.split('/').filter(|s| !s.is_empty()).collect();
        Ok(Self {
            origin: format!("{scheme}://{}", authority.to_ascii_lowercase()),
            path: segments
                .iter()
                .fold(String::new(), |path, s| path + "/" + s),
            query,
        })
    }
}

/// The host of an address or origin, without port and brackets.
#[must_use]
pub fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

/// The origin of a base address, to which a key is bound; empty where there is none.
#[must_use]
pub fn origin(typed: &str) -> String {
    Address::parse(typed).map(|a| a.origin).unwrap_or_default()
}

/// Browsers let an https page call these over http.
#[must_use]
pub fn is_local(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host == "::1" || host.starts_with("127.")
}

fn strip_any<'a>(path: &'a str, ends: &[&str]) -> &'a str {
    ends.iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path)
}

/// `v1`, `v1beta`, `v4`; or a path that is whole without one, as Azure's deployments are.
fn has_version(path: &str) -> bool {
    path.split('/').any(|segment| {
        segment == "deployments"
            || segment.strip_prefix('v').is_some_and(|rest| {
                rest.starts_with(|c: char| c.is_ascii_digit()) && rest.len() <= 8
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, chat: &str) {
        assert_eq!(Address::parse(typed).unwrap().chat, chat, "{typed}");
    }

    #[test]
    fn people_type_addresses_in_many_ways() {
        let openai = "https://api.openai.com/v1/chat/completions";
        check("https://api.openai.com", openai);
        check(" https://api.openai.com/v1/ \n", openai);
        check("api.openai.com/v1", openai);
        check("HTTPS://API.openai.com/v1/chat/completions/", openai);
        check("https://api.openai.com//v1//models", openai);
        check("https://api.openai.com/v1#x", openai);
        let local = "http://localhost:11434/v1/chat/completions";
        check("localhost:11434", local);
        check("http://localhost:11434/", local);
        check(
            "[::1]:8080",
            "https://[::1]:8080/v1/chat/completions"
                .replace("https", "http")
                .as_str(),
        );
        check(
            "https://generativelanguage.googleapis.com/v1beta/openai/",
            "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
        );
        check(
            "https://open.bigmodel.cn/api/paas/v4",
            "https://open.bigmodel.cn/api/paas/v4/chat/completions",
        );
        check(
            "https://openrouter.ai/api",
            "https://openrouter.ai/api/v1/chat/completions",
        );
        check(
            "https://api.perplexity.ai/chat/completions",
            "https://api.perplexity.ai/chat/completions",
        );
        check(
            "https://x.openai.azure.com/openai/deployments/gpt/?api-version=2024-10-21",
            "https://x.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21",
        );
        let address = Address::parse("https://a.b/v1/chat/completions?k=v").unwrap();
        assert_eq!(address.models, "https://a.b/v1/models?k=v");
        assert_eq!(address.origin, "https://a.b");
    }

    #[test]
    fn each_family_has_its_paths() {
        let check = |typed: &str, family: Family, chat: &str, models: &str| {
            assert_eq!(Address::family(typed), family, "{typed}");
            let address = Address::of(typed, family).unwrap();
            assert_eq!(
                (address.chat.as_str(), address.models.as_str()),
                (chat, models)
            );
        };
        for typed in [
            "https://api.anthropic.com",
            "api.anthropic.com/v1",
            "https://api.anthropic.com/v1/messages",
        ] {
            let base = "https://api.anthropic.com/v1";
            let (chat, models) = (format!("{base}/messages"), format!("{base}/models"));
            check(typed, Family::Anthropic, &chat, &models);
        }
        check(
            "https://api.deepseek.com/anthropic",
            Family::Anthropic,
            "https://api.deepseek.com/anthropic/v1/messages",
            "https://api.deepseek.com/anthropic/v1/models",
        );
        for typed in ["localhost:11434/api", "http://localhost:11434/api/chat/"] {
            let base = "http://localhost:11434/api";
            let (chat, models) = (format!("{base}/chat"), format!("{base}/tags"));
            check(typed, Family::Ollama, &chat, &models);
        }
        let ollama = Address::of("http://h:1", Family::Ollama).unwrap();
        assert_eq!(ollama.chat, "http://h:1/api/chat");
        for typed in [
            "localhost:11434",
            "https://openrouter.ai/api",
            "https://x/api/v1",
            "",
        ] {
            assert_eq!(Address::family(typed), Family::OpenAi, "{typed}");
        }
    }

    #[test]
    fn what_is_no_address_is_named() {
        let kind = |typed: &str| Address::parse(typed).unwrap_err().kind;
        assert_eq!(kind("  "), ModelErrorKind::NotConfigured);
        for typed in [
            "ftp://x",
            "https://",
            "https://:80",
            "https://a b",
            "https://u:p@h/v1",
        ] {
            assert_eq!(kind(typed), ModelErrorKind::WrongAddress, "{typed}");
        }
    }

    #[test]
    fn mixed_content_is_known_beforehand() {
        let mixed = |typed: &str, page: &str| Address::parse(typed).unwrap().is_mixed_content(page);
        assert!(mixed("http://192.168.1.5:8080", "https://assent.example"));
        assert!(!mixed("http://192.168.1.5:8080", "http://localhost:8080"));
        assert!(!mixed("http://localhost:11434", "https://assent.example"));
        assert!(!mixed("http://127.0.0.1:1", "https://assent.example"));
        assert!(!mixed("https://api.x", "https://assent.example"));
    }
}
