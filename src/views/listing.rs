//! The table of all views, as texts.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::arrangement::Arrangement;
use super::closure::ClosedViews;
use super::model::Partial;
use super::scene::{Built, LocalId};
use super::show::{ShownValues, identity};
use super::tree::{ProcessPlace, StructureNode};
use super::value::{Local, LocalCode};
use base::diag::Result;

/// All views, each with its identities in one order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewListing {
    /// The names of the identities in sight.
    pub identities: Vec<String>,
    /// The processes in sight.
    pub processes: Vec<ListedProcess>,
    /// The local state of each process in each view, in the order of `processes`.
    pub views: Vec<Vec<String>>,
}

/// A process in sight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedProcess {
    /// The process as it begins.
    pub name: String,
    /// The identity that it belongs to; `None` for a server.
    pub identity: Option<String>,
    /// True if it belongs to the specification.
    pub is_specification: bool,
}

impl ClosedViews<'_> {
    /// All views as text.
    pub fn listing(&mut self) -> Result<ViewListing> {
        let size = self.summary.size as u8;
        let arrangement = Arrangement::apart(size, self.model.is_ring);
        let built = self.model.built(&arrangement)?;
        let columns = self.columns(&built, size);
        let places: Vec<usize> = columns.iter().map(|(place, _)| *place).collect();
        let mut views: Vec<&Partial> = self.in_one_order(&places);
        views.sort_by_cached_key(|view| self.states(view, &places));
        let texts = places.iter().map(|&place| self.texts(&views, place));
        let texts: Vec<FxHashMap<LocalId, String>> = texts.collect();
        let rows = views.iter().map(|view| {
            let cells = places.iter().zip(&texts);
            cells.map(|(&place, texts)| texts[&view[place]].clone())
        });
        Ok(ViewListing {
            identities: (0..size).map(identity).collect(),
            views: rows.map(Iterator::collect).collect(),
            processes: columns.into_iter().map(|(_, process)| process).collect(),
        })
    }

    /// The processes in sight, those of the specification last, with their places in a view.
    fn columns(&self, built: &Built, size: u8) -> Vec<(usize, ListedProcess)> {
        let mut columns = self.columns_of(built, &built.implementation, false);
        if self.model.is_ring {
            columns.extend((0..size).map(|id| {
                let process = ListedProcess {
                    name: format!("neighbours of {}", identity(id)),
                    identity: Some(identity(id)),
                    is_specification: false,
                };
                (self.model.neighbours_of(id), process)
            }));
        }
        if let Some(specification) = &built.specification {
            columns.extend(self.columns_of(built, specification, true));
        }
        columns
    }

    /// The processes below `node`: first the servers, then the processes of each identity.
    fn columns_of(
        &self,
        built: &Built,
        node: &StructureNode,
        is_specification: bool,
    ) -> Vec<(usize, ListedProcess)> {
        let mut places = Vec::new();
        node.collect(&mut places);
        places.sort_unstable();
        let column = |place: ProcessPlace| {
            let beginning = &built.beginnings[0];
            let (states, identity) = match place {
                ProcessPlace::Server(number) => (&beginning.servers[number], None),
                ProcessPlace::Own(id, number) => {
                    (&beginning.own[usize::from(id)][number], Some(identity(id)))
                }
            };
            let texts = states.iter().map(|state| self.heading(state));
            let process = ListedProcess {
                name: texts.take(1).collect(),
                identity,
                is_specification,
            };
            (self.model.at(place), process)
        };
        places.into_iter().map(column).collect()
    }

    /// The text of a process that may begin in `state`. For the process that remembers a member of
    /// the specification, the names of the values that it remembers.
    fn heading(&self, state: &Local) -> String {
        match state.code {
            LocalCode::Member(parallel) => self.shown().variables_of(parallel).join(", "),
            _ => self.shown().local(state),
        }
    }

    /// For each number of a view, the order of its identities in which its local states come first.
    fn in_one_order(&self, places: &[usize]) -> Vec<&Partial> {
        let mut chosen: FxHashMap<usize, &Partial> = FxHashMap::default();
        for (view, &number) in &self.known {
            let best = chosen.entry(number).or_insert(view);
            if self.states(view, places) < self.states(best, places) {
                *best = view;
            }
        }
        chosen.into_values().collect()
    }

    /// The local states of a view.
    fn states(&self, view: &Partial, places: &[usize]) -> Vec<&Local> {
        let locals = places.iter().map(|&place| view[place]);
        locals.map(|local| &self.model.locals[local]).collect()
    }

    /// The texts of the local states that the process at `place` has in these views. All differ.
    fn texts(&self, views: &[&Partial], place: usize) -> FxHashMap<LocalId, String> {
        let locals: BTreeSet<LocalId> = views.iter().map(|view| view[place]).collect();
        let shown = self.shown();
        let mut alike: BTreeMap<String, Vec<LocalId>> = BTreeMap::new();
        for local in locals {
            let text = shown.local(&self.model.locals[local]);
            alike.entry(text).or_default().push(local);
        }
        let mut texts = FxHashMap::default();
        for (text, locals) in alike {
            let captured = locals
                .iter()
                .map(|&local| shown.captured(&self.model.locals[local]));
            let captured: Vec<Vec<String>> = captured.collect();
            for (number, local) in locals.into_iter().enumerate() {
                let text = format!("{text}{}", differing(&captured, number));
                texts.insert(local, text);
            }
        }
        texts
    }

    fn shown(&self) -> ShownValues<'_> {
        ShownValues(self.model.question.script)
    }
}

/// The values of item `number` of `all` at the places where not all items have equal values, as `
/// with r = j, s = {}`.
fn differing(all: &[Vec<String>], number: usize) -> String {
    let own = all[number].iter().enumerate();
    let differ = |place: usize| {
        all.iter()
            .any(|other| other.get(place) != all[number].get(place))
    };
    let differing = own.filter(|(place, _)| differ(*place));
    let differing: Vec<&str> = differing.map(|(_, value)| value.as_str()).collect();
    match &differing[..] {
        [] => String::new(),
        differing => format!(" with {}", differing.join(", ")),
    }
}
