"""The answer that comes first: whether ids change on files, by name, and what else breaks."""

from __future__ import annotations

from tokenizer_conformance.releases.versions.answer import Upgrade
from tokenizer_conformance.results.records.versions import Changed, DifferingSource, Source, Truncated

SOURCES = (
    Source(name="", inputs=100),
    Source(name="a.txt", inputs=3),
    Source(name="b.txt", inputs=5),
)


def differing(source: int, **changed: int) -> DifferingSource:
    return DifferingSource(source=source, changed={Changed[name.upper()]: count for name, count in changed.items()})


def parts(whole: dict[str, tuple[DifferingSource, ...]], **more: object) -> list[str]:
    given: dict[str, object] = {"cut": {}, "truncated": (), "lost": (), "sources": SOURCES}
    return list(Upgrade(old="1.0", whole=whole, **(given | more)).parts())  # type: ignore[arg-type]


def test_files_are_named_whether_ids_change_on_them_or_not() -> None:
    found = parts({"bert": (differing(0, ids=4), differing(2, ids=1, offsets=2)), "gpt2": (differing(2, ids=2),)})
    assert (
        found[0] == "ids change on 1 of 2 files (b.txt (3 inputs); not on a.txt) and on bert 4 of 100 built-in inputs"
    )
    assert found[1] == "offsets alone change on 2 inputs (bert 2)"
    assert found[-2] == "nothing fails to load"
    assert found[-1] == "to do: tokenize stored ids of such texts anew, or stay with 1.0, compute stored offsets anew"


def test_where_nothing_changes_that_is_said_first() -> None:
    assert parts({"bert": ()}) == [
        "ids change on 0 of 2 files (the same on a.txt, b.txt) and on none of 100 built-in inputs",
        "offsets alone change on none",
        "nothing fails to load",
        "to do: nothing, as far as these inputs show",
    ]


def test_what_does_not_load_is_named_with_what_to_do() -> None:
    found = parts({"bert": ()}, lost=("bert",))
    assert found[-2:] == [
        "not loaded any more: bert",
        "to do: save bert anew with a release that loads it, or stay with 1.0",
    ]


def test_each_kind_of_change_is_said_where_there_is_any() -> None:
    found = parts({"bert": (differing(0, answer=1, decoded=2, inside=3, other=4),)})
    assert {
        "one of the two gives no answer on 1 input (bert 1)",
        "the same ids are decoded to another text on 2 inputs (bert 2)",
        "only the normalized text or its pieces change on 3 inputs (bert 3)",
        "masks, types or numbers of words change on 4 inputs (bert 4)",
    } <= {*found}
    assert found[0].endswith("none of 100 built-in inputs")
    assert found[-1].endswith("check what reads decoded texts, check what reads masks, types or numbers of words")


def test_truncation_is_told_apart() -> None:
    copy = Truncated(name="bert (truncated)", sha256="0" * 64, of="bert", max_length=16, stride=2)
    told = "with truncation (16 tokens, stride 2)"
    assert f"{told} nothing else changes" in parts({"bert": ()}, truncated=(copy,))
    cut = {"bert": (differing(1, overflowing=3),)}
    found = parts({"bert": ()}, truncated=(copy,), cut=cut)
    assert f"{told}, what is cut off changes as well on 3 inputs (bert 3)" in found
    assert found[-1] == "to do: check what reads the windows of long texts (overflowing, stride)"


def test_ids_of_truncated_texts_are_named_with_what_to_do() -> None:
    copy = Truncated(name="bert (truncated)", sha256="0" * 64, of="bert", max_length=16, stride=2)
    cut = {"bert": (differing(0, ids=3, overflowing=2),)}
    told = parts({"bert": ()}, truncated=(copy,), cut=cut)
    ids = "with truncation (16 tokens, stride 2), ids change as well on 3 inputs (bert 3)"
    assert f"{ids} and what is cut off changes as well on 2 inputs (bert 2)" in told
    assert told[0].endswith("on none of 100 built-in inputs")
    assert told[-1].startswith("to do: tokenize stored ids of truncated texts anew, or stay with 1.0, check what reads")
    both = parts({"bert": (differing(0, ids=1),)}, truncated=(copy,), cut=cut)
    assert both[-1].startswith("to do: tokenize stored ids of such texts anew")


def test_a_record_without_sources_still_says_what_does_not_load() -> None:
    assert parts({"bert": ()}, sources=()) == ["nothing fails to load"]
