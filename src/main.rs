//! The program `cspsym`: hands the arguments to the command line.

/// Ends the run with what is known where there is no more memory.
#[global_allocator]
static ALLOCATOR: cli::Allocator = cli::Allocator;

fn main() -> std::process::ExitCode {
    cli::main()
}
