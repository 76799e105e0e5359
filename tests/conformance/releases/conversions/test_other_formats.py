"""``tokconf audit conversion``: SentencePiece models, ranks of tiktoken and a tekken.json beside a tokenizer.json."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sentencepiece

from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.text_generators.entries import byte_of_character

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Tokconf

Json = dict[str, Any]


def document_of(name: str) -> Json:
    document: Json = json.loads(bundled_file(name).read_text("utf-8"))
    return document


def audited(cli: Tokconf, document: Json, file: str, status: int) -> tuple[list[Json], str]:
    """Return the differences between ``document`` and the other ``file``, and what is printed."""
    Path("tokenizer.json").write_text(json.dumps(document), "utf-8")
    options = ("--cases", "300", "--json", "audit.jsonl", "--force")
    result = cli("audit", "conversion", "tokenizer.json", file, *options)
    assert result.exit_code == status, result.output
    lines = [json.loads(line) for line in Path("audit.jsonl").read_text("ascii").splitlines()]
    return [line for line in lines if line["type"] == "difference"], " ".join(result.output.split())


# SentencePiece -------------------------------------------------------------------------------------------------------


def trained(**options: Any) -> sentencepiece.SentencePieceProcessor:
    """Train a small model, write it as ``small.model``, and return it."""
    corpus = bundled_file("gpt2-mini").parents[1] / "corpus.txt"
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus.read_text("utf-8").splitlines()[:400]),
        model_writer=written,
        vocab_size=900,
        hard_vocab_limit=False,
        minloglevel=2,
        **options,
    )
    Path("small.model").write_bytes(written.getvalue())
    return sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())


def unigram(model: sentencepiece.SentencePieceProcessor) -> Json:
    """What the tokenizer.json of a Unigram with the identity as its normalizer says, made by hand."""
    metaspace = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
    control = [id_ for id_ in range(len(model)) if model.is_control(id_)]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": id_, "content": model.id_to_piece(id_), **flags} for id_ in control],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Strip", "strip_left": False, "strip_right": True},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "\u2581"},
            ],
        },
        "pre_tokenizer": metaspace,
        "post_processor": None,
        "decoder": metaspace,
        "model": {
            "type": "Unigram",
            "unk_id": model.unk_id(),
            "vocab": [[model.id_to_piece(id_), model.get_score(id_)] for id_ in range(len(model))],
            "byte_fallback": False,
        },
    }


def identity() -> sentencepiece.SentencePieceProcessor:
    return trained(model_type="unigram", normalization_rule_name="identity")


def test_a_model_and_the_tokenizer_made_of_it_agree(cli: Tokconf) -> None:
    found, printed = audited(cli, unigram(identity()), "small.model", 0)
    assert found == []
    assert re.search(r"small.model says the same as \S+ in all that was compared", printed)
    assert "Not compared: special tokens around a text" in printed


def _score(document: Json) -> None:
    entry = next(each for each in document["model"]["vocab"] if each[0] == "\u2581the")
    entry[1] -= 100


def _spaces(document: Json) -> None:
    document["normalizer"] = None


def _prefix(document: Json) -> None:
    document["pre_tokenizer"] = {**document["pre_tokenizer"], "prepend_scheme": "never"}


def _unknown(document: Json) -> None:
    document["model"]["unk_id"] = 1


def _piece(document: Json) -> None:
    document["model"]["vocab"].append(["\u2581nowhere", -3.0])


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("change", "names", "words"),
    [
        (_score, ["model.vocab"], "1 token with another score"),
        (_prefix, ["pre_tokenizer"], "it puts a space before a text"),
        (_unknown, ["model.unk_id"], "the unknown token has the id 0"),
        (_piece, ["model.vocab"], "1 token of the file missing"),
    ],
    ids=["score", "prefix", "unknown", "piece"],
)
def test_what_the_tokenizer_has_otherwise_is_told(
    cli: Tokconf, change: Callable[[Json], None], names: list[str], words: str
) -> None:
    document = unigram(identity())
    change(document)
    found, _ = audited(cli, document, "small.model", 1)
    assert [each["name"] for each in found] == names
    assert words in " ".join(each["words"] for each in found)


def test_spaces_that_only_the_model_takes_away_are_not_judged(cli: Tokconf) -> None:
    document = unigram(identity())
    _spaces(document)
    found, printed = audited(cli, document, "small.model", 0)
    assert found == []
    assert "Not compared: spaces beyond the first, which it takes away and nothing" in printed


def test_a_character_map_that_only_the_model_has_is_told(cli: Tokconf) -> None:
    document = unigram(trained(model_type="unigram", normalization_rule_name="nmt_nfkc"))
    found, _ = audited(cli, document, "small.model", 1)
    assert [each["name"] for each in found] == ["normalizer"]
    assert found[0]["words"].startswith("Sequence[Strip, Replace] in the file, Sequence[Precompiled, ")
    assert found[0]["witness"]["found"]


def test_a_model_of_another_kind_cannot_be_compared(cli: Tokconf) -> None:
    trained(model_type="bpe", normalization_rule_name="identity")
    Path("tokenizer.json").write_text(json.dumps(document_of("t5-mini")), "utf-8")
    result = cli("audit", "conversion", "tokenizer.json", "small.model")
    assert result.exit_code == 2
    assert "'small.model': it holds a BPE, and the tokenizer.json a Unigram: they are not of one model" in result.output
    trained(model_type="char")
    result = cli("audit", "conversion", "tokenizer.json", "small.model")
    assert result.exit_code == 2
    assert "it is a char model, which no tokenizer.json is a conversion of" in result.output


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("name", "text", "pieces", "tokens"),
    [
        ("albert-base-v1", "1,", ["\u25811,"], ["\u25811", ","]),
        ("xlnet-base-cased", "1,", ["\u25811,"], ["\u25811", ","]),
        pytest.param(
            "google-fnet-base", "a201,", ["\u2581a", "20", "1,"], ["\u2581a", "201", ","], marks=pytest.mark.long
        ),
    ],
)
def test_published_checkpoints_have_lowered_the_scores_of_numbers_with_commas(
    cli: Tokconf, shared: Path, name: str, text: str, pieces: list[str], tokens: list[str]
) -> None:
    folder = shared / "tokenizers" / name
    result = cli("audit", "conversion", str(folder), str(folder / "spiece.model"), "--json", "audit.jsonl")
    assert result.exit_code == 1, result.output
    lines = [json.loads(line) for line in Path("audit.jsonl").read_text("ascii").splitlines()]
    (found,) = [line for line in lines if line["type"] == "difference"]
    assert found["witness"]["question"]["text"]["value"] == text
    assert found["witness"]["raw"]["answer"]["tokens"] == tokens
    assert found["witness"]["replaced"]["answer"]["tokens"] == pieces
    # The library itself cuts the text as the tokenizer.json does with what the model says.
    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spiece.model"))
    assert model.encode(text, out_type=str) == pieces


# Ranks ---------------------------------------------------------------------------------------------------------------


def bytes_of(token: str) -> bytes:
    return bytes(byte_of_character()[character] for character in token)


def ranks_of(document: Json) -> dict[bytes, int]:
    special = {each["content"] for each in document["added_tokens"]}
    return {bytes_of(token): id_ for token, id_ in document["model"]["vocab"].items() if token not in special}


def write_ranks(ranks: dict[bytes, int]) -> None:
    lines = (
        b"%s %d" % (base64.b64encode(token), id_) for token, id_ in sorted(ranks.items(), key=lambda each: each[1])
    )
    Path("small.tiktoken").write_bytes(b"\n".join(lines))


def test_ranks_and_the_tokenizer_made_of_them_agree(cli: Tokconf) -> None:
    document = document_of("gpt2-mini")
    write_ranks(ranks_of(document))
    found, printed = audited(cli, document, "small.tiktoken", 0)
    assert found == []
    assert "Not compared: special tokens and the pattern, of which ranks say nothing" in printed


def test_two_ranks_that_are_exchanged_are_told_as_ids_and_as_merges(cli: Tokconf) -> None:
    document = document_of("gpt2-mini")
    ranks = ranks_of(document)
    ranks[b"he"], ranks[b"er"] = ranks[b"er"], ranks[b"he"]
    write_ranks(ranks)
    found, _ = audited(cli, document, "small.tiktoken", 1)
    assert [each["name"] for each in found] == ["model.vocab", "model.merges"]
    assert [each["words"] for each in found] == ["2 tokens with another id", "2 merges with another rank"]
    assert all(each["witness"]["found"] for each in found)


def tekken_of(document: Json) -> Json:
    special = sorted(document["added_tokens"], key=lambda each: each["id"])
    first = len(special)
    assert [each["id"] for each in special] == list(range(first))
    split = next(each for each in document["pre_tokenizer"]["pretokenizers"] if each["type"] == "Split")
    ranks = sorted(ranks_of(document).items(), key=lambda each: each[1])
    return {
        "config": {
            "pattern": split["pattern"]["Regex"],
            "num_vocab_tokens": len(ranks),
            "default_vocab_size": first + len(ranks),
            "default_num_special_tokens": first,
            "version": "v7",
        },
        "vocab": [
            {"rank": id_ - first, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for token, id_ in ranks
        ],
        "special_tokens": [{"rank": each["id"], "token_str": each["content"], "is_control": True} for each in special],
    }


def test_a_tekken_json_and_the_tokenizer_made_of_it_agree(cli: Tokconf) -> None:
    document = document_of("tekken-mini")
    Path("tekken.json").write_text(json.dumps(tekken_of(document)), "utf-8")
    found, _ = audited(cli, document, "tekken.json", 0)
    assert found == []


def test_another_pattern_and_a_special_token_that_is_missing_are_told(cli: Tokconf) -> None:
    document = document_of("tekken-mini")
    tekken = tekken_of(document)
    tekken["config"]["pattern"] = r"\p{L}+|\p{N}|[^\p{L}\p{N}]+"
    lost = tekken["special_tokens"].pop()
    Path("tekken.json").write_text(json.dumps(tekken), "utf-8")
    found, _ = audited(cli, document, "tekken.json", 1)
    assert [each["name"] for each in found][:2] == ["added_tokens.missing", "pre_tokenizer"]
    assert lost["token_str"] in found[0]["words"]
    assert found[1]["words"].endswith("the pattern is another one")
    assert found[1]["witness"]["found"]


# What cannot be compared ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.gguf", b"", "'empty.gguf': it is no GGUF file: it begins with b''"),
        ("other.model", b"\xff\xff", "'other.model'"),
        ("other.tiktoken", b"no ranks", "'other.tiktoken'"),
        (
            "tekken.json",
            b'{"config": {}}',
            "'tekken.json': is no tekken.json: it has no config and vocab as these have",
        ),
        ("tekken.json", b"{", "is no tekken.json"),
        ("other.bin", b"PK", "its name says no format that can be read here: GGUF (.gguf), a SentencePiece model"),
        ("other.tiktoken", b"YQ== 0", "has none of ByteLevel"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(cli: Tokconf, name: str, content: bytes, message: str) -> None:
    Path(name).write_bytes(content)
    result = cli("audit", "conversion", str(bundled_file("t5-mini").parent), name)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("gpt2-mini", "bert-mini"),
            "'gpt2-mini' and 'bert-mini' are both tokenizer.json files: tokconf diff compares",
        ),
        (("nowhere.gguf", "nothing.model"), "'nowhere.gguf': no such file"),
        (("nowhere.gguf", "gpt2-mini"), "'nowhere.gguf': No such file or directory"),
    ],
)
def test_words_that_name_no_two_files_are_refused(cli: Tokconf, words: tuple[str, str], message: str) -> None:
    result = cli("audit", "conversion", *words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
