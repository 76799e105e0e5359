"""What single checks say of files with a handful of entries, word for word; and what they do not say."""

from __future__ import annotations

import json
import os
from math import inf
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Crashed, Pieces, PreTokenize, TokenizerSource
from tokenizer_conformance.comparison.document_parts import path_text
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.research.file_audit import regex_speed
from tokenizer_conformance.research.file_audit.added_tokens import check_added_tokens
from tokenizer_conformance.research.file_audit.audited import AuditedFile, JsonText, Part
from tokenizer_conformance.research.file_audit.decoders import check_decoders
from tokenizer_conformance.research.file_audit.fit.check import find_unfit
from tokenizer_conformance.research.file_audit.fit.writing import Writing, read_vocabulary
from tokenizer_conformance.research.file_audit.ids import check_ids
from tokenizer_conformance.research.file_audit.model import check_merges, check_model_tokens
from tokenizer_conformance.research.file_audit.processors import check_processors
from tokenizer_conformance.research.file_audit.regex_speed import GIVES_UP, LENGTHS, SLOW, _found
from tokenizer_conformance.research.file_audit.special_tokens import tokens_of
from tokenizer_conformance.research.file_audit.truncation_and_padding import check_truncation_and_padding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.research.file_audit.finding import FoundDefect

os.environ["RUST_BACKTRACE"] = "0"  # read at the first panic; a backtrace takes time

Document = dict[str, Any]
Told = tuple[str, str, str, str | None]
"""The id of a finding, its path, its message, and what comes of its witness."""


def document(vocabulary: list[str], merges: list[list[str]] | None = None, **parts: Any) -> Document:
    """Return a tokenizer of these entries with these ``parts``, and no others."""
    sections = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    model = {
        "type": "BPE",
        **dict.fromkeys(("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")),
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": {token: number for number, token in enumerate(vocabulary)},
        "merges": merges or [],
    }
    return {"version": "1.0", "added_tokens": [], **dict.fromkeys(sections), "model": model, **parts}


def word_pieces(vocabulary: list[str], **parts: Any) -> Document:
    options = {"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    numbered = {token: number for number, token in enumerate(["[UNK]", *vocabulary])}
    return document([], **parts) | {"model": {"type": "WordPiece", **options, "vocab": numbered}}


def found(
    check: Callable[[AuditedFile], Iterator[FoundDefect]], documents: Documents, file: Document
) -> list[FoundDefect]:
    tokenizer = TokenizerFile(TokenizerSource("small", "tokenizer.json"), "")
    text = JsonText(json.dumps(file, ensure_ascii=False))
    return list(check(AuditedFile(tokenizer, text, file, documents.loaded(file, "small"), None, documents)))


def told(findings: list[FoundDefect]) -> list[Told]:
    return [
        (each.defect.id, path_text(each.path), each.message, each.witness.result if each.witness else None)
        for each in findings
    ]


# Decoders ------------------------------------------------------------------------------------------------------------

MARKED = ["▁a", "▁b", "▁", "a", "b"]
CYRILLIC = ["▁жз", "▁ж", "жз", "ж", "з", "▁"]
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
NEVER = METASPACE | {"prepend_scheme": "never"}
MARKING = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
UNMARKING = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
STRIPPING = {"type": "Strip", "content": " ", "start": 1, "stop": 0}


def decoders(*parts: Document) -> Document:
    return {"type": "Sequence", "decoders": list(parts)}


NOTHING_PUT: list[Told] = [
    (
        "decoder-prepend-scheme",
        "$.decoder.decoders[2]",
        "it takes a space from the beginning of a text, and nothing has put one there",
        '" a b" becomes [2, 3, 2, 4], which decodes to "a b"',
    )
]

DECODERS: list[tuple[str, Document, list[Told]]] = [
    ("the same mark and scheme", document(MARKED, pre_tokenizer=METASPACE, decoder=METASPACE), []),
    (
        "another scheme",
        document(MARKED, pre_tokenizer=METASPACE, decoder=NEVER),
        [
            (
                "decoder-prepend-scheme",
                "$.decoder.prepend_scheme",
                "prepend_scheme is never here and always in the pre-tokenizer",
                '"a b" becomes [2, 3, 2, 4], which decodes to " a b"',
            )
        ],
    ),
    (
        "another scheme, and no entries for texts of Latin letters",
        document(CYRILLIC, [["ж", "з"], ["▁", "жз"]], pre_tokenizer=METASPACE, decoder=NEVER),
        [
            (
                "decoder-prepend-scheme",
                "$.decoder.prepend_scheme",
                "prepend_scheme is never here and always in the pre-tokenizer",
                '"жз" becomes [0], which decodes to " жз"',
            )
        ],
    ),
    (
        "no part for the mark",
        document(MARKED, pre_tokenizer=METASPACE, decoder={"type": "Fuse"}),
        [
            (
                "decoder-space-mark",
                "$.decoder",
                'the pre-tokenizer writes spaces as "▁", and no part of the decoder writes them back',
                '"a b" becomes [2, 3, 2, 4], which decodes to "▁a▁b"',
            )
        ],
    ),
    (
        "another mark",
        document(MARKED, pre_tokenizer=METASPACE, decoder=METASPACE | {"replacement": "_"}),
        [
            (
                "decoder-space-mark",
                "$.decoder.replacement",
                'the replacement is "_" here and "▁" in the pre-tokenizer',
                '"a b" becomes [2, 3, 2, 4], which decodes to "▁a▁b"',
            )
        ],
    ),
    (
        "a space that nothing takes away",
        document(MARKED, pre_tokenizer=METASPACE, decoder=decoders(UNMARKING, {"type": "Fuse"})),
        [
            (
                "decoder-prepend-scheme",
                "$.decoder",
                "the pre-tokenizer puts a space before a text, and no part of the decoder takes it away",
                '"a b" becomes [2, 3, 2, 4], which decodes to " a b"',
            )
        ],
    ),
    (
        "a space that is taken away",
        document(MARKED, pre_tokenizer=METASPACE, decoder=decoders(UNMARKING, {"type": "Fuse"}, STRIPPING)),
        [],
    ),
    (
        "a space that nothing has put there, Replace",
        document(MARKED, normalizer=MARKING, decoder=decoders(UNMARKING, {"type": "Fuse"}, STRIPPING)),
        NOTHING_PUT,
    ),
    (
        "a space that nothing has put there, Metaspace",
        document(MARKED, pre_tokenizer=NEVER, decoder=decoders(UNMARKING, {"type": "Fuse"}, STRIPPING)),
        NOTHING_PUT,
    ),
]


@pytest.mark.parametrize(("file", "expected"), [row[1:] for row in DECODERS], ids=[row[0] for row in DECODERS])
def test_what_a_decoder_does_not_undo(documents: Documents, file: Document, expected: list[Told]) -> None:
    assert told(found(check_decoders, documents, file)) == expected


def test_of_two_schemes_either_may_be_written(documents: Documents) -> None:
    (finding,) = found(check_decoders, documents, document(MARKED, pre_tokenizer=METASPACE, decoder=NEVER))
    assert finding.to_do == (
        'Write "always" at $.decoder.prepend_scheme, or "never" at $.pre_tokenizer.prepend_scheme: the two must agree.'
    )


# Other parts ---------------------------------------------------------------------------------------------------------

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
ADDED = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True, "special": False}


def test_a_token_that_is_normalized_away_is_shown_with_a_text_that_cannot_be_encoded(documents: Documents) -> None:
    without = {"type": "Replace", "pattern": {"String": "x"}, "content": ""}
    file = document(["a", "b"], normalizer=without, added_tokens=[{"id": 2, "content": "x", **ADDED}])
    (finding,) = told(found(check_added_tokens, documents, file))
    assert finding == (
        "added-token-normalized-away",
        "$.added_tokens[0].normalized",
        'the normalizer leaves nothing of "x"',
        '"é" cannot be encoded: AddedVocabulary bad split',
    )


def test_of_added_tokens_nothing_is_said_where_no_text_becomes_anything(documents: Documents) -> None:
    """As with a template that leaves the text out: that is found by itself."""
    added = [{"id": 3, "content": "x", **ADDED}, {"id": 4, "content": "", **ADDED}]
    file = document(["a", "b", "c"], added_tokens=added)
    assert [each[:2] for each in told(found(check_added_tokens, documents, file))] == [
        ("added-token-empty", "$.added_tokens[1].content"),
        ("added-token-in-words", "$.added_tokens[0].single_word"),
    ]
    leaving_out = {"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}
    assert [
        each[:2] for each in told(found(check_added_tokens, documents, file | {"post_processor": leaving_out}))
    ] == [("added-token-empty", "$.added_tokens[1].content")]


def test_offsets_show_that_a_processor_has_another_prefix_space(documents: Documents) -> None:
    file = document(["Ġ", "a"], pre_tokenizer=BYTE_LEVEL, post_processor=BYTE_LEVEL | {"add_prefix_space": False})
    assert told(found(check_processors, documents, file)) == [
        (
            "processor-prefix-space",
            "$.post_processor.add_prefix_space",
            "it is false here and true in the pre-tokenizer",
            'the offsets of "a" are 1:1 0:1; with the pre-tokenizer\'s 0:0 0:1',
        )
    ]
    around = {"type": "RobertaProcessing", "cls": ["a", 1], "sep": ["a", 1]}
    roberta = around | {"trim_offsets": True, "add_prefix_space": False}
    ((*_, shown),) = told(found(check_processors, documents, file | {"post_processor": roberta}))
    assert shown == 'the offsets of "a" are 0:0 1:1 0:1 0:0; with the pre-tokenizer\'s 0:0 0:0 0:1 0:0'
    same = file | {"post_processor": BYTE_LEVEL}
    assert told(found(check_processors, documents, same)) == []


def test_a_token_that_another_one_takes_a_part_of_is_told_as_it_is_looked_for(documents: Documents) -> None:
    first, second = ({"id": 2, "content": "A", **ADDED, "normalized": False}, {"id": 3, "content": "AB", **ADDED})
    for normalizer, named in ((SMALL, '"AB", normalized "ab",'), (None, '"AB"')):
        file = document(["a", "b"], normalizer=normalizer, added_tokens=[first, second])
        assert told(found(check_added_tokens, documents, file))[-1] == (
            "added-token-shadowed",
            "$.added_tokens[1]",
            f'where {named} stands, the added token "A" is found',
            '"AB" becomes 2 "A" 1 "b"' if normalizer else '"AB" becomes 2 "A"',
        )


@pytest.mark.parametrize(
    ("ids", "said", "count"),
    [
        ((0, 2), "the id 1; the highest id is 2, and there are 2 ids", 1),
        ((0, 3), "the ids 1–2; the highest id is 3, and there are 2 ids", 2),
        ((1, 3, 7), "the ids 0, 2, 4–6; the highest id is 7, and there are 3 ids", 5),
        (
            (1, 3, 7, 9, 11, 13),
            "the ids 0, 2, 4–6, 8, 10 and 1 further range; the highest id is 13, and there are 6 ids",
            8,
        ),
    ],
)
def test_missing_ids_are_named(ids: tuple[int, ...], said: str, count: int, documents: Documents) -> None:
    file = document([])
    file["model"]["vocab"] = {chr(ord("a") + place): number for place, number in enumerate(ids)}
    (gap,) = found(check_ids, documents, file)
    assert (gap.defect.id, gap.message, gap.count) == ("id-gap", f"no token has {said}", count)


@pytest.mark.parametrize(
    ("token", "number", "said"),
    [
        (
            "a",
            1,
            (
                "pad-id",
                "$.padding.pad_id",
                'pad_id is 1, and "a" has the id 0',
                '"a" is padded with 1, which decodes to "b"',
            ),
        ),
        (
            "x",
            9,
            (
                "pad-token-missing",
                "$.padding.pad_token",
                'pad_token is "x", and no token is called so',
                '"a" is padded with 9, which decodes to ""',
            ),
        ),
        ("b", 1, None),
    ],
)
def test_what_texts_are_padded_with_is_shown(token: str, number: int, said: Told | None, documents: Documents) -> None:
    options = {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None, "pad_type_id": 0}
    file = document(["a", "b"], padding={**options, "pad_id": number, "pad_token": token})
    on = "to the longest of a batch, in every call that says nothing else"
    findings = [("padding-on", "$.padding", on, None), *([said] if said else [])]
    assert told(found(check_truncation_and_padding, documents, file)) == findings


def test_of_a_merge_that_is_there_twice_both_ranks_are_told(documents: Documents) -> None:
    file = document(["a", "b", "ab", "ba"], [["a", "b"], ["b", "a"], ["a", "b"]])
    assert told(found(check_merges, documents, file)) == [
        (
            "duplicate-merge",
            "$.model.merges[2]",
            'the merge of "a" and "b" has the ranks 0 and 2; it is done with rank 2',
            None,
        )
    ]


@pytest.mark.parametrize(
    ("vocabulary", "expected"),
    [
        (["a", "b", "##b"], []),
        (
            ["a", "b", "ab"],
            [
                (
                    "subword-prefix-unused",
                    "$.model.continuing_subword_prefix",
                    'none of 4 tokens begins with "##"',
                    '"abab" becomes "[UNK]"',
                )
            ],
        ),
    ],
)
def test_a_prefix_that_no_entry_has_is_unused(
    vocabulary: list[str], expected: list[Told], documents: Documents
) -> None:
    findings = told(found(check_model_tokens, documents, word_pieces(vocabulary)))
    assert [each for each in findings if "prefix" in each[0]] == expected


@pytest.mark.parametrize(
    ("length", "stride", "second"),
    [
        (1, 0, ("truncation-too-short", "max_length is 1, and the post-processor adds 2 tokens")),
        (2, 0, ("truncation-too-short", "max_length is 2, and the post-processor adds as many tokens")),
        (3, 0, None),
        (4, 1, None),
        (4, 2, ("truncation-stride", "the stride is 2, and 4 tokens without 2 special ones are 2")),
    ],
)
def test_special_tokens_count_where_texts_are_cut_off(
    length: int, stride: int, second: tuple[str, str] | None, documents: Documents
) -> None:
    file = json.loads(bundled_file("bert-mini").read_text("utf-8"))
    options = {"max_length": length, "stride": stride, "strategy": "LongestFirst", "direction": "Right"}
    findings = told(found(check_truncation_and_padding, documents, file | {"truncation": options}))
    assert [each[:3:2] for each in findings[1:]] == ([second] if second else [])


@pytest.mark.parametrize(
    ("members", "tokens"),
    [
        ({"cls": ["[CLS]", 1], "sep": ["[SEP]", 2]}, ["[CLS]", "[SEP]"]),
        ({"cls": None, "sep": ["[SEP]", 2]}, ["[SEP]"]),
        ({"cls": [], "sep": "[SEP]"}, []),
        ({"cls": [1, "[CLS]"], "sep": [None]}, []),
        ({}, []),
    ],
)
def test_the_tokens_around_a_text_are_read_without_trust(members: Document, tokens: list[str]) -> None:
    members = {"type": "BertProcessing", **members}
    assert tokens_of(Part("post_processor", ("post_processor",), members)) == tokens


def test_the_shortest_text_that_a_regex_gives_up_on_is_shown() -> None:
    class Limited:
        def ask(self, question: PreTokenize) -> Pieces | Crashed:
            return Crashed("too much") if question.text.count("b") > 6 else Pieces(())

    asked: Any = Limited()
    result = _found([("", "a"), ("a", "b")], asked, inf)
    assert result is not None
    defect, does, witness = result
    assert (defect, does, witness.text) == (GIVES_UP, 'gives up on "b"', "abbbbbbb")
    assert witness.result == '"abbbbbbb", 8 characters: too much'
    assert _found([("", "a")], asked, inf) is None


@pytest.mark.parametrize(
    ("growth", "shown"), [(1, None), (2, '"b" 4,000 times, then "", takes 1.2 s; half of that takes 0.3 s')]
)
def test_what_takes_four_times_longer_for_twice_the_text_is_slow(
    growth: int, shown: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]

    class Slow:
        def ask(self, question: PreTokenize) -> Pieces:
            clock[0] += 0.3 * (question.text.count("b") / LENGTHS[0]) ** growth
            return Pieces(())

    monkeypatch.setattr(regex_speed, "time", SimpleNamespace(perf_counter=lambda: clock[0], monotonic=lambda: 0.0))
    asked: Any = Slow()
    result = _found([("", "a"), ("a", "b")], asked, inf)
    assert (result[2].result if result else None) == shown
    assert result is None or (result[0], result[1], result[2].text) == (SLOW, 'is slow on "b"', "a" + "b" * 4_000)


def test_a_regex_for_which_no_time_is_left_is_told_as_not_looked_at(documents: Documents) -> None:
    split = {"type": "Split", "pattern": {"Regex": "a"}, "behavior": "Isolated", "invert": False}
    file = document(["a", "b"], pre_tokenizer=split)
    tokenizer = TokenizerFile(TokenizerSource("small", "tokenizer.json"), "")
    left: list[str] = []
    for until in (inf, 0.0):
        audited = AuditedFile(tokenizer, JsonText(""), file, None, None, documents, until, documents)
        assert list(regex_speed.check_regex_speed(audited)) == []
        left.append("; ".join(each.words for each in audited.cut_short))
    assert left == ["", "speed of the regex at $.pre_tokenizer.pattern.Regex"]


# The pipeline that a vocabulary speaks of ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vocabulary", "writing", "texts", "parts"),
    [
        (["a", "b", "c", "##a", "##b"], Writing.PREFIX, ["a", "b", "c"], ["a", "b"]),
        (["a</w>", "b</w>", "a"], Writing.SUFFIX, ["a", "b"], []),
        (["▁a", "▁b", "c"], Writing.MARK, [" a", " b", "c"], []),
        (["_a", "_b", "c"], Writing.UNDERLINED, [" a", " b", "c"], []),
        ([" a", " b"], Writing.SPACED, [" a", " b"], []),
        (["Ġa", "Ġb"], Writing.BYTES, ["Ġa", "Ġb"], []),
        (["a", "b##", "</w>c"], Writing.PLAIN, ["a", "b##", "</w>c"], []),
    ],
)
def test_a_vocabulary_tells_how_it_is_written(
    vocabulary: list[str], writing: Writing, texts: list[str], parts: list[str]
) -> None:
    written = read_vocabulary(DocumentParts(document(vocabulary)))
    assert (written.writing, written.is_bytes) == (writing, False)
    assert ([each.text for each in written.pieces], [*written.parts]) == (texts, parts)


VOWELS, CONSONANTS = "aeiou", "bdfgklmnpr"
SYLLABLES = [first + vowel for first in CONSONANTS for vowel in VOWELS]
ENDINGS = [vowel + last for vowel in VOWELS for last in CONSONANTS]
WORDS = [first + last for first in SYLLABLES for last in (*SYLLABLES[:15], *ENDINGS[:7])]
LETTERS = [*"abcdefghijklmnopqrstuvwxyz", *"中文é.,()"]
SMALL = {"type": "Lowercase"}


def test_entries_without_chinese_words_ask_for_spaces_around_the_characters(documents: Documents) -> None:
    vocabulary = [*LETTERS, *WORDS, *(f"##{each}" for each in (*"abcdefghijklmnopqrstuvwxyz", *ENDINGS))]
    bert = {"type": "BertPreTokenizer"}
    (finding,) = found(find_unfit, documents, word_pieces(vocabulary, normalizer=SMALL, pre_tokenizer=bert))
    (one,) = told([finding])
    assert one[:2] == ("normalizer-unfit", "$.normalizer")
    assert one[2].endswith(
        "none have Chinese characters side by side, and here texts that do are not the same as without"
    )
    assert one[3] == '"中中" becomes 0 "[UNK]"; with the change 27 "中" 27 "中"'
    added = {
        "type": "BertNormalizer",
        "clean_text": False,
        "handle_chinese_chars": True,
        "strip_accents": False,
        "lowercase": False,
    }
    assert finding.to_do == f"Put {json.dumps(added)} last in $.normalizer."
    mended = {"type": "Sequence", "normalizers": [SMALL, added]}
    assert found(find_unfit, documents, word_pieces(vocabulary, normalizer=mended, pre_tokenizer=bert)) == []
