//! A file of the checkout as text, and Rust code without its comments, literals and tests.

use std::fs;
use std::path::{Path, PathBuf};

/// What is made, not written. `.git` is a file in a second working tree.
const MADE: [&str; 6] = [
    ".git",
    "target",
    "node_modules",
    "dist",
    "test-results",
    "playwright-report",
];

/// A text file, by its path from the checkout's root, with `/` on every system.
pub struct Source {
    pub path: String,
    pub text: String,
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The text of one file; empty where it is missing.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

/// Every text file below `folder` (`""` is the root), in order.
pub fn files(folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The Rust files of `src`.
pub fn rust() -> Vec<Source> {
    let mut sources = files("src");
    sources.retain(|s| s.path.ends_with(".rs"));
    assert!(sources.len() > 20, "src was not found");
    sources
}

fn walk(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if MADE.iter().any(|made| name == *made) {
            continue;
        }
        if path.is_dir() {
            walk(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path)
            && let Ok(inside) = path.strip_prefix(root())
        {
            found.push(Source {
                path: inside.to_string_lossy().replace('\\', "/"),
                text,
            });
        }
    }
}

impl Source {
    /// True for files that hold only tests.
    pub fn is_test(&self) -> bool {
        self.path.ends_with("tests.rs")
    }

    /// The code without comments, literals and the test module at its end. Lines stay where they are.
    pub fn code(&self) -> String {
        let code = blank(&self.text);
        let end = code.match_indices("#[cfg(test)]").find_map(|(at, mark)| {
            let rest = code[at + mark.len()..].trim_start();
            let head = rest.lines().next().unwrap_or_default();
            (head.starts_with("mod ") && head.ends_with('{')).then_some(at)
        });
        code[..end.unwrap_or(code.len())].to_owned()
    }
}

/// The line of a byte, counted from 1.
pub fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Blanks comments, strings and characters; every byte and line keeps its place.
fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = literal(text, at);
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = if end > at { end } else { at + 1 };
    }
    String::from_utf8(out).unwrap()
}

/// Where the comment or literal that starts at `at` ends; `at` itself where none starts there.
fn literal(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    let until = |mark: &str, from: usize| {
        text.as_bytes()[at + from..]
            .windows(mark.len())
            .position(|w| w == mark.as_bytes())
            .map_or(text.len(), |n| at + from + n + mark.len())
    };
    if rest.starts_with(b"//") {
        return until("\n", 0);
    }
    if rest.starts_with(b"/*") {
        return until("*/", 2);
    }
    let after_word = at > 0 && is_word(text.as_bytes()[at - 1]);
    if rest[0] == b'r' && !after_word {
        let hashes = rest[1..].iter().take_while(|b| **b == b'#').count();
        if rest.get(1 + hashes) == Some(&b'"') {
            return until(&format!("\"{}", "#".repeat(hashes)), 2 + hashes);
        }
    }
    if rest[0] == b'"' {
        let mut n = 1;
        while n < rest.len() && rest[n] != b'"' {
            n += if rest[n] == b'\\' { 2 } else { 1 };
        }
        return (at + n + 1).min(text.len());
    }
    if rest[0] == b'\'' {
        if rest.get(1) == Some(&b'\\') {
            return until("'", 3);
        }
        let width = text[at + 1..].chars().next().map_or(0, char::len_utf8);
        if rest.get(1 + width) == Some(&b'\'') {
            return at + width + 2;
        }
    }
    at
}

pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Each function with a body: name, line, and lines of its body that are not empty.
pub fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let starts = at == 0 || !is_word(code.as_bytes()[at - 1]);
        let name: String = code[at + 3..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        if starts
            && !name.is_empty()
            && let Some(body) = body(&code[at..])
        {
            let lines = body.lines().filter(|l| !l.trim().is_empty()).count();
            found.push((name, line(code, at), lines.saturating_sub(2)));
        }
    }
    found
}

/// From the first `{` outside of parentheses to its `}`; `None` for a declaration.
fn body(code: &str) -> Option<&str> {
    let mut inside = 0;
    let open = code.char_indices().find_map(|(at, c)| {
        match c {
            '(' | '[' => inside += 1,
            ')' | ']' => inside -= 1,
            '{' | ';' if inside == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    let mut depth = 0;
    let end = code[open..].char_indices().find_map(|(at, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    (end > 0).then(|| &code[open..=open + end])
}

/// Every path that starts with `crate::`, groups written out: where it starts, and its names.
pub fn crate_paths(code: &str) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    for (at, mark) in code.match_indices("crate::") {
        if at == 0 || !is_word(code.as_bytes()[at - 1]) {
            let mut rest = &code[at + mark.len()..];
            let mut paths = Vec::new();
            tree(&mut rest, &mut Vec::new(), &mut paths);
            found.extend(paths.into_iter().map(|path| (at, path)));
        }
    }
    found
}

/// Reads one use-tree off the front of `rest`.
fn tree(rest: &mut &str, prefix: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    let depth = prefix.len();
    loop {
        *rest = rest.trim_start();
        if let Some(inner) = rest.strip_prefix('{') {
            *rest = inner;
            while !rest.is_empty() && !rest.starts_with('}') {
                tree(rest, prefix, paths);
                *rest = rest.trim_start_matches(|c| c != ',' && c != '}');
                *rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
            }
            *rest = rest.strip_prefix('}').unwrap_or(rest);
            break;
        }
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '*')
            .unwrap_or(rest.len());
        let name = &rest[..end];
        if name != "self" && !name.is_empty() {
            prefix.push(name.to_owned());
        }
        *rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(more) if end > 0 && !more.starts_with('<') => *rest = more,
            _ => {
                paths.push(prefix.clone());
                break;
            }
        }
    }
    prefix.truncate(depth);
}

#[test]
fn literals_are_blanked_and_paths_written_out() {
    let source = Source {
        path: String::new(),
        text: "let a = 'x'; let b: &'static str = \"{ // \\\" }\"; /* { */ let c = r#\"\"{\"#;\n"
            .into(),
    };
    let code = source.code();
    assert!(!code.contains(['{', '}', '"']), "{code}");
    assert_eq!(code.len(), source.text.len());
    let paths: Vec<String> =
        crate_paths("use crate::a::{self, b::{C as D, e}, F};\ncrate::g::h(x)")
            .into_iter()
            .map(|(_, path)| path.join("::"))
            .collect();
    assert_eq!(paths, ["a", "a::b::C", "a::b::e", "a::F", "g::h"]);
    let code = "trait T { fn a(&self); }\nfn b(x: [u8; 2]) {\n  one();\n\n  two();\n}\n";
    assert_eq!(functions(code), [("b".to_owned(), 2, 2)]);
}
