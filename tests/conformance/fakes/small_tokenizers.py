"""Tokenizers so small that what they make of a text can be counted by hand."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import CannotLoadError, Decode, Encode, Encoded, Failed, Outcome, Unsupported
from tokenizer_adapters.tokenizers import TokenizersImplementation

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import ImplementationInfo, Observation, Subject, TokenizerSource

PARTS: dict[str, Any] = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "post_processor": None,
    "decoder": None,
}

WORDS = {"<unk>": 0, "ab": 1, "b": 2, "ba": 3}
CHARACTERS = {"<unk>": 0, "a": 1, "b": 2, "c": 3}


def words_tokenizer(folder: Path, name: str = "words") -> Path:
    """Write a tokenizer to ``folder`` that knows three words; every other one is unknown."""
    return _written(folder, name, {"type": "WordLevel", "vocab": WORDS, "unk_token": "<unk>"})


def characters_tokenizer(folder: Path, name: str = "characters") -> Path:
    """Write a tokenizer to ``folder`` that cuts words into characters; it knows a, b and c."""
    model = {"type": "BPE", "vocab": CHARACTERS, "merges": [], "unk_token": "<unk>"}
    rest = {"dropout": None, "continuing_subword_prefix": None, "end_of_word_suffix": None}
    return _written(folder, name, {**model, **rest, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False})


def _written(folder: Path, name: str, model: dict[str, Any]) -> Path:
    file = folder / f"{name}.json"
    file.write_text(json.dumps({**PARTS, "model": model}))
    return file


@dataclass(frozen=True)
class Changed:
    """``tokenizers``, whose answers to ``Encode`` a function ``changes``; what it returns or raises is the answer."""

    changes: Callable[[Encode, Encoded], Outcome]
    name: str = "changed"

    @property
    def info(self) -> ImplementationInfo:
        return replace(TokenizersImplementation().info, name=self.name)

    def load(self, source: TokenizerSource) -> ChangedSubject:
        return ChangedSubject(TokenizersImplementation().load(source), self.changes)


@dataclass(frozen=True)
class ChangedSubject:
    subject: Subject
    changes: Callable[[Encode, Encoded], Outcome]

    def observe(self, question: Observation) -> Outcome:
        answer = self.subject.observe(question)
        if isinstance(question, Encode) and isinstance(answer, Encoded):
            return self.changes(question, answer)
        return answer

    def vocabulary(self) -> Any:
        return self.subject.vocabulary()


@dataclass(frozen=True)
class SkippingSubject(ChangedSubject):
    def observe(self, question: Observation) -> Outcome:
        if isinstance(question, Decode) and not question.skip_special_tokens:
            return Unsupported("special tokens are always left out")
        return super().observe(question)


class AlwaysSkipping(Changed):
    """Cannot decode with special tokens."""

    def __init__(self) -> None:
        super().__init__(lambda _, answer: answer, "always-skipping")

    def load(self, source: TokenizerSource) -> SkippingSubject:
        return SkippingSubject(TokenizersImplementation().load(source), self.changes)


class WithoutOffsets(Changed):
    """Registered by no one: named on a command line as ``small_tokenizers:WithoutOffsets``."""

    def __init__(self) -> None:
        super().__init__(lambda _, answer: replace(answer, offsets=None), "without-offsets")


class RaisingOnC(Changed):
    """Raises an error for each text with a c in it."""

    def __init__(self) -> None:
        super().__init__(
            lambda question, answer: Failed("ValueError", "no c here") if "c" in str(question.text) else answer,
            "raising",
        )


class TooManyOffsets(Changed):
    """Gives an offset too many."""

    def __init__(self) -> None:
        super().__init__(
            lambda _, answer: (
                replace(answer, ids=answer.ids[:1], tokens=answer.tokens[:1], offsets=((0, 1), (0, 1)))
                if answer.tokens
                else answer
            ),
            "too-many-offsets",
        )


class OffsetsOutside(Changed):
    """Gives offsets behind the end of the text."""

    def __init__(self) -> None:
        super().__init__(
            lambda _, answer: replace(answer, offsets=tuple((start, 99) for start, _ in answer.offsets or ())),
            "offsets-outside",
        )


class Panicking(Changed):
    """Raises what no adapter may raise."""

    def __init__(self) -> None:
        def raising(_question: Encode, _answer: Encoded) -> Outcome:
            raise RuntimeError("a panic")

        super().__init__(raising, "panicking")


class KilledOnC(Changed):
    """Takes its process down over each text with a c in it."""

    def __init__(self) -> None:
        def killing(question: Encode, answer: Encoded) -> Outcome:
            if "c" in str(question.text):
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        super().__init__(killing, "killed")


class KilledOnce(Changed):
    """Takes its process down over a text with a c in it, but only once in a folder: ``killed`` is there afterwards."""

    def __init__(self) -> None:
        def killing(question: Encode, answer: Encoded) -> Outcome:
            if "c" in str(question.text) and not Path("killed").exists():
                Path("killed").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        super().__init__(killing, "killed")


class LoadingNone(Changed):
    """Has no way to load any tokenizer, and says so."""

    def __init__(self) -> None:
        super().__init__(lambda _, answer: answer, "loading-none")

    def load(self, source: TokenizerSource) -> ChangedSubject:
        raise CannotLoadError(f"{self.name} has no way to load {source.name}", unsupported=True)
