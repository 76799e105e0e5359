"""``tokconf audit gguf``: faithful files are found so; faults of conversions are found, named and shown by a text."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from gguf_bytes import gguf_file
from line_schema import validator_of
from llama_vocabularies import BYTE, FAITHFUL, NORMAL, USER_DEFINED

from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.results.records.loader_audit import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Tokconf
    from tokenizer_adapters.gguf.vocabulary import GgufVocabulary

Json = dict[str, Any]


def audited(cli: Tokconf, name: str, vocabulary: GgufVocabulary, status: int) -> tuple[list[Json], str]:
    """Return the differences that the audit records, and what it prints."""
    Path("model.gguf").write_bytes(gguf_file(vocabulary))
    folder = str(bundled_file(name).parent)
    result = cli("audit", "gguf", "model.gguf", folder, "--cases", "400", "--json", "audit.jsonl", "--force")
    assert result.exit_code == status, result.output
    lines = [json.loads(line) for line in Path("audit.jsonl").read_text("ascii").splitlines()]
    validator = validator_of(schema_of(FORMAT))
    for line in lines:
        validator.validate(line)
    return [line for line in lines if line["type"] == "difference"], " ".join(result.output.split())


@pytest.mark.long_but(3)
@pytest.mark.parametrize("name", FAITHFUL)
def test_a_faithful_conversion_is_found_to_be_one(cli: Tokconf, name: str) -> None:
    found, printed = audited(cli, name, FAITHFUL[name](), 0)
    assert [each["name"] for each in found if each["known"] is None] == []
    lost = {"bert-mini": ["model.max_input_chars_per_word"]}
    assert [each["name"] for each in found] == lost.get(name, [])
    assert "no GGUF file can say this" in printed or not found


# Faults that are planted ---------------------------------------------------------------------------------------------


def with_token(vocabulary: GgufVocabulary, id_: int, token: str) -> GgufVocabulary:
    return replace(vocabulary, tokens=(*vocabulary.tokens[:id_], token, *vocabulary.tokens[id_ + 1 :]))


def with_type(vocabulary: GgufVocabulary, id_: int, type_: int) -> GgufVocabulary:
    assert vocabulary.types is not None
    return replace(vocabulary, types=(*vocabulary.types[:id_], type_, *vocabulary.types[id_ + 1 :]))


def merges_swapped(vocabulary: GgufVocabulary) -> GgufVocabulary:
    assert vocabulary.merges is not None
    merges = list(vocabulary.merges)
    merges[1], merges[10] = merges[10], merges[1]  # h e and e r, which both want the e of "her"
    return replace(vocabulary, merges=tuple(merges))


def scores_changed(vocabulary: GgufVocabulary) -> GgufVocabulary:
    assert vocabulary.scores is not None
    id_ = vocabulary.tokens.index("\u2581the")
    return replace(vocabulary, scores=(*vocabulary.scores[:id_], -90.0, *vocabulary.scores[id_ + 1 :]))


def scores_of_merges_changed(vocabulary: GgufVocabulary) -> GgufVocabulary:
    assert vocabulary.scores is not None
    id_ = vocabulary.tokens.index("\u2581the")
    return replace(vocabulary, scores=(*vocabulary.scores[:id_], -1e6, *vocabulary.scores[id_ + 1 :]))


def ids_shifted(vocabulary: GgufVocabulary) -> GgufVocabulary:
    assert vocabulary.types is not None
    tokens = (*vocabulary.tokens[:100], "<inserted>", *vocabulary.tokens[100:])
    ids = {name: id_ + (id_ >= 100) for name, id_ in vocabulary.special_ids.items()}
    types = (*vocabulary.types[:100], NORMAL, *vocabulary.types[100:])
    return replace(vocabulary, tokens=tokens, types=types, special_ids=ids)


def byte_tokens_as_text(vocabulary: GgufVocabulary) -> GgufVocabulary:
    assert vocabulary.types is not None
    return replace(vocabulary, types=tuple(NORMAL if each == BYTE else each for each in vocabulary.types))


@dataclass(frozen=True, kw_only=True)
class Planted:
    """A fault in the conversion ``of`` a tokenizer: the names under which it is told, words in that, and its witness.

    ``shown`` are pieces of the JSON of the witness: of its question, and of either answer.
    """

    of: str
    change: Callable[[GgufVocabulary], GgufVocabulary]
    names: list[str]
    words: str
    shown: tuple[str, ...] = field(default=())


PLANTED = {
    "two merges swapped": Planted(
        of="gpt2-mini", change=merges_swapped, names=["model.merges"], words="2 merges with another rank"
    ),
    "a merge lost": Planted(
        of="gpt2-mini",
        change=lambda each: replace(each, merges=each.merges and each.merges[1:]),
        names=["model.merges"],
        words="1 merge of the file missing",
    ),
    "an added token lost": Planted(
        of="t5-mini",
        change=lambda each: with_token(each, 904, "[PAD904]"),
        names=["added_tokens.missing", "added_tokens.further"],
        words='"<extra_id_1>" of the file missing',
        shown=("<extra_id_1>",),
    ),
    "a score changed": Planted(
        of="t5-mini",
        change=scores_changed,
        names=["model.vocab"],
        words="1 token with another score",
    ),
    "the score of a merge changed": Planted(
        of="llama-mini", change=scores_of_merges_changed, names=["model.merges"], words="with another rank"
    ),
    "a special token typed as normal": Planted(
        of="gpt2-mini",
        change=lambda each: with_type(each, 1999, NORMAL),
        names=["added_tokens.missing"],
        words='"<|endoftext|>" (1999) has the type NORMAL',
        shown=("<|endoftext|>",),
    ),
    "a special token typed as one of the user": Planted(
        of="gpt2-mini",
        change=lambda each: with_type(each, 1999, USER_DEFINED),
        names=["added_tokens.special"],
        words="special false in place of true",
    ),
    "another pre-tokenizer": Planted(
        of="gpt2-mini",
        change=lambda each: replace(each, pre="qwen2"),
        names=["pre_tokenizer"],
        words="tokenizer.ggml.pre is 'qwen2'",
    ),
    "the pre-tokenizer of another model, which adds a bos": Planted(
        of="gpt2-mini",
        change=lambda each: replace(each, pre="llama-bpe", flags={}),
        names=["pre_tokenizer", "model.ignore_merges", "post_processor"],
        words="tokenizer.ggml.pre is 'llama-bpe'",
    ),
    "the character map lost": Planted(
        of="t5-mini",
        change=lambda each: replace(each, charsmap=None),
        names=["normalizer"],
        words="precompiled_charsmap is missing",
    ),
    "ids shifted": Planted(
        of="gpt2-mini",
        change=ids_shifted,
        names=["added_tokens.id", "model.vocab"],
        words="all ids from 100 on are shifted by +1",
    ),
    "byte tokens typed as text": Planted(
        of="llama-mini",
        change=byte_tokens_as_text,
        names=["decoder"],
        words='"<0x00>" (3) has the type NORMAL',
        shown=("decode", "<0x"),
    ),
    "the template changed": Planted(
        of="gpt2-mini",
        change=lambda each: replace(each, templates={"default": f"Hi! {each.templates['default']}"}),
        names=["chat_template"],
        words="another template, from character 0 on",
        shown=("messages", "Hi!user"),
    ),
    "the template lost": Planted(
        of="llama-mini",
        change=lambda each: replace(each, templates={}),
        names=["chat_template"],
        words="the template is missing",
    ),
    "a bos that is not to be added": Planted(
        of="gpt2-mini",
        change=lambda each: replace(each, flags={"add_bos_token": True}),
        names=["post_processor"],
        words='llama.cpp puts "<|endoftext|>" (1999) before a text',
        shown=("1999",),
    ),
    "a bos that is to be added": Planted(
        of="llama-mini",
        change=lambda each: replace(each, flags={"add_bos_token": False}),
        names=["post_processor"],
        words="llama.cpp puts nothing before a text",
    ),
    "no eos": Planted(
        of="t5-mini",
        change=lambda each: replace(each, flags={**each.flags, "add_eos_token": False}),
        names=["post_processor"],
        words="and nothing after it (add_bos_token is False, add_eos_token is False)",
    ),
    "no space before a text": Planted(
        of="llama-mini",
        change=lambda each: replace(each, flags={**each.flags, "add_space_prefix": False}),
        names=["normalizer"],
        words="it puts no space before a text (add_space_prefix is False)",
    ),
    "no space before a text, by a Metaspace": Planted(
        of="t5-mini",
        change=lambda each: replace(each, flags={**each.flags, "add_space_prefix": False}),
        names=["pre_tokenizer"],
        words="it puts no space before a text (add_space_prefix is False)",
    ),
    "letters kept as they are": Planted(
        of="bert-mini",
        change=lambda each: replace(each, flags={"normalizer.lowercase": False}),
        names=["normalizer"],
        words="llama.cpp has lowercase False, strip_accents False",
    ),
    "another unknown token": Planted(
        of="t5-mini",
        change=lambda each: replace(each, special_ids={**each.special_ids, "unknown": 5}),
        names=["model.unk_id"],
        words="the unknown token has the id 5",
    ),
    "a token spelled otherwise": Planted(
        of="bert-mini",
        change=lambda each: with_token(each, each.tokens.index("\u2581the"), "\u2581teh"),
        names=["model.vocab"],
        words="1 token of the file missing, 1 token that the file has not",
    ),
    "spaces in place of U+2581": Planted(
        of="llama-mini",
        change=lambda each: replace(each, tokens=tuple(token.replace("\u2581", " ") for token in each.tokens)),
        names=["model.vocab", "model.merges"],
        words="tokens that the file has not",
    ),
    "all scores of merges 0": Planted(
        of="llama-mini",
        change=lambda each: replace(each, scores=(0.0,) * len(each.tokens)),
        names=["model.merges"],
        words="of these the leftmost is made first, which no ranks can say",
    ),
    "no scores of merges": Planted(
        of="llama-mini",
        change=lambda each: replace(each, scores=None),
        names=["model.merges"],
        words="the list of scores is missing, and each counts as 0",
    ),
    "no scores of pieces": Planted(
        of="t5-mini",
        change=lambda each: replace(each, scores=None),
        names=["model.vocab"],
        words="the list of scores is missing, and each counts as 0",
    ),
    "the default pre-tokenizer": Planted(
        of="gpt2-mini",
        change=lambda each: replace(each, pre="default"),
        names=["pre_tokenizer"],
        words="tokenizer.ggml.pre is 'default'",
    ),
    "no pre-tokenizer": Planted(
        of="gpt2-mini",
        change=lambda each: replace(each, pre=None),
        names=["pre_tokenizer"],
        words="no pre-tokenizer is named; llama.cpp warns, and takes its default",
    ),
    "another unknown word": Planted(
        of="bert-mini",
        change=lambda each: replace(each, special_ids={**each.special_ids, "unknown": 5}),
        names=["model.unk_token"],
        words="another unk_token",
    ),
    "placeholders of the user": Planted(
        of="gpt2-mini",
        change=lambda each: replace(
            each, tokens=(*each.tokens, "[PAD2000]"), types=(*(each.types or ()), USER_DEFINED)
        ),
        names=["added_tokens.further"],
        words='"[PAD2000]" that the file has not',
        shown=("[PAD2000]",),
    ),
    "another bos, which is added": Planted(
        of="llama-mini",
        change=lambda each: replace(each, special_ids={**each.special_ids, "bos": 2}),
        names=["post_processor", "defaults.bos_token"],
        words='llama.cpp puts "</s>" (2) before a text',
    ),
    "a token without a text": Planted(
        of="gpt2-mini",
        change=lambda each: with_type(each, 300, 0),
        names=["model.vocab.types"],
        words="1 token that llama.cpp decodes to nothing",
    ),
    "a token that is no UTF-8": Planted(
        of="gpt2-mini",
        change=lambda each: with_token(each, 300, "\udcff"),
        names=["model.vocab", "model.merges"],
        words="1 token of the file missing, 1 token that the file has not",
    ),
    "a token of the vocabulary replaced by one of the user": Planted(
        of="gpt2-mini",
        change=lambda each: with_type(with_token(each, 300, "<user>"), 300, USER_DEFINED),
        names=["added_tokens.further", "model.vocab", "model.merges"],
        words="1 token of the file missing, 1 token that the file has not",
        shown=("<user>", "300"),
    ),
    "another eos": Planted(
        of="llama-mini",
        change=lambda each: replace(each, special_ids={**each.special_ids, "eos": 1}),
        names=["defaults.eos_token"],
        words='the eos_token is "<s>" (1) in place of "</s>"',
    ),
}

WITHOUT_TEXT = {"the template lost", "another eos", "a token without a text"}
"""Faults that no text can show."""


@pytest.mark.long_but(1)
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found_named_and_shown(cli: Tokconf, fault: str) -> None:
    planted = PLANTED[fault]
    found, printed = audited(cli, planted.of, planted.change(FAITHFUL[planted.of]()), 1)
    new = [each for each in found if each["known"] is None]
    assert [each["name"] for each in new] == planted.names
    assert planted.words in " ".join(each["words"] for each in new)
    assert "is not faithful to" in printed
    if fault not in WITHOUT_TEXT:
        witness = new[0]["witness"]
        assert witness["found"], witness
        assert witness["raw"] != witness["replaced"]
        told = json.dumps(witness, ensure_ascii=False)
        assert all(each in told for each in planted.shown), told
