"""Reading a changed tokenizer.json with the reference and with `tokenizers`, in processes that may die of it."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from enum import Enum
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import tokenizers

import tokenizer_reference
from tokenizer_reference.errors import TokenizerFileError, UpstreamPanicError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_conformance.generation.mutations import Mutation

TEXTS = ("", "ab a", " Abab-12  b_a▁x", "é京\u0301 [CLS] a||b")
IDS = ((), (3, 9, 3, 4), (20, 7, 5, 1))

LONGEST_PADDING = 1000
"""Padding to more tokens is not tried out, as it takes memory without end."""


class Answer(Enum):
    """What reading a document comes to."""

    READ = "reads it"
    REFUSED = "refuses it"
    PANICKED = "panics"
    ABORTED = "aborts the process"


@dataclass(frozen=True)
class Verdict:
    """What the two libraries make of a document: what each answers, the reference's message, and how else they differ."""

    name: str
    reference: Answer
    target: Answer
    message: str = ""
    target_message: str = ""
    difference: str = ""


def _read(read: Callable[[bytes], Any], content: bytes) -> tuple[Answer, Any]:
    try:
        return Answer.READ, read(content)
    except TokenizerFileError as error:
        return Answer.PANICKED if isinstance(error, UpstreamPanicError) else Answer.REFUSED, str(error)
    except ValueError as error:
        # Only the target raises it: an error of the reference that is no TokenizerFileError fails the test.
        if read is not tokenizers.Tokenizer.from_buffer:
            raise
        return Answer.REFUSED, str(error)
    except BaseException as error:
        if not _is_panic(error):
            raise
        return Answer.PANICKED, str(error)


def _is_panic(error: BaseException) -> bool:
    return type(error).__name__ == "PanicException"  # of no module that can be imported, and no Exception


def _outcome(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except UpstreamPanicError:
        return "panic"
    except tokenizer_reference.errors.TokenizerReferenceError:
        return "error"
    except BaseException as error:
        if _is_panic(error):
            return "panic"
        if isinstance(error, Exception) and type(error) is Exception:  # what the target raises
            return "error"
        raise


def _shown(encoding: Any) -> Any:
    return (encoding.ids, encoding.type_ids, encoding.tokens, encoding.offsets, encoding.special_tokens_mask)


def _answers(tokenizer: Any) -> Iterator[tuple[str, Any]]:
    """Give what there is to compare: the file that is written, encodings, and decoded texts."""
    yield "to_str", tokenizer.to_str()
    padding = tokenizer.padding or {}
    if max(padding.get("length") or 0, padding.get("pad_to_multiple_of") or 0) > LONGEST_PADDING:
        tokenizer.no_padding()
    for text in TEXTS:
        yield f"encode {text!r}", _outcome(lambda text=text: _shown(tokenizer.encode(text, TEXTS[1])))
        yield f"encode {text!r} alone", _outcome(lambda text=text: _shown(tokenizer.encode(text)))
    for ids in IDS:
        yield f"decode {ids}", _outcome(lambda ids=ids: tokenizer.decode(list(ids)))


def compare(mutation: Mutation) -> Verdict:
    """Return what the two libraries make of ``mutation``."""
    ours, reference = _read(tokenizer_reference.Tokenizer.from_buffer, mutation.content)
    theirs, target = _read(tokenizers.Tokenizer.from_buffer, mutation.content)
    difference = ""
    if ours is theirs is Answer.READ:
        for (question, mine), (_, its) in zip(_answers(reference), _answers(target), strict=True):
            if mine != its:
                difference = f"{question}: the reference gives {mine!r}, the target {its!r}"
                break
    message = "" if ours is Answer.READ else reference
    return Verdict(mutation.name, ours, theirs, message, "" if theirs is Answer.READ else target, difference)


def _compare_all(mutations: Sequence[Mutation]) -> list[Verdict]:
    return [compare(mutation) for mutation in mutations]


def _silence_panics() -> None:
    os.environ["RUST_BACKTRACE"] = "0"
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def verdicts(mutations: Sequence[Mutation], jobs: int = 2, size: int = 200) -> Iterator[Verdict]:
    """Yield a verdict for each mutation. Where a process dies, the mutation it died of is found by halving."""
    parts = [mutations[at : at + size] for at in range(0, len(mutations), size)]
    again: list[Sequence[Mutation]] = []
    with _pool(jobs) as pool:
        futures = [(pool.submit(_compare_all, part), part) for part in parts]
        for future, part in futures:
            try:
                yield from future.result()
            except BrokenProcessPool:
                again.append(part)
    for part in again:
        yield from _halved(part)


def _halved(mutations: Sequence[Mutation]) -> Iterator[Verdict]:
    try:
        with _pool(1) as pool:
            found = pool.submit(_compare_all, mutations).result()
    except BrokenProcessPool:
        if len(mutations) == 1:
            ours, message = _read(tokenizer_reference.Tokenizer.from_buffer, mutations[0].content)
            yield Verdict(mutations[0].name, ours, Answer.ABORTED, message if isinstance(message, str) else "")
            return
        middle = len(mutations) // 2
        yield from _halved(mutations[:middle])
        yield from _halved(mutations[middle:])
    else:
        yield from found


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_silence_panics)
