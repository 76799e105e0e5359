"""Reading a changed tokenizer.json with the reference and with `tokenizers`, in a process that may die of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import tokenizers
from both_sides import outcome_or_error
from lone_process import LoneProcess, ProcessLostError

import tokenizer_reference
from tokenizer_reference.errors import TokenizerFileError, UpstreamPanicError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from mutations import Mutation

TEXTS = ("", "ab a", " Abab-12  b_a▁x", "é京\u0301 [CLS] a||b")
IDS = ((), (3, 9, 3, 4), (20, 7, 5, 1))

LONGEST_PADDING = 1000
"""Padding to more tokens is not tried out, as it takes memory without end."""

MUTATIONS_PER_CALL = 200
SECONDS_PER_CALL = 60.0


class Answer(Enum):
    """What reading a document comes to."""

    READ = "reads it"
    REFUSED = "refuses it"
    PANICKED = "panics"
    LOST = "dies of it, or never ends"


@dataclass(frozen=True)
class Verdict:
    """What the two libraries make of a document: what each answers, and how else they differ.

    ``path`` and ``message`` are those of the reference's error.
    """

    mutation: Mutation
    reference: Answer
    target: Answer
    path: str = ""
    message: str = ""
    difference: str = ""


@dataclass(frozen=True)
class _Reading:
    answer: Answer
    tokenizer: Any = None
    path: str = ""
    message: str = ""


def verdicts(mutations: Sequence[Mutation]) -> Iterator[Verdict]:
    """Yield a verdict for each mutation."""
    with LoneProcess(SECONDS_PER_CALL) as process:
        for at in range(0, len(mutations), MUTATIONS_PER_CALL):
            yield from _verdicts(process, mutations[at : at + MUTATIONS_PER_CALL])


def _verdicts(process: LoneProcess, mutations: Sequence[Mutation]) -> list[Verdict]:
    """Return the verdicts; where the process is lost, the mutation at which that happens is found by halving."""
    try:
        return process.call(_compare_all, mutations)
    except ProcessLostError:
        if len(mutations) == 1:
            return [_of_lost(process, *mutations)]
        middle = len(mutations) // 2
        return _verdicts(process, mutations[:middle]) + _verdicts(process, mutations[middle:])


def _of_lost(process: LoneProcess, mutation: Mutation) -> Verdict:
    """Return the verdict where not both libraries survive."""
    answers = []
    for library in (tokenizer_reference, tokenizers):
        try:
            answers.append(process.call(_answer_of, library.__name__, mutation.content))
        except ProcessLostError:
            answers.append(Answer.LOST)
    return Verdict(mutation, *answers)


# In the process ------------------------------------------------------------------------------------------------------


def _answer_of(name: str, content: bytes) -> Answer:
    return _read(tokenizer_reference if name == tokenizer_reference.__name__ else tokenizers, content).answer


def _compare_all(mutations: Sequence[Mutation]) -> list[Verdict]:
    return [_compare(mutation) for mutation in mutations]


def _compare(mutation: Mutation) -> Verdict:
    ours = _read(tokenizer_reference, mutation.content)
    theirs = _read(tokenizers, mutation.content)
    both_read = ours.answer is theirs.answer is Answer.READ
    difference = _first_difference(ours.tokenizer, theirs.tokenizer) if both_read else ""
    return Verdict(mutation, ours.answer, theirs.answer, ours.path, ours.message, difference)


def _read(library: ModuleType, content: bytes) -> _Reading:
    try:
        return _Reading(Answer.READ, library.Tokenizer.from_buffer(content))
    except TokenizerFileError as error:
        answer = Answer.PANICKED if isinstance(error, UpstreamPanicError) else Answer.REFUSED
        return _Reading(answer, path=error.path, message=error.message)
    except ValueError:
        # Only the target raises it: an error of the reference that is no TokenizerFileError fails the test.
        if library is not tokenizers:
            raise
        return _Reading(Answer.REFUSED)
    except BaseException as error:
        if not _is_panic(error):
            raise
        return _Reading(Answer.PANICKED)


def _is_panic(error: BaseException) -> bool:
    return type(error).__name__ == "PanicException"  # of no module that can be imported, and no Exception


def _first_difference(ours: Any, theirs: Any) -> str:
    for (question, mine), (_, its) in zip(_answers(ours), _answers(theirs), strict=True):
        if mine != its:
            return f"{question}: the reference gives {mine!r}, the target {its!r}"
    return ""


def _answers(tokenizer: Any) -> Iterator[tuple[str, Any]]:
    """Give what there is to compare: the file that is written, encodings, and decoded texts."""
    yield "to_str", tokenizer.to_str()
    padding = tokenizer.padding or {}
    if max(padding.get("length") or 0, padding.get("pad_to_multiple_of") or 0) > LONGEST_PADDING:
        tokenizer.no_padding()
    if 0 < (getattr(tokenizer.model, "dropout", None) or 0) < 1:
        tokenizer.model.dropout = None  # it lets chance answer
    for text in TEXTS:
        yield f"encode {text!r}", outcome_or_error(lambda text=text: _shown(tokenizer.encode(text, TEXTS[1])))
        yield f"encode {text!r} alone", outcome_or_error(lambda text=text: _shown(tokenizer.encode(text)))
    for ids in IDS:
        yield f"decode {ids}", outcome_or_error(lambda ids=ids: tokenizer.decode(list(ids)))


def _shown(encoding: Any) -> Any:
    return (encoding.ids, encoding.type_ids, encoding.tokens, encoding.offsets, encoding.special_tokens_mask)
