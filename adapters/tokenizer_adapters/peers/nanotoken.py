"""The adapter of ``nanotoken``, which reads the ``tokenizer.json`` of WordPiece models.

Its documented call for what a model is given, ``encode_batch_padded``, shows type ids and both masks, and takes
truncation and padding from its caller; it is given what the file says. The same call of its backend (of which the
former is a shell) takes the id of the padding, too, and leaves texts as long as they are where a file does not pad.
Tokens are those of its ``id_to_token``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OwnCall, OwnCalls, Stage
from tokenizer_adapters.peers.files import document_of
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation, text_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource


class NanotokenImplementation(PeerImplementation):
    """``nanotoken``, through ``nanotoken.Tokenizer``."""

    package = Package(
        name="nanotoken",
        distribution="nanotoken",
        module="nanotoken",
        language="Rust",
        home_page="https://github.com/alexlilburn/nanotoken",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT | {Field.TOKENS, Field.TYPE_IDS, Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK},
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the ``tokenizer.json`` of ``source``, and nothing beside it."""
        tokenizer = module.Tokenizer.from_json(Path(source.file).read_text(encoding="utf-8"))
        options = lengths(document_of(source))

        def encode_batch(texts: list[str], special: bool) -> list[Encoded]:
            rows = tokenizer.backend.encode_batch_padded(
                texts,
                add_special_tokens=special,
                return_special_tokens_mask=True,
                as_lists=True,
                parallel=False,
                **options,
            )
            names = ("input_ids", "token_type_ids", "attention_mask", "special_tokens_mask")
            return [
                Encoded(
                    ids=tuple(ids),
                    tokens=tuple(map(tokenizer.id_to_token, ids)),
                    type_ids=tuple(type_ids),
                    attention_mask=tuple(attention),
                    special_tokens_mask=tuple(special_tokens),
                )
                for ids, type_ids, attention, special_tokens in zip(*(rows[name] for name in names), strict=True)
            ]

        return Calls(
            files=(source.file,),
            encode=lambda text: encode_batch([text], special=False)[0],
            encode_special=lambda text: encode_batch([text], special=True)[0],
            encode_batch=encode_batch,
            decode=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=True)),
            decode_special=text_of(lambda ids: tokenizer.decode(ids, skip_special_tokens=False)),
            vocabulary=lambda: dict(tokenizer.get_vocab(with_added_tokens=True)),
            own=None if options else _own(tokenizer),
        )


def _own(tokenizer: Any) -> OwnCalls:
    """Return the calls that neither truncate nor pad."""
    return OwnCalls(
        OwnCall("encode", lambda text: tokenizer.encode(text, add_special_tokens=False)),
        OwnCall("encode_batch", lambda texts: tokenizer.encode_batch(texts, add_special_tokens=False)),
    )


def lengths(document: dict[str, Any]) -> dict[str, Any]:
    """Return what ``encode_batch_padded`` is to be told of the truncation and the padding of ``document``.

    It takes one length for both, so a padding to a fixed length is told only where texts are cut to no other.
    """
    truncation, padding = document.get("truncation"), document.get("padding")
    told: dict[str, Any] = {}
    if truncation is not None:
        told |= {
            "truncation": True,
            "max_length": truncation["max_length"],
            "truncation_side": truncation.get("direction", "Right").lower(),
        }
    if padding is not None:
        fixed = padding["strategy"].get("Fixed") if isinstance(padding["strategy"], dict) else None
        if None not in (truncation, fixed) and told["max_length"] != fixed:
            return told
        told |= {
            "padding": "longest" if fixed is None else "max_length",
            "padding_side": padding["direction"].lower(),
            "pad_id": padding["pad_id"],
            "pad_to_multiple_of": padding["pad_to_multiple_of"],
        }
        told.setdefault("max_length", fixed)
    return told
