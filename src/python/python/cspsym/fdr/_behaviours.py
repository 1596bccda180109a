"""Behaviours: runs of processes and of their components that lead to what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._machines import Machine, Node


class Behaviour:
    """A run of a machine, whose last state does something of interest."""

    def __init__(
        self, machine: Machine, node_path: Sequence[Node | None], trace: Sequence[int]
    ) -> None:
        self._machine, self._node_path, self._trace = machine, tuple(node_path), tuple(trace)
        #: The events of the trace, hidden ones as what they are.
        self._revealed = self._trace

    def machine(self) -> Machine:
        """Return the machine."""
        return self._machine

    def node_path(self) -> tuple[Node | None, ...]:
        """Return the states of the run, one more than it has events; `None` if not known."""
        return self._node_path

    def trace(self) -> tuple[int, ...]:
        """Return the events of the run, `INVALID_EVENT` where the machine takes no part."""
        return self._trace


class ExplicitDivergenceBehaviour(Behaviour):
    """A run to a state that is labelled as divergent. Of cspsym there is none."""


class IrrelevantBehaviour(Behaviour):
    """A run that is not to blame."""


class LoopBehaviour(Behaviour):
    """A run that repeats its last steps for ever."""

    def __init__(
        self,
        machine: Machine,
        node_path: Sequence[Node | None],
        trace: Sequence[int],
        loop_index: int,
    ) -> None:
        super().__init__(machine, node_path, trace)
        self._loop_index = loop_index

    def loop_index(self) -> int:
        """Return the position from which the trace is repeated."""
        return self._loop_index


class MinAcceptanceBehaviour(Behaviour):
    """A run to a state that offers too little."""

    def __init__(
        self,
        machine: Machine,
        node_path: Sequence[Node | None],
        trace: Sequence[int],
        min_acceptance: Sequence[int],
    ) -> None:
        super().__init__(machine, node_path, trace)
        self._min_acceptance = tuple(min_acceptance)

    def min_acceptance(self) -> tuple[int, ...]:
        """Return what is offered."""
        return self._min_acceptance


class TraceBehaviour(Behaviour):
    """A run to a state that does an event of interest."""

    def __init__(
        self,
        machine: Machine,
        node_path: Sequence[Node | None],
        trace: Sequence[int],
        error_event: int,
    ) -> None:
        super().__init__(machine, node_path, trace)
        self._error_event = error_event

    def error_event(self) -> int:
        """Return the event."""
        return self._error_event


class SegmentedBehaviour(Behaviour):
    """A run of a process that is begun several times. Of cspsym there is none."""

    def __init__(
        self,
        machine: Machine,
        node_path: Sequence[Node | None],
        trace: Sequence[int],
        last: Behaviour,
        prior_sections: Sequence[TraceBehaviour],
    ) -> None:
        super().__init__(machine, node_path, trace)
        self._last, self._prior_sections = last, tuple(prior_sections)

    def last(self) -> Behaviour:
        """Return the last section."""
        return self._last

    def prior_sections(self) -> tuple[TraceBehaviour, ...]:
        """Return the sections before the last one."""
        return self._prior_sections
