"""The published checkpoints and the bundled tokenizers, each loaded by the reference and by `tokenizers`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import tokenizers

import tokenizer_reference
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names

if TYPE_CHECKING:
    from pathlib import Path

CHECKPOINTS = (
    "albert-base-v1", "bert-base-cased", "bert-base-uncased", "camembert-base", "google-fnet-base", "gpt2",
    "roberta-base", "t5-small",
    "xlnet-base-cased",
)  # fmt: skip

BUNDLED = bundled_names()


@dataclass(frozen=True)
class Loaded:
    """One tokenizer.json on both sides."""

    reference: tokenizer_reference.Tokenizer
    target: Any


def published(shared: Path, name: str) -> Loaded:
    """Return the published checkpoint ``name``."""
    return _loaded(str(shared / "tokenizers" / name / "tokenizer.json"))


def bundled(name: str) -> Loaded:
    """Return the bundled tokenizer ``name``."""
    return _loaded(str(bundled_file(name)))


@cache
def _loaded(file: str) -> Loaded:
    """Loading takes longer than most tests do; no test changes a tokenizer."""
    return Loaded(tokenizer_reference.Tokenizer.from_file(file), tokenizers.Tokenizer.from_file(file))
