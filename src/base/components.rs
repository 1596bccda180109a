//! Strongly connected components (Tarjan's algorithm, without recursion).

/// A graph with numbered nodes.
pub trait NumberedGraph {
    /// The number of nodes.
    fn node_count(&self) -> usize;
    /// The node that edge number `edge` of `node` leads to; `None` if there is no such edge.
    fn successor(&self, node: usize, edge: usize) -> Option<u32>;
}

impl NumberedGraph for [Vec<u32>] {
    fn node_count(&self) -> usize {
        self.len()
    }

    fn successor(&self, node: usize, edge: usize) -> Option<u32> {
        self[node].get(edge).copied()
    }
}

/// The component of each node of `graph`. Components are numbered so that an edge never leads to a
/// component with a higher number. After each node, `look` is called with one more than the number
/// of its edges; an error of `look` ends the search.
pub fn strong_components<E>(
    graph: &(impl NumberedGraph + ?Sized),
    look: &mut impl FnMut(usize) -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let count = graph.node_count();
    let mut search = ComponentSearch {
        graph,
        order: vec![UNSEEN; count],
        low: vec![0; count],
        component: vec![UNSEEN; count],
        path: Vec::new(),
        seen: 0,
        components: 0,
    };
    for node in 0..count {
        if search.order[node] == UNSEEN {
            search.from(node, look)?;
        }
    }
    Ok(search.component)
}

const UNSEEN: u32 = u32::MAX;

struct ComponentSearch<'a, G: ?Sized> {
    graph: &'a G,
    /// The position of each node in the order in which nodes are first seen.
    order: Vec<u32>,
    /// The earliest seen node that is known to be in the component of each node.
    low: Vec<u32>,
    component: Vec<u32>,
    /// Seen nodes whose component is not yet complete.
    path: Vec<u32>,
    seen: u32,
    components: u32,
}

impl<G: NumberedGraph + ?Sized> ComponentSearch<'_, G> {
    fn from<E>(
        &mut self,
        start: usize,
        look: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        self.see(start);
        // Each entry is a node and how many of its edges have been followed.
        let mut open = vec![(start, 0)];
        while let Some((node, edge)) = open.last_mut() {
            let node = *node;
            let Some(next) = self.graph.successor(node, *edge) else {
                look(1 + *edge)?;
                open.pop();
                self.leave(node);
                if let Some(&(before, _)) = open.last() {
                    // If `node` has just completed a component, its `low` is its own order, which
                    // is later than the `low` of `before`, and nothing changes.
                    self.low[before] = self.low[before].min(self.low[node]);
                }
                continue;
            };
            *edge += 1;
            let next = next as usize;
            if self.order[next] == UNSEEN {
                self.see(next);
                open.push((next, 0));
            } else if self.component[next] == UNSEEN {
                self.low[node] = self.low[node].min(self.order[next]);
            }
        }
        Ok(())
    }

    fn see(&mut self, node: usize) {
        self.order[node] = self.seen;
        self.low[node] = self.seen;
        self.seen += 1;
        self.path.push(node as u32);
    }

    fn leave(&mut self, node: usize) {
        // Only the node of a component that was seen first leads back to none before itself.
        if self.low[node] != self.order[node] {
            return;
        }
        // Nodes that were seen after `node` and are still on the path belong to its component: all
        // others were popped with components of their own.
        while let Some(member) = self.path.pop() {
            self.component[member as usize] = self.components;
            if member as usize == node {
                break;
            }
        }
        // All that this component leads to is complete and has lower numbers, as promised.
        self.components += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    /// The components, without a limit.
    fn strong_components(successors: &[Vec<u32>]) -> Vec<u32> {
        let Ok(components) = super::strong_components(successors, &mut |_| Ok::<_, Infallible>(()));
        components
    }

    #[test]
    fn known_graphs() {
        assert!(strong_components(&[]).is_empty());
        assert_eq!(strong_components(&[vec![1], vec![2], vec![0]]), [0, 0, 0]);
        assert_eq!(strong_components(&[vec![1], vec![2], vec![1]]), [1, 0, 0]);
        assert_eq!(strong_components(&[vec![1, 2], vec![], vec![1]]), [2, 0, 1]);
        assert_eq!(
            strong_components(&[vec![1], vec![2, 3], vec![0], vec![4], vec![3]]),
            [1, 1, 1, 0, 0]
        );
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let chain: Vec<Vec<u32>> = (1..=500_000).map(|next| vec![next % 500_000]).collect();
        assert!(strong_components(&chain).iter().all(|&c| c == 0));
    }
}
