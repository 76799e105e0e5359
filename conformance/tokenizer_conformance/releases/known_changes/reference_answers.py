"""What the reference answers with parts of a tokenizer.json: the rule of a change whose answers it gives exactly."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import CannotLoadError, TokenizerSource
from tokenizer_adapters.selection import Isolation, select

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Observation, Outcome

_REFERENCE = "reference"


def reference_answer(parts: Mapping[str, Any], vocabulary: Mapping[str, Any], question: Observation) -> Outcome | None:
    """Return what the reference answers to ``question`` with ``parts`` of a tokenizer.json.

    For a model it has the words of ``vocabulary`` with their ids, as a model does not matter where only components
    around it are asked. ``None`` where the reference refuses the parts.
    """
    model = {"type": "WordLevel", "vocab": vocabulary, "unk_token": ""}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tokenizer.json"
        file.write_text(json.dumps({"version": "1.0", **_NONE, **parts, "model": model}), encoding="utf-8")
        try:
            subject = select(_REFERENCE, Isolation()).build().load(TokenizerSource(_REFERENCE, str(file)))
        except CannotLoadError:
            return None
        return subject.observe(question)


_NONE: Mapping[str, Any] = dict.fromkeys(
    ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
) | {"added_tokens": []}
