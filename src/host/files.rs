//! Reading scripts: files and standard input, as UTF-8 or else as Windows-1252.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use base::diag::{Diagnostic, Result};
use base::source::{SourceMap, Span};
use syntax::NotIncluded;

use super::windows_1252;

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// A script above this size is a mistake (places in it are counted in 32 bits).
pub const LARGEST: u64 = 256 << 20;

/// The text of a script.
#[derive(Clone, PartialEq, Debug)]
struct Text {
    text: String,
    /// The first byte that is no UTF-8, if there is one, and the position of its character in the
    /// text.
    foreign: Option<(u8, usize)>,
}

/// The files of a call. Each is read once: standard input cannot be read twice.
#[derive(Default)]
pub struct Files {
    texts: HashMap<String, Result<Text>>,
    /// The name under which each file was first read, by its real path.
    names: HashMap<PathBuf, String>,
    readable: Readable,
}

/// The origin of the folder that may be read. Messages name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReadingRule {
    /// The option `--include-root` names the folder.
    #[default]
    IncludeRoot,
    /// The option `--root` of `api` names it.
    Root,
    /// It is the folder of the script that is explored.
    ScriptFolder,
    /// There is none: an archive has all files.
    Archive,
}

/// The files that may be read for an `include`, or for a request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Readable {
    rule: ReadingRule,
    /// The real path of the folder from outside of which nothing is read, if there is one.
    folder: Option<PathBuf>,
    /// The real paths of files that are read wherever they are.
    also: Vec<PathBuf>,
}

impl Readable {
    /// The files in `folder`, a real path, by this rule; all files if it is `None`.
    pub fn within(folder: Option<PathBuf>, rule: ReadingRule) -> Self {
        Self {
            rule,
            folder,
            also: Vec::new(),
        }
    }

    /// These files, and those at the real paths `files`.
    #[must_use]
    pub fn and(mut self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        self.also.extend(files);
        self
    }

    /// True if not all files may be read.
    pub fn is_bounded(&self) -> bool {
        self.folder.is_some()
    }

    /// True if the file at the path `real`, without links, may be read.
    pub(crate) fn has(&self, real: &Path) -> bool {
        let inside = |folder: &PathBuf| real.starts_with(folder);
        self.folder.as_ref().is_none_or(inside) || self.also.iter().any(|file| file == real)
    }
}

impl ReadingRule {
    /// The folder, in words.
    fn folder(self) -> &'static str {
        match self {
            Self::IncludeRoot => "the folder of --include-root",
            Self::Root => "the folder of --root",
            Self::ScriptFolder => "the folder of the script",
            Self::Archive => "the archive",
        }
    }

    /// The way to have a file read.
    fn hint(self) -> &'static str {
        match self {
            Self::Archive => "make the archive anew, of a script that includes the file",
            Self::IncludeRoot | Self::Root => "put the file into that folder",
            Self::ScriptFolder => {
                "the page reads files from the folder of the script and below it, and those that \
                 the script included when it was opened: put the file into that folder"
            }
        }
    }
}

impl Files {
    /// Files of which none is read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Files of which only those in `open` are read, by name and text, as an editor has them, saved
    /// or not.
    pub fn with_open(open: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut files = Self::new();
        for (name, text) in open {
            let real = Path::new(&name).canonicalize();
            let real = real.unwrap_or_else(|_| unsaved_path(&name));
            files.names.insert(real, name.clone());
            let foreign = None;
            files.texts.insert(name, Ok(Text { text, foreign }));
        }
        files
    }

    /// The files of an archive, by name and text. Others are not read, whatever an include says.
    pub fn of_archive(all: Vec<(String, String)>) -> Self {
        // No file is in a folder below a device.
        let nowhere = Some(PathBuf::from("/dev/null/archive"));
        Self::with_open(all).within(Readable::within(nowhere, ReadingRule::Archive))
    }

    /// These files, of which none was read from a disk yet. Only those that are `readable` can be
    /// included, and those that are open: whoever asks has brought their texts along.
    #[must_use]
    pub fn within(self, readable: Readable) -> Self {
        let readable = readable.and(self.names.keys().cloned());
        Self { readable, ..self }
    }

    /// The text of the file `name`, or of standard input for `-`.
    pub fn read(&mut self, name: &str) -> Result<String> {
        if let (true, Ok(real)) = (name != STANDARD_INPUT, Path::new(name).canonicalize()) {
            self.names.entry(real).or_insert_with(|| name.to_string());
        }
        self.texts
            .entry(name.to_string())
            .or_insert_with(|| read(name))
            .as_ref()
            .map(|read| read.text.clone())
            .map_err(Clone::clone)
    }

    /// A warning for each of `sources` that was read here and is not UTF-8.
    pub fn warnings(&self, sources: &SourceMap) -> Vec<Diagnostic> {
        let mut names = HashSet::new();
        let mut warnings = Vec::new();
        for (id, file) in sources.iter() {
            let name = &file.name;
            let Some(Ok(Text { text, foreign })) = self.texts.get(name) else {
                continue;
            };
            let Some((byte, at)) = foreign.filter(|_| names.insert(name)) else {
                continue;
            };
            let length = text[at..].chars().next().map_or(0, char::len_utf8);
            let message = format!("`{name}` is not UTF-8, so it is read as Windows-1252");
            let warning = Diagnostic::warning("not-utf-8", message)
                .at(
                    Span::new(id, at, at + length),
                    format!("the byte {byte:#04x}"),
                )
                .hint(
                    "save the file as UTF-8, or convert it with `iconv -f WINDOWS-1252 -t UTF-8`",
                );
            warnings.push(warning);
        }
        warnings
    }

    /// The name and the text of the file that `path` means in an `include` of the file `including`.
    /// It is looked for beside that file, then beside the script `root`. A file has one name
    /// however it is reached, so that cycles are seen.
    pub(crate) fn include(
        &mut self,
        path: &str,
        including: &str,
        root: &str,
    ) -> std::result::Result<(String, String), NotIncluded> {
        let mut candidates = vec![beside(including, path), beside(root, path)];
        candidates.dedup();
        let mut inside = candidates.iter().filter(|name| self.is_inside(name));
        let found = inside.find_map(|name| {
            let real = self.real_path(name)?;
            // A pipe or a device could keep the reader waiting for ever.
            let is_pipe =
                fs::metadata(&real).is_ok_and(|found| !found.is_file() && !found.is_dir());
            (!is_pipe).then_some((name, real))
        });
        let Some((name, real)) = found else {
            // The message does not reveal whether there is such a file outside.
            let outside = candidates.iter().find_map(|name| self.outside(name));
            return Err(match outside {
                Some((reason, hint)) => NotIncluded::Outside { reason, hint },
                None => {
                    let reason = format!("there is no file {}", candidates.join(" or "));
                    NotIncluded::Missing(reason)
                }
            });
        };
        let name = self.names.get(&real).unwrap_or(name).clone();
        match self.read(&name) {
            Ok(text) => Ok((name, text)),
            Err(problem) => {
                let reasons = [&[problem.message], &problem.notes[..]].concat();
                Err(NotIncluded::Missing(reasons.join("; ")))
            }
        }
    }

    /// The reason why the file `name` may not be read, even if there is none, and what can be done;
    /// `None` if it may be read.
    pub fn outside(&self, name: &str) -> Option<(String, String)> {
        let rule = self.readable.rule;
        let reason = || format!("{name} is outside of {}", rule.folder());
        (!self.is_inside(name)).then(|| (reason(), rule.hint().to_string()))
    }

    /// The names of the files among `sources`, each once. A text from elsewhere, such as one that
    /// an option gives, is no file.
    pub fn read_of(&self, sources: &SourceMap) -> Vec<String> {
        let mut names = Vec::new();
        for (_, file) in sources.iter() {
            let is_read = matches!(self.texts.get(&file.name), Some(Ok(_)));
            if is_read && !names.contains(&file.name) {
                names.push(file.name.clone());
            }
        }
        names
    }

    /// True if a file of this name may be read, even if there is none.
    fn is_inside(&self, name: &str) -> bool {
        if !self.readable.is_bounded() {
            return true;
        }
        let real = self.real_path(name);
        let real = real.or_else(|| would_be(Path::new(name)));
        real.is_some_and(|real| self.readable.has(&real))
    }

    /// The real path of the file `name`, if it is there or an editor has it without having saved
    /// it.
    fn real_path(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(name);
        path.canonicalize().ok().or_else(|| {
            let unsaved = unsaved_path(name);
            self.names.contains_key(&unsaved).then_some(unsaved)
        })
    }
}

/// The path of a text that is saved nowhere.
fn unsaved_path(name: &str) -> PathBuf {
    let path = Path::new(name);
    would_be(path).unwrap_or_else(|| without_dots(path))
}

/// The path, without links, that a file would have if it existed: `..` goes up from the folder that
/// a link leads to.
fn would_be(path: &Path) -> Option<PathBuf> {
    let mut real = PathBuf::new();
    for part in std::path::absolute(path).ok()?.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                real.pop();
            }
            part => {
                real.push(part);
                // Links are followed part by part, so that a `..` behind a link goes up from its
                // target.
                real = real.canonicalize().unwrap_or(real);
            }
        }
    }
    Some(real)
}

/// The `path` without `.` and `..`, which means the same if no folder in it is a link.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            _ => plain.push(part),
        }
    }
    plain
}

/// The file `name` with `/` between folders on Windows too, for a page or an archive that is made
/// on one system and read on another.
pub fn with_slashes(name: &str) -> String {
    match cfg!(windows) {
        true => name.replace('\\', "/"),
        // Elsewhere the other sign may stand in names.
        false => name.to_string(),
    }
}

/// The `path` as seen from the folder of `file`.
fn beside(file: &str, path: &str) -> String {
    let folder = if file == STANDARD_INPUT {
        None
    } else {
        Path::new(file).parent()
    };
    match folder {
        Some(folder) => folder.join(path).to_string_lossy().into_owned(),
        None => path.to_string(),
    }
}

/// The text of the file `name` with these `bytes`, as it is read from a disk.
pub fn text_of(name: &str, bytes: &[u8]) -> Result<String> {
    decode(name, bytes.to_vec()).map(|read| read.text)
}

fn read(name: &str) -> Result<Text> {
    let bytes = if name == STANDARD_INPUT {
        read_all(io::stdin().lock())
    } else {
        File::open(name).and_then(read_all)
    };
    match bytes {
        Ok(bytes) if bytes.len() as u64 > LARGEST => {
            let limit = LARGEST >> 20;
            Diagnostic::error(
                "file-too-large",
                format!("`{name}` is larger than {limit} MiB"),
            )
            .into()
        }
        Ok(bytes) => decode(name, bytes),
        Err(error) => unreadable(name, &reason(name, &error)).into(),
    }
}

/// Reads at most one byte more than the limit, so that a device without end does no harm.
fn read_all(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text without a byte order mark. Older tools write Windows-1252, in which every byte is a
/// character. But bytes with a zero among them are no text at all, or text in an encoding of two
/// bytes for each character.
fn decode(name: &str, bytes: Vec<u8>) -> Result<Text> {
    let error = match String::from_utf8(bytes) {
        Ok(text) => {
            let text = text
                .strip_prefix('\u{feff}')
                .map(str::to_string)
                .unwrap_or(text);
            let foreign = None;
            return Ok(Text { text, foreign });
        }
        Err(error) => error,
    };
    let (before, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
    if before.contains(&0) || rest.contains(&0) {
        return Diagnostic::error("not-utf-8", format!("`{name}` is not UTF-8"))
            .note("it has zero bytes, so that it is not Windows-1252 either")
            .hint("save the file as UTF-8")
            .into();
    }
    // The bytes before the first foreign one are valid UTF-8, but a file has one encoding, so that
    // part is read as Windows-1252 too.
    let before = before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(before);
    let mut text = windows_1252::decode(before);
    let foreign = rest.first().map(|&byte| (byte, text.len()));
    text += &windows_1252::decode(rest);
    Ok(Text { text, foreign })
}

fn unreadable(name: &str, reason: &str) -> Diagnostic {
    let message = format!("`{name}` cannot be read: {reason}");
    let problem = Diagnostic::error("unreadable-file", message);
    // An expression may have been given in place of the script.
    match name.contains(['.', '/', '\\']) {
        true => problem,
        false => problem.hint("this should be a script; the order is `step FILE PROCESS`, but `graph PROCESS FILE`, and `refine SPEC IMPL FILE`"),
    }
}

/// The usual reasons in words that do not depend on the operating system.
fn reason(name: &str, error: &io::Error) -> String {
    match error.kind() {
        // Windows says no more of a folder.
        io::ErrorKind::PermissionDenied if Path::new(name).is_dir() => "it is a folder".to_string(),
        io::ErrorKind::NotFound => "there is no such file".to_string(),
        io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        io::ErrorKind::IsADirectory => "it is a folder".to_string(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn text_that_is_not_utf_8_is_windows_1252() {
        let read = decode(
            "a.csp",
            b"P = STOP\n-- \xc3\xa9 caf\xe9 \x80\x81\n".to_vec(),
        );
        let foreign = (0xe9, 20);
        let expected = Text {
            text: "P = STOP\n-- Ã© café €\u{81}\n".to_string(),
            foreign: Some(foreign),
        };
        assert_eq!(expected.text[20..].chars().next(), Some('é'));
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn each_file_that_is_not_utf_8_has_one_warning() {
        let mut files = Files::new();
        let read = decode("a.csp", b"-- \xe9".to_vec());
        files.texts.insert("a.csp".to_string(), read);
        let mut sources = SourceMap::new();
        for name in ["b.csp", "a.csp", "a.csp"] {
            sources.add(name, "-- é");
        }
        assert_eq!(files.read_of(&sources), ["a.csp"]);
        let warnings = files.warnings(&sources);
        let [warning] = &warnings[..] else {
            panic!("{warnings:?}");
        };
        let (span, label) = &warning.labels[0];
        assert_eq!((sources.text(*span), &label[..]), ("é", "the byte 0xe9"));
    }

    #[test]
    fn what_has_zero_bytes_is_no_text() {
        let problem = decode("a.csp", b"\xff\xfeP\0".to_vec()).expect_err("it is UTF-16");
        assert_eq!(problem.code, "not-utf-8");
        let text = decode("a.csp", b"-- \0".to_vec()).map(|read| read.text);
        assert_eq!(text, Ok("-- \0".to_string()));
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        for (bytes, expected) in [
            (&b"\xef\xbb\xbfP = STOP\n"[..], "P = STOP\n"),
            (b"\xef\xbb\xbf-- \xe9", "-- é"),
        ] {
            let text = decode("a.csp", bytes.to_vec()).map(|read| read.text);
            assert_eq!(text, Ok(expected.to_string()));
        }
    }

    #[test]
    fn includes_are_looked_for_beside_the_file_then_beside_the_root() {
        let found = |file, path| with_slashes(&beside(file, path));
        assert_eq!(found("models/a.csp", "b.csp"), "models/b.csp");
        assert_eq!(found("a.csp", "../b.csp"), "../b.csp");
        assert_eq!(found("-", "b.csp"), "b.csp");
        let missing = Files::new().include("none.csp", "x/y/b.csp", "x/a.csp");
        let Err(NotIncluded::Missing(reason)) = missing else {
            panic!("{missing:?}");
        };
        let expected = "there is no file x/y/none.csp or x/none.csp";
        assert_eq!(with_slashes(&reason), expected);
    }

    #[test]
    fn nothing_is_included_from_outside_of_a_folder() {
        let root = Path::new("manual").canonicalize().expect("it is there");
        let include = |path: &str| {
            let readable = Readable::within(Some(root.clone()), ReadingRule::ScriptFolder);
            let mut files = Files::new().within(readable);
            files.include(path, "manual/a.csp", "manual/b.csp")
        };
        assert!(include("time.md").is_ok() && include("../manual/time.md").is_ok());
        let missing = |path| matches!(include(path), Err(NotIncluded::Missing(_)));
        assert!(missing("none.csp") && missing("x/none.csp"));
        // The message does not reveal whether the files are there.
        let outside = |path: &str| matches!(include(path), Err(NotIncluded::Outside { .. }));
        assert!(outside("../lib.rs") && outside("../none.rs"));
        assert!(outside("../manual2/x.csp") && outside("/etc/passwd") && outside("/none"));
        // The message names the rule.
        let Err(NotIncluded::Outside { reason, hint }) = include("/none") else {
            panic!("it is outside");
        };
        assert_eq!(reason, "/none is outside of the folder of the script");
        assert!(hint.contains("those that the script included"), "{hint}");
    }

    #[test]
    fn what_is_brought_along_is_included_and_what_was_read_is_not() {
        let root = Path::new("manual").canonicalize().expect("it is there");
        let readable = Readable::within(Some(root), ReadingRule::Root);
        let mut files = Files::new().within(readable.clone());
        assert!(files.read("lib.rs").is_ok());
        let again = files.include("../lib.rs", "manual/a.csp", "manual/a.csp");
        assert!(matches!(again, Err(NotIncluded::Outside { .. })));
        let open = [("x.csp".to_string(), "P = STOP".to_string())];
        let mut files = Files::with_open(open).within(readable);
        let found = files.include("../x.csp", "manual/a.csp", "manual/a.csp");
        assert_eq!(found, Ok(("x.csp".to_string(), "P = STOP".to_string())));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_nowhere_else() {
        let folder = std::env::temp_dir().join(format!("cspsym-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("in")).expect("it can be made");
        fs::write(folder.join("secret.csp"), "P = STOP").expect("it can be written");
        fs::write(folder.join("in/open.csp"), "P = STOP").expect("it can be written");
        for (link, target) in [
            ("file", "../secret.csp"),
            ("folder", ".."),
            ("own", "open.csp"),
        ] {
            std::os::unix::fs::symlink(target, folder.join("in").join(link))
                .expect("it can be made");
        }
        let real = folder.join("in").canonicalize().expect("it is there");
        let mut files = Files::new().within(Readable::within(Some(real), ReadingRule::Root));
        let script = folder.join("in/a.csp").to_string_lossy().into_owned();
        let mut include = |path| files.include(path, &script, &script);
        assert!(include("own").is_ok());
        for path in [
            "file",
            "folder/secret.csp",
            "folder/in/../secret.csp",
            "folder/none.csp",
            "folder/../none.csp",
        ] {
            let refused = include(path);
            assert!(
                matches!(refused, Err(NotIncluded::Outside { .. })),
                "{path}"
            );
        }
        fs::remove_dir_all(folder).expect("it can be removed");
    }

    #[test]
    fn a_file_has_one_name_however_it_is_reached() {
        let mut files = Files::new();
        files.read("lib.rs").expect("it is there");
        let (name, text) = files
            .include("../arguments/../lib.rs", "manual/a.csp", "-")
            .expect("it is there");
        assert_eq!(name, "lib.rs");
        assert!(text.starts_with("//!"));
    }

    #[test]
    fn what_an_editor_has_open_is_read_from_there_saved_or_not() {
        let open = [
            ("lib.rs", "P = STOP"),
            ("/nowhere/models/unsaved.csp", "Q = SKIP"),
        ];
        let open = open.map(|(name, text)| (name.to_string(), text.to_string()));
        let mut files = Files::with_open(open);
        assert_eq!(files.read("lib.rs"), Ok("P = STOP".to_string()));
        let mut include = |path, including| files.include(path, including, "-");
        let read = include("../arguments/../lib.rs", "manual/a.csp");
        assert_eq!(read, Ok(("lib.rs".to_string(), "P = STOP".to_string())));
        let unsaved = include("./unsaved.csp", "/nowhere/models/../models/a.csp");
        assert_eq!(
            unsaved,
            Ok((
                "/nowhere/models/unsaved.csp".to_string(),
                "Q = SKIP".to_string()
            ))
        );
    }

    #[test]
    fn a_missing_file_and_a_folder_are_reported_in_plain_words() {
        let message = |name| {
            Files::new()
                .read(name)
                .expect_err("it cannot be read")
                .message
        };
        assert_eq!(
            message("no/such.csp"),
            "`no/such.csp` cannot be read: there is no such file"
        );
        assert_eq!(message("manual"), "`manual` cannot be read: it is a folder");
    }
}
