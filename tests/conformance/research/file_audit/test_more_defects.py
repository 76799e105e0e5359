"""Defects of files that no change of a bundled document gives: repeated keys, suffixes of words, ties of order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tokenizers import Tokenizer

from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.tokenizer_files import locate
from tokenizer_conformance.research.file_audit.engine import FileAuditPlan, Selection, audit_files
from tokenizer_conformance.research.file_audit.reading import described
from tokenizer_conformance.research.file_audit.regex_dialects import _split
from tokenizer_conformance.research.file_audit.vocabulary import checks as vocabulary
from tokenizer_conformance.results.records import file_audit as lines

if TYPE_CHECKING:
    from pathlib import Path

TOKENIZERS = select("tokenizers", Isolation()).build()

OF_VOCABULARY = tuple(defect.id for check in vocabulary.CHECKS for defect in check.defects)
WITHOUT = Selection(ignored=OF_VOCABULARY)


def findings_in(file: str | Path) -> dict[str, lines.Finding]:
    events = audit_files(FileAuditPlan((described(locate(str(file))),), TOKENIZERS, selection=WITHOUT))
    return {event.defect: event for event in events if isinstance(event, lines.Finding)}


def test_a_key_that_is_there_twice_is_found_on_its_second_line(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    text = bundled_file("bert-mini").read_text("utf-8")
    file.write_text(text.replace('"lowercase": true', '"lowercase": false,\n"lowercase": true'), "utf-8")
    found = findings_in(file)["repeated-key"]
    assert found.path == "$.normalizer.lowercase"
    assert found.line is not None
    assert file.read_text("utf-8").splitlines()[found.line - 1].startswith('"lowercase": true')


WORDS = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "post_processor": None,
    "decoder": {"type": "BPEDecoder", "suffix": "</s>"},
    "model": {
        "type": "BPE",
        "dropout": None,
        "unk_token": "a",
        "continuing_subword_prefix": None,
        "end_of_word_suffix": "</w>",
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": {"a": 0, "b</w>": 1, "ab</w>": 2},
        "merges": [["a", "b</w>"]],
    },
}


@pytest.mark.parametrize(
    ("decoder", "path"),
    [({"type": "BPEDecoder", "suffix": "</s>"}, "$.decoder.suffix"), ({"type": "Fuse"}, "$.decoder")],
)
def test_a_suffix_that_stays_in_words_is_found(decoder: dict[str, Any], path: str, tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps({**WORDS, "decoder": decoder}), "utf-8")
    found = findings_in(file)["decoder-word-suffix"]
    assert found.path == path
    assert found.witness is not None
    assert found.witness.text == "ab"
    assert "</w>" in found.witness.result
    file.write_text(json.dumps({**WORDS, "decoder": {"type": "BPEDecoder", "suffix": "</w>"}}), "utf-8")
    assert "decoder-word-suffix" not in findings_in(file)


def test_a_suffix_that_no_entry_has_is_found(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    model = {**WORDS["model"], "end_of_word_suffix": None, "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
    file.write_text(json.dumps({**WORDS, "model": model}), "utf-8")
    found = findings_in(file)["decoder-word-suffix"]
    assert found.path == "$.decoder.suffix"
    assert found.message == 'no entry ends with "</s>", which the decoder reads as a space'
    assert found.witness is not None
    assert found.witness.text is not None
    assert " " in found.witness.text
    assert f'decodes to "{found.witness.text.replace(" ", "")}"' in found.witness.result


BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
WHITE_SPACE = {"type": "Split", "pattern": {"Regex": r"\s+"}, "behavior": "Removed", "invert": False}


@pytest.mark.parametrize("parts", [[BYTES], [WHITE_SPACE, BYTES]], ids=["spaces kept", "spaces cut off"])
def test_what_takes_a_suffix_out_of_bytes_keeps_them(parts: list[dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    alphabet = [*map(chr, range(33, 127)), "\u0120", "\u00c3", "\u00a9"]
    entries = [each + end for each in alphabet for end in ("", "</w>")]
    model = {**WORDS["model"], "vocab": {each: number for number, each in enumerate(entries)}, "merges": []}
    whole = {**WORDS, "pre_tokenizer": {"type": "Sequence", "pretokenizers": parts}, "model": model}
    file.write_text(json.dumps({**whole, "decoder": BYTES}), "utf-8")
    remedy = findings_in(file)["decoder-word-suffix"].remedy
    decoder = json.loads(remedy.removeprefix("Write ").removesuffix(" at $.decoder."))
    mended = Tokenizer.from_str(json.dumps({**whole, "decoder": decoder}))
    assert mended.decode(mended.encode("a b\u00e9 c").ids) == "a b\u00e9 c"


def test_a_character_of_the_suffix_alone_is_missed_by_no_text(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    words = [f"{first}{last}</w>" for first in "abcdefghijkl" for last in "abcdefghijkl"]
    letters = ["?", *"abcdefghijkl", *(f"{each}</w>" for each in "abcdefghijkl")]
    model = {
        **WORDS["model"],
        "unk_token": "?",
        "vocab": {each: number for number, each in enumerate([*letters, *words])},
        "merges": [[each[0], each[1:]] for each in words],
    }
    file.write_text(json.dumps({**WORDS, "decoder": {"type": "BPEDecoder", "suffix": "</w>"}, "model": model}), "utf-8")
    assert "character-missing" not in findings_in(file)
    del model["vocab"]["a"], model["vocab"]["a</w>"]
    file.write_text(json.dumps({**WORDS, "model": {**model, "merges": []}}), "utf-8")
    assert findings_in(file)["character-missing"].message.startswith('"a" is no entry')


REGEXES = (
    r"\s+", r"\w+|[^\w\s]+", "(?i:'s|'ll)", "[\u0900-\u097f]+|[a-zA-Z]+", " {2,}", "[aeiou]+", r"\p{N}{1,3}",
    r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", "H.*o", r"\d", "'s|'t|'m|a",
)  # fmt: skip
PLAIN = (
    " ", "\u2581", "``", "[MASK]", "[SEP-TOK]", "...", "?", "|", "<|endoftext|>", "<|a|b|c|>", r"\sqrt", r"\begin{a}",
    "{0}", "a+", "(?)", "\n", "\\", "[", "$", "**", "[unused12]", "</w>",
)  # fmt: skip


def _with_pattern(pattern: str, file: Path) -> dict[str, lines.Finding]:
    document = json.loads(bundled_file("xlnet-mini").read_text("utf-8"))
    split = {"type": "Split", "pattern": {"String": pattern}, "behavior": "Isolated", "invert": False}
    document["pre_tokenizer"]["pretokenizers"][0] = split
    file.write_text(json.dumps(document), "utf-8")
    return findings_in(file)


@pytest.mark.parametrize("pattern", REGEXES)
def test_a_pattern_that_reads_as_a_regex_is_found(pattern: str, tmp_path: Path) -> None:
    found = _with_pattern(pattern, tmp_path / "tokenizer.json")["pattern-taken-literally"]
    assert found.path == "$.pre_tokenizer.pretokenizers[0].pattern.String"
    assert found.witness is not None
    assert json.dumps({"Regex": pattern}, ensure_ascii=False) in found.remedy


@pytest.mark.parametrize("pattern", PLAIN)
def test_a_pattern_that_is_plain_text_is_none(pattern: str, tmp_path: Path) -> None:
    assert "pattern-taken-literally" not in _with_pattern(pattern, tmp_path / "tokenizer.json")


def test_a_token_of_a_template_may_be_called_none(tmp_path: Path) -> None:
    """Pieces that name no token are no use of a token called so."""
    file = tmp_path / "tokenizer.json"
    document = json.loads(bundled_file("bert-mini").read_text("utf-8"))
    document["post_processor"]["special_tokens"]["None"] = {"id": "None", "ids": [4], "tokens": ["[MASK]"]}
    file.write_text(json.dumps(document), "utf-8")
    assert findings_in(file)["template-unused-token"].path == "$.post_processor.special_tokens.None"


def test_a_witness_is_the_same_in_every_audit(tmp_path: Path) -> None:
    """Although the baseline shows its vocabulary in another order each time."""
    file = tmp_path / "tokenizer.json"
    document = json.loads(bundled_file("bert-mini").read_text("utf-8"))
    single = document["post_processor"]["single"]
    single[:] = [piece for piece in single if "Sequence" not in piece]
    file.write_text(json.dumps(document), "utf-8")
    first, second = (findings_in(file)["template-without-sequence"].witness for _ in range(2))
    assert first is not None
    assert first == second


JUNK: list[Any] = [None, [], {}, "x", -1, 1.5, True, [[]], [None], {"a": None}, {"type": "NFC"}, float("nan")]

PLACES: list[tuple[str | int, ...]] = [
    ("added_tokens",),
    ("added_tokens", 0),
    ("added_tokens", 0, "content"),
    ("normalizer",),
    ("post_processor",),
    ("post_processor", "special_tokens"),
    ("post_processor", "single"),
    ("pre_tokenizer", "type"),
    ("decoder",),
    ("truncation",),
    ("padding",),
    ("model", "vocab"),
    ("model", "type"),
    ("model", "unk_token"),
    ("model", "max_input_chars_per_word"),
]


@pytest.mark.long_but(2)
@pytest.mark.parametrize("path", PLACES, ids=lambda path: ".".join(map(str, path)))
def test_junk_at_any_place_ends_no_audit(path: tuple[str | int, ...], tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    for junk in JUNK:
        document = json.loads(bundled_file("options-mini").read_text("utf-8"))
        place = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = junk
        file.write_text(json.dumps(document), "utf-8")
        events = list(audit_files(FileAuditPlan((described(locate(str(file))),), TOKENIZERS, selection=WITHOUT)))
        assert [event for event in events if isinstance(event, InternalError)] == [], (path, junk)
        refused = {event.defect for event in events if isinstance(event, lines.Finding)}
        loaded = [event.loaded for event in events if isinstance(event, lines.Audited)]
        assert loaded == [not refused & {"refused", "not-a-tokenizer"}]


PATTERNS: list[tuple[str, str, str]] = [
    (r"a[\^b&&c]\^$", "a[]$", "b&&c"),
    (r"[^a[^b]]^", "[]^", "ab"),
    (r"\p{L}+[[:alpha:]]", r"\p{L}+[]", "[:alpha:]"),
    (r"\[a]", "a]", ""),
]


@pytest.mark.parametrize(("pattern", "outside", "inside"), PATTERNS)
def test_classes_of_a_regex_are_told_from_the_rest(pattern: str, outside: str, inside: str) -> None:
    assert _split(pattern) == (outside, inside)


DIALECTS: list[tuple[str, set[str], str]] = [
    (r" {2,}", set(), ""),
    (r"[\r\n]", set(), ""),
    (r"\s+$", {"regex-means-otherwise"}, "$ is the end of every line"),
    (r"a\$[$^]", set(), ""),
    (r"\h+", {"regex-means-otherwise"}, r"\h is a hexadecimal digit"),
    (r"[\h]", {"regex-means-otherwise"}, r"\h is a hexadecimal digit"),
    (r"(?m:a.b)", {"regex-means-otherwise"}, "(?m) has the dot take line breaks"),
    (r"a{2,3}+", {"regex-means-otherwise"}, "a + after {n,m} repeats that again"),
    (r"[\p{L}&&[^a]]", {"regex-means-otherwise", "regex-not-portable"}, "&& intersects classes"),
    (r"\p{L}++", {"regex-not-portable"}, "possessive repeats"),
    (r"(?i:'s|'t)", {"regex-not-portable"}, "switches inside a regex"),
    (r"[[:punct:]]", {"regex-not-portable"}, "POSIX brackets"),
    (r"\s+(?!\S)", {"regex-not-portable"}, "looking ahead"),
    (r"(?<=a)b", {"regex-not-portable"}, "looking behind"),
    (r"(?>a)\+", {"regex-not-portable"}, "atomic groups"),
]


@pytest.mark.parametrize(("pattern", "ids", "message"), DIALECTS, ids=[row[0] for row in DIALECTS])
def test_what_other_engines_make_of_a_regex(pattern: str, ids: set[str], message: str, tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    file.write_text(json.dumps({**WORDS, "pre_tokenizer": split}), "utf-8")
    found = findings_in(file)
    assert {id for id in found if id.startswith("regex-") or id == "refused"} == ids
    assert all(found[id].message.startswith(message) for id in sorted(ids)[:1])
    assert "$.pre_tokenizer.pattern.Regex" in {found[id].path for id in ids} or not ids


def test_line_ends_in_a_vocabulary_are_told_once(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    document = json.loads(bundled_file("wordlevel-mini").read_text("utf-8"))
    document["model"]["vocab"] = {f"{token}\r": number for token, number in document["model"]["vocab"].items()}
    file.write_text(json.dumps(document), "utf-8")
    found = findings_in(file)
    assert found["entries-with-endings"].message == r'404 of 404 entries end with "\r"'
    assert found["entries-with-endings"].witness is not None
    assert not {id for id in found if id.endswith("-unfit")}


def without_normalizer(*capitals: str) -> dict[str, Any]:
    """bert-mini without its normalizer, and with these entries."""
    document: dict[str, Any] = json.loads(bundled_file("bert-mini").read_text("utf-8"))
    vocabulary = document["model"]["vocab"]
    vocabulary |= {word: len(vocabulary) + number for number, word in enumerate(capitals)}
    return document | {"normalizer": None}


def test_a_missing_normalizer_is_told_once(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(without_normalizer()), "utf-8")
    events = audit_files(FileAuditPlan((described(locate(str(file))),), TOKENIZERS, selection=WITHOUT))
    found = [event for event in events if isinstance(event, lines.Finding) and event.defect == "normalizer-unfit"]
    assert [each.path for each in found] == ["$.normalizer"]
    assert '"lowercase": true' in found[0].remedy
    assert found[0].witness is not None
    assert "[UNK]" in found[0].witness.result


def test_a_change_is_not_advised_that_takes_other_entries_away(tmp_path: Path) -> None:
    """Small letters would take the accents with them, and forty entries with capital letters."""
    words = [token.title() for token in without_normalizer()["model"]["vocab"] if token.isascii() and len(token) > 4]
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(without_normalizer(*dict.fromkeys(filter(str.isalpha, words)))), "utf-8")
    found = findings_in(file)["normalizer-unfit"]
    assert "accents" in found.message or "Chinese" in found.message
    assert '"lowercase": true' not in found.remedy


def test_the_characters_of_an_alphabet_of_bytes_say_nothing_of_case(tmp_path: Path) -> None:
    """Each of the capital letters is an entry there, whatever texts the training had."""
    file = tmp_path / "tokenizer.json"
    document = json.loads(bundled_file("roberta-mini").read_text("utf-8")) | {"normalizer": {"type": "Lowercase"}}
    file.write_text(json.dumps(document), "utf-8")
    assert "normalizer-unfit" not in findings_in(file)


@pytest.mark.parametrize("name", ["roberta-mini", "llama-mini"])
def test_a_small_dropout_is_seen_however_few_merges_a_word_has(name: str, tmp_path: Path) -> None:
    """One word of three merges, encoded twenty times, would be the same each time in nine audits of ten."""
    file = tmp_path / "tokenizer.json"
    document = json.loads(bundled_file(name).read_text("utf-8"))
    document["model"]["dropout"] = 0.002
    file.write_text(json.dumps(document), "utf-8")
    assert findings_in(file)["dropout-on"].witness is not None
