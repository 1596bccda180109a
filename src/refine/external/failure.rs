//! The problems that the folder of a search can have.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::division::{ShareStamp, is_share_folder};
use crate::spill::Identity;
use base::diag::Diagnostic;
use base::number::counted;

/// The error of a file that is not as it was written.
pub(super) fn damaged(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// True if an error is one of files that are not as they were written.
pub(super) fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, UnexpectedEof};
    matches!(error.kind(), InvalidData | UnexpectedEof)
}

/// True if more files were open than one program, or all together, may have.
fn is_too_many_files(error: &io::Error) -> bool {
    // `ERROR_TOO_MANY_OPEN_FILES` of Windows; `ENFILE` and `EMFILE` of Unix.
    let numbers: &[i32] = if cfg!(windows) { &[4] } else { &[23, 24] };
    let number = error.raw_os_error();
    number.is_some_and(|number| numbers.contains(&number))
}

const ANEW: &str = "remove that folder, and the search begins anew; the others go on";
const ANEW_ALL: &str = "remove the folders of that search of all processes, and it begins anew; the other searches go on";

/// The problem reported for an error of the disk.
pub fn failed(folder: &Path, error: &io::Error) -> Diagnostic {
    let of_process = folder.parent().and_then(Path::file_name);
    let is_share = of_process
        .and_then(OsStr::to_str)
        .is_some_and(is_share_folder);
    let folder = folder.display();
    match error.kind() {
        _ if is_damage(error) => Diagnostic::undecided(
            "damaged-spill",
            format!("the search in `{folder}` cannot be gone on with: its files were changed"),
        )
        .note(error.to_string())
        .hint(if is_share { ANEW_ALL } else { ANEW }),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            unusable(&folder.to_string(), error)
                .hint("make room and go on with --resume DIR: all but the level under way is kept")
        }
        _ if is_too_many_files(error) => unusable(&folder.to_string(), error).hint(
            "allow it to have more files open, in a shell by `ulimit -n 1024`, and go on with --resume DIR: all but the level under way is kept",
        ),
        _ => unusable(&folder.to_string(), error)
            .hint("give a folder that can be written with --spill DIR, or make this one so and go on with --resume DIR"),
    }
}

fn unusable(folder: &str, error: &io::Error) -> Diagnostic {
    let message = format!("the states of the search cannot be kept in `{folder}`: {error}");
    Diagnostic::undecided("unwritable-spill", message)
}

/// The problem reported for the folder of a search by another version.
pub(super) fn foreign(folder: &Path) -> Diagnostic {
    let message = format!(
        "the search in `{}` is of another version of cspsym",
        folder.display()
    );
    Diagnostic::undecided("other-spill", message)
        .hint("go on with that version, or begin anew with --spill and another folder")
}

/// The problem reported where no process can see a share of a search, which was kept in
/// `directory`.
pub(crate) fn missing(directory: &Path, share: ShareStamp) -> Diagnostic {
    let ShareStamp { division, process } = share;
    let message = format!(
        "the search was divided between {}, and the share of process {process} is not to be seen in `{}`",
        counted(division.processes, "process"),
        directory.display()
    );
    Diagnostic::undecided("missing-share", message).hint(format!(
        "start a process where it can read what was `process-{process}` there; or begin anew with --spill and another folder"
    ))
}

/// The problem reported where a search is not the one that was begun in `folder`.
pub(super) fn other(folder: &Path, begun: &Identity, asked: &Identity) -> Diagnostic {
    let message = format!(
        "the search in `{}` is not this one, although it was begun for this assertion",
        folder.display()
    );
    let mut problem = Diagnostic::undecided("other-spill", message);
    let values = |identity: &Identity, name: &str| {
        let mut facts = identity.facts.iter();
        facts
            .find(|fact| fact.name == name)
            .map(|fact| fact.value.clone())
    };
    let names = begun.facts.iter().chain(&asked.facts);
    let mut told: Vec<&str> = Vec::new();
    for name in names.map(|fact| &fact.name[..]) {
        let (before, now) = (values(begun, name), values(asked, name));
        if before == now || told.contains(&name) {
            continue;
        }
        told.push(name);
        problem = problem.note(difference(name, before.as_deref(), now.as_deref()));
    }
    problem.hint("resume it as it was begun, or begin anew with --spill and another folder")
}

/// The difference between two values of a fact; the values themselves only if people can read them.
fn difference(name: &str, before: Option<&str>, now: Option<&str>) -> String {
    match (before, now) {
        (Some(before), Some(now)) if before.starts_with('#') || now.starts_with('#') => {
            format!("{name} differs")
        }
        (Some(before), Some(now)) => format!("{name} was {before}, and is {now} now"),
        (None, _) => format!("{name} is new"),
        (_, None) => format!("{name} is gone"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn each_error_has_a_hint_of_its_own() {
        let hint = |error: io::Error| failed(Path::new("states"), &error).hint.unwrap_or_default();
        for number in [23, 24] {
            let hint = hint(io::Error::from_raw_os_error(number));
            assert!(hint.contains("ulimit -n"), "{hint}");
        }
        assert!(hint(io::ErrorKind::StorageFull.into()).starts_with("make room"));
        assert!(hint(io::ErrorKind::PermissionDenied.into()).contains("can be written"));
        assert!(hint(damaged("it has no bytes")).starts_with("remove that folder"));
    }
}
