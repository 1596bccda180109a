"""What a check has found: reports that can be tabulated, drawn and shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, overload

from . import _native
from ._errors import UndecidedError
from ._reading import read
from .drawing import Drawing
from .reports import AssertionReport, Counterexample

if TYPE_CHECKING:
    import pandas as pd

#: What is said of each verdict, and its colour on light and on dark.
_VERDICTS = {
    "pass": ("holds", "#25803c"),
    "fail": ("fails", "#c0352b"),
    "error": ("error", "#c0352b"),
    "unknown": ("undecided", "#8a6412"),
}


@dataclass(frozen=True, kw_only=True)
class Result(AssertionReport):
    """The report on an assertion. The fields are those of `cspsym help json`."""

    #: What the native module has given, which is no field of the data; a pickle has none.
    _answer: ClassVar[_native.Answer | None] = None

    @staticmethod
    def of(answer: _native.Answer) -> Result:
        """Return the result that the native module has given."""
        result = read(Result, answer.json())
        object.__setattr__(result, "_answer", answer)
        return result

    @property
    def holds(self) -> bool:
        """True if the assertion holds, `not` taken into account.

        Raises what is wrong or which limit was reached if there is no verdict.
        """
        if self.verdict in {"error", "unknown"}:
            problem = self._answer.problem() if self._answer else None
            raise problem or UndecidedError(self.message or "there is no verdict")
        return self.verdict == "pass"

    @property
    def title(self) -> str:
        """The assertion as CSPm, with `not` if it has that."""
        return f"{'not ' if self.negated else ''}{self.assertion or self.file}"

    @property
    def all_counterexamples(self) -> tuple[Counterexample, ...]:
        """All counterexamples that were found: one, unless more were asked for."""
        if self.counterexamples is not None:
            return tuple(self.counterexamples)
        return () if self.counterexample is None else (self.counterexample,)

    def lanes(self, number: int = 0, *, other: bool = False) -> Drawing | None:
        """Return a drawing of a counterexample, with a lane for each component.

        `number` counts the counterexamples from 0. Of nondeterminism, `other` asks for the run
        that does the event. There is none without a counterexample, without the option
        `explain`, and of a result that was pickled.
        """
        svg = self._answer.lanes(number, other) if self._answer else None
        return None if svg is None else Drawing(svg)

    def __str__(self) -> str:
        if self._answer:
            return self._answer.text().rstrip("\n")
        return f"assert {self.title}: {_VERDICTS[self.verdict][0]}"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_answer"}

    def _repr_html_(self) -> str:
        return _table([self]) + self._details()

    def _details(self) -> str:
        """Return what is wrong, and the lanes, as HTML."""
        html = ""
        for number, found in enumerate(self.all_counterexamples):
            html += f"<p>{escape(found.sentence)}</p>"
            for other in (False, True):
                lanes = self.lanes(number, other=other)
                if lanes:
                    html += f"<div>{lanes.image('lanes of the counterexample')}</div>"
        return html


class Results(Sequence[Result]):
    """The results of several assertions, in their order."""

    def __init__(self, results: Iterable[Result]) -> None:
        self._results = tuple(results)

    @overload
    def __getitem__(self, index: int) -> Result: ...

    @overload
    def __getitem__(self, index: slice) -> Results: ...

    def __getitem__(self, index: int | slice) -> Result | Results:
        if isinstance(index, slice):
            return Results(self._results[index])
        return self._results[index]

    def __len__(self) -> int:
        return len(self._results)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Results) and self._results == other._results

    def __hash__(self) -> int:
        return hash(tuple(result.title for result in self._results))

    def __repr__(self) -> str:
        return f"<Results: {', '.join(f'{r.title}: {r.verdict}' for r in self._results)}>"

    def __str__(self) -> str:
        return "\n".join(map(str, self._results))

    @property
    def all_hold(self) -> bool:
        """True if all assertions hold. Raises if one that does has no verdict."""
        return all(result.holds for result in self._results)

    def to_pandas(self) -> pd.DataFrame:
        """Return a table with a row for each assertion. Needs pandas."""
        import pandas as pd

        table: pd.DataFrame = pd.DataFrame([_row(result) for result in self._results])
        return table

    def _repr_html_(self) -> str:
        with_details = [result for result in self._results if result.all_counterexamples]
        details = (
            f"<details><summary><code>{escape(result.title)}</code></summary>"
            f"{result._details()}</details>"
            for result in with_details
        )
        return _table(self._results) + "".join(details)


def _row(result: Result) -> dict[str, object]:
    """Return the row of a table."""
    found = result.counterexample
    return {
        "file": result.file,
        "assertion": result.title,
        "kind": result.kind,
        "model": result.model,
        "verdict": result.verdict,
        "states": result.states,
        "transitions": result.transitions,
        "levels": result.levels,
        "symmetries": result.symmetry.structure if result.symmetry else None,
        "seconds": result.seconds.total,
        "counterexample": found.sentence if found else None,
        "message": result.message,
    }


def _table(results: Iterable[Result]) -> str:
    """Return a table of verdicts as HTML."""
    rows = []
    for result in results:
        word, colour = _VERDICTS[result.verdict]
        states = "" if result.states is None else f"{result.states:,}"
        message = f"<br><small>{escape(result.message)}</small>" if result.message else ""
        rows.append(
            f'<tr><td style="text-align:left"><code>{escape(result.title)}</code>{message}</td>'
            f'<td style="text-align:left;color:{colour}"><b>{word}</b></td>'
            f"<td>{states}</td><td>{result.seconds.total:.3f}</td></tr>"
        )
    return (
        '<table><thead><tr><th style="text-align:left">assertion</th>'
        '<th style="text-align:left">verdict</th><th>states</th><th>seconds</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
