//! `cspsym explore FILE`: a page in the browser, served to this machine alone.

mod assets;
mod guard;
mod server;
mod site;
mod workers;

use std::io;
use std::net::{Ipv4Addr, TcpListener};

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
    // A script with mistakes is opened all the same: the page shows them.
    let sources = match Loaded::read(&call.file, files, &call.definitions) {
        Ok(loaded) => loaded.script.sources().clone(),
        Err(error) => error.sources().clone(),
    };
    let site = TcpListener::bind((Ipv4Addr::LOCALHOST, call.port)).and_then(|listener| {
        Ok((
            ExploredSite::of(call, &sources, listener.local_addr()?)?,
            listener,
        ))
    });
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
