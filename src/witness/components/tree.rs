//! A process as operators over components: the components are the leaves of its machine, including
//! those inside compressions. Components are found as they start, because one that never starts
//! does nothing.
//!
//! A `chase` or `deter` over parallels is opened too: the components inside are followed along the
//! τ that it chooses. So the tree may go deeper than the machine, which lists such a part as one
//! leaf.

use std::sync::Arc;

use base::diag::Result;
use base::stack::deep;
use lts::explore::LeafLimits;
use machine::skeleton::{MachinePart, Skeleton, unfolded};
use machine::text::{expression, operator_text};
use process::compression::Compression;
use process::operator::Operator;
use process::term::{Definitions, Operands, Term, TermId};

/// A running process, divided into its components.
#[derive(Debug)]
pub struct RunningNode {
    /// Its present term.
    pub term: TermId,
    /// The compression and the operator around it.
    place: CastPlace,
    /// The number of its operator, if it is one that has a number.
    pub(crate) operator: Option<usize>,
    /// The kind of the node.
    pub kind: RunningKind,
}

/// The compression and the operator around a part of a process.
#[derive(Clone, Copy, Debug, Default)]
struct CastPlace {
    /// The innermost compression.
    group: Option<usize>,
    /// The innermost operator that has a number.
    operator: Option<usize>,
}

/// The kind of a node.
#[derive(Clone, Debug)]
pub enum RunningKind {
    /// It has terminated.
    Done,
    /// The component with this number.
    Component(usize),
    /// The component with this number, a stage of prefixes and internal choices before others.
    Stage(usize),
    /// This operator, over operands that run and perhaps others that wait.
    Operator(Operator, Option<TermId>, Vec<Arc<RunningNode>>),
}

impl RunningNode {
    /// The node after a step to `term`, with the operands in `changes` replaced.
    pub fn changed(
        &self,
        term: TermId,
        changes: Vec<(usize, Arc<RunningNode>)>,
    ) -> Arc<RunningNode> {
        let mut kind = self.kind.clone();
        if let RunningKind::Operator(_, _, operands) = &mut kind {
            for (i, operand) in changes {
                operands[i] = operand;
            }
        }
        self.become_of(term, kind)
    }

    /// The node after its termination, which has led to `term`.
    pub(crate) fn done(&self, term: TermId) -> Arc<RunningNode> {
        self.become_of(term, RunningKind::Done)
    }

    /// The node, after it has become `term` of this kind.
    fn become_of(&self, term: TermId, kind: RunningKind) -> Arc<RunningNode> {
        let (place, operator) = (self.place, self.operator);
        Arc::new(RunningNode {
            term,
            place,
            operator,
            kind,
        })
    }

    /// The place of what takes over from it: below its operator, so that both are seen there.
    fn place_below(&self) -> CastPlace {
        self.place.below(self.operator)
    }

    /// The innermost compression around it.
    fn group(&self) -> Option<usize> {
        self.place.group
    }

    /// The component that it is, if it is one.
    pub(crate) fn component(&self) -> Option<usize> {
        match self.kind {
            RunningKind::Component(id) | RunningKind::Stage(id) => Some(id),
            RunningKind::Done | RunningKind::Operator(..) => None,
        }
    }

    /// Its operands that run.
    pub(crate) fn operands(&self) -> &[Arc<RunningNode>] {
        match &self.kind {
            RunningKind::Operator(_, _, operands) => operands,
            _ => &[],
        }
    }

    fn taken_operands(&mut self) -> Vec<Arc<RunningNode>> {
        match &mut self.kind {
            RunningKind::Operator(_, _, operands) => std::mem::take(operands),
            _ => Vec::new(),
        }
    }

    /// The components that run, with their present terms, from left to right.
    pub fn running(&self) -> Vec<(usize, TermId)> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(node) = open.pop() {
            found.extend(node.component().map(|id| (id, node.term)));
            // The node that is pushed last is looked at next, so that components come from left to
            // right.
            open.extend(node.operands().iter().rev().map(|operand| &**operand));
        }
        found
    }
}

impl Drop for RunningNode {
    /// Drops the tree in a loop, because operators may be nested deeper than the stack.
    fn drop(&mut self) {
        let mut open = self.taken_operands();
        while let Some(operand) = open.pop() {
            // An operand that is shared is left to its last owner.
            if let Ok(mut last) = Arc::try_unwrap(operand) {
                open.append(&mut last.taken_operands());
            }
        }
    }
}

/// The components that have started so far.
#[derive(Default)]
pub struct Cast {
    skeleton: Option<Skeleton>,
    /// The text of each component, and what stands around it.
    members: Vec<(String, CastPlace)>,
    groups: Vec<CastGroup>,
    operators: Vec<CastOperator>,
}

/// An operator with components below.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CastOperator {
    /// The text of the process as it started, cut if it is long.
    pub text: String,
    /// The operator alone as text.
    pub symbol: String,
    /// The number of the operator around this one.
    pub around: Option<usize>,
}

/// The most operators that have a number: of a chain of a thousand parallels, each inside the next,
/// each step of the whole is a step of them all.
const MOST_OPERATORS: usize = 300;

/// A compression with components inside.
struct CastGroup {
    name: String,
    compression: Compression,
    /// The compression around this one.
    around: Option<usize>,
}

/// The number of components, compressions and operators that had started at some time.
#[derive(Clone, Copy, Debug)]
pub struct CastMark {
    members: usize,
    groups: usize,
    operators: usize,
}

impl Cast {
    /// The number of components.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The text of a component.
    pub fn name(&self, component: usize) -> &str {
        &self.members[component].0
    }

    /// The compressions around a component, the outermost first.
    pub fn within(&self, component: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut around = self.members[component].1.group;
        while let Some(group) = around {
            let group = &self.groups[group];
            names.push(group.name.clone());
            around = group.around;
        }
        names.reverse();
        names
    }

    /// The operators with components below, in the order in which they started.
    pub fn operators(&self) -> &[CastOperator] {
        &self.operators
    }

    /// True if a `chase` or `deter` has components inside.
    pub fn chooses(&self) -> bool {
        let mut groups = self.groups.iter();
        groups.any(|group| !group.compression.keeps_meaning())
    }

    /// The number of the innermost operator around a component.
    pub fn operator_around(&self, component: usize) -> Option<usize> {
        self.members[component].1.operator
    }

    /// The whole process at its start. `limit` is the limit on calls with which its machine was
    /// built.
    pub fn play(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        limit: usize,
    ) -> Result<Arc<RunningNode>> {
        let mut skeleton = Skeleton::new(&LeafLimits::all(limit)).with_chosen();
        skeleton.add(definitions, term)?;
        self.skeleton = Some(skeleton);
        self.start(definitions, term, CastPlace::default())
    }

    /// The node of a part of the process that takes over from `before`.
    pub(crate) fn succeed(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        before: &RunningNode,
    ) -> Result<Arc<RunningNode>> {
        self.start(definitions, term, before.place_below())
    }

    /// The node after a step of a stage to `term`.
    pub(crate) fn advance(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        before: &RunningNode,
    ) -> Result<Arc<RunningNode>> {
        if self.part(definitions, term)? == MachinePart::Inner {
            let head = unfolded(definitions, term)?;
            if is_stage(definitions.terms().get(head)) {
                // More prefixes or choices above parallels: in the machine they belong to the same
                // controller.
                return Ok(before.changed(term, Vec::new()));
            }
        }
        self.start(definitions, term, before.place_below())
    }

    /// A new component, for steps that an operator above others does by itself.
    pub(crate) fn extra(&mut self, definitions: &dyn Definitions, node: &RunningNode) -> usize {
        self.enlist(definitions, node.term, node.place_below())
    }

    /// A mark of the present numbers of components, compressions and operators, to return to.
    pub fn mark(&self) -> CastMark {
        CastMark {
            members: self.members.len(),
            groups: self.groups.len(),
            operators: self.operators.len(),
        }
    }

    /// Forgets the components and operators that have started since `mark`.
    pub fn forget_since(&mut self, mark: CastMark) {
        self.members.truncate(mark.members);
        self.groups.truncate(mark.groups);
        self.operators.truncate(mark.operators);
    }

    /// The present term of `node`, with compressions around those of its parts that had them at the
    /// start. Steps leave compressions behind.
    pub fn recompressed(
        &self,
        definitions: &mut dyn Definitions,
        node: &RunningNode,
    ) -> Result<TermId> {
        if self.groups.is_empty() {
            return Ok(node.term);
        }
        self.recompressed_in(definitions, node, None)
    }

    /// The present term of a `node` inside the compression `around`, compressions restored.
    fn recompressed_in(
        &self,
        definitions: &mut dyn Definitions,
        node: &RunningNode,
        around: Option<usize>,
    ) -> Result<TermId> {
        let mut term = match &node.kind {
            RunningKind::Operator(Operator::Compress(compression), _, operands)
                if compression.keeps_meaning() =>
            {
                deep(|| self.recompressed_in(definitions, &operands[0], node.group()))?
            }
            RunningKind::Operator(operator, waiting, operands) if keeps_operands(operator) => {
                let operands = operands.iter().map(|operand| {
                    deep(|| self.recompressed_in(definitions, operand, node.group()))
                });
                let mut operands = operands.collect::<Result<Operands>>()?;
                operands.extend(*waiting);
                definitions.terms_mut().over(operator.clone(), operands)
            }
            _ => node.term,
        };
        let mut within = node.group();
        while within != around
            && let Some(group) = within
        {
            let group = &self.groups[group];
            if group.compression.keeps_meaning() {
                term = definitions.terms_mut().compress(group.compression, term);
            }
            within = group.around;
        }
        Ok(term)
    }

    fn part(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<MachinePart> {
        match &mut self.skeleton {
            Some(skeleton) => skeleton.part(definitions, term),
            None => Ok(MachinePart::Leaf),
        }
    }

    fn enlist(&mut self, definitions: &dyn Definitions, term: TermId, place: CastPlace) -> usize {
        self.members.push((expression(definitions, term), place));
        self.members.len() - 1
    }

    fn start(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        place: CastPlace,
    ) -> Result<Arc<RunningNode>> {
        let (kind, operator) = match self.part(definitions, term)? {
            MachinePart::Leaf => (self.component(definitions, term, place), None),
            MachinePart::Inner => self.operator(definitions, term, place)?,
            MachinePart::Compressed => self.compressed(definitions, term, place)?,
        };
        Ok(Arc::new(RunningNode {
            term,
            place,
            operator,
            kind,
        }))
    }

    fn component(
        &mut self,
        definitions: &dyn Definitions,
        term: TermId,
        place: CastPlace,
    ) -> RunningKind {
        RunningKind::Component(self.enlist(definitions, term, place))
    }

    fn operator(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        place: CastPlace,
    ) -> Result<(RunningKind, Option<usize>)> {
        let head = unfolded(definitions, term)?;
        let shape = definitions.terms().get(head).clone();
        let Term::Over(operator, operands) = shape else {
            let stage = self.enlist(definitions, term, place);
            return Ok((RunningKind::Stage(stage), None));
        };
        let number = self.numbered(definitions, term, &operator, place);
        let inside = place.below(number);
        let (started, waiting) = operands.split_at(operator.started(&operands));
        let started = started.iter();
        let started = started.map(|&operand| deep(|| self.start(definitions, operand, inside)));
        let started = started.collect::<Result<_>>()?;
        let waiting = waiting.first().copied();
        Ok((RunningKind::Operator(operator, waiting, started), number))
    }

    /// The node of a compression, with the components inside, or one component alone.
    fn compressed(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        place: CastPlace,
    ) -> Result<(RunningKind, Option<usize>)> {
        let head = unfolded(definitions, term)?;
        let shape = definitions.terms().get(head).clone();
        let (compression, inside) = match shape {
            Term::Over(Operator::Compress(compression), operands)
                if self.part(definitions, operands[0])? != MachinePart::Leaf =>
            {
                (compression, operands[0])
            }
            _ => return Ok((self.component(definitions, term, place), None)),
        };
        self.groups.push(CastGroup {
            name: expression(definitions, term),
            compression,
            around: place.group,
        });
        let operator = Operator::Compress(compression);
        let number = self.numbered(definitions, term, &operator, place);
        let below = CastPlace {
            group: Some(self.groups.len() - 1),
            ..place.below(number)
        };
        let operand = deep(|| self.start(definitions, inside, below))?;
        Ok((RunningKind::Operator(operator, None, vec![operand]), number))
    }

    /// The number of `operator`, the outermost one of `term`; `None` if too many have one.
    fn numbered(
        &mut self,
        definitions: &dyn Definitions,
        term: TermId,
        operator: &Operator,
        place: CastPlace,
    ) -> Option<usize> {
        if self.operators.len() >= MOST_OPERATORS {
            return None;
        }
        self.operators.push(CastOperator {
            text: expression(definitions, term),
            symbol: operator_text(definitions, operator),
            around: place.operator,
        });
        Some(self.operators.len() - 1)
    }
}

impl CastPlace {
    /// The place of what stands below the operator with this number.
    fn below(self, number: Option<usize>) -> Self {
        Self {
            operator: number.or(self.operator),
            ..self
        }
    }
}

/// True if an operator stays over the same operands as long as it is there, and its state is
/// determined by theirs.
fn keeps_operands(operator: &Operator) -> bool {
    match operator {
        Operator::Prioritise(_) | Operator::Compress(_) => false,
        _ => operator.is_fixed() || *operator == Operator::Sequential,
    }
}

/// True for prefixes and internal choices, which have no operand that runs.
fn is_stage(term: &Term) -> bool {
    matches!(term, Term::Prefix(_) | Term::InternalChoice(_))
}
