"""The wheel brings the program."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import cspsym


def test_the_program_is_installed(shop_file):
    program = Path(sysconfig.get_path("scripts"), "cspsym")
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
    assert said.stdout == f"cspsym {cspsym.__version__}\n"
    module = [sys.executable, "-m", "cspsym", "check", "--quiet", str(shop_file)]
    said = subprocess.run(module, check=False, capture_output=True, text=True)
    assert said.returncode == 1
    assert "fails" in said.stdout
