//! Instances of modules: finds the module of each, and reports circular instantiations.

use rustc_hash::FxHashMap;

use super::modules::InstanceTarget;
use super::resolver::Resolver;
use super::scope::{NameKind, ScopeEntry, ScopeTable};
use base::diag::Diagnostic;
use base::stack::deep;
use syntax::ast::{Declaration, DeclarationId, QualifiedName, Symbol};

impl Resolver<'_> {
    /// Finds the module of every instance, and checks that no instantiation goes in a circle.
    pub(super) fn find_instances(&mut self, script: &ScopeTable) {
        for (id, around) in self.modules.instances.clone() {
            self.find_target(script, id, around);
        }
        self.check_instantiation();
    }

    fn find_target(
        &mut self,
        script: &ScopeTable,
        id: DeclarationId,
        around: Option<DeclarationId>,
    ) -> InstanceTarget {
        match self.modules.targets.get(&id) {
            Some(InstanceTarget::InProgress) => {
                self.cyclic_instance(id);
                self.modules.targets.insert(id, InstanceTarget::Unknown);
                return InstanceTarget::Unknown;
            }
            Some(&known) => return known,
            None => {}
        }
        // Paths of instances may lead through other instances, so the search recurses; the mark
        // ends circles.
        self.modules.targets.insert(id, InstanceTarget::InProgress);
        let found = deep(|| self.follow_module_path(script, id, around));
        let target = found.map_or(InstanceTarget::Unknown, InstanceTarget::Known);
        self.modules.targets.insert(id, target);
        target
    }

    fn follow_module_path(
        &mut self,
        script: &ScopeTable,
        id: DeclarationId,
        around: Option<DeclarationId>,
    ) -> Option<DeclarationId> {
        let Declaration::Instance { module, .. } = self.ast.declaration(id) else {
            return None;
        };
        let (first, further) = module.segments.split_first()?;
        let (mut entry, mut home) = self.look_outwards(script, first.symbol, around)?;
        for segment in further {
            let inside = match entry.kind {
                NameKind::Module => entry.declaration?,
                NameKind::Instance => match self.find_target(script, entry.declaration?, home) {
                    InstanceTarget::Known(module) => module,
                    _ => return None,
                },
                _ => return None,
            };
            entry = self.modules.member(inside, segment.symbol)?;
            home = Some(inside);
        }
        (entry.kind == NameKind::Module)
            .then_some(entry.declaration)
            .flatten()
    }

    /// The entry of `symbol` in the modules from `around` outwards or in the script, and the module
    /// that has it.
    fn look_outwards(
        &self,
        script: &ScopeTable,
        symbol: Symbol,
        mut around: Option<DeclarationId>,
    ) -> Option<(ScopeEntry, Option<DeclarationId>)> {
        // No frame has been pushed yet, so names are looked up in the tables of the modules.
        while let Some(module) = around {
            if let Some(entry) = self.modules.member(module, symbol) {
                return Some((entry, around));
            }
            around = self.modules.modules.get(&module)?.around;
        }
        Some((*script.names.get(&symbol)?, None))
    }

    /// Reports each module that contains an instance of a module that contains an instance of it,
    /// and so on. A module without parameters counts as an instance of itself where it stands.
    fn check_instantiation(&mut self) {
        let mut edges: FxHashMap<DeclarationId, Vec<(DeclarationId, DeclarationId)>> =
            FxHashMap::default();
        for &(instance, around) in &self.modules.instances {
            if let (Some(around), Some(target)) = (around, self.modules.target(instance)) {
                edges.entry(around).or_default().push((target, instance));
            }
        }
        for &id in &self.modules.order {
            for &inner in &self.modules.modules[&id].inner {
                // Such a module has no instance declaration: it labels the edge itself.
                if self.parameters(inner).is_empty() {
                    edges.entry(id).or_default().push((inner, inner));
                }
            }
        }
        for culprit in find_cycles(&self.modules.order, &edges) {
            self.cyclic_instance(culprit);
        }
    }

    fn cyclic_instance(&mut self, id: DeclarationId) {
        let name = match self.ast.declaration(id) {
            Declaration::Instance { name, .. } | Declaration::Module { name, .. } => *name,
            _ => return,
        };
        let text = self.ast.name(name.symbol);
        let message =
            format!("to instantiate `{text}` one would first have to instantiate `{text}`");
        self.diagnostics
            .push(Diagnostic::error("cyclic-instance", message).at(name.span, ""));
    }

    /// Resolves the declaration `instance I = M(e)`.
    pub(super) fn instance(&mut self, id: DeclarationId, module: &QualifiedName, given: usize) {
        let Some(found) = self.find(module, self.scopes.depth()) else {
            return;
        };
        let text = self.path_text(module);
        match found.entry {
            Some(ScopeEntry {
                kind: NameKind::Module,
                declaration: Some(target),
                ..
            }) => {
                self.out.instances.insert(id, found.reference);
                let wanted = self.parameters(target).len();
                if wanted != given {
                    let message = format!(
                        "module `{text}` takes {}, but here it gets {given}",
                        count(wanted)
                    );
                    let error = Diagnostic::error("wrong-arity", message).at(module.span(), "");
                    self.diagnostics
                        .push(error.at(self.declaration_name_span(target), "declared here"));
                }
            }
            other => {
                let kind = other.map_or("a built-in", |entry| entry.kind.noun());
                let message = format!("`{text}` is {kind}, so it has no instances");
                self.diagnostics
                    .push(Diagnostic::error("not-a-module", message).at(module.span(), ""));
            }
        }
    }
}

/// `1 argument`, `2 arguments`.
pub(super) fn count(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_string(),
        1 => "1 argument".to_string(),
        n => format!("{n} arguments"),
    }
}

type Edges = FxHashMap<DeclarationId, Vec<(DeclarationId, DeclarationId)>>;

/// The labels of edges that close a cycle in a depth-first search.
fn find_cycles(nodes: &[DeclarationId], edges: &Edges) -> Vec<DeclarationId> {
    let mut on_path: FxHashMap<DeclarationId, bool> = FxHashMap::default();
    let mut culprits = Vec::new();
    let from = |id: &DeclarationId| edges.get(id).map_or(&[][..], Vec::as_slice);
    for &root in nodes {
        if on_path.contains_key(&root) {
            continue;
        }
        on_path.insert(root, true);
        let mut path = vec![(root, from(&root).iter())];
        while let Some((node, remaining)) = path.last_mut() {
            let Some(&(next, label)) = remaining.next() else {
                on_path.insert(*node, false);
                path.pop();
                continue;
            };
            match on_path.get(&next) {
                Some(true) => culprits.push(label),
                Some(false) => {}
                None => {
                    on_path.insert(next, true);
                    path.push((next, from(&next).iter()));
                }
            }
        }
    }
    culprits
}
