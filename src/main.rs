//! The program `cspsym`: hands the arguments to the library.

fn main() -> std::process::ExitCode {
    cspsym::cli::main()
}
