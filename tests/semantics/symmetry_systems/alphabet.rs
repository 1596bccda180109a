//! The events of random systems: channels over identities, and the effect of permutations of
//! identities on them.

/// An event by its number; 0 is τ and 1 is ✓.
pub(crate) type Event = usize;

pub(crate) const TAU: Event = 0;
pub(crate) const TICK: Event = 1;

/// A channel by its position in [`CHANNELS`].
pub(crate) type Channel = usize;

/// The names of channels and the numbers of their fields, which are all identities.
pub(crate) const CHANNELS: [(&str, usize); 7] = [
    ("p", 0),
    ("q", 0),
    ("a", 1),
    ("b", 1),
    ("c", 1),
    ("d", 2),
    ("t", 2),
];

pub(crate) const P: Channel = 0;
pub(crate) const Q: Channel = 1;
pub(crate) const A: Channel = 2;
pub(crate) const B: Channel = 3;
pub(crate) const C: Channel = 4;
pub(crate) const D: Channel = 5;
pub(crate) const T: Channel = 6;

/// The identities of a script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alphabet {
    /// The number of identities: two or more.
    pub(crate) ids: usize,
    /// True if the identities are the numbers from 0; false if they are constructors of a datatype.
    pub(crate) integers: bool,
}

impl Alphabet {
    /// An identity as CSPm.
    pub(crate) fn id(&self, id: usize) -> String {
        if self.integers {
            id.to_string()
        } else {
            format!("I{}", id + 1)
        }
    }

    /// The declarations of identities and channels, and the functions that go round in a ring.
    pub(crate) fn declarations(&self) -> String {
        let names: Vec<String> = (0..self.ids).map(|id| self.id(id)).collect();
        let ids = if self.integers {
            format!("ID = {{0..{}}}", self.ids - 1)
        } else {
            format!("datatype ID = {}", names.join(" | "))
        };
        let channel = |&(name, fields): &(&str, usize)| match fields {
            0 => format!("channel {name}\n"),
            1 => format!("channel {name} : ID\n"),
            _ => format!("channel {name} : ID.ID\n"),
        };
        let channels: String = CHANNELS.iter().map(channel).collect();
        let next = self.step("next", 1);
        let previous = self.step("previous", self.ids - 1);
        format!("{ids}\n{channels}channel done\n{next}{previous}")
    }

    fn step(&self, name: &str, by: usize) -> String {
        let clause = |id| {
            let to = (id + by) % self.ids;
            format!("{name}({}) = {}\n", self.id(id), self.id(to))
        };
        (0..self.ids).map(clause).collect()
    }

    fn size(&self, channel: Channel) -> usize {
        self.ids.pow(CHANNELS[channel].1 as u32)
    }

    /// The event of `channel` with these fields.
    pub(crate) fn event(&self, channel: Channel, fields: &[usize]) -> Event {
        let start: usize = (0..channel).map(|before| self.size(before)).sum();
        let place = fields.iter().fold(0, |place, id| place * self.ids + id);
        2 + start + place
    }

    /// All events of `channel`, each with its fields.
    pub(crate) fn events_of(&self, channel: Channel) -> Vec<(Event, Vec<usize>)> {
        let tuples = match CHANNELS[channel].1 {
            0 => vec![vec![]],
            1 => (0..self.ids).map(|x| vec![x]).collect(),
            _ => (0..self.ids)
                .flat_map(|x| (0..self.ids).map(move |y| vec![x, y]))
                .collect(),
        };
        let event = |fields: Vec<usize>| (self.event(channel, &fields), fields);
        tuples.into_iter().map(event).collect()
    }

    /// All visible events, each with its channel and its fields.
    pub(crate) fn visible(&self) -> Vec<(Event, Channel, Vec<usize>)> {
        let of = |channel| {
            let events = self.events_of(channel).into_iter();
            events.map(move |(event, fields)| (event, channel, fields))
        };
        (0..CHANNELS.len()).flat_map(of).collect()
    }

    /// The image of each event under the lifting of a permutation of identities.
    pub(crate) fn lifted(&self, sigma: &[usize]) -> Vec<Event> {
        let mut images = vec![TAU, TICK];
        for (event, channel, fields) in self.visible() {
            assert_eq!(event, images.len());
            let fields: Vec<usize> = fields.iter().map(|&id| sigma[id]).collect();
            images.push(self.event(channel, &fields));
        }
        images
    }

    /// All permutations of the identities, the identity first.
    pub(crate) fn permutations(&self) -> Vec<Vec<usize>> {
        let mut found = vec![Vec::new()];
        for _ in 0..self.ids {
            let longer = |start: &Vec<usize>| {
                let free = (0..self.ids).filter(|id| !start.contains(id));
                free.map(|id| [start.as_slice(), &[id]].concat())
                    .collect::<Vec<_>>()
            };
            found = found.iter().flat_map(longer).collect();
        }
        found
    }
}
