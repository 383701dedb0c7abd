//! Formatting, lints and native tests: what needs neither npm nor a browser.

use std::process::Command;

use crate::failure::Failure;
use crate::project::Project;
use crate::{setup, step};

const WASM: [&str; 2] = ["--target", "wasm32-unknown-unknown"];
const DENY: [&str; 3] = ["--", "-D", "warnings"];

pub fn run(project: &Project) -> Result<(), Failure> {
    setup::wasm_target(project)?;
    setup::components(project)?;
    step::run(
        "Formatting",
        project.cargo().args(["fmt", "--all", "--check"]),
        "run `cargo fmt --all`",
    )?;
    clippy(project, "native", &["--workspace", "--all-targets"])?;
    clippy(
        project,
        "page",
        &[
            &WASM[..],
            &["--no-default-features", "--lib", "--bin", "assent"],
        ]
        .concat(),
    )?;
    clippy(
        project,
        "worker and wasm tests",
        &[
            &WASM[..],
            &["--lib", "--bin", "engine", "--test", "browser"],
        ]
        .concat(),
    )?;
    step::run(
        "Native tests",
        project.cargo().args(["test", "--workspace", "--locked"]),
        "mend what failed above; `cargo test NAME` runs one test",
    )
}

fn clippy(project: &Project, name: &str, args: &[&str]) -> Result<(), Failure> {
    let mut command: Command = project.cargo();
    command.args(["clippy", "--locked"]).args(args).args(DENY);
    step::run(
        &format!("Lints: {name}"),
        &mut command,
        "mend the warnings above",
    )
}
