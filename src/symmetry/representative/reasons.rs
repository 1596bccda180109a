//! The reasons why representative functions do not apply.

use crate::group::Group;

/// The reason for a group without symmetries.
pub(crate) const NO_SYMMETRY: &str = "there is no symmetry to use";

/// The reason why the specification is not universally symmetric; `None` if it is.
pub(crate) fn moved_specification(group: &Group) -> Option<String> {
    let mut generators = group.generators().iter();
    let number = generators.position(|generator| !generator.fixes_specification())?;
    Some(format!(
        "the specification is not universally symmetric: {} moves its states",
        group.name(number)
    ))
}
