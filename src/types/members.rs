//! The names of modules: collecting them, and reaching members.

use super::declare::NameCollector;
use super::modules::Module;
use super::resolver::Resolver;
use super::scope::{Access, FrameKind, NameKind, ScopeEntry, ScopeTable};
use base::diag::Diagnostic;
use base::stack::deep;
use syntax::ast::{Declaration, DeclarationId, Identifier, PatternId};

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
            let mut collector = NameCollector {
                resolver: self,
                table: ScopeTable::default(),
                modules: Vec::new(),
                access: Access::Private,
            };
            collector.declarations(private);
            collector.access = Access::Exported;
            collector.declarations(exports);
            let NameCollector {
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
                    // The parameters of the module are not bound here. Only constructors and
                    // channels decide which names in a pattern are variables, and no parameter
                    // hides one of these.
                    self.enter_module(id);
                    let mut bound = self.bind_declared_patterns(private, Access::Private);
                    bound.extend(self.bind_declared_patterns(exports, Access::Exported));
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

    /// The module in whose declaration frame the member after `name` is found. `entry` is the
    /// meaning of `name`.
    pub(super) fn module_behind(
        &mut self,
        entry: ScopeEntry,
        name: Identifier,
    ) -> Option<DeclarationId> {
        let text = self.ast.name(name.symbol);
        match (entry.kind, entry.declaration) {
            (NameKind::Instance, Some(instance)) => self.modules.target(instance),
            (NameKind::Module, Some(module)) if self.parameters(module).is_empty() => Some(module),
            (NameKind::Module, Some(module)) => {
                let message =
                    format!("module `{text}` has parameters, so only its instances have members");
                let error = Diagnostic::error("module-needs-instance", message).at(name.span, "");
                let instance = self.modules.instance_of(module);
                self.diagnostics
                    .push(match instance.and_then(|id| self.instance_name(id)) {
                        Some(instance) => error.did_you_mean(
                            &format!("its instance `{instance}`"),
                            name.span,
                            instance,
                        ),
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
