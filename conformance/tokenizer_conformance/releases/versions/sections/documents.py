"""The documents whose refusals and saved forms are facts: complete ones, older forms, and ones with one thing wrong.

All stand on :data:`COMPLETE_DOCUMENTS`; each has a name that says what it is, and stays as long as that does.
"""

from __future__ import annotations

import copy
import itertools
import json
from random import Random
from typing import TYPE_CHECKING, Any, Final

from tokenizer_conformance.inputs.random_tokenizers.complete_documents import (
    ADDED_TOKEN,
    COMPLETE_DOCUMENTS,
    MODEL,
    PADDINGS,
    TRUNCATION,
    WHOLE,
    focus,
)
from tokenizer_conformance.inputs.random_tokenizers.legacy_forms import CHANGES, OPTIONAL_AT_TOP, OPTIONAL_IN_COMPONENT
from tokenizer_conformance.validation.suite.requirement import FileRefused, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.validation.suite.requirement import Document, Suite

OTHERWISE_SPELT: Final = (" without type", " as an array")
"""How the names of complete documents end that have their component in another form than that which is saved."""

OPTIONS: Final[dict[str, tuple[Any, ...]]] = {
    "strip_accents": (None, True, False),
    "behavior": ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"),
    "prepend_scheme": ("first", "never", "always"),
    "dropout": (None, 0.0, 0.1, 1.0),
    "unk_token": (None, "[UNK]"),
    "continuing_subword_prefix": (None, "", "##"),
    "end_of_word_suffix": (None, "", "</w>"),
    "unk_id": (None, 0),
    "direction": ("Left", "Right"),
    "pad_to_multiple_of": (None, 0, 8),
    "stride": (0, 2),
}
"""Other values of fields, by name; those of flags are both."""

STRATEGIES: Final = ("LongestFirst", "OnlyFirst", "OnlySecond")
"""How truncation chooses what it cuts."""

OF_ANOTHER_TYPE: Final[tuple[tuple[type, Any], ...]] = (
    (bool, "yes"),
    (int, "1"),
    (float, "0.5"),
    (str, 1),
    (list, "a"),
    (dict, "a"),
)


def _with(document: Document, **parts: Any) -> Document:
    return document | parts


def _base(**parts: Any) -> Document:
    return {"version": "1.0", "added_tokens": [], "model": MODEL} | parts


def spelt_as_saved() -> dict[str, Document]:
    """Return the complete documents with each component as it is saved today."""
    return {name: document for name, document in COMPLETE_DOCUMENTS.items() if not name.endswith(OTHERWISE_SPELT)}


# With every option ---------------------------------------------------------------------------------------------------


def with_every_option() -> dict[str, Document]:
    """Return the complete documents, and each again with every other value of one option.

    Added tokens come with all combinations of their flags, truncation and padding with all values.
    """
    found = dict(COMPLETE_DOCUMENTS)
    for name, document in spelt_as_saved().items():
        part = document.get(focus(name))
        if isinstance(part, dict):
            for field, value in _other_values(part):
                words = f"{name} with {field}={json.dumps(value)}"
                found[words] = _with(document, **{focus(name): part | {field: value}})
    return found | dict(_flags_of_added_tokens()) | dict(_truncations()) | dict(_paddings())


def _other_values(part: Document) -> Iterator[tuple[str, Any]]:
    for field, value in part.items():
        choices = (True, False) if isinstance(value, bool) else OPTIONS.get(field, ())
        yield from ((field, choice) for choice in choices if choice != value)


def _flags_of_added_tokens() -> Iterator[tuple[str, Document]]:
    flags = ("single_word", "lstrip", "rstrip", "normalized", "special")
    for values in itertools.product((False, True), repeat=len(flags)):
        chosen = [flag for flag, value in zip(flags, values, strict=True) if value]
        token = ADDED_TOKEN | dict(zip(flags, values, strict=True))
        yield f"added_tokens with {', '.join(chosen) or 'no flag'}", _base(added_tokens=[token])


def _truncations() -> Iterator[tuple[str, Document]]:
    for strategy, direction in itertools.product(STRATEGIES, OPTIONS["direction"]):
        part = TRUNCATION | {"strategy": strategy, "direction": direction}
        yield f"truncation {strategy} {direction}", _base(truncation=part)


def _paddings() -> Iterator[tuple[str, Document]]:
    strategies = [padding["strategy"] for padding in PADDINGS]
    for strategy, direction, multiple in itertools.product(
        strategies, OPTIONS["direction"], OPTIONS["pad_to_multiple_of"]
    ):
        part = PADDINGS[0] | {"strategy": strategy, "direction": direction, "pad_to_multiple_of": multiple}
        name = f"padding {json.dumps(strategy)} {direction}, pad_to_multiple_of={json.dumps(multiple)}"
        yield name, _base(padding=part)


# Older forms ---------------------------------------------------------------------------------------------------------


def of_older_forms() -> dict[str, Document]:
    """Return documents in forms that only older or hand-written files have: one form each."""
    return dict(itertools.chain(_changed_as_a_whole(), _without_optional_keys(), _without_optional_fields()))


def _changed_as_a_whole() -> Iterator[tuple[str, Document]]:
    for change in CHANGES:
        for name, document in {"whole": WHOLE, **spelt_as_saved()}.items():
            changed = copy.deepcopy(document)
            change(Random(0), changed)  # noqa: S311 - forms, no secrets
            if changed != document:
                yield f"{name}: {change.__name__.replace('_', ' ').strip()}", changed


def _without_optional_keys() -> Iterator[tuple[str, Document]]:
    for key in OPTIONAL_AT_TOP:
        yield f"whole without {key}", {name: part for name, part in WHOLE.items() if name != key}


def _without_optional_fields() -> Iterator[tuple[str, Document]]:
    for name, document in spelt_as_saved().items():
        part = document[focus(name)]
        for field in OPTIONAL_IN_COMPONENT.get(part.get("type", ""), ()) if isinstance(part, dict) else ():
            fields = {each: value for each, value in part.items() if each != field}
            yield f"{name} without {field}", _with(document, **{focus(name): fields})


# With one thing wrong ------------------------------------------------------------------------------------------------


def with_one_thing_wrong() -> dict[str, Document]:
    """Return documents in which one field is missing, null, of another type or unknown, and others that make no sense.

    Releases load some of these all the same.
    """
    found = dict(_wrong_objects("whole", WHOLE, lambda whole: whole))
    for name, document in spelt_as_saved().items():
        key = focus(name)
        part = document[key]
        if isinstance(part, dict):
            found |= dict(_wrong_objects(name, part, lambda changed, d=document, k=key: _with(d, **{k: changed})))
    found |= dict(_wrong_objects("added token", ADDED_TOKEN, lambda token: _base(added_tokens=[token])))
    return found | SENSELESS


def _wrong_objects(name: str, part: Document, document_of: Any) -> Iterator[tuple[str, Document]]:
    for field, value in part.items():
        yield f"{name}: {field} missing", document_of({each: part[each] for each in part if each != field})
        if value is not None:
            yield f"{name}: {field} null", document_of(part | {field: None})
        other: Any = next((other for type_, other in OF_ANOTHER_TYPE if isinstance(value, type_)), {})
        yield f"{name}: {field} of another type", document_of(part | {field: other})
    if "type" in part:
        yield f"{name}: type unknown", document_of(part | {"type": "Unheard"})
    yield f"{name}: a further field", document_of(part | {"further": 1})


_BPE: Final = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}

SENSELESS: Final[dict[str, Document]] = {
    "nothing at all": {},
    "version 2.0": _base(version="2.0"),
    "a model alone": {"model": MODEL},
    "merge of a token that is not there": _base(model=_BPE | {"merges": [["a", "c"]]}),
    "merge whose result is not there": _base(model=_BPE | {"merges": [["b", "a"]]}),
    "merge of three tokens": _base(model=_BPE | {"merges": ["a b c"]}),
    "merge of one token": _base(model=_BPE | {"merges": ["a"]}),
    "merge twice": _base(model=_BPE | {"merges": [["a", "b"], ["a", "b"]]}),
    "two tokens with one id": _base(model=_BPE | {"vocab": {"a": 0, "b": 0, "ab": 2}}),
    "negative id": _base(model=_BPE | {"vocab": {"a": -1, "b": 1, "ab": 2}}),
    "id of more than 32 bits": _base(model=_BPE | {"vocab": {"a": 1 << 32, "b": 1, "ab": 2}}),
    "dropout above 1": _base(model=_BPE | {"dropout": 1.5}),
    "empty vocabulary": _base(model={"type": "WordLevel", "vocab": {}, "unk_token": "[UNK]"}),
    "unknown token that is not there": _base(model=MODEL | {"unk_token": "[NONE]"}),
    "unk_id beyond the vocabulary": _base(model={"type": "Unigram", "unk_id": 9, "vocab": [["a", -1.0]]}),
    "Unigram with an empty vocabulary": _base(model={"type": "Unigram", "unk_id": None, "vocab": []}),
    "added token with the id of another token": _base(added_tokens=[ADDED_TOKEN | {"id": 3}]),
    "added token with a gap before its id": _base(added_tokens=[ADDED_TOKEN | {"id": 1000}]),
    "added tokens not in the order of their ids": _base(
        added_tokens=[ADDED_TOKEN | {"id": 11, "content": "y"}, ADDED_TOKEN | {"id": 10, "content": "x"}]
    ),
    "added token twice": _base(added_tokens=[ADDED_TOKEN, ADDED_TOKEN]),
    "added token without content": _base(added_tokens=[ADDED_TOKEN | {"content": ""}]),
    "stride as long as max_length": _base(truncation=TRUNCATION | {"stride": 5}),
    "max_length 0": _base(truncation=TRUNCATION | {"max_length": 0, "stride": 0}),
    "pattern that is no regex": _base(
        pre_tokenizer={"type": "Split", "pattern": {"Regex": "("}, "behavior": "Removed"}
    ),
    "pattern of neither kind": _base(normalizer={"type": "Replace", "pattern": {"Glob": "*"}, "content": ""}),
    "pattern as a string": _base(normalizer={"type": "Replace", "pattern": "a", "content": ""}),
    "delimiter of two characters": _base(pre_tokenizer={"type": "CharDelimiterSplit", "delimiter": "ab"}),
    "replacement of two characters": _base(
        pre_tokenizer={"type": "Metaspace", "replacement": "ab", "prepend_scheme": "always", "split": True}
    ),
    "FixedLength 0": _base(pre_tokenizer={"type": "FixedLength", "length": 0}),
    "charsmap that is no base64": _base(normalizer={"type": "Precompiled", "precompiled_charsmap": "!"}),
    "charsmap of nothing": _base(normalizer={"type": "Precompiled", "precompiled_charsmap": ""}),
    "template with a token that is not explained": _base(
        post_processor={
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}],
            "pair": [],
            "special_tokens": {},
        }
    ),
}
"""Documents whose fields have the right types and values that make little sense."""


# Of the suite --------------------------------------------------------------------------------------------------------


def of_the_suite(suite: Suite) -> dict[str, Document]:
    """Return the documents that cases of the suite have refused or loaded for themselves, by the ids of these."""
    found: dict[str, Document] = {}
    for case in suite.cases():
        for number, step in enumerate(case.case.steps):
            if isinstance(step, FileRefused):
                found[f"{case.id} step {number + 1}" if number else case.id] = step.document
    for area in suite.areas:
        if area.stage is Place.LOAD:
            found |= {f"{area.name}/{name}": document for name, document in area.tokenizers.items()}
    return found
