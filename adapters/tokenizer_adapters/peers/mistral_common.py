"""The adapter of ``mistral-common``, which reads ``tekken.json`` files and SentencePiece models.

A byte-level BPE without either is given to its Tekken tokenizer as ranks. Special tokens are never found in a text:
that is how the library keeps users from writing them. Its own templates are those of chats, and stay out of this.
"""

from __future__ import annotations

import base64
import importlib
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.peers.byte_level import byte_level_ranks
from tokenizer_adapters.peers.files import SENTENCEPIECE_MODELS, beside, document_of
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_adapters.peers.byte_level import ByteLevelRanks

TOKENIZERS = "mistral_common.tokens.tokenizers"


class MistralCommonImplementation(PeerImplementation):
    """``mistral-common``, through ``Tekkenizer`` and ``SentencePieceTokenizer``."""

    package = Package(
        name="mistral-common",
        distribution="mistral-common",
        module="mistral_common",
        language="Python",
        home_page="https://github.com/mistralai/mistral-common",
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:  # noqa: ARG002 - its tokenizers lie deeper
        """Read what of ``source`` the library reads: ``tekken.json``, a SentencePiece model, or ranks."""
        base = importlib.import_module(f"{TOKENIZERS}.base")
        tekken = importlib.import_module(f"{TOKENIZERS}.tekken")
        policy = base.SpecialTokenPolicy
        if file := beside(source, ["tekken.json"]):
            return _calls(tekken.Tekkenizer.from_file(file), policy, str(file))
        if file := beside(source, SENTENCEPIECE_MODELS):
            sentencepiece = importlib.import_module(f"{TOKENIZERS}.sentencepiece")
            tokenizer = sentencepiece.SentencePieceTokenizer(file, tokenizer_version=base.TokenizerVersion.v1)
            return _calls(tokenizer, policy, str(file))
        converted = byte_level_ranks(document_of(source))
        tokenizer = _tekkenizer(tekken.Tekkenizer, base.TokenizerVersion.v3, converted)
        return _calls(tokenizer, policy, source.file, ids=(*converted.special_tokens.values(), *converted.ids))


def _calls(tokenizer: Any, policy: Any, file: str, ids: Sequence[int] | None = None) -> Calls:
    """Return the calls of ``tokenizer``; ``ids`` are the tokenizer.json's for its own, where these differ."""
    own = None if ids is None else {id_: place for place, id_ in enumerate(ids)}

    def encode(text: str) -> list[int]:
        found: list[int] = tokenizer.encode(text, bos=False, eos=False)
        return found if ids is None else [ids[id_] for id_ in found]

    def decode(found: list[int], special_token_policy: Any) -> str:
        text: str = tokenizer.decode(found if own is None else [own[id_] for id_ in found], special_token_policy)
        return text

    return Calls(
        files=(file,),
        encode=ids_only(encode),
        decode=text_of(lambda found: decode(found, policy.IGNORE)),
        decode_special=text_of(lambda found: decode(found, policy.KEEP)),
    )


def _tekkenizer(cls: Any, version: Any, converted: ByteLevelRanks) -> Any:
    """Build a Tekken tokenizer whose ids are the special tokens' in their order, then the ranks'."""
    special_tokens = [
        {"rank": rank, "token_str": token, "is_control": True} for rank, token in enumerate(converted.special_tokens)
    ]
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(content).decode(), "token_str": None}
        for content, rank in converted.ranks.items()
    ]
    return cls(
        vocab=vocab,
        special_tokens=special_tokens,
        pattern=converted.pattern,
        vocab_size=len(vocab) + len(special_tokens),
        num_special_tokens=len(special_tokens),
        version=version,
    )
