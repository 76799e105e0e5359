"""What would take too much memory in this process is refused by its size, before anything loads it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_adapters.selection import TRUSTED
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.validation.running.preparation import (
    FACTORS,
    MB,
    UNIGRAM_FACTORS,
    loading_memory,
    refusal_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine


def file_of(size: int, model: str | None = "BPE") -> TokenizerFile:
    return TokenizerFile(TokenizerSource("large", "large.json"), "0" * 64, size, model)


def test_every_implementation_that_runs_here_unless_told_otherwise_was_measured() -> None:
    assert set(FACTORS) == set(UNIGRAM_FACTORS) == TRUSTED


def test_memory_is_that_of_all_who_hold_the_tokenizer() -> None:
    file = file_of(100 * MB)
    needed = sum(FACTORS.values()) * 100
    assert sum(loading_memory(name, file) for name in FACTORS) == needed * MB
    assert refusal_of(file, FACTORS, needed * MB) is None
    assert refusal_of(file, FACTORS, needed * MB - 1) is not None
    assert refusal_of(file, ["reference"], needed * MB - 1) is None


def test_a_unigram_takes_more() -> None:
    limit = 4096 * MB
    assert refusal_of(file_of(50 * MB), FACTORS, limit) is None
    assert refusal_of(file_of(50 * MB, None), FACTORS, limit) is None
    assert refusal_of(file_of(50 * MB, "Unigram"), FACTORS, limit) is not None


def test_the_largest_published_tokenizers_are_not_refused() -> None:
    """Of BPE those with 262,144 tokens (33 MB), of Unigram those with 256,300 (17 MB)."""
    assert refusal_of(file_of(34_000_000), FACTORS, 4096 * MB) is None
    assert refusal_of(file_of(16_900_000, "Unigram"), FACTORS, 4096 * MB) is None


@pytest.mark.parametrize(("in_process", "limit"), [(FACTORS, None), ((), 1), (["a-plugin"], 1)])
def test_where_there_is_no_limit_or_nothing_known_nothing_is_refused(
    in_process: tuple[str, ...], limit: int | None
) -> None:
    assert refusal_of(file_of(1 << 40), in_process, limit) is None


def test_the_refusal_says_what_to_do() -> None:
    refusal = refusal_of(file_of(200 * MB), ["reference", "a-plugin", "tokenizers"], 4096 * MB)
    assert refusal is not None
    assert refusal.reason == (
        "tokenizer 'large' is not loaded: for its 200 MB reference, tokenizers may take 8,400 MB in the process of "
        "tokconf, and --memory allows 4,096; give --memory 8400, or --isolate all for processes with that limit each"
    )


@pytest.mark.long
def test_the_command_refuses_what_is_too_large_and_does_the_rest(tokconf: CommandLine, tmp_path: Path) -> None:
    vocab = {"[UNK]": 0} | {f"token{number}": number for number in range(1, 20_000)}
    document = {"model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": vocab}}
    (tmp_path / "large.json").write_text(json.dumps(document))
    arguments = ("large.json", "bert-mini", "-i", "tokenizers", "reference", "-k", "contractions", "--memory", "8")
    done = tokconf.run("run", *arguments)
    assert done.status == 2
    assert done.err.startswith("tokconf: tokenizer 'large' is not loaded: for its 1 MB ")
    assert len(done.err.splitlines()) == 1
    assert "\nlarge: " not in done.out
    assert "\nbert-mini: " in done.out
    allowed = tokconf.run("run", *arguments[:-1], "200")
    assert (allowed.status, allowed.err) == (0, "")
    apart = tokconf.run("run", *arguments[:-1], "400", "--isolate", "all", TOKCONF_IN_PROCESS="")
    assert (apart.status, apart.err) == (0, "")
