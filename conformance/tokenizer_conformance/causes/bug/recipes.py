"""How users of a package load a tokenizer.json and ask it: a file of ``snippets`` for each package."""

from __future__ import annotations

import importlib.resources
import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Normalize,
    PreTokenize,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Observation

SPEAKS_FOR = {"reference": "tokenizers"}
"""Whose package answers in a snippet in the place of an implementation that maintainers do not have."""


class Runs(StrEnum):
    """What runs a snippet: this Python, the Python that the implementation runs in, or Node."""

    PYTHON = "python"
    OWN_PYTHON = "its own Python"
    NODE = "node"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loading:
    """One way to load a tokenizer: ``code`` that makes ``tokenizer`` of ``path``, or of files beside it.

    ``folder``: the whole folder of a checkpoint is read. ``models`` are the types of model that it is for; for all
    where there are none.
    """

    code: str
    folder: bool = False
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a package is asked.

    ``label`` is what its maintainers call it, ``install`` names the package, ``also_install`` what it needs and does
    not say. ``load`` are the ways to load, the usual one first. ``ask`` leads from kinds of questions to expressions,
    ``show`` from fields to expressions about ``answer``; ``show_batch`` does for a whole batch, where a batch is not a
    list of encodings. ``here`` says where a snippet has to be run to find what it asks, where that is no package.
    """

    runs: Runs
    install: str
    label: str
    load: tuple[Loading, ...]
    ask: Mapping[str, str]
    show: Mapping[str, str] = field(default_factory=dict)
    show_batch: Mapping[str, str] = field(default_factory=dict)
    also_install: tuple[str, ...] = ()
    here: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a question is to a user of a package: its ``kind``, its ``arguments`` by name, and the two options."""

    kind: str
    arguments: Mapping[str, object]
    special: bool = True
    skip: bool = True

    def call_in(self, recipe: Recipe) -> str | None:
        """Return the expression by which ``recipe`` asks this, ``None`` where it has none."""
        is_plain = not self.special if self.kind.startswith("encode") else self.skip
        own = None if is_plain else recipe.ask.get(f"{self.kind}_special")
        return own or recipe.ask.get(self.kind)


def recipe_of(name: str) -> Recipe | None:
    """Return how the implementation called ``name`` is asked without this project; ``None`` where that is not known."""
    file = importlib.resources.files(__package__) / "snippets" / f"{name}.toml"
    if not name.replace("-", "").isalnum() or not file.is_file():
        return None
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    return Recipe(
        runs=Runs(found["runs"]),
        install=found["install"],
        label=found.get("label", name),
        load=tuple(Loading(**{**each, "models": tuple(each.get("models", ()))}) for each in found["load"]),
        ask=found["ask"],
        show=found.get("show", {}),
        show_batch=found.get("show_batch", {}),
        also_install=tuple(found.get("also_install", ())),
    )


def recipe_names() -> list[str]:
    """Return the names of all implementations that have a recipe."""
    folder = importlib.resources.files(__package__) / "snippets"
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


def asking_of(question: Observation) -> Asking | None:
    """Return what ``question`` is to a user of a package; ``None`` for one that no package is asked in a snippet."""
    match question:
        case Normalize(text):
            return Asking("normalize", {"text": text})
        case PreTokenize(text):
            return Asking("pre_tokenize", {"text": text})
        case Encode():
            return _asking_to_encode(question)
        case EncodeBatch(inputs) if not question.is_pretokenized:
            texts = [each.text if each.pair is None else (each.text, each.pair) for each in inputs]
            return Asking("encode_batch", {"texts": texts}, question.add_special_tokens)
        case Decode(ids, skip):
            return Asking("decode", {"ids": list(ids)}, skip=skip)
        case DecodeStream(ids, skip, (), ()):
            return Asking("decode_stream", {"ids": list(ids)}, skip=skip)
        case _:
            return None


def _asking_to_encode(question: Encode) -> Asking | None:
    special = question.add_special_tokens
    match question.text, question.pair:
        case str(text), None:
            return Asking("encode", {"text": text}, special)
        case str(text), str(pair):
            return Asking("encode_pair", {"text": text, "pair": pair}, special)
        case tuple(words), None:
            return Asking("encode_words", {"words": list(words)}, special)
        case tuple(words), tuple(pair_words):
            return Asking("encode_pair_words", {"words": list(words), "pair_words": list(pair_words)}, special)
        case _:
            return None
