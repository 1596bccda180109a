"""Events, which FDR's programs handle as numbers."""

from __future__ import annotations

from collections.abc import Iterable

#: No event: of a component that takes no part in a step.
INVALID_EVENT = 0
#: The internal event.
TAU = 1
#: Termination.
TICK = 2

_TAU_TEXT, _TICK_TEXT = "τ", "✓"


class Event:
    """An event as the script names it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def to_string(self) -> str:
        """Return the event as CSPm."""
        return self._text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Event {self._text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


class EventNumbers:
    """The numbers of the events of a session, given as they are met."""

    def __init__(self) -> None:
        self._texts = ["", _TAU_TEXT, _TICK_TEXT]
        self._numbers = {_TAU_TEXT: TAU, _TICK_TEXT: TICK}

    def number(self, text: str) -> int:
        """Return the number of an event. A hidden one, `τ (a)`, is τ."""
        if text.startswith("τ ("):
            return TAU
        known = self._numbers.get(text)
        if known is None:
            known = self._numbers[text] = len(self._texts)
            self._texts.append(text)
        return known

    def revealed(self, text: str) -> int:
        """Return the number of an event, or of what was hidden."""
        return self.number(text[3:-1] if text.startswith("τ (") else text)

    def numbers(self, texts: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of events."""
        return tuple(map(self.number, texts))

    def event(self, number: int) -> Event:
        """Return the event with a number, which is none of another session."""
        if not INVALID_EVENT < number < len(self._texts):
            raise ValueError(f"there is no event {number}")
        return Event(self._texts[number])
