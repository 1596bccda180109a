//! `cspsym explore` where there is no network, as in WebAssembly: it reports that.

use std::io;

use base::diag::Diagnostic;
use host::arguments::ExploreCall;
use host::console::Console;
use host::files::Files;
use host::framing::Framing;
use host::outcome::CallEnd;

const WHY: &str = "the page cannot be served: there is no network here";

/// Reports that nothing can be served.
pub fn run(_: &ExploreCall, _: &mut Files, _: &mut Console<'_>) -> CallEnd {
    let problem = Diagnostic::error("no-server", WHY).hint("run cspsym outside of the browser");
    Err(problem.into())
}

/// Returns the error that nothing can be served.
pub fn served(_: &str, _: &Framing, _: &mut Files) -> io::Result<String> {
    Err(io::Error::new(io::ErrorKind::Unsupported, WHY))
}
