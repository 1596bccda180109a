//! The transitions of a term that have a given label and origin, without listing the others.
//!
//! In a chain of a thousand parallels, each inside the next, each has a transition for each
//! internal step below it: all rows together are a million terms for one step of the whole. Here
//! each operator asks its operands only for the transitions from which it can make the wanted ones.
//! So a step costs about as much as the way down to the processes that do it.
//!
//! The rules are those of [`Semantics`], with smaller rows of the operands. They make the same
//! transitions from these as from larger rows, since no transition of an operator goes away because
//! an operand has more. Priorities are the exception, so there the operand's row is taken whole.

mod parallel;
mod parts;

use rustc_hash::FxHashMap;

use super::{Row, Semantics, Step, Stepper};
use crate::event::{EventId, TAU, TICK};
use crate::operator::Operator;
use crate::term::{Definitions, Term, TermId};
use base::diag::Result;
use base::stack::deep;

/// Computes single transitions. For small terms it computes all transitions, which costs no more.
#[derive(Default)]
pub struct Focused {
    /// All transitions.
    pub whole: Semantics,
    rows: FxHashMap<(TermId, Focus), Row>,
    /// The number of operators of each term that are looked into, up to a few.
    sizes: FxHashMap<TermId, usize>,
}

/// The transitions that are asked for. `None` stands for any label or origin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Focus {
    label: Option<EventId>,
    origin: Option<EventId>,
}

const TERMINATION: Focus = Focus {
    label: Some(TICK),
    origin: None,
};

/// The number of operators up to which all transitions of a term are listed: they are needed again
/// for other steps.
const SMALL: usize = 8;

/// The number of rows or sizes at which all are forgotten.
const MOST_ROWS: usize = 1 << 20;

impl Focus {
    fn admits(self, step: &Step) -> bool {
        self.label.is_none_or(|label| label == step.label)
            && self.origin.is_none_or(|origin| origin == step.origin)
    }

    fn admits_label(self, label: EventId) -> bool {
        self.label.is_none_or(|wanted| wanted == label)
    }

    /// This focus for any label.
    fn any_label(self) -> Self {
        Self {
            label: None,
            ..self
        }
    }
}

impl Focused {
    /// A `Focused` that remembers nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The transitions of `term` with this label and this origin, if these are given, ascending and
    /// without repetition.
    pub fn steps(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        label: Option<EventId>,
        origin: Option<EventId>,
    ) -> Result<Vec<Step>> {
        self.restart();
        let focus = Focus { label, origin };
        let mut focusing = Focusing {
            focused: self,
            definitions,
        };
        Ok(focusing.row(term, focus)?.to_vec())
    }

    /// Ends the work on all terms. Known rows stay, unless there are too many.
    fn restart(&mut self) {
        self.whole.restart();
        if self.rows.len() > MOST_ROWS {
            self.rows.clear();
        }
        if self.sizes.len() > MOST_ROWS {
            self.sizes.clear();
        }
    }
}

/// The work on one term.
struct Focusing<'a> {
    focused: &'a mut Focused,
    definitions: &'a mut dyn Definitions,
}

impl Focusing<'_> {
    fn stepper(&mut self) -> Stepper<'_> {
        Stepper {
            semantics: &mut self.focused.whole,
            definitions: self.definitions,
        }
    }

    /// The transitions of `term` that are asked for.
    fn row(&mut self, term: TermId, focus: Focus) -> Result<Row> {
        if focus.label.is_none() && focus.origin.is_none() || self.size(term)? <= SMALL {
            let whole = self.stepper().operand(term)?;
            let steps = whole.iter().filter(|step| focus.admits(step));
            return Ok(steps.copied().collect());
        }
        if let Some(row) = self.focused.rows.get(&(term, focus)) {
            return Ok(row.clone());
        }
        let row: Row = deep(|| self.compute(term, focus))?.into();
        self.focused.rows.insert((term, focus), row.clone());
        Ok(row)
    }

    /// The number of operators of `term` that are looked into. Counting stops when it is known that
    /// the term is not small.
    fn size(&mut self, term: TermId) -> Result<usize> {
        if let Some(&size) = self.focused.sizes.get(&term) {
            return Ok(size);
        }
        let operands = match self.definitions.terms().get(term) {
            Term::Call(_) => return self.size_of_call(term),
            found @ Term::Over(operator, _) if is_looked_into(operator) => {
                found.started_operands().to_vec()
            }
            _ => Vec::new(),
        };
        let mut size = operands.len();
        for operand in operands {
            if size > SMALL {
                break;
            }
            size += deep(|| self.size(operand))?;
        }
        self.focused.sizes.insert(term, size);
        Ok(size)
    }

    /// The size of the body of the call `term`. It is 0 if that body is already being looked at:
    /// then the term is endless, which listing its transitions reports.
    fn size_of_call(&mut self, term: TermId) -> Result<usize> {
        // The value in place of the size while it is being found, so that a call inside its own
        // body ends.
        self.focused.sizes.insert(term, 0);
        let unfolding = &mut self.focused.whole.unfolding;
        let depth = unfolding.depth();
        let head = unfolding.enter(self.definitions, term)?;
        let size = deep(|| self.size(head));
        self.focused.whole.unfolding.leave(depth);
        let size = size?;
        self.focused.sizes.insert(term, size);
        Ok(size)
    }

    fn compute(&mut self, term: TermId, focus: Focus) -> Result<Vec<Step>> {
        let unfolding = &mut self.focused.whole.unfolding;
        let depth = unfolding.depth();
        let head = unfolding.enter(self.definitions, term)?;
        let rows = self.operand_rows(head, focus)?;
        let mut steps = self.stepper().rule(head, &rows)?;
        self.focused.whole.unfolding.leave(depth);
        steps.retain(|step| focus.admits(step));
        steps.sort_unstable();
        steps.dedup();
        Ok(steps)
    }

    /// The transitions of `operand` in all of `focuses`, as one row.
    fn joined_rows(&mut self, operand: TermId, focuses: &[Focus]) -> Result<Vec<Row>> {
        // The row is neither ascending nor free of repetitions. The rules of `;` and renaming take
        // each step by itself, so they need neither.
        let mut row = Vec::new();
        for &focus in focuses {
            row.extend(self.row(operand, focus)?.iter());
        }
        Ok(vec![row.into()])
    }

    /// Transitions of the started operands of `term`, which is not a call: at least those from
    /// which it makes the ones that are asked for.
    fn operand_rows(&mut self, term: TermId, focus: Focus) -> Result<Vec<Row>> {
        let Term::Over(operator, operands) = self.definitions.terms().get(term).clone() else {
            // No operands have started, or the term asks for their rows itself.
            return Ok(Vec::new());
        };
        let operands = &operands[..operator.started(&operands)];
        let below = match &operator {
            // Blocking depends on all possible events. A τ may be two tied events, of which only
            // the left one has the same origin.
            Operator::Prioritise(_) | Operator::Linked(_) => Focus::default(),
            // Events that are done together have the origin of the leftmost operand.
            Operator::Choice(Some(_)) | Operator::Interrupt(Some(_)) => Focus {
                origin: None,
                ..focus
            },
            Operator::Hide(_) | Operator::Project(_) if focus.label == Some(TAU) => {
                focus.any_label()
            }
            Operator::Rename(_) => {
                let focuses = self.before_renaming(&operator, focus);
                return self.joined_rows(operands[0], &focuses);
            }
            // The first operand's ✓ becomes a τ.
            Operator::Sequential if focus.admits_label(TAU) => {
                return self.joined_rows(operands[0], &[focus, TERMINATION]);
            }
            Operator::Parallel(_) | Operator::Alphabetised(_) => {
                return self.rows(&operator, operands, focus);
            }
            // Each step of an operand is one of the whole, with its event and its origin.
            _ => focus,
        };
        operands.iter().map(|&p| self.row(p, below)).collect()
    }

    /// The focuses for the operand of a renaming.
    fn before_renaming(&self, operator: &Operator, focus: Focus) -> Vec<Focus> {
        let label = match focus.label {
            Some(label) if label.is_visible() => label,
            _ => return vec![focus],
        };
        if focus.origin.is_some() {
            return vec![focus.any_label()];
        }
        let labels = operator.below(&self.definitions.terms().events, label);
        let below = |label| Focus {
            label: Some(label),
            ..focus
        };
        labels.into_iter().map(below).collect()
    }
}

/// True if the transitions of an operator are found one by one, by those of its operands.
fn is_looked_into(operator: &Operator) -> bool {
    match operator {
        Operator::Compress(compression) => compression.keeps_meaning(),
        Operator::Prioritise(_)
        | Operator::Linked(_)
        | Operator::Choice(_)
        | Operator::Interrupt(_)
        | Operator::SlidingChoice => false,
        _ => true,
    }
}
