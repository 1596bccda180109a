//! Whether something holds of all items, or of any, where asking may fail.

use base::diag::Result;

/// Whether `holds` of all `items`. Those after the first of which it does not hold are not asked.
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

/// Whether `holds` of any of `items`. Those after the first of which it holds are not asked.
pub(super) fn any<T>(
    items: impl IntoIterator<Item = T>,
    mut holds: impl FnMut(T) -> Result<bool>,
) -> Result<bool> {
    Ok(!all(items, |item| Ok(!holds(item)?))?)
}
