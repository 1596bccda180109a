//! Dijkstra's mutual exclusion algorithm of 1965 as process terms, built without a script.

use process::event::{EventId, EventSetId};
use process::table::DefinitionTable;
use process::term::{Definitions, TermId, Terms};

/// The system of some participants, and the specification that allows all its visible events.
pub(crate) struct Dijkstra {
    /// The definitions of all calls.
    pub(crate) definitions: DefinitionTable,
    /// The participants and their variables, with the accesses hidden.
    pub(crate) system: TermId,
    /// `RUN` of the visible events.
    pub(crate) visible: TermId,
}

/// The system of `n` participants.
pub(crate) fn dijkstra(n: usize) -> Dijkstra {
    let mut model = Model {
        definitions: DefinitionTable::new(),
        n,
    };
    for i in 0..n {
        model.participant(i);
        for value in [false, true] {
            model.flag("b", i, value, &(0..n).collect::<Vec<_>>());
            model.flag("c", i, value, &others(i, n));
        }
        model.turn(i);
    }
    let system = model.system();
    let visible = model.events(|name| ["try", "enter", "leave"].contains(&name));
    let visible = model.terms().intern(process::term::Term::Run(visible));
    Dijkstra {
        definitions: model.definitions,
        system,
        visible,
    }
}

struct Model {
    definitions: DefinitionTable,
    n: usize,
}

fn others(i: usize, n: usize) -> Vec<usize> {
    (0..n).filter(|&j| j != i).collect()
}

impl Model {
    fn terms(&mut self) -> &mut Terms {
        self.definitions.terms_mut()
    }

    fn event(&mut self, name: &str) -> EventId {
        self.terms().events.intern(name)
    }

    /// The term `first -> second -> ... -> then`.
    fn chain(&mut self, events: &[String], then: TermId) -> TermId {
        events.iter().rev().fold(then, |then, event| {
            let event = self.event(event);
            self.terms().prefix(vec![(event, then)])
        })
    }

    /// Defines `name` as the choice of these events and continuations.
    fn define(&mut self, name: &str, branches: Vec<(String, TermId)>) {
        let branches = branches
            .into_iter()
            .map(|(e, p)| (self.event(&e), p))
            .collect();
        let body = self.terms().prefix(branches);
        self.definitions.define(name, body);
    }

    fn participant(&mut self, i: usize) {
        let test = self.definitions.call(&format!("TESTK({i})"));
        let start = self.chain(&[format!("try.{i}"), format!("setb.{i}.false")], test);
        self.definitions.define(&format!("PART({i})"), start);
        let give_way = self.give_way(i, test);
        let all_others = others(i, self.n);
        let scan = self.scan(i, &all_others, test);
        let claim = self.chain(&[format!("setc.{i}.false")], scan);
        let tests = (0..self.n)
            .map(|x| {
                (
                    format!("getk.{i}.{x}"),
                    if x == i { claim } else { give_way },
                )
            })
            .collect();
        self.define(&format!("TESTK({i})"), tests);
    }

    fn give_way(&mut self, i: usize, test: TermId) -> TermId {
        let take = self.chain(&[format!("setk.{i}")], test);
        let reads: Vec<(EventId, TermId)> = (0..self.n)
            .map(|y| {
                let free = self.event(&format!("getb.{i}.{y}.true"));
                let taken = self.event(&format!("getb.{i}.{y}.false"));
                let read = self.terms().prefix(vec![(free, take), (taken, test)]);
                (self.event(&format!("getk.{i}.{y}")), read)
            })
            .collect();
        let reads = self.terms().prefix(reads);
        self.chain(&[format!("setc.{i}.true")], reads)
    }

    /// The process that reads the c of the participants in `left`, in any order.
    fn scan(&mut self, i: usize, left: &[usize], test: TermId) -> TermId {
        if left.is_empty() {
            let again = self.definitions.call(&format!("PART({i})"));
            let events = [
                format!("enter.{i}"),
                format!("leave.{i}"),
                format!("setc.{i}.true"),
                format!("setb.{i}.true"),
            ];
            return self.chain(&events, again);
        }
        let mut branches = Vec::new();
        for &j in left {
            let rest: Vec<usize> = left.iter().copied().filter(|&k| k != j).collect();
            let then = self.scan(i, &rest, test);
            branches.push((self.event(&format!("getc.{i}.{j}.true")), then));
            branches.push((self.event(&format!("getc.{i}.{j}.false")), test));
        }
        self.terms().prefix(branches)
    }

    fn flag(&mut self, flag: &str, j: usize, value: bool, readers: &[usize]) {
        let name = |value: bool| format!("{}VAR({j},{value})", flag.to_uppercase());
        let mut branches = Vec::new();
        for new in [false, true] {
            let then = self.definitions.call(&name(new));
            branches.push((format!("set{flag}.{j}.{new}"), then));
        }
        let same = self.definitions.call(&name(value));
        for &i in readers {
            branches.push((format!("get{flag}.{i}.{j}.{value}"), same));
        }
        self.define(&name(value), branches);
    }

    fn turn(&mut self, x: usize) {
        let mut branches = Vec::new();
        let same = self.definitions.call(&format!("KVAR({x})"));
        for i in 0..self.n {
            branches.push((format!("getk.{i}.{x}"), same));
            let then = self.definitions.call(&format!("KVAR({i})"));
            branches.push((format!("setk.{i}"), then));
        }
        self.define(&format!("KVAR({x})"), branches);
    }

    fn system(&mut self) -> TermId {
        let n = self.n;
        let shared =
            self.events(|channel| channel.starts_with("set") || channel.starts_with("get"));
        let mut participants = Vec::new();
        let mut variables = Vec::new();
        for i in 0..n {
            let alphabet = self.alphabet(i);
            participants.push((alphabet, self.definitions.call(&format!("PART({i})"))));
            let b = self.definitions.call(&format!("BVAR({i},true)"));
            let c = self.definitions.call(&format!("CVAR({i},true)"));
            variables.push(self.terms().interleave(vec![b, c]));
        }
        let turns = (0..n)
            .map(|x| self.definitions.call(&format!("KVAR({x})")))
            .collect();
        let turn = self
            .terms()
            .internal_choice(turns)
            .expect("there are participants");
        let variables = self.terms().interleave(variables);
        let variables = self.terms().interleave(vec![variables, turn]);
        let participants = self.terms().alphabetised(participants);
        let system = self.terms().parallel(shared, vec![participants, variables]);
        self.terms().hide(system, shared)
    }

    /// The events of participant `i`: all that name it first.
    fn alphabet(&mut self, i: usize) -> EventSetId {
        let of_participant = |name: &str| name.split('.').nth(1) == Some(&i.to_string());
        self.events_by_name(of_participant)
    }

    /// The events of the channels for which `wanted` is true.
    fn events(&mut self, wanted: impl Fn(&str) -> bool) -> EventSetId {
        self.events_by_name(|name| name.split('.').next().is_some_and(&wanted))
    }

    fn events_by_name(&mut self, wanted: impl Fn(&str) -> bool) -> EventSetId {
        let events = &self.terms().events;
        let all = (2..events.len() as u32).map(EventId);
        let chosen = all.filter(|&event| wanted(events.name(event))).collect();
        self.terms().events.intern_set(chosen)
    }
}
