//! The built-in names of CSPm: one table.

/// The parts of a script where a built-in name is visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Everywhere.
    Always,
    /// After `external`.
    External,
    /// After `transparent`.
    Transparent,
    /// After `external` or `transparent`.
    ExternalOrTransparent,
    /// Inside `Timed` sections.
    Timed,
}

/// The word of a declaration that brings built-ins into scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportWord {
    /// `external`
    External,
    /// `transparent`
    Transparent,
}

impl ImportWord {
    /// The word as written in CSPm.
    pub fn text(self) -> &'static str {
        match self {
            ImportWord::External => "external",
            ImportWord::Transparent => "transparent",
        }
    }

    /// The other of the two words.
    pub(super) fn other(self) -> Self {
        match self {
            ImportWord::External => ImportWord::Transparent,
            ImportWord::Transparent => ImportWord::External,
        }
    }

    /// True if the word brings `builtin` into scope.
    pub fn imports(self, builtin: Builtin) -> bool {
        match builtin.visibility() {
            Visibility::External => self == ImportWord::External,
            Visibility::Transparent => self == ImportWord::Transparent,
            Visibility::ExternalOrTransparent => true,
            Visibility::Always | Visibility::Timed => false,
        }
    }
}

macro_rules! builtins {
    ($($variant:ident $name:literal $arity:literal $visibility:ident $process:literal),+ $(,)?) => {
        /// A built-in function, set or process.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "each variant is the name it stands for")]
        pub enum Builtin { $($variant),+ }

        impl Builtin {
            /// All built-ins.
            pub const ALL: &[Builtin] = &[$(Builtin::$variant),+];

            /// The name as written in CSPm.
            pub fn name(self) -> &'static str {
                match self { $(Builtin::$variant => $name),+ }
            }

            /// The number of arguments; 0 for a constant. For a curried built-in
            /// (`relational_image(r)(x)`), the number in its first group.
            pub fn arity(self) -> usize {
                match self { $(Builtin::$variant => $arity),+ }
            }

            /// The parts of a script where its name is visible.
            pub fn visibility(self) -> Visibility {
                match self { $(Builtin::$variant => Visibility::$visibility),+ }
            }

            /// True if it is, or yields, a process.
            pub fn is_process(self) -> bool {
                match self { $(Builtin::$variant => $process),+ }
            }
        }
    };
}

builtins! {
    Union2 "union" 2 Always false,
    Inter2 "inter" 2 Always false,
    Diff "diff" 2 Always false,
    UnionAll "Union" 1 Always false,
    InterAll "Inter" 1 Always false,
    SetOf "set" 1 Always false,
    PowerSet "Set" 1 Always false,
    Sequences "Seq" 1 Always false,
    Member "member" 2 Always false,
    Card "card" 1 Always false,
    Empty "empty" 1 Always false,
    SeqOf "seq" 1 Always false,
    Length "length" 1 Always false,
    Null "null" 1 Always false,
    Head "head" 1 Always false,
    Tail "tail" 1 Always false,
    Concat "concat" 1 Always false,
    Elem "elem" 2 Always false,
    EmptyMap "emptyMap" 0 Always false,
    MapFromList "mapFromList" 1 Always false,
    MapLookup "mapLookup" 2 Always false,
    MapMember "mapMember" 2 Always false,
    MapDelete "mapDelete" 2 Always false,
    MapToList "mapToList" 1 Always false,
    MapUpdate "mapUpdate" 3 Always false,
    MapUpdateMultiple "mapUpdateMultiple" 2 Always false,
    Maps "Map" 2 Always false,
    Extensions "extensions" 1 Always false,
    Productions "productions" 1 Always false,
    Show "show" 1 Always false,
    Error "error" 1 Always false,
    Int "Int" 0 Always false,
    Bool "Bool" 0 Always false,
    Char "Char" 0 Always false,
    Proc "Proc" 0 Always false,
    Events "Events" 0 Always false,
    True "True" 0 Always false,
    False "False" 0 Always false,
    Stop "STOP" 0 Always true,
    Skip "SKIP" 0 Always true,
    Div "DIV" 0 Always true,
    Chaos "CHAOS" 1 Always true,
    Run "RUN" 1 Always true,
    Buffer "BUFFER" 2 Always true,
    WeakBuffer "WEAK_BUFFER" 3 Always true,
    SignalBuffer "SIGNAL_BUFFER" 4 Always true,
    Wait "WAIT" 1 Timed true,
    TimedPriority "timed_priority" 1 Timed true,
    Chase "chase" 1 ExternalOrTransparent true,
    ChaseNoCache "chase_nocache" 1 ExternalOrTransparent true,
    Deter "deter" 1 External true,
    Loop "loop" 1 External true,
    Aut "aut" 1 External true,
    FailureWatchdog "failure_watchdog" 3 External true,
    TraceWatchdog "trace_watchdog" 3 External true,
    Prioritise "prioritise" 2 External true,
    PrioritiseNoCache "prioritise_nocache" 2 External true,
    PrioritisePo "prioritisepo" 4 External true,
    Mtransclose "mtransclose" 2 External false,
    RelationalImage "relational_image" 1 External false,
    RelationalInverseImage "relational_inverse_image" 1 External false,
    Transpose "transpose" 1 External false,
    Explicate "explicate" 1 Transparent true,
    LazyEnumerate "lazyenumerate" 1 Transparent true,
    Diamond "diamond" 1 Transparent true,
    Normal "normal" 1 Transparent true,
    LazyNorm "lazynorm" 1 Transparent true,
    Sbisim "sbisim" 1 Transparent true,
    Dbisim "dbisim" 1 Transparent true,
    Wbisim "wbisim" 1 Transparent true,
    TauLoopFactor "tau_loop_factor" 1 Transparent true,
    ModelCompress "model_compress" 1 Transparent true,
}
