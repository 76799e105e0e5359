"""What tests of the reference share: the same test can be run on the reference and on the library that it mirrors."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
import tokenizers.decoders
import tokenizers.processors

import tokenizer_reference
import tokenizer_reference.decoders
import tokenizer_reference.processors
from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.values.encoding import Encoding

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

sys.path.insert(0, str(Path(__file__).parent / "material"))  # test folders are not packages

from quirk_cases.asking import state


@dataclass(frozen=True)
class Library:
    """One of the two libraries, with what differs between them."""

    name: str
    root: ModuleType
    Encoding: Any
    processors: ModuleType
    decoders: ModuleType
    panic: type[BaseException]

    def encoding(self, **columns: Any) -> Any:
        """Return an encoding with ``columns``; the others follow from ``tokens``."""
        encoding = self.Encoding()
        encoding.__setstate__(json.dumps(_state(**columns)).encode())
        return encoding


def _state(tokens: list[str], overflowing: Iterable[dict[str, Any]] = (), **columns: Any) -> dict[str, Any]:
    return state(*tokens, overflowing=[_state(**part) for part in overflowing], **columns)


def _target_panic() -> type[BaseException]:
    try:
        tokenizers.decoders.Strip("a", 1, 1).decode(["a"])
    except BaseException as error:
        return type(error)
    raise AssertionError("the target did not panic")


@pytest.fixture(scope="session")
def reference() -> Library:
    return Library(
        "reference",
        tokenizer_reference,
        Encoding,
        tokenizer_reference.processors,
        tokenizer_reference.decoders,
        UpstreamPanicError,
    )


@pytest.fixture(scope="session")
def target() -> Library:
    return Library(
        "tokenizers",
        tokenizers,
        tokenizers.Encoding,
        tokenizers.processors,
        tokenizers.decoders,
        _target_panic(),
    )


@pytest.fixture(params=["reference", "target"])
def library(request: pytest.FixtureRequest) -> Library:
    """Each of the two libraries in turn: what a test says is true of both."""
    return request.getfixturevalue(request.param)


@pytest.fixture(params=[tokenizer_reference, tokenizers], ids=["reference", "tokenizers"])
def package(request: pytest.FixtureRequest) -> Any:
    """Each of the two packages in turn."""
    return request.param


FIELDS = (
    "ids",
    "type_ids",
    "tokens",
    "word_ids",
    "offsets",
    "special_tokens_mask",
    "attention_mask",
    "n_sequences",
    "sequence_ids",
)


def all_that_shows(encoding: Any) -> dict[str, Any]:
    """Return everything that an encoding, of either library, lets one see: fields, look-ups, overflow."""
    state = json.loads(encoding.__getstate__())
    has_overlap = _has_overlap(state["sequence_ranges"].values())
    return {
        **{field: getattr(encoding, field) for field in FIELDS},
        "state": state,
        "repr": repr(encoding),
        # Where ranges overlap, the target answers with any of them.
        "sequences": None if has_overlap else _at_each_position(encoding, "token_to_sequence"),
        **{name: _at_each_position(encoding, name) for name in ("token_to_chars", "token_to_word")},
        **{
            f"{name} of sequence {sequence}": _at_each_position(encoding, name, sequence)
            for name in ("char_to_token", "char_to_word", "word_to_tokens", "word_to_chars")
            for sequence in range(3)
        },
        "overflowing": [all_that_shows(part) for part in encoding.overflowing],
    }


def _at_each_position(encoding: Any, look_up: str, *sequence: int) -> list[Any]:
    return [getattr(encoding, look_up)(position, *sequence) for position in range(len(encoding) + 2)]


def _has_overlap(ranges: Iterable[dict[str, int]]) -> bool:
    by_start = sorted((each["start"], each["end"]) for each in ranges)
    return any(before[1] > after[0] for before, after in pairwise(by_start))


@pytest.fixture(scope="session")
def shows() -> Any:
    return all_that_shows
