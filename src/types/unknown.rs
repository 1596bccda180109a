//! The names that were not found.

use rustc_hash::FxHashMap;

use base::diag::Diagnostic;
use syntax::ast::Symbol;

/// Unknown names: each is reported once, with the number of its uses.
#[derive(Default)]
pub(super) struct UnknownNames {
    /// The number of the diagnostic of each name, and the number of its further uses.
    pub(super) reported: FxHashMap<Symbol, (usize, usize)>,
    /// The number of names for which a suggestion was looked for.
    pub(super) suggested: usize,
}

impl UnknownNames {
    /// Adds to each report the number of further uses of the name.
    pub(super) fn count_repetitions(&self, diagnostics: &mut [Diagnostic]) {
        for &(index, again) in self.reported.values().filter(|(_, again)| *again > 0) {
            let times = if again == 1 {
                "once".to_string()
            } else {
                format!("{again} times")
            };
            diagnostics[index]
                .notes
                .push(format!("it is used {times} more"));
        }
    }
}
