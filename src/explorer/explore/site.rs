//! The site: one script, served to everybody who knows the token.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use base::digest::Digest;
use host::framing::Framing;

use super::guard::is_same;
use super::script::{ExploredScript, Opening};

/// The script that is explored, and the address of its page.
pub(super) struct ExploredSite {
    pub(super) script: ExploredScript,
    /// `127.0.0.1:PORT`
    pub(super) host: String,
    pub(super) token: String,
    /// The pages that may frame this one.
    pub(super) framing: Framing,
    /// See [`Opening::run`].
    run: String,
    /// See [`Opening::again`].
    again: String,
    /// The secret that the browser is started with instead of the token: others on the machine can
    /// see the arguments of the browser.
    invitation: String,
    /// The number of times that the invitation was used.
    arrivals: AtomicU32,
}

/// The first part of the path of an invitation. It is no token.
pub(super) const INVITATION: &str = "open";

/// The number of random bytes of a token.
const TOKEN_BYTES: usize = 16;

impl ExploredSite {
    /// The site of a script, served at `address`, which the pages of `framing` may frame.
    pub(super) fn of(
        script: ExploredScript,
        address: SocketAddr,
        framing: Framing,
    ) -> io::Result<Self> {
        let again = match address.port() == usual_port(&script.real) {
            true => script.command(),
            false => format!("{} --port {}", script.command(), address.port()),
        };
        Ok(Self {
            script,
            framing,
            run: random_hex::<TOKEN_BYTES>()?,
            again,
            host: address.to_string(),
            token: random_hex::<TOKEN_BYTES>()?,
            invitation: random_hex::<TOKEN_BYTES>()?,
            arrivals: AtomicU32::new(0),
        })
    }

    /// The data that the page starts with.
    pub(super) fn opening(&self) -> io::Result<Opening> {
        let mut opening = self.script.opening()?;
        opening.run = Some(self.run.clone());
        opening.again = Some(self.again.clone());
        Ok(opening)
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://{}/{}/", self.host, self.token)
    }

    /// The address that leads a browser to the page, once.
    pub(super) fn invitation_address(&self) -> String {
        format!("http://{}/{INVITATION}/{}", self.host, self.invitation)
    }

    /// Counts a use of this invitation. Returns the path of the page for the first use.
    pub(super) fn accept(&self, invitation: &str) -> Option<String> {
        if !is_same(invitation, &self.invitation) {
            return None;
        }
        let before = self.arrivals.fetch_add(1, Ordering::Relaxed);
        (before == 0).then(|| format!("/{}/", self.token))
    }

    /// True if the invitation was used twice. One of the users has seen it where it is no secret,
    /// and nobody knows which, so that neither is served any more.
    pub(super) fn is_disclosed(&self) -> bool {
        self.arrivals.load(Ordering::Relaxed) > 1
    }
}

/// Random bytes as text.
fn random_hex<const BYTES: usize>() -> io::Result<String> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The port of the script `real`, if that is free. A browser keeps drafts by address: it finds the
/// drafts again if a script always has the same port.
pub(super) fn usual_port(real: &Path) -> u16 {
    let mut digest = Digest::new(0);
    digest.add_bytes(real.as_os_str().as_encoded_bytes());
    // The remainder is below 2^14, so the largest result is the largest port.
    FIRST_PRIVATE_PORT + (digest.value() % u64::from(u16::MAX - FIRST_PRIVATE_PORT + 1)) as u16
}

/// The first of the ports that belong to no service (RFC 6335, section 6).
const FIRST_PRIVATE_PORT: u16 = 49_152;
