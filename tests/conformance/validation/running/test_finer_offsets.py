"""Offsets inside characters that tokens share are counted and told, and are no differences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import fake_implementations as fakes

from tokenizer_adapters.contract import Encode, Encoded, Stage
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.validation.running.events import TokenizerFinished
from tokenizer_conformance.validation.running.wording import finer_offsets

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import CommandLine
    from tokenizer_conformance import Event

    EventsOf = Callable[..., list[Event]]

LINE = (
    "finer-byte-tokens: finer offsets, which begin or end inside characters that tokens share, and agree where they "
    "are rounded outward: model 1"
)


def test_the_fakes_differ_in_nothing_but_bytes() -> None:
    answers = [
        fake.subject().observe(Encode("é🎉b", add_special_tokens=False))
        for fake in (fakes.ByteTokens, fakes.FinerByteTokens)
    ]
    assert all(isinstance(answer, Encoded) for answer in answers)
    assert [answer.offsets for answer in answers] == [
        ((0, 1), (0, 1), *((1, 2),) * 4, (2, 3)),
        ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)),
    ]


def test_finer_offsets_agree_and_are_counted(events_of: EventsOf) -> None:
    events = events_of(
        implementations=(fakes.ByteTokens(), fakes.FinerByteTokens()),
        baseline=fakes.ByteTokens.name,
        texts=("abc", "éa 🎉b"),
        stages=(Stage.MODEL,),
    )
    (finished,) = (event for event in events if isinstance(event, TokenizerFinished))
    (result,) = finished.results
    assert result.stages[Stage.MODEL].inputs == {Verdict.AGREE: 2}
    assert result.stages[Stage.MODEL].finer == 1
    assert finer_offsets(result) == LINE


def test_the_command_tells_of_finer_offsets_and_so_does_the_record(
    tokconf: CommandLine, toy_tokenizer: Path, tmp_path: Path
) -> None:
    texts, record, page = (tmp_path / name for name in ("texts.txt", "record.jsonl", "report.md"))
    texts.write_text("abc\néa 🎉b\n", encoding="utf-8")
    chosen = ("-i", "byte-tokens", "finer-byte-tokens", "--baseline", "byte-tokens", "--stage", "model")
    inputs = ("--no-builtin", "--inputs", str(texts))
    outputs = ("--json", str(record), "--markdown", str(page))
    result = tokconf.run("run", str(toy_tokenizer), *chosen, *inputs, *outputs)
    assert result.status == 0, result.err
    assert LINE in " ".join(result.out.split())
    assert LINE.partition(":")[2] in page.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    (tokenizer,) = (line for line in lines if line["type"] == "tokenizer")
    assert tokenizer["results"][0]["stages"]["model"]["finer"] == 1
