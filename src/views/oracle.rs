//! Answers to tests whose outcome depends on identities out of sight.
//!
//! Such a test is answered both ways, in different runs of one evaluation. A run follows a list of
//! answers and adds to it; [`Oracle::next`] turns to the next list. So all runs together contain
//! each possible evaluation, whatever identities are out of sight.

use base::diag::Result;

/// The answers of one run.
#[derive(Default)]
pub(super) struct Oracle {
    answers: Vec<bool>,
    given: usize,
    /// True if a test had one answer for all identities out of sight that may differ in it.
    is_mixed: bool,
}

impl Oracle {
    /// The outcome of a test if it is known; otherwise an answer.
    pub(super) fn decided(&mut self, known: Option<bool>) -> bool {
        known.unwrap_or_else(|| self.answer())
    }

    /// The answer to a test that cannot be decided.
    pub(super) fn answer(&mut self) -> bool {
        if self.given == self.answers.len() {
            self.answers.push(false);
        }
        self.given += 1;
        self.answers[self.given - 1]
    }

    /// The number of tests that were answered in this run.
    pub(super) fn given(&self) -> usize {
        self.given
    }

    /// Notes that a test had one answer for all identities out of sight that may differ in it, if
    /// `is_mixed` says so.
    pub(super) fn mix(&mut self, is_mixed: bool) {
        self.is_mixed |= is_mixed;
    }

    /// True if a test since [`Self::unmix`] had one answer for all identities out of sight that may
    /// differ in it.
    pub(super) fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    /// Forgets that answers may differ. Returns true if they might.
    pub(super) fn unmix(&mut self) -> bool {
        std::mem::take(&mut self.is_mixed)
    }

    /// True if no outcome in this run may differ from one identity out of sight to another.
    pub(super) fn is_certain(&self) -> bool {
        self.given == 0 && !self.is_mixed
    }

    /// Begins the next run. Returns `false` if there is none left.
    pub(super) fn next(&mut self) -> bool {
        self.given = 0;
        while let Some(last) = self.answers.pop() {
            if !last {
                self.answers.push(true);
                return true;
            }
        }
        false
    }
}

/// True if all of these hold, tested up to the first that does not; `None` if that is not known.
pub(super) fn all_known(asked: impl Iterator<Item = Result<Option<bool>>>) -> Result<Option<bool>> {
    let mut known = Some(true);
    for answer in asked {
        match answer? {
            Some(false) => return Ok(Some(false)),
            Some(true) => {}
            None => known = None,
        }
    }
    Ok(known)
}

/// True if one of these holds, tested up to the first that does; `None` if that is not known.
pub(super) fn any_known(asked: impl Iterator<Item = Result<Option<bool>>>) -> Result<Option<bool>> {
    let negated = asked.map(|answer| Ok(answer?.map(|holds| !holds)));
    Ok(all_known(negated)?.map(|known| !known))
}
