//! What is served: one script, to whoever knows the token.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::base::digest::Digest;
use crate::source::SourceMap;

use super::super::arguments::ExploreCall;
use super::super::files::{Files, Readable};
use super::super::whole::write_whole;
use super::guard::is_same;

/// The script that is explored, and the address of its page.
pub(super) struct ExploredSite {
    /// The script, as it was named.
    file: String,
    definitions: Vec<String>,
    /// The files that may be read, and of these the one that may be written.
    pub(super) readable: Readable,
    real: PathBuf,
    /// `127.0.0.1:PORT`
    pub(super) host: String,
    pub(super) token: String,
    /// What the browser is started with instead of the token: others on the machine can see the
    /// arguments of its program.
    invitation: String,
    is_accepted: AtomicBool,
}

/// What the page starts with.
#[derive(Serialize)]
struct Opening {
    file: String,
    /// Which file that is, wherever it is named from: drafts are kept by this.
    identity: String,
    text: String,
    digest: String,
    definitions: Vec<String>,
    version: &'static str,
}

/// What the page wants saved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saving {
    text: String,
    /// The digest of what was read before.
    digest: String,
}

/// What saving came to.
#[derive(Serialize)]
pub(super) struct Saved {
    /// Whether the text is in the file now.
    saved: bool,
    /// The digest of what is in the file now.
    digest: String,
    /// What is in the file, if somebody else has changed it.
    text: Option<String>,
}

/// The path of an invitation begins with this, which is no token.
pub(super) const INVITATION: &str = "open";

/// A token has this many random bytes.
const TOKEN_BYTES: usize = 16;

impl ExploredSite {
    /// The site of a call whose script is at `real` and has read `sources`, served at `address`.
    pub(super) fn of(
        call: &ExploreCall,
        real: PathBuf,
        sources: &SourceMap,
        address: SocketAddr,
    ) -> io::Result<Self> {
        let folder = real.parent().map(Path::to_path_buf);
        let names = sources.iter().map(|(_, source)| Path::new(&source.name));
        let included = names.filter_map(|name| name.canonicalize().ok());
        Ok(Self {
            file: call.file.clone(),
            definitions: call
                .definitions
                .iter()
                .map(|d| format!("{}={}", d.name, d.text))
                .collect(),
            readable: Readable::within(folder).and(included.collect()),
            real,
            host: address.to_string(),
            token: random_hex::<TOKEN_BYTES>()?,
            invitation: random_hex::<TOKEN_BYTES>()?,
            is_accepted: AtomicBool::new(false),
        })
    }

    /// Where the page is.
    pub(super) fn address(&self) -> String {
        format!("http://{}/{}/", self.host, self.token)
    }

    /// Where a browser is led to the page, once.
    pub(super) fn invitation_address(&self) -> String {
        format!("http://{}/{INVITATION}/{}", self.host, self.invitation)
    }

    /// The path of the page, for whoever is the first to come with the invitation.
    pub(super) fn accept(&self, invitation: &str) -> Option<String> {
        let is_first = is_same(invitation, &self.invitation)
            && !self.is_accepted.swap(true, Ordering::Relaxed);
        is_first.then(|| format!("/{}/", self.token))
    }

    /// What the page starts with, as JSON.
    pub(super) fn opening(&self) -> io::Result<String> {
        let bytes = fs::read(&self.real)?;
        let opening = Opening {
            digest: digest(&bytes),
            text: self.text()?,
            file: self.file.clone(),
            identity: digest(self.real.as_os_str().as_encoded_bytes()),
            definitions: self.definitions.clone(),
            version: env!("CARGO_PKG_VERSION"),
        };
        serde_json::to_string(&opening).map_err(io::Error::other)
    }

    /// Does what `request` wants saved, unless the file has changed since it was read. The answer
    /// is JSON.
    pub(super) fn save(&self, request: &[u8]) -> io::Result<String> {
        let saving: Saving = serde_json::from_slice(request)?;
        let now = fs::read(&self.real)?;
        let saved = if digest(&now) == saving.digest {
            let bytes = as_written(&saving.text, &now)?;
            write_whole(&self.real, &bytes)?;
            Saved {
                saved: true,
                digest: digest(&bytes),
                text: None,
            }
        } else {
            Saved {
                saved: false,
                digest: digest(&now),
                text: Some(self.text()?),
            }
        };
        serde_json::to_string(&saved).map_err(io::Error::other)
    }

    /// The text of the script, as every subcommand reads it, with `\n` at the ends of lines.
    fn text(&self) -> io::Result<String> {
        let text = Files::new().read(&self.file);
        let text = text.map_err(|problem| io::Error::other(problem.message))?;
        Ok(text.replace("\r\n", "\n"))
    }
}

/// `text` in the way in which the file that had `before` was written: with its byte order mark and
/// its line ends.
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

/// Random bytes as text.
fn random_hex<const BYTES: usize>() -> io::Result<String> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A digest of what is in a file, which shows whether it has changed.
fn digest(bytes: &[u8]) -> String {
    let words = [1, 2].map(|seed| {
        let mut digest = Digest::new(seed);
        digest.add_bytes(bytes);
        digest.value()
    });
    format!("{:016x}{:016x}", words[0], words[1])
}
