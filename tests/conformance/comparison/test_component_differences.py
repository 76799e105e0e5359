"""At which places two documents differ, and how they are told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tokenizer_conformance.comparison.component_differences import (
    ABSENT,
    OF_REVISIONS,
    Change,
    Component,
    Replacement,
    changes_between,
    replacements,
    summary,
)
from tokenizer_conformance.releases.loader_audit.defaults import left_out_by_calls
from tokenizer_conformance.releases.loader_audit.wording import change_lines


@pytest.mark.parametrize(
    ("raw", "loaded", "changes"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, [Change("x.b", 2, 3)]),
        ([1, 2, 3], [1, 5, 3], [Change("x[1]", 2, 5)]),
        ([1, 2], [1, 2, 3], [Change("x", [1, 2], [1, 2, 3])]),
        ({"type": "A", "a": 1}, {"type": "B", "a": 2}, [Change("x", {"type": "A", "a": 1}, {"type": "B", "a": 2})]),
        ({"a": 1}, {"a": 1}, []),
        (1, True, [Change("x", 1, True)]),
        (1, 2, [Change("x", 1, 2)]),
    ],
)
def test_places_that_differ_are_told_each(raw: Any, loaded: Any, changes: list[Change]) -> None:
    assert list(changes_between(raw, loaded, "x")) == changes


@pytest.mark.parametrize(("count", "told"), [(1, []), (2, ["and 1 place more"]), (9, ["and 8 places more"])])
def test_places_that_are_not_kept_are_counted(count: int, told: list[str]) -> None:
    replacement = Replacement(Component.NORMALIZER, "normalizer", "is another", (Change("x", 1, 2),), count, {})
    assert change_lines(replacement) == ["x: 1 -> 2", *told]


def test_what_calls_leave_out_is_one_place_each() -> None:
    raw = {"truncation": {"max_length": 3}, "padding": {"pad_id": 0}}
    left_out = list(left_out_by_calls(raw, frozenset()))
    assert [each.count for each in left_out] == [len(each.changes) for each in left_out] == [1, 1]


def added(id_: int, content: str, **flags: Any) -> dict[str, Any]:
    return {"id": id_, "content": content, "special": False, **flags}


NFC = {"type": "NFC"}
MERGES = [["a", "b"], ["c", "d"], ["e", "f"]]
WHOLE: dict[str, Any] = {
    "added_tokens": [added(7, "<s>"), added(8, "</s>"), added(9, "<u>")],
    "normalizer": NFC,
    "pre_tokenizer": None,
    "model": {"type": "BPE", "dropout": None, "vocab": {"a": 0, "b": 1}, "merges": MERGES},
    "post_processor": {"type": "ByteLevel", "trim_offsets": True},
    "decoder": {"type": "Fuse"},
    "truncation": {"max_length": 3},
    "padding": {"strategy": "BatchLongest", "pad_id": 0},
}
SECTIONS: dict[str, tuple[Any, str, list[Change]]] = {
    "normalizer": (None, "NFC in the file, none as loaded", [Change("normalizer", NFC, None)]),
    "pre_tokenizer": (
        {"type": "Whitespace"},
        "none in the file, Whitespace as loaded",
        [Change("pre_tokenizer", None, {"type": "Whitespace"})],
    ),
    "post_processor": (
        {"type": "ByteLevel", "trim_offsets": False},
        "ByteLevel with other options",
        [Change("post_processor.trim_offsets", True, False)],
    ),
    "decoder": (
        {"type": "Sequence", "decoders": [{"type": "Fuse"}]},
        "Fuse in the file, Sequence[Fuse] as loaded",
        [Change("decoder", {"type": "Fuse"}, {"type": "Sequence", "decoders": [{"type": "Fuse"}]})],
    ),
    "truncation": (
        {"max_length": 4},
        "to 3 tokens in the file, to 4 tokens as loaded",
        [Change("truncation.max_length", 3, 4)],
    ),
    "padding": (
        {"strategy": {"Fixed": 5}, "pad_id": 0},
        'padding by "BatchLongest" in the file, padding by {"Fixed": 5} as loaded',
        [Change("padding.strategy", "BatchLongest", {"Fixed": 5})],
    ),
}


def with_model(**options: Any) -> dict[str, Any]:
    return {**WHOLE, "model": {**WHOLE["model"], **options}}


def test_what_is_the_same_is_not_replaced() -> None:
    assert list(replacements(WHOLE, {**WHOLE, "normalizer": {**NFC}})) == []


def test_everything_is_told_in_the_order_of_the_pipeline() -> None:
    loaded = {**WHOLE, **{name: other for name, (other, _, _) in SECTIONS.items()}, "added_tokens": []}
    loaded["model"] = {"type": "BPE", "dropout": 0.5, "vocab": {}, "merges": []}
    assert [each.name for each in replacements(WHOLE, loaded)] == [
        *("added_tokens.missing", "normalizer", "pre_tokenizer"),
        *("model.dropout", "model.vocab", "model.merges"),
        *("post_processor", "decoder", "truncation", "padding"),
    ]


@pytest.mark.parametrize("name", SECTIONS)
def test_a_component_is_replaced_alone(name: str) -> None:
    other, words, changes = SECTIONS[name]
    loaded = {**WHOLE, name: other}
    (found,) = replacements(WHOLE, loaded)
    assert found == Replacement(Component(name), name, words, tuple(changes), len(changes), loaded)
    assert found.document == loaded
    assert found.wider is None


def test_the_first_places_of_a_component_are_kept_and_all_are_counted() -> None:
    ours, theirs = ({"type": "A"} | {f"o{number}": side for number in range(9)} for side in (1, 2))
    (found,) = replacements({**WHOLE, "decoder": ours}, {**WHOLE, "decoder": theirs}, OF_REVISIONS)
    assert found.changes == tuple(Change(f"decoder.o{number}", 1, 2) for number in range(8))
    assert found.count == 9


@pytest.mark.parametrize(
    ("component", "told"),
    [
        (None, "none"),
        ("odd", "odd"),
        ({}, "set"),
        ({"type": "NFC"}, "NFC"),
        ({"type": "Sequence", "normalizers": []}, "Sequence[]"),
        ({"type": "Sequence", "pretokenizers": [NFC, None]}, "Sequence[NFC, none]"),
        ({"type": "Sequence", "processors": [{"type": "Sequence", "decoders": [NFC]}]}, "Sequence[Sequence[NFC]]"),
        ({"type": "X", "decoders": 1}, "X"),
        ({"max_length": 5, "pad_id": 0}, "to 5 tokens"),
        ({"pad_id": 0}, "padding by null"),
    ],
)
def test_a_component_is_told_in_short(component: Any, told: str) -> None:
    assert summary(component) == told


def test_a_model_of_another_type_is_one_replacement() -> None:
    loaded = {**WHOLE, "model": {"type": "WordPiece", "vocab": {"z": 0}}}
    (found,) = replacements(WHOLE, loaded, OF_REVISIONS)
    change = Change("model.type", "BPE", "WordPiece")
    assert found == Replacement(Component.MODEL, "model", "BPE before, WordPiece now", (change,), 1, {})
    assert found.document == loaded


@pytest.mark.parametrize(
    ("ours", "theirs", "change"),
    [
        ({"dropout": 0.1}, {"dropout": 0.2}, Change("model.dropout", 0.1, 0.2)),
        ({"unk": "a"}, {}, Change("model.unk", "a", ABSENT)),
        ({}, {"unk": None}, Change("model.unk", ABSENT, None)),
    ],
)
def test_an_option_of_the_model_is_replaced_alone(ours: Any, theirs: Any, change: Change) -> None:
    raw, loaded = with_model(**ours), with_model(**theirs, vocab={"a": 0})
    found, vocabulary = replacements(raw, loaded)
    option = change.path.partition(".")[2]
    assert found == Replacement(Component.MODEL, change.path, f"another {option}", (change,), 1, {})
    assert found.document == {**loaded, "model": {**loaded["model"], "vocab": WHOLE["model"]["vocab"]}}
    assert found.wider == loaded
    assert vocabulary.document == {**raw, "model": {**raw["model"], "vocab": {"a": 0}}}
    assert vocabulary.wider == loaded


@pytest.mark.parametrize(
    ("ours", "theirs", "words", "changes"),
    [
        ({"a": 0, "b": 1}, {"a": 0}, "1 token gone", [("b", 1, ABSENT)]),
        ({"a": 0, "b": 1}, {}, "2 tokens gone", [("a", 0, ABSENT), ("b", 1, ABSENT)]),
        (None, {"a": 0}, "1 token new", [("a", ABSENT, 0)]),
        ({"a": 0, "b": 1}, {"a": 0, "b": 2}, "1 token with another id", [("b", 1, 2)]),
        (
            [["a", -1.0], ["b", -2.0]],
            [["a", -1.0], ["b", -3.0]],
            "1 token with another score",
            [("b", {"id": 1, "score": -2.0}, {"id": 1, "score": -3.0})],
        ),
        (
            [["a", -1.0], ["b", -2.0]],
            [["b", -2.0]],
            "1 token gone, 1 token with another id",
            [("a", {"id": 0, "score": -1.0}, ABSENT), ("b", {"id": 1, "score": -2.0}, {"id": 0, "score": -2.0})],
        ),
    ],
)
def test_entries_of_a_vocabulary_are_told(ours: Any, theirs: Any, words: str, changes: list[Any]) -> None:
    (found,) = replacements(with_model(vocab=ours), with_model(vocab=theirs), OF_REVISIONS)
    assert (found.component, found.name, found.words) == (Component.VOCABULARY, "model.vocab", words)
    assert found.changes == tuple(Change(f'model.vocab["{token}"]', raw, loaded) for token, raw, loaded in changes)
    assert found.count == len(changes)
    assert found.hints == tuple(token for token, _, _ in changes)


def test_lists_whose_entries_are_the_same_have_another_order_or_entries_twice() -> None:
    ours, theirs = ([[first, score], ["a", 1.0], ["b", 0.0]] for first, score in (("b", 9.0), ("a", 8.0)))
    (found,) = replacements(with_model(vocab=ours), with_model(vocab=theirs))
    assert found.words == "1 list in another order, or with entries twice"
    assert found.changes == (Change("model.vocab", 3, 3),)


def test_a_few_of_each_way_are_kept_and_more_of_the_first_are_hints() -> None:
    ours = {f"t{number}": number for number in range(70)} | {"z": 70}
    (found,) = replacements(with_model(vocab=ours), with_model(vocab={"z": 71}))
    assert found.words == "70 tokens of the file missing, 1 token with another id"
    assert [change.raw for change in found.changes] == [0, 1, 2, 3, 70]
    assert found.hints == ("t0", "t1", "t2", "t3", "z", *(f"t{number}" for number in range(4, 64)))
    assert found.count == 71


@pytest.mark.parametrize(
    ("theirs", "words", "changes", "hints"),
    [
        (MERGES[:2], "1 merge gone", [(2, ["e", "f"], ABSENT)], ("ef",)),
        (None, "3 merges gone", [(rank, merge, ABSENT) for rank, merge in enumerate(MERGES)], ("ab", "cd", "ef")),
        ([*MERGES, ["a", "c"]], "1 merge new", [(3, ABSENT, ["a", "c"])], ("ac",)),
        (
            [MERGES[1], MERGES[0], MERGES[2]],
            "2 merges with another rank",
            [(0, ["a", "b"], ["c", "d"]), (1, ["c", "d"], ["a", "b"])],
            ("ab", "cd"),
        ),
    ],
)
def test_merges_are_told(theirs: Any, words: str, changes: list[Any], hints: tuple[str, ...]) -> None:
    (found,) = replacements(WHOLE, with_model(merges=theirs), OF_REVISIONS)
    assert (found.component, found.name, found.words) == (Component.MERGES, "model.merges", words)
    assert found.changes == tuple(Change(f"model.merges[{rank}]", raw, loaded) for rank, raw, loaded in changes)
    assert found.hints == hints


FIRST, SECOND, THIRD = WHOLE["added_tokens"]


@pytest.mark.parametrize(
    ("theirs", "name", "words", "changes", "left"),
    [
        ([FIRST, THIRD], "missing", '"</s>" gone', [Change("added_tokens[1]", SECOND, ABSENT)], [FIRST, THIRD]),
        (
            [added(5, "<v>"), FIRST, SECOND, THIRD],
            "further",
            '"<v>" new',
            [Change("added_tokens", ABSENT, added(5, "<v>"))],
            [added(5, "<v>"), FIRST, SECOND, THIRD],
        ),
        (
            [FIRST, SECOND, added(9, "<u>", special=True)],
            "special",
            'special true in place of false, of "<u>"',
            [Change("added_tokens[2].special", False, True)],
            [FIRST, SECOND, added(9, "<u>", special=True)],
        ),
        (
            [added(10, "<s>"), SECOND, THIRD],
            "id",
            'another id, of "<s>"',
            [Change("added_tokens[0].id", 7, 10)],
            [SECOND, THIRD, added(10, "<s>")],
        ),
    ],
)
def test_added_tokens_are_told(theirs: Any, name: str, words: str, changes: list[Change], left: Any) -> None:
    loaded = {**WHOLE, "added_tokens": theirs, "model": {**WHOLE["model"], "vocab": {"a": 1}}}
    found, _vocabulary = replacements(WHOLE, loaded, OF_REVISIONS)
    hints = (words.split('"')[1],)
    assert found == Replacement(
        Component.ADDED_TOKENS, f"added_tokens.{name}", words, tuple(changes), 1, {}, hints=hints
    )
    model = loaded["model"] if name == "id" else WHOLE["model"]
    assert found.document == {**WHOLE, "added_tokens": left, "model": model}


def test_each_direction_of_a_flag_is_a_replacement_and_many_tokens_are_counted() -> None:
    ours = [added(number, f"t{number}", lstrip=number < 70) for number in range(74)]
    theirs = [{**token, "lstrip": not token["lstrip"]} for token in ours]
    off, on = replacements({**WHOLE, "added_tokens": ours}, {**WHOLE, "added_tokens": theirs})
    assert off.words == 'lstrip false in place of true, of 70 tokens ("t0", "t1", "t2", …)'
    assert on.words == 'lstrip true in place of false, of 4 tokens ("t70", "t71", "t72", …)'
    assert (len(off.changes), off.count, len(off.hints)) == (8, 70, 64)
    three = [token if token["id"] < 71 else theirs[token["id"]] for token in ours]
    (found,) = replacements({**WHOLE, "added_tokens": ours}, {**WHOLE, "added_tokens": three})
    assert found.words == 'lstrip true in place of false, of "t71", "t72", "t73"'


def test_documents_without_added_tokens_have_none() -> None:
    without = {name: value for name, value in WHOLE.items() if name != "added_tokens"}
    assert list(replacements(without, {**without, "added_tokens": None})) == []


def test_a_flag_that_is_written_as_a_number_is_told() -> None:
    (found,) = replacements(
        {**WHOLE, "added_tokens": [added(7, "<s>", lstrip=False)]},
        {**WHOLE, "added_tokens": [added(7, "<s>", lstrip=1)]},
    )
    assert found.words == 'lstrip 1 in place of false, of "<s>"'


def test_documents_are_not_written_out() -> None:
    (found,) = replacements(WHOLE, {**WHOLE, "decoder": None})
    shown = repr(replace(found, wider=WHOLE, base=WHOLE))
    assert not any(f"{name}=" in shown for name in ("document", "wider", "base"))
