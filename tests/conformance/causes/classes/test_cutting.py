"""A tokenizer.json with the entries that its questions need answers them as the whole one does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import Decode, Encode, Encoded, TokenizerSource
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.classes import experiment
from tokenizer_conformance.causes.classes.component_changes import Seen, put
from tokenizer_conformance.causes.classes.cutting import Covered, PiecesOf, entries_of
from tokenizer_conformance.causes.classes.document_changes import changes_of
from tokenizer_conformance.causes.classes.experiment import Folder, Ground
from tokenizer_conformance.causes.classes.probes import PROBES
from tokenizer_conformance.inputs.bundled import FIRST, bundled_file

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.classes.cutting import Answering

TEXTS = (*PROBES, "Élan ﬁ 12", "\U0001f600 京", "<s>a</s>[UNK] ", "a[MASK]b <pad>", "z" * 2000)

CHANGES_OF_EACH = 12
"""So many changes of each file are tried, drawn evenly."""


def _grounds(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Ground, Ground]:
    """Return two grounds of one file: one loads it whole, the other what the questions need."""
    reference = select("reference", Isolation()).build()
    source = TokenizerSource(name, str(bundled_file(name)))
    whole = Ground(Bench(reference, reference).trial(source), reference, Folder())
    monkeypatch.setattr(experiment, "SMALL", 0)
    covered = Ground(Bench(reference, reference).trial(source), reference, Folder())
    assert whole.is_small
    assert not covered.is_small
    return whole, covered


@pytest.mark.long_but(1)
@pytest.mark.parametrize("name", [*FIRST, "llama3-mini", "gemma-mini"])
def test_changed_files_answer_as_whole_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, covered = _grounds(name, monkeypatch)
    found = list(changes_of(whole.document, Seen("Hello", 3, (5,))))
    for change in [None, *found[:: max(1, len(found) // CHANGES_OF_EACH)]]:
        given = () if change is None else (change.key, put(whole.document, change))
        one, other = whole.reference(*given), covered.reference(*given)
        for text in TEXTS:
            answer = _answer(one, Encode(text))
            assert _answer(other, Encode(text)) == answer, (change, text)
            if isinstance(answer, Encoded):
                question = Decode(answer.ids, skip_special_tokens=False)
                assert _answer(other, question) == _answer(one, question), (change, text)


def _answer(side: Answering | None, question: Observation) -> Outcome | None:
    return None if side is None else side.ask(question)


@pytest.mark.parametrize("name", ["bert-mini", "gpt2-mini", "xlnet-mini"])
def test_little_is_loaded(name: str) -> None:
    document = json.loads(Path(bundled_file(name)).read_text(encoding="utf-8"))
    entries, sizes = entries_of(document), []
    assert entries is not None

    def load(small: dict[str, object]) -> None:
        sizes.append(len(small["model"]["vocab"]))  # type: ignore[index]

    covered = Covered(document, entries, PiecesOf(document), load, lambda _question: ())
    covered.ask(Encode("京"))
    assert sizes[0] * 2 < len(document["model"]["vocab"])


def test_an_id_that_no_token_has_has_none_in_the_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, covered = _grounds("gpt2-mini", monkeypatch)
    one, other = whole.reference(), covered.reference()
    assert one is not None
    assert other is not None
    for ids in ((5, 10_000_000), (2,), (10_000_000,)):
        assert other.ask(Decode(ids)) == one.ask(Decode(ids))
