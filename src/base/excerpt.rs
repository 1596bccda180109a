//! Texts and lists of which only the beginning is shown.

/// `text`, or its first `longest` characters and three dots.
pub fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// The `items`, or the first `most` of them and `... 3 more`.
pub fn first_of(items: impl ExactSizeIterator<Item = String>, most: usize) -> Vec<String> {
    let more = items.len().saturating_sub(most);
    let mut shown: Vec<String> = items.take(most).collect();
    if more > 0 {
        shown.push(format!("... {more} more"));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_marked() {
        assert_eq!(shortened("añb", 3), "añb");
        assert_eq!(shortened("añbc", 2), "añ...");
        let items = || ["a", "b", "c"].map(str::to_string).into_iter();
        assert_eq!(first_of(items(), 3), ["a", "b", "c"]);
        assert_eq!(first_of(items(), 1), ["a", "... 2 more"]);
    }
}
