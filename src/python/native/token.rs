//! The token by which another thread, or a task of `asyncio`, ends a question.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// Ends the questions that are asked with it.
#[pyclass(frozen, name = "Cancellation", module = "cspsym._native")]
#[derive(Default)]
pub(crate) struct CancellationObject {
    state: Mutex<TokenUse>,
}

#[derive(Default)]
struct TokenUse {
    is_cancelled: bool,
    /// The tokens of the questions that were asked with it.
    asked: Vec<cspsym::Cancellation>,
}

#[pymethods]
impl CancellationObject {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Ends all that is asked with this token, now and later.
    fn cancel(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_cancelled = true;
        for token in state.asked.drain(..) {
            token.cancel();
        }
    }
}

impl CancellationObject {
    /// Lets this token end the work under `token`.
    pub(crate) fn ends(&self, token: &cspsym::Cancellation) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.is_cancelled {
            true => token.cancel(),
            false => state.asked.push(token.clone()),
        }
    }
}
