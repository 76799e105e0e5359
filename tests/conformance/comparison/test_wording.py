"""Questions in words: what was asked, and about what, escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    BrokeProtocol,
    Chat,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    Failed,
    NewToken,
    Normalize,
    PreTokenize,
    Stage,
    TimedOut,
)
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Excerpt
from tokenizer_conformance.comparison.findings import Example, Near, length_of
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.comparison.wording import (
    describe,
    error_in_words,
    example_headline,
    shown_text,
    subject_lines,
    window,
)
from tokenizer_conformance.inputs.conversations.conversation import JsonText
from tokenizer_conformance.inputs.text import Input

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.differences import Side

AFTER = After(
    (
        AddTokens((NewToken("\x1b[31m", lstrip=True, normalized=False),)),
        AddTokens((NewToken("<s>", special=True),), special=True),
        EncodeSpecialTokens(True),
    ),
    Encode("a"),
)

WORDS: list[tuple[Observation, str, list[str], int]] = [
    (Normalize("a"), "normalize", ['text  "a"'], 1),
    (PreTokenize("ab"), "pre_tokenize", ['text  "ab"'], 2),
    (Chat('[{"role": "user", "content": "[5]"}]'), "chat", ['user  "[5]"'], 36),
    (
        Chat('[{"role": "user", "content": ["\\u001b\\u202e", 5]}]', "[null]", add_generation_prompt=True),
        "chat, add_generation_prompt",
        ['user  ["\\u001b\\u202e", 5]', "tools  [null]"],
        56,
    ),
    (Encode("a", "b"), "encode pair, with special tokens", ['text  "a"', 'pair  "b"'], 2),
    (Encode(("a", "bc")), "encode words, with special tokens", ['text  words ["a", "bc"]'], 3),
    (Decode((1, 2)), "decode, skipping special tokens", ["ids   1, 2"], 2),
    (
        EncodeBatch((Encode("a", "b", False), Encode("\u202e", None, False))),
        "encode batch of 2, without special tokens",
        ['text  "a"', 'pair  "b"', r'text  "\u202e"'],
        3,
    ),
    (Decode((*range(20),), False), "decode, keeping special tokens", [f"ids   {', '.join(map(str, range(20)))}"], 20),
    (
        Decode((*range(2000),)),
        "decode, skipping special tokens",
        [f"ids   {', '.join(map(str, range(20)))}, … (2,000 ids)"],
        2000,
    ),
    (
        DecodeStream((*range(20),), prompt=(7,)),
        "decode id by id after a prompt, skipping special tokens",
        ["prompt 7", f"steps {' | '.join(map(str, range(20)))}"],
        21,
    ),
    (
        DecodeStream((*range(21),), prompt=(7,)),
        "decode id by id after a prompt, skipping special tokens",
        ["prompt 7", f"steps {' | '.join(map(str, range(20)))} | … (21 steps)"],
        22,
    ),
    (EncodeBatch(()), "encode batch of 0, with special tokens", [], 0),
    (DecodeStream((1, 2), False), "decode id by id, keeping special tokens", ["ids   1, 2"], 2),
    (
        DecodeStream((1, 2, 3), True, (4, 5), (2,)),
        "decode step by step after a prompt, skipping special tokens",
        ["prompt 4, 5", "steps 1, 2 | 3"],
        5,
    ),
    (
        AFTER,
        "encode, with special tokens, after 3 changes",
        [
            r'add  "\x1b[31m" lstrip normalized=false',
            'add special  "<s>" special',
            "encode_special_tokens  true",
            'text  "a"',
        ],
        1,
    ),
    (
        After((EncodeSpecialTokens(False),), DecodeStream((7,))),
        "decode id by id, skipping special tokens, after 1 change",
        ["encode_special_tokens  false", "ids   7"],
        1,
    ),
]


@pytest.mark.parametrize(
    ("question", "words", "lines", "length"), WORDS, ids=[f"{words}, {length}" for _, words, _, length in WORDS]
)
def test_a_question_is_told_in_words(question: Observation, words: str, lines: list[str], length: int) -> None:
    assert describe(question) == words
    assert subject_lines(question) == lines
    assert length_of(question) == length


LONG = "".join(chr(0x4E00 + number) for number in range(2000))


@pytest.mark.parametrize(
    ("text", "near", "shown"),
    [
        ("", None, '""'),
        (LONG[:120], 119, f'"{LONG[:120]}"'),
        (LONG[:121], None, f'"{LONG[:120]}"… (121 characters)'),
        (LONG[:121], 120, f'…"{LONG[1:121]}" (characters 1 to 121 of 121)'),
        (LONG, None, f'"{LONG[:120]}"… (2,000 characters)'),
        (LONG, 60, f'"{LONG[:120]}"… (2,000 characters)'),
        (LONG, 61, f'…"{LONG[1:121]}"… (characters 1 to 121 of 2,000)'),
        (LONG, 1500, f'…"{LONG[1440:1560]}"… (characters 1,440 to 1,560 of 2,000)'),
        (LONG, 1939, f'…"{LONG[1879:1999]}"… (characters 1,879 to 1,999 of 2,000)'),
        (LONG, 1940, f'…"{LONG[1880:]}" (characters 1,880 to 2,000 of 2,000)'),
        (LONG, 2000, f'…"{LONG[1880:]}" (characters 1,880 to 2,000 of 2,000)'),
        (JsonText('["\\n"]'), None, r'["\n"]'),
        (JsonText(LONG), 1500, f"…{LONG[1440:1560]}… (characters 1,440 to 1,560 of 2,000)"),
        (("a\n", LONG[:121]), 120, f'words ["a\\n", "{LONG[:120]}"… (121 characters)]'),
    ],
)
def test_of_a_long_text_the_place_is_shown_with_what_is_around_it(
    text: str | tuple[str, ...], near: int | None, shown: str
) -> None:
    assert shown_text(text, near) == shown


@pytest.mark.parametrize(
    ("question", "near", "starts"),
    [
        (Normalize(LONG), Near(1500), (1440,)),
        (PreTokenize(LONG), None, (0,)),
        (Encode(LONG, LONG), None, (0, 0)),
        (Encode(LONG, LONG), Near(1500), (1440, 0)),
        (Encode(LONG, LONG), Near(1500, in_pair=True), (0, 1440)),
        (After((), Encode(LONG)), Near(1500), (1440,)),
    ],
)
def test_the_place_is_shown_in_the_text_that_it_is_in(
    question: Observation, near: Near | None, starts: tuple[int, ...]
) -> None:
    lines = [f"{label}  {shown_text(LONG, start + 60)}" for label, start in zip(("text", "pair"), starts, strict=False)]
    assert subject_lines(question, near) == lines


def test_of_many_ids_the_first_are_listed() -> None:
    assert subject_lines(Decode((*range(21),))) == [f"ids   {', '.join(map(str, range(20)))}, … (21 ids)"]


# Differences ----------------------------------------------------------------------------------------------------------


def difference(
    baseline: Side, implementation: Side, position: int | None = None, part: str | None = None
) -> Difference:
    return Difference(
        Verdict.DIFFER, DifferenceKind.VALUES, None, baseline, implementation, position=position, part=part
    )


EMPTY = Excerpt(0, 0, ())


@pytest.mark.parametrize(
    ("question", "part", "reduced_from", "told"),
    [
        (Normalize("a b"), None, None, "normalize"),
        (Normalize("a"), None, 3, "normalize; made smaller: 1 of 3 characters"),
        (Normalize("a" * 2000), None, 3000, "normalize; made smaller: 2,000 of 3,000 characters"),
        (Normalize("bbb"), None, 3, "normalize; made simpler"),
        (Normalize("a" * 2000), None, 2000, "normalize; made simpler"),
        (PreTokenize(" ".join("ab")), None, None, "pre_tokenize"),
        (PreTokenize("b b"), None, None, "pre_tokenize, of the normalized text"),
        (PreTokenize("A B"), None, None, "pre_tokenize, of the normalized text"),
        (PreTokenize("A"), None, 3, "pre_tokenize; made smaller: 1 of 3 characters"),
        (Encode("A B"), "overflowing[1].ids", None, "encode, with special tokens, overflowing[1].ids"),
        (Decode((1,)), None, 2, "decode, skipping special tokens; made smaller: 1 of 2 ids"),
        (DecodeStream((1,)), None, 2, "decode id by id, skipping special tokens; made smaller: 1 of 2 ids"),
        (
            After((EncodeSpecialTokens(True),), Decode((1,))),
            "encodings[0].ids",
            2,
            "decode, skipping special tokens, after 1 change, encodings[0].ids; made smaller: 1 of 2 ids",
        ),
    ],
)
def test_an_example_says_where_it_is_from_and_what_was_asked(
    question: Observation, part: str | None, reduced_from: int | None, told: str
) -> None:
    given = Input("x\x1b", "y\n", "a b")
    example = Example(
        given, question, difference(EMPTY, EMPTY, part=part), Stage.MODEL, None, reduced_from=reduced_from
    )
    assert example_headline(example) == rf"x\x1b (y), {told}"


def texts(start: int, total: int, text: str) -> Excerpt:
    return Excerpt(start, total, tuple(text), is_text=True)


@pytest.mark.parametrize(
    ("baseline", "implementation", "position", "lines"),
    [
        (
            Failed("K" * 60, "m" * 500),
            EMPTY,
            None,
            [f"  one      raised {'K' * 60}: {'m' * 500}", "  another  answered []"],
        ),
        (Failed("K" * 61, "m\n"), EMPTY, None, [f"  one      raised {'K' * 60}…: m", "  another  answered []"]),
        (
            Crashed("a\x1b"),
            TimedOut(1.50),
            None,
            [r"  one      crashed: a\x1b", "  another  gave no answer within 1.5 s"],
        ),
        (
            BrokeProtocol("no\nline"),
            Excerpt(0, 3, (1, "a\n")),
            None,
            ["  one      broke the protocol: no line", r'  another  answered [1, "a\n"] …'],
        ),
        (
            texts(0, 2, "ab"),
            texts(0, 3, "a\n"),
            None,
            ['  one      answered "ab"', r'  another  answered "a\n" …'],
        ),
        (
            texts(0, 3, "abc"),
            Failed("K", "m"),
            1,
            ['  one      answered "abc"', "  another  raised K: m"],
        ),
        (
            Failed("K", "m"),
            texts(0, 3, "abc"),
            1,
            ["  one      raised K: m", '  another  answered "abc"'],
        ),
        (
            texts(0, 3, "abc"),
            texts(0, 1, "a"),
            1,
            ['  one      "abc"  character 1 is U+0062', '  another  "a"    ends at character 1'],
        ),
        (
            texts(4, 9, "ab漢"),
            texts(4, 7, "abé"),
            6,
            ['  one      …"ab漢"…  character 6 is U+6F22', '  another  …"abé"    character 6 is U+00E9'],
        ),
        (
            Excerpt(0, 300, (7,) * 300),
            EMPTY,
            None,
            [f"  one      answered [{', '.join(['7'] * 300)}]", "  another  answered []"],
        ),
        (
            texts(301, 304, "abc"),
            texts(301, 302, "a"),
            302,
            ['  one      …"abc"  character 302 is U+0062', '  another  …"a"    ends at character 302'],
        ),
        (
            Excerpt(299, 302, (7, 8, 9), ("a",)),
            Excerpt(299, 300, (7,)),
            300,
            [
                "  index  one (302)  another (300)",
                '  299    7 "a"      7',
                "> 300    8          -",
                "  301    9          -",
            ],
        ),
        (
            Excerpt(3, 2000, (7, 8, 9), ("a", "b\n")),
            Excerpt(3, 5, ((0, 1), None)),
            4,
            [
                "  index  one (2,000)  another (5)",
                '  3      7 "a"        (0, 1)',
                r'> 4      8 "b\n"      None',
                "  5      9            -",
            ],
        ),
        (
            Excerpt(0, 1, ("é",), ()),
            Excerpt(0, 2, (10**60, 10**59)),
            0,
            [
                "  index  one (1)  another (2)",
                f'> 0      "é"      1{"0" * 59}…',
                f"  1      -        1{'0' * 59}",
            ],
        ),
    ],
)
def test_both_sides_of_a_difference_are_shown_beside_each_other(
    baseline: Side, implementation: Side, position: int | None, lines: list[str]
) -> None:
    assert window(difference(baseline, implementation, position), "one", "another") == lines


@pytest.mark.parametrize(
    ("baseline", "implementation", "told"),
    [
        (EMPTY, Failed("K", "a\nb"), "K: a b"),
        (Failed("K" * 60, "m" * 80), EMPTY, f"{'K' * 60}: {'m' * 80}"),
        (Failed("K" * 61, "m" * 81), Crashed(""), f"{'K' * 60}…: {'m' * 80}…"),
        (Failed("K", "m"), Failed("L", "n"), ""),
        (EMPTY, Crashed("gone"), ""),
    ],
)
def test_the_error_of_one_side_alone_is_told(baseline: Side, implementation: Side, told: str) -> None:
    assert error_in_words(difference(baseline, implementation)) == told
