//! A walk for people: the state that it has come to, in a few lines.

use super::super::events::set;
use super::{ChoiceReport, ComponentView, PartReport, WalkReport};

/// The most choices that are listed; the others can be taken all the same.
const MOST_CHOICES: usize = 60;
/// The most components that are listed, those first that took part last.
const MOST_COMPONENTS: usize = 20;
/// The width to which names of choices are padded at most.
const WIDEST_NAME: usize = 24;

impl WalkReport {
    /// The state of the walk: the last step, what can happen next, and what is allowed.
    pub fn text(&self) -> String {
        let mut text = self.position();
        if let Some(instance) = &self.instance {
            text.push_str(&format!("in the instance {instance}\n"));
        }
        text.push_str(&self.specification_text());
        text.push_str(&self.choices_text());
        text
    }

    fn position(&self) -> String {
        let place = match self.steps.last() {
            None => format!("start of {}\n", self.process),
            Some(step) => {
                let parts = parts(&step.parts, &step.event, false);
                format!("step {}: {}{parts}\n", self.steps.len(), step.name)
            }
        };
        let Some(track) = &self.representatives else {
            return place;
        };
        let real = match (track.permutation.as_str(), track.real.last()) {
            ("()", None) => "the real start is this state too".to_string(),
            ("()", Some(step)) => format!("the real run did {step}, and is in this state too"),
            (by, None) => format!("{by} takes the real start to this state"),
            (by, Some(step)) => {
                format!("the real run did {step}; {by} takes its state to this one")
            }
        };
        format!("representatives, {place}{real}\n")
    }

    fn choices_text(&self) -> String {
        if self.choices.is_empty() {
            return self.nothing();
        }
        let mut text = String::new();
        let names = self.choices.iter().map(|c| c.name.chars().count());
        let width = names.max().unwrap_or_default().min(WIDEST_NAME);
        let digits = self.choices.len().min(MOST_CHOICES).to_string().len();
        for (index, choice) in self.choices.iter().enumerate().take(MOST_CHOICES) {
            let line = choice_line(index + 1, choice, digits, width);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        if self.choices.len() > MOST_CHOICES {
            let more = self.choices.len() - MOST_CHOICES;
            text.push_str(&format!(
                "  and {more} more, by the beginning of their names\n"
            ));
        }
        text
    }

    /// The reason why nothing can happen.
    fn nothing(&self) -> String {
        if self.trace.last().is_some_and(|event| event == "✓") {
            return "it has terminated\n".to_string();
        }
        let mut text = "nothing can happen: deadlock\n".to_string();
        for member in self.waiting_circle.iter().flatten() {
            let (component, event) = (&member.component, &member.event);
            text.push_str(&format!("  {component} waits to do {event}\n"));
        }
        if self.waiting_circle.as_ref().is_some_and(|c| !c.is_empty()) {
            text.push_str("  each waits for the next, and the last for the first\n");
        }
        text
    }

    fn specification_text(&self) -> String {
        let Some(specification) = &self.specification else {
            return String::new();
        };
        let allowed = specification.allowed.text(&specification.process);
        format!("{allowed}\n")
    }

    /// The components that run, each with its state and its offers, and the number of the others.
    pub fn who(&self) -> String {
        let mut text = String::new();
        let running: Vec<&ComponentView> =
            self.components.iter().filter(|c| c.now.is_some()).collect();
        for component in running.iter().take(MOST_COMPONENTS) {
            text.push_str(&component.text());
        }
        if running.len() > MOST_COMPONENTS {
            let more = running.len() - MOST_COMPONENTS;
            text.push_str(&format!("and {more} more\n"));
        }
        let gone = self.components.len() - running.len();
        match gone {
            0 => {}
            1 => text.push_str("1 no longer runs\n"),
            _ => text.push_str(&format!("{gone} no longer run\n")),
        }
        text
    }

    /// The text on what the process can refuse here.
    pub fn refuses(&self) -> String {
        let sets = self.acceptances.iter().flatten();
        let sets: Vec<String> = sets.map(|events| set(events)).collect();
        let mut text = match (self.stable, &self.acceptances) {
            (true, _) => {
                let offers: Vec<String> = self.choices.iter().map(|c| c.event.clone()).collect();
                let mut offers = offers;
                offers.dedup();
                format!(
                    "it is at rest: it offers {} and refuses everything else\n",
                    set(&offers)
                )
            }
            (false, None) => {
                "it can do internal steps; with what it comes to rest takes too long to find\n"
                    .to_string()
            }
            (false, Some(_)) if sets.is_empty() => {
                "it can do internal steps, and never comes to rest before the next event\n"
                    .to_string()
            }
            (false, Some(_)) => {
                let mut text =
                    "it can do internal steps; at rest it offers all of at least one of these, perhaps more, and may refuse all else:\n"
                        .to_string();
                for set in sets {
                    text.push_str(&format!("  {set}\n"));
                }
                text
            }
        };
        if self.diverges == Some(true) {
            text.push_str("it can do internal steps for ever\n");
        }
        text
    }

    /// The steps so far, numbered; on the track of representatives each with the step of the real
    /// run.
    pub fn path(&self) -> String {
        if self.steps.is_empty() {
            return "no step was taken\n".to_string();
        }
        let each = self.steps.iter().enumerate();
        let line = each.map(|(index, step)| {
            let parts = parts(&step.parts, &step.event, false);
            let real = self.representatives.as_ref();
            let real = real.and_then(|track| track.real.get(index));
            let real = real.map_or(String::new(), |real| format!("  real: {real}"));
            format!("{:>4}  {}{parts}{real}\n", index + 1, step.name)
        });
        line.collect()
    }
}

fn choice_line(number: usize, choice: &ChoiceReport, digits: usize, width: usize) -> String {
    let name = &choice.name;
    let gap = " ".repeat(width.saturating_sub(name.chars().count()));
    let forbidden = match choice.allowed {
        Some(false) => "  not allowed by the specification",
        _ => "",
    };
    let parts = parts(&choice.parts, &choice.event, true);
    format!("  {number:>digits$}  {name}{gap}{parts}{forbidden}")
}

/// The components that take part; each with its own event if that is not `event`, and with its new
/// state if `becomes`.
fn parts(parts: &[PartReport], event: &str, becomes: bool) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let visible = event.strip_prefix("τ (").and_then(|e| e.strip_suffix(')'));
    let visible = visible.unwrap_or(event);
    let each = parts.iter().map(|part| {
        let own = match part.event == visible || part.event == event {
            true => String::new(),
            false => format!(" by {}", part.event),
        };
        let then = match (&part.becomes, becomes && event == "τ") {
            (Some(then), true) => format!(", then {then}"),
            _ => String::new(),
        };
        format!("{}{own}{then}", part.component)
    });
    format!("  [{}]", each.collect::<Vec<_>>().join("; "))
}

impl ComponentView {
    fn text(&self) -> String {
        let now = self.now.as_deref().unwrap_or_default();
        let mut text = match now == self.name {
            true => format!("{}\n", self.name),
            false => format!("{}\n    is {now}\n", self.name),
        };
        let offers = match self.offers.is_empty() {
            true => "nothing".to_string(),
            false => self.offers.join(", "),
        };
        text.push_str(&format!("    offers {offers}\n"));
        for wait in &self.waits_for {
            let who = wait.components.join(", ");
            text.push_str(&format!("    waits to do {} for {who}\n", wait.event));
        }
        text
    }
}
