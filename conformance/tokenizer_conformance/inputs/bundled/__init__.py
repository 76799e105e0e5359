"""The bundled tokenizers: small vocabularies of our own in the pipelines that published checkpoints have.

``gpt2-mini`` has GPT-2's byte-level BPE, ``bert-mini`` the WordPiece pipeline of bert-base-uncased, ``xlnet-mini`` the
Unigram pipeline of xlnet-base-cased without its character map. The others have what these lack: ``roberta-mini`` a
prefix space and trimmed offsets, ``llama-mini`` byte fallback, ``t5-mini`` a character map, ``options-mini``
truncation, padding and added tokens with every flag, ``wordlevel-mini`` a chain of pre-tokenizers. The vocabularies
were trained on ``corpus.txt``, which was written for this project; `tools/train_bundled_tokenizers.py` says how.
"""

from __future__ import annotations

import difflib
from importlib.resources import files
from pathlib import Path

from tokenizer_conformance.errors import BadInputError

NAMES = (
    "gpt2-mini",
    "bert-mini",
    "xlnet-mini",
    "roberta-mini",
    "llama-mini",
    "t5-mini",
    "options-mini",
    "wordlevel-mini",
)


def bundled_names() -> tuple[str, ...]:
    """Return the names of the bundled tokenizers."""
    return NAMES


def bundled_file(name: str) -> Path:
    """Return the path of the ``tokenizer.json`` of the bundled tokenizer ``name``.

    Raises :class:`BadInputError` for an unknown name.

    >>> "/".join(bundled_file("bert-mini").parts[-2:])
    'bert-mini/tokenizer.json'
    """
    if name not in NAMES:
        close = difflib.get_close_matches(name, NAMES, n=1)
        suggestion = f"; did you mean {close[0]!r}?" if close else ""
        raise BadInputError(f"no bundled tokenizer is called {name!r}{suggestion} (bundled: {', '.join(NAMES)})")
    # The package is installed as plain files, so that implementations in other processes can open this path.
    return Path(str(files(__name__) / name / "tokenizer.json"))
