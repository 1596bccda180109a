//! `cspsym explore FILE`: a page in the browser, served to this machine alone.

mod assets;
mod export;
mod guard;
mod script;
mod server;
mod site;
mod strangers;
mod workers;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::{fs, thread};

use base::diag::{Diagnostic, Result};
use base::source::SourceMap;
use checker::Definition;

use host::arguments::ExploreCall;
use host::console::Console;
use host::fault::survive_panics;
use host::files::Files;
use host::framing::Framing;
use host::load::SharedDefinitions;
use host::outcome::CallEnd;
use script::{ExploredScript, NEW_SCRIPT, folder_of, sources_of};
use site::{ExploredSite, usual_port};

/// Serves the page until the program is ended, or exports it.
pub fn run(call: &ExploreCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    // Only a file can be saved and read again.
    if call.files.iter().any(|file| file == "-") {
        let problem = Diagnostic::error("unreadable-file", "standard input cannot be explored")
            .hint("save the script in a file, and give the name of that");
        return Err(problem.into());
    }
    match &call.export {
        Some(folder) => exported(folder, call, files, console),
        None => explored(&call.files[0], call, files, console),
    }
}

/// Writes the page of the scripts into the folder `to`.
fn exported(
    to: &Path,
    call: &ExploreCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> CallEnd {
    let mut shared = SharedDefinitions::new(&call.definitions, call.files.len());
    let mut scripts = Vec::new();
    for file in &call.files {
        let definitions = shared.known(file, files);
        scripts.push(asked_for(file, &definitions, files)?);
    }
    if let Some(problem) = shared.unused().into_iter().next() {
        return Err(problem.into());
    }
    let names = export::export(&scripts, to, call.program.as_deref())?;
    let files = match scripts.len() {
        1 => names.join(", "),
        scripts => format!("{scripts} scripts"),
    };
    console.remark(&format!(
        "The page is in {}, with {files}: any web server can offer that folder.",
        to.display(),
    ));
    Ok(())
}

/// Serves the page of `file` until the program is ended.
fn explored(
    file: &str,
    call: &ExploreCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> CallEnd {
    let is_new = is_to_begin(file)?;
    let begun = is_new.then(|| (file.to_string(), NEW_SCRIPT.to_string()));
    let mut new = Files::with_open(begun);
    let files = if is_new { &mut new } else { files };
    let (script, _) = asked_for(file, &call.definitions, files)?;
    let bound = bound(script, call.port, Framing::default());
    let (site, listener) = bound.map_err(|error| not_served(&error))?;
    survive_panics();
    let address = site.address();
    console.result(&format!("{address}\n"))?;
    console.remark("The page is served to this machine alone, until Ctrl-C ends it.");
    if is_new {
        console.remark(&format!(
            "There is no file {file} yet: the first Save writes it."
        ));
    }
    if !call.no_open && open::that_detached(site.invitation_address()).is_err() {
        console.remark("No browser could be started: open the address above.");
    }
    Ok(server::serve(site, listener)?)
}

fn not_served(error: &io::Error) -> Diagnostic {
    let problem = Diagnostic::error("no-server", format!("the page cannot be served: {error}"));
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            problem.hint("another program has the port: --port 0 takes any that is free")
        }
        _ => problem.hint("--port 0 takes any port that is free"),
    }
}

/// Serves the page of the script `file` in a thread of its own, as long as the program runs. The
/// pages of `framing` may frame it. Returns its address.
pub fn served(file: &str, framing: &Framing, files: &mut Files) -> io::Result<String> {
    let (script, _) = opened(file, &[], files)?;
    let (site, listener) = bound(script, None, framing.clone())?;
    let address = site.address();
    let page = thread::Builder::new().name("page".to_string());
    page.spawn(move || server::serve(site, listener))?;
    Ok(address)
}

/// The script `file` of a call, and all texts that it reads.
fn asked_for(
    file: &str,
    definitions: &[Definition],
    files: &mut Files,
) -> Result<(ExploredScript, SourceMap)> {
    files.read(file)?;
    let opened = opened(file, definitions, files);
    opened.map_err(|error| {
        let message = format!("`{file}` cannot be explored: {error}");
        Diagnostic::error("unreadable-file", message).into()
    })
}

/// The script `file` with its `definitions`, and all texts that it reads. A script with mistakes is
/// opened all the same: the page shows them.
fn opened(
    file: &str,
    definitions: &[Definition],
    files: &mut Files,
) -> io::Result<(ExploredScript, SourceMap)> {
    let sources = sources_of(file, definitions, files);
    Ok((ExploredScript::of(file, definitions, &sources)?, sources))
}

/// True if nothing is at the path `file`, where a new script can begin. A name without an ending
/// rather is a slip. Fails if there is no such folder either.
fn is_to_begin(file: &str) -> Result<bool> {
    let path = Path::new(file);
    let is_absent =
        fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    if !is_absent || path.extension().is_none() {
        return Ok(false);
    }
    let folder = folder_of(path);
    match folder.is_dir() {
        true => Ok(true),
        false => {
            let folder = folder.display();
            let message = format!("`{file}` cannot be begun: there is no folder {folder}");
            let problem = Diagnostic::error("unreadable-file", message);
            Err(problem.hint("make the folder first").into())
        }
    }
}

/// The site of a script, and the listener for its requests.
fn bound(
    script: ExploredScript,
    port: Option<u16>,
    framing: Framing,
) -> io::Result<(ExploredSite, TcpListener)> {
    let listener = match port {
        Some(port) => TcpListener::bind((Ipv4Addr::LOCALHOST, port))?,
        None => TcpListener::bind((Ipv4Addr::LOCALHOST, usual_port(&script.real)))
            .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?,
    };
    let site = ExploredSite::of(script, listener.local_addr()?, framing)?;
    Ok((site, listener))
}
