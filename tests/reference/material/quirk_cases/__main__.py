"""Ask the target one case, by the id of its quirk."""

from __future__ import annotations

import sys

import tokenizers

from quirk_cases import CASES

if __name__ == "__main__":
    print(CASES[sys.argv[1]].ask(tokenizers))
