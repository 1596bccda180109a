//! The sentences of a refinement game.

use base::number::counted;

use super::super::events::set;
use super::GameSide;

/// A trace longer than this is shortened in a sentence.
const TRACE_IN_SENTENCE: usize = 10;

/// The most moves that a sentence lists.
const LISTED: usize = 3;

/// The names that the sentences of a game use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameWords {
    /// The refinement, as CSPm.
    pub assertion: String,
    /// The name of the specification.
    pub specification: String,
    /// The name of the implementation.
    pub implementation: String,
    /// True if a state of the specification that diverges answers everything.
    pub has_divergences: bool,
}

/// A challenge to the defender.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChallengeWords {
    /// The implementation does this event.
    Event(String),
    /// The implementation is at rest, and offers these events alone.
    Rest(Vec<String>),
    /// The implementation does internal steps for ever.
    Forever,
}

/// The reason why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayEndKind {
    /// This state of the specification does not answer the challenge.
    WrongAnswer(String),
    /// This state answers it.
    Answered(String),
    /// This state can diverge.
    AllowsEverything(String),
    /// This player gave up.
    GaveUp(GameSide),
}

/// All that is known of the end of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndWords {
    /// The reason.
    pub kind: PlayEndKind,
    /// The challenge that stood open or was answered, if there was one.
    pub challenge: Option<ChallengeWords>,
    /// The events before it.
    pub trace: Vec<String>,
    /// A state of the specification that answers the challenge, if there is one.
    pub fitting: Option<String>,
    /// True if the state that does not answer is not at rest.
    pub is_restless: bool,
    /// The events that the specification allows after the trace.
    pub allowed: Vec<String>,
    /// The smallest sets with which the specification can come to rest after the trace.
    pub rests: Vec<Vec<String>>,
}

/// The mistake of a student, and the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MistakeWords {
    /// The side of the student.
    pub side: GameSide,
    /// True if the student has won.
    pub won: bool,
    /// The number of moves in which the attacker can win from the start; `None` if the
    /// implementation refines the specification.
    pub moves: Option<usize>,
    /// The number of the mistake, its name, and the moves that would have won there.
    pub mistake: Option<(usize, String, Vec<String>)>,
}

/// The names of both processes of a refinement: as they stand there, from left to right, with a
/// number where they look the same.
pub fn called(specification: &str, implementation: &str) -> [String; 2] {
    let sides = [specification, implementation];
    match specification == implementation {
        true => [1, 2].map(|number| format!("{specification} #{number}")),
        false => sides.map(str::to_string),
    }
}

impl GameWords {
    /// The step of the implementation that looks like `event`: `coin`, `✓`, `τ` or `τ (coin)`.
    pub fn step(&self, event: &str) -> String {
        let who = &self.implementation;
        let hidden = event.strip_prefix("τ (").and_then(|e| e.strip_suffix(')'));
        match (event, hidden) {
            (_, Some(hidden)) => format!("{who} does {hidden}, which is hidden"),
            ("τ", None) => format!("{who} takes an internal step"),
            ("✓", None) => format!("{who} terminates"),
            (event, None) => format!("{who} does {event}"),
        }
    }

    /// The claim of the attacker that `challenge` has no answer.
    pub fn claim(&self, challenge: &ChallengeWords) -> String {
        let who = &self.implementation;
        match challenge {
            ChallengeWords::Event(event) => self.step(event),
            ChallengeWords::Rest(offers) if offers.is_empty() => {
                format!("{who} is at rest and refuses everything")
            }
            ChallengeWords::Rest(offers) => {
                format!("{who} is at rest and refuses all but {}", set(offers))
            }
            ChallengeWords::Forever => {
                format!("{who} goes round this loop of internal steps for ever")
            }
        }
    }

    /// The answer of the defender by `state`, which may be a wrong one.
    pub fn answer(state: &str) -> String {
        format!("the answer is {state}")
    }

    /// Giving up, by the player of `side`.
    pub fn give_up(side: GameSide) -> String {
        format!("the {} gives up", side.word())
    }

    /// The question to the student who attacks.
    pub fn question_to_attacker(&self) -> String {
        format!("What does {} do next?", self.implementation)
    }

    /// The question to the student who defends against `challenge`.
    pub fn question_to_defender(&self, challenge: &ChallengeWords) -> String {
        let which = format!("Which state of {}", self.specification);
        let (who, also) = (
            &self.implementation,
            match self.has_divergences {
                true => " One that can do internal steps for ever answers everything.",
                false => "",
            },
        );
        match challenge {
            ChallengeWords::Event(event) if event == "✓" => {
                format!("{who} terminates. {which} can terminate as well?{also}")
            }
            ChallengeWords::Event(event) => {
                format!("{who} does {event}. {which} can do {event} as well?{also}")
            }
            ChallengeWords::Rest(offers) => format!(
                "{who} is at rest and offers {}. {which} is at rest and offers no more than that?{also}",
                set(offers)
            ),
            ChallengeWords::Forever => {
                format!(
                    "{who} goes round a loop of internal steps. {which} can do such steps for ever?"
                )
            }
        }
    }

    /// The sentence on the end of a game.
    pub fn end(&self, end: &EndWords) -> String {
        match (&end.kind, &end.challenge) {
            (PlayEndKind::Answered(state), Some(ChallengeWords::Rest(_))) => format!(
                "{} can refuse as much as {}: {state} is at rest and offers no more.",
                self.specification, self.implementation
            ),
            (PlayEndKind::Answered(state) | PlayEndKind::AllowsEverything(state), _) => format!(
                "{state} can do internal steps for ever, and where {} can diverge it allows everything.",
                self.specification
            ),
            (PlayEndKind::GaveUp(GameSide::Attacker), _) | (_, None) => {
                "The attacker has given up.".to_string()
            }
            (PlayEndKind::WrongAnswer(state), Some(challenge)) => {
                match (&end.fitting, why_not(end, challenge, state)) {
                    (Some(fitting), why) => format!("{why}. The answer is {fitting}."),
                    (None, _) => self.unanswered(end, challenge),
                }
            }
            (PlayEndKind::GaveUp(GameSide::Defender), Some(challenge)) => match &end.fitting {
                Some(fitting) => format!("The defender has given up. The answer is {fitting}."),
                None => self.unanswered(end, challenge),
            },
        }
    }

    /// The sentence on a challenge that no state of the specification answers.
    fn unanswered(&self, end: &EndWords, challenge: &ChallengeWords) -> String {
        let (after, who) = (after(&end.trace), &self.implementation);
        let specification = &self.specification;
        match challenge {
            ChallengeWords::Event(event) => {
                let does = match event.as_str() {
                    "✓" => format!("{who} can terminate"),
                    event => format!("{who} can do {event}"),
                };
                let allows = match end.allowed.is_empty() {
                    true => "nothing".to_string(),
                    false => format!("only {}", set(&end.allowed)),
                };
                format!("{after} {does}, where {specification} allows {allows}.")
            }
            ChallengeWords::Rest(offers) => {
                let sets: Vec<String> = end.rests.iter().map(|rest| set(rest)).collect();
                let demands = match sets.is_empty() {
                    true => format!("{specification} never comes to rest there"),
                    false => format!(
                        "at rest {specification} offers all of {}",
                        sets.join(" or all of ")
                    ),
                };
                format!(
                    "{after} {who} can be at rest and offer {}, where {demands}.",
                    set(offers)
                )
            }
            ChallengeWords::Forever => {
                format!("{after} {who} can do internal steps for ever, and {specification} cannot.")
            }
        }
    }

    /// The sentences on who could have won, and on the mistake.
    pub fn lesson(&self, words: &MistakeWords) -> Vec<String> {
        let who_wins = match words.moves {
            None => format!(
                "{} holds: a defender who makes no mistake always wins.",
                self.assertion
            ),
            Some(moves) => format!(
                "{} fails: an attacker who makes no mistake always wins, here in {}.",
                self.assertion,
                counted(moves as u64, "move")
            ),
        };
        let second = match (&words.mistake, words.won) {
            (Some((turn, name, better)), _) => {
                let better = listed(better);
                format!(
                    "Your mistake was move {turn}, `{name}`: until then you could win. There {better} would have kept the win."
                )
            }
            (None, true) => "You made no mistake.".to_string(),
            (None, false) => format!(
                "You made no mistake: no play wins as {} here.",
                words.side.word()
            ),
        };
        vec![who_wins, second]
    }
}

/// The reason why `state` does not answer `challenge`, without a full stop.
fn why_not(end: &EndWords, challenge: &ChallengeWords, state: &str) -> String {
    match challenge {
        ChallengeWords::Event(event) if event == "✓" => format!("{state} cannot terminate"),
        ChallengeWords::Event(event) if end.is_restless => {
            format!("{state} cannot do {event} at once, but takes an internal step first")
        }
        ChallengeWords::Event(event) => format!("{state} cannot do {event}"),
        ChallengeWords::Rest(_) if end.is_restless => {
            format!("{state} is not at rest: it can do internal steps")
        }
        ChallengeWords::Rest(offers) => format!("{state} offers more than {}", set(offers)),
        ChallengeWords::Forever => format!("{state} cannot do internal steps for ever"),
    }
}

/// The hint where `wins` are moves that win for the student, of `side`, who needs `moves` as
/// attacker if there is no mistake.
pub fn hint_sentence(side: GameSide, wins: Option<&str>, moves: Option<u32>) -> String {
    match (wins, moves) {
        (Some(name), Some(moves)) => {
            format!(
                "You can win in {}: `{name}`.",
                counted(u64::from(moves), "move")
            )
        }
        (Some(name), None) => format!("You can win: `{name}`."),
        (None, _) => format!(
            "No move wins here as {}: the program only has to make no mistake, and it makes none.",
            side.word()
        ),
    }
}

/// `At the start` or `After <a, b>`.
fn after(trace: &[String]) -> String {
    match trace.len() {
        0 => "At the start".to_string(),
        n if n <= TRACE_IN_SENTENCE => format!("After <{}>", trace.join(", ")),
        n => format!("After these {n} events"),
    }
}

/// `a`, `a or b`, `a, b or one of 3 others`.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(LISTED)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.len().saturating_sub(LISTED) {
        0 => shown.join(" or "),
        more => format!("{} or one of {more} others", shown.join(", ")),
    }
}
