"""Files of known families: what is otherwise than in the published file is told, if a text shows it."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from planted.edits import drop, insert, put
from tokenizers import Regex

from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.inputs.bundled import TODAY, bundled_file
from tokenizer_conformance.inputs.tokenizer_files import locate
from tokenizer_conformance.research.file_audit import families, model, special_tokens
from tokenizer_conformance.research.file_audit.engine import FileAuditPlan, Selection, audit_files
from tokenizer_conformance.research.file_audit.families import Family
from tokenizer_conformance.research.file_audit.reading import described
from tokenizer_conformance.results.records import file_audit as lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Document = dict[str, Any]

TOKENIZERS = select("tokenizers", Isolation())

KINDS = tuple(defect.id for defect in (*families.DEFECTS, *special_tokens.DEFECTS, model.BYTES_INCOMPLETE))

OF_MINI = {
    "llama3-mini": "Llama 3",
    "o200k-mini": "GPT-4o and gpt-oss",
    "qwen-mini": "Qwen 2 to 3",
    "tekken-mini": "Mistral Tekken",
    "deepseek-mini": "DeepSeek V3 and V4",
    "gemma-mini": "Gemma 3",
}

PATTERN = "pre_tokenizer.pretokenizers.0.pattern.Regex"


def original(name: str) -> Document:
    document: Document = json.loads(bundled_file(name).read_text("utf-8"))
    return document


def family(name: str) -> Family:
    return next(each for each in families.families() if each.name == name)


def of_mini(name: str) -> Family:
    """Return the family of a bundled tokenizer: what its published model has, known by the small vocabulary."""
    document, published = original(name), family(OF_MINI[name])
    vocabulary = document["model"]["vocab"]
    rows = max([*vocabulary.values(), *(each["id"] for each in document["added_tokens"])]) + 1
    return Family(published.name, vocabulary, published.parts, published.splits, published.begins, rows)


@pytest.fixture
def minis(monkeypatch: pytest.MonkeyPatch) -> None:
    known = tuple(map(of_mini, OF_MINI))
    monkeypatch.setattr(families, "families", lambda: known)


def findings(document: Document, folder: Path) -> list[lines.Finding]:
    file = folder / "tokenizer.json"
    file.write_text(json.dumps(document), "utf-8")
    return findings_in(file)


def findings_in(file: Path) -> list[lines.Finding]:
    selection = Selection(selected=KINDS)
    found = []
    for event in audit_files(FileAuditPlan((described(locate(str(file))),), TOKENIZERS.build(), None, selection)):
        if isinstance(event, InternalError):
            raise event.error
        if isinstance(event, lines.Finding):
            found.append(event)
    return found


def told(document: Document, folder: Path) -> set[tuple[str, str]]:
    return {(each.defect, each.path) for each in findings(document, folder) if each.defect.startswith("family-")}


def digits(document: Document, old: str, new: str) -> None:
    split = next(each for each in document["pre_tokenizer"]["pretokenizers"] if old in each["pattern"]["Regex"])
    split["pattern"]["Regex"] = split["pattern"]["Regex"].replace(old, new)


def to_llamas_pattern(document: Document) -> None:
    document["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = family("Llama 3").splits[0]


def without_template(document: Document) -> None:
    document["post_processor"] = document["post_processor"]["processors"][0]


def one_more_token(document: Document) -> None:
    token = {**document["added_tokens"][-1], "content": "<|new|>", "id": document["added_tokens"][-1]["id"] + 1}
    document["added_tokens"].append(token)


def contiguous(document: Document) -> None:
    document["pre_tokenizer"]["pretokenizers"][0]["behavior"] = "Contiguous"


PLANTED: list[tuple[str, str, Callable[[Document], None], str, str]] = [
    ("digits in twos", "llama3-mini", lambda d: digits(d, "{1,3}", "{1,2}"), "family-pipeline", "$.pre_tokenizer"),
    ("merges, all", "llama3-mini", put("model.ignore_merges", False), "family-pipeline", "$.model.ignore_merges"),
    ("merges, all", "tekken-mini", put("model.ignore_merges", False), "family-pipeline", "$.model.ignore_merges"),
    ("no template", "llama3-mini", without_template, "family-beginning", "$.post_processor"),
    ("another token", "llama3-mini", one_more_token, "family-id-beyond-rows", "$.added_tokens[16]"),
    ("another normalizer", "llama3-mini", put("normalizer", {"type": "NFKC"}), "family-pipeline", "$.normalizer"),
    ("another behavior", "llama3-mini", contiguous, "family-pipeline", "$.pre_tokenizer"),
    ("NFC forgotten", "qwen-mini", put("normalizer", None), "family-pipeline", "$.normalizer"),
    ("Llama's pattern", "o200k-mini", to_llamas_pattern, "family-pipeline", "$.pre_tokenizer"),
    ("a Split less", "deepseek-mini", drop("pre_tokenizer.pretokenizers.0"), "family-pipeline", "$.pre_tokenizer"),
    ("no bytes", "gemma-mini", put("model.byte_fallback", False), "family-pipeline", "$.model.byte_fallback"),
    ("no beginning", "gemma-mini", put("post_processor", None), "family-beginning", "$.post_processor"),
]
"""A mistake, the tokenizer, what makes it, the defect and its path."""


@pytest.mark.usefixtures("minis")
@pytest.mark.parametrize(("mistake", "name", "edit", "defect", "path"), PLANTED, ids=lambda value: str(value)[:20])
def test_a_mistake_is_told_at_its_place_and_nothing_else(
    mistake: str, name: str, edit: Callable[[Document], None], defect: str, path: str, tmp_path: Path
) -> None:
    document = copy.deepcopy(original(name))
    edit(document)
    assert told(document, tmp_path) == {(defect, path)}, mistake


@pytest.mark.usefixtures("minis")
@pytest.mark.parametrize("name", TODAY)
def test_a_file_as_published_has_nothing(name: str, tmp_path: Path) -> None:
    assert told(original(name), tmp_path) == set()


@pytest.mark.usefixtures("minis")
def test_another_way_of_writing_the_same_is_no_finding(tmp_path: Path) -> None:
    document = original("llama3-mini")
    split = document["pre_tokenizer"]["pretokenizers"][0]
    split.update(behavior="Removed", invert=True)
    split["pattern"]["Regex"] = split["pattern"]["Regex"].replace("{1,3}", r"\p{N}?\p{N}?")
    document["normalizer"] = {"type": "Sequence", "normalizers": []}
    assert told(document, tmp_path) == set()


@pytest.mark.usefixtures("minis")
def test_a_finding_shows_a_text_and_what_to_write(tmp_path: Path) -> None:
    document = original("llama3-mini")
    digits(document, "{1,3}", "{1,2}")
    (finding,) = findings(document, tmp_path)
    own = json.dumps(original("llama3-mini")["pre_tokenizer"], ensure_ascii=False)
    assert finding.message == f"the vocabulary is that of Llama 3, whose own file has {own[:160]}… here"
    assert finding.witness is not None
    assert finding.witness.result == '"2024" becomes 267 "20" 17 "2" 19 "4"; with the family\'s 304 "202" 19 "4"'
    assert r"\\p{N}{1,3}" in finding.remedy
    document = original("llama3-mini")
    document["model"]["ignore_merges"] = False
    (finding,) = findings(document, tmp_path)
    assert finding.message == "the vocabulary is that of Llama 3, whose own file has true here"
    assert finding.remedy == "Write true at $.model.ignore_merges."


def test_a_vocabulary_that_is_no_family_s_is_left_alone(tmp_path: Path) -> None:
    document = original("llama3-mini")
    without_template(document)
    assert told(document, tmp_path) == set()


def test_the_table_is_sound() -> None:
    known = families.families()
    assert len({each.name for each in known}) == len(known) >= 10
    for each in known:
        assert len(each.entries) >= 3
        assert each.published
        for pattern in each.splits:
            Regex(pattern)


# Special tokens of today's files -------------------------------------------------------------------------------------


def test_an_entry_that_merges_make_is_no_special_token(tmp_path: Path) -> None:
    """As "<s>" in Qwen's vocabulary, which is learned from pages of HTML."""
    document = original("qwen-mini")
    vocabulary, merges = document["model"]["vocab"], document["model"]["merges"]
    for left, right in (("<", "s"), ("<s", ">")):
        vocabulary[left + right] = len(vocabulary) + 7
        merges.append([left, right])
    assert findings(document, tmp_path) == []
    document["model"]["merges"] = merges[:-1]
    assert [each.defect for each in findings(document, tmp_path)] == ["special-token-not-added"]


def test_a_tag_beside_the_special_token_of_its_name_is_none(tmp_path: Path) -> None:
    """As "<s>" in Gemma's vocabulary, a tag of HTML, where texts begin with <bos>."""
    document = original("gemma-mini")
    insert("added_tokens.0", {**document["added_tokens"][4], "content": "<s>", "id": len(document["model"]["vocab"])})(
        document
    )
    document["model"]["vocab"]["<s>"] = len(document["model"]["vocab"])
    assert [each.message.split(":")[0] for each in findings(document, tmp_path)] == ['"<mask>"']


@pytest.mark.parametrize(("entry", "said"), [("\t", []), ("tab", ["byte-fallback-incomplete"])])
def test_a_byte_needs_no_token_where_its_character_is_an_entry(entry: str, said: list[str], tmp_path: Path) -> None:
    """As the tab in Gemma's first two vocabularies."""
    document = original("gemma-mini")
    vocabulary = document["model"]["vocab"]
    document["model"]["vocab"] = {entry if token == "<0x09>" else token: id_ for token, id_ in vocabulary.items()}
    assert [each.defect for each in findings(document, tmp_path) if each.defect.startswith("byte-")] == said


# Published files -----------------------------------------------------------------------------------------------------

PUBLISHED = {
    "llama-3": lambda d: digits(d, "{1,3}", "{1,2}"),
    "qwen-3": put("normalizer", None),
    "mistral-nemo": to_llamas_pattern,
    "deepseek-v4": drop("pre_tokenizer.pretokenizers.0"),
    "gpt-4o": to_llamas_pattern,
    "llama-2": put("post_processor", None),
    "aya-expanse": put("normalizer", None),
    "whisper": put("normalizer", {"type": "NFKC"}),
}


@pytest.mark.long
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_files_have_nothing_and_changed_ones_do(name: str, models: Path, tmp_path: Path) -> None:
    file = models / name / "tokenizer.json"
    if not file.is_file():
        pytest.skip(f"{name} is not in {models}: make models MODELS={name} installs it")
    assert [each.defect for each in findings_in(file) if each.defect.startswith("family-")] == []
    document = json.loads(file.read_text("utf-8"))
    PUBLISHED[name](document)
    assert len(told(document, tmp_path)) == 1
