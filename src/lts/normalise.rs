//! Normalisation of a component: one state for each set of states that one trace can lead to.
//!
//! The normal form of a specification (`normal_form`) is compared with; this one is put back into a process, so it is
//! written as an ordinary transition system. A *node* does each event of its states, and the event determines the next
//! node. What it may refuse is written as τ to stable states, one for each minimal set of events that a stable state of
//! it offers, which lead on to the same nodes; a node that offers all it can do, and nothing less, is stable itself. A
//! node that diverges has a τ to itself, and goes on, because traces and failures after a divergence count in the models
//! without it. ✓ is an event like others; where it is a signal, `; SKIP` around the process has made it one.

use super::bisimulation::minimise;
use super::graph::{Lts, StateId};
use super::subsets::Subsets;
use super::tau::{Row, is_divergent, is_stable, reachable};
use super::tau_loops::tau_loop_factor;
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::process::acceptance::minimal;
use crate::process::event::{EventId, TAU};

/// The normal form of `lts`, minimal; nothing if it takes more than `limit` nodes and stable states.
pub(super) fn normalise(lts: &Lts, limit: usize, token: &Cancellation) -> Result<Option<Lts>> {
    let lts = minimise(&tau_loop_factor(lts, token)?, token)?.lts;
    let mut nodes = Subsets::new(&lts, token)?;
    let mut written = Vec::new();
    let mut states = 0;
    while written.len() < nodes.len() {
        let members = nodes.members(written.len());
        let row = nodes.row(&members)?;
        let node = Node::new(&lts, &members, row, nodes.token())?;
        states += 1 + node.offers.len();
        if states.max(nodes.len()) > limit {
            return Ok(None);
        }
        written.push(node);
    }
    let rendered = render(&written, token)?;
    Ok(Some(minimise(&rendered, token)?.lts))
}

/// A node before it is written out.
struct Node {
    row: Row,
    diverges: bool,
    /// The minimal sets of events offered, unless there is one only, of all events.
    offers: Vec<Vec<EventId>>,
}

impl Node {
    fn new(lts: &Lts, members: &[StateId], row: Row, token: &Cancellation) -> Result<Self> {
        let diverges = members.iter().any(|&state| is_divergent(lts, state));
        let stable = members.iter().filter(|&&state| is_stable(lts, state));
        let offers = stable.map(|&state| {
            let mut events: Vec<EventId> = lts.row(state).iter().map(|&(event, _)| event).collect();
            events.dedup();
            events
        });
        let mut offers = minimal(offers.collect(), token)?;
        let is_stable = matches!(&offers[..], [only] if only.len() == row.len());
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
fn render(nodes: &[Node], token: &Cancellation) -> Result<Lts> {
    let mut rows: Vec<Row> = nodes.iter().map(|node| node.row.clone()).collect();
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
