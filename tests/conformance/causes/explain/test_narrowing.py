"""Which place of a tokenizer.json is blamed, told by what is left out of it: with sides that are made up."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from tokenizer_adapters.contract import Encode, Field, Stage
from tokenizer_conformance.causes.explain.narrowing import narrowed

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.witness import Witness

Json = dict[str, Any]

NORMALIZERS = [{"type": "NFC"}, {"type": "Lowercase"}, {"type": "Strip"}]
DECODERS = [{"type": "Fuse"}, "odd"]
DOCUMENT: Json = {
    "truncation": {"max_length": 2},
    "padding": None,
    "added_tokens": [{"content": "a"}],
    "normalizer": {"type": "Sequence", "normalizers": NORMALIZERS},
    "pre_tokenizer": {"type": "Digits"},
    "post_processor": {"type": "BertProcessing"},
    "decoder": {"type": "Sequence", "decoders": DECODERS},
    "model": {"type": "WordPiece", "vocab": {}},
}
ASKED = Encode("asked")

LEFT = "the stages before it agree, and without what stands beside it (added tokens, truncation) they still differ"
OWN = "it is the component of this stage"
BEFORE = "with the components before it alone both agree"


def place_of(
    stage: Stage,
    differs: Callable[[Json, Encode], bool | None],
    document: Json = DOCUMENT,
    alone: str | None = None,
    takes_documents: bool = True,
) -> tuple[str | None, str]:
    """Return what is blamed where both sides differ on documents as ``differs`` says; ``None``: one refuses it."""

    def trial_of(_source: object, changed: Json) -> Trial | None:
        if differs(changed, ASKED) is None:
            return None
        return cast("Trial", SimpleNamespace(differs=lambda question: differs(changed, question)))

    trial = cast("Trial", SimpleNamespace(takes_documents=takes_documents, read=lambda: document))
    witness = SimpleNamespace(stage=stage, source=None, question=ASKED, difference=SimpleNamespace(field=Field.OFFSETS))
    bench = cast("Bench", SimpleNamespace(trial_of=trial_of))
    found = narrowed(bench, trial, cast("Witness", witness), "WordPiece", alone)
    assert found.merge is None
    return found.place, found.how


def with_all(*keys: str) -> Callable[[Json, Encode], bool]:
    return lambda document, _question: all(document[key] for key in keys)


def with_types(member: str, parts: str, *types: str) -> Callable[[Json, Encode], bool]:
    def differs(document: Json, _question: Encode) -> bool:
        made = (document[member] or {}).get(parts) or ()
        return set(types) <= {each.get("type") for each in made if isinstance(each, dict)}

    return differs


@pytest.mark.parametrize(
    ("stage", "differs", "place", "how"),
    [
        (Stage.MODEL, with_all("model"), "model: WordPiece", LEFT),
        (Stage.MODEL, with_all("truncation"), "truncation", "without truncation both agree"),
        (Stage.MODEL, with_all("post_processor"), "post_processor", "without post_processor both agree"),
        (Stage.MODEL, with_all("added_tokens"), "added_tokens", "without added_tokens both agree"),
        (Stage.POST_PROCESS, with_all("truncation"), "truncation", "without truncation both agree"),
        (Stage.POST_PROCESS, with_all("added_tokens"), "post_processor: BertProcessing", OWN),
        (Stage.PRE_TOKENIZE, with_all("pre_tokenizer"), "pre_tokenizer: Digits", OWN),
        (Stage.NORMALIZE, with_types("normalizer", "normalizers", "NFC"), "normalizer.normalizers[0]: NFC", BEFORE),
        (Stage.NORMALIZE, with_types("normalizer", "normalizers", "NFC", "Lowercase"),
         "normalizer.normalizers[1]: Lowercase", BEFORE),
        (Stage.NORMALIZE, lambda _document, _question: False, "normalizer: Sequence", OWN),
        (Stage.DECODE, with_all("decoder", "added_tokens"), "decoder.decoders[0]: Fuse", BEFORE),
        (Stage.DECODE, with_all("added_tokens"), "added_tokens", "without added_tokens both agree"),
        (Stage.DECODE, with_all("model"), "decoder.decoders[0]: Fuse", BEFORE),
        (Stage.DECODE, lambda document, _question: len((document["decoder"] or {"decoders": ""})["decoders"]) > 1,
         "decoder.decoders[1]: ?", BEFORE),
    ],
)  # fmt: skip
def test_the_place_is_what_both_agree_without(
    stage: Stage, differs: Callable[[Json, Encode], bool], place: str, how: str
) -> None:
    assert place_of(stage, differs) == (place, how)


def test_what_is_not_there_is_not_left_out() -> None:
    """Only ``padding`` is told apart from what is there: a document without it is that of the witness itself."""
    seen: list[Json] = []

    def differs(document: Json, _question: Encode) -> bool:
        seen.append(document)
        return True

    assert place_of(Stage.MODEL, differs)[0] == "model: WordPiece"
    assert DOCUMENT not in seen


def test_agreement_without_added_tokens_counts_where_the_word_agrees_too() -> None:
    def cut_otherwise(document: Json, question: Encode) -> bool:
        return bool(document["added_tokens"]) or question == Encode("word", add_special_tokens=False)

    assert place_of(Stage.MODEL, cut_otherwise)[0] == "added_tokens"
    assert place_of(Stage.MODEL, cut_otherwise, alone="word")[0] == "model: WordPiece"
    assert place_of(Stage.MODEL, with_all("added_tokens"), alone="word")[0] == "added_tokens"


def test_what_a_side_refuses_says_nothing() -> None:
    def refuses(document: Json, _question: Encode) -> bool | None:
        return None if not document["truncation"] else bool(document["added_tokens"])

    assert place_of(Stage.MODEL, refuses)[0] == "added_tokens"
    assert place_of(Stage.NORMALIZE, lambda _document, _question: None) == ("normalizer: Sequence", OWN)
    assert place_of(Stage.DECODE, lambda _document, _question: None) == ("decoder: Sequence", OWN)


def test_without_a_component_or_a_file_it_is_said() -> None:
    without = {**DOCUMENT, "normalizer": None}
    assert place_of(Stage.NORMALIZE, with_all("model"), without) == ("normalizer", "there is no normalizer")
    place, how = place_of(Stage.NORMALIZE, with_all("model"), takes_documents=False)
    assert place is None
    assert how == "it reads other files than tokenizer.json, so that no changed one reaches it"
