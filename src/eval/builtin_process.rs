//! The built-in processes and functions on processes.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::evaluator::Evaluator;
use super::value::{Lazy, Value};
use crate::diag::Result;
use crate::process::compression::Compression;
use crate::process::term::{BufferShape, Overflow, Term, TermId};
use crate::process::watchdog::Watchdog;
use crate::types::builtin::Builtin;

impl Evaluator<'_> {
    pub(super) fn apply_process(
        &mut self,
        builtin: Builtin,
        given: &[Value],
        arguments: &[Lazy],
    ) -> Result<TermId> {
        let a = &arguments[0];
        match builtin {
            Builtin::Run | Builtin::Chaos => {
                let set = self.force(a)?;
                let events = self.event_set_of(&set)?;
                let term = if builtin == Builtin::Run {
                    Term::Run(events)
                } else {
                    Term::Chaos(events)
                };
                Ok(self.terms.intern(term))
            }
            Builtin::Buffer => self.buffer(a, Overflow::Refuse, &arguments[1]),
            Builtin::WeakBuffer => {
                let event = self.force(&arguments[1])?;
                let event = self.event(&event)?;
                self.buffer(a, Overflow::Signal(event), &arguments[2])
            }
            Builtin::SignalBuffer => {
                let (full, empty) = (self.force(&arguments[1])?, self.force(&arguments[2])?);
                let (full, empty) = (self.event(&full)?, self.event(&empty)?);
                self.buffer(a, Overflow::Status(full, empty), &arguments[3])
            }
            Builtin::Wait => {
                let tock = self.event(&given[0])?;
                let time = self.force(a)?;
                let tocks = self.tocks("what `WAIT` takes", &time)?;
                Ok(self.wait(tocks, tock))
            }
            Builtin::TraceWatchdog | Builtin::FailureWatchdog => {
                let specification = self.process_argument(a)?;
                // What a watchdog allows is what is seen of its specification.
                let specification = self.terms.seen(specification);
                let set = self.force(&arguments[1])?;
                let bark = self.force(&arguments[2])?;
                let watchdog = Watchdog {
                    members: vec![specification],
                    alphabet: self.event_set_of(&set)?,
                    bark: self.event(&bark)?,
                    tests_refusals: builtin == Builtin::FailureWatchdog,
                    demand: None,
                };
                if self.terms.events.contains(watchdog.alphabet, watchdog.bark) {
                    let name = self.terms.events.name(watchdog.bark);
                    let message = format!("a watchdog cannot bark with `{name}`, which it watches");
                    return self.error("watched-bark", message).into();
                }
                Ok(self.terms.intern(Term::Watchdog(Arc::new(watchdog))))
            }
            Builtin::TimedPriority => {
                let tock = self.event(&given[0])?;
                let process = self.process_argument(a)?;
                Ok(self.internal_events_first(process, &[tock]))
            }
            Builtin::Prioritise | Builtin::PrioritiseNoCache => self.prioritise(a, &arguments[1]),
            Builtin::PrioritisePo => self.prioritise_by_order(arguments),
            Builtin::Loop => {
                let process = self.process_argument(a)?;
                Ok(self.call_loop(process))
            }
            // All states are only ever listed when they are needed.
            Builtin::LazyEnumerate => self.process_argument(a),
            other => {
                if let Some(compression) = compression(other) {
                    let process = self.process_argument(a)?;
                    return Ok(self.terms.compress(compression, process));
                }
                unreachable!("{} is no function that gives a process", other.name())
            }
        }
    }

    pub(super) fn buffer(
        &mut self,
        capacity: &Lazy,
        overflow: Overflow,
        pairs: &Lazy,
    ) -> Result<TermId> {
        let capacity = match self.force(capacity)? {
            Value::Int(n) if n >= 1 => n as usize,
            Value::Int(n) => {
                let what = "the capacity of a buffer must be 1 or more";
                return self.out_of_range(what, n).into();
            }
            other => return self.mismatch("a capacity", &other).into(),
        };
        let pairs = self.deep_argument(pairs)?;
        let mut ties = Vec::new();
        for (input, output) in self.pairs(&pairs)? {
            ties.push((self.event(&input)?, self.event(&output)?));
        }
        let mut seen = FxHashSet::default();
        let twice = ties.iter().flat_map(|&(input, output)| [input, output]);
        if let Some(event) = twice.into_iter().find(|&event| !seen.insert(event)) {
            let message = format!(
                "`{}` occurs twice among the buffer's events",
                self.terms.events.name(event)
            );
            return self.error("buffer-events", message).into();
        }
        Ok(self.terms.buffer(BufferShape {
            capacity,
            pairs: ties,
            overflow,
        }))
    }
}

/// The compression that goes by the name of `builtin`.
fn compression(builtin: Builtin) -> Option<Compression> {
    Some(match builtin {
        Builtin::Explicate => Compression::Explicate,
        Builtin::Sbisim => Compression::Sbisim,
        Builtin::Dbisim => Compression::Dbisim,
        Builtin::Wbisim => Compression::Wbisim,
        Builtin::TauLoopFactor => Compression::TauLoopFactor,
        Builtin::Diamond => Compression::Diamond,
        Builtin::Normal => Compression::Normal,
        Builtin::LazyNorm => Compression::LazyNorm,
        Builtin::ModelCompress => Compression::ModelCompress,
        Builtin::Chase => Compression::Chase,
        Builtin::ChaseNoCache => Compression::ChaseNoCache,
        Builtin::Deter => Compression::Deter,
        _ => return None,
    })
}
