#!/usr/bin/env python3
"""Runs cspsym beside the model checkers that Linux distributions package, on the same graphs, and prints ratios.

    cargo build --release
    benches/peers/run.py [--quick] [--row NAME]... [--threads] [--limit SECONDS]

Each row is one system at one size. cspsym runs on one thread, from the text of the script to the verdict; a peer runs in the
same minute, without its time to generate and compile a checker. What is compared is processor time, because machines
are shared; the numbers of states must be the same, except where a peer's symmetry is a heuristic. Needed: `spin`, `rumur` and
`gcc`; without one of them its columns stay empty. What is there and fails or takes too long is said in its row, and makes the exit
status 1, as what is too slow or finds other states does.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import promela

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
CSPSYM = TARGET.resolve() / "release" / "cspsym"


@dataclass
class Row:
    """One system at one size."""

    name: str
    model: str
    sizes: list
    states: int
    """How many states there are, or orbits."""
    peer: str = ""
    """`spin`, `spin po` with partial order reduction, or `rumur` with or without symmetry."""
    target: float = 0.0
    """How many times faster than the peer it is to be; without a peer, how many seconds it may take."""
    options: list = field(default_factory=list)
    is_exact: bool = True
    """Whether the peer stores exactly as many states."""
    is_quick: bool = False
    assertion: int = 1
    """Which assertion of the script is checked."""


PLAIN = ["--algorithm", "check"]
REDUCED = [*PLAIN, "--reduce", "po"]


def reduced(name, model, sizes, states, target, is_quick=False):
    """Freedom from deadlock, by partial order reduction in both: how much is left out differs."""
    return Row(f"{name}, po", model, sizes, states, "spin po", target, REDUCED, False, is_quick, 2)


ROWS = [
    Row("alloc 6 3", "alloc", [6, 3], 172032, "spin", 1.0, PLAIN, is_quick=True),
    Row("dijkstra 4", "dijkstra", [4], 522592, "spin", 1.0, PLAIN, is_quick=True),
    Row("hanoi 7 6", "hanoi", [7, 6], 117649, "spin", 1.0, PLAIN, is_quick=True),
    Row("phil 8", "phil", [8], 216993, "spin", 1.0, PLAIN, is_quick=True),
    Row("dijkstra 4, orbits", "dijkstra", [4], 23281, "rumur", 5.0, is_exact=False, is_quick=True),
    Row("alloc 8 4", "alloc", [8, 4], 10682368, "spin", 3.3, PLAIN),
    Row("alloc 8 4, rumur", "alloc", [8, 4], 10682368, "rumur off", 3.3, PLAIN),
    Row("phil 10", "phil", [10], 4683381, "spin", 3.0, PLAIN),
    Row("hanoi 7 8", "hanoi", [7, 8], 5764801, "spin", 2.0, PLAIN),
    Row("dijkstra 5", "dijkstra", [5], 51344800, "spin", 2.2, PLAIN),
    Row("dijkstra 5, orbits", "dijkstra", [5], 458305, "rumur", 16.0, is_exact=False),
    Row("alloc 20 10, orbits", "alloc", [20, 10], 484913, "rumur", 8.0),
    Row("hanoi 12 9, orbits", "hanoi", [12, 9], 115975, "rumur", 13.0, ["--fix-initial"]),
    Row("phil 10, orbits", "phil", [10], 468564, "", 4.0),
    Row("dijkstra 6, orbits", "dijkstra", [6], 15249906, "", 90.0),
    reduced("alloc 6 3", "alloc", [6, 3], 633, 20.0, is_quick=True),
    reduced("left 8", "left", [8], 259, 20.0, is_quick=True),
    reduced("dijkstra 4", "dijkstra", [4], 522466, 1.5, is_quick=True),
    reduced("alloc 8 4", "alloc", [8, 4], 3256, 20.0),
    reduced("left 10", "left", [10], 421, 100.0),
    reduced("hanoi 7 8", "hanoi", [7, 8], 5764801, 1.5),
]


@dataclass
class Result:
    """What one run took."""

    states: int
    cpu: float
    wall: float
    megabytes: float


class Failure(Exception):
    """A program that is there gave no result: the text says why."""


def make(command, folder, limit):
    """Runs a command that makes files, and prints nothing of it."""
    nothing = subprocess.DEVNULL
    try:
        done = subprocess.run(command, cwd=folder, stdout=nothing, stderr=nothing, timeout=limit, check=False)
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{command[0]}: not done in {limit:g} s") from error
    if done.returncode != 0:
        raise Failure(f"{command[0]}: {status_of(done.returncode)}")


def status_of(code):
    """How a process ended, in words; signals have negative numbers."""
    return f"signal {-code}" if code < 0 else f"exit status {code}"


def run(command, folder, limit, pattern):
    """Runs a command and reads its number of states."""
    before = time.monotonic()
    with open(Path(folder) / "out", "w+", encoding="utf-8") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT)
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - before > limit:
                process.kill()
                os.wait4(process.pid, 0)
                raise Failure(f"not done in {limit:g} s")
            time.sleep(0.01)
        wall = time.monotonic() - before
        out.seek(0)
        found = re.search(pattern, out.read(), re.MULTILINE)
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        raise Failure(status_of(code))
    if not found:
        raise Failure("no number of states in what it prints")
    states = round(float(found.group(1).replace(",", "")))
    return Result(states, used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def cspsym(row, folder, limit, threads):
    """Checks the assertion of the row's script, with its sizes put in."""
    text = (HERE / f"{row.model}.csp").read_text(encoding="utf-8")
    names = re.findall(r"^([NMD]) = \d+$", text, re.MULTILINE)
    definitions = [f"-D{name}={size}" for name, size in zip(names, row.sizes)]
    command = [CSPSYM, "check", HERE / f"{row.model}.csp", *definitions, "--assertion", str(row.assertion)]
    command += ["--threads", str(threads), *row.options]
    return run(command, folder, limit, r"^ *([\d,]+) (?:representative )?states")


def spin(row, folder, limit):
    """Explores the whole graph, or looks for deadlocks with partial order reduction."""
    is_reduced = row.peer.endswith("po")
    model = getattr(promela, row.model)(*row.sizes)
    (Path(folder) / "model.pml").write_text(model, encoding="utf-8")
    flags = "-O2 -march=native -w -DSAFETY -DNOBOUNDCHECK -DMEMLIM=16000".split()
    flags += [] if is_reduced else ["-DNOREDUCE"]
    make(["spin", "-a", "model.pml"], folder, limit)
    make(["gcc", *flags, "-o", "pan", "pan.c"], folder, limit)
    slots = "-w20" if row.states < 1_000_000 else "-w26"
    # With `-E` it goes on after deadlocks.
    options = [] if is_reduced else ["-E"]
    return run(["./pan", *options, "-m30000000", slots], folder, limit, r"^\s*([\d.e+]+) states, stored")


def rumur(row, folder, limit):
    """Explores the whole graph, or with the heuristic symmetry reduction."""
    model = (HERE / f"{row.model}.m").read_text(encoding="utf-8")
    for name, size in zip(("@N@", "@M@"), [*row.sizes, 0]):
        model = model.replace(name, str(size))
    (Path(folder) / "model.m").write_text(model, encoding="utf-8")
    symmetry = "off" if row.peer.endswith("off") else "heuristic"
    options = f"--deadlock-detection off --symmetry-reduction {symmetry} --scalarset-schedules off --threads 1"
    make(["rumur", *options.split(), "--set-capacity", "268435456", "-o", "model.c", "model.m"], folder, limit)
    flags = "-std=c11 -O3 -march=native -mcx16 -w".split()
    make(["gcc", *flags, "-o", "model", "model.c", "-lpthread", "-latomic"], folder, limit)
    return run(["./model"], folder, limit, r"^\s*(\d+) states, \d+ rules fired")


def peer(row, folder, limit):
    """Runs the row's peer, if it has one and it is installed."""
    name = row.peer.split()[0] if row.peer else ""
    if not name or not shutil.which(name) or not shutil.which("gcc"):
        return None
    # Their stacks are deep.
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))
    return {"spin": spin, "rumur": rumur}[name](row, folder, limit)


def attempt(program, *arguments):
    """What a program gave, and why it gave nothing; neither if there is no such program."""
    try:
        return program(*arguments), ""
    except Failure as failure:
        return None, str(failure)


def compare(row, arguments):
    """Prints one row; whether everything in it is as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        ours, problem = attempt(cspsym, row, folder, arguments.limit, 1)
        both, both_problem = attempt(cspsym, row, folder, arguments.limit, 2) if arguments.threads else (None, "")
        theirs, their_problem = attempt(peer, row, folder, arguments.limit)
    failures = [("cspsym", problem), ("with two threads it", both_problem), (row.peer, their_problem)]
    problems = [f"{name} failed: {problem}" for name, problem in failures if problem]
    problems += differences(row, ours, both, theirs)
    cells = [f"{row.name:20}"]
    is_fast = True
    if ours:
        cells.append(f"{ours.states:>11,}  {ours.cpu:>8.2f} s  {ours.megabytes * 1024 * 1024 / ours.states:>7.1f} B")
        cells.append(f"{ours.wall / both.wall:>5.2f}x" if both else "      ")
        is_fast = speed(row, ours, theirs, cells)
    if not is_fast:
        cells.append("MISSED")
    if problems:
        cells.append(f"WRONG: {'; '.join(problems)}")
    print("  ".join(cells).rstrip(), flush=True)
    return is_fast and not problems


def differences(row, ours, both, theirs):
    """What is said of numbers of states that are not as they should be."""
    problems = []
    if ours and ours.states != row.states:
        problems.append(f"not the {row.states:,} states that there are")
    if ours and both and both.states != ours.states:
        problems.append(f"with two threads {both.states:,} states")
    if theirs and row.is_exact and theirs.states != row.states:
        problems.append(f"{row.peer} found {theirs.states:,} states")
    return problems


def speed(row, ours, theirs, cells):
    """Appends what compares with the peer, or with the time that is allowed; whether it is fast enough."""
    if theirs:
        ratio = theirs.cpu / ours.cpu
        cells += [f"{row.peer:10}", f"{theirs.cpu:>8.2f} s", f"{ratio:>6.1f}x", f"of {row.target:g}x"]
        cells += [] if row.is_exact else [f"{theirs.states:,} states"]
        return ratio >= row.target
    if not row.peer:
        cells += [f"{'':10}", f"{'':>10}", f"{'':>7}", f"of {row.target:g} s"]
        return ours.cpu <= row.target
    return True


def main():
    """Runs the rows that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only rows of a second or so")
    parser.add_argument("--row", action="append", help="only this row; may be repeated")
    parser.add_argument("--threads", action="store_true", help="also on two threads: how many times faster by the clock")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for one run")
    arguments = parser.parse_args()
    if not CSPSYM.exists():
        sys.exit("build cspsym first: cargo build --release")
    rows = [row for row in ROWS if row.is_quick or not arguments.quick]
    rows = [row for row in rows if not arguments.row or row.name in arguments.row]
    print(f"{'':20}  {'states':>11}  {'cspsym':>10}  {'a state':>9}  {'2 thr':>6}  peer")
    bad = [row.name for row in rows if not compare(row, arguments)]
    if bad:
        sys.exit(f"missed or wrong: {', '.join(bad)}")


if __name__ == "__main__":
    main()
