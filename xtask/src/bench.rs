//! First-load sizes against their budget, then the criterion benches.

use crate::failure::Failure;
use crate::project::Project;
use crate::{browser, serve, setup, step};

/// What `bench engine` is asked for.
struct Options {
    megabytes: u32,
    rounds: u32,
    /// A database that is made once and then used again; empty for one that is not kept.
    file: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            megabytes: 200,
            rounds: 3,
            file: String::new(),
        }
    }
}

impl Options {
    fn parse(args: &[String]) -> Result<Self, Failure> {
        let mut options = Self::default();
        let usage = || {
            Failure::new(
                format!("`{}` is not understood", args.join(" ")),
                "give `bench engine [--size MEGABYTES] [--rounds N] [--file PATH]`; 10000 megabytes need as much room for temporary files",
            )
        };
        let mut rest = args.iter();
        while let Some(name) = rest.next() {
            let value = rest.next().ok_or_else(usage)?;
            let number = value.parse().ok().filter(|n: &u32| *n > 0);
            match name.as_str() {
                "--size" => options.megabytes = number.ok_or_else(usage)?,
                "--rounds" => options.rounds = number.ok_or_else(usage)?,
                "--file" => options.file.clone_from(value),
                _ => return Err(usage()),
            }
        }
        Ok(options)
    }
}

/// The worker in Chromium beside other builds of SQLite.
pub fn engine(project: &Project, args: &[String]) -> Result<(), Failure> {
    let options = Options::parse(args)?;
    setup::all(project)?;
    let chromium = browser::find_or_install(project)?;
    serve::build(project)?;
    let native = project
        .target
        .join("release/examples")
        .join(format!("engine_bench{}", std::env::consts::EXE_SUFFIX));
    step::run(
        "Building the native side",
        project.cargo().args([
            "build",
            "--locked",
            "--release",
            "--package",
            "assent",
            "--example",
            "engine_bench",
        ]),
        "mend the errors above; the program is examples/engine_bench.rs",
    )?;
    step::run(
        "Engine bench",
        project
            .command("node")
            .arg("xtask/engine-bench.mjs")
            .arg(&native)
            .arg(options.megabytes.to_string())
            .arg(options.rounds.to_string())
            .arg(&options.file)
            .env(browser::VARIABLE, &chromium),
        "read the lines above; the script is xtask/engine-bench.mjs",
    )
}

pub fn run(project: &Project) -> Result<(), Failure> {
    setup::all(project)?;
    serve::build(project)?;
    let sizes = first_load(project);
    step::run(
        "Benches",
        project
            .cargo()
            .args(["bench", "--locked", "--package", "assent"]),
        "read the lines above; `cargo bench --bench NAME` runs one of them",
    )?;
    let chromium = browser::find_or_install(project)?;
    step::run(
        "Decoding and drawing in the page",
        project
            .command("node")
            .args(["node_modules/@playwright/test/cli.js", "test"])
            .args(["--config", "benches/page/playwright.config.ts"])
            .env(browser::VARIABLE, &chromium),
        "read the figures above; the benches are in benches/page",
    )?;
    sizes
}

/// What the release page in `dist` weighs, against its budget.
pub fn first_load(project: &Project) -> Result<(), Failure> {
    step::run(
        "Measuring the first load",
        project.command("node").arg("xtask/first-load.mjs"),
        "see which file grew in the table above; the page must not link what only the driver or the worker needs",
    )
}
