"""What a peer that reads a model file of its own is told of the ``tokenizer.json`` beside it: ids, and the template.

A model file has ids of its own. Families that moved theirs (CamemBERT, XLM-RoBERTa) put the same pieces elsewhere in
the ``tokenizer.json``; which piece an id stands for is not the peer's business, so ids are put back piece by piece.
Such a peer knows at most a token before a text and one after it (``bos`` and ``eos``). Where the template puts no other
tokens there, the peer can be asked for special tokens; else it cannot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Text, Unsupported
from tokenizer_adapters.documents import model_kind, token_ids, unknown_id
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Shown = Callable[[Sequence[int], Sequence[str]], tuple[str, ...]]

OTHER_TEMPLATE = (
    "puts its own bos before and its own eos after a text, each if told so, and this tokenizer's template puts others"
)


@dataclass(frozen=True, slots=True)
class PieceIds:
    """The ids of a model file's pieces in the ``tokenizer.json``: ``ids`` has one for each id of the model file."""

    ids: tuple[int, ...]

    def of_file(self, found: Iterable[int]) -> tuple[int, ...]:
        """Return the ids of the ``tokenizer.json`` for ids of the model file."""
        return tuple(self.ids[id_] for id_ in found)

    def decoded(
        self, name: str, decode: Callable[[list[int]], str], special: Iterable[int] = ()
    ) -> Callable[[list[int]], Text | Unsupported]:
        """Return ``decode``, which takes ids of the model file, as a call that takes those of the ``tokenizer.json``.

        It is to leave ``special`` out. One that it gives text for all the same (the unknown token, as a rule) is
        Unsupported, and so is an id that the model file lacks (the extra tokens of T5); ``name`` is the peer's.
        """
        own = {id_: place for place, id_ in reversed(list(enumerate(self.ids)))}
        stays = {id_ for id_ in special if id_ in own and decode([own[id_]])}

        def call(ids: list[int]) -> Text | Unsupported:
            for id_ in ids:
                if id_ not in own:
                    return Unsupported(f"{name} has no token for the id {id_} in what it reads")
                if id_ in stays:
                    return Unsupported(f"{name} leaves out control symbols only; the id {id_} is none in its model")
            return Text(decode([own[id_] for id_ in ids]))

        return call


def piece_ids(document: dict[str, Any], pieces: Sequence[str], unknown: int) -> PieceIds:
    """Return the ids that ``document``, a parsed ``tokenizer.json``, has for the ``pieces`` of a model file.

    ``unknown`` is the model file's id of the unknown piece, which may have another name in the ``tokenizer.json``.
    Raises :class:`UnfitTokenizerError` where it lacks one of the others.
    """
    known = token_ids(document)
    unknown_token = unknown_id(document)
    ids = []
    for place, piece in enumerate(pieces):
        id_ = unknown_token if place == unknown and unknown_token is not None else known.get(piece)
        if id_ is None:
            raise UnfitTokenizerError(f"the tokenizer.json lacks {piece!r}, a piece of the model file beside it")
        ids.append(id_)
    return PieceIds(tuple(ids))


def shown_tokens(pieces: Sequence[str], unknown: int, document: dict[str, Any]) -> Shown:
    """Return how the ``pieces`` of a text are shown, with their ids in the model file, as tokens of ``document``.

    The tokens of a BPE have the ``unknown`` token's name, those of Unigram the text that is unknown.
    """
    if model_kind(document) != "BPE":
        return lambda _, found: tuple(found)
    return lambda ids, found: tuple(
        pieces[id_] if id_ == unknown else piece for id_, piece in zip(ids, found, strict=True)
    )


# Templates ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ends:
    """What a template puts around one text: the id ``before`` it and the id ``after`` it, None where there is none."""

    before: int | None
    after: int | None


NOTHING = Ends(None, None)


def ends_of(document: dict[str, Any]) -> Ends | None:
    """Return what the template of ``document``, a parsed ``tokenizer.json``, puts around one text.

    None where that is more than one token on a side.
    """
    return _ends(document.get("post_processor"))


def asked_ends(ends: Ends | None, bos: int | None, eos: int | None) -> tuple[bool, bool] | None:
    """Return whether a peer is to put its bos before a text, and its eos after it, to do as a template with ``ends``.

    ``bos`` and ``eos`` are the ids of the peer's own in the ``tokenizer.json``, None where it has none. None where it
    cannot do so.
    """
    if ends is None or ends.before not in {None, bos} or ends.after not in {None, eos}:
        return None
    return ends.before is not None, ends.after is not None


def bert_ends_of(document: dict[str, Any]) -> tuple[int, int] | None:
    """Return what the template of ``document``, a parsed ``tokenizer.json``, has for the [CLS] and the [SEP] of BERT.

    None where it is not BERT's but for their ids: [CLS], a text and [SEP], all of type 0, and of a pair another text
    and [SEP] of type 1.
    """
    ends = ends_of(document)
    if ends is None or ends.before is None or ends.after is None:
        return None
    match document["post_processor"]:
        case {"type": "BertProcessing"}:
            return ends.before, ends.after
        case {"type": "TemplateProcessing", "single": list(single), "pair": list(pair)}:
            second = _typed([{"Sequence": {"id": "B"}}, single[-1]], 1)
            if single == _typed(single, 0) and pair == [*single, *second]:
                return ends.before, ends.after
    return None


def _typed(parts: list[dict[str, Any]], type_id: int) -> list[dict[str, Any]]:
    """Return ``parts`` of a template, all of one type."""
    return [{kind: what | {"type_id": type_id} for kind, what in part.items()} for part in parts]


def _ends(processor: dict[str, Any] | None) -> Ends | None:
    match processor:
        case None | {"type": "ByteLevel"}:
            return NOTHING
        case {"type": "BertProcessing" | "RobertaProcessing", "cls": [_, int(before)], "sep": [_, int(after)]}:
            return Ends(before, after)
        case {"type": "TemplateProcessing", "single": list(single), "special_tokens": dict(tokens)}:
            return _ends_of_template(single, tokens)
        case {"type": "Sequence", "processors": list(processors)}:
            found = [ends for each in processors if (ends := _ends(each)) != NOTHING]
            return NOTHING if not found else found[0] if len(found) == 1 else None
    return None


def _ends_of_template(single: list[dict[str, Any]], tokens: dict[str, Any]) -> Ends | None:
    place = next((place for place, piece in enumerate(single) if "Sequence" in piece), None)
    if place is None or any("Sequence" in piece for piece in single[place + 1 :]):
        return None
    before, after = (
        [id_ for piece in pieces for id_ in tokens[piece["SpecialToken"]["id"]]["ids"]]
        for pieces in (single[:place], single[place + 1 :])
    )
    if len(before) > 1 or len(after) > 1:
        return None
    return Ends(next(iter(before), None), next(iter(after), None))
