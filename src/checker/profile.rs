//! Notes where the time of a question goes.

use std::collections::BTreeMap;
use std::time::Instant;

use base::cancel::Phase;
use report::profile::ProfileRow;

/// The time that work took so far, by its kind and its process.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    rows: BTreeMap<(&'static str, String), ProfileRow>,
    /// The time at which the present work began, and the bytes that the program had then.
    begun: Instant,
    memory: Option<u64>,
}

impl Profile {
    /// A profile without work; the program has `memory` bytes.
    pub(super) fn new(memory: Option<u64>) -> Self {
        Self {
            rows: BTreeMap::new(),
            begun: Instant::now(),
            memory,
        }
    }

    /// Notes that work of this phase on the process `name` is over after `steps` steps, and that
    /// other work begins.
    pub(super) fn note(&mut self, phase: Phase, name: &str, steps: u64, memory: Option<u64>) {
        let (work, process) = (work(phase), definition(name));
        let row = self.rows.entry((work, process.to_string()));
        let row = row.or_insert_with(|| ProfileRow {
            work: work.into(),
            process: process.to_string(),
            times: 0,
            seconds: 0.0,
            states: counts_states(phase).then_some(0),
            memory_bytes: None,
        });
        row.times += 1;
        row.seconds += self.begun.elapsed().as_secs_f64();
        row.states = row.states.map(|states| states + steps);
        if let (Some(before), Some(now)) = (self.memory, memory) {
            let more = now.saturating_sub(before);
            row.memory_bytes = Some(row.memory_bytes.unwrap_or(0) + more);
        }
        (self.begun, self.memory) = (Instant::now(), memory.or(self.memory));
    }

    /// The rows, the longest work first.
    pub(super) fn rows(&self) -> Vec<ProfileRow> {
        let mut rows: Vec<ProfileRow> = self.rows.values().cloned().collect();
        rows.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        rows
    }
}

/// The kind of work that a phase is.
fn work(phase: Phase) -> &'static str {
    match phase {
        Phase::Reading => "reading",
        Phase::Evaluation => "evaluation",
        Phase::Calls => "calls",
        Phase::Component => "component",
        Phase::Minimisation => "minimisation",
        Phase::Compression => "compression",
        Phase::Listing => "listing",
        Phase::NormalForm => "normal form",
        Phase::Machine => "machine",
        Phase::Symmetry => "symmetry",
        Phase::Local => "local analysis",
        Phase::Views => "views",
        Phase::Search => "search",
        Phase::Replay => "replay",
        Phase::Waiting => "waiting",
    }
}

/// True if the steps of a phase are states.
fn counts_states(phase: Phase) -> bool {
    matches!(phase, Phase::Component | Phase::Listing | Phase::Search)
}

/// The definition of a call, as of `FORK(3)`; any other process as it is written.
fn definition(name: &str) -> &str {
    let is_name = |text: &str| {
        text.chars()
            .all(|c| c.is_alphanumeric() || "_'".contains(c))
    };
    match name.split_once('(') {
        Some((head, _)) if !head.is_empty() && is_name(head) && is_one_call(name) => head,
        _ => name,
    }
}

/// True if the first bracket of `name` is closed by its last character.
fn is_one_call(name: &str) -> bool {
    let mut open = 0;
    let mut closings = name.char_indices().filter_map(|(at, c)| {
        open += i32::from(c == '(') - i32::from(c == ')');
        (c == ')' && open == 0).then_some(at + 1)
    });
    closings.next() == Some(name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_one_definition_are_one_row() {
        let mut profile = Profile::new(Some(10));
        for (name, states, memory) in [
            ("P(0)", 5, 30),
            ("P(f(1))", 7, 20),
            ("P(0) ||| Q(1)", 1, 20),
        ] {
            profile.note(Phase::Component, name, states, Some(memory));
        }
        let mut rows = profile.rows();
        rows.sort_by(|one, other| one.process.cmp(&other.process));
        let told: Vec<_> = rows
            .iter()
            .map(|row| (&row.process[..], row.times, row.states, row.memory_bytes))
            .collect();
        let expected = [
            ("P", 2, Some(12), Some(20)),
            ("P(0) ||| Q(1)", 1, Some(1), Some(0)),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn compressions_are_named_by_what_they_compress() {
        assert_eq!(definition("wbisim(P(1))"), "wbisim");
        assert_eq!(definition("P"), "P");
        assert_eq!(definition("(P ||| Q) \\ {a}"), "(P ||| Q) \\ {a}");
    }
}
