//! Random components and specifications that are closed under the group of a shape, as scripts and
//! as transition systems.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::symmetry_systems::alphabet::Event;
use crate::symmetry_systems::dice::Dice;
use crate::symmetry_systems::lts::{Lts, explore};

use super::product::Component;
use super::shape::{Images, Shape};

/// A channel and its fields, which are points.
type Tuple = (usize, Vec<usize>);

/// A state of a random process: its control point, and a point that it holds.
type State = (usize, Option<usize>);

/// Transitions, and their start.
struct Template {
    start: State,
    rows: BTreeMap<State, BTreeSet<(Event, State)>>,
}

impl Template {
    /// The system of the states, the start first, and the state with each number.
    fn explored(&self) -> (Lts, Vec<State>) {
        let steps = |state: &State| {
            let row = self.rows.get(state).into_iter().flatten();
            row.copied().collect()
        };
        explore(self.start, usize::MAX, steps).expect("no limit")
    }

    /// Moves the start to `start` if that leads to equal states, which keeps the symmetry.
    fn start_at(&mut self, start: State) {
        let states = |template: &Self| BTreeSet::from_iter(template.explored().1);
        let before = (self.start, states(self));
        self.start = start;
        if states(self) != before.1 {
            self.start = before.0;
        }
    }
}

/// A random system of some shape.
pub(crate) struct World {
    pub(crate) shape: Shape,
    /// The channel and fields of each event from 2 on, since τ and ✓ come first.
    tuples: Vec<Tuple>,
    /// The values of each field of each channel.
    channels: Vec<Vec<BTreeSet<String>>>,
    /// The components. Those that belong to a point come first, in the order of the points.
    pub(crate) components: Vec<Component>,
    /// The component of each point.
    component_of: Vec<Option<usize>>,
    pub(crate) hidden: BTreeSet<Event>,
    /// The specifications, in normal form.
    pub(crate) specifications: Vec<Lts>,
    /// The script without assertions.
    pub(crate) script: String,
}

/// The largest number of states of a normal form.
const NORMAL_FORM_STATES: usize = 100;

impl World {
    /// The world number `seed`.
    pub(crate) fn random(seed: usize) -> Self {
        let mut dice = Dice::new(seed + 1_000_000);
        let shape = Shape::random(seed, &mut dice);
        let mut world = Self {
            component_of: vec![None; shape.values.len()],
            shape,
            tuples: Vec::new(),
            channels: Vec::new(),
            components: Vec::new(),
            hidden: BTreeSet::new(),
            specifications: Vec::new(),
            script: String::new(),
        };
        world.add_channels(&mut dice);
        world.declare();
        world.add_components(&mut dice);
        world.add_specifications(&mut dice);
        world
    }

    /// One or two channels for each kind of process, one or two for each kind of pair.
    fn add_channels(&mut self, dice: &mut Dice) {
        let processes = |&point: &usize| self.shape.is_process[point];
        let points = self.orbits_of_points();
        let mut starts: Vec<Vec<usize>> = Vec::new();
        for start in points.iter().map(|orbit| orbit[0]).filter(processes) {
            starts.extend(vec![vec![start]; 1 + dice.below(2)]);
        }
        for &(from, to) in &self.shape.pairs {
            starts.extend(vec![vec![from, to]; 1 + usize::from(dice.chance(30))]);
        }
        for fields in starts {
            let channel = self.channels.len();
            let images = self.shape.group.iter().map(|images| moved(images, &fields));
            let tuples: BTreeSet<Vec<usize>> = images.collect();
            let values = |field: usize| {
                let points = tuples.iter().map(|tuple| tuple[field]);
                points
                    .map(|point| self.shape.values[point].clone())
                    .collect()
            };
            self.channels.push((0..fields.len()).map(values).collect());
            let hides = fields.len() > 1 && dice.chance(40);
            for tuple in tuples {
                if hides {
                    self.hidden.insert(self.tuples.len() + 2);
                }
                self.tuples.push((channel, tuple));
            }
        }
    }

    /// A component for each process, the shared one, and the system.
    fn add_components(&mut self, dice: &mut Dice) {
        for orbit in self.orbits_of_points() {
            if self.shape.is_process[orbit[0]] {
                self.add_orbit(&orbit, dice);
            }
        }
        if self.shape.has_shared {
            // The shared component takes part in all channels but one.
            let channel = self.tuples[dice.below(self.tuples.len())].0;
            let concerns = |&event: &Event| self.tuples[event - 2].0 != channel;
            let alphabet: BTreeSet<Event> = self.events().filter(concerns).collect();
            let template = self.template(None, &alphabet, dice);
            self.add_component(&template, alphabet);
        }
        let count = self.components.len();
        let mut text = String::new();
        // The clauses of one function stand together.
        for number in 0..count {
            let alphabet = self.set(&self.components[number].alphabet);
            writeln!(text, "ALPHABET({number}) = {alphabet}").unwrap();
        }
        for number in 0..count {
            writeln!(text, "START({number}) = C{number}_0").unwrap();
        }
        let hidden = self.set(&self.hidden);
        let last = count - 1;
        let system = format!("(|| c : {{0..{last}}} @ [ALPHABET(c)] START(c)) \\ {hidden}");
        self.script += &format!("{text}IMPL = {system}\n");
    }

    /// A component for each point of an orbit, equal up to the group and their starts.
    fn add_orbit(&mut self, orbit: &[usize], dice: &mut Dice) {
        let first = orbit[0];
        let of = |world: &Self, point| -> BTreeSet<Event> {
            let concerns = |&event: &Event| world.tuples[event - 2].1.contains(&point);
            world.events().filter(concerns).collect()
        };
        let template = self.template(Some(first), &of(self, first), dice);
        // One of the components may be ahead of the others.
        let ahead = dice.chance(40).then(|| dice.pick(orbit));
        for &point in orbit {
            let group = self.shape.group.iter();
            let images = group.clone().find(|images| images[first] == point).unwrap();
            let mut template = self.image(&template, images);
            if ahead == Some(point) {
                template.start_at((1, None));
            }
            self.component_of[point] = Some(self.components.len());
            self.add_component(&template, of(self, point));
        }
    }

    fn add_component(&mut self, template: &Template, alphabet: BTreeSet<Event>) {
        let lts = template.explored().0;
        let name = format!("C{}", self.components.len());
        self.script += &self.processes(&name, &lts);
        let lts = lts.minimised();
        self.components.push(Component { lts, alphabet });
    }

    /// Random transitions, closed under the elements of the group that fix `point`, or under all
    /// elements if there is no point.
    fn template(
        &self,
        point: Option<usize>,
        events: &BTreeSet<Event>,
        dice: &mut Dice,
    ) -> Template {
        let controls = 2 + dice.below(2);
        let holds = point.is_none() || dice.chance(25);
        let fixing = |images: &&Images| point.is_none_or(|point| images[point] == point);
        let group: Vec<&Images> = self.shape.group.iter().filter(fixing).collect();
        let mut template = Template {
            start: (0, None),
            rows: BTreeMap::new(),
        };
        let events: Vec<Event> = events.iter().copied().collect();
        let mut wanted: Vec<Event> = events.clone();
        wanted.retain(|_| dice.chance(85));
        wanted.extend((0..4).map(|_| dice.pick(&events)));
        for event in wanted {
            let fields = &self.tuples[event - 2].1;
            let held = |dice: &mut Dice| (holds && dice.chance(60)).then(|| dice.pick(fields));
            let from = (dice.below(controls), held(dice));
            let to = (dice.below(controls), held(dice));
            for images in &group {
                let (from, event) = self.step_image(images, (from, event));
                let row = template.rows.entry(from).or_default();
                row.insert((event, moved_state(images, to)));
            }
        }
        template
    }

    /// The specification of all events, and two closed under the group up to their starts.
    fn add_specifications(&mut self, dice: &mut Dice) {
        let visible: Vec<Event> = self
            .events()
            .filter(|event| !self.hidden.contains(event))
            .collect();
        for sort in 0..3 {
            let mut template = Template {
                start: (0, None),
                rows: BTreeMap::new(),
            };
            let mut decided = BTreeSet::new();
            let points: Vec<Option<usize>> = if sort == 0 {
                vec![None]
            } else {
                let orbit = dice.pick(&self.orbits_of_points());
                [None]
                    .into_iter()
                    .chain(orbit.into_iter().map(Some))
                    .collect()
            };
            for control in 0..points.len().min(2) {
                for &held in &points {
                    for &event in &visible {
                        let step = ((control, held), event);
                        if decided.contains(&step) {
                            continue;
                        }
                        let to = self.target(step, &points, sort, dice);
                        for images in &self.shape.group {
                            let (from, event) = self.step_image(images, step);
                            decided.insert((from, event));
                            if let Some(to) = to {
                                let row = template.rows.entry(from).or_default();
                                row.insert((event, moved_state(images, to)));
                            }
                        }
                    }
                }
            }
            if sort == 2 {
                template.start = (0, dice.pick(&points));
            }
            let lts = template.explored().0;
            if let Some(normal_form) = lts.normal_form(NORMAL_FORM_STATES) {
                let name = format!("S{}", self.specifications.len());
                let text = self.processes(&name, &lts);
                self.script += &format!("{text}SPEC{} = {name}_0\n", self.specifications.len());
                self.specifications.push(normal_form);
            }
        }
    }

    /// The target of a specification by `event` from a state; `None` if it does not allow the
    /// event. The elements that fix state and event fix the target.
    fn target(
        &self,
        (from, event): (State, Event),
        points: &[Option<usize>],
        sort: usize,
        dice: &mut Dice,
    ) -> Option<State> {
        if sort == 0 {
            return Some(from);
        }
        let mut targets = vec![from, from, from, (0, None), (1, from.1)];
        let fields = self.tuples[event - 2].1.iter().map(|&point| Some(point));
        let known = fields.filter(|field| points.contains(field));
        targets.extend(known.map(|field| (0, field)));
        (!dice.chance(12)).then(|| dice.pick(&targets))
    }

    fn step_image(&self, images: &Images, (from, event): (State, Event)) -> (State, Event) {
        (moved_state(images, from), self.event_image(images, event))
    }

    /// The image of each event under a permutation of points.
    pub(crate) fn lifted(&self, images: &Images) -> Vec<Event> {
        let visible = self.events().map(|event| self.event_image(images, event));
        [0, 1].into_iter().chain(visible).collect()
    }

    /// The image of each component under a permutation of points.
    pub(crate) fn moved_components(&self, images: &Images) -> Vec<usize> {
        let mut moved: Vec<usize> = (0..self.components.len()).collect();
        for (point, component) in self.component_of.iter().enumerate() {
            if let (Some(from), Some(to)) = (component, self.component_of[images[point]]) {
                moved[*from] = to;
            }
        }
        moved
    }

    /// The name of each event from 2 on.
    pub(crate) fn names(&self) -> Vec<String> {
        self.events().map(|event| self.name(event)).collect()
    }

    fn events(&self) -> impl Iterator<Item = Event> + use<> {
        2..self.tuples.len() + 2
    }

    fn event_image(&self, images: &Images, event: Event) -> Event {
        let (channel, fields) = &self.tuples[event - 2];
        let image = (*channel, moved(images, fields));
        self.tuples
            .iter()
            .position(|tuple| *tuple == image)
            .unwrap()
            + 2
    }

    fn orbits_of_points(&self) -> Vec<Vec<usize>> {
        let orbit = |point: usize| -> BTreeSet<usize> {
            self.shape
                .group
                .iter()
                .map(|images| images[point])
                .collect()
        };
        let orbits: BTreeSet<BTreeSet<usize>> = (0..self.shape.values.len()).map(orbit).collect();
        orbits
            .into_iter()
            .map(|orbit| orbit.into_iter().collect())
            .collect()
    }

    fn image(&self, template: &Template, images: &Images) -> Template {
        let row = |(&from, row): (&State, &BTreeSet<(Event, State)>)| {
            let row = row.iter();
            let row =
                row.map(|&(event, to)| (self.event_image(images, event), moved_state(images, to)));
            (moved_state(images, from), row.collect())
        };
        Template {
            start: template.start,
            rows: template.rows.iter().map(row).collect(),
        }
    }

    /// A process for each state, called `name` and a number.
    fn processes(&self, name: &str, lts: &Lts) -> String {
        let mut text = String::new();
        for (state, row) in lts.rows.iter().enumerate() {
            let branch =
                |&(event, to): &(Event, usize)| format!("{} -> {name}_{to}", self.name(event));
            let branches: Vec<String> = row.iter().map(branch).collect();
            let body = if branches.is_empty() {
                "STOP".to_string()
            } else {
                branches.join(" [] ")
            };
            writeln!(text, "{name}_{state} = {body}").unwrap();
        }
        text
    }

    fn name(&self, event: Event) -> String {
        let (channel, fields) = &self.tuples[event - 2];
        let fields = fields
            .iter()
            .map(|&point| format!(".{}", self.shape.values[point]));
        format!("c{channel}{}", fields.collect::<String>())
    }

    fn set(&self, events: &BTreeSet<Event>) -> String {
        let names: Vec<String> = events.iter().map(|&event| self.name(event)).collect();
        format!("{{{}}}", names.join(", "))
    }

    /// The labels and the channels.
    fn declare(&mut self) {
        let labels = self
            .shape
            .values
            .iter()
            .filter(|value| value.starts_with('L'));
        let labels: Vec<&str> = labels.map(String::as_str).collect();
        if !labels.is_empty() {
            self.script += &format!("datatype LABEL = {}\n", labels.join(" | "));
        }
        for (number, fields) in self.channels.iter().enumerate() {
            let set = |values: &BTreeSet<String>| {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                format!("{{{}}}", values.join(", "))
            };
            let fields: Vec<String> = fields.iter().map(set).collect();
            self.script += &format!("channel c{number} : {}\n", fields.join("."));
        }
    }
}

fn moved(images: &Images, fields: &[usize]) -> Vec<usize> {
    fields.iter().map(|&point| images[point]).collect()
}

fn moved_state(images: &Images, (control, held): State) -> State {
    (control, held.map(|point| images[point]))
}
