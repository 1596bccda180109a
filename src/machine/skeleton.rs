//! The skeleton of a process: its parallels and compressions that stand above its recursion. The
//! skeleton becomes the operator tree of a machine; everything below becomes leaves.

use rustc_hash::{FxHashMap, FxHashSet};

use base::diag::Result;
use base::stack::deep;
use lts::explore::LeafLimits;
use process::compression::Compression;
use process::operator::Operator;
use process::recursion::CallGraph;
use process::term::{CallId, Definitions, Term, TermId};
use process::trial::larger;

/// The part of some terms that becomes operator trees.
pub struct Skeleton {
    calls: CallGraph,
    parts: FxHashMap<TermId, MachinePart>,
    /// True if `chase` can be an inner node.
    has_chases: bool,
    /// True if a `chase` or `deter` over parallels counts as compressed.
    has_chosen: bool,
}

/// The part of a machine that a term becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MachinePart {
    /// An inner node: a parallel composition or a compression can be reached from it without
    /// recursion.
    Inner,
    /// A leaf that is explored.
    Leaf,
    /// A leaf whose transition system is compressed.
    Compressed,
}

impl Skeleton {
    /// A skeleton that knows no terms yet. It will unfold as many calls as a leaf may have states.
    /// In a trial, a part of a body takes about as long as a state of a leaf that is explored.
    pub fn new(limits: &LeafLimits) -> Self {
        let calls = CallGraph::new(limits.states);
        Self {
            calls: calls.within(limits.on_terms().trial.unwrap_or(usize::MAX)),
            parts: FxHashMap::default(),
            has_chases: false,
            has_chosen: false,
        }
    }

    /// This skeleton, with each `chase` that the machine can follow as an inner node.
    pub(crate) fn with_chases(self) -> Self {
        Self {
            has_chases: true,
            ..self
        }
    }

    /// This skeleton, with each `chase` and `deter` over parallels as a compression. No machine is
    /// made of it: who follows terms can look inside such a part.
    pub fn with_chosen(self) -> Self {
        Self {
            has_chosen: true,
            ..self
        }
    }

    /// Takes in all calls that `term` can lead to. It must be called before any other function is
    /// called for `term`. If that are more calls than a trial allows, fails with the code
    /// [`LARGER`](process::trial::LARGER).
    pub fn add(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<()> {
        self.calls.add(definitions, term)?;
        match self.calls.is_cut() {
            true => larger().into(),
            false => Ok(()),
        }
    }

    /// True if `term` is an inner node.
    pub(crate) fn is_inner(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<bool> {
        Ok(self.part(definitions, term)? == MachinePart::Inner)
    }

    /// The part of a machine that `term` becomes.
    pub fn part(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<MachinePart> {
        if let Some(&known) = self.parts.get(&term) {
            return Ok(known);
        }
        definitions.cancellation().step()?;
        let part = match definitions.terms().get(term).clone() {
            // A process below recursion has no fixed number of components.
            Term::Call(call) if self.calls.is_recursive(call) => MachinePart::Leaf,
            Term::Call(call) => match definitions.body(call) {
                Ok(body) => deep(|| self.part(definitions, body))?,
                // The call may never be reached. If it is, exploring the leaf reports the error.
                Err(_) => MachinePart::Leaf,
            },
            Term::Over(operator, _) if operator.is_parallel() => MachinePart::Inner,
            Term::Over(Operator::Compress(compression), _) if compression.keeps_meaning() => {
                MachinePart::Compressed
            }
            Term::Over(
                Operator::Compress(Compression::Chase | Compression::ChaseNoCache),
                operands,
            ) if self.has_chases && self.can_be_chased(definitions, operands[0])? => {
                MachinePart::Inner
            }
            Term::Over(Operator::Compress(_), operands)
                if self.has_chosen && self.part(definitions, operands[0])? != MachinePart::Leaf =>
            {
                MachinePart::Compressed
            }
            // `deter` chooses among transitions of terms: the whole is one leaf. So is a `chase`
            // that the machine cannot follow.
            Term::Over(Operator::Compress(_), _) => MachinePart::Leaf,
            // The events that a watchdog watches never happen themselves, so the watched process is
            // no part of the tree.
            Term::Watchdog(_) => MachinePart::Leaf,
            term => {
                let mut part = MachinePart::Leaf;
                for operand in term.operands() {
                    if deep(|| self.part(definitions, operand))? != MachinePart::Leaf {
                        part = MachinePart::Inner;
                        break;
                    }
                }
                part
            }
        };
        self.parts.insert(term, part);
        Ok(part)
    }

    /// True if a machine can chase `operand`: it has parallels, and above its recursion no operator
    /// that affects which τ there are or changes them.
    fn can_be_chased(
        &mut self,
        definitions: &mut dyn Definitions,
        operand: TermId,
    ) -> Result<bool> {
        if self.part(definitions, operand)? != MachinePart::Inner {
            return Ok(false);
        }
        let mut seen = FxHashSet::from_iter([operand]);
        let mut open = vec![operand];
        while let Some(term) = open.pop() {
            match self.part(definitions, term)? {
                MachinePart::Compressed => return Ok(false),
                MachinePart::Leaf => continue,
                MachinePart::Inner => {}
            }
            let head = unfolded(definitions, term)?;
            let head = definitions.terms().get(head);
            let has_a_say = |operator: &Operator| {
                matches!(operator, Operator::Prioritise(_) | Operator::Compress(_))
            };
            if matches!(head, Term::Over(operator, _) if has_a_say(operator)) {
                return Ok(false);
            }
            open.extend(head.operands().into_iter().filter(|&p| seen.insert(p)));
        }
        Ok(true)
    }

    /// The compression of a compressed leaf, and its operand.
    pub(crate) fn compression(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<Option<(Compression, TermId)>> {
        if self.part(definitions, term)? != MachinePart::Compressed {
            return Ok(None);
        }
        let head = unfolded(definitions, term)?;
        Ok(match definitions.terms().get(head) {
            Term::Over(Operator::Compress(compression), operands) => {
                Some((*compression, operands[0]))
            }
            _ => None,
        })
    }

    /// True if `call` can lead to itself.
    pub fn is_recursive(&self, call: CallId) -> bool {
        self.calls.is_recursive(call)
    }
}

/// `term` without its outermost calls, which must not be recursive.
pub fn unfolded(definitions: &mut dyn Definitions, mut term: TermId) -> Result<TermId> {
    while let &Term::Call(call) = definitions.terms().get(term) {
        term = definitions.body(call)?;
    }
    Ok(term)
}
