//! Lists in order.

/// The items, ascending, each of them once.
pub fn ascending<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = items.into_iter().collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_are_one() {
        assert_eq!(ascending([3, 1, 3, 2, 1]), [1, 2, 3]);
        assert_eq!(ascending(Vec::<u8>::new()), []);
    }
}
