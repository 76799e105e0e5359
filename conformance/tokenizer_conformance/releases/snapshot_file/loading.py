"""How a tokenizer was loaded, as a snapshot says it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import SavingSubject
from tokenizer_conformance.comparison.vocabularies import vocabulary_digest
from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
from tokenizer_conformance.releases.snapshot_file.saved_document import cut_down

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.comparison.asking import Asked


def loaded_tokenizer(asked: Asked, source: TokenizerSource) -> LoadedTokenizer:
    """Return how ``asked`` has loaded the tokenizer of ``source``: what it shows, saves, and has for a vocabulary."""
    vocabulary = asked.vocabulary()
    saved = _saved(asked)
    shows = getattr(asked.subject, "shows", None)
    return LoadedTokenizer(
        name=source.name,
        files=() if asked.files == (source.file,) else tuple(Path(file).name for file in asked.files),
        shows=None if shows is None else asked.shows,
        saved=cut_down(saved) if isinstance(saved, str) else None,
        vocabulary=vocabulary_digest(vocabulary) if isinstance(vocabulary, dict) else None,
    )


def _saved(asked: Asked) -> object:
    """Return what ``asked`` saves the tokenizer as; what an adapter raises is no document."""
    if not isinstance(asked.subject, SavingSubject):
        return None
    try:
        return asked.subject.saved()
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException:  # noqa: BLE001 - a panic of a Rust library derives from BaseException
        return None
