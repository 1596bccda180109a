//! The conventions of the repository, as tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that read CSPm.
const FRONT_END: [&str; 5] = ["syntax", "types", "infer", "eval", "views"];

/// The crates that decide, independent of the front end.
const ENGINE: [&str; 9] = [
    "process", "lts", "machine", "symmetry", "refine", "witness", "explore", "game", "report",
];

/// The crates that may read files, print, read the environment and exit.
const AT_THE_BORDER: [&str; 8] = [
    "cli", "dap", "explorer", "host", "lab", "lsp", "refines", "testkit",
];

/// The only entries at the top of the repository.
const TOP_LEVEL: [&str; 23] = [
    ".ci",
    ".gitattributes",
    ".github",
    ".gitignore",
    ".pre-commit-hooks.yaml",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "Containerfile",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "RELEASING.md",
    "SECURITY.md",
    "benches",
    "clippy.toml",
    "cspm",
    "deny.toml",
    "specs",
    "src",
    "tests",
];

/// The folders with Rust files.
const SOURCES: [&str; 4] = ["benches", "cspm", "src", "tests"];

/// The largest number of lines of a file. A longer one holds more than one thing.
const LONGEST_FILE: usize = 800;

/// The largest number of lines of a function. A longer one does more than one thing.
const LONGEST_FUNCTION: usize = 60;

/// The largest number of columns of a comment line. A wider one cannot be read beside other text.
const WIDEST_COMMENT: usize = 100;

/// The words that no doc comment begins with: a reader first wants to know what the item is.
const ASKING_WORDS: [&str; 9] = [
    "How", "That", "What", "When", "Where", "Whether", "Which", "Who", "Why",
];

/// The places of doc comments that are the help of the program's arguments.
const HELP: [&str; 2] = ["src/host/arguments", "src/host/spill.rs"];

/// A Rust file of the repository.
pub(super) struct RustFile {
    /// The path from the root of the repository, with `/`.
    pub(super) path: String,
    text: String,
}

impl RustFile {
    /// The crate that it belongs to; absent for the program itself and for build scripts.
    pub(super) fn crate_name(&self) -> Option<&str> {
        let (name, inside) = self.path.strip_prefix("src/")?.split_once('/')?;
        let is_script = matches!(&*self.path, "src/report/build.rs" | "src/syntax/build.rs");
        (!is_script && !inside.is_empty()).then_some(name)
    }

    /// The lines that are code, each with its number, and true if it stands in the tests of the
    /// file.
    pub(super) fn code(&self) -> impl Iterator<Item = (usize, &str, bool)> {
        let mut in_tests = self.path.ends_with("tests.rs") || self.path.contains("/tests/");
        self.text
            .lines()
            .enumerate()
            .filter_map(move |(index, line)| {
                in_tests |= line.trim() == "#[cfg(test)]"
                    && !self.text.contains("#[cfg(test)]\nmod tests;");
                let code = line.split("//").next().unwrap_or("");
                (!code.trim().is_empty()).then_some((index + 1, code, in_tests))
            })
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn rust_files(folders: &[&str]) -> Vec<RustFile> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root().join(folder), &mut paths);
    }
    paths.sort();
    assert!(!paths.is_empty(), "no Rust files in {folders:?}");
    let read = |path: PathBuf| RustFile {
        path: path
            .strip_prefix(root())
            .expect("inside the root")
            .to_string_lossy()
            .replace('\\', "/"),
        text: fs::read_to_string(&path).expect("a source file is readable"),
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("a folder entry is readable").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

pub(super) fn report(offences: &[String], rule: &str) {
    assert!(offences.is_empty(), "{rule}:\n{}", offences.join("\n"));
}

#[test]
fn every_file_says_its_purpose_first() {
    let files = rust_files(&SOURCES);
    let offences: Vec<String> = files
        .iter()
        .filter(|file| !file.text.starts_with("//! "))
        .map(|file| file.path.clone())
        .collect();
    report(
        &offences,
        "a file starts with a `//!` line that says its purpose",
    );
}

#[test]
fn no_file_is_too_long() {
    let files = rust_files(&SOURCES);
    let length = |file: &RustFile| file.text.lines().count();
    let long = files.iter().filter(|file| length(file) > LONGEST_FILE);
    let offences: Vec<String> = long
        .map(|file| format!("{}: {} lines", file.path, length(file)))
        .collect();
    report(&offences, "no file has more than 800 lines");
}

#[test]
fn no_function_is_too_long() {
    let mut offences = Vec::new();
    for file in rust_files(&SOURCES) {
        for (line, name, length) in functions(&file.text) {
            if length > LONGEST_FUNCTION {
                offences.push(format!("{}:{line}: {name}, {length} lines", file.path));
            }
        }
    }
    let rule = format!("a function has at most {LONGEST_FUNCTION} lines");
    report(&offences, &rule);
}

/// The functions of a formatted file: the line, the name and the number of lines of each. A
/// function ends at the first line that is indented like its `fn` and ends in a closing brace, or
/// in a semicolon if it is only declared.
fn functions(text: &str) -> Vec<(usize, String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_before = |word: &&str| {
            word.starts_with("pub")
                || ["in", "const", "unsafe", "async"].contains(word)
                || word.ends_with(')')
        };
        let before = words.iter().take_while(|word| is_before(word)).count();
        let ["fn", name, ..] = words[before..] else {
            continue;
        };
        let ends =
            |line: &&str| indent(line) == indent(lines[number]) && line.ends_with(['}', ';']);
        let Some(length) = lines[number..].iter().position(ends) else {
            continue;
        };
        let name = name.split(['(', '<']).next().unwrap_or(name);
        found.push((number + 1, name.to_string(), length + 1));
    }
    found
}

#[test]
fn functions_are_found_with_their_lengths() {
    let text = "\
pub(in crate::a) const fn one() {}
trait T {
    fn declared(&self);
    fn long<S>(
        &self,
    ) -> bool {
        if true {
        }
        false
    }
}
";
    let found = functions(text);
    let found: Vec<(usize, &str, usize)> = found
        .iter()
        .map(|(line, name, length)| (*line, &name[..], *length))
        .collect();
    assert_eq!(found, [(1, "one", 1), (3, "declared", 1), (4, "long", 7)]);
}

#[test]
fn no_comment_is_too_wide() {
    let mut offences = Vec::new();
    for file in rust_files(&SOURCES) {
        for (number, line) in file.text.lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            if is_comment && line.chars().count() > WIDEST_COMMENT {
                offences.push(format!("{}:{}", file.path, number + 1));
            }
        }
    }
    let rule = format!("a line of a comment has at most {WIDEST_COMMENT} columns");
    report(&offences, &rule);
}

#[test]
fn doc_comments_name_the_thing_first() {
    let mut offences = Vec::new();
    for file in rust_files(&SOURCES) {
        if HELP.iter().any(|place| file.path.starts_with(place)) {
            continue;
        }
        let mut is_first = true;
        for (number, line) in file.text.lines().enumerate() {
            let line = line.trim_start();
            let words = line
                .strip_prefix("/// ")
                .or_else(|| line.strip_prefix("//! "));
            let word = words.and_then(|words| words.split_whitespace().next());
            if is_first && word.is_some_and(|word| ASKING_WORDS.contains(&word)) {
                offences.push(format!("{}:{}: {line}", file.path, number + 1));
            }
            is_first = !line.starts_with("//");
        }
    }
    report(&offences, "a doc comment names the thing first");
}

#[test]
fn a_type_that_other_files_see_has_a_name_of_its_own() {
    let mut declared: BTreeMap<String, Vec<(bool, String)>> = BTreeMap::new();
    for file in rust_files(&["src"]) {
        for (number, code, in_tests) in file.code() {
            if let (Some((is_seen, name)), false) = (declared_type(code), in_tests) {
                let place = format!("{}:{number}", file.path);
                declared.entry(name).or_default().push((is_seen, place));
            }
        }
    }
    let is_shared =
        |places: &[(bool, String)]| places.len() > 1 && places.iter().any(|place| place.0);
    let shared = declared.iter().filter(|(_, places)| is_shared(places));
    let line = |(name, places): (&String, &Vec<(bool, String)>)| {
        let places: Vec<&str> = places.iter().map(|place| place.1.as_str()).collect();
        format!("{name}: {}", places.join(", "))
    };
    let offences: Vec<String> = shared.map(line).collect();
    report(
        &offences,
        "a type that other files see has a name of its own",
    );
}

/// The type that a line declares at the top of a file, and true if other files see it.
fn declared_type(code: &str) -> Option<(bool, String)> {
    let (is_seen, rest) = match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => (true, rest.split_once(") ")?.1),
        Some(rest) => (true, rest.strip_prefix(' ')?),
        None => (false, code),
    };
    let (keyword, rest) = rest.split_once(' ')?;
    let kinds = ["struct", "enum", "trait", "type", "union"];
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name: String = rest.chars().take_while(|&c| is_name(c)).collect();
    kinds.contains(&keyword).then_some((is_seen, name))
}

#[test]
fn declarations_of_types_are_found() {
    let found = declared_type;
    let seen = |name: &str| Some((true, name.to_string()));
    assert_eq!(found("pub struct Group {"), seen("Group"));
    assert_eq!(
        found("pub(in crate::symmetry) enum Kind<'a> {"),
        seen("Kind")
    );
    assert_eq!(
        found("type Row = Vec<u32>;"),
        Some((false, "Row".to_string()))
    );
    assert_eq!(found("    type Item = u32;"), None);
    assert_eq!(found("pub fn structure(&self) {"), None);
    assert_eq!(found("publish struct"), None);
}

#[test]
fn the_engine_knows_no_front_end() {
    let mut offences = Vec::new();
    for name in ENGINE {
        let path = root().join("src").join(name).join("Cargo.toml");
        let text = fs::read_to_string(path).expect("each crate has a manifest");
        // The dependencies of tests come last.
        let dependencies = text.split("[dev-dependencies]").next().unwrap_or_default();
        let known = FRONT_END.iter().filter(|front| {
            let package = format!("{front}.workspace");
            dependencies.lines().any(|line| line.starts_with(&package))
        });
        offences.extend(known.map(|front| format!("{name} depends on {front}")));
    }
    report(&offences, "what decides depends on nothing that reads CSPm");
}

#[test]
fn only_the_command_line_touches_the_world() {
    let forbidden = [
        "println!",
        "eprintln!",
        "print!",
        "eprint!",
        "std::process",
        "std::fs",
        "std::env",
        "io::std",
    ];
    let mut offences = Vec::new();
    for file in rust_files(&["src"]) {
        let name = file.crate_name();
        if name.is_none_or(|name| AT_THE_BORDER.contains(&name)) {
            continue;
        }
        // A search on disk has a folder of its own, which the command line gives it.
        let is_on_disk = file.path.starts_with("src/refine/external/");
        for (line, code, in_tests) in file.code() {
            for word in forbidden
                .iter()
                .filter(|word| !in_tests && code.contains(*word))
                .filter(|word| !(is_on_disk && **word == "std::fs"))
            {
                offences.push(format!("{}:{line}: {word}", file.path));
            }
        }
    }
    report(
        &offences,
        "only `cli` prints, reads the environment, and exits; only it and searches on disk touch files",
    );
}

#[test]
fn only_the_allocator_is_unsafe() {
    let mut offences = Vec::new();
    for file in rust_files(&["src"]) {
        for (line, code, _) in file.code() {
            let is_unsafe = code.contains("unsafe_code") || code.contains("unsafe ");
            if is_unsafe && file.path != "src/host/allocator.rs" {
                offences.push(format!("{}:{line}", file.path));
            }
        }
    }
    report(&offences, "unsafe code is in `src/host/allocator.rs` alone");
}

#[test]
fn nothing_is_left_for_later() {
    // The words are put together from parts, so that this file does not have them itself.
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("todo", "!("),
        concat!("unimpl", "emented!("),
    ];
    let mut offences = Vec::new();
    for file in rust_files(&SOURCES) {
        for (index, line) in file.text.lines().enumerate() {
            for word in words.iter().filter(|word| line.contains(*word)) {
                offences.push(format!("{}:{}: {word}", file.path, index + 1));
            }
        }
    }
    report(&offences, "what is not done is not in the code");
}

#[test]
fn every_message_code_is_explained() {
    let mut used = BTreeSet::new();
    for file in rust_files(&["src"]) {
        let code: Vec<&str> = file
            .code()
            .filter(|(_, _, in_tests)| !in_tests)
            .map(|(_, code, _)| code)
            .collect();
        used.extend(message_codes(&code.join("\n")));
    }
    let folder = root().join("src/report/explanations");
    let entries = fs::read_dir(folder).expect("the explanations are readable");
    let names = entries.map(|entry| {
        let name = entry.expect("an entry is readable").file_name();
        name.to_string_lossy().trim_end_matches(".md").to_string()
    });
    let explained: BTreeSet<String> = names.collect();
    let unexplained: Vec<String> = used.difference(&explained).cloned().collect();
    report(
        &unexplained,
        "every code of a message has a file in src/report/explanations",
    );
    let unused: Vec<String> = explained.difference(&used).cloned().collect();
    report(&unused, "every code that is explained is in the source");
}

/// The codes of diagnostics: the string behind `error(` and similar calls.
fn message_codes(code: &str) -> Vec<String> {
    let mut codes = Vec::new();
    for call in ["error(", "undecided(", "warning(", "limit("] {
        for (start, _) in code.match_indices(call) {
            let argument = code[start + call.len()..].trim_start();
            let Some(text) = argument
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next())
            else {
                continue;
            };
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if !text.is_empty() && text.chars().all(kebab) {
                codes.push(text.to_string());
            }
        }
    }
    codes
}

#[test]
fn message_codes_are_found_over_line_breaks() {
    let code = "Diagnostic::error(\n    \"unknown-name\",\n \"x\") Diagnostic::undecided(\"timeout\", \"y\") error(\"No code\")";
    assert_eq!(message_codes(code), ["unknown-name", "timeout"]);
}

#[test]
fn the_top_level_holds_what_it_should() {
    let present: BTreeSet<String> = fs::read_dir(root())
        .expect("the root is readable")
        .map(|entry| {
            entry
                .expect("an entry is readable")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name != ".git" && name != "target")
        .collect();
    let expected: BTreeSet<String> = TOP_LEVEL.into_iter().map(str::to_string).collect();
    assert_eq!(present, expected);
}
