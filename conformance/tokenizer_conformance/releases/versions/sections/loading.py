"""Loading many small documents with a release, and what it says of those that it refuses."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.validation.suite.running import Documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_adapters.contract import Subject
    from tokenizer_conformance.releases.versions.facts import Release
    from tokenizer_conformance.validation.suite.requirement import Document

LONGEST = 300
"""How many characters of a refusal's words are kept."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A release does not load a document; ``words`` are its own, on one line, without the path of the file."""

    words: str


def without_position(words: str) -> str:
    """Return ``words`` without the line and column at which reading ended: that depends on how a release reads.

    >>> without_position("missing field `type` at line 1 column 20")
    'missing field `type`'
    >>> without_position('panics: Error("no base64", line: 0, column: 0)')
    'panics: Error("no base64")'
    """
    return re.sub(r",? (?:at )?line:? \d+,? column:? \d+", "", words)


def loaded(release: Release, documents: Mapping[str, Document]) -> Iterator[tuple[str, Subject | Refusal]]:
    """Yield what ``release`` makes of each of ``documents``, by name; a subject is to be asked before the next one."""
    with tempfile.TemporaryDirectory(prefix="tokconf-versions-") as folder:
        writer = Documents(release.implementation, Path(folder))
        for done, (name, document) in enumerate(documents.items()):
            STATUS.reach(Place(release.word, done, len(documents), "files"))
            yield name, _loaded(writer, document, folder, release.word)


def _loaded(writer: Documents, document: Document, folder: str, word: str) -> Subject | Refusal:
    try:
        return writer.load("a file", document)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except CannotLoadError as error:
        return Refusal(own_words(str(error), folder, word))
    except BaseException as error:  # noqa: BLE001 - an adapter that breaks its contract fails to load
        return Refusal(own_words(f"the adapter raised {type(error).__name__}: {error}", folder, word))


def own_words(message: str, folder: str, word: str) -> str:
    """Return what a release says itself in the ``message`` of a :class:`CannotLoadError`.

    An adapter puts before it what was to be loaded, with the path of the file in ``folder``; a panic is told as one.
    ``word`` selects the release.

    >>> own_words("tokenizers cannot load a file (/tmp/x/1.json): no model at line 1", "/tmp/x", "tokenizers==1")
    'no model at line 1'
    >>> own_words("tokenizers panics while it loads a file (/tmp/x/1.json): /tmp/x/1.json is bad", "/tmp/x", "t==1")
    'panics: FILE is bad'
    """
    place = re.escape(folder) + r"[^\s'\"),:]*"
    before = re.match(rf"(?P<before>[^()]*) \({place}\): ", message)
    said = message if before is None else message[before.end() :]
    panics = before is not None and " panics while " in before["before"]
    return without_this_machine(f"{'panics: ' if panics else ''}{re.sub(place, 'FILE', said)}", word)[:LONGEST]


def without_this_machine(words: str, word: str) -> str:
    r"""Return ``words`` on one line, without paths of temporary files, addresses of objects and the release's name.

    >>> without_this_machine("tokenizers==1 fails at 0x7f00aa in\n/tmp/tokconf-suite-ab1/3.json: x", "tokenizers==1")
    'it fails at ADDRESS in FILE: x'
    """
    words = re.sub(r"[^\s'\"(]*tokconf-(?:suite|versions)-[^\s'\"),:]*", "FILE", " ".join(words.split()))
    return re.sub(r"0x[0-9a-fA-F]{6,}", "ADDRESS", words).replace(word, "it")
