//! The options of a question, which are those of the command line: one reader of them serves both.

use std::time::Instant;

use cspsym::{Definition, Error, Options};
use host::arguments::{Arguments, CheckCall, Command};
use host::memory::Memory;
use host::monitor::Monitor;
use host::progress::Display;
use host::spill::LockedFolder;
use pyo3::prelude::*;

use crate::failure::wrong_options;

/// The options of a question.
pub(crate) struct QuestionSettings {
    call: CheckCall,
    memory: Memory,
}

impl QuestionSettings {
    /// The options that `words` say, as they stand behind `cspsym check`.
    pub(crate) fn read(py: Python<'_>, words: &[String]) -> PyResult<Self> {
        let all = ["cspsym", "check"].into_iter();
        let all = all.chain(words.iter().map(String::as_str));
        let call = match Arguments::read(all.chain(["--", "script"])) {
            Ok(Arguments {
                command: Command::Check(call),
            }) => call,
            Ok(_) => return Err(wrong_options(py, "these are no options of a check")),
            Err(problem) => {
                let text = problem.to_string();
                let first = text.split("\n\n").next().unwrap_or_default();
                let first = first.strip_prefix("error: ").unwrap_or(first);
                return Err(wrong_options(py, first));
            }
        };
        let memory = Memory::of_program(call.checking.common().memory_limit);
        Ok(Self { call, memory })
    }

    /// The constants that are replaced.
    pub(crate) fn definitions(&self) -> &[Definition] {
        &self.call.checking.common().definitions
    }

    /// The folder from outside of which nothing is included, if there is one.
    pub(crate) fn include_root(&self) -> Option<std::path::PathBuf> {
        self.call.checking.common().include_root.clone()
    }

    /// A monitor that ends a question at the limits of these options.
    pub(crate) fn monitor(&self) -> Monitor {
        let time = self.call.checking.common().timeout;
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Monitor::new(deadline, None, self.memory.clone(), Display::Hidden)
    }

    /// The options by which the library decides, without a folder for searches.
    pub(crate) fn options(&self) -> Options {
        self.call.checking.options(&self.memory)
    }

    /// The folder in which searches keep their states, locked, if there is one.
    pub(crate) fn folder(&self) -> Result<Option<LockedFolder>, Error> {
        let checking = &self.call.checking;
        let opened = checking.storage.open(&checking.cluster);
        opened.map_err(Error::from)
    }
}
