//! What a reader may rely on everywhere in the checkout: who knows whom, how long a file is, where colours and
//! versions stand, what the documents name. Every failure says file, line and what to do.

mod source;

use source::{Source, crate_paths, files, functions, is_word, line, read, rust};
use std::collections::BTreeSet;

/// The most lines of a file, and of a function, without tests.
const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;

/// Files and functions that are longer, with the length that they may not pass. Remove a line when its file
/// is short enough.
const LONG_FILES: &[(&str, usize)] = &[];
const LONG_FUNCTIONS: &[(&str, &str)] = &[
    ("src/ui/composer.rs", "Composer"),
    ("src/ui/question.rs", "QuestionField"),
];

/// What each part may know of the others. A path stands for itself and everything below it.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("transcript", &[]),
    ("sql", &[]),
    ("settings", &["llm::Family"]),
    (
        "engine",
        &[
            // The worker runs the translator; its turns travel as the loop's own types.
            "builtin::Translator",
            "builtin::respond",
            "builtin::suggest",
            "link::names",
            // The hint on a card goes by a column's name.
            "link::sensitive",
            "link::values",
            "llm::Turn",
            "settings::Language",
            "sql",
            "transcript::Message",
        ],
    ),
    ("link", &["sql"]),
    (
        "builtin",
        &[
            "link",
            "llm::FinishReason",
            "llm::Turn",
            "settings::Language",
            "sql",
            "transcript",
        ],
    ),
    ("llm", &["transcript"]),
    (
        "tools",
        &[
            "agent::limits",
            "agent::questions",
            "agent::record",
            "llm::ToolSpec",
            "settings",
            "sql",
            "transcript",
        ],
    ),
    (
        "prompt",
        &[
            "agent::limits",
            "agent::record",
            "settings",
            "sql",
            "tools",
            "transcript",
        ],
    ),
    (
        "agent",
        &[
            "engine",
            "llm::FinishReason",
            "llm::ModelError",
            "llm::ModelErrorKind",
            "llm::ModelRequest",
            "llm::StreamEvent",
            "llm::ToolSpec",
            "llm::Turn",
            "llm::Usage",
            "llm::retry_delay_ms",
            "prompt",
            "settings",
            "sql",
            "tools",
            "transcript",
        ],
    ),
    (
        "session",
        &[
            "agent",
            "engine::Fingerprint",
            "llm::Ledger",
            "llm::budget::Meter",
            "llm::ledger",
            "tools::shorten",
        ],
    ),
    (
        "view",
        &[
            "agent",
            "engine",
            "llm::ModelError",
            "llm::ModelErrorKind",
            "llm::Ledger",
            "llm::ledger",
            "llm::origin",
            "llm::partial_json",
            "llm::Protocol",
            "llm::Quirks",
            "llm::probe",
            "settings",
            "sql",
            "tools::shorten",
        ],
    ),
    (
        "ui",
        &[
            "agent::approval",
            "agent::branches",
            "agent::protocol",
            "agent::questions",
            "settings",
            "view",
        ],
    ),
    (
        "web",
        &[
            "agent",
            "engine",
            "llm",
            "prompt::system_parts",
            "session",
            "settings",
            "sql",
            "view",
        ],
    ),
];

/// Where a browser may be known.
const EDGES: [&str; 5] = [
    "src/engine/worker",
    "src/web/",
    "src/ui/",
    "src/main.rs",
    "src/bin/",
];

const BROWSER_CRATES: [&str; 9] = [
    "console_error_panic_hook",
    "gloo_net",
    "gloo_timers",
    "idb",
    "js_sys",
    "leptos",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "web_sys",
];

/// Collects what is wrong, so that one run shows all of it.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Wrong {
    fn at(&mut self, path: &str, line: usize, text: impl AsRef<str>) {
        self.0.push(format!("{path}:{line}: {}", text.as_ref()));
    }
}

impl Drop for Wrong {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.0.is_empty(), "\n{}\n", self.0.join("\n"));
        }
    }
}

fn is_edge(source: &Source) -> bool {
    EDGES.iter().any(|edge| source.path.starts_with(edge))
}

/// `src/llm/sse.rs` → `["llm", "sse"]`.
fn module(source: &Source) -> Vec<&str> {
    let path = source.path.trim_start_matches("src/");
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').collect()
}

#[test]
fn each_part_knows_only_what_the_table_allows() {
    let mut wrong = Wrong::default();
    for source in rust() {
        let module = module(&source);
        let part = module[0];
        if source.is_test() || ["lib", "main", "bin"].contains(&part) {
            continue;
        }
        let Some((_, allowed)) = MAY_KNOW.iter().find(|(name, _)| *name == part) else {
            wrong.at(
                &source.path,
                1,
                format!("`{part}` is new: say in MAY_KNOW of tests/it/tidy.rs what it may know"),
            );
            continue;
        };
        let code = source.code();
        for (at, path) in crate_paths(&code) {
            let known = allowed.iter().any(|allowed| {
                let allowed: Vec<&str> = allowed.split("::").collect();
                path.iter()
                    .map(String::as_str)
                    .take(allowed.len())
                    .eq(allowed)
            });
            if !known && path[0] != part {
                wrong.at(&source.path, line(&code, at), format!(
                    "`{part}` may not know `crate::{}`: move the code, or pass the value in as an argument",
                    path.join("::")
                ));
            }
        }
        let out = "super::".repeat(module.len());
        for (at, _) in code.match_indices(&out) {
            wrong.at(
                &source.path,
                line(&code, at),
                "write paths into other parts from `crate::`, so that they are checked",
            );
        }
    }
}

#[test]
fn only_the_edges_know_a_browser() {
    let mut wrong = Wrong::default();
    for source in rust().iter().filter(|s| !is_edge(s)) {
        let code = source.code();
        for name in BROWSER_CRATES {
            for (at, _) in code.match_indices(name) {
                let before = at == 0 || !is_word(code.as_bytes()[at - 1]);
                let after = code
                    .as_bytes()
                    .get(at + name.len())
                    .is_none_or(|b| !is_word(*b));
                if before && after {
                    wrong.at(
                        &source.path,
                        line(&code, at),
                        format!("`{name}` belongs into the edges: {}", EDGES.join(", ")),
                    );
                }
            }
        }
    }
}

#[test]
fn files_and_functions_are_short() {
    let mut wrong = Wrong::default();
    for source in rust().iter().filter(|s| !s.is_test()) {
        let code = source.code();
        let lines = code.lines().count();
        let long = LONG_FILES.iter().find(|(path, _)| *path == source.path);
        let most = long.map_or(FILE_LINES_MAX, |(_, most)| *most);
        if lines > most {
            wrong.at(
                &source.path,
                most,
                format!(
                    "{lines} lines without tests, at most {most}: split it by what its parts know"
                ),
            );
        } else if long.is_some() && lines <= FILE_LINES_MAX {
            wrong.at(
                &source.path,
                1,
                "short enough now: remove it from LONG_FILES of tests/it/tidy.rs",
            );
        }
        for (name, at, lines) in functions(&code) {
            let long = LONG_FUNCTIONS.contains(&(source.path.as_str(), name.as_str()));
            if lines > FUNCTION_LINES_MAX && !long {
                wrong.at(
                    &source.path,
                    at,
                    format!(
                        "`{name}` has {lines} lines, at most {FUNCTION_LINES_MAX}: name its steps"
                    ),
                );
            } else if long && lines <= FUNCTION_LINES_MAX {
                wrong.at(&source.path, at, format!("`{name}` is short enough now: remove it from LONG_FUNCTIONS of tests/it/tidy.rs"));
            }
        }
    }
}

#[test]
fn every_module_says_what_it_does() {
    let mut wrong = Wrong::default();
    for source in rust().iter().filter(|s| !s.is_test()) {
        if !source.text.starts_with("//! ") {
            wrong.at(
                &source.path,
                1,
                "begin with `//!`: what the module does, and what it must not know",
            );
        }
    }
}

#[test]
fn nothing_stops_the_page() {
    const FORBIDDEN: [(&str, &str); 8] = [
        (".unwrap()", "handle the other case; a panic ends the page"),
        (".expect(", "handle the other case; a panic ends the page"),
        ("panic!(", "return an error; a panic ends the page"),
        (
            "unreachable!(",
            "make the case impossible by type, or handle it",
        ),
        ("todo!(", "finish it"),
        ("unimplemented!(", "finish it"),
        ("dbg!(", "remove it"),
        (
            "inner_html",
            "texts of a model or a file must never become markup",
        ),
    ];
    let mut wrong = Wrong::default();
    for source in rust().iter().filter(|s| !s.is_test()) {
        let code = source.code();
        for (word, next) in FORBIDDEN {
            for (at, _) in code.match_indices(word) {
                wrong.at(&source.path, line(&code, at), format!("`{word}`: {next}"));
            }
        }
    }
}

#[test]
fn colours_stand_in_tokens_only() {
    const FUNCTIONS: [&str; 11] = [
        "rgb(",
        "rgba(",
        "hsl(",
        "hsla(",
        "hwb(",
        "lab(",
        "lch(",
        "oklab(",
        "oklch(",
        "color(",
        "color-mix(",
    ];
    let mut wrong = Wrong::default();
    let mut sources = files("style");
    sources.extend(files("public"));
    sources.extend(files("scripts"));
    sources.extend(files("src"));
    sources.extend(files("").into_iter().filter(|s| s.path == "index.html"));
    for source in sources {
        let kind = source.path.rsplit('.').next().unwrap_or_default();
        if source.path == "style/tokens.css" || !["css", "html", "js", "mjs", "rs"].contains(&kind)
        {
            continue;
        }
        for (n, text) in source.text.lines().enumerate() {
            let hex = text.split('#').skip(1).any(|after| {
                let digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
                let ends = after
                    .as_bytes()
                    .get(digits)
                    .is_none_or(|b| !is_word(*b) && *b != b'-');
                ends && (matches!(digits, 6 | 8) || (kind == "css" && matches!(digits, 3 | 4)))
            });
            let called = FUNCTIONS.iter().any(|name| {
                text.match_indices(name).any(|(at, _)| {
                    kind != "rs"
                        && (at == 0
                            || !is_word(text.as_bytes()[at - 1]) && text.as_bytes()[at - 1] != b'-')
                })
            });
            if hex || called {
                wrong.at(
                    &source.path,
                    n + 1,
                    "a colour: name it in style/tokens.css, for light and dark, and use the name",
                );
            }
        }
    }
}

#[test]
fn the_reference_names_every_tool_limit_and_setting() {
    let path = "docs/REFERENCE.md";
    let reference = read(path);
    let mut wrong = Wrong::default();
    let mut named = |name: &str, what: &str| {
        if !reference.contains(&format!("`{name}`")) {
            wrong.at(
                path,
                1,
                format!("says nothing of {what} `{name}`: add a row"),
            );
        }
    };
    for tool in assent::tools::all() {
        named(tool.name(), "the tool");
        let mut arguments = BTreeSet::new();
        properties(&tool.parameters(), &mut arguments);
        for argument in arguments {
            named(&argument, "the argument");
        }
    }
    let settings = serde_json::to_value(assent::settings::Settings::default()).unwrap();
    for field in settings.as_object().into_iter().flat_map(|o| o.keys()) {
        named(field, "the setting");
    }
    let limits = read("src/agent/limits.rs");
    let rows: Vec<&str> = reference.lines().map(str::trim).collect();
    for limit in limits.lines().filter_map(|l| l.strip_prefix("pub const ")) {
        let (name, rest) = limit.split_once(':').unwrap();
        let value = rest
            .split_once('=')
            .map_or("", |(_, v)| v.trim().trim_end_matches(';'));
        let row = format!("| `{name}` | `{value}` |");
        if !rows.iter().any(|r| r.starts_with(&row)) {
            wrong.at(
                path,
                1,
                format!("has no row that begins with {row}: add it, with the reason"),
            );
        }
    }
}

/// Names of a JSON Schema's properties, at every depth.
fn properties(schema: &serde_json::Value, names: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(|p| p.as_object()) {
        names.extend(properties.keys().cloned());
    }
    match schema {
        serde_json::Value::Object(map) => map.values().for_each(|v| properties(v, names)),
        serde_json::Value::Array(list) => list.iter().for_each(|v| properties(v, names)),
        _ => {}
    }
}

#[test]
fn every_text_for_the_model_is_used() {
    let mut wrong = Wrong::default();
    let code: String = rust().into_iter().map(|s| s.text).collect();
    for source in files("src").iter().filter(|s| s.path.ends_with(".md")) {
        let name = source.path.rsplit('/').next().unwrap_or_default();
        if !code.contains(&format!("include_str!(\"{name}\")")) {
            wrong.at(
                &source.path,
                1,
                "no code includes this text: include or remove it",
            );
        }
    }
}

#[test]
fn no_file_tells_of_one_machine() {
    const HOMES: [&str; 8] = [
        "home",
        "root",
        "Users",
        "work",
        "workspace",
        "workspaces",
        "mnt",
        "builds",
    ];
    const PRIVATE: [&str; 4] = ["artifactory", "nexus", ".internal/", ".corp/"];
    let mut wrong = Wrong::default();
    for source in files("") {
        for (n, text) in source.text.lines().enumerate() {
            let home = HOMES.iter().any(|home| {
                text.match_indices(&format!("/{home}/")).any(|(at, _)| {
                    at == 0
                        || !(is_word(text.as_bytes()[at - 1])
                            || b"./*-]}".contains(&text.as_bytes()[at - 1]))
                })
            });
            if home {
                wrong.at(
                    &source.path,
                    n + 1,
                    "a path of one machine: make it relative, or take it from the environment",
                );
            }
            let lower = text.to_ascii_lowercase();
            if text.contains("://") && PRIVATE.iter().any(|p| lower.contains(p)) {
                wrong.at(
                    &source.path,
                    n + 1,
                    "an address that only some can reach: use the public one",
                );
            }
        }
    }
}

#[test]
fn packages_come_from_the_public_registries() {
    let mut wrong = Wrong::default();
    for (path, mark, public) in [
        (
            "package-lock.json",
            "\"resolved\": \"",
            "https://registry.npmjs.org/",
        ),
        (
            "Cargo.lock",
            "source = \"",
            "registry+https://github.com/rust-lang/crates.io-index",
        ),
    ] {
        for (n, text) in read(path).lines().enumerate() {
            if let Some((_, address)) = text.split_once(mark)
                && !address.starts_with(public)
            {
                wrong.at(
                    path,
                    n + 1,
                    format!("not from {public}: lock it again without a mirror"),
                );
            }
        }
    }
}

#[test]
fn the_bindings_are_pinned_to_what_is_locked() {
    let mut wrong = Wrong::default();
    let manifest = read("Cargo.toml");
    let lock = read("Cargo.lock");
    for name in [
        "wasm-bindgen",
        "wasm-bindgen-futures",
        "wasm-bindgen-test",
        "js-sys",
    ] {
        let entry = format!("name = \"{name}\"\nversion = \"");
        let locked = lock
            .split_once(&entry)
            .and_then(|(_, rest)| rest.split('"').next());
        let row = format!("{name} = \"");
        let asked = manifest
            .lines()
            .enumerate()
            .find_map(|(n, l)| Some((n + 1, l.strip_prefix(&row)?.trim_end_matches('"'))));
        match (asked, locked) {
            (Some((_, asked)), Some(locked)) if asked == format!("={locked}") => {}
            (Some((n, asked)), locked) => wrong.at("Cargo.toml", n, format!(
                "{name} is \"{asked}\", the lock file has {locked:?}: pin it with `=`, because its command line must have the same version"
            )),
            (None, _) => wrong.at("Cargo.toml", 1, format!("{name} is not pinned with `=`")),
        }
    }
}

#[test]
fn both_languages_say_everything() {
    let mut wrong = Wrong::default();
    for source in files("src/view") {
        if !["texts", "driver_texts", "notices"]
            .iter()
            .any(|p| source.path.contains(p))
            || source.is_test()
        {
            continue;
        }
        for (n, text) in source.text.lines().enumerate() {
            if text.trim_end().ends_with(": \"\",") {
                wrong.at(
                    &source.path,
                    n + 1,
                    "an empty text: say it in both languages",
                );
            }
        }
    }
}
