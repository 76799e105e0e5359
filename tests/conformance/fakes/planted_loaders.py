"""Loaders that change one thing of the tokenizer.json that they are given, as those of model classes do."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planted.edits import put
from planted.fakes import Fault, FaultySubject

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    Called,
    Decode,
    Encode,
    Encoded,
    LoaderDefaults,
    Text,
    TokenizerSource,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.contract import (
        ImplementationInfo,
        Observation,
        Outcome,
        Setting,
        SpecialToken,
        Subject,
        WithoutValue,
    )

Json = dict[str, Any]

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def added(content: str, id_: int, **flags: bool) -> Json:
    usual = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    return {"id": id_, "content": content, **usual, **flags}


def document() -> Json:
    """A tokenizer.json in which every component does something."""
    tokens = ["<unk>", "<s>", "</s>", *LETTERS, *LETTERS.upper(), "ab", "bc", "##", "1", "é", ".", "the"]
    assert len(tokens) == 62
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            added("<unk>", 0, special=True),
            added("<s>", 1, special=True),
            added("</s>", 2, special=True),
            added("Zq", 62),
        ],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "<s>", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "</s>", "type_id": 0}},
            ],
            "pair": [
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "</s>", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 1}},
            ],
            "special_tokens": {
                "<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]},
                "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]},
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": "<unk>",
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {token: number for number, token in enumerate(dict.fromkeys(tokens))},
            "merges": [["a", "b"], ["b", "c"]],
        },
    }


class PlantedLoader:
    """Loads a tokenizer.json with ``change`` made to it."""

    def __init__(self, change: Callable[[Json], None]) -> None:
        self._tokenizers = load_implementation("tokenizers")
        self._change = change
        self._count = 0

    @property
    def info(self) -> ImplementationInfo:
        return replace(self._tokenizers.info, name="planted", version="1.0")

    def load(self, source: TokenizerSource) -> Subject:
        changed = json.loads(Path(source.file).read_text("utf-8"))
        self._change(changed)
        self._count += 1
        file = Path(source.file).with_name(f"planted-{self._count}.json")
        file.write_text(json.dumps(changed), "utf-8")
        return self._tokenizers.load(TokenizerSource(source.name, str(file)))


class PlainLoader(PlantedLoader):
    """The same, as a class that has no pipeline to write."""

    def load(self, source: TokenizerSource) -> Subject:
        return FaultySubject(super().load(source), Fault(), source)


class CallingLoader(PlantedLoader):
    """A loader whose object has defaults, and calls that do what ``call`` makes of an encoding."""

    def __init__(
        self,
        change: Callable[[Json], None],
        settings: Mapping[str, Setting],
        special_tokens: tuple[SpecialToken, ...] = (),
        *,
        names: tuple[str, ...] = ("input_ids", "token_type_ids", "attention_mask"),
        cleans_up: bool = False,
    ) -> None:
        super().__init__(change)
        self._defaults = LoaderDefaults("PlantedTokenizer", special_tokens, settings)
        self._names = names
        self._cleans_up = cleans_up

    def load(self, source: TokenizerSource) -> Subject:
        fault = Fault(spoil=_cleaned_up) if self._cleans_up else Fault()
        called = Calling(super().load(source), fault, source)
        called.whole, called.kept, called.names = _whole(source), self._defaults, self._names
        return called


def _cleaned_up(question: Observation, outcome: Outcome) -> Outcome:
    is_met = isinstance(question, Decode) and isinstance(outcome, Text)
    return Text(outcome.text.replace(" .", ".")) if is_met else outcome  # type: ignore[union-attr]


def _whole(source: TokenizerSource) -> Subject:
    """Load the file as a call without options sees it: it truncates nothing, and pads nothing."""
    bare = json.loads(Path(source.file).read_text("utf-8")) | {"truncation": None, "padding": None}
    file = Path(source.file).with_name("bare.json")
    file.write_text(json.dumps(bare), "utf-8")
    return load_implementation("tokenizers").load(TokenizerSource(source.name, str(file)))


class Calling(FaultySubject):
    whole: Subject
    kept: LoaderDefaults
    names: tuple[str, ...]

    def saved(self) -> str | WithoutValue:
        saved: str | WithoutValue = self._sound.saved()  # type: ignore[attr-defined]  # tokenizers saves
        return saved

    def defaults(self) -> LoaderDefaults | WithoutValue:
        return self.kept

    def called(self, text: str, pair: str | None = None) -> Called | WithoutValue:
        encoded = self.whole.observe(Encode(text, pair))
        assert isinstance(encoded, Encoded)
        found = {
            "input_ids": encoded.ids,
            "token_type_ids": encoded.type_ids or (),
            "attention_mask": encoded.attention_mask or (),
        }
        return Called({name: found[name] for name in self.names})


def _hostile(given: Json) -> None:
    given["added_tokens"].append(added("\x1b[31m|`<b>\u202e", 63))


class WithoutNormalizer(PlantedLoader):
    """A class for the command line."""

    def __init__(self) -> None:
        super().__init__(put("normalizer", None))


class Hostile(PlantedLoader):
    """It has added a token that must not reach a terminal as it is."""

    def __init__(self) -> None:
        super().__init__(_hostile)


class Faithful(CallingLoader):
    """It replaces nothing, and keeps a few defaults."""

    def __init__(self) -> None:
        super().__init__(lambda _given: None, {"model_max_length": 512, "legacy": None})


class PlainWithoutNormalizer(PlainLoader):
    """It replaces something, and shows nothing of that."""

    def __init__(self) -> None:
        super().__init__(put("normalizer", None))
