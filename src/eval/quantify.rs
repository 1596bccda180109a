//! Quantifiers over items, where the question about an item may fail.

use base::diag::Result;

/// True if `holds` of all `items`. Items after the first of which it does not hold are not asked.
pub(super) fn all<T>(
    items: impl IntoIterator<Item = T>,
    mut holds: impl FnMut(T) -> Result<bool>,
) -> Result<bool> {
    for item in items {
        if !holds(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// True if `holds` of any of `items`. Items after the first of which it holds are not asked.
pub(super) fn any<T>(
    items: impl IntoIterator<Item = T>,
    mut holds: impl FnMut(T) -> Result<bool>,
) -> Result<bool> {
    Ok(!all(items, |item| Ok(!holds(item)?))?)
}
