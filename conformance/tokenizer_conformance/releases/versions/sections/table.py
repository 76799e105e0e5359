"""All sections, by name: what the Python API says, which files are refused, how files are saved, the suite, training.

A section is made anew for each comparison: it may remember earlier releases.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.contract import Failed, SavingSubject
from tokenizer_adapters.environments.asking import Asks
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.inputs.random_tokenizers.complete_documents import COMPLETE_DOCUMENTS, focus
from tokenizer_conformance.releases.versions.facts import Fact, NoFactsError, told_by
from tokenizer_conformance.releases.versions.sections.documents import (
    of_older_forms,
    of_the_suite,
    with_every_option,
    with_one_thing_wrong,
)
from tokenizer_conformance.releases.versions.sections.loading import (
    Refusal,
    loaded,
    without_position,
    without_this_machine,
)
from tokenizer_conformance.releases.versions.sections.training import Training
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.reader import read_suite
from tokenizer_conformance.validation.suite.running import results_of
from tokenizer_conformance.validation.suite.wording import failure_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokenizer_adapters.contract import Subject, WithoutValue
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.facts import Release, Section
    from tokenizer_conformance.validation.suite.judging import CaseResult
    from tokenizer_conformance.validation.suite.requirement import CaseInPlace, Document

DEFAULTS_SECONDS = 180.0


class Defaults:
    """The API of ``tokenizers``, of ``transformers`` that of its base classes; each fact is a name and its words."""

    name: ClassVar[str] = "defaults"
    title: ClassVar[str] = "the Python API and its default values"

    def facts(self, release: Release, tokenizers: Sequence[TokenizerFile]) -> Mapping[str, Fact]:  # noqa: ARG002
        """Return what the Python of the release says of its API.

        Raises :class:`NoFactsError` where it crashes or hangs, and for other packages.
        """
        STATUS.begin(release.word, "asking for its API")
        answer = told_by(release.word, Asks.INTERFACE, (), DEFAULTS_SECONDS, "the API of {} is not asked for")
        return {name: Fact(words) for name, words in answer.items()}


# Refusals ------------------------------------------------------------------------------------------------------------

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
    return Fact(f"is refused: {without_position(refusal.words)}", f"is refused: {refusal.words}")


def all_documents() -> dict[str, Document]:
    """Return the documents that are tried, by name."""
    return COMPLETE_DOCUMENTS | of_older_forms() | with_one_thing_wrong() | of_the_suite(read_suite())


# Saved files ---------------------------------------------------------------------------------------------------------

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


# The suite -----------------------------------------------------------------------------------------------------------

WORDS: dict[CaseVerdict, str] = {
    CaseVerdict.PASSED: "passed",
    CaseVerdict.KNOWN: "failed",
    CaseVerdict.FAILED: "failed",
    CaseVerdict.UNSUPPORTED: "not shown",
    CaseVerdict.ERROR: "error",
}


class SuiteCases:
    """The outcome of every case of the suite, by requirement and case."""

    name: ClassVar[str] = "suite"
    title: ClassVar[str] = "which cases of the suite it passes"

    def __init__(self, cases: Sequence[CaseInPlace] | None = None) -> None:
        self._cases = list(read_suite().cases()) if cases is None else list(cases)

    def facts(self, release: Release, tokenizers: Sequence[TokenizerFile]) -> Mapping[str, Fact]:  # noqa: ARG002
        """Return the verdict of each case, and where that is not "passed" the first difference or the reason."""
        STATUS.begin(release.word, "asking the suite")
        found: dict[str, Fact] = {}
        for result in results_of(self._cases, release.implementation):
            STATUS.reach(Place(release.word, len(found), len(self._cases), "cases"))
            words = told(result, release.word)
            found[result.judged.id] = Fact(without_position(words), words)
        return found


def requirement_of(name: str) -> str:
    """Return the id of the requirement that the case belongs to which the fact ``name`` is about.

    >>> requirement_of("FIXEDLENGTH-PIECES/3")
    'FIXEDLENGTH-PIECES'
    """
    return name.partition("/")[0]


def told(result: CaseResult, word: str) -> str:
    """Return the verdict of ``result`` in words, with its first difference or the reason why nothing is said.

    What an adapter says before the words of a refusal is left out: which file it was.
    """
    verdict = WORDS[result.verdict]
    if result.failures:
        lines = failure_lines(result.failures[0], result, "this release")
        words = without_this_machine(f"{verdict}: {'; '.join(line.strip() for line in lines)}", word)
        return re.sub(r"is not loaded: \S+ (?:cannot load|(panics) while it loads) .*?\(FILE\):", _not_loaded, words)
    return without_this_machine(f"{verdict}: {result.reason}", word) if result.reason else verdict


def _not_loaded(match: re.Match[str]) -> str:
    return f"is not loaded: {'panics:' if match[1] else ''}".rstrip()


_CLASSES = (Defaults, Refusals, Saved, SuiteCases, Training)

SECTIONS: Mapping[str, Callable[[], Section]] = {section.name: section for section in _CLASSES}
"""What makes a section, by its name, in the order in which they are collected and shown."""

TITLES: Mapping[str, str] = {section.name: section.title for section in _CLASSES}
"""What the facts of each section are about."""
