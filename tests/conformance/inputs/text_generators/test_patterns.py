"""Regexes of tokenizer files are read, and texts made at their branches, repeat counts and class boundaries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from in_one_test import in_one_test

from tokenizer_conformance.inputs.text_generators.code_points import (
    has,
)
from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.patterns import GPT2, REGEXES, class_ends, examples, patterns_of
from tokenizer_conformance.inputs.text_generators.regexes import UnknownRegexError, classes_of, literal, read_regex

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.inputs.text_generators.generator import Produced

    Document = dict[str, Any]
    Made = Callable[..., Produced]

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
DEEPSEEK = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
)
QWEN_O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t)?|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CLIP = r"<\|startoftext\|>|<\|endoftext\|>|'s|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"

READ = [
    GPT2, LLAMA3, DEEPSEEK, QWEN_O200K, CLIP, *REGEXES.values(), r"\s", r" {2,}", r"(?=\d)(\d{3})*+",
    r"[[:alpha:]&&[^a-f]]", r"(?<name>a)\k<name>", r"(?<!x)y\b", r"\x{1F600}|\u00e9|\xe9", r"(?i)straße",
    r"a{,3}b{2}c{x}", r"[^\]\-a-]", r"(?#note)a", r"\p{Han}|\p{Script=Greek}|\p{^L}|\P{Lu}|\pL", r"\R|\X|\h\H",
    r"[一-龥぀-ゟ゠-ヿ]+", "\\$\\.", r"(?>a|b)c", r"[\]]",
]  # fmt: skip

REFUSED = [r"(a", r"a)", r"[a", r"\p{Nonsense}", r"[z-a]", r"\x{D800}", r"\x{110000}", "\\", "(?Z)", "[[:what:]]"]

INSIDE = [
    (r"[a-c]", {"a", "c"}, {"`", "d"}),
    (r"[^a-c]", {"`", "d"}, {"a", "c"}),
    (r"[a-z&&[^m-o]]", {"l", "p"}, {"m", "o"}),
    (r".", {"\0", "\t", "\x0b", "\r", "a", "\U0010ffff"}, {"\n"}),
    (r"\p{Lu}", {"A", "Z", "À"}, {"@", "[", "a"}),
    (r"\P{Lu}", {"@", "["}, {"A", "Z"}),
    (r"\s", {" ", "\u3000", "\x85"}, {"\u200b", "\u180e", "\x1c"}),
    (r"\S", {"a"}, {" "}),
    (r"\w", {"a", "_", "é", "٣"}, {"-", " "}),
    (r"[[:punct:]]", {"!", "、"}, {"a"}),
    (r"[\d\-]", {"9", "-"}, {"a"}),
    (r"\p{Hiragana}", {"ぁ", "ゖ"}, {"\u3040", "ァ"}),
]
"""A class, characters that are in it, and some that are not."""


def matches(pattern: str) -> list[str]:
    return examples(read_regex(pattern))


def split(pattern: object) -> Document:
    return {"pre_tokenizer": {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}}


@in_one_test("pattern", READ)
def test_patterns_as_they_are_published_are_read(pattern: str) -> None:
    assert 0 < len(matches(pattern)) < 5000


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_is_no_regex_is_refused_and_taken_literally(pattern: str) -> None:
    with pytest.raises(UnknownRegexError):
        read_regex(pattern)
    assert patterns_of(parts_of(split({"Regex": pattern}))) == (literal(pattern),)


@pytest.mark.parametrize("pattern", [{"String": ""}, {"Regex": ""}, {"String": 3}, {"Regex": None}, "", 3, None])
def test_what_is_no_text_or_an_empty_one_is_no_pattern(pattern: object) -> None:
    assert patterns_of(parts_of(split(pattern))) == ()


@pytest.mark.parametrize(("pattern", "inside", "outside"), INSIDE)
def test_classes_hold_what_they_say(pattern: str, inside: set[str], outside: set[str]) -> None:
    (ranges,) = classes_of(read_regex(pattern))
    assert all(has(ranges, each) for each in inside)
    assert not any(has(ranges, each) for each in outside)


def test_a_class_that_is_written_character_by_character_gives_each_of_them() -> None:
    """A slash after a line end, as in o200k's pattern, is no character that stands for others."""
    assert {"!\n/", "!\r/"} & set(matches(r"!+[\r\n/]*"))
    assert len(matches(r"[\p{L}\p{N}]")) < 12


@pytest.mark.parametrize("branch", re.findall(r"'(\w+)", GPT2))
def test_every_contraction_is_there_in_both_cases_and_cut_short(branch: str) -> None:
    texts = matches(GPT2)
    assert f"'{branch}" in texts
    assert f"'{branch[0].upper()}{branch[1:]}" in texts
    assert f"’{branch}" in texts
    assert f"'{branch[:-1]}" in texts


@pytest.mark.parametrize(
    ("pattern", "lengths"),
    [
        (r"1{1,3}", {0, 1, 2, 3, 4}),
        (r"1+", {1, 2, 3}),
        (r"1*", {0, 1, 2}),
        (r"1?", {0, 1, 2}),
        (r"1{4}", {3, 4, 5}),
        (r"1{2,}", {1, 2, 3, 4}),
    ],
)
def test_runs_are_as_long_as_they_may_be_and_around_that(pattern: str, lengths: set[int]) -> None:
    assert lengths <= {len(text) for text in matches(pattern) if set(text) <= {"1"}}


def test_every_branch_is_there_with_and_without_a_space(made: Made) -> None:
    produced = made("pattern-branches", split({"Regex": r"foo|bar+|\p{N}{1,3}"}))
    texts = {produced.text(number) for number in range(produced.count)}
    assert {"foo", " foo", "foofoo", "barr", " bar", "ba", "1", " 1", "1111", "fOo", "a1", "1a"} <= texts


def test_texts_that_are_replaced_stand_in_part_and_doubled(made: Made) -> None:
    document = {"normalizer": {"type": "Replace", "pattern": {"String": "``"}, "content": '"'}}
    produced = made("pattern-branches", document)
    texts = {produced.text(number) for number in range(produced.count)}
    assert {"``", "`", "````", " ``", "a``", '"', "”"} <= texts


def test_the_ends_of_every_class_stand_in_early_packs_and_alone(made: Made) -> None:
    document = split({"Regex": r"[一-龥]+|[ァ-ヺ]|\p{Nd}+"})
    wanted = {"一", "龥", "\u4dff", "龦", "ァ", "ヺ", "゠", "・", "0", "9", "/", ":"}
    produced = made("pattern-classes", document)
    assert wanted <= set("".join(produced.text(number) for number in range(60)))
    assert wanted <= {produced.text(number) for number in range(produced.count)}
    assert wanted <= set().union(*class_ends(parts_of(document)))


@pytest.mark.parametrize(
    ("component", "characters"),
    [
        ({"type": "BertNormalizer"}, "\u4e00\u9fff\U0002a6df\U0002a6e0\ufffd"),
        ({"type": "Nmt"}, "\u200b\u200f\u2581\x8f"),
        ({"type": "Lowercase"}, "İΣǅ"),
        ({"type": "Digits", "individual_digits": True}, "٠²"),
    ],
)
def test_components_without_a_pattern_have_their_characters(component: Document, characters: str) -> None:
    found = set().union(*class_ends(parts_of({"normalizer": {"type": "Sequence", "normalizers": [component]}})))
    assert set(characters) <= found | set("".join(examples(patterns_of(parts_of({"normalizer": component}))[0])))


def test_repeats_of_repeats_stay_small() -> None:
    assert sum(map(len, matches("((a{1000}|b){1000}c*){1000}"))) < 2_000_000
