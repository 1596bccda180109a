//! Copies of this program, which do a part of the work of a call.

use std::io;
use std::process::{Command, Stdio};

/// A command that starts this program with the arguments of this call, and with `options` that say
/// what it is to do. Its standard input and standard output are pipes.
pub(super) fn copy_of_this_call(options: &[&str]) -> io::Result<Command> {
    let mut arguments = std::env::args_os().skip(1);
    let mut copy = Command::new(std::env::current_exe()?);
    // The options stand right behind the subcommand: further on they might be taken for files.
    copy.args(arguments.next())
        .args(options)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    // Ctrl-C on a terminal reaches this call alone, which tells the others.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut copy, 0);
    Ok(copy)
}
