"""A process that compares loads a tokenizer for as long as no other one comes, and says whom it cannot ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import PIPELINE_STAGES, Field, Normalize, TokenizerSource
from tokenizer_adapters.selection import ALL, Isolation, select
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.inputs.corpus import PairedInput
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.validation.running import worker
from tokenizer_conformance.validation.running.compared import Setup, Task
from tokenizer_conformance.validation.running.plan import nothing_to_reach
from tokenizer_conformance.validation.running.worker import Comparing

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


def test_who_does_not_load_a_tokenizer_is_told_when_it_is_asked(
    toy_file: TokenizerFile, plugin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(plugin))
    loads: list[str] = []

    def noted(implementation: Implementation, source: TokenizerSource) -> Asked:
        loads.append(f"{source.name} into {implementation.info.name}")
        return loaded(implementation, source)

    monkeypatch.setattr(worker, "loaded", noted)
    in_process = Isolation(in_process=frozenset({ALL}))
    names = ("toy", "wrong-normalization", "cannot-load", "swapped-merge")
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
    done = comparing.done(Task(toy_file.source))
    assert (done.compared, done.error, done.unreadable, set(done.waited)) == (
        (),
        None,
        None,
        {*names} - {"cannot-load"},
    )
    for _ in range(2):
        refused = comparing.done(Task(toy_file.source, ("cannot-load",), asked))
        assert refused.error is not None
        assert "one process has loaded what another cannot: " in refused.error
    for others in (("wrong-normalization",), ("wrong-normalization", "swapped-merge"), ("swapped-merge",)):
        compared = comparing.done(Task(toy_file.source, others, asked))
        assert (compared.error, [tuple(each) for each in compared.compared]) == (None, [others])
    assert comparing.done(Task(toy_file.source, ("cannot-load",), asked)).error
    assert loads == [f"toy-tokenizer into {name}" for name in names], "as long as no other one comes"
    assert comparing.done(Task(TokenizerSource("other", toy_file.source.file), ("cannot-load",), asked)).error
    assert comparing.done(Task(toy_file.source, ("swapped-merge",), asked)).error is None
    (tmp_path / "tokenizer.json").write_text('{"model": {"type": "BPE"}}')
    of_no_toy = Task(TokenizerSource("no toy", str(tmp_path / "tokenizer.json")), ("swapped-merge",), asked)
    refused = comparing.done(of_no_toy)
    assert "what another cannot: toy cannot load no toy" in (refused.error or "")
    assert loads == [
        f"{of} into {name}" for of in ("toy-tokenizer", "other", "toy-tokenizer", "no toy") for name in names
    ]
    assert not comparing.done(Task(of_no_toy.source)).waited
