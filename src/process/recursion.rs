//! temp
use super::term::*;
use crate::diag::Result;
use rustc_hash::{FxHashMap};
/// temp
pub struct CallGraph { rec: FxHashMap<CallId, bool> }
impl CallGraph {
    /// temp
    pub fn of(d: &mut dyn Definitions, t: TermId, _limit: usize) -> Result<Self> {
        let mut edges: FxHashMap<CallId, Vec<CallId>> = FxHashMap::default();
        let mut open = calls(d, t);
        while let Some(c) = open.pop() {
            if edges.contains_key(&c) { continue; }
            let b = d.body(c)?;
            let cs = calls(d, b);
            open.extend(cs.iter().copied());
            edges.insert(c, cs);
        }
        let mut rec = FxHashMap::default();
        for &c in edges.keys() {
            let mut seen = vec![]; let mut open = edges[&c].clone(); let mut r = false;
            while let Some(x) = open.pop() { if x == c { r = true; break; } if seen.contains(&x) { continue; } seen.push(x); open.extend(edges[&x].iter().copied()); }
            rec.insert(c, r);
        }
        Ok(Self { rec })
    }
    /// temp
    pub fn is_recursive(&self, c: CallId) -> bool { self.rec.get(&c).copied().unwrap_or(true) }
}
fn calls(d: &dyn Definitions, t: TermId) -> Vec<CallId> {
    let mut out = vec![]; let mut open = vec![t]; let mut seen = std::collections::BTreeSet::new();
    while let Some(t) = open.pop() { if !seen.insert(t) { continue; }
        if let Term::Call(c) = d.terms().get(t) { out.push(*c); continue; }
        open.extend(crate::machine::tree::operands(d.terms().get(t)));
    }
    out
}
