"""Counterexamples, and the behaviours of the components in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cspsym.reports import ComponentReport
from cspsym.reports import Counterexample as Found

from ._behaviours import (
    Behaviour,
    IrrelevantBehaviour,
    LoopBehaviour,
    MinAcceptanceBehaviour,
    TraceBehaviour,
)
from ._errors import Error, raised_as_fdr
from ._events import INVALID_EVENT, TAU
from ._machines import Machine, Node

if TYPE_CHECKING:
    from cspsym import Assertion as Asserted
    from cspsym import Result

    from ._errors import Canceller
    from ._session import Session


class Counterexample:
    """A behaviour that refutes an assertion."""

    def __init__(self, session: Session, found: Found) -> None:
        self._session, self._found = session, found

    def _root_behaviours(self) -> tuple[Behaviour, ...]:
        raise NotImplementedError

    def _blamed(self) -> Behaviour:
        """Return the behaviour whose components are known."""
        return self._root_behaviours()[-1]

    def __str__(self) -> str:
        return self._found.sentence


class RefinementCounterexample(Counterexample):
    """A counterexample of a refinement: what both sides do."""

    def __init__(
        self, session: Session, found: Found, specification: Behaviour, implementation: Behaviour
    ) -> None:
        super().__init__(session, found)
        self._specification, self._implementation = specification, implementation

    def specification_behaviour(self) -> Behaviour:
        """Return what the specification does."""
        return self._specification

    def implementation_behaviour(self) -> Behaviour:
        """Return what the implementation does."""
        return self._implementation

    def _root_behaviours(self) -> tuple[Behaviour, ...]:
        return (self._specification, self._implementation)


class TraceCounterexample(RefinementCounterexample):
    """The implementation does an event that is not allowed."""

    def error_event(self) -> int:
        """Return the event."""
        assert isinstance(self._implementation, TraceBehaviour)
        return self._implementation.error_event()


class MinAcceptanceCounterexample(RefinementCounterexample):
    """The implementation comes to rest and offers too little."""

    def min_acceptance(self) -> tuple[int, ...]:
        """Return what it offers."""
        assert isinstance(self._implementation, MinAcceptanceBehaviour)
        return self._implementation.min_acceptance()


class DeterminismCounterexample(RefinementCounterexample):
    """The process can do an event that it can also refuse, or it diverges."""


class RefinementDivergenceCounterexample(RefinementCounterexample):
    """The implementation diverges."""


class PropertyCounterexample(Counterexample):
    """A counterexample of a property of one process."""

    def __init__(self, session: Session, found: Found, behaviour: Behaviour) -> None:
        super().__init__(session, found)
        self._behaviour = behaviour

    def behaviour(self) -> Behaviour:
        """Return what the process does."""
        return self._behaviour

    def _root_behaviours(self) -> tuple[Behaviour, ...]:
        return (self._behaviour,)


class DeadlockCounterexample(PropertyCounterexample):
    """The process can do nothing more."""


class DivergenceCounterexample(PropertyCounterexample):
    """The process can do internal steps for ever."""


def counterexample_of(session: Session, asserted: Asserted, result: Result) -> Counterexample:
    """Return the counterexample that was found of an assertion."""
    found = result.all_counterexamples[0]
    run = _Run(session, asserted, result)
    blamed = run.blamed(found)
    if asserted.kind == "deadlock free":
        return DeadlockCounterexample(session, found, blamed)
    if asserted.kind == "divergence free":
        return DivergenceCounterexample(session, found, blamed)
    if asserted.kind == "deterministic":
        if found.other_trace_with_taus is None:
            return DeterminismCounterexample(session, found, run.visible(run.machine), blamed)
        # One run refuses what the other one does.
        other = run.other(found.other_trace_with_taus, found.event or "")
        return DeterminismCounterexample(session, found, blamed, other)
    specification = run.visible(session._machine_of(asserted.specification or "STOP"))
    kind = {
        "trace": TraceCounterexample,
        "refusal": MinAcceptanceCounterexample,
        "divergence": RefinementDivergenceCounterexample,
    }.get(found.kind, RefinementCounterexample)
    return kind(session, found, specification, blamed)


class _Run:
    """The run of a counterexample, from which behaviours are made."""

    def __init__(self, session: Session, asserted: Asserted, result: Result) -> None:
        found = result.all_counterexamples[0]
        self._events = session._events
        self._labels = [*found.trace_with_taus, *(found.cycle or [])]
        path: list[Node | None] = []
        try:
            with raised_as_fdr():
                states = asserted.states(result)
            #: The machine of the process that is to blame.
            self.machine = Machine(states, self._events)
            path = [Node(self.machine, state.number) for _, state in states.path]
        except Error:
            # A run that was not replayed has no states.
            self.machine = session._machine_of(asserted.implementation or "STOP")
        unknown = [None] * len(self._labels)
        all_of_them = [self.machine.root_node(), *path, *unknown]
        self._path = all_of_them[: len(self._labels) + 1]

    def blamed(self, found: Found) -> Behaviour:
        """Return the run that leads to what is wrong."""
        trace = self._events.numbers(self._labels)
        made: Behaviour
        if found.kind == "divergence":
            index = len(found.trace_with_taus)
            made = LoopBehaviour(self.machine, self._path, trace, index)
        elif found.kind in {"trace", "revival"}:
            error = self._events.number(found.event or "")
            made = TraceBehaviour(self.machine, self._path, trace, error)
        else:
            offers = self._events.numbers(found.offers or [])
            made = MinAcceptanceBehaviour(self.machine, self._path, trace, offers)
        made._revealed = tuple(map(self._events.revealed, self._labels))
        return made

    def other(self, labels: Sequence[str], event: str) -> Behaviour:
        """Return the other run of nondeterminism, whose states are not known."""
        # What stands at its end is the event.
        labels = labels[:-1]
        trace = self._events.numbers(labels)
        path: list[Node | None] = [self.machine.root_node(), *[None] * len(trace)]
        made = TraceBehaviour(self.machine, path, trace, self._events.number(event))
        made._revealed = tuple(map(self._events.revealed, labels))
        return made

    def visible(self, machine: Machine) -> Behaviour:
        """Return what a side does that is not to blame: what is visible of the run."""
        numbers = self._events.numbers(self._labels)
        trace = [INVALID_EVENT if event == TAU else event for event in numbers]
        path: list[Node | None] = [machine.root_node(), *[None] * len(trace)]
        return IrrelevantBehaviour(machine, path, trace)


class DebugContext:
    """Divides a counterexample into the behaviours of the components."""

    def __init__(
        self, counterexample: Counterexample, elide_uninteresting_behaviours: bool = False
    ) -> None:
        self._counterexample = counterexample
        self._children: tuple[Behaviour, ...] = ()

    def initialise(self, canceller: Canceller | None) -> None:
        """Find the behaviours. Nothing else may be asked before."""
        found = self._counterexample._found
        session = self._counterexample._session
        root = self._counterexample._blamed()
        of_run = found.components
        if isinstance(self._counterexample, DeterminismCounterexample):
            of_run = found.other_components or found.components
        children = (_component(session, component, root) for component in of_run or ())
        self._children = tuple(children)

    def root_behaviours(self) -> tuple[Behaviour, ...]:
        """Return what specification and implementation do, or the one process of a property."""
        return self._counterexample._root_behaviours()

    def behaviour_children(self, behaviour: Behaviour) -> tuple[Behaviour, ...]:
        """Return what the components do: of the side that is to blame, all of them."""
        return self._children if behaviour is self._counterexample._blamed() else ()

    def full_alphabet(self) -> tuple[int, ...]:
        """Return the events of all traces."""
        all_traces = [b.trace() for b in (*self.root_behaviours(), *self._children)]
        found = dict.fromkeys(event for trace in all_traces for event in trace)
        return tuple(event for event in found if event != INVALID_EVENT)

    def reveal_tau(self, behaviour: Behaviour, index: int) -> Behaviour | None:
        """Return a component that does the hidden event at a position, if there is one."""
        children = self.behaviour_children(behaviour)
        doing = (child for child in children if child.trace()[index] not in {INVALID_EVENT, TAU})
        return next(doing, None)

    def reveal_taus_in_trace(self, behaviour: Behaviour) -> tuple[int, ...]:
        """Return the events of a trace, hidden ones as what they are."""
        return behaviour._revealed


def _component(session: Session, component: ComponentReport, root: Behaviour) -> Behaviour:
    """Return what a component does in the run of the whole process."""
    events, length = session._events, len(root.trace())
    machine = session._component(component)
    trace, error = [INVALID_EVENT] * length, INVALID_EVENT
    for step in component.steps:
        # Steps are counted from 1; behind the run stands the event that is not allowed. Below a
        # `chase` a component may do several events in one step.
        if step.step <= length:
            trace[step.step - 1] = events.number(step.event)
        else:
            error = events.number(step.event)
    path: list[Node | None] = [None] * (length + 1)
    for number, change in enumerate(component.states):
        if change.step <= length and change.state is not None:
            path[change.step] = Node(machine, number, change.state)
    if isinstance(root, LoopBehaviour):
        takes_part = any(event != INVALID_EVENT for event in trace[root.loop_index() :])
        if takes_part:
            return LoopBehaviour(machine, path, trace, root.loop_index())
    elif isinstance(root, TraceBehaviour):
        if error != INVALID_EVENT:
            return TraceBehaviour(machine, path, trace, error)
    elif component.offers is not None and "τ" not in component.offers:
        return MinAcceptanceBehaviour(machine, path, trace, events.numbers(component.offers))
    return IrrelevantBehaviour(machine, path, trace)
