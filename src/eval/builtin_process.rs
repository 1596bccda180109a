//! The built-in processes and functions on processes.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::evaluator::Evaluator;
use super::value::{Lazy, Value};
use base::diag::Result;
use process::compression::Compression;
use process::event::{EventId, EventSetId};
use process::term::{BufferShape, Overflow, Term, TermId};
use process::watchdog::Watchdog;
use types::builtin::Builtin;

impl Evaluator<'_> {
    pub(super) fn apply_process(
        &mut self,
        builtin: Builtin,
        given: &[Value],
        arguments: &[Lazy],
    ) -> Result<TermId> {
        match (builtin, arguments) {
            (Builtin::Run, [set]) => {
                let events = self.event_set_argument(set)?;
                Ok(self.terms.intern(Term::Run(events)))
            }
            (Builtin::Chaos, [set]) => {
                let events = self.event_set_argument(set)?;
                Ok(self.terms.intern(Term::Chaos(events)))
            }
            (Builtin::Buffer, [capacity, pairs]) => self.buffer(capacity, Overflow::Refuse, pairs),
            (Builtin::WeakBuffer, [capacity, overflow, pairs]) => {
                let event = self.event_argument(overflow)?;
                self.buffer(capacity, Overflow::Signal(event), pairs)
            }
            (Builtin::SignalBuffer, [capacity, full, empty, pairs]) => {
                let (full, empty) = (self.event_argument(full)?, self.event_argument(empty)?);
                self.buffer(capacity, Overflow::Status(full, empty), pairs)
            }
            (Builtin::Wait, [time]) => {
                let tock = self.event(&given[0])?;
                let time = self.force(time)?;
                let tocks = self.tocks("what `WAIT` takes", &time)?;
                Ok(self.wait(tocks, tock))
            }
            (
                Builtin::TraceWatchdog | Builtin::FailureWatchdog,
                [specification, alphabet, bark],
            ) => self.watchdog(builtin, specification, alphabet, bark),
            (Builtin::TimedPriority, [process]) => {
                let tock = self.event(&given[0])?;
                let process = self.process_argument(process)?;
                Ok(self.internal_events_first(process, &[tock]))
            }
            (Builtin::Prioritise | Builtin::PrioritiseNoCache, [process, levels]) => {
                self.prioritise(process, levels)
            }
            (Builtin::PrioritisePo, [process, events, order, maximal]) => {
                self.prioritise_by_order(process, events, order, maximal)
            }
            (Builtin::Loop, [process]) => {
                let process = self.process_argument(process)?;
                Ok(self.call_loop(process))
            }
            (Builtin::Aut, _) => self.no_import().into(),
            // All states are only ever listed when they are needed.
            (Builtin::LazyEnumerate, [process]) => self.process_argument(process),
            (other, [process]) => {
                let compression = compression(other);
                let process = self.process_argument(process)?;
                Ok(self.terms.compress(compression, process))
            }
            _ => unreachable!("{} is no function that gives a process", builtin.name()),
        }
    }

    fn watchdog(
        &mut self,
        builtin: Builtin,
        specification: &Lazy,
        alphabet: &Lazy,
        bark: &Lazy,
    ) -> Result<TermId> {
        let specification = self.process_argument(specification)?;
        // A watchdog allows the behaviour of its specification as an environment sees it.
        let specification = self.terms.seen(specification);
        let watchdog = Watchdog {
            members: vec![specification],
            alphabet: self.event_set_argument(alphabet)?,
            bark: self.event_argument(bark)?,
            tests_refusals: builtin == Builtin::FailureWatchdog,
            demand: None,
        };
        if self.terms.events.contains(watchdog.alphabet, watchdog.bark) {
            let name = self.terms.events.name(watchdog.bark);
            let message = format!("a watchdog cannot bark with `{name}`, which it watches");
            return self.work.error("watched-bark", message).into();
        }
        Ok(self.terms.intern(Term::Watchdog(Arc::new(watchdog))))
    }

    fn event_argument(&mut self, argument: &Lazy) -> Result<EventId> {
        let event = self.force(argument)?;
        self.event(&event)
    }

    pub(super) fn event_set_argument(&mut self, argument: &Lazy) -> Result<EventSetId> {
        let set = self.force(argument)?;
        self.event_set_of(&set)
    }

    fn buffer(&mut self, capacity: &Lazy, overflow: Overflow, pairs: &Lazy) -> Result<TermId> {
        let capacity = match self.force(capacity)? {
            Value::Int(n) if n >= 1 => n as usize,
            Value::Int(n) => {
                let what = "the capacity of a buffer must be 1 or more";
                return self.work.out_of_range(what, n).into();
            }
            other => return self.mismatch("a capacity", &other).into(),
        };
        let pairs = self.force_part(pairs)?;
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
            return self.work.error("buffer-events", message).into();
        }
        Ok(self.terms.buffer(BufferShape {
            capacity,
            pairs: ties,
            overflow,
        }))
    }
}

/// The compression with the name of `builtin`. All functions on one process that have no case of
/// their own above are compressions.
fn compression(builtin: Builtin) -> Compression {
    match builtin {
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
        other => unreachable!("{} is no function that gives a process", other.name()),
    }
}
