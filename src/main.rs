//! The program `cspsym`: hands the arguments to the library.

/// Ends the run with what is known where there is no more memory.
#[global_allocator]
static ALLOCATOR: cspsym::cli::Allocator = cspsym::cli::Allocator;

fn main() -> std::process::ExitCode {
    cspsym::cli::main()
}
