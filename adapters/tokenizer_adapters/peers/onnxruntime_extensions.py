"""The adapter of ``onnxruntime-extensions``, which reads ``tokenizer.json`` and ``tokenizer_config.json`` of a folder.

It chooses its reader by the ``tokenizer_class`` of the second file, and takes the special tokens that it adds from
there. A class that it does not know (``RobertaTokenizer``) often stands for a tokenizer that one of its readers covers
all the same: then it is given the name of that reader, see :func:`_as_known`. What it says that it does not cover is
not put to it under another name (0.15; its documentation, "Hugging Face Tokenizer Data Compatibility").
"""

from __future__ import annotations

import importlib
import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import OwnCall, OwnCalls, Stage, Text, Unsupported
from tokenizer_adapters.documents import model_kind
from tokenizer_adapters.peers.configuration import CONFIGURATION, TOKENIZER, choices, first_loaded
from tokenizer_adapters.peers.files import document_of, json_object
from tokenizer_adapters.peers.package import ONLY_SKIPPING, Calls, Package, PeerImplementation, ids_only
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_adapters.peers.configuration import Choice

CLASS = "tokenizer_class"
UNKNOWN_CLASS = "Unsupported tokenizer class"
"""What it says of a class that it does not know."""

READERS = {"BPE": "PreTrainedTokenizerFast", "Unigram": "XLMRobertaTokenizer"}
"""The class whose reader carries out a model by the tokenizer.json, without special treatment of one model type."""

NORMALIZERS = frozenset({"Replace", "Precompiled", "Prepend"})
"""The normalizers that these readers know; ``Prepend`` as the first step of a SentencePiece model turned into BPE."""

NO_IDS = "decodes one id at least"
OTHER_TEMPLATE = (
    "adds the token that the configuration calls bos before a text and the one called eos after it; this template has "
    "others"
)


class OnnxruntimeExtensionsImplementation(PeerImplementation):
    """``onnxruntime-extensions``, through ``pp_api.Tokenizer``."""

    package = Package(
        name="onnxruntime-extensions",
        distribution="onnxruntime-extensions",
        module="onnxruntime_extensions",
        language="C++",
        home_page="https://github.com/microsoft/onnxruntime-extensions",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
    )

    def module(self) -> ModuleType:
        """Import and return the part for processing without a model."""
        return importlib.import_module("onnxruntime_extensions.pp_api")

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the files of ``source``, from a folder of their own with a configuration that names a class it knows."""
        document = document_of(source)
        if (kind := model_kind(document)) not in READERS:
            raise UnfitTokenizerError(f"it reads BPE and Unigram; this model is {kind}")
        return first_loaded(choices(source), lambda choice: _calls(module, choice, document))


def _calls(module: Any, choice: Choice, document: dict[str, Any]) -> Calls:
    given = {} if choice.configuration is None else json_object(choice.configuration)
    configuration, remarks = given, []
    tokenizers = _read(module, choice.source, given) if given.get(CLASS) else None
    if tokenizers is None:
        configuration = _as_known(given, document)
        remarks.append(_change(given, configuration))
        tokenizers = _read(module, choice.source, configuration)
    if tokenizers is None:
        raise UnfitTokenizerError(f"{UNKNOWN_CLASS}: {configuration[CLASS]}")
    bare, full = tokenizers
    return Calls(
        files=choice.files(*remarks),
        encode=ids_only(bare.tokenize),
        encode_special=ids_only(full.tokenize) if _has_ends_alone(document, configuration) else OTHER_TEMPLATE,
        decode=_decoder(bare),
        # The option that keeps special tokens is one of the reader of BPE.
        decode_special=_decoder(full) if model_kind(document) == "BPE" else ONLY_SKIPPING,
        own=OwnCalls(OwnCall("tokenize", bare.tokenize), OwnCall("tokenize", bare.tokenize)),
    )


def _read(module: Any, source: TokenizerSource, configuration: dict[str, Any]) -> tuple[Any, Any] | None:
    """Return the tokenizer twice: as it adds no special tokens and skips them, and as it adds and keeps them.

    ``None`` where it does not know the class.
    """
    with TemporaryDirectory() as folder:
        shutil.copy(source.file, Path(folder) / TOKENIZER)
        (Path(folder) / CONFIGURATION).write_text(json.dumps(configuration), encoding="utf-8")
        try:
            return (
                module.Tokenizer(folder, {"add_special_tokens": False, "skip_special_tokens": True}),
                module.Tokenizer(folder, {"add_special_tokens": True, "skip_special_tokens": False}),
            )
        except RuntimeError as error:
            if UNKNOWN_CLASS in str(error):
                return None
            raise


def _decoder(tokenizer: Any) -> Callable[[list[int]], Text | Unsupported]:
    def decode(ids: list[int]) -> Text | Unsupported:
        if not ids:
            return Unsupported(f"{OnnxruntimeExtensionsImplementation.package.name} {NO_IDS}")
        (text,) = tokenizer.detokenize(ids)
        return Text(text)

    return decode


# A class that it knows -----------------------------------------------------------------------------------------------


def _as_known(given: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return the configuration that is ``given`` with the class of the reader for this model.

    Where it does not name the special tokens at the ends of a text, they are those of the template. Raises
    :class:`UnfitTokenizerError` where no reader covers what the tokenizer.json has.
    """
    kind = model_kind(document)
    for lack in _lacks(document, kind):
        named = f"of the class {given[CLASS]}, which it does not know" if given.get(CLASS) else "without a class"
        raise UnfitTokenizerError(f"{lack} (a tokenizer {named})")
    before, after = _template(document)
    tokens: dict[str, Any] = {}
    for token, ends, name in (("bos_token", before, "add_bos_token"), ("eos_token", after, "add_eos_token")):
        if len(ends) == 1:
            tokens[token] = given.get(token, ends[0])
            if kind == "Unigram":  # the reader of BPE looks for the tokens in the post-processor
                tokens[name] = given.get(name, True)
    return {**given, **tokens, CLASS: READERS[kind]}


def _lacks(document: dict[str, Any], kind: str) -> Iterator[str]:
    """Say what the tokenizer.json has that no reader carries out."""
    unknown = sorted(set(_types(document.get("normalizer"))) - NORMALIZERS - {"Sequence"})
    if unknown:
        yield f"it normalizes by Replace and Precompiled; this tokenizer.json has {', '.join(unknown)}"
    parts = [*_types(document.get("pre_tokenizer")), *_types(document.get("decoder"))]
    if kind == "BPE" and not {"ByteLevel", "Replace"} & set(parts):
        yield "it reads BPE of bytes, or of characters with a decoder that has Replace; this tokenizer.json has neither"


def _types(component: dict[str, Any] | None) -> Iterator[str]:
    """Yield the type of ``component`` and of every one within it."""
    if component is None:
        return
    yield str(component.get("type"))
    for name in ("normalizers", "pretokenizers", "processors", "decoders"):
        for each in component.get(name, []):
            yield from _types(each)


def _template(document: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the special tokens that the post-processor puts before and after a single text.

    >>> _template({"post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]}})
    (['[CLS]'], ['[SEP]'])
    """
    before: list[str] = []
    after: list[str] = []
    processor = document.get("post_processor") or {}
    for each in processor.get("processors", [processor]):
        if "cls" in each:
            before.append(each["cls"][0])
            after.append(each["sep"][0])
        ends = before
        for piece in each.get("single", []):
            if "SpecialToken" in piece:
                ends.append(piece["SpecialToken"]["id"])
            else:
                ends = after
    return before, after


def _has_ends_alone(document: dict[str, Any], configuration: dict[str, Any]) -> bool:
    """Return whether the template adds nothing but the ``configuration``'s bos before a text and its eos after it."""
    before, after = _template(document)
    return all(
        ends in ([], [_content(configuration.get(name))])
        for ends, name in ((before, "bos_token"), (after, "eos_token"))
    )


def _content(token: Any) -> Any:
    """Return the text of a token of a configuration, which is that or an object that has it."""
    return token.get("content") if isinstance(token, dict) else token


def _change(given: dict[str, Any], configuration: dict[str, Any]) -> str:
    """Say what ``configuration`` has in place of what is ``given``."""
    changed = {name: value for name, value in configuration.items() if given.get(name) != value}
    return "with " + ", ".join(f"{name} {json.dumps(value)}" for name, value in changed.items())
