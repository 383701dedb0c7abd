//! Where the project and the tools' folders are, and the environment that every command gets.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;

pub struct Project {
    pub root: PathBuf,
    /// Where cargo builds.
    pub target: PathBuf,
    /// Where `cargo install` puts programs.
    pub tool_bin: PathBuf,
    /// Notes of finished set-up steps, so that a second run starts in seconds.
    pub stamps: PathBuf,
    path: OsString,
}

impl Project {
    pub fn find() -> Result<Self, Failure> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.parent().unwrap_or(manifest).to_path_buf();
        let root = if root.join("Trunk.toml").exists() {
            root
        } else {
            env::current_dir().map_err(|error| {
                Failure::new(
                    format!("the current folder cannot be read: {error}"),
                    "change to the project's folder and run it again",
                )
            })?
        };
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |dir| root.join(dir));
        let tool_bin = tool_root()?.join("bin");
        let path = search_path(&root, &tool_bin)?;
        Ok(Self {
            stamps: target.join("xtask-stamps"),
            target,
            root,
            tool_bin,
            path,
        })
    }

    /// A command in the project's folder that finds cargo's and npm's programs first.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.program(program));
        command.current_dir(&self.root).env("PATH", &self.path);
        command
    }

    pub fn cargo(&self) -> Command {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut command = Command::new(cargo);
        command.current_dir(&self.root).env("PATH", &self.path);
        command
    }

    /// The full path of a program on the search path, where there is one.
    pub fn which(&self, program: &str) -> Option<PathBuf> {
        env::split_paths(&self.path)
            .flat_map(|dir| program_names(program).map(move |name| dir.join(name)))
            .find(|file| file.is_file())
    }

    fn program(&self, program: &str) -> PathBuf {
        self.which(program)
            .unwrap_or_else(|| PathBuf::from(program))
    }

    /// Whether the step was done with exactly this input before.
    pub fn is_stamped(&self, name: &str, input: &[u8]) -> bool {
        fs::read(self.stamps.join(name)).is_ok_and(|done| done == input)
    }

    /// Notes that the step is done. Not being able to note it only costs time later.
    pub fn stamp(&self, name: &str, input: &[u8]) {
        if fs::create_dir_all(&self.stamps)
            .and_then(|()| fs::write(self.stamps.join(name), input))
            .is_err()
        {
            eprintln!(
                "note: {} cannot be written, so the next run repeats this step",
                self.stamps.display()
            );
        }
    }

    pub fn read(&self, file: &str) -> Result<Vec<u8>, Failure> {
        fs::read(self.root.join(file)).map_err(|error| {
            Failure::new(
                format!("{file} cannot be read: {error}"),
                "restore it, for example with `git checkout` of that file",
            )
        })
    }
}

fn program_names(program: &str) -> impl Iterator<Item = String> {
    let endings: &[&str] = if cfg!(windows) {
        &[".exe", ".cmd", ""]
    } else {
        &[""]
    };
    endings
        .iter()
        .map(move |ending| format!("{program}{ending}"))
}

fn tool_root() -> Result<PathBuf, Failure> {
    ["CARGO_INSTALL_ROOT", "CARGO_HOME"]
        .into_iter()
        .find_map(env::var_os)
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
        .ok_or_else(|| {
            Failure::new(
                "the folder of cargo's programs is not known",
                "set CARGO_HOME to a folder that you may write to, and run it again",
            )
        })
}

fn search_path(root: &Path, tool_bin: &Path) -> Result<OsString, Failure> {
    let own = [
        root.join("node_modules").join(".bin"),
        tool_bin.to_path_buf(),
    ];
    let inherited = env::var_os("PATH").unwrap_or_default();
    env::join_paths(own.into_iter().chain(env::split_paths(&inherited))).map_err(|error| {
        Failure::new(
            format!("the search path for programs cannot be made: {error}"),
            "move the project to a folder without `:`, `;` or quotes in its path",
        )
    })
}
