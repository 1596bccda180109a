//! Which assertions `--assertion` picks.

/// The assertions that `--assertion` picks.
pub(super) struct Selection {
    picks: Vec<Pick>,
}

enum Pick {
    /// By position, from 0.
    Number(Option<usize>),
    /// By a part of the text, without white space.
    Text(String),
}

impl Selection {
    /// What `arguments` pick: all assertions if there are none.
    pub(super) fn new(arguments: &[String]) -> Self {
        let pick = |argument: &String| match argument.trim().parse::<usize>() {
            // Assertions are counted from 1: the number 0 picks none.
            Ok(number) => Pick::Number(number.checked_sub(1)),
            Err(_) => Pick::Text(squeeze(argument)),
        };
        Self {
            picks: arguments.iter().map(pick).collect(),
        }
    }

    /// Whether the assertion is picked; marks in `picked` what picks it.
    pub(super) fn picks(&self, index: usize, assertion: &str, picked: &mut [bool]) -> bool {
        let assertion = squeeze(assertion);
        let mut any = self.picks.is_empty();
        for (pick, picked) in self.picks.iter().zip(picked) {
            let hit = match pick {
                Pick::Number(number) => *number == Some(index),
                Pick::Text(text) => assertion.contains(text),
            };
            *picked |= hit;
            any |= hit;
        }
        any
    }
}

/// The text without white space and without a leading `assert`.
fn squeeze(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix("assert ").unwrap_or(text);
    text.split_whitespace().collect()
}
