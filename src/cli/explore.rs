//! `cspsym explore FILE`: a page in the browser, served to this machine alone.

mod assets;
mod guard;
mod server;
mod site;
mod workers;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::thread;

use crate::base::digest::Digest;
use crate::diag::Diagnostic;
use crate::source::SourceMap;

use super::arguments::ExploreCall;
use super::console::Console;
use super::fault::survive_panics;
use super::files::Files;
use super::load::Loaded;
use super::status::Status;
use site::ExploredSite;

/// Serves the page until the program is ended.
pub(super) fn run(
    call: &ExploreCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    // Only a file can be saved and read again.
    if call.file == "-" {
        let problem = Diagnostic::error("unreadable-file", "standard input cannot be explored")
            .hint("save the script in a file, and give the name of that");
        return Ok(console.problem(&problem, &SourceMap::new()));
    }
    if let Err(problem) = files.read(&call.file) {
        return Ok(console.problem(&problem, &SourceMap::new()));
    }
    let site = bound(call, files);
    let (site, listener) = match site {
        Ok(site) => site,
        Err(error) => {
            let message = format!("the page cannot be served: {error}");
            let problem = Diagnostic::error("no-server", message)
                .hint("another program may have the port: --port 0 takes any that is free");
            return Ok(console.problem(&problem, &SourceMap::new()));
        }
    };
    survive_panics();
    let address = site.address();
    console.result(&format!("{address}\n"))?;
    console.remark("The page is served to this machine alone, until Ctrl-C ends it.");
    if !call.no_open && open::that_detached(site.invitation_address()).is_err() {
        console.remark("No browser could be started: open the address above.");
    }
    server::serve(site, listener)?;
    Ok(Status::Holds)
}

/// Serves the page of the script `file` in a thread of its own, as long as the program runs.
/// Returns its address.
pub(super) fn served(file: &str, files: &mut Files) -> io::Result<String> {
    let call = ExploreCall {
        file: file.to_string(),
        definitions: Vec::new(),
        no_open: true,
        port: None,
    };
    let (site, listener) = bound(&call, files)?;
    let address = site.address();
    let page = thread::Builder::new().name("page".to_string());
    page.spawn(move || server::serve(site, listener))?;
    Ok(address)
}

/// The site of a script, and where it listens. A script with mistakes is served all the same: the
/// page shows them.
fn bound(call: &ExploreCall, files: &mut Files) -> io::Result<(ExploredSite, TcpListener)> {
    let sources = match Loaded::read(&call.file, files, &call.definitions) {
        Ok(loaded) => loaded.script.sources().clone(),
        Err(error) => error.sources().clone(),
    };
    let real = Path::new(&call.file).canonicalize()?;
    let listener = match call.port {
        Some(port) => TcpListener::bind((Ipv4Addr::LOCALHOST, port))?,
        None => TcpListener::bind((Ipv4Addr::LOCALHOST, usual_port(&real)))
            .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?,
    };
    let site = ExploredSite::of(call, real, &sources, listener.local_addr()?)?;
    Ok((site, listener))
}

/// The port of the script `real` where that is free. A browser keeps drafts by address: a script
/// that always has the same one finds them again.
fn usual_port(real: &Path) -> u16 {
    let mut digest = Digest::new(0);
    digest.add_bytes(real.as_os_str().as_encoded_bytes());
    // The remainder is below 2^14, which leads to the largest port.
    FIRST_PRIVATE_PORT + (digest.value() % u64::from(u16::MAX - FIRST_PRIVATE_PORT + 1)) as u16
}

/// The ports from this one on belong to no service (RFC 6335, section 6).
const FIRST_PRIVATE_PORT: u16 = 49_152;
