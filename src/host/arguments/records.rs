//! Options for the files in which a check keeps its verdicts.

use std::path::PathBuf;

use clap::Args;

/// The files in which the verdicts are kept, beside what is printed.
#[derive(Args, Debug, Default)]
pub struct RecordWish {
    /// Write the verdicts to FILE too, with each counterexample step by step: one page that any
    /// browser shows, without a network. A file that is there is replaced
    #[arg(long, value_name = "FILE", display_order = 5)] // Behind `--for-all` in the help.
    pub report: Option<PathBuf>,
    /// Write the verdicts to FILE too, as tests in the XML of JUnit, which most programs for
    /// continuous integration show. A file that is there is replaced
    #[arg(long, value_name = "FILE", display_order = 5)]
    pub junit: Option<PathBuf>,
    /// Write what does not hold to FILE too, as findings in the JSON of SARIF 2.1.0, which code
    /// hosts show beside the lines. A file that is there is replaced
    #[arg(long, value_name = "FILE", display_order = 5)]
    pub sarif: Option<PathBuf>,
}
