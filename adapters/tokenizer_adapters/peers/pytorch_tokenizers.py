"""The adapter of ``pytorch-tokenizers``, through its readers in C++ (its Python classes call ``tokenizers`` itself).

``HFTokenizer`` reads a ``tokenizer.json`` whose model is a BPE, ``SPTokenizer`` a SentencePiece model, which is given
to it where ``HFTokenizer`` takes no such ``tokenizer.json``. Both take numbers of tokens to put before and after:
``HFTokenizer`` then applies the file's template, whatever the numbers (observed, 1.5); ``SPTokenizer`` knows no
template and puts bos and eos. ``SPTokenizer`` decodes single tokens only. The folder of a checkpoint tells
``HFTokenizer`` nothing that it uses here: of ``tokenizer_config.json`` it reads the names of bos and eos.
"""

from __future__ import annotations

import importlib
import os
import tempfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from tokenizer_adapters.contract import OwnCall, OwnCalls, Stage
from tokenizer_adapters.documents import model_kind
from tokenizer_adapters.peers.files import beside_sentencepiece_model, document_of, sentencepiece_model
from tokenizer_adapters.peers.model_files import OTHER_TEMPLATE, PieceIds, asked_ends, ends_of, piece_ids
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Encoded, TokenizerSource

NO_TOKEN = 2**64 - 1
"""What it gives for the id of a token that a model lacks: -1, without a sign."""

ONE_BY_ONE = "decodes single tokens of a SentencePiece model, not sequences"


class PyTorchTokenizersImplementation(PeerImplementation):
    """``pytorch-tokenizers``, through ``CppHFTokenizer`` and ``CppSPTokenizer``."""

    package = Package(
        name="pytorch-tokenizers",
        distribution="pytorch-tokenizers",
        module="pytorch_tokenizers",
        language="C++",
        home_page="https://github.com/meta-pytorch/tokenizers",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Give the reader of the model's kind its file."""
        document = document_of(source)
        if model_kind(document) == "Unigram":
            return _sentencepiece(module, sentencepiece_model(source), document)
        tokenizer = module.CppHFTokenizer()
        try:
            _load(tokenizer, source.file)
        except UnfitTokenizerError:
            if file := beside_sentencepiece_model(source):
                return _sentencepiece(module, str(file), document)
            raise
        return Calls(
            files=(source.file,),
            encode=ids_only(lambda text: tokenizer.encode(text, 0, 0)),
            encode_special=ids_only(lambda text: tokenizer.encode(text, 1, 1)),
            decode=text_of(lambda ids: tokenizer.decode_batch(ids, skip_special_tokens=True)),
            decode_special=text_of(lambda ids: tokenizer.decode_batch(ids, skip_special_tokens=False)),
            own=OwnCalls(OwnCall("encode", lambda text: tokenizer.encode(text, 0, 0))),
        )


def _sentencepiece(module: Any, file: str, document: dict[str, Any]) -> Calls:
    processor = module.CppSPTokenizer()
    processor.load(file)
    ids = _piece_ids(file, document)
    return Calls(
        files=(file,),
        encode=ids_only(lambda text: ids.of_file(processor.encode(text, 0, 0))),
        encode_special=_special(processor, ids, document),
        decode=ONE_BY_ONE,
        decode_special=ONE_BY_ONE,
        own=OwnCalls(OwnCall("encode", lambda text: processor.encode(text, 0, 0))),
    )


def _piece_ids(file: str, document: dict[str, Any]) -> PieceIds:
    """Return the ids of the pieces in ``file``, which ``SPTokenizer`` does not name; what it builds upon does."""
    reader = importlib.import_module("sentencepiece").SentencePieceProcessor(model_file=file)
    pieces = [reader.id_to_piece(id_) for id_ in range(reader.get_piece_size())]
    return piece_ids(document, pieces, reader.unk_id())


def _special(processor: Any, ids: PieceIds, document: dict[str, Any]) -> Callable[[str], Encoded] | str:
    """Return how ``processor`` encodes with the special tokens of ``document``, or why it cannot."""
    bos, eos = (None if id_ == NO_TOKEN else ids.ids[id_] for id_ in (processor.bos_tok(), processor.eos_tok()))
    asked = asked_ends(ends_of(document), bos, eos)
    if asked is None:
        return OTHER_TEMPLATE
    numbers = [int(each) for each in asked]
    return ids_only(lambda text: ids.of_file(processor.encode(text, *numbers)))


def _load(tokenizer: Any, file: str) -> None:
    """Load ``file``; what the library says on standard error becomes the reason where it cannot."""
    with tempfile.TemporaryFile() as said:
        try:
            with _standard_error_to(said):
                tokenizer.load(file)
        except RuntimeError as error:
            said.seek(0)
            lines = said.read().decode("utf-8", "replace").splitlines()
            # A line is "E tokenizers:FILE:LINE] WORDS"; the last one is about what made it give up.
            reason = lines[-1].rpartition("] ")[2] if lines else "it does not say why"
            raise UnfitTokenizerError(f"{error}: {reason}") from error


@contextmanager
def _standard_error_to(file: IO[bytes]) -> Iterator[None]:
    """Have the process write what goes to standard error to ``file`` while the block runs."""
    kept = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
