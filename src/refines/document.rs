//! The layout for programs: one JSON document for a script, with the keys that drivers of FDR read.
//!
//! Events are numbered, as in FDR: 1 is τ, 2 is ✓, and the others follow in the order in which
//! counterexamples have them. `event_map` has the names.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use report::assertion::{AssertionReport, Verdict};

use super::behaviour::{BehaviourEnd, FdrCounterexample, MachineBehaviour, TAU, plys};

/// The name of termination.
const TICK: &str = "✓";

/// The numbers of τ and ✓, and that of the first other event.
const TAU_NUMBER: usize = 1;
const TICK_NUMBER: usize = 2;
const FIRST_NUMBER: usize = 3;

/// All that is said of a script.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FdrDocument {
    copyright_notice: &'static str,
    license_type: &'static str,
    results: Vec<ResultEntry>,
    print_statement_results: Vec<PrintEntry>,
    file_name: String,
    event_map: EventNumbers,
    pub(super) warnings: Vec<String>,
    /// The reasons why the script, or the rest of it, was not checked.
    pub(super) errors: Vec<String>,
}

/// The result of an assertion.
#[derive(Clone, Debug, Serialize)]
struct ResultEntry {
    assertion_string: String,
    errors: Vec<String>,
    is_negated: u8,
    /// 1 if the assertion holds, 0 if it fails; absent if it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<u8>,
    visited_states: u64,
    visited_transitions: u64,
    visited_plys: u64,
    counterexamples: Vec<CounterexampleEntry>,
}

/// The value of a `print` declaration.
#[derive(Clone, Debug, Serialize)]
struct PrintEntry {
    print_statement: String,
    result: Option<String>,
    errors: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct CounterexampleEntry {
    #[serde(rename = "type")]
    sort: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    specification_behaviour: Option<BehaviourEntry>,
    implementation_behaviour: BehaviourEntry,
}

#[derive(Clone, Debug, Serialize)]
struct BehaviourEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    machine_name: Option<String>,
    #[serde(flatten)]
    end: EndEntry,
    trace: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<BehaviourEntry>,
}

/// The end of a behaviour, by its sort.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum EndEntry {
    Trace {
        error_event: usize,
    },
    MinAcceptance {
        acceptance: Vec<usize>,
    },
    Loop {
        loop_index: usize,
    },
    ExplicitDivergence {},
    Irrepeatable {},
    Segmented {
        prior_sections: Vec<SectionEntry>,
        last: Box<EndEntry>,
    },
}

#[derive(Clone, Debug, Serialize)]
struct SectionEntry {
    trace: Vec<usize>,
    acceptance: Vec<usize>,
}

/// The numbers of events, and their names in the order of the numbers.
#[derive(Clone, Debug, Default)]
struct EventNumbers {
    numbers: HashMap<String, usize>,
    names: Vec<(usize, String)>,
    /// The number of events other than τ and ✓.
    others: usize,
}

impl Serialize for EventNumbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.names.iter();
        serializer.collect_map(names.map(|(number, name)| (number.to_string(), name)))
    }
}

impl EventNumbers {
    fn number(&mut self, event: &str) -> usize {
        if let Some(&number) = self.numbers.get(event) {
            return number;
        }
        let number = match event {
            TAU => TAU_NUMBER,
            TICK => TICK_NUMBER,
            _ => {
                self.others += 1;
                FIRST_NUMBER + self.others - 1
            }
        };
        self.numbers.insert(event.to_string(), number);
        self.names.push((number, event.to_string()));
        number
    }

    fn numbers(&mut self, events: &[String]) -> Vec<usize> {
        events.iter().map(|event| self.number(event)).collect()
    }

    fn behaviour(&mut self, behaviour: &MachineBehaviour) -> BehaviourEntry {
        let end = match &behaviour.end {
            BehaviourEnd::Event(event) => EndEntry::Trace {
                error_event: self.number(event),
            },
            BehaviourEnd::Acceptance(offers) => EndEntry::MinAcceptance {
                acceptance: self.numbers(offers),
            },
            BehaviourEnd::Loop(from) => EndEntry::Loop { loop_index: *from },
            BehaviourEnd::Divergence => EndEntry::ExplicitDivergence {},
            BehaviourEnd::Plain => EndEntry::Irrepeatable {},
        };
        let prior = behaviour.prior.iter().map(|section| SectionEntry {
            trace: self.numbers(&section.trace),
            acceptance: self.numbers(&section.acceptance),
        });
        let prior_sections: Vec<SectionEntry> = prior.collect();
        BehaviourEntry {
            machine_name: behaviour.machine.clone(),
            end: match prior_sections.is_empty() {
                true => end,
                false => EndEntry::Segmented {
                    prior_sections,
                    last: Box::new(end),
                },
            },
            trace: self.numbers(&behaviour.trace),
            children: behaviour
                .children
                .iter()
                .map(|child| self.behaviour(child))
                .collect(),
        }
    }
}

impl FdrDocument {
    /// The document of the script `file`, of which nothing is said yet.
    pub(super) fn of(file: &str) -> Self {
        Self {
            copyright_notice: concat!("cspsym ", env!("CARGO_PKG_VERSION")),
            license_type: env!("CARGO_PKG_LICENSE"),
            results: Vec::new(),
            print_statement_results: Vec::new(),
            file_name: file.to_string(),
            event_map: EventNumbers::default(),
            warnings: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// True if nothing is said of the script yet.
    pub(super) fn is_empty(&self) -> bool {
        let parts = [
            self.results.is_empty(),
            self.print_statement_results.is_empty(),
            self.warnings.is_empty(),
            self.errors.is_empty(),
        ];
        parts.into_iter().all(|is_empty| is_empty)
    }

    /// Adds the result of the assertion `text`, with the counterexamples that were found.
    pub(super) fn add(
        &mut self,
        text: &str,
        report: &AssertionReport,
        found: &[FdrCounterexample],
    ) {
        let (result, errors) = match report.verdict {
            Verdict::Pass => (Some(1), None),
            Verdict::Fail => (Some(0), None),
            Verdict::Error | Verdict::Unknown => (None, report.message.clone()),
        };
        let events = &mut self.event_map;
        let found = found.iter().map(|finding| CounterexampleEntry {
            sort: finding.sort.key(),
            specification_behaviour: finding
                .specification
                .as_ref()
                .map(|behaviour| events.behaviour(behaviour)),
            implementation_behaviour: events.behaviour(&finding.implementation),
        });
        let counterexamples = found.collect();
        self.results.push(ResultEntry {
            assertion_string: text.to_string(),
            errors: errors.into_iter().collect(),
            is_negated: report.negated.into(),
            result,
            visited_states: report.states.unwrap_or_default(),
            visited_transitions: report.transitions.unwrap_or_default(),
            visited_plys: plys(report),
            counterexamples,
        });
    }

    /// Adds the value of a `print` declaration, or the reason why it has none.
    pub(super) fn add_printed(&mut self, expression: &str, value: Result<String, String>) {
        let (result, errors) = match value {
            Ok(value) => (Some(value), Vec::new()),
            Err(reason) => (None, vec![reason]),
        };
        self.print_statement_results.push(PrintEntry {
            print_statement: expression.to_string(),
            result,
            errors,
        });
    }
}
