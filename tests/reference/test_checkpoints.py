"""Tokenizer files of published checkpoints are written as `tokenizers` writes them, and do not change after that."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import tokenizers
from checkpoints import BUNDLED, CHECKPOINTS, bundled, published
from published_checkpoints import PUBLISHED

import tokenizer_reference

if TYPE_CHECKING:
    from pathlib import Path

    from checkpoints import Loaded


def assert_written_alike(loaded: Loaded) -> None:
    for pretty in (False, True):
        assert loaded.reference.to_str(pretty=pretty) == loaded.target.to_str(pretty=pretty)


def assert_fixed_point(loaded: Loaded, folder: Path) -> None:
    """Save, load and save again, in one library and across: the bytes stay."""
    files = [
        folder / name
        for name in ("ours.json", "theirs.json", "ours-again.json", "ours-from-theirs.json", "theirs-from-ours.json")
    ]
    loaded.reference.save(str(files[0]))
    loaded.target.save(str(files[1]))
    tokenizer_reference.Tokenizer.from_file(str(files[0])).save(str(files[2]))
    tokenizer_reference.Tokenizer.from_file(str(files[1])).save(str(files[3]))
    tokenizers.Tokenizer.from_file(str(files[0])).save(str(files[4]))
    first, *others = (file.read_bytes() for file in files)
    assert json.loads(first)["model"]["vocab"]
    assert [other == first for other in others] == [True] * 4


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_checkpoint_is_written_byte_for_byte_as_by_the_target(shared: Path, name: str) -> None:
    assert_written_alike(published(shared, name))


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_tokenizer_is_written_byte_for_byte_as_by_the_target(name: str) -> None:
    assert_written_alike(bundled(name))


@pytest.mark.parametrize("name", BUNDLED)
def test_a_saved_bundled_tokenizer_is_a_fixed_point(name: str, tmp_path: Path) -> None:
    assert_fixed_point(bundled(name), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKPOINTS)
def test_a_saved_checkpoint_is_a_fixed_point(shared: Path, name: str, tmp_path: Path) -> None:
    assert_fixed_point(published(shared, name), tmp_path)
