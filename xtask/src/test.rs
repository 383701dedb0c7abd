//! Every check and test, from formatting to end-to-end.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::failure::Failure;
use crate::project::Project;
use crate::{bench, browser, check, serve, setup, step};

/// Built before it is first run, so that no test waits for a compiler. The flags are those of
/// tests/e2e/native.ts.
const NATIVE_QUERY: [&str; 8] = [
    "build",
    "--locked",
    "--profile",
    "test",
    "--package",
    "assent",
    "--example",
    "native_query",
];

pub fn run(project: &Project) -> Result<(), Failure> {
    setup::all(project)?;
    let chromium = browser::find_or_install(project)?;
    println!("• Browser: {}", chromium.display());
    check::run(project)?;
    wasm(project, &chromium)?;
    serve::build(project)?;
    bench::first_load(project)?;
    step::run(
        "Building the native query that end-to-end tests compare with",
        project.cargo().args(NATIVE_QUERY),
        "mend the errors above; the program is examples/native_query.rs",
    )?;
    step::run(
        "End-to-end tests",
        project
            .command("node")
            .args(["node_modules/@playwright/test/cli.js", "test"])
            .env(browser::VARIABLE, &chromium),
        "mend what failed above; `npx playwright test -g NAME` runs one test, and test-results/ has a trace of each failure",
    )?;
    println!("\nEverything passed.");
    Ok(())
}

/// Runs tests/browser.rs in the browser. The runner of wasm-bindgen only serves the page, so that no
/// WebDriver is needed; a Playwright script opens it and reads the result.
fn wasm(project: &Project, chromium: &Path) -> Result<(), Failure> {
    let file = build_wasm_tests(project)?;
    let port = free_port()?;
    let address = format!("127.0.0.1:{port}");
    let mut command = project.command("wasm-bindgen-test-runner");
    command
        .arg(&file)
        .env("NO_HEADLESS", "1")
        .env("WASM_BINDGEN_TEST_ADDRESS", &address)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let next = "read the lines above; `cargo xtask test` installs the runner at the right version";
    let mut runner = Runner::start(&mut command, next)?;
    if !runner.is_serving() {
        return Err(Failure::new(
            "the wasm test runner stopped before it served the tests",
            next,
        ));
    }
    step::run(
        "Wasm tests",
        project
            .command("node")
            .args(["tests/wasm-page.mjs", &format!("http://{address}/")])
            .env(browser::VARIABLE, chromium),
        "mend what failed above; the tests are in tests/browser.rs",
    )
}

fn build_wasm_tests(project: &Project) -> Result<String, Failure> {
    let next = "mend the errors above; the tests are in tests/browser.rs";
    println!("• Building the wasm tests");
    let mut command = project.cargo();
    command
        .args([
            "test",
            "--locked",
            "--no-run",
            "--target",
            "wasm32-unknown-unknown",
            "--test",
            "browser",
        ])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit());
    let output = command
        .output()
        .map_err(|error| step::not_started(&command, &error, next))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    output
        .status
        .success()
        .then(|| messages.lines().filter_map(executable).next_back())
        .flatten()
        .ok_or_else(|| Failure::new("the wasm tests do not build", next))
}

/// The `executable` of one of cargo's JSON messages, where it is a test. Cargo also builds the bins.
fn executable(message: &str) -> Option<String> {
    message.contains(r#""kind":["test"]"#).then_some(())?;
    let (_, rest) = message.split_once(r#""executable":""#)?;
    let (path, _) = rest.split_once('"')?;
    Some(path.replace(r"\\", r"\"))
}

fn free_port() -> Result<u16, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|error| {
            Failure::new(
                format!("no port of 127.0.0.1 is free: {error}"),
                "allow this program to listen on 127.0.0.1, then run it again",
            )
        })
}

/// The serving runner, which is stopped when this goes out of scope.
struct Runner {
    child: Child,
    lines: Option<BufReader<ChildStdout>>,
}

impl Runner {
    fn start(command: &mut Command, next: &str) -> Result<Self, Failure> {
        let mut child = command
            .spawn()
            .map_err(|error| step::not_started(command, &error, next))?;
        let lines = child.stdout.take().map(BufReader::new);
        Ok(Self { child, lines })
    }

    fn is_serving(&mut self) -> bool {
        self.lines.as_mut().is_some_and(|lines| {
            lines
                .lines()
                .map_while(Result::ok)
                .any(|line| line.contains("available at"))
        })
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        if self.child.kill().and_then(|()| self.child.wait()).is_err() {
            eprintln!(
                "note: the wasm test runner may still run (process {})",
                self.child.id()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::executable;

    #[test]
    fn executables_are_read_from_cargo_messages() {
        let message =
            r#"{"target":{"kind":["test"]},"executable":"C:\\a\\browser.wasm","fresh":true}"#;
        assert_eq!(executable(message).as_deref(), Some(r"C:\a\browser.wasm"));
        assert_eq!(
            executable(r#"{"target":{"kind":["bin"]},"executable":"a.wasm"}"#),
            None
        );
        assert_eq!(
            executable(r#"{"target":{"kind":["test"]},"executable":null}"#),
            None
        );
    }
}
