//! What is served: one script, to whoever knows the token.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::source::SourceMap;

use super::super::files::Readable;
use super::guard::is_same;
use super::script::ExploredScript;

/// The script that is explored, and the address of its page.
pub(super) struct ExploredSite {
    pub(super) script: ExploredScript,
    /// The files that may be read; of these only the script may be written.
    pub(super) readable: Readable,
    /// `127.0.0.1:PORT`
    pub(super) host: String,
    pub(super) token: String,
    /// What the browser is started with instead of the token: others on the machine can see the
    /// arguments of its program.
    invitation: String,
    is_accepted: AtomicBool,
}

/// The path of an invitation begins with this, which is no token.
pub(super) const INVITATION: &str = "open";

/// A token has this many random bytes.
const TOKEN_BYTES: usize = 16;

impl ExploredSite {
    /// The site of a script that has read `sources`, served at `address`.
    pub(super) fn of(
        script: ExploredScript,
        sources: &SourceMap,
        address: SocketAddr,
    ) -> io::Result<Self> {
        let folder = script.real.parent().map(Path::to_path_buf);
        let names = sources.iter().map(|(_, source)| Path::new(&source.name));
        let included = names.filter_map(|name| name.canonicalize().ok());
        Ok(Self {
            script,
            readable: Readable::within(folder).and(included.collect()),
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
}

/// Random bytes as text.
fn random_hex<const BYTES: usize>() -> io::Result<String> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}
