//! The evaluator's state, and the counting of its steps.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::call_table::Calls;
use super::datatypes::Datatypes;
use super::environment::Frame;
use super::heads::Heads;
use super::kind::TypedValues;
use super::listing::code_table::CodeTable;
use super::name_table::CodeNames;
use super::plain::PlainMember;
use super::set::Set;
use super::value::Value;
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::source::{SourceMap, Span};
use base::stack::deep;
use process::event::{EventId, EventSetId};
use process::imported::ImportedSystem;
use process::term::{TermId, Terms};
use process::termination::Termination;
use syntax::ast::{Ast, ExprId, Symbol};
use types::resolved::Resolved;

/// A script that has been parsed and resolved.
#[derive(Clone, Debug)]
pub struct ResolvedScript {
    /// The files; shared with the messages about them.
    pub sources: Arc<SourceMap>,
    /// The syntax.
    pub ast: Ast,
    /// The meanings of its names.
    pub resolved: Resolved,
}

/// Evaluates expressions of one script, and unfolds the named calls in the terms it makes.
pub struct Evaluator<'s> {
    pub(super) script: &'s ResolvedScript,
    pub(super) frame: Rc<Frame>,
    pub(super) terms: Terms,
    pub(super) heads: Heads,
    pub(super) datatypes: Datatypes,
    pub(super) calls: Calls,
    pub(super) names: CodeNames,
    /// The number of each event by its value. Events are complete.
    pub(super) events: FxHashMap<Value, EventId>,
    /// The value of each event by its number.
    pub(super) event_values: FxHashMap<EventId, Value>,
    pub(super) event_sets: FxHashMap<Rc<Set>, EventSetId>,
    /// The value of `Events`, once it was asked for.
    pub(super) every_event: Option<Rc<Set>>,
    /// Declared instances: frame, slot, and the prefix of their names.
    pub(super) pending_instances: Vec<(Rc<Frame>, u32, String)>,
    /// The code from which processes are listed.
    pub(super) code_table: CodeTable,
    /// The types of values that other crates were told of, by number.
    pub(super) told_types: Vec<TypedValues>,
    /// The transition systems that were imported, by number.
    pub(super) imports: FxHashMap<u32, Arc<ImportedSystem>>,
    /// A parallel composition whose members were asked for, with the members last found.
    pub(super) watched: Option<(ExprId, Vec<PlainMember>)>,
    /// The number of instances of modules.
    pub(super) instances: u32,
    /// The place of evaluation, for errors that do not know their own.
    pub(super) place: Span,
    depth: u32,
    pub(super) cancellation: Cancellation,
}

/// The deepest nesting of evaluations, each of which takes about a kilobyte of stack.
const DEPTH_LIMIT: u32 = 1_000_000;

impl<'s> Evaluator<'s> {
    /// An evaluator with the script's declarations in force. Nothing is evaluated yet. It works
    /// until `cancellation` ends its work.
    pub fn new(script: &'s ResolvedScript, cancellation: Cancellation) -> Self {
        let frame = Frame::new(script.resolved.script_frame, None);
        let place = Span::new(base::source::FileId(0), 0, 0);
        let mut evaluator = Self {
            script,
            frame: Rc::clone(&frame),
            terms: Terms::new(),
            heads: Heads::default(),
            datatypes: Datatypes::default(),
            calls: Calls::default(),
            names: CodeNames::default(),
            events: FxHashMap::default(),
            event_values: FxHashMap::default(),
            event_sets: FxHashMap::default(),
            every_event: None,
            pending_instances: Vec::new(),
            code_table: CodeTable::default(),
            told_types: Vec::new(),
            imports: FxHashMap::default(),
            watched: None,
            instances: 0,
            place,
            depth: 0,
            cancellation,
        };
        evaluator.declare(&script.ast.script, &frame, "");
        evaluator
    }

    /// This evaluator with all its results, for work that `cancellation` ends from now on.
    #[must_use]
    pub fn under(mut self, cancellation: Cancellation) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// This evaluator with the meaning of ✓ given by `termination`.
    #[must_use]
    pub fn with_termination(mut self, termination: Termination) -> Self {
        self.terms.read_termination(termination);
        self
    }

    /// The value of an expression at the top level of the script, evaluated in full.
    pub fn value_of(&mut self, expression: ExprId) -> Result<Value> {
        let frame = Rc::clone(&self.frame);
        let value = self.evaluate(expression, &frame)?;
        // `evaluate` has put the place back to what it was before; forcing still belongs here.
        self.place = self.ast().expressions[expression].span;
        self.force_deep(&value)
    }

    /// The process that is the value of an expression at the top level of the script.
    pub fn process_of(&mut self, expression: ExprId) -> Result<TermId> {
        let frame = Rc::clone(&self.frame);
        self.process(expression, &frame)
    }

    pub(super) fn ast(&self) -> &'s Ast {
        &self.script.ast
    }

    pub(super) fn symbol(&self, symbol: Symbol) -> &'s str {
        self.script.ast.name(symbol)
    }

    /// An error at the present place of evaluation.
    pub(super) fn error(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, message).at(self.place, "")
    }

    /// A message that a limit ended evaluation at the present place, so that nothing is decided.
    pub(super) fn limit(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::undecided(code, message).at(self.place, "")
    }

    /// An error at an expression.
    pub(super) fn error_at(
        &self,
        expression: ExprId,
        code: &'static str,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(self.ast().expressions[expression].span, "")
    }

    /// The error that `expected` was needed, but `found` is there.
    pub(super) fn mismatch(&mut self, expected: &str, found: &Value) -> Diagnostic {
        let shown = self.show_briefly(found);
        self.ill_typed(&format!("expected {expected}, found {}", found.kind()))
            .note(format!("its value is {shown}"))
    }

    /// The message about a case that no well-typed script reaches: then the types were not checked,
    /// or not correctly.
    pub(super) fn ill_typed(&self, what: &str) -> Diagnostic {
        let message = format!("this is a fault of cspsym, not of the script: {what}");
        self.error("internal-error", message)
            .note("the check of types, before the script is run, should have refused it")
            .hint("please report it, with the script and the command line")
    }

    /// The error that the number `n` is out of the range of `what`.
    pub(super) fn out_of_range(&self, what: &str, n: i64) -> Diagnostic {
        self.error("out-of-range", format!("{what}, not {n}"))
    }

    /// Begins a step of evaluation. Fails if the work is to end.
    pub(super) fn tick(&mut self) -> Result<()> {
        self.cancellation
            .tick()
            .map_err(|problem| Box::new(problem.at(self.place, "evaluation was here")))
    }

    /// Runs `f` one level deeper.
    pub(super) fn deeper<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        if self.depth >= DEPTH_LIMIT {
            let message = format!("evaluation is nested more than {DEPTH_LIMIT} deep");
            return self
                .limit("recursion-too-deep", message)
                .hint("a recursive function whose end is never reached?")
                .into();
        }
        self.depth += 1;
        // A mistake that `f` finds is reported at the place of `f`; one that the caller finds
        // afterwards belongs to the place of the caller.
        let place = self.place;
        // No `?` here: place and depth are put back after a failure as well, because evaluation
        // goes on after a mistake in an argument that is looked at for a name only (`names.rs`).
        let result = deep(|| f(self));
        self.place = place;
        self.depth -= 1;
        result
    }
}

impl std::fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<evaluator with {} terms>", self.terms.len())
    }
}
