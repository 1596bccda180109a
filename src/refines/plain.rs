//! The layout for people.

use base::number::{counted, thousands};
use report::assertion::{AssertionReport, Verdict};

use super::behaviour::{BehaviourEnd, FdrCounterexample, MachineBehaviour, TAU, plys};

/// The layout of verdicts as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlainLayout {
    /// One line for each assertion.
    pub(super) is_brief: bool,
    /// Nothing is said of how the verdict came about.
    pub(super) is_quiet: bool,
    pub(super) has_colours: bool,
}

/// A colour of a terminal, as its number.
#[derive(Clone, Copy)]
enum TerminalColour {
    Red = 31,
    Green = 32,
    Yellow = 33,
}

/// The unit of storage, in bytes.
const MEGABYTE: u64 = 1 << 20;

impl PlainLayout {
    /// The verdict of `report`, with the counterexamples that were found.
    pub(super) fn verdict(self, report: &AssertionReport, found: &[FdrCounterexample]) -> String {
        let title = title(report);
        let result = self.result(report);
        if self.is_brief {
            // An assertion may have several lines.
            let words: Vec<&str> = title.split_whitespace().collect();
            return format!("{}: {result}\n", words.join(" "));
        }
        let mut lines = IndentedLines::default();
        lines.add(0, format!("{title}:"));
        lines.add(1, "Log:".to_string());
        if !self.is_quiet {
            log(&mut lines, report);
        }
        match report.verdict {
            Verdict::Pass | Verdict::Fail => lines.add(2, format!("Result: {result}")),
            // No line that begins with `Result` may stand for a verdict that is none.
            Verdict::Error | Verdict::Unknown => lines.add(2, result),
        }
        if let (Some(states), Some(transitions)) = (report.states, report.transitions) {
            lines.add(2, format!("Visited States: {}", thousands(states)));
            lines.add(
                2,
                format!("Visited Transitions: {}", thousands(transitions)),
            );
            lines.add(2, format!("Visited Plys: {}", thousands(plys(report))));
        }
        if let Some(bytes) = report.memory_bytes {
            let size = thousands(bytes.div_ceil(MEGABYTE));
            lines.add(2, format!("Estimated Total Storage: {size}MB"));
        }
        let reason = report
            .message
            .as_ref()
            .filter(|_| report.verdict == Verdict::Fail);
        if let Some(reason) = reason.filter(|_| found.is_empty()) {
            lines.add(2, format!("Reason: {reason}"));
        }
        for finding in found {
            counterexample(&mut lines, finding);
        }
        lines.text
    }

    /// The value of a `print` declaration.
    pub(super) fn printed(expression: &str, value: &str) -> String {
        let mut lines = IndentedLines::default();
        lines.add(0, format!("print {expression}:"));
        lines.add(1, value.to_string());
        lines.text
    }

    /// The verdict in words.
    fn result(self, report: &AssertionReport) -> String {
        let (words, colour) = match report.verdict {
            Verdict::Pass => ("Passed".to_string(), TerminalColour::Green),
            Verdict::Fail => ("Failed".to_string(), TerminalColour::Red),
            // Scripts look for `Failed`: they must not take this for a success.
            Verdict::Error | Verdict::Unknown => {
                let why = report.message.as_deref().unwrap_or_default();
                (
                    format!("Undecided (Failed to decide: {why})"),
                    TerminalColour::Yellow,
                )
            }
        };
        match self.has_colours {
            true => format!("\x1b[{}m{words}\x1b[0m", colour as u8),
            false => words,
        }
    }
}

/// Indented lines.
#[derive(Default)]
struct IndentedLines {
    text: String,
}

impl IndentedLines {
    /// Adds the lines of `text` at the depth `depth`.
    fn add(&mut self, depth: usize, text: String) {
        for line in text.lines() {
            self.text += &format!("{}{line}\n", "    ".repeat(depth));
        }
    }
}

/// The assertion, as FDR heads it.
fn title(report: &AssertionReport) -> String {
    let title = report.title();
    title.strip_prefix("assert ").unwrap_or(&title).to_string()
}

/// The way in which the verdict came about.
fn log(lines: &mut IndentedLines, report: &AssertionReport) {
    if let Some(machine) = &report.machine {
        let leaves = match machine.leaves {
            1 => "1 leaf".to_string(),
            leaves => format!("{} leaves", thousands(leaves)),
        };
        let rules = counted(machine.rules, "rule");
        lines.add(2, format!("Constructed a machine of {leaves} and {rules}"));
    }
    if let Some(specification) = &report.specification {
        let states = counted(specification.states, "state");
        lines.add(2, format!("Normalised the specification: {states}"));
    }
    if let Some(symmetry) = &report.symmetry {
        let (order, structure) = (&symmetry.order, &symmetry.structure);
        lines.add(
            2,
            format!("Visited one state of each orbit under {order} symmetries ({structure})"),
        );
    }
    for remark in &report.remarks {
        lines.add(2, remark.clone());
    }
}

fn counterexample(lines: &mut IndentedLines, finding: &FdrCounterexample) {
    lines.add(2, format!("Counterexample ({})", finding.sort.title()));
    let (specification, implementation) = match finding.is_of_refinement {
        true => ("Specification Debug:", "Implementation Debug:"),
        false => ("Other Run Debug:", "Machine Debug:"),
    };
    if let Some(behaviour) = &finding.specification {
        lines.add(3, specification.to_string());
        machine(lines, 4, behaviour);
    }
    lines.add(3, implementation.to_string());
    machine(lines, 4, &finding.implementation);
}

/// A behaviour, and those of the components below it.
fn machine(lines: &mut IndentedLines, depth: usize, behaviour: &MachineBehaviour) {
    let name = behaviour.machine.as_deref().unwrap_or("?");
    lines.add(depth, format!("{name} ({}):", sort(behaviour)));
    for section in &behaviour.prior {
        lines.add(depth + 1, format!("Trace: {}", trace(&section.trace)));
        lines.add(
            depth + 1,
            format!("Acceptance: {}", set(&section.acceptance)),
        );
    }
    match &behaviour.end {
        BehaviourEnd::Loop(from) => {
            let (before, repeated) = behaviour.trace.split_at(*from);
            lines.add(depth + 1, format!("Trace: {}", trace(before)));
            lines.add(depth + 1, format!("Repeat Trace: {}", trace(repeated)));
        }
        end => {
            lines.add(depth + 1, format!("Trace: {}", trace(&behaviour.trace)));
            match end {
                BehaviourEnd::Event(event) => lines.add(depth + 1, format!("Error Event: {event}")),
                BehaviourEnd::Acceptance(offers) => {
                    lines.add(depth + 1, format!("Min Acceptance: {}", set(offers)));
                }
                BehaviourEnd::Divergence => {
                    lines.add(depth + 1, format!("Repeat Trace: <{TAU}>"));
                }
                BehaviourEnd::Loop(_) | BehaviourEnd::Plain => {}
            }
        }
    }
    for child in &behaviour.children {
        machine(lines, depth + 1, child);
    }
}

fn sort(behaviour: &MachineBehaviour) -> &'static str {
    match behaviour.end {
        _ if !behaviour.prior.is_empty() => "Segmented Behaviour",
        BehaviourEnd::Event(_) => "Trace Behaviour",
        BehaviourEnd::Acceptance(_) => "Failure Behaviour",
        BehaviourEnd::Loop(_) => "Loop Behaviour",
        BehaviourEnd::Divergence => "Divergence Behaviour",
        BehaviourEnd::Plain => "Irrepeatable Behaviour",
    }
}

fn trace(events: &[String]) -> String {
    format!("<{}>", events.join(", "))
}

fn set(events: &[String]) -> String {
    format!("{{{}}}", events.join(", "))
}
