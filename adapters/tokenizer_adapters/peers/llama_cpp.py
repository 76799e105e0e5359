"""The adapter of llama.cpp, through the library inside its Python package ``xllamacpp``.

llama.cpp reads GGUF files. A tokenizer.json is converted to one (:mod:`tokenizer_adapters.gguf.conversion`) by the
rules of llama.cpp's own converter; what the converter has nothing for is not loaded. A GGUF file can be named as well:
then that file is loaded, whatever tokenizer.json others are given, and of it the vocabulary alone.

Ids that no token has end the process of llama.cpp, here too: it is its answer, and runs in a process of its own.
"""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.contract import OwnCall, OwnCalls, Stage, Text, UnavailableError, Unsupported
from tokenizer_adapters.gguf.conversion import vocabulary_of
from tokenizer_adapters.gguf.metadata import GgufError
from tokenizer_adapters.gguf.vocabulary import read_vocabulary
from tokenizer_adapters.gguf.writing import kept
from tokenizer_adapters.peers.chat_files import ChatFiles, chat_files
from tokenizer_adapters.peers.files import beside, document_of, json_object
from tokenizer_adapters.peers.llama_cpp_library import (
    CONTROL,
    LARGEST_ID,
    UNUSED,
    RefusedError,
    Vocabulary,
    library,
)
from tokenizer_adapters.peers.llama_cpp_server import renderer
from tokenizer_adapters.peers.model_files import OTHER_TEMPLATE, ends_of
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from tokenizer_adapters.contract import TokenizerSource

NOT_CONVERTED = "cannot be given this tokenizer: "
BYTE_LEVEL, WORD_PIECE = 2, 3
"""Kinds of vocabularies (``llama_vocab_type``): BPE over bytes, and that of BERT, which spells tokens its own way."""

SPACE, CONTINUING = "▁", "##"


class LlamaCppImplementation(PeerImplementation):
    """llama.cpp. ``file`` is the GGUF file that is loaded, ``None`` where the tokenizer.json is converted to one."""

    package: ClassVar[Package] = Package(
        name="llama-cpp",
        distribution="xllamacpp",
        module="xllamacpp",
        language="C++",
        home_page="https://github.com/ggml-org/llama.cpp",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE, Stage.CHAT}),
    )

    def __init__(self, file: str | None = None) -> None:
        super().__init__()
        if importlib.util.find_spec("gguf") is None:
            raise UnavailableError("llama-cpp needs gguf; install it with: pip install gguf")
        self._file = file

    def calls(self, module: ModuleType, source: TokenizerSource) -> Calls:
        """Load the GGUF file, or that which the tokenizer.json of ``source`` is converted to."""
        return _of_tokenizer(module, source) if self._file is None else _of_file(module, self._file)


def _of_file(module: Any, file: str) -> Calls:
    if not Path(file).is_file():
        raise FileNotFoundError(f"there is no file {file!r}")
    try:
        vocabulary = _loaded(module, file)
    except RefusedError as error:
        raise RefusedError(f"llama.cpp refuses {file!r}: {error}") from error
    return replace(_calls(vocabulary, (file,)), chat=_chat_of_file(module, file, vocabulary))


def _chat_of_file(module: Any, file: str, vocabulary: Vocabulary) -> Any:
    """Return what renders the templates that ``file`` holds, or why nothing does."""
    try:
        templates = dict(read_vocabulary(file).templates)
    except GgufError as error:
        return f"finds no template: {error}"
    tokens = {f"{role}_token": vocabulary.end(role) for role in ("bos", "eos")}
    return renderer(module, ChatFiles(templates, tokens, (file,)))


def _of_tokenizer(module: Any, source: TokenizerSource) -> Calls:
    """Load what the tokenizer.json is converted to; where it cannot be, its templates alone if there are some."""
    found = chat_files(source)
    chat = renderer(module, found)
    try:
        converted = _converted(module, source)
    except UnfitTokenizerError as error:
        if not found.templates:
            raise
        return Calls(files=found.files, encode=f"{NOT_CONVERTED}{error}", chat=chat)
    return replace(converted, chat=chat)


def _converted(module: Any, source: TokenizerSource) -> Calls:
    document = document_of(source)
    if document.get("truncation") is not None or document.get("padding") is not None:
        raise UnfitTokenizerError("it neither truncates nor pads; this file does")
    configuration, model = beside(source, ["tokenizer_config.json"]), beside(source, ["config.json"])
    files = [Path(source.file), *filter(None, (configuration, model))]

    def convert() -> Any:
        said = (None if file is None else json_object(file) for file in (configuration, model))
        return vocabulary_of(document, *said)

    file = kept([each.name.encode() + b"\n" + each.read_bytes() for each in files], convert)
    calls = _calls(_loaded(module, str(file)), (source.file, *map(str, files[1:])))
    return replace(calls, encode_special=OTHER_TEMPLATE) if ends_of(document) is None else calls


def _loaded(module: Any, file: str) -> Vocabulary:
    exporting = importlib.import_module(f"{module.__name__}.{module.__name__}").__file__
    return Vocabulary(library(str(exporting)), file)


def _calls(vocabulary: Vocabulary, files: tuple[str, ...]) -> Calls:
    def encode(text: str) -> list[int]:
        return vocabulary.tokenize(text, special=False)

    return Calls(
        files=files,
        encode=ids_only(encode),
        encode_special=ids_only(lambda text: vocabulary.tokenize(text, special=True)),
        decode=_decoder(vocabulary, special=False),
        decode_special=_decoder(vocabulary, special=True),
        vocabulary=lambda: _tokens(vocabulary),
        own=OwnCalls(OwnCall("llama_tokenize", encode)),
    )


def _decoder(vocabulary: Vocabulary, *, special: bool) -> Callable[[list[int]], Text | Unsupported]:
    # Of BPE the pieces say all, as in llama.cpp's own server; detokenizing would take spaces before punctuation away.
    call = vocabulary.pieces if vocabulary.type == BYTE_LEVEL else vocabulary.detokenize

    def decode(ids: list[int]) -> Text | Unsupported:
        if max(ids, default=0) > LARGEST_ID:
            return Unsupported(f"llama-cpp takes ids of 31 bits, and {max(ids)} is larger")
        return Text(call(ids, special=special).decode("utf-8", "replace"))

    return decode


def _tokens(vocabulary: Vocabulary) -> dict[str, int]:
    """Return the tokens as a tokenizer.json spells them; those that fill gaps between ids are in none."""
    is_word_piece = vocabulary.type == WORD_PIECE
    return {
        _spelled(token) if is_word_piece and not attributes & CONTROL else token: id_
        for id_, (token, attributes) in enumerate(vocabulary.tokens())
        if not (attributes & UNUSED and token == f"[PAD{id_}]")
    }


def _spelled(token: str) -> str:
    """Return a token of WordPiece, which is spelled with a space where a word begins, as tokenizer.json spells it."""
    return token.removeprefix(SPACE) if token.startswith(SPACE) else CONTINUING + token
