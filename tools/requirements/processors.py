"""Recipes of post-processors: special tokens around sequences, and the trimming of offsets.

Texts are cut at spaces into words that the model knows, so that every field of an encoding is told by a few tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from requirements.recipe import (
    Area,
    CaseRecipe,
    Document,
    added,
    batch,
    bpe,
    case,
    changed,
    characters,
    component,
    encode,
    encode_special_tokens,
    new_tokens,
    pair,
    refused,
    row,
    saved,
    tokenizer,
    vocabulary,
    word_level,
    words,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from requirements.recipe import Questions

# What all of them have in common --------------------------------------------------------------------------------------

CLS: Final = ["[CLS]", 5]
SEP: Final = ["[SEP]", 6]

KNOWN: Final = word_level("a b c d [CLS] [SEP]")
"""A model of words, with the ids of :data:`CLS` and :data:`SEP`."""

TEXTS: Final = ("a b", "a", "a x b c", "\u00e9 \U00010000 a")
PAIRS: Final = (("a b", "c"), ("a", "b c d"), ("", "a"), ("a", ""), ("", ""), ("a", "a"), ("\u00e9 a", "\U00010000 b"))


def _by_words(processor: Document | None, **parts: Any) -> Document:
    return tokenizer(KNOWN, **{"pre_tokenizer": component("WhitespaceSplit"), "post_processor": processor, **parts})


def _truncation(max_length: int, stride: int = 0, strategy: str = "LongestFirst", direction: str = "Right") -> Document:
    return {"direction": direction, "max_length": max_length, "strategy": strategy, "stride": stride}


def _encoded(*texts: str) -> Questions:
    """Ask for the encoding of each text with special tokens; what a model gives without them is asked elsewhere."""
    return tuple(question for given in texts for question in encode(given))


def _singles(processor: Document, *texts: str, **parts: Any) -> list[CaseRecipe]:
    return [case(_by_words(processor, **parts), encode(given)) for given in (texts or TEXTS)]


def _pairs(processor: Document, *pairs: tuple[str, str], **parts: Any) -> list[CaseRecipe]:
    """Return a case for each pair; empty ones get a second pair, so that nothing passes that gives nothing."""
    return [case(_by_words(processor, **parts), pair(*both), pair("d", "c")) for both in (pairs or PAIRS)]


# TemplateProcessing ---------------------------------------------------------------------------------------------------

TEMPLATE = Area(
    "processors.TemplateProcessing",
    "TemplateProcessing",
    "post_process",
    'TemplateProcessing puts special tokens and sequences into an order of one\'s own. Its field single is the template for one text, pair the one for two. A template is a list of pieces: {"Sequence": {"id": "A", "type_id": 0}} is the place of the first text, with B of the second one, and {"SpecialToken": {"id": "[CLS]", "type_id": 0}} that of a special token. special_tokens has an object for each of these, under its id: id, ids and tokens, two lists of the same length. All fields are required. Special tokens that a post-processor adds have the offsets (0, 0), no word, no sequence, 1 in special_tokens_mask and 1 in attention_mask.',
)


def _a(type_id: int = 0) -> Document:
    return {"Sequence": {"id": "A", "type_id": type_id}}


def _b(type_id: int = 1) -> Document:
    return {"Sequence": {"id": "B", "type_id": type_id}}


def _s(id_: str, type_id: int = 0) -> Document:
    return {"SpecialToken": {"id": id_, "type_id": type_id}}


def _stands_for(id_: str, ids: Sequence[int], tokens: Sequence[str]) -> Document:
    return {"id": id_, "ids": list(ids), "tokens": list(tokens)}


SPECIAL: Final = {
    "[CLS]": _stands_for("[CLS]", [5], ["[CLS]"]),
    "[SEP]": _stands_for("[SEP]", [6], ["[SEP]"]),
    "two": _stands_for("two", [6, 5], ["<1>", "<2>"]),
    "three": _stands_for("three", [1, 90, 1], ["a", "?", "a"]),
    "none": _stands_for("none", [], []),
}

SINGLE: Final = (_s("[CLS]"), _a(), _s("[SEP]"))
PAIR: Final = (_s("[CLS]"), _a(), _s("[SEP]"), _b(), _s("[SEP]", 1))


def _template(
    single: Iterable[Document] = SINGLE, pair_: Iterable[Document] = PAIR, special: Document | None = None
) -> Document:
    return component(
        "TemplateProcessing",
        single=list(single),
        pair=list(pair_),
        special_tokens=SPECIAL if special is None else special,
    )


TEMPLATE.requirement(
    "TEMPLATE-SINGLE: The template of single arranges one text",
    "One text is put where single has the sequence A, and its special tokens where single has them, each with the ids and the tokens that special_tokens has for it.",
    "Ports put the first special token before and the last after, whatever the template says.",
    [
        _singles(_template(single))
        for single in (
            SINGLE,
            (_a(),),
            (_s("[CLS]"), _a()),
            (_a(), _s("[SEP]")),
            (_s("[CLS]"), _s("[SEP]"), _a()),
            (_a(), _s("[SEP]"), _s("[CLS]")),
            (_s("[SEP]"), _a(), _s("[CLS]")),
            (_s("[CLS]"), _s("[CLS]"), _a(), _s("[SEP]"), _s("[SEP]")),
        )
    ],
    features=("special_tokens",),
)
TEMPLATE.requirement(
    "TEMPLATE-EMPTY-TEXT: An empty text gets its special tokens",
    "For an empty text the special tokens alone are the encoding; without special tokens it is empty.",
    "Ports return early for an empty text.",
    [
        case(_by_words(_template(single)), *(_encoded(given) for given in texts))
        for single in (SINGLE, (_s("[CLS]"), _a()), (_a(), _s("two", 3)))
        for texts in (("",), ("", "a"), ("  ",))
    ],
    [case(_by_words(_template()), pair(*both)) for both in (("", ""), ("a", ""), ("", "a"))],
    features=("special_tokens",),
)
TEMPLATE.requirement(
    "TEMPLATE-PAIR: The template of pair arranges two texts",
    "Of two texts the first is put where pair has the sequence A, the second where it has B; single is not looked at then, nor pair for one text.",
    "Ports apply single to both texts and join them, or use the first special token of single for pairs.",
    [
        _pairs(_template(pair_=pair_))
        for pair_ in (
            PAIR,
            (_a(), _b()),
            (_a(), _s("[SEP]"), _b()),
            (_s("[CLS]"), _a(), _s("[SEP]"), _s("[SEP]"), _b(), _s("[SEP]")),
            (_s("two"), _a(), _b()),
        )
    ],
    case(_by_words(_template((_s("[SEP]"), _a()), (_a(), _b(), _s("[CLS]")))), _encoded("a b"), pair("a", "b")),
    case(_by_words(_template((_a(), _s("two")), (_a(), _b()))), _encoded("a b"), pair("a", "b")),
    features=("pair", "special_tokens"),
)
TEMPLATE.requirement(
    "TEMPLATE-TYPE-IDS: Every piece has a type id of its own",
    "The tokens of a sequence get the type id of its piece, and those of a special token the one of its piece, whichever of the texts it is.",
    "Ports give 0 to the first text and 1 to the second, and to special tokens the type of the text beside them.",
    [
        _singles(_template(single), "a b", "a")
        for single in (
            (_s("[CLS]", 1), _a(), _s("[SEP]", 2)),
            (_s("[CLS]", 1), _a(1), _s("[SEP]", 1)),
            (_s("[CLS]", 2), _a(3), _s("two", 4)),
            (_a(7),),
            (_s("[CLS]", 4294967295), _a(4294967295)),
        )
    ],
    [
        _pairs(_template(pair_=pair_), ("a b", "c"), ("a", "b c d"))
        for pair_ in (
            (_s("[CLS]"), _a(), _s("[SEP]"), _b(1), _s("[SEP]", 1)),
            (_s("[CLS]", 1), _a(1), _s("[SEP]", 1), _b(0), _s("[SEP]")),
            (_a(2), _s("[SEP]"), _b(2)),
            (_a(0), _s("[SEP]"), _b(0), _s("[SEP]"), _s("[CLS]", 2)),
            (_s("three", 9), _a(8), _s("two", 7), _b(6)),
        )
    ],
    features=("type_ids",),
)
TEMPLATE.requirement(
    "TEMPLATE-WITHOUT-SPECIAL-TOKENS: Without special tokens order and type ids of the template stay",
    "Where no special tokens are asked for, the template is applied without its special tokens: sequences have its order and its type ids.",
    "Ports skip the post-processor then, so that the second text has another type id.",
    [
        case(_by_words(_template(single)), encode(given, special=False))
        for single in ((_s("[CLS]"), _a(3), _s("[SEP]")), (_s("[CLS]", 2), _a(0)), (_a(1),))
        for given in ("a b", "a")
    ],
    [
        case(_by_words(_template(pair_=pair_)), encode(*both, special=False))
        for pair_ in (
            (_s("[CLS]"), _a(2), _s("[SEP]"), _b(3)),
            (_b(2), _s("[SEP]"), _a(3)),
            (_s("[CLS]"), _a(0), _b(0)),
            (_a(1), _s("[SEP]", 4), _a(2), _b(0)),
        )
        for both in (("a b", "c"), ("a", "b c d"))
    ],
    case(_by_words(_template()), encode("b a", special=False), batch("a", "b c", special=False)),
    case(_by_words(_template()), encode(["b", "a"], special=False), encode(["a"], ["b"], special=False)),
)
TEMPLATE.requirement(
    "TEMPLATE-SEVERAL-IDS: A special token may stand for several ids, or none",
    "A special token of a template stands for all the ids and tokens that special_tokens has for it, in their order; all of them get the type id of the piece.",
    "Ports take the first id, or look the id up in the vocabulary by the name of the special token.",
    [
        _singles(_template(single), "a b", "", "c")
        for single in (
            (_s("two"), _a()),
            (_a(), _s("three", 2)),
            (_s("three"), _a(), _s("two", 1)),
            (_s("none"), _a(), _s("two")),
            (_s("two", 1), _s("none", 2), _s("two", 3), _a()),
            (_s("none"), _a(), _s("none"), _s("[SEP]")),
        )
    ],
    _pairs(_template(pair_=(_s("three"), _a(), _s("none"), _s("two"), _b())), ("a", "b c"), ("", "")),
    features=("special_tokens",),
)
TEMPLATE.edge(
    "TEMPLATE-IDS-ARE-ITS-OWN: Ids and texts of special tokens come from the template alone",
    "The ids and texts of special tokens are those of special_tokens, whatever the vocabulary has: neither the names need be tokens, nor need the ids be those of the tokens.",
    "Ports look the names up in the vocabulary, where another id, or none, is found.",
    [
        case(
            _by_words(_template((_s("X"), _a(), _s("Y", 1)), special=special), added_tokens=tokens),
            _encoded("a b", "X a"),
            vocabulary(),
        )
        for special in (
            {"X": _stands_for("X", [1], ["a"]), "Y": _stands_for("Y", [900], ["nowhere"])},
            {"X": _stands_for("X", [0], ["X"]), "Y": _stands_for("Y", [4294967295], [""])},
            {"X": _stands_for("X", [6], ["\u0120\u00e9"]), "Y": _stands_for("Y", [5], ["[SEP]"])},
        )
        for tokens in ([], [added(7, "X", special=True), added(8, "Y", special=True)])
    ],
    features=("special_tokens",),
)
TEMPLATE.edge(
    "TEMPLATE-FOUND-BY-KEY: A special token is found by its key",
    "The id of a piece is the key under which special_tokens has the special token; the id inside of that object means nothing.",
    "Ports read the inner id, which is the same in ordinary files.",
    [
        _singles(
            _template(
                (_s("X"), _a(), _s("Y")),
                special={"X": _stands_for(inner[0], [5], ["x"]), "Y": _stands_for(inner[1], [6], ["y"])},
            ),
            "a b",
        )
        for inner in (("X", "Y"), ("Y", "X"), ("", ""), ("X", "X"))
    ],
    features=("special_tokens",),
)
TEMPLATE.edge(
    "TEMPLATE-ORDER-OF-SEQUENCES: Sequences may come in any order",
    "Where B comes before A in the template, the second text comes first. Its tokens still belong to sequence 1, and those of the first text to sequence 0; offsets and words are those of their texts.",
    "Ports number sequences by their place in the result.",
    [
        _pairs(_template(pair_=pair_))
        for pair_ in ((_b(1), _a(0)), (_b(0), _s("[SEP]"), _a(1)), (_s("[CLS]"), _b(0), _s("[SEP]"), _a(0), _s("two")))
    ],
    features=("pair", "sequence_ids"),
)
TEMPLATE.edge(
    "TEMPLATE-MISSING-SEQUENCE: A sequence that the template lacks is not in the encoding",
    "A file may have templates without A or without B: the tokens of a text that the template does not name are left out. If an encoding has n texts (one if it has none), sequence_ids are numbers below n, and a number below n that none of its texts has stands for all tokens: with B alone, and with no text at all, all tokens have 0.",
    "Ports append what is left, or refuse the file.",
    _singles(_template((_s("[CLS]"),)), "a b", ""),
    _singles(_template((_s("two", 1), _s("[SEP]"))), "a b"),
    _pairs(_template(pair_=(_s("[CLS]"), _a())), ("a b", "c"), ("", "c")),
    _pairs(_template(pair_=(_b(1), _s("[SEP]"))), ("a b", "c"), ("a", "")),
    _pairs(_template(pair_=(_s("[CLS]"), _s("[SEP]"))), ("a b", "c")),
    case(_by_words(_template(())), _encoded("a b"), pair("a", "b")),
    case(_by_words(_template(pair_=())), _encoded("a b"), pair("a", "b")),
    features=("special_tokens",),
)
TEMPLATE.edge(
    "TEMPLATE-REPEATED-SEQUENCE: A sequence may be named more than once",
    "A text is put wherever the template names it, with the type id of each place; its tokens belong to the sequence at the last of these places only.",
    "Ports move the tokens of the text in place of copying them.",
    _singles(_template((_a(1), _s("[SEP]"), _a(2))), "a b", "a"),
    _singles(_template((_a(0), _a(1), _a(2))), "a b", "a"),
    _pairs(_template(pair_=(_a(0), _b(1), _a(2))), ("a b", "c"), ("a", "b c")),
    _pairs(_template(pair_=(_b(3), _a(0), _s("[SEP]"), _b(1), _s("[SEP]"), _b(2))), ("a b", "c"), ("", "b c")),
    features=("special_tokens",),
)
TEMPLATE.requirement(
    "TEMPLATE-FIELDS: Special tokens have no word and no sequence, and offsets (0, 0)",
    "Special tokens that are added have the offsets (0, 0), no word, no sequence, 1 in special_tokens_mask and 1 in attention_mask. The tokens of the texts keep their offsets and words, and have 0 and 1.",
    "Ports give special tokens the offsets of the place where they stand, or count them as words.",
    case(_by_words(_template((_s("two"), _a(), _s("[SEP]")))), encode("\u00e9 \U00010000  a")),
    case(_by_words(_template()), encode(" a b", "c  d ")),
    case(_by_words(_template((_a(), _s("[SEP]"), _a()))), encode("a b")),
    case(
        _by_words(_template((_s("[CLS]"), _a())), added_tokens=[added(5, "[CLS]", special=True)]),
        encode("[CLS] a[CLS]"),
    ),
    features=("special_tokens_mask", "offsets", "word_ids", "sequence_ids", "attention_mask"),
)
TEMPLATE.requirement(
    "TEMPLATE-WORDS: Input that is split into words is arranged in the same way",
    "Texts that come as words are arranged as others; word_ids are the numbers of the words in their text.",
    "Ports count words on from the first text, or from the special token on.",
    [
        case(
            _by_words(_template(single)),
            words(["a", "b"], ["a b", "", "c"]),
            pair(["a"], ["b", "c"]),
            pair(["a b"], []),
        )
        for single in (SINGLE, (_s("two", 2), _a(1)))
    ],
    features=("pre_split", "special_tokens"),
)
TEMPLATE.requirement(
    "TEMPLATE-BATCH: In a batch single and pair are chosen for each input",
    "Each input of a batch is arranged by itself, by single or by pair.",
    "Ports choose the template for the whole batch.",
    case(_by_words(_template()), batch("a b", "c", "")),
    case(_by_words(_template()), batch(("a b", "c"), ("d", ""), pairs=True)),
    case(_by_words(_template()), batch(["a", "b"], ["c"]), batch((["a"], ["b", "c"]), pairs=True)),
    features=("batch", "special_tokens"),
)
TEMPLATE.requirement(
    "TEMPLATE-COUNTED-BY-TRUNCATION: Truncation leaves room for the special tokens of the template",
    "The text is truncated to the maximal length less the number of ids of all special tokens of the template for as many texts, where special tokens are asked for, and to the maximal length where they are not.",
    "Ports count pieces in place of ids, or those of single for a pair.",
    [
        case(_by_words(_template(single), truncation=_truncation(length)), _encoded("a b c d a b c"))
        for single in (SINGLE, (_s("three"), _a(), _s("two")), (_s("none"), _a()), (_a(), _s("two"), _s("two")))
        for length in (5, 6, 7)
    ],
    [
        case(_by_words(_template(pair_=pair_), truncation=_truncation(length)), pair("a b c d", "d c b a"))
        for pair_ in (PAIR, (_a(), _b()), (_s("three"), _a(), _s("[SEP]"), _b()))
        for length in (5, 6, 8)
    ],
    case(_by_words(_template((_a(), _s("two"), _a())), truncation=_truncation(4)), _encoded("a b c d")),
    features=("special_tokens",),
)
TEMPLATE.requirement(
    "TEMPLATE-AROUND-OVERFLOW: Overflowing parts get special tokens too",
    "Every overflowing part is arranged by the template as the encoding itself, with all its special tokens.",
    "Ports add special tokens to the first part only.",
    [
        case(_by_words(_template(single), truncation=_truncation(4, stride)), _encoded("a b c d a"))
        for single in (SINGLE, (_s("[CLS]"), _a()), (_a(), _s("two")))
        for stride in (0, 1)
    ],
    [
        case(_by_words(_template(), truncation=_truncation(length, 0, strategy)), pair("a b c", "d c b"))
        for length, strategy in ((6, "LongestFirst"), (7, "OnlyFirst"), (8, "OnlySecond"), (5, "LongestFirst"))
    ],
    case(_by_words(_template(pair_=(_b(), _s("[SEP]"), _a())), truncation=_truncation(4)), pair("a b c", "d c b")),
    features=("overflowing",),
)
UNSORTED = _template(
    (_b(2), _s("z", 3)),
    (),
    {
        "z": _stands_for("z", [1, 2], ["q", "r"]),
        "B": _stands_for("b", [], []),
        "a": _stands_for("a", [0], ["a"]),
    },
)
"""A template whose special tokens are not in the order of their keys."""

TEMPLATE.requirement(
    "TEMPLATE-SAVED: A template is written in the form of files",
    "A saved template has its pieces in their order, each with id and type_id, and all its special tokens, used or not.",
    "Ports write the short notation of strings, which no file has.",
    [case(_by_words(processor), saved(), _encoded("a")) for processor in (_template(), UNSORTED)],
    features=("save",),
)
TEMPLATE.edge(
    "TEMPLATE-SAVED-SORTED: Special tokens are written sorted by their key",
    "The special tokens of a saved template are sorted by key, by the code points, wherever they stood in the file; the members of each are id, ids, tokens.",
    "Ports write them as they were read, or in the order of a hash table, so that files differ from run to run.",
    [
        case(_by_words(processor), written(), _encoded("a"))
        for processor in (
            UNSORTED,
            _template(
                (_a(), _s("\uff5e")),
                (),
                {key: _stands_for(key, [1], ["q"]) for key in ("\U0001f389", "\uff5e", "\u00e9", "b", "a2", "a10", "")},
            ),
        )
    ],
    features=("save",),
)
TEMPLATE.edge(
    "TEMPLATE-REFUSED: A template that is not in the form of a file is refused",
    "A file is refused where single, pair or special_tokens is missing, where a piece is a string or has not exactly one of the two forms, where a sequence is neither A nor B, and where a type id or an id is no number from 0 to 4294967295.",
    "Ports take the notation of the Python API for that of files, or read a missing type id as 0.",
    [
        case(_by_words(_template()), _encoded("a b"), refused(_by_words(broken)))
        for broken in (
            {"type": "TemplateProcessing", "single": [_a()], "pair": [_a(), _b()]},
            {"type": "TemplateProcessing", "single": [_a()], "special_tokens": {}},
            {"type": "TemplateProcessing", "pair": [_a(), _b()], "special_tokens": {}},
            _template(["$A"], [], {}),  # type: ignore[list-item]
            _template([{"Sequence": "A"}]),
            _template([{"Sequence": {"id": "C", "type_id": 0}}]),
            _template([{"Sequence": {"id": "a", "type_id": 0}}]),
            _template([{"Sequence": {"id": "A"}}]),
            _template([{"SpecialToken": {"id": "[CLS]"}}]),
            _template([{"SpecialToken": {"type_id": 0}}]),
            _template([{"Special": {"id": "[CLS]", "type_id": 0}}]),
            _template([{}]),
            _template([_a(-1)]),
            _template([_a(4294967296)]),
            _template([_s("[CLS]", 1.5)]),  # type: ignore[arg-type]
            _template(special={"[CLS]": {"id": "[CLS]", "ids": [1]}}),
            _template(special={"[CLS]": {"id": "[CLS]", "tokens": ["a"]}}),
            _template(special={"[CLS]": {"ids": [1], "tokens": ["a"]}}),
            _template(special={"[CLS]": _stands_for("[CLS]", [-1], ["a"])}),
            _template(special={"[CLS]": ["[CLS]", 1, "a"]}),
        )
    ],
    features=("load",),
)
TEMPLATE.quirk(
    "TEMPLATE-SECOND-SEQUENCE-HAS-TYPE-0: The notation $B gives the second text type 0",
    "In the short notation of the Python API a piece without a number has type 0, $B too: a file written from it has type_id 0 for the sequence B, and both texts then have type 0.",
    "One would expect type 1 for the second text, as BertProcessing gives it.",
    [
        _pairs(_template(pair_=pair_), ("a b", "c"), ("", "c d"))
        for pair_ in ((_a(0), _b(0)), (_s("[CLS]"), _a(0), _s("[SEP]"), _b(0), _s("[SEP]")))
    ],
    features=("pair", "type_ids"),
)
TEMPLATE.quirk(
    "TEMPLATE-NUMBER-IS-A-TYPE-OF-THE-FIRST-SEQUENCE: The notation $2 is the first text with type 2",
    "In the short notation of the Python API $ with a number is the first text, with the number as its type: a file written from $2 has the sequence A with type_id 2.",
    "One would expect $1 and $2 to be the first and the second text.",
    [
        _singles(_template((_a(number),)), "a b", "c") + _pairs(_template(pair_=(_a(number), _b(1))), ("a b", "c"))
        for number in (1, 2)
    ],
    features=("type_ids",),
)
TEMPLATE.quirk(
    "TEMPLATE-SPLITS-AT-EVERY-SPACE: Two spaces in the notation stand for a special token without a name",
    "In the short notation of the Python API a template is split at every single space, so that between two of them there is a special token with an empty id. Where special_tokens has no such key the Python API refuses the template; a file is loaded, and encoding raises an error.",
    "One would expect any number of spaces to separate pieces.",
    case(
        _by_words(_template((_s("[CLS]"), _s(""), _a()), special=SPECIAL)),
        encode("a", special=False),
        encode("a"),
        pair("a", "b"),
    ),
    case(_by_words(_template((_s(""), _a()), special={**SPECIAL, "": _stands_for("", [4], [""])})), _encoded("a b")),
    features=("special_tokens",),
)
TEMPLATE.quirk(
    "TEMPLATE-LEAVES-TYPES-OF-OVERFLOW: Overflowing parts keep their type ids in the template",
    "The type id of a sequence in the template goes to the encoding itself; the tokens of overflowing parts keep 0 for the first text and 1 for the second, beside special tokens with the types of the template.",
    "One would expect overflowing parts to have the types of the encoding that they continue.",
    [
        case(_by_words(_template((_s("[CLS]", 2), _a(3))), truncation=_truncation(length)), _encoded("a b c d"))
        for length in (2, 3)
    ],
    [
        case(
            _by_words(_template(pair_=(_a(5), _s("[SEP]", 6), _b(7))), truncation=_truncation(length, 0, strategy)),
            pair("a b c", "d c b"),
        )
        for length, strategy in ((5, "OnlySecond"), (5, "OnlyFirst"), (4, "LongestFirst"))
    ],
    features=("overflowing", "type_ids"),
)
TEMPLATE.quirk(
    "TEMPLATE-SET-LATER-IS-NOT-COUNTED: The number of special tokens is counted once",
    "Where single is set later in the Python API, it may name special tokens that are missing, and the number of special tokens that truncation leaves room for stays what it was.",
    "One would expect the new template to be checked and counted as the first one was.",
    not_asked="single can only be set later in the Python API of tokenizers",
)
TEMPLATE.quirk(
    "TEMPLATE-READS-AS-DEBUG-TEXT: single reads as a debugging text",
    "In the Python API the attribute single is a debugging text of Rust, which is no template and cannot be set.",
    "One would expect to read what was given.",
    not_asked="it is an attribute of the Python API of tokenizers",
)
TEMPLATE.quirk(
    "TEMPLATE-OF-ONE-WITH-SECOND-SEQUENCE-PANICS: A template for one text that names the second one raises an error",
    "A file may name the sequence B in single: it is loaded, pairs are encoded as ever, and encoding one text raises an error, with special tokens and without.",
    "One would expect the file to be refused; the target panics when it encodes.",
    [
        case(_by_words(_template(single)), pair("a", "b"), encode("a"), encode("a b", special=False))
        for single in ((_b(1),), (_s("[CLS]"), _a(), _s("[SEP]"), _b(1)), (_b(0), _a()))
    ],
    features=("pair",),
)
TEMPLATE.quirk(
    "TEMPLATE-IN-A-FILE-IS-NOT-CHECKED: A special token that is missing raises an error when it is used",
    "A file whose template names a special token that special_tokens lacks is loaded. Encoding raises an error where that template is used with special tokens; without them, and with the other template, it does not.",
    "One would expect the file to be refused; the target panics when it encodes.",
    case(_by_words(_template((_s("X"), _a()))), encode("a", special=False), encode("a", "b"), encode("a")),
    case(
        _by_words(_template(pair_=(_a(), _s("X"), _b()))),
        _encoded("a"),
        encode("a", "b", special=False),
        encode("a", "b"),
    ),
    case(
        _by_words(_template(special={})), pair("a", "b")[:1], encode("a"), encode("a", "b"), encode("b", special=False)
    ),
    case(_by_words(_template((_s("[cls]"), _a()))), encode("a b", special=False), encode("a b"), encode("a", "b")),
    features=("special_tokens",),
)
TEMPLATE.quirk(
    "TEMPLATE-IN-A-FILE-MAY-HAVE-COLUMNS-OF-UNEQUAL-LENGTH: A special token may have more ids than tokens",
    "A file may give a special token more ids than tokens, or fewer: it is loaded, and the encoding then has as many ids, and as many tokens, as the file says, while all other fields follow the ids.",
    "One would expect the file to be refused, as the Python API does with such a special token.",
    [
        _singles(_template(single, special={"X": _stands_for("X", ids, tokens)}), "a b", "a")
        for ids, tokens in (([5, 6], ["q"]), ([5], ["q", "r"]), ([], ["q"]), ([5], []))
        for single in ((_s("X", 2), _a()), (_a(), _s("X")))
    ],
    features=("special_tokens", "tokens"),
)
TEMPLATE.quirk(
    "TEMPLATE-NAMES-MISSING-TOKENS-IN-ANY-ORDER: The error for missing special tokens has no order",
    "The Python API refuses a template that names special tokens which are not given, and lists them in an order that differs from one time to the next.",
    "One would expect the order of the template.",
    not_asked="it is the text of an error of the Python API of tokenizers, and random",
)


# BertProcessing -------------------------------------------------------------------------------------------------------

BERT = Area(
    "processors.BertProcessing",
    "BertProcessing",
    "post_process",
    "BertProcessing puts the special token cls before the first text, and sep after each. Both fields are lists of the text of the token and its id, and required. The added tokens have the offsets (0, 0), no word, no sequence, 1 in special_tokens_mask and 1 in attention_mask.",
)


def _bert(sep: Sequence[object] = SEP, cls: Sequence[object] = CLS) -> Document:
    return component("BertProcessing", sep=list(sep), cls=list(cls))


BERT.requirement(
    "BERTPROC-SINGLE: One text stands between cls and sep",
    "cls is put before one text and sep after it, both with type 0.",
    "Ports read the fields in their order in the file, where sep comes first.",
    _singles(_bert()),
    _singles(_bert(CLS, SEP), "a b", "a"),
    features=("special_tokens",),
)
BERT.requirement(
    "BERTPROC-PAIR: A pair is cls, first text, sep, second text, sep",
    "Of two texts the first stands between cls and sep, with type 0; the second stands before another sep, with type 1 for both. No cls is put before the second text.",
    "Ports put cls before both texts, or give the last sep type 0.",
    _pairs(_bert()),
    _pairs(_bert(CLS, SEP), ("a b", "c")),
    features=("pair", "special_tokens"),
)
BERT.requirement(
    "BERTPROC-EMPTY-TEXT: An empty text gets cls and sep",
    "An empty text is cls and sep alone, an empty pair cls and two sep.",
    "Ports return nothing for an empty text.",
    [case(_by_words(_bert()), _encoded(given), pair(given, given)) for given in ("", " ", "\u3000\t")],
    features=("special_tokens",),
)
BERT.requirement(
    "BERTPROC-WITHOUT-SPECIAL-TOKENS: Without special tokens only type and sequence ids are given",
    "Where no special tokens are asked for nothing is added; the tokens of the first text have type and sequence 0, those of the second 1.",
    "Ports give both texts type 0 then.",
    [case(_by_words(_bert()), encode(given, special=False)) for given in ("a b", "a", "x")],
    [case(_by_words(_bert()), encode(*both, special=False)) for both in (("a b", "c"), ("a", ""), ("", "b c"))],
)
BERT.requirement(
    "BERTPROC-FIELDS: cls and sep have no word and no sequence, and offsets (0, 0)",
    "cls and sep have the offsets (0, 0), no word, no sequence and 1 in special_tokens_mask. The tokens of the texts keep offsets and words, and belong to sequence 0 or 1.",
    "Ports give sep the offsets of the end of the text, or count the special tokens in word_ids.",
    [
        case(_by_words(_bert()), encode(first, second))
        for first, second in (
            ("\u00e9 \U00010000  a", None),
            (" a b ", "c  d "),
            ("a", "\U00010000 \u00e9 b"),
            (["a", "b c"], None),
            (["a"], ["b", "c d"]),
        )
    ],
    features=("special_tokens_mask", "offsets", "word_ids", "sequence_ids", "attention_mask"),
)
BERT.edge(
    "BERTPROC-IDS-ARE-ITS-OWN: Texts and ids of cls and sep come from the post-processor alone",
    "cls and sep have the texts and ids that the fields give, whatever the vocabulary has for them.",
    "Ports look the texts up in the vocabulary.",
    [
        case(_by_words(_bert(sep, cls)), _encoded("a b"), pair("a", "b"))
        for sep, cls in (
            (["a", 2], ["b", 1]),
            (["nowhere", 900], ["", 0]),
            (["[SEP]", 4294967295], ["[SEP]", 6]),
            (["[SEP]", 5], ["[CLS]", 6]),
        )
    ],
    features=("special_tokens",),
)
BERT.requirement(
    "BERTPROC-WORDS: Input that is split into words, and batches, are treated alike",
    "cls and sep are put around texts that come as words, and around every input of a batch, in the same way.",
    "Ports put them around every word.",
    case(_by_words(_bert()), words(["a", "b"], ["a b", "", "c"], [])),
    case(_by_words(_bert()), pair(["a"], ["b", "c"]), pair([], ["b c"])),
    case(_by_words(_bert()), batch(["a"], ["b", "c"]), batch((["a"], ["b"]), pairs=True), encode(["a"])),
    features=("pre_split", "special_tokens"),
)
BERT.requirement(
    "BERTPROC-COUNTED-BY-TRUNCATION: Truncation leaves room for two tokens, for a pair three",
    "A text is truncated to the maximal length less 2, a pair to the maximal length less 3, where special tokens are asked for.",
    "Ports leave room for two tokens always, or truncate the special tokens away.",
    [case(_by_words(_bert(), truncation=_truncation(length)), _encoded("a b c d a")) for length in (3, 4, 6, 7)],
    [case(_by_words(_bert(), truncation=_truncation(length)), pair("a b c", "d c b")) for length in (5, 6, 8, 9)],
    [
        case(_by_words(_bert(), truncation=_truncation(6, 0, strategy, direction)), pair("a b c", "d c"))
        for strategy in ("OnlyFirst", "OnlySecond", "LongestFirst")
        for direction in ("Left", "Right")
    ],
    features=("special_tokens",),
)
BERT.requirement(
    "BERTPROC-AROUND-OVERFLOW: Overflowing parts get cls and sep too",
    "Every overflowing part of a text gets the special tokens that the text gets, with the same types and masks.",
    "Ports add special tokens to the first part only, or cls to that and sep to the last.",
    [case(_by_words(_bert(), truncation=_truncation(4, stride)), _encoded("a b c d a")) for stride in (0, 1)],
    [
        case(_by_words(_bert(), truncation=_truncation(length, stride, strategy)), pair("a b c", "d c b a"))
        for length, stride, strategy in (
            (6, 0, "LongestFirst"),
            (7, 1, "LongestFirst"),
            (9, 0, "OnlyFirst"),
            (8, 0, "OnlySecond"),
            (8, 1, "OnlySecond"),
        )
    ],
    features=("overflowing",),
)
BERT.requirement(
    "BERTPROC-BEFORE-PADDING: Padding comes after the special tokens",
    "Padding is added to the encoding with cls and sep, which count for its length.",
    "Ports pad the text and put sep behind the padding.",
    [
        case(
            _by_words(
                _bert(),
                padding={
                    "strategy": strategy,
                    "direction": direction,
                    "pad_to_multiple_of": None,
                    "pad_id": 4,
                    "pad_type_id": 3,
                    "pad_token": "[PAD]",
                },
            ),
            _encoded("a"),
            pair("a", "b"),
            batch("a b", "c"),
        )
        for strategy in ({"Fixed": 6}, "BatchLongest")
        for direction in ("Right", "Left")
    ],
    features=("special_tokens",),
)
BERT.edge(
    "BERTPROC-FILE: sep and cls are lists of text and id",
    "sep and cls are written as lists of text and id, and read as these only: a list of another length, another order, or a missing field is refused.",
    "Ports read the fields of other files, where they are strings.",
    [
        case(_by_words(_bert()), saved(), refused(_by_words(broken)))
        for broken in (
            {"type": "BertProcessing", "sep": SEP},
            {"type": "BertProcessing", "cls": CLS},
            {"type": "BertProcessing", "sep": "[SEP]", "cls": CLS},
            _bert(["[SEP]"]),
            _bert(["[SEP]", 1, 2]),
            _bert([1, "[SEP]"]),
            _bert(["[SEP]", -1]),
            _bert(["[SEP]", 4294967296]),
            _bert(cls=["[CLS]", "1"]),
        )
    ],
    features=("save", "load"),
)
BERT.quirk(
    "PROCESSOR-TYPE-IS-GUESSED: The type of a post-processor follows from its fields",
    "The type that a file gives is looked at for ByteLevel and Sequence alone. Any other post-processor is the first of RobertaProcessing (sep, cls, trim_offsets, add_prefix_space), BertProcessing (sep, cls) and TemplateProcessing (single, pair, special_tokens) whose fields are all there.",
    "One would expect the type to say what it is, and an unknown one to be refused.",
    [
        case(_by_words({"type": type_, **fields}), pair("a b", "c"), _encoded("a"), saved())
        for type_ in ("BertProcessing", "RobertaProcessing", "TemplateProcessing", "Nothing")
        for fields in (
            {"sep": SEP, "cls": CLS},
            {"sep": SEP, "cls": CLS, "trim_offsets": True, "add_prefix_space": False},
            {"sep": SEP, "cls": CLS, "trim_offsets": True},
            {"sep": SEP, "cls": CLS, "single": [_a()], "pair": [_a(), _b()], "special_tokens": {}},
            {"single": [_a(2)], "pair": [_b(), _a()], "special_tokens": {}},
        )
    ],
    case(_by_words({"sep": SEP, "cls": CLS}), pair("a b", "c"), _encoded("a"), saved()),
    features=("special_tokens", "pair"),
)
BERT.quirk(
    "BERT-AND-ROBERTA-RESET-MASKS: Tokens that were there are not special any more",
    "With special tokens BertProcessing and RobertaProcessing set special_tokens_mask to 0 and attention_mask to 1 for all tokens that they get; special tokens that a template before them in a Sequence added are text then.",
    "One would expect the masks of these tokens to stay.",
    [
        case(
            _by_words(component("Sequence", processors=[_template((_s("two"), _a())), processor])),
            *(encode(given, special=special) for given in ("a b", "") for special in (True, False)),
        )
        for processor in (
            _bert(),
            component("RobertaProcessing", sep=SEP, cls=CLS, trim_offsets=False, add_prefix_space=False),
        )
    ],
    features=("special_tokens_mask",),
)
BERT.quirk(
    "BERT-SURROUNDS-EVERY-PART-OF-A-TEMPLATE: After a template, cls and sep are put around each of its parts",
    "After a template in a Sequence, BertProcessing and RobertaProcessing get its parts, a special token or a text each, in place of texts: the first part is treated as a first text, all others as a second one.",
    "One would expect them to get the result of the template as one text.",
    [
        case(
            _by_words(component("Sequence", processors=[_template(single, pair_), processor])),
            _encoded("a b"),
            pair("a", "b c"),
        )
        for single, pair_ in (
            (SINGLE, PAIR),
            ((_a(2),), (_b(1), _a(2))),
            ((_a(1), _s("two", 4)), (_s("none"), _a(), _b())),
        )
        for processor in (
            _bert(),
            component("RobertaProcessing", sep=SEP, cls=CLS, trim_offsets=True, add_prefix_space=True),
        )
    ],
    features=("special_tokens",),
)
BERT.quirk(
    "PROCESSOR-OVERRIDES-TYPE-IDS: Type ids that an encoding had before are lost",
    "Before a post-processor works, the type ids of an encoding become 0 for the first text and 1 for the second, whatever they were.",
    "One would expect BertProcessing, which adds tokens, to leave the types of others alone.",
    not_asked="the pipeline gives no others before; they can only be made in the Python API of tokenizers",
)
BERT.quirk(
    "SPECIAL-TOKENS-LOSE-NESTED-OVERFLOW: Overflow of overflow is lost",
    "BertProcessing and RobertaProcessing put special tokens around the overflowing parts of an encoding, and drop overflowing parts that these have themselves.",
    "One would expect all parts to stay, as with a template.",
    not_asked="the pipeline gives no such parts before; they can only be made in the Python API of tokenizers",
)


# RobertaProcessing ----------------------------------------------------------------------------------------------------

ROBERTA = Area(
    "processors.RobertaProcessing",
    "RobertaProcessing",
    "post_process",
    "RobertaProcessing puts the special token cls before the first text and sep after it, and sep on both sides of a second text. All types are 0. With trim_offsets it takes white space out of the offsets, as the post-processor ByteLevel does, where add_prefix_space says whether the pre-tokenizer put a space before the text. sep and cls are lists of text and id; all four fields are required.",
)


def _roberta(
    sep: Sequence[object] = SEP, cls: Sequence[object] = CLS, *, trim: bool = False, prefix: bool = False
) -> Document:
    return component("RobertaProcessing", sep=list(sep), cls=list(cls), trim_offsets=trim, add_prefix_space=prefix)


ROBERTA.requirement(
    "ROBERTA-SINGLE: One text stands between cls and sep",
    "cls is put before one text and sep after it, with type 0.",
    "Ports read the fields in their order in the file, where sep comes first; one gives nothing without trim_offsets.",
    [_singles(_roberta(trim=trim, prefix=prefix), "a b", "a") for trim in (False, True) for prefix in (False, True)],
    _singles(_roberta(CLS, SEP)),
    features=("special_tokens",),
    links=("https://github.com/sugarme/tokenizer/issues/66",),
)
ROBERTA.requirement(
    "ROBERTA-PAIR: A pair is cls, first text, sep, sep, second text, sep",
    "Of two texts the first stands between cls and sep, the second between two sep; all types are 0, those of the second text too.",
    "Ports put one sep between the texts, as BERT, or give the second text type 1.",
    _pairs(_roberta()),
    _pairs(_roberta(CLS, SEP), ("a b", "c")),
    _pairs(_roberta(trim=True, prefix=True), ("a b", "c"), ("", "c d")),
    features=("pair", "special_tokens", "type_ids"),
)
ROBERTA.requirement(
    "ROBERTA-EMPTY-TEXT: An empty text gets cls and sep",
    "An empty text is cls and sep alone, an empty pair cls and three sep.",
    "Ports return nothing for an empty text, or fail where there is no first token to trim.",
    [
        case(_by_words(_roberta(trim=trim, prefix=trim)), _encoded(given), pair(given, given))
        for trim in (False, True)
        for given in ("", " ")
    ],
    features=("special_tokens",),
)
ROBERTA.requirement(
    "ROBERTA-FIELDS: cls and sep have no word and no sequence, and offsets (0, 0)",
    "cls and sep have the offsets (0, 0), no word, no sequence and 1 in special_tokens_mask. The tokens of the texts keep words, and belong to sequence 0 or 1.",
    "Ports count the special tokens in word_ids, or lose the sequence of the second text because its type is 0.",
    [
        case(_by_words(_roberta(trim=trim)), encode(first, second))
        for trim in (False, True)
        for first, second in (
            ("\u00e9 \U00010000  a", None),
            (" a b ", "c  d "),
            (["a", "b c"], None),
            (["a"], ["b", "c d"]),
        )
    ],
    features=("special_tokens_mask", "offsets", "word_ids", "sequence_ids", "attention_mask"),
)
ROBERTA.requirement(
    "ROBERTA-COUNTED-BY-TRUNCATION: Truncation leaves room for two tokens, for a pair four",
    "A text is truncated to the maximal length less 2, a pair to the maximal length less 4, where special tokens are asked for.",
    "Ports take the three of BERT.",
    [case(_by_words(_roberta(), truncation=_truncation(length)), _encoded("a b c d a")) for length in (3, 4, 6, 7)],
    [case(_by_words(_roberta(), truncation=_truncation(length)), pair("a b c", "d c b")) for length in (6, 7, 9, 10)],
    features=("special_tokens",),
)
ROBERTA.requirement(
    "ROBERTA-AROUND-OVERFLOW: Overflowing parts get special tokens too",
    "Every overflowing part gets the special tokens that its text gets; its types become 0 with them.",
    "Ports add special tokens to the first part only, or leave type 1 in the parts of the second text.",
    [
        case(_by_words(_roberta(trim=trim, prefix=trim), truncation=_truncation(4, stride)), _encoded("a b c d a"))
        for stride in (0, 1)
        for trim in (False, True)
    ],
    [
        case(_by_words(_roberta(trim=True), truncation=_truncation(length, stride, strategy)), pair("a b c", "d c b a"))
        for length, stride, strategy in (
            (7, 0, "LongestFirst"),
            (10, 0, "OnlyFirst"),
            (9, 0, "OnlySecond"),
            (9, 1, "OnlySecond"),
        )
    ],
    features=("overflowing",),
)
ROBERTA.edge(
    "ROBERTA-FILE: All four fields are required",
    "A file is refused where trim_offsets or add_prefix_space is no boolean and cls or sep is missing as well, or no list of text and id; a saved file has all four.",
    "Ports take true for what is missing.",
    [
        case(_by_words(_roberta(trim=trim, prefix=prefix)), saved(), _encoded("a"), refused(_by_words(broken)))
        for trim, prefix, broken in (
            (True, False, {**_roberta(), "sep": "[SEP]"}),
            (False, True, {**_roberta(), "cls": ["[CLS]"]}),
            (True, True, {"type": "RobertaProcessing", "trim_offsets": True, "add_prefix_space": True}),
            (False, False, {"type": "RobertaProcessing", "sep": SEP, "trim_offsets": True, "add_prefix_space": True}),
        )
    ],
    features=("save", "load"),
)
ROBERTA.quirk(
    "ROBERTA-WORKS-WITHOUT-SPECIAL-TOKENS: Offsets are trimmed and types are 0 without special tokens, too",
    "Where no special tokens are asked for, RobertaProcessing adds none, but trims offsets and sets the types of both texts to 0 all the same; overflowing parts are trimmed, and keep their types.",
    "One would expect a post-processor to do nothing then, as BertProcessing.",
    [
        case(_by_words(_roberta(trim=trim)), encode(*both, special=False))
        for trim in (False, True)
        for both in (("a b", "c"), ("", "c d"))
    ],
    [
        case(
            _by_words(_roberta(trim=True), truncation=_truncation(length, 0, strategy)),
            encode("a b c", "d c b", special=False),
        )
        for length, strategy in ((4, "LongestFirst"), (5, "OnlySecond"), (4, "OnlyFirst"))
    ],
    features=("type_ids",),
)


# Trimming of offsets --------------------------------------------------------------------------------------------------

BYTE_LEVEL = Area(
    "processors.ByteLevel",
    "ByteLevel as a post-processor",
    "post_process",
    "The post-processor ByteLevel takes white space out of the offsets of tokens. The pre-tokenizer of the same name leaves a space at the beginning of a token, where it is written as U+0120. The field trim_offsets says whether anything is done; add_prefix_space, whether the pre-tokenizer put a space before the text; use_regex has no effect and may be missing. It adds no tokens.",
)


def _trimming(*, trim: bool = True, prefix: bool = False, **more: bool) -> Document:
    return component("ByteLevel", add_prefix_space=prefix, trim_offsets=trim, **{"use_regex": True, **more})


def _cut_at_bars(processor: Document, texts: Iterable[str], **parts: Any) -> Document:
    """Return a tokenizer whose tokens are what stands between the bars of each of ``texts``."""
    pieces = dict.fromkeys(piece for each_ in texts for piece in each_.split("|") if piece)
    return tokenizer(
        word_level(list(pieces)),
        **{
            "pre_tokenizer": component("Split", pattern={"String": "|"}, behavior="Removed", invert=False),
            "post_processor": processor,
            **parts,
        },
    )


def _trimmed(processors: Sequence[Document], *texts: str, special: bool = True) -> list[CaseRecipe]:
    """Return a case for each processor and each of ``texts``, whose tokens stand between bars."""
    return [
        case(_cut_at_bars(processor, texts), encode(given, special=special))
        for processor in processors
        for given in texts
    ]


KINDS: Final = tuple(_trimming(trim=trim, prefix=prefix) for trim in (True, False) for prefix in (False, True))
TRIMMERS: Final = (KINDS[0], KINDS[1], _roberta(trim=True, prefix=False), _roberta(trim=True, prefix=True))
"""Everything that trims: ByteLevel and RobertaProcessing, without and with add_prefix_space."""

G: Final = "\u0120"

BYTE_LEVEL.requirement(
    "BYTELEVELPROC-TRIMS: White space at both ends of a token is taken out of its offsets",
    "With trim_offsets the offsets of a token begin as many characters later as its text has blanks at its beginning, and end as many earlier as it has at its end. A blank is U+0120 or a character with the property White_Space. The text of the token stays as it is.",
    "Ports trim one space only, trim the beginning alone, or cut the blank off the token.",
    _trimmed(
        TRIMMERS[::2],
        *row(
            f"x|{G}a|{G}{G}bc•x|a{G}|bc{G}{G}•{G}a{G}|{G}{G}a{G}{G}{G}|{G}bc{G}•{G}a|b•{G}{G}a|b•a{G}•"
            f"a{G}b|a {G}b• a|  b |\tc\n• {G}a{G} |{G} a•\u00e9|{G}\u00e9{G}|{G}\U00010000•a|b|abc"
        ),
    ),
    features=("offsets",),
)
BYTE_LEVEL.requirement(
    "BYTELEVELPROC-OFF: Without trim_offsets the offsets stay",
    "Without trim_offsets nothing is trimmed, whatever add_prefix_space is.",
    "Ports always trim, or trim where either option is set.",
    _trimmed(
        (*KINDS[2:], _roberta(), _roberta(prefix=True)),
        f"x|{G}a|{G}{G}bc",
        f"{G}a{G}|{G}{G}a{G}{G}{G}|{G}bc{G}",
        " a|  b |\tc\n",
    ),
    features=("offsets",),
)
BYTE_LEVEL.requirement(
    "BYTELEVELPROC-KEEPS-THE-ADDED-SPACE: With add_prefix_space one blank of the first token is kept",
    "With add_prefix_space, a first token with exactly one blank at its beginning keeps the beginning of its offsets: the blank is taken for the one that the pre-tokenizer put there, which stands for no character. With two or more, all of them are trimmed.",
    "Ports trim the first letter of the first word, or keep one blank of every token.",
    _trimmed(
        TRIMMERS[1::2],
        *row(
            f"{G}a|{G}bc•{G}{G}a|{G}bc•{G}{G}{G}a•{G}abc{G}|{G}bc•abc{G}|{G}bc•|{G}abc|{G}bc•x|{G}a|{G}{G}b•"
            f" abc| b• {G}abc•\tabc|\tb•{G}\u00e9|{G}\u00e9"
        ),
    ),
    _trimmed(TRIMMERS[1::2], f"{G}abc", f"{G}a{G}|b", special=False),
    features=("offsets",),
    links=(
        "https://github.com/huggingface/transformers/pull/14752",
        "https://github.com/huggingface/tokenizers/issues/852",
    ),
)
BYTE_LEVEL.requirement(
    "BYTELEVELPROC-WITH-ITS-PRE-TOKENIZER: Together with the pre-tokenizer, offsets are those of the words",
    "After the pre-tokenizer ByteLevel the offsets of each word are those of its characters without the space before. The space that add_prefix_space puts before the text stands for no character; where the text begins with one space itself, and add_prefix_space is on for the post-processor, that is kept in the offsets.",
    "Ports cut the first letter off, because they trim a space that is not in the text.",
    [
        case(
            tokenizer(
                bpe(
                    [*f"{G}abc.\u010a\u00c3\u00a9\u0109"],
                    [f"{G} a", f"{G}a b", "a b", f"{G} {G}", f"{G} b", "\u00c3 \u00a9"],
                ),
                pre_tokenizer=component("ByteLevel", add_prefix_space=before, trim_offsets=True, use_regex=True),
                post_processor=_trimming(prefix=after),
            ),
            _encoded(given),
        )
        for before, after in ((False, False), (False, True), (True, False), (True, True))
        for given in (
            *("ab ab", " ab b", "  ab  b", "a", " a", "ab ", "ab  "),
            *("\nab", "\u00e9 \u00e9a", "a\t.b", "b ."),
        )
    ],
    features=("offsets",),
    links=(
        "https://github.com/huggingface/transformers/pull/14752",
        "https://github.com/huggingface/tokenizers/issues/1819",
    ),
)
BYTE_LEVEL.edge(
    "BYTELEVELPROC-BLANKS-ONLY: A token of blanks alone is trimmed to nothing at its end",
    "Where all characters of a token are blanks its offsets become an empty range at its end; they never begin after their end, nor before their beginning.",
    "Ports give offsets that run backwards, or wrap around below 0.",
    _trimmed(TRIMMERS, *row(f"x|{G}•x|{G}{G}|a•{G}•{G}{G}•{G}{G}{G}|a•{G}|{G}|{G}• |a|  •x|\u3000|{G}\u3000|\t")),
    features=("offsets",),
)

BLANKS: Final = (
    "\t\n\x0b\x0c\r \x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
    "\u202f\u205f\u3000\u0120"
)
NO_BLANKS: Final = (
    "\x08\x0e\x1c\x1d\x1e\x1f!\x7f\x84\x86\u00a1\u011f\u0121\u010a\u0109\u0108\u167f\u180e\u200b\u2027\u202a\u2060"
    "\u2581\u3001\ufeff"
)
"""The neighbours of blanks, the characters that stand for other bytes of white space, and the mark of Metaspace."""

BYTE_LEVEL.edge(
    "BYTELEVELPROC-WHAT-IS-BLANK: Blanks are U+0120 and White_Space, and nothing else",
    "U+0120 and the characters with the property White_Space are blanks. The characters that stand for other bytes of white space at the byte level, such as U+010A for a line feed and U+0109 for a tab, are none.",
    "Ports trim all byte-level white space, U+0120 alone, or what their language calls white space.",
    [
        case(_cut_at_bars(_trimming(), [f"x|{char}a{char}|b" for char in blanks]), encode(f"x|{char}a{char}|b"))
        for blanks in (BLANKS, NO_BLANKS)
        for char in blanks
    ],
    features=("offsets",),
)
BYTE_LEVEL.edge(
    "BYTELEVELPROC-COUNTS-CHARACTERS-OF-THE-TOKEN: As many characters of the text are cut as the token has blanks",
    "Blanks are counted in the text of the token, and as many characters are cut off its offsets, whatever stands there in the original text. The beginning stays at or before the end, and the end at or after the beginning; an end that is less than the number of blanks stays.",
    "Ports look for blanks in the original text, where a normalizer or the byte level put others.",
    [
        case(
            tokenizer(
                characters(f"abc{G}", f"{G}{G}", f"a{G}"),
                normalizer=component("Replace", pattern={"String": pattern}, content=content),
                added_tokens=[added(5, f"{G}{G}", normalized=True), added(6, f"a{G}", normalized=True)],
                post_processor=processor,
            ),
            *(encode(given) for given in (f"b{pattern}c", pattern, f"{pattern}b", f"bb{pattern}{pattern}")),
        )
        for pattern, content in (("x", f"{G}{G}"), ("xyz", f"{G}{G}"), ("x", f"a{G}"), ("xyz", f"a{G}"), ("xy", G))
        for processor in TRIMMERS
    ],
    _trimmed(TRIMMERS[:2], f"{G}a{G}{G}{G}", f"a{G}{G}", f"a{G}{G}|b"),
    features=("offsets",),
)
BYTE_LEVEL.requirement(
    "BYTELEVELPROC-PAIR: Both texts of a pair are trimmed, each with a first token",
    "Both texts of a pair are trimmed; with add_prefix_space each of them has a first token that keeps one blank. They keep type and sequence 0 and 1, and no token is added.",
    "Ports trim the joined encoding, where only the first text has a first token.",
    [
        case(_cut_at_bars(processor, both), pair(*both))
        for processor in (*KINDS, *TRIMMERS[2:])
        for both in (
            (f"{G}a|{G}b", f"{G}a|{G}b"),
            (f"x|{G}a", f"{G}{G}a|{G}b"),
            (f"x{G}", f"|{G}abc"),
            ("", f"{G}a|{G}b"),
            (f"{G}a|{G}b", ""),
        )
    ],
    features=("pair", "offsets"),
)
BYTE_LEVEL.requirement(
    "BYTELEVELPROC-ADDS-NOTHING: No token is added, and all fields but offsets stay",
    "The encoding has the same tokens with and without special tokens; truncation leaves no room for any. Types and sequences are 0, for a second text 1.",
    "Ports count special tokens of a tokenizer that has none.",
    [
        case(
            _by_words(_trimming(trim=trim), truncation=_truncation(length)),
            encode("a b c d", special=False),
            _encoded("a b c d"),
            pair("a b c", "d c"),
        )
        for trim in (True, False)
        for length in (2, 3, 4)
    ],
    case(_by_words(_trimming()), words(["a", "b c"]), pair(["a"], ["b"])),
    case(_by_words(_trimming()), _encoded("", "a")),
    features=("sequence_ids",),
)
BYTE_LEVEL.requirement(
    "BYTELEVELPROC-OVERFLOW: Overflowing parts are trimmed, each with a first token",
    "Overflowing parts are trimmed as the encoding itself. The first token of each part is a first token: with add_prefix_space it keeps one blank.",
    "Ports trim the first part only.",
    [
        case(
            _cut_at_bars(processor, [f"{G}a|{G}bc|{G}{G}d|e{G}|{G}bc"], truncation=_truncation(length, stride)),
            *(encode(f"{G}a|{G}bc|{G}{G}d|e{G}|{G}bc", special=special) for special in (True, False)),
        )
        for processor in (*KINDS[:2], *TRIMMERS[2:])
        for length, stride in ((3, 0), (4, 1))
    ],
    features=("overflowing", "offsets"),
)
BYTE_LEVEL.requirement(
    "BYTELEVELPROC-WORDS: Of input that is split into words only the first token is a first one",
    "Of input that comes as words the first token of the text is a first token; but every word begins at 0, and a token that begins there keeps one blank as well.",
    "Ports take the offsets of the joined text.",
    [
        case(_cut_at_bars(processor, ["|".join(sequence)]), words(sequence))
        for processor in (*KINDS[:2], *TRIMMERS[2:])
        for sequence in ([f"{G}a", f"{G}b"], [f"x|{G}a", f"x|{G}b"], [f"{G}{G}a", f"{G}{G}b"], ["", f"{G}abc"])
    ],
    features=("pre_split", "offsets"),
    links=("https://github.com/huggingface/tokenizers/issues/843",),
)
BYTE_LEVEL.edge(
    "BYTELEVELPROC-SAVED: A missing use_regex is written as true",
    "add_prefix_space, trim_offsets and use_regex are written as they were read; where use_regex is missing it is true. It changes nothing else.",
    "Ports ask for three fields, or write two.",
    [
        case(_cut_at_bars(processor, [f"{G}a|{G}b"]), encode(f"{G}a|{G}b"), saved())
        for processor in (
            component("ByteLevel", add_prefix_space=False, trim_offsets=True),
            _trimming(use_regex=False),
            _trimming(prefix=True, use_regex=True),
            _trimming(trim=False),
        )
    ],
    features=("save",),
)
BYTE_LEVEL.edge(
    "BYTELEVELPROC-REFUSED: type, add_prefix_space and trim_offsets are required",
    "A file is refused where the type, add_prefix_space or trim_offsets is missing, or one of the options is no boolean.",
    "Ports take true for what is missing.",
    [
        case(_by_words(_trimming()), _encoded("a"), refused(_by_words(broken)))
        for broken in (
            component("ByteLevel"),
            component("ByteLevel", add_prefix_space=True),
            component("ByteLevel", trim_offsets=True),
            component("ByteLevel", add_prefix_space=None, trim_offsets=True),
            component("ByteLevel", add_prefix_space=True, trim_offsets=1),
            component("ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex="true"),
            {"add_prefix_space": True, "trim_offsets": True},
        )
    ],
    features=("load",),
)
BYTE_LEVEL.quirk(
    "TRIMMING-KEEPS-ONE-BLANK-AT-OFFSET-ZERO: Every token that begins at 0 keeps one blank",
    "With add_prefix_space, a token with exactly one blank at its beginning whose offsets begin at 0 keeps it, whether it is the first token or not: several tokens of one first character, the first token behind an added one that was removed, and the first token of every word do.",
    "One would expect that only the first token can have the space that was put before the text.",
    [
        case(
            tokenizer(
                characters(f"a{G}b", f"{G}a", f"{G}b"),
                normalizer=component("Replace", pattern={"String": "x"}, content=content),
                added_tokens=[added(4, f"{G}a"), added(5, f"{G}b")],
                post_processor=processor,
            ),
            *(encode(given) for given in ("x", "xx", "xa", "ax")),
        )
        for content in (f"{G}a{G}b", f"a{G}b", f"{G}b{G}b{G}a", f"b{G}{G}a")
        for processor in TRIMMERS
    ],
    features=("offsets",),
)
BYTE_LEVEL.quirk(
    "BYTE-LEVEL-PROCESSOR-RENUMBERS-SEQUENCES: After a template, ByteLevel numbers its parts as sequences",
    "After a template in a Sequence, ByteLevel gets its parts, a special token or a text each, and makes them sequences 0, 1, 2 and so on: special tokens belong to a sequence then, and texts to another one than before. Each part has a first token.",
    "One would expect special tokens to belong to no sequence, and texts to 0 and 1.",
    [
        case(
            _by_words(component("Sequence", processors=[_template(single, pair_), processor])),
            _encoded("a b"),
            pair("a", "b c"),
        )
        for single, pair_ in ((SINGLE, PAIR), ((_s("two"), _a()), (_b(), _s("[SEP]"), _a())), ((_a(),), (_a(), _b())))
        for processor in (_trimming(), _trimming(trim=False, prefix=True))
    ],
    features=("sequence_ids",),
)


# Sequence -------------------------------------------------------------------------------------------------------------

SEQUENCE = Area(
    "processors.Sequence",
    "Sequence of post-processors",
    "post_process",
    "Sequence applies the post-processors of its field processors in their order. What one hands to the next is not an encoding but its parts: one for each text, or one for each piece of a template.",
)


def _in_order(*processors: Document) -> Document:
    return component("Sequence", processors=list(processors))


SEQUENCE.requirement(
    "PROCSEQ-ORDER: Post-processors are applied in their order",
    "The post-processors are applied one after the other. The usual ByteLevel before TemplateProcessing trims the offsets of the texts, and then arranges them.",
    "Ports do not know this type, or apply the last post-processor alone; others lose the second text after the first one.",
    [
        case(
            _cut_at_bars(_in_order(*processors), [f"{G}a|{G}b", f"{G}{G}a|x"]),
            _encoded(f"{G}a|{G}b"),
            pair(f"{G}{G}a|x", f"{G}a|{G}b"),
        )
        for processors in (
            (_trimming(), _template()),
            (_trimming(prefix=True), _template((_s("[CLS]"), _a(2)), (_b(1), _s("[SEP]", 3), _a()))),
            (_trimming(trim=False), _template()),
            (_trimming(), _bert()),
            (_bert(), _trimming()),
            (_bert(), _trimming(prefix=True)),
            (_trimming(), _roberta(trim=True)),
            (_roberta(), _trimming()),
            (_trimming(), _trimming()),
            (_trimming(prefix=True), _trimming(prefix=False)),
            (_bert(), _template()),
            (_roberta(trim=True), _template((_s("two"), _a(4)), (_b(3), _a(4)))),
        )
    ],
    features=("special_tokens",),
    links=(
        "https://github.com/huggingface/transformers.js/issues/739",
        "https://github.com/huggingface/swift-transformers/issues/122",
        "https://github.com/huggingface/swift-transformers/pull/129",
    ),
)
SEQUENCE.edge(
    "PROCSEQ-ONE-AND-NONE: A sequence of one is that one, an empty one numbers the texts",
    "A Sequence of one post-processor does what that does. An empty one adds nothing, and gives types and sequences 0 and 1 as every post-processor.",
    "Ports fail for an empty list.",
    [
        case(_by_words(_in_order(*processors)), _encoded("a b"), pair("a", "b c"), saved())
        for processors in (
            (),
            (_template(),),
            (_bert(),),
            (_roberta(),),
            (_trimming(),),
            (_in_order(),),
            (_in_order(_bert()),),
        )
    ],
    features=("sequence_ids",),
)
SEQUENCE.edge(
    "PROCSEQ-NESTED: A sequence in a sequence hands on its parts as well",
    "A Sequence may hold others: their post-processors are applied in the order in which they stand in the file.",
    "Ports merge the parts at the end of the inner sequence.",
    [
        case(_by_words(_in_order(*processors)), _encoded("a b"), pair("a", "b c"))
        for processors in (
            (_in_order(_trimming()), _template()),
            (_trimming(), _in_order(_template(), _bert())),
            (_in_order(_template(), _trimming()),),
            (_in_order(_in_order(_template())), _bert()),
            (_in_order(), _bert(), _in_order()),
        )
    ],
    features=("special_tokens",),
)
SEQUENCE.edge(
    "PROCSEQ-BERT-TWICE: Special tokens of several post-processors add up",
    "Where several post-processors add special tokens the later ones go around what the earlier ones made of each text. The tokens that the earlier ones added then belong to the sequence of that text, and BertProcessing and RobertaProcessing set their special_tokens_mask to 0, while a template keeps it.",
    "Ports let the last one win.",
    [
        case(_by_words(_in_order(*processors)), _encoded("a b"), pair("a", "b c"))
        for processors in (
            (_bert(), _bert()),
            (_bert(), _roberta()),
            (_roberta(), _bert(CLS, SEP)),
            (_bert(), _template((_s("two"), _a()), (_a(), _s("[SEP]"), _b()))),
        )
    ],
    features=("special_tokens",),
)
SEQUENCE.requirement(
    "PROCSEQ-COUNTED-BY-TRUNCATION: The numbers of special tokens add up",
    "Truncation leaves room for the sum of what all post-processors of the Sequence add to a text, or to a pair.",
    "Ports take the number of the first or the last one.",
    [
        case(
            _by_words(_in_order(*processors), truncation=_truncation(length)),
            _encoded("a b c d a b"),
            pair("a b c", "d c b"),
        )
        for processors in (
            (_trimming(), _template()),
            (_bert(), _template((_s("two"), _a()), (_a(), _b(), _s("three")))),
            (_roberta(), _bert()),
            (_in_order(_bert()), _trimming()),
        )
        for length in (7, 8, 9)
    ],
    features=("special_tokens",),
)
SEQUENCE.requirement(
    "PROCSEQ-WITHOUT-SPECIAL-TOKENS: Without special tokens every post-processor of a sequence is told so",
    "Where no special tokens are asked for none of the post-processors adds any; trimming, types and order stay as each of them does it.",
    "Ports pass the wish on to the first one only.",
    [
        case(
            _cut_at_bars(_in_order(*processors), [f"{G}a|{G}b", f"x|{G}a"]),
            encode(f"{G}a|{G}b", special=False),
            encode(f"x|{G}a", f"{G}a|{G}b", special=False),
        )
        for processors in (
            (_trimming(), _template()),
            (_trimming(prefix=True), _template((_s("[CLS]"), _a(2)), (_b(1), _s("[SEP]", 3), _a()))),
            (_bert(), _roberta(trim=True)),
            (_template((_a(2),), (_b(2), _a(3))), _bert()),
            (_template(), _trimming()),
        )
    ],
)
SEQUENCE.edge(
    "PROCSEQ-FILE: Post-processors of a sequence are written as they stand",
    "The field processors is required, and a list of post-processors; a Sequence inside of another one is written as it stands.",
    "Ports flatten the list, or skip what they cannot read.",
    [
        case(_by_words(_in_order(*processors)), saved(), _encoded("a"), refused(_by_words(broken)))
        for processors, broken in (
            ((_trimming(), _template()), {"type": "Sequence"}),
            ((_in_order(_bert()), _roberta()), {"type": "Sequence", "processors": None}),
            ((_bert(),), {"type": "Sequence", "processors": _bert()}),
            ((_template(), _in_order()), {"type": "Sequence", "processors": [_bert(), {"type": "Unknown"}]}),
            ((_trimming(),), {"type": "Sequence", "processors": [None]}),
            ((_trimming(),), {"processors": [_bert()]}),
        )
    ],
    features=("save", "load"),
)
SEQUENCE.requirement(
    "PROCSEQ-MARKS-OF-THE-TEXT: What the text itself has of special tokens stays text",
    "Special tokens that stand in the text are tokens of the text to all post-processors: they have 0 in special_tokens_mask, a word, offsets and a sequence, also with encode_special_tokens.",
    "Ports mark every id of a special token, or drop a second [CLS].",
    [
        case(
            _by_words(processor, added_tokens=[added(5, "[CLS]", special=True), added(6, "[SEP]", special=True)]),
            _encoded("[CLS] a [SEP]"),
            pair("[CLS]a", "b[SEP]"),
        )
        for processor in (_template(), _bert(), _roberta(trim=True), _in_order(_trimming(), _template()))
    ],
    [
        case(
            _by_words(processor, added_tokens=[added(5, "[CLS]", special=True)]),
            changed([encode_special_tokens(True)], encode("[CLS] a"), encode("a[CLS]")),
            changed([new_tokens("<n>", "a", special=True)], encode("a <n>b"), encode("a", "<n>")),
        )
        for processor in (_template(), _bert(), _in_order(_trimming(), _template()))
    ],
    features=("special_tokens_mask",),
)
SEQUENCE.quirk(
    "TEMPLATE-AFTER-A-TEMPLATE-PANICS: A template that gets more than two parts raises an error",
    "A template in a Sequence that gets more than two parts, or none, of the post-processor before it raises an error; one part it takes for one text, two parts for a pair.",
    "One would expect it to get the result of the first template as one text; the target panics (not yet implemented).",
    [
        case(_by_words(_in_order(_template(single, pair_), _template())), *questions)
        for single, pair_, questions in (
            (
                SINGLE,
                PAIR,
                (encode("a", special=False), encode("a"), encode("a", "b"), encode("a", "b", special=False)),
            ),
            ((_a(2),), (_a(), _b()), (encode("a"), encode("a", "b"))),
            ((_a(),), (_s("[CLS]"), _a(), _b()), (encode("a"), encode("a", "b", special=False), encode("a", "b"))),
            ((_s("[CLS]", 3), _a(2)), (_b(), _a(), _b()), (encode("a"), encode("a", special=False), encode("a", "b"))),
            ((), (_a(),), (encode("a", "b"), encode("a"))),
            ((_s("[CLS]"),), (_b(), _a()), (encode("a"), encode("a", "b"), encode("a", special=False))),
        )
    ],
    features=("special_tokens",),
)

AREAS = (TEMPLATE, BERT, ROBERTA, BYTE_LEVEL, SEQUENCE)
