//! The words in which students read about an assertion of the lab's script: its sides have names
//! that they know, and names that are kept for the lab are not shown.

use report::assertion::AssertionReport;
use report::lab::ShownAssertion;
use report::message::MessageReport;
use report::violation::SideNames;

use super::parts::{RESERVED, WrittenParts, is_kept};
use super::sheet::Sheet;

/// The words for a name that is kept for the lab and that no directive calls anything.
const UNCALLED: &str = "what it is compared with";

/// The words for what stands in the assertions of a lab.
#[derive(Clone, Copy)]
pub(super) struct Wording<'w> {
    sheet: &'w Sheet,
    /// The student's script.
    written: &'w WrittenParts,
}

impl<'w> Wording<'w> {
    /// The words that the directives of a lab give, and those for what a student has written.
    pub(super) fn of(sheet: &'w Sheet, written: &'w WrittenParts) -> Self {
        Self { sheet, written }
    }

    /// The parts of `report` that are shown as text where nothing in it gives an answer away.
    pub(super) fn shown(&self, report: &AssertionReport) -> ShownAssertion {
        let text = report.assertion.as_deref().unwrap_or_default();
        let names = self.sides(text, SideNames::of(report.kind));
        match is_kept(text) {
            true => ShownAssertion::Counterexample(names),
            false => ShownAssertion::All(names),
        }
    }

    /// `report` without the names that are kept for the lab.
    pub(super) fn without_kept(&self, report: AssertionReport) -> AssertionReport {
        let say = |text: String| self.say(&text);
        let is_shown = |warning: &MessageReport| !is_kept(&warning.message);
        AssertionReport {
            assertion: report.assertion.map(say),
            message: report.message.map(say),
            warnings: report.warnings.into_iter().filter(is_shown).collect(),
            ..report
        }
    }

    /// `text` with other words for each name that is kept for the lab.
    fn say(&self, text: &str) -> String {
        let mut said = String::with_capacity(text.len());
        let mut left = text;
        while let Some(at) = left.find(RESERVED) {
            let (before, rest) = left.split_at(at);
            let (name, behind) =
                rest.split_at(rest.find(|sign| !is_of_name(sign)).unwrap_or(rest.len()));
            said += before;
            said += self.called(name).unwrap_or(UNCALLED);
            left = behind;
        }
        said + left
    }

    /// The words that a directive gives for the expression `text`; `None` if there are none.
    fn called(&self, text: &str) -> Option<&str> {
        let mut called = self.sheet.called.iter();
        let (_, words) = called.find(|(expression, _)| expression == text)?;
        Some(words)
    }

    /// The names of both sides of the assertion `text`; those of `default` where a side is an
    /// expression that has no name.
    fn sides(&self, text: &str, default: SideNames) -> SideNames {
        let (specification, implementation) = sides(text);
        SideNames {
            specification: self.side(specification, default.specification),
            implementation: self.side(implementation, default.implementation),
        }
    }

    /// The words for one side of an assertion.
    fn side(&self, text: &str, default: String) -> String {
        let name: String = text.chars().take_while(|sign| is_of_name(*sign)).collect();
        let is_call = text[name.len()..]
            .chars()
            .all(|sign| is_of_name(sign) || "(), ".contains(sign));
        if let Some(words) = self.called(text) {
            words.to_string()
        } else if name.is_empty() || is_kept(text) || !is_call {
            default
        } else if self.written.defines(&name) {
            format!("your {text}")
        } else {
            text.to_string()
        }
    }
}

/// True if the process that the assertion `text` is about may be walked: no name in it is kept for
/// the lab, so that its states give nothing away.
pub(super) fn is_walked(text: &str) -> bool {
    let (_, implementation) = sides(text);
    !implementation.is_empty() && !is_kept(implementation)
}

/// The specification and the process of the assertion `text`; empty where it has none.
fn sides(text: &str) -> (&str, &str) {
    let models = ["[T=", "[F=", "[FD="];
    let mut refinements = models.iter();
    let sides = refinements.find_map(|model| text.split_once(&format!(" {model} ")));
    // A property stands behind the process that has it.
    let sides = sides.or_else(|| text.split_once(" :[").map(|(process, _)| ("", process)));
    sides.unwrap_or_default()
}

fn is_of_name(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '\''
}
