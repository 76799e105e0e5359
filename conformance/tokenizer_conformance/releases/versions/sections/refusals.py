"""What a release refuses to load, with which words, and what it loads."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.inputs.random_tokenizers.complete_documents import COMPLETE_DOCUMENTS
from tokenizer_conformance.releases.versions.facts import Fact
from tokenizer_conformance.releases.versions.sections.documents import (
    of_older_forms,
    of_the_suite,
    with_one_thing_wrong,
)
from tokenizer_conformance.releases.versions.sections.loading import Refusal, loaded
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.facts import Release
    from tokenizer_conformance.validation.suite.requirement import Document

LOADS = "loads"


class Refusals:
    """Whether each of many small documents loads: those of the suite, of older forms, and with one thing wrong."""

    name: ClassVar[str] = "refusals"
    title: ClassVar[str] = "what files are refused, with which words, and what loads"

    def __init__(self, documents: Mapping[str, Document] | None = None) -> None:
        self._documents = all_documents() if documents is None else documents

    def facts(self, release: Release, tokenizers: Sequence[TokenizerFile]) -> Mapping[str, Fact]:  # noqa: ARG002
        """Return for each document "loads", or the words of the refusal; the position in the file is shown only."""
        STATUS.begin(release.word, "loading files to refuse")
        return {
            name: _refused(found) if isinstance(found, Refusal) else Fact(LOADS)
            for name, found in loaded(release, self._documents)
        }


def _refused(refusal: Refusal) -> Fact:
    return Fact(f"is refused: {refusal.without_position}", f"is refused: {refusal.words}")


def all_documents() -> dict[str, Document]:
    """Return the documents that are tried, by name."""
    return COMPLETE_DOCUMENTS | of_older_forms() | with_one_thing_wrong() | of_the_suite(read_suite())
