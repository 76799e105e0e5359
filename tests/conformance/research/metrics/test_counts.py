"""Counts of neighbours, one after the other, are those of all: nothing is lost, nothing counted twice."""

from __future__ import annotations

from tokenizer_conformance.research.metrics.counts import EXAMPLES, Bad, Counts, Failure, Failures, merged


def failures(*ids: str, kind: str = "error") -> Failures:
    found = Failures()
    for each in ids:
        found.add(Failure(each, kind, "no"))
    return found


def counts(cut: Failures, decoded: Failures) -> Counts:
    found = Counts([frozenset()])
    found.failures[0].merge(cut)
    found.decoding[0].merge(decoded)
    return found


def test_failures_to_cut_and_to_decode_are_added_with_the_first_examples() -> None:
    parts = [
        counts(failures("a", "b"), failures("c")),
        counts(failures("d", "e", "f", kind="crash"), failures("g", "h", "i", "j")),
        counts(failures("k"), failures()),
    ]
    whole = merged(parts)
    assert isinstance(whole, Counts)
    (cut,), (decoded,) = whole.failures, whole.decoding
    assert (cut.kinds, decoded.kinds) == ({"error": 3, "crash": 3}, {"error": 5})
    assert [each.id for each in cut.examples] == ["a", "b", "d"]
    assert [each.id for each in decoded.examples] == ["c", "g", "h"]
    assert len(cut.examples) == len(decoded.examples) == EXAMPLES


def test_one_bad_answer_makes_all_bad() -> None:
    bad = Bad(3, "cut off")
    assert merged([counts(failures("a"), failures()), bad, counts(failures(), failures())]) is bad
