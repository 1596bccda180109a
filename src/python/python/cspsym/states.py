"""The states of a process, each found when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class Known(Protocol):
    """What is known of states, by their numbers."""

    def process(self) -> str:
        """Return the process as CSPm."""

    def path(self) -> list[tuple[str, int]]:
        """Return the run of a counterexample: events, and states."""

    def term(self, node: int) -> str | None:
        """Return what the process has become in a state."""

    def steps(self, node: int) -> list[tuple[str, list[str], int]]:
        """Return the steps of a state: the event, what was hidden, and the next state."""

    def alphabet(self) -> list[str]:
        """Return the visible events of all states."""


class Listed:
    """The states of a machine, all of which are known: by state, the steps of each."""

    def __init__(
        self, process: str, labels: list[str], steps: list[list[tuple[int, int]]]
    ) -> None:
        self._process, self._labels, self._steps = process, labels, steps

    def process(self) -> str:
        """Return the process as CSPm."""
        return self._process

    def path(self) -> list[tuple[str, int]]:
        """Return nothing: these are not of a counterexample."""
        return []

    def term(self, node: int) -> str | None:
        """Return nothing: a state of a machine stands for several terms."""
        return None

    def steps(self, node: int) -> list[tuple[str, list[str], int]]:
        """Return the steps of a state: the event, and the next state."""
        return [(self._labels[label], [], to) for label, to in self._steps[node]]

    def alphabet(self) -> list[str]:
        """Return the visible events of all states."""
        return [label for label in self._labels if label not in {"τ", "✓"}]


class States:
    """The states of a process. Nothing is listed before it is asked for.

    States are numbered as they are met, from 0, the initial one. Equal states have equal numbers.
    """

    def __init__(self, known: Known) -> None:
        self._known = known

    @property
    def expression(self) -> str:
        """The process as CSPm."""
        return self._known.process()

    @property
    def initial(self) -> State:
        """The initial state."""
        return State(self, 0)

    @property
    def path(self) -> tuple[tuple[str, State], ...]:
        """The run of the counterexample that these were asked for with: events, and states.

        It goes on from the initial state, and ends with what is wrong if that is a step.
        """
        return tuple((label, State(self, number)) for label, number in self._known.path())

    @cached_property
    def alphabet(self) -> tuple[str, ...]:
        """The visible events that the process may do: perhaps more than it can, never fewer."""
        return tuple(self._known.alphabet())

    def __iter__(self) -> Iterator[State]:
        """Give all states, breadth first: for ever, if there is no end of them."""
        met, found = {0}, [self.initial]
        for state in found:
            yield state
            for step in state.steps:
                if step.target.number not in met:
                    met.add(step.target.number)
                    found.append(step.target)

    def __repr__(self) -> str:
        return f"<States of {self.expression}>"


@dataclass(frozen=True)
class State:
    """A state of a process."""

    #: The states among which it is.
    states: States
    #: Its number.
    number: int

    @property
    def term(self) -> str | None:
        """What the process has become, as CSPm; `None` if several terms are one state."""
        return self.states._known.term(self.number)

    @property
    def steps(self) -> tuple[Step, ...]:
        """What the process can do now."""
        return tuple(
            Step(label, tuple(hidden), State(self.states, target))
            for label, hidden, target in self.states._known.steps(self.number)
        )

    def __repr__(self) -> str:
        return f"<State {self.number}: {self.term or '?'}>"


@dataclass(frozen=True)
class Step:
    """A step from one state to another."""

    #: The event as CSPm; `τ` for an internal step, `✓` for termination.
    label: str
    #: Of a τ, the events that it may be before hiding.
    hidden: tuple[str, ...]
    #: Where it leads.
    target: State
