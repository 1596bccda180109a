//! The parallel structure of a process: its sequential processes, and the events they do together.

use std::rc::Rc;

use super::evaluation_place::EvaluationPlace;
use super::frames::let_frame;
use super::identities::IdentitiesInSight;
use super::interpreter::Interpreter;
use super::member::OneMember;
use super::oracle::Oracle;
use super::value::{Frames, Id, IdSet, Local, LocalCode, PartialValue, SetValue};
use base::diag::Result;
use eval::ResolvedScript;
use syntax::ast::{Expr, ExprId, PatternId, ProcessOp, ReplicatedOp, SetOp, Statement};
use types::builtin::{Builtin, Visibility};
use types::resolved::Reference;

/// A sequential process of the structure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum ProcessPlace {
    /// A process that belongs to no identity, by number.
    Server(usize),
    /// A process of this identity, by number.
    Own(u8, usize),
}

/// A node of the structure. Sets are numbers in [`FamilyStructure::sets`].
#[derive(PartialEq, Eq, Debug)]
pub(super) enum StructureNode {
    Leaf(ProcessPlace),
    /// `[| A |]` of several operands: all do the events of the set together; one does any other.
    Sync(usize, Vec<StructureNode>),
    /// `||`: an event is done by the operands whose alphabets have it.
    Alphabetised(Vec<(usize, StructureNode)>),
    /// `[| A |] i : IDS @ P(i)`: one operand for each identity in sight.
    SyncOfAll(usize, Vec<StructureNode>),
    /// `|| i : IDS @ [A(i)] P(i)`, with its number among nodes of this kind.
    AlphabetisedOfAll(usize, Vec<(usize, StructureNode)>),
    Hide(usize, Box<StructureNode>),
    /// `prioritise(P, <A0, A1, ..>)`: the sets, the highest priority first.
    Prioritise(Vec<usize>, Box<StructureNode>),
    /// One member of a specification `|| d : D @ [B(d)] Q(d)`; it may be any of them.
    Member(MemberPlaces),
}

/// The servers for one member of a specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MemberPlaces {
    /// The server that remembers which member it is.
    pub(super) named: usize,
    /// The server that is in the state of the member.
    pub(super) state: usize,
}

impl StructureNode {
    /// The operands, from left to right.
    pub(super) fn operands(&self) -> Vec<&StructureNode> {
        match self {
            StructureNode::Leaf(_) | StructureNode::Member(_) => Vec::new(),
            StructureNode::Hide(_, process) | StructureNode::Prioritise(_, process) => {
                vec![process]
            }
            StructureNode::Sync(_, operands) | StructureNode::SyncOfAll(_, operands) => {
                operands.iter().collect()
            }
            StructureNode::Alphabetised(operands)
            | StructureNode::AlphabetisedOfAll(_, operands) => {
                operands.iter().map(|(_, operand)| operand).collect()
            }
        }
    }

    /// True if the node has priorities anywhere.
    pub(super) fn has_priorities(&self) -> bool {
        matches!(self, StructureNode::Prioritise(..))
            || self
                .operands()
                .into_iter()
                .any(StructureNode::has_priorities)
    }

    /// Adds the places of the processes below to `places`, from left to right.
    pub(super) fn collect(&self, places: &mut Vec<ProcessPlace>) {
        if let StructureNode::Leaf(place) = self {
            places.push(*place);
        }
        if let StructureNode::Member(member) = self {
            places.push(ProcessPlace::Server(member.named));
            places.push(ProcessPlace::Server(member.state));
        }
        for operand in self.operands() {
            operand.collect(places);
        }
    }
}

/// The structure of a process with some identities in sight.
#[derive(Debug, Default)]
pub(super) struct FamilyStructure {
    pub(super) sets: Vec<Rc<SetValue>>,
    /// For each server, the states in which it may begin.
    pub(super) servers: Vec<Vec<Local>>,
    /// For each identity and number, the states in which its process may begin.
    pub(super) own: Vec<Vec<Vec<Local>>>,
    /// The identity that processes are being added for; `None` for servers.
    owner: Option<u8>,
    /// True if the process stands below a priority, where it matters which events are internal.
    is_below_priority: bool,
    /// The number of nodes `|| i : IDS @ [A(i)] P(i)`.
    pub(super) alphabetised: usize,
    /// The places and the members of the specification, if it is followed one member at a time.
    pub(super) members: Option<(MemberPlaces, Vec<OneMember>)>,
}

impl<'s> Interpreter<'s> {
    /// The structure of the process `expression`, added to `structure`.
    pub(super) fn structure(
        &mut self,
        expression: ExprId,
        structure: &mut FamilyStructure,
    ) -> Result<StructureNode> {
        structure
            .own
            .resize(usize::from(self.identities.arrangement.count()), Vec::new());
        let top = Rc::clone(&self.top);
        let node = self.node(expression, &top, None, structure)?;
        match self.oracle.given() {
            0 => Ok(node),
            _ => {
                self.place.go_to(self.ast().expressions[expression].span);
                Err(self
                    .refused("the parallel structure depends on identities that are out of sight"))
            }
        }
    }

    /// The structure of the specification `expression`, added to `structure`.
    pub(super) fn specification(
        &mut self,
        expression: ExprId,
        structure: &mut FamilyStructure,
    ) -> Result<StructureNode> {
        let top = Rc::clone(&self.top);
        let found = self.parallel_of_members(expression, &top)?;
        let Some(parallel) = found.filter(|_| self.oracle.given() == 0) else {
            return self.structure(expression, structure);
        };
        let members = match self.members_of(&parallel) {
            Ok(members) => members,
            // Each identity may have a component that is composed of several.
            Err(problem) if parallel.has_one_generator() => {
                self.oracle = Oracle::default();
                let whole = self.structure(expression, structure);
                return whole.map_err(|_| problem);
            }
            Err(problem) => return Err(problem),
        };
        // The two servers begin together: `FamilyQuestion::built_with` puts their states here.
        let state = structure.servers.len() + 1;
        structure.servers.resize(state + 1, Vec::new());
        let named = state - 1;
        let places = MemberPlaces { named, state };
        structure.members = Some((places, members));
        Ok(StructureNode::Member(places))
    }

    /// The node of `expression`, whose state is `local` if it has a name.
    pub(super) fn node(
        &mut self,
        expression: ExprId,
        environment: &Frames,
        local: Option<Local>,
        structure: &mut FamilyStructure,
    ) -> Result<StructureNode> {
        self.deeper(|e| {
            e.place.go_to(e.ast().expressions[expression].span);
            e.untimed(expression)?;
            e.node_here(expression, environment, local, structure)
        })
    }

    fn node_here(
        &mut self,
        expression: ExprId,
        environment: &Frames,
        local: Option<Local>,
        structure: &mut FamilyStructure,
    ) -> Result<StructureNode> {
        match self.ast().expr(expression) {
            Expr::Parenthesised(inner) => self.node(*inner, environment, local, structure),
            Expr::Let(declarations, body) => {
                let frame = let_frame(self.script, expression, declarations, environment);
                self.node(*body, &frame, local, structure)
            }
            Expr::Apply(function, arguments) if is_compression(self.script, *function) => {
                self.compressed(arguments[0], environment, structure)
            }
            Expr::Apply(function, arguments) if is_prioritise(self.script, *function) => {
                self.prioritised(arguments, environment, structure)
            }
            Expr::Name(_) | Expr::Apply(..) => {
                let local = self.process_value(expression, environment)?;
                self.named(local, structure)
            }
            Expr::If(condition, then, otherwise)
                if local.is_none()
                    || is_parallel(self.script, *then)
                    || is_parallel(self.script, *otherwise) =>
            {
                let next = self.branch(*condition, (*then, *otherwise), environment)?;
                self.node(next, environment, local, structure)
            }
            Expr::Replicated(op, statements, body) if is_parallel(self.script, expression) => {
                self.replicated(op, statements, *body, environment, structure)
            }
            _ if is_parallel(self.script, expression) => {
                self.composition(expression, environment, structure)
            }
            _ => {
                let states = match local {
                    Some(local) => vec![local],
                    None => self.alternatives(expression, environment)?,
                };
                Ok(StructureNode::Leaf(structure.leaf(states)))
            }
        }
    }

    /// The node of a compressed process.
    fn compressed(
        &mut self,
        process: ExprId,
        environment: &Frames,
        structure: &mut FamilyStructure,
    ) -> Result<StructureNode> {
        match structure.is_below_priority {
            // Compressions leave out internal steps, which below a priority would block others.
            true => {
                Err(self.refused("a compression below a priority is not followed for all sizes"))
            }
            false => self.node(process, environment, None, structure),
        }
    }

    /// The node of `prioritise(process, levels)`.
    fn prioritised(
        &mut self,
        arguments: &[ExprId],
        environment: &Frames,
        structure: &mut FamilyStructure,
    ) -> Result<StructureNode> {
        let &[process, levels] = arguments else {
            return Err(self.refused("this operator is not followed for all sizes"));
        };
        let above = std::mem::replace(&mut structure.is_below_priority, true);
        let process = self.node(process, environment, None, structure)?;
        structure.is_below_priority = above;
        let PartialValue::Sequence(sets) = self.evaluate(levels, environment)? else {
            return Err(self.refused("this is no sequence of sets"));
        };
        let levels = sets.iter().map(|set| match set {
            PartialValue::Set(set) => Some(structure.add(Rc::clone(set))),
            _ => None,
        });
        match levels.collect::<Option<Vec<usize>>>() {
            Some(levels) => Ok(StructureNode::Prioritise(levels, Box::new(process))),
            None => Err(self.refused("this is no sequence of sets")),
        }
    }

    /// The node of an operator with one or two operands.
    fn composition(
        &mut self,
        expression: ExprId,
        environment: &Frames,
        structure: &mut FamilyStructure,
    ) -> Result<StructureNode> {
        match self.ast().expr(expression) {
            Expr::Hide(process, events) => {
                let events = self.set(*events, environment)?;
                let process = self.node(*process, environment, None, structure)?;
                let events = structure.add(events);
                Ok(StructureNode::Hide(events, Box::new(process)))
            }
            Expr::Process(ProcessOp::Interleave, left, right) => {
                let left = self.node(*left, environment, None, structure)?;
                let right = self.node(*right, environment, None, structure)?;
                let events = structure.add(nothing());
                Ok(StructureNode::Sync(events, vec![left, right]))
            }
            Expr::Over(SetOp::GeneralisedParallel, left, events, right) => {
                let events = self.set(*events, environment)?;
                let left = self.node(*left, environment, None, structure)?;
                let right = self.node(*right, environment, None, structure)?;
                let events = structure.add(events);
                Ok(StructureNode::Sync(events, vec![left, right]))
            }
            Expr::AlphabetisedParallel {
                left,
                left_alphabet,
                right_alphabet,
                right,
            } => {
                let a = self.set(*left_alphabet, environment)?;
                let b = self.set(*right_alphabet, environment)?;
                let left = self.node(*left, environment, None, structure)?;
                let right = self.node(*right, environment, None, structure)?;
                let (a, b) = (structure.add(a), structure.add(b));
                Ok(StructureNode::Alphabetised(vec![(a, left), (b, right)]))
            }
            _ => Err(self.refused("this operator is not followed for all sizes")),
        }
    }

    /// The node of a process with a name: a leaf, if its body is sequential.
    fn named(&mut self, local: Local, structure: &mut FamilyStructure) -> Result<StructureNode> {
        if matches!(local.code, LocalCode::Builtin(_)) || self.is_closed(&local) {
            return Ok(StructureNode::Leaf(structure.leaf(vec![local])));
        }
        let (body, frame) = self.opened(&local)?;
        self.node(body, &frame, Some(local), structure)
    }

    /// The states in which a process without a name may begin: the alternatives of an internal
    /// choice.
    fn alternatives(&mut self, expression: ExprId, environment: &Frames) -> Result<Vec<Local>> {
        match self.ast().expr(expression) {
            Expr::Parenthesised(inner) => self.alternatives(*inner, environment),
            Expr::Process(ProcessOp::InternalChoice, left, right) => {
                let mut all = self.alternatives(*left, environment)?;
                all.extend(self.alternatives(*right, environment)?);
                Ok(all)
            }
            Expr::Replicated(ReplicatedOp::InternalChoice, statements, body) => {
                let mut all = Vec::new();
                for frame in self.environments(statements, environment)? {
                    all.extend(self.alternatives(*body, &frame)?);
                }
                Ok(all)
            }
            Expr::Name(_) | Expr::Apply(..) => {
                Ok(vec![self.process_value(expression, environment)?])
            }
            _ => Err(self.place.refused_with(
                "this component has no name",
                "give it one: what is decided for all sizes is made of definitions",
            )),
        }
    }

    fn replicated(
        &mut self,
        op: &'s ReplicatedOp,
        statements: &'s [Statement],
        body: ExprId,
        environment: &Frames,
        structure: &mut FamilyStructure,
    ) -> Result<StructureNode> {
        let [Statement::Generator(pattern, set)] = statements else {
            return Err(self.refused(
                "a parallel composition over several generators is not followed for all sizes",
            ));
        };
        let set = self.set(*set, environment)?;
        let SetValue::Listed(ids, items) = &*set else {
            return Err(
                self.refused("a parallel composition over events is not followed for all sizes")
            );
        };
        all_or_none((*ids, &items[..]), &self.identities, &self.place)?;
        let shared = match op {
            ReplicatedOp::GeneralisedParallel(events) => self.set(*events, environment)?,
            _ => nothing(),
        };
        let shared = structure.add(shared);
        let mut parts = Vec::new();
        if *ids != IdSet::EMPTY {
            let replicated = (op, *pattern, body);
            let of_all = self.of_all(replicated, shared, environment, structure)?;
            parts.push((None, of_all));
        }
        for item in items.iter() {
            let frame = self.one(*pattern, item.clone(), environment)?;
            parts.push(self.child(op, body, &frame, structure)?);
        }
        if parts.len() == 1 && parts[0].0.is_none() {
            return Ok(parts.swap_remove(0).1);
        }
        if let ReplicatedOp::AlphabetisedParallel(_) = op {
            let parts: Option<Vec<_>> = parts
                .into_iter()
                .map(|(set, node)| Some((set?, node)))
                .collect();
            return match parts {
                Some(parts) => Ok(StructureNode::Alphabetised(parts)),
                None => Err(self.refused(
                    "a parallel composition over identities and others is not followed for all sizes",
                )),
            };
        }
        Ok(StructureNode::Sync(
            shared,
            parts.into_iter().map(|(_, node)| node).collect(),
        ))
    }

    /// The node of an operator over all identities.
    fn of_all(
        &mut self,
        (op, pattern, body): (&'s ReplicatedOp, PatternId, ExprId),
        shared: usize,
        environment: &Frames,
        structure: &mut FamilyStructure,
    ) -> Result<StructureNode> {
        if structure.owner.is_some() {
            return Err(self.refused(
                "a component that belongs to two identities is not followed for all sizes",
            ));
        }
        let (mut alphabets, mut operands) = (Vec::new(), Vec::new());
        for id in 0..self.identities.arrangement.count() {
            let value = PartialValue::Id(Id::Seen(id));
            let frame = self.one(pattern, value, environment)?;
            structure.owner = Some(id);
            let (alphabet, operand) = self.child(op, body, &frame, structure)?;
            alphabets.extend(alphabet);
            operands.push(operand);
        }
        structure.owner = None;
        if alphabets.is_empty() {
            return Ok(StructureNode::SyncOfAll(shared, operands));
        }
        structure.alphabetised += 1;
        let operands = alphabets.into_iter().zip(operands).collect();
        Ok(StructureNode::AlphabetisedOfAll(
            structure.alphabetised - 1,
            operands,
        ))
    }

    /// One operand, with its alphabet if it has one.
    fn child(
        &mut self,
        op: &'s ReplicatedOp,
        body: ExprId,
        frame: &Frames,
        structure: &mut FamilyStructure,
    ) -> Result<(Option<usize>, StructureNode)> {
        let alphabet = match op {
            ReplicatedOp::AlphabetisedParallel(alphabet) => {
                let alphabet = self.set(*alphabet, frame)?;
                Some(structure.add(alphabet))
            }
            _ => None,
        };
        Ok((alphabet, self.node(body, frame, None, structure)?))
    }

    fn one(
        &mut self,
        pattern: PatternId,
        value: PartialValue,
        environment: &Frames,
    ) -> Result<Frames> {
        match self.bound(&[pattern], &[value], environment)? {
            Some(frame) => Ok(frame),
            None => Err(self.refused("this pattern does not match all identities")),
        }
    }
}

impl FamilyStructure {
    fn add(&mut self, set: Rc<SetValue>) -> usize {
        self.sets.push(set);
        self.sets.len() - 1
    }

    /// Fills in the alphabet of the last operand of each node `|| i : IDS @ [A(i)] P(i)`, by the
    /// number of the node.
    pub(super) fn alphabets_of_last(
        &self,
        node: &StructureNode,
        found: &mut [Option<Rc<SetValue>>],
    ) {
        if let StructureNode::AlphabetisedOfAll(number, operands) = node
            && let Some((alphabet, _)) = operands.last()
        {
            found[*number] = Some(Rc::clone(&self.sets[*alphabet]));
        }
        for operand in node.operands() {
            self.alphabets_of_last(operand, found);
        }
    }

    fn leaf(&mut self, states: Vec<Local>) -> ProcessPlace {
        match self.owner {
            Some(id) => {
                let own = &mut self.own[usize::from(id)];
                own.push(states);
                ProcessPlace::Own(id, own.len() - 1)
            }
            None => {
                self.servers.push(states);
                ProcessPlace::Server(self.servers.len() - 1)
            }
        }
    }
}

/// True if a function is `prioritise`.
fn is_prioritise(script: &ResolvedScript, function: ExprId) -> bool {
    let function = script.ast.unbracketed(function);
    matches!(
        script.resolved.names[function],
        Some(Reference::Builtin(
            Builtin::Prioritise | Builtin::PrioritiseNoCache
        ))
    )
}

/// True if this is a compression. A compressed process behaves as before: all functions that
/// `transparent` brings in keep traces, failures and divergences.
fn is_compression(script: &ResolvedScript, function: ExprId) -> bool {
    let function = script.ast.unbracketed(function);
    match &script.resolved.names[function] {
        Some(Reference::Builtin(builtin)) => builtin.visibility() == Visibility::Transparent,
        _ => false,
    }
}

/// True if the text of an expression is a parallel composition.
fn is_parallel(script: &ResolvedScript, expression: ExprId) -> bool {
    let expression = script.ast.unbracketed(expression);
    match script.ast.expr(expression) {
        Expr::Hide(..)
        | Expr::Process(ProcessOp::Interleave, ..)
        | Expr::Over(SetOp::GeneralisedParallel, ..)
        | Expr::AlphabetisedParallel { .. } => true,
        Expr::Apply(function, _) => is_compression(script, *function),
        Expr::Replicated(op, ..) => matches!(
            op,
            ReplicatedOp::Interleave
                | ReplicatedOp::GeneralisedParallel(_)
                | ReplicatedOp::AlphabetisedParallel(_)
        ),
        _ => false,
    }
}

/// Fails if a parallel composition is over some of the identities, or over values with
/// identities in them.
fn all_or_none(
    (ids, items): (IdSet, &[PartialValue]),
    identities: &IdentitiesInSight,
    place: &EvaluationPlace,
) -> Result<()> {
    if items.iter().any(PartialValue::holds_ids) {
        return Err(place.refused(
            "a parallel composition over values with identities in them is not followed for all sizes",
        ));
    }
    if ids != IdSet::EMPTY && ids != identities.everybody() {
        return Err(place.refused(
            "a parallel composition over some of the identities is not followed for all sizes",
        ));
    }
    Ok(())
}

/// The empty set of events.
fn nothing() -> Rc<SetValue> {
    Rc::new(SetValue::Listed(IdSet::EMPTY, Rc::new([])))
}

/// True if this is `RUN`.
pub(super) fn is_run(local: &Local) -> bool {
    local.code == LocalCode::Builtin(Builtin::Run)
}

/// True if this is the state that remembers the followed member of a specification.
pub(super) fn is_member(local: &Local) -> bool {
    matches!(local.code, LocalCode::Member(_))
}
