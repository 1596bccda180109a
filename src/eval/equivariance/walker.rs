//! The roles of all values that a piece of the script speaks of, and the processes in it.

use rustc_hash::FxHashMap;

use super::roles::{Clash, Role, Roles};
use crate::base::stack::deep;
use crate::eval::call_table::Callee;
use crate::eval::evaluator::Evaluator;
use crate::eval::heads::HeadKind;
use crate::eval::value::{HeadId, Value};
use crate::syntax::ast::{
    Clause, Declaration, DeclarationId, Expr, ExprId, Field, ProcessOp, ReplicatedOp,
};
use crate::types::builtin::Builtin;
use crate::types::resolved::{Place, Reference};

/// Why nothing is said about a piece of the script: it has something that is not looked into.
#[derive(Debug)]
pub(super) struct Unknown;

pub(super) type Found<T> = Result<T, Unknown>;

impl From<Clash> for Unknown {
    fn from(Clash: Clash) -> Self {
        Unknown
    }
}

/// What a call in the piece takes.
#[derive(Clone, Debug)]
pub(super) struct Callees {
    /// Of its values, in the order of its key.
    pub(super) roles: Vec<Role>,
    /// How many frames there are around it, inside the frame of the script.
    pub(super) depth: u32,
}

/// Prefixes nested deeper are not gone through: what follows each of them is a definition of its own, for which that would be
/// done again.
const MOST_PREFIXES: usize = 16;

/// Goes through a piece of the script.
pub(super) struct Walker<'e, 's> {
    pub(super) evaluator: &'e mut Evaluator<'s>,
    pub(super) roles: Roles,
    /// By frame and slot, from the outermost: what the piece itself binds.
    frames: Vec<Vec<Option<Role>>>,
    /// What is bound around the piece, seen from there.
    around: FxHashMap<Place, Role>,
    /// How many frames there are around the piece, inside the frame of the script.
    depth_around: u32,
    /// Values that do not depend on anything, each with its expression.
    pub(super) closed: Vec<(Role, ExprId)>,
    /// The roles of the fields of channels.
    pub(super) channels: FxHashMap<HeadId, Vec<Role>>,
    pub(super) callees: FxHashMap<Callee, Callees>,
    /// In how many prefixes this is.
    prefixes: usize,
    /// Functions that yield no processes: of their parameters and of what they yield.
    pub(super) functions: FxHashMap<DeclarationId, (Vec<Role>, Role)>,
}

impl<'e, 's> Walker<'e, 's> {
    /// Nothing was gone through; around the piece are so many frames, with these roles.
    pub(super) fn new(
        evaluator: &'e mut Evaluator<'s>,
        depth_around: u32,
        around: FxHashMap<Place, Role>,
        roles: Roles,
    ) -> Self {
        Self {
            evaluator,
            roles,
            frames: Vec::new(),
            around,
            depth_around,
            closed: Vec::new(),
            channels: FxHashMap::default(),
            callees: FxHashMap::default(),
            prefixes: 0,
            functions: FxHashMap::default(),
        }
    }

    /// How many frames there are here, inside the frame of the script.
    pub(super) fn depth(&self) -> u32 {
        self.depth_around + self.frames.len() as u32
    }

    /// What the slot holds.
    pub(super) fn at(&self, place: Place) -> Found<Role> {
        let inside = self.frames.len() as u32;
        let found = if place.up < inside {
            let frame = &self.frames[(inside - 1 - place.up) as usize];
            frame.get(place.slot as usize).copied().flatten()
        } else {
            let up = place.up - inside;
            self.around.get(&Place { up, ..place }).copied()
        };
        found.ok_or(Unknown)
    }

    /// Binds a slot of the innermost frame.
    pub(super) fn bind(&mut self, slot: u32, role: Role) {
        if let Some(frame) = self.frames.last_mut() {
            let slot = slot as usize;
            if frame.len() <= slot {
                frame.resize(slot + 1, None);
            }
            frame[slot] = Some(role);
        }
    }

    /// Enters a frame.
    pub(super) fn enter(&mut self) {
        self.frames.push(Vec::new());
    }

    /// Leaves so many frames.
    pub(super) fn leave(&mut self, frames: usize) {
        self.frames.truncate(self.frames.len() - frames);
    }

    /// The declaration at the top level of the script that a name stands for.
    pub(super) fn top_level(&self, name: ExprId) -> Option<DeclarationId> {
        match self.evaluator.reference_of(name) {
            &Reference::Local {
                place,
                definition: Some(definition),
            } if place.up == self.depth() => Some(definition),
            _ => None,
        }
    }

    /// All clauses of a function, with these roles of its parameters; `body` goes through the bodies.
    pub(super) fn clauses(
        &mut self,
        clauses: &'s [Clause],
        parameters: &[Role],
        body: &mut dyn FnMut(&mut Self, ExprId) -> Found<()>,
    ) -> Found<()> {
        for clause in clauses {
            let [group] = &clause.groups[..] else {
                return Err(Unknown);
            };
            if group.len() != parameters.len() {
                return Err(Unknown);
            }
            self.enter();
            for (&pattern, &role) in group.iter().zip(parameters) {
                self.pattern(pattern, role)?;
            }
            body(self, clause.body)?;
            self.leave(1);
        }
        Ok(())
    }

    /// Goes through a function that yields no process as if it stood at the top level, as it does.
    pub(super) fn function(&mut self, id: DeclarationId) -> Found<(Vec<Role>, Role)> {
        if let Some(known) = self.functions.get(&id) {
            return Ok(known.clone());
        }
        let script = self.evaluator.script;
        let Declaration::Function(_, clauses) = script.ast.declaration(id) else {
            return Err(Unknown);
        };
        let parameters = clauses[0].groups[0].iter().map(|_| self.roles.any());
        let parameters: Vec<Role> = parameters.collect();
        let result = self.roles.any();
        self.functions.insert(id, (parameters.clone(), result));
        let frames = std::mem::take(&mut self.frames);
        let depth = std::mem::replace(&mut self.depth_around, 0);
        let around = std::mem::take(&mut self.around);
        let done = self.clauses(clauses, &parameters, &mut |walker, body| {
            let role = walker.value(body)?;
            Ok(walker.roles.unify(role, result)?)
        });
        (self.frames, self.depth_around, self.around) = (frames, depth, around);
        done.map(|()| (parameters, result))
    }

    /// Goes through a process.
    pub(super) fn process(&mut self, expression: ExprId) -> Found<()> {
        deep(|| self.process_here(expression))
    }

    fn process_here(&mut self, expression: ExprId) -> Found<()> {
        let script = self.evaluator.script;
        if script.resolved.timed.contains_key(&expression) {
            return Err(Unknown);
        }
        match script.ast.expr(expression) {
            Expr::Parenthesised(inner) => self.process(*inner),
            Expr::Name(_) => self.named(expression),
            Expr::Apply(function, arguments) => self.call(*function, arguments),
            Expr::If(condition, then, otherwise) => {
                self.condition(*condition)?;
                self.process(*then)?;
                self.process(*otherwise)
            }
            Expr::Guard(condition, body) => {
                self.condition(*condition)?;
                self.process(*body)
            }
            // The operators with which nothing but leaves are built.
            Expr::Process(
                ProcessOp::ExternalChoice
                | ProcessOp::InternalChoice
                | ProcessOp::Sequential
                | ProcessOp::Interrupt
                | ProcessOp::SlidingChoice,
                left,
                right,
            ) => {
                self.process(*left)?;
                self.process(*right)
            }
            Expr::Replicated(op, statements, body) => {
                let is_sequence = match op {
                    ReplicatedOp::ExternalChoice | ReplicatedOp::InternalChoice => false,
                    ReplicatedOp::Sequential => true,
                    _ => return Err(Unknown),
                };
                let entered = self.statements(statements, is_sequence)?;
                self.process(*body)?;
                self.leave(entered);
                Ok(())
            }
            Expr::Prefix(channel, fields, body) => self.prefix(*channel, fields, *body),
            _ => Err(Unknown),
        }
    }

    /// A process by name. A constant is the same process whatever is renamed.
    fn named(&mut self, name: ExprId) -> Found<()> {
        if let Reference::Builtin(Builtin::Stop | Builtin::Skip) = self.evaluator.reference_of(name)
        {
            return Ok(());
        }
        let definition = self.top_level(name).ok_or(Unknown)?;
        let script = self.evaluator.script;
        let is_constant = matches!(script.ast.declaration(definition), Declaration::Pattern(..))
            && script.resolved.processes.contains(&definition);
        is_constant.then_some(()).ok_or(Unknown)
    }

    /// A call of a definition that certainly yields a process: what that is, is asked only when it is unfolded.
    fn call(&mut self, function: ExprId, arguments: &[ExprId]) -> Found<()> {
        let script = self.evaluator.script;
        if !matches!(script.ast.expr(function), Expr::Name(_)) {
            return Err(Unknown);
        }
        let definition = self.top_level(function).ok_or(Unknown)?;
        let Declaration::Function(_, clauses) = script.ast.declaration(definition) else {
            return Err(Unknown);
        };
        if clauses[0].groups.len() != 1 || !script.resolved.processes.contains(&definition) {
            return Err(Unknown);
        }
        let roles = arguments.iter().map(|&argument| self.value(argument));
        let roles: Vec<Role> = roles.collect::<Found<_>>()?;
        self.callee(Callee::Function(definition), roles, 0)
    }

    fn callee(&mut self, callee: Callee, roles: Vec<Role>, depth: u32) -> Found<()> {
        let Some(known) = self.callees.get(&callee).cloned() else {
            self.callees.insert(callee, Callees { roles, depth });
            return Ok(());
        };
        if known.roles.len() != roles.len() || known.depth != depth {
            return Err(Unknown);
        }
        for (a, b) in known.roles.into_iter().zip(roles) {
            self.roles.unify(a, b)?;
        }
        Ok(())
    }

    /// A prefix whose parts are one for each field of its channel.
    fn prefix(&mut self, channel: ExprId, fields: &'s [Field], body: ExprId) -> Found<()> {
        let script = self.evaluator.script;
        let channel = script.ast.unbracketed(channel);
        let (name, outputs) = match script.ast.expr(channel) {
            Expr::Dot(parts) => (script.ast.unbracketed(parts[0]), &parts[1..]),
            _ => (channel, &[][..]),
        };
        let roles = self.channel(name)?;
        if roles.len() != outputs.len() + fields.len() {
            return Err(Unknown);
        }
        let (first, rest) = roles.split_at(outputs.len());
        for (&output, &role) in outputs.iter().zip(first) {
            let found = self.value(output)?;
            self.roles.unify(found, role)?;
        }
        let mut entered = 0;
        for (field, &role) in fields.iter().zip(rest) {
            match field {
                Field::Output(output) => {
                    let found = self.value(*output)?;
                    self.roles.unify(found, role)?;
                }
                Field::Input(pattern, set) | Field::Nondeterministic(pattern, set) => {
                    if let Some(set) = set {
                        let found = self.value(*set)?;
                        let wanted = self.roles.set(role);
                        self.roles.unify(found, wanted)?;
                    }
                    self.enter();
                    entered += 1;
                    self.pattern(*pattern, role)?;
                }
            }
        }
        self.continuation(body)?;
        self.leave(entered);
        Ok(())
    }

    /// The roles of the fields of the channel that `name` is.
    fn channel(&mut self, name: ExprId) -> Found<Vec<Role>> {
        if !matches!(self.evaluator.script.ast.expr(name), Expr::Name(_)) {
            return Err(Unknown);
        }
        self.top_level(name).ok_or(Unknown)?;
        let Some(Value::Head(head)) = self.evaluator.known_value(name) else {
            return Err(Unknown);
        };
        if self.evaluator.heads.kind(head) != HeadKind::Channel {
            return Err(Unknown);
        }
        if let Some(known) = self.channels.get(&head) {
            return Ok(known.clone());
        }
        let fields = self.evaluator.heads.known_fields(head);
        let count = fields.ok_or(Unknown)?.len();
        let roles: Vec<Role> = (0..count).map(|_| self.roles.any()).collect();
        self.channels.insert(head, roles.clone());
        Ok(roles)
    }

    /// What follows a prefix: evaluated at once if it is a process by name, else a call of its own.
    fn continuation(&mut self, body: ExprId) -> Found<()> {
        if !self.evaluator.is_named_process(body) {
            let script = self.evaluator.script;
            let free = script
                .resolved
                .free
                .get(&body)
                .map_or(&[][..], Vec::as_slice);
            let roles = free.iter().map(|&place| self.at(place));
            let roles = roles.collect::<Found<_>>()?;
            self.callee(Callee::Continuation(body), roles, self.depth())?;
        }
        if self.prefixes == MOST_PREFIXES {
            return Err(Unknown);
        }
        self.prefixes += 1;
        self.process(body)?;
        self.prefixes -= 1;
        Ok(())
    }
}
