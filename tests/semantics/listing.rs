//! Listing from code against listing from terms: equal transition systems for all shipped processes
//! and for random ones.

use crate::harness;
use crate::symmetry_systems::dice;
use testkit::depth::seeds;
#[path = "../../benches/support/script.rs"]
#[allow(dead_code, reason = "refinements are not needed")]
mod script;

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;

use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::threads::Threads;
use eval::{Evaluator, ResolvedScript};
use lts::explore::{LeafLimits, explore};
use lts::graph::{Lts, StateId};
use machine::leaf::Behaviour;
use machine::{CompileOptions, compile};
use process::event::EventId;
use process::listing::{ListingEnd, RowSink};
use process::term::{Definitions, TermId};
use syntax::ast::{Declaration, Pattern};

use dice::Dice;

/// The limits on processes that are compared.
const LIMITS: LeafLimits = LeafLimits::all(5_000);

/// The system that code lists for a process; `None` if it leaves the process to its terms. Three
/// threads have to list what one lists, and so has a listing that is ended again and again.
fn from_code(definitions: &mut dyn Definitions, term: TermId) -> Option<Lts> {
    let three = Threads::new(NonZeroUsize::new(3).unwrap());
    let ways = [
        (Threads::one(), LIMITS.states),
        (three, LIMITS.states),
        (Threads::one(), 3),
    ];
    let [one, three, ended] =
        ways.map(|(threads, ended_after)| listed_by(&threads, ended_after, definitions, term));
    assert!(one == three && one == ended);
    one
}

/// The system that code lists, where listing ends each time when so many more states were met.
fn listed_by(
    threads: &Threads,
    ended_after: usize,
    definitions: &mut dyn Definitions,
    term: TermId,
) -> Option<Lts> {
    let mut rows = TakenRows::until(0);
    let mut from = None;
    while rows.most_states < LIMITS.states {
        rows.most_states += ended_after;
        match definitions.list(term, from, threads, &mut rows).unwrap() {
            ListingEnd::Whole => return Some(Lts::from_rows(rows.taken)),
            ListingEnd::Impossible => return None,
            ListingEnd::Ended(listing) => from = Some(listing),
        }
    }
    None
}

/// A taker of rows that wants no more once so many states are met, and fails at the row with this
/// number, if there is one.
struct TakenRows {
    taken: Vec<Vec<(EventId, StateId)>>,
    most_states: usize,
    fails_at: Option<usize>,
    asked: usize,
}

impl TakenRows {
    fn until(most_states: usize) -> Self {
        Self {
            taken: Vec::new(),
            most_states,
            fails_at: None,
            asked: 0,
        }
    }
}

impl RowSink for TakenRows {
    fn take(&mut self, row: &[(EventId, u32)]) -> Result<()> {
        if self.fails_at == Some(self.taken.len()) {
            return Diagnostic::error("enough", "it is enough").into();
        }
        let row = row.iter().map(|&(event, to)| (event, StateId(to)));
        self.taken.push(row.collect());
        Ok(())
    }

    fn wants_more(&mut self, states: usize, _: usize) -> bool {
        self.asked += 1;
        states <= self.most_states
    }
}

/// For each class of bisimilar states of both systems, the number of states of each system in it;
/// and the classes of the initial states.
fn classes(systems: [&Lts; 2]) -> (BTreeMap<u32, [usize; 2]>, [u32; 2]) {
    let mut colours = systems.map(|lts| vec![0_u32; lts.state_count()]);
    let mut count = 1;
    loop {
        let mut numbers: HashMap<(u32, Vec<(EventId, u32)>), u32> = HashMap::new();
        let next = [0, 1].map(|side| {
            let states = systems[side].states();
            let colour = |state: StateId| {
                let row = systems[side].row(state).iter();
                let mut row: Vec<_> = row
                    .map(|&(event, to)| (event, colours[side][to.0 as usize]))
                    .collect();
                row.sort_unstable();
                row.dedup();
                let key = (colours[side][state.0 as usize], row);
                let fresh = numbers.len() as u32;
                *numbers.entry(key).or_insert(fresh)
            };
            states.map(colour).collect::<Vec<u32>>()
        });
        colours = next;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let mut classes: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
    for side in [0, 1] {
        for &colour in &colours[side] {
            classes.entry(colour).or_default()[side] += 1;
        }
    }
    (classes, [colours[0][0], colours[1][0]])
}

/// Compares both listings for `term`. Returns true if it has code.
fn compare(evaluator: &mut Evaluator<'_>, term: TermId, name: &str) -> bool {
    let Some(code) = from_code(evaluator, term) else {
        return false;
    };
    let terms = explore(evaluator, term, &LIMITS).unwrap().lts;
    let sizes = |lts: &Lts| (lts.state_count(), lts.transition_count());
    assert_eq!(sizes(&code), sizes(&terms), "{name}");
    let (classes, [left, right]) = classes([&code, &terms]);
    assert_eq!(left, right, "{name}");
    assert!(classes.values().all(|[a, b]| a == b), "{name}: {classes:?}");
    true
}

/// All constants of the script's top level that are processes.
fn processes(script: &ResolvedScript, evaluator: &mut Evaluator<'_>) -> Vec<(String, TermId)> {
    let mut found = Vec::new();
    for (id, declaration) in script.ast.declarations.iter_enumerated() {
        if let Declaration::Pattern(pattern, body) = declaration.kind
            && script.resolved.processes.contains(&id)
            && script.ast.script.contains(&id)
            && let Pattern::Name(name) = script.ast.pattern(pattern)
            && let Ok(term) = evaluator.process_of(body)
        {
            found.push((script.ast.name(name.last().symbol).to_string(), term));
        }
    }
    found
}

/// Compares all components of the processes of a script. Returns the numbers with and without code.
fn compare_script(name: &str, text: &str) -> [usize; 2] {
    let script = script::load(name, text);
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let options = CompileOptions::unminimised(LIMITS);
    let mut counts = [0, 0];
    for (process, term) in processes(&script, &mut evaluator) {
        let Ok(machine) = compile(&mut evaluator, term, &options) else {
            continue;
        };
        for leaf in machine.leaves.iter() {
            if let Behaviour::Process(graph) = &leaf.behaviour {
                let has_code = compare(&mut evaluator, graph.term, &format!("{name}: {process}"));
                counts[usize::from(!has_code)] += 1;
            }
        }
    }
    counts
}

#[test]
fn shipped_processes_are_listed_alike() {
    let mut counts = [0, 0];
    for file in harness::scripts("cspm") {
        let text = std::fs::read_to_string(harness::root().join(&file)).unwrap();
        let found = compare_script(&file, &text);
        counts = [0, 1].map(|i| counts[i] + found[i]);
    }
    println!(
        "{} components from code, {} from terms",
        counts[0], counts[1]
    );
    assert!(counts[0] > 100, "{counts:?}");
}

/// Makes random sequential processes.
struct Author {
    dice: Dice,
    /// The variables in scope, with their types.
    variables: Vec<(String, Type)>,
    fresh: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Number,
    Truth,
    Colour,
    Sequence,
    Set,
    Pair,
    Map,
}

/// The parameters of each definition.
const DEFINITIONS: [(&str, &[Type]); 4] = [
    ("P", &[Type::Number, Type::Sequence]),
    ("Q", &[Type::Colour, Type::Set, Type::Truth]),
    ("R", &[Type::Pair, Type::Number]),
    ("S", &[Type::Map, Type::Number]),
];

impl Author {
    fn script(seed: usize) -> String {
        let mut author = Author {
            dice: Dice::new(seed),
            variables: Vec::new(),
            fresh: 0,
        };
        let mut text = "datatype COLOUR = Red | Green | Blue
channel a, b
channel n : {0..3}
channel c : COLOUR
channel d : COLOUR.{0..1}
K = 2
small(x) = x % 4
short(s) = if #s > 3 then tail(s) else s
"
        .to_string();
        for (name, types) in DEFINITIONS {
            author.variables.clear();
            let parameters: Vec<String> = types.iter().map(|&ty| author.variable(ty)).collect();
            let head = format!("{name}({})", parameters.join(", "));
            if author.dice.chance(30) && types[0] == Type::Number {
                let other = format!("{name}(0, {})", parameters[1]);
                let kept = author.variables.clone();
                author.variables.retain(|(_, ty)| *ty != Type::Number);
                text += &format!("{other} = {} [] STOP\n", author.process(3));
                author.variables = kept;
            }
            // The choice makes it a process: the value of `P(x) = P(x)` has any type, and is looked
            // for for ever.
            text += &format!("{head} = {} [] STOP\n", author.process(4));
        }
        author.variables.clear();
        text + "MAIN = P(1, <0>)\nOTHER = Q(Red, {1, 2}, true)\nTHIRD = R((0, Blue), 2)\n"
            + "FOURTH = S((| 1 => {2} |), 0)\nONE = ||| i : {0..0} @ S(emptyMap, i)\n"
    }

    fn variable(&mut self, ty: Type) -> String {
        self.fresh += 1;
        let name = format!("v{}", self.fresh);
        self.variables.push((name.clone(), ty));
        name
    }

    /// A process. A call in it stands behind an event, because arguments may grow.
    fn process(&mut self, depth: usize) -> String {
        if depth == 0 {
            return ["STOP", "SKIP"][self.dice.below(2)].to_string();
        }
        match self.dice.below(12) {
            0 => self.process(0),
            2 | 3 => format!(
                "({} [] {})",
                self.process(depth - 1),
                self.process(depth - 1)
            ),
            4 => format!(
                "({} |~| {})",
                self.process(depth - 1),
                self.process(depth - 1)
            ),
            5 => format!("({} & {})", self.truth(1), self.process(depth - 1)),
            6 => {
                let (yes, no) = (self.process(depth - 1), self.process(depth - 1));
                format!("(if {} then {yes} else {no})", self.truth(2))
            }
            7 => self.local(depth),
            8 => {
                let set = self.set(1);
                let kept = self.variables.len();
                let name = self.variable(Type::Number);
                let body = self.process(depth - 1);
                self.variables.truncate(kept);
                format!("([] {name} : {set} @ {body})")
            }
            _ => self.prefix(depth),
        }
    }

    fn local(&mut self, depth: usize) -> String {
        let number = self.number(1);
        let kept = self.variables.len();
        let name = self.variable(Type::Number);
        self.fresh += 1;
        let process = format!("L{}", self.fresh);
        let inner = self.process(depth - 1);
        let body = self.process(depth - 1);
        self.variables.truncate(kept);
        format!("(let {name} = {number}\n {process} = {inner}\n within {body} [] a -> {process})")
    }

    fn prefix(&mut self, depth: usize) -> String {
        let kept = self.variables.len();
        let event = match self.dice.below(8) {
            0 => "a".to_string(),
            1 => "b".to_string(),
            2 => format!("n!small({})", self.number(1)),
            3 => format!("n?{}:{}", self.variable(Type::Number), "{0..2}"),
            4 => format!("c?{}", self.variable(Type::Colour)),
            5 => format!("c!{}", self.colour()),
            6 => {
                let colour = self.variable(Type::Colour);
                format!("d?{colour}?{}", self.variable(Type::Number))
            }
            _ => format!("d!{}?_", self.colour()),
        };
        let then = match self.dice.chance(50) {
            true => self.call(),
            false => self.process(depth - 1),
        };
        self.variables.truncate(kept);
        format!("({event} -> {then})")
    }

    fn call(&mut self) -> String {
        let (name, types) = DEFINITIONS[self.dice.below(DEFINITIONS.len())];
        let arguments: Vec<String> = types.iter().map(|&ty| self.expression(ty)).collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn expression(&mut self, ty: Type) -> String {
        match ty {
            Type::Number => format!("small({})", self.number(2)),
            Type::Truth => self.truth(2),
            Type::Colour => self.colour(),
            Type::Sequence => format!("short({})", self.sequence(2)),
            Type::Set => format!("inter({}, {{0..3}})", self.set(2)),
            Type::Pair => format!("(small({}), {})", self.number(1), self.colour()),
            Type::Map => self.map(2),
        }
    }

    /// A variable of a type, if one is in scope.
    fn known(&mut self, ty: Type) -> Option<String> {
        let names = self.variables.iter().filter(|(_, other)| *other == ty);
        let names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        (!names.is_empty()).then(|| self.dice.pick(&names))
    }

    fn number(&mut self, depth: usize) -> String {
        let known = self.known(Type::Number).unwrap_or("K".to_string());
        if depth == 0 {
            return known;
        }
        match self.dice.below(8) {
            0 => self.dice.below(5).to_string(),
            1 => format!("({} + {})", self.number(depth - 1), self.number(depth - 1)),
            2 => format!("({} - {})", self.number(depth - 1), self.number(depth - 1)),
            3 => format!("({} * {})", self.number(depth - 1), self.number(depth - 1)),
            4 => format!("({} / 3)", self.number(depth - 1)),
            5 => format!("#{}", self.sequence(depth - 1)),
            6 => format!("card({})", self.set(depth - 1)),
            _ => known,
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let known = self.known(Type::Truth).unwrap_or("true".to_string());
        if depth == 0 {
            return known;
        }
        match self.dice.below(11) {
            9 => format!("mapMember({}, {})", self.map(1), self.number(1)),
            10 => format!("{} == {}", self.map(1), self.map(1)),
            0 => format!("{} < {}", self.number(depth - 1), self.number(depth - 1)),
            1 => format!("{} == {}", self.number(depth - 1), self.number(depth - 1)),
            2 => format!("not ({})", self.truth(depth - 1)),
            3 => format!(
                "({}) and ({})",
                self.truth(depth - 1),
                self.truth(depth - 1)
            ),
            4 => format!("{} == {}", self.colour(), self.colour()),
            5 => format!(
                "member({}, {})",
                self.number(depth - 1),
                self.set(depth - 1)
            ),
            6 => format!("null({})", self.sequence(depth - 1)),
            7 => format!("{} != {}", self.set(depth - 1), self.set(depth - 1)),
            _ => known,
        }
    }

    fn colour(&mut self) -> String {
        let known = self.known(Type::Colour);
        match known {
            Some(known) if self.dice.chance(60) => known,
            _ => ["Red", "Green", "Blue"][self.dice.below(3)].to_string(),
        }
    }

    fn sequence(&mut self, depth: usize) -> String {
        let known = self.known(Type::Sequence).unwrap_or("<1, 2>".to_string());
        match self.dice.below(5) {
            _ if depth == 0 => known,
            0 => format!("<{}>", self.expression(Type::Number)),
            1 => format!(
                "({} ^ <{}>)",
                self.sequence(depth - 1),
                self.expression(Type::Number)
            ),
            2 => format!("tail(<0> ^ {})", self.sequence(depth - 1)),
            3 => format!("<small(x + 1) | x <- {}>", self.sequence(depth - 1)),
            _ => known,
        }
    }

    fn set(&mut self, depth: usize) -> String {
        let known = self.known(Type::Set).unwrap_or("{0, 3}".to_string());
        match self.dice.below(7) {
            _ if depth == 0 => known,
            6 => format!("mapLookup(mapUpdate({}, K, {{}}), K)", self.map(depth - 1)),
            0 => format!("{{{}}}", self.expression(Type::Number)),
            1 => format!("union({}, {})", self.set(depth - 1), self.set(depth - 1)),
            2 => format!("diff({}, {})", self.set(depth - 1), self.set(depth - 1)),
            3 => format!("{{x | x <- {}, x > 0}}", self.set(depth - 1)),
            4 => format!("set({})", self.sequence(depth - 1)),
            _ => known,
        }
    }

    /// A map of small numbers to sets of small numbers.
    fn map(&mut self, depth: usize) -> String {
        let known = self.known(Type::Map).unwrap_or("emptyMap".to_string());
        match self.dice.below(4) {
            _ if depth == 0 => known,
            0 => format!(
                "mapDelete({}, {})",
                self.map(depth - 1),
                self.expression(Type::Number)
            ),
            1 => format!(
                "mapUpdate({}, {}, {})",
                self.map(depth - 1),
                self.expression(Type::Number),
                self.expression(Type::Set)
            ),
            2 => format!(
                "mapUpdateMultiple({}, <({}, {{K}})>)",
                self.map(depth - 1),
                self.expression(Type::Number)
            ),
            _ => known,
        }
    }
}

#[test]
fn random_processes_are_listed_alike() {
    let mut counts = [0, 0];
    let seeds = seeds(100, 400);
    let scripts = (seeds.end - seeds.start) as usize;
    for seed in seeds {
        let text = Author::script(seed as usize);
        let script = script::load("random.csp", &text);
        let mut evaluator = Evaluator::new(&script, Cancellation::new());
        for (process, term) in processes(&script, &mut evaluator) {
            // Processes that are too large, or hold a mistake, are left to their terms.
            let has_code = match explore(&mut evaluator, term, &LIMITS) {
                Ok(_) => compare(&mut evaluator, term, &format!("{process} of\n{text}")),
                Err(_) => false,
            };
            counts[usize::from(!has_code)] += 1;
        }
    }
    println!(
        "{} processes from code, {} from terms",
        counts[0], counts[1]
    );
    assert!(counts[0] * 4 > scripts * 3, "{counts:?}");
}

#[test]
fn what_an_operator_of_one_operand_leads_to_is_listed_from_code() {
    let script = script::load(
        "one.csp",
        "channel a : {0..3}
P(x) = x < 3 & a.x -> P(x + 1)
M(m, k) = k < 3 & a!mapLookup(m, k) -> M(mapUpdate(mapDelete(m, k), k + 1, k), k + 1)
ALONE = ||| i : {0..0} @ P(i)
OUTER = ALONE
MAP = M((| 0 => 3 |), 0)
ENDLESS = ENDLESS
",
    );
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    for (name, term) in processes(&script, &mut evaluator) {
        let is_listed = match name.as_str() {
            // Both ways report that it never does anything: there is nothing to compare.
            "ENDLESS" => from_code(&mut evaluator, term).is_some(),
            _ => compare(&mut evaluator, term, &name),
        };
        assert_eq!(is_listed, name != "ENDLESS", "{name}");
    }
}

/// A script: code does not cover a state of `LATELY` that is met late; `LIKENED` has many calls, of
/// which two at a time are one state.
const LARGE: &str = "channel a, b : {0..4}
COUNT(x) = x < 3999 & a!(x % 5) -> COUNT(x + 1)
LATE(x) = if x < 3000 then a!(x % 5) -> LATE(x + 1) else (a.0 -> STOP [] (STOP |~| b.0 -> STOP))
ALIKE(x, y) = if y == 0 then REST(x) else REST(x)
REST(x) = x < 2000 & (a.0 -> ALIKE(x + 1, 0) [] a.1 -> ALIKE(x + 1, 1) [] b!(x % 5) -> REST(x + 1))
COUNTED = COUNT(0)
LATELY = LATE(0)
LIKENED = ALIKE(0, 0)
";

#[test]
fn listing_goes_on_as_long_as_it_can_and_is_wanted() {
    let script = script::load("large.csp", LARGE);
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    let found = processes(&script, &mut evaluator);
    let states = found.iter().map(|&(_, term)| {
        let listed = from_code(&mut evaluator, term);
        listed.map(|lts| lts.state_count())
    });
    assert_eq!(states.collect::<Vec<_>>(), [Some(4000), None, Some(2001)]);
    let term = found[0].1;
    let stops = [0, 1, 999, 2500, 3998];
    let three = Threads::new(NonZeroUsize::new(3).unwrap());
    let runs = stops.map(|last| [(last, Threads::one()), (last, three.clone())]);
    for (last, threads) in runs.into_iter().flatten() {
        let mut few = TakenRows::until(last);
        let ended = evaluator.list(term, None, &threads, &mut few).unwrap();
        assert!(matches!(ended, ListingEnd::Ended(_)));
        // Not all of the last round are wanted, but no other round follows.
        assert!(few.asked > 0 && few.taken.len() < 4000);
        let mut failing = TakenRows {
            fails_at: Some(last),
            ..TakenRows::until(LIMITS.states)
        };
        let failed = evaluator.list(term, None, &threads, &mut failing);
        assert_eq!(failed.unwrap_err().code, "enough");
        assert_eq!(failing.taken.len(), last);
    }
}
