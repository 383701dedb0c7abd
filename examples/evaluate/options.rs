//! The command line.

use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceName {
    Builtin,
    Noisy,
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
}

const USAGE: &str = "usage: evaluate --source builtin|noisy --set FOLDER [--json FILE] [--log] [--linking [--with FOLDER]…]";

impl Options {
    pub fn read(args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            source: SourceName::Builtin,
            set: PathBuf::new(),
            with: Vec::new(),
            json: None,
            linking: false,
            log: false,
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
                        other => return Err(format!("no source `{other}`\n{USAGE}")),
                    };
                }
                "--set" => options.set = value()?.into(),
                "--with" => options.with.push(value()?.into()),
                "--json" => options.json = Some(value()?.into()),
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
}
