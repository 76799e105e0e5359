"""Reads a checkpoint with ``transformers`` and saves it: ``python -I save_checkpoint.py FROM TO``.

It runs in a process of its own, so that neither the library nor what it prints and sets reaches the process that asks.
Nothing is fetched (``HF_HUB_OFFLINE`` is set by who runs this), and no code of the checkpoint is run.
"""

from __future__ import annotations

import importlib
import sys

if __name__ == "__main__":
    _, checkpoint, target = sys.argv
    auto = importlib.import_module("transformers").AutoTokenizer
    auto.from_pretrained(checkpoint, trust_remote_code=False).save_pretrained(target)
