"""Questions in words: what was asked, and about what, escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Chat,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    NewToken,
    Normalize,
    PreTokenize,
)
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.wording import describe, subject_lines

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation

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


@pytest.mark.parametrize(("question", "words", "lines", "length"), WORDS, ids=[words for _, words, *_ in WORDS])
def test_a_question_is_told_in_words(question: Observation, words: str, lines: list[str], length: int) -> None:
    assert describe(question) == words
    assert subject_lines(question) == lines
    assert length_of(question) == length
