//! The states of both processes of a game, listed, and the moves by the texts of these states.

use rustc_hash::FxHashMap;

use base::diag::{Diagnostic, Result};
use base::index::IndexVec;
use base::natural::natural_order;
use base::number::plain;
use eval::Evaluator;
use explore::allowed::SpecificationView;
use explore::walk::{ComponentNow, ProcessWalk, WalkChoice};
use game::arena::{GameArena, PositionId};
use game::situation::{Challenge, GameMove, Situation};
use lts::explore::{Explored, LeafLimits, STEP_OF_TERMS, explore};
use lts::graph::{Lts, StateId};
use lts::model::Model;
use machine::text::{present, present_in_full};
use process::event::{EventId, TAU};
use process::semantics::Semantics;
use process::term::{Definitions, TermId};
use process::trial::LARGER;
use report::game::{ChallengeWords, GameChoice, GameComponent, GameState, GameWords};

use super::super::counterexample::sorted_names;
use super::super::options::Options;
use super::super::walker::{component_names, name_of};

/// The most states of a process, and the most positions of a game: looking at all of them takes a
/// few seconds.
const MOST: usize = 100_000;

/// The name of the claim that the implementation refuses too much at rest.
const AT_REST: &str = "at rest";

/// The name of the claim that the implementation does τ for ever.
const FOR_EVER: &str = "for ever";

/// The name of giving up.
const GIVE_UP: &str = "give up";

/// Both processes of a game with all states.
pub(super) struct ListedGame {
    pub(super) arena: GameArena,
    specification_terms: IndexVec<StateId, TermId>,
    implementation_terms: IndexVec<StateId, TermId>,
    /// The states of the implementation by their terms.
    numbers: FxHashMap<TermId, StateId>,
    semantics: Semantics,
    /// The answers of each position that was shown, in the order of their texts.
    ordered: FxHashMap<PositionId, Vec<StateId>>,
}

/// A move and its name.
pub(super) struct Named {
    pub(super) chosen: GameMove,
    pub(super) choice: GameChoice,
    /// The step of the implementation, if it is one, and its text.
    pub(super) step: Option<WalkChoice>,
    /// The event of the step as it looks, or the text of the state that answers.
    pub(super) shown: String,
}

/// The model of a refinement with this specification, in which it can be played.
pub(super) fn model_of(view: &SpecificationView) -> Result<Model> {
    match (view.sees_rests, view.has_failures, view.has_divergences) {
        (true, ..) => Diagnostic::error(
            "game-model",
            "the game is played in the models T, F and FD alone",
        )
        .hint("choose one of them with --model")
        .into(),
        (_, _, true) => Ok(Model::FailuresDivergences),
        (_, true, false) => Ok(Model::Failures),
        (_, false, false) => Ok(Model::Traces),
    }
}

impl ListedGame {
    /// The game about the specification and the implementation `sides`.
    pub(super) fn of(
        evaluator: &mut Evaluator<'_>,
        sides: (TermId, TermId),
        model: Model,
        options: &Options,
    ) -> Result<Self> {
        let most = options
            .max_states
            .map_or(MOST, |states| MOST.min(states as usize));
        let specification = listed(evaluator, sides.0, most)?;
        let implementation = listed(evaluator, sides.1, most)?;
        let states = implementation.lts.states();
        let numbers = states.map(|state| (implementation.terms[state], state));
        let numbers = numbers.collect();
        let token = evaluator.cancellation().clone();
        let (left, right) = (specification.lts, implementation.lts);
        Ok(Self {
            arena: GameArena::of(left, right, model, most, &token)?,
            numbers,
            specification_terms: specification.terms,
            implementation_terms: implementation.terms,
            semantics: Semantics::new(),
            ordered: FxHashMap::default(),
        })
    }

    /// The moves of the attacker, in the order of a walk's choices.
    pub(super) fn attacks(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        walk: &mut ProcessWalk,
        now: &Situation,
        words: &GameWords,
    ) -> Result<Vec<Named>> {
        let mut all = Vec::new();
        let names = component_names(&walk.components(evaluator)?);
        for step in walk.choices(evaluator)? {
            let head = self.semantics.head(evaluator, step.target())?;
            let Some(&target) = self.numbers.get(&head) else {
                return unlisted().into();
            };
            let label = step.taken.step.label;
            let events = &evaluator.terms().events;
            let (name, shown) = (name_of(&step.taken, events), shown_event(&step, evaluator));
            let text = step_text(&step, &names, words, &shown);
            all.push(Named {
                chosen: GameMove::Step(label, target),
                choice: GameChoice { name, text },
                step: Some(step),
                shown,
            });
        }
        for chosen in now.moves(&self.arena) {
            let claim = match chosen {
                GameMove::Rest => {
                    let after = now.after(&self.arena, chosen);
                    let challenge = after.and_then(|after| after.challenge);
                    let challenge = challenge.map(|open| challenge_words(evaluator, &open));
                    let claim = challenge.map_or(String::new(), |open| words.claim(&open));
                    Some((
                        AT_REST,
                        format!("{claim}; you say that {} cannot", words.specification),
                    ))
                }
                GameMove::Forever => {
                    let claim = words.claim(&ChallengeWords::Forever);
                    Some((
                        FOR_EVER,
                        format!("{claim}; you say that {} cannot", words.specification),
                    ))
                }
                GameMove::GiveUp => Some((GIVE_UP, "let the defender win".to_string())),
                _ => None,
            };
            all.extend(claim.map(|(name, text)| claimed(chosen, name, text)));
        }
        Ok(all)
    }

    /// The moves of the defender, in the order of the texts of states.
    pub(super) fn answers(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        now: &Situation,
    ) -> Result<Vec<Named>> {
        let states = self.in_order(evaluator, now.position)?;
        let mut all = Vec::with_capacity(states.len() + 1);
        for (index, state) in states.into_iter().enumerate() {
            let shown = present(evaluator, self.specification_terms[state])?;
            all.push(Named {
                chosen: GameMove::Answer(state),
                choice: GameChoice {
                    name: state_name(index),
                    text: shown.clone(),
                },
                step: None,
                shown,
            });
        }
        let none = "none of them can: let the attacker win";
        all.push(claimed(GameMove::GiveUp, GIVE_UP, none.to_string()));
        Ok(all)
    }

    /// The states in which the specification can be.
    pub(super) fn specification_states(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        position: PositionId,
    ) -> Result<Vec<GameState>> {
        let states = self.in_order(evaluator, position)?.into_iter().enumerate();
        let states = states.map(|(index, state)| {
            let text = present(evaluator, self.specification_terms[state])?;
            Ok(view(
                evaluator,
                self.arena.specification(),
                state,
                state_name(index),
                text,
            ))
        });
        states.collect()
    }

    /// The state of the implementation.
    pub(super) fn implementation_state(
        &self,
        evaluator: &mut Evaluator<'_>,
        position: PositionId,
    ) -> Result<GameState> {
        let state = self.arena.implementation_state(position);
        let text = present(evaluator, self.implementation_terms[state])?;
        Ok(view(
            evaluator,
            self.arena.implementation(),
            state,
            String::new(),
            text,
        ))
    }

    /// The text of a state of the specification.
    pub(super) fn text(&self, evaluator: &mut Evaluator<'_>, state: StateId) -> Result<String> {
        present(evaluator, self.specification_terms[state])
    }

    /// The transitions of a state of the specification.
    pub(super) fn row(&self, state: StateId) -> &[(EventId, StateId)] {
        self.arena.specification().row(state)
    }

    /// The events with which a state of the specification is at rest; `None` if it can do τ.
    pub(super) fn acceptance(&self, state: StateId) -> Option<Vec<EventId>> {
        self.arena.specification().acceptance(state)
    }

    /// The states in which the specification can be, in the order of their texts: their numbers
    /// depend on how they were found.
    pub(super) fn in_order(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        position: PositionId,
    ) -> Result<Vec<StateId>> {
        if let Some(known) = self.ordered.get(&position) {
            return Ok(known.clone());
        }
        let states = self.arena.specification_states(position).iter();
        let texts = states.map(|&state| {
            let text = present_in_full(evaluator, self.specification_terms[state])?;
            Ok((text, state))
        });
        let mut texts = texts.collect::<Result<Vec<_>>>()?;
        texts.sort_by(|a, b| natural_order(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)));
        let states: Vec<StateId> = texts.into_iter().map(|(_, state)| state).collect();
        self.ordered.insert(position, states.clone());
        Ok(states)
    }
}

/// The system of all states of `term`, if there are at most `most`.
fn listed(evaluator: &mut Evaluator<'_>, term: TermId, most: usize) -> Result<Explored> {
    let limits = LeafLimits::all(most).trying(most.saturating_mul(STEP_OF_TERMS));
    explore(evaluator, term, &limits).map_err(|problem| {
        if problem.code != LARGER {
            return problem;
        }
        let message = format!(
            "a process of the game has more than {}",
            plain(most, "state")
        );
        Box::new(
            Diagnostic::undecided("large-game", message)
                .note("who wins is only known once all states were looked at")
                .hint("play with smaller processes, for example a smaller instance by -D"),
        )
    })
}

fn state_name(index: usize) -> String {
    format!("state {}", index + 1)
}

fn claimed(chosen: GameMove, name: &str, text: String) -> Named {
    Named {
        chosen,
        choice: GameChoice {
            name: name.to_string(),
            text,
        },
        step: None,
        shown: String::new(),
    }
}

/// The step as it looks: `coin`, `τ`, `τ (coin)`.
fn shown_event(step: &WalkChoice, evaluator: &Evaluator<'_>) -> String {
    let events = &evaluator.terms().events;
    super::super::counterexample::named(&step.taken.step, events).text()
}

/// The step in words: who takes part, by the `names` of components, and what becomes of them.
fn step_text(step: &WalkChoice, names: &[String], words: &GameWords, shown: &str) -> String {
    let parts = step.taken.parts.iter().map(|part| {
        let name = names.get(part.component).unwrap_or(&part.name);
        match &part.becomes {
            Some(becomes) if *becomes != part.name => format!("{name} becomes {becomes}"),
            Some(_) => format!("{name} is as at its start"),
            None => format!("{name} ends"),
        }
    });
    let parts: Vec<String> = parts.collect();
    match parts.is_empty() {
        true => words.step(shown),
        false => parts.join("; "),
    }
}

fn view(
    evaluator: &Evaluator<'_>,
    lts: &Lts,
    state: StateId,
    name: String,
    text: String,
) -> GameState {
    let row = lts.row(state);
    let mut offers: Vec<EventId> = row.iter().map(|step| step.0).collect();
    offers.dedup();
    GameState {
        name,
        text,
        stable: !offers.contains(&TAU),
        offers: sorted_names(&offers, &evaluator.terms().events),
    }
}

/// The components of the implementation, each in its present state.
pub(super) fn components(
    evaluator: &mut Evaluator<'_>,
    walk: &ProcessWalk,
) -> Result<Vec<GameComponent>> {
    let components = walk.components(evaluator)?;
    let all = component_names(&components).into_iter().zip(&components);
    let component = |(name, now): (String, &ComponentNow)| GameComponent {
        name,
        now: now.running.as_ref().map(|running| running.text.clone()),
    };
    Ok(all.map(component).collect())
}

/// `challenge` by the names of its events.
pub(super) fn challenge_words(evaluator: &Evaluator<'_>, challenge: &Challenge) -> ChallengeWords {
    let events = &evaluator.terms().events;
    match challenge {
        Challenge::Event(event, _) => ChallengeWords::Event(events.name(*event).to_string()),
        Challenge::Rest(offers) => ChallengeWords::Rest(sorted_names(offers, events)),
        Challenge::Forever => ChallengeWords::Forever,
    }
}

/// The message that a step leads to a term that was not listed.
fn unlisted() -> Diagnostic {
    Diagnostic::error(
        "internal-error",
        "a step of the game leads to a state that was not listed",
    )
}
