//! The assertions of a lab's script that a directive is about: those right below it.

use base::diag::Diagnostic;
use base::number::counted;
use checker::{Error, Script};

use super::reading::LabScript;
use super::sheet::{LabCheck, Sheet};
use super::texts::LAB;

/// The assertions right below `check`, by their numbers: as many as it is about.
pub(super) fn below(
    script: &LabScript,
    sheet: &Sheet,
    check: &LabCheck,
) -> Result<Vec<usize>, Error> {
    let LabScript { script, .. } = script;
    let all = 0..script.assertions().len();
    let is_below = |index: &usize| {
        let place = script.place(*index);
        place.file == LAB && place.start >= check.span.end
    };
    let wanted = check.demand.assertions();
    if wanted == 0 {
        return Ok(Vec::new());
    }
    let found: Vec<usize> = all.filter(is_below).take(wanted).collect();
    let (Some(first), Some(last), true) = (found.first(), found.last(), found.len() == wanted)
    else {
        return Err(missing_assertion(script, check));
    };
    // Above one assertion may stand several directives; between two of one directive, none.
    let between = script.place(*first).end..script.place(*last).start;
    let mut others = sheet.tasks.iter().flat_map(|task| &task.checks);
    match others.any(|other| between.contains(&other.span.start)) {
        true => Err(missing_assertion(script, check)),
        false => Ok(found),
    }
}

fn missing_assertion(script: &Script, check: &LabCheck) -> Error {
    let (word, wanted) = (check.demand.word(), check.demand.assertions());
    let message = format!(
        "`{word}` needs {} below it",
        counted(wanted as u64, "assertion")
    );
    let problem = Diagnostic::error("bad-directive", message).at(check.span, "");
    Error::new(vec![problem], script.sources().clone())
}
