//! The command-line tools that `cargo install` provides, at exactly the versions the project needs.

use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::project::Project;
use crate::step;

pub const TRUNK_VERSION: &str = "0.21.14";

struct Tool {
    package: &'static str,
    /// Every program of the package that the project uses.
    programs: &'static [&'static str],
    version: String,
}

pub fn install(project: &Project) -> Result<(), Failure> {
    let lock = project.read("Cargo.lock")?;
    let tools = [
        Tool {
            package: "wasm-bindgen-cli",
            programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
            version: locked_version(&String::from_utf8_lossy(&lock), "wasm-bindgen")?,
        },
        Tool {
            package: "trunk",
            programs: &["trunk"],
            version: TRUNK_VERSION.to_owned(),
        },
    ];
    tools.iter().try_for_each(|tool| install_one(project, tool))
}

fn install_one(project: &Project, tool: &Tool) -> Result<(), Failure> {
    let found: Vec<Option<String>> = tool
        .programs
        .iter()
        .map(|program| version(project, program))
        .collect();
    if found
        .iter()
        .all(|found| found.as_deref() == Some(&tool.version))
    {
        return Ok(());
    }
    if let Some(other) = found.iter().flatten().find(|found| **found != tool.version) {
        println!(
            "• {} {other} is installed and the project needs {}: that one goes to {}, where it replaces another version of itself",
            tool.package,
            tool.version,
            project.tool_bin.display(),
        );
    }
    let by_hand = format!(
        "cargo install {} --version {} --locked --force",
        tool.package, tool.version
    );
    let next = format!(
        "read the lines above; when the network is there, try `{by_hand}`, then run this again"
    );
    let mut command = project.cargo();
    command.args([
        "install",
        tool.package,
        "--version",
        &tool.version,
        "--locked",
        "--force",
    ]);
    let title = format!(
        "Installing {} {} (once; this takes some minutes)",
        tool.package, tool.version
    );
    step::run(&title, &mut command, &next)?;
    for program in tool.programs {
        let now = version(project, program);
        if now.as_deref() != Some(&tool.version) {
            return Err(Failure::new(
                format!(
                    "{program} is {} after installing {} {}",
                    now.as_deref().unwrap_or("not found"),
                    tool.package,
                    tool.version
                ),
                format!(
                    "see where `{by_hand}` puts its programs; set CARGO_INSTALL_ROOT to that folder's parent"
                ),
            ));
        }
    }
    Ok(())
}

/// The version of a program: the one among cargo's tools, or else the one on the search path.
fn version(project: &Project, program: &str) -> Option<String> {
    let own = project
        .tool_bin
        .join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    let file = if own.is_file() {
        own
    } else {
        project.which(program)?
    };
    version_of(&file)
}

fn version_of(file: &Path) -> Option<String> {
    let text = step::output(Command::new(file).arg("--version").env_remove("NO_COLOR"))?;
    text.split_whitespace().nth(1).map(str::to_owned)
}

fn locked_version(lock: &str, package: &str) -> Result<String, Failure> {
    let name = format!("name = \"{package}\"");
    lock.lines()
        .skip_while(|line| *line != name)
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \""))
        .and_then(|rest| rest.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| {
            Failure::new(
                format!("Cargo.lock names no version of {package}"),
                "restore Cargo.lock, for example with `git checkout Cargo.lock`",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::locked_version;

    #[test]
    fn the_locked_version_is_of_exactly_that_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.129\"\n";
        assert_eq!(
            locked_version(lock, "wasm-bindgen").ok().as_deref(),
            Some("0.2.129")
        );
        assert!(locked_version(lock, "trunk").is_err());
    }
}
