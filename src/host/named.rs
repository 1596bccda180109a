//! The scripts that a call names: files, folders, and patterns.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use base::diag::{Diagnostic, Result};
use glob::{MatchOptions, Pattern, glob_with};

use super::files::without_dots;

/// The endings of scripts.
const ENDINGS: [&str; 3] = ["csp", "cspm", "fdr"];

/// Hidden files and folders are left out.
const VISIBLE: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// The scripts that `words` name, in their order; those of a folder or a pattern in alphabetic
/// order. A file of a folder that another one of it includes is left out: it is checked as a part
/// of that. Fails if a folder or a pattern has no script.
pub fn named_scripts(words: &[String]) -> Result<Vec<String>> {
    let each = words.iter().map(|word| {
        let path = Path::new(word);
        if path.is_dir() {
            return in_folder(path);
        }
        let is_pattern = word.contains(['*', '?', '[']);
        if is_pattern && !path.exists() {
            return matching(word);
        }
        Ok(vec![word.clone()])
    });
    let each: Vec<Vec<String>> = each.collect::<Result<_>>()?;
    Ok(each.concat())
}

/// The scripts below the folder at `path`.
fn in_folder(path: &Path) -> Result<Vec<String>> {
    let folder = Pattern::escape(&path.to_string_lossy());
    let folder = folder.trim_end_matches('/');
    let found = found(&format!("{folder}/**/*"))?;
    let is_script = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        path.is_file() && ending.is_some_and(|ending| ENDINGS.contains(&ending))
    };
    let scripts: Vec<PathBuf> = found.into_iter().filter(is_script).collect();
    let parts: BTreeSet<PathBuf> = scripts.iter().flat_map(|script| included(script)).collect();
    let whole = scripts
        .iter()
        .filter(|script| !parts.contains(&without_dots(script)));
    let whole: Vec<String> = whole.map(|script| text(script)).collect();
    match whole.is_empty() {
        true => Err(nothing_at(&format!(
            "the folder `{}` has no scripts",
            path.display()
        ))),
        false => Ok(whole),
    }
}

/// The files that match `pattern`.
fn matching(pattern: &str) -> Result<Vec<String>> {
    let files = found(pattern)?.into_iter().filter(|path| path.is_file());
    let files: Vec<String> = files.map(|path| text(&path)).collect();
    match files.is_empty() {
        true => Err(nothing_at(&format!("no file matches `{pattern}`"))),
        false => Ok(files),
    }
}

fn found(pattern: &str) -> Result<Vec<PathBuf>> {
    let found = glob_with(pattern, VISIBLE);
    let found =
        found.map_err(|error| nothing_at(&format!("`{pattern}` is no pattern: {error}")))?;
    // What cannot be read has no scripts that could be checked.
    let mut found: Vec<PathBuf> = found.filter_map(std::result::Result::ok).collect();
    found.sort();
    Ok(found)
}

/// The files that `script` includes, as its text says at the beginnings of lines.
fn included(script: &Path) -> Vec<PathBuf> {
    let folder = script.parent().unwrap_or(Path::new(""));
    let text = fs::read(script).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let names = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("include")?;
        let (name, _) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
        Some(without_dots(&folder.join(name)))
    });
    names.collect()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn nothing_at(message: &str) -> Box<Diagnostic> {
    let problem = Diagnostic::error("unreadable-file", message);
    Box::new(problem.hint("the scripts of a folder are its files *.csp, *.cspm and *.fdr"))
}
