//! What a specification allows after a trace.

use base::diag::Result;
use machine::{CompileOptions, compile, compile_observed};
use process::event::EventId;
use process::observation::ObservedStep;
use process::term::{Definitions, TermId};
use witness::followed::Followed;

/// A specification, and what counts in the model in which it is refined.
#[derive(Clone, Copy, Debug)]
pub struct SpecificationView {
    /// The specification.
    pub term: TermId,
    /// Whether it matters with what it comes to rest.
    pub has_failures: bool,
    /// Whether it allows everything where it diverges.
    pub has_divergences: bool,
    /// Whether it matters with what it was at rest before its events.
    pub sees_rests: bool,
}

/// A specification that is followed along a trace.
pub struct AllowedAlong<'a> {
    view: SpecificationView,
    followed: Followed<'a>,
    /// How many events were followed.
    done: usize,
    /// What it allows for good, once it has diverged or has forbidden an event.
    settled: Option<Allowed>,
}

/// What a specification allows next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allowed {
    /// It does not have the trace: this event of it, counted from 0, is the first that it forbids.
    Nothing(usize),
    /// It has diverged after this many events, and allows everything since.
    Everything(usize),
    /// These events.
    Events {
        /// The events, ✓ among them; ascending.
        events: Vec<EventId>,
        /// The smallest sets with which it may come to rest, each ascending; empty if that does
        /// not matter in the model.
        acceptances: Vec<Vec<EventId>>,
    },
}

impl Allowed {
    /// What `specification` allows after `trace`, whose events are visible or ✓. It costs as much
    /// as following the whole trace.
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

    /// Whether `event`, which is visible or ✓, is allowed next.
    pub fn allows(&self, event: EventId) -> bool {
        match self {
            Self::Nothing(_) => false,
            Self::Everything(_) => true,
            Self::Events { events, .. } => events.binary_search(&event).is_ok(),
        }
    }
}

impl<'a> AllowedAlong<'a> {
    /// After no event.
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

    /// After one event more, which is visible or ✓; if `step` says how the process was seen at rest
    /// before, only what came to rest with no more is followed.
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

    /// What it allows next.
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
