//! cspsym: a CSP refinement checker that reads CSPm and exploits symmetry.
//!
//! A [`Script`] is read from text; its assertions are listed and checked, and other questions asked
//! in its scope. Each question gets [`Options`], which say how it is decided, and a [`Task`], which
//! can be cancelled and says how far it is. What comes back is plain data.
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
//! The modules of `src/lib.rs` are the stages, in the order of the data flow; each imports only
//! those above it.

// The empty lines between the modules keep the formatter from sorting them by name.
#![cfg_attr(
    test,
    allow(clippy::unwrap_used, reason = "a test may fail by panicking")
)]

pub use base::threads::Threads;
pub use cancel::{CANCELLED, Cancellation, Ends, Listener, MemoryBounds, Phase, Reason};
pub use checker::{
    Answer, Checks, Definition, Error, ForAll, GraphOptions, Options, Printing, Progress, Script,
    Storage, Subject, Symmetries, Task, WalkSubject, Walker, Work,
};
pub use diag::{Diagnostic, Severity};
pub use process::termination::Termination;
pub use refine::check::{Spilled, Statistics};
pub use source::{FileId, SourceFile, SourceMap, Span};
pub use symmetry::choice::{Algorithm, RepresentativeKind};
pub use syntax::ast::ModelName;
pub use syntax::{Loader, NoIncludes, NotIncluded};

// Some unit tests share files with the integration tests, which call the crate by its name.
#[cfg(test)]
extern crate self as cspsym;

/// Typed indices, interning, stack growth. Knows nothing of CSP.
#[doc(hidden)]
pub mod base;

/// Files and places in them.
#[doc(hidden)]
pub mod source;

/// Messages: what went wrong, where, and what to do about it.
#[doc(hidden)]
pub mod diag;

/// Whether work may go on.
#[doc(hidden)]
pub mod cancel;

/// Several processes of the program that search together.
#[doc(hidden)]
pub mod cluster;

/// Text to abstract syntax.
/// AFTER THIS STAGE: every node has a span; no layout, no operator precedence is left to decide.
#[doc(hidden)]
pub mod syntax;

/// Names to what they mean; arities and duplicates. AFTER THIS STAGE: every name has a
/// [`types::resolved::Reference`], every pattern variable a slot.
#[doc(hidden)]
pub mod types;

/// The type of every expression, or what is wrong with it.
/// AFTER THIS STAGE: no operator meets a value of a type that it does not take.
#[doc(hidden)]
pub mod infer;

/// Hash-consed process terms over opaque named calls, and their operational semantics.
#[doc(hidden)]
pub mod process;

/// Values, and process terms of process expressions.
/// AFTER THIS STAGE: no names, no environments; a process is a term whose calls this stage unfolds.
#[doc(hidden)]
pub mod eval;

/// Parameterised processes: what holds for every number of identities, by views of a few of them.
#[doc(hidden)]
pub mod views;

/// Explicit transition systems of terms: exploration, strong bisimulation, normal form.
#[doc(hidden)]
pub mod lts;

/// Structured machines: operator trees over small leaves, flattened into synchronisation rules.
/// AFTER THIS STAGE: a search needs no terms; a state is a packed vector of leaf states.
#[doc(hidden)]
pub mod machine;

/// Permutation bisimulations of machines from algebraic rules and graph search, the groups they
/// generate, representatives.
/// AFTER THIS STAGE: every symmetry has been verified against machine and specification.
#[doc(hidden)]
pub mod symmetry;

/// Is every behaviour of the machine one of the specification? Breadth-first product search.
#[doc(hidden)]
pub mod refine;

/// From the path a search found to a counterexample that was replayed on the terms themselves.
#[doc(hidden)]
pub mod witness;

/// A process step by step: who does what, who waits for whom, and what a specification allows.
#[doc(hidden)]
pub mod explore;

/// Verdicts, machines and values as text, JSON and DOT. Computes nothing.
pub mod report;

/// Scripts and questions about them: from text to the plain data of a report. Knows no terminal, no
/// arguments, no files.
#[doc(hidden)]
pub mod checker;

/// Labs: tasks with directives, and the marking of what students wrote. Knows no terminal and no
/// files.
#[doc(hidden)]
pub mod lab;

/// Arguments to calls. The only stage that reads files, prints, spawns threads of its own and
/// exits.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
