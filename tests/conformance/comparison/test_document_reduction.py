"""A tokenizer.json is cut to what matters, large ones in a few steps; what is left fits together."""

from __future__ import annotations

import base64
import json
import re
from contextlib import suppress
from struct import pack
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Decode, Encode, Normalize
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

    from tokenizer_adapters.contract import Observation

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


def in_base64(replacements: dict[str, str]) -> str:
    return base64.b64encode(charsmap(replacements)).decode()


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
    [
        ("a|b", ["a", "b"]),
        (r"'s|\p{L}+|[^\s|]+|(?:a|b)", ["'s", r"\p{L}+", r"[^\s|]+", "(?:a|b)"]),
        ("", [""]),
        ("(a|b)|c", ["(a|b)", "c"]),
        ("a)|b", ["a)|b"]),
    ],
)
def test_alternatives_of_a_regular_expression(pattern: str, parts: list[str]) -> None:
    assert alternatives(pattern) == parts


def test_a_regular_expression_is_shortened() -> None:
    document = {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": r"'s|\p{L}+|\d+| "}}}
    case = reduced(Case(document, Normalize("")), lambda case: r"\d" in json.dumps(case.document).replace("\\\\", "\\"))
    assert case.document["pre_tokenizer"]["pattern"] == {"Regex": r"\d"}


def test_an_alternative_is_left_where_single_characters_cannot_be_left_out() -> None:
    def shows(case: Case) -> bool:
        with suppress(re.error):
            return re.fullmatch(case.document["pre_tokenizer"]["pattern"]["Regex"], "x") is not None
        return False

    document = {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a)(b)|x"}}}
    case = reduced(Case(document, Normalize("")), lambda case: bool(case.document["pre_tokenizer"]) and shows(case))
    assert case.document["pre_tokenizer"]["pattern"] == {"Regex": "x"}


def test_components_are_left_out_and_parts_stand_for_sequences() -> None:
    parts = [{"type": "A"}, {"type": "Sequence", "normalizers": [{"type": "B"}, {"type": "C"}]}]
    document = {"normalizer": {"type": "Sequence", "normalizers": parts}, "decoder": {"type": "D"}, "model": {}}
    found = reduced(Case(document, Normalize("")), lambda case: "C" in json.dumps(case.document))
    assert found.document == {"normalizer": {"type": "C"}, "decoder": None, "model": {}}


def test_strings_and_flags_are_made_simple_wherever_they_are() -> None:
    parts = [
        {"type": "Strip", "strip_left": True, "strip_right": False, "on": True, "one": 1, "zone": "abc", "Area": "abc"},
        {"type": "Precompiled", "precompiled_charsmap": in_base64({"a": "xyz"}), "names": ["abc"]},
    ]
    document = {"normalizer": {"type": "Sequence", "normalizers": parts}}

    def shows(case: Case) -> bool:
        kept = (case.document["normalizer"] or {}).get("normalizers", ())
        if [part["type"] for part in kept] != ["Strip", "Precompiled"]:
            return False
        return all("b" in "".join(each) for each in (kept[0]["zone"], kept[0]["Area"], kept[1]["names"]))

    found = reduced_document(Case(document, Normalize("")), shows)
    assert found.document["normalizer"]["normalizers"] == [
        {"type": "Strip", "strip_left": True, "strip_right": False, "on": False, "one": 1, "zone": "b", "Area": "b"},
        {"type": "Precompiled", "precompiled_charsmap": in_base64({}), "names": ["b"]},
    ]


def test_the_unknown_piece_is_left_out_in_the_end() -> None:
    model = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.0], ["b", -2.0]]}
    found = reduced(Case({"model": model}, Normalize("")), lambda case: ["b", -2.0] in case.document["model"]["vocab"])
    assert found.document == {"model": {"type": "Unigram", "unk_id": None, "vocab": [["b", -2.0]]}}


def test_a_charsmap_keeps_what_a_text_meets() -> None:
    whole = in_base64({"é": "e", "ab": "x", "abc": "y", "ß": "ss"})
    found = smaller_charsmap(whole, ["zabcß"])
    assert found == in_base64({"ab": "x", "abc": "y", "ß": "ss"})
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


PRINTABLE = {chr(code): "!" for code in range(0x21, 0x7F) if chr(code) != "a"}


@pytest.mark.parametrize(
    ("replacements", "text", "found"),
    [
        ({"a": "xyz", "b": "", "c": "v", "d": "uv"}, "dcba", {"d": "uv", "c": "v", "b": "", "a": "xyz"}),
        ({"ab": "x"}, "a\0b", {}),
        # A value is no character: one that is 0x100 + ord("a") stands where a key "a" would.
        (PRINTABLE | {"!": "z" * 352}, "a", {}),
        (PRINTABLE, "ax", {"x": "!"}),
        ({"é": "e", "日本": "Japan"}, "\ud800日本é", {"日本": "Japan", "é": "e"}),
    ],
)
def test_a_charsmap_has_no_other_keys_than_those_of_a_text(
    replacements: dict[str, str], text: str, found: dict[str, str]
) -> None:
    whole = in_base64(replacements)
    assert smaller_charsmap(whole, ["", text]) == in_base64(found)


def test_the_children_of_a_unit_may_stand_far_away() -> None:
    """A step that is told in blocks of 256 places, as SentencePiece writes it in large maps."""
    is_wide, key_ends = 1 << 9, 1 << 8
    units = [0] * 512
    units[0] = 1 << 10 | is_wide
    units[256 ^ ord("a")] = 1 << 10 | key_ends | ord("a")
    units[256 ^ ord("a") ^ 1] = 1 << 31
    whole = base64.b64encode(pack("<513I", 4 * len(units), *units) + b"x\0").decode()
    assert smaller_charsmap(whole, ["ba"]) == in_base64({"a": "x"})


def test_what_is_not_base64_alone_is_no_charsmap() -> None:
    whole = in_base64({"a": "b"})
    assert smaller_charsmap(f"{whole[:8]}!{whole[8:]}", ["a"]) is None


def test_a_charsmap_ends_where_its_trie_does() -> None:
    for place in (1, 2):
        root = (place ^ ord("a")) << 10  # the child by "a" would stand behind the only unit
        whole = base64.b64encode(pack("<II", 4, root)).decode()
        assert smaller_charsmap(whole, ["a"]) == in_base64({})


WHOLE = {"é": "e", "ab": "xyz", "ß": "ss"}


@pytest.mark.parametrize(
    ("question", "needed", "left"),
    [
        (Normalize("xé"), None, {}),
        (Normalize("xé"), "é", {"é": "e"}),
        (Normalize("xéß"), "é", {"é": "e", "ß": "ss"}),
        (Encode(("é", "a"), "ß"), "ß", {"é": "e", "ß": "ss"}),
        (Normalize("x"), "é", WHOLE),
        (Decode((1,)), "é", WHOLE),
        (None, "é", WHOLE),
        (None, None, {}),
    ],
    ids=repr,
)
def test_of_a_charsmap_is_kept_nothing_or_what_the_question_meets(
    question: Observation | None, needed: str | None, left: dict[str, str]
) -> None:
    def shows(case: Case) -> bool:
        component = case.document["normalizer"] or {"precompiled_charsmap": ""}
        kept = smaller_charsmap(component["precompiled_charsmap"], [needed or ""])
        return kept is not None and (needed is None or kept != in_base64({}))

    component = {"type": "Precompiled", "precompiled_charsmap": in_base64(WHOLE)}
    found = reduced_document(Case({"normalizer": component}, question), shows)
    assert found.document["normalizer"] == component | {"precompiled_charsmap": in_base64(left)}


def test_where_nothing_of_a_charsmap_is_needed_no_more_is_tried() -> None:
    component = {"type": "Precompiled", "precompiled_charsmap": in_base64(WHOLE)}
    check, checks = counted(lambda case: case.document["normalizer"] is not None)
    found = reduced_document(Case({"normalizer": component}, Normalize("xé")), check)
    assert found.document["normalizer"]["precompiled_charsmap"] == in_base64({})
    assert checks == [3]  # without it; without its keys; and then without it again


def test_a_charsmap_that_is_not_shorter_with_fewer_keys_stays() -> None:
    whole, fewer = in_base64({"é": "e", "ab": "x", "ß": "ss"}), in_base64({"é": "e", "ß": "ss"})
    assert len(whole) == len(fewer)
    component = {"type": "Precompiled", "precompiled_charsmap": whole}
    shown = (whole, fewer)
    found = reduced_document(
        Case({"normalizer": component}, Normalize("éß")),
        lambda case: (case.document["normalizer"] or {}).get("precompiled_charsmap") in shown,
    )
    assert found.document["normalizer"] == component


@pytest.mark.parametrize("data", ["no map", base64.b64encode(pack("<II", 4, 0)).decode()])
def test_a_charsmap_that_cannot_be_made_shorter_stays(data: str) -> None:
    component = {"type": "Precompiled", "precompiled_charsmap": data}
    found = reduced(Case({"normalizer": component}, Normalize("a")), lambda case: bool(case.document["normalizer"]))
    assert found.document["normalizer"] == component


@pytest.mark.parametrize(
    ("component", "left"),
    [
        (
            {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": True},
            {"strip_accents": None},
        ),
        ({"type": "BertNormalizer", "lowercase": True, "strip_accents": False}, {}),
        (
            {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first", "split": True},
            {"replacement": "\u2581", "prepend_scheme": "always"},
        ),
        ({"type": "Metaspace", "split": False}, {}),
        ({"type": "RobertaProcessing", "trim_offsets": True, "add_prefix_space": True}, {}),
        ({"type": "Strip", "strip_left": True, "strip_right": True, "other": True}, {"other": False}),
    ],
)
def test_options_that_are_on_by_default_stay_on(component: Json, left: Json) -> None:
    def shows(case: Case) -> bool:
        there = case.document["normalizer"] or {}
        return there.get("type") == component["type"] and there.get("prepend_scheme", "first") in ("first", "always")

    found = reduced(Case({"normalizer": component}, Normalize("")), shows)
    assert found.document["normalizer"] == component | left


def test_options_are_left_at_their_defaults_and_others_turned_off() -> None:
    component = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True, "other": True}
    case = Case({"pre_tokenizer": component}, Normalize(""))
    found = reduced(case, lambda case: (case.document["pre_tokenizer"] or {}).get("type") == "ByteLevel")
    assert found.document["pre_tokenizer"] == component | {"other": False}


@pytest.mark.parametrize("is_in_sequence", [False, True])
def test_a_template_keeps_the_tokens_that_it_names(is_in_sequence: bool) -> None:
    names = ("<s>", "</s>")
    pieces = [{"SpecialToken": {"id": name, "type_id": 0}} for name in names]
    described = {name: {"id": name, "ids": [7, 8], "tokens": [name, "more"]} for name in names}
    template = {"type": "TemplateProcessing", "single": pieces, "pair": pieces, "special_tokens": described, "on": True}
    template = json.loads(json.dumps(template))  # whose strings are no others'

    def processor(template: Json) -> Json:
        return {"type": "Sequence", "processors": [template]} if is_in_sequence else template

    def shows(case: Case) -> bool:
        found = case.document["post_processor"] or {}
        if is_in_sequence:
            found = next(iter(found.get("processors", ())), {})
        return pieces[1] in found.get("single", ()) and "</s>" in found["special_tokens"]

    found = reduced(Case({"post_processor": processor(template)}, Normalize("")), shows)
    left = {"single": pieces[1:], "pair": [], "special_tokens": {"</s>": described["</s>"]}, "on": False}
    assert found.document["post_processor"] == processor(template | left)


def test_the_size_of_a_document_does_not_depend_on_flags() -> None:
    assert document_size({"a": True}) == document_size({"a": False}) < document_size({"a": True, "b": 1})
