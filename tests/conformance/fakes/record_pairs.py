"""Small records, made by really running commands on planted faults, and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_implementations as fakes

from tokenizer_adapters.contract import Decode, Text
from tokenizer_conformance import Corpus, Input, read_corpus
from tokenizer_conformance.releases.diff.records.changes import Change, Changed
from tokenizer_conformance.releases.diff.records.engine import RecordDiffFinished, record_diff
from tokenizer_conformance.releases.diff.records.plan import record_diff_plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

TEXTS = ("abc", "aBc d", "x", "a-b", "zebra crossing", "éa 🎉b")
"""Texts that bring out the fault of each fake."""

MIRRORED: Mapping[Change, Change] = {
    Change.NEW: Change.FIXED,
    Change.WORSE: Change.BETTER,
    Change.NO_LONGER_KNOWN: Change.NOW_KNOWN,
    Change.FIXED: Change.NEW,
    Change.BETTER: Change.WORSE,
    Change.NOW_KNOWN: Change.NO_LONGER_KNOWN,
    Change.CHANGED: Change.CHANGED,
    Change.NEW_AND_KNOWN: Change.FIXED_AND_KNOWN,
    Change.FIXED_AND_KNOWN: Change.NEW_AND_KNOWN,
    Change.SAME: Change.SAME,
    Change.NOT_COMPARED_NOW: Change.NOT_COMPARED_THEN,
    Change.NOT_COMPARED_THEN: Change.NOT_COMPARED_NOW,
    Change.NOT_COMPARABLE: Change.NOT_COMPARABLE,
}
"""What each change is where the old record is the new one."""


class LossierDecode(fakes.LossyDecode):
    """Loses every x, too."""

    class subject(fakes.LossyDecode.subject):  # type: ignore[misc,name-defined] # noqa: N801 - stands for the attribute
        def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> Any:
            outcome = super().decode(ids, skip_special_tokens)
            return Text(outcome.text.replace("x", "")) if isinstance(outcome, Text) else outcome


class CrashesOnZ(fakes.Toy):
    """Gives no answer where another loses the z."""

    class subject(fakes.ToySubject):  # noqa: N801
        def observe(self, observation: Any) -> Any:
            if isinstance(observation, Decode) and fakes.VOCABULARY["z"] in observation.ids:
                raise RuntimeError("no z")
            return super().observe(observation)


class NoDecode(fakes.Toy):
    """Does not decode."""

    stages = fakes.Toy.stages - {fakes.Stage.DECODE}

    class subject(fakes.ToySubject):  # noqa: N801
        def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> Any:
            del ids, skip_special_tokens
            return fakes.Unsupported("no decoding")


SOUND = fakes.Toy


def called(fake: type[Any], name: str = "mine", version: str = "1.0") -> Any:
    """Return an implementation that is called ``name`` and has the fault of ``fake``."""
    made = type("Mine", (fake,), {"name": name})()
    if version == "1.0":
        return made
    return _Versioned(made, version)


class _Versioned:
    def __init__(self, made: Any, version: str) -> None:
        self._made, self._version = made, version

    @property
    def info(self) -> Any:
        return fakes.replace(self._made.info, version=self._version)

    def load(self, source: Any) -> Any:
        return self._made.load(source)


def corpus_of(texts: tuple[str, ...]) -> Corpus:
    inputs = tuple(Input(f"text {number}", "test", text) for number, text in enumerate(texts))
    corpus, refusals = read_corpus([("test", inputs)])
    assert not refusals
    return corpus


class Compared:
    """What became of the outcomes of two records."""

    def __init__(self, old: Path, new: Path, matches: Sequence[str] = ()) -> None:
        self.plan = record_diff_plan(old, new, matches, ())
        self.events = list(record_diff(self.plan))
        self.found = [event for event in self.events if isinstance(event, Changed) and not event.is_sound]
        last = self.events[-1]
        assert isinstance(last, RecordDiffFinished)
        self.last = last

    def told(self, change: str) -> list[str]:
        """Return the aspects, with the stage, the input or the subject, of what became ``change``."""
        keys = (each.key for each in self.found if each.change == change)
        return sorted(f"{key.aspect} {key.parts[0] if key.parts else key.subject}" for key in keys)


def lawful(old: Path, new: Path) -> Compared:
    """Return what became of the outcomes, where the laws hold.

    A record beside itself has nothing new, and exchanged records mirror each other.
    """
    for path in (old, new):
        assert {each.change for each in Compared(path, path).found} <= {Change.SAME}
    forth, back = Compared(old, new), Compared(new, old)
    assert {(MIRRORED[each.change], each.key) for each in forth.found} == {
        (each.change, each.key) for each in back.found
    }
    assert forth.last.sound == back.last.sound
    return forth
