//! Normalisation of a component: one state for each set of states that one trace can lead to.
//!
//! The normal form of a specification (`normal_form`) is only compared with processes. The normal
//! form of this file takes the place of a process, so it is an ordinary transition system. A *node*
//! does each event of its states, and the event determines the next node. The refusals of the node
//! become τ to stable states, one for each minimal set of events that one of its stable states
//! offers; they lead on to the same nodes. A node that offers all that it can do, and nothing less,
//! is stable itself. A node that diverges has a τ to itself, and goes on, because traces and
//! failures after a divergence count in the models that see no divergence. ✓ is an event like any
//! other: where it is a signal, `; SKIP` around the process has made it one.

use super::bisimulation::minimise;
use super::confluence::with_short_ways;
use super::graph::{Lts, StateId};
use super::subsets::Subsets;
use super::tau::{UnnumberedRow, is_divergent, reachable};
use base::cancel::Cancellation;
use base::diag::Result;
use process::acceptance::minimal;
use process::event::{EventId, TAU};

/// The minimal normal form of `lts`. Returns `None` if more than `limit` nodes and stable states
/// are needed before it is minimised.
pub(super) fn normalise(lts: &Lts, limit: usize, token: &Cancellation) -> Result<Option<Lts>> {
    let lts = minimise(&with_short_ways(lts, token)?, token)?.lts;
    let mut nodes = Subsets::new(&lts, token)?;
    let mut written = Vec::new();
    let mut states = 0;
    while written.len() < nodes.len() {
        let members = nodes.members(written.len());
        let row = nodes.row(&members)?;
        let node = NormalNode::new(&lts, &members, row, nodes.token())?;
        states += 1 + node.offers.len();
        if states.max(nodes.len()) > limit {
            return Ok(None);
        }
        written.push(node);
    }
    let rendered = render(&written, token)?;
    Ok(Some(minimise(&rendered, token)?.lts))
}

/// A node of the normal form, before it becomes states of a system.
struct NormalNode {
    row: UnnumberedRow,
    diverges: bool,
    /// The minimal sets of events that are offered; none if the node itself is stable.
    offers: Vec<Vec<EventId>>,
}

impl NormalNode {
    fn new(
        lts: &Lts,
        members: &[StateId],
        row: UnnumberedRow,
        token: &Cancellation,
    ) -> Result<Self> {
        let diverges = members.iter().any(|&state| is_divergent(lts, state));
        let offers = members.iter().filter_map(|&state| lts.acceptance(state));
        let mut offers = minimal(offers.collect(), token)?;
        // `row` has each event of the node once, and offers have no others, so equal lengths mean
        // equal sets.
        let is_stable = matches!(&offers[..], [only] if only.len() == row.len());
        // A node that diverges has a τ to itself, so it needs a stable state even for all its
        // events.
        if is_stable && !diverges {
            offers.clear();
        }
        Ok(Self {
            row,
            diverges,
            offers,
        })
    }
}

/// The nodes in their order, then the stable states of each.
fn render(nodes: &[NormalNode], token: &Cancellation) -> Result<Lts> {
    let mut rows: Vec<UnnumberedRow> = nodes.iter().map(|node| node.row.clone()).collect();
    for (number, node) in nodes.iter().enumerate() {
        token.look(1 + node.row.len() * (1 + node.offers.len()))?;
        if node.diverges {
            rows[number].push((TAU, number as u32));
        }
        for offer in &node.offers {
            let stable = rows.len() as u32;
            let kept = node.row.iter().copied();
            let kept = kept.filter(|(event, _)| offer.binary_search(event).is_ok());
            rows.push(kept.collect());
            rows[number].push((TAU, stable));
        }
    }
    reachable(&mut rows, Lts::INITIAL.0, token)
}
