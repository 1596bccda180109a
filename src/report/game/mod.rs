//! A refinement game and how it stands: plain data, which is also the JSON object.

mod text;
mod words;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub use self::words::{
    ChallengeWords, EndWords, GameWords, MistakeWords, PlayEndKind, called, hint_sentence,
};

/// A player of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GameSide {
    /// Says that the implementation does not refine the specification, and moves the
    /// implementation.
    Attacker,
    /// Says that it does, and answers for the specification.
    Defender,
}

impl GameSide {
    /// The other player.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }

    /// `attacker` or `defender`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Attacker => "attacker",
            Self::Defender => "defender",
        }
    }
}

/// A refinement game that a student plays against the program, and how it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GameReport {
    /// The script, as it was named.
    pub file: String,
    /// The refinement that the game is about, as CSPm.
    pub assertion: String,
    /// The process that is to be refined, as CSPm.
    pub specification: String,
    /// The process that is to refine it, as CSPm.
    pub implementation: String,
    /// The model: `T`, `F` or `FD`.
    pub model: Cow<'static, str>,
    /// The side of the student.
    pub side: GameSide,
    /// The names of the student's moves so far. The moves of the program follow from them.
    pub moves: Vec<String>,
    /// All moves so far, those of the program included.
    pub turns: Vec<GameTurn>,
    /// The visible events so far to which the specification has an answer.
    pub trace: Vec<String>,
    /// The states in which the specification can be after the trace.
    pub specification_states: Vec<GameState>,
    /// The state in which the implementation is.
    pub implementation_state: GameState,
    /// The components of the implementation, each in its present state.
    pub components: Vec<GameComponent>,
    /// The question that the student is asked; absent if the game is over.
    pub question: Option<String>,
    /// The moves that the student can make, in the order of their texts; giving up comes last.
    pub choices: Vec<GameChoice>,
    /// The help that was asked for; absent if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<GameHint>,
    /// The end of the game, and the reasons for it; absent while it goes on.
    pub end: Option<GameEnd>,
}

/// A move that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GameTurn {
    /// The player who made it.
    pub by: GameSide,
    /// Its name.
    pub name: String,
    /// The move in a sentence.
    pub sentence: String,
}

/// A state of one of the processes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GameState {
    /// Its name as an answer: `state 1`; empty for the implementation.
    pub name: String,
    /// The state as CSPm.
    pub text: String,
    /// The events that it can do next, `τ` and `✓` among them.
    pub offers: Vec<String>,
    /// True if it is at rest: it can do nothing internal.
    pub stable: bool,
}

/// A component of the implementation and its present state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GameComponent {
    /// The component as CSPm, as it started.
    pub name: String,
    /// Its state, in its present values; absent if it no longer runs.
    pub now: Option<String>,
}

/// A move that can be made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GameChoice {
    /// Its name: that of a step, as in a walk, or `at rest`, `for ever`, `state 1`, `give up`.
    pub name: String,
    /// The move in words.
    pub text: String,
}

/// Help with the next move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GameHint {
    /// A move that wins; absent if none does.
    pub name: Option<String>,
    /// The help in a sentence.
    pub sentence: String,
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GameEnd {
    /// The winner.
    pub winner: GameSide,
    /// True if the student has won.
    pub won: bool,
    /// True if the implementation refines the specification: then the defender can always win.
    pub refined: bool,
    /// The reasons in sentences: what ended the game, who could have won, and the mistake.
    pub sentences: Vec<String>,
    /// The move by which the student lost the game; absent if there was none.
    pub mistake: Option<GameMistake>,
    /// A shortest way in which the attacker wins, all moves included; empty if the implementation
    /// refines the specification, and in a task of a lab.
    pub shortest: Vec<String>,
}

/// The move by which a student who could have won lost the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GameMistake {
    /// Its number among all moves, counted from 1.
    pub turn: usize,
    /// Its name.
    pub name: String,
    /// The moves that would have won there.
    pub better: Vec<String>,
}

#[cfg(test)]
mod tests;
