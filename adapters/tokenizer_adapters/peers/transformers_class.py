"""The adapter of ``transformers`` through a named model class, such as ``BertTokenizer``.

``transformers`` 5 has one class per model type, and it builds a pipeline of its own around the vocabulary of the
``tokenizer.json``. ``AutoTokenizer`` does not always choose that class; who names it in code always gets it. Here it
is the class named by the environment variable :data:`VARIABLE`, else that of ``tokenizer_config.json``, else the one
that the library keeps for the model type of ``config.json``.
"""

from __future__ import annotations

import importlib
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.peers.files import beside, json_object
from tokenizer_adapters.pipeline import UnfitTokenizerError
from tokenizer_adapters.transformers import LOCAL, TransformersImplementation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import TokenizerSource

VARIABLE = "TOKCONF_TRANSFORMERS_CLASS"
"""The environment variable that names the class for all tokenizers."""

NO_CLASS = frozenset({"PreTrainedTokenizerFast", "PreTrainedTokenizer", "TokenizersBackend", "PythonBackend"})
"""Names that stand for a ``tokenizer.json`` as it is, and for no model."""


class TransformersClassImplementation(TransformersImplementation):
    """``transformers``, through the class of the model type."""

    name: ClassVar[str] = "transformers-class"

    def read(self, library: Any, source: TokenizerSource) -> tuple[Any, tuple[str, ...]]:
        """Read the checkpoint folder of ``source`` with the class that is named for it.

        Any error raised means that it cannot; :class:`UnfitTokenizerError` that no class is named.
        """
        name = _class_name(source)
        if name is None or name in NO_CLASS:
            raise UnfitTokenizerError(
                "no model class is named: not by tokenizer_config.json (tokenizer_class), nor by config.json "
                f"(model_type) beside the file, nor by the environment variable {VARIABLE}"
            )
        chosen = getattr(library, name, None)
        if chosen is None:
            raise UnfitTokenizerError(f"transformers {library.__version__} has no class {name}")
        with _folder_of(source) as folder:
            return chosen.from_pretrained(folder, **LOCAL), (source.file,)


@contextmanager
def _folder_of(source: TokenizerSource) -> Iterator[str]:
    """Give the checkpoint's folder; a lone ``tokenizer.json`` is given one of its own."""
    if source.folder is not None:
        yield source.folder
        return
    with TemporaryDirectory() as folder:
        shutil.copy(source.file, Path(folder) / "tokenizer.json")
        yield folder


def _class_name(source: TokenizerSource) -> str | None:
    """Return the name of the class; version 5 has dropped the suffix ``Fast`` that older checkpoints write."""
    if given := os.environ.get(VARIABLE):
        return given
    if (file := beside(source, ["tokenizer_config.json"])) and (named := json_object(file).get("tokenizer_class")):
        return str(named) if named in NO_CLASS else str(named).removesuffix("Fast")
    if (file := beside(source, ["config.json"])) and (model_type := json_object(file).get("model_type")):
        mapping = importlib.import_module("transformers.models.auto.tokenization_auto").TOKENIZER_MAPPING_NAMES
        return mapping.get(model_type)  # type: ignore[no-any-return]
    return None
