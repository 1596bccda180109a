"""Assertions, which are executed before anything is asked of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cspsym

from ._counterexamples import Counterexample, counterexample_of
from ._errors import Canceller, Error, raised_as_fdr

if TYPE_CHECKING:
    from ._machines import Machine
    from ._session import Session

#: The semantic models. `evaluate_process` gives the same states in all of them.
SemanticModel_Traces = "T"
SemanticModel_Failures = "F"
SemanticModel_FailuresDivergences = "FD"


class Assertion:
    """An assertion."""

    def __init__(self, session: Session, asserted: cspsym.Assertion) -> None:
        self._session, self._asserted = session, asserted
        self._result: cspsym.Result | None = None
        self._found: Counterexample | None = None

    def execute(self, canceller: Canceller | None = None) -> None:
        """Decide the assertion. Raises where there is no verdict."""
        token = None if canceller is None else canceller._token
        with raised_as_fdr():
            result = self._asserted.check(cancellation=token, explain=True)
            # Raises what is wrong if there is no verdict.
            _ = result.holds
        self._result, self._found = result, None

    def passed(self) -> bool:
        """Return true if the assertion holds."""
        return self._executed().holds

    def counterexamples(self) -> tuple[Counterexample, ...]:
        """Return what refutes the assertion: one counterexample, if it does not hold."""
        result = self._executed()
        if not result.all_counterexamples:
            return ()
        if self._found is None:
            self._found = counterexample_of(self._session, self._asserted, result)
        return (self._found,)

    def to_string(self) -> str:
        """Return the assertion as CSPm."""
        return self._asserted.text

    def __str__(self) -> str:
        return self._asserted.text

    def _executed(self) -> cspsym.Result:
        if self._result is None:
            raise Error("the assertion was not executed")
        return self._result


class RefinementAssertion(Assertion):
    """`P [T= Q`."""

    def specification(self) -> Machine:
        """Return the machine of the left side."""
        return self._session._machine_of(self._asserted.specification or "STOP")

    def implementation(self) -> Machine:
        """Return the machine of the right side."""
        return self._session._machine_of(self._asserted.implementation or "STOP")

    def semantic_model(self) -> str | None:
        """Return the model in which it is decided."""
        return self._asserted.model


class PropertyAssertion(Assertion):
    """An assertion about one process."""

    def machine(self) -> Machine:
        """Return the machine of the process."""
        return self._session._machine_of(self._asserted.implementation or "STOP")

    def semantic_model(self) -> str | None:
        """Return the model in which it is decided."""
        return self._asserted.model


class DeadlockFreeAssertion(PropertyAssertion):
    """`P :[deadlock free]`."""


class DivergenceFreeAssertion(PropertyAssertion):
    """`P :[divergence free]`."""


class DeterministicAssertion(PropertyAssertion):
    """`P :[deterministic]`."""


class HasTraceAssertion(PropertyAssertion):
    """`P :[has trace]: <a>`."""


class NegatedAssertion(Assertion):
    """`not`, and an assertion: it holds if that fails."""

    def inner_assertion(self) -> Assertion:
        """Return what stands behind `not`."""
        inner = self._session._new_assertion(self._asserted.text.removeprefix("not "))
        return inner


_KINDS: dict[str, type[Assertion]] = {
    "refinement": RefinementAssertion,
    "deadlock free": DeadlockFreeAssertion,
    "divergence free": DivergenceFreeAssertion,
    "deterministic": DeterministicAssertion,
    "has trace": HasTraceAssertion,
}


def assertion_of(session: Session, asserted: cspsym.Assertion) -> Assertion:
    """Return an assertion of a script as FDR has it."""
    if asserted.negated:
        return NegatedAssertion(session, asserted)
    return _KINDS.get(asserted.kind or "", Assertion)(session, asserted)
