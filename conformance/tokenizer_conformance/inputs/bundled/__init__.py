"""The bundled tokenizers: small vocabularies of our own in the pipelines that published checkpoints have.

``gpt2-mini`` has GPT-2's byte-level BPE, ``bert-mini`` the WordPiece pipeline of bert-base-uncased, ``xlnet-mini`` the
Unigram pipeline of xlnet-base-cased without its character map. The others have what these lack: ``roberta-mini`` a
prefix space and trimmed offsets, ``llama-mini`` byte fallback, ``t5-mini`` a character map, ``options-mini``
truncation, padding and added tokens with every flag, ``wordlevel-mini`` a chain of pre-tokenizers,
``gpt1-mini`` a suffix at the ends of words, ``rare-mini`` components that hardly any tokenizer has.

Six have the pipelines of today's models: ``llama3-mini`` (digits in threes, ``ignore_merges``), ``o200k-mini`` (cuts by
case, Removed and inverted), ``qwen-mini`` (NFC, digits alone), ``tekken-mini`` (Mistral Nemo's), ``deepseek-mini``
(three Splits), and ``gemma-mini`` (byte fallback, two hundred added tokens).

The vocabularies were trained on ``corpus.txt``, which was written for this project;
`tools/train_bundled_tokenizers.py` says how.
"""

from __future__ import annotations

import difflib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

ALL = "bundled"
"""The word that names all of them."""

FIRST = (
    "gpt2-mini",
    "bert-mini",
    "xlnet-mini",
    "roberta-mini",
    "llama-mini",
    "t5-mini",
    "options-mini",
    "wordlevel-mini",
    "gpt1-mini",
    "rare-mini",
)
"""Those that a command takes where none is named."""

TODAY = ("llama3-mini", "o200k-mini", "qwen-mini", "tekken-mini", "deepseek-mini", "gemma-mini")

NAMES = FIRST + TODAY


def bundled_names() -> tuple[str, ...]:
    """Return the names of the bundled tokenizers."""
    return NAMES


def named(words: Sequence[str]) -> tuple[str, ...]:
    """Return what ``words`` name: :data:`FIRST` where there are none, and all bundled ones for :data:`ALL`.

    A folder that is called like that goes before, as everywhere.

    >>> named(["my-checkpoint", "bert-mini"]), named([]) == FIRST, named(["bundled"]) == NAMES
    (('my-checkpoint', 'bert-mini'), True, True)
    """
    if ALL not in words or Path(ALL).exists():
        return tuple(words) or FIRST
    return tuple(dict.fromkeys(name for word in words for name in (NAMES if word == ALL else (word,))))


def names_with_chat_template() -> tuple[str, ...]:
    """Return the names of the bundled tokenizers that have a chat template beside them.

    >>> "llama-mini" in names_with_chat_template(), "bert-mini" in names_with_chat_template()
    (True, False)
    """
    return tuple(name for name in NAMES if (bundled_file(name).parent / "chat_template.jinja").is_file())


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
