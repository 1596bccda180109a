//! The graph of a process, which Python reads as JSON, draws, and writes for other programs.

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use report::graph::{StateGraph, TauLabel};

/// The graph of a process.
#[pyclass(frozen, name = "Graph", module = "cspsym._native")]
pub(crate) struct GraphObject(pub(crate) StateGraph);

#[pymethods]
impl GraphObject {
    /// The graph as JSON.
    fn json(&self) -> PyResult<String> {
        written(|out| self.0.write_json(out))
    }

    /// The graph as an SVG drawing. Of many states an overview is drawn.
    fn svg(&self) -> PyResult<String> {
        let overview = self.0.fitting_overview(Vec::new());
        written(|out| self.0.write_svg(&overview, out))
    }

    /// The graph in the DOT language.
    fn dot(&self) -> PyResult<String> {
        written(|out| self.0.write_dot(out))
    }

    /// The graph in the format of Aldebaran, in which τ is called `i` if `is_cadp`, else `tau`.
    fn aut(&self, is_cadp: bool) -> PyResult<String> {
        if let Some(problem) = self.0.unwritable_in_aut() {
            return Err(PyValueError::new_err(problem.message));
        }
        let tau = match is_cadp {
            true => TauLabel::I,
            false => TauLabel::Tau,
        };
        written(|out| self.0.write_aut(tau, out))
    }
}

/// The text that `write` writes.
fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> PyResult<String> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(PyOSError::new_err)?;
    Ok(String::from_utf8(bytes)?)
}
