//! The recursive calls of a term: strongly connected components of the calls it can lead to.
//!
//! All calls below any operator or prefix count, even if no events can lead to them. Calls with
//! ever new arguments make that graph infinite, hence the limit.

use rustc_hash::{FxHashMap, FxHashSet};

use super::term::{CallId, Definitions, Term, TermId};
use base::cancel::Cancellation;
use base::components::strong_components;
use base::diag::Result;

/// The number of parts of a term above which the token is asked for each part.
const MANY_TERMS: usize = 1000;

/// Calls and the calls in their bodies.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// The largest number of calls that are unfolded.
    limit: usize,
    /// The largest number of parts of bodies after which another call is unfolded.
    most_parts: usize,
    /// The parts of the bodies that were looked at.
    parts: usize,
    numbers: FxHashMap<CallId, u32>,
    calls: Vec<CallId>,
    /// The calls in the bodies of the calls that were unfolded so far: the first ones of `calls`.
    successors: Vec<Vec<u32>>,
    is_recursive: Vec<bool>,
    /// The terms whose calls were added.
    added: FxHashSet<TermId>,
}

impl CallGraph {
    /// The graph of all calls that `term` can lead to, unfolding at most `limit` of them.
    pub fn of(definitions: &mut dyn Definitions, term: TermId, limit: usize) -> Result<Self> {
        let mut graph = Self::new(limit);
        graph.add(definitions, term)?;
        Ok(graph)
    }

    /// A graph without calls, in which at most `limit` calls will be unfolded.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            most_parts: usize::MAX,
            parts: 0,
            numbers: FxHashMap::default(),
            calls: Vec::new(),
            successors: Vec::new(),
            is_recursive: Vec::new(),
            added: FxHashSet::default(),
        }
    }

    /// This graph, in which no call will be unfolded after the bodies have so many parts in sum. A
    /// body takes time for each of its parts, which are evaluated. Where that ends the work, the
    /// graph [is cut](Self::is_cut).
    #[must_use]
    pub fn within(self, parts: usize) -> Self {
        Self {
            most_parts: parts,
            ..self
        }
    }

    /// Adds all calls that `term` can lead to. It is cheap if they were added before.
    pub fn add(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<()> {
        if self.added.contains(&term) {
            return Ok(());
        }
        self.number_calls(definitions, term)?;
        // Bodies append the calls that are new in them to `calls`, so this goes on until all calls
        // are unfolded, in the order in which they were met.
        while self.successors.len() < self.calls.len().min(self.limit)
            && self.parts <= self.most_parts
        {
            definitions.cancellation().step()?;
            let call = self.calls[self.successors.len()];
            // The body of a call may be an error. It need not be reached; if it is, the error is
            // reported there.
            let successors = match definitions.body(call) {
                Ok(body) => self.number_calls(definitions, body)?,
                Err(_) => {
                    // If the work was ended during the body, it ends here as well: the body may
                    // have calls.
                    definitions.cancellation().check()?;
                    Vec::new()
                }
            };
            self.successors.push(successors);
        }
        if self.is_cut() {
            return Ok(());
        }
        // The numbers of calls are compared because an earlier attempt that failed may have met
        // some of them.
        if self.calls.len() > self.is_recursive.len() {
            self.is_recursive = self.analysed(definitions)?;
        }
        // The term is added only now, because an error on the way leaves its calls incomplete.
        self.added.insert(term);
        Ok(())
    }

    /// True if `call` can lead to itself. A call counts as recursive if that is unknown, because of
    /// the limit or because it was never added.
    pub fn is_recursive(&self, call: CallId) -> bool {
        let number = self.numbers.get(&call);
        let known = number.and_then(|&number| self.is_recursive.get(number as usize));
        known.copied().unwrap_or(true)
    }

    /// True if the bodies have more parts than were to be looked at, so that nothing is known of
    /// the calls.
    pub fn is_cut(&self) -> bool {
        self.parts > self.most_parts && !self.is_complete()
    }

    /// True if all calls were unfolded, so that the limit had no effect.
    fn is_complete(&self) -> bool {
        self.successors.len() == self.calls.len()
    }

    /// The numbers of the calls in `term`, each once, in a fixed order.
    fn number_calls(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<Vec<u32>> {
        let mut found = Vec::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::from_iter([term]);
        let mut open = vec![term];
        while let Some(next) = open.pop() {
            if seen.len() > MANY_TERMS {
                definitions.cancellation().step()?;
            }
            if let &Term::Call(call) = definitions.terms().get(next)
                && !self.is_sequential_loop(definitions, call)
            {
                let fresh = self.calls.len() as u32;
                let number = *self.numbers.entry(call).or_insert(fresh);
                if number == fresh {
                    self.calls.push(call);
                }
                // Equal calls are one term, and a term is met once, so no number is pushed twice.
                found.push(number);
            }
            let operands = definitions.terms().get(next).operands().into_iter();
            open.extend(operands.filter(|&operand| seen.insert(operand)));
        }
        self.parts += seen.len();
        Ok(found)
    }

    /// True if `call` need not be followed. It then counts as recursive, like any call that is not
    /// in the graph.
    fn is_sequential_loop(&self, definitions: &mut dyn Definitions, call: CallId) -> bool {
        !self.numbers.contains_key(&call) && definitions.is_sequential_loop(call)
    }

    /// For each call, true if it is recursive.
    fn analysed(&self, definitions: &mut dyn Definitions) -> Result<Vec<bool>> {
        let token = &definitions.cancellation().clone();
        if self.is_complete() {
            return on_cycles(&self.successors, token);
        }
        let mut successors = self.successors.clone();
        // Calls that were not unfolded seem to call nothing; `presume_recursive` corrects that.
        successors.resize(self.calls.len(), Vec::new());
        let mut is_recursive = on_cycles(&successors, token)?;
        self.presume_recursive(definitions, &successors, &mut is_recursive)?;
        Ok(is_recursive)
    }

    /// Calls that were not unfolded count as recursive. So does a call that leads to one of them,
    /// if its definition can call itself: `P(0)` of `P(n) = a -> P(n + 1)` does, but the definition
    /// of a parallel of such calls does not.
    fn presume_recursive(
        &self,
        definitions: &mut dyn Definitions,
        successors: &[Vec<u32>],
        is_recursive: &mut [bool],
    ) -> Result<()> {
        let mut names: FxHashMap<String, u32> = FxHashMap::default();
        let mut definition_of: Vec<usize> = Vec::with_capacity(self.calls.len());
        for &call in &self.calls {
            definitions.cancellation().step()?;
            let fresh = names.len() as u32;
            let name = definitions.definition_name(call);
            definition_of.push(*names.entry(name).or_insert(fresh) as usize);
        }
        let mut calls_of_definitions = vec![Vec::new(); names.len()];
        for (call, called) in successors.iter().enumerate() {
            let called = called.iter().map(|&c| definition_of[c as usize] as u32);
            calls_of_definitions[definition_of[call]].extend(called);
        }
        let token = &definitions.cancellation().clone();
        // There are finitely many definitions, even if their arguments never repeat.
        let is_recursive_definition = on_cycles(&calls_of_definitions, token)?;
        let unfinished = leads_beyond(successors, self.successors.len());
        for (call, recursive) in is_recursive.iter_mut().enumerate() {
            let not_unfolded = call >= self.successors.len();
            *recursive |=
                not_unfolded || unfinished[call] && is_recursive_definition[definition_of[call]];
        }
        Ok(())
    }
}

/// For each node, true if it lies on a cycle.
fn on_cycles(successors: &[Vec<u32>], token: &Cancellation) -> Result<Vec<bool>> {
    let components = strong_components(successors, &mut |edges| token.look(edges))?;
    let mut sizes = vec![0_usize; components.len()];
    for &component in &components {
        sizes[component as usize] += 1;
    }
    let on_cycle = |(node, successors): (usize, &Vec<u32>)| {
        token.look(1)?;
        // A component of one node is a cycle only if the node leads to itself.
        Ok(sizes[components[node] as usize] > 1 || successors.contains(&(node as u32)))
    };
    successors.iter().enumerate().map(on_cycle).collect()
}

/// For each node, true if it leads to one numbered `bound` or above.
fn leads_beyond(successors: &[Vec<u32>], bound: usize) -> Vec<bool> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (node, successors) in successors.iter().enumerate() {
        for &successor in successors {
            predecessors[successor as usize].push(node);
        }
    }
    let mut leads: Vec<bool> = (0..successors.len()).map(|node| node >= bound).collect();
    let mut open: Vec<usize> = (bound..successors.len()).collect();
    while let Some(node) = open.pop() {
        for &before in &predecessors[node] {
            if !std::mem::replace(&mut leads[before], true) {
                open.push(before);
            }
        }
    }
    leads
}

#[cfg(test)]
mod tests {
    use super::{CallGraph, on_cycles};
    use crate::table::DefinitionTable;
    use crate::term::{CallId, Definitions, TermId, Terms};
    use base::cancel::Cancellation;
    use base::cancel::testing::{asked, within};
    use base::diag::Result;
    use base::source::Span;

    /// A table of `name -> names it calls`: a single call is `a -> P`, several are in parallel.
    fn table(definitions: &[(&str, &[&str])]) -> DefinitionTable {
        let mut table = DefinitionTable::new();
        for (name, called) in definitions {
            let operands: Vec<TermId> = called.iter().map(|name| table.call(name)).collect();
            let after = table.terms_mut().interleave(operands);
            let a = table.terms_mut().events.intern("a");
            let body = table.terms_mut().prefix(vec![(a, after)]);
            table.define(name, body);
        }
        table
    }

    fn recursive(
        table: &mut DefinitionTable,
        root: &str,
        limit: usize,
        names: &[&str],
    ) -> Vec<bool> {
        let root = table.call(root);
        let graph = CallGraph::of(table, root, limit).unwrap();
        names
            .iter()
            .map(|name| graph.is_recursive(table.call_id(name)))
            .collect()
    }

    #[test]
    fn cycles_are_recursive_and_what_leads_to_them_is_not() {
        let table = &mut table(&[
            ("SYSTEM", &["P", "Q", "R"]),
            ("P", &["P"]),
            ("Q", &["Q1"]),
            ("Q1", &["Q"]),
            ("R", &["S"]),
            ("S", &[]),
        ]);
        let names = ["SYSTEM", "P", "Q", "Q1", "R", "S"];
        let expected = [false, true, true, true, false, false];
        assert_eq!(recursive(table, "SYSTEM", 100, &names), expected);
    }

    #[test]
    fn beyond_the_limit_the_names_of_definitions_decide() {
        let names: Vec<String> = (0..50).map(|n| format!("P({n})")).collect();
        let mut definitions: Vec<(&str, Vec<&str>)> = names
            .windows(2)
            .map(|pair| (pair[0].as_str(), vec![pair[1].as_str()]))
            .collect();
        definitions.push(("P(49)", vec![]));
        definitions.push(("SYSTEM", vec!["P(0)", "P(1)"]));
        let definitions: Vec<(&str, &[&str])> = definitions
            .iter()
            .map(|(name, called)| (*name, called.as_slice()))
            .collect();
        let table = &mut table(&definitions);
        let asked = ["SYSTEM", "P(0)", "P(7)", "P(11)"];
        assert_eq!(
            recursive(table, "SYSTEM", 10, &asked),
            [false, true, true, true]
        );
        assert_eq!(recursive(table, "SYSTEM", 100, &asked), [false; 4]);
    }

    #[test]
    fn cycles_are_looked_for_as_long_as_there_is_time() {
        let chain: Vec<Vec<u32>> = (1..=10_000).map(|next| vec![next % 10_000]).collect();
        // The token is asked for each call and for each call that it leads to, and again for
        // cycles.
        assert!(asked(|token| on_cycles(&chain, token)) >= 3 * 10_000 / 64);
    }

    /// A table in whose calls work may end.
    struct Ending(DefinitionTable, Cancellation);

    impl Definitions for Ending {
        fn terms(&self) -> &Terms {
            self.0.terms()
        }
        fn terms_mut(&mut self) -> &mut Terms {
            self.0.terms_mut()
        }
        fn body(&mut self, call: CallId) -> Result<TermId> {
            self.0.body(call)
        }
        fn call_name(&self, call: CallId) -> String {
            self.0.call_name(call)
        }
        fn definition_name(&self, call: CallId) -> String {
            self.0.definition_name(call)
        }
        fn call_span(&self, call: CallId) -> Option<Span> {
            self.0.call_span(call)
        }
        fn cancellation(&self) -> &Cancellation {
            &self.1
        }
    }

    #[test]
    fn after_an_error_a_term_can_be_added_again() {
        let mut table = table(&[("P", &["Q", "R"]), ("Q", &["Q"]), ("R", &[])]);
        let root = table.call("P");
        let ids = ["P", "Q", "R"].map(|name| table.call_id(name));
        for limit in [1, 10] {
            let whole = CallGraph::of(&mut table.clone(), root, limit).unwrap();
            let whole = ids.map(|id| whole.is_recursive(id));
            let mut graph = CallGraph::new(limit);
            let mut ending = Ending(table.clone(), Cancellation::new());
            let mut failures = 0;
            for most in 0.. {
                let (outcome, _) = within(most, |token| {
                    ending.1 = token.clone();
                    graph = CallGraph::new(limit);
                    graph.add(&mut ending, root)
                });
                if outcome.is_ok() {
                    break;
                }
                failures += 1;
                // A call that is not known counts as recursive, and no error is raised.
                assert!(graph.is_recursive(ids[1]));
                graph.add(&mut table.clone(), root).unwrap();
                assert_eq!(ids.map(|id| graph.is_recursive(id)), whole);
            }
            assert!(failures > 2, "{failures}");
        }
    }

    #[test]
    fn a_graph_is_cut_where_bodies_have_too_many_parts() {
        // Each body but the last has two parts: a prefix and the call after it.
        let names: Vec<String> = (0..20).map(|n| format!("P({n})")).collect();
        let mut table = DefinitionTable::new();
        for pair in names.windows(2) {
            let after = table.call(&pair[1]);
            let a = table.terms_mut().events.intern("a");
            let body = table.terms_mut().prefix(vec![(a, after)]);
            table.define(&pair[0], body);
        }
        let stop = table.terms_mut().stop();
        table.define(&names[19], stop);
        let root = table.call(&names[0]);
        let is_cut = |parts: usize, limit: usize, table: &mut DefinitionTable| {
            let mut graph = CallGraph::new(limit).within(parts);
            graph.add(table, root).unwrap();
            graph.is_cut()
        };
        assert!(is_cut(10, 100, &mut table));
        assert!(!is_cut(1000, 100, &mut table));
        // The limit on calls alone cuts nothing: calls beyond it count as recursive.
        assert!(!is_cut(1000, 5, &mut table));
    }

    #[test]
    fn terms_can_be_added_later() {
        let table = &mut table(&[("P", &["Q"]), ("Q", &[]), ("R", &["P", "R"])]);
        let mut graph = CallGraph::new(10);
        let (p, r) = (table.call("P"), table.call("R"));
        graph.add(table, p).unwrap();
        assert!(graph.is_recursive(table.call_id("R")));
        graph.add(table, r).unwrap();
        assert!(graph.is_recursive(table.call_id("R")));
        assert!(!graph.is_recursive(table.call_id("P")));
        assert!(graph.is_complete());
    }
}
