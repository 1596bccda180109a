"""What is raised: mistakes, limits, and options that make no sense."""

from ._reading import read
from .reports import MessageReport


class Error(Exception):
    """There is no answer. As text, it is the messages, with excerpts of the script."""

    #: The messages one by one; the first that is no warning says why there is no answer.
    messages: tuple[MessageReport, ...]

    def __init__(self, text: str, messages: tuple[MessageReport, ...] = ()) -> None:
        super().__init__(text)
        self.messages = messages

    @property
    def code(self) -> str:
        """The code of the first message that is no warning, such as `unknown-name`."""
        codes = (message.code for message in self.messages if message.severity != "warning")
        return next(codes, "")

    def __reduce__(self) -> tuple[type["Error"], tuple[str, tuple[MessageReport, ...]]]:
        return type(self), (str(self), self.messages)


class ScriptError(Error):
    """The script, or an expression, is wrong, or cannot be read."""


class UndecidedError(Error):
    """A limit was reached before there was an answer, or something is not supported."""


class OptionError(ValueError):
    """An option has a value that it cannot have, or goes not with another one."""


def of_library(text: str, is_mistake: bool, messages: list[str]) -> Error:
    """Return the error for these messages, each of which is JSON."""
    kind = ScriptError if is_mistake else UndecidedError
    return kind(text, tuple(read(MessageReport, message) for message in messages))


def of_options(text: str) -> OptionError:
    """Return the error for options that are wrong."""
    return OptionError(text)
