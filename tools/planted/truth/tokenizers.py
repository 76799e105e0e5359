"""The tokenizers of the truth bench: bundled ones, real checkpoints, and changed copies of bundled ones.

The copies have components and options that the bundled ones have not, so that a fault of these has three to be seen on.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planted.edits import in_turn, put
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from planted.edits import Json

SHARED = Path(os.environ.get("TOKCONF_SHARED", Path(__file__).resolve().parents[4] / "shared"))
"""Where the real checkpoints are."""

_MODERN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+(?!\S)|\s+"


def _sequence(stage: str, *parts: Json) -> Json:
    return {"type": "Sequence", stage: list(parts)}


def _cut(length: int, **options: Any) -> Json:
    return {"direction": "Right", "max_length": length, "strategy": "LongestFirst", "stride": 0, **options}


def _padded(token: str, id: int, **options: Any) -> Json:
    made = {"strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": None, "pad_type_id": 0}
    return {**made, "pad_id": id, "pad_token": token, **options}


def _added(id: int, content: str, **flags: bool) -> Json:
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {"id": id, "content": content, **{name: flags.get(name, False) for name in names}}


def _with_added(*tokens: Json) -> Callable[[Json], None]:
    def change(document: Json) -> None:
        document["added_tokens"] += [dict(token) for token in tokens]

    return change


_METASPACE = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": False}


def _piece(name: str) -> Json:
    return {"Sequence" if name in ("A", "B") else "SpecialToken": {"id": name, "type_id": 0}}


_ROBERTA = {
    "type": "TemplateProcessing",
    "single": list(map(_piece, ("<s>", "A", "</s>"))),
    "pair": list(map(_piece, ("<s>", "A", "</s>", "</s>", "B", "</s>"))),
    "special_tokens": {name: {"id": name, "ids": [id], "tokens": [name]} for name, id in (("<s>", 0), ("</s>", 2))},
}
MADE: dict[str, tuple[str, Callable[[Json], None]]] = {
    "bert-parts": (
        "bert-mini",
        in_turn(
            put(
                "normalizer",
                _sequence("normalizers", {"type": "NFKD"}, {"type": "Lowercase"}, {"type": "StripAccents"}),
            ),
            put(
                "pre_tokenizer",
                _sequence(
                    "pretokenizers",
                    {"type": "WhitespaceSplit"},
                    {"type": "Punctuation", "behavior": "Isolated"},
                    {"type": "Digits", "individual_digits": True},
                ),
            ),
        ),
    ),
    "bert-strip": (
        "bert-mini",
        in_turn(
            put(
                "normalizer",
                _sequence(
                    "normalizers",
                    {"type": "Strip", "strip_left": True, "strip_right": True},
                    {"type": "Nmt"},
                    {"type": "Replace", "pattern": {"String": "&"}, "content": " and "},
                    {"type": "Lowercase"},
                ),
            ),
            put("pre_tokenizer", {"type": "Whitespace"}),
        ),
    ),
    "bert-letters": (
        "bert-mini",
        put(
            "pre_tokenizer",
            _sequence(
                "pretokenizers",
                {"type": "WhitespaceSplit"},
                {"type": "Split", "pattern": {"Regex": r"\p{L}+|\p{N}"}, "behavior": "Isolated", "invert": False},
            ),
        ),
    ),
    "bert-cut": ("bert-mini", put("truncation", _cut(12, stride=2))),
    "bert-padded": ("bert-mini", put("padding", _padded("[PAD]", 0, direction="Left", pad_to_multiple_of=8))),
    "bert-added": (
        "bert-mini",
        _with_added(
            _added(1985, "the", single_word=True, normalized=True),
            _added(1986, "ing"),
            _added(1987, "<mask>", lstrip=True, special=True),
            _added(1988, "<s>", rstrip=True, special=True),
        ),
    ),
    "bert-cased": ("bert-mini", in_turn(put("normalizer.lowercase", False), put("decoder.cleanup", False))),
    "bert-kept": (
        "bert-mini",
        in_turn(
            put("normalizer.lowercase", False), put("normalizer.strip_accents", False), put("decoder.cleanup", False)
        ),
    ),
    "roberta-cut": ("roberta-mini", put("truncation", _cut(10, direction="Left"))),
    "roberta-template": ("roberta-mini", put("post_processor", _ROBERTA)),
    "roberta-padded": ("roberta-mini", put("padding", _padded("<pad>", 1))),
    "gpt2-parts": (
        "gpt2-mini",
        in_turn(
            put("normalizer", {"type": "NFC"}),
            put(
                "pre_tokenizer",
                _sequence(
                    "pretokenizers",
                    {"type": "Split", "pattern": {"Regex": _MODERN}, "behavior": "Isolated", "invert": False},
                    {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
                ),
            ),
        ),
    ),
    "gpt2-added": (
        "gpt2-mini",
        _with_added(
            _added(2000, "the", single_word=True),
            _added(2001, "ing", normalized=True),
            _added(2002, "<mask>", lstrip=True, special=True),
            _added(2003, "<s>", rstrip=True, special=True),
        ),
    ),
    "gpt2-letters": (
        "gpt2-mini",
        put(
            "pre_tokenizer",
            _sequence(
                "pretokenizers",
                {"type": "Split", "pattern": {"Regex": r"\p{L}+|\p{N}"}, "behavior": "Isolated", "invert": False},
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
            ),
        ),
    ),
    "llama-first": (
        "llama-mini",
        in_turn(
            put("normalizer", None),
            put("pre_tokenizer", _METASPACE),
            put("decoder.decoders.3", {"type": "Strip", "content": " ", "start": 1, "stop": 0}),
        ),
    ),
    "llama-cut": ("llama-mini", put("truncation", _cut(16))),
    "llama-padded": ("llama-mini", put("padding", _padded("</s>", 2, direction="Left"))),
    "xlnet-whole": (
        "xlnet-mini",
        in_turn(
            put("pre_tokenizer", {**_METASPACE, "prepend_scheme": "always", "split": True}),
            put("decoder.prepend_scheme", "always"),
        ),
    ),
    "wordlevel-plain": (
        "wordlevel-mini",
        in_turn(
            put("normalizer", _sequence("normalizers", {"type": "NFKC"}, {"type": "Lowercase"})),
            put(
                "pre_tokenizer",
                _sequence(
                    "pretokenizers",
                    {"type": "Whitespace"},
                    {"type": "Digits", "individual_digits": False},
                    {"type": "Punctuation", "behavior": "Contiguous"},
                ),
            ),
        ),
    ),
}
"""Changed copies, by name: of which bundled tokenizer, and how it is changed."""


def file_of(name: str, folder: Path) -> Path | None:
    """Return the tokenizer.json of ``name``, a copy made in ``folder``; ``None`` for a checkpoint that is not here."""
    if name in MADE:
        return _made(name, folder)
    if name in bundled_names():
        return bundled_file(name)
    file = SHARED / "tokenizers" / name / "tokenizer.json"
    return file if file.exists() else None


def _made(name: str, folder: Path) -> Path:
    bundled, change = MADE[name]
    document = json.loads(bundled_file(bundled).read_text(encoding="utf-8"))
    change(document)
    file = folder / name / "tokenizer.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(document), encoding="utf-8")
    return file
