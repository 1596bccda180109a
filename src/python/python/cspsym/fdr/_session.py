"""Sessions: a script that is loaded, and what is asked of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar, get_args

import cspsym
from cspsym.script import Compression

from ._assertions import Assertion, assertion_of
from ._errors import Canceller, Error, FileLoadError, raised_as_fdr
from ._events import Event, EventNumbers
from ._machines import Machine, Node, ProcessName

if TYPE_CHECKING:
    from cspsym.reports import ComponentReport
    from cspsym.states import States

T = TypeVar("T")

#: A call of a function that makes a process smaller, or follows one internal step of several.
_COMPRESSED = re.compile(
    rf"\b({'|'.join((*get_args(Compression), 'chase', 'deter', 'explicate'))})\s*\("
)


class EvaluatorResult(Generic[T]):
    """What was asked for, and the warnings that came with it."""

    def __init__(self, result: T) -> None:
        self._result = result

    def result(self) -> T:
        """Return what was asked for."""
        return self._result

    def warnings(self) -> tuple[str, ...]:
        """Return the warnings."""
        return ()


class PrintStatement:
    """A `print` of a script."""

    def __init__(self, expression: str, location: str) -> None:
        self._expression, self._location = expression, location

    def expression(self) -> str:
        """Return what is to be printed."""
        return self._expression

    def source_location(self) -> str:
        """Return where it stands."""
        return self._location


class Session:
    """A script, and what is asked of it. Before one is loaded, there are built-ins alone."""

    def __init__(self) -> None:
        self._script = cspsym.Script.from_text("", "<session>")
        self._is_loaded = False
        self._assertions: tuple[Assertion, ...] = ()
        self._events = EventNumbers()
        self._machines: dict[str, Machine] = {}

    def load_file(self, file_path: str | os.PathLike[str]) -> tuple[str, ...]:
        """Load a script with all it includes, once. Returns the warnings about it."""
        path = os.fspath(file_path)
        return self._load(path, lambda: cspsym.Script.from_file(path))

    def load_strings_as_file(
        self, root_file_path: str, file_contents: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Load the script that `file_contents` has under this name, with all it includes."""
        text = file_contents[root_file_path]
        return self._load(
            root_file_path,
            lambda: cspsym.Script.from_text(text, root_file_path, files=file_contents),
        )

    def assertions(self) -> tuple[Assertion, ...]:
        """Return the assertions of the script."""
        return self._assertions

    def print_statements(self) -> tuple[PrintStatement, ...]:
        """Return what the script prints."""
        return tuple(PrintStatement(text, self._script.file) for text in self._script.prints)

    # ---- Expressions

    def evaluate_expression(
        self, expression: str, canceller: Canceller | None = None
    ) -> EvaluatorResult[str]:
        """Return the value of an expression, as CSPm."""
        token = None if canceller is None else canceller._token
        with raised_as_fdr():
            return EvaluatorResult(self._script.evaluate(expression, cancellation=token))

    def evaluate_iterable_expression(
        self, expression: str, canceller: Canceller | None = None
    ) -> EvaluatorResult[tuple[str, ...]]:
        """Return the elements of a set or a sequence, each as CSPm."""
        token = None if canceller is None else canceller._token
        with raised_as_fdr():
            elements = self._script.evaluate_elements(expression, cancellation=token)
        return EvaluatorResult(elements)

    def type_of_expression(self, expression: str) -> EvaluatorResult[str]:
        """Return the type of an expression."""
        with raised_as_fdr():
            return EvaluatorResult(self._script.type_of(expression))

    def evaluate_process(
        self, expression: str, semantic_model: str, canceller: Canceller | None = None
    ) -> EvaluatorResult[Machine]:
        """Return the machine of a process. It is the same in all models."""
        return EvaluatorResult(self._machine_of(expression))

    def parse_assertion(self, assertion: str) -> EvaluatorResult[Assertion]:
        """Return a new assertion, which is written without `assert`."""
        return EvaluatorResult(self._new_assertion(assertion))

    # ---- Events and names

    def compile_event(self, event: Event | str) -> int:
        """Return the number of an event."""
        return self._events.number(str(event))

    def uncompile_event(self, event: int) -> Event:
        """Return the event with a number."""
        return self._events.event(event)

    def uncompile_events(self, events: Iterable[int]) -> tuple[Event, ...]:
        """Return the events with these numbers."""
        return tuple(map(self._events.event, events))

    def machine_name(self, machine: Machine) -> ProcessName | None:
        """Return the process of a machine."""
        return ProcessName(machine._states.expression)

    def machine_node_name(self, machine: Machine, node: Node) -> ProcessName | None:
        """Return what a process has become in a state."""
        with raised_as_fdr():
            return machine._name(node)

    # ---- For the module itself

    def _load(self, path: str, load: Callable[[], cspsym.Script]) -> tuple[str, ...]:
        if self._is_loaded:
            raise Error("a session loads one file: make a new one for another")
        try:
            self._script = load()
        except cspsym.Error as error:
            raise FileLoadError(path, str(error)) from error
        self._is_loaded = True
        self._assertions = tuple(assertion_of(self, one) for one in self._script.assertions)
        return tuple(message.message for message in self._script.messages)

    def _new_assertion(self, text: str) -> Assertion:
        with raised_as_fdr():
            return assertion_of(self, self._script.assertion(text))

    def _machine_of(self, process: str) -> Machine:
        """Return the machine of a process: one for each text, so that its nodes are equal."""
        known = self._machines.get(process)
        if known is None:
            with raised_as_fdr():
                states = self._states_of(process)
            known = self._machines[process] = Machine(states, self._events)
        return known

    def _states_of(self, process: str) -> States:
        """Return the states of a process: of its machine, if it says how that is made smaller."""
        is_compressed = _COMPRESSED.search(process) is not None
        return self._script.process(process).states(compiled=is_compressed)

    def _component(self, component: ComponentReport) -> Machine:
        """Return the machine of a component: that of its first state, if that can be read."""
        first = component.states[0].state if component.states else None
        for text in (first, component.name):
            try:
                return self._machine_of(text or "STOP")
            except Error:
                continue
        return self._machine_of("STOP")
