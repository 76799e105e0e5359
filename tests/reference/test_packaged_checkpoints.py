"""The reference against `tokenizers` on the published tokenizers that packages carry, where `make models` put them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import package_checkpoints
import pytest
import tokenizers
from click.testing import CliRunner

import tokenizer_reference
from tokenizer_conformance.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    from package_checkpoints import PackagedCheckpoint

CHECKPOINTS = package_checkpoints.packaged_checkpoints()


@pytest.fixture
def folder(checkpoint: PackagedCheckpoint, models: Path) -> Path:
    if not package_checkpoints.is_there(checkpoint, models):
        pytest.skip(f"{checkpoint.name} is not in {models}: make models MODELS={checkpoint.name} installs it")
    return models / checkpoint.name


@pytest.mark.long
@pytest.mark.parametrize("checkpoint", CHECKPOINTS, ids=lambda each: each.name)
def test_answers_and_files_are_those_of_the_target(folder: Path, tmp_path: Path) -> None:
    file = str(folder / "tokenizer.json")
    tokenizer_reference.Tokenizer.from_file(file).save(str(tmp_path / "ours.json"))
    tokenizers.Tokenizer.from_file(file).save(str(tmp_path / "theirs.json"))
    assert (tmp_path / "ours.json").read_bytes() == (tmp_path / "theirs.json").read_bytes()
    result = CliRunner().invoke(main, ["run", str(folder), "-i", "reference", "tokenizers", "--sample", "200", "-q"])
    assert result.exit_code == 0, result.output
