//! Finds a Chromium to test with.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::project::Project;
use crate::step;

pub const VARIABLE: &str = "ASSENT_CHROMIUM";

const NAMES: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge",
];
const PLACES: [&str; 6] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/snap/bin/chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
];
/// Inside a `chromium-…` folder of Playwright's cache.
const PLAYWRIGHT_PLACES: [&str; 7] = [
    "chrome-linux/chrome",
    "chrome-linux64/chrome",
    "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "chrome-win/chrome.exe",
    "chrome-win64/chrome.exe",
];

/// A Chromium that is there, or that Debian's package manager installs.
pub fn find_or_install(project: &Project) -> Result<PathBuf, Failure> {
    if let Some(named) = env::var_os(VARIABLE) {
        let named = PathBuf::from(named);
        return if named.is_file() {
            Ok(named)
        } else {
            Err(Failure::new(
                format!(
                    "{VARIABLE} is {}, and there is no such file",
                    named.display()
                ),
                format!("set {VARIABLE} to the full path of a Chromium, or unset it"),
            ))
        };
    }
    if let Some(found) = find(project) {
        return Ok(found);
    }
    if is_debian_root(project) {
        install_on_debian(project)?;
    }
    find(project).ok_or_else(|| {
        Failure::new(
            "no Chromium was found",
            format!(
                "install Chromium or Chrome, or run `npx playwright install chromium`, or set {VARIABLE} to the full path of one; then run this again"
            ),
        )
    })
}

fn find(project: &Project) -> Option<PathBuf> {
    NAMES
        .iter()
        .find_map(|name| project.which(name))
        .or_else(|| {
            PLACES
                .iter()
                .map(PathBuf::from)
                .find(|place| place.is_file())
        })
        .or_else(|| {
            playwright_caches()
                .iter()
                .find_map(|cache| newest_of_playwright(cache))
        })
}

fn playwright_caches() -> Vec<PathBuf> {
    let home = env::home_dir();
    let of_home = |path: &str| home.as_ref().map(|home| home.join(path));
    [
        env::var_os("PLAYWRIGHT_BROWSERS_PATH").map(PathBuf::from),
        of_home(".cache/ms-playwright"),
        of_home("Library/Caches/ms-playwright"),
        env::var_os("LOCALAPPDATA").map(|local| PathBuf::from(local).join("ms-playwright")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn newest_of_playwright(cache: &Path) -> Option<PathBuf> {
    let mut builds: Vec<(u32, PathBuf)> = fs::read_dir(cache)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let build = entry
                .file_name()
                .to_str()?
                .strip_prefix("chromium-")?
                .parse()
                .ok()?;
            Some((build, entry.path()))
        })
        .collect();
    builds.sort();
    builds
        .iter()
        .rev()
        .flat_map(|(_, folder)| PLAYWRIGHT_PLACES.iter().map(|place| folder.join(place)))
        .find(|file| file.is_file())
}

fn is_debian_root(project: &Project) -> bool {
    Path::new("/etc/debian_version").exists()
        && project.which("apt-get").is_some()
        && step::output(project.command("id").arg("-u")).as_deref() == Some("0")
}

fn install_on_debian(project: &Project) -> Result<(), Failure> {
    let next = format!(
        "check the network and the package sources, or set {VARIABLE} to a Chromium that you have"
    );
    step::run(
        "Reading Debian's package lists",
        project.command("apt-get").args(["update", "-qq"]),
        &next,
    )?;
    step::run(
        "Installing Debian's Chromium",
        project
            .command("apt-get")
            .args([
                "install",
                "-y",
                "-qq",
                "--no-install-recommends",
                "chromium",
            ])
            .env("DEBIAN_FRONTEND", "noninteractive"),
        &next,
    )
}
