//! First-load sizes against their budget, then the criterion benches.

use crate::failure::Failure;
use crate::project::Project;
use crate::{browser, serve, setup, step};

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
        "Decoding in the page",
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
