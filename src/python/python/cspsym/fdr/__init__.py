"""FDR's Python module, answered by cspsym: the names that programs for FDR call.

`python -m cspsym.fdr --path` prints a folder in which `import fdr` finds it.
"""

from cspsym import __version__

from ._assertions import (
    Assertion,
    DeadlockFreeAssertion,
    DeterministicAssertion,
    DivergenceFreeAssertion,
    HasTraceAssertion,
    NegatedAssertion,
    PropertyAssertion,
    RefinementAssertion,
    SemanticModel_Failures,
    SemanticModel_FailuresDivergences,
    SemanticModel_Traces,
)
from ._behaviours import (
    Behaviour,
    ExplicitDivergenceBehaviour,
    IrrelevantBehaviour,
    LoopBehaviour,
    MinAcceptanceBehaviour,
    SegmentedBehaviour,
    TraceBehaviour,
)
from ._counterexamples import (
    Counterexample,
    DeadlockCounterexample,
    DebugContext,
    DeterminismCounterexample,
    DivergenceCounterexample,
    MinAcceptanceCounterexample,
    PropertyCounterexample,
    RefinementCounterexample,
    RefinementDivergenceCounterexample,
    TraceCounterexample,
)
from ._errors import CancelledError, Canceller, Error, FileLoadError, InputFileError
from ._events import INVALID_EVENT, TAU, TICK, Event
from ._machines import Machine, Node, ProcessName, Transition
from ._session import EvaluatorResult, PrintStatement, Session


def library_init() -> None:
    """Do nothing: there is nothing to begin."""


def library_exit() -> None:
    """Do nothing: there is nothing to end."""


def version() -> str:
    """Return the version, which is that of cspsym."""
    return f"cspsym {__version__}"


def has_valid_license() -> bool:
    """Return true: none is needed."""
    return True


__all__ = [
    "INVALID_EVENT",
    "TAU",
    "TICK",
    "Assertion",
    "Behaviour",
    "CancelledError",
    "Canceller",
    "Counterexample",
    "DeadlockCounterexample",
    "DeadlockFreeAssertion",
    "DebugContext",
    "DeterminismCounterexample",
    "DeterministicAssertion",
    "DivergenceCounterexample",
    "DivergenceFreeAssertion",
    "Error",
    "EvaluatorResult",
    "Event",
    "ExplicitDivergenceBehaviour",
    "FileLoadError",
    "HasTraceAssertion",
    "InputFileError",
    "IrrelevantBehaviour",
    "LoopBehaviour",
    "Machine",
    "MinAcceptanceBehaviour",
    "MinAcceptanceCounterexample",
    "NegatedAssertion",
    "Node",
    "PrintStatement",
    "ProcessName",
    "PropertyAssertion",
    "PropertyCounterexample",
    "RefinementAssertion",
    "RefinementCounterexample",
    "RefinementDivergenceCounterexample",
    "SegmentedBehaviour",
    "SemanticModel_Failures",
    "SemanticModel_FailuresDivergences",
    "SemanticModel_Traces",
    "Session",
    "TraceBehaviour",
    "TraceCounterexample",
    "Transition",
    "has_valid_license",
    "library_exit",
    "library_init",
    "version",
]
