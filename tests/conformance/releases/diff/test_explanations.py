"""Between which releases a known change explains a difference, and what is said where it is taken back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest

from tokenizer_conformance.causes.page import explained_words
from tokenizer_conformance.causes.wording import explained_lines
from tokenizer_conformance.releases.diff.explanations import Explanations
from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer

if TYPE_CHECKING:
    from pathlib import Path

REFUSED = "data did not match any variant of untagged enum NormalizerUntagged at line 1 column 20"
LOADED, NOT_LOADED = LoadedTokenizer("toy"), LoadedTokenizer("toy", REFUSED)

STEPS = [
    ("0.19.1", "0.20.0", NOT_LOADED, LOADED, "since tokenizers 0.20.0"),
    ("0.21.1", "0.21.2", LOADED, NOT_LOADED, "no longer so since tokenizers 0.21.2"),
    ("0.21.1", "0.23.3", LOADED, NOT_LOADED, "no longer so since tokenizers 0.21.2"),
    ("0.21.2", "0.21.1", NOT_LOADED, LOADED, "since tokenizers 0.20.0"),
    ("0.20.0", "0.19.1", LOADED, NOT_LOADED, "not so up to tokenizers 0.19.1"),
]


@pytest.mark.parametrize(("old", "new", "before", "after", "when"), STEPS)
def test_a_step_that_takes_a_change_back_says_so(
    old: str, new: str, before: LoadedTokenizer, after: LoadedTokenizer, when: str, tmp_path: Path
) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps({"normalizer": [], "model": {"type": "WordLevel", "vocab": {}}}), "utf-8")
    infos = (replace(fakes.Toy().info, name="tokenizers", version=version) for version in (old, new))
    explained = Explanations(*infos).of_loading(before, after, str(file), "load")
    assert [each.when for each in explained or ()] == [when]
    for words in (explained_words(explained or ()), *explained_lines(explained)):
        assert f"empty-list-is-a-normalizer, {when}: An empty list" in words


WITHOUT, HAVING = (
    LoadedTokenizer("toy", saved={"model": {"type": "BPE", **member, "vocab": {}, "merges": []}})
    for member in ({}, {"ignore_merges": False})
)


@pytest.mark.parametrize(
    ("old", "new", "before", "after", "ids"),
    [
        ("0.20.0", "0.23.3", WITHOUT, HAVING, []),
        ("0.15.2", "0.20.0", WITHOUT, HAVING, ["bpe-saves-ignore-merges"]),
        ("0.20.0", "0.15.2", HAVING, WITHOUT, ["bpe-saves-ignore-merges"]),
        ("0.15.2", "0.20.0", HAVING, WITHOUT, []),
        ("0.15.2", "0.20.0", WITHOUT, WITHOUT, []),
    ],
)
def test_what_is_saved_otherwise_is_explained_by_both_files(
    old: str, new: str, before: LoadedTokenizer, after: LoadedTokenizer, ids: list[str], tmp_path: Path
) -> None:
    infos = (replace(fakes.Toy().info, name="tokenizers", version=version) for version in (old, new))
    explained = Explanations(*infos).of_loading(before, after, str(tmp_path / "absent.json"), "save")
    assert [each.id for each in explained or ()] == ids
