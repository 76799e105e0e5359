"""What a run of measures shows in the end: who did not cut, decode or cut words, and what parts of it came to."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs
from small_tokenizers import words_tokenizer

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.metrics import merging
from tokenizer_conformance.research.metrics.concluding import Course, finished
from tokenizer_conformance.research.metrics.counts import EXAMPLES, Bad, Counts, Failure, Failures
from tokenizer_conformance.research.metrics.events import Measured
from tokenizer_conformance.research.metrics.gold import GoldCut
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.measures.morphemes import MorphemeTally
from tokenizer_conformance.research.metrics.merging import changes_of_metrics, merged_metrics, part_of_metrics
from tokenizer_conformance.research.metrics.packing import Unpacked
from tokenizer_conformance.research.metrics.texts import Reading
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records import metrics as lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from conftest import Tokconf
    from tokenizer_conformance.research.metrics.merging import RecordedPart


def failures(*kinds: str) -> Failures:
    found = Failures()
    for number, kind in enumerate(kinds):
        found.add(Failure(str(number), kind, "no"))
    return found


def counts(cut: Sequence[Failures] = (), decoded: Sequence[Failures] = (), *, tallies: bool = True) -> Counts:
    """Return the counts of two rows; of each what it did not cut, and what it did not decode."""
    found = Counts((frozenset(), frozenset()))
    for place, each in enumerate(cut):
        found.failures[place] = each
    for place, each in enumerate(decoded):
        found.decoding[place] = each
    if tallies:
        found.tally(0, ALL_TEXTS)
    return found


def gold(*cuts: Failures) -> dict[int, GoldCut]:
    return {row: GoldCut(MorphemeTally(), each) for row, each in enumerate(cuts)}


NONE = failures()


@pytest.mark.parametrize(
    ("given", "conclusion"),
    [
        ({}, Conclusion.CONFORM),
        ({"total": counts(tallies=False)}, Conclusion.NOTHING_COMPARED),
        ({"total": counts(tallies=False), "is_part": True}, Conclusion.CONFORM),
        ({"total": counts([NONE, failures("error")])}, Conclusion.IMPLEMENTATION_FAILED),
        ({"total": counts([NONE, failures("unsupported")])}, Conclusion.IMPLEMENTATION_FAILED),
        ({"total": counts(decoded=[NONE, failures("crash")])}, Conclusion.IMPLEMENTATION_FAILED),
        ({"total": counts(decoded=[failures("unsupported", "timeout"), NONE])}, Conclusion.IMPLEMENTATION_FAILED),
        ({"total": counts(decoded=[failures("unsupported"), NONE])}, Conclusion.CONFORM),
        ({"gold": gold(NONE, failures("protocol"))}, Conclusion.IMPLEMENTATION_FAILED),
        ({"gold": gold(NONE, failures("unsupported"))}, Conclusion.CONFORM),
        ({"failed": True}, Conclusion.IMPLEMENTATION_FAILED),
        ({"refused": True, "failed": True}, Conclusion.BAD_INPUT),
        ({"incomplete": True}, Conclusion.INCOMPLETE),
        ({"stopped": Conclusion.INTERRUPTED, "reason": "interrupted", "refused": True}, Conclusion.INTERRUPTED),
    ],
)
def test_who_gave_no_answer_decides(given: dict[str, Any], conclusion: Conclusion) -> None:
    good = {"total": counts(), "gold": {}, "refused": False, "failed": False, "seconds": 1, "names": (), "longest": 9}
    end = finished(Course(**{**good, **given}))
    assert end.line.conclusion is conclusion
    assert end.line.finished is ("reason" not in given)


def test_what_was_cut_is_told_by_source() -> None:
    total = counts()
    total.readings = {source: Reading(texts=1, pieces=2, first="1") for source in (2, 0)}
    course = Course(total=total, gold={}, refused=False, failed=False, seconds=1, names=("a", "b", "c"), longest=9)
    assert [note.partition(":")[0] for note in finished(course).line.notes] == ["a", "c"]


def test_the_first_failures_are_kept_of_all_parts() -> None:
    first, second = failures("error", "crash"), failures("crash", "crash")
    first.merge(second)
    assert first.kinds == {"error": 1, "crash": 3}
    assert (first.total, len(first.examples)) == (4, EXAMPLES)
    assert [each.kind for each in first.examples] == ["error", "crash", "crash"]
    full = failures("error", "error", "error")
    full.merge(second)
    assert [each.kind for each in full.examples] == ["error"] * EXAMPLES


def test_all_that_is_counted_is_added_row_by_row() -> None:
    one = counts([failures("error"), failures()], [failures("crash"), failures()])
    one.merge(counts([failures("error"), failures("timeout")], [failures(), failures("crash")]))
    assert [each.kinds for each in one.failures] == [{"error": 2}, {"timeout": 1}]
    assert [each.kinds for each in one.decoding] == [{"crash": 1}, {"crash": 1}]


# Parts ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def parts(cli: Tokconf, tmp_path: Path) -> list[RecordedPart]:
    """The records of two parts, each with a file of its own."""
    words_tokenizer(tmp_path)
    (tmp_path / "gold.tsv").write_text("abc\tab c\n")
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("ab abc\nab\n" * 5)
    options = ("words.json", "--inputs", "a.txt", "b.txt", "--by", "file", "--gold", "gold.tsv", "--replicates", 2)
    for number in (1, 2):
        done = cli("metrics", *options, "--shard", f"{number}/2", "--json", f"{number}.jsonl")
        assert done.exit_code == 0, done.output
    return [part_of_metrics(read_lines(tmp_path / f"{number}.jsonl")) for number in (1, 2)]


def ending(part: RecordedPart, **end: Any) -> RecordedPart:
    footer = structs.replace(part.lines[-1], **end)
    return replace(part, lines=(*part.lines[:-1], footer))


def bad(part: RecordedPart, source: int) -> RecordedPart:
    part.unpacked.counted.bad[source] = Bad(source, "it cannot be read")
    return part


def beginning(part: RecordedPart, line: Any) -> RecordedPart:
    return replace(part, lines=(part.lines[0], line, *part.lines[1:]))


REFUSED = headers.Refused(what="inputs file", name="c.txt", reason="it is not there")
BROKEN = {"conclusion": Conclusion.INTERNAL_ERROR, "finished": False, "reason": "TypeError: planted"}

OF_ONE: dict[str, tuple[Callable[[RecordedPart], RecordedPart], Conclusion, str | None]] = {
    "nothing": (lambda part: part, Conclusion.CONFORM, None),
    "a failure": (
        lambda part: ending(part, conclusion=Conclusion.IMPLEMENTATION_FAILED),
        Conclusion.IMPLEMENTATION_FAILED,
        None,
    ),
    "a bug": (lambda part: ending(part, **BROKEN), Conclusion.INTERNAL_ERROR, "TypeError: planted"),
    "a source of its own": (lambda part: bad(part, 0), Conclusion.BAD_INPUT, None),
    "a refusal": (lambda part: beginning(part, REFUSED), Conclusion.BAD_INPUT, None),
}


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("name", OF_ONE)
def test_what_one_part_came_to_decides_the_whole(parts: list[RecordedPart], name: str, number: int) -> None:
    changed, conclusion, reason = OF_ONE[name]
    parts[number] = changed(parts[number])
    end = list(merged_metrics(parts, partial=False))[-1].line
    assert (end.conclusion, end.reason, end.finished) == (conclusion, reason, reason is None)


@pytest.mark.parametrize("killed", [0, 1])
def test_words_with_morphemes_are_those_of_any_part_that_has_them(parts: list[RecordedPart], killed: int) -> None:
    whole = list(merged_metrics(parts, partial=True))
    parts[killed] = replace(parts[killed], unpacked=Unpacked())
    told = list(merged_metrics(parts, partial=True))

    def of_morphemes(events: list[Any]) -> list[Any]:
        return [each for each in events if isinstance(each, lines.Measurement) and "morpheme" in each.measure]

    assert of_morphemes(whole)
    assert of_morphemes(told) == of_morphemes(whole)


def test_another_version_is_told_first_and_other_words_once() -> None:
    one = {"environment": {"tokconf": "1"}, "seed": 1}
    other = {"environment": {"tokconf": "2"}, "by": ["file"], "gold_words": 1, "gold_sha256": "0"}
    told = ["other --by", "other --gold", "other --seed"]
    assert changes_of_metrics(one, other) == ["tokconf 1 there, 2 here", *told]
    assert changes_of_metrics(other, one) == ["tokconf 2 there, 1 here", *told]


def test_the_header_is_that_of_the_first_part_and_names_all(
    parts: list[RecordedPart], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["tokconf", "merge", "1.jsonl"])
    header = next(iter(merged_metrics(parts, partial=False)))
    assert header.environment.command == ("tokconf", "merge", "1.jsonl")
    assert [(each.name, each.shard.part, each.shard.of) for each in header.merged] == [
        ("1.jsonl", 1, 2),
        ("2.jsonl", 2, 2),
    ]
    assert header == structs.replace(parts[0].header, environment=header.environment, merged=header.merged, shard=None)
    seeds = [
        replace(each, header=structs.replace(each.header, seed=n), unpacked=Unpacked()) for n, each in enumerate(parts)
    ]
    assert next(iter(merged_metrics(seeds, partial=True))).seed == 0
    whole = replace(parts[0], header=structs.replace(parts[0].header, shard=None))
    assert next(iter(merged_metrics([whole], partial=True))).merged == ()


@pytest.mark.parametrize(("partial", "conclusion"), [(False, Conclusion.INCOMPLETE), (True, Conclusion.CONFORM)])
def test_results_of_a_part_alone_are_partial(
    parts: list[RecordedPart], monkeypatch: pytest.MonkeyPatch, partial: bool, conclusion: Conclusion
) -> None:
    estimated, seen = merging.estimated, []

    def estimate(given: Any, *counted: Any, partial: bool) -> Any:
        seen.append((given.estimating.base, given.estimating.base_language, partial))
        return estimated(
            replace(given, estimating=replace(given.estimating, base="", base_language="")), *counted, partial=partial
        )

    monkeypatch.setattr(merging, "estimated", estimate)
    based = replace(parts[0], header=structs.replace(parts[0].header, base="words.json", base_language="en"))
    ends = [list(merged_metrics(given, partial=partial)) for given in (parts, [based])]
    assert seen == [("", "", False), ("words.json", "en", True)]
    assert [sum(isinstance(each, Measured) for each in events) for events in ends] == [1, 1]
    assert (ends[1][-1].conclusion, ends[1][-1].finished) == (conclusion, False)


def test_what_several_parts_say_is_told_once(parts: list[RecordedPart]) -> None:
    absent = headers.ImplementationMissing(name="absent", reason="it is not there")
    refusing = lines.NotLoaded(row="words.json", reason="no")
    given = [replace(each, lines=(*each.lines, refusing, absent, REFUSED)) for each in parts]
    assert list(merged_metrics(given, partial=False))[1:4] == [REFUSED, absent, refusing]


def test_sources_that_cannot_be_read_are_told_once_in_their_order(parts: list[RecordedPart]) -> None:
    told = [headers.Refused(what="inputs file", name=name, reason="it cannot be read") for name in ("a.txt", "b.txt")]
    given = [replace(bad(part, 1 - n), lines=(*part.lines, told[1 - n])) for n, part in enumerate(parts)]
    assert [each for each in merged_metrics(given, partial=False) if isinstance(each, headers.Refused)] == told


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda whole: (whole[0], {"type": "footer"}, *whole[1:]), "line 2 is not"),
        (lambda whole: whole[1:], "its counts are not as they were written .it is no header"),
        (
            lambda whole: [
                line | {"packed": line["packed"][:-5]} if line["type"] == "part" else line for line in whole
            ],
            "its counts are not as they were written",
        ),
    ],
)
def test_a_record_of_another_form_is_refused(parts: list[RecordedPart], change: Callable[..., Any], said: str) -> None:
    read = parts[0].read
    with pytest.raises(BadInputError, match=said):
        part_of_metrics(replace(read, lines=change(list(read.lines))))
