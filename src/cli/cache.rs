//! `--cache`: verdicts that are kept in a folder, and taken from there as long as nothing that they
//! depend on has changed.
//!
//! A verdict is kept under the digest of its key: the program, the texts that were read, the
//! options and the assertion. Its file holds the whole key, the answer, and a digest of both. So
//! several calls may use a folder at once, and what is damaged counts as not kept.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use base::diag::{Diagnostic, Result, Severity};
use base::source::SourceMap;
use checker::Options;

use super::deciding::deciding;
use super::told::ToldAnswer;
use host::whole::write_whole;

/// A folder in which verdicts are kept.
pub(super) struct VerdictCache {
    folder: PathBuf,
    /// The program: its version, and the digest of its file.
    program: [(String, String); 2],
    /// The reason why a verdict could not be kept, if one could not.
    unwritable: Option<io::Error>,
}

/// All that the verdicts on a script depend on.
pub(super) struct ScriptKey(Vec<(String, String)>);

/// All that one verdict depends on.
pub(super) struct VerdictKey {
    facts: Vec<(String, String)>,
    /// The file of the verdict.
    path: PathBuf,
}

/// A verdict that is kept, with its key.
#[derive(Serialize, Deserialize)]
struct Kept<F, A> {
    facts: F,
    answer: A,
}

/// Says to programs that make copies of disks that they may leave the folder out, by a convention
/// that many of them know.
const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# Verdicts of cspsym check --cache. All of this may be removed.\n",
);

/// The ending of a file with a verdict.
const ENDING: &str = "verdict";

/// The characters of a digest.
const DIGEST: usize = 64;

/// The time after which a verdict that was not used is removed.
const LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The time after which the use of a verdict is noted again.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

impl ScriptKey {
    /// The key of all verdicts on a script that was read from `sources`, by these options, with
    /// drawings or without.
    pub(super) fn of(sources: &SourceMap, options: &Options, has_drawings: bool) -> Self {
        // Reports and messages have the names of the files, so these count too. `-D` is a text.
        let texts = sources.iter();
        let texts = texts.map(|(_, file)| (file.name.clone(), digest(file.text.as_bytes())));
        let mut facts: Vec<(String, String)> = texts.collect();
        facts.extend(deciding(options));
        let storage = options.storage.as_ref();
        let storage = storage.map(|storage| storage.resumes);
        facts.push(("--spill or --resume".to_string(), format!("{storage:?}")));
        facts.push(("--report".to_string(), format!("{has_drawings:?}")));
        Self(facts)
    }

    /// A digest, by which two processes see that they have read the same.
    pub(super) fn digest(&self) -> String {
        digest(format!("{:?}", self.0).as_bytes())
    }
}

impl VerdictCache {
    /// Opens `folder`, which is made if it is not there. Removes verdicts that nobody has used for
    /// long. Fails if there is no such folder and none can be made.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let program = this_program().map_err(|error| {
            let message = format!("verdicts cannot be kept: the program cannot be read: {error}");
            let hint = "call the program by a file that may be read, or leave --cache out";
            Box::new(Diagnostic::error("unwritable-cache", message).hint(hint))
        })?;
        Self::of_build(folder, &program).map_err(|error| {
            let mut problem = unwritable(folder, &error);
            problem.severity = Severity::Error;
            Box::new(problem)
        })
    }

    /// Opens `folder` for the program with the digest `build`.
    fn of_build(folder: &Path, build: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        // Of a folder that may only be read, as pipelines lend it out, what is there counts.
        let tagged = write_whole(&folder.join(TAG.0), TAG.1.as_bytes());
        fs::read_dir(folder)?;
        remove_unused(folder, SystemTime::now());
        let fact = |name: &str, value: &str| (name.to_string(), value.to_string());
        Ok(Self {
            folder: folder.to_path_buf(),
            program: [
                fact("the version", env!("CARGO_PKG_VERSION")),
                fact("the build", build),
            ],
            unwritable: tagged.err(),
        })
    }

    /// The key of the verdict on what is `asked` of a script.
    pub(super) fn verdict(&self, script: &ScriptKey, asked: String) -> VerdictKey {
        let mut facts = self.program.to_vec();
        facts.extend(script.0.iter().cloned());
        facts.push(("the assertion".to_string(), asked));
        let name = digest(format!("{facts:?}").as_bytes());
        VerdictKey {
            path: self.folder.join(name).with_extension(ENDING),
            facts,
        }
    }

    /// The answer that is kept under `key`, if there is one and its file is not damaged.
    pub(super) fn answer(&self, key: &VerdictKey) -> Option<ToldAnswer> {
        let text = fs::read_to_string(&key.path).ok()?;
        let (sum, body) = text.split_once('\n')?;
        if sum != digest(body.as_bytes()) {
            return None;
        }
        let kept: Kept<Vec<(String, String)>, ToldAnswer> = serde_json::from_str(body).ok()?;
        if kept.facts != key.facts || !kept.answer.is_decided() {
            return None;
        }
        note_use(&key.path);
        Some(kept.answer)
    }

    /// Keeps `answer` under `key`.
    pub(super) fn keep(&mut self, key: &VerdictKey, answer: &ToldAnswer) {
        let kept = Kept {
            facts: &key.facts,
            answer,
        };
        let written = serde_json::to_string(&kept).map_err(io::Error::other);
        let written = written.and_then(|body| {
            let text = format!("{}\n{body}", digest(body.as_bytes()));
            write_whole(&key.path, text.as_bytes())
        });
        if let Err(error) = written {
            self.unwritable.get_or_insert(error);
        }
    }

    /// Notes that another process could not keep a verdict, for this reason.
    pub(super) fn note_unkept(&mut self, why: String) {
        self.unwritable.get_or_insert_with(|| io::Error::other(why));
    }

    /// The reason why a verdict could not be kept, if one could not; once.
    pub(super) fn take_unkept(&mut self) -> Option<String> {
        self.unwritable.take().map(|error| error.to_string())
    }

    /// A warning if some verdict could not be kept.
    pub(super) fn problem(&self) -> Option<Diagnostic> {
        let error = self.unwritable.as_ref()?;
        Some(unwritable(&self.folder, error))
    }
}

/// The digest of the file of this program. Whatever the program is built from or by changes it. It
/// costs a hundredth of a second.
fn this_program() -> io::Result<String> {
    Ok(digest(&fs::read(env::current_exe()?)?))
}

/// Notes that the file at `path` was used today. If that cannot be noted, it may be removed early.
fn note_use(path: &Path) {
    let now = SystemTime::now();
    let is_fresh = |used: SystemTime| now.duration_since(used).is_ok_and(|since| since < FRESH);
    let used = fs::metadata(path).and_then(|found| found.modified());
    if !used.is_ok_and(is_fresh) {
        let file = File::options().append(true).open(path);
        let _ = file.and_then(|file| file.set_modified(now));
    }
}

/// Removes the verdicts in `folder` that were used last too long before `now`, and what was left of
/// writing them by a program that was killed. One that cannot be removed is in nobody's way.
fn remove_unused(folder: &Path, now: SystemTime) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(is_name_of_verdict);
        let used = entry.metadata().and_then(|found| found.modified());
        let since = used.ok().and_then(|used| now.duration_since(used).ok());
        if is_ours && since.is_some_and(|since| since > LIFE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// True if a file of this name is one with a verdict, or was to become one.
fn is_name_of_verdict(name: &str) -> bool {
    let Some((digest, ending)) = name.split_once('.') else {
        return false;
    };
    let is_digest = digest.len() == DIGEST && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_digest && (ending == ENDING || ending.starts_with("verdict.") && ending.ends_with(".saving"))
}

/// A warning that verdicts cannot be kept in `folder`.
fn unwritable(folder: &Path, error: &io::Error) -> Diagnostic {
    let folder = folder.display();
    let message = format!("verdicts cannot be kept in the folder {folder}: {error}");
    Diagnostic::warning("unwritable-cache", message)
        .hint("give a folder that may be written to with --cache, or leave the option out")
}

/// The SHA-256 digest of `bytes`, in hexadecimal.
fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
