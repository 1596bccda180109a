//! Modules and their instances: which names they have, and what instantiates what.

use rustc_hash::FxHashMap;

use super::declare::{Collector, Level, Table};
use super::resolve::Resolver;
use super::scope::{Entry, FrameKind, Kind};
use crate::base::stack::deep;
use crate::diag::Diagnostic;
use crate::syntax::ast::{Declaration, DeclarationId, Identifier, Path, PatternId, Symbol};

/// All modules of the script, by their declarations.
#[derive(Default)]
pub(super) struct Modules {
    modules: FxHashMap<DeclarationId, Module>,
    /// In the order of the script, each with the module around it.
    instances: Vec<(DeclarationId, Option<DeclarationId>)>,
    /// The modules that instances instantiate.
    targets: FxHashMap<DeclarationId, Target>,
    /// The modules themselves in the order of the script.
    order: Vec<DeclarationId>,
}

struct Module {
    around: Option<DeclarationId>,
    table: Table,
    /// Modules directly inside it.
    inner: Vec<DeclarationId>,
}

#[derive(Clone, Copy)]
enum Target {
    InProgress,
    Known(DeclarationId),
    /// Its declaration is wrong.
    Unknown,
}

impl Modules {
    /// The entry of `symbol` among the declarations of `module`.
    pub(super) fn member(&self, module: DeclarationId, symbol: Symbol) -> Option<Entry> {
        self.modules.get(&module)?.table.names.get(&symbol).copied()
    }

    /// The members that can be seen from outside `module`.
    pub(super) fn exports(&self, module: DeclarationId) -> impl Iterator<Item = Symbol> {
        let names = self
            .modules
            .get(&module)
            .into_iter()
            .flat_map(|m| &m.table.names);
        names
            .filter(|(_, entry)| entry.exported)
            .map(|(symbol, _)| *symbol)
    }

    /// The module that `instance` is an instance of, if its declaration is right.
    pub(super) fn target(&self, instance: DeclarationId) -> Option<DeclarationId> {
        match self.targets.get(&instance) {
            Some(Target::Known(module)) => Some(*module),
            _ => None,
        }
    }

    /// All modules that have a member `symbol`, in the order of the script.
    pub(super) fn with_member(
        &self,
        symbol: Symbol,
    ) -> impl Iterator<Item = (DeclarationId, Entry)> {
        self.order
            .iter()
            .filter_map(move |&id| Some((id, self.member(id, symbol)?)))
    }

    /// Whether `module` stands where a module may stand.
    pub(super) fn contains(&self, module: DeclarationId) -> bool {
        self.modules.contains_key(&module)
    }

    /// An instance of `module`.
    pub(super) fn instance_of(&self, module: DeclarationId) -> Option<DeclarationId> {
        self.instances
            .iter()
            .map(|(id, _)| *id)
            .find(|id| self.target(*id) == Some(module))
    }
}

impl Resolver<'_> {
    /// Collects the names of these modules and of the modules inside them.
    pub(super) fn collect_modules(
        &mut self,
        found: Vec<DeclarationId>,
        around: Option<DeclarationId>,
    ) {
        for id in found {
            let Declaration::Module {
                private, exports, ..
            } = self.ast.declaration(id)
            else {
                self.modules.instances.push((id, around));
                continue;
            };
            let mut collector = Collector {
                resolver: self,
                table: Table::default(),
                modules: Vec::new(),
                exported: false,
            };
            collector.declarations(private, Level::Module);
            collector.exported = true;
            collector.declarations(exports, Level::Module);
            let Collector {
                table,
                modules: found,
                ..
            } = collector;
            let is_module = |id: &DeclarationId| {
                matches!(self.ast.declaration(*id), Declaration::Module { .. })
            };
            let inner = found.iter().copied().filter(is_module).collect();
            self.modules.modules.insert(
                id,
                Module {
                    around,
                    table,
                    inner,
                },
            );
            self.modules.order.push(id);
            deep(|| self.collect_modules(found, Some(id)));
        }
    }

    /// Finds the names that patterns bind in the modules among `declarations`.
    pub(super) fn bind_module_patterns(&mut self, declarations: &[DeclarationId]) {
        for &id in declarations {
            match self.ast.declaration(id) {
                Declaration::Include(_, inner) | Declaration::Timed(_, inner) => {
                    deep(|| self.bind_module_patterns(inner));
                }
                Declaration::Module {
                    private, exports, ..
                } => {
                    self.scopes.push(FrameKind::Plain, 1);
                    self.enter_module(id);
                    let mut bound = self.bind_declared_patterns(private, false);
                    bound.extend(self.bind_declared_patterns(exports, true));
                    deep(|| self.bind_module_patterns(private));
                    deep(|| self.bind_module_patterns(exports));
                    let size = self.scopes.pop();
                    self.scopes.pop();
                    if let Some(module) = self.modules.modules.get_mut(&id) {
                        module.table.names.extend(bound);
                        module.table.size = size;
                    }
                }
                _ => {}
            }
        }
    }

    /// Pushes the frame of the declarations of `module`.
    pub(super) fn enter_module(&mut self, module: DeclarationId) {
        let Some(found) = self.modules.modules.get(&module) else {
            self.scopes.push(FrameKind::Module, 0);
            return;
        };
        self.scopes.push(FrameKind::Module, found.table.size);
        for (symbol, entry) in &found.table.names {
            self.scopes.bind(*symbol, *entry);
        }
    }

    /// Finds the module of every instance, and checks that no instantiation goes in a circle.
    pub(super) fn find_instances(&mut self, script: &Table) {
        for (id, around) in self.modules.instances.clone() {
            self.find_target(script, id, around);
        }
        self.check_instantiation();
    }

    fn find_target(
        &mut self,
        script: &Table,
        id: DeclarationId,
        around: Option<DeclarationId>,
    ) -> Target {
        match self.modules.targets.get(&id) {
            Some(Target::InProgress) => {
                self.cyclic_instance(id);
                self.modules.targets.insert(id, Target::Unknown);
                return Target::Unknown;
            }
            Some(&known) => return known,
            None => {}
        }
        self.modules.targets.insert(id, Target::InProgress);
        let found = deep(|| self.follow_module_path(script, id, around));
        let target = found.map_or(Target::Unknown, Target::Known);
        self.modules.targets.insert(id, target);
        target
    }

    fn follow_module_path(
        &mut self,
        script: &Table,
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
                Kind::Module => entry.declaration?,
                Kind::Instance => match self.find_target(script, entry.declaration?, home) {
                    Target::Known(module) => module,
                    _ => return None,
                },
                _ => return None,
            };
            entry = self.modules.member(inside, segment.symbol)?;
            home = Some(inside);
        }
        (entry.kind == Kind::Module)
            .then_some(entry.declaration)
            .flatten()
    }

    /// The entry of `symbol` in the modules from `around` outwards or in the script, and the module that has it.
    fn look_outwards(
        &self,
        script: &Table,
        symbol: Symbol,
        mut around: Option<DeclarationId>,
    ) -> Option<(Entry, Option<DeclarationId>)> {
        while let Some(module) = around {
            if let Some(entry) = self.modules.member(module, symbol) {
                return Some((entry, around));
            }
            around = self.modules.modules.get(&module)?.around;
        }
        Some((*script.names.get(&symbol)?, None))
    }

    /// No module may contain an instance of a module that contains an instance of it, and so on. A
    /// module without parameters contains an instance of each such module directly inside it.
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

    /// The parameters of the module `id`.
    pub(super) fn parameters(&self, id: DeclarationId) -> &[PatternId] {
        match self.ast.declaration(id) {
            Declaration::Module { parameters, .. } => parameters,
            _ => &[],
        }
    }

    /// The module in whose declaration frame the member after `name` is found, where `name` means `entry`.
    pub(super) fn module_behind(
        &mut self,
        entry: Entry,
        name: Identifier,
    ) -> Option<DeclarationId> {
        let text = self.ast.name(name.symbol);
        match (entry.kind, entry.declaration) {
            (Kind::Instance, Some(instance)) => self.modules.target(instance),
            (Kind::Module, Some(module)) if self.parameters(module).is_empty() => Some(module),
            (Kind::Module, Some(module)) => {
                let message =
                    format!("module `{text}` has parameters, so only its instances have members");
                let error = Diagnostic::error("module-needs-instance", message).at(name.span, "");
                let instance = self.modules.instance_of(module);
                self.diagnostics
                    .push(match instance.and_then(|id| self.instance_name(id)) {
                        Some(instance) => {
                            error.hint(format!("did you mean its instance `{instance}`?"))
                        }
                        None => error.hint(format!(
                            "declare one: `instance I = {text}(...)`, then use `I::...`"
                        )),
                    });
                None
            }
            (kind, _) => {
                let message = format!("`{text}` is {}, not a module", kind.noun());
                let error = Diagnostic::error("not-a-module", message).at(name.span, "");
                self.diagnostics
                    .push(error.at(entry.span, "introduced here"));
                None
            }
        }
    }

    fn instance_name(&self, id: DeclarationId) -> Option<&str> {
        match self.ast.declaration(id) {
            Declaration::Instance { name, .. } => Some(self.ast.name(name.symbol)),
            _ => None,
        }
    }

    /// Resolves the declaration `instance I = M(e)`.
    pub(super) fn instance(&mut self, id: DeclarationId, module: &Path, given: usize) {
        let Some(found) = self.find(module, self.scopes.depth()) else {
            return;
        };
        let text = self.path_text(module);
        match found.entry {
            Some(Entry {
                kind: Kind::Module,
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
