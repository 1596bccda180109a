//! Standard output, page by page where a person reads it.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// The pager unless the variable `PAGER` names another. It ends at once if one page is enough.
const DEFAULT: &str = "less -FRX";

/// Standard output, or the pager that is started with the first text for it.
pub(super) enum Paged {
    /// Nothing was written yet; the pager to start.
    Waiting(Option<String>),
    /// A pager shows the text.
    Pager(Child),
    /// There is no pager.
    Plain,
}

impl Paged {
    /// Starts a pager at the first text if standard output is a terminal.
    pub(super) fn new() -> Self {
        let wanted = io::stdout().is_terminal().then(|| env::var("PAGER").ok());
        Self::Waiting(wanted.map(|named| named.unwrap_or_else(|| DEFAULT.to_string())))
    }

    /// Waits until the reader has left the pager.
    pub(super) fn finish(self) {
        if let Self::Pager(mut child) = self {
            // The end of the pipe shows the pager that no more comes.
            drop(child.stdin.take());
            // The exit status of the pager makes no difference.
            let _ = child.wait();
        }
    }

    /// The pipe to the pager, which is started if that has not been tried yet.
    fn pipe(&mut self) -> Option<&mut ChildStdin> {
        if let Self::Waiting(wanted) = self {
            let child = wanted.as_deref().and_then(start);
            *self = child.map_or(Self::Plain, Self::Pager);
        }
        match self {
            Self::Pager(child) => child.stdin.as_mut(),
            _ => None,
        }
    }
}

impl Write for Paged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.pipe() {
            Some(pipe) => pipe.write(bytes),
            None => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.pipe() {
            Some(pipe) => pipe.flush(),
            None => io::stdout().flush(),
        }
    }
}

/// Starts a pager, which is a program and its arguments. Without a pager, text is printed as it is.
fn start(line: &str) -> Option<Child> {
    let mut words = line.split_whitespace();
    let program = words.next().filter(|program| *program != "cat")?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if env::var_os("LESSCHARSET").is_none() {
        command.env("LESSCHARSET", "utf-8");
    }
    let child = command.spawn().ok()?;
    // Ctrl-C is for the pager: if this program ended by it, the two would leave the terminal to
    // each other.
    #[cfg(not(target_family = "wasm"))]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, std::sync::Arc::default());
    Some(child)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pager_is_not_started() {
        for line in ["", " ", "cat", "/no/such/program -x"] {
            assert!(start(line).is_none(), "{line}");
        }
    }

    // Windows has no program that only reads.
    #[cfg(unix)]
    #[test]
    fn a_pager_gets_all_that_is_written() {
        let mut paged = Paged::Waiting(Some("wc -c".to_string()));
        assert!(paged.pipe().is_some());
        assert!(matches!(paged, Paged::Pager(_)));
        paged.finish();
    }
}
