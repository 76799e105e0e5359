"""The adapter of ``onnxruntime-extensions``, which reads ``tokenizer.json`` and ``tokenizer_config.json`` of a folder.

It chooses its reader by the ``tokenizer_class`` of the second file. Where a checkpoint names none, a byte-pair
encoding is given to it as ``PreTrainedTokenizerFast``, the class that stands for a ``tokenizer.json`` as it is; the
others it reads without a class. It knows no WordPiece (0.15).
"""

from __future__ import annotations

import importlib
import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Stage
from tokenizer_adapters.peers.files import UnfitTokenizerError, beside, document_of, json_object, model_kind
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of

if TYPE_CHECKING:
    from types import ModuleType

    from tokenizer_adapters.contract import TokenizerSource

CONFIGURATION = "tokenizer_config.json"
PLAIN_CLASS = "PreTrainedTokenizerFast"


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
        """Read the files of ``source``, from a folder of their own with a configuration that names a class."""
        kind = model_kind(document_of(source))
        if kind == "WordPiece":
            raise UnfitTokenizerError("it reads BPE and Unigram; this model is WordPiece")
        given = beside(source, [CONFIGURATION])
        configuration = json_object(given) if given else {}
        if kind == "BPE":
            configuration.setdefault("tokenizer_class", PLAIN_CLASS)
        with TemporaryDirectory() as folder:
            shutil.copy(source.file, Path(folder) / "tokenizer.json")
            (Path(folder) / CONFIGURATION).write_text(json.dumps(configuration), encoding="utf-8")
            bare, full = (
                module.Tokenizer(folder, {"add_special_tokens": flag, "skip_special_tokens": not flag})
                for flag in (False, True)
            )
        return Calls(
            files=(source.file, str(given)) if given else (source.file,),
            encode=ids_only(bare.tokenize),
            encode_special=ids_only(full.tokenize),
            decode=text_of(lambda ids: _only(bare.detokenize(ids))),
            decode_special=text_of(lambda ids: _only(full.detokenize(ids))),
        )


def _only(texts: list[str]) -> str:
    """Return the text of a batch of one."""
    (text,) = texts
    return text
