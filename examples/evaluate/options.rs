//! The command line.

use crate::http::Endpoint;
use assent::llm::Family;
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceName {
    Builtin,
    Noisy,
    Endpoint,
}

pub struct Options {
    pub source: SourceName,
    pub set: PathBuf,
    /// Folders whose schemas join the merged one.
    pub with: Vec<PathBuf>,
    pub json: Option<PathBuf>,
    pub linking: bool,
    /// Print every question with what came of it.
    pub log: bool,
    /// Of the endpoint.
    pub address: String,
    pub model: String,
    pub family: Option<Family>,
    /// The environment variable that holds the key.
    pub key_env: String,
}

const USAGE: &str = "usage: evaluate --source builtin|noisy|endpoint --set FOLDER [--json FILE] [--log] [--linking [--with FOLDER]…]
  of --source endpoint: --address URL --model NAME [--family openai|anthropic|ollama] [--key-env NAME]
  the key is read from the environment variable ASSENT_API_KEY, or from NAME; https addresses need curl";

impl Options {
    pub fn read(args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            source: SourceName::Builtin,
            set: PathBuf::new(),
            with: Vec::new(),
            json: None,
            linking: false,
            log: false,
            address: String::new(),
            model: String::new(),
            family: None,
            key_env: "ASSENT_API_KEY".to_owned(),
        };
        let mut args = args;
        while let Some(arg) = args.next() {
            let mut value = || {
                args.next()
                    .ok_or_else(|| format!("{arg} needs a value\n{USAGE}"))
            };
            match arg.as_str() {
                "--source" => {
                    options.source = match value()?.as_str() {
                        "builtin" => SourceName::Builtin,
                        "noisy" => SourceName::Noisy,
                        "endpoint" => SourceName::Endpoint,
                        other => return Err(format!("no source `{other}`\n{USAGE}")),
                    };
                }
                "--set" => options.set = value()?.into(),
                "--with" => options.with.push(value()?.into()),
                "--json" => options.json = Some(value()?.into()),
                "--address" => options.address = value()?,
                "--model" => options.model = value()?,
                "--key-env" => options.key_env = value()?,
                "--family" => {
                    options.family = Some(match value()?.as_str() {
                        "openai" => Family::OpenAi,
                        "anthropic" => Family::Anthropic,
                        "ollama" => Family::Ollama,
                        other => return Err(format!("no family `{other}`\n{USAGE}")),
                    });
                }
                "--help" => return Err(USAGE.to_owned()),
                "--linking" => options.linking = true,
                "--log" => options.log = true,
                other => return Err(format!("`{other}` is not an option\n{USAGE}")),
            }
        }
        if options.set.as_os_str().is_empty() {
            return Err(USAGE.to_owned());
        }
        Ok(options)
    }

    /// The endpoint that the options name. The key is read here and printed nowhere.
    pub fn endpoint(&self) -> Result<Endpoint, String> {
        if self.address.is_empty() || self.model.is_empty() {
            return Err(format!("give --address and --model\n{USAGE}"));
        }
        let key = std::env::var(&self.key_env).unwrap_or_default();
        Ok(Endpoint::new(&self.address, &self.model, self.family, key))
    }
}
