"""Which place is blamed where encodings alone are wrong: the answers themselves tell, or experiments."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from small_suites import area, case, files_of, requirement, step

from tokenizer_adapters.contract import (
    CannotLoadError,
    Encode,
    EncodeBatch,
    Encoded,
    Failed,
    Normalize,
    PreTokenize,
    Text,
    TokenizerSource,
    plain_of,
)
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.reader import ERROR, suite_of, value_form
from tokenizer_conformance.validation.suite.requirement import Place
from tokenizer_conformance.validation.suite.running import results_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Implementation, Observation, Outcome, Subject

Document = dict[str, Any]

TEXT = "Ab <x>AB"

DOCUMENT: Document = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [
        {"id": 9, "content": "<x>", "single_word": False, "lstrip": False, "rstrip": False}
        | {"normalized": False, "special": True}
    ],
    "normalizer": {"type": "Lowercase"},
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "post_processor": None,
    "decoder": None,
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "A": 3, "B": 4, " ": 5}, "merges": [["a", "b"]]},
}


class EncodesOtherwise:
    """The reference, which encodes as if ``change`` had been made to the file, and shows every stage of the file."""

    def __init__(
        self, change: Callable[[Document], Document], *, loads_parts: bool = True, raises: bool = False
    ) -> None:
        self.info = ReferenceImplementation().info
        self._change = change
        self._loads_parts = loads_parts
        self._raises = raises

    def load(self, source: TokenizerSource) -> Subject:
        """Load both files."""
        whole = ReferenceImplementation().load(source)
        document = json.loads(Path(source.file).read_text("utf-8"))
        if document["pre_tokenizer"] is None and not self._loads_parts:
            raise CannotLoadError("no pre-tokenizer")
        other = Path(source.file).with_suffix(".other")
        other.write_text(json.dumps(self._change(document)), "utf-8")
        if self._raises and document["normalizer"] is not None:
            return Both(whole, Raises())
        return Both(whole, ReferenceImplementation().load(TokenizerSource("other", str(other))))


class Raises:
    """Answers with an error."""

    def observe(self, _: Observation) -> Outcome:
        """Answer one question."""
        return Failed("ValueError", "no")

    def vocabulary(self) -> Any:
        """Return no token."""
        return {}


class Both:
    """Answers questions about encodings by one subject, others by another."""

    def __init__(self, whole: Subject, encoding: Subject) -> None:
        self._whole, self._encoding = whole, encoding

    def observe(self, observation: Observation) -> Outcome:
        """Answer one question."""
        encodes = isinstance(plain_of(observation), Encode | EncodeBatch)
        return (self._encoding if encodes else self._whole).observe(observation)

    def vocabulary(self) -> Any:
        """Return the vocabulary."""
        return self._whole.vocabulary()


def without_normalizer(document: Document) -> Document:
    return {**document, "normalizer": None}


def cut_elsewhere(document: Document) -> Document:
    return {
        **document,
        "pre_tokenizer": document["pre_tokenizer"]
        and {"type": "Split", "pattern": {"String": "b"}} | {"behavior": "Isolated", "invert": False},
    }


def without_added_tokens(document: Document) -> Document:
    return {**document, "added_tokens": []}


def without_merges(document: Document) -> Document:
    return {**document, "model": {**document["model"], "merges": []}}


def with_first_character_unaligned(document: Document) -> Document:
    nothing = {"type": "Prepend", "prepend": ""}
    both = {"type": "Sequence", "normalizers": [document["normalizer"], nothing]}
    return {**document, "normalizer": document["normalizer"] and both}


WORD_PIECE: Document = DOCUMENT | {
    "model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1, "##b": 2, "C": 3}, "unk_token": "[UNK]"}
    | {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
}


def blame(
    implementation: Implementation, stage: Place, text: str, tmp_path: Path, document: Document = DOCUMENT
) -> Place | None:
    """Return what is blamed in an area of ``stage`` for the encoding of ``text``."""
    lower = right(tmp_path, document).observe(Normalize(text))
    assert isinstance(lower, Text)
    asked = (Normalize(text), PreTokenize(lower.text), Encode(text, add_special_tokens=False))
    return blame_for(implementation, stage, tmp_path, document, *asked)


def blame_for(
    implementation: Implementation, stage: Place, tmp_path: Path, document: Document, *asked: Observation
) -> Place | None:
    """Return what is blamed in an area of ``stage`` for wrong answers to what is ``asked``."""
    answers = [right(tmp_path, document).observe(each) for each in asked]
    forms = [ERROR if isinstance(answer, Failed) else value_form(answer) for answer in answers]
    steps = [step(each, form) for each, form in zip(asked, forms, strict=True)]
    asked_of_it = area(requirement("R", case(*steps)), stage=str(stage)) | {"tokenizers": {"t1": document}}
    (result,) = results_of(suite_of(files_of(asked_of_it)).cases(), implementation)
    assert result.verdict is CaseVerdict.FAILED
    return result.blame


def right(tmp_path: Path, document: Document) -> Subject:
    """Return the reference with ``document``."""
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(document), "utf-8")
    return ReferenceImplementation().load(TokenizerSource("right", str(file)))


@pytest.mark.parametrize(
    ("change", "stage", "text", "blamed"),
    [
        (without_normalizer, Place.NORMALIZE, "Ab", Place.NORMALIZE),
        (without_normalizer, Place.MODEL, "Ab", Place.NORMALIZE),
        (cut_elsewhere, Place.MODEL, "Ab", Place.PRE_TOKENIZE),
        (cut_elsewhere, Place.NORMALIZE, "Ab", Place.PRE_TOKENIZE),
        (without_added_tokens, Place.NORMALIZE, TEXT, Place.ADDED_TOKENS),
        (without_normalizer, Place.ADDED_TOKENS, TEXT, Place.ADDED_TOKENS),
        (with_first_character_unaligned, Place.MODEL, "Ba", Place.NORMALIZE),
        (without_merges, Place.NORMALIZE, "Ab", Place.MODEL),
        (without_merges, Place.MODEL, TEXT, Place.MODEL),
        (without_merges, Place.ADDED_TOKENS, TEXT, Place.MODEL),
    ],
)
def test_what_is_to_blame_for_encodings_after_right_stages(
    change: Callable[[Document], Document], stage: Place, text: str, blamed: Place, tmp_path: Path
) -> None:
    assert blame(EncodesOtherwise(change), stage, text, tmp_path) is blamed


def test_an_implementation_that_does_not_load_the_model_alone_is_blamed_as_before(tmp_path: Path) -> None:
    refusing = EncodesOtherwise(without_normalizer, loads_parts=False)
    assert blame(refusing, Place.NORMALIZE, "Ab", tmp_path) is Place.MODEL


@pytest.mark.parametrize(
    ("text", "blamed"),
    [
        ("Ab", Place.NORMALIZE),
        ("Ab c", Place.NORMALIZE),
        # The unknown token spells nothing, so the model cannot be asked about its word.
        ("Cb", Place.MODEL),
    ],
)
def test_the_model_is_asked_for_what_its_tokens_spell(text: str, blamed: Place, tmp_path: Path) -> None:
    assert blame(EncodesOtherwise(without_normalizer), Place.MODEL, text, tmp_path, WORD_PIECE) is blamed


def test_an_error_is_not_the_models_where_the_model_alone_raises_none(tmp_path: Path) -> None:
    raising = EncodesOtherwise(lambda document: document, raises=True)
    assert blame(raising, Place.ADDED_TOKENS, TEXT, tmp_path) is Place.ADDED_TOKENS
    assert blame(raising, Place.NORMALIZE, "Ab", tmp_path) is Place.NORMALIZE


# What follows the model ----------------------------------------------------------------------------------------------

TEMPLATED: Document = DOCUMENT | {
    "post_processor": {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<x>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "B", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "special_tokens": {"<x>": {"id": "<x>", "ids": [9], "tokens": ["<x>"]}},
    }
}
BYTE_LEVEL: Document = DOCUMENT | {
    "normalizer": None,
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True},
    "post_processor": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    "model": DOCUMENT["model"] | {"vocab": {"a": 0, "b": 1, "ab": 2, "\u0120": 3}, "merges": [["a", "b"]]},
}
PADDED: Document = DOCUMENT | {
    "padding": {"strategy": {"Fixed": 5}, "direction": "Right", "pad_to_multiple_of": None}
    | {"pad_id": 9, "pad_type_id": 0, "pad_token": "<x>"}
}
TRUNCATED: Document = TEMPLATED | {
    "truncation": {"direction": "Left", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
}


def with_another_post_processor(document: Document) -> Document:
    first = {"Sequence": {"id": "A", "type_id": 0}}
    return {
        **document,
        "post_processor": document["post_processor"]
        and {**document["post_processor"], "single": [first, {"SpecialToken": {"id": "<x>", "type_id": 0}}]},
    }


def untrimmed(document: Document) -> Document:
    return {
        **document,
        "post_processor": document["post_processor"] and {**document["post_processor"]} | {"trim_offsets": False},
    }


def padded_elsewhere(document: Document) -> Document:
    return {**document, "padding": document["padding"] and {**document["padding"], "strategy": {"Fixed": 6}}}


def with_stripping(document: Document) -> Document:
    return {**document, "added_tokens": [{**token, "lstrip": True} for token in document["added_tokens"]]}


@pytest.mark.parametrize(
    ("document", "change", "asked", "blamed"),
    [
        (TEMPLATED, without_merges, Encode("Ab"), Place.MODEL),
        (TEMPLATED, without_merges, Encode("Aa", "Ab"), Place.MODEL),
        (TEMPLATED, without_merges, EncodeBatch((Encode("a"), Encode("Ab"))), Place.MODEL),
        (TEMPLATED, without_normalizer, Encode("Ab"), Place.NORMALIZE),
        (TEMPLATED, without_normalizer, Encode("aa", "Ab"), Place.NORMALIZE),
        (TEMPLATED, with_another_post_processor, Encode("Ab"), Place.POST_PROCESS),
        (TRUNCATED, without_merges, Encode("ab a ab"), Place.MODEL),
        (TRUNCATED, with_another_post_processor, Encode("ab a ab"), Place.POST_PROCESS),
        (BYTE_LEVEL, untrimmed, Encode("ab ab", add_special_tokens=False), Place.POST_PROCESS),
        (PADDED, padded_elsewhere, Encode("Ab", add_special_tokens=False), Place.POST_PROCESS),
        (TEMPLATED, with_stripping, Encode("Ab <x>AB"), Place.ADDED_TOKENS),
        (TEMPLATED, without_added_tokens, Encode("Ab <x>AB"), Place.ADDED_TOKENS),
    ],
)
def test_what_follows_the_model_is_taken_away(
    document: Document, change: Callable[[Document], Document], asked: Observation, blamed: Place, tmp_path: Path
) -> None:
    assert blame_for(EncodesOtherwise(change), Place.MODEL, tmp_path, document, asked) is blamed


def test_added_tokens_are_to_blame_where_what_stands_between_them_is_right(tmp_path: Path) -> None:
    spaced = DOCUMENT | {
        "pre_tokenizer": {"type": "Split", "pattern": {"String": "b"}, "behavior": "Isolated", "invert": False}
    }
    asked = Encode("Ab <x>a", add_special_tokens=False)
    assert blame_for(EncodesOtherwise(with_stripping), Place.MODEL, tmp_path, spaced, asked) is Place.ADDED_TOKENS


@pytest.mark.parametrize("post_processor", [None, TEMPLATED["post_processor"]])
def test_a_value_where_an_error_is_expected_is_blamed_on_the_area(tmp_path: Path, post_processor: Any) -> None:
    without_unknown = (
        WORD_PIECE
        | {"post_processor": post_processor}
        | {"model": WORD_PIECE["model"] | {"vocab": {"a": 1}, "unk_token": "gone"}}
    )

    def with_unknown(document: Document) -> Document:
        return {**document, "model": WORD_PIECE["model"]}

    asked = Encode("zz", add_special_tokens=False)
    assert (
        blame_for(EncodesOtherwise(with_unknown), Place.PRE_TOKENIZE, tmp_path, without_unknown, asked)
        is Place.PRE_TOKENIZE
    )


class WithoutLastOffset:
    """The reference, which leaves the last offsets out."""

    info = ReferenceImplementation().info

    def load(self, source: TokenizerSource) -> Subject:
        """Load a tokenizer."""
        whole = ReferenceImplementation().load(source)
        return Both(whole, LeavesOut(whole))


class LeavesOut:
    """Answers with one pair of offsets less than there are tokens."""

    def __init__(self, whole: Subject) -> None:
        self._whole = whole

    def observe(self, observation: Observation) -> Outcome:
        """Answer one question."""
        answer = self._whole.observe(observation)
        assert isinstance(answer, Encoded)
        assert answer.offsets is not None
        return replace(answer, offsets=answer.offsets[:-1])

    def vocabulary(self) -> Any:
        """Return the vocabulary."""
        return self._whole.vocabulary()


@pytest.mark.parametrize("document", [DOCUMENT, TEMPLATED])
def test_columns_of_other_lengths_are_judged_as_well(document: Document, tmp_path: Path) -> None:
    asked = Encode(TEXT, add_special_tokens=False)
    assert blame_for(WithoutLastOffset(), Place.MODEL, tmp_path, document, asked) is Place.MODEL


class ShowsIdsAlone(EncodesOtherwise):
    """Encodes as if a change had been made to the file, and shows nothing of an encoding but its ids."""

    def load(self, source: TokenizerSource) -> Subject:
        """Load both files."""
        return IdsAlone(super().load(source))


class IdsAlone(LeavesOut):
    """Answers with the ids of an encoding alone."""

    def observe(self, observation: Observation) -> Outcome:
        """Answer one question."""
        answer = self._whole.observe(observation)
        return Encoded(answer.ids) if isinstance(answer, Encoded) else answer


@pytest.mark.parametrize(
    ("change", "asked", "blamed"),
    [
        (without_merges, Encode("Ab"), Place.MODEL),
        (without_merges, Encode("aa", "Ab"), Place.MODEL),
        (without_normalizer, Encode("Ab"), Place.NORMALIZE),
        (with_another_post_processor, Encode("Ab"), Place.POST_PROCESS),
    ],
)
def test_who_shows_ids_alone_is_asked_as_well(
    change: Callable[[Document], Document], asked: Observation, blamed: Place, tmp_path: Path
) -> None:
    assert blame_for(ShowsIdsAlone(change), Place.MODEL, tmp_path, TEMPLATED, asked) is blamed
