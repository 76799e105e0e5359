"""A tokenizer.json is cut to what matters, large ones in a few steps; what is left fits together."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Decode, Normalize
from tokenizer_conformance.comparison.document_parts import dense, document_size, with_tokens, without_unknown_piece
from tokenizer_conformance.comparison.document_reduction import (
    Used,
    alternatives,
    reduced,
    reduced_document,
    smaller_charsmap,
)
from tokenizer_conformance.comparison.reduction import Case
from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]

BPE: Json = {
    "added_tokens": [{"id": 9, "content": "<s>"}],
    "post_processor": {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [9], "tokens": ["<s>"]}},
    },
    "model": {"type": "BPE", "vocab": {"a": 4, "b": 5, "ab": 6, "abb": 8}, "merges": ["a b", ["ab", "b"]]},
}


def test_a_merge_goes_with_its_tokens() -> None:
    model = with_tokens(BPE, {"a", "b", "ab"}.__contains__)["model"]
    assert model["merges"] == ["a b"]
    assert list(model["vocab"]) == ["a", "b", "ab"]
    assert with_tokens(BPE, {"a", "ab", "abb"}.__contains__)["model"]["merges"] == []


def test_the_prefix_of_the_second_part_is_not_in_the_result() -> None:
    model = {"vocab": {"a": 0, "##b": 1, "ab": 2}, "merges": ["a ##b"], "continuing_subword_prefix": "##"}
    assert with_tokens({"model": model}, lambda _: True)["model"]["merges"] == ["a ##b"]


def test_the_unknown_piece_is_kept_with_its_number() -> None:
    document = {"model": {"unk_id": 1, "vocab": [["a", -1.0], ["<unk>", 0.0], ["b", -2.0]]}}
    kept = with_tokens(document, "b".__eq__)
    assert kept["model"] == {"unk_id": 0, "vocab": [["<unk>", 0.0], ["b", -2.0]]}
    assert without_unknown_piece(kept) == {"model": {"unk_id": None, "vocab": [["b", -2.0]]}}


def test_ids_are_numbered_anew_everywhere() -> None:
    found = dense(BPE)
    assert found is not None
    document, numbers = found
    assert document["model"]["vocab"] == {"a": 0, "b": 1, "ab": 2, "abb": 3}
    assert document["added_tokens"][0]["id"] == 4
    special = document["post_processor"]["special_tokens"]["<s>"]
    assert special == {"id": "<s>", "ids": [4], "tokens": ["<s>"]}
    assert numbers == {4: 0, 5: 1, 6: 2, 8: 3, 9: 4}
    assert dense(document) is None


def test_ids_that_are_asked_about_get_the_new_numbers() -> None:
    case = reduced_document(Case(BPE, Decode((6,))), lambda case: "ab" in case.document["model"]["vocab"])
    assert case.question == Decode((0,))
    assert case.document["model"]["vocab"] == {"ab": 0}


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [("a|b", ["a", "b"]), (r"'s|\p{L}+|[^\s|]+|(?:a|b)", ["'s", r"\p{L}+", r"[^\s|]+", "(?:a|b)"]), ("", [""])],
)
def test_alternatives_of_a_regular_expression(pattern: str, parts: list[str]) -> None:
    assert alternatives(pattern) == parts


def test_a_regular_expression_is_shortened() -> None:
    document = {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": r"'s|\p{L}+|\d+| "}}}
    case = reduced(Case(document, Normalize("")), lambda case: r"\d" in json.dumps(case.document).replace("\\\\", "\\"))
    assert case.document["pre_tokenizer"]["pattern"] == {"Regex": r"\d"}


def test_a_charsmap_keeps_what_a_text_meets() -> None:
    whole = base64.b64encode(charsmap({"é": "e", "ab": "x", "abc": "y", "ß": "ss"})).decode()
    found = smaller_charsmap(whole, ["zabcß"])
    assert found == base64.b64encode(charsmap({"ab": "x", "abc": "y", "ß": "ss"})).decode()
    for broken in ("", "AAAA", "!", base64.b64encode(b"\x04\0\0\0\xff").decode()):
        assert smaller_charsmap(broken, ["a"]) is None


# Large ones ----------------------------------------------------------------------------------------------------------

LARGE = 250_000


def counted(shows: Callable[[Case], bool]) -> tuple[Callable[[Case], bool], list[int]]:
    checks = [0]

    def check(case: Case) -> bool:
        checks[0] += 1
        return shows(case)

    return check, checks


def test_a_large_vocabulary_is_cut_in_few_steps() -> None:
    vocabulary = {f"t{number}": number for number in range(LARGE)}
    case = Case({"model": {"type": "WordLevel", "vocab": vocabulary}}, Normalize("x"))
    check, checks = counted(lambda case: {"t77", "t200000"} <= case.document["model"]["vocab"].keys())
    found = reduced_document(case, check, used=Used(("t77", "t200000")))
    assert found.document["model"]["vocab"] == {"t77": 0, "t200000": 1}
    assert checks[0] < 30


def test_what_is_not_known_to_be_used_is_found_by_halves() -> None:
    vocabulary = {f"t{number}": number for number in range(2000)}
    case = Case({"model": {"type": "WordLevel", "vocab": vocabulary}}, Normalize("x"))
    check, checks = counted(lambda case: "t77" in case.document["model"]["vocab"])
    found = reduced_document(case, check, used=Used(("other",)))
    assert found.document["model"]["vocab"] == {"t77": 0}
    assert checks[0] < 100


def test_the_question_stays() -> None:
    question = Normalize("long text")
    assert reduced_document(Case(BPE, question), lambda _: True).question == question


def test_options_are_left_at_their_defaults_and_others_turned_off() -> None:
    component = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True, "other": True}
    case = Case({"pre_tokenizer": component}, Normalize(""))
    found = reduced(case, lambda case: (case.document["pre_tokenizer"] or {}).get("type") == "ByteLevel")
    assert found.document["pre_tokenizer"] == component | {"other": False}


def test_a_template_keeps_the_tokens_that_it_names() -> None:
    names = ("<s>", "</s>")
    pieces = [{"SpecialToken": {"id": name, "type_id": 0}} for name in names]
    described = {name: {"id": name, "ids": [number], "tokens": [name]} for number, name in enumerate(names)}
    template = {"type": "TemplateProcessing", "single": pieces, "pair": pieces, "special_tokens": described}
    found = reduced(
        Case({"post_processor": template}, Normalize("")),
        lambda case: pieces[1] in (case.document["post_processor"] or {}).get("single", ()),
    )
    left = {"single": pieces[1:], "pair": [], "special_tokens": {"</s>": described["</s>"]}}
    assert found.document["post_processor"] == template | left


def test_the_size_of_a_document_does_not_depend_on_flags() -> None:
    assert document_size({"a": True}) == document_size({"a": False}) < document_size({"a": True, "b": 1})
