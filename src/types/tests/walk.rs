//! An independent reading of the rules about frames: a walk over the tree that keeps the names in
//! each frame, and follows every reference to a slot. The slot must have the name that is referred
//! to.

use rustc_hash::FxHashMap;

use super::text::Script;
use crate::resolved::{PatternName, Place, Reference};
use syntax::ast::*;

/// The names of each frame by slot, the script's first.
struct Walk<'a> {
    script: &'a Script,
    frames: Vec<FxHashMap<u32, Symbol>>,
    checked: usize,
}

/// Checks every simple name in `script`. Returns the number of names checked.
pub(super) fn walk(script: &Script) -> usize {
    let mut walk = Walk {
        script,
        frames: Vec::new(),
        checked: 0,
    };
    walk.scope(&[&script.ast.script]);
    walk.checked
}

impl Walk<'_> {
    fn named(&self, place: Place) -> Option<Symbol> {
        let frame = self.frames.len().checked_sub(1 + place.up as usize)?;
        self.frames[frame].get(&place.slot).copied()
    }

    fn check(&mut self, path: &QualifiedName, reference: Option<&Reference>) {
        let place = match reference.expect("every name is resolved") {
            Reference::Local { place, .. } | Reference::Member { place, .. } => *place,
            Reference::Builtin(_) => return,
        };
        assert_eq!(self.named(place), Some(path.segments[0].symbol), "{path:?}");
        self.checked += 1;
    }

    /// The variables of `pattern`; its constants are checked in the present frames.
    fn variables(&mut self, pattern: PatternId, names: &mut FxHashMap<u32, Symbol>) {
        let script = self.script;
        match script.ast.pattern(pattern) {
            Pattern::Name(path) => match &script.resolved.patterns[pattern] {
                Some(PatternName::Variable(slot)) => {
                    assert_eq!(names.insert(*slot, path.last().symbol), None);
                }
                Some(PatternName::Constant(constant)) => self.check(path, Some(constant)),
                None => panic!("{path:?} is not resolved"),
            },
            Pattern::Tuple(parts)
            | Pattern::Sequence(parts)
            | Pattern::Concat(parts)
            | Pattern::Dot(parts) => parts.iter().for_each(|part| self.variables(*part, names)),
            Pattern::Singleton(inner) | Pattern::Parenthesised(inner) => {
                self.variables(*inner, names)
            }
            Pattern::Both(left, right) => {
                self.variables(*left, names);
                self.variables(*right, names);
            }
            _ => {}
        }
    }

    fn push(&mut self, patterns: &[PatternId], first: FxHashMap<u32, Symbol>) {
        let mut names = first;
        for pattern in patterns {
            let before = names.len();
            self.variables(*pattern, &mut names);
            let counted = self.script.resolved.variables[pattern] as usize;
            assert_eq!(names.len() - before, counted);
        }
        self.frames.push(names);
    }

    /// Pushes the frame of these declarations and checks what is in them; the frame stays.
    fn scope(&mut self, lists: &[&[DeclarationId]]) {
        let mut names = FxHashMap::default();
        for list in lists {
            self.slots(list, &mut names);
        }
        self.frames.push(names);
        for list in lists {
            self.declared_patterns(list);
        }
        for list in lists {
            self.declarations(list);
        }
    }

    fn slots(&self, list: &[DeclarationId], names: &mut FxHashMap<u32, Symbol>) {
        for id in list {
            let introduced: Vec<Symbol> = match self.script.ast.declaration(*id) {
                Declaration::Timed(_, inner) | Declaration::Include(_, inner) => {
                    self.slots(inner, names);
                    continue;
                }
                Declaration::Channel(channels, _) => channels.iter().map(|c| c.symbol).collect(),
                Declaration::Datatype(name, constructors) => {
                    let constructors = constructors.iter().map(|c| c.name.symbol);
                    std::iter::once(name.symbol).chain(constructors).collect()
                }
                Declaration::Function(name, _)
                | Declaration::Subtype(name, _)
                | Declaration::Nametype(name, _)
                | Declaration::Module { name, .. }
                | Declaration::Instance { name, .. } => vec![name.symbol],
                _ => continue,
            };
            let slots = &self.script.resolved.slots[id];
            assert_eq!(slots.len(), introduced.len());
            for (slot, symbol) in slots.iter().zip(introduced) {
                assert_eq!(names.insert(*slot, symbol), None, "one slot, one name");
            }
        }
    }

    fn declared_patterns(&mut self, list: &[DeclarationId]) {
        for id in list {
            match self.script.ast.declaration(*id) {
                Declaration::Timed(_, inner) | Declaration::Include(_, inner) => {
                    self.declared_patterns(inner);
                }
                Declaration::Pattern(pattern, _) => {
                    let mut names = self.frames.last().expect("a frame").clone();
                    self.variables(*pattern, &mut names);
                    *self.frames.last_mut().expect("a frame") = names;
                }
                _ => {}
            }
        }
    }

    fn declarations(&mut self, list: &[DeclarationId]) {
        let script = self.script;
        for id in list {
            match script.ast.declaration(*id) {
                Declaration::Pattern(_, body)
                | Declaration::Nametype(_, body)
                | Declaration::Channel(_, Some(body)) => self.expression(*body),
                Declaration::Function(_, clauses) => {
                    for clause in clauses {
                        let depth = self.frames.len();
                        for group in &clause.groups {
                            self.push(group, FxHashMap::default());
                        }
                        self.expression(clause.body);
                        self.frames.truncate(depth);
                    }
                }
                Declaration::Datatype(_, constructors) | Declaration::Subtype(_, constructors) => {
                    constructors
                        .iter()
                        .filter_map(|c| c.fields)
                        .for_each(|e| self.expression(e));
                }
                Declaration::Module {
                    name,
                    parameters,
                    private,
                    exports,
                } => {
                    // No name leads to slot 0; the module itself stands for its instance there.
                    self.push(parameters, FxHashMap::from_iter([(0, name.symbol)]));
                    self.scope(&[private, exports]);
                    self.frames.truncate(self.frames.len() - 2);
                }
                Declaration::Instance {
                    module, arguments, ..
                } => {
                    self.check(module, script.resolved.instances.get(id));
                    arguments
                        .iter()
                        .for_each(|argument| self.expression(*argument));
                }
                Declaration::Include(_, inner) => self.declarations(inner),
                Declaration::Timed(duration, inner) => {
                    duration
                        .iter()
                        .for_each(|duration| self.expression(*duration));
                    self.declarations(inner);
                }
                _ => {}
            }
        }
    }

    fn all(&mut self, expressions: &[ExprId]) {
        expressions
            .iter()
            .for_each(|expression| self.expression(*expression));
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Generator(pattern, source) => {
                    self.expression(*source);
                    self.push(&[*pattern], FxHashMap::default());
                }
                Statement::Predicate(condition) => self.expression(*condition),
            }
        }
    }

    /// Checks `expression` and leaves the frames as they were.
    fn expression(&mut self, expression: ExprId) {
        let depth = self.frames.len();
        self.inside(expression);
        self.frames.truncate(depth);
    }

    fn inside(&mut self, expression: ExprId) {
        let script = self.script;
        match script.ast.expr(expression) {
            Expr::Int(_) | Expr::Bool(_) | Expr::Char(_) | Expr::String(_) => {}
            Expr::Imported(import) => self.all(&[import.function, import.labels]),
            Expr::Name(path) => self.check(path, script.resolved.names[expression].as_ref()),
            Expr::Parenthesised(e) | Expr::Unary(_, e) => self.expression(*e),
            Expr::Tuple(parts) | Expr::Dot(parts) => self.all(parts),
            Expr::Sequence(collection) | Expr::Set(collection) => self.collection(collection),
            Expr::Productions(items, statements) => {
                self.statements(statements);
                self.all(items);
            }
            Expr::If(condition, yes, no) => self.all(&[*condition, *yes, *no]),
            Expr::Binary(_, left, right)
            | Expr::Guard(left, right)
            | Expr::Process(_, left, right)
            | Expr::Hide(left, right) => self.all(&[*left, *right]),
            Expr::Apply(function, arguments) => {
                self.expression(*function);
                self.all(arguments);
            }
            Expr::Let(declarations, body) => {
                self.scope(&[declarations]);
                self.expression(*body);
            }
            Expr::Lambda(patterns, body) => {
                self.push(patterns, FxHashMap::default());
                self.expression(*body);
            }
            Expr::Prefix(channel, fields, continuation) => {
                self.expression(*channel);
                fields.iter().for_each(|field| self.field(field));
                self.expression(*continuation);
            }
            Expr::Rename(process, ties) => {
                self.expression(*process);
                self.ties(ties);
            }
            Expr::Replicated(operator, statements, body) => {
                if let ReplicatedOp::GeneralisedParallel(events) = operator {
                    self.expression(*events);
                }
                self.statements(statements);
                if let ReplicatedOp::AlphabetisedParallel(alphabet) = operator {
                    self.expression(*alphabet);
                }
                self.expression(*body);
                if let ReplicatedOp::LinkedParallel(ties) = operator {
                    self.ties(ties);
                }
            }
            other => panic!("not in these tests: {other:?}"),
        }
    }

    fn collection(&mut self, collection: &Collection) {
        self.statements(&collection.statements);
        match &collection.items {
            Items::List(items) => self.all(items),
            Items::From(first) => self.expression(*first),
            Items::Range(first, last) => self.all(&[*first, *last]),
        }
    }

    fn field(&mut self, field: &Field) {
        match field {
            Field::Output(value) => self.expression(*value),
            Field::Input(pattern, set) | Field::Nondeterministic(pattern, set) => {
                set.iter().for_each(|set| self.expression(*set));
                self.push(&[*pattern], FxHashMap::default());
            }
        }
    }

    fn ties(&mut self, ties: &Ties) {
        self.statements(&ties.statements);
        for (left, right) in &ties.pairs {
            self.all(&[*left, *right]);
        }
    }
}
