"""`python -m cspsym`: the program, whether or not its folder is searched."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path


def program() -> str:
    """Return the path of the program that was installed with this package."""
    name = "cspsym" + (sysconfig.get_config_var("EXE") or "")
    schemes = (None, f"{os.name}_user")
    folders = [
        sysconfig.get_path("scripts") if scheme is None else sysconfig.get_path("scripts", scheme)
        for scheme in schemes
    ]
    # What was installed with `--target` or `--prefix` is beside the package.
    beside = Path(__file__).resolve()
    folders += [str(parent / "bin") for parent in (beside.parents[1], *beside.parents[2:5])]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    found = shutil.which(name)
    if found is None:
        sys.exit("cspsym: the program is not installed beside the package")
    return found


def main() -> None:
    """Run the program in place of Python, with the arguments of this call."""
    call = [program(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(call[0], call)
    sys.exit(subprocess.run(call, check=False).returncode)


if __name__ == "__main__":
    main()
