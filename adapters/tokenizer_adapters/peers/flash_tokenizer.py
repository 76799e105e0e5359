"""The adapter of ``flash-tokenizer``, which reads the ``vocab.txt`` of BERT models.

It is given the vocabulary of the tokenizer.json as such a file, and the options of its normalizer. Its call always
puts [CLS] and [SEP] around a text: without special tokens a text has the ids that stand between, and their tokens are
those that its ``tokenize`` gives.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OwnCall, OwnCalls, Stage
from tokenizer_adapters.documents import model_kind
from tokenizer_adapters.peers.files import document_of
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import TokenizerSource

LONGEST = 1 << 24
"""So many tokens a text may have: it has to be told, and cuts off what is more."""

NO_DECODER = "has no decoder"


class FlashTokenizerImplementation(PeerImplementation):
    """``flash-tokenizer``, through ``BertTokenizerFlash``."""

    package = Package(
        name="flash-tokenizer",
        distribution="flash-tokenizer",
        module="flash_tokenizer",
        language="C++",
        home_page="https://github.com/NLPOptimize/flash-tokenizer",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS}),
        fields=frozenset({Field.IDS, Field.TOKENS}),
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Write the vocabulary of the ``tokenizer.json`` of ``source`` and have it read.

        Raises :class:`UnfitTokenizerError` where the file is not that of a BERT model.
        """
        document = document_of(source)
        for lack in lacks(document):
            raise UnfitTokenizerError(f"it reads BERT models; {lack}")
        normalizer = document["normalizer"]
        with TemporaryDirectory() as folder:
            file = Path(folder) / "vocab.txt"
            file.write_text("".join(f"{token}\n" for token in in_order(document["model"]["vocab"])), encoding="utf-8")
            tokenizer = module.BertTokenizerFlash(
                str(file),
                do_lower_case=normalizer["lowercase"],
                model_max_length=LONGEST,
                tokenize_chinese_chars=normalizer["handle_chinese_chars"],
            )

        def encode(text: str) -> tuple[int, ...]:
            return tuple(tokenizer(text, padding="longest", max_length=LONGEST).input_ids[0])

        return Calls(
            files=(source.file,),
            encode=lambda text: Encoded(ids=encode(text)[1:-1], tokens=tuple(tokenizer.tokenize(text))),
            encode_special=lambda text: Encoded(ids=encode(text)),
            decode=NO_DECODER,
            decode_special=NO_DECODER,
            # Its special tokens are taken off by the caller.
            own=OwnCalls(OwnCall("tokenizer(text)", lambda text: encode(text)[1:-1])),
        )


def in_order(vocabulary: dict[str, int]) -> list[str]:
    """Return the tokens of ``vocabulary`` by their ids.

    Raises :class:`UnfitTokenizerError` where ids are left out, or a token is none that a line of a file can have.
    """
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[token] for token in tokens] != list(range(len(tokens))):
        raise UnfitTokenizerError("a vocab.txt has a token for every id, and this vocabulary leaves some out")
    if odd := [token for token in tokens if token.splitlines() != [token]]:
        raise UnfitTokenizerError(f"a vocab.txt has a token in each line, and {odd[0]!r} is none for a line")
    return tokens


def lacks(document: dict[str, Any]) -> Iterator[str]:
    """Yield what of ``document`` is not as BERT models have it."""
    model, normalizer = document.get("model", {}), document.get("normalizer") or {}
    if (kind := model_kind(document)) != "WordPiece":
        yield f"this model is {kind}"
    elif (model.get("unk_token"), model.get("continuing_subword_prefix")) != ("[UNK]", "##"):
        yield "this one marks unknown words or the insides of words in another way"
    if normalizer.get("type") != "BertNormalizer" or not normalizer.get("clean_text"):
        yield "the normalizer of this one is no BertNormalizer that cleans texts"
    elif normalizer.get("strip_accents") not in {None, normalizer.get("lowercase")}:
        yield "this one keeps accents in lower case, or takes them off elsewhere"
    if (document.get("pre_tokenizer") or {}).get("type") != "BertPreTokenizer":
        yield "the pre-tokenizer of this one is no BertPreTokenizer"
    if missing := {"[UNK]", "[CLS]", "[SEP]"} - model.get("vocab", {}).keys():
        yield f"this vocabulary has no {min(missing)}"
