"""All that `tokenizers` offers in public is offered by the reference, with the same names and defaults."""

from __future__ import annotations

import copy
import pickle
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from api_parity import Difference, differences, public_members, public_names
from in_one_test import in_one_test

import tokenizer_reference

if TYPE_CHECKING:
    from types import ModuleType

MARKUP = "what the target builds its page with; the page of the reference is its own"
SIGNATURE = "the target's signature is written by hand and wrong; the call without the argument does what ours does"

NOT_GIVEN = "None is refused, and means nothing that could be said when it is not given"

EXCEPTIONS = {
    "tokenizers": "the compiled module; what it holds is offered by the package",
    "AddedToken(normalized=)": "not given means the opposite of `special`, which no value can say",
    "models.BPE(cache_capacity=)": SIGNATURE,
    "models.BPE(fuse_unk=)": SIGNATURE,
    "models.BPE(continuing_subword_prefix=)": NOT_GIVEN,
    "models.BPE(end_of_word_suffix=)": NOT_GIVEN,
    "trainers.BpeTrainer(continuing_subword_prefix=)": NOT_GIVEN,
    "trainers.BpeTrainer(end_of_word_suffix=)": NOT_GIVEN,
    "trainers.BpeTrainer(limit_alphabet=)": NOT_GIVEN,
    "trainers.WordPieceTrainer(end_of_word_suffix=)": NOT_GIVEN,
    "trainers.WordPieceTrainer(limit_alphabet=)": NOT_GIVEN,
    "models.*.save(prefix=)": SIGNATURE,
    "normalizers.Prepend(prepend=)": SIGNATURE,
    "pre_tokenizers.Metaspace(replacement=)": SIGNATURE,
    "tools.EncodingVisualizer.consecutive_chars_to_html": MARKUP,
    "tools.EncodingVisualizer.unk_token_regex": "a backspace stands where a word boundary was meant; it never matters",
    "tools.visualizer.[!E]*": MARKUP,
}
"""Differences, by the pattern of their places, and why they are there."""

VOCABULARY = "{'a': 0, 'b': 1, 'ab': 2}"

SAMPLES = {
    "AddedToken": "AddedToken('a')",
    "Encoding": f"Tokenizer(models.WordLevel({VOCABULARY}, 'a')).encode('a')",
    "NormalizedString": "NormalizedString('aé')",
    "PreTokenizedString": "PreTokenizedString('aé')",
    "Regex": "Regex('a')",
    "Token": "Token(1, 'a', (0, 1))",
    "Tokenizer": "Tokenizer(models.BPE())",
    "implementations.BaseTokenizer": "implementations.BaseTokenizer(Tokenizer(models.BPE()))",
    "decoders.Decoder": "decoders.Fuse()",
    "decoders.Replace": "decoders.Replace('a', 'b')",
    "decoders.Sequence": "decoders.Sequence([])",
    "models.Model": "models.BPE()",
    "normalizers.Normalizer": "normalizers.NFC()",
    "normalizers.Replace": "normalizers.Replace('a', 'b')",
    "normalizers.Sequence": "normalizers.Sequence([])",
    "pre_tokenizers.PreTokenizer": "pre_tokenizers.Whitespace()",
    "pre_tokenizers.CharDelimiterSplit": "pre_tokenizers.CharDelimiterSplit('a')",
    "pre_tokenizers.Sequence": "pre_tokenizers.Sequence([])",
    "pre_tokenizers.Split": "pre_tokenizers.Split('a', 'removed')",
    "processors.PostProcessor": "processors.ByteLevel()",
    "processors.BertProcessing": "processors.BertProcessing(('a', 1), ('b', 2))",
    "processors.RobertaProcessing": "processors.RobertaProcessing(('a', 1), ('b', 2))",
    "processors.Sequence": "processors.Sequence([])",
    "trainers.ParityBpeTrainer": "trainers.ParityBpeTrainer()",
    "trainers.Trainer": "trainers.BpeTrainer()",
    "tools.EncodingVisualizer": "package.tools.EncodingVisualizer(Tokenizer(models.BPE()), False)",
    "normalizers.Precompiled": "normalizers.Precompiled([0, 0, 0, 0])",
}
"""An instance of each class that cannot be called without arguments, in the names of either package."""


@cache
def found() -> list[Difference]:
    return sorted(differences(tokenizer_reference, tokenizers, SAMPLES))


def test_every_difference_is_explained() -> None:
    unexplained = [each for each in found() if not any(fnmatchcase(each.place, pattern) for pattern in EXCEPTIONS)]
    assert unexplained == []


@in_one_test("pattern", EXCEPTIONS)
def test_every_exception_is_needed(pattern: str) -> None:
    assert any(fnmatchcase(each.place, pattern) for each in found()), "remove the exception"


# What can be done with every object -----------------------------------------------------------------------------------

WAYS = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "repr": repr,
    "str": str,
}
OTHERWISE = {
    "normalizers.Replace", "normalizers.Precompiled", "decoders.Replace",  # see the quirk
    "PreTokenizedString", "Regex", "Token", "decoders.DecodeStream",  # the target shows an address
    "trainers.ParityBpeTrainer",
}  # fmt: skip
CLASSES = [
    place
    for place, value in public_names(tokenizers).items()
    if isinstance(value, type)
    and value.__module__.partition(".")[0] == "tokenizers"
    and not issubclass(value, Enum)
    and not place.startswith("tools.")
]


def done(package: ModuleType, place: str, way: str) -> object:
    """Return what an object looks like afterwards, or the name of the error."""
    try:
        sample = eval(SAMPLES.get(place, f"{place}()"), {**vars(package), "package": package})
        answer = WAYS[way](sample)
        return answer if isinstance(answer, str) else (type(answer).__name__, repr(answer.__getstate__()))
    except (TypeError, LookupError) as error:
        return type(error).__name__


@pytest.mark.parametrize("way", WAYS)
def test_every_object_is_copied_and_shown_as_in_the_target(way: str) -> None:
    assert len(CLASSES) > 60
    places = [place for place in CLASSES if place not in OTHERWISE]
    ours, theirs = (
        {place: done(package, place, way) for place in places} for package in (tokenizer_reference, tokenizers)
    )
    assert ours == theirs


# The comparison itself ------------------------------------------------------------------------------------------------

REMOVED = object()


def _renamed(_: Any, length: int, stride: int = 0, direction: str = "right") -> None: ...
def _in_another_order(_: Any, max_length: int, direction: str = "right", stride: int = 0) -> None: ...
def _with_another_default(_: Any, max_length: int, stride: int = 1, direction: str = "right") -> None: ...
def _with_a_default_of_another_type(
    _: Any, max_length: int, stride: bool = False, direction: str = "right"
) -> None: ...
def _with_one_argument_less(_: Any, max_length: int, stride: int = 0) -> None: ...
def _with_one_argument_more(
    _: Any, max_length: int, stride: int = 0, direction: str = "right", *, more: int = 1
) -> None: ...
def _by_name_only(_: Any, max_length: int, stride: int = 0, *, direction: str = "right") -> None: ...
def _without_keywords(_: Any) -> None: ...
def _with_one_side(_: Any, left: bool = True) -> None: ...
def _from_pretrained(identifier: str, revision: str = "master", token: str | None = None) -> None: ...


class FewerBehaviors(Enum):
    REMOVED = "removed"


TAMPERINGS: dict[str, tuple[str, object, str]] = {
    "an argument with another name": ("Encoding.truncate", _renamed, "Encoding.truncate(max_length)"),
    "arguments in another order": ("Encoding.truncate", _in_another_order, "Encoding.truncate()"),
    "another default": ("Encoding.truncate", _with_another_default, "Encoding.truncate(stride=)"),
    "an equal default of another type": (
        "Encoding.truncate",
        _with_a_default_of_another_type,
        "Encoding.truncate(stride=)",
    ),
    "an argument less": ("Encoding.truncate", _with_one_argument_less, "Encoding.truncate(direction)"),
    "an argument more": ("Encoding.truncate", _with_one_argument_more, "Encoding.truncate(more)"),
    "an argument that has no place": ("Encoding.truncate", _by_name_only, "Encoding.truncate(*)"),
    "no other arguments by name": ("decoders.ByteLevel.__init__", _without_keywords, "decoders.ByteLevel(**)"),
    "an argument less of a constructor": ("normalizers.Strip.__init__", _with_one_side, "normalizers.Strip(right)"),
    "another default of a static method": (
        "Tokenizer.from_pretrained",
        staticmethod(_from_pretrained),
        "Tokenizer.from_pretrained(revision=)",
    ),
    "an inherited method that is other than the base's": (
        "models.WordPiece.save",
        lambda self, directory, prefix=None: None,  # noqa: ARG005
        "models.WordPiece.save(folder)",
    ),
    "no method": ("Encoding.pad", REMOVED, "Encoding.pad"),
    "no asynchronous method": (
        "pipeline.asynchronous.AsynchronousMethods.async_encode",
        REMOVED,
        "Tokenizer.async_encode",
    ),
    "no special method": ("NormalizedString.__getitem__", REMOVED, "NormalizedString.__getitem__"),
    "no property": ("Encoding.word_ids", REMOVED, "Encoding.word_ids"),
    "another value of a property": ("Encoding.n_sequences", property(lambda _: 7), "Encoding.n_sequences"),
    "no class": ("decoders.CTC", REMOVED, "decoders.CTC"),
    "no member of an enum": ("SplitDelimiterBehavior", FewerBehaviors, "SplitDelimiterBehavior.ISOLATED"),
    "a second name of something else": ("ByteLevelBPETokenizer", object, "implementations.ByteLevelBPETokenizer"),
}
"""What can be wrong: where something of the reference is replaced, by what, and the place that must be named."""


def _together() -> list[dict[str, tuple[str, object, str]]]:
    """Return the tamperings in groups, in each of which every name is tampered with once: to compare takes long."""
    groups: list[dict[str, tuple[str, object, str]]] = []
    for what, tampering in TAMPERINGS.items():
        free = next((group for group in groups if tampering[0] not in {path for path, _, _ in group.values()}), None)
        if free is None:
            groups.append(free := {})
        free[what] = tampering
    return groups


@pytest.mark.parametrize("tamperings", _together(), ids=lambda tamperings: next(iter(tamperings)))
def test_what_is_wrong_is_found(
    tamperings: dict[str, tuple[str, object, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {each.place for each in found()}
    for path, replacement, _ in tamperings.values():
        *names, last = path.split(".")
        holder = attrgetter(".".join(names))(tokenizer_reference) if names else tokenizer_reference
        if replacement is REMOVED:
            monkeypatch.delattr(holder, last)
        else:
            monkeypatch.setattr(holder, last, replacement)
    told = {place.partition("(")[0] for _, _, place in tamperings.values()}
    there = told | {place.rpartition(".")[0] for place in told}
    seen = {each.place for each in differences(tokenizer_reference, tokenizers, SAMPLES, there)} - known
    assert [what for what, (_, _, place) in tamperings.items() if place not in seen] == []


def test_the_comparison_sees_hundreds_of_names() -> None:
    names = public_names(tokenizers)
    assert len(names) > 120
    assert sum(len(public_members(kind)) for kind in {each for each in names.values() if isinstance(each, type)}) > 400
