"""What the sources say of reports and options is what the program says, which is `CSPSYM`."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2]

#: Options that say how results are printed or kept in files, or who decides: Python does that.
NOT_FOR_PYTHON = {
    "assertion",
    "cache",
    "format",
    "help",
    "hosts",
    "include-root",
    "jobs",
    "junit",
    "process",
    "processes",
    "progress",
    "quiet",
    "report",
    "sarif",
    "secret",
    "timeout-each",
    "wait",
}


def said(*arguments):
    call = [os.environ["CSPSYM"], *arguments]
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def test_the_reports_are_those_of_the_schema():
    tool = module(PACKAGE / "tools/generate_reports.py")
    written = (PACKAGE / "python/cspsym/reports.py").read_text("utf-8")
    assert tool.generated(said("help", "json", "--schema")) == written


def test_every_option_of_a_check_has_a_type():
    options = module(PACKAGE / "python/cspsym/_options.py")
    known = {name.replace("_", "-") for name in options.CheckOptions.__optional_keys__}
    offered = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", said("check", "--help"), re.MULTILINE))
    assert offered - NOT_FOR_PYTHON == known


def test_options_become_words_of_the_command_line():
    options = module(PACKAGE / "python/cspsym/_options.py")
    wanted = {
        "timeout": 1.5,
        "explain": True,
        "shortest": False,
        "spill": Path("a b"),
        "model": None,
    }
    words = options.words(wanted, options.CheckOptions)
    assert words == ["--timeout=1.5", "--explain", "--spill=a b"]
    assert options.definitions({"N": 3, "B": True}, "in") == [
        "-D",
        "N=3",
        "-D",
        "B=true",
        "--include-root=in",
    ]
