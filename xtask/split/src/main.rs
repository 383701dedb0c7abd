//! Trunk's `post_build` hook. Cuts the page's wasm in two, along the functions that are marked with
//! `wasm_split`: what shows the page, and the driver, which comes with the first need of it. Trunk knows
//! of no such cut; this replaces what Trunk made of the page with the same files of the cut one.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the library calls the script that loads the parts.
const LOADER: &str = "__wasm_split.js";

/// The same features that index.html names for Trunk.
const FEATURES: [&str; 7] = [
    "-Oz",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let dist = PathBuf::from(variable("TRUNK_STAGING_DIR")?);
    let release = variable("TRUNK_PROFILE")? == "release";
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    let linked = target
        .join("wasm32-unknown-unknown")
        .join(if release { "release" } else { "debug" })
        .join("assent.wasm");
    let parts = target.join("split");
    let page = Page {
        name: page_name(&dist)?,
        dist,
    };
    page.cut(&linked, &parts)?;
    page.bind(&parts)?;
    page.rename_parts(&parts)?;
    if release {
        page.optimise()?;
    }
    Ok(())
}

fn variable(name: &str) -> Result<String, Failure> {
    env::var(name).map_err(|_| format!("{name} is not set: Trunk runs this, see Trunk.toml").into())
}

/// The name that Trunk gave the page's files, `assent-` and a hash of what it was built from.
fn page_name(dist: &Path) -> Result<String, Failure> {
    let html = fs::read_to_string(dist.join("index.html"))?;
    let (_, rest) = html
        .split_once("data-js=\"")
        .ok_or("index.html names no data-js: see pattern_script in Trunk.toml")?;
    let address = rest.split('"').next().unwrap_or_default();
    let file = address.rsplit('/').next().unwrap_or_default();
    let name = file
        .strip_suffix(".js")
        .ok_or_else(|| format!("`{file}` is not a script"))?;
    Ok(name.to_owned())
}

struct Page {
    dist: PathBuf,
    name: String,
}

impl Page {
    fn wasm(&self) -> PathBuf {
        self.dist.join(format!("{}_bg.wasm", self.name))
    }

    fn driver(&self) -> PathBuf {
        self.dist.join(format!("{}_driver.wasm", self.name))
    }

    fn cut(&self, linked: &Path, parts: &Path) -> Result<(), Failure> {
        let wasm = fs::read(linked).map_err(|e| format!("{}: {e}", linked.display()))?;
        if parts.exists() {
            fs::remove_dir_all(parts)?;
        }
        let page = parts.join(format!("{}.wasm", self.name));
        let script = format!("./{}.js", self.name);
        let mut options = wasm_split_cli_support::Options::new(&wasm);
        options.output_dir = parts;
        options.main_out_path = &page;
        options.main_module = &script;
        let made = wasm_split_cli_support::transform(options)?.split_modules;
        match made.as_slice() {
            [_] => Ok(()),
            _ => Err(format!("expected one part beside the page, got {made:?}").into()),
        }
    }

    /// The functions that the parts share are exported by the page, and have to stay so.
    fn bind(&self, parts: &Path) -> Result<(), Failure> {
        run(Command::new("wasm-bindgen")
            .arg(parts.join(format!("{}.wasm", self.name)))
            .args(["--target", "web", "--no-typescript", "--keep-lld-exports"])
            .args(["--out-name", &self.name])
            .arg("--out-dir")
            .arg(&self.dist))
    }

    /// Gives the parts the page's name and its hash, so that a browser never joins two builds.
    fn rename_parts(&self, parts: &Path) -> Result<(), Failure> {
        let driver = "split_driver.wasm";
        fs::copy(parts.join(driver), self.driver())?;
        let loader = format!("{}_parts.js", self.name);
        let text = fs::read_to_string(parts.join(LOADER))?;
        let text = replaced(&text, driver, &format!("{}_driver.wasm", self.name))?;
        fs::write(self.dist.join(&loader), text)?;
        let script = self.dist.join(format!("{}.js", self.name));
        let text = fs::read_to_string(&script)?;
        // The address only: the wasm imports from the module by the name that it had when it was cut.
        let [from, to] = [LOADER, &loader].map(|file| format!("from \"./{file}\""));
        fs::write(&script, replaced(&text, &from, &to)?)?;
        Ok(())
    }

    fn optimise(&self) -> Result<(), Failure> {
        for file in [self.wasm(), self.driver()] {
            run(Command::new("wasm-opt")
                .args(FEATURES)
                .arg(&file)
                .arg("-o")
                .arg(&file))?;
        }
        Ok(())
    }
}

fn replaced(text: &str, from: &str, to: &str) -> Result<String, Failure> {
    if text.contains(from) {
        Ok(text.replace(from, to))
    } else {
        Err(format!("`{from}` is not named where it was expected").into())
    }
}

fn run(command: &mut Command) -> Result<(), Failure> {
    let program = command.get_program().display().to_string();
    let status = command
        .status()
        .map_err(|e| format!("{program} could not be started: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{program} failed: {status}").into())
    }
}
