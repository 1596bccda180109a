//! The documents that the editor has open: texts under the names that the rest of the program knows
//! files by.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    Position, TextDocumentContentChangeEvent as Change, TextDocumentItem, Uri,
    VersionedTextDocumentIdentifier,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use host::files::{Files, Readable, ReadingRule, without_dots};

use super::positions::{Encoding, Lines};

/// A file that the editor has open.
#[derive(Debug)]
pub(crate) struct Document {
    /// The URI as the editor writes it.
    pub(crate) uri: Uri,
    /// Its path, or the whole URI if it is not a file.
    pub(crate) name: String,
    pub(crate) version: i32,
    pub(crate) text: String,
    pub(crate) lines: Lines,
}

/// All open documents, in the order in which they were opened.
#[derive(Default)]
pub(crate) struct Documents {
    open: Vec<Document>,
    /// The unit that columns count.
    pub(crate) encoding: Encoding,
    /// The folder from outside of which nothing is included, if there is one.
    pub(crate) include_root: Option<PathBuf>,
    /// Another bound on the files that may be read. If there is one, `include_root` does not count.
    pub(crate) readable: Readable,
    /// Texts of files, by name, that are read instead of files on the disk.
    pub(crate) texts: BTreeMap<String, String>,
}

impl Documents {
    /// The open document `uri`.
    pub(crate) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.iter().find(|document| document.uri == *uri)
    }

    /// The open document with this name.
    pub(crate) fn named(&self, name: &str) -> Option<&Document> {
        self.open.iter().find(|document| document.name == name)
    }

    /// All open documents.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Document> {
        self.open.iter()
    }

    /// Adds a text that the editor opens. Returns its name.
    pub(crate) fn open(&mut self, item: TextDocumentItem) -> String {
        let name = name_of(&item.uri);
        self.open.retain(|document| document.uri != item.uri);
        self.open.push(Document {
            name: name.clone(),
            uri: item.uri,
            version: item.version,
            lines: Lines::of(&item.text, self.encoding),
            text: item.text,
        });
        name
    }

    /// Changes an open text. Returns its name, or `None` if it is not open.
    pub(crate) fn change(
        &mut self,
        id: &VersionedTextDocumentIdentifier,
        changes: Vec<Change>,
    ) -> Option<String> {
        let uri = &id.text_document_identifier.uri;
        let mut open = self.open.iter_mut();
        let document = open.find(|document| document.uri == *uri)?;
        for change in changes {
            match change {
                Change::TextDocumentContentChangePartial(part) => {
                    let start = document.byte(part.range.start);
                    // A range that ends before it begins would make `replace_range` panic.
                    let end = document.byte(part.range.end).max(start);
                    document.text.replace_range(start..end, &part.text);
                }
                Change::TextDocumentContentChangeWholeDocument(whole) => document.text = whole.text,
            }
            document.lines = Lines::of(&document.text, self.encoding);
        }
        document.version = id.version;
        Some(document.name.clone())
    }

    /// Forgets a text that the editor closes. Returns its name, or `None` if it was not open.
    pub(crate) fn close(&mut self, uri: &Uri) -> Option<String> {
        let at = self.open.iter().position(|document| document.uri == *uri)?;
        Some(self.open.remove(at).name)
    }

    /// The files with their texts in the editor, and otherwise on disk.
    pub(crate) fn files(&self) -> Files {
        self.files_with([])
    }

    /// The files with the texts `changed`, by name, and otherwise with their texts in the editor,
    /// or on disk.
    pub(crate) fn files_with(&self, changed: impl IntoIterator<Item = (String, String)>) -> Files {
        let readable = match self.readable.is_bounded() {
            true => self.readable.clone(),
            false => Readable::within(self.include_root.clone(), ReadingRule::IncludeRoot),
        };
        let open = self.open.iter().map(|open| (&open.name, &open.text));
        let known = self.texts.iter().chain(open);
        let known = known.map(|(name, text)| (name.clone(), text.clone()));
        // Of two texts of one name the later one counts.
        Files::with_open(known.chain(changed)).within(readable)
    }

    /// The URI of the file `name` in the editor: the plain name if the editor opens documents by
    /// such.
    pub(crate) fn uri(&self, name: &str) -> Uri {
        match self.named(name) {
            Some(document) => document.uri.clone(),
            None if self.open.iter().any(|open| !is_uri(&open.uri.0)) => Uri(name.to_string()),
            None => uri_of(name),
        }
    }
}

impl Document {
    /// The byte at `position`.
    pub(crate) fn byte(&self, position: Position) -> usize {
        self.lines.byte(&self.text, position)
    }
}

const FILE: &str = "file://";

/// The characters that are encoded in the path of a URI.
const NOT_IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':');

/// The path of a URI of a file; any other URI as it is.
fn name_of(uri: &Uri) -> String {
    let Some(path) = uri.0.strip_prefix(FILE) else {
        return uri.0.clone();
    };
    // The path stands behind a host, which is this machine.
    let path = &path[path.find('/').unwrap_or(0)..];
    let path = percent_decode_str(path).decode_utf8_lossy();
    match path.as_bytes() {
        // `/c:/models/a.csp` is a path of Windows.
        [_, drive, b':', ..] if drive.is_ascii_alphabetic() => path[1..].to_string(),
        _ => path.into_owned(),
    }
}

/// True if `name` is a URI, and no path.
fn is_uri(name: &str) -> bool {
    name.split_once(':').is_some_and(|(scheme, _)| {
        // A single letter before the colon is a drive of Windows.
        scheme.len() > 1 && scheme.chars().all(|sign| sign.is_ascii_alphanumeric())
    })
}

/// The URI of the file `name`.
fn uri_of(name: &str) -> Uri {
    if is_uri(name) {
        return Uri(name.to_string());
    }
    let path = std::path::absolute(name).unwrap_or_else(|_| Path::new(name).to_path_buf());
    let path = without_dots(&path).to_string_lossy().replace('\\', "/");
    let root = if path.starts_with('/') { "" } else { "/" };
    let path = utf8_percent_encode(&path, NOT_IN_PATHS);
    Uri(format!("{FILE}{root}{path}"))
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{
        LanguageKind, Range, TextDocumentContentChangePartial, TextDocumentIdentifier,
    };

    use super::*;

    /// The beginning of absolute paths, in a URI and in a name.
    const ROOT: (&str, &str) = match cfg!(windows) {
        true => ("file:///c:/", "c:/"),
        false => ("file:///", "/"),
    };

    fn in_root(uri: &str, name: &str) -> (Uri, String) {
        let (root, folder) = ROOT;
        (Uri(format!("{root}{uri}")), format!("{folder}{name}"))
    }

    #[test]
    fn files_have_their_paths_and_anything_else_its_uri() {
        let unsaved = "untitled:Untitled-1";
        for (uri, name) in [
            in_root("a/b%20c/%C3%A9.csp", "a/b c/é.csp"),
            (Uri::from(unsaved), unsaved.to_string()),
        ] {
            assert_eq!(name_of(&uri), name);
            assert_eq!(uri_of(&name), uri);
        }
        assert_eq!(name_of(&Uri::from("file:///c%3A/a.csp")), "c:/a.csp");
        assert_eq!(name_of(&Uri::from("file://localhost/a.csp")), "/a.csp");
        assert_eq!(name_of(&Uri::from("file:///100%.csp")), "/100%.csp");
        let (uri, name) = in_root("a/c/d.csp", "a/b/../c/./d.csp");
        assert_eq!(uri_of(&name), uri);
    }

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> Change {
        let place = |(line, character)| Position { line, character };
        Change::TextDocumentContentChangePartial(TextDocumentContentChangePartial {
            range: Range {
                start: place(from),
                end: place(to),
            },
            text: text.to_string(),
            ..Default::default()
        })
    }

    #[test]
    fn changes_are_applied_one_after_the_other() {
        let uri = Uri::from("file:///a.csp");
        let mut documents = Documents::default();
        documents.open(TextDocumentItem {
            uri: uri.clone(),
            language_id: LanguageKind::new("cspm"),
            version: 1,
            text: "-- 𝒫\nP = STOP\n".to_string(),
        });
        let id = VersionedTextDocumentIdentifier {
            version: 2,
            text_document_identifier: TextDocumentIdentifier { uri: uri.clone() },
        };
        let changes = vec![
            change((1, 4), (1, 8), "SKIP"),
            change((0, 5), (0, 5), "é"),
            // The end is before the start: nothing is removed.
            change((1, 0), (0, 9), "Q = "),
        ];
        assert_eq!(documents.change(&id, changes), Some("/a.csp".to_string()));
        let text = |documents: &Documents| documents.get(&uri).unwrap().text.clone();
        assert_eq!(text(&documents), "-- 𝒫é\nQ = P = SKIP\n");
        assert_eq!(documents.close(&uri).as_deref(), Some("/a.csp"));
        assert_eq!(documents.close(&uri), None);
        assert_eq!(documents.change(&id, Vec::new()), None);
    }

    #[test]
    fn who_opens_documents_by_plain_names_gets_such() {
        let open = |uri: &str| TextDocumentItem {
            uri: Uri::from(uri),
            language_id: LanguageKind::new("cspm"),
            version: 1,
            text: String::new(),
        };
        let mut documents = Documents::default();
        documents.open(open("file:///models/a.csp"));
        let (uri, name) = in_root("models/b.csp", "models/b.csp");
        assert_eq!(documents.uri(&name), uri);
        documents.open(open("models/a.csp"));
        assert_eq!(documents.uri("models/b.csp"), Uri::from("models/b.csp"));
    }
}
