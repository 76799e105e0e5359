"""Files that are not loaded, of the kinds that people report: the place, the component, the releases, what to do."""

from __future__ import annotations

import copy
import json
from enum import Enum
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import CannotLoadError, ImplementationInfo, TokenizerSource
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.comparison.asking import NotLoadedError, loaded
from tokenizer_conformance.comparison.document_parts import at, path_of, path_text, with_part
from tokenizer_conformance.comparison.loading_errors import FORMS, faults_of, why_not_loaded
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.releases.known_changes.reader import known_changes

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.comparison.loading_errors import Form
    from tokenizer_conformance.releases.known_changes.change import KnownChange


class Member(Enum):
    """What is done with a member of a file."""

    MISSING = "missing"


MISSING = Member.MISSING

UNTAGGED = "data did not match any variant of untagged enum"

WRONG: list[tuple[str, str, Any, str, str, str]] = [
    # A bundled tokenizer, a path in it, what stands there; the path that is named, in what, and what else is said.
    ("gpt2-mini", "$.model.type", None, "$.model.type", "in the model", 'write "BPE" there; so the file loads'),
    ("gpt2-mini", "$.model.type", "BBPE", "$.model.type", "in the model BBPE", 'write "BPE" there'),
    ("gpt2-mini", "$.model.vocab", MISSING, "$.model", "in the model BPE", 'add "vocab"'),
    ("gpt2-mini", "$.model.merges", MISSING, "$.model", "in the model BPE", 'add "merges"'),
    ("gpt2-mini", "$.model.merges[5]", "a b", "$.model.merges[5]", "in the model BPE", "expected a pair of tokens"),
    ("gpt2-mini", "$.model.merges[5]", ["zq", "b"], "$.model.merges[5]", "in the model BPE", "take the merge out"),
    ("gpt2-mini", "$.model.dropout", "0.1", "$.model.dropout", "in the model BPE", "expected a number"),
    ("gpt2-mini", "$.model.vocab.a", 1.5, "$.model.vocab.a", "in the model BPE", "expected a whole number"),
    (
        "gpt2-mini",
        "$.pre_tokenizer",
        {"type": "Fancy"},
        "$.pre_tokenizer.type",
        "Fancy",
        "No release of tokenizers up to",
    ),
    ("gpt2-mini", "$.pre_tokenizer.add_prefix_space", "no", "$.pre_tokenizer.add_prefix_space", "ByteLevel", "boolean"),
    (
        "gpt2-mini",
        "$.decoder",
        {"type": "Nope"},
        "$.decoder.type",
        "in the decoder Nope",
        "No release of tokenizers up",
    ),
    ("gpt2-mini", "$.version", "2.0", "$.version", "", 'write "1.0"'),
    ("gpt2-mini", "$.chat_template", "{{x}}", "$.chat_template", "", "take the key out"),
    ("gpt2-mini", "$.added_tokens", None, "$.added_tokens", "", "expected an array, found null"),
    (
        "gpt2-mini",
        "$.added_tokens[0].normalized",
        MISSING,
        "$.added_tokens[0]",
        'in the added token "<|endoftext|>"',
        'add "normalized" ("normalized": Whether it is searched for in the normalized text)',
    ),
    ("bert-mini", "$.model.unk_token", MISSING, "$.model", "in the model WordPiece", 'add "unk_token"'),
    ("bert-mini", "$.post_processor.special_tokens", MISSING, "$.post_processor", "Template", 'add "special_tokens"'),
    ("bert-mini", "$.padding", {"strategy": "longest"}, "$.padding.strategy", "", 'write "BatchLongest", or {"Fixed"'),
    ("t5-mini", "$.model.unk_id", 10**6, "$.model.unk_id", "in the model Unigram", "write the index of the unknown"),
    ("t5-mini", "$.model.vocab", {"a": 0}, "$.model.vocab", "in the model Unigram", "expected an array"),
    (
        "llama-mini",
        "$.pre_tokenizer",
        {"type": "Metaspace", "replacement": "_", "add_prefix_space": False},
        "$.pre_tokenizer.add_prefix_space",
        "in the pre-tokenizer Metaspace",
        'tokenizers 0.15.2 is the last release that loads it. To do: add "prepend_scheme": "never"',
    ),
]


def wrong(folder: Path, name: str, path: str, value: Any) -> TokenizerSource:
    document = json.loads(bundled_file(name).read_text("utf-8"))
    *parents, last = path_of(path)
    if value is MISSING:
        document = with_part(document, path_of(path), None)
        del at(document, tuple(parents))[last]
    else:
        document = with_part(document, path_of(path), value)
    file = folder / "tokenizer.json"
    file.write_text(json.dumps(document), "utf-8")
    return TokenizerSource("wrong", str(file))


def refusal(source: TokenizerSource) -> NotLoadedError:
    with pytest.raises(NotLoadedError) as caught:
        loaded(select("tokenizers", Isolation()).build(), source)
    return caught.value


def refused_by(name: str, version: str, words: str, source: TokenizerSource, *, unsupported: bool = False) -> str:
    known = select("tokenizers", Isolation()).build().info
    values = {each: getattr(known, each) for each in ImplementationInfo.__dataclass_fields__}
    info = ImplementationInfo(**{**values, "name": name, "version": version})
    return why_not_loaded(NotLoadedError(CannotLoadError(words, unsupported=unsupported), info, source))


@pytest.mark.parametrize(("name", "path", "value", "named", "of", "said"), WRONG, ids=lambda value: str(value)[:24])
def test_what_is_wrong_is_said_with_its_path_and_what_to_do(
    tmp_path: Path, name: str, path: str, value: Any, named: str, of: str, said: str
) -> None:
    error = refusal(wrong(tmp_path, name, path, value))
    told = why_not_loaded(error)
    assert told.startswith(str(error))
    assert named not in str(error)
    added = told.removeprefix(str(error))
    assert added.startswith(f". In the file, {named}{' (' if of else ':'}")
    assert of in added
    assert said in added
    assert " To do: " in added


def test_a_remedy_that_names_a_type_was_tried(tmp_path: Path) -> None:
    source = wrong(tmp_path, "gpt2-mini", "$.model.type", None)
    (fault,) = faults_of(source.file)
    assert '"BPE"' in fault.to_do
    document = json.loads(bundled_file("gpt2-mini").read_text("utf-8"))
    document["model"] |= {"type": None, "dropout": "no"}
    (tmp_path / "tokenizer.json").write_text(json.dumps(document), "utf-8")
    (fault,) = faults_of(source.file)
    assert "so the file loads" not in fault.to_do  # with "BPE" it would be refused for its dropout


@pytest.mark.parametrize("name", ["gpt2-mini", "t5-mini"])
def test_what_loads_has_no_fault(name: str) -> None:
    assert faults_of(str(bundled_file(name)), "some words", "0.23.3") == ()


def test_what_is_no_json_has_no_fault_here(tmp_path: Path) -> None:
    for content in (b"", b"{", b"[]", b"\xff", b"[" * 100_000):
        (tmp_path / "tokenizer.json").write_bytes(content)
        assert faults_of(str(tmp_path / "tokenizer.json")) == ()
    assert faults_of(str(tmp_path / "absent")) == ()


def test_others_may_have_reasons_of_their_own(tmp_path: Path) -> None:
    source = wrong(tmp_path, "gpt2-mini", "$.model.type", None)
    assert refused_by("peer", "1", "it reads WordPiece alone", source) == "it reads WordPiece alone"
    assert refused_by("tokenizers", "0.23.3", "no such file", source, unsupported=True) == "no such file"
    assert "$.model.type" in refused_by("mine", "1", f"{UNTAGGED} ModelWrapper at line 1 column 2", source)


def test_the_reference_is_not_told_twice(tmp_path: Path) -> None:
    source = wrong(tmp_path, "gpt2-mini", "$.model.type", None)
    with pytest.raises(NotLoadedError) as caught:
        loaded(select("reference", Isolation()).build(), source)
    told = why_not_loaded(caught.value)
    assert told.count("expected the name of a model, found null") == 1
    assert told.endswith('. To do: write "BPE" there; so the file loads')


# Forms that only some releases load ----------------------------------------------------------------------------------

OLD: list[tuple[str, str, Any, str, str, str, str]] = [
    ("gpt2-mini", "$.version", "1.0", "0.19.1", "$.model.merges", "ModelWrapper", "0.20.0 is the first release"),
    ("t5-mini", "$.version", "1.0", "0.15.2", "$.pre_tokenizer", "PyPreTokenizerTypeWrapper", "0.19.0 is the first"),
    (
        "bert-mini",
        "$.normalizer",
        {"type": "ByteLevel"},
        "0.19.1",
        "$.normalizer",
        "PyNormalizer",
        "0.20.0 is the first",
    ),
    (
        "bert-mini",
        "$.pre_tokenizer",
        {"type": "Sequence", "pretokenizers": [{"type": "FixedLength", "length": 5}]},
        "0.21.1",
        "$.pre_tokenizer.pretokenizers[0]",
        "PreTokenizerTypeWrapper",
        "0.21.2 is the first release that loads it",
    ),
    (
        "bert-mini",
        "$.normalizer",
        [],
        "0.19.1",
        "$.normalizer",
        "Normalizer",
        "Only tokenizers 0.20.0 to 0.21.1 load it",
    ),
]


@pytest.mark.parametrize(("name", "path", "value", "release", "named", "enum", "said"), OLD)
def test_an_older_release_is_told_which_is_the_first(
    tmp_path: Path, name: str, path: str, value: Any, release: str, named: str, enum: str, said: str
) -> None:
    source = wrong(tmp_path, name, path, value)
    words = f"tokenizers cannot load wrong: {UNTAGGED} {enum} at line 1 column 9"
    for selected in ("tokenizers", f"tokenizers=={release}"):
        told = refused_by(selected, release, words, source)
        assert f". In the file, {named} (" in told
        assert said in told
        assert told.count("In the file") == 1
    assert said not in refused_by("transformers", release, words, source) or value == []


def test_a_release_that_loads_a_form_is_not_told_that_a_newer_one_does_not(tmp_path: Path) -> None:
    metaspace = {"type": "Metaspace", "replacement": "_", "add_prefix_space": False}
    source = wrong(tmp_path, "llama-mini", "$.pre_tokenizer", metaspace)
    words = f"{UNTAGGED} ModelWrapper at line 1 column 9"
    assert "$.model.merges" in refused_by("tokenizers", "0.15.2", words, source)
    assert "Metaspace" not in refused_by("tokenizers", "0.15.2", words, source)
    assert "Metaspace" in refused_by("tokenizers", "0.19.1", words, source)


@pytest.mark.parametrize(
    ("value", "what", "releases"),
    [
        (0, "a dropout of 0", "tokenizers 0.20.0 is the first release that loads it"),
        (0.0, "a dropout of 0", "tokenizers 0.20.0 is the first release that loads it"),
        (False, "expected a number, found a boolean", ""),  # which no release loads
        (0.5, None, None),
        (None, None, None),
    ],
)
def test_only_the_number_0_is_a_dropout_that_older_releases_refuse(
    tmp_path: Path, value: object, what: str | None, releases: str | None
) -> None:
    source = wrong(tmp_path, "gpt2-mini", "$.model.dropout", value)
    merges, *others = faults_of(source.file, f"{UNTAGGED} ModelWrapper", "0.19.1")
    assert path_text(merges.path) == "$.model.merges"
    told = [] if what is None else [("$.model.dropout", what, releases)]
    assert [(path_text(each.path), each.what, each.releases) for each in others] == told


def test_a_token_that_the_normalizer_removes_is_named_by_its_own_words_alone(tmp_path: Path) -> None:
    document = json.loads(bundled_file("bert-mini").read_text("utf-8"))
    document["added_tokens"][0]["normalized"] = True
    (tmp_path / "tokenizer.json").write_text(json.dumps(document), "utf-8")
    source = TokenizerSource("wrong", str(tmp_path / "tokenizer.json"))
    panic = "tokenizers panics: assertion failed: pattern.len() must be >= 1"
    assert "0.23.1 refuses it; releases before, and from 0.23.2 on" in refused_by("tokenizers", "0.23.1", panic, source)
    assert refused_by("tokenizers", "0.23.1", "other words", source) == "other words"
    assert refused_by("tokenizers", "0.23.3", panic, source) == panic


OF_WORDS_ALONE = frozenset(
    {"model-refusals-name-the-cause", "component-refusals-name-the-cause", "refused-number-has-a-signed-exponent"}
)
"""Known changes that say in other words what is refused before and after."""


def test_forms_are_the_known_changes_of_what_is_loaded() -> None:
    loading = {
        change.id: change
        for change in known_changes().changes
        if change.selector is not None and "load" in change.selector.stages
    }
    forms = {form.change: form for form in FORMS}
    assert forms.keys() == loading.keys() - OF_WORDS_ALONE
    assert {id_: _bounds(form) for id_, form in forms.items()} == {id_: _as_known(loading[id_]) for id_ in forms}


def _bounds(form: Form) -> tuple[str | None, str | None, tuple[str, str] | None]:
    return form.first, form.last, form.refused


def _as_known(change: KnownChange) -> tuple[str | None, str | None, tuple[str, str] | None]:
    assert change.selector is not None
    if change.selector.old is not None:  # the older releases refuse
        return change.since, change.last, None
    return (None, change.before, None) if change.until is None else (None, None, (change.since, change.until))


def test_paths_are_read_as_they_are_written() -> None:
    for path in (("model", "vocab", 'a"\\.[1]', 0), ("é", "a b"), (), ("added_tokens", 3, "id")):
        assert path_of(path_text(path)) == path


def test_a_file_that_changes_is_looked_into_again(tmp_path: Path) -> None:
    source = wrong(tmp_path, "gpt2-mini", "$.model.type", None)
    assert [path_text(each.path) for each in faults_of(source.file)] == ["$.model.type"]
    document = copy.deepcopy(json.loads(bundled_file("gpt2-mini").read_text("utf-8")))
    del document["model"]["vocab"]
    (tmp_path / "tokenizer.json").write_text(json.dumps(document), "utf-8")
    assert [path_text(each.path) for each in faults_of(source.file)] == ["$.model"]
