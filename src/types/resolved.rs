//! What name resolution finds: for each use of a name, where its value lives when the script runs.
//!
//! The evaluator's environment is a chain of *frames*, innermost first. Exactly these push a frame:
//! the script (one frame, the outermost of all); a module (two: one whose slot 0 holds the number
//! of the instance and whose further slots hold the parameters, then one for its declarations,
//! private and exported); each group of parameters of a function clause; a lambda; a `let`; each
//! generator of a statement list; each input field (`?p`, `$p`) of a prefix, in whose scope the
//! later fields and the continuation are. `Timed` and `include` push none: their declarations
//! belong to the scope around them. In the frame of several patterns the slots count on from one
//! pattern to the next.
//!
//! A use of a name is a pair (how many frames up, which slot there).

use rustc_hash::{FxHashMap, FxHashSet};

use super::builtin::Builtin;
use base::index::IndexVec;
use syntax::ast::{DeclarationId, ExprId, PatternId, Symbol, TypeId};

/// Where a slot is, seen from a place in the script.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// How many frames up the chain: 0 is the innermost.
    pub up: u32,
    /// Which slot of that frame.
    pub slot: u32,
}

/// What a use of a name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reference {
    /// A variable, definition, constructor, channel, type name or instance in scope.
    Local {
        /// Where its value is.
        place: Place,
        /// The declaration that introduces it, unless it is a parameter or another pattern variable
        /// of a frame of its own (generator, input).
        definition: Option<DeclarationId>,
    },
    /// `I::x` or `I::J::x`: follow `members` from the instance at `place`; each is a slot of the
    /// declaration frame of the instance before it.
    Member {
        /// Where the outermost instance is.
        place: Place,
        /// Slots, one for each further segment of the path.
        members: Vec<u32>,
        /// The declaration that introduces `x`.
        definition: Option<DeclarationId>,
    },
    /// A built-in.
    Builtin(Builtin),
}

/// The result of name resolution over one script.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// By expression; set for every `Expr::Name`.
    pub names: IndexVec<ExprId, Option<Reference>>,
    /// By pattern; set for every `Pattern::Name`.
    pub patterns: IndexVec<PatternId, Option<PatternName>>,
    /// By type expression; set for every name of a datatype, subtype or nametype.
    pub type_names: IndexVec<TypeId, Option<Reference>>,
    /// How many variables a pattern binds, for the patterns that stand at a binding place
    /// (parameters, generators, inputs, pattern declarations).
    pub variables: FxHashMap<PatternId, u32>,
    /// The slots a declaration fills, one for each name it introduces in the order written: a
    /// function one; a channel declaration one for each channel; a datatype first the type's, then
    /// the constructors'; subtype, nametype, module (also a parameterised one), instance one. A
    /// pattern declaration none here: its variables have theirs in `patterns`.
    pub slots: FxHashMap<DeclarationId, Vec<u32>>,
    /// The constructors that each subtype names, in the order written, seen from the subtype's own
    /// place.
    pub constructors: FxHashMap<DeclarationId, Vec<Reference>>,
    /// How many slots the script's frame has.
    pub script_frame: u32,
    /// How many slots the frame of each `let` has, by the `let` expression.
    pub let_frames: FxHashMap<ExprId, u32>,
    /// How many slots the two frames of each module have.
    pub module_frames: FxHashMap<DeclarationId, (u32, u32)>,
    /// For each instance declaration, the module it instantiates, seen from the instance's own
    /// place.
    pub instances: FxHashMap<DeclarationId, Reference>,
    /// Definitions (functions and plain constants) that certainly yield processes, when fully
    /// applied: name resolution finds those of which the text says so, and type inference the
    /// others.
    pub processes: FxHashSet<DeclarationId>,
    /// For each prefix, by its continuation, and each lambda, by itself: the parameters, generator
    /// and input variables (never definitions: those are followed into their own free variables) on
    /// which its value depends, seen from its own place. Slot 0 of a module's parameter frame
    /// counts as such a variable wherever something of that module is used. Sorted, without
    /// repetition.
    pub free: FxHashMap<ExprId, Vec<Place>>,
    /// The variables, as in `free`, of each argument of a function, part of a tuple and item of a
    /// sequence or set. Literals and what stands at the top level of the script are left out.
    pub free_of_argument: FxHashMap<ExprId, Vec<Place>>,
    /// The variables, as in `free`, of each condition by itself, of the channel and fields of each
    /// prefix by the prefix, and of the statements of each replicated operator by the operator.
    /// What stands at the top level of the script is left out.
    pub free_of_part: FxHashMap<ExprId, Vec<Place>>,
    /// The variables, as in `free`, of function and constant declarations, seen from the frame that
    /// holds the definition (so that frame is 0 up); empty at the top level of the script.
    pub free_of_definition: FxHashMap<DeclarationId, Vec<Place>>,
    /// For every expression inside a `Timed` section: the section's `tock` and duration function,
    /// seen from that expression.
    pub timed: FxHashMap<ExprId, TimedUse>,
    /// The names visible at the top level, with their references from there: for expressions that
    /// come later.
    pub top_level: FxHashMap<Symbol, Reference>,
}

/// The `Timed` section around an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedUse {
    /// The channel `tock`.
    pub tock: Reference,
    /// Where the value of the section's duration function is: a `Timed` declaration that has one
    /// fills one slot of the frame around it (see `slots`). `None`: every event takes one `tock`.
    pub duration: Option<Place>,
}

/// What a name in a pattern means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PatternName {
    /// A variable, which fills this slot of the frame of the pattern.
    Variable(u32),
    /// A constructor or channel in scope, which must be met. Seen from the place where the pattern
    /// stands: the frame that the pattern itself fills is not counted. (A pattern declaration fills
    /// slots of the frame in which it stands; that one is counted.)
    Constant(Reference),
}
