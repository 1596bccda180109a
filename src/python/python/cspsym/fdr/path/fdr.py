"""`import fdr`, for programs that are written for FDR: the module `cspsym.fdr` by that name."""

import sys

import cspsym.fdr

sys.modules[__name__] = cspsym.fdr
