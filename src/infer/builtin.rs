//! The types of the built-in names.

use rustc_hash::FxHashMap;

use super::annotation::Annotations;
use super::scheme::Scheme;
use super::types::Types;
use base::source::SourceMap;
use syntax::ast::Declaration;
use syntax::parse_script;
use syntax::parser::NoIncludes;
use types::builtin::Builtin;

/// The types as the language reference gives them, in the notation of the language.
const SIGNATURES: &str = "\
union, inter, diff :: (Set a) => ({a}, {a}) -> {a}
Union, Inter :: (Set a) => ({{a}}) -> {a}
set :: (Set a) => (<a>) -> {a}
Set :: (Set a) => ({a}) -> {{a}}
Seq :: (Set a) => ({a}) -> {<a>}
member :: (Eq a) => (a, {a}) -> Bool
card :: (Eq a) => ({a}) -> Int
empty :: (Eq a) => ({a}) -> Bool
seq :: (Eq a) => ({a}) -> <a>
length :: (<a>) -> Int
null :: (<a>) -> Bool
head :: (<a>) -> a
tail :: (<a>) -> <a>
concat :: (<<a>>) -> <a>
elem :: (Eq a) => (a, <a>) -> Bool
emptyMap :: (Set k) => (| k => v |)
mapFromList :: (Set k) => (<(k, v)>) -> (| k => v |)
mapLookup :: (Set k) => ((| k => v |), k) -> v
mapMember :: (Set k) => ((| k => v |), k) -> Bool
mapDelete :: (Set k) => ((| k => v |), k) -> (| k => v |)
mapToList :: (Set k) => ((| k => v |)) -> <(k, v)>
mapUpdate :: (Set k) => ((| k => v |), k, v) -> (| k => v |)
mapUpdateMultiple :: (Set k) => ((| k => v |), <(k, v)>) -> (| k => v |)
Map :: (Set k, Set v) => ({k}, {v}) -> {(| k => v |)}
extensions :: (Yieldable b) => (a => b) -> {a}
productions :: (Yieldable b) => (a =>* b) -> {b}
show :: (a) -> <Char>
error :: (<Char>) -> a
Int :: {Int}
Bool :: {Bool}
Char :: {Char}
Proc :: {Proc}
Events :: {Event}
True, False :: Bool
STOP, SKIP, DIV :: Proc
CHAOS, RUN :: ({Event}) -> Proc
BUFFER :: (Int, {(Event, Event)}) -> Proc
WEAK_BUFFER :: (Int, Event, {(Event, Event)}) -> Proc
SIGNAL_BUFFER :: (Int, Event, Event, {(Event, Event)}) -> Proc
WAIT :: (Int) -> Proc
timed_priority, chase, chase_nocache, deter, loop :: (Proc) -> Proc
aut :: (<Char>) -> Proc
failure_watchdog, trace_watchdog :: (Proc, {Event}, Event) -> Proc
prioritise, prioritise_nocache :: (Proc, <{Event}>) -> Proc
prioritisepo :: (Proc, {Event}, {(Event, Event)}, {Event}) -> Proc
mtransclose :: (Eq a) => ({(a, a)}, {a}) -> {(a, a)}
relational_image :: (Eq a, Set b) => ({(a, b)}) -> (a) -> {b}
relational_inverse_image :: (Set a, Eq b) => ({(a, b)}) -> (b) -> {a}
transpose :: (Set a, Set b) => ({(a, b)}) -> {(b, a)}
explicate, lazyenumerate, diamond, normal, lazynorm :: (Proc) -> Proc
sbisim, dbisim, wbisim, tau_loop_factor, model_compress :: (Proc) -> Proc
";

/// The type of `builtin` as the language reference gives it.
pub fn signature(builtin: Builtin) -> Option<&'static str> {
    let mut lines = SIGNATURES
        .lines()
        .filter_map(|line| line.split_once(" :: "));
    let (_, ty) = lines.find(|(names, _)| names.split(", ").any(|name| name == builtin.name()))?;
    Some(ty)
}

/// The type of each built-in.
pub(super) struct Builtins {
    schemes: Vec<Option<Scheme>>,
}

impl Builtins {
    /// The types of all built-ins.
    pub(super) fn new(types: &mut Types) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add("built-in types", SIGNATURES.to_string());
        let (ast, _) = parse_script(&mut sources, file, &mut NoIncludes);
        let mut builtins = Self {
            schemes: vec![None; Builtin::ALL.len()],
        };
        for &declaration in &ast.script {
            if let Declaration::Annotation(names, scheme) = ast.declaration(declaration) {
                // Built-in types speak of no datatype, and use their constraints rightly.
                let datatypes = FxHashMap::default();
                let mut annotations = Annotations::new(&ast, types, &datatypes, &[]);
                let Ok(scheme) = annotations.flexible(scheme) else {
                    continue;
                };
                for name in names {
                    builtins.insert(ast.name(name.symbol), &scheme);
                }
            }
        }
        builtins
    }

    fn insert(&mut self, name: &str, scheme: &Scheme) {
        let all = Builtin::ALL.iter().enumerate();
        for (number, _) in all.filter(|(_, builtin)| builtin.name() == name) {
            self.schemes[number] = Some(scheme.clone());
        }
    }

    /// The type of `builtin`.
    pub(super) fn scheme(&self, builtin: Builtin) -> Scheme {
        let scheme = self.schemes[builtin as usize].clone();
        scheme.unwrap_or_else(|| Scheme::of(Types::UNKNOWN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_has_a_type() {
        let mut types = Types::new();
        let builtins = Builtins::new(&mut types);
        for builtin in Builtin::ALL {
            let has_type = builtins.schemes[*builtin as usize].is_some();
            assert!(has_type, "{} has none", builtin.name());
            assert!(signature(*builtin).is_some(), "{}", builtin.name());
        }
    }
}
