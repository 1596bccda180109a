//! The built-in functions.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::sequence::Sequence;
use super::set::Set;
use super::value::{Lazy, Value};
use crate::diag::{Diagnostic, Result};
use crate::process::term::{BufferShape, Overflow, Term, TermId};
use crate::types::builtin::Builtin;

type Map = im::OrdMap<Value, Value>;

impl Evaluator<'_> {
    /// `builtin` applied to one more group of arguments.
    pub(super) fn apply_builtin(
        &mut self,
        builtin: Builtin,
        given: &[Value],
        arguments: Vec<Lazy>,
    ) -> Result<Value> {
        let wanted = if given.is_empty() { builtin.arity() } else { 1 };
        if arguments.len() != wanted || builtin.arity() == 0 {
            let name = builtin.name();
            let s = if wanted == 1 { "" } else { "s" };
            let message = format!(
                "`{name}` takes {wanted} argument{s}, and {} are given",
                arguments.len()
            );
            return self.error("wrong-arity", message).into();
        }
        if builtin.is_process() {
            return Ok(Value::Process(
                self.apply_process(builtin, given, &arguments)?,
            ));
        }
        let a = &arguments[0];
        match builtin {
            Builtin::Union2
            | Builtin::Inter2
            | Builtin::Diff
            | Builtin::UnionAll
            | Builtin::InterAll
            | Builtin::SetOf
            | Builtin::PowerSet
            | Builtin::Sequences
            | Builtin::Member
            | Builtin::Card
            | Builtin::Empty
            | Builtin::SeqOf
            | Builtin::Maps
            | Builtin::Extensions
            | Builtin::Productions => self.set_function(builtin, &arguments),
            Builtin::Length
            | Builtin::Null
            | Builtin::Head
            | Builtin::Tail
            | Builtin::Concat
            | Builtin::Elem => self.sequence_function(builtin, &arguments),
            Builtin::MapFromList
            | Builtin::MapLookup
            | Builtin::MapMember
            | Builtin::MapDelete
            | Builtin::MapToList
            | Builtin::MapUpdate
            | Builtin::MapUpdateMultiple => self.map_function(builtin, &arguments),
            Builtin::Show => {
                let value = self.deep_argument(a)?;
                let text = self.show(&value);
                Ok(Value::Sequence(Sequence::from_values(
                    text.chars().map(Value::Char),
                )))
            }
            Builtin::Error => {
                let value = self.deep_argument(a)?;
                let text = match &value {
                    Value::Sequence(_) => self.show(&value).trim_matches('"').to_string(),
                    other => self.show(other),
                };
                self.error("script-error", format!("the script says: {text}"))
                    .into()
            }
            Builtin::RelationalImage | Builtin::RelationalInverseImage if given.is_empty() => {
                let relation = self.deep_argument(a)?;
                Ok(Value::Builtin(builtin, Rc::new([relation])))
            }
            Builtin::RelationalImage | Builtin::RelationalInverseImage => {
                let of = self.deep_argument(a)?;
                let pairs = self.pairs(&given[0])?.into_iter();
                let image: Vec<Value> = if builtin == Builtin::RelationalImage {
                    pairs.filter(|(x, _)| *x == of).map(|(_, y)| y).collect()
                } else {
                    pairs.filter(|(_, y)| *y == of).map(|(x, _)| x).collect()
                };
                Ok(Value::set(Set::from_values(image)))
            }
            Builtin::Transpose => {
                let relation = self.deep_argument(a)?;
                let swapped = self
                    .pairs(&relation)?
                    .into_iter()
                    .map(|(x, y)| Value::tuple(vec![y, x]));
                Ok(Value::set(Set::from_values(swapped.collect())))
            }
            Builtin::Mtransclose => {
                let (relation, within) =
                    (self.deep_argument(a)?, self.set_argument(&arguments[1])?);
                let pairs = self.pairs(&relation)?;
                let within = self.members(&within)?;
                Ok(Value::set(Set::from_values(representatives(
                    &pairs, &within,
                ))))
            }
            _ => unreachable!("constants and processes were taken before"),
        }
    }

    fn set_function(&mut self, builtin: Builtin, arguments: &[Lazy]) -> Result<Value> {
        let a = &arguments[0];
        Ok(match builtin {
            Builtin::Union2 => {
                let (x, y) = (self.set_argument(a)?, self.set_argument(&arguments[1])?);
                Value::set(self.union(&x, &y)?)
            }
            Builtin::Inter2 => {
                let (x, y) = (self.set_argument(a)?, self.set_argument(&arguments[1])?);
                Value::set(self.intersection(&x, &y)?)
            }
            Builtin::Diff => {
                let (x, y) = (self.set_argument(a)?, self.set_argument(&arguments[1])?);
                Value::set(self.difference(&x, &y)?)
            }
            Builtin::UnionAll => {
                let mut all = Vec::new();
                let mut symbolic = Set::empty();
                for set in self.sets_argument(a)? {
                    match &*set {
                        Set::Finite(members) => all.extend_from_slice(members),
                        other => symbolic = self.union(&symbolic, &other.clone())?,
                    }
                }
                Value::set(self.union(&Set::from_values(all), &symbolic)?)
            }
            Builtin::InterAll => {
                let mut sets = self.sets_argument(a)?.into_iter();
                let Some(first) = sets.next() else {
                    return Ok(Value::set(Set::empty()));
                };
                let mut common = (*first).clone();
                for set in sets {
                    common = self.intersection(&common, &set)?;
                }
                Value::set(common)
            }
            Builtin::SetOf => {
                let sequence = self.sequence_argument(a)?;
                let items = self.sequence_items(&sequence)?;
                Value::set(self.set_of(&items)?)
            }
            Builtin::PowerSet => {
                let set = self.set_argument(a)?;
                Value::set(Set::Subsets(Rc::new(set)))
            }
            Builtin::Sequences => Value::set(Set::Sequences(Rc::new(self.set_argument(a)?))),
            Builtin::Member => {
                let (value, set) = (self.deep_argument(a)?, self.set_argument(&arguments[1])?);
                if matches!(value, Value::Process(_)) {
                    return self
                        .error("type-error", "processes cannot be compared")
                        .into();
                }
                Value::Bool(self.contains(&set, &value)?)
            }
            Builtin::Card => {
                let set = self.set_argument(a)?;
                Value::Int(self.members(&set)?.len() as i64)
            }
            Builtin::Empty => {
                let set = self.set_argument(a)?;
                Value::Bool(self.is_empty_set(&set)?)
            }
            Builtin::SeqOf => {
                let set = self.set_argument(a)?;
                Value::Sequence(Sequence::from_values(self.members(&set)?.iter().cloned()))
            }
            Builtin::Maps => {
                let (keys, values) = (self.set_argument(a)?, self.set_argument(&arguments[1])?);
                Value::set(Set::Maps(Rc::new(keys), Rc::new(values)))
            }
            Builtin::Extensions => {
                let value = self.force(a)?;
                Value::set(self.extensions_of(&value)?)
            }
            _ => {
                let value = self.force(a)?;
                let productions = self.productions_of(&value)?;
                Value::set(productions)
            }
        })
    }

    fn sequence_function(&mut self, builtin: Builtin, arguments: &[Lazy]) -> Result<Value> {
        if builtin == Builtin::Elem {
            let (value, sequence) = (
                self.force(&arguments[0])?,
                self.sequence_argument(&arguments[1])?,
            );
            let mut rest = sequence;
            while let Some((head, tail)) = self.uncons(&rest)? {
                let head = self.force(&head)?;
                if self.equal(&value, &head)? {
                    return Ok(Value::Bool(true));
                }
                rest = tail;
            }
            return Ok(Value::Bool(false));
        }
        let sequence = self.sequence_argument(&arguments[0])?;
        match builtin {
            Builtin::Length => Ok(Value::Int(self.sequence_items(&sequence)?.len() as i64)),
            Builtin::Null => Ok(Value::Bool(sequence.is_empty())),
            Builtin::Head => match self.uncons(&sequence)? {
                Some((head, _)) => self.force(&head),
                None => self.empty_sequence("head").into(),
            },
            Builtin::Tail => match self.uncons(&sequence)? {
                Some((_, tail)) => Ok(Value::Sequence(tail)),
                None => self.empty_sequence("tail").into(),
            },
            _ => self.flatten(sequence),
        }
    }

    /// `concat(s)`, lazily.
    fn flatten(&mut self, sequences: Sequence) -> Result<Value> {
        let mut rest = sequences;
        while let Some((head, tail)) = self.uncons(&rest)? {
            let first = self.sequence_argument(&head)?;
            if first.is_empty() {
                rest = tail;
                continue;
            }
            let later =
                super::value::Thunk::of_computation(move |evaluator| evaluator.flatten(tail));
            return self.concatenate(&first, Lazy::Thunk(later));
        }
        Ok(Value::Sequence(Sequence::empty()))
    }

    fn empty_sequence(&self, function: &str) -> Diagnostic {
        self.error(
            "empty-sequence",
            format!("`{function}` of an empty sequence"),
        )
        .hint("test with null(s) first, or match on <x>^rest")
    }

    fn map_function(&mut self, builtin: Builtin, arguments: &[Lazy]) -> Result<Value> {
        if builtin == Builtin::MapFromList {
            return self.updated(Map::new(), &arguments[0]);
        }
        let map = self.map_argument(&arguments[0])?;
        Ok(match builtin {
            Builtin::MapToList => Value::Sequence(Sequence::from_values(
                map.iter()
                    .map(|(key, value)| Value::tuple(vec![key.clone(), value.clone()])),
            )),
            Builtin::MapUpdateMultiple => return self.updated((*map).clone(), &arguments[1]),
            _ => {
                let key = self.deep_argument(&arguments[1])?;
                match builtin {
                    Builtin::MapLookup => match map.get(&key) {
                        Some(value) => value.clone(),
                        None => {
                            let (key, map) = (self.show(&key), self.show(&Value::Map(map)));
                            return self
                                .error("missing-key", format!("the map has no key {key}"))
                                .note(format!("the map is {map}"))
                                .hint("test with mapMember(m, k) first")
                                .into();
                        }
                    },
                    Builtin::MapMember => Value::Bool(map.contains_key(&key)),
                    Builtin::MapDelete => Value::Map(Rc::new(map.without(&key))),
                    _ => {
                        let value = self.deep_argument(&arguments[2])?;
                        Value::Map(Rc::new(map.update(key, value)))
                    }
                }
            }
        })
    }

    /// `map` with the entries of a sequence of pairs, a later one before an earlier one.
    fn updated(&mut self, mut map: Map, entries: &Lazy) -> Result<Value> {
        let sequence = self.sequence_argument(entries)?;
        for entry in self.sequence_values(&sequence)? {
            let Value::Tuple(parts) = &entry else {
                return self.mismatch("a pair", &entry).into();
            };
            let [key, value] = &parts[..] else {
                return self.mismatch("a pair", &entry).into();
            };
            let (key, value) = (self.deep_argument(key)?, self.deep_argument(value)?);
            map.insert(key, value);
        }
        Ok(Value::Map(Rc::new(map)))
    }

    fn apply_process(
        &mut self,
        builtin: Builtin,
        given: &[Value],
        arguments: &[Lazy],
    ) -> Result<TermId> {
        let a = &arguments[0];
        match builtin {
            Builtin::Run | Builtin::Chaos => {
                let set = self.force(a)?;
                let events = self.event_set_of(&set)?;
                let term = if builtin == Builtin::Run {
                    Term::Run(events)
                } else {
                    Term::Chaos(events)
                };
                Ok(self.terms.intern(term))
            }
            Builtin::Buffer => self.buffer(a, Overflow::Refuse, &arguments[1]),
            Builtin::WeakBuffer => {
                let event = self.force(&arguments[1])?;
                let event = self.event(&event)?;
                self.buffer(a, Overflow::Signal(event), &arguments[2])
            }
            Builtin::SignalBuffer => {
                let (full, empty) = (self.force(&arguments[1])?, self.force(&arguments[2])?);
                let (full, empty) = (self.event(&full)?, self.event(&empty)?);
                self.buffer(a, Overflow::Status(full, empty), &arguments[3])
            }
            Builtin::Wait => {
                let tock = self.event(&given[0])?;
                match self.force(a)? {
                    Value::Int(n) if (0..=1_000_000).contains(&n) => Ok(self.wait(n, tock)),
                    other => self.mismatch("a time of 0 or more", &other).into(),
                }
            }
            Builtin::Loop => {
                let process = self.process_argument(a)?;
                Ok(self.call_loop(process))
            }
            // These preserve the meaning of a process and change only the size of its state space,
            // which strong bisimulation of the leaves already takes care of.
            Builtin::Explicate
            | Builtin::LazyEnumerate
            | Builtin::Diamond
            | Builtin::Normal
            | Builtin::LazyNorm
            | Builtin::Sbisim
            | Builtin::Dbisim
            | Builtin::Wbisim
            | Builtin::TauLoopFactor
            | Builtin::ModelCompress => self.process_argument(a),
            other => {
                let mut diagnostic = self.error(
                    "unsupported",
                    format!("`{}` is not supported yet", other.name()),
                );
                diagnostic.severity = crate::diag::Severity::Undecided;
                diagnostic.into()
            }
        }
    }

    fn buffer(&mut self, capacity: &Lazy, overflow: Overflow, pairs: &Lazy) -> Result<TermId> {
        let capacity = match self.force(capacity)? {
            Value::Int(n) if n >= 1 => n as usize,
            other => return self.mismatch("a capacity of 1 or more", &other).into(),
        };
        let pairs = self.deep_argument(pairs)?;
        let mut ties = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for (input, output) in self.pairs(&pairs)? {
            for event in [&input, &output] {
                if !seen.insert(event.clone()) {
                    let shown = self.show(event);
                    return self
                        .error(
                            "buffer-events",
                            format!("`{shown}` occurs twice among the buffer's events"),
                        )
                        .into();
                }
            }
            ties.push((self.event(&input)?, self.event(&output)?));
        }
        Ok(self.terms.buffer(BufferShape {
            capacity,
            pairs: ties,
            overflow,
        }))
    }

    /// The members of a set of pairs.
    fn pairs(&mut self, relation: &Value) -> Result<Vec<(Value, Value)>> {
        let Value::Set(set) = relation else {
            return self.mismatch("a set of pairs", relation).into();
        };
        let mut pairs = Vec::new();
        for member in self.members(set)?.iter() {
            match member {
                Value::Tuple(parts) if parts.len() == 2 => {
                    pairs.push((parts[0].known(), parts[1].known()))
                }
                other => return self.mismatch("a pair", other).into(),
            }
        }
        Ok(pairs)
    }

    fn deep_argument(&mut self, argument: &Lazy) -> Result<Value> {
        let value = self.force(argument)?;
        self.force_deep(&value)
    }

    fn set_argument(&mut self, argument: &Lazy) -> Result<Set> {
        match self.force(argument)? {
            Value::Set(set) => Ok((*set).clone()),
            other => self.mismatch("a set", &other).into(),
        }
    }

    fn sets_argument(&mut self, argument: &Lazy) -> Result<Vec<Rc<Set>>> {
        let set = self.set_argument(argument)?;
        let mut sets = Vec::new();
        for member in self.members(&set)?.iter() {
            match member {
                Value::Set(set) => sets.push(Rc::clone(set)),
                other => return self.mismatch("a set", other).into(),
            }
        }
        Ok(sets)
    }

    fn sequence_argument(&mut self, argument: &Lazy) -> Result<Sequence> {
        match self.force(argument)? {
            Value::Sequence(sequence) => Ok(sequence),
            other => self.mismatch("a sequence", &other).into(),
        }
    }

    fn map_argument(&mut self, argument: &Lazy) -> Result<Rc<Map>> {
        match self.force(argument)? {
            Value::Map(map) => Ok(map),
            other => self.mismatch("a map", &other).into(),
        }
    }

    fn process_argument(&mut self, argument: &Lazy) -> Result<TermId> {
        match self.force(argument)? {
            Value::Process(term) => Ok(term),
            other => self.mismatch("a process", &other).into(),
        }
    }
}

/// `mtransclose`: each member of `within` other than the least of its class, with that least
/// one, in the symmetric transitive closure of the pairs inside `within`.
fn representatives(pairs: &[(Value, Value)], within: &[Value]) -> Vec<Value> {
    let mut class: Vec<usize> = (0..within.len()).collect();
    fn find(class: &mut [usize], mut i: usize) -> usize {
        while class[i] != i {
            class[i] = class[class[i]];
            i = class[i];
        }
        i
    }
    for (x, y) in pairs {
        if let (Ok(i), Ok(j)) = (within.binary_search(x), within.binary_search(y)) {
            let (i, j) = (find(&mut class, i), find(&mut class, j));
            class[i.max(j)] = i.min(j);
        }
    }
    (0..within.len())
        .map(|i| (find(&mut class, i), i))
        .filter(|(least, i)| least != i)
        .map(|(least, i)| Value::tuple(vec![within[least].clone(), within[i].clone()]))
        .collect()
}
