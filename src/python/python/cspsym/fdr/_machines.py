"""Machines: the states of processes, each found when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._errors import CancelledError, Canceller, raised_as_fdr
from ._events import INVALID_EVENT, TAU

if TYPE_CHECKING:
    from cspsym.states import State, States

    from ._events import EventNumbers


class ProcessName:
    """The name of a process, or of a state: what it has become, as CSPm."""

    def __init__(self, text: str) -> None:
        self._text = text

    def to_string(self) -> str:
        """Return the name as text."""
        return self._text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<ProcessName {self._text}>"


class Node:
    """A state of a machine."""

    def __init__(self, machine: Machine | None, number: int, term: str | None = None) -> None:
        self._machine, self._number, self._term = machine, number, term

    def hash_code(self) -> int:
        """Return the number of the state, which no other state of the machine has."""
        return self._number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        same = self._machine is other._machine and self._number == other._number
        return same and self._term == other._term

    def __hash__(self) -> int:
        return hash((id(self._machine), self._number, self._term))

    def __str__(self) -> str:
        return str(self._number)

    def __repr__(self) -> str:
        return f"<Node {self._number}>"


class Transition:
    """A step from one state to another."""

    def __init__(self, event: int, destination: Node) -> None:
        self._event, self._destination = event, destination

    def event(self) -> int:
        """Return the number of its event."""
        return self._event

    def destination(self) -> Node:
        """Return the state that it leads to."""
        return self._destination


class Machine:
    """The states of a process."""

    def __init__(self, states: States, events: EventNumbers) -> None:
        self._states, self._events = states, events

    def root_node(self) -> Node:
        """Return the initial state."""
        return Node(self, 0)

    def transitions(self, node: Node) -> tuple[Transition, ...]:
        """Return what can be done in a state."""
        with raised_as_fdr():
            steps = self._state(node).steps
        return tuple(
            Transition(self._events.number(step.label), Node(self, step.target.number))
            for step in steps
        )

    def initials(self, node: Node) -> tuple[int, ...]:
        """Return the events that a state can do."""
        return tuple(dict.fromkeys(step.event() for step in self.transitions(node)))

    def afters(self, node: Node, event: int) -> tuple[Node, ...]:
        """Return the states to which an event can lead."""
        steps = self.transitions(node)
        return tuple(dict.fromkeys(s.destination() for s in steps if s.event() == event))

    def minimal_acceptances(self, node: Node) -> tuple[tuple[int, ...], ...]:
        """Return what is offered in a state: all that it can do, unless that is internal."""
        initials = self.initials(node)
        return () if TAU in initials else (initials,)

    def alphabet(self, include_tau: bool) -> tuple[int, ...]:
        """Return the events that the machine may do: perhaps more than it can, never fewer."""
        with raised_as_fdr():
            events = self._events.numbers(self._states.alphabet)
        without = tuple(event for event in events if event not in {TAU, INVALID_EVENT})
        return (TAU, *without) if include_tau else without

    def is_divergent(self, node: Node, canceller: Canceller | None) -> bool:
        """Return true if the machine can do internal steps for ever from here."""
        # A depth first search: a state that is met while its own successors are looked at closes
        # a circle of internal steps.
        done: set[Node] = set()
        open_: dict[Node, list[Node]] = {node: list(self.afters(node, TAU))}
        while open_:
            if canceller is not None and canceller.is_cancelled():
                raise CancelledError("the work was cancelled before it was done")
            last = next(reversed(open_))
            if not open_[last]:
                done.add(last)
                del open_[last]
                continue
            following = open_[last].pop()
            if following in open_:
                return True
            if following not in done:
                open_[following] = list(self.afters(following, TAU))
        return False

    def is_explicitly_divergent(self, node: Node) -> bool:
        """Return false: no state is labelled by itself."""
        return False

    def has_divergence_labellings(self) -> bool:
        """Return false: no state is labelled by itself."""
        return False

    def has_minimal_acceptance_labellings(self) -> bool:
        """Return false: no state is labelled by itself."""
        return False

    def _state(self, node: Node) -> State:
        from cspsym.states import State

        if node._machine is not self:
            raise ValueError("this is no node of this machine")
        return State(self._states, node._number)

    def _name(self, node: Node) -> ProcessName | None:
        term = self._state(node).term if node._term is None else node._term
        return None if term is None else ProcessName(term)

    def __repr__(self) -> str:
        return f"<Machine of {self._states.expression}>"
