//! The page as a folder that any web server can offer, with the program in it as WebAssembly.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::diag::{Diagnostic, Result};
use crate::source::{SourceMap, Span};

use super::assets::ASSETS;
use super::script::{ExploredScript, Opening};

/// What the program is called.
const PROGRAM: &str = "cspsym.wasm";

/// What WebAssembly begins with.
const MAGIC: &[u8] = b"\0asm";

/// Writes the page of `script`, which has read `sources`, into the folder `to`, with the program at
/// `program`, or where a build leaves it.
pub(super) fn export(
    script: &ExploredScript,
    sources: &SourceMap,
    to: &Path,
    program: Option<&Path>,
) -> Result<()> {
    let program = program_bytes(program)?;
    let opening = opening(script, sources)?;
    let written = fs::create_dir_all(to)
        .and_then(|()| fs::write(to.join("opening"), opening.json()?))
        .and_then(|()| fs::write(to.join(PROGRAM), program))
        .and_then(|()| {
            let mut assets = ASSETS.iter();
            assets.try_for_each(|asset| fs::write(to.join(asset.name), asset.bytes))
        });
    let refused = |error| failed(&format!("{}: {error}", to.display()));
    written.map_err(|error| refused(error).hint("give the name of a folder").into())
}

/// What the page starts with, by names that begin in the folder of the script: there are no others
/// where it is going.
fn opening(script: &ExploredScript, sources: &SourceMap) -> Result<Opening> {
    let folder = Path::new(&script.file).parent().unwrap_or(Path::new(""));
    let mut files = BTreeMap::new();
    for (id, source) in sources.iter() {
        // What options define is no file.
        if !Path::new(&source.name).is_file() {
            continue;
        }
        let Ok(name) = Path::new(&source.name).strip_prefix(folder) else {
            let why = format!("`{}` is not in the script's folder", source.name);
            let problem = failed(&why)
                .at(Span::new(id, 0, 0), "this file is included")
                .hint("the page has the files of the script's folder and of folders in it");
            return Err(problem.into());
        };
        files.insert(name.to_string_lossy().into_owned(), source.text.clone());
    }
    let opening = script.opening();
    let mut opening = opening.map_err(|error| failed(&format!("{}: {error}", script.file)))?;
    let name = Path::new(&script.file).file_name().unwrap_or_default();
    opening.file = name.to_string_lossy().into_owned();
    files.remove(&opening.file);
    opening.files = files;
    opening.program = Some(PROGRAM);
    Ok(opening)
}

/// The program as WebAssembly: the file at `program`, or where cargo builds it.
fn program_bytes(program: Option<&Path>) -> Result<Vec<u8>> {
    let refused = |why: &str| {
        failed(&format!("it needs the program as WebAssembly, and {why}")).hint(
            "`rustup target add wasm32-wasip1` and \
             `cargo build --release --target wasm32-wasip1` build it; `--program` says where it is",
        )
    };
    let program = match program {
        Some(program) => program.to_path_buf(),
        None => built().ok_or_else(|| refused("there is none beside this program"))?,
    };
    let bytes = fs::read(&program);
    let bytes = bytes
        .map_err(|error| refused(&format!("{} cannot be read: {error}", program.display())))?;
    match bytes.starts_with(MAGIC) {
        true => Ok(bytes),
        false => Err(refused(&format!("{} is none", program.display())).into()),
    }
}

/// The program as WebAssembly, beside this one or where cargo builds it.
fn built() -> Option<PathBuf> {
    let folder = env::current_exe().ok()?.parent()?.to_path_buf();
    let places = [
        folder.join(PROGRAM),
        folder.join("../wasm32-wasip1/release").join(PROGRAM),
    ];
    places.into_iter().find(|place| place.is_file())
}

fn failed(why: &str) -> Diagnostic {
    Diagnostic::error(
        "unexported-page",
        format!("the page cannot be exported: {why}"),
    )
}
