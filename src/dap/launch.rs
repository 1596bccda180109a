//! The launch of a walk: a script, and a process or an assertion of it.

use std::time::{Duration, Instant};

use serde_json::Value;

use base::cancel::{Cancellation, Ends};
use base::diag::Diagnostic;
use checker::{Definition, Error, Options, Script, WalkSubject};
use host::arguments::RequestOptions;
use host::arguments::values::definition;
use host::files::Files;
use host::load::Loaded;
use host::selection;

use super::incoming::EditorRequest;

/// The seconds that finding a counterexample may take where the editor gives none.
const TIMEOUT: f64 = 60.0;

/// The script and the part of it that is walked, as the arguments of `launch` say.
pub(super) struct Launch {
    pub(super) request: EditorRequest,
    program: String,
    process: Option<String>,
    assertion: Option<String>,
    definitions: Vec<Definition>,
    timeout: Option<Duration>,
    /// The options by which an assertion is decided.
    pub(super) options: Options,
    /// True if the walk stops at its start; otherwise it goes on at once.
    pub(super) stops_on_entry: bool,
}

impl Launch {
    /// The launch that `request` asks for. Fails with the reason why its arguments are wrong.
    pub(super) fn of(request: &EditorRequest) -> Result<Self, String> {
        let given = &request.arguments;
        let program = given["program"].as_str().unwrap_or_default().to_string();
        if program.is_empty() {
            return Err("`program` is missing: the name of a script".to_string());
        }
        let words = |key: &str| {
            let list = given[key].as_array().into_iter().flatten();
            let words = list.map(|word| word.as_str().map(str::to_string));
            words.collect::<Option<Vec<String>>>()
        };
        let options = words("options").ok_or("`options` are words")?;
        let written = RequestOptions::read(&options).map_err(|why| format!("`options`: {why}"))?;
        let definitions = words("definitions").ok_or("`definitions` are texts NAME=EXPR")?;
        let definitions = definitions.iter().map(|text| definition(text));
        let assertion = match &given["assertion"] {
            Value::Number(number) => Some(number.to_string()),
            other => other.as_str().map(str::to_string),
        };
        let process = given["process"].as_str().map(str::to_string);
        if process.is_some() == assertion.is_some() {
            return Err("give `process` or `assertion`, one of the two".to_string());
        }
        let timeout = match &given["timeout"] {
            Value::Null => Some(TIMEOUT),
            value => value.as_f64().filter(|seconds| *seconds > 0.0),
        };
        Ok(Self {
            request: request.clone(),
            program,
            process,
            assertion,
            definitions: definitions.collect::<Result<_, _>>()?,
            timeout: timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            options: Options {
                explain: true,
                ..written.options(&written.memory())
            },
            stops_on_entry: given["stopOnEntry"].as_bool().unwrap_or(true),
        })
    }

    /// Reads the script.
    pub(super) fn read(&self) -> Result<Loaded, Error> {
        Loaded::read(&self.program, &mut Files::new(), &self.definitions)
    }

    /// The part of `script` that is walked.
    pub(super) fn subject(&self, script: &Script) -> Result<WalkSubject<'_>, Error> {
        if let Some(process) = &self.process {
            return Ok(WalkSubject::Process(process));
        }
        let Some(wanted) = &self.assertion else {
            // `of` has seen that there is one of the two.
            return Err(Diagnostic::error("internal-error", "nothing was launched").into());
        };
        selection::only(wanted, &script.assertions()).map(WalkSubject::Assertion)
    }

    /// A token that ends a search or an evaluation when its time is over, or the editor is `gone`.
    pub(super) fn cancellation(&self, gone: &Cancellation) -> Cancellation {
        Cancellation::ending(Ends {
            deadline: self
                .timeout
                .and_then(|time| Instant::now().checked_add(time)),
            whole: Some(gone.clone()),
            ..Ends::default()
        })
    }
}
