//! Free variables: the parameters, generator and input variables on which a value depends.
//!
//! During resolution every use of a name is noted down for the innermost *site* (prefix
//! continuation, lambda or argument) and the innermost *definition* around it. Such a variable is a
//! pair (number of the frame counted from the script's, slot), which is unambiguous along one chain
//! of frames. Afterwards definitions are followed into each other until nothing changes, then sites
//! are put together from the inside outwards.

use rustc_hash::{FxHashMap, FxHashSet};

use super::resolved::Place;
use super::scope::{Binding, NameKind};
use syntax::ast::{DeclarationId, ExprId};

/// (frame, slot).
type Variable = (u32, u32);

#[derive(Default)]
struct Uses {
    variables: Vec<Variable>,
    definitions: Vec<DeclarationId>,
}

/// A part of the script whose free variables are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SiteKind {
    /// A prefix continuation or a lambda.
    Code,
    /// A part evaluated by need: an argument of a function, or a part of a tuple, sequence or set.
    Argument,
    /// A part that decides the first steps of a process: a condition, the channel and fields of a
    /// prefix, or the statements of a replicated operator.
    Part,
}

struct Site {
    expression: ExprId,
    kind: SiteKind,
    /// The innermost frame at the site.
    depth: u32,
    parent: Option<usize>,
    uses: Uses,
}

struct DefinitionUses {
    declaration: DeclarationId,
    /// The frame that holds the definition.
    depth: u32,
    uses: Uses,
}

/// The uses of names that resolution has met.
#[derive(Default)]
pub(super) struct Recorder {
    /// The sites. Outer sites stand before those inside them.
    sites: Vec<Site>,
    definitions: Vec<DefinitionUses>,
    index: FxHashMap<DeclarationId, usize>,
    site: Option<usize>,
    definition: Option<usize>,
}

/// The site and definition around another one, to return to.
#[must_use]
pub(super) struct AroundSite {
    site: Option<usize>,
    definition: Option<usize>,
}

/// The free variables for [`super::resolved::Resolved::free`] and the fields after it.
#[derive(Default)]
pub(super) struct Free {
    pub(super) sites: FxHashMap<ExprId, Vec<Place>>,
    pub(super) arguments: FxHashMap<ExprId, Vec<Place>>,
    pub(super) parts: FxHashMap<ExprId, Vec<Place>>,
    pub(super) definitions: FxHashMap<DeclarationId, Vec<Place>>,
}

impl Recorder {
    /// Starts the site `expression`. Frame `depth` is the innermost one at the site.
    pub(super) fn enter_site(
        &mut self,
        expression: ExprId,
        kind: SiteKind,
        depth: u32,
    ) -> AroundSite {
        let around = AroundSite {
            site: self.site,
            definition: self.definition,
        };
        self.sites.push(Site {
            expression,
            kind,
            depth,
            parent: self.site,
            uses: Uses::default(),
        });
        self.site = Some(self.sites.len() - 1);
        around
    }

    /// Starts, or continues, a definition that frame `depth` holds. A definition inside a site is
    /// not part of the site's expression: its uses count only if the site uses the definition.
    pub(super) fn enter_definition(
        &mut self,
        declaration: DeclarationId,
        depth: u32,
    ) -> AroundSite {
        let around = AroundSite {
            site: self.site,
            definition: self.definition,
        };
        // A pattern declaration is entered twice: for its pattern and for its body.
        let index = *self.index.entry(declaration).or_insert_with(|| {
            self.definitions.push(DefinitionUses {
                declaration,
                depth,
                uses: Uses::default(),
            });
            self.definitions.len() - 1
        });
        // At the top level nothing is free, so nothing need be noted.
        self.definition = (depth > 0).then_some(index);
        self.site = None;
        around
    }

    /// Returns to the site and definition that were around.
    pub(super) fn leave(&mut self, around: AroundSite) {
        self.site = around.site;
        self.definition = around.definition;
    }

    /// Notes a use of `binding`. `in_module` says that its frame is that of a module.
    pub(super) fn used(&mut self, binding: &Binding, in_module: bool) {
        match (binding.entry.kind, binding.entry.declaration) {
            // A built-in depends on nothing, not even on the instance of the module that imports
            // it.
            (NameKind::Import(_), _) => return,
            (NameKind::Variable, _) => self.variable((binding.depth, binding.entry.slot)),
            (NameKind::Constant | NameKind::Function, Some(declaration)) => {
                self.definition_used(declaration, binding.depth);
            }
            // Channels, constructors, types and modules depend on nothing but the instance around
            // them.
            _ => {}
        }
        if in_module && binding.entry.kind != NameKind::Variable {
            // The frame around a module's declarations says which instance this is, in slot 0.
            self.variable((binding.depth - 1, 0));
        }
    }

    /// Notes a use of the definition `declaration` that frame `depth` holds.
    pub(super) fn definition_used(&mut self, declaration: DeclarationId, depth: u32) {
        if depth == 0 {
            return; // Nothing is free in a definition at the top level.
        }
        // A site inside a definition belongs to it, so a use counts for both.
        if let Some(site) = self.site {
            self.sites[site].uses.definitions.push(declaration);
        }
        if let Some(definition) = self.definition {
            self.definitions[definition]
                .uses
                .definitions
                .push(declaration);
        }
    }

    fn variable(&mut self, variable: Variable) {
        if let Some(site) = self.site {
            self.sites[site].uses.variables.push(variable);
        }
        if let Some(definition) = self.definition {
            self.definitions[definition].uses.variables.push(variable);
        }
    }

    /// The free variables of all definitions and sites.
    pub(super) fn finish(mut self) -> Free {
        let variables = self.follow_definitions();
        let mut free = self.gather_sites(&variables);
        for (definition, variables) in self.definitions.iter().zip(variables) {
            let mut variables: Vec<Variable> = variables.into_iter().collect();
            free.definitions.insert(
                definition.declaration,
                places(&mut variables, definition.depth),
            );
        }
        free
    }

    /// The least sets in which each definition has its own variables and those of the definitions
    /// it uses, as far as they are outside it. Each (definition, variable) pair is handled once.
    fn follow_definitions(&mut self) -> Vec<FxHashSet<Variable>> {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.definitions.len()];
        let mut sets: Vec<FxHashSet<Variable>> = vec![FxHashSet::default(); self.definitions.len()];
        let mut pending: Vec<(usize, Variable)> = Vec::new();
        for (user, definition) in self.definitions.iter_mut().enumerate() {
            definition.uses.definitions.sort_unstable();
            definition.uses.definitions.dedup();
            for used in &definition.uses.definitions {
                if let Some(&used) = self.index.get(used) {
                    users[used].push(user);
                }
            }
            pending.extend(
                definition
                    .uses
                    .variables
                    .iter()
                    .map(|&variable| (user, variable)),
            );
        }
        while let Some((definition, variable)) = pending.pop() {
            // A variable of the definition's own frames is bound, so its users do not depend on it.
            let outside = variable.0 <= self.definitions[definition].depth;
            if outside && sets[definition].insert(variable) {
                pending.extend(users[definition].iter().map(|&user| (user, variable)));
            }
        }
        sets
    }

    /// The free variables of the sites. Those of an inner site belong to the outer site too, as far
    /// as they are outside it.
    fn gather_sites(&mut self, definitions: &[FxHashSet<Variable>]) -> Free {
        let mut free = Free::default();
        // Inner sites come last, so that popping meets each before the site around it.
        while let Some(site) = self.sites.pop() {
            let mut variables = site.uses.variables;
            let mut used = site.uses.definitions;
            used.sort_unstable();
            used.dedup();
            for definition in used {
                if let Some(&definition) = self.index.get(&definition) {
                    variables.extend(&definitions[definition]);
                }
            }
            // Inner frames belong to the site, so their variables are bound there.
            variables.retain(|&(frame, _)| frame <= site.depth);
            let of_kind = match site.kind {
                SiteKind::Code => &mut free.sites,
                SiteKind::Argument => &mut free.arguments,
                SiteKind::Part => &mut free.parts,
            };
            of_kind.insert(site.expression, places(&mut variables, site.depth));
            if let Some(parent) = site.parent {
                self.sites[parent].uses.variables.append(&mut variables);
            }
        }
        free
    }
}

/// The places of `variables` seen from frame `depth`, sorted. `variables` become sorted and unique.
fn places(variables: &mut Vec<Variable>, depth: u32) -> Vec<Place> {
    variables.sort_unstable();
    variables.dedup();
    let mut places: Vec<Place> = variables
        .iter()
        .map(|&(frame, slot)| Place {
            up: depth - frame,
            slot,
        })
        .collect();
    // `up` counts from the inside, so the order of the frames has turned round.
    places.sort_unstable();
    places
}
