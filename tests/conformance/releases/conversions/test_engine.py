"""llama.cpp is asked with the GGUF file itself about what an audit found, where it is installed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from gguf_bytes import gguf_file
from llama_vocabularies import gpt2

from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from conftest import Tokconf
    from tokenizer_adapters.gguf.vocabulary import GgufVocabulary

pytestmark = pytest.mark.long


def audited(cli: Tokconf, vocabulary: GgufVocabulary, status: int = 1) -> tuple[list[dict[str, Any]], str]:
    for module in ("xllamacpp", "gguf"):
        pytest.importorskip(module)
    Path("model.gguf").write_bytes(gguf_file(vocabulary))
    result = cli("audit", "gguf", "model.gguf", str(bundled_file("gpt2-mini").parent), "--json", "audit.jsonl")
    assert result.exit_code == status, result.output
    lines = [json.loads(line) for line in Path("audit.jsonl").read_text("ascii").splitlines()]
    return lines, " ".join(result.output.split())


def test_it_confirms_a_fault_of_the_file(cli: Tokconf) -> None:
    vocabulary = gpt2()
    merges = list(vocabulary.merges or ())
    merges[1], merges[10] = merges[10], merges[1]
    templates = {"default": f"Hi! {vocabulary.templates['default']}"}
    lines, printed = audited(cli, replace(vocabulary, merges=tuple(merges), templates=templates))
    assert lines[0]["engine"]["name"] == "llama-cpp@model.gguf"
    merged, template = (line for line in lines if line["type"] == "difference")
    for found in (merged, template):
        assert found["witness"]["confirmation"] == "same"
    assert merged["witness"]["loaded"]["answer"]["ids"] == merged["witness"]["replaced"]["answer"]["ids"]
    assert printed.count("llama-cpp@model.gguf answers so, too") == 2


def test_a_file_that_it_refuses_is_audited_all_the_same_and_nothing_is_said_of_its_answers(cli: Tokconf) -> None:
    lines, printed = audited(cli, replace(gpt2(), pre="nonsense", flags={"add_bos_token": True}), 3)
    assert lines[0]["engine"] is None
    assert "unknown pre-tokenizer type: 'nonsense'; it is not asked about what differs" in printed
    assert [line["name"] for line in lines if line["type"] == "difference"] == ["post_processor"]
    assert "engine none that has loaded the file" in printed
    assert "answers so" not in printed
    assert "Not compared: the pre-tokenizer: what 'nonsense' stands for is not known here." in printed
