"""A tokenizer loaded once for each setting: the user's document with other truncation and padding.

Whatever an implementation reads beside the tokenizer.json lies beside the changed one, too. Whether an implementation
takes notice of a setting at all is asked with a text of our own; one that does not cannot be checked under it.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

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
from tokenizer_conformance.research.offsets_audit.settings import BARE, SETTINGS, PadToken, document_with, pad_token_of
from tokenizer_conformance.research.offsets_audit.tokenizer_rules import TokenizerRules, rules_of

if TYPE_CHECKING:
    from types import TracebackType

    from tokenizer_adapters.contract import Implementation, Outcome
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.offsets_audit.settings import Setting

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
class LeftOut:
    """A setting under which an implementation cannot be checked, and why."""

    setting: Setting
    reason: str


class Loaded:
    """``implementation`` with a tokenizer under each setting, from a folder that is gone at the end.

    ``asked`` leads from the settings to the loaded tokenizers, ``left_out`` says which there are not, and why. Raises
    :class:`CannotLoadError` where the tokenizer is not loaded at all.
    """

    def __init__(self, implementation: Implementation, document: Document) -> None:
        self._implementation = implementation
        self._document = document
        self._folder = tempfile.TemporaryDirectory()
        self.asked: dict[Setting, Asked] = {}
        self.left_out: list[LeftOut] = []

    def __enter__(self) -> Self:
        try:
            self.asked[BARE] = self._loaded(BARE)
            for setting in SETTINGS:
                if setting is not BARE:
                    self._add(setting)
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def _add(self, setting: Setting) -> None:
        try:
            asked = self._loaded(setting)
        except CannotLoadError as error:
            self.left_out.append(LeftOut(setting, f"it does not load the file so changed: {error}"))
            return
        reason = _not_honoured(setting, asked, self.asked[BARE])
        if reason:
            self.left_out.append(LeftOut(setting, reason))
        else:
            self.asked[setting] = asked

    def _loaded(self, setting: Setting) -> Asked:
        source = self._document.tokenizer.source
        given = self._document.document
        if setting is BARE and not given.get("truncation") and not given.get("padding"):
            return loaded(self._implementation, source)
        layout = self._document.rules.layout
        added = UNKNOWN_ADDED if layout is None else layout.added(is_pair=False)
        document = document_with(given, setting, added, self._document.pad)
        folder = Path(self._folder.name) / str(SETTINGS.index(setting))
        folder.mkdir()
        if source.folder is not None:
            _put_beside(Path(source.folder), folder)
        file = folder / FILE_NAME
        file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8", errors="surrogatepass")
        beside = None if source.folder is None else str(folder)
        return loaded(self._implementation, TokenizerSource(source.name, str(file), beside))


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
        question = Encode(LONG * 3, add_special_tokens=False)
        unchanged, changed = _length(bare.ask(question)), _length(asked.ask(question))
        if (
            unchanged is not None
            and changed is not None
            and changed == unchanged > setting.truncation.body + UNKNOWN_ADDED
        ):
            return "it takes no notice of the truncation in the file"
        return ""
    if setting.padding is None:
        return ""
    if setting.padding.length is not None:
        unchanged, changed = (_length(each.ask(Encode(SHORT))) for each in (bare, asked))
        is_ignored = changed is not None and changed == unchanged and changed < setting.padding.length
        return "it takes no notice of the padding in the file" if is_ignored else ""
    batch = EncodeBatch((Encode(SHORT), Encode(LONG)))
    outcome = asked.ask(batch)
    if isinstance(outcome, Unsupported):
        return f"it encodes no batches: {outcome.reason}"
    if isinstance(outcome, EncodedBatch):
        padded, alone = (
            [len(each.ids) for each in outcome.encodings],
            [_length(bare.ask(each)) for each in batch.inputs],
        )
        if padded == alone and len(set(padded)) > 1:
            return "it takes no notice of the padding in the file"
    return ""


def _length(outcome: Outcome) -> int | None:
    return len(outcome.ids) if isinstance(outcome, Encoded) else None
