//! The arguments of `graph`.

use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::super::memory::Memory;
use super::Reducing;
use checker::Options;
use process::compression::Compression;
use report::graph::{GraphGrouping, GraphOverview, StateGraph, TauLabel};

/// `graph EXPR FILE`
#[derive(Args, Debug)]
pub struct GraphCall {
    /// The process
    #[arg(value_name = "EXPR")]
    pub expression: String,
    /// The script that gives it its meaning
    #[arg(value_name = "FILE")]
    pub file: String,
    /// How the graph is printed
    #[arg(long, value_enum)]
    pub format: GraphFormat,
    /// Compress the process as a whole first, by this function of CSPm; without it every state is
    /// there
    #[arg(long, value_enum, value_name = "FUNCTION")]
    pub compress: Option<CompressionWish>,
    /// Print only this many states, the nearest to the initial one [default: 150 for svg, 20000
    /// with --overview, else all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_nodes: Option<u64>,
    /// Print only states that are at most this many steps from the initial one
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// With the formats json and svg: show the states that the check of `EXPR :[divergence free]`
    /// searches; in json each has the number of its orbit under the symmetries of that check, and
    /// whether it is the representative
    #[arg(long, conflicts_with = "compress")]
    pub orbits: bool,
    /// With the format svg: draw states that belong together as one box
    #[arg(
        long,
        value_enum,
        value_name = "GROUPS",
        requires_if("orbits", "orbits")
    )]
    pub overview: Option<OverviewWish>,
    /// What τ is called in the format aut: mCRL2 reads tau, CADP reads i
    #[arg(long, value_enum, value_name = "tau|i", default_value_t = TauWish::Tau, hide_possible_values = true)]
    pub tau_label: TauWish,
    /// Stop where the process has more states than this [default: 1000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_states: Option<u64>,
    #[command(flatten)]
    pub reducing: Reducing,
}

/// `--format` of `graph`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphFormat {
    /// The format of Aldebaran, for mCRL2 and CADP
    Aut,
    /// A graph for Graphviz
    Dot,
    /// One object
    Json,
    /// A drawing
    Svg,
}

/// `--tau-label`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TauWish {
    /// As mCRL2 writes it
    Tau,
    /// As CADP writes it
    I,
}

/// `--overview`, and the key `overview` of requests: the choice of what a drawing puts together.
#[derive(ValueEnum, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum OverviewWish {
    /// States that are equally many steps away from the initial one
    Layers,
    /// States that reach each other
    Components,
    /// States of one orbit, which --orbits asks for
    Orbits,
    /// None of these where the states are few, else components or layers if these make an overview
    Auto,
}

impl OverviewWish {
    /// The states that a drawing of `graph` puts together if this is wanted. The states of the
    /// groups `expanded` are drawn all the same.
    pub fn overview(wish: Option<Self>, graph: &StateGraph, expanded: Vec<usize>) -> GraphOverview {
        let grouping = match wish {
            None => None,
            Some(Self::Auto) => return graph.fitting_overview(expanded),
            Some(Self::Layers) => Some(GraphGrouping::Layers),
            Some(Self::Components) => Some(GraphGrouping::Components),
            Some(Self::Orbits) => Some(GraphGrouping::Orbits),
        };
        GraphOverview { grouping, expanded }
    }
}

impl GraphCall {
    /// The options of questions. The limits on memory are those of `memory`.
    pub fn options(&self, memory: &Memory) -> Options {
        Options {
            max_states: self.max_states,
            ..self.reducing.options(memory)
        }
    }
}

impl From<TauWish> for TauLabel {
    fn from(wish: TauWish) -> Self {
        match wish {
            TauWish::Tau => TauLabel::Tau,
            TauWish::I => TauLabel::I,
        }
    }
}

/// `--compress`: the compressions that keep what every process means.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[value(rename_all = "snake_case")]
pub enum CompressionWish {
    /// The quotient by strong bisimilarity, which alone shows the terms of states
    Sbisim,
    /// The quotient by delay bisimilarity that respects divergence
    Dbisim,
    /// The quotient by weak bisimilarity that respects divergence
    Wbisim,
    /// States on a common cycle of τ become one
    TauLoopFactor,
    /// Intermediate states of τ are left out
    Diamond,
    /// Deterministic but for minimal acceptances and divergence
    Normal,
    /// The same where that is not larger than what wbisim gives
    #[value(name = "lazynorm")]
    LazyNorm,
    /// Weak bisimilarity and diamonds by turns
    ModelCompress,
}

impl From<CompressionWish> for Compression {
    fn from(wish: CompressionWish) -> Self {
        match wish {
            CompressionWish::Sbisim => Compression::Sbisim,
            CompressionWish::Dbisim => Compression::Dbisim,
            CompressionWish::Wbisim => Compression::Wbisim,
            CompressionWish::TauLoopFactor => Compression::TauLoopFactor,
            CompressionWish::Diamond => Compression::Diamond,
            CompressionWish::Normal => Compression::Normal,
            CompressionWish::LazyNorm => Compression::LazyNorm,
            CompressionWish::ModelCompress => Compression::ModelCompress,
        }
    }
}

/// The compression with this name in CSPm, if it keeps the meaning of every process.
pub fn compression(argument: &str) -> Result<Compression, String> {
    let wish = CompressionWish::from_str(argument, false);
    wish.map(Compression::from).map_err(|_| {
        let names = CompressionWish::value_variants().iter();
        let names = names.filter_map(CompressionWish::to_possible_value);
        let names: Vec<String> = names.map(|name| name.get_name().to_string()).collect();
        format!("expected one of {}", names.join(", "))
    })
}
