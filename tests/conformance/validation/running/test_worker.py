"""A process that compares loads a tokenizer for as long as no other one comes, and says whom it cannot ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import PIPELINE_STAGES, Field, Normalize, TokenizerSource
from tokenizer_adapters.selection import ALL, Isolation, select
from tokenizer_conformance.inputs.corpus import PairedInput
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.validation.running.compared import Setup, Task
from tokenizer_conformance.validation.running.plan import nothing_to_reach
from tokenizer_conformance.validation.running.worker import Comparing

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


def test_who_does_not_load_a_tokenizer_is_told_when_it_is_asked(
    toy_file: TokenizerFile, plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(plugin))
    in_process = Isolation(in_process=frozenset({ALL}))
    names = ("toy", "wrong-normalization", "cannot-load")
    comparing = Comparing(
        Setup(
            tuple(select(name, in_process) for name in names),
            "toy",
            frozenset(PIPELINE_STAGES),
            frozenset(Field),
            lambda question: isinstance(question, Normalize),
            nothing_to_reach,
        )
    )
    text = Input("a", "test", "aBc")
    asked = (PairedInput(text, text),)
    loaded = comparing.done(Task(toy_file.source))
    assert (loaded.compared, loaded.error, loaded.unreadable) == ((), None, None)
    for _ in range(2):
        refused = comparing.done(Task(toy_file.source, ("cannot-load",), asked))
        assert refused.error is not None
        assert "one process has loaded what another cannot: " in refused.error
    compared = comparing.done(Task(toy_file.source, ("wrong-normalization",), asked))
    assert (compared.error, [list(each) for each in compared.compared]) == (None, [["wrong-normalization"]])
    assert comparing.done(Task(TokenizerSource("other", toy_file.source.file), ("cannot-load",), asked)).error
