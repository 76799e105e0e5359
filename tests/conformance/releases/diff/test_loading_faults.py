"""A change of loading says what is wrong with the file, for the release that refuses it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.releases.diff.engine import changes_of_loading
from tokenizer_conformance.releases.diff.explanations import Explanations
from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer

if TYPE_CHECKING:
    from conftest import Tokconf

WORDS = "tokenizers cannot load gpt2-mini (x.json): data did not match any variant of untagged enum ModelWrapper"


def faults(old: str, new: str, old_words: str | None, new_words: str | None) -> list[tuple[str, ...]]:
    """What is told of the file of gpt2-mini, whose merges are pairs, between two releases that refuse it so."""
    known = select("tokenizers", Isolation()).build().info
    infos = (replace(known, name=f"tokenizers=={old}", version=old), replace(known, name="tokenizers", version=new))
    before, after = (LoadedTokenizer("gpt2-mini", words) for words in (old_words, new_words))
    file = str(bundled_file("gpt2-mini"))
    return [each.faults for each in changes_of_loading(before, after, infos, Ledger(), file, Explanations(*infos))]


def test_the_release_that_refuses_is_told_which_is_the_first_that_loads() -> None:
    ((fault,),) = faults("0.19.1", "0.23.3", WORDS, None)
    assert fault.startswith("In the file, $.model.merges (in the model BPE): merges are lists of two tokens.")
    assert "tokenizers 0.20.0 is the first release that loads it" in fault


def test_what_loads_in_both_has_no_faults() -> None:
    assert faults("0.22.2", "0.23.3", None, None) == []


def test_a_refusal_of_a_release_that_should_load_the_file_blames_nothing() -> None:
    assert faults("0.22.2", "0.23.3", WORDS, None) == [()]


def test_the_page_of_a_diff_has_it(cli: Tokconf) -> None:
    document = json.loads(bundled_file("gpt2-mini").read_text("utf-8"))
    Path("mine").mkdir()
    Path("mine/tokenizer.json").write_text(json.dumps(document), "utf-8")
    Path("texts.txt").write_text("a\n", "utf-8")
    cli("snapshot", "mine", "--inputs", "texts.txt", "--no-builtin", "-o", "before.jsonl.gz")
    document["model"]["type"] = None
    Path("broken.json").write_text(json.dumps(document), "utf-8")
    output = " ".join(cli("diff", "before.jsonl.gz", "-t", "mine=broken.json").output.split())
    assert "In the file, $.model.type (in the model): expected the name of a model, found null." in output
    assert 'To do: write "BPE" there; so the file loads' in output
