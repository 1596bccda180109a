//! Errors of the library as exceptions of Python.

use cspsym::{Error, Severity};
use pyo3::prelude::*;
use report::message::MessageReport;

/// The exception for `error`: a mistake, or a limit that was reached.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let messages = error.messages();
    let is_mistake = messages
        .iter()
        .any(|message| message.severity == Severity::Error);
    let reports = messages
        .iter()
        .map(|message| MessageReport::of(message, error.sources()).json());
    let reports: Vec<String> = reports.collect();
    let text = error.to_string();
    raised(py, "of_library", (text.trim_end(), is_mistake, reports))
}

/// The exception for options that are wrong.
pub(crate) fn wrong_options(py: Python<'_>, message: &str) -> PyErr {
    raised(py, "of_options", (message,))
}

/// The exception that the function `name` of `cspsym._errors` makes of `arguments`.
fn raised<'py, A>(py: Python<'py>, name: &str, arguments: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let module = py.import("cspsym._errors");
    let made = module
        .and_then(|module| module.getattr(name))
        .and_then(|make| make.call1(arguments));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
