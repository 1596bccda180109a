//! cspsym: a CSP refinement checker that reads CSPm and exploits symmetry.
//!
//! A [`Script`] is read from text; its assertions are listed and checked, and other questions asked
//! in its scope. Each question gets [`Options`], which say how it is decided, and a [`Task`], which
//! can be cancelled and says how far it is. What comes back is plain data. A program that depends
//! on this library alone leaves out the command line: `cspsym = { …, default-features = false }`.
//!
//! ```
//! use cspsym::{Options, Script, Task, report::assertion::Verdict};
//!
//! let text = "
//!     channel coin, tea, coffee
//!     VM   = coin -> tea -> VM
//!     BAD  = coin -> (tea -> BAD |~| coffee -> BAD)
//!     assert VM [T= BAD
//! ";
//! let script = Script::parse("vm.csp", text)?;
//! let answer = script.check(0, &Options::default(), &Task::default());
//! assert_eq!(answer.report.verdict, Verdict::Fail);
//! let found = answer.report.counterexample.expect("it fails");
//! assert_eq!((found.trace, found.event.as_deref()), (vec!["coin".to_string()], Some("coffee")));
//! # Ok::<(), cspsym::Error>(())
//! ```
//!
//! All assertions of a script share what they compile:
//!
//! ```
//! # use cspsym::{Options, Script, Task};
//! # let script = Script::parse("vm.csp", "assert STOP [T= STOP\nassert STOP [T= SKIP")?;
//! let (options, task) = (Options::default(), Task::default());
//! let mut checks = script.checks(&options);
//! for (index, assertion) in script.assertions().iter().enumerate() {
//!     println!("{assertion}: {:?}", checks.check(index, &task).report.verdict);
//! }
//! # Ok::<(), cspsym::Error>(())
//! ```
//!
//! Processes need not be named in an assertion:
//!
//! ```
//! # use cspsym::{Options, Script, Task, report::assertion::Verdict};
//! let script = Script::parse("cell.csp", "channel in, out\nCELL = in -> out -> CELL")?;
//! let (options, task) = (Options::default(), Task::default());
//! let answer = script.refine("CELL", "CELL ||| STOP", &options, &task);
//! assert_eq!(answer.report.verdict, Verdict::Pass);
//! let cell = script.transitions("CELL", &options, &task)?;
//! assert_eq!(cell.steps(0).collect::<Vec<_>>(), [("in", 1)]);
//! # Ok::<(), cspsym::Error>(())
//! ```
//!
//! Another thread may cancel a task, or a deadline end it; then the answer says so:
//!
//! ```
//! # use cspsym::{Options, Script, Task, report::assertion::Verdict};
//! use std::time::Duration;
//! use cspsym::Cancellation;
//!
//! let text = "channel up\nP(n) = up -> P(n + 1)\nassert P(0) :[deadlock free]";
//! let script = Script::parse("up.csp", text)?;
//! let task = Task {
//!     cancellation: Cancellation::after(Duration::from_millis(20)),
//!     ..Task::default()
//! };
//! let answer = script.check(0, &Options::default(), &task);
//! assert_eq!(answer.report.verdict, Verdict::Unknown);
//! assert_eq!(answer.problem.expect("there is no verdict").code(), "timeout");
//! # Ok::<(), cspsym::Error>(())
//! ```
//!
//! Messages speak of the options of the command line, such as `--max-states`; [`Options`] has a
//! field for each. What is public besides what this page shows is for the program itself and for
//! its tests, and changes without notice.
//!
//! # Inside
//!
//! This crate hands on what the crates of its stages have; `ARCHITECTURE.md` says what is where.

pub use base::cancel::{CANCELLED, Cancellation, Ends, Listener, MemoryBounds, Phase, Reason};
pub use base::diag::{Diagnostic, Severity};
pub use base::source::{FileId, SourceFile, SourceMap, Span};
pub use base::threads::Threads;
pub use checker::{
    Answer, Checks, Definition, Error, EvaluatedText, ForAll, GameQuestion, GraphOptions, Options,
    OwnChecks, Printing, ProcessNodes, Progress, RefinementGame, Script, Storage, Strategy,
    Subject, Symmetries, Task, WalkSubject, Walker, Work,
};
pub use process::termination::Termination;
pub use refine::check::{Spilled, Statistics};
#[doc(inline)]
pub use report;
pub use symmetry::choice::{Algorithm, RepresentativeKind};
pub use syntax::ast::ModelName;
pub use syntax::{Loader, NoIncludes, NotIncluded};
