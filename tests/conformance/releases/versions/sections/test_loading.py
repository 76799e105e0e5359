from __future__ import annotations

from typing import TYPE_CHECKING

from faulty_releases import faulty, refusing

from tokenizer_conformance.inputs.random_tokenizers.complete_documents import COMPLETE_DOCUMENTS, focus
from tokenizer_conformance.releases.versions.sections.documents import (
    of_older_forms,
    of_the_suite,
    with_every_option,
    with_one_thing_wrong,
)
from tokenizer_conformance.releases.versions.sections.loading import Refusal, loaded
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from tokenizer_conformance.releases.versions.facts import Release

LOWERCASE = {"type": "Lowercase"}
MODEL = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
DOCUMENTS = {"plain": {"model": MODEL}, "lowercase": {"model": MODEL, "normalizer": LOWERCASE}, "nothing": {}}


def test_words_are_the_same_wherever_the_file_is(installed: Release) -> None:
    first, second = (dict(loaded(faulty(installed, refusing("Lowercase")), DOCUMENTS)) for _ in range(2))
    assert first["lowercase"] == second["lowercase"] == Refusal("no Lowercase today at ADDRESS")
    assert isinstance(first["nothing"], Refusal)
    assert first["nothing"] == second["nothing"]
    assert not isinstance(first["plain"], Refusal)


def test_a_panic_is_told_as_one(installed: Release) -> None:
    bad = {"model": MODEL, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "!"}}
    ((_, found),) = loaded(installed, {"bad": bad})
    assert isinstance(found, Refusal)
    assert found.words.startswith("panics: ")


def test_every_component_comes_with_every_value_of_its_flags() -> None:
    documents = with_every_option()
    components = {
        (focus(name), part["type"])
        for name, document in documents.items()
        if isinstance(part := document[focus(name)], dict) and "type" in part
    }
    complete = {(focus(name), document[focus(name)].get("type")) for name, document in COMPLETE_DOCUMENTS.items()
                if isinstance(document[focus(name)], dict)}  # fmt: skip
    assert {each for each in complete if each[1] is not None} == components
    flags = [
        document["added_tokens"][0] for name, document in documents.items() if name.startswith("added_tokens with")
    ]
    assert len({tuple(token.items()) for token in flags}) == 32
    byte_level = [document["pre_tokenizer"] for document in documents.values() if _is_byte_level(document)]
    assert {each["trim_offsets"] for each in byte_level} == {True, False}


def _is_byte_level(document: dict[str, object]) -> bool:
    part = document.get("pre_tokenizer")
    return isinstance(part, dict) and part.get("type") == "ByteLevel"


def test_documents_of_each_kind_are_there() -> None:
    wrong, older, suite = with_one_thing_wrong(), of_older_forms(), of_the_suite(read_suite())
    assert wrong["normalizer 1 Strip: strip_left missing"]["normalizer"] == {"type": "Strip", "strip_right": False}
    assert wrong["whole: model null"]["model"] is None
    assert older["whole: merges as strings"]["model"]["merges"] == ["a b", "ab a"]
    assert "truncation" not in older["whole without truncation"]
    assert "FILE-VERSION/5 step 4" in suite
    assert len({**wrong, **older, **suite}) == len(wrong) + len(older) + len(suite)


def test_documents_of_the_suite_are_those_of_the_areas_about_loading() -> None:
    suite = read_suite()
    documents = of_the_suite(suite)
    of_areas = {
        is_loading: {
            f"{area.name}/{name}"
            for area in suite.areas
            if (area.stage == "load") is is_loading
            for name in area.tokenizers
        }
        for is_loading in (True, False)
    }
    assert of_areas[True]
    assert of_areas[True] <= set(documents)
    assert not of_areas[False] & set(documents)
