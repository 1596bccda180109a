//! Recognises a group by its action on points: as symmetric, cyclic, dihedral, a product, or a
//! wreath product.

use num_bigint::BigUint;

use crate::permutations::action::GroupAction;
use crate::permutations::blocks::{System, systems};

use super::effort::Effort;
use super::fibre::{Candidate, Fibre};
use super::recognised::Structure;
use super::rings::{is_cyclic, is_dihedral};
use super::supports::split;
use super::{name, sets};

/// The form of the group of some action. The actions inside it have generators that correspond to
/// those of that action.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// All permutations of the members of a family.
    Symmetric {
        /// The action on the members.
        action: GroupAction,
        /// By point, the member that it is; `None` if it is no member.
        member: Vec<Option<u32>>,
    },
    /// A direct product of groups, each with the points that it acts on.
    Product(Vec<FormFactor>),
    /// A wreath product: the inner group acts on each of several blocks, which the outer one
    /// permutes.
    Wreath {
        inner: Box<Form>,
        outer: Box<Form>,
        fibre: Fibre,
    },
    /// The form of an action on other things than the points, whose number is given.
    Elsewhere(usize, Box<Form>),
    /// Nothing more is known of it.
    Plain(Structure),
}

#[derive(Clone, Debug)]
pub(super) struct FormFactor {
    pub(super) points: Vec<u32>,
    pub(super) order: BigUint,
    pub(super) form: Form,
}

/// The extent to which recognition still goes, limited so that it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    /// Other actions of the group are looked for.
    Wide,
    /// Only the given points and blocks of them are looked at.
    Narrow,
}

/// The most block systems of one orbit that are looked at.
const SYSTEMS: usize = 60;
/// The most points of an orbit whose block systems are looked for.
const LARGEST_ORBIT: usize = 5000;

/// Returns the form of the group of `action`, of `order` elements; [`Structure::Other`] if it is
/// not found before the effort is spent.
pub(super) fn recognise(action: &GroupAction, order: &BigUint, effort: &mut Effort) -> Form {
    let parts = split(action, order, effort);
    if parts.is_empty() {
        return Form::Plain(Structure::Trivial);
    }
    let factors = parts.into_iter().map(|part| FormFactor {
        form: component(&action.restricted(&part.points), &part.order, effort),
        points: part.points,
        order: part.order,
    });
    Form::Product(factors.collect())
}

/// Returns the form of the group of `action`, of `order` elements, if it does not split.
pub(super) fn component(action: &GroupAction, order: &BigUint, effort: &mut Effort) -> Form {
    let other = || Form::Plain(Structure::Other(order.clone()));
    search(action, order, Width::Wide, effort).unwrap_or_else(other)
}

fn search(
    action: &GroupAction,
    order: &BigUint,
    width: Width,
    effort: &mut Effort,
) -> Option<Form> {
    if let Some(form) = natural(action, order, effort)? {
        return Some(form);
    }
    let systems = candidates(action, order, effort)?;
    // Cheap answers come first; actions on sets of points, which cost most, are the last resort.
    let faithful: Vec<&Candidate> = systems.iter().filter(|c| c.order == *order).collect();
    let degree_fits = |candidate: &&&Candidate| is_factorial(order, candidate.on_blocks.points);
    if let Some(candidate) = faithful.iter().find(degree_fits) {
        return Some(Form::Symmetric {
            action: candidate.on_blocks.clone(),
            member: vec![None; action.points],
        });
    }
    let plain = |structure| Some(Form::Plain(structure));
    let elsewhere = |form| Some(Form::Elsewhere(action.points, Box::new(form)));
    if let Some(things) = is_cyclic(action, order, effort)? {
        return plain(Structure::Cyclic(things));
    }
    let ring = is_dihedral(action, order, effort)?;
    // D4 is also S2 wr S2, which has a forest of ids; its name is D4 either way. So it is taken for
    // a ring only if no other form is found.
    if let Some(things) = ring.filter(|&things| things != 4) {
        return plain(Structure::Dihedral(things));
    }
    if let Some(form) = wreath(action, order, &systems, effort)? {
        return Some(form);
    }
    for candidate in &faithful {
        let smaller = &candidate.on_blocks;
        let above = candidates(smaller, order, effort)?;
        if let Some(form) = wreath(smaller, order, &above, effort)? {
            return elsewhere(form);
        }
    }
    if width == Width::Wide {
        for largest in sets::LARGEST_CLASSES {
            for on_sets in sets::actions(action, order, largest, effort)? {
                // Sets of sets are not looked at, so the recursion ends.
                let form = search(&on_sets, order, Width::Narrow, effort)?;
                if !matches!(form, Form::Plain(..)) {
                    return elsewhere(form);
                }
            }
        }
    }
    if let Some(form) = grid(order, &systems, effort)? {
        return elsewhere(form);
    }
    match ring {
        Some(things) => plain(Structure::Dihedral(things)),
        None => plain(Structure::Other(order.clone())),
    }
}

/// True if `order` is `n`!.
fn is_factorial(order: &BigUint, n: usize) -> bool {
    // n! has n bits or more: so long products are not computed in vain.
    let bits = order.bits() as usize;
    n <= bits && *order == (1..=n).product::<BigUint>()
}

/// The form of a group that permutes the points of an orbit in every way, with all other points
/// determined by these.
fn natural(action: &GroupAction, order: &BigUint, effort: &mut Effort) -> Option<Option<Form>> {
    for orbit in action.orbits() {
        if !is_factorial(order, orbit.len()) {
            continue;
        }
        let on_orbit = action.restricted(&orbit);
        if orbit.len() == action.points || effort.order(&on_orbit, order)? == *order {
            let mut member = vec![None; action.points];
            for (number, &point) in (0..).zip(&orbit) {
                member[point as usize] = Some(number);
            }
            let action = on_orbit;
            return Some(Some(Form::Symmetric { action, member }));
        }
    }
    Some(None)
}

/// Block systems of the orbits, those with few blocks first. The points of an orbit count as blocks
/// too, if there are other orbits that could be divided among them.
fn candidates(
    action: &GroupAction,
    order: &BigUint,
    effort: &mut Effort,
) -> Option<Vec<Candidate>> {
    let orbits = action.orbits();
    let mut found = Vec::new();
    for orbit in &orbits {
        if orbit.len() > LARGEST_ORBIT {
            continue;
        }
        let on_orbit = action.restricted(orbit);
        // Following an image to its block takes about eight steps.
        let mut systems = systems(&on_orbit, SYSTEMS, &mut |images| effort.spend(8 * images))?;
        // The points of a single orbit are the action itself, which was looked at before.
        if orbits.len() > 1 {
            systems.push(System::singletons(orbit.len()));
        }
        for system in systems {
            let on_blocks = on_orbit.on_blocks(&system);
            let order = effort.order(&on_blocks, order)?;
            let mut of = vec![None; action.points];
            for (&point, &block) in orbit.iter().zip(&system.of) {
                of[point as usize] = Some(block);
            }
            found.push(Candidate {
                of,
                on_blocks,
                order,
            });
        }
    }
    found.sort_by_key(|candidate| candidate.on_blocks.points);
    Some(found)
}

/// The form of a wreath product: for r blocks and the group H on one of them, the group has all
/// |H|^r elements that move no block. Coarse systems come first, so that towers are kept from the
/// bottom up.
fn wreath(
    action: &GroupAction,
    order: &BigUint,
    systems: &[Candidate],
    effort: &mut Effort,
) -> Option<Option<Form>> {
    for candidate in systems {
        let blocks = candidate.on_blocks.points as u32;
        // |G| = |H|^r |K|: a root that is not whole rules the block system out at once.
        let kernel = order / &candidate.order;
        let inner_order = kernel.nth_root(blocks);
        if inner_order == BigUint::from(1u32)
            || inner_order.pow(blocks) * &candidate.order != *order
        {
            continue;
        }
        let Some(of) = candidate.aligned(action, order, effort)? else {
            continue;
        };
        let (mut fibre, inner) = Fibre::new(action, &candidate.on_blocks, &of);
        if effort.order(&inner, order)? == inner_order {
            let outer = component(&candidate.on_blocks, &candidate.order, effort);
            // All |H|^r elements are there only if the group on one block has no more elements than
            // the root.
            fibre.inner_order = inner_order.clone();
            fibre.outer_order = candidate.order.clone();
            return Some(Some(Form::Wreath {
                inner: Box::new(recognise(&inner, &inner_order, effort)),
                outer: Box::new(outer),
                fibre,
            }));
        }
    }
    Some(None)
}

/// The form of a product that moves the rows and the columns of a grid: two block systems on which
/// it acts independently, and which together tell all elements apart.
fn grid(order: &BigUint, systems: &[Candidate], effort: &mut Effort) -> Option<Option<Form>> {
    for (number, rows) in systems.iter().enumerate() {
        for columns in &systems[number + 1..] {
            // If the group on the rows has all elements, that on the columns has one: that is no
            // product.
            if &rows.order * &columns.order != *order || rows.order == *order {
                continue;
            }
            let both = rows.on_blocks.beside(&columns.on_blocks);
            if columns.order != *order && effort.order(&both, order)? == *order {
                let mut factor = |side: &Candidate| FormFactor {
                    points: Vec::new(),
                    order: side.order.clone(),
                    form: component(&side.on_blocks, &side.order, effort),
                };
                let form = Form::Product(vec![factor(rows), factor(columns)]);
                return Some(Some(form));
            }
        }
    }
    Some(None)
}

impl Form {
    /// The structure, which is also the name.
    pub(super) fn structure(&self, order: &BigUint) -> Structure {
        name::product(self.names(order))
    }

    /// The direct factors that are known, and their orders; `order` is that of the whole group.
    pub(super) fn names(&self, order: &BigUint) -> Vec<(BigUint, Structure)> {
        let structure = match self {
            Form::Product(factors) => {
                let names = |factor: &FormFactor| factor.form.names(&factor.order);
                return factors.iter().flat_map(names).collect();
            }
            Form::Elsewhere(_, form) => return form.names(order),
            Form::Symmetric { action, .. } => Structure::Symmetric(action.points),
            Form::Wreath {
                inner,
                outer,
                fibre,
            } => name::wreath(
                inner.structure(&fibre.inner_order),
                outer.structure(&fibre.outer_order),
            ),
            Form::Plain(structure) => structure.clone(),
        };
        vec![(order.clone(), structure)]
    }
}
