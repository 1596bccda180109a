//! What the editor has open: texts under the names that the rest of the program knows files by.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    Position, TextDocumentContentChangeEvent as Change, TextDocumentItem, Uri,
    VersionedTextDocumentIdentifier,
};

use host::files::{Files, Readable, without_dots};

use super::positions::{Encoding, Lines};

/// A file that the editor has open.
#[derive(Debug)]
pub(super) struct Document {
    /// As the editor writes it.
    pub(super) uri: Uri,
    /// Its path, or the whole URI if it is not a file.
    pub(super) name: String,
    pub(super) version: i32,
    pub(super) text: String,
    pub(super) lines: Lines,
}

/// All open documents, in the order in which they were opened.
#[derive(Default)]
pub(super) struct Documents {
    open: Vec<Document>,
    /// The folder from outside of which nothing is included, if there is one.
    include_root: Option<PathBuf>,
    /// What else bounds the files that may be read. If it does, that counts alone.
    readable: Readable,
    /// Texts of files, by name, that are read instead of files on the disk.
    texts: BTreeMap<String, String>,
}

impl Documents {
    /// From now on only what is in this folder is included, if there is one.
    pub(super) fn include_from(&mut self, include_root: Option<PathBuf>) {
        self.include_root = include_root;
    }

    /// From now on only files that are `readable` are read, and these `texts` instead of files on
    /// the disk.
    pub(super) fn read_from(&mut self, readable: Readable, texts: BTreeMap<String, String>) {
        self.readable = readable;
        self.texts = texts;
    }

    /// The open document `uri`.
    pub(super) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.iter().find(|document| document.uri == *uri)
    }

    /// The open document with this name.
    pub(super) fn named(&self, name: &str) -> Option<&Document> {
        self.open.iter().find(|document| document.name == name)
    }

    /// All open documents.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Document> {
        self.open.iter()
    }

    /// Adds a text that the editor opens. Returns its name.
    pub(super) fn open(&mut self, item: TextDocumentItem) -> String {
        let name = name_of(&item.uri);
        self.open.retain(|document| document.uri != item.uri);
        self.open.push(Document {
            name: name.clone(),
            uri: item.uri,
            version: item.version,
            lines: Lines::of(&item.text),
            text: item.text,
        });
        name
    }

    /// Changes an open text. Returns its name, or `None` if it is not open.
    pub(super) fn change(
        &mut self,
        id: &VersionedTextDocumentIdentifier,
        changes: Vec<Change>,
        encoding: Encoding,
    ) -> Option<&str> {
        let uri = &id.text_document_identifier.uri;
        let mut open = self.open.iter_mut();
        let document = open.find(|document| document.uri == *uri)?;
        for change in changes {
            document.apply(change, encoding);
        }
        document.version = id.version;
        Some(&document.name)
    }

    /// Forgets a text that the editor closes. Returns its name, or `None` if it was not open.
    pub(super) fn close(&mut self, uri: &Uri) -> Option<String> {
        let at = self.open.iter().position(|document| document.uri == *uri)?;
        Some(self.open.remove(at).name)
    }

    /// Files as they are in the editor, and otherwise on disk.
    pub(super) fn files(&self) -> Files {
        let open = self.open.iter();
        self.files_with(open.map(|document| (document.name.clone(), document.text.clone())))
    }

    /// Files as in `open`, by name and text, and otherwise on disk.
    pub(super) fn files_with(&self, open: impl IntoIterator<Item = (String, String)>) -> Files {
        let readable = match self.readable == Readable::default() {
            true => Readable::within(self.include_root.clone()),
            false => self.readable.clone(),
        };
        // Of two texts of one name the later one counts.
        let texts = self.texts.iter();
        let texts = texts.map(|(name, text)| (name.clone(), text.clone()));
        Files::with_open(texts.chain(open)).within(readable)
    }

    /// What the editor calls the file `name`.
    pub(super) fn uri(&self, name: &str) -> Uri {
        match self.named(name) {
            Some(document) => document.uri.clone(),
            None => uri_of(name),
        }
    }
}

impl Document {
    /// The byte at `position`.
    pub(super) fn byte(&self, position: Position, encoding: Encoding) -> usize {
        self.lines.byte(&self.text, position, encoding)
    }

    fn apply(&mut self, change: Change, encoding: Encoding) {
        match change {
            Change::TextDocumentContentChangePartial(part) => {
                let start = self.byte(part.range.start, encoding);
                // A range that ends before it begins would make `replace_range` panic.
                let end = self.byte(part.range.end, encoding).max(start);
                self.text.replace_range(start..end, &part.text);
            }
            Change::TextDocumentContentChangeWholeDocument(whole) => self.text = whole.text,
        }
        self.lines = Lines::of(&self.text);
    }
}

const FILE: &str = "file://";

/// The path of a URI of a file; any other URI as it is.
pub(super) fn name_of(uri: &Uri) -> String {
    let Some(path) = uri.0.strip_prefix(FILE) else {
        return uri.0.clone();
    };
    // Before the path stands a host: this machine.
    let path = &path[path.find('/').unwrap_or(0)..];
    let path = decoded(path);
    // `/c:/models/a.csp`
    let bytes = path.as_bytes();
    if bytes.len() > 2 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':' {
        return path[1..].to_string();
    }
    path
}

/// The URI of the file `name`.
pub(super) fn uri_of(name: &str) -> Uri {
    let is_uri = name.split_once(':').is_some_and(|(scheme, _)| {
        // A single letter before the colon is a drive of Windows.
        scheme.len() > 1 && scheme.chars().all(|sign| sign.is_ascii_alphanumeric())
    });
    if is_uri {
        return Uri(name.to_string());
    }
    let path = std::path::absolute(name).unwrap_or_else(|_| Path::new(name).to_path_buf());
    let path = without_dots(&path).to_string_lossy().replace('\\', "/");
    let root = if path.starts_with('/') { "" } else { "/" };
    Uri(format!("{FILE}{root}{}", encoded(&path)))
}

/// Each `%41` as the byte that it stands for.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn encoded(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte);
    let each = path.bytes().map(|byte| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{
        LanguageKind, Range, TextDocumentContentChangePartial, TextDocumentIdentifier,
    };

    use super::*;

    #[test]
    fn files_have_their_paths_and_anything_else_its_uri() {
        let both = |uri: &str, name: &str| {
            assert_eq!(name_of(&Uri::from(uri)), name);
            assert_eq!(uri_of(name), Uri::from(uri));
        };
        both("file:///a/b%20c/%C3%A9.csp", "/a/b c/é.csp");
        both("untitled:Untitled-1", "untitled:Untitled-1");
        assert_eq!(name_of(&Uri::from("file:///c%3A/a.csp")), "c:/a.csp");
        assert_eq!(name_of(&Uri::from("file://localhost/a.csp")), "/a.csp");
        assert_eq!(name_of(&Uri::from("file:///100%.csp")), "/100%.csp");
        assert_eq!(uri_of("/a/b/../c/./d.csp"), Uri::from("file:///a/c/d.csp"));
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
            // The end is before the start: nothing is taken away.
            change((1, 0), (0, 9), "Q = "),
        ];
        assert_eq!(
            documents.change(&id, changes, Encoding::Utf16),
            Some("/a.csp")
        );
        let text = |documents: &Documents| documents.get(&uri).unwrap().text.clone();
        assert_eq!(text(&documents), "-- 𝒫é\nQ = P = SKIP\n");
        assert_eq!(documents.close(&uri).as_deref(), Some("/a.csp"));
        assert_eq!(documents.close(&uri), None);
        assert_eq!(documents.change(&id, Vec::new(), Encoding::Utf16), None);
    }
}
