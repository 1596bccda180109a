"""FDR's exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cspsym import Error as LibraryError
from cspsym import UndecidedError


class Error(Exception):
    """Anything that keeps FDR from giving an answer."""


class FileLoadError(Error):
    """A file could not be loaded."""

    def __init__(self, file_name: str, error: str) -> None:
        super().__init__(error)
        self._file_name = file_name

    def file_name(self) -> str:
        """Return the name of the file that was loaded."""
        return self._file_name


class InputFileError(Error):
    """The script, or an expression, is wrong."""


class CancelledError(Error):
    """The work was cancelled."""


@contextmanager
def raised_as_fdr() -> Iterator[None]:
    """Raise what cspsym raises as FDR would."""
    try:
        yield
    except UndecidedError as error:
        kind = CancelledError if error.code == "interrupted" else Error
        raise kind(str(error)) from error
    except LibraryError as error:
        raise InputFileError(str(error)) from error


class Canceller:
    """Cancels work: give it to whatever works, and call `cancel` from another thread."""

    def __init__(self) -> None:
        from cspsym import Cancellation

        self._token = Cancellation()
        self._is_cancelled = False

    def cancel(self) -> None:
        """End all work that was given this canceller."""
        self._is_cancelled = True
        self._token.cancel()

    def is_cancelled(self) -> bool:
        """Return true if this was cancelled."""
        return self._is_cancelled
