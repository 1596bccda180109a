//! The comment above a definition.

/// The comment on the lines right above the byte `at` of `text`, without its signs. A row of signs
/// that only draws a line is left out, and so are directives (`--!`).
pub(super) fn above(text: &str, at: usize) -> Option<String> {
    let before = text.get(..at)?;
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let above = before[..line_start].trim_end_matches([' ', '\t', '\r']);
    // An empty line between them separates.
    let above = above.strip_suffix('\n')?.trim_end_matches('\r');
    let lines = if above.trim_end_matches([' ', '\t']).ends_with("-}") {
        block(above)?
    } else {
        line_comments(above)
    };
    let text = lines.join("\n");
    let text = text.trim_matches('\n').trim_end();
    (!text.is_empty()).then(|| text.to_string())
}

/// The lines of the comment `{- ... -}` at the end of `above`, if it begins a line.
fn block(above: &str) -> Option<Vec<String>> {
    let inner = above.trim_end().strip_suffix("-}")?;
    let start = inner.rfind("{-")?;
    let line_start = inner[..start].rfind('\n').map_or(0, |newline| newline + 1);
    if !inner[line_start..start].trim().is_empty() {
        return None;
    }
    let lines = inner[start + 2..].lines();
    Some(lines.map(|line| line.trim().to_string()).collect())
}

/// The lines `-- ...` at the end of `above`.
fn line_comments(above: &str) -> Vec<String> {
    let lines = above.rsplit('\n');
    let comments = lines.map_while(|line| line.trim().strip_prefix("--"));
    let comments = comments.filter(|comment| !comment.starts_with('!'));
    let mut lines: Vec<String> = comments
        .filter(|comment| {
            let text = comment.trim();
            text.is_empty() || text.contains(|sign| sign != '-' && sign != '=')
        })
        .map(|comment| {
            comment
                .strip_prefix(' ')
                .unwrap_or(comment)
                .trim_end()
                .to_string()
        })
        .collect();
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above_p(text: &str) -> Option<String> {
        above(text, text.find("P =").unwrap())
    }

    #[test]
    fn the_lines_right_above_are_the_comment() {
        let text = "-- far away\n\n-- ----\n-- One\r\n--   and two.\nP = STOP\n";
        assert_eq!(above_p(text).as_deref(), Some("One\n  and two."));
        assert_eq!(above_p("-- apart\n\nP = STOP"), None);
        assert_eq!(above_p("P = STOP"), None);
        assert_eq!(above_p("--! check FILE\nP = STOP"), None);
        assert_eq!(above_p("Q = STOP -- of Q\nP = STOP"), None);
    }

    #[test]
    fn a_block_counts_if_it_stands_by_itself() {
        let text = "{- One\n   and two. -}\n  P = STOP";
        assert_eq!(above_p(text).as_deref(), Some("One\nand two."));
        assert_eq!(above_p("Q = STOP {- of Q -}\nP = STOP"), None);
        assert_eq!(above_p("{- apart -}\n\nP = STOP"), None);
    }
}
