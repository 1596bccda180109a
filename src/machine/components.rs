//! Processes with other components: in normal form, or one that allows anything.
//!
//! *Normal forms.* Section 3.2 of the paper asks of a permutation bisimulation no more than what
//! the model sees. A component in normal form means what the component means, in traces, failures
//! and divergences, and so does every process around it, unless a priority is around it: there
//! `normal` is `sbisim`. So a search of the process with such components gives the same verdict.
//! Where processes are equal in failures and divergences but not bisimilar, their normal forms are
//! bisimilar, so that no more symmetries can be had by replacing components.

use super::builder::ProcessTreeBuilder;
use super::compile::{CompileOptions, built};
use super::graphs::kept_by;
use super::leaf::Behaviour;
use super::structure::Machine;
use super::tree::Around;
use base::cancel::Cancellation;
use base::diag::Result;
use base::stack::deep;
use lts::compress::compress;
use process::compression::Compression;
use process::term::{Definitions, TermId};

/// The most states of a component that is put into normal form, which takes some hundredths of a
/// second.
const MOST_STATES: usize = 2_000;

/// `term` with each component that is nondeterministic and small in normal form, if that has no
/// more states; `term` itself if there is none. A normal form can be exponentially larger, and the
/// search would lose more than it gains by symmetries. The machine of `term` with these options was
/// made before, so that listing the components takes no time.
pub fn with_normal_components(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<TermId> {
    built(definitions, term, options, |builder| {
        builder.with_components(term, Around::default(), &mut ProcessTreeBuilder::normal)
    })
}

/// `term` with `replacement` in the place of each component that is `component`.
pub fn with_component(
    definitions: &mut dyn Definitions,
    term: TermId,
    (component, replacement): (TermId, TermId),
    options: &CompileOptions,
) -> Result<TermId> {
    built(definitions, term, options, |builder| {
        builder.with_components(term, Around::default(), &mut |_, found, _| {
            Ok(if found == component {
                replacement
            } else {
                found
            })
        })
    })
}

/// True if a leaf of `machine` may be a component that [`with_normal_components`] replaces.
pub fn may_have_normal_components(machine: &Machine, token: &Cancellation) -> Result<bool> {
    for leaf in machine.leaves.iter() {
        if let Behaviour::Process(graph) = &leaf.behaviour
            && graph.lts.state_count() <= MOST_STATES
            && !graph.lts.is_deterministic(token)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

impl ProcessTreeBuilder<'_> {
    /// `term`, which stands below `around`, with what `replace` gives for each of its components.
    /// Components that start later than the operator above them stay as they are.
    fn with_components(
        &mut self,
        term: TermId,
        around: Around,
        replace: &mut dyn FnMut(&mut Self, TermId, Around) -> Result<TermId>,
    ) -> Result<TermId> {
        let is_compressed = self.skeleton.compression(self.definitions, term)?.is_some();
        let inner = match is_compressed {
            true => None,
            false => self.operator(term, around)?,
        };
        let Some((shape, inside)) = inner else {
            return replace(self, term, around);
        };
        let replaced = shape.with_started(|p| deep(|| self.with_components(p, inside, replace)))?;
        Ok(match replaced == shape {
            // The term as the script writes it.
            true => term,
            false => self.definitions.terms_mut().intern(replaced),
        })
    }

    /// The component `term` in normal form, if it is nondeterministic and small.
    fn normal(&mut self, term: TermId, around: Around) -> Result<TermId> {
        let graph = self.graph(term, around)?;
        let states = graph.lts.state_count();
        let token = &self.definitions.cancellation().clone();
        // Below priorities `normal` keeps bisimilarity, and changes nothing. What is deterministic
        // is its own normal form.
        if around.has_priorities || states > MOST_STATES || graph.lts.is_deterministic(token)? {
            return Ok(term);
        }
        let compression = kept_by(Compression::Normal, around);
        let form = compress(compression, &graph.lts, states, token)?;
        if form.is_none_or(|form| form.state_count() > states || form == graph.lts) {
            return Ok(term);
        }
        let terms = self.definitions.terms_mut();
        Ok(terms.compress(Compression::Normal, term))
    }
}
