"""Ask the target one case, by the id of its requirement."""

from __future__ import annotations

import resource
import sys

import tokenizers

from quirk_cases import CASES

MEMORY = 2**30
"""What fills the memory shall not take the machine's."""

ASKED = "asked"
"""What is printed before the target is asked."""

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print(ASKED, flush=True)
    print(CASES[sys.argv[1]].ask(tokenizers))
