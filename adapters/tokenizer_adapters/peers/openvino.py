"""The adapter of OpenVINO Tokenizers, which turns a fast tokenizer of ``transformers`` into models of OpenVINO.

It is given the pipeline of the tokenizer.json and nothing else: a class of ``transformers`` would make a pipeline of
its own. A model is made for each way to ask: with special tokens and without, for one text and for two, and for
decoding with special tokens and without. Type ids are given where they are asked for among the outputs; the ids stay
the same.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, Stage, Text
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from tokenizer_adapters.contract import TokenizerSource

OUTPUTS = ["input_ids", "token_type_ids", "attention_mask"]
NO_PAIR = "takes no pair of texts with this template: it makes the model of one text all the same"


class Openvino(PeerImplementation):
    """OpenVINO Tokenizers, through ``convert_tokenizer``, on the CPU."""

    package = Package(
        name="openvino",
        distribution="openvino-tokenizers",
        module="openvino_tokenizers",
        language="C++",
        home_page="https://github.com/openvinotoolkit/openvino_tokenizers",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT | {Field.TYPE_IDS, Field.ATTENTION_MASK},
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Convert the ``tokenizer.json`` of ``source``."""
        return _Converted(module, source.file).calls()


class _Converted:
    """The models of the tokenizer.json in ``file``, made by the library's ``module``."""

    def __init__(self, module: ModuleType, file: str) -> None:
        self._openvino = importlib.import_module("openvino")
        self._convert = module.convert_tokenizer
        self._file = file
        fast_class = importlib.import_module("transformers").PreTrainedTokenizerFast
        self._fast = fast_class(tokenizer_file=file, model_input_names=OUTPUTS)

    def calls(self) -> Calls:
        """Return how the models are asked."""
        plain, special = self._encoder(special=False), self._encoder(special=True)
        pairs = {chosen: self._encoder(special=chosen, inputs=2) for chosen in (False, True)}
        takes_pairs = all(len(model.inputs) == 2 for model in pairs.values())
        return Calls(
            files=(self._file,),
            encode=lambda text: _encoded(plain([text])),
            encode_special=lambda text: _encoded(special([text])),
            encode_pair=(lambda text, pair, chosen: _encoded(pairs[chosen]([[text], [pair]])))
            if takes_pairs
            else NO_PAIR,
            decode=self._decoder(skips=True),
            decode_special=self._decoder(skips=False),
        )

    def _encoder(self, *, special: bool, inputs: int = 1) -> Any:
        model = self._convert(self._fast, add_special_tokens=special, number_of_inputs=inputs)
        return self._openvino.compile_model(model, "CPU")

    def _decoder(self, *, skips: bool) -> Callable[[list[int]], Text]:
        # What the decoder of a tokenizer.json cleans up is in the model already; the option would clean up more.
        _, model = self._convert(
            self._fast, with_detokenizer=True, skip_special_tokens=skips, clean_up_tokenization_spaces=False
        )
        compiled = self._openvino.compile_model(model, "CPU")

        def decode(ids: list[int]) -> Text:
            tensor = self._openvino.Tensor(self._openvino.Type.i64, [1, len(ids)])
            tensor.data[:] = ids
            return Text(str(compiled(tensor)["string_output"][0]))

        return decode


def _encoded(found: Any) -> Encoded:
    ids, type_ids, attention_mask = (tuple(map(int, found[name][0])) for name in OUTPUTS)
    return Encoded(ids=ids, type_ids=type_ids, attention_mask=attention_mask)
