//! The modules of a script: the names in each, and the modules that instances instantiate.

use rustc_hash::FxHashMap;

use super::scope::{Access, ScopeEntry, ScopeTable};
use syntax::ast::{DeclarationId, Symbol};

/// All modules of the script, by their declarations.
#[derive(Default)]
pub(super) struct Modules {
    pub(super) modules: FxHashMap<DeclarationId, Module>,
    /// The instances in the order of the script, each with the module around it.
    pub(super) instances: Vec<(DeclarationId, Option<DeclarationId>)>,
    /// The modules that instances instantiate.
    pub(super) targets: FxHashMap<DeclarationId, InstanceTarget>,
    /// The modules themselves in the order of the script.
    pub(super) order: Vec<DeclarationId>,
}

/// One module.
pub(super) struct Module {
    /// The module it stands in.
    pub(super) around: Option<DeclarationId>,
    pub(super) table: ScopeTable,
    /// Modules directly inside it.
    pub(super) inner: Vec<DeclarationId>,
}

/// The module that an instance instantiates.
#[derive(Clone, Copy)]
pub(super) enum InstanceTarget {
    /// The module is being looked for. If the search meets this mark again, there is a cycle.
    InProgress,
    Known(DeclarationId),
    /// The declaration of the instance is wrong.
    Unknown,
}

impl Modules {
    /// The entry of `symbol` among the declarations of `module`.
    pub(super) fn member(&self, module: DeclarationId, symbol: Symbol) -> Option<ScopeEntry> {
        self.modules.get(&module)?.table.names.get(&symbol).copied()
    }

    /// The members that can be seen from outside `module`.
    pub(super) fn exports(
        &self,
        module: DeclarationId,
    ) -> impl Iterator<Item = (Symbol, ScopeEntry)> {
        let module = self.modules.get(&module).into_iter();
        let names = module.flat_map(|module| &module.table.names);
        names
            .filter(|(_, entry)| entry.access == Access::Exported)
            .map(|(&symbol, &entry)| (symbol, entry))
    }

    /// The module that `instance` is an instance of; `None` if its declaration is wrong.
    pub(super) fn target(&self, instance: DeclarationId) -> Option<DeclarationId> {
        match self.targets.get(&instance) {
            Some(InstanceTarget::Known(module)) => Some(*module),
            _ => None,
        }
    }

    /// All modules that have a member `symbol`, in the order of the script.
    pub(super) fn with_member(
        &self,
        symbol: Symbol,
    ) -> impl Iterator<Item = (DeclarationId, ScopeEntry)> {
        self.order
            .iter()
            .filter_map(move |&id| Some((id, self.member(id, symbol)?)))
    }

    /// True if `module` stands where a module may stand.
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
