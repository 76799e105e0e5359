"""What a check is given: implementations, a tokenizer in one of many forms, and texts.

Implementations that are words are selected and started; objects of the program are wrapped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Implementation, TokenizerSource
from tokenizer_adapters.objects import saved_text, wrapped
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.registry import RegistryError
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import FILE_NAME, locate, read_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_adapters.objects import Manner
    from tokenizer_conformance.inputs.corpus import Corpus
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

Texts = Iterable[str | tuple[str, str]]
"""Texts, and pairs of texts."""

GIVEN = "given"
"""The category of texts that a caller gave."""

OWN_NAME, GIVEN_NAME = "its own tokenizer", "the given tokenizer"


@dataclass(frozen=True, slots=True)
class CheckedImplementation:
    """An ``implementation`` to be compared.

    ``takes`` tells whether it can be asked a question. ``loading`` is what the requirements are asked of, ``None``
    where no other tokenizer than its own can be had; ``why_not`` then says why. ``saved`` is the tokenizer.json that it
    writes of itself.
    """

    implementation: Implementation
    takes: Callable[[Observation], bool]
    loading: Implementation | None
    saved: Callable[[], str | None]
    why_not: str = ""

    @property
    def name(self) -> str:
        """The name that it goes by."""
        return self.implementation.info.name


@contextmanager
def side_of(
    given: object, manner: Manner, load: Callable[[str], object] | None = None
) -> Iterator[CheckedImplementation]:
    """Give ``given``, a word or an object, as a side; a process of its own ends at exit.

    Raises :class:`ValueError` where a word selects nothing, :class:`UnavailableError` where the library of what it
    selects is not installed, and :class:`TypeError` where an object encodes nothing.
    """
    if not isinstance(given, str) and not isinstance(given, Implementation):
        yield _of_object(given, manner, load)
        return
    if load is not None:
        raise ValueError("load is for objects; what has a name loads tokenizers itself")
    if not isinstance(given, str):
        yield _of_implementation(given)
        return
    try:
        implementation = select(given, Isolation()).build()
    except RegistryError as error:
        raise ValueError(str(error)) from error
    try:
        yield _of_implementation(implementation)
    finally:
        if isinstance(implementation, ProcessImplementation):
            implementation.close()


def _of_implementation(implementation: Implementation) -> CheckedImplementation:
    return CheckedImplementation(implementation, _takes_all, implementation, _nothing)


def _of_object(given: object, manner: Manner, load: Callable[[str], object] | None) -> CheckedImplementation:
    found = wrapped(given, manner, load)
    why_not = (
        ""
        if found.loading is not None
        else f"{manner.name} is an object that loads no other tokenizers; give load=, a function that is given the "
        "path of a tokenizer.json and returns such an object"
    )
    return CheckedImplementation(found.implementation, found.takes, found.loading, lambda: saved_text(given), why_not)


def _takes_all(_observation: Observation) -> bool:
    return True


def _nothing() -> None:
    return None


# The tokenizer -------------------------------------------------------------------------------------------------------


def tokenizer_file(tokenizer: object, side: CheckedImplementation, folder: str) -> TokenizerFile:
    """Return the tokenizer that ``tokenizer`` is, or, where it is ``None``, the one that ``side`` writes of itself.

    What is no file yet is written to ``folder``. Raises :class:`ValueError` where it cannot be known or read.
    """
    try:
        if tokenizer is None:
            return _written(_own(side), OWN_NAME, folder)
        if isinstance(tokenizer, str | os.PathLike) and not _is_json(tokenizer):
            found = locate(os.fspath(tokenizer))
            return read_tokenizer(found.source, found.snapshot)
        return _written(_text_of(tokenizer), GIVEN_NAME, folder)
    except BadInputError as error:
        raise ValueError(str(error)) from error


def _own(side: CheckedImplementation) -> str:
    text = side.saved()
    if text is None:
        raise ValueError(
            f"{side.name} does not say which tokenizer it is: give tokenizer=, a tokenizer.json, a folder with one, a "
            "bundled name ('bert-mini') or a name of the hub"
        )
    return text


def _is_json(tokenizer: object) -> bool:
    return isinstance(tokenizer, str) and tokenizer.lstrip().startswith("{")


def _text_of(tokenizer: object) -> str:
    if isinstance(tokenizer, str):
        return tokenizer
    if isinstance(tokenizer, Mapping):
        return json.dumps(tokenizer)
    text = saved_text(tokenizer)
    if text is None:
        raise ValueError(
            f"tokenizer: an object of {type(tokenizer).__name__} writes no tokenizer.json; give a path, a name, or the "
            "content of one"
        )
    return text


def _written(text: str, name: str, folder: str) -> TokenizerFile:
    file = Path(folder) / FILE_NAME
    file.write_text(text, encoding="utf-8")
    return read_tokenizer(TokenizerSource(name, str(file)))


# Texts ---------------------------------------------------------------------------------------------------------------


def corpus_of(texts: Texts | None) -> Corpus:
    """Return ``texts`` as inputs, the built-in ones where they are ``None``.

    A text is also asked about in a pair with the next one. Raises :class:`ValueError` where there is none, or one is no
    text, and :class:`TypeError` for what is no collection of texts.
    """
    try:
        sources = [("built-in inputs", builtin_inputs())] if texts is None else list(_sources(texts))
    except BadInputError as error:
        raise ValueError(str(error)) from error
    corpus, _ = read_corpus(sources)
    if not corpus.count:
        raise ValueError("there are no texts to compare on; leave texts out for the built-in ones")
    return corpus


def _sources(texts: Texts) -> Iterator[tuple[str, tuple[Input, ...]]]:
    """Yield the texts that stand alone as one source, and each pair as one of its own."""
    if isinstance(texts, str | bytes):
        raise TypeError("texts is one text: give several, as in texts=[text]")
    alone: list[Input] = []
    for number, each in enumerate(texts):
        if isinstance(each, str):
            alone.append(Input(f"text {number}", GIVEN, each))
        elif isinstance(each, tuple) and len(each) == 2 and all(isinstance(text, str) for text in each):
            pair = (Input(f"text {number}, {which}", GIVEN, text) for which, text in zip("ab", each, strict=True))
            yield f"pair {number}", tuple(pair)
        else:
            raise ValueError(f"texts[{number}] is of {type(each).__name__}: a str or a pair of them is expected")
    if alone:
        yield GIVEN, tuple(alone)
