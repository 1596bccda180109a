//! Imported transition systems as processes.

use std::rc::Rc;
use std::sync::Arc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::value::Value;
use base::diag::{Diagnostic, Result};
use process::event::{EventId, TAU, TICK};
use process::imported::ImportedSystem;
use process::term::{Term, TermId};
use syntax::ast::Import;
use syntax::aut::{AutFile, AutLabel};

impl Evaluator<'_> {
    /// The process of `import` at its initial state.
    pub(super) fn imported(&mut self, import: &Import, environment: &Rc<Frame>) -> Result<TermId> {
        let file = Arc::clone(&self.script.ast.imports[import.system as usize]);
        let system = match self.imports.get(&import.system) {
            Some(known) => Arc::clone(known),
            None => {
                let events = self.events_of(import, &file, environment)?;
                let made = Arc::new(system(import, &file, &events));
                self.imports.insert(import.system, Arc::clone(&made));
                made
            }
        };
        Ok(self.terms.intern(Term::Imported(system, file.initial)))
    }

    /// The message about an `aut` that was not replaced by an imported system when the script was
    /// read.
    pub(super) fn no_import(&self) -> Diagnostic {
        self.work
            .error("unsupported-import", "`aut` imports no file here")
            .hint("write the name of the file in quotes, in a script: `P = aut(\"file.aut\")`")
    }

    /// The events that the labels of the file stand for.
    fn events_of(
        &mut self,
        import: &Import,
        file: &AutFile,
        environment: &Rc<Frame>,
    ) -> Result<Vec<EventId>> {
        let value = self.evaluate(import.labels, environment)?;
        let Value::Sequence(labels) = value else {
            return self.mismatch("a sequence of events", &value).into();
        };
        let mut events = Vec::with_capacity(file.events.len());
        // A sequence that is written out is known as a whole.
        let (labels, _) = labels.ready_items();
        for (label, &place) in labels.iter().zip(&file.events) {
            let label = self
                .force(label)
                .map_err(|problem| Box::new(problem.at(file.place, "imported here")))?;
            self.work.go_to(place);
            events.push(
                self.event(&label)
                    .map_err(|problem| Box::new(problem.at(file.place, "imported here")))?,
            );
            self.work.cancellation().tick()?;
        }
        Ok(events)
    }
}

fn system(import: &Import, file: &AutFile, events: &[EventId]) -> ImportedSystem {
    let steps = file.transitions.iter().map(|&(from, label, to)| {
        let event = match label {
            AutLabel::Tau => TAU,
            AutLabel::Tick => TICK,
            AutLabel::Event(number) => events[number as usize],
        };
        (from, event, to)
    });
    ImportedSystem::new(import.system, import.path.clone(), steps)
}
