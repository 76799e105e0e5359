"""Planted faults: what each makes of a document, and of an answer."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import (
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Observation,
    Outcome,
    Text,
)
from tokenizer_conformance.validation.vectors.candidate import Answer, Answers
from tokenizer_conformance.validation.vectors.faults.answers import answer_faults
from tokenizer_conformance.validation.vectors.faults.documents import model_faults
from tokenizer_conformance.validation.vectors.faults.fault import DocumentFault, FaultStage
from tokenizer_conformance.validation.vectors.faults.patterns import pattern_faults, rewritten
from tokenizer_conformance.validation.vectors.faults.vocabulary import vocabulary_faults

if TYPE_CHECKING:
    from collections.abc import Iterable

Json = dict[str, Any]


def changed(document: Json, faults: Iterable[DocumentFault], *path: str) -> dict[str, Any]:
    """Return what each of ``faults`` leaves at ``path`` of ``document``."""
    found = {}
    for fault in faults:
        copy = json.loads(json.dumps(document))
        fault.change(copy)
        for step in path:
            copy = copy[step]
        found[fault.what] = copy
    return found


# Models --------------------------------------------------------------------------------------------------------------


def test_the_options_of_a_bpe_model_are_taken_for_others() -> None:
    model = {"type": "BPE", "vocab": {}, "unk_token": "?", "fuse_unk": True, "byte_fallback": False}
    assert changed({"model": model}, model_faults({"model": model}), "model") == {
        "unk_token of BPE is null": {**model, "unk_token": None},
        'continuing_subword_prefix of BPE is "##"': {**model, "continuing_subword_prefix": "##"},
        'end_of_word_suffix of BPE is "</w>"': {**model, "end_of_word_suffix": "</w>"},
        "fuse_unk of BPE is false": {**model, "fuse_unk": False},
        "byte_fallback of BPE is true": {**model, "byte_fallback": True},
        "ignore_merges of BPE is true": {**model, "ignore_merges": True},
        "ignore_merges of BPE is false": {**model, "ignore_merges": False},
    }


def test_a_unigram_model_takes_the_next_entry_for_the_unknown_token() -> None:
    document = {"model": {"vocab": [["<unk>", 0.0], ["a", -1.0], ["b", -2.0]], "unk_id": 1, "byte_fallback": False}}
    faults = changed(document, model_faults(document), "model")
    assert {what: (model["unk_id"], model["byte_fallback"]) for what, model in faults.items()} == {
        "byte_fallback of Unigram is true": (1, True),
        "the unknown token is the next one": (2, False),
    }
    none: Json = {"model": {"type": "Unigram", "vocab": [], "unk_id": None, "byte_fallback": True}}
    assert list(changed(none, model_faults(none))) == ["byte_fallback of Unigram is false"]


def test_all_scores_of_a_unigram_model_are_changed() -> None:
    document = {"model": {"type": "Unigram", "vocab": [["<unk>", 0.0], ["ab", -1.125], ["c", -2.625]]}}
    faults = changed(document, vocabulary_faults(document, [], Random(0)), "model", "vocab")
    assert {what: [score for _, score in vocab] for what, vocab in faults.items()} == {
        "all scores are equal: the fewest pieces win": [-1.0, -1.0, -1.0],
        "scores are rounded to two decimals": [0.0, -1.12, -2.62],
        "scores are rounded to whole numbers": [0.0, -1.0, -3.0],
        "scores are halved, and what an unknown character costs is not": [0.0, -0.5625, -1.3125],
        "of equal ways the one with the longest piece wins": [1e-9 * 25, -1.125 + 4e-9, -2.625 + 1e-9],
        "of equal ways the one with even pieces wins": [-1e-9 * 25, -1.125 - 4e-9, -2.625 - 1e-9],
        "of equal ways the one with later entries wins": [0.0, -1.125 + 1e-9, -2.625 + 2e-9],
        "of equal ways the one with earlier entries wins": [0.0, -1.125 - 1e-9, -2.625 - 2e-9],
    }
    assert all([piece for piece, _ in vocab] == ["<unk>", "ab", "c"] for vocab in faults.values())


def test_pieces_that_are_used_are_lost_exchanged_and_have_other_scores() -> None:
    document = {"model": {"type": "Unigram", "vocab": [["<unk>", 0.0], ["ab", -1.5], ["c", -2.5]]}}
    planted = [each for each in vocabulary_faults(document, ["ab", "c", "x"], Random(0)) if each.entries]
    assert {each.stage for each in planted} == {FaultStage.VOCABULARY}
    exchanged = [each for each in planted if len(each.entries) == 2]
    assert sorted(each.entries[0] for each in exchanged) == sorted(each.entries[1] for each in exchanged) == ["ab", "c"]
    for each in exchanged:
        first, second = each.entries
        (vocab,) = changed(document, [each], "model", "vocab").values()
        assert each.what == f"pieces {first!r} and {second!r} have each other's id"
        assert [piece for piece, _ in vocab] == ["<unk>", *(["ab", "c"] if first == second else ["c", "ab"])]
    others = [each for each in planted if len(each.entries) == 1]
    expected: dict[str, Any] = {"piece 'ab' is lost": [["<unk>", 0.0], ["\U0010fffd", -1.5], ["c", -2.5]]}
    for words, by in (("hardly more", 1e-4), ("hardly less", -1e-4), ("much more", 5.0), ("much less", -5.0)):
        expected[f"the score of 'ab' is {words}"] = [["<unk>", 0.0], ["ab", -1.5 + by], ["c", -2.5]]
        expected[f"the score of 'c' is {words}"] = [["<unk>", 0.0], ["ab", -1.5], ["c", -2.5 + by]]
    assert changed(document, others, "model", "vocab") == expected
    assert all(f"{each.entries[0]!r} is" in each.what for each in others)


# Patterns ------------------------------------------------------------------------------------------------------------


def replacing(pattern: Json) -> Json:
    return {"normalizer": {"type": "Replace", "pattern": pattern, "content": "_"}}


@pytest.mark.parametrize(("text", "short", "repeats"), [("a--", "a-", "a\\x{2D}\\x{2D}"), (" ", "\x00", "\\x{20}")])
def test_a_pattern_that_is_a_text(text: str, short: str, repeats: str) -> None:
    document = replacing({"String": text})
    faults = pattern_faults(document, "normalizer", FaultStage.NORMALIZER)
    assert changed(document, faults, "normalizer") == {
        "pattern of Replace (normalizer) one character short": {
            "type": "Replace",
            "pattern": {"String": short},
            "content": "_",
        },
        "pattern of Replace (normalizer) read as a regular expression that repeats": {
            "type": "Replace",
            "pattern": {"Regex": f"(?:{repeats})+"},
            "content": "_",
        },
        "content of Replace (normalizer) is empty": {"type": "Replace", "pattern": {"String": text}, "content": ""},
        "content of Replace (normalizer) has a space more": {
            "type": "Replace",
            "pattern": {"String": text},
            "content": "_ ",
        },
    }


def test_a_regular_expression_as_a_pattern() -> None:
    document = replacing({"Regex": "a|b"})
    faults = pattern_faults(document, "normalizer", FaultStage.NORMALIZER)
    found = changed(document, faults, "normalizer", "pattern")
    assert [each["Regex"] for each in found.values()] == ["b", "a", "b|a", "(?i:a|b)", "a|b", "a|b"]


@pytest.mark.parametrize(
    ("pattern", "versions"),
    [
        (
            "|a",
            {
                "without its alternative ''": "a",
                "without its alternative 'a'": "",
                "its first two alternatives exchanged": "a|",
                "upper and lower case are one": "(?i:|a)",
            },
        ),
        (
            r"(?i:\||[|]+)",
            {
                "only one character at a time": r"(?i:\||[|])",
                "upper and lower case are told apart": r"(?:\||[|]+)",
            },
        ),
        (
            r"[^\r\n\p{N}]\p{N}{1,3}",
            {
                "numbers are the digits of ASCII (place 1)": r"[^\r\n0-9]\p{N}{1,3}",
                "numbers are the digits of ASCII (place 2)": r"[^\r\n\p{N}][0-9]{1,3}",
                "numbers are decimal digits (place 1)": r"[^\r\n\p{Nd}]\p{N}{1,3}",
                "numbers are decimal digits (place 2)": r"[^\r\n\p{N}][\p{Nd}]{1,3}",
                "other numbers are numbers twice (place 1)": r"[^\r\n\p{N}\p{No}]\p{N}{1,3}",
                "other numbers are numbers twice (place 2)": r"[^\r\n\p{N}][\p{N}\p{No}]{1,3}",
                "a carriage return ends no line": r"[^\n\p{N}]\p{N}{1,3}",
                "numbers are cut one by one": r"[^\r\n\p{N}]\p{N}",
                "numbers are not cut": r"[^\r\n\p{N}]\p{N}+",
                "numbers are cut by two": r"[^\r\n\p{N}]\p{N}{1,2}",
                "upper and lower case are one": r"(?i:[^\r\n\p{N}]\p{N}{1,3})",
            },
        ),
    ],
)
def test_versions_of_a_regular_expression(pattern: str, versions: dict[str, str]) -> None:
    assert dict(rewritten(pattern)) == versions


# Answers -------------------------------------------------------------------------------------------------------------


def answers_of(question: Observation, outcome: Outcome, place: Answer) -> dict[str, Outcome]:
    """Return what each fault that changes it makes of ``outcome``, the answer to ``question``."""
    found = {}
    for fault in answer_faults():
        same, answer = fault.change({place: (question, outcome)})[place]
        assert same == question
        if answer != outcome:
            found[fault.what] = answer
    return found


def test_what_faults_tell_of_a_pair() -> None:
    encoded = Encoded(
        ids=(1, 7, 8, 2, 9, 2),
        tokens=("<s>", "a", "\u0120b", "</s>", "1", "</s>"),
        type_ids=(5, 5, 5, 5, 6, 6),
        attention_mask=(1, 1, 1, 1, 1, 1),
        special_tokens_mask=(1, 0, 0, 1, 0, 1),
        offsets=((0, 0), (0, 1), (2, 3), (0, 0), (0, 1), (0, 0)),
        word_ids=(None, 0, 0, None, 0, None),
        sequence_ids=(None, 0, 0, None, 1, None),
    )
    unmarked = replace(encoded, word_ids=(None, 0, 0, None, None, None))
    found = answers_of(Encode("a b", pair="1"), encoded, Answer.ENCODED)
    assert found == {
        "offsets begin at the space before a word": replace(
            encoded, offsets=((0, 0), (0, 1), (1, 3), (0, 0), (0, 1), (0, 0))
        ),
        "offsets include their end": replace(encoded, offsets=((0, 0), (0, 0), (2, 2), (0, 0), (0, 0), (0, 0))),
        "type ids are all 0": replace(encoded, type_ids=(0, 0, 0, 0, 0, 0)),
        "type ids are the number of the text": replace(encoded, type_ids=(0, 0, 0, 0, 1, 0)),
        "type ids of special tokens are 0": replace(encoded, type_ids=(0, 5, 5, 0, 6, 0)),
        "special tokens are not attended to": replace(encoded, attention_mask=(0, 1, 1, 0, 1, 0)),
        "no token is marked special": replace(encoded, special_tokens_mask=(0, 0, 0, 0, 0, 0)),
        "the first and the last token are marked special": replace(encoded, special_tokens_mask=(1, 0, 0, 0, 0, 1)),
        "special tokens have word 0": replace(encoded, word_ids=(0, 0, 0, 0, 0, 0)),
        "words count from 1": replace(encoded, word_ids=(None, 1, 1, None, 1, None)),
        "every token is a word": replace(encoded, word_ids=(None, 1, 2, None, 4, None)),
        "the words of a pair count on": replace(encoded, word_ids=(None, 0, 0, None, 1, None)),
        "special tokens belong to the first text": replace(encoded, sequence_ids=(0, 0, 0, 0, 1, 0)),
        "the offsets of a pair count on": replace(encoded, offsets=((0, 0), (0, 1), (2, 3), (0, 0), (3, 4), (0, 0))),
        "tokens are shown with spaces": replace(encoded, tokens=("<s>", "a", " b", "</s>", "1", "</s>")),
        "tokens are shown without what stands for a space": replace(
            encoded, tokens=("<s>", "a", "b", "</s>", "1", "</s>")
        ),
        "the two texts of a pair are exchanged": replace(encoded, sequence_ids=(None, 1, 1, None, 0, None)),
    }
    without_words = answers_of(Encode("a b", pair="1"), unmarked, Answer.ENCODED)
    marked = without_words["tokens without a word are marked special"]
    assert marked == replace(unmarked, special_tokens_mask=(1, 0, 0, 1, 1, 1))


SHIFTED = ((10, 13), (11, 12), (12, 12), (251, 257))


@pytest.mark.parametrize(
    ("what", "spans"),
    [
        ("offsets count bytes", ((21, 24), (22, 23), (23, 23), (262, 268))),
        ("offsets count UTF-16 units", SHIFTED),
        ("offsets are one too far after an astral character", SHIFTED),
        ("offsets are one too far after a combining mark", SHIFTED),
        ("offsets are one too far after a character that is composed", SHIFTED),
        ("offsets are one too far after a character with a longer lower case", SHIFTED),
        ("offsets are one too far after a compatibility character", SHIFTED),
        ("offsets are one too far after a Han character", SHIFTED),
        ("offsets do not count combining marks", ((8, 11), (9, 10), (10, 10), (249, 255))),
        ("offsets do not count carriage returns", ((8, 11), (9, 10), (10, 10), (249, 255))),
        ("offsets do not count control characters", ((7, 10), (8, 9), (9, 9), (248, 254))),
        ("offsets do not count format characters", ((8, 11), (9, 10), (10, 10), (249, 255))),
        ("offsets begin at the space before a word", ((9, 12), (9, 11), (11, 11), (250, 256))),
        ("offsets begin after the spaces of a token", ((10, 12), (10, 11), (11, 11), (250, 256))),
        ("offsets end before the spaces of a token", ((9, 11), (10, 11), (11, 11), (250, 256))),
        ("offsets are one too far beyond 255", ((9, 12), (10, 11), (11, 11), (250, 257))),
        ("offsets include their end", ((9, 11), (10, 10), (11, 11), (250, 255))),
        ("an empty range is (0, 0)", ((9, 12), (10, 11), (0, 0), (250, 256))),
    ],
)
def test_what_faults_tell_of_offsets(what: str, spans: tuple[tuple[int, int], ...]) -> None:
    """One of each kind of character, a word between spaces, and what lies beyond 255."""
    text = "\U0001f600\u0301\u00e9\u0130\ufb01\u4e2d\r\x01\u200d z " + "x" * 250
    encoded = Encoded((1, 2, 3, 4), offsets=((9, 12), (10, 11), (11, 11), (250, 256)), word_ids=(0, 1, 2, 3))
    encoded = replace(encoded, sequence_ids=(0, 0, 0, 0))
    assert answers_of(Encode(text), encoded, Answer.ENCODED)[what] == replace(encoded, offsets=spans)


@pytest.mark.parametrize("length", [128, 512])
def test_what_faults_tell_of_a_long_text(length: int) -> None:
    (fault,) = [each for each in answer_faults() if each.what == f"an encoding ends after {length} tokens"]
    encoded = Encoded(tuple(range(length + 1)))
    asked: Answers = {Answer.ENCODED: (Encode("a" * (length + 1)), encoded)}
    assert fault.change(asked)[Answer.ENCODED][1] == Encoded(tuple(range(length)))


def test_what_faults_tell_of_decoded_texts() -> None:
    text = " a ,  do not b\ufffd do n't e\u0301 . don't "
    assert answers_of(Decode((1,)), Text(text), Answer.DECODED) == {
        "a decoded text is stripped": Text(text.strip()),
        "spaces before a decoded text are dropped": Text(text[1:]),
        "spaces after a decoded text are dropped": Text(text[:-1]),
        "runs of spaces in a decoded text are one": Text("a , do not b\ufffd do n't e\u0301 . don't"),
        "spaces before punctuation of a decoded text are dropped": Text(" a,  do not b\ufffd do n't e\u0301. don't "),
        "clean-up of a decoded text joins contractions": Text(" a ,  do not b\ufffd don't e\u0301 . don't "),
        "decoded text joins do and not": Text(" a ,  don't b\ufffd do n't e\u0301 . don't "),
        "decoded text leaves do and not": Text(" a ,  do not b\ufffd do n't e\u0301 . do not "),
        "bytes that are no character are dropped from a decoded text": Text(" a ,  do not b do n't e\u0301 . don't "),
        "the text is decoded as NFC": Text(" a ,  do not b\ufffd do n't \u00e9 . don't "),
    }


def test_what_faults_tell_of_chunks() -> None:
    assert answers_of(DecodeStream((1,) * 5), Chunks((" a", None, "", " ", "b")), Answer.STREAMED) == {
        "chunks come before a character is whole": Chunks((" a", "\ufffd", "", " ", "b")),
        "chunks lose the space before them": Chunks(("a", None, "", "", "b")),
        "chunks that are empty are left out": Chunks((" a", " ", "b")),
    }


def test_what_faults_tell_of_batches() -> None:
    question = EncodeBatch((Encode("a"), Encode("bc")))
    found = answers_of(question, EncodedBatch((Encoded((1,)), Encoded((2, 3)))), Answer.ENCODINGS)
    assert found["a batch is padded"] == EncodedBatch((Encoded((1, 0)), Encoded((2, 3))))
    assert found["a batch comes in another order"] == EncodedBatch((Encoded((2, 3)), Encoded((1,))))


def test_an_answer_that_is_remembered_by_its_text_alone() -> None:
    answers: Answers = {each: (Decode((number,)), Text(each.value)) for number, each in enumerate(Answer)}
    told = {}
    for fault in answer_faults():
        if fault.what.startswith("special tokens are") and fault.what.endswith(("added", "skipped")):
            changed = fault.change(answers)
            assert {name: question for name, (question, _) in changed.items()} == {
                name: question for name, (question, _) in answers.items()
            }
            told[fault.what] = {name: each for name, (_, each) in changed.items() if each != answers[name][1]}
    assert told == {
        "special tokens are never added": {
            Answer.ENCODED: Text("encoded_without_special_tokens"),
            Answer.ENCODINGS: Text("encodings_without_special_tokens"),
        },
        "special tokens are always added": {
            Answer.ENCODED_ALONE: Text("encoded"),
            Answer.ENCODINGS_ALONE: Text("encodings"),
        },
        "special tokens are never skipped": {
            Answer.DECODED_SKIPPING: Text("decoded"),
            Answer.STREAMED_SKIPPING: Text("streamed"),
        },
        "special tokens are always skipped": {
            Answer.DECODED: Text("decoded_skipping_special_tokens"),
            Answer.STREAMED: Text("streamed_skipping_special_tokens"),
        },
    }
