"""Recipes of padding."""

from __future__ import annotations

from typing import Any

from requirements.models import of
from requirements.recipe import Area, Document, batch, case, encode, pair, refused, saved, text, word_level, words
from requirements.truncation import BERT, TEMPLATE, WORDS, first, truncation


def padding(strategy: int | None, **options: Any) -> Document:
    """Return the member ``padding`` of a file: to a fixed length, or to the longest of a batch (``None``)."""
    return {
        "strategy": "BatchLongest" if strategy is None else {"Fixed": strategy},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 3,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
        **options,
    }


def padded(params: Document, **stages: Any) -> Document:
    """Return a tokenizer of the words a to j that pads."""
    return of(word_level(WORDS), padding=params, **stages)


PADDING = Area(
    "padding",
    "Padding",
    "post_process",
    "Filling encodings up to a common length, after special tokens were added. Member padding of the file, null or: strategy (BatchLongest, or Fixed with a length), direction (Right or Left: the end at which padding is added), pad_to_multiple_of (null, or a number), pad_id, pad_type_id, pad_token.",
)
PADDING.requirement(
    "PADDING-FIXED: With Fixed, every encoding has at least that length",
    "With a Fixed length, padding is added up to that length; an encoding that is as long or longer stays as it is. Padding applies with and without special tokens.",
    "Ports cut longer encodings, or are off by one.",
    [case(padded(padding(length)), text(first(count))) for length in (1, 2, 3, 4) for count in (1, 2, 3, 4, 5)],
)
PADDING.requirement(
    "PADDING-COLUMNS: What a padding token has in each column",
    "A padding token has pad_id, pad_token and pad_type_id, attention 0, special mask 1, offsets (0, 0), and no word.",
    "Ports leave attention at 1, the special mask at 0, or repeat the last offsets.",
    [
        case(
            padded(padding(4, pad_id=id_, pad_type_id=type_id, pad_token=token), post_processor=processor),
            text("a", "b a"),
        )
        for id_, type_id, token in (
            (3, 0, "[PAD]"),
            (0, 1, "[PAD]"),
            (77, 0, "<none>"),
            (3, 5, ""),
            (2**32 - 1, 2, "\u00e9"),
        )
        for processor in (None, BERT)
    ],
)
PADDING.edge(
    "PADDING-PAD-ID-IS-NOT-LOOKED-UP: pad_id and pad_token are taken as they are",
    "pad_id and pad_token are written into the encoding as they are; neither has to be in the vocabulary, nor to belong to the other.",
    "Ports look pad_token up, or fail where it is unknown.",
    [
        case(padded(padding(3, pad_id=id_, pad_token=token)), text("a"))
        for id_, token in ((4, "[PAD]"), (3, "a"), (500, "nowhere"))
    ],
)
PADDING.requirement(
    "PADDING-DIRECTION: With direction Left, padding stands before the text",
    "With direction Left, padding stands before the first token, special tokens included; offsets and word ids of the text stay as they are.",
    "Ports put padding between the first special token and the text.",
    [
        case(padded(padding(length, direction=direction), post_processor=processor), text(line))
        for direction in ("Left", "Right")
        for length in (3, 6)
        for processor in (None, BERT, TEMPLATE)
        for line in ("a b", "\u00e9  a")
    ],
)
PADDING.requirement(
    "PADDING-BATCH-LONGEST: With BatchLongest, all encodings of a batch have the length of the longest",
    "With BatchLongest, every encoding of a batch is padded to the longest of them; a single input is not padded, but for pad_to_multiple_of.",
    "Ports pad to max_length, or each part of a batch for itself.",
    [
        case(padded(padding(None, direction=direction), post_processor=processor), batch(*lines), encode("a b"))
        for direction in ("Right", "Left")
        for processor in (None, TEMPLATE)
        for lines in (("a", "a b c", "b a"), ("", "a", "b b"), ("a b", "a b"))
    ],
    features=("batch",),
)
PADDING.requirement(
    "PADDING-BATCH-PAIRS: In a batch, pairs are padded as wholes",
    "A pair is padded once, after its last token (or before its first), to the longest encoding of the batch.",
    "Ports pad each sequence of a pair.",
    [
        case(
            padded(padding(None, direction=direction), post_processor=processor),
            batch(("a", "b"), ("a b", "c d e"), ("a", ""), pairs=True),
        )
        for direction in ("Right", "Left")
        for processor in (None, BERT, TEMPLATE)
    ],
    features=("batch", "pair"),
)
PADDING.requirement(
    "PADDING-MULTIPLE: The length is rounded up to a multiple of pad_to_multiple_of",
    "Where pad_to_multiple_of is a number above 0, the length (fixed, or of the longest) is rounded up to a multiple of it; null and 0 round nothing.",
    "Ports round down, add one multiple too many where it fits exactly, or leave single inputs alone.",
    [
        case(padded(padding(length, pad_to_multiple_of=multiple)), text(first(count)))
        for length in (None, 1, 4, 5)
        for multiple in (None, 0, 1, 3, 4, 8)
        for count in (3, 4, 5)
        if not (length is None and multiple in (None, 0, 1))
    ],
)
PADDING.requirement(
    "PADDING-MULTIPLE-OF-BATCHES: In a batch, the longest length is rounded up",
    "With BatchLongest and pad_to_multiple_of, all encodings have the length of the longest, rounded up.",
    "Ports round every encoding by itself.",
    [
        case(padded(padding(None, pad_to_multiple_of=multiple)), batch("a", first(count)))
        for multiple in (2, 3, 4)
        for count in (2, 3, 4, 5)
    ],
    features=("batch",),
)
PADDING.requirement(
    "PADDING-OVERFLOWING: Overflowing parts are padded like the encoding",
    "Every overflowing part is padded to the same length as the encoding itself.",
    "Ports leave the last, shorter part as it is.",
    [
        case(
            padded(
                padding(length, direction=direction), truncation=truncation(3, stride=stride), post_processor=processor
            ),
            text("a b c d", "a b c d e f g"),
        )
        for length, stride in ((3, 0), (5, 0))
        for direction in ("Right", "Left")
        for processor in (None, BERT)
    ],
    [
        case(
            padded(padding(None, pad_to_multiple_of=multiple), truncation=truncation(3, stride=1)),
            batch("a b c d e", "a"),
            text("a b c d"),
        )
        for multiple in (None, 4)
    ],
    features=("overflowing",),
)
PADDING.requirement(
    "PADDING-WITH-TRUNCATION: Truncation comes first, padding last",
    "An encoding is truncated, then special tokens are added, then it is padded; a fixed length below max_length cuts nothing.",
    "Ports pad first and truncate the padding, or take one length for the other.",
    [
        case(
            padded(padding(length), truncation=truncation(limit), post_processor=BERT),
            text(first(count)),
            pair("a", first(count)),
        )
        for length, limit in ((4, 6), (6, 4), (5, 5))
        for count in (1, 2, 4, 6)
    ],
)
PADDING.quirk(
    "PADDING-BELONGS-TO-THE-SEQUENCE: Padding of an encoding without post-processor counts as sequence 0",
    "Padding of a single input that no post-processor touched has the sequence id 0; padding of a pair, or after a post-processor, has none.",
    "One would expect padding to belong to no sequence.",
    [
        case(padded(padding(4, direction=direction), post_processor=processor), text("a"), pair("a", "b"))
        for direction in ("Left", "Right")
        for processor in (None, BERT, TEMPLATE)
    ],
    features=("sequence_ids",),
)
PADDING.edge(
    "PADDING-EMPTY-TEXT: An empty text is padded as any other",
    "The encoding of an empty text is padded to the full length.",
    "Ports return early for empty texts.",
    [
        case(padded(padding(2, direction=direction), post_processor=processor), text(""), text("a"))
        for direction in ("Right", "Left")
        for processor in (None, BERT)
    ],
)
PADDING.requirement(
    "PADDING-PRE-SPLIT: Pre-split input is padded by tokens",
    "Padding counts tokens, not words, and has no word id.",
    "Ports pad the list of words.",
    [case(padded(padding(length)), words(["a b", "c"], ["d"])) for length in (2, 5)],
    features=("pre_split",),
)
PADDING.edge(
    "PADDING-FILE-FORMS: The members of padding in a file",
    "All members are required but pad_to_multiple_of, which may be missing or null. A strategy or direction of another name is refused, and so are numbers below zero.",
    "Ports read names in small letters, as in Python.",
    case(
        padded({name: value for name, value in padding(3).items() if name != "pad_to_multiple_of"}),
        text("a"),
        saved(),
        refused(
            *(
                padded({name: value for name, value in padding(3).items() if name != missing})
                for missing in ("strategy", "direction", "pad_id", "pad_type_id", "pad_token")
            ),
            padded({**padding(3), "strategy": "Longest"}),
            padded({**padding(3), "strategy": {"Fixed": -1}}),
            padded({**padding(3), "strategy": "Fixed"}),
            padded({**padding(3), "direction": "left"}),
            padded({**padding(3), "pad_id": -1}),
            padded({**padding(3), "pad_token": None}),
        ),
    ),
    case(padded(padding(None, pad_to_multiple_of=8, direction="Left")), encode("a"), saved()),
    features=("load",),
)

AREAS = (PADDING,)
