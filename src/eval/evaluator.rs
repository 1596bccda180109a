//! The evaluator: the parts that make up its state.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::declared::ScriptDeclarations;
use super::environment::Frame;
use super::events::Events;
use super::listing::code_table::CodeTable;
use super::name_table::Names;
use super::plain::PlainMember;
use super::script::ResolvedScript;
use super::show::ValueText;
use super::value::{Lazy, Value};
use super::work::EvaluationWork;
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::stack::deep;
use process::imported::ImportedSystem;
use process::term::{TermId, Terms};
use process::termination::Termination;
use syntax::ast::{ExprId, PatternId};

/// Evaluates expressions of one script, and unfolds the named calls in the terms it makes.
pub struct Evaluator<'s> {
    pub(super) script: &'s ResolvedScript,
    pub(super) declared: ScriptDeclarations,
    pub(super) terms: Terms,
    pub(super) names: Names,
    pub(super) events: Events,
    pub(super) work: EvaluationWork,
    /// The code from which processes are listed.
    pub(super) code_table: CodeTable,
    /// The transition systems that were imported, by number.
    pub(super) imports: FxHashMap<u32, Arc<ImportedSystem>>,
    /// A parallel composition whose members were asked for, with the members last found.
    pub(super) watched: Option<(ExprId, Vec<PlainMember>)>,
}

impl<'s> Evaluator<'s> {
    /// An evaluator with the script's declarations in force. Nothing is evaluated yet. It works
    /// until `cancellation` ends its work.
    pub fn new(script: &'s ResolvedScript, cancellation: Cancellation) -> Self {
        Self {
            script,
            declared: ScriptDeclarations::of_script(script),
            terms: Terms::new(),
            names: Names::default(),
            events: Events::default(),
            work: EvaluationWork::new(cancellation),
            code_table: CodeTable::default(),
            imports: FxHashMap::default(),
            watched: None,
        }
    }

    /// This evaluator with all its results, for work that `cancellation` ends from now on.
    #[must_use]
    pub fn under(mut self, cancellation: Cancellation) -> Self {
        self.work_under(cancellation);
        self
    }

    /// Lets `cancellation` end the work from now on, for a part of the work.
    pub fn work_under(&mut self, cancellation: Cancellation) {
        self.work.end_by(cancellation);
    }

    /// This evaluator with the meaning of ✓ given by `termination`.
    #[must_use]
    pub fn with_termination(mut self, termination: Termination) -> Self {
        self.terms.read_termination(termination);
        self
    }

    /// The value of an expression at the top level of the script, evaluated in full.
    pub fn value_of(&mut self, expression: ExprId) -> Result<Value> {
        let value = self.evaluate(expression, &self.top())?;
        // `evaluate` has put the place back to what it was before; forcing still belongs here.
        self.at(expression);
        self.force_deep(&value)
    }

    /// The process that is the value of an expression at the top level of the script.
    pub fn process_of(&mut self, expression: ExprId) -> Result<TermId> {
        self.process(expression, &self.top())
    }

    /// The text of a value that `Evaluator::force_deep` returned. Parts that cannot be shown in
    /// full (functions, the rest of an infinite sequence) are shown by a word.
    pub fn show(&self, value: &Value) -> String {
        self.text().value(value)
    }

    /// The texts of the elements of a value that `Evaluator::force_deep` returned: of a finite set
    /// ascending, of a sequence in their order; `None` if it is neither.
    pub fn elements(&mut self, value: &Value) -> Result<Option<Vec<String>>> {
        let elements: Option<Vec<Value>> = match value {
            Value::Set(set) if self.is_finite(set)? => Some(self.members(set)?.to_vec()),
            Value::Sequence(sequence) => {
                let (items, is_whole) = sequence.ready_items();
                let items = items.iter().map(Lazy::ready);
                items.collect::<Option<_>>().filter(|_| is_whole)
            }
            _ => None,
        };
        Ok(elements.map(|elements| elements.iter().map(|one| self.show(one)).collect()))
    }

    /// The parts that make text of values.
    pub(super) fn text(&self) -> ValueText<'_> {
        ValueText {
            script: self.script,
            declared: &self.declared,
            names: &self.names,
            terms: &self.terms,
        }
    }

    /// Notes that evaluation is at `expression` now.
    pub(super) fn at(&mut self, expression: ExprId) {
        self.work.go_to(self.script.span(expression));
    }

    /// Notes that evaluation is at `pattern` now.
    pub(super) fn at_pattern(&mut self, pattern: PatternId) {
        self.work.go_to(self.script.ast.patterns[pattern].span);
    }

    /// The error that `expected` was needed, but `found` is there.
    pub(super) fn mismatch(&self, expected: &str, found: &Value) -> Diagnostic {
        if let Value::Atom(atom) = found {
            return self.looked_into(atom.id, &format!("the use as {expected}"));
        }
        let shown = self.text().brief(found);
        let what = format!("expected {expected}, found {}", found.kind());
        let problem = self.work.ill_typed(&what);
        problem.note(format!("its value is {shown}"))
    }

    /// Runs `f` one level deeper.
    pub(super) fn deeper<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        // A mistake that `f` finds is reported at the place of `f`; one that the caller finds
        // afterwards belongs to the place of the caller.
        let place = self.work.enter()?;
        // No `?` here: place and depth are put back after a failure as well, because evaluation
        // goes on after a mistake in an argument that is looked at for a name only (`names.rs`).
        let result = deep(|| f(self));
        self.work.leave(place);
        result
    }

    /// The frame of the script's top level.
    pub(super) fn top(&self) -> Rc<Frame> {
        Rc::clone(self.declared.top())
    }
}

impl std::fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<evaluator with {} terms>", self.terms.len())
    }
}
