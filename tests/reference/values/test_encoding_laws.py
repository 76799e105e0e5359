"""The look-ups of an encoding are inverses of each other, and say what its columns say, whatever text was encoded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference import Tokenizer
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR

if TYPE_CHECKING:
    from tokenizer_reference import Encoding

SPECIAL = {"[CLS]": 0, "[SEP]": 1, "[UNK]": 2}
PIECES = ["a", "b", "ab", "##a", "##b", "##ab", "e", "##e", "中", "-", "1", "##1"]
WORD_PIECE = {token: id for id, token in enumerate([*SPECIAL, *PIECES])}
BYTES = {token: id for id, token in enumerate([*SPECIAL, *BYTE_TO_CHAR, "ab", "Ġa"])}
SENTENCE_PIECES = [
    [token, -1.0 - at / 8] for at, token in enumerate([*SPECIAL, "▁", "▁a", "a", "b", "ab", "é", "😀", "▁ab"])
]

TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
        {"Sequence": {"id": "B", "type_id": 1}},
    ],
    "special_tokens": {name: {"id": name, "ids": [SPECIAL[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")},
}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}

DOCUMENTS: dict[str, dict[str, Any]] = {
    "BERT": {
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": TEMPLATE,
        "model": {
            "type": "WordPiece",
            "vocab": WORD_PIECE,
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
        },
    },
    "GPT-2": {
        "pre_tokenizer": BYTE_LEVEL,
        "post_processor": TEMPLATE,
        "model": {"type": "BPE", "vocab": BYTES, "merges": [["a", "b"], ["Ġ", "a"]]},
    },
    "SentencePiece": {
        "normalizer": {"type": "NFKC"},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "post_processor": TEMPLATE,
        "model": {"type": "Unigram", "unk_id": 2, "vocab": SENTENCE_PIECES, "byte_fallback": False},
    },
}

texts = st.text(st.sampled_from("aabe \n-1é中😀\u0301ﬁ½Ａ"), max_size=12)


@pytest.fixture(scope="module", params=DOCUMENTS)
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return Tokenizer.from_str(json.dumps(DOCUMENTS[request.param]))


@given(texts, st.none() | texts)
def test_look_ups_say_what_the_columns_say(tokenizer: Tokenizer, text: str, pair: str | None) -> None:
    encoding = tokenizer.encode(text, pair)
    assert len(encoding) == len(encoding.ids) > 0
    for index, (sequence, word, offsets) in enumerate(
        zip(encoding.sequence_ids, encoding.word_ids, encoding.offsets, strict=True)
    ):
        assert encoding.token_to_sequence(index) == sequence
        assert encoding.token_to_word(index) == word
        assert encoding.token_to_chars(index) == (None if sequence is None else offsets)
    for sequence, whole in enumerate([text] if pair is None else [text, pair]):
        check_words(encoding, sequence)
        check_characters(encoding, sequence, len(whole))


def check_words(encoding: Encoding, sequence: int) -> None:
    """Each word has the tokens that have it, and the characters of these."""
    own = [
        (index, word)
        for index, (of, word) in enumerate(zip(encoding.sequence_ids, encoding.word_ids, strict=True))
        if of == sequence
    ]
    for word in {word for _, word in own}:
        assert word is not None
        indices = [index for index, of in own if of == word]
        assert indices == list(range(indices[0], indices[-1] + 1))
        assert encoding.word_to_tokens(word, sequence) == (indices[0], indices[-1] + 1)
        start, end = encoding.offsets[indices[0]][0], encoding.offsets[indices[-1]][1]
        assert encoding.word_to_chars(word, sequence) == (start, end)


def check_characters(encoding: Encoding, sequence: int, size: int) -> None:
    """Each character has the first token that covers it, and the word of that."""
    for at in range(size + 1):
        covering = [
            index
            for index, (of, (start, end)) in enumerate(zip(encoding.sequence_ids, encoding.offsets, strict=True))
            if of == sequence and start <= at < end
        ]
        token = covering[0] if covering else None
        assert encoding.char_to_token(at, sequence) == token
        assert encoding.char_to_word(at, sequence) == (None if token is None else encoding.word_ids[token])
