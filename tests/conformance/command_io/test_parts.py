"""Records of the parts of one run belong together by all that their headers say; which are missing is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.command_io.parts import CHANGES_SHOWN, changes_of_headers, in_order, missing, state_of
from tokenizer_conformance.command_io.recorded_lines import RecordedLines
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.metrics.merging import changes_of_metrics
from tokenizer_conformance.research.offsets_audit.merging import changes_of_audits
from tokenizer_conformance.results.records import cuts, fuzz, metrics, offsets_audit, run, snapshot, suite_run
from tokenizer_conformance.validation.running.record_changes import changes_of_parts
from tokenizer_conformance.validation.search.merging import changes_of_searches
from tokenizer_conformance.validation.suite.merging import changes_of_suites

if TYPE_CHECKING:
    from collections.abc import Callable

    import msgspec

Json = dict[str, Any]

ENVIRONMENT = {"tokconf": "1.0", "python": "3.11"}
WHOLE = {"type": "footer", "conclusion": "conform", "finished": True}
INTERRUPTED = {"type": "footer", "conclusion": "interrupted", "finished": False}
BROKEN = {"type": "footer", "conclusion": "internal error", "finished": False}


def part(
    number: object, of: object = 3, footer: Json | None = WHOLE, *, name: str = "", **header: Any
) -> RecordedLines:
    """Return the record of a part; without a ``footer``, of one that was killed."""
    first = {"type": "header", "environment": ENVIRONMENT, "shard": {"part": number, "of": of}, **header}
    lines = (first, {"type": "line"}, *([] if footer is None else [footer]))
    return RecordedLines(Path(name or f"{number}.jsonl"), lines, "killed" if footer is None else None, "")


def numbers(parts: list[RecordedLines]) -> list[int]:
    return [each.header["shard"]["part"] for each in parts]


# Together ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [(1, 2, 3), (3, 2, 1), (2, 3, 1), (3, 1), (2,)])
def test_parts_are_in_the_order_of_their_numbers(given: tuple[int, ...]) -> None:
    assert numbers(in_order([part(number) for number in given], changes_of_headers)) == sorted(given)


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([part(1), part(2), part(1, name="again.jsonl")], "part 1 of 3 is there twice: '1.jsonl' and 'again.jsonl'"),
        ([part(1), part(2, of=4)], "'2.jsonl' is a part of another run than '1.jsonl' (3 parts there, 4 here)"),
        ([part(1), part(2), part(3, seed=1)], "'3.jsonl' is a part of another run than '1.jsonl' (seed: none there, 1"),
        ([part(1), part(2, shard=None)], "'2.jsonl' is the record of a whole run, and no part of one"),
        ([part(1), part(2, merged=[{}, {}])], "'2.jsonl' was merged of 2 parts already"),
        ([part(1), part(0)], "'0.jsonl' line 1 is not that of a record: 'shard' is {'part': 0, 'of': 3}"),
        ([part(4)], "'shard' is {'part': 4, 'of': 3}"),
        ([part("1")], "'shard' is {'part': '1', 'of': 3}"),
        ([part(1, of=None)], "'shard' is {'part': 1, 'of': None}"),
        ([part(1, shard="1/3")], "'shard' is '1/3'"),
        (
            [part(1), part(2, environment={**ENVIRONMENT, "tokconf": "0.9"})],
            "(tokconf 1.0 there, 0.9 here)",
        ),
        (
            [part(1), part(2, environment={**ENVIRONMENT, "tokconf": "1.1"})],
            "(tokconf 1.0 there, 1.1 here)",
        ),
        ([part(1), part(2, environment={})], "'2.jsonl' line 1 is not that of a record: it has no 'tokconf'"),
    ],
)
def test_what_does_not_belong_together_is_told(parts: list[RecordedLines], told: str) -> None:
    with pytest.raises(BadInputError) as caught:
        in_order(parts, changes_of_headers)
    assert told in str(caught.value)


@pytest.mark.parametrize(("differing", "more"), [(CHANGES_SHOWN, 0), (CHANGES_SHOWN + 1, 1), (CHANGES_SHOWN + 9, 9)])
def test_of_many_changes_the_first_are_told_and_the_others_counted(differing: int, more: int) -> None:
    other = part(2, **{f"member {number}": number for number in range(differing)})
    with pytest.raises(BadInputError) as caught:
        in_order([part(1), other], changes_of_headers)
    assert str(caught.value).count(" there, ") == CHANGES_SHOWN
    assert (f"; and {more} more" in str(caught.value)) is bool(more)
    assert ("more)" in str(caught.value)) is bool(more)


# Missing -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([part(1), part(2), part(3)], []),
        ([part(1), part(2, footer=BROKEN), part(3)], []),
        ([part(1), part(2)], ["part 3 of 3 is missing"]),
        ([part(2), part(3)], ["part 1 of 3 is missing"]),
        ([part(2, of=9), part(7, of=9)], ["parts 1, 3-6, 8-9 of 9 are missing"]),
        (
            [part(1), part(2, footer=None), part(3)],
            ["part 2 of 3, '2.jsonl', is not whole: its run was killed: killed"],
        ),
        (
            [part(1), part(3, footer=INTERRUPTED)],
            ["part 2 of 3 is missing", "part 3 of 3, '3.jsonl', is not whole: its run was interrupted (line 3)"],
        ),
    ],
)
def test_each_part_that_is_missing_or_not_whole_is_told(parts: list[RecordedLines], told: list[str]) -> None:
    assert missing(parts) == told


def test_an_empty_reason_of_a_cut_is_a_cut_too() -> None:
    assert state_of(RecordedLines(Path("1.jsonl"), ({"type": "header"},), "", "")) == "its run was killed: "


# All that headers say ------------------------------------------------------------------------------------------------

OF_A_PART = {"schema", "version", "environment", "shard", "merged"}
"""What the headers of parts need not have in common."""

FOLLOWING: dict[type[msgspec.Struct], set[str]] = {
    run.Header: set(),
    suite_run.Header: {"requirements", "cases", "not_asked", "words", "repeated"},
    fuzz.Header: set(),
    metrics.Header: set(),
    offsets_audit.Header: set(),
    cuts.Header: set(),
    snapshot.Header: set(),
}
"""What is told by other members, or is only about how to repeat."""

CHANGES: dict[type[msgspec.Struct], Callable[[Json, Json], list[str]]] = {
    run.Header: changes_of_parts,
    suite_run.Header: changes_of_suites,
    fuzz.Header: changes_of_searches,
    metrics.Header: changes_of_metrics,
    offsets_audit.Header: changes_of_audits,
    cuts.Header: changes_of_headers,
    snapshot.Header: changes_of_headers,
}

VALUES: dict[str, tuple[object, object]] = {
    "implementations": ([{"name": "a", "version": "1"}], [{"name": "a", "version": "2"}]),
    "tokenizers": ([{"name": "a", "sha256": "1", "file": "a"}], [{"name": "a", "sha256": "2", "file": "a"}]),
    "inputs": ({"count": 1, "sha256": "1"}, {"count": 1, "sha256": "2"}),
    "ledgers": ([{"name": "a", "sha256": "1"}], [{"name": "a", "sha256": "2"}]),
    "repeats": ({"name": "a", "sha256": "1"}, {"name": "a", "sha256": "2"}),
    "options": ({"timeout": 1}, {"timeout": 2}),
}
"""Two values of members that are no single values; of a tokenizer the name is the same, and the file another."""

MEMBERS = [
    (header, name)
    for header, following in FOLLOWING.items()
    for name in header.__struct_encode_fields__
    if name not in OF_A_PART | following
]


def headers_with(header: type[msgspec.Struct], name: str) -> tuple[Json, Json]:
    """Return two headers with other values of the member ``name``."""
    names = [each for each in header.__struct_encode_fields__ if each not in {"shard", "merged"}]
    one = {each: VALUES.get(each, (["a"], ["b"]))[0] for each in names} | {"environment": ENVIRONMENT}
    return one, {**one, name: VALUES.get(name, (["a"], ["b"]))[1]}


@pytest.mark.parametrize(("header", "name"), MEMBERS, ids=[f"{header.__module__}-{name}" for header, name in MEMBERS])
def test_parts_have_all_in_common_that_their_headers_say(header: type[msgspec.Struct], name: str) -> None:
    one, other = headers_with(header, name)
    assert CHANGES[header](one, json.loads(json.dumps(one))) == []
    assert len(CHANGES[header](one, other)) == 1
    assert len(CHANGES[header](other, one)) == 1


@pytest.mark.parametrize("header", FOLLOWING)
def test_parts_are_of_one_version(header: type[msgspec.Struct]) -> None:
    one, other = headers_with(header, "environment")
    told = CHANGES[header](one, {**other, "environment": {**ENVIRONMENT, "tokconf": "0.9"}})
    assert [each.partition(" there")[0].partition(" then")[0] for each in told] == ["tokconf 1.0"]


def test_files_of_parts_of_an_audit_may_lie_elsewhere() -> None:
    one, _ = headers_with(offsets_audit.Header, "tokenizers")
    elsewhere = {**one, "tokenizers": [{**each, "file": "elsewhere"} for each in one["tokenizers"]]}
    assert changes_of_audits(one, elsewhere) == []
