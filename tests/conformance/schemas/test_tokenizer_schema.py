"""The JSON Schema of tokenizer.json: real and changed files, what a schema cannot say, and schemas that are wrong.

The default run takes a sample of the changed files, and two published files; the slow one all.
"""

from __future__ import annotations

import copy
import importlib.resources
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from in_one_test import in_one_test
from jsonschema import Draft202012Validator
from mutations import Mutation, mutations
from schema_agreement import (
    KINDS,
    Agreement,
    Answer,
    agreement,
    answer_of_schema,
    explanations,
    groups_of_documents,
    numbered,
    random_documents,
)

from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.random_tokenizers.complete_documents import (
    ADDED_TOKEN,
    BERT,
    COMPLETE_DOCUMENTS,
    METASPACE,
    MODEL,
    TRUNCATION,
    focus,
)
from tokenizer_conformance.inputs.tokenizer_schema import FILE, tokenizer_json_schema
from tokenizer_reference.decoders.base import DECODER
from tokenizer_reference.models.base import MODEL as MODELS
from tokenizer_reference.normalizers.base import NORMALIZER
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER
from tokenizer_reference.processors.base import POST_PROCESSOR

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_reference.stage import Stage

SCHEMA = tokenizer_json_schema()
VALIDATOR = Draft202012Validator(SCHEMA)


def accepts(document: Any) -> bool:
    return VALIDATOR.is_valid(document)


def with_part(key: str, part: Any) -> dict[str, Any]:
    return {"model": MODEL, key: part}


# The schema as a document ---------------------------------------------------------------------------------------------


def test_it_is_a_schema_and_is_written_in_one_way() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    text = (importlib.resources.files("tokenizer_conformance") / "schemas" / FILE).read_text(encoding="utf-8")
    assert text == json.dumps(SCHEMA, indent=2) + "\n"


STAGES: dict[str, Stage[Any]] = {
    "normalizers": NORMALIZER,
    "pre_tokenizers": PRE_TOKENIZER,
    "models": MODELS,
    "processors": POST_PROCESSOR,
    "decoders": DECODER,
}


def test_every_component_has_a_definition_that_explains_it_and_its_options() -> None:
    expected = {f"{stage}.{name}" for stage, components in STAGES.items() for name in components.names}
    definitions = SCHEMA["$defs"]
    assert {name for name in definitions if re.search(r"\.[A-Z]", name)} == expected
    for name, definition in definitions.items():
        assert definition["title"], name
        assert definition["description"].endswith("."), name
    for name in expected:
        for option, schema in definitions[name].get("properties", {}).items():
            assert "description" in schema or "$ref" in schema or option == "type", f"{name}: {option}"


def test_every_definition_is_used_and_every_reference_is_defined() -> None:
    used = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(SCHEMA)))
    assert used == set(SCHEMA["$defs"])


# Files that are loaded ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", bundled_names())
def test_bundled_files_are_accepted(name: str) -> None:
    assert accepts(json.loads(bundled_file(name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("names", [("bert-base-cased", "t5-small"), pytest.param(("*",), marks=pytest.mark.slow)])
def test_published_files_are_accepted(shared: Path, names: tuple[str, ...]) -> None:
    files = sorted(file for name in names for file in (shared / "tokenizers").glob(f"{name}/tokenizer.json"))
    assert len(files) >= len(names)
    assert [file for file in files if not accepts(json.loads(file.read_text(encoding="utf-8")))] == []


OLD_METASPACE = {"type": "Metaspace", "replacement": "_", "str_rep": "_", "add_prefix_space": True}
OLDER_FORMS: dict[str, Any] = {
    "merges as texts": {"model": {"type": "BPE", "vocab": {"a": 0, "aa": 1}, "merges": ["#version: 0.2", "a a"]}},
    "a model without type": {"model": {"vocab": {"a": 0}, "unk_token": "a"}},
    "no optional part at all": {"model": MODEL},
    "a truncation without direction": with_part(
        "truncation", {"max_length": 5, "strategy": "LongestFirst", "stride": 0}
    ),
    "a Metaspace of old": with_part("pre_tokenizer", OLD_METASPACE),
    "a ByteLevel without use_regex": with_part(
        "decoder", {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}
    ),
    "a component known by its options": with_part("normalizer", {"strip_left": True, "strip_right": True}),
    "an array for a component": with_part("normalizer", ["a"]),
    "an array for a truncation": with_part("truncation", ["Left", 5, "OnlyFirst", 2]),
    "a name as an object": with_part("pre_tokenizer", {"type": {"Punctuation": None}, "behavior": {"Isolated": None}}),
    "an unknown key in a component": with_part("decoder", {"type": "Fuse", "unknown": 1}),
    "parts that are null": {"model": MODEL, "truncation": None, "padding": None, "normalizer": None, "decoder": None},
}


@in_one_test("name", OLDER_FORMS)
def test_older_and_looser_forms_are_accepted(name: str) -> None:
    assert accepts(OLDER_FORMS[name])


NOT_LOADED: dict[str, Any] = {
    "no model": {"version": "1.0"},
    "an unknown key at the top": {"model": MODEL, "unknown": None},
    "another version": {"model": MODEL, "version": "1.1"},
    "added tokens that are null": {"model": MODEL, "added_tokens": None},
    "merges of two forms": {"model": {"type": "BPE", "vocab": {"a": 0, "aa": 1}, "merges": ["a a", ["a", "a"]]}},
    "an id of 33 bits": {"model": {**MODEL, "vocab": {"a": 2**32}}},
    "an id below zero": {"model": {**MODEL, "vocab": {"a": -1}}},
    "a length of 65 bits": with_part("pre_tokenizer", {"type": "FixedLength", "length": 2**64}),
    "a model of unknown type": {"model": {**MODEL, "type": "x"}},
    "a pre-tokenizer without type": with_part("pre_tokenizer", {"individual_digits": True}),
    "a Precompiled without type": with_part("normalizer", {"precompiled_charsmap": "AAAAAA=="}),
    "a Metaspace that contradicts itself": with_part("decoder", {**METASPACE, "add_prefix_space": False}),
    "two patterns": with_part("normalizer", {"pattern": {"String": "a", "Regex": "a"}, "content": ""}),
    "base64 with bits beyond its last byte": with_part(
        "normalizer", {"type": "Precompiled", "precompiled_charsmap": "AAAAAB=="}
    ),
    "base64 and a line end": with_part("normalizer", {"type": "Precompiled", "precompiled_charsmap": "AAAAAA==\n"}),
}


@in_one_test("name", NOT_LOADED)
def test_what_is_not_loaded_is_refused(name: str) -> None:
    assert not accepts(NOT_LOADED[name])


def test_the_forms_above_are_what_the_target_makes_of_them() -> None:
    forms = {**OLDER_FORMS, **NOT_LOADED}
    result = agreement(SCHEMA, [document(name, json.dumps(form)) for name, form in forms.items()])
    assert result.counts == {(Answer.ACCEPTED, True): len(OLDER_FORMS), (Answer.REFUSED, False): len(NOT_LOADED)}


def document(name: str, text: str) -> Mutation:
    return Mutation(name, text.encode())


# Changed files --------------------------------------------------------------------------------------------------------


def check(documents: list[Mutation]) -> Agreement:
    result = agreement(SCHEMA, documents)
    print(len(documents), dict(result.kinds))
    assert result.unexplained == ()
    assert result.too_strict == ()
    assert result.counts.total() == len(documents)
    return result


@pytest.mark.long_but(1)
@pytest.mark.parametrize("group", groups_of_documents(only_sample=True))
def test_a_sample_of_documents_is_answered_as_by_tokenizers(group: str) -> None:
    result = check(list(numbered(groups_of_documents(only_sample=True)[group]())))
    assert result.counts[Answer.ACCEPTED, True] > 90


@pytest.mark.slow
@pytest.mark.parametrize("group", groups_of_documents(only_sample=False))
def test_documents_are_answered_as_by_tokenizers(group: str) -> None:
    check(list(numbered(groups_of_documents(only_sample=False)[group]())))


# What a schema cannot say ---------------------------------------------------------------------------------------------


def _in_sequences(depth: int) -> str:
    normalizer: Any = {"type": "NFC"}
    for _ in range(depth):
        normalizer = {"type": "Sequence", "normalizers": [normalizer]}
    return json.dumps(with_part("normalizer", normalizer))


def _changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


PLAIN = json.dumps({"model": MODEL})
BPE = {"type": "BPE", "vocab": {"a": 0, "b": 1}}
PANICKING_TOKEN = {**ADDED_TOKEN, "content": "12", "normalized": True}
PANICKING = {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": ""}, {"type": "NFC"}]}

EXAMPLES: dict[str, tuple[str, ...]] = {
    "a whole number with a point, an exponent or a minus": tuple(
        _changed(PLAIN, ": 7", f": {number}") for number in ("2.0", "1e1", "-0", "-0.0", "1e-400")
    ),
    "a key that is given twice": (
        _changed(json.dumps(with_part("post_processor", BERT)), '"sep"', '"sep": null, "sep"'),
        _changed(json.dumps(with_part("truncation", TRUNCATION)), '"stride"', '"stride": 1, "stride"'),
        _changed(json.dumps(with_part("added_tokens", [ADDED_TOKEN])), '"id"', '"id": 1, "id"'),
    ),
    "half of a surrogate pair": (_changed(PLAIN, '"a"', '"\\ud800"'),),
    "a number out of range": (_changed(PLAIN, '"type"', '"unknown": 1e400, "type"'),),
    "more than 127 levels, of sequences": (_in_sequences(63),),
    "more than 127 levels, of a value that is ignored": (
        _changed(PLAIN, '"type"', f'"unknown": {"[" * 126}{"]" * 126}, "type"'),
    ),
    "merges of tokens that are not in the vocabulary": (
        json.dumps({"model": {**BPE, "merges": [["a", "x"]]}}),
        json.dumps({"model": {**BPE, "merges": ["a b"]}}),
    ),
    "an unknown piece that does not exist": (json.dumps({"model": {"type": "Unigram", "vocab": [], "unk_id": 0}}),),
    "a regular expression that does not compile": (
        json.dumps(with_part("decoder", {"type": "Replace", "pattern": {"Regex": "("}, "content": ""})),
    ),
    "a character map that cannot be read": (
        json.dumps(with_part("normalizer", {"type": "Precompiled", "precompiled_charsmap": "/////w=="})),
    ),
    "an added token at which a normalizer panics": (
        json.dumps({"model": MODEL, "added_tokens": [PANICKING_TOKEN], "normalizer": PANICKING}),
    ),
}


def test_every_kind_has_examples() -> None:
    assert list(EXAMPLES) == [kind.name for kind in KINDS]


@pytest.mark.long_but(1)
@pytest.mark.parametrize("kind", EXAMPLES)
def test_examples_show_their_kind(kind: str) -> None:
    documents = [document(str(number), text) for number, text in enumerate(EXAMPLES[kind])]
    result = agreement(SCHEMA, documents)
    assert result.counts == {(Answer.ACCEPTED, False): len(documents)}
    assert result.kinds == {kind: len(documents)}
    assert result.holds


def test_a_fault_beside_the_kinds_is_not_explained() -> None:
    faults = (
        _changed(PLAIN, '"[UNK]": 7', '"[UNK]": "7"'),
        json.dumps({"model": {**BPE, "merges": ["a b c"]}}),
        json.dumps({"model": {"type": "Unigram", "vocab": [], "unk_id": -1}}),
        json.dumps(with_part("decoder", {"type": "Replace", "pattern": {"Regex": 1}, "content": ""})),
        json.dumps(with_part("normalizer", {"type": "Precompiled", "precompiled_charsmap": "?"})),
    )
    assert explanations([document(str(number), text) for number, text in enumerate(faults)]) == {}


def test_text_that_is_no_json_is_no_question_to_a_schema() -> None:
    texts = ("", "{", "NaN", '{"model": Infinity}', "\ufeff{}")
    assert {answer_of_schema(VALIDATOR, text.encode()) for text in texts} == {Answer.NOT_JSON}
    assert answer_of_schema(VALIDATOR, b'"\xff"') is Answer.NOT_JSON
    assert answer_of_schema(VALIDATOR, b"[" * 100_000) is Answer.TOO_DEEP


# Schemas that are wrong -----------------------------------------------------------------------------------------------


def _definition(*path: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def found(schema: dict[str, Any]) -> dict[str, Any]:
        for step in path:
            schema = schema[step]
        return schema

    return found


LOOSENED: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], str, str]] = {
    "ids have no largest one": (_definition("$defs", "u32"), "maximum", "model 0 WordLevel"),
    "options may be missing": (_definition("$defs", "normalizers.Strip"), "required", "normalizer 1 Strip"),
    "texts of any length to strip": (_definition("$defs", "char"), "maxLength", "decoder 8 Strip"),
    "merges as texts of any form": (_definition("$defs", "merges", "then", "items"), "pattern", "model 3 BPE"),
    "prepending anything": (
        _definition("$defs", "normalizers.Prepend", "properties", "prepend"),
        "type",
        "normalizer 13 Prepend",
    ),
    "any key at the top": (_definition(), "additionalProperties", ""),
}
"""Where a keyword is left out of the schema, which one, and the part whose changes show it; no part is the top."""


def changes_of(part: str) -> list[Mutation]:
    changes = mutations(COMPLETE_DOCUMENTS[part], (focus(part),)) if part else mutations({"model": MODEL})
    return list(numbered(changes))


@pytest.mark.long_but(1)
@pytest.mark.parametrize("apart", [7, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", LOOSENED)
def test_a_loosened_schema_is_seen(name: str, apart: int) -> None:
    """The default run asks about every seventh change."""
    schema = copy.deepcopy(SCHEMA)
    place, keyword, part = LOOSENED[name]
    changes = changes_of(part)[::apart]
    assert agreement(schema, changes).holds
    del place(schema)[keyword]
    result = agreement(schema, changes)
    assert result.unexplained
    assert not result.holds


def test_a_tightened_schema_is_seen() -> None:
    schema = copy.deepcopy(SCHEMA)
    schema["$defs"]["models.BPE"]["properties"]["unk_token"]["type"] = "string"
    result = agreement(schema, list(random_documents(50)))
    assert result.too_strict
    assert not result.holds
