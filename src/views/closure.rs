//! The views of a parameterised process, closed under steps.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::alphabet::EventParticipants;
use super::certain::SharedEvent;
use super::guess::{combinations, guesses};
use super::merge::Sights;
use super::model::{Partial, PartialModel};
use super::newcomer::Newcomer;
use super::scene::{EventNumber, FamilyQuestion, LocalId};
use super::value::{IdRenaming, Loose, Restriction};
use base::cancel::Cancellation;
use base::diag::Result;
use base::order::ascending;

/// The numbers of views and of the work that found them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Views {
    /// The number of identities in sight of a view.
    pub size: usize,
    /// The number of identities in sight of a step.
    pub joined: usize,
    /// The number of views, up to the names of identities.
    pub views: usize,
    /// The number of states that were put together from views.
    pub joins: usize,
    /// The largest value of the parameter about which the views say nothing, because it has too few
    /// identities.
    pub instances: usize,
    /// The parameter less the number of identities; negative if there are more identities.
    pub missing: i64,
}

/// All views, closed under steps.
pub struct ClosedViews<'s> {
    /// The numbers of the views.
    pub summary: Views,
    pub(super) model: PartialModel<'s>,
    /// The number of each view, under each order of its identities.
    pub(super) known: FxHashMap<Partial, usize>,
}

/// The answer that the views give.
pub enum Finding<'s> {
    /// No view leads to a violation: the answer is yes for each value of the parameter that is
    /// greater than [`Views::instances`].
    Holds(Box<ClosedViews<'s>>),
    /// Views lead to a possible violation: the specification may refuse this event.
    Open(String),
    /// Views lead to a possible deadlock.
    MayDeadlock,
}

/// The views found so far.
pub(super) struct ViewClosure<'s> {
    pub(super) model: PartialModel<'s>,
    participants: EventParticipants,
    size: usize,
    /// The number of identities in sight of a step.
    pub(super) joined: usize,
    /// The number of each view, under each order of its identities.
    known: FxHashMap<Partial, usize>,
    /// The views by all but their last identity, as far as these show.
    by_first: FxHashMap<Partial, Rc<Vec<Partial>>>,
    /// The views by all but their last identity, and by the last one alone.
    by_both: FxHashMap<(Partial, Partial), Rc<Vec<Partial>>>,
    /// The views whose steps are not known yet, each in one order.
    open: Vec<Partial>,
    views: usize,
    joins: usize,
    placed: FxHashMap<(LocalId, u64), LocalId>,
    renamed: FxHashMap<(LocalId, u64), LocalId>,
    loose: FxHashMap<LocalId, LocalId>,
    merged: FxHashMap<(LocalId, u32, LocalId, u32), Option<LocalId>>,
    /// The largest number of identities that were in sight.
    pub(super) most_seen: usize,
    /// States with events that the specification may refuse, as far as the identities in sight
    /// show. They are checked again with more identities in sight when all views are known.
    doubtful: Vec<(Partial, EventNumber)>,
    /// Events without which some state would be stuck, with the nodes at which an identity out of
    /// sight may hinder them.
    shared: BTreeSet<SharedEvent>,
}

/// The largest number of first numbers that are read in both ways, as number and as identity.
const MOST_NUMBERED: u32 = 4;

/// The largest number of identities in sight for which steps are looked at.
const MOST_JOINED: usize = 8;

/// The number of second looks that are taken at once: most failures show early, and a failure with
/// the views known so far remains one.
const FIRST_DOUBTS: usize = 256;

/// The largest number of views that are collected.
const MOST_VIEWS: usize = 200_000;

/// Tries to decide the question by views of `size` identities.
pub fn close<'s>(
    question: &FamilyQuestion<'s>,
    size: usize,
    token: &Cancellation,
) -> Result<Finding<'s>> {
    let mut model = PartialModel::new(question, 0)?;
    let places = model.numbered()?.min(MOST_NUMBERED);
    let problem = match closed(model, size, token) {
        Err(problem) if places > 0 => problem,
        finding => return finding,
    };
    // The number of the first identity, with which a server begins, may mean that identity. It is
    // read in each way: where a number meets an identity, or a computation uses an identity, the
    // reading is refused. So a reading that is not refused is right.
    for named in 1..1 << places {
        token.step()?;
        let model = PartialModel::new(question, named);
        let finding = model.and_then(|model| closed(model, size, token));
        if finding.is_ok() {
            return finding;
        }
    }
    Err(problem)
}

/// Adds views until there are no more, or one leads to a possible violation.
fn closed<'s>(
    mut model: PartialModel<'s>,
    size: usize,
    token: &Cancellation,
) -> Result<Finding<'s>> {
    let participants = model.participants()?;
    let mut closure = ViewClosure::new(model, participants, size);
    let joined = closure.joined;
    if joined > MOST_JOINED {
        return Err(closure
            .model
            .refused("events name too many identities at once"));
    }
    for state in closure.model.initial(joined)? {
        closure.add_views_of(&state)?;
    }
    while let Some(view) = closure.open.pop() {
        closure.take_up(&view);
        for state in closure.joined_with(view) {
            token.step()?;
            if closure.may_deadlock(&state)? {
                return Ok(Finding::MayDeadlock);
            }
            if let Some(event) = closure.expand(&state)? {
                return Ok(Finding::Open(closure.model.show(event)));
            }
        }
    }
    // The processes that block each of these events have to be in sight at once.
    if closure.shared.len() > joined {
        return Ok(Finding::MayDeadlock);
    }
    // Only at this point all views are known.
    for (state, event) in std::mem::take(&mut closure.doubtful) {
        token.step()?;
        if closure.fails(&state, event)? {
            return Ok(Finding::Open(closure.model.show(event)));
        }
    }
    Ok(Finding::Holds(Box::new(closure.finished()?)))
}

impl<'s> ViewClosure<'s> {
    fn new(model: PartialModel<'s>, participants: EventParticipants, size: usize) -> Self {
        let joined = size + participants.most_outside();
        Self {
            model,
            participants,
            size,
            joined,
            known: FxHashMap::default(),
            by_first: FxHashMap::default(),
            by_both: FxHashMap::default(),
            open: Vec::new(),
            views: 0,
            joins: 0,
            placed: FxHashMap::default(),
            renamed: FxHashMap::default(),
            loose: FxHashMap::default(),
            merged: FxHashMap::default(),
            most_seen: joined,
            doubtful: Vec::new(),
            shared: BTreeSet::new(),
        }
    }

    /// The finished views, with the parameters that they decide.
    fn finished(self) -> Result<ClosedViews<'s>> {
        let parameter = &self.model.scenes[0].interpreter.identities.parameter;
        let Some(missing) = parameter.missing() else {
            let name = parameter.name();
            return Err(self.model.refused(format!(
                "{name} is not the size of a set of identities here"
            )));
        };
        // Although others were brought into sight, some identity is assumed to be still out of
        // sight. The participants in an event were found with three identities in sight, and the
        // certain ones with one more than in the state.
        let scenes = self.model.scenes.iter();
        let asked = scenes.filter(|scene| scene.outside.is_some());
        let asked = asked.map(|scene| usize::from(scene.arrangement.count()) + 1);
        let seen = self.most_seen.max(3).max(asked.max().unwrap_or(0)) as i64;
        let summary = Views {
            instances: (seen + missing).max(seen) as usize,
            missing,
            size: self.size,
            joined: self.joined,
            views: self.views,
            joins: self.joins,
        };
        Ok(ClosedViews {
            summary,
            model: self.model,
            known: self.known,
        })
    }

    /// True if the process may be stuck in `state`, and the question is about deadlocks.
    fn may_deadlock(&mut self, state: &Partial) -> Result<bool> {
        match self.model.question.specification {
            Some(_) => Ok(false),
            None => Ok(!self.model.certainly_moves(state, &mut self.shared)?),
        }
    }

    /// All states with as many identities in sight as a step that have the view `view` and
    /// otherwise known views.
    fn joined_with(&mut self, view: Partial) -> Vec<Partial> {
        let mut joins = vec![view];
        for count in self.size..self.joined {
            let mut longer = Vec::new();
            for state in &joins {
                longer.extend(self.extended(state, count, Newcomer::Anybody));
            }
            joins = longer;
        }
        joins
    }

    /// Adds the views of a state's successors. Returns an event at which refinement may fail.
    fn expand(&mut self, state: &Partial) -> Result<Option<EventNumber>> {
        self.joins += 1;
        for step in self.model.steps(state)? {
            let mut next = state.to_vec();
            for &(at, local) in &step.moves {
                next[at] = local;
            }
            if !step.is_visible {
                self.add_views_of(&next.into())?;
                continue;
            }
            let acceptance = self.model.acceptance(state, step.event)?;
            let names_others = self.model.events[step.event].others() > 0;
            if acceptance.may_refuse && names_others {
                // The event has another name with the named identities in sight, so there is no
                // second look. But if all identities that it concerns can be in sight, this is
                // decided in states with them in sight.
                if !self.has_all_in_sight(step.event) {
                    return Ok(Some(step.event));
                }
            } else if acceptance.may_refuse {
                if self.doubtful.len() < FIRST_DOUBTS && self.fails(state, step.event)? {
                    return Ok(Some(step.event));
                }
                self.doubtful.push((Rc::clone(state), step.event));
            }
            for moves in acceptance.moves {
                let mut next = next.clone();
                for (at, local) in moves {
                    next[at] = local;
                }
                self.add_views_of(&next.into())?;
            }
        }
        Ok(None)
    }

    /// True if some other state has all identities in sight that an event like `event` names, asks,
    /// or has refusing it.
    fn has_all_in_sight(&self, event: EventNumber) -> bool {
        let event = &self.model.events[event];
        let concerned = self.participants.most_concerned(event);
        concerned.is_some_and(|concerned| concerned <= self.joined)
    }

    /// Adds the views of `state`, which has as many identities in sight as a step.
    fn add_views_of(&mut self, state: &Partial) -> Result<()> {
        for ids in chosen(self.joined, self.size) {
            let view = self.view(state, &ids, self.joined);
            if self.known.contains_key(&view) {
                continue;
            }
            self.views += 1;
            if self.views > MOST_VIEWS {
                return Err(self
                    .model
                    .refused(format!("there are more than {MOST_VIEWS} views")));
            }
            self.open.push(Rc::clone(&view));
            for order in orders(self.size) {
                let ordered = self.view(&view, &order, self.size);
                self.known.insert(ordered, self.views - 1);
            }
        }
        Ok(())
    }

    /// Joins `view` with others from now on. A state is put together once: when the last of its
    /// views is taken up.
    fn take_up(&mut self, view: &Partial) {
        let last = self.size as u8 - 1;
        let first: Vec<u8> = (0..last).collect();
        let orders = orders(self.size);
        let ordered = orders.iter().map(|order| self.view(view, order, self.size));
        for view in ascending(ordered) {
            let key = self.key(&view, &first, self.size);
            let alone = self.key(&view, &[last], self.size);
            let both = self.by_both.entry((Rc::clone(&key), alone));
            Rc::make_mut(both.or_default()).push(Rc::clone(&view));
            Rc::make_mut(self.by_first.entry(key).or_default()).push(view);
        }
    }

    /// The view of `state` that has only the identities `ids` in sight, in this order. `state` has
    /// `count` identities in sight.
    fn view(&mut self, state: &[LocalId], ids: &[u8], count: usize) -> Partial {
        let (servers, own) = (self.model.servers, self.model.own);
        let mut view = Vec::with_capacity(servers + ids.len() * own);
        for &local in &state[..servers] {
            view.push(self.placed(local, ids, count));
        }
        for &id in ids {
            let at = servers + usize::from(id) * own;
            for &local in &state[at..at + own] {
                view.push(self.placed(local, ids, count));
            }
        }
        view.into()
    }

    /// `local` with only the identities `ids` in sight, renamed to their places. In the state of
    /// `local`, `count` identities are in sight.
    fn placed(&mut self, local: LocalId, ids: &[u8], count: usize) -> LocalId {
        let mut code = count as u64;
        for &id in ids {
            code = code << 4 | u64::from(id + 1);
        }
        if let Some(known) = self.placed.get(&(local, code)) {
            return *known;
        }
        let kept = ids.iter().map(|id| 1u32 << id).sum();
        let mut numbers = vec![0; count];
        for (number, &id) in (0..).zip(ids) {
            numbers[usize::from(id)] = number;
        }
        let state = &self.model.locals[local];
        let state = state.mapped(&Restriction {
            kept,
            count: count as u8,
        });
        let image = self
            .model
            .locals
            .intern(state.mapped(&IdRenaming(&numbers)));
        self.placed.insert((local, code), image);
        image
    }

    /// A local state of a view, with its identities renamed to `ids`.
    pub(super) fn renamed(&mut self, local: LocalId, ids: &[u8]) -> LocalId {
        let mut code = 1u64;
        for &id in ids {
            code = code << 4 | u64::from(id + 1);
        }
        if let Some(known) = self.renamed.get(&(local, code)) {
            return *known;
        }
        let state = self.model.locals[local].mapped(&IdRenaming(ids));
        let image = self.model.locals.intern(state);
        self.renamed.insert((local, code), image);
        image
    }

    /// The local state that looks like `left` to the identities of the first mask, and like `right`
    /// to those of the other; `None` if there is none.
    fn merged(
        &mut self,
        left: LocalId,
        in_left: u32,
        right: LocalId,
        in_right: u32,
    ) -> Option<LocalId> {
        let key = (left, in_left, right, in_right);
        if let Some(known) = self.merged.get(&key) {
            return *known;
        }
        let sights = Sights {
            left: in_left,
            right: in_right,
        };
        let state = sights.local(&self.model.locals[left], &self.model.locals[right]);
        let merged = state.map(|state| self.model.locals.intern(state));
        self.merged.insert(key, merged);
        merged
    }

    /// All states that extend `state` by identity `count`, the newcomer, and have only known views.
    pub(super) fn extended(
        &mut self,
        state: &Partial,
        count: usize,
        newcomer: Newcomer,
    ) -> Vec<Partial> {
        let (servers, own) = (self.model.servers, self.model.own);
        let new = servers + count * own;
        let mut locals = state.to_vec();
        locals.resize(new + own, LocalId(0));
        let mut known = vec![(1u32 << count) - 1; new + own];
        known[new..].fill(0);
        let mut found = vec![Growing { locals, known }];
        let mut rounds = chosen(count, self.size - 1);
        // Most identities are not the wanted one, and views that show this come first.
        rounds.sort_by_key(|ids| !newcomer.shows_beside(ids));
        for (number, ids) in (0..).zip(rounds) {
            let shows = newcomer.shows_beside(&ids);
            let key = self.key(state, &ids, count);
            let mut places = ids;
            places.push(count as u8);
            let mut next = Vec::new();
            for growing in &found {
                // The view of the new identity alone is known after the first round.
                let views = match number {
                    0 => self.by_first.get(&key[..]),
                    _ => {
                        let alone = self.alone(growing, count);
                        self.by_both.get(&(Rc::clone(&key), alone))
                    }
                };
                for view in views.cloned().unwrap_or_default().iter() {
                    next.extend(self.grown(growing, view, &places));
                }
            }
            if shows {
                next.retain(|growing| newcomer.is_it(&self.model, &growing.locals, count as u8));
            }
            found = next;
        }
        let mut all: Vec<Partial> = match self.size {
            1 => found
                .into_iter()
                .flat_map(|growing| self.guessed(&growing, count + 1))
                .collect(),
            _ => found
                .into_iter()
                .map(|growing| growing.locals.into())
                .collect(),
        };
        // Neighbours may agree in pairs and yet form no ring.
        all.retain(|state| {
            self.model.arrangement(state).is_some()
                && newcomer.is_it(&self.model, state, count as u8)
        });
        ascending(all)
    }

    /// The view of `growing` with only its last identity, of number `count`, in sight.
    fn alone(&mut self, growing: &Growing, count: usize) -> Partial {
        let new = self.model.servers + count * self.model.own;
        let own = (0..self.model.servers).chain(new..growing.locals.len());
        let own: Vec<LocalId> = own.map(|at| growing.locals[at]).collect();
        own.iter()
            .map(|&local| {
                let alone = self.placed(local, &[count as u8], count + 1);
                self.loose(alone)
            })
            .collect()
    }

    /// The view with the identities `ids`, without its knowledge of set members out of sight: one
    /// view may know that a set has none of them, and another not.
    fn key(&mut self, state: &[LocalId], ids: &[u8], count: usize) -> Partial {
        let view = self.view(state, ids, count);
        view.iter().map(|&local| self.loose(local)).collect()
    }

    fn loose(&mut self, local: LocalId) -> LocalId {
        if let Some(known) = self.loose.get(&local) {
            return *known;
        }
        let state = self.model.locals[local].mapped(&Loose);
        let loose = self.model.locals.intern(state);
        self.loose.insert(local, loose);
        loose
    }

    /// `growing` with the knowledge of `view` about `places`; `None` if they disagree.
    fn grown(&mut self, growing: &Growing, view: &Partial, places: &[u8]) -> Option<Growing> {
        let (servers, own) = (self.model.servers, self.model.own);
        let mask: u32 = places.iter().map(|id| 1u32 << id).sum();
        let of_places = places.iter().flat_map(|&id| {
            let at = servers + usize::from(id) * own;
            at..at + own
        });
        let slots = (0..servers).chain(of_places);
        // Most views do not fit, so nothing is copied before this view is known to fit.
        let mut locals: SmallVec<[LocalId; 16]> = SmallVec::new();
        for (at, &local) in slots.clone().zip(view.iter()) {
            let local = self.renamed(local, places);
            locals.push(match growing.known[at] {
                0 => local,
                known => self.merged(growing.locals[at], known, local, mask)?,
            });
        }
        let mut grown = growing.clone();
        for (at, local) in slots.zip(locals) {
            grown.locals[at] = local;
            grown.known[at] |= mask;
        }
        Some(grown)
    }

    /// The states that `growing` may be, if views of one identity do not show which identities in
    /// sight it remembers. Each identity that it remembers out of its sight may be one of those in
    /// sight, or none.
    fn guessed(&mut self, growing: &Growing, count: usize) -> Vec<Partial> {
        let all = (1u32 << count) - 1;
        let places = growing.locals.iter().zip(&growing.known);
        let options = places.map(|(&local, &known)| {
            let guesses = guesses(&self.model.locals[local], all & !known).into_iter();
            guesses
                .map(|state| self.model.locals.intern(state))
                .collect()
        });
        combinations(options).into_iter().map(Into::into).collect()
    }
}

/// A state that is being put together.
#[derive(Clone)]
struct Growing {
    locals: Vec<LocalId>,
    /// For each local state, the mask of the identities that it is known to name or not to name.
    known: Vec<u32>,
}

/// All ways to choose `size` of the numbers below `count`, each ascending.
pub(super) fn chosen(count: usize, size: usize) -> Vec<Vec<u8>> {
    let masks = 0u32..1 << count;
    let masks = masks.filter(|mask| mask.count_ones() as usize == size);
    let members = |mask: u32| {
        (0..count as u8)
            .filter(|id| mask & (1 << id) != 0)
            .collect()
    };
    masks.map(members).collect()
}

/// All orders of the numbers below `size`.
fn orders(size: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for id in 0..size as u8 {
        let longer = all.iter().flat_map(|order: &Vec<u8>| {
            (0..=order.len()).map(|at| {
                let mut order = order.clone();
                order.insert(at, id);
                order
            })
        });
        all = longer.collect();
    }
    all
}
