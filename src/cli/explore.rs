//! `cspsym explore FILE`: a page in the browser, served to this machine alone.

mod assets;
mod guard;
mod server;
mod site;
mod workers;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

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
    if !call.no_open && open::that_detached(&address).is_err() {
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
        port: 0,
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
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, call.port))?;
    let site = ExploredSite::of(call, &sources, listener.local_addr()?)?;
    Ok((site, listener))
}
