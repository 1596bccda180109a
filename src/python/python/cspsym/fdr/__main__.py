"""`python -m cspsym.fdr --path`: the folder in which `import fdr` finds this module."""

import argparse
from pathlib import Path


def main() -> None:
    """Print the folder."""
    parser = argparse.ArgumentParser(
        prog="python -m cspsym.fdr",
        description="FDR's Python module, answered by cspsym.",
        epilog="PYTHONPATH=$(python -m cspsym.fdr --path) python program.py",
    )
    parser.add_argument(
        "--path",
        action="store_true",
        required=True,
        help="print the folder that has to be searched for `import fdr` to find this module",
    )
    parser.parse_args()
    print(Path(__file__).resolve().parent / "path")


if __name__ == "__main__":
    main()
