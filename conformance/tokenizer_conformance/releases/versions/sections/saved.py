"""What a release saves of what it has loaded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.contract import Failed, SavingSubject
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.inputs.random_tokenizers.complete_documents import focus
from tokenizer_conformance.releases.versions.facts import Fact, NoFactsError
from tokenizer_conformance.releases.versions.sections.documents import with_every_option
from tokenizer_conformance.releases.versions.sections.loading import Refusal, loaded, without_this_machine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_adapters.contract import Subject, WithoutValue
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.facts import Release
    from tokenizer_conformance.validation.suite.requirement import Document

NOT_LOADED = "is not loaded"


class Saved:
    """The part that each of many small documents is about, as it is saved once it was loaded."""

    name: ClassVar[str] = "saved"
    title: ClassVar[str] = "what each component is saved as"

    def __init__(self, documents: Mapping[str, Document] | None = None) -> None:
        self._documents = with_every_option() if documents is None else documents

    def facts(self, release: Release, tokenizers: Sequence[TokenizerFile]) -> Mapping[str, Fact]:  # noqa: ARG002
        """Return the JSON of each part; objects have their fields in the order of names, which has no meaning.

        Raises :class:`NoFactsError` where the release writes no tokenizer.json.
        """
        STATUS.begin(release.word, "loading and saving files")
        found: dict[str, Fact] = {}
        for name, subject in loaded(release, self._documents):
            if isinstance(subject, Refusal):
                found[name] = Fact(NOT_LOADED, f"{NOT_LOADED}: {subject.words}")
            else:
                found[name] = Fact(_saved_part(subject, focus(name), release.word))
        return found


def _saved_part(subject: Subject, key: str, word: str) -> str:
    """Return what ``subject`` saves under ``key``.

    Raises :class:`NoFactsError`.
    """
    if not isinstance(subject, SavingSubject):
        raise NoFactsError("it does not write a tokenizer.json")
    text = _saved(subject)
    if not isinstance(text, str):
        return without_this_machine(f"is not saved: {text}", word)
    try:
        return json.dumps(json.loads(text).get(key, "nothing"), ensure_ascii=False, sort_keys=True)
    except (ValueError, RecursionError, AttributeError) as error:
        return f"what is saved is no JSON object: {error}"


def _saved(subject: SavingSubject) -> str | WithoutValue:
    """Return what ``subject`` writes, or why it writes nothing."""
    try:
        return subject.saved()
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of a Rust library derives from BaseException
        return Failed(type(error).__name__, str(error))
