"""Scripts, their assertions and processes, and the questions about them."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Literal, TypeVar

from . import _native
from ._errors import ScriptError
from ._options import CheckOptions, Path, QuestionOptions, definitions, words
from ._reading import read
from .graphs import Graph
from .progress import Listener, told
from .reports import (
    AssertionReport,
    Kind,
    MachineDescription,
    MessageReport,
    PlaceReport,
    SymmetryDescription,
)
from .results import Result, Results
from .states import Listed, States

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

#: The functions that make a graph smaller and keep what the process means.
Compression = Literal[
    "sbisim",
    "dbisim",
    "wbisim",
    "tau_loop_factor",
    "diamond",
    "normal",
    "lazynorm",
    "model_compress",
]

#: The states that Jupyter draws of a process: more are hard to make out.
_MOST_DRAWN = 150

#: The least time that is left for an assertion once that of the whole call is over.
_MOMENT = 0.001


class Script:
    """A script of CSPm that was read with all it includes.

    Its assertions share what they compile, so that one after the other takes less time than each
    by itself. Several threads may ask one script; its checks wait for each other.
    """

    def __init__(self, native: _native.Script, file: str) -> None:
        self._native = native
        #: The name of the script.
        self.file = file

    @classmethod
    def from_file(
        cls,
        file: Path,
        *,
        constants: Mapping[str, object] | None = None,
        include_root: Path | None = None,
    ) -> Script:
        """Read the script `file`.

        `constants` replaces definitions of its top level, such as `N = 3`: the values are numbers,
        or texts of CSPm. With `include_root`, no file outside of that folder is included.
        """
        name = os.fspath(file)
        wanted = definitions(constants or {}, include_root)
        return cls(_native.Script.read(name, [], wanted), name)

    @classmethod
    def from_text(
        cls,
        text: str,
        name: str = "script.csp",
        *,
        files: Mapping[str, str] | None = None,
        constants: Mapping[str, object] | None = None,
        include_root: Path | None = None,
    ) -> Script:
        """Read the script `text`, which messages call `name`.

        What it includes is taken from `files`, which has texts by their names, or else is read.
        """
        given = [(name, text), *(files or {}).items()]
        wanted = definitions(constants or {}, include_root)
        return cls(_native.Script.read(name, given, wanted), name)

    @cached_property
    def assertions(self) -> tuple[Assertion, ...]:
        """The assertions in their order, those of included files where these are included."""
        return tuple(
            Assertion._of(self, index, facts)
            for index, facts in enumerate(self._native.assertions())
        )

    @cached_property
    def messages(self) -> tuple[MessageReport, ...]:
        """The warnings about the script."""
        return tuple(read(MessageReport, message) for message in self._native.messages())

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were read, the script first."""
        return tuple(self._native.files())

    @property
    def prints(self) -> tuple[str, ...]:
        """The expressions that the script prints."""
        return tuple(self._native.prints())

    @property
    def processes(self) -> tuple[str, ...]:
        """The names of the processes without parameters."""
        return tuple(self._native.processes())

    @property
    def constants(self) -> dict[str, str]:
        """The other constants of the top level, with their definitions as CSPm."""
        return dict(self._native.constants())

    # ---- Checks

    def assertion(self, text: str) -> Assertion:
        """Return a new assertion, with or without the word `assert`, in the scope of the script.

        Like the script itself it can be checked; it shares nothing with other assertions.
        """
        return Script(self._native.with_assertion(text), self.file).assertions[-1]

    def check(
        self,
        *,
        progress: Listener | None = None,
        cancellation: _native.Cancellation | None = None,
        **options: Unpack[CheckOptions],
    ) -> Results:
        """Decide all assertions in their order.

        `timeout` is for all together. `progress` is called a few times a second with how far the
        work is; an exception of it ends the work, as Ctrl-C does. An assertion without a verdict
        has a result that says why.
        """
        return Results(self.iter_check(progress=progress, cancellation=cancellation, **options))

    def iter_check(
        self,
        *,
        progress: Listener | None = None,
        cancellation: _native.Cancellation | None = None,
        **options: Unpack[CheckOptions],
    ) -> Iterator[Result]:
        """Decide all assertions in their order, and give each result as soon as it is known."""
        timeout = options.get("timeout")
        started = time.monotonic()
        for assertion in self.assertions:
            if timeout is not None and timeout > 0:
                options["timeout"] = max(_MOMENT, timeout - (time.monotonic() - started))
            yield assertion.check(progress=progress, cancellation=cancellation, **options)

    async def check_async(
        self, *, progress: Listener | None = None, **options: Unpack[CheckOptions]
    ) -> Results:
        """Decide all assertions while other tasks of `asyncio` go on.

        If the task that waits for this is cancelled, so is the work. `progress` is called by
        another thread.
        """
        return await self._while_others_go_on(
            lambda token: self.check(progress=progress, cancellation=token, **options)
        )

    def refine(
        self,
        specification: str,
        implementation: str,
        *,
        progress: Listener | None = None,
        cancellation: _native.Cancellation | None = None,
        **options: Unpack[CheckOptions],
    ) -> Result:
        """Decide whether one process refines another one, in `T` if no `model` is given."""
        answer = self._native.refine(
            specification, implementation, _checking(options), told(progress), cancellation
        )
        return Result.of(answer)

    async def refine_async(
        self,
        specification: str,
        implementation: str,
        *,
        progress: Listener | None = None,
        **options: Unpack[CheckOptions],
    ) -> Result:
        """Decide whether one process refines another one while other tasks of `asyncio` go on."""
        return await self._while_others_go_on(
            lambda token: self.refine(
                specification, implementation, progress=progress, cancellation=token, **options
            )
        )

    # ---- Other questions

    def evaluate(
        self,
        expression: str,
        *,
        cancellation: _native.Cancellation | None = None,
        **options: Unpack[QuestionOptions],
    ) -> str:
        """Return the value of an expression, as CSPm."""
        wanted = words(options, QuestionOptions)
        return self._native.evaluate(expression, wanted, cancellation)[0]

    def evaluate_elements(
        self,
        expression: str,
        *,
        cancellation: _native.Cancellation | None = None,
        **options: Unpack[QuestionOptions],
    ) -> tuple[str, ...]:
        """Return the elements of a finite set, ascending, or of a sequence, each as CSPm."""
        wanted = words(options, QuestionOptions)
        text, elements = self._native.evaluate(expression, wanted, cancellation)
        if elements is None:
            raise ScriptError(f"{text} is no finite set and no sequence")
        return tuple(elements)

    def type_of(self, expression: str) -> str:
        """Return the most general type of an expression, in FDR's notation."""
        return self._native.type_of(expression)

    def process(self, expression: str) -> Process:
        """Return the process that an expression stands for."""
        return Process(self, expression)

    # ---- For Python

    def __repr__(self) -> str:
        return f"<Script {self.file}: {len(self.assertions)} assertions>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td>{number}</td><td style="text-align:left"><code>'
            f"{escape(str(assertion))}</code></td></tr>"
            for number, assertion in enumerate(self.assertions)
        )
        head = '<th></th><th style="text-align:left">assertion</th>'
        return (
            f"<p><code>{escape(self.file)}</code></p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )

    @cached_property
    def _executor(self) -> ThreadPoolExecutor:
        """The thread that waits for checks, which wait for each other anyway."""
        return ThreadPoolExecutor(max_workers=1, thread_name_prefix="cspsym")

    async def _while_others_go_on(self, work: Callable[[_native.Cancellation], T]) -> T:
        """Return what `work` gives, which another thread does as long as this is waited for."""
        token = _native.Cancellation()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._executor, work, token)
        finally:
            token.cancel()


@dataclass(frozen=True, eq=False, repr=False)
class Assertion:
    """An assertion of a script."""

    #: The script that it is of.
    script: Script
    #: Its position among the assertions of the script, counted from 0.
    index: int
    #: The assertion as CSPm, with `not` but without `assert`.
    text: str
    #: The sort of assertion; `None` if it cannot be read.
    kind: Kind | None
    #: The model in which it is decided; `None` if it has none.
    model: str | None
    #: True if it is an `assert not`.
    negated: bool
    #: The left side of a refinement, as CSPm.
    specification: str | None
    #: The process that it is about, as CSPm.
    implementation: str | None
    #: Where it stands.
    place: PlaceReport

    @classmethod
    def _of(
        cls, script: Script, index: int, facts: tuple[str, str, str, str | None, str | None]
    ) -> Assertion:
        text, report, place, specification, implementation = facts
        known = read(AssertionReport, report)
        return cls(
            script=script,
            index=index,
            text=text,
            kind=known.kind,
            model=known.model,
            negated=known.negated,
            specification=specification,
            implementation=implementation,
            place=read(PlaceReport, place),
        )

    def check(
        self,
        *,
        progress: Listener | None = None,
        cancellation: _native.Cancellation | None = None,
        **options: Unpack[CheckOptions],
    ) -> Result:
        """Decide the assertion. See `Script.check` for what can be said."""
        answer = self.script._native.check(
            self.index, _checking(options), told(progress), cancellation
        )
        return Result.of(answer)

    async def check_async(
        self, *, progress: Listener | None = None, **options: Unpack[CheckOptions]
    ) -> Result:
        """Decide the assertion while other tasks of `asyncio` go on. See `Script.check_async`."""
        return await self.script._while_others_go_on(
            lambda token: self.check(progress=progress, cancellation=token, **options)
        )

    def states(self, result: Result | None = None, **options: Unpack[QuestionOptions]) -> States:
        """Return the states of the process that the assertion is about.

        With a `result` that has a counterexample, its run is `States.path`.
        """
        answer = result._answer if result else None
        wanted = words(options, QuestionOptions)
        return States(self.script._native.states_of_assertion(self.index, answer, wanted))

    def symmetry(self, **options: Unpack[CheckOptions]) -> SymmetryDescription:
        """Return the symmetries that a check can use, and what keeps it from using more."""
        answer = self.script._native.symmetry(self.index, words(options, CheckOptions))
        return read(SymmetryDescription, answer)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Assertion {self.index} of {self.script.file}: {self.text}>"


@dataclass(frozen=True)
class Process:
    """A process in the scope of a script."""

    #: The script that gives it its meaning.
    script: Script
    #: The process as CSPm.
    expression: str

    def graph(
        self,
        *,
        max_nodes: int | None = None,
        depth: int | None = None,
        compress: Compression | None = None,
        **options: Unpack[QuestionOptions],
    ) -> Graph:
        """Return the transition system, or no more of it than so many states or steps.

        With `compress`, the process as a whole is made smaller first.
        """
        graph = self.script._native.graph(
            self.expression, words(options, QuestionOptions), max_nodes, depth, compress
        )
        return Graph.of(graph)

    def states(self, *, compiled: bool = False, **options: Unpack[QuestionOptions]) -> States:
        """Return the states of the process, each of which is found when it is asked for.

        These are the terms that the process can become, in which compressions change nothing. With
        `compiled` they are those of the machine that it is compiled to, where compressions have
        made one state of several; all of them are listed at once, and have no terms.
        """
        wanted = words(options, QuestionOptions)
        if compiled:
            found = self.script._native.transitions(self.expression, wanted)
            return States(Listed(self.expression, *found))
        return States(self.script._native.states(self.expression, wanted))

    def machine(self, **options: Unpack[QuestionOptions]) -> MachineDescription:
        """Return the structured machine that the process is compiled to."""
        wanted = words(options, QuestionOptions)
        return read(MachineDescription, self.script._native.machine(self.expression, wanted))

    def _repr_svg_(self) -> str:
        return str(self.graph(max_nodes=_MOST_DRAWN).svg)


def _checking(options: CheckOptions) -> list[str]:
    """Return the options of a check, of whose counterexamples lanes are wanted."""
    return words({"explain": True, **options}, CheckOptions)
