"""The adapter of ``pytorch-tokenizers``, through its readers in C++ (its Python classes call ``tokenizers`` itself).

``HFTokenizer`` reads a ``tokenizer.json`` whose model is a BPE, ``SPTokenizer`` a SentencePiece model. Both take numbers
of tokens to put before and after: ``HFTokenizer`` then applies the file's template, whatever the numbers (observed, 1.5);
``SPTokenizer`` knows no template. ``SPTokenizer`` decodes single tokens only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Stage
from tokenizer_adapters.peers.files import UnfitTokenizerError, document_of, model_kind, sentencepiece_model
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of

if TYPE_CHECKING:
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
        try:
            tokenizer.load(source.file)
        except RuntimeError as error:
            raise UnfitTokenizerError(f"{error}; it has written the reason to standard error") from error
        return Calls(
            files=(source.file,),
            encode=ids_only(lambda text: tokenizer.encode(text, 0, 0)),
            encode_special=ids_only(lambda text: tokenizer.encode(text, 1, 1)),
            decode=text_of(lambda ids: tokenizer.decode_batch(ids, skip_special_tokens=True)),
            decode_special=text_of(lambda ids: tokenizer.decode_batch(ids, skip_special_tokens=False)),
        )
