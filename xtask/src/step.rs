//! Running commands with a line before, a line after and the time in between.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::failure::Failure;

/// Runs a command that prints for itself.
pub fn run(title: &str, command: &mut Command, next: &str) -> Result<(), Failure> {
    println!("• {title}");
    #[expect(clippy::disallowed_methods, reason = "says how long a step took")]
    let start = Instant::now();
    let status = command
        .status()
        .map_err(|error| not_started(command, &error, next))?;
    if !status.success() {
        return Err(Failure::new(
            format!("{title}: `{}` failed ({status})", line(command)),
            next,
        ));
    }
    println!("  done in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// What a command prints, where it starts and succeeds.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command
        .stderr(Stdio::null())
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())?;
    Some(text)
}

pub fn not_started(command: &Command, error: &std::io::Error, next: &str) -> Failure {
    Failure::new(format!("`{}` did not start: {error}", line(command)), next)
}

fn line(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program())
        .file_stem()
        .unwrap_or(command.get_program());
    std::iter::once(program)
        .chain(command.get_args())
        .map(|part| part.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
