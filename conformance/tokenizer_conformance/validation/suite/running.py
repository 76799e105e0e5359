"""Asking an implementation the steps of cases.

The tokenizers of the cases are written to files in a folder that is gone afterwards; cases of one tokenizer are asked
one after the other, so each is loaded once.
"""

from __future__ import annotations

import json
import tempfile
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from tokenizer_adapters.contract import (
    CannotLoadError,
    Failed,
    SavingSubject,
    TokenizerSource,
    Unsupported,
    observe_all,
    shows_of,
)
from tokenizer_conformance.validation.suite.blaming import blamed
from tokenizer_conformance.validation.suite.judging import (
    CaseResult,
    FileAnswer,
    FileLoaded,
    NotLoaded,
    StepAnswer,
    VocabularyAnswer,
    judge,
    judge_not_loaded,
)
from tokenizer_conformance.validation.suite.requirement import (
    CaseInPlace,
    Document,
    FileRefused,
    FileWritten,
    Observed,
    Step,
    TextWritten,
    VocabularyShown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Field, Implementation, Subject

TOKENIZER, CONFIGURATION = "tokenizer.json", "tokenizer_config.json"

CANNOT_SAVE = Unsupported("does not write a tokenizer.json")


class Documents:
    """Loads documents with an implementation; their files are in ``folder``, and stay there as long as it does.

    There is no ``folder``, and nothing is written, for an implementation that reads no files.
    """

    def __init__(self, implementation: Implementation, folder: Path | None) -> None:
        self._implementation = implementation
        self._folder = folder
        self._written = 0

    def load(self, name: str, document: Document, configuration: Document | None = None) -> Subject:
        """Load ``document``, which messages call ``name``, with the ``configuration`` beside it.

        Each has a file of its own: what is loaded may read its file again later. With a configuration it has a folder
        of its own. Raises :class:`CannotLoadError`.
        """
        if self._folder is None:
            return self._implementation.load(TokenizerSource(name, TOKENIZER))
        self._written += 1
        if configuration is None:
            file = self._folder / f"{self._written}.json"
            file.write_text(json.dumps(document), encoding="ascii")
            return self._implementation.load(TokenizerSource(name, str(file)))
        folder = self._folder / str(self._written)
        folder.mkdir()
        for file, content in ((folder / TOKENIZER, document), (folder / CONFIGURATION, configuration)):
            file.write_text(json.dumps(content), encoding="ascii")
        return self._implementation.load(TokenizerSource(name, str(folder / TOKENIZER), str(folder)))


def results_of(
    cases: Iterable[CaseInPlace],
    implementation: Implementation,
    wanted: frozenset[Field] | None = None,
    *,
    reads_files: bool = True,
) -> Iterator[CaseResult]:
    """Ask ``implementation`` the steps of ``cases`` and yield the results in the order of the cases.

    Only ``wanted`` fields are compared, all where these are not given. One that does not read what it loads is given
    no files.
    """
    unit = implementation.info.offset_unit
    with tempfile.TemporaryDirectory(prefix="tokconf-suite-") as folder:
        documents = Documents(implementation, Path(folder) if reads_files else None)
        for same in of_one_tokenizer(cases):
            try:
                subject = documents.load(*_tokenizer_of(same[0]))
            except CannotLoadError as error:
                yield from (judge_not_loaded(case, error) for case in same)
                continue
            shown = shows_of(subject, implementation.info)
            for case in same:
                answers = answers_of(subject, case.case.steps, documents)
                result = judge(case, answers, unit, wanted, shown)
                yield blamed(result, answers, unit, partial(documents.load, "a part of the tokenizer"))


def of_one_tokenizer(cases: Iterable[CaseInPlace]) -> Iterator[list[CaseInPlace]]:
    """Yield ``cases`` that stand together and are of one tokenizer, which is loaded once for them."""
    for _, group in groupby(cases, key=lambda case: (case.area.name, case.case.tokenizer)):
        yield list(group)


def _tokenizer_of(case: CaseInPlace) -> tuple[str, Document, Document | None]:
    name = case.case.tokenizer
    return f"{case.area.name}/{name}", case.area.tokenizers[name], case.area.configurations.get(name)


def answers_of(subject: Subject, steps: Sequence[Step], documents: Documents) -> list[StepAnswer]:
    """Return the answers of ``subject`` to ``steps``; files that are to be refused are loaded from ``documents``."""
    observed = iter(observe_all(subject, [step.observation for step in steps if isinstance(step, Observed)]))
    return [next(observed) if isinstance(step, Observed) else _other_answer(subject, step, documents) for step in steps]


def _other_answer(
    subject: Subject, step: VocabularyShown | FileWritten | TextWritten | FileRefused, documents: Documents
) -> StepAnswer:
    match step:
        case VocabularyShown():
            return _vocabulary(subject)
        case FileWritten() | TextWritten():
            return _file(subject)
        case FileRefused(document):
            return _refusal(document, documents)
        case _:
            assert_never(step)


def _vocabulary(subject: Subject) -> StepAnswer:
    try:
        tokens = subject.vocabulary()
    except Exception as error:  # noqa: BLE001 - any error of an implementation is its answer
        return Failed(type(error).__name__, str(error))
    return tokens if isinstance(tokens, Unsupported) else VocabularyAnswer(dict(tokens))


def _file(subject: Subject) -> StepAnswer:
    if not isinstance(subject, SavingSubject):
        return CANNOT_SAVE
    text = subject.saved()
    return FileAnswer(text) if isinstance(text, str) else text


def _refusal(document: Document, documents: Documents) -> StepAnswer:
    try:
        documents.load("a file to refuse", document)
    except CannotLoadError as error:
        if error.unsupported:
            return Unsupported(str(error))
        return NotLoaded(str(error)) if error.fault is None else error.fault
    return FileLoaded()
