"""Single changes of a file that may make its pipeline fit: an option, a component left out, one put in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import at, path_text, with_part
from tokenizer_conformance.inputs.text_generators.document_parts import MEMBERS, STAGES
from tokenizer_conformance.research.file_audit.fit.writing import RESPELT, Writing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.research.file_audit.audited import AuditedFile, Part

Value = Any
"""A value of JSON."""

OPTIONS: dict[str, tuple[tuple[str, str, tuple[Value, ...]], ...]] = {
    "lowercase": (("BertNormalizer", "lowercase", (True, False)),),
    "strip_accents": (("BertNormalizer", "strip_accents", (None, True, False)),),
    "handle_chinese_chars": (("BertNormalizer", "handle_chinese_chars", (True, False)),),
    "spaces": (("Metaspace", "replacement", ("▁",)), ("Metaspace", "prepend_scheme", ("always",))),
    "pre_tokenizer": (
        ("Split", "behavior", ("Isolated",)),
        ("Split", "invert", (True, False)),
        ("Digits", "individual_digits", (False,)),
        ("Punctuation", "behavior", ("Isolated",)),
        ("ByteLevel", "use_regex", (True, False)),
    ),
}
"""Options that are tried: the component, the option, and its values."""

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
STRIPPING = {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]}
CHINESE = {
    "type": "BertNormalizer",
    "clean_text": False,
    "handle_chinese_chars": True,
    "strip_accents": False,
    "lowercase": False,
}

WHOLE: tuple[Json, ...] = tuple(
    {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": each,
    }
    for each in (True, False)
)
"""The normalizers that word parts with a prefix are known with: where there is none, all of it is missing."""

ADDED: dict[str, tuple[str, Json]] = {
    "lowercase": ("normalizer", {"type": "Lowercase"}),
    "strip_accents": ("normalizer", STRIPPING),
    "handle_chinese_chars": ("normalizer", CHINESE),
    "compatibility": ("normalizer", {"type": "NFKC"}),
    "split at punctuation": ("pre_tokenizer", {"type": "BertPreTokenizer"}),
}
"""Components that are put in after all others of their stage."""

CUTTERS: dict[Writing, Json] = {
    Writing.BYTES: BYTE_LEVEL,
    Writing.MARK: METASPACE,
    Writing.PREFIX: {"type": "BertPreTokenizer"},
    Writing.SUFFIX: {"type": "WhitespaceSplit"},
    Writing.PLAIN: {"type": "Whitespace"},
}
"""The pre-tokenizer that each way to write words is known from."""

AFFIXES: dict[str, Writing] = {
    "continuing_subword_prefix": Writing.PREFIX,
    "end_of_word_suffix": Writing.SUFFIX,
}
"""Options of the model that say how words are written."""


@dataclass(frozen=True, slots=True)
class Change:
    """A changed ``document``: at ``path`` it is another one, as the ``remedy`` says to people."""

    path: Path
    document: Json
    remedy: str


def changes(audited: AuditedFile, mends: tuple[str, ...], writing: Writing) -> Iterator[Change]:
    """Yield what may be changed, the least first: ``mends`` are the names of kinds of changes."""
    for name in mends:
        for kind, option, values in OPTIONS.get(name, ()):
            yield from _options(audited, kind, option, values)
        if name == "pre_tokenizer":
            yield from _patterns(audited)
        if name == "model":
            yield from _of_model(audited, writing)
    if audited.document.get("normalizer") is None and writing is Writing.PREFIX and "left out" in mends:
        yield from (_put(audited, ("normalizer",), each) for each in WHOLE)
    strips = any(part.type == "StripAccents" for part in audited.of_stage("normalizer"))
    for name in mends:
        if name in ADDED and not (name == "strip_accents" and strips):
            stage, component = ADDED[name]
            yield _added(audited, stage, component)
        if name == "spaces":
            yield from _of_spaces(audited, writing)
    if "left out" in mends:
        yield from _left_out(audited)


def _put(audited: AuditedFile, path: Path, value: Value) -> Change:
    return Change(path, with_part(audited.document, path, value), f"Write {_json(value)} at {path_text(path)}.")


def _options(audited: AuditedFile, kind: str, option: str, values: tuple[Value, ...]) -> Iterator[Change]:
    for part in _at_work(audited, kind):
        for value in values:
            if part.members.get(option) != value:
                yield _put(audited, (*part.path, option), value)


def _at_work(audited: AuditedFile, kind: str) -> Iterator[Part]:
    for stage in ("normalizer", "pre_tokenizer"):
        yield from (part for part in audited.of_stage(stage) if part.type == kind)


def _patterns(audited: AuditedFile) -> Iterator[Change]:
    """Yield a regex in the place of each pattern that is taken letter by letter."""
    for part in _at_work(audited, "Split"):
        pattern = part.members.get("pattern")
        if isinstance(pattern, dict) and isinstance(text := pattern.get("String"), str) and len(text) > 1:
            yield _put(audited, (*part.path, "pattern"), {"Regex": text})


def _of_model(audited: AuditedFile, writing: Writing) -> Iterator[Change]:
    meant = "BPE" if "merges" in audited.parts.model else "WordPiece" if writing is Writing.PREFIX else None
    if meant not in (None, audited.parts.model_type):
        yield _put(audited, ("model", "type"), meant)
    for option, its in AFFIXES.items():
        value = str(its) if writing is its else None
        if audited.parts.model_type in ("BPE", "WordPiece") and (audited.parts.model.get(option) or None) != value:
            yield _put(audited, ("model", option), value or "")


def _added(audited: AuditedFile, stage: str, component: Json) -> Change:
    now, member = audited.document.get(stage), MEMBERS[STAGES.index(stage)]
    parts = [] if now is None else [now]
    whole = component if now is None else {"type": "Sequence", member: [*parts, component]}
    document = with_part(audited.document, (stage,), whole)
    return Change((stage,), document, f"Put {_json(component)} {'there' if now is None else 'last'} in $.{stage}.")


def _of_spaces(audited: AuditedFile, writing: Writing) -> Iterator[Change]:
    if writing in RESPELT:
        yield _respelt(audited, writing, RESPELT[writing])
        return
    cutter = CUTTERS[writing]
    if audited.document.get("pre_tokenizer") is not None:
        yield _added(audited, "pre_tokenizer", {**cutter, "use_regex": False} if cutter is BYTE_LEVEL else cutter)
    yield _put(audited, ("pre_tokenizer",), cutter)


def _respelt(audited: AuditedFile, now: str, then: str) -> Change:
    model = dict(audited.parts.model)
    vocabulary, merges = model.get("vocab"), model.get("merges")
    if isinstance(vocabulary, dict):
        model["vocab"] = {token.replace(now, then): number for token, number in vocabulary.items()}
    elif isinstance(vocabulary, list):
        model["vocab"] = [[row[0].replace(now, then), row[1]] for row in vocabulary]
    if isinstance(merges, list):
        model["merges"] = [[part.replace(now, then) for part in pair] for pair in audited.parts.ranks]
    remedy = f"Write {_json(then)} in the place of {_json(now)} in the entries of $.model.vocab, and in the merges."
    return Change(("model", "vocab"), {**audited.document, "model": model}, remedy)


def _left_out(audited: AuditedFile) -> Iterator[Change]:
    for stage in ("normalizer", "pre_tokenizer"):
        for part in audited.of_stage(stage):
            if len(part.path) == 1:
                yield _put(audited, part.path, None)
            else:
                *holder, index = part.path
                kept = [each for place, each in enumerate(at(audited.document, tuple(holder))) if place != index]
                document = with_part(audited.document, tuple(holder), kept)
                yield Change(part.path, document, f"Take {part.type} out at {path_text(part.path)}.")


def _json(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False)
