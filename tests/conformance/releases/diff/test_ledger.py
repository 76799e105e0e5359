"""Changes of how tokenizers are loaded are known by entries of ledgers, as differences are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from snapshots import Making, Saving, diff_of, last, named, of_type

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance import Conclusion
from tokenizer_conformance.ledger.reader import read_ledgers
from tokenizer_conformance.releases.diff.events import LoadingChanged
from tokenizer_conformance.releases.diff.ledger_update import LedgerUpdate

if TYPE_CHECKING:
    from pathlib import Path

    import fake_implementations as fakes

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


class Refusing(Saving):
    def load(self, source: TokenizerSource) -> fakes.ToySubject:
        raise CannotLoadError(f"no {source.name}, thank you")


CHANGES: dict[str, tuple[Any, str]] = {
    "load": (Refusing("{}"), "refuses"),
    "save": (Saving('{"a": 2, "b": 3}'), "2"),
    "vocabulary": (Saving('{"a": 1}', is_larger=True), "tokens"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_written_to_a_ledger_known_by_it_and_stale_when_it_is_gone(
    tmp_path: Path, toy_file: TokenizerFile, what: str
) -> None:
    making = Making(tmp_path, (toy_file,))
    inputs = named(["a", "b c"])
    old = making.snapshot("old", Saving('{"a": 1}'), inputs)
    new = making.snapshot("new", CHANGES[what][0], inputs)
    ledger = tmp_path / "known.toml"

    found = diff_of(old, new)
    assert last(found).conclusion is Conclusion.DIFFERENCES
    assert {event.change.what for event in of_type(found, LoadingChanged)} == {what}
    update = LedgerUpdate(ledger)
    for event in found:
        update.handle(event)
    text = ledger.read_text(encoding="utf-8")
    assert text.count("[[known]]") == 1
    assert f'stage = "{what}"' in text
    assert CHANGES[what][1] in text

    ledger.write_text(text.replace('reason = ""', 'reason = "it is meant so"'), encoding="utf-8")
    known = diff_of(old, new, ledger=read_ledgers([ledger]))
    assert {event.entry.reason for event in of_type(known, LoadingChanged) if event.entry} == {"it is meant so"}
    assert all(event.entry for event in of_type(known, LoadingChanged))
    assert last(known).conclusion is Conclusion.CONFORM
    assert last(known).known == len(of_type(known, LoadingChanged))

    fixed = diff_of(old, making.snapshot("fixed", Saving('{"a": 1}'), inputs), ledger=read_ledgers([ledger]))
    assert not of_type(fixed, LoadingChanged)
    (stale,) = last(fixed).stale
    assert stale.stages == (what,)
    assert last(fixed).conclusion is Conclusion.STALE
    unasked = diff_of(old, old, ledger=read_ledgers([ledger]), loading=False)
    assert last(unasked).stale == ()
