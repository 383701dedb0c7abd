//! First-load sizes against their budget, then the criterion benches.

use crate::failure::Failure;
use crate::project::Project;
use crate::{serve, setup, step};

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
