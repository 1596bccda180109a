//! What a specification allows after a trace.

use crate::diag::Result;
use crate::machine::{CompileOptions, compile};
use crate::process::event::EventId;
use crate::process::observation::ObservedStep;
use crate::process::term::{Definitions, TermId};
use crate::witness::followed::Followed;

/// A specification, and what counts in the model in which it is refined.
#[derive(Clone, Copy, Debug)]
pub struct SpecificationView {
    /// The specification.
    pub term: TermId,
    /// Whether it matters with what it comes to rest.
    pub has_failures: bool,
    /// Whether it allows everything where it diverges.
    pub has_divergences: bool,
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
        let mut followed = Followed::start(definitions, specification.term, compile, options)?;
        for done in 0..=trace.len() {
            if specification.has_divergences && followed.diverges(definitions)? {
                return Ok(Self::Everything(done));
            }
            let Some(&event) = trace.get(done) else {
                break;
            };
            followed.step(definitions, &ObservedStep::unseen(event))?;
            if followed.is_empty() {
                return Ok(Self::Nothing(done));
            }
        }
        Ok(Self::Events {
            events: followed.offers(definitions)?,
            acceptances: match specification.has_failures {
                true => followed.minimal_acceptances(definitions)?,
                false => Vec::new(),
            },
        })
    }

    /// The same with its events moved by `image`, a permutation of visible events.
    #[must_use]
    pub fn moved(self, image: &dyn Fn(EventId) -> EventId) -> Self {
        let moved = |events: Vec<EventId>| {
            let events = events.into_iter();
            let mut events: Vec<EventId> = events
                .map(|event| {
                    if event.is_visible() {
                        image(event)
                    } else {
                        event
                    }
                })
                .collect();
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
