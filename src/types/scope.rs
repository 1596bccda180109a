//! The frames around the place being resolved, and the meaning of each name there.

use rustc_hash::FxHashMap;

use super::builtin::Builtin;
use super::resolved::Place;
use base::index::{IndexVec, TypedIndex};
use base::source::Span;
use syntax::ast::{DeclarationId, Symbol};

/// The kind of thing a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    /// A parameter, generator or input variable.
    Variable,
    /// A name bound by a pattern declaration.
    Constant,
    /// A name with clauses.
    Function,
    /// A channel.
    Channel,
    /// A constructor of a datatype.
    Constructor,
    /// A datatype, subtype or nametype.
    Type,
    /// A module, with or without parameters.
    Module,
    /// An instance of a module.
    Instance,
    /// A built-in brought in by `external` or `transparent`.
    Import(Builtin),
}

impl NameKind {
    /// True if a pattern with such a name matches only its value, and binds no variable.
    pub(super) fn is_constant_pattern(self) -> bool {
        matches!(self, NameKind::Channel | NameKind::Constructor)
    }

    /// True if it is a value on its own.
    pub(super) fn is_value(self) -> bool {
        !matches!(self, NameKind::Module | NameKind::Instance)
    }

    /// The kind as a noun with its article.
    pub(super) fn noun(self) -> &'static str {
        match self {
            NameKind::Variable => "a variable",
            NameKind::Constant => "a constant",
            NameKind::Function => "a function",
            NameKind::Channel => "a channel",
            NameKind::Constructor => "a datatype constructor",
            NameKind::Type => "a type",
            NameKind::Module => "a module",
            NameKind::Instance => "a module instance",
            NameKind::Import(_) => "a built-in",
        }
    }
}

/// The places from which a declared name can be seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Access {
    /// Inside its module or other scope only.
    Private,
    /// Outside of its module too.
    Exported,
}

/// A name of one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScopeEntry {
    /// The kind of thing it is.
    pub(super) kind: NameKind,
    /// Its slot in the frame; meaningless for an import.
    pub(super) slot: u32,
    /// The declaration that introduces it; `None` for a variable.
    pub(super) declaration: Option<DeclarationId>,
    pub(super) access: Access,
    /// The place where it is introduced.
    pub(super) span: Span,
}

/// The names of one frame of declarations. Names that pattern declarations bind come last, because
/// they depend on the constructors and channels in scope.
#[derive(Default)]
pub(super) struct ScopeTable {
    pub(super) names: FxHashMap<Symbol, ScopeEntry>,
    /// The number of slots in the frame so far.
    pub(super) size: u32,
}

/// A name in scope: its entry and the frame that has it, counted from the script's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) entry: ScopeEntry,
    pub(super) depth: u32,
}

/// The owner of a frame, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameKind {
    /// The declarations of a module.
    Module,
    /// Anything else.
    Plain,
}

struct ScopeFrame {
    kind: FrameKind,
    /// The beginning of this frame's names in `Scopes::bound`.
    bound_from: usize,
    next_slot: u32,
}

/// The frames from the script's to the innermost, with a stack of bindings for each name, so
/// that looking a name up takes constant time however deep the frames are nested.
pub(super) struct Scopes {
    bindings: IndexVec<Symbol, Vec<Binding>>,
    bound: Vec<Symbol>,
    frames: Vec<ScopeFrame>,
}

impl Scopes {
    /// No frames, for a script with `symbols` symbols.
    pub(super) fn new(symbols: usize) -> Self {
        let bindings = (0..symbols).map(|_| Vec::new()).collect();
        Self {
            bindings,
            bound: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Adds an innermost frame whose first `slots` slots are taken.
    pub(super) fn push(&mut self, kind: FrameKind, slots: u32) {
        self.frames.push(ScopeFrame {
            kind,
            bound_from: self.bound.len(),
            next_slot: slots,
        });
    }

    /// Leaves the innermost frame. Returns its number of slots.
    pub(super) fn pop(&mut self) -> u32 {
        let Some(frame) = self.frames.pop() else {
            return 0;
        };
        for symbol in self.bound.drain(frame.bound_from..) {
            self.bindings[symbol].pop();
        }
        frame.next_slot
    }

    /// Makes `symbol` mean `entry` in the innermost frame.
    pub(super) fn bind(&mut self, symbol: Symbol, entry: ScopeEntry) {
        let depth = self.depth();
        self.bindings[symbol].push(Binding { entry, depth });
        self.bound.push(symbol);
    }

    /// A slot of the innermost frame that was not taken before.
    pub(super) fn take_slot(&mut self) -> u32 {
        let Some(frame) = self.frames.last_mut() else {
            return 0;
        };
        frame.next_slot += 1;
        frame.next_slot - 1
    }

    /// The number of bound names, for [`Scopes::bound_since`].
    pub(super) fn bound_names(&self) -> usize {
        self.bound.len()
    }

    /// The names bound since there were `from` of them, with their meanings.
    pub(super) fn bound_since(&self, from: usize) -> impl Iterator<Item = (Symbol, ScopeEntry)> {
        let entry = |&symbol: &Symbol| Some((symbol, self.lookup(symbol)?.entry));
        self.bound[from..].iter().filter_map(entry)
    }

    /// The number of slots in the innermost frame so far.
    pub(super) fn slots(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.next_slot)
    }

    /// The meaning of `symbol` here.
    pub(super) fn lookup(&self, symbol: Symbol) -> Option<Binding> {
        self.bindings[symbol].last().copied()
    }

    /// The module or instance that `symbol` means before `::`. Values of that name hide it only
    /// where no member is meant.
    pub(super) fn lookup_module(&self, symbol: Symbol) -> Option<Binding> {
        let mut meanings = self.bindings[symbol].iter().rev();
        meanings
            .find(|meaning| !meaning.entry.kind.is_value())
            .copied()
    }

    /// The number of the innermost frame; the script's is 0.
    pub(super) fn depth(&self) -> u32 {
        (self.frames.len() as u32).saturating_sub(1)
    }

    /// True if frame `depth` holds the declarations of a module.
    pub(super) fn is_module(&self, depth: u32) -> bool {
        self.frames[depth as usize].kind == FrameKind::Module
    }

    /// All names in scope.
    pub(super) fn names(&self) -> impl Iterator<Item = Symbol> {
        let in_scope = |(i, bindings): (usize, &Vec<Binding>)| {
            (!bindings.is_empty()).then(|| Symbol::from_usize(i))
        };
        self.bindings.iter().enumerate().filter_map(in_scope)
    }
}

impl Binding {
    /// The place of the binding seen from frame `depth`, which is inside its own frame.
    pub(super) fn place_from(&self, depth: u32) -> Place {
        Place {
            up: depth - self.depth,
            slot: self.entry.slot,
        }
    }
}
