//! Builds the page with Trunk and serves it.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::failure::Failure;
use crate::project::Project;
use crate::{setup, step};

const PORT: u16 = 8080;
const READY_POLL: Duration = Duration::from_millis(200);

pub fn port(args: &[String]) -> Result<u16, Failure> {
    let next = "write `cargo xtask serve --port 8081`, with a number from 1 to 65535";
    match args {
        [] => Ok(PORT),
        [flag, number] if flag == "--port" => number
            .parse()
            .ok()
            .filter(|port| *port != 0)
            .ok_or_else(|| Failure::new(format!("`{number}` is not a port"), next)),
        _ => Err(Failure::new(
            format!("`{}` is not understood", args.join(" ")),
            next,
        )),
    }
}

pub fn run(project: &Project, port: u16) -> Result<(), Failure> {
    if let Err(error) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        return Err(Failure::new(
            format!("port {port} of 127.0.0.1 cannot be used: {error}"),
            "stop the program that uses it, or choose another: `cargo xtask serve --port 8081`",
        ));
    }
    setup::all(project)?;
    thread::spawn(move || announce(port));
    let mut command = trunk(project);
    // The code changes under the page: nothing of it is kept in the browser.
    command.env("ASSENT_OFFLINE", "false");
    command.args([
        "serve",
        "--release",
        "--address",
        "127.0.0.1",
        "--port",
        &port.to_string(),
    ]);
    step::run(
        "Building the page (the first build takes some minutes, then seconds)",
        &mut command,
        "read the lines above; `cargo xtask check` shows the compiler's messages alone",
    )
}

/// Builds the release page into `dist`.
pub fn build(project: &Project) -> Result<(), Failure> {
    let mut command = trunk(project);
    command.args(["build", "--release"]);
    step::run(
        "Building the release page",
        &mut command,
        "read the lines above; `cargo xtask check` shows the compiler's messages alone",
    )
}

fn trunk(project: &Project) -> Command {
    let mut command = project.command("trunk");
    // Trunk takes `true` or `false` here and refuses the usual `1`.
    command.env_remove("NO_COLOR");
    command
}

fn announce(port: u16) {
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        #[expect(
            clippy::disallowed_methods,
            reason = "Trunk does not say when it listens"
        )]
        thread::sleep(READY_POLL);
    }
    println!(
        "\nAssent is at http://127.0.0.1:{port}/ (Ctrl+C stops it; a change of the code builds again)\n"
    );
}
