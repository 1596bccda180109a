//! An orbit for people: the images of a state, with the permutations that lead to them.

use super::super::events::set;
use super::{AppliedPermutation, OrbitImage, OrbitReport, RepresentativeReport, StabiliserReport};
use base::brief::brief;
use base::number::plain;

/// The most images that are listed.
const MOST_IMAGES: usize = 24;

impl OrbitReport {
    /// The orbit, the stabiliser and the representative, in a few lines.
    pub fn text(&self) -> String {
        let fixed = match self.start_fixed {
            true => " that fix the start",
            false => "",
        };
        let symmetries = match self.order.as_str() {
            "1" => format!("no symmetries{fixed} but the one that moves nothing"),
            order => format!("{} symmetries{fixed}: {}", brief(order), self.structure),
        };
        let mut text = format!("the check of {} has {symmetries}\n", self.check);
        match self.size {
            Some(1) => {
                text.push_str("orbit: this state alone; every symmetry leaves it as it is\n")
            }
            Some(size) => text.push_str(&format!("orbit: {}\n", plain(size, "state"))),
            None => text.push_str("orbit: too many states to count\n"),
        }
        for image in self.images.iter().take(MOST_IMAGES) {
            text.push_str(&self.image_text(image));
        }
        let size = self.size.unwrap_or(usize::MAX);
        if size > self.images.len().min(MOST_IMAGES) {
            text.push_str("  and more\n");
        }
        if let (Some(stabiliser), Some(size)) = (&self.stabiliser, self.size) {
            text.push_str(&stabiliser.text(&self.order, size));
        }
        match &self.representative {
            Some(representative) => text.push_str(&representative.text()),
            None => text.push_str("representative: none, because no search goes beyond this\n"),
        }
        text
    }

    /// The text on the walk moved by the permutation that was asked for; empty if none was.
    pub fn applied_text(&self) -> String {
        let Some(applied) = &self.applied else {
            return String::new();
        };
        let mut text = applied.run_text();
        text.push_str(&self.image_text(&applied.image));
        if applied.moves_start {
            let offers = set(&applied.image.offers);
            text.push_str(&format!("      offers {offers}\n"));
        }
        text
    }

    /// The text of an image: the components that are not as in the state of the walk; of that state
    /// all.
    fn image_text(&self, image: &OrbitImage) -> String {
        let present = &self.images[0];
        let is_present = image.permutation == "()";
        let name = match (is_present, image.moves_start) {
            (true, _) => "this state".to_string(),
            (false, true) => format!("by {}, which moves the start", image.permutation),
            (false, false) => format!("by {}", image.permutation),
        };
        let mut text = format!("  {name}\n");
        let both = image.states.iter().zip(&present.states);
        for ((state, before), component) in both.zip(&self.components) {
            if is_present || state != before {
                let own = match (state == component, is_present) {
                    (true, true) => state.clone(),
                    (true, false) => format!("{component} is as it started"),
                    (false, _) => format!("{component} is {state}"),
                };
                text.push_str(&format!("      {own}\n"));
            }
        }
        if let Some(allows) = image
            .allows
            .as_ref()
            .filter(|&a| is_present || present.allows.as_ref() != Some(a))
        {
            text.push_str(&format!("      the specification allows {}\n", set(allows)));
        }
        text
    }
}

impl StabiliserReport {
    fn text(&self, order: &str, size: usize) -> String {
        let (order, own) = (brief(order), brief(&self.order));
        let made = match self.generators.is_empty() {
            true => "only the one that moves nothing leaves it as it is".to_string(),
            false => format!(
                "{own} leave it as it is, made from {}",
                self.generators.join(", ")
            ),
        };
        format!("stabiliser: {made}; {order} = {size} × {own}\n")
    }
}

impl RepresentativeReport {
    fn text(&self) -> String {
        let method = self
            .method
            .map_or(String::new(), |name| format!(" ({name})"));
        let which = match self.itself {
            true => "this state itself".to_string(),
            false => format!("the state by {}", self.image.permutation),
        };
        format!("representative: {which}{method}\n")
    }
}

impl AppliedPermutation {
    /// The text on how the run is moved, and whether it is then a run of the same process.
    fn run_text(&self) -> String {
        let name = &self.permutation;
        let mut text = match self.moves_start {
            true => format!(
                "{name} moves the start: the moved run is one of the moved process, not of the process itself\n"
            ),
            false => format!("{name} fixes the start: the moved run is a run too\n"),
        };
        let width = self.steps.iter().map(|step| step.step.chars().count());
        let width = width.max().unwrap_or_default();
        for step in &self.steps {
            let gap = " ".repeat(width - step.step.chars().count());
            text.push_str(&format!("  {}{gap}  becomes  {}\n", step.step, step.image));
        }
        if !self.moves_state {
            text.push_str("the state stays as it is\n");
        }
        text
    }
}
