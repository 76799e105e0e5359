"""Defects planted into the vocabularies of the bundled tokenizers: each is found at its place, and nothing else is."""

from __future__ import annotations

import copy
import json
import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Encode, Encoded, TokenizerSource
from tokenizer_conformance.comparison.document_parts import path_text
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.research.file_audit.audited import AuditedFile, JsonText
from tokenizer_conformance.research.file_audit.checks_table import CHECKS as ALL_CHECKS
from tokenizer_conformance.research.file_audit.finding import Severity
from tokenizer_conformance.research.file_audit.vocabulary.checks import CHECKS, find_unreachable
from tokenizer_conformance.research.file_audit.vocabulary.coverage import find_uncovered
from tokenizer_conformance.research.file_audit.vocabulary.reachability import Reached, reachability

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.comparison.loaded_documents import Documents
    from tokenizer_conformance.research.file_audit.finding import FoundDefect

Document = dict[str, Any]
Found = set[tuple[str, str]]


def original(name: str) -> Document:
    return json.loads(Path(bundled_file(name)).read_text(encoding="utf-8"))


def findings_of(documents: Documents, document: Document) -> list[FoundDefect]:
    text = json.dumps(document, ensure_ascii=False)
    tokenizer = TokenizerFile(TokenizerSource("planted", "tokenizer.json"), "")
    asked = documents.loaded(document, "planted")
    audited = AuditedFile(tokenizer, JsonText(text), document, asked, None, documents)
    # What asks for characters goes through all of them where there is an unknown token.
    checks = CHECKS if document["model"].get("unk_token", "") is None else CHECKS[1:]
    return [finding for check in checks for finding in check.find(audited)]


def places(findings: list[FoundDefect]) -> Found:
    return {(finding.defect.id, path_text(finding.path)) for finding in findings}


@pytest.fixture(scope="session")
def found_before(documents: Documents) -> Callable[[str], Found]:
    return cache(lambda name: places(findings_of(documents, original(name))))


# Ways to plant -------------------------------------------------------------------------------------------------------


def with_entries(document: Document, *tokens: str) -> None:
    vocabulary = document["model"]["vocab"]
    for token in tokens:
        vocabulary[token] = max(vocabulary.values()) + 1


def with_merges(document: Document, *merges: tuple[str, str]) -> None:
    """Put merges at the end, with the entries that they give."""
    rows = document["model"]["merges"]
    for left, right in merges:
        rows.append(f"{left} {right}" if isinstance(rows[0], str) else [left, right])
        if left + right not in document["model"]["vocab"]:
            with_entries(document, left + right)


def without_last_merge(document: Document) -> None:
    document["model"]["merges"].pop()


def second_way(document: Document) -> None:
    """Merge the first token that can be cut in another way than its merge into two entries in that way, too."""
    vocabulary = document["model"]["vocab"]
    there = {tuple(pair_of(row)) for row in document["model"]["merges"]}
    results = ["".join(pair) for pair in there]
    cuts = ((token[:at], token[at:]) for token in sorted(results) for at in range(1, len(token)))
    with_merges(document, next(pair for pair in cuts if pair not in there and vocabulary.keys() >= set(pair)))


def merge_order(document: Document) -> None:
    with_merges(document, ("Q", "Z"), ("Z", "Q"), ("Q", "ZQ"))


def score_lowered(document: Document) -> None:
    document["model"]["vocab"][piece_index(document, "▁the")][1] = -100.0


def piece_index(document: Document, piece: str) -> int:
    return [row[0] for row in document["model"]["vocab"]].index(piece)


def with_piece(piece: str) -> Callable[[Document], None]:
    return lambda document: document["model"]["vocab"].append([piece, -1.0])


def entries(*tokens: str) -> Callable[[Document], None]:
    return lambda document: with_entries(document, *tokens)


def merges(*pairs: tuple[str, str]) -> Callable[[Document], None]:
    return lambda document: with_merges(document, *pairs)


def normalizer(component: Document) -> Callable[[Document], None]:
    return lambda document: document.update(normalizer=component)


def without_entry(token: str) -> Callable[[Document], None]:
    return lambda document: document["model"]["vocab"].pop(token)


def letters_one_by_one(document: Document) -> None:
    split = {"type": "Split", "pattern": {"Regex": "[a-zA-Z]|[^a-zA-Z]+"}, "behavior": "Isolated", "invert": False}
    byte_level = document["pre_tokenizer"] | {"use_regex": False}
    document["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, byte_level]}


def digits_apart(document: Document) -> None:
    """A regex that lets no digits stand together, where the vocabulary has two that do."""
    with_merges(document, ("7", "9"))
    split = {"type": "Split", "pattern": {"Regex": r"\p{N}"}, "behavior": "Isolated", "invert": False}
    document["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, document["pre_tokenizer"]]}


def short_words(document: Document) -> None:
    document["model"]["max_input_chars_per_word"] = 4


def added(content: str) -> Callable[[Document], None]:
    token = {"id": 0, "content": content, "single_word": False, "lstrip": False, "rstrip": False}
    return lambda document: document["added_tokens"].append(token | {"normalized": True, "special": False})


def shadowed_continuation(document: Document) -> None:
    model = document["model"]
    document["added_tokens"] = []
    model["vocab"] = {token: number for number, token in enumerate(["[UNK]", "a", "ab", "##b", "c", "##c"])}
    model["max_input_chars_per_word"] = 2
    del model["vocab"]["c"]


def same_text(document: Document) -> None:
    document["decoder"] = {"type": "Replace", "pattern": {"String": "%"}, "content": "+"}
    with_entries(document, *({"%", "+"} - set(document["model"]["vocab"])))


def first_of(before: Document, *tokens: str) -> str:
    """The one of ``tokens`` that comes first once all are there."""
    vocabulary = before["model"]["vocab"]
    return min(tokens, key=lambda token: (vocabulary.get(token, len(vocabulary)), token))


def pair_of(row: Any) -> list[str]:
    return row.split(" ") if isinstance(row, str) else row


def entry_path(token: str) -> str:
    return path_text(("model", "vocab", token))


def piece_path(before: Document) -> str:
    return path_text(("model", "vocab", len(before["model"]["vocab"])))


MERGES, ORDER, SCORES = "unreachable-by-merges", "dead-merges", "unreachable-by-scores"
CUT, NORMAL, BYTES = "unreachable-by-pre-tokenizer", "unreachable-by-normalizer", "unreachable-bytes"

PLANTED: dict[str, tuple[str, Callable[[Document], Any], Callable[[Document], Found] | Found]] = {
    "a merge deleted": (
        "gpt2-mini",
        without_last_merge,
        lambda before: {(MERGES, entry_path("".join(pair_of(before["model"]["merges"][-1]))))},
    ),
    "an entry behind earlier merges, and a dead merge": (
        "gpt2-mini",
        merge_order,
        lambda before: {(MERGES, entry_path("QZQ")), (ORDER, f"$.model.merges[{len(before['model']['merges']) + 2}]")},
    ),
    "an entry without merges": ("gpt2-mini", entries("Ġzygote"), {(MERGES, entry_path("Ġzygote"))}),
    "an entry that is not byte-level": ("gpt2-mini", entries("▁the"), {(MERGES, entry_path("▁the"))}),
    "a second way to a token": (
        "gpt2-mini",
        second_way,
        lambda before: {("redundant-merges", f"$.model.merges[{len(before['model']['merges'])}]")},
    ),
    "a space within a token": ("gpt2-mini", merges(("a", "Ġb")), {(CUT, entry_path("aĠb"))}),
    "a letter and a digit": ("gpt2-mini", merges(("a", "1")), {(CUT, entry_path("a1"))}),
    "a line break after a word": ("gpt2-mini", merges(("a", "Ċ")), {(CUT, entry_path("aĊ"))}),
    "digits that a new regex cuts apart": ("gpt2-mini", digits_apart, {(CUT, "$.model.vocab")}),
    "a regex of another model": ("gpt2-mini", letters_one_by_one, {(CUT, "$.model.vocab")}),
    "bytes that no text has": ("gpt2-mini", merges(("À", "A")), {(BYTES, entry_path("ÀA"))}),
    "bytes that form no character": ("gpt2-mini", merges(("Ã", "Ã")), {(BYTES, entry_path("ÃÃ"))}),
    "a byte without an entry": ("gpt2-mini", without_entry("ó"), {("bytes-missing", "$.model.vocab")}),
    "a normalizer that lowercases": (
        "gpt2-mini",
        normalizer({"type": "Lowercase"}),
        {(NORMAL, "$.model.vocab")},
    ),
    "a score lowered": (
        "t5-mini",
        score_lowered,
        lambda before: {(SCORES, f"$.model.vocab[{piece_index(before, '▁the')}]")},
    ),
    "a piece over two words": ("t5-mini", with_piece("a▁b"), lambda before: {(CUT, piece_path(before))}),
    "a piece with a ligature": ("t5-mini", with_piece("ﬁ"), lambda before: {(NORMAL, piece_path(before))}),
    "a capital": ("bert-mini", entries("Zebra"), {(NORMAL, entry_path("Zebra"))}),
    "an accent": ("bert-mini", entries("café"), {(NORMAL, entry_path("café"))}),
    "a Chinese character that continues a word": ("bert-mini", entries("##日"), {(NORMAL, entry_path("##日"))}),
    "an apostrophe": ("bert-mini", entries("don't"), {(CUT, entry_path("don't"))}),
    "punctuation that continues a word": ("bert-mini", entries("##¿"), {(CUT, entry_path("##¿"))}),
    "an entry longer than words": (
        "bert-mini",
        entries("a" * 101),
        {("unreachable-by-word-length", entry_path("a" * 101))},
    ),
    "words made shorter": (
        "bert-mini",
        short_words,
        {("unreachable-by-word-length", "$.model.max_input_chars_per_word")},
    ),
    "a continuation that is never the longest match": (
        "bert-mini",
        shadowed_continuation,
        {("unreachable-by-longest-match", entry_path("##b"))},
    ),
    "an added token within entries": (
        "bert-mini",
        added("ou"),
        {("unreachable-by-added-token", "$.model.vocab")},
    ),
    "a slot that is left free": ("bert-mini", entries("[unused1]"), {("reserved-entries", entry_path("[unused1]"))}),
    "two words in one entry": ("wordlevel-mini", entries("new york"), {(CUT, entry_path("new york"))}),
    "a compatibility character": ("wordlevel-mini", entries("ﬁne"), {(NORMAL, entry_path("ﬁne"))}),
    "an empty entry": ("wordlevel-mini", entries(""), {("empty-entry", entry_path(""))}),
    "a decoder that makes two tokens one": (
        "wordlevel-mini",
        same_text,
        lambda before: {("entries-of-one-text", entry_path(first_of(before, "%", "+")))},
    ),
}


UNDONE: dict[str, Found] = {}
"""What is no longer found once something else is planted."""


@pytest.mark.long_but(1)
@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_defect_is_found_at_its_place_and_nothing_else(
    documents: Documents, found_before: Callable[[str], Found], planted: str
) -> None:
    name, plant, expected = PLANTED[planted]
    document = original(name)
    before = copy.deepcopy(document)
    plant(document)
    known = {place for place in found_before(name) if place[0] != "characters-unknown"}
    found = {place for place in places(findings_of(documents, document)) if place[0] != "characters-unknown"}
    assert known - found == UNDONE.get(planted, set())
    assert found - known == (expected(before) if callable(expected) else expected)


UNAPPLIED = {name: {"dead-merges"} for name in ("llama3-mini", "tekken-mini")}
"""Where words are one token by ignore_merges alone, as some of Llama 3's are: their merges never apply."""


@pytest.mark.long_but(2)
@pytest.mark.parametrize("name", bundled_names())
def test_a_bundled_tokenizer_has_nothing_worth_a_warning(found_before: Callable[[str], Found], name: str) -> None:
    severities = {defect.id: defect.severity for check in CHECKS for defect in check.defects}
    assert {id_ for id_, _ in found_before(name) if severities[id_] is not Severity.NOTE} == UNAPPLIED.get(name, set())


def test_of_scripts_it_is_told_how_much_is_unknown(documents: Documents) -> None:
    document = original("bert-mini")
    asked, unknown = documents.loaded(document, "planted"), document["model"]["vocab"]["[UNK]"]
    hebrew = [chr(number) for number in (*range(0x590, 0x600), *range(0xFB1D, 0xFB50))]
    letters = [each for each in hebrew if unicodedata.category(each)[0] in "LM"]
    answers = [asked.ask(Encode(each, add_special_tokens=False)) for each in letters]
    count = sum(isinstance(answer, Encoded) and unknown in answer.ids for answer in answers)
    text = TokenizerFile(TokenizerSource("planted", "tokenizer.json"), "")
    audited = AuditedFile(text, JsonText("{}"), document, asked, None, documents)
    (found,) = find_uncovered(audited)
    assert 0 < count < len(letters)
    assert found.details[0].startswith("some are unknown of ")
    assert f"Hebrew ({count} of {len(letters)})" in found.details[0]


def test_entries_without_a_decision_in_time_are_counted(documents: Documents) -> None:
    document = original("bert-mini") | {"pre_tokenizer": None}
    asked = documents.loaded(document, "planted")
    late = iter(range(1_000_000))
    found = reachability(DocumentParts(document), asked, documents, is_over=lambda: next(late) > 40)
    assert 0 < found.not_looked_at() < len(found.decided)
    counts = found.counts()
    assert sum(counts.values()) == len(found.decided)
    assert (counts["given"], counts["not_looked_at"]) == (
        sum(isinstance(each.decision, Reached) for each in found.decided),
        found.not_looked_at(),
    )
    assert all(searched.tries for _, searched in found.not_found())
    whole = reachability(DocumentParts(document), asked, documents, is_over=lambda: True)
    assert (whole.not_looked_at(), whole.texts) == (len(whole.decided), 0)


def test_entries_that_no_text_gives_are_counted_by_what_they_are_for(documents: Documents) -> None:
    document = original("bert-mini")
    document["model"]["vocab"] |= {"##Capital": 9001, "[unused7]": 9002}
    text = TokenizerFile(TokenizerSource("planted", "tokenizer.json"), "")
    audited = AuditedFile(text, JsonText("{}"), document, documents.loaded(document, "planted"), None, documents)
    found = list(find_unreachable(audited))
    assert {each.defect.id: each.count for each in found} == {"unreachable-by-normalizer": 1, "reserved-entries": 1}
    assert (audited.decided["never_given"], audited.decided["not_found"]) == (1, 0)
    assert audited.decided["reserved"] >= 1
    assert sum(audited.decided.values()) == len(document["model"]["vocab"])


def test_the_checks_are_among_those_of_the_command() -> None:
    assert set(CHECKS) <= set(ALL_CHECKS)


def test_every_kind_of_defect_is_planted_but_what_a_search_missed() -> None:
    kinds = {defect.id for check in CHECKS for defect in check.defects}
    planted = set()
    for name, _, expected in PLANTED.values():
        planted |= {id_ for id_, _ in (expected(original(name)) if callable(expected) else expected)}
    assert kinds - planted == {"entries-not-found", "characters-unknown"}
