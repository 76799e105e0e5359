"""The adapter of ``pytorch-tokenizers``, through its readers in C++ (its Python classes call ``tokenizers`` itself).

``HFTokenizer`` reads a ``tokenizer.json`` whose model is a BPE, ``SPTokenizer`` a SentencePiece model. Both take
numbers of tokens to put before and after: ``HFTokenizer`` then applies the file's template, whatever the numbers
(observed, 1.5); ``SPTokenizer`` knows no template. ``SPTokenizer`` decodes single tokens only.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from tokenizer_adapters.contract import Stage
from tokenizer_adapters.peers.files import UnfitTokenizerError, document_of, model_kind, sentencepiece_model
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import TokenizerSource

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
        if model_kind(document_of(source)) == "Unigram":
            file = sentencepiece_model(source)
            processor = module.CppSPTokenizer()
            processor.load(file)
            return Calls(
                files=(file,),
                encode=ids_only(lambda text: processor.encode(text, 0, 0)),
                decode=ONE_BY_ONE,
                decode_special=ONE_BY_ONE,
            )
        tokenizer = module.CppHFTokenizer()
        _load(tokenizer, source.file)
        return Calls(
            files=(source.file,),
            encode=ids_only(lambda text: tokenizer.encode(text, 0, 0)),
            encode_special=ids_only(lambda text: tokenizer.encode(text, 1, 1)),
            decode=text_of(lambda ids: tokenizer.decode_batch(ids, skip_special_tokens=True)),
            decode_special=text_of(lambda ids: tokenizer.decode_batch(ids, skip_special_tokens=False)),
        )


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
