"""The release that brought a change is found among those between two, whatever cannot be had of them."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from fake_releases import Released, compared, last, plan_of, released, steps
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version
from snapshots import Saving, named, of_type

from tokenizer_adapters.environments.faults import UnreachableError
from tokenizer_adapters.selection import Isolation
from tokenizer_conformance.releases.versions.bisecting import (
    CannotAskError,
    CannotBisectError,
    ReleasesBetween,
    boundary,
)
from tokenizer_conformance.releases.versions.engine import compare_releases
from tokenizer_conformance.results.records.versions import Bisected, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

OLD, NEW = "tokenizers==1.0", "tokenizers==2.0"


@dataclass
class Fakes:
    """Releases 1.1, 1.2, … between 1.0 and 2.0: fakes, and in the place of those that cannot be had ``None``."""

    fakes: list[fakes.Toy | None]
    opened_words: list[str] = field(default_factory=list)
    open_now: int = 0

    def words(self, _old: str, _new: str) -> list[str]:
        return [f"tokenizers==1.{number}" for number in range(1, len(self.fakes) + 1)]

    @contextmanager
    def opened(self, word: str) -> Iterator[Implementation]:
        self.opened_words.append(word)
        fake = self.fakes[int(word.rpartition(".")[2]) - 1]
        if fake is None:
            raise CannotAskError("it has no file for this Python")
        self.open_now += 1
        yield Released(fake, word.rpartition("=")[2])
        self.open_now -= 1


# The search -----------------------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([True, False, None]), max_size=12))
def test_what_is_found_is_a_boundary(between: list[bool | None]) -> None:
    truth = [True, *between, False]
    words = list(map(str, range(len(truth))))
    until, since, skipped, goes_back = boundary(words, lambda word: truth[int(word)])
    low, high = int(until), int(since)
    assert (truth[low], truth[high]) == (True, False)
    assert skipped == tuple(words[low + 1 : high])
    assert all(truth[int(word)] is None for word in skipped)
    known = [each for each in truth if each is not None]
    if known == sorted(known, reverse=True):
        assert not goes_back


@given(st.integers(1, 200), st.data())
def test_few_are_asked(count: int, data: st.DataObject) -> None:
    since = data.draw(st.integers(1, count))
    asked: set[int] = set()

    def is_old(word: str) -> bool:
        asked.add(int(word))
        return int(word) < since

    words = list(map(str, range(count + 1)))
    assert boundary(words, is_old) == (str(since - 1), str(since), (), [])
    assert len(asked) <= count.bit_length() + 3


@pytest.mark.parametrize(
    ("truth", "until", "since", "goes_back"),
    [
        ("++-+---", "d", "e", ["c"]),
        ("++-+-", "b", "c", ["d"]),
        ("+-", "a", "b", []),
        ("++--", "b", "c", []),
        ("++?+---", "d", "e", []),  # of a neighbour that cannot be asked nothing is known
        ("+++-?--", "c", "d", []),
        ("+-+-+--", "a", "b", ["c"]),
        ("+++--+-", "c", "d", []),  # no neighbour of the boundary, and so not asked
    ],
)
def test_the_neighbours_of_the_boundary_tell_what_goes_back(
    truth: str, until: str, since: str, goes_back: list[str]
) -> None:
    words = "abcdefg"[: len(truth)]
    answers = {word: {"+": True, "-": False, "?": None}[each] for word, each in zip(words, truth, strict=True)}
    assert boundary(list(words), answers.__getitem__) == (until, since, (), goes_back)


# In a comparison ------------------------------------------------------------------------------------------------------


def bisected(
    folder: Path, file: TokenizerFile, between: Fakes, old: fakes.Toy, new: fakes.Toy, *texts: str
) -> list[Any]:
    ends = released(fakes.Toy, fakes.Toy)
    ends = tuple(
        replace(end, implementation=Released(fake, end.version)) for end, fake in zip(ends, (old, new), strict=True)
    )
    events = compared(
        plan_of(ends, (file,), folder, named(texts or ("abc", "zebra", "B")), cause_seconds=60.0, between=between)
    )
    assert between.open_now == 0
    return events


def boundary_of(found: Bisected) -> tuple[object, ...]:
    """Return the releases at the boundary, what goes back, and whether the first one is as the last one is."""
    return found.until, found.since, found.goes_back, found.is_final


@pytest.mark.parametrize("since", [1, 3, 5, 6])
def test_the_release_with_the_fault_is_found(since: int, tmp_path: Path, toy_file: TokenizerFile) -> None:
    between = Fakes([fakes.Toy() if number < since else fakes.LossyDecode() for number in range(1, 6)])
    events = bisected(tmp_path, toy_file, between, fakes.Toy(), fakes.LossyDecode())
    (found,) = of_type(events, Bisected)
    words = [OLD, *between.words(OLD, NEW), NEW]
    assert (found.old, found.new, found.what, found.number) == (OLD, NEW, "cause", 1)
    assert boundary_of(found) == (words[since - 1], words[since], (), True)
    assert len(between.opened_words) == len(set(between.opened_words))
    assert steps(events)[0].causes
    assert last(events).exit_status == 1


def test_two_changes_have_each_their_own(tmp_path: Path, toy_file: TokenizerFile) -> None:
    class Both(fakes.LossyDecode):
        class subject(fakes.LossyDecode.subject):  # noqa: N801
            def normalize(self, text: str) -> str:
                return fakes.WrongNormalization.subject().normalize(text)

    between = Fakes([fakes.Toy(), fakes.LossyDecode(), fakes.LossyDecode(), Both()])
    events = bisected(tmp_path, toy_file, between, fakes.Toy(), Both())
    since = {steps(events)[0].causes[each.number - 1].witness.stage: each.since for each in of_type(events, Bisected)}
    assert since == {"normalize": "tokenizers==1.4", "decode": "tokenizers==1.2"}


def test_one_that_cannot_be_had_is_skipped_and_said(tmp_path: Path, toy_file: TokenizerFile) -> None:
    between = Fakes([fakes.Toy(), None, fakes.CannotLoad(), fakes.LossyDecode()])
    (found,) = of_type(bisected(tmp_path, toy_file, between, fakes.Toy(), fakes.LossyDecode()), Bisected)
    assert boundary_of(found) == ("tokenizers==1.1", "tokenizers==1.4", (), True)
    assert found.skipped == {
        "tokenizers==1.2": "it has no file for this Python",
        "tokenizers==1.3": "it does not load the tokenizer that shows the change",
    }


def test_what_goes_back_and_forth_is_said(tmp_path: Path, toy_file: TokenizerFile) -> None:
    between = Fakes([fakes.LossyDecode(), fakes.Toy(), fakes.LossyDecode()])
    (found,) = of_type(bisected(tmp_path, toy_file, between, fakes.Toy(), fakes.LossyDecode()), Bisected)
    assert boundary_of(found) == ("tokenizers==1.2", "tokenizers==1.3", ("tokenizers==1.1",), True)


def test_a_third_way_is_not_the_last_word(tmp_path: Path, toy_file: TokenizerFile) -> None:
    class Doubling(fakes.Toy):
        class subject(fakes.ToySubject):  # noqa: N801
            def decode(self, ids: Any, skip_special_tokens: bool) -> Any:
                outcome = super().decode(ids, skip_special_tokens)
                return replace(outcome, text=outcome.text.replace("z", "zz"))

    between = Fakes([fakes.Toy(), Doubling()])
    (found,) = of_type(bisected(tmp_path, toy_file, between, fakes.Toy(), fakes.LossyDecode()), Bisected)
    assert boundary_of(found) == ("tokenizers==1.1", "tokenizers==1.2", (), False)


def test_a_refusal(tmp_path: Path, toy_file: TokenizerFile) -> None:
    between = Fakes([fakes.Toy(), fakes.CannotLoad()])
    (found,) = of_type(bisected(tmp_path, toy_file, between, fakes.Toy(), fakes.CannotLoad()), Bisected)
    assert found.what == "change"
    assert boundary_of(found) == ("tokenizers==1.1", "tokenizers==1.2", (), True)


def test_what_is_saved(tmp_path: Path, toy_file: TokenizerFile) -> None:
    between = Fakes([Saving('{"a": 1}'), Saving('{"a": 2}'), Saving('{"a": 2, "b": 3}')])
    old, new = Saving('{"a": 1}'), Saving('{"a": 2, "b": 3}')
    found_in = of_type(bisected(tmp_path, toy_file, between, old, new), Bisected)
    assert [each.since for each in found_in] == ["tokenizers==1.2", "tokenizers==1.3"]


def test_nothing_is_asked_where_nothing_changed(tmp_path: Path, toy_file: TokenizerFile) -> None:
    between = Fakes([fakes.LossyDecode()])
    events = bisected(tmp_path, toy_file, between, fakes.Toy(), fakes.Toy())
    assert not of_type(events, Bisected)
    assert not between.opened_words


def test_what_the_ends_do_not_show_anew_has_no_release(tmp_path: Path, toy_file: TokenizerFile) -> None:
    class Once(fakes.LossyDecode):
        """Loses the z for as long as the comparison of answers goes on."""

    between = Fakes([fakes.Toy()])
    new = Once()
    ends = released(fakes.Toy, fakes.Toy)
    ends = (ends[0], replace(ends[1], implementation=Released(new, "2.0")))
    plan = plan_of(ends, (toy_file,), tmp_path, named(["zebra"]), cause_seconds=60.0, between=between)
    engine_events = []
    for event in compare_releases(plan):
        engine_events.append(event)
        if steps(engine_events):
            Once.subject = fakes.ToySubject
    (found,) = of_type(engine_events, Bisected)
    assert boundary_of(found) == (None, None, (), None)
    assert found.skipped == {}
    assert not between.opened_words


def test_what_cannot_be_bisected_is_said_and_nothing_is_lost(tmp_path: Path, toy_file: TokenizerFile) -> None:
    class Nothing(Fakes):
        def words(self, _old: str, _new: str) -> list[str]:
            raise CannotBisectError("nobody knows")

    events = bisected(tmp_path, toy_file, Nothing([]), fakes.Toy(), fakes.LossyDecode())
    assert [each.reason for each in of_type(events, Refused)] == ["--bisect: nobody knows"]
    assert steps(events)[0].causes
    assert last(events).exit_status == 3


# The releases of a package --------------------------------------------------------------------------------------------

VERSIONS = list(map(Version, ("0.18.0", "0.19.1", "0.20.0", "0.20.1", "0.23.3", "0.24.0")))
WORDS: Mapping[tuple[str, str], list[str]] = {
    ("tokenizers==0.19.1", "tokenizers==0.23.3"): ["tokenizers==0.20.0", "tokenizers==0.20.1"],
    ("new=tokenizers==0.23.3", "old=tokenizers==0.19.1"): ["tokenizers==0.20.1", "tokenizers==0.20.0"],
    ("tokenizers==0.20.0", "tokenizers==0.20.1"): [],
    ("tokenizers==0.19", "tokenizers==0.20"): ["tokenizers==0.19.1"],
}


@pytest.mark.parametrize(("ends", "words"), WORDS.items(), ids=str)
def test_the_releases_between_two(ends: tuple[str, str], words: list[str]) -> None:
    asked: list[str] = []

    def releases(distribution: str) -> list[Version]:
        asked.append(distribution)
        return VERSIONS

    between = ReleasesBetween(Isolation(), releases)
    assert between.words(*ends) == words
    assert between.words(*ends) == words
    assert asked == ["tokenizers"]


@pytest.mark.parametrize(
    "ends",
    [
        ("tokenizers==0.19.1", "transformers==5.0.0"),
        ("tokenizers", "tokenizers==0.19.1"),
        ("tokenizers==0.19.1", "tokenizers@.venv"),
        ("command:./mine", "command:./other"),
    ],
    ids=str,
)
def test_there_is_nothing_between_others(ends: tuple[str, str]) -> None:
    with pytest.raises(CannotBisectError, match="no releases of one package"):
        ReleasesBetween(Isolation(), lambda _distribution: VERSIONS).words(*ends)


def test_a_registry_that_does_not_answer() -> None:
    def releases(_distribution: str) -> list[Version]:
        raise UnreachableError("no registry answered")

    with pytest.raises(CannotBisectError, match="which releases tokenizers has is not known: no registry answered"):
        ReleasesBetween(Isolation(), releases).words(OLD, NEW)


def test_a_release_that_cannot_be_had() -> None:
    between = ReleasesBetween(Isolation(), lambda _distribution: VERSIONS)
    with pytest.raises(CannotAskError), between.opened("no-such-package-at-all==1.0"):
        pass
