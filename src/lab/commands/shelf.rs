//! The labs, which are part of the program.

use super::folder::only;
use crate::sheet::Sheet;
use base::diag::Diagnostic;
use base::source::SourceMap;
use base::suggest::nearest;
use checker::Error;
use lab_texts::{LABS, ShelvedLab};

/// The script that students write.
pub(super) const START: &str = "start.csp";

/// The script that it includes.
pub const GIVEN: &str = "given.csp";

/// The script with the checks, which includes the student's.
pub(super) const CHECKS: &str = "lab.csp";

/// The name of that script in messages. It is none of a script's, so that a student's file called
/// `lab.csp` is not taken for it.
pub(super) const NAME_OF_CHECKS: &str = "the lab's checks";

/// The names of all labs.
pub fn lab_names() -> impl Iterator<Item = &'static str> {
    LABS.iter().map(|lab| lab.name)
}

/// The lab with the name `name`.
pub(super) fn lab(name: &str) -> Result<&'static ShelvedLab, Error> {
    let found = LABS.iter().find(|lab| lab.name == name);
    found.ok_or_else(|| {
        let problem = Diagnostic::error("unknown-lab", format!("there is no lab `{name}`"));
        let hint = match nearest(name, lab_names()) {
            Some(near) => format!("did you mean `{near}`? `cspsym lab list` lists all"),
            None => "`cspsym lab list` lists all".to_string(),
        };
        only(problem.hint(hint))
    })
}

/// The demands of a lab as data.
pub(super) fn sheet(lab: &ShelvedLab) -> Result<Sheet, Error> {
    let mut sources = SourceMap::new();
    let file = sources.add(NAME_OF_CHECKS, lab.checks);
    Sheet::read(lab.checks, file).map_err(|problem| Error::new(vec![*problem], sources))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guide::LabGuide;

    #[test]
    fn every_lab_has_its_name_its_tasks_and_three_hints_for_each() {
        for lab in &LABS {
            let sheet = sheet(lab).expect("its directives are right");
            assert_eq!(sheet.name, lab.name);
            assert!(sheet.tasks.len() >= 8, "{} has few tasks", lab.name);
            let guide = LabGuide::read(lab.guide);
            assert_eq!(guide.tasks.len(), sheet.tasks.len(), "{}", lab.name);
            for (task, text) in sheet.tasks.iter().zip(&guide.tasks) {
                assert!(
                    text.contains("**Do:**"),
                    "{}, task {}",
                    lab.name,
                    task.number
                );
            }
            for task in &sheet.tasks {
                assert_eq!(task.hints.len(), 3, "{}, task {}", lab.name, task.number);
                assert!(
                    !task.checks.is_empty(),
                    "{}, task {}",
                    lab.name,
                    task.number
                );
            }
        }
    }
}
