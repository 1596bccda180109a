"""How far a question is, for functions that want to hear of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far the work on a question is."""

    #: The question, such as an assertion.
    question: str
    #: What is done now, in words: `searching level 3, 1,234 states`.
    doing: str
    #: The strategy that is tried now; `None` where nothing is searched yet.
    strategy: str | None
    #: The seconds since the work began.
    seconds: float
    #: The steps of the present phase; in a search, states that were found.
    steps: int
    #: The states, transitions and levels of the search so far, if there was one.
    states: int | None
    transitions: int | None
    levels: int | None
    #: The states that were found and not yet expanded.
    waiting: int | None
    #: The states that the present search finds in a second, once that is known.
    states_per_second: int | None
    #: The memory that the whole program takes, if that is known.
    memory_bytes: int | None


Listener = Callable[[Progress], object]


def told(listener: Listener | None) -> Callable[[dict[str, Any]], None] | None:
    """Return the function that makes a `Progress` of facts and hands it to the `listener`."""
    if listener is None:
        return None

    def tell(facts: dict[str, Any]) -> None:
        listener(Progress(**facts))

    return tell
