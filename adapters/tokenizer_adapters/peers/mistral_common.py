"""The adapter of ``mistral-common``, which reads ``tekken.json`` files and SentencePiece models.

A byte-level BPE without either is given to its Tekken tokenizer as ranks. Special tokens are never found in a text:
that is how the library keeps users from writing them. The bos and the eos that it can put around a text are asked for
where the ``tokenizer.json`` puts the same ones there.

Chats have a format of its own, which the version in ``tekken.json`` names: without that file there is none, and no chat
template is read. It checks conversations as for a server that is to answer: the last message is not the assistant's.
"""

from __future__ import annotations

import base64
import importlib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.chat import messages_of, tools_of
from tokenizer_adapters.contract import OwnCall, OwnCalls, Rendered, Stage, Unsupported
from tokenizer_adapters.documents import special_ids
from tokenizer_adapters.peers.byte_level import byte_level_ranks
from tokenizer_adapters.peers.files import beside, beside_sentencepiece_model, document_of
from tokenizer_adapters.peers.model_files import OTHER_TEMPLATE, Ends, PieceIds, asked_ends, ends_of, piece_ids
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation, ids_only

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import Chat, Encoded, Outcome, TokenizerSource
    from tokenizer_adapters.peers.byte_level import ByteLevelRanks

TOKENIZERS = "mistral_common.tokens.tokenizers"

BOS_EOS = ("<s>", "</s>")
"""The special tokens that its Tekken tokenizer puts before and after a text."""

KEEPS_PIECES = "gives pieces, not text, where it keeps the special tokens of a SentencePiece model (KEEP)"
NO_TEMPLATES = Unsupported("mistral-common has a format of its own for chats, and no templates with names")
NOT_THE_ASSISTANTS = Unsupported("mistral-common continues messages of the assistant alone")
TEXT_OF_TOKENS = 'lists tokens as text, and every one that is not UTF-8 as "<?>"'


class MistralCommonImplementation(PeerImplementation):
    """``mistral-common``, through ``Tekkenizer`` and ``SentencePieceTokenizer``."""

    package = Package(
        name="mistral-common",
        distribution="mistral-common",
        module="mistral_common",
        language="Python",
        home_page="https://github.com/mistralai/mistral-common",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE, Stage.CHAT}),
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:  # noqa: ARG002 - its tokenizers lie deeper
        """Read what of ``source`` the library reads: ``tekken.json``, a SentencePiece model, or ranks."""
        base = importlib.import_module(f"{TOKENIZERS}.base")
        tekken = importlib.import_module(f"{TOKENIZERS}.tekken")
        policy, name = base.SpecialTokenPolicy, self.package.name
        document = document_of(source)
        if file := beside(source, ["tekken.json"]):
            tokenizer = tekken.Tekkenizer.from_file(file)
            ids = PieceIds(tuple(range(tokenizer.n_words)))
            return replace(
                _tekken(tokenizer, policy, str(file), ends_of(document), ids, name), chat=_chat(file, ids, policy.KEEP)
            )
        if file := beside_sentencepiece_model(source):
            return _sentencepiece(base, file, document, name)
        converted = byte_level_ranks(document)
        tokenizer = _tekkenizer(tekken.Tekkenizer, base.TokenizerVersion.v3, converted)
        ids = PieceIds((*converted.special_tokens.values(), *converted.ids))
        return _tekken(tokenizer, policy, source.file, ends_of(document), ids, name)


def _tekken(tokenizer: Any, policy: Any, file: str, ends: Ends | None, ids: PieceIds, name: str) -> Calls:
    """Return the calls of ``tokenizer``; ``ids`` are the tokenizer.json's for its own."""

    def encode(text: str, *, bos: bool, eos: bool) -> tuple[int, ...]:
        return ids.of_file(tokenizer.encode(text, bos=bos, eos=eos))

    bos, eos = (
        ids.ids[tokenizer.get_special_token(token)] if tokenizer.is_special(token) else None for token in BOS_EOS
    )
    return Calls(
        files=(file,),
        encode=ids_only(lambda text: encode(text, bos=False, eos=False)),
        encode_special=_special(encode, asked_ends(ends, bos, eos)),
        decode=ids.decoded(name, lambda found: tokenizer.decode(found, policy.IGNORE)),
        decode_special=ids.decoded(name, lambda found: tokenizer.decode(found, policy.KEEP)),
        vocabulary=TEXT_OF_TOKENS,
        own=_own(tokenizer),
    )


def _chat(file: Path, ids: PieceIds, keep: Any) -> Callable[[Chat], Outcome]:
    """Return what makes prompts in the format of the tekken.json ``file``, read again when first asked."""

    @cache
    def tokenizer() -> Any:
        return importlib.import_module(f"{TOKENIZERS}.mistral").MistralTokenizer.from_file(str(file))

    def chat(asked: Chat) -> Outcome:
        messages, tools = messages_of(asked), tools_of(asked)
        if asked.template is not None:
            return NO_TEMPLATES
        if asked.continue_final_message:
            if asked.add_generation_prompt or not messages or messages[-1].get("role") != "assistant":
                return NOT_THE_ASSISTANTS
            messages[-1] = {**messages[-1], "prefix": True}
        request = importlib.import_module("mistral_common.protocol.instruct.request").ChatCompletionRequest
        found = tokenizer().encode_chat_completion(request(messages=messages, tools=tools))
        return Rendered(tokenizer().decode(found.tokens, keep), ids.of_file(found.tokens))

    return chat


def _sentencepiece(base: Any, file: Path, document: dict[str, Any], name: str) -> Calls:
    module = importlib.import_module(f"{TOKENIZERS}.sentencepiece")
    tokenizer = module.SentencePieceTokenizer(file, tokenizer_version=base.TokenizerVersion.v1)
    pieces = tokenizer.vocab()
    ids = piece_ids(document, pieces, tokenizer.unk_id)

    def encode(text: str, *, bos: bool, eos: bool) -> tuple[int, ...]:
        return ids.of_file(tokenizer.encode(text, bos=bos, eos=eos))

    def decode(found: list[int]) -> str:
        text: str = tokenizer.decode(found, base.SpecialTokenPolicy.IGNORE)
        return text

    bos, eos = (None if id_ < 0 else ids.ids[id_] for id_ in (tokenizer.bos_id, tokenizer.eos_id))
    return Calls(
        files=(str(file),),
        encode=ids_only(lambda text: encode(text, bos=False, eos=False)),
        encode_special=_special(encode, asked_ends(ends_of(document), bos, eos)),
        decode=ids.decoded(name, decode, special_ids(document)),
        decode_special=KEEPS_PIECES,
        vocabulary=lambda: dict(zip(pieces, ids.ids, strict=True)),
        own=_own(tokenizer),
    )


def _own(tokenizer: Any) -> OwnCalls:
    return OwnCalls(OwnCall("encode", lambda text: tokenizer.encode(text, bos=False, eos=False)))


def _special(encode: Callable[..., Sequence[int]], asked: tuple[bool, bool] | None) -> Callable[[str], Encoded] | str:
    """Return how to ``encode`` with the bos and the eos that are ``asked`` for, or why that cannot be."""
    if asked is None:
        return OTHER_TEMPLATE
    bos, eos = asked
    return ids_only(lambda text: encode(text, bos=bos, eos=eos))


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
