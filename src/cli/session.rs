//! From a file name to a script that can be asked: calls the stages in order.

use crate::diag::Diagnostic;
use crate::source::SourceMap;

use super::files::Files;
use super::request::{LoadFailure, Options, Session};

/// Reads the script `file` with all it includes.
pub(crate) fn load(
    file: &str,
    files: &mut Files,
    _options: &Options,
) -> Result<Box<dyn Session>, LoadFailure> {
    let mut sources = SourceMap::new();
    let problem = match files.read(file) {
        Ok(text) => {
            sources.add(file, text);
            Diagnostic::undecided(
                "unsupported",
                "this build has no stages behind the command line yet",
            )
        }
        Err(problem) => *problem,
    };
    Err(LoadFailure {
        sources,
        problems: vec![problem],
    })
}
