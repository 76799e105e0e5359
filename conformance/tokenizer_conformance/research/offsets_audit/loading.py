"""The settings under which a tokenizer is asked, and the tokenizer loaded once for each.

Truncation and padding are members of the tokenizer.json. Each setting is the user's document with both of them
replaced, so no implementation needs a way to set them. Lengths are small, so that short texts are cut and padded.

Whatever an implementation reads beside the tokenizer.json lies beside the changed one, too. Whether an implementation
takes notice of a setting at all is asked with a text of our own; one that does not cannot be checked under it.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    CannotLoadError,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    TokenizerSource,
    Unsupported,
)
from tokenizer_conformance.comparison.asking import Asked, loaded
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.offsets_audit.tokenizer_rules import rules_of
from tokenizer_conformance.results.records.offsets_audit import Out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.offsets_audit.tokenizer_rules import TokenizerRules

# Settings ------------------------------------------------------------------------------------------------------------

PAD_NAMES = ("[PAD]", "<pad>", "<PAD>", "<|endoftext|>", "</s>")
"""Tokens that are padded with, where the file says nothing of padding and has one of them."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """How encodings are cut: to ``body`` tokens of one text beside special ones, which share ``stride`` tokens."""

    body: int
    stride: int
    direction: str

    def as_json(self, added: int) -> Json:
        """Return what a file says of it, where ``added`` special tokens stand beside the tokens of a text."""
        return {
            "direction": self.direction,
            "max_length": self.body + added,
            "strategy": "LongestFirst",
            "stride": self.stride,
        }


@dataclass(frozen=True, slots=True)
class Padding:
    """How encodings are padded: to a ``length``, or to the longest of a batch (``None``)."""

    length: int | None
    direction: str

    def as_json(self, pad: PadToken) -> Json:
        """Return what a file says of it."""
        return {
            "strategy": "BatchLongest" if self.length is None else {"Fixed": self.length},
            "direction": self.direction,
            "pad_to_multiple_of": None,
            "pad_id": pad.id,
            "pad_type_id": pad.type_id,
            "pad_token": pad.token,
        }


@dataclass(frozen=True, slots=True)
class Setting:
    """A ``name`` for people, and what a tokenizer.json says of truncation and padding."""

    name: str
    truncation: Truncation | None = None
    padding: Padding | None = None


BARE = Setting("neither truncated nor padded")
CUT_RIGHT = Setting("truncated on the right, stride 2", truncation=Truncation(8, 2, "Right"))
CUT_LEFT = Setting("truncated on the left, stride 1", truncation=Truncation(6, 1, "Left"))
PADDED_RIGHT = Setting("padded on the right to 32", padding=Padding(32, "Right"))
PADDED_LEFT = Setting("padded on the left to the longest", padding=Padding(None, "Left"))

SETTINGS: tuple[Setting, ...] = (BARE, CUT_RIGHT, CUT_LEFT, PADDED_RIGHT, PADDED_LEFT)
"""All settings; :data:`BARE` is what the others are compared with."""


@dataclass(frozen=True, slots=True)
class PadToken:
    """What is padded with."""

    id: int
    token: str
    type_id: int


def pad_token_of(document: Json, rules: TokenizerRules) -> PadToken:
    """Return what the file pads with; else a token of a usual name, else the one with the lowest id."""
    given = document.get("padding") or {}
    if "pad_id" in given and "pad_token" in given:
        return PadToken(given["pad_id"], given["pad_token"], given.get("pad_type_id", 0))
    ids = {token: id for id, tokens in rules.tokens.items() for token in tokens}
    name = next((name for name in PAD_NAMES if name in ids), None)
    if name is not None:
        return PadToken(ids[name], name, 0)
    lowest = min(rules.tokens, default=0)
    return PadToken(lowest, min(rules.tokens.get(lowest, {"[PAD]"})), 0)


# Loading -------------------------------------------------------------------------------------------------------------

FILE_NAME = "tokenizer.json"

UNKNOWN_ADDED = 4
"""How many special tokens room is left for where the post-processor is not known: as many as RoBERTa has for a pair."""

SHORT, LONG = "a", "The quick brown fox jumps over the lazy dog; 12345 is a number, and so is 67890. "
"""What is asked to see whether a setting is taken notice of."""


@dataclass(frozen=True, slots=True)
class Document:
    """A tokenizer.json: its file, what it says, and what is padded with."""

    tokenizer: TokenizerFile
    document: Json
    rules: TokenizerRules
    pad: PadToken


def read_document(tokenizer: TokenizerFile) -> Document:
    """Read the file of ``tokenizer``. Raises :class:`BadInputError` where it is not in its format."""
    try:
        document = json.loads(Path(tokenizer.source.file).read_text(encoding="utf-8"))
        rules = rules_of(document)
    except (OSError, ValueError) as error:
        raise BadInputError(f"{tokenizer.source.name}: its tokenizer.json cannot be read: {error}") from error
    except (AttributeError, KeyError, TypeError, IndexError) as error:
        raise BadInputError(
            f"{tokenizer.source.name}: its tokenizer.json is not in its format ({type(error).__name__}: {error})"
        ) from error
    return Document(tokenizer, document, rules, pad_token_of(document, rules))


@dataclass(frozen=True, slots=True)
class Loaded:
    """A tokenizer under each setting; ``left_out`` says under which it is not there, and why."""

    asked: Mapping[Setting, Asked]
    left_out: tuple[Out, ...]


@contextmanager
def loaded_under_settings(
    implementation: Implementation, document: Document, within: str | None = None
) -> Iterator[Loaded]:
    """Load the tokenizer under each setting, from a folder that is gone at the end; it lies ``within`` another one.

    Raises :class:`CannotLoadError` where it is not loaded at all.
    """
    with tempfile.TemporaryDirectory(dir=within) as folder:
        asked = {BARE: _loaded(implementation, document, BARE, Path(folder))}
        left_out = []
        for setting in SETTINGS[1:]:
            try:
                changed = _loaded(implementation, document, setting, Path(folder))
                reason = _not_honoured(setting, changed, asked[BARE])
            except CannotLoadError as error:
                reason = f"it does not load the file so changed: {error}"
            if reason:
                left_out.append(Out(setting=setting.name, reason=reason))
            else:
                asked[setting] = changed
        yield Loaded(asked, tuple(left_out))


def _loaded(implementation: Implementation, document: Document, setting: Setting, folder: Path) -> Asked:
    source, given, layout = document.tokenizer.source, document.document, document.rules.layout
    if setting is BARE and not given.get("truncation") and not given.get("padding"):
        return loaded(implementation, source)
    added = UNKNOWN_ADDED if layout is None else layout.added
    changed = {
        **given,
        "truncation": setting.truncation and setting.truncation.as_json(added),
        "padding": setting.padding and setting.padding.as_json(document.pad),
    }
    own = folder / str(SETTINGS.index(setting))
    own.mkdir()
    if source.folder is not None:
        _put_beside(Path(source.folder), own)
    file = own / FILE_NAME
    file.write_text(json.dumps(changed, ensure_ascii=False), encoding="utf-8", errors="surrogatepass")
    return loaded(implementation, TokenizerSource(source.name, str(file), None if source.folder is None else str(own)))


def _put_beside(source: Path, folder: Path) -> None:
    """Have the other files of a checkpoint in ``folder``, too, as links where the system has these."""
    for path in source.iterdir():
        if path.name == FILE_NAME or not path.is_file():
            continue
        try:
            (folder / path.name).symlink_to(path.resolve())
        except OSError:
            shutil.copyfile(path, folder / path.name)


def _not_honoured(setting: Setting, asked: Asked, bare: Asked) -> str:
    """Return why nothing can be checked under ``setting``; nothing where it can, or where our texts cannot tell."""
    if setting.truncation is not None:
        unchanged, changed = _lengths(Encode(LONG * 3, add_special_tokens=False), bare, asked)
        is_ignored = changed == unchanged and (unchanged or 0) > setting.truncation.body + UNKNOWN_ADDED
        return "it takes no notice of the truncation in the file" if is_ignored else ""
    if setting.padding is None:
        return ""
    if setting.padding.length is not None:
        unchanged, changed = _lengths(Encode(SHORT), bare, asked)
        is_ignored = changed is not None and changed == unchanged and changed < setting.padding.length
    else:
        batch = EncodeBatch((Encode(SHORT), Encode(LONG)))
        outcome = asked.ask(batch)
        if isinstance(outcome, Unsupported):
            return f"it encodes no batches: {outcome.reason}"
        padded = [len(each.ids) for each in outcome.encodings] if isinstance(outcome, EncodedBatch) else []
        is_ignored = len(set(padded)) > 1 and padded == [_lengths(each, bare)[0] for each in batch.inputs]
    return "it takes no notice of the padding in the file" if is_ignored else ""


def _lengths(question: Encode, *askers: Asked) -> list[int | None]:
    """Return how many ids each of ``askers`` has, ``None`` where it has no answer."""
    outcomes = [each.ask(question) for each in askers]
    return [len(outcome.ids) if isinstance(outcome, Encoded) else None for outcome in outcomes]
