//! The images of the state of a walk by symmetries: plain data, which is also the JSON object.

mod text;

use serde::Serialize;

use super::walk::WalkReport;

/// The orbit of the state that a walk has come to: its images under the symmetries of a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct OrbitReport {
    /// The script, as it was named.
    pub file: String,
    /// The process that is walked, as CSPm.
    pub process: String,
    /// The assertion that it is walked for, as CSPm; absent if it is walked by itself.
    pub assertion: Option<String>,
    /// The assertion whose check has these symmetries: of a process P that is walked by itself,
    /// `P :[divergence free]`.
    pub check: String,
    /// True if the symmetries have to fix the initial states.
    pub start_fixed: bool,
    /// The number of symmetries; decimal, of any size.
    pub order: String,
    /// The structure of their group, such as `S3`.
    pub structure: String,
    /// The number of steps of the walk that lead to the state.
    pub steps: usize,
    /// The components of the machine, from left to right, as they started.
    pub components: Vec<String>,
    /// The number of images, the state itself included; absent if there are too many to list.
    pub size: Option<usize>,
    /// The state itself first, then its images, at most 200.
    pub images: Vec<OrbitImage>,
    /// The symmetries that leave the state as it is; absent if there are too many images.
    pub stabiliser: Option<StabiliserReport>,
    /// The representative that a search stores for the state; absent if it stores nothing, because
    /// the specification has forbidden what was done or allows everything.
    pub representative: Option<RepresentativeReport>,
    /// The walk moved by the permutation that was asked for; absent if none was.
    pub applied: Option<Box<AppliedPermutation>>,
}

/// A state of an orbit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct OrbitImage {
    /// A permutation that takes the state of the walk to this image: cycles of values such as `(B
    /// C)` where it is a lifting of them; `()` moves nothing.
    pub permutation: String,
    /// True if these are cycles of values or events alone, which can be asked for by `apply`.
    pub plain: bool,
    /// True if that permutation moves the initial states: then it need not be possible to reach
    /// this state.
    pub moves_start: bool,
    /// By component, its state in this image, in its present values.
    pub states: Vec<String>,
    /// The events that can be done in this state, `τ` and `✓` among them.
    pub offers: Vec<String>,
    /// The events that the specification allows next; absent where no symmetry moves the
    /// specification, and where it has forbidden what was done or allows everything.
    pub allows: Option<Vec<String>>,
}

/// The symmetries that leave a state as it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct StabiliserReport {
    /// The number of these symmetries. Times the number of images, it is the number of all
    /// symmetries.
    pub order: String,
    /// Generators of these symmetries.
    pub generators: Vec<String>,
    /// All these symmetries; absent if there are many.
    pub elements: Option<Vec<String>>,
}

/// The representative of a state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RepresentativeReport {
    /// The function that finds it: `sortRep`, `genRep` and others; absent in plain search, where
    /// each state represents itself.
    pub method: Option<&'static str>,
    /// True if all states of an orbit have one representative for certain.
    pub unique: bool,
    /// True if it is the state itself.
    pub itself: bool,
    /// The representative, and the permutation that leads to it.
    pub image: OrbitImage,
}

/// A walk moved by a permutation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct AppliedPermutation {
    /// The permutation, as it was asked for.
    pub permutation: String,
    /// True if it moves the initial states: then the moved walk is one of the moved process.
    pub moves_start: bool,
    /// True if it moves the state that the walk has come to.
    pub moves_state: bool,
    /// The image of that state.
    pub image: OrbitImage,
    /// By step of the walk, its name and that of the step of the moved walk.
    pub steps: Vec<MovedStep>,
    /// The moved walk, which was taken step by step.
    pub walk: WalkReport,
}

/// A step of a walk, and its image.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MovedStep {
    /// The name of the step.
    pub step: String,
    /// The name of the step that it is moved to.
    pub image: String,
}
