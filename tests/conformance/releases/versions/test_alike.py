from __future__ import annotations

from msgspec.structs import replace

from tokenizer_conformance.releases.versions.alike import AlikeChanges, alike
from tokenizer_conformance.results.records.headers import EntryReference
from tokenizer_conformance.results.records.versions import Fact, SectionChange


def change(name: str, old: str | None, new: str | None, since: str = "2") -> SectionChange:
    facts = [None if value is None else Fact(value=value, shown=f"{value} ({name})") for value in (old, new)]
    return SectionChange(name=name, until="1", since=since, old=facts[0], new=facts[1])


def refusals(*changes: SectionChange) -> tuple[AlikeChanges, ...]:
    return alike("refusals", changes)


def test_changes_from_and_to_the_same_values_are_one() -> None:
    changes = [change("a", "loads", "refused"), change("b", "refused", "loads"), change("c", "loads", "refused")]
    groups = refusals(*changes)
    assert [[each.name for each in group.changes] for group in groups] == [["a", "c"], ["b"]]
    assert groups[0].first is changes[0]


def test_changes_of_other_releases_are_others() -> None:
    assert len(refusals(change("a", "x", "y"), change("b", "x", "y", since="3"))) == 2


def test_what_came_or_went_is_told_by_name() -> None:
    assert len(refusals(change("a", None, "method"), change("b", None, "method"), change("c", "method", None))) == 3


def test_json_that_got_the_same_field_is_alike() -> None:
    changes = [
        change("a", '{"type": "BPE", "dropout": 1}', '{"type": "BPE", "dropout": 1, "ignore_merges": false}'),
        change("b", '{"type": "BPE", "dropout": 2}', '{"type": "BPE", "dropout": 2, "ignore_merges": false}'),
        change("c", '{"type": "BPE", "dropout": 2}', '{"type": "BPE", "dropout": 3}'),
    ]
    groups = refusals(*changes)
    assert [group.told for group in groups] == ["ignore_merges=false is new", "dropout=2 -> 3"]
    assert [len(group.changes) for group in groups] == [2, 1]


def test_what_is_told_of_words() -> None:
    assert refusals(change("a", "loads", None))[0].told == "loads (a) -> nothing"
    assert refusals(change("a", "1", "2"))[0].told == "1 (a) -> 2 (a)"


def test_what_was_no_json_is_alike_by_its_kind() -> None:
    changes = [
        change(name, "is not loaded", f'{{"number": {number}}}')
        for number, name in enumerate(("model 1", "model 2", "decoder 1"))
    ]
    assert [[each.name for each in group.changes] for group in refusals(*changes)] == [
        ["model 1", "model 2"],
        ["decoder 1"],
    ]


def test_cases_of_a_requirement_are_alike() -> None:
    changes = [
        change("STRIP-LEFT/1", "failed: text differs", "passed"),
        change("STRIP-LEFT/2", "failed: ids differ", "passed"),
        change("STRIP-LEFT/3", "passed", "failed: text differs"),
        change("STRIP-RIGHT/1", "failed: text differs", "passed"),
    ]
    assert [len(group.changes) for group in alike("suite", changes)] == [2, 1, 1]


def test_json_arrays_are_told_by_the_places_that_differ() -> None:
    changes = [
        change("flag a", '[{"rstrip": true, "id": 1}]', '[{"rstrip": false, "id": 1}]'),
        change("flag b", '[{"rstrip": true, "id": 2}]', '[{"rstrip": false, "id": 2}]'),
        change("longer", "[1]", "[1, 2]"),
    ]
    assert [(group.told, len(group.changes)) for group in refusals(*changes)] == [
        ("[0].rstrip=true -> false", 2),
        ("[1] (longer) -> [1, 2] (longer)", 1),
    ]


def test_what_a_ledger_knows_is_apart_and_comes_last() -> None:
    known = replace(change("a", "loads", "refused"), known=EntryReference(ledger=0, entry=1, line=None))
    groups = refusals(known, change("b", "loads", "refused"))
    assert [[each.name for each in group.changes] for group in groups] == [["b"], ["a"]]
