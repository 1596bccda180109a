//! The native half of the Python package `cspsym`: scripts, questions about them, and their reports
//! as JSON. What is typed, and what people see first, is in `python/cspsym/`.

mod answer;
mod asking;
mod failure;
mod graph;
mod keeper;
mod script;
mod settings;
mod states;
mod token;

use pyo3::prelude::*;

/// Scripts, questions about them, and their reports as JSON.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::answer::AnswerObject;
    #[pymodule_export]
    use super::graph::GraphObject;
    #[pymodule_export]
    use super::script::ScriptObject;
    #[pymodule_export]
    use super::states::StatesObject;
    #[pymodule_export]
    use super::token::CancellationObject;

    /// The JSON Schema of all reports.
    #[pyfunction]
    fn schema() -> String {
        report::schema::schema()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
