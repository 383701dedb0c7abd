//! Runs the evaluation over a folder of questions. The runner is an example of the package; this only
//! builds it, optimised enough, and passes the options on.

use crate::failure::Failure;
use crate::project::Project;
use crate::step;

pub fn run(project: &Project, options: &[String]) -> Result<(), Failure> {
    step::run(
        "Evaluation",
        project
            .cargo()
            .args(["run", "--locked", "--quiet", "--profile", "evaluate"])
            .args(["--package", "assent", "--example", "evaluate", "--"])
            .args(options),
        "give `--source builtin|noisy|endpoint --set FOLDER`, where FOLDER holds questions.jsonl and its databases",
    )
}
