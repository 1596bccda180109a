//! The results of name resolution: for each use of a name, the place of its value when the script
//! runs.
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
//! A use of a name is a pair (number of frames up, slot in that frame).

use rustc_hash::{FxHashMap, FxHashSet};

use super::builtin::Builtin;
use base::index::IndexVec;
use syntax::ast::{DeclarationId, ExprId, PatternId, Symbol, TypeId};

/// The place of a slot, seen from a place in the script.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The number of frames up the chain: 0 is the innermost.
    pub up: u32,
    /// The slot in that frame.
    pub slot: u32,
}

/// The meaning of a use of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reference {
    /// A variable, definition, constructor, channel, type name or instance in scope.
    Local {
        /// The place of its value.
        place: Place,
        /// The declaration that introduces it, unless it is a parameter or another pattern variable
        /// of a frame of its own (generator, input).
        definition: Option<DeclarationId>,
    },
    /// `I::x` or `I::J::x`: follow `members` from the instance at `place`; each is a slot of the
    /// declaration frame of the instance before it.
    Member {
        /// The place of the outermost instance.
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
    /// The references by expression; set for every `Expr::Name`.
    pub names: IndexVec<ExprId, Option<Reference>>,
    /// The meanings by pattern; set for every `Pattern::Name`.
    pub patterns: IndexVec<PatternId, Option<PatternName>>,
    /// The references by type expression; set for every name of a datatype, subtype or nametype.
    pub type_names: IndexVec<TypeId, Option<Reference>>,
    /// The number of variables that a pattern binds, for the patterns that stand at a binding place
    /// (parameters, generators, inputs, pattern declarations).
    pub variables: FxHashMap<PatternId, u32>,
    /// The slots a declaration fills, one for each name it introduces, in the order written. A
    /// function fills one; a channel declaration one for each channel; a datatype first one for the
    /// type, then one for each constructor; a subtype, nametype, module (with or without
    /// parameters) or instance one. A pattern declaration has none here: the slots of its variables
    /// are in `patterns`.
    pub slots: FxHashMap<DeclarationId, Vec<u32>>,
    /// The constructors that each subtype names, in the order written, seen from the subtype's own
    /// place.
    pub constructors: FxHashMap<DeclarationId, Vec<Reference>>,
    /// The number of slots in the script's frame.
    pub script_frame: u32,
    /// The number of slots in the frame of each `let`, by the `let` expression.
    pub let_frames: FxHashMap<ExprId, u32>,
    /// The numbers of slots in the two frames of each module.
    pub module_frames: FxHashMap<DeclarationId, (u32, u32)>,
    /// The module that each instance declaration instantiates, seen from the instance's own place.
    pub instances: FxHashMap<DeclarationId, Reference>,
    /// Definitions (functions and plain constants) that certainly yield processes when fully
    /// applied. Name resolution finds those that show it in their text, and type inference the
    /// others.
    pub processes: FxHashSet<DeclarationId>,
    /// The free variables of each prefix, by its continuation, and of each lambda, by itself, seen
    /// from its own place: the parameters, generator and input variables on which its value
    /// depends. Definitions never count; they are followed into their own free variables. Slot 0 of
    /// a module's parameter frame counts as such a variable wherever a name of that module is used.
    /// Sorted, without repetition.
    pub free: FxHashMap<ExprId, Vec<Place>>,
    /// The free variables of each argument of a function, part of a tuple and item of a sequence or
    /// set. Literals and expressions at the top level of the script are left out.
    pub free_of_argument: FxHashMap<ExprId, Vec<Place>>,
    /// The free variables of each condition by itself, of the channel and fields of each prefix by
    /// the prefix, and of the statements of each replicated operator by the operator. Expressions
    /// at the top level of the script are left out.
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
    /// The place of the value of the section's duration function: a `Timed` declaration that has
    /// one fills one slot of the frame around it (see `slots`). `None` if every event takes one
    /// `tock`.
    pub duration: Option<Place>,
}

/// The meaning of a name in a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PatternName {
    /// A variable, which fills this slot of the frame of the pattern.
    Variable(u32),
    /// A constructor or channel in scope, which must be met. Seen from the place where the pattern
    /// stands: the frame that the pattern itself fills is not counted. (A pattern declaration fills
    /// slots of the frame in which it stands; that one is counted.)
    Constant(Reference),
}
