//! Runs a source over a set of questions on real SQLite, with the same kernel and guard as the app,
//! and tells how often the rows are right. See `cargo xtask eval`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::cast_precision_loss,
    reason = "a measuring tool, run natively on data that was prepared for it: a panic names what is wrong with it"
)]

#[cfg(not(target_arch = "wasm32"))]
#[path = "../../tests/support/native.rs"]
mod native;

#[cfg(not(target_arch = "wasm32"))]
mod compare;
#[cfg(not(target_arch = "wasm32"))]
mod desk;
#[cfg(not(target_arch = "wasm32"))]
mod endpoint;
#[cfg(not(target_arch = "wasm32"))]
mod http;
#[cfg(not(target_arch = "wasm32"))]
mod linking;
#[cfg(not(target_arch = "wasm32"))]
mod noisy;
#[cfg(not(target_arch = "wasm32"))]
mod options;
#[cfg(not(target_arch = "wasm32"))]
mod report;
#[cfg(not(target_arch = "wasm32"))]
mod set;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use options::{Options, SourceName};

    let options = Options::read(std::env::args().skip(1))?;
    let set = set::Set::read(&options.set)?;
    if options.linking {
        let mut others = Vec::new();
        for folder in &options.with {
            others.push(set::Set::read(folder)?);
        }
        linking::run(&set, &others);
        return Ok(());
    }
    let outcomes = match options.source {
        SourceName::Builtin => desk::run_all(&set, |question, database| {
            Box::new(desk::Builtin::new(question, database))
        }),
        SourceName::Endpoint => {
            let model = endpoint::Model::new(options.endpoint()?);
            desk::run_all(&set, |_, _| Box::new(model.clone()))
        }
        SourceName::Noisy => desk::run_all(&set, |question, database| {
            Box::new(noisy::Noisy::new(question, database))
        }),
    };
    report::print(&outcomes, options.log);
    if options.source == SourceName::Noisy {
        report::print_breaks(&outcomes);
    }
    if let Some(path) = options.json {
        report::write(&outcomes, &path)?;
    }
    Ok(())
}

#[cfg(target_arch = "wasm32")]
fn main() {}
