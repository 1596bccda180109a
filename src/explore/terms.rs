//! The states of a machine as terms, and terms as states of it.
//!
//! A machine keeps only the transitions of a leaf. Here the leaf is listed again by the rules of
//! terms, so that each of its states has the terms that it stands for. Only machines whose shape is
//! fixed, and that compress no leaf, are read so: their states are operators over terms of leaves.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use base::stack::deep;
use lts::bisimulation::minimise;
use lts::explore::{LeafLimits, explore};
use machine::leaf::{Behaviour, ProcessGraph};
use machine::text::present_in_full;
use machine::tree::{NodeId, NodeKind, TreeNode};
use machine::{LeafId, Machine};
use process::operator::Operator;
use process::semantics::Semantics;
use process::term::{Definitions, Term, TermId};
use symmetry::Start;
use symmetry::bisimilarity::matching;
use symmetry::permutation::EventPermutation;

/// The most states of a leaf that is listed again.
const MOST_LEAF_STATES: usize = 100_000;

/// A machine whose states are read as terms. A leaf is listed when it is first needed, which costs
/// as much as exploring it by its terms.
pub struct MachineTerms {
    machine: Arc<Machine>,
    semantics: Semantics,
    /// The leaves by their terms. Leaves of equal terms share an entry.
    leaves: FxHashMap<TermId, Arc<LeafTerms>>,
}

/// The terms of the states of a leaf.
struct LeafTerms {
    /// The states by their terms, without outermost calls.
    states: FxHashMap<TermId, u32>,
    /// By state, the terms that it stands for, as steps lead to them. Most of them have calls that
    /// are not unfolded yet, and so are easier for people to read.
    terms: Vec<Vec<TermId>>,
}

/// The state of a machine that a term stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocatedState {
    /// The states of the leaves, by leaf.
    pub state: Vec<u32>,
    /// The terms of the leaves, by leaf.
    terms: Vec<TermId>,
}

impl MachineTerms {
    /// A reader of the states of `machine`.
    pub fn new(machine: Arc<Machine>) -> Self {
        Self {
            machine,
            semantics: Semantics::new(),
            leaves: FxHashMap::default(),
        }
    }

    /// The state of the machine that `term` stands for: a term that the compiled process has
    /// become.
    pub fn locate(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<LocatedState> {
        let leaves = self.machine.leaves.len();
        let mut found = LocatedState {
            state: vec![0; leaves],
            terms: vec![term; leaves],
        };
        let root = self.machine.root();
        self.locate_below(definitions, root, term, &mut found)?;
        Ok(found)
    }

    fn locate_below(
        &mut self,
        definitions: &mut dyn Definitions,
        id: NodeId,
        term: TermId,
        found: &mut LocatedState,
    ) -> Result<()> {
        let machine = Arc::clone(&self.machine);
        let node = &machine.nodes[id];
        let head = self.semantics.head(definitions, term)?;
        if let NodeKind::Leaf(leaf) = node.kind {
            let known = self.leaf(definitions, leaf)?;
            let Some(&state) = known.states.get(&head) else {
                return unreadable("a component is in no state that its own process has").into();
            };
            found.state[leaf.index()] = state;
            found.terms[leaf.index()] = term;
            return Ok(());
        }
        if let Some(operand) = compressed(definitions, head) {
            // The machine has no node for such a compression. All others are leaves.
            return deep(|| self.locate_below(definitions, id, operand, found));
        }
        let shape = definitions.terms().get(head).clone();
        if shape == Term::Omega {
            return unreadable("the process has terminated").into();
        }
        let operands = shape.operands();
        if !is_fixed(node, &shape) || operands.len() != node.operands.len() {
            return unreadable(CHANGES_SHAPE).into();
        }
        for (&operand, term) in node.operands.iter().zip(operands) {
            deep(|| self.locate_below(definitions, operand, term, found))?;
        }
        Ok(())
    }

    /// The term of `state`. A component that is in the same state as in `near` keeps its term.
    /// Another one has several terms that behave alike, and gets the one with the least text.
    pub fn term(
        &mut self,
        definitions: &mut dyn Definitions,
        state: &[u32],
        near: &LocatedState,
    ) -> Result<TermId> {
        let terms = self.leaf_terms(definitions, state, near)?;
        self.built(definitions, self.machine.root(), &terms)
    }

    /// The text of the term of each leaf in `state`, chosen as [`Self::term`] does.
    pub fn texts(
        &mut self,
        definitions: &mut dyn Definitions,
        state: &[u32],
        near: &LocatedState,
    ) -> Result<Vec<String>> {
        let terms = self.leaf_terms(definitions, state, near)?.into_iter();
        terms
            .map(|term| present_in_full(definitions, term))
            .collect()
    }

    fn leaf_terms(
        &mut self,
        definitions: &mut dyn Definitions,
        state: &[u32],
        near: &LocatedState,
    ) -> Result<Vec<TermId>> {
        let mut terms = Vec::with_capacity(state.len());
        for (leaf, &own) in state.iter().enumerate() {
            if near.state[leaf] == own {
                terms.push(near.terms[leaf]);
                continue;
            }
            let known = self.leaf(definitions, LeafId::from_usize(leaf))?;
            terms.push(least_text(definitions, &known.terms[own as usize])?);
        }
        Ok(terms)
    }

    /// The operators of `node` over these terms of leaves.
    fn built(
        &mut self,
        definitions: &mut dyn Definitions,
        node: NodeId,
        terms: &[TermId],
    ) -> Result<TermId> {
        let machine = Arc::clone(&self.machine);
        let node = &machine.nodes[node];
        if let NodeKind::Leaf(leaf) = node.kind {
            return Ok(terms[leaf.index()]);
        }
        let mut images = Vec::with_capacity(node.operands.len());
        for &operand in &node.operands {
            images.push(deep(|| self.built(definitions, operand, terms))?);
        }
        let head = self.semantics.head(definitions, node.term)?;
        let shape = definitions.terms().get(head).clone();
        if !is_fixed(node, &shape) {
            return unreadable(CHANGES_SHAPE).into();
        }
        let mut images = images.into_iter();
        let built = shape.with_started(|operand| Ok(images.next().unwrap_or(operand)))?;
        Ok(definitions.terms_mut().intern(built))
    }

    fn leaf(&mut self, definitions: &mut dyn Definitions, leaf: LeafId) -> Result<Arc<LeafTerms>> {
        let Behaviour::Process(graph) = &self.machine.leaves[leaf].behaviour else {
            return unreadable(CHANGES_SHAPE).into();
        };
        if let Some(known) = self.leaves.get(&graph.term) {
            return Ok(Arc::clone(known));
        }
        let graph = Arc::clone(graph);
        let listed = Arc::new(LeafTerms::of(definitions, &graph)?);
        self.leaves.insert(graph.term, Arc::clone(&listed));
        Ok(listed)
    }
}

impl LeafTerms {
    /// The terms of the states of `graph`. A state that the machine has made of several stands for
    /// all their terms, which are bisimilar.
    fn of(definitions: &mut dyn Definitions, graph: &ProcessGraph) -> Result<Self> {
        if !graph.keeps_taus {
            return unreadable("a component is compressed, so that its states are no terms").into();
        }
        let listed = explore(definitions, graph.term, &LeafLimits::all(MOST_LEAF_STATES))?;
        let token = &definitions.cancellation().clone();
        let identity = EventPermutation::identity();
        let small = minimise(&listed.lts, token)?;
        let partner = matching(&small.lts, &identity, &graph.lts, Start::Fixed, token)?;
        let state_of: Vec<u32> = match partner {
            Some(partner) => {
                let classes = small.class_of.iter();
                classes.map(|class| partner[class.index()]).collect()
            }
            // The leaf was not minimised.
            None => match matching(&listed.lts, &identity, &graph.lts, Start::Fixed, token)? {
                Some(partner) => partner.to_vec(),
                None => return unreadable("the states of a component have no terms").into(),
            },
        };
        let mut found = Self {
            states: FxHashMap::default(),
            terms: vec![Vec::new(); graph.lts.state_count()],
        };
        found
            .states
            .extend(listed.terms.iter().copied().zip(state_of));
        let mut semantics = Semantics::new();
        found.name(definitions, &mut semantics, graph.term)?;
        for &term in listed.terms.iter() {
            token.step()?;
            for step in semantics.steps(definitions, term)? {
                found.name(definitions, &mut semantics, step.target)?;
            }
        }
        Ok(found)
    }

    /// Notes `term` at its state.
    fn name(
        &mut self,
        definitions: &mut dyn Definitions,
        semantics: &mut Semantics,
        term: TermId,
    ) -> Result<()> {
        let head = semantics.head(definitions, term)?;
        if let Some(&state) = self.states.get(&head) {
            let known = &mut self.terms[state as usize];
            if !known.contains(&term) {
                known.push(term);
            }
        }
        Ok(())
    }
}

const CHANGES_SHAPE: &str = "its operators change as it runs";

/// True if `shape` is the operator at `node`, and one that stays as it is.
fn is_fixed(node: &TreeNode, shape: &Term) -> bool {
    match (&node.kind, shape) {
        (NodeKind::Fixed(Operator::Compress(_)), _) => false,
        (NodeKind::Fixed(operator), Term::Over(other, _)) => operator.is_like(other),
        _ => false,
    }
}

/// The operand of `term`, if `term` is a compression that keeps the meaning of every process.
fn compressed(definitions: &dyn Definitions, term: TermId) -> Option<TermId> {
    match definitions.terms().get(term) {
        Term::Over(Operator::Compress(compression), operands) if compression.keeps_meaning() => {
            Some(operands[0])
        }
        _ => None,
    }
}

/// The term with the shortest text, and the least text among these, of terms that behave alike.
/// Numbers of terms would depend on terms that were met before.
fn least_text(definitions: &mut dyn Definitions, terms: &[TermId]) -> Result<TermId> {
    if let &[only] = terms {
        return Ok(only);
    }
    let mut texts = Vec::with_capacity(terms.len());
    for &term in terms {
        let text = present_in_full(definitions, term)?;
        texts.push((text.len(), text, term));
    }
    match texts.into_iter().min() {
        Some((_, _, term)) => Ok(term),
        None => unreadable("a state of a component has no term").into(),
    }
}

/// The message that states of a machine are not read as terms, for this `reason`.
fn unreadable(reason: &str) -> Diagnostic {
    Diagnostic::undecided(
        "unsupported",
        "what symmetries do to a state of this process cannot be shown",
    )
    .note(reason.to_string())
    .note("it is shown of parallels whose components run from the start, with hiding and renaming around them")
}
