"""cspsym: a CSP refinement checker that reads CSPm and exploits symmetry.

>>> import cspsym
>>> script = cspsym.Script.from_text('''
... channel coin, tea, coffee
... VM  = coin -> tea -> VM
... BAD = coin -> (tea -> BAD |~| coffee -> BAD)
... assert VM [T= BAD
... ''')
>>> result = script.assertions[0].check(timeout=60)
>>> result.holds
False
>>> result.counterexample.trace, result.counterexample.event
(['coin'], 'coffee')
"""

from . import reports
from ._errors import Error, OptionError, ScriptError, UndecidedError
from ._native import Cancellation, __version__
from ._options import CheckOptions, QuestionOptions
from .drawing import Drawing
from .graphs import Graph
from .progress import Progress
from .results import Result, Results
from .script import Assertion, Process, Script
from .states import State, States, Step

__all__ = [
    "Assertion",
    "Cancellation",
    "CheckOptions",
    "Drawing",
    "Error",
    "Graph",
    "OptionError",
    "Process",
    "Progress",
    "QuestionOptions",
    "Result",
    "Results",
    "Script",
    "ScriptError",
    "State",
    "States",
    "Step",
    "UndecidedError",
    "__version__",
    "reports",
]
