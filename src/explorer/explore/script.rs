//! The script that is explored, and the files that it includes: the data that the page starts with,
//! the texts of files, and the saving of changes.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};

use serde::{Deserialize, Serialize};

use base::digest::Digest;
use base::source::SourceMap;
use checker::Definition;

use host::files::{Files, Readable, ReadingRule, text_of};
use host::load::Loaded;
use host::shell::shell_line;
use host::whole::write_whole;

/// The text that a new script begins with.
pub(super) const NEW_SCRIPT: &str = "\
-- Channels come first, then processes, then what is to be checked. An example:
--
--   channel coin, tea
--   VM = coin -> tea -> VM
--   assert VM :[deadlock free]

";

/// One script with its definitions.
pub(super) struct ExploredScript {
    /// The script, as the call names it.
    pub(super) file: String,
    definitions: Vec<Definition>,
    /// Its real path. A new script is not there yet.
    pub(super) real: PathBuf,
    /// The files that may be read. Only the script and what it includes may be written.
    pub(super) readable: Readable,
}

/// The data that the page starts with.
#[derive(Serialize)]
pub(super) struct Opening {
    pub(super) file: String,
    /// The identity of the file, however the call names it: drafts are kept by it.
    pub(super) identity: String,
    #[serde(flatten)]
    read: FileText,
    definitions: Vec<String>,
    version: &'static str,
    /// A random word that is told to this page alone: whoever answers later is the same program
    /// only if it knows this. Null if the page is exported.
    pub(super) run: Option<String>,
    /// The command that starts the program again so that the browser finds its drafts. Null if
    /// the page is exported.
    pub(super) again: Option<String>,
    /// The address of the program that the page runs by itself. Null if the page is served by a
    /// program.
    pub(super) program: Option<&'static str>,
    /// The texts, by name, that the program cannot read from a disk; without the script.
    pub(super) files: BTreeMap<String, String>,
    /// The names of the scripts of a page with several, which is exported; else empty.
    pub(super) scripts: Vec<String>,
}

/// A text that was read.
#[derive(Serialize)]
pub(super) struct FileText {
    text: String,
    /// The digest of the file; null of a new script.
    digest: Option<String>,
}

/// A request of the page for the text of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reading {
    file: String,
}

/// A request of the page to save a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saving {
    file: String,
    text: String,
    /// The digest of the text that was read before, if there was a file.
    digest: Option<String>,
}

/// The outcome of saving.
#[derive(Serialize)]
struct Saved {
    /// True if the text is in the file now.
    saved: bool,
    /// The digest of the text in the file now.
    digest: String,
    /// The text in the file, if somebody else has changed it.
    text: Option<String>,
}

impl ExploredScript {
    /// The script `file` with these definitions, which has read `sources`.
    pub(super) fn of(
        file: &str,
        definitions: &[Definition],
        sources: &SourceMap,
    ) -> io::Result<Self> {
        let real = real_path(file)?;
        let folder = real.parent().map(Path::to_path_buf);
        let names = sources.iter().map(|(_, source)| Path::new(&source.name));
        let included = names.filter_map(|name| name.canonicalize().ok());
        Ok(Self {
            file: file.to_string(),
            definitions: definitions.to_vec(),
            real,
            readable: Readable::within(folder, ReadingRule::ScriptFolder).and(included),
        })
    }

    /// The data that every page of the script starts with.
    pub(super) fn opening(&self) -> io::Result<Opening> {
        Ok(Opening {
            file: self.file.clone(),
            identity: digest(self.real.as_os_str().as_encoded_bytes()),
            read: match bytes_of(&self.real)? {
                Some(bytes) => read_text(&self.file, &bytes)?,
                None => FileText {
                    text: NEW_SCRIPT.to_string(),
                    digest: None,
                },
            },
            definitions: self.definitions.iter().map(Definition::to_string).collect(),
            version: env!("CARGO_PKG_VERSION"),
            run: None,
            again: None,
            program: None,
            files: BTreeMap::new(),
            scripts: Vec::new(),
        })
    }

    /// The command that explores the script, from any folder.
    pub(super) fn command(&self) -> String {
        let file = path::absolute(&self.file);
        let file = file.map_or(self.file.clone(), |file| {
            file.to_string_lossy().into_owned()
        });
        let mut words = vec!["cspsym", "explore", &file];
        let definitions = self.definitions.iter().map(Definition::to_string);
        let definitions: Vec<String> = definitions.collect();
        for definition in &definitions {
            words.extend(["-D", definition]);
        }
        shell_line(&words)
    }

    /// The text of the file that `request` names, which has to be one that may be included. The
    /// answer is JSON.
    pub(super) fn read(&self, request: &[u8]) -> io::Result<String> {
        let Reading { file } = serde_json::from_slice(request)?;
        let outside = Files::new().within(self.readable.clone()).outside(&file);
        if let Some((reason, _)) = outside {
            return Err(io::Error::other(reason));
        }
        let bytes = bytes_of(&Path::new(&file).canonicalize()?)?;
        let bytes = bytes.ok_or_else(|| io::Error::other(format!("there is no file {file}")))?;
        serde_json::to_string(&read_text(&file, &bytes)?).map_err(io::Error::other)
    }

    /// Saves the text in `request`, unless the file has changed since it was read. A script
    /// that is gone is written anew. The answer is JSON.
    pub(super) fn save(&self, request: &[u8]) -> io::Result<String> {
        let saving: Saving = serde_json::from_slice(request)?;
        let real = self.writable(&saving.file)?;
        let saved = match bytes_of(&real)? {
            Some(now) if saving.digest.as_ref() != Some(&digest(&now)) => Saved {
                saved: false,
                digest: digest(&now),
                text: Some(read_text(&saving.file, &now)?.text),
            },
            now => {
                let bytes = as_written(&saving.text, now.as_deref().unwrap_or_default())?;
                write_whole(&real, &bytes)?;
                Saved {
                    saved: true,
                    digest: digest(&bytes),
                    text: None,
                }
            }
        };
        serde_json::to_string(&saved).map_err(io::Error::other)
    }

    /// The real path of the file `name`, which has to be the script, or a file that the script
    /// includes as it is saved. So no request can name a file that is written.
    fn writable(&self, name: &str) -> io::Result<PathBuf> {
        if name == self.file {
            return Ok(self.real.clone());
        }
        let mut files = Files::new().within(self.readable.clone());
        let sources = sources_of(&self.file, &self.definitions, &mut files);
        let included = files.read_of(&sources).into_iter();
        let mut included = included.filter_map(|name| Path::new(&name).canonicalize().ok());
        let real = Path::new(name).canonicalize().map_err(|_| {
            let message =
                format!("{name} is gone: make an empty file of this name, and save again");
            io::Error::other(message)
        })?;
        if included.any(|file| file == real) {
            return Ok(real);
        }
        let script = &self.file;
        Err(io::Error::other(format!(
            "{script}, as it is saved, does not include {name}: save {script} first"
        )))
    }
}

/// All texts that the script `file` reads. A script with mistakes has them too.
pub(super) fn sources_of(file: &str, definitions: &[Definition], files: &mut Files) -> SourceMap {
    match Loaded::read(file, files, definitions) {
        Ok(loaded) => loaded.script.sources().clone(),
        Err(error) => error.sources().clone(),
    }
}

/// The real path of `file`, or the one that it will have once it is there.
fn real_path(file: &str) -> io::Result<PathBuf> {
    let path = Path::new(file);
    path.canonicalize().or_else(|error| {
        let name = path.file_name().ok_or(error)?;
        Ok(folder_of(path).canonicalize()?.join(name))
    })
}

/// The folder that a file at `path` is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().unwrap_or(path);
    match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    }
}

/// The bytes of the file at `real`; `None` if there is none. A device has no end, so it is not
/// read.
fn bytes_of(real: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(real) {
        Ok(found) if found.is_file() => fs::read(real).map(Some),
        Ok(_) => Err(io::Error::other(format!("{} is no file", real.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The text of the file `name` with these `bytes`, as every subcommand reads it, with `\n` at the
/// ends of lines.
fn read_text(name: &str, bytes: &[u8]) -> io::Result<FileText> {
    let text = text_of(name, bytes);
    let text = text.map_err(|problem| io::Error::other(problem.message))?;
    Ok(FileText {
        text: text.replace("\r\n", "\n"),
        digest: Some(digest(bytes)),
    })
}

impl Opening {
    /// The data as JSON.
    pub(super) fn json(&self) -> io::Result<String> {
        serde_json::to_string(self).map_err(io::Error::other)
    }
}

/// `text` in the way in which the file with the bytes `before` was written: with its byte order
/// mark and its line ends.
fn as_written(text: &str, before: &[u8]) -> io::Result<Vec<u8>> {
    const MARK: &str = "\u{feff}";
    let Ok(before) = std::str::from_utf8(before) else {
        let reason = "the script is not UTF-8: convert it first, \
                      with `iconv -f WINDOWS-1252 -t UTF-8`";
        return Err(io::Error::other(reason));
    };
    let mark = match before.starts_with(MARK) {
        true => MARK,
        false => "",
    };
    let ends = before.matches('\n').count();
    let text = match 2 * before.matches("\r\n").count() > ends {
        true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => text.to_string(),
    };
    Ok((mark.to_string() + &text).into_bytes())
}

/// A digest of the bytes of a file, which shows if it has changed.
fn digest(bytes: &[u8]) -> String {
    let words = [1, 2].map(|seed| {
        let mut digest = Digest::new(seed);
        digest.add_bytes(bytes);
        digest.value()
    });
    format!("{:016x}{:016x}", words[0], words[1])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A folder of a test, which ends with it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let name = format!("cspsym-explored-{test}-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            fs::create_dir_all(folder.join("models")).expect("it can be made");
            Self(folder)
        }

        fn file(&self, name: &str) -> String {
            self.0.join(name).to_string_lossy().into_owned()
        }

        fn write(&self, name: &str, text: &str) -> String {
            fs::write(self.file(name), text).expect("it can be written");
            self.file(name)
        }

        fn text(&self, name: &str) -> String {
            fs::read_to_string(self.file(name)).expect("it is there")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn explored(file: &str) -> ExploredScript {
        let sources = sources_of(file, &[], &mut Files::new());
        ExploredScript::of(file, &[], &sources).expect("its folder is there")
    }

    fn answer(outcome: io::Result<String>) -> Value {
        serde_json::from_str(&outcome.expect("it is answered")).expect("an answer is JSON")
    }

    fn read(script: &ExploredScript, file: &str) -> io::Result<String> {
        script.read(json!({ "file": file }).to_string().as_bytes())
    }

    fn save(script: &ExploredScript, file: &str, text: &str, digest: &Value) -> io::Result<String> {
        let request = json!({ "file": file, "text": text, "digest": digest });
        script.save(request.to_string().as_bytes())
    }

    #[test]
    fn only_the_script_and_what_it_includes_are_written() {
        let folder = Folder::new("included");
        let beside = folder.write("beside.csp", "channel b\n");
        let outside = folder.write("outside.csp", "channel o\n");
        let part = folder.write("models/part.csp", "channel a\n");
        let other = folder.write("models/other.csp", "channel c\n");
        let text = "include \"part.csp\"\ninclude \"../beside.csp\"\nP = (\n";
        let file = folder.write("models/whole.csp", text);
        let script = explored(&file);
        for part in [&part, &beside] {
            let digest = answer(read(&script, part))["digest"].clone();
            let saved = answer(save(&script, part, "channel new\n", &digest));
            assert_eq!(saved["saved"], true);
        }
        assert_eq!(folder.text("beside.csp"), "channel new\n");
        // It is in the folder, so that it may be read, but the saved script does not include it.
        let digest = answer(read(&script, &other))["digest"].clone();
        let refused = save(&script, &other, "", &digest).expect_err("it is not included");
        assert!(refused.to_string().contains("first"), "{refused}");
        let own = answer(read(&script, &file))["digest"].clone();
        let more = "include \"other.csp\"\ninclude \"../outside.csp\"\n";
        assert_eq!(answer(save(&script, &file, more, &own))["saved"], true);
        assert_eq!(answer(save(&script, &other, "", &digest))["saved"], true);
        // What is outside of the folder, and was not included at the start, stays out of reach.
        let through = folder.file("models/../outside.csp");
        let none = folder.file("models/none.csp");
        for file in [&outside, &through, &none, &folder.file("models")] {
            assert!(read(&script, file).is_err(), "{file}");
            assert!(save(&script, file, "", &Value::Null).is_err(), "{file}");
        }
        assert_eq!(folder.text("outside.csp"), "channel o\n");
        assert!(!Path::new(&none).exists());
    }

    #[test]
    fn what_somebody_else_has_changed_is_not_written_over() {
        let folder = Folder::new("conflict");
        let part = folder.write("part.csp", "channel a\n");
        let script = explored(&folder.write("whole.csp", "include \"part.csp\"\n"));
        let digest = answer(read(&script, &part))["digest"].clone();
        folder.write("part.csp", "channel theirs\r\n");
        let refused = answer(save(&script, &part, "channel mine\n", &digest));
        assert_eq!(
            (&refused["saved"], &refused["text"]),
            (&json!(false), &json!("channel theirs\n"))
        );
        // Line ends stay what they are.
        let saved = answer(save(&script, &part, "channel mine\n", &refused["digest"]));
        assert_eq!(saved["saved"], true);
        assert_eq!(folder.text("part.csp"), "channel mine\r\n");
    }

    #[test]
    fn a_new_script_is_written_by_the_first_save() {
        let folder = Folder::new("new");
        let file = folder.file("new.csp");
        let script = explored(&file);
        let opening = script.opening().and_then(|opening| opening.json());
        let opening = answer(opening);
        assert_eq!(
            (&opening["text"], &opening["digest"]),
            (&json!(NEW_SCRIPT), &Value::Null)
        );
        assert!(!Path::new(&file).exists());
        let saved = answer(save(&script, &file, "channel a\n", &Value::Null));
        assert_eq!(saved["saved"], true);
        assert_eq!(folder.text("new.csp"), "channel a\n");
        // Now there is a file, which the next one has to have read.
        assert_eq!(
            answer(save(&script, &file, "", &Value::Null))["saved"],
            false
        );
    }
}
