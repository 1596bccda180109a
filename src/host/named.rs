//! The scripts that a call names: files, folders, and patterns.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{self, Component, Path, PathBuf};

use base::diag::{Diagnostic, Result};
use fast_glob::glob_match;

use super::files::{Files, STANDARD_INPUT};
use super::load::Loaded;

/// The endings of scripts.
pub const ENDINGS: [&str; 3] = ["csp", "cspm", "fdr"];

/// The characters that a pattern has and the name of a file seldom.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// The scripts that `words` name, in their order; those of a folder or a pattern in alphabetic
/// order. A file of a folder that another one of it includes is left out: it is checked as a part
/// of that. What is named again, alone or by a folder, counts once. Fails if a folder or a pattern
/// has no script.
pub fn named_scripts(words: &[String]) -> Result<Vec<String>> {
    let each = words.iter().map(|word| {
        let path = Path::new(word);
        if path.is_dir() {
            return in_folder(path);
        }
        if word.contains(SPECIAL) && !path.exists() {
            return matching(word);
        }
        Ok(vec![word.clone()])
    });
    let each: Vec<Vec<String>> = each.collect::<Result<_>>()?;
    let mut scripts = each.concat();
    let mut seen = HashSet::new();
    scripts.retain(|script| seen.insert(place_of(script)));
    Ok(scripts)
}

/// The place by which a script is known again. Standard input is no file, not even one of its name.
fn place_of(script: &str) -> PathBuf {
    let as_named = PathBuf::from(script);
    match script {
        STANDARD_INPUT => as_named,
        _ => path::absolute(&as_named).unwrap_or(as_named),
    }
}

/// True if `words` name folders or patterns, below which scripts have to be looked for.
pub fn are_looked_for(words: &[String]) -> bool {
    words
        .iter()
        .any(|word| Path::new(word).is_dir() || word.contains(SPECIAL))
}

/// True if the name of the file at `path` ends as that of a script.
pub fn is_named_as_script(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.iter().any(|one| one.eq_ignore_ascii_case(ending)))
}

/// The scripts below the folder at `path`.
fn in_folder(path: &Path) -> Result<Vec<String>> {
    let mut scripts = files_below(path)?;
    scripts.retain(|script| is_named_as_script(script));
    if scripts.is_empty() {
        let message = format!("the folder `{}` has no scripts", path.display());
        let problem = Diagnostic::error("unreadable-file", message);
        return problem
            .hint("the scripts of a folder are its files *.csp, *.cspm and *.fdr")
            .into();
    }
    let parts: BTreeSet<PathBuf> = scripts.iter().flat_map(|script| included(script)).collect();
    let is_part = |script: &PathBuf| {
        script
            .canonicalize()
            .is_ok_and(|real| parts.contains(&real))
    };
    let whole = scripts.iter().filter(|script| !is_part(script));
    Ok(whole.map(|script| text(script)).collect())
}

/// The files that match `pattern`.
fn matching(pattern: &str) -> Result<Vec<String>> {
    let wrong = |message: String| Box::new(Diagnostic::error("unreadable-file", message));
    let parts = Path::new(pattern).components();
    let fixed = parts.take_while(|part| !part.as_os_str().to_string_lossy().contains(SPECIAL));
    let folder: PathBuf = fixed.collect();
    let start = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => &folder,
    };
    // A pattern may begin with `./`, and what is found does only if the walk does.
    let plain = |path: &Path| -> PathBuf {
        path.components()
            .filter(|part| *part != Component::CurDir)
            .collect()
    };
    let mut wanted = text(&plain(Path::new(pattern)));
    if cfg!(windows) {
        wanted = wanted.replace('\\', "/");
    }
    if wanted.starts_with('!') {
        // To the library this would mean all files but those that match.
        wanted.insert(0, '\\');
    }
    fast_glob::validate(&wanted)
        .map_err(|error| wrong(format!("`{pattern}` is no pattern: {error}")))?;
    let found = files_below(start)?.into_iter();
    let found = found.map(|path| text(&plain(&path)));
    let found: Vec<String> = found.filter(|path| glob_match(&wanted, path)).collect();
    match found.is_empty() {
        true => Err(wrong(format!("no file matches `{pattern}`"))),
        false => Ok(found),
    }
}

/// The files below `folder`, in alphabetic order, without hidden ones. Folders that are links are
/// not entered: they may lead back. Fails if a folder cannot be read, whose scripts would be passed
/// over in silence; there is no file below a `folder` that is not there.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.and_then(|entries| entries.collect::<io::Result<Vec<_>>>()),
        };
        let entries = entries.map_err(|error| {
            let message = format!("the folder `{}` cannot be read: {error}", folder.display());
            let problem = Diagnostic::error("unreadable-file", message);
            problem.hint("name the scripts or folders that are to be read")
        })?;
        for entry in entries {
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            match entry.file_type() {
                Ok(sort) if sort.is_dir() => open.push(path),
                _ if path.is_file() => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The real paths of the files that `script` includes. One that cannot be read includes none.
fn included(script: &Path) -> Vec<PathBuf> {
    let name = text(script);
    let Ok(loaded) = Loaded::read(&name, &mut Files::new(), &[]) else {
        return Vec::new();
    };
    let names = loaded
        .script
        .sources()
        .iter()
        .map(|(_, source)| &source.name);
    let names = names.filter(|other| **other != name);
    names
        .filter_map(|name| Path::new(name).canonicalize().ok())
        .collect()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_again_counts_once_and_standard_input_is_no_file() {
        let words = ["a.csp", "./a.csp", "-", "./-", "-"].map(str::to_string);
        let scripts = named_scripts(&words).expect("no folder or pattern is named");
        assert_eq!(scripts, ["a.csp", "-", "./-"]);
    }
}
