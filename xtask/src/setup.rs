//! Installs what is missing. Every step is skipped when it has nothing to do.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::project::Project;
use crate::{step, tools};

const NODE_MAJOR_MIN: u32 = 20;
const SAMPLE: &str = "public/sample/shop.db";
const SAMPLE_SCRIPTS: [&str; 5] = [
    "public/sample/make.mjs",
    "public/sample/names.mjs",
    "public/sample/random.mjs",
    "public/sample/rows.mjs",
    "public/sample/schema.mjs",
];

/// Everything that a build of the page needs.
pub fn all(project: &Project) -> Result<(), Failure> {
    wasm_target(project)?;
    npm_packages(project)?;
    sample(project)?;
    tools::install(project)?;
    crates(project)
}

pub fn wasm_target(project: &Project) -> Result<(), Failure> {
    let directory = step::output(project.command("rustc").args([
        "--print",
        "target-libdir",
        "--target",
        "wasm32-unknown-unknown",
    ]))
    .map(PathBuf::from);
    if directory.is_some_and(|directory| directory.is_dir()) {
        return Ok(());
    }
    step::run(
        "Adding the wasm32-unknown-unknown target to Rust",
        project
            .command("rustup")
            .args(["target", "add", "wasm32-unknown-unknown"]),
        "install rustup from https://rustup.rs (or your system's wasm32-unknown-unknown library for Rust), then run this again",
    )
}

/// Formatter and linter, which rustup's minimal profile leaves out.
pub fn components(project: &Project) -> Result<(), Failure> {
    let has = |tool: &str| step::output(project.cargo().args([tool, "--version"])).is_some();
    if has("fmt") && has("clippy") {
        return Ok(());
    }
    step::run(
        "Adding rustfmt and clippy to Rust",
        project
            .command("rustup")
            .args(["component", "add", "rustfmt", "clippy"]),
        "install rustfmt and clippy for your Rust, for example with rustup from https://rustup.rs, then run this again",
    )
}

/// The npm packages of the lock file, after looking for a Node that can use them.
pub fn npm_packages(project: &Project) -> Result<(), Failure> {
    node(project)?;
    let lock = project.read("package-lock.json")?;
    if project
        .root
        .join("node_modules/.package-lock.json")
        .exists()
        && project.is_stamped("npm", &lock)
    {
        return Ok(());
    }
    step::run(
        "Installing the npm packages of package-lock.json",
        project
            .command("npm")
            .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"),
        "check the network and npm's registry setting (`npm config get registry`), then run this again",
    )?;
    project.stamp("npm", &lock);
    Ok(())
}

fn node(project: &Project) -> Result<(), Failure> {
    let next = format!(
        "install Node {NODE_MAJOR_MIN} or newer with npm, from https://nodejs.org or your package manager, then run this again"
    );
    let Some(version) = step::output(project.command("node").arg("--version")) else {
        return Err(Failure::new("Node is not installed", next));
    };
    if major(&version).is_none_or(|major| major < NODE_MAJOR_MIN) {
        return Err(Failure::new(
            format!("Node is {version}, which is too old"),
            next,
        ));
    }
    if project.which("npm").is_none() {
        return Err(Failure::new("npm is not installed", next));
    }
    Ok(())
}

fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

fn sample(project: &Project) -> Result<(), Failure> {
    let scripts = sample_input(project)?;
    if project.root.join(SAMPLE).exists() && project.is_stamped("sample", &scripts) {
        return Ok(());
    }
    make_sample(project)
}

pub fn make_sample(project: &Project) -> Result<(), Failure> {
    step::run(
        "Making the sample database",
        project.command("node").arg(SAMPLE_SCRIPTS[0]),
        "read the lines above; the scripts are in public/sample",
    )?;
    project.stamp("sample", &sample_input(project)?);
    Ok(())
}

fn sample_input(project: &Project) -> Result<Vec<u8>, Failure> {
    let mut input = project.read("package-lock.json")?;
    for script in SAMPLE_SCRIPTS {
        input.extend(project.read(script)?);
    }
    Ok(input)
}

/// Fetches the crates, because Trunk builds offline.
fn crates(project: &Project) -> Result<(), Failure> {
    let lock = project.read("Cargo.lock")?;
    if project.is_stamped("crates", &lock) {
        return Ok(());
    }
    step::run(
        "Fetching the crates of Cargo.lock",
        project.cargo().args(["fetch", "--locked"]),
        "check the network; if Cargo.lock is said to be out of date, run `cargo update --workspace`, then run this again",
    )?;
    project.stamp("crates", &lock);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn node_versions_are_read() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("20.20.2"), None);
        assert_eq!(major(""), None);
    }
}
