//! Built-in functions of maps, on words.

use super::word::ValueWord;
use super::word_table::{WordKind, WordSource};
use types::builtin::Builtin;

/// The value of a function of maps. Returns `None` if the evaluator has to compute it: for a key
/// that is missing, and for a key that might equal one with another word.
pub(super) fn map_builtin(
    builtin: Builtin,
    arguments: &[ValueWord],
    words: &mut impl WordSource,
) -> Option<ValueWord> {
    let (&map, &key) = (arguments.first()?, arguments.get(1)?);
    let table = words.table();
    let entries = table.of_kind(WordKind::Map, map)?;
    let place = table.is_plain(key).then(|| place_of(entries, key))?;
    match (builtin, arguments.get(2)) {
        (Builtin::MapMember, None) => Some(ValueWord::of_bool(place.is_ok())),
        (Builtin::MapLookup, None) => Some(entries[place.ok()? + 1]),
        (Builtin::MapDelete, None) => {
            let Ok(place) = place else {
                return Some(map);
            };
            let rest = [&entries[..place], &entries[place + 2..]].concat();
            words.number(WordKind::Map, &rest)
        }
        (Builtin::MapUpdate, Some(&value)) if table.is_plain(value) => {
            let (place, end) = match place {
                Ok(place) => (place, place + 2),
                Err(place) => (place, place),
            };
            let updated = [&entries[..place], &[key, value], &entries[end..]].concat();
            words.number(WordKind::Map, &updated)
        }
        _ => None,
    }
}

/// The position of the entry of `key` in a map, or the position where it would stand.
fn place_of(entries: &[ValueWord], key: ValueWord) -> Result<usize, usize> {
    let (keys, _) = entries.as_chunks::<2>();
    let found = keys.binary_search_by_key(&key, |&[key, _]| key);
    found.map(|entry| 2 * entry).map_err(|entry| 2 * entry)
}
