//! The events and acceptances that a specification allows after a trace.

use base::diag::Result;
use machine::{CompileOptions, compile, compile_observed};
use process::event::EventId;
use process::observation::ObservedStep;
use process::term::{Definitions, TermId};
use witness::followed::Followed;

/// A specification, and the observations that count in the model of its refinements.
#[derive(Clone, Copy, Debug)]
pub struct SpecificationView {
    /// The specification.
    pub term: TermId,
    /// True if its acceptances count.
    pub has_failures: bool,
    /// True if it allows everything where it diverges.
    pub has_divergences: bool,
    /// True if its acceptances before each event count.
    pub sees_rests: bool,
}

/// A specification that is followed along a trace.
pub struct AllowedAlong<'a> {
    view: SpecificationView,
    followed: Followed<'a>,
    /// The number of events that were followed.
    done: usize,
    /// The answer for good, once the specification has diverged or has forbidden an event.
    settled: Option<Allowed>,
}

/// The next events and acceptances that a specification allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allowed {
    /// No event, because it does not have the trace: it forbids the event at this index, from 0,
    /// first.
    Nothing(usize),
    /// Everything, because it has diverged after this many events.
    Everything(usize),
    /// These events, with acceptances.
    Events {
        /// The events, ✓ among them; ascending.
        events: Vec<EventId>,
        /// The smallest sets with which it may come to rest, each ascending; empty if acceptances
        /// do not count in the model.
        acceptances: Vec<Vec<EventId>>,
    },
}

impl Allowed {
    /// Follows `specification` along `trace`, whose events are visible or ✓, and returns what it
    /// allows next. This costs as much as following the whole trace.
    pub fn after(
        definitions: &mut dyn Definitions,
        specification: SpecificationView,
        trace: &[EventId],
        options: &CompileOptions,
    ) -> Result<Self> {
        let mut along = AllowedAlong::start(definitions, specification, options)?;
        for &event in trace {
            along.step(definitions, &ObservedStep::unseen(event))?;
        }
        along.now(definitions)
    }

    /// The events that are allowed, moved by `image`, which permutes visible events alone.
    #[must_use]
    pub fn moved(self, image: &dyn Fn(EventId) -> EventId) -> Self {
        let moved = |events: Vec<EventId>| {
            let mut events: Vec<EventId> = events.into_iter().map(image).collect();
            events.sort_unstable();
            events
        };
        match self {
            Self::Events {
                events,
                acceptances,
            } => Self::Events {
                events: moved(events),
                acceptances: acceptances.into_iter().map(moved).collect(),
            },
            other => other,
        }
    }

    /// True if `event`, which is visible or ✓, is allowed next.
    pub fn allows(&self, event: EventId) -> bool {
        match self {
            Self::Nothing(_) => false,
            Self::Everything(_) => true,
            Self::Events { events, .. } => events.binary_search(&event).is_ok(),
        }
    }
}

impl<'a> AllowedAlong<'a> {
    /// The specification after no event.
    pub fn start(
        definitions: &mut dyn Definitions,
        view: SpecificationView,
        options: &'a CompileOptions,
    ) -> Result<Self> {
        let compile = match view.sees_rests {
            true => compile_observed,
            false => compile,
        };
        let mut along = Self {
            view,
            followed: Followed::start(definitions, view.term, compile, options)?,
            done: 0,
            settled: None,
        };
        along.settle(definitions)?;
        Ok(along)
    }

    /// Follows one more event, which is visible or ✓. If `step` tells with which set the process
    /// was seen at rest before the event, only states that come to rest with no more are followed.
    pub fn step(&mut self, definitions: &mut dyn Definitions, step: &ObservedStep) -> Result<()> {
        if self.settled.is_some() {
            return Ok(());
        }
        self.followed.step(definitions, step)?;
        if self.followed.is_empty() {
            self.settled = Some(Allowed::Nothing(self.done));
            return Ok(());
        }
        self.done += 1;
        self.settle(definitions)
    }

    /// The events and acceptances that are allowed next.
    pub fn now(&mut self, definitions: &mut dyn Definitions) -> Result<Allowed> {
        if let Some(settled) = &self.settled {
            return Ok(settled.clone());
        }
        Ok(Allowed::Events {
            events: self.followed.offers(definitions)?,
            acceptances: match self.view.has_failures {
                true => self.followed.minimal_acceptances(definitions)?,
                false => Vec::new(),
            },
        })
    }

    fn settle(&mut self, definitions: &mut dyn Definitions) -> Result<()> {
        if self.view.has_divergences && self.followed.diverges(definitions)? {
            self.settled = Some(Allowed::Everything(self.done));
        }
        Ok(())
    }
}
