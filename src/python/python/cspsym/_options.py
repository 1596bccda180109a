"""The options of questions: those of the command line, with types."""

import os
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypedDict

Path: TypeAlias = str | os.PathLike[str]


class QuestionOptions(TypedDict, total=False):
    """The options of every question. `cspsym check --help` says more of each."""

    #: The seconds after which the question is given up, counted from the call; else it may take
    #: any time.
    timeout: float
    #: The memory that the whole program may take, in bytes or as `"4G"`; else four fifths of what
    #: the machine or its container has.
    memory_limit: int | str
    #: What ✓ is: an event like any other, as in FDR, or a signal, as in Roscoe's books.
    termination: Literal["event", "signal"]
    #: The most states that are listed or searched.
    max_states: int
    #: The most states of one component.
    max_leaf_states: int
    #: The threads that search; else as many as there are processors.
    threads: int


class CheckOptions(QuestionOptions, total=False):
    """The options by which assertions are decided. `cspsym check --help` says more of each."""

    #: The model to decide refinements in, whatever the script says.
    model: Literal["T", "F", "FD", "V", "VD", "R", "RD"]
    #: Which symmetries to use: `"auto"`, `"off"`, or permutations such as `"(B C),(B C D)"`.
    symmetry: str
    #: How to search.
    algorithm: Literal["auto", "check", "symcheck1", "symcheck2", "symcheck3"]
    #: How representatives are found.
    representative: Literal["auto", "sort", "signature", "general", "minimal", "local"]
    #: Use only symmetries that fix the initial states.
    fix_initial: bool
    #: Partial order reduction: never, where it pays, or always.
    reduce: Literal["off", "auto", "po"]
    #: Look for a shortest counterexample.
    shortest: bool
    #: Decide in this way alone.
    strategy: Literal["terms", "orbits", "subsets", "machine", "dive", "local"]
    #: Do not minimise components.
    no_minimise: bool
    #: Say of a counterexample what each component did; without this there are no lanes.
    explain: bool
    #: The number of different counterexamples that are looked for.
    counterexamples: int
    #: Decide for every value of this constant: `"N"`, or `"N >= 2"`.
    for_all: str
    #: Give all numbers of each check.
    stats: bool
    #: Say where the time went.
    profile: bool
    #: The folder in which searches keep their states.
    spill: Path
    #: The folder with searches that are to go on.
    resume: Path


def words(options: Mapping[str, Any], known: type[Any]) -> list[str]:
    """Return `options` as the command line has them, all of which `known` has to name."""
    names = known.__optional_keys__
    written: list[str] = []
    for name, value in options.items():
        if name not in names:
            raise TypeError(f"there is no option {name!r}; there are {', '.join(sorted(names))}")
        option = "--" + name.replace("_", "-")
        if value is True:
            written.append(option)
        elif value is not None and value is not False:
            written.append(
                f"{option}={os.fspath(value) if not isinstance(value, int | float) else value}"
            )
    return written


def definitions(constants: Mapping[str, object], include_root: Path | None) -> list[str]:
    """Return what a script is read with, as the command line has it."""
    written: list[str] = []
    for name, value in constants.items():
        # A number, a name and a set of CSPm are written as they are.
        text = str(value).lower() if isinstance(value, bool) else str(value)
        written += ["-D", f"{name}={text}"]
    if include_root is not None:
        written.append(f"--include-root={os.fspath(include_root)}")
    return written
