"""Recipes of truncation."""

from __future__ import annotations

from itertools import product
from typing import Any

from requirements.models import PYTHON_ONLY, of
from requirements.recipe import (
    Area,
    Document,
    added,
    batch,
    case,
    component,
    encode,
    pair,
    refused,
    saved,
    text,
    word_level,
    words,
)

LETTERS = "a b c d e f g h i j"
WORDS = f"[CLS] [SEP] [PAD] {LETTERS}"

BERT = component("BertProcessing", sep=["[SEP]", 2], cls=["[CLS]", 1])

Piece = Document


def sequence(id_: str, type_id: int = 0) -> Piece:
    """Return the place of a sequence in a template."""
    return {"Sequence": {"id": id_, "type_id": type_id}}


def special(id_: str, type_id: int = 0) -> Piece:
    """Return the place of a special token in a template."""
    return {"SpecialToken": {"id": id_, "type_id": type_id}}


TEMPLATE = component(
    "TemplateProcessing",
    single=[special("[CLS]"), sequence("A"), special("[SEP]")],
    pair=[special("[CLS]"), sequence("A"), special("[SEP]"), sequence("B", 1), special("[SEP]", 1)],
    special_tokens={
        "[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]},
        "[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]},
    },
)


def truncation(
    max_length: int, *, stride: int = 0, strategy: str = "LongestFirst", direction: str = "Right"
) -> Document:
    """Return the member ``truncation`` of a file."""
    return {"direction": direction, "max_length": max_length, "strategy": strategy, "stride": stride}


def cut(params: Document | None, **stages: Any) -> Document:
    """Return a tokenizer of the words a to j that truncates."""
    return of(word_level(WORDS), truncation=params, **stages)


def first(count: int) -> str:
    """Return so many of the words a to j.

    >>> first(3)
    'a b c'
    """
    return " ".join(LETTERS.split()[:count])


TRUNCATION = Area(
    "truncation",
    "Truncation",
    "post_process",
    "Cutting an encoding to a greatest length, before special tokens are added. Member truncation of the file, null or: max_length (tokens, special ones included), stride (how many tokens neighbouring parts share), strategy (LongestFirst, OnlyFirst, OnlySecond) and direction (Right by default: the end at which tokens are cut off, or Left). What is cut off becomes the overflowing parts of the encoding.",
)
TRUNCATION.requirement(
    "TRUNCATION-MAX-LENGTH: An encoding has at most max_length tokens",
    "An encoding of more than max_length tokens is cut to the first max_length of them; one of max_length tokens or less stays as it is. Truncation applies whether or not special tokens are added.",
    "Ports are off by one, or truncate only when special tokens are added.",
    [
        case(cut(truncation(length)), text(first(count)), text("a"))
        for length in (1, 2, 3, 5)
        for count in (1, 2, 3, 4, 5, 6, 10)
    ],
)
TRUNCATION.requirement(
    "TRUNCATION-COUNTS-SPECIAL-TOKENS: max_length counts the special tokens that are added",
    "With special tokens, the text is cut to max_length less the number of special tokens that the post-processor adds to such an input; without them, to max_length.",
    "Ports cut the text to max_length and add special tokens on top, or cut the special tokens off.",
    [
        case(cut(truncation(length), post_processor=processor), text(first(count)))
        for processor in (BERT, TEMPLATE)
        for length in (3, 4, 6)
        for count in (1, 2, 3, 4, 5, 7)
    ],
    features=("special_tokens",),
)
TRUNCATION.requirement(
    "TRUNCATION-OVERFLOWING: What is cut off becomes overflowing parts of the same length",
    "What is cut off becomes overflowing parts: each of the length that the encoding was cut to, the last one shorter where tokens run out, in the order in which the window moves on.",
    "Ports give the rest as one part, or none.",
    [case(cut(truncation(length)), text(first(count))) for length in (1, 2, 3, 4) for count in (4, 5, 6, 7, 8, 9, 10)],
    features=("overflowing",),
)
TRUNCATION.requirement(
    "TRUNCATION-OVERFLOWING-HAS-SPECIAL-TOKENS: Overflowing parts have the special tokens of a whole input",
    "The post-processor adds its special tokens to each overflowing part as to the encoding itself.",
    "Ports leave them out of overflowing parts, or add them once.",
    [
        case(cut(truncation(length, stride=stride), post_processor=processor), text(first(count)))
        for processor in (BERT, TEMPLATE)
        for length, stride in ((4, 0), (4, 1), (5, 2), (3, 0))
        for count in (3, 5, 8)
    ],
    features=("overflowing", "special_tokens"),
)
TRUNCATION.requirement(
    "TRUNCATION-STRIDE: Neighbouring parts share stride tokens",
    "Each part begins stride tokens before the end of the one before it. No part begins once the end of the text was reached.",
    "Ports move on by stride, or give a last part that holds nothing new.",
    [
        case(cut(truncation(length, stride=stride)), text(first(count)))
        for length, stride in ((2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 3))
        for count in (3, 4, 5, 6, 7, 10)
    ],
    features=("overflowing",),
)
TRUNCATION.requirement(
    "TRUNCATION-DIRECTION-LEFT: With direction Left, the last tokens are kept",
    "With direction Left, tokens are cut off at the beginning: the last max_length are kept, and windows move from the end to the beginning; the part that is shorter is the one with the first tokens.",
    "Ports keep the first tokens, or number the parts from the beginning.",
    [
        case(cut(truncation(length, stride=stride, direction="Left")), text(first(count)))
        for length, stride in ((1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (4, 2))
        for count in (2, 3, 4, 5, 7, 10)
    ],
    features=("overflowing",),
)
TRUNCATION.requirement(
    "TRUNCATION-OFFSETS-AND-WORDS: Parts keep the offsets and word ids of the whole text",
    "Tokens of a part have the offsets, the word ids and the tokens' other columns that they have in the encoding of the whole text.",
    "Ports count them anew in each part.",
    [
        case(
            cut(truncation(length, stride=stride, direction=direction), post_processor=BERT),
            text("\u00e9\u00e9 a  b \U00010000 c", "a b c d e"),
        )
        for length, stride in ((3, 0), (4, 1), (5, 2))
        for direction in ("Right", "Left")
    ],
    features=("overflowing", "offsets", "word_ids"),
)

PAIRS = ((1, 1), (1, 3), (3, 1), (2, 2), (2, 5), (5, 2), (3, 3), (4, 3), (3, 4), (5, 5), (8, 2))

TRUNCATION.requirement(
    "TRUNCATION-LONGEST-FIRST: Of a pair, LongestFirst cuts the longer sequence first",
    "LongestFirst keeps the shorter sequence whole if the longer one can stay at least as long. Otherwise both get half of the length; where that is odd, the longer one gets the token that is left, and the second one if they are equally long.",
    "Ports cut one token after the other from the longer sequence, which ends otherwise at odd lengths.",
    [
        case(cut(truncation(length)), encode(first(one), first(two), special=False))
        for length in (1, 2, 3, 4, 5, 7)
        for one, two in PAIRS
    ],
    features=("pair",),
)
TRUNCATION.requirement(
    "TRUNCATION-LONGEST-FIRST-WITH-SPECIAL-TOKENS: Pairs are cut to max_length less the special tokens of a pair",
    "For a pair the special tokens of a pair are counted, which are more than those of a single input.",
    "Ports take the number of a single input for both.",
    [
        case(cut(truncation(length), post_processor=processor), pair(first(one), first(two)))
        for processor in (BERT, TEMPLATE)
        for length in (5, 6, 7)
        for one, two in ((1, 1), (2, 2), (3, 1), (1, 4), (4, 4))
    ],
    features=("pair", "special_tokens"),
)
TRUNCATION.requirement(
    "TRUNCATION-ONLY-FIRST: OnlyFirst cuts the first sequence alone",
    "OnlyFirst cuts the first sequence of a pair, or a single input; the second one stays whole. Where the first one would have no token left, it is an error.",
    "Ports go on with the second sequence, or give an empty first one.",
    [
        case(
            cut(truncation(length, strategy="OnlyFirst", direction=direction)),
            encode(first(2), special=False),
            encode(first(one), first(two), special=False),
        )
        for length in (2, 3, 4)
        for direction in ("Right", "Left")
        for one, two in ((1, 1), (4, 1), (5, 2), (2, 3), (3, 4))
    ],
    features=("pair",),
)
TRUNCATION.requirement(
    "TRUNCATION-ONLY-SECOND: OnlySecond cuts the second sequence alone",
    "OnlySecond cuts the second sequence of a pair; the first one stays whole. Where the second one would have no token left, and for a single input that is too long, it is an error.",
    "Ports cut a single input as if it were the first sequence of another strategy.",
    [
        case(
            cut(truncation(length, strategy="OnlySecond", direction=direction)),
            encode("a", special=False),
            encode(first(one), first(two), special=False),
            encode(first(length + 1), special=False),
        )
        for length in (2, 3, 4)
        for direction in ("Right", "Left")
        for one, two in ((1, 1), (1, 4), (2, 5), (3, 2), (4, 3))
    ],
    features=("pair",),
)
TRUNCATION.requirement(
    "TRUNCATION-SINGLE-INPUT-STRATEGIES: A single input is cut in the same way by LongestFirst and OnlyFirst",
    "For a single input LongestFirst and OnlyFirst do the same, except that OnlyFirst is an error where no token would be left.",
    "Ports refuse one of them without a pair.",
    [
        case(cut(truncation(length, strategy=strategy, stride=stride)), text("a"), text(first(5)))
        for strategy in ("LongestFirst", "OnlyFirst")
        for length, stride in ((1, 0), (2, 0), (2, 1), (4, 0))
    ],
)
TRUNCATION.edge(
    "TRUNCATION-OF-PAIRS-OVERFLOWS-EVERY-COMBINATION: Overflowing parts of a pair are all combinations of the parts of both",
    "The overflowing parts of a pair are, in this order: each overflowing part of the first sequence with the cut second one and then with each overflowing part of the second; then the cut first sequence with each overflowing part of the second.",
    "Ports pair the parts one by one.",
    [
        case(
            cut(truncation(length, stride=stride, strategy=strategy), post_processor=processor),
            encode(first(one), "f g h i"),
            encode("a"),
        )
        for processor in (None, BERT, TEMPLATE)
        for length, stride, strategy in (
            (7, 0, "LongestFirst"),
            (7, 1, "LongestFirst"),
            (8, 0, "OnlyFirst"),
            (8, 0, "OnlySecond"),
            (9, 1, "OnlySecond"),
        )
        for one in (3, 5)
    ],
    features=("pair", "overflowing"),
)
TRUNCATION.quirk(
    "OVERFLOW-HAS-OVERFLOW: Overflowing parts of a pair may have overflowing parts of their own",
    "Where both sequences of a pair are cut and no post-processor works, an overflowing part that has a cut sequence beside it has overflowing parts of its own.",
    "One would expect a flat list.",
    [
        case(cut(truncation(length, stride=stride)), encode("a b c", "d e f g", special=False))
        for length, stride in ((2, 0), (4, 0), (4, 1), (3, 0), (6, 1))
    ],
    features=("pair", "overflowing"),
)
TRUNCATION.quirk(
    "TRUNCATED-PARTS-LOSE-THEIR-SEQUENCE: Without post-processor, overflowing parts of a pair say sequence 0 for the second text",
    "Without post-processor, tokens of the second sequence in an overflowing part have the sequence id 0, or none.",
    "One would expect 1, as in the encoding itself.",
    [
        case(cut(truncation(length)), encode(one, two, special=False))
        for length in (2, 3)
        for one, two in (("a b", "c d"), ("a b c", "d"), ("a", "b c d"))
    ],
    features=("pair", "sequence_ids", "overflowing"),
)
TRUNCATION.quirk(
    "TRUNCATION-WRAPS-AROUND-BELOW-ZERO: Where special tokens alone are too many, nothing is truncated",
    "If the special tokens alone are more than max_length, nothing is truncated at all.",
    "One would expect an error, or no text: the difference wraps around below zero.",
    [
        case(cut(truncation(length), post_processor=processor), encode(first(4)), encode(first(2), first(3)))
        for processor in (BERT, TEMPLATE)
        for length in (0, 1, 2)
    ],
    features=("special_tokens",),
)
TRUNCATION.quirk(
    "TRUNCATION-TO-ZERO-OVERFLOWS-IN-ONE-PIECE: With max_length 0 all text is one overflowing part",
    "Where no room is left for text (max_length 0, or as many special tokens as max_length), all of a text is one overflowing part, however long.",
    "One would expect an error, or parts.",
    case(cut(truncation(0)), text("a b c")),
    case(cut(truncation(0)), encode("a", "b c", special=False), text("a")),
    case(cut(truncation(2), post_processor=BERT), encode("a b c"), encode("")),
    case(cut(truncation(3), post_processor=BERT), encode("a b", "c"), encode("a")),
    case(cut(truncation(0, strategy="OnlySecond")), text("a b c")),
    features=("overflowing",),
)
TRUNCATION.quirk(
    "TRUNCATION-WITHOUT-PROGRESS-PANICS: A stride that leaves no progress is an error as soon as something has to be cut",
    "Where the stride is not less than the length to cut to, a text that has to be cut is an error; any other is encoded.",
    "The target panics; ports loop for ever.",
    [
        case(cut(truncation(length, stride=stride)), text("a b"), text("a b c d e"))
        for length, stride in ((3, 3), (2, 2), (2, 5))
    ],
)
TRUNCATION.quirk(
    "TRUNCATION-IN-A-FILE-IS-NOT-CHECKED: A file may hold a stride above max_length",
    "A file may hold a stride above max_length, which the function that enables truncation refuses.",
    "One would expect the file to be refused.",
    case(cut(truncation(2, stride=5)), text("a b"), saved()),
)
TRUNCATION.quirk(
    "TRUNCATION-TAKES-A-STRIDE-THAT-IS-TOO-LONG: A stride equal to the length that is left is accepted",
    "The function that enables truncation refuses a stride above the length that is left for text, and takes one that is equal, with which nothing can be cut.",
    "One would expect both to be refused.",
    not_asked=PYTHON_ONLY,
)
TRUNCATION.requirement(
    "TRUNCATION-BATCH: Every input of a batch is truncated by itself",
    "Every input of a batch is truncated as if it were alone.",
    "Ports cut all to the shortest, or miss the overflowing parts.",
    [
        case(cut(truncation(3, stride=stride), post_processor=processor), batch("a", "a b c d e", "a b c"))
        for stride in (0, 1)
        for processor in (None, TEMPLATE)
        if processor is None or stride == 0
    ],
    features=("batch",),
)
TRUNCATION.requirement(
    "TRUNCATION-PRE-SPLIT: Pre-split input is truncated by tokens, not by words",
    "The length counts tokens; a word of pre-split input may be cut in two.",
    "Ports cut whole words.",
    [
        case(cut(truncation(length), post_processor=processor), words(["a b", "c", "d e f"]))
        for length in (3, 4, 5)
        for processor in (None, BERT)
    ],
    features=("pre_split",),
)
TRUNCATION.edge(
    "TRUNCATION-ADDED-TOKENS: Added tokens in the text count as tokens like any other",
    "An added token in a text is one token, and may be cut off.",
    "Ports keep special tokens of the text.",
    [
        case(
            cut(truncation(length, direction=direction), added_tokens=[added(20, "<x>", special=True)]),
            text("<x>a b<x>", "a b c <x>"),
        )
        for length, direction in product((1, 2, 3), ("Right", "Left"))
    ],
)
TRUNCATION.edge(
    "TRUNCATION-FILE-FORMS: The members of truncation in a file",
    "max_length, stride and strategy are required; direction may be missing, which means Right. A strategy or direction of another name is refused, and so are numbers below zero.",
    "Ports read names in small letters, as in Python, or take missing members for defaults.",
    case(
        cut({"max_length": 2, "strategy": "LongestFirst", "stride": 0}),
        text("a b c"),
        saved(),
        refused(
            cut({"max_length": 2, "strategy": "LongestFirst"}),
            cut({"max_length": 2, "stride": 0}),
            cut({"strategy": "LongestFirst", "stride": 0}),
            cut(truncation(2, strategy="longest_first")),
            cut(truncation(2, direction="right")),
            cut(truncation(-1)),
            cut(truncation(2, stride=-1)),
            cut({**truncation(2), "max_length": 2.5}),
            cut({**truncation(2), "max_length": "2"}),
        ),
    ),
    [
        case(cut(truncation(4, direction=direction, strategy=strategy)), text("a b c d e"), saved())
        for direction in ("Left", "Right")
        for strategy in ("LongestFirst", "OnlyFirst")
    ],
    features=("load",),
)

AREAS = (TRUNCATION,)
