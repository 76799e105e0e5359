"""Which cases of the suite a release passes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.releases.versions.facts import Fact
from tokenizer_conformance.releases.versions.sections.loading import without_position, without_this_machine
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.reader import read_suite
from tokenizer_conformance.validation.suite.running import results_of
from tokenizer_conformance.validation.suite.wording import failure_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.facts import Release
    from tokenizer_conformance.validation.suite.judging import CaseResult
    from tokenizer_conformance.validation.suite.requirement import CaseInPlace

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
