//! The page as a folder that any web server can offer, with the program in it as WebAssembly.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base::diag::{Diagnostic, Result};
use base::source::SourceMap;
use host::files::with_slashes;

use super::assets::ASSETS;
use super::script::{ExploredScript, Opening};

/// The name of the program's file.
const PROGRAM: &str = "cspsym.wasm";

/// The file with the data that the page starts with.
const OPENING: &str = "opening";

/// The folder with such a file for each script, if there are several.
const OPENINGS: &str = "openings";

/// The first bytes of a file of WebAssembly.
const MAGIC: &[u8] = b"\0asm";

/// Writes the page of these scripts, each with the sources that it has read, into the folder `to`,
/// with the program at `program`, or in one of its usual [`places`]. Returns the names of the
/// files whose texts the page has.
pub(super) fn export(
    scripts: &[(ExploredScript, SourceMap)],
    to: &Path,
    program: Option<&Path>,
) -> Result<Vec<String>> {
    let program = program_bytes(program)?;
    let openings = openings(scripts)?;
    if let Some(other) = in_the_way(to) {
        let why = format!("{} has other files, such as {other}", to.display());
        return Err(failed(&why).hint("give the name of a new folder").into());
    }
    let written = write(&openings, &program, to);
    written.map_err(|error| failed(&format!("{}: {error}", to.display())))?;
    let texts = openings.into_iter().flat_map(|(_, opening)| {
        let included = opening.files.into_keys();
        std::iter::once(opening.file).chain(included)
    });
    Ok(texts.collect())
}

/// Writes the page that begins with the first of these scripts, which have names.
fn write(openings: &[(String, Opening)], program: &[u8], to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    fs::write(to.join(PROGRAM), program)?;
    for asset in ASSETS {
        fs::write(to.join(asset.name), asset.bytes)?;
    }
    // Nothing is left of a page of before, which may have had other scripts.
    let folder = to.join(OPENINGS);
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    if openings.len() > 1 {
        for (name, opening) in openings {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().unwrap_or(&folder))?;
            fs::write(file, opening.json()?)?;
        }
    }
    // The data that the page starts with comes last: a folder without it is no page yet.
    match openings.first() {
        Some((_, opening)) => fs::write(to.join(OPENING), opening.json()?),
        None => Ok(()),
    }
}

/// The data that the page starts with for each script, by the name of the script in the page.
fn openings(scripts: &[(ExploredScript, SourceMap)]) -> Result<Vec<(String, Opening)>> {
    let paths: Vec<&Path> = scripts.iter().map(|(script, _)| &*script.real).collect();
    let names = names(&paths)?;
    let mut openings = Vec::new();
    for ((script, sources), name) in scripts.iter().zip(&names) {
        let mut opening = opening(script, sources)?;
        if scripts.len() > 1 {
            opening.scripts.clone_from(&names);
        }
        openings.push((name.clone(), opening));
    }
    Ok(openings)
}

/// The names of the files at these real paths, as seen from the lowest folder that has all of
/// them.
fn names(paths: &[&Path]) -> Result<Vec<String>> {
    let first = paths[0].parent().unwrap_or(Path::new(""));
    let has_all = |folder: &&Path| paths.iter().all(|path| path.starts_with(folder));
    let Some(folder) = first.ancestors().find(has_all) else {
        return Err(failed("no folder has all these scripts below it").into());
    };
    let mut names: Vec<String> = Vec::new();
    for path in paths {
        let parts = path.strip_prefix(folder).unwrap_or(path).components();
        let parts: Vec<_> = parts
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let name = parts.join("/");
        if names.contains(&name) {
            return Err(failed(&format!("{name} is given twice")).into());
        }
        names.push(name);
    }
    Ok(names)
}

/// An entry of the folder `to`, unless that is empty or has a page that was exported before.
fn in_the_way(to: &Path) -> Option<String> {
    if to.join(OPENING).is_file() {
        return None;
    }
    let first = fs::read_dir(to).ok()?.next()?.ok()?;
    Some(first.file_name().to_string_lossy().into_owned())
}

/// The data that the page starts with. Files have the names by which the script includes them, as
/// seen from its folder.
fn opening(script: &ExploredScript, sources: &SourceMap) -> Result<Opening> {
    let opening = script.opening();
    let mut opening = opening.map_err(|error| failed(&format!("{}: {error}", script.file)))?;
    let file = Path::new(&script.file);
    let folder = file.parent().unwrap_or(Path::new(""));
    for (_, source) in sources.iter() {
        let path = Path::new(&source.name);
        // A source that options define is no file.
        if path.is_file() && path != file {
            let name = path.strip_prefix(folder).unwrap_or(path);
            let name = with_slashes(&name.to_string_lossy());
            opening.files.insert(name, source.text.clone());
        }
    }
    let name = file.file_name().unwrap_or_default();
    opening.file = name.to_string_lossy().into_owned();
    opening.program = Some(PROGRAM);
    // The identity would tell where the script was.
    opening.identity = String::new();
    Ok(opening)
}

/// The program as WebAssembly: the file at `program`, or in one of its usual [`places`].
fn program_bytes(program: Option<&Path>) -> Result<Vec<u8>> {
    let refused = |why: &str| {
        failed(&format!("it needs the program as WebAssembly, and {why}")).hint(
            "in the folder of its source, `rustup target add wasm32-wasip1` and then \
             `cargo install --path . --target wasm32-wasip1` put it beside an installed program; \
             `--program` says where it is",
        )
    };
    let program = match program {
        Some(program) => program.to_path_buf(),
        None => usual_place().ok_or_else(|| refused("there is none beside this program"))?,
    };
    let bytes = fs::read(&program);
    let bytes = bytes
        .map_err(|error| refused(&format!("{} cannot be read: {error}", program.display())))?;
    match bytes.starts_with(MAGIC) {
        true => Ok(bytes),
        false => Err(refused(&format!("{} is something else", program.display())).into()),
    }
}

/// The program as WebAssembly, if it is in one of its usual places.
fn usual_place() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    places(program.parent()?)
        .into_iter()
        .find(|place| place.is_file())
}

/// The usual places of the program as WebAssembly, if the other one is in `folder`: beside it, as
/// `cargo install` puts both; where packages put data; where `cargo build` leaves it.
fn places(folder: &Path) -> [PathBuf; 3] {
    ["", "../share/cspsym", "../wasm32-wasip1/release"]
        .map(|place| folder.join(place).join(PROGRAM))
}

fn failed(why: &str) -> Diagnostic {
    Diagnostic::error(
        "unexported-page",
        format!("the page cannot be exported: {why}"),
    )
}
