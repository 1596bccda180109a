//! Modules: which names they have, and how members are reached.

use rustc_hash::FxHashMap;

use super::declare::{Collector, Table};
use super::resolve::Resolver;
use super::scope::{Entry, FrameKind, Kind};
use crate::base::stack::deep;
use crate::diag::Diagnostic;
use crate::syntax::ast::{Declaration, DeclarationId, Identifier, PatternId, Symbol};

/// All modules of the script, by their declarations.
#[derive(Default)]
pub(super) struct Modules {
    pub(super) modules: FxHashMap<DeclarationId, Module>,
    /// In the order of the script, each with the module around it.
    pub(super) instances: Vec<(DeclarationId, Option<DeclarationId>)>,
    /// The modules that instances instantiate.
    pub(super) targets: FxHashMap<DeclarationId, Target>,
    /// The modules themselves in the order of the script.
    pub(super) order: Vec<DeclarationId>,
}

/// One module.
pub(super) struct Module {
    /// The module it stands in.
    pub(super) around: Option<DeclarationId>,
    pub(super) table: Table,
    /// Modules directly inside it.
    pub(super) inner: Vec<DeclarationId>,
}

/// What an instance instantiates.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// Being looked for: to come by this again is a cycle.
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
            collector.declarations(private);
            collector.exported = true;
            collector.declarations(exports);
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
}
