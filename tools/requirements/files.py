"""Recipes of tokenizer.json as a file: what is read, what is refused, what is written."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from requirements.decoders import ctc, replace, strip
from requirements.models import PYTHON_ONLY, of
from requirements.padding import padding
from requirements.recipe import (
    Area,
    CaseRecipe,
    Document,
    added,
    bpe,
    case,
    changed,
    characters,
    component,
    each,
    encode,
    ids,
    new_tokens,
    pair,
    refused,
    row,
    saved,
    text,
    tokenizer,
    unigram,
    vocabulary,
    word_level,
    word_piece,
    written,
)
from requirements.truncation import BERT, TEMPLATE, sequence, special, truncation

if TYPE_CHECKING:
    from collections.abc import Iterable

BY_TEXT = "Only the text of a file shows this, and a case holds the value that its JSON has."

PREFIX = component("Prepend", prepend=">")
ROBERTA = component("RobertaProcessing", sep=["[SEP]", 2], cls=["[CLS]", 1], trim_offsets=True, add_prefix_space=True)
METASPACE = component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True)
BERT_OPTIONS = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
BERT_NORMALIZER = component("BertNormalizer", **BERT_OPTIONS)


def simple(**stages: Any) -> Document:
    """Return a tokenizer of the words a, b and c, and of special tokens."""
    return of(word_level("[CLS] [SEP] a b c"), **stages)


def without(document: Document, *path: str) -> Document:
    """Return ``document`` without the member at ``path``."""
    changed_one = copy.deepcopy(document)
    inner = changed_one
    for name in path[:-1]:
        inner = inner[name]
    del inner[path[-1]]
    return changed_one


def with_(document: Document, value: Any, *path: str) -> Document:
    """Return ``document`` with ``value`` at ``path``."""
    changed_one = copy.deepcopy(document)
    inner = changed_one
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return changed_one


def loads(documents: Iterable[Document], *texts: str) -> list[CaseRecipe]:
    """Return a case for each of ``documents``, which is loaded, used and written."""
    return [case(document, text(*texts), saved()) for document in documents]


def told_apart(good: Document, bad: Iterable[Document], *texts: str) -> list[CaseRecipe]:
    """Return a case for each of ``bad``, which are refused where ``good`` is loaded."""
    return [case(good, text(*texts), refused(document)) for document in bad]


def nested(depth: int) -> list[Any]:
    """Return so many lists in each other."""
    return [] if depth == 1 else [nested(depth - 1)]


# Loading -------------------------------------------------------------------------------------------------------------

FILE = Area(
    "tokenizer.json",
    "The file",
    "load",
    'One JSON object: version ("1.0"), truncation, padding, added_tokens, normalizer, pre_tokenizer, post_processor, decoder and model. Only model is required. What is not as described here is refused as a whole.',
)
FILE.requirement(
    "FILE-REQUIRED-MEMBERS: Only the model is required",
    "Every member but model may be missing, which is the same as null; added_tokens then is empty.",
    "Ports read members that may be missing without looking.",
    loads([without(simple(), name) for name in simple() if name != "model"], "a b"),
    loads([{"model": simple()["model"]}], "a b", "ab"),
    told_apart(simple(), [without(simple(), "model"), with_(simple(), None, "model")], "a b"),
)
FILE.edge(
    "FILE-VERSION: version is 1.0 where it is there",
    'version may be missing; where it is there, it is the string "1.0".',
    "Ports take any version, or need one.",
    loads([without(simple(), "version")], "a"),
    told_apart(simple(), [with_(simple(), value, "version") for value in ("1.1", "2.0", "1", 1.0, 1, "")], "a"),
)
FILE.edge(
    "FILE-HALF-SURROGATES: An escape of half a surrogate pair is refused",
    "An escape of half a surrogate pair stands for no character: a file with one, in whatever string, is no JSON and is refused.",
    "Strings of many languages can hold halves, and their parsers take them.",
    told_apart(
        simple(),
        [with_(simple(), {"a": 3, half: 4}, "model", "vocab") for half in ("\ud800", "\udfff", "x\udc00\ud800")]
        + [
            simple(normalizer=each)
            for each in (
                component("Replace", pattern={"String": "x"}, content="\ud83d"),
                component("Lowercase", note="\ud83d"),
            )
        ],
        "a b",
    ),
)
FILE.quirk(
    "UNKNOWN-KEY-AT-THE-TOP-IS-REFUSED: An unknown member at the top makes the file unreadable",
    "A member at the top that is not known is refused; in components unknown members are ignored.",
    "One would expect the same in both places.",
    told_apart(simple(), [{**simple(), name: None} for name in ("foo", "Model", "normalizers", "vocab")], "a b"),
    loads(
        [
            simple(normalizer={**PREFIX, "foo": 1}),
            with_(simple(), [1], "model", "foo"),
            simple(pre_tokenizer={**component("WhitespaceSplit"), "foo": {"bar": None}}),
            simple(decoder={**component("Fuse"), "foo": "x"}),
            simple(post_processor={**BERT, "foo": False}),
        ],
        "a b",
    ),
)
FILE.requirement(
    "FILE-COMPONENT-TYPES: The type of a component is one of a fixed list",
    "A component is an object whose type names it, in exactly this spelling; a component of another stage, or of an unknown name whose members fit none, is refused.",
    "Ports skip components that they do not know, and tokenize on without them.",
    told_apart(
        simple(pre_tokenizer=component("WhitespaceSplit")),
        [
            simple(pre_tokenizer=component(name))
            for name in ("whitespacesplit", "Lowercase", "Unknown", "", "ByteFallback")
        ],
        "a b",
    ),
    told_apart(
        simple(normalizer=component("Lowercase")),
        [simple(normalizer=component(name)) for name in ("lowercase", "Whitespace", "Unknown", "Fuse")],
        "A b",
    ),
    told_apart(
        simple(decoder=component("Fuse")),
        [simple(decoder=component(name)) for name in ("fuse", "Whitespace", "Unknown", "NFC")],
        "a b",
    ),
    told_apart(
        simple(post_processor=BERT),
        [simple(post_processor=component(name)) for name in ("Unknown", "Whitespace", "BertProcessing")],
        "a b",
    ),
    told_apart(
        simple(), [with_(simple(), name, "model", "type") for name in ("wordlevel", "Word", "BPE", "Unigram")], "a b"
    ),
    told_apart(
        simple(),
        [{**simple(), name: value} for name in ("normalizer", "pre_tokenizer", "decoder") for value in ("NFC", 1, {})],
        "a b",
    ),
)
FILE.quirk(
    "UNKNOWN-TYPE-IS-GUESSED-FROM-FIELDS: A component of unknown type is taken for the first one whose members fit",
    "A normalizer or decoder whose type is not known, or missing, is taken for the first one whose members fit.",
    "One would expect a refusal.",
    loads(
        [
            of(characters("ab>"), normalizer={"type": "Foo", "prepend": ">"}),
            of(characters("ab>"), normalizer={"prepend": ">"}),
            of(characters("ab"), normalizer={"strip_left": True, "strip_right": False}),
            of(characters("ab"), normalizer=without(BERT_NORMALIZER, "type")),
        ],
        " a b",
        "Ba",
    ),
    loads(
        [
            simple(decoder={"type": "Foo", "suffix": "b"}),
            simple(decoder={"suffix": "b"}),
            simple(decoder=without(ctc(), "type")),
            simple(decoder={"prefix": "b", "cleanup": True}),
        ][:3],
        "a b c",
    ),
    loads([simple(decoder=without(strip("a", 1, 0), "type"))], "a b c"),
    told_apart(simple(normalizer=PREFIX), [simple(normalizer={"foo": ">"}), simple(normalizer={})], "a b"),
)
FILE.quirk(
    "MODEL-WITHOUT-TYPE-IS-GUESSED: A model without type is taken for the first one whose members fit",
    "A model without type, as older files have it, is taken for the first of BPE, WordPiece, WordLevel and Unigram whose members fit.",
    "Files of GPT-2 from before types were written need it; ports look at the pre-tokenizer, or fail.",
    loads(
        [
            of(without(model, "type"))
            for model in (
                bpe("ab", ("a b",)),
                word_piece("a ##b b"),
                word_level("a b"),
                unigram({"<unk>": 0.0, "a": -1.0, "b": -1.0}),
            )
        ],
        "ab a b",
    ),
    loads(
        [
            of({"vocab": {"a": 0, "b": 1}, "merges": []}),
            of({"vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"}),
            of({"vocab": [["<unk>", 0.0], ["a", -1.0]], "unk_id": 0}),
            of(
                {
                    "vocab": {"a": 0, "[UNK]": 1},
                    "merges": [],
                    "unk_token": "[UNK]",
                    "max_input_chars_per_word": 3,
                    "continuing_subword_prefix": "##",
                }
            ),
        ],
        "a ab",
    ),
    # As BPE they are refused for a merge, and then they are WordLevel.
    loads(
        [
            of({"vocab": {"[UNK]": 0, "a": 1, "b": 2, "ab": 3}, "merges": merges, "unk_token": "[UNK]"})
            for merges in ([["a", "c"]], ["a c"], ["#version: 0.2", "b a"], ["ab"])
        ],
        "ab a c",
    ),
    told_apart(of(word_level("a")), [of({"vocab": {"a": 0}}), of({}), of({"merges": []})], "a"),
)
FILE.quirk(
    "PRE-TOKENIZER-WITHOUT-TYPE-IS-REFUSED: A pre-tokenizer without type is refused",
    "A pre-tokenizer without type is never guessed: all of them ask for their type.",
    "One would expect the same as for normalizers and decoders.",
    told_apart(
        of(word_level("1 a"), pre_tokenizer=component("Digits", individual_digits=True)),
        [
            of(word_level("1 a"), pre_tokenizer=one)
            for one in (
                {"individual_digits": True},
                without(METASPACE, "type"),
                {"behavior": "Isolated"},
                {"delimiter": "a"},
            )
        ],
        "1a1",
    ),
)
FILE.edge(
    "FILE-POST-PROCESSOR-WITHOUT-TYPE: A post-processor is known by its members",
    "A post-processor whose type is missing is taken for the first of RoBERTa, BERT, ByteLevel, template and sequence whose members fit.",
    "Ports need the type.",
    loads(
        [
            simple(post_processor=without(BERT, "type")),
            simple(post_processor=without(ROBERTA, "type")),
            simple(post_processor=without(TEMPLATE, "type")),
        ],
        "a b",
    ),
)
FILE.quirk(
    "BYTE-LEVEL-DECODER-NEEDS-USELESS-FIELDS: The decoder ByteLevel needs add_prefix_space and trim_offsets",
    "The decoder ByteLevel is read only with add_prefix_space and trim_offsets, which mean nothing to it; use_regex may be missing.",
    "One would expect members without meaning to be free.",
    loads([simple(decoder=component("ByteLevel", add_prefix_space=True, trim_offsets=False))], "a b"),
    told_apart(
        simple(decoder=component("ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=True)),
        [
            simple(decoder=component("ByteLevel")),
            simple(decoder=component("ByteLevel", add_prefix_space=True)),
            simple(decoder=component("ByteLevel", trim_offsets=True, use_regex=True)),
        ],
        "a b",
    ),
)
FILE.quirk(
    "BERT-NORMALIZER-HAS-A-SECOND-NAME: BertNormalizer is also read as Bert, which is never written",
    "A normalizer of the type Bert is a BertNormalizer, and is written as BertNormalizer. It is a known type: what it is is not guessed from the members.",
    "One would expect one name for each component, as in all other files.",
    [
        case(of(characters("ae b"), normalizer=component("Bert", **options)), text("\u00c9 B", "a\tb"), saved())
        for options in (BERT_OPTIONS, {**BERT_OPTIONS, "lowercase": False}, {**BERT_OPTIONS, "clean_text": False})
    ],
    told_apart(
        of(characters("ae b"), normalizer=component("Bert", **BERT_OPTIONS)),
        [
            of(characters("ae b"), normalizer=component("Bert", prepend=">")),
            of(characters("ae b"), normalizer=component("Bert")),
            of(characters("ae b"), pre_tokenizer=component("Bert")),
        ],
        "\u00c9 B",
    ),
)
FILE.quirk(
    "PRE-TOKENIZERS-OF-A-SEQUENCE-HAVE-NO-UNDERSCORE: The members of a sequence of pre-tokenizers are called pretokenizers",
    "The member is pretokenizers in a Sequence and pre_tokenizer at the top; normalizers, processors and decoders are the members of the other sequences.",
    "One would expect pre_tokenizers.",
    told_apart(
        of(word_level("a b"), pre_tokenizer=component("Sequence", pretokenizers=[component("WhitespaceSplit")])),
        [
            of(word_level("a b"), pre_tokenizer=component("Sequence", pre_tokenizers=[component("WhitespaceSplit")])),
            of(word_level("a b"), pre_tokenizer=component("Sequence")),
            of(word_level("a b"), pre_tokenizer=component("Sequence", pretokenizers=None)),
            of(word_level("a b"), normalizer=component("Sequence", sequence=[])),
            of(word_level("a b"), decoder=component("Sequence", pretokenizers=[])),
        ],
        "a b",
    ),
)
FILE.quirk(
    "SEQUENCES-FLATTEN-IN-CODE-ONLY: A sequence within a sequence stays as it is in a file",
    "The constructor of a Sequence dissolves sequences in it; those in a file stay, and are written again.",
    "One would expect the same in both.",
    loads(
        [
            of(
                characters("ab"),
                normalizer=component(
                    "Sequence", normalizers=[component("Sequence", normalizers=[component("Lowercase")])]
                ),
                pre_tokenizer=component(
                    "Sequence", pretokenizers=[component("Sequence", pretokenizers=[component("WhitespaceSplit")])]
                ),
            )
        ],
        "A b",
    ),
    features=("save",),
)
FILE.requirement(
    "FILE-MERGES-AS-STRINGS: Merges may be strings with one space between their parts",
    "A merge is a pair of strings, or (in files of releases before 0.20) one string in which a single space parts the two; a string of more or fewer parts is refused.",
    "Ports read one of the two forms, or split at the first space.",
    loads(
        [
            of({**bpe("ab", ("a b", "ab a")), "merges": ["a b", "ab a"]}),
            of(bpe("ab", ("a b", "ab a"))),
            of({**bpe(["a", "\u00e9", "a\u00e9"]), "merges": ["a \u00e9"]}),
        ],
        "aba ab",
        "a\u00e9a",
    ),
    told_apart(
        of(bpe("ab", ("a b",))),
        [
            of({**bpe("ab", ("a b",)), "merges": merges})
            for merges in (
                ["ab"],
                ["a b b"],
                ["a  b"],
                [" a b"],
                [["a"]],
                [["a", "b", "b"]],
                ["a\tb"],
                [1],
                "a b",
                None,
            )
        ],
        "ab",
    ),
)
FILE.edge(
    "FILE-MERGES-WITH-SPACES: A part of a merge may hold spaces where merges are pairs",
    "Where merges are pairs, their parts may hold spaces; that is what the form of pairs is for.",
    "Ports join the pair with a space and split it again.",
    loads(
        [
            tokenizer({**bpe([" ", "a", " a", "a "]), "merges": [[" ", "a"], ["a", " "]]}),
            tokenizer({**bpe([" ", "a", "  ", "   "]), "merges": [[" ", " "], ["  ", " "]]}),
        ],
        "a a",
        "   a",
    ),
)
FILE.requirement(
    "FILE-OPTIONAL-MEMBERS-OF-MODELS: Options of a model that came later may be missing",
    "BPE needs vocab and merges, Unigram vocab: all other members may be missing or null, which gives the default. WordPiece and WordLevel need all of theirs.",
    "Ports fail on files of earlier releases, which lack ignore_merges, byte_fallback and others.",
    loads(
        [
            of(without({**bpe("ab", ("a b",))}, name))
            for name in row(
                "dropout unk_token continuing_subword_prefix end_of_word_suffix fuse_unk byte_fallback ignore_merges"
            )
        ],
        "ab",
    ),
    loads([of({**bpe("ab", ("a b",)), name: None}) for name in ("fuse_unk", "byte_fallback", "ignore_merges")], "ab"),
    loads([of({"type": "BPE", "vocab": {"a": 0}, "merges": []})], "a"),
    loads(
        [
            of(without(unigram({"<unk>": 0.0, "a": -1.0}), "byte_fallback")),
            of({"type": "Unigram", "vocab": [["a", 0.0]]}),
        ],
        "a",
    ),
    told_apart(
        of(word_piece("a ##b")),
        [
            of(without(word_piece("a ##b"), name))
            for name in ("vocab", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word")
        ],
        "ab",
    ),
    told_apart(of(word_level("a")), [of(without(word_level("a"), name)) for name in ("vocab", "unk_token")], "a"),
    told_apart(of(bpe("a")), [of(without(bpe("a"), name)) for name in ("vocab", "merges")], "a"),
)
FILE.edge(
    "FILE-NUMBERS: Ids and counts are whole numbers in their range",
    "Ids are whole numbers from 0 to 4294967295, and counts from 0 on; a number with a fraction, a negative one, a larger one, a string or null is refused.",
    'Ports read 1.0 or "1" as 1.',
    told_apart(
        of(word_level("a")),
        [
            of({"type": "WordLevel", "vocab": {"[UNK]": 0, "a": id_}, "unk_token": "[UNK]"})
            for id_ in (-1, 1.5, 2**32, "1", None, True, [1])
        ],
        "a",
    ),
    told_apart(of(bpe("ab")), [of({**bpe("a"), "vocab": {"a": 0, "b": id_}}) for id_ in (-1, 2**32)], "ab"),
    told_apart(of(word_piece("a b")), [of({**word_piece("a"), "vocab": {"[UNK]": 0, "a": -1}})], "a"),
    told_apart(
        of(word_piece("a", max_input_chars_per_word=3)),
        [of(word_piece("a", max_input_chars_per_word=count)) for count in (-1, 2.5, "3", None)],
        "a aaaa",
    ),
    told_apart(
        of(bpe("a", unk_token=None)),
        [
            of(bpe("a", **{name: value}))
            for name, value in (
                ("unk_token", 1),
                ("fuse_unk", "true"),
                ("fuse_unk", 1),
                ("dropout", True),
                ("dropout", "0.5"),
            )
        ],
        "a",
    ),
    told_apart(
        of(unigram({"<unk>": 0.0, "a": -1})),
        [
            of({"type": "Unigram", "unk_id": 0, "vocab": vocab})
            for vocab in (
                [["<unk>"]],
                [["<unk>", "0"]],
                [["<unk>", True]],
                [["<unk>", 0.0, 1]],
                {"<unk>": 0.0},
                [[0, "a"]],
                [],
            )
        ],
        "a",
    ),
    each(of({"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 4294967294}, "unk_token": "[UNK]"}), "a x"),
)
FILE.quirk(
    "JSON-NUMBERS-ARE-READ-INEXACTLY: Numbers of many digits are read one unit in the last place beside the nearest",
    "Numbers of 17 digits may be read one unit in the last place beside the nearest number of double precision.",
    "One would expect the nearest number.",
    loads(
        [
            of({"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", score], ["a", -1.0]]})
            for score in (-3.9131507873535156, -3.913150787353515, -0.1, -9.2103404, -13.815510557964274)
        ],
        "a",
    ),
    features=("save",),
)
FILE.quirk(
    "JSON-IS-NESTED-127-DEEP-AT-MOST: A file of more than 127 arrays and objects in each other is refused",
    "A file of more than 127 arrays and objects in each other is refused, also where the value is ignored.",
    "One would expect no limit, or one that ports know.",
    told_apart(
        simple(normalizer={**component("NFC"), "ignored": nested(125)}),
        [simple(normalizer={**component("NFC"), "ignored": nested(126)})],
        "a b",
    ),
)
FILE.quirk(
    "OBJECTS-MAY-BE-ARRAYS: Some objects may be written as arrays of their values",
    "truncation, BertProcessing, Prepend and BPEDecoder may be written as arrays of the values of their members, in the order in which these are written.",
    "One would expect arrays to be refused.",
    loads(
        [
            simple(truncation=["Right", 3, "LongestFirst", 0]),
            simple(truncation=["Left", 1, "OnlyFirst", 0]),
            simple(post_processor=[["[SEP]", 2], ["[CLS]", 1]]),
            {**of(characters("ab>")), "normalizer": [">"]},
            {**simple(), "decoder": ["b"]},
        ],
        "a b a c",
    ),
)
FILE.quirk(
    "NAMES-MAY-BE-OBJECTS: A name may be written as an object with null",
    'A name such as Left may be written as an object with null, {"Left": null}.',
    "One would expect a string only.",
    loads(
        [
            simple(truncation={**truncation(2), "direction": {"Left": None}}),
            simple(truncation={**truncation(2), "strategy": {"OnlyFirst": None}}),
            simple(padding={**padding(4), "direction": {"Left": None}}),
        ],
        "a b c",
    ),
)
FILE.quirk(
    "ADDED-TOKENS-CANNOT-BE-NULL: added_tokens may be missing but not null",
    "added_tokens may be missing but not null, as the other members may.",
    "One would expect null to be the same as missing.",
    told_apart(simple(), [{**simple(), "added_tokens": value} for value in (None, {}, "a")], "a b"),
    loads([without(simple(), "added_tokens")], "a"),
)
FILE.edge(
    "FILE-ADDED-TOKEN-MEMBERS: All members of an added token are required",
    "An added token has id, content, single_word, lstrip, rstrip, normalized and special, all of them.",
    "Ports take false for what is missing.",
    told_apart(
        simple(added_tokens=[added(6, "<x>")]),
        [simple(added_tokens=[without(added(6, "<x>"), name)]) for name in added(6, "<x>")],
        "a<x>b",
    ),
    told_apart(
        simple(added_tokens=[added(6, "<x>")]),
        [
            simple(added_tokens=[{**added(6, "<x>"), name: value}])
            for name, value in (("id", -1), ("content", None), ("special", "true"), ("lstrip", None), ("id", "6"))
        ],
        "a<x>b",
    ),
    loads([simple(added_tokens=[{**added(6, "<x>"), "foo": 1}])], "a<x>b"),
)
FILE.quirk(
    "ADDED-TOKEN-IDS-IN-A-FILE-ARE-IGNORED: The ids of added tokens are read and not used",
    "The ids of added_tokens are not used: a token that the model has keeps the model's id, others are numbered in the order of the list, from the size of the vocabulary on.",
    "One would expect the ids of the file.",
    [
        case(simple(added_tokens=tokens), text("a<x><y>b", "<y>"), vocabulary(), saved())
        for tokens in (
            [added(9, "<x>"), added(7, "<y>")],
            [added(0, "<x>"), added(0, "<y>")],
            [added(50, "<y>"), added(3, "a"), added(40, "<x>")],
            [added(7, "<x>", special=True), added(6, "<y>")],
        )
    ],
    features=("vocabulary",),
)
FILE.requirement(
    "FILE-METASPACE-LEGACY: Metaspace may have the members of earlier releases",
    "add_prefix_space and str_rep of earlier releases may stand in Metaspace; add_prefix_space false is taken only with prepend_scheme never, and is refused with another one.",
    "Files of T5 and ALBERT have them; ports read add_prefix_space alone, or prefer it.",
    [
        case(
            tokenizer(
                characters("ab\u2581"),
                pre_tokenizer={**component("Metaspace", replacement="\u2581"), **members},
                decoder={**component("Metaspace", replacement="\u2581"), **members},
            ),
            text("a b", " a"),
            saved(),
            ids([1, 3, 2]),
        )
        for members in (
            {},
            {"add_prefix_space": True},
            {"add_prefix_space": True, "str_rep": "\u2581"},
            {"add_prefix_space": True, "prepend_scheme": "always"},
            {"add_prefix_space": True, "prepend_scheme": "first"},
            {"add_prefix_space": False, "prepend_scheme": "never"},
            {"add_prefix_space": True, "prepend_scheme": "never"},
            {"prepend_scheme": "first", "split": False},
            {"prepend_scheme": "never"},
            {"split": None},
        )
    ],
    told_apart(
        tokenizer(characters("ab\u2581"), pre_tokenizer=METASPACE),
        [
            tokenizer(characters("ab\u2581"), pre_tokenizer={**component("Metaspace", replacement="\u2581"), **members})
            for members in (
                {"add_prefix_space": False},
                {"add_prefix_space": False, "prepend_scheme": "always"},
                {"add_prefix_space": False, "prepend_scheme": "first"},
                {"prepend_scheme": "Always"},
                {"replacement": "ab"},
            )
        ],
        "a b",
    ),
    told_apart(
        tokenizer(characters("ab\u2581"), decoder=METASPACE),
        [
            tokenizer(
                characters("ab\u2581"), decoder={**METASPACE, "add_prefix_space": False, "prepend_scheme": scheme}
            )
            for scheme in ("always", "first")
        ],
        "a b",
    ),
)
FILE.edge(
    "FILE-DEFAULTS-OF-COMPONENTS: Members of components that may be missing",
    "use_regex of ByteLevel, prepend_scheme and split of Metaspace, strip_accents of BertNormalizer, and trim_offsets and add_prefix_space of RobertaProcessing in no case: what is not named here is required.",
    "Ports take defaults of the constructors for members of the file.",
    loads(
        [
            simple(pre_tokenizer=component("ByteLevel", add_prefix_space=False, trim_offsets=True)),
            simple(normalizer=without(BERT_NORMALIZER, "strip_accents")),
            simple(normalizer={**BERT_NORMALIZER, "strip_accents": None}),
        ],
        "A b",
    ),
    told_apart(
        simple(pre_tokenizer=component("ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True)),
        [
            simple(pre_tokenizer=component("ByteLevel", **members))
            for members in (
                {},
                {"add_prefix_space": True},
                {"trim_offsets": True},
                {"add_prefix_space": 1, "trim_offsets": True},
            )
        ],
        "a b",
    ),
    told_apart(
        simple(normalizer=BERT_NORMALIZER),
        [
            simple(normalizer=without(BERT_NORMALIZER, name))
            for name in ("clean_text", "handle_chinese_chars", "lowercase")
        ],
        "A b",
    ),
    told_apart(
        simple(post_processor=BERT), [simple(post_processor=without(BERT, name)) for name in ("sep", "cls")], "a"
    ),
    told_apart(
        simple(pre_tokenizer=component("Digits", individual_digits=True)),
        [
            simple(pre_tokenizer=one)
            for one in (
                component("Digits"),
                component("Punctuation", behavior="isolated"),
                component("Split", pattern={"String": "a"}, behavior="Isolated"),
                component("Split", pattern="a", behavior="Isolated", invert=False),
                component("Split", pattern={"Regex": "("}, behavior="Isolated", invert=False),
                component("CharDelimiterSplit", delimiter="ab"),
                component("CharDelimiterSplit"),
            )
        ],
        "a 12",
    ),
    told_apart(
        simple(normalizer=component("Strip", strip_left=True, strip_right=True)),
        [
            simple(normalizer=one)
            for one in (
                component("Strip", strip_left=True),
                component("Prepend"),
                component("Replace", pattern={"String": "a"}),
                component("Replace", pattern={"Regex": "["}, content=""),
                component("Sequence", normalizers=[component("Unknown")]),
                component("Precompiled", precompiled_charsmap=1),
            )
        ],
        " a ",
    ),
)
FILE.edge(
    "FILE-TEMPLATE-MEMBERS: A template has lists of pieces and a table of special tokens",
    'single and pair are lists of {"Sequence": {id, type_id}} and {"SpecialToken": {id, type_id}}, special_tokens leads from names to {id, ids, tokens}; the id of a sequence is A or B.',
    "Ports read the strings of the Python API ($A:0) from files.",
    told_apart(
        simple(post_processor=TEMPLATE),
        [
            simple(post_processor={**TEMPLATE, **members})
            for members in (
                {"single": "[CLS] $A"},
                {"single": ["$A"]},
                {"single": [sequence("C")]},
                {"single": [{"Sequence": {"id": "A"}}]},
                {"single": [{"Token": {"id": "A", "type_id": 0}}]},
                {"single": [special("[CLS]", -1)]},
                {"special_tokens": {"[CLS]": 1}},
                {"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1]}}},
                {"special_tokens": None},
            )
        ],
        "a b",
    ),
)
FILE.unasked(
    BY_TEXT,
    """
    LAST-OF-EQUAL-KEYS-COUNTS: Of equal keys in the file the last counts
    Of equal keys in the file the last counts, at the top and in components.
    One would expect a refusal, or the first.
    EQUAL-KEYS-IN-TRUNCATION-ARE-REFUSED: A key that truncation or padding has twice is refused
    A key that truncation or padding has twice is refused.
    One would expect the same as everywhere else in the file.
    MINUS-ZERO-IS-NO-WHOLE-NUMBER: -0 is no id
    -0 is read as a floating-point number, and so is no id.
    One would expect 0.
    """,
)
FILE.unasked(
    PYTHON_ONLY,
    """
    CUSTOM-COMPONENTS-CANNOT-BE-WRITTEN: A tokenizer with a custom component cannot be saved
    A tokenizer with a custom component works, and cannot be saved.
    One would expect a refusal when it is made.
    PANICS-ARE-NO-EXCEPTIONS: A panic is a BaseException
    A panic is a BaseException in Python: except Exception does not catch it.
    One would expect an exception.
    ERRORS-HAVE-NO-CLASS-OF-THEIR-OWN: from_file and from_str raise a bare Exception
    What from_file and from_str raise is a bare Exception, a missing file as well; from_buffer raises ValueError.
    One would expect classes of their own.
    SOME-COMPONENTS-CANNOT-BE-COPIED: Replace and Precompiled can be neither pickled nor copied
    Replace and Precompiled can be neither pickled nor copied, as all others can; a tokenizer that has them can.
    One would expect all components to be alike.
    PARTS-ARE-NEW-OBJECTS-EACH-TIME: tokenizer.normalizer is another object each time
    tokenizer.normalizer is another object each time, and yet setting its options changes the tokenizer.
    One would expect one object.
    ITEMS-ARE-COPIED-INTO-THE-MEMBER: To put a component into a Sequence changes the member that was there
    sequence[0] = component copies the component into the member at that place: it changes wherever that member is held, in other sequences and tokenizers and twice in one sequence, and the component itself is not shared.
    One would expect the sequence to hold the component, and nothing else to change.
    MEMBERS-KEEP-THE-CLASS-OF-THEIR-OBJECT: An object whose component was replaced in a Sequence keeps its class
    Where another component was copied into a member of a Sequence, an object that stood for the member before keeps its Python class, and reading an option of that class panics.
    One would expect the object to be of the class of what it is now.
    MEMBER-IN-ITS-OWN-PLACE-HANGS: To put a member of a Sequence into its own place never ends
    sequence[0] = sequence[0] waits for a lock that it holds itself, and never ends.
    One would expect nothing to happen.
    SEQUENCES-INSIDE-SEQUENCES-ARE-CLOSED: A Sequence inside a Sequence of a file cannot be looked into
    A Sequence inside a Sequence, as only a file can have it, is one member: of normalizers it has the length 1, and every index gives itself, so that iterating never ends; of pre-tokenizers and post-processors no index is known.
    One would expect its members.
    STATE-IS-SET-FOR-ONE-OBJECT: __setstate__ of a component changes the object alone, and takes any class of the stage
    __setstate__ of a component puts a new component behind that object; sequences and tokenizers keep the old one. The state may be that of another class.
    One would expect it to change the component as its options do.
    TOKENIZER-IS-LOCKED-WHILE-IT-IS-CHANGED: What uses a tokenizer while that adds tokens, or learns, never ends
    A custom component, or a corpus, that uses the tokenizer while that adds tokens or trains its model waits for a lock that is not given up before it returns, and never ends.
    One would expect the tokenizer to be as it is at that moment.
    PANICS-LOCK-THE-TOKENIZER: After a panic while it is changed, a tokenizer cannot be used any more
    After a panic while tokens are added, or while the model is trained, every use of the tokenizer raises an error.
    One would expect it to be as it was before.
    PANICS-IN-CUSTOM-COMPONENTS-ABORT: Where a method of a text panics in a custom component, the process dies
    Where a method of a text panics in a custom component, a second panic follows when the text is given back, and the process is aborted.
    One would expect the panic to come out.
    INTERRUPTS-OF-CUSTOM-COMPONENTS-ARE-ERRORS: KeyboardInterrupt in a custom component becomes a bare Exception, or nothing
    KeyboardInterrupt, SystemExit and GeneratorExit in a custom component are lost in encode, as all that a normalizer raises there, and come out as a bare Exception elsewhere.
    One would expect them to come out as they are.
    BASE-CLASS-OF-MODELS-IS-A-BPE: Model can be made, and is an empty BPE
    Model can be made, and is an empty BPE; the base classes of the other stages cannot.
    One would expect a refusal.
    REPR-WRITES-WHOLE-NUMBERS-WITHOUT-POINT: repr shows the score 1.0 as 1
    repr shows the score 1.0 as 1.
    One would expect 1.0.
    STR-CUTS-LONG-VALUES: str shows five items of a list and 100 bytes of a text
    str shows five items of a list and 100 bytes of a text; repr shows more.
    One would expect all, or the same in both.
    NEGATIVE-INDEX-OVERFLOWS: A sequence of components cannot be indexed from its end
    A Sequence of components cannot be indexed from its end: OverflowError.
    One would expect the last component.
    NUMPY-STRINGS-ARE-READ-AS-BYTES: numpy arrays of str are read by their memory
    numpy arrays of str are read by their memory: every word ends in NULs, and is unknown.
    One would expect the words.
    """,
)
FILE.quirk(
    "OPTIONS-WITHOUT-EFFECT: Options that are read and written and do nothing",
    "ByteLevel as a pre-tokenizer does nothing with trim_offsets, as a post-processor nothing with use_regex; the decoder Metaspace does nothing with split.",
    "One would expect options to do something.",
    [
        case(
            of(
                bpe(["a", "b", "\u0120"]),
                pre_tokenizer=component("ByteLevel", add_prefix_space=True, trim_offsets=trim, use_regex=True),
            ),
            text("  a b ", "a"),
        )
        for trim in (True, False)
    ],
    [
        case(
            of(
                bpe(["a", "b", "\u0120"]),
                pre_tokenizer=component("ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=True),
                post_processor=component("ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=regex),
            ),
            text("  a b ", "a"),
        )
        for regex in (True, False)
    ],
    [
        case(
            tokenizer(
                word_level("\u2581a \u2581b c"),
                decoder=component("Metaspace", replacement="\u2581", prepend_scheme="always", split=split),
            ),
            ids([1, 2, 3]),
        )
        for split in (True, False)
    ],
)

# Saving --------------------------------------------------------------------------------------------------------------

SAVING = Area(
    "saving",
    "Saving",
    "save",
    "What is written: the same members, all of them, with defaults spelt out. What is asked of the text says so; elsewhere the order of members and the layout of the JSON are free. What is written loads to a tokenizer that does the same.",
)
SAVING.requirement(
    "SAVE-EVERY-MEMBER: Every member is written, null where there is nothing",
    "All members of the file are written: version 1.0, null for what is not there, an empty list of added tokens.",
    "Ports leave out what is null.",
    loads([{"model": simple()["model"]}, simple()], "a b"),
    features=("save",),
)
SAVING.requirement(
    "SAVE-COMPONENTS: Every component is written with its type and all its options",
    "A component is written with its type and with all its options, also those that were missing where it was read.",
    "Ports write what they read, or leave options at their defaults out.",
    [
        case(simple(**{stage: one}), saved(), text("a b"))
        for stage, components in (
            (
                "normalizer",
                (
                    BERT_NORMALIZER,
                    component("Strip", strip_left=True, strip_right=False),
                    component("StripAccents"),
                    component("NFC"),
                    component("NFD"),
                    component("NFKC"),
                    component("NFKD"),
                    component("Lowercase"),
                    component("Nmt"),
                    component("Replace", pattern={"String": "x"}, content=""),
                    component("Replace", pattern={"Regex": "x+"}, content="y"),
                    PREFIX,
                    component("ByteLevel"),
                    component("Sequence", normalizers=[]),
                ),
            ),
            (
                "pre_tokenizer",
                (
                    component("BertPreTokenizer"),
                    component("ByteLevel", add_prefix_space=True, trim_offsets=True),
                    component("ByteLevel", add_prefix_space=False, trim_offsets=False, use_regex=False),
                    component("CharDelimiterSplit", delimiter="x"),
                    component("Digits", individual_digits=False),
                    component("FixedLength", length=3),
                    METASPACE,
                    component("Punctuation", behavior="Contiguous"),
                    component("Split", pattern={"String": " "}, behavior="MergedWithNext", invert=True),
                    component("Split", pattern={"Regex": "\\s"}, behavior="Removed", invert=False),
                    component("UnicodeScripts"),
                    component("Whitespace"),
                    component("WhitespaceSplit"),
                    component("Sequence", pretokenizers=[component("Whitespace")]),
                ),
            ),
            (
                "post_processor",
                (
                    BERT,
                    ROBERTA,
                    TEMPLATE,
                    component("ByteLevel", add_prefix_space=True, trim_offsets=False, use_regex=True),
                    component("ByteLevel", add_prefix_space=True, trim_offsets=False),
                    component("Sequence", processors=[BERT]),
                ),
            ),
            (
                "decoder",
                (
                    component("BPEDecoder", suffix="</w>"),
                    component("ByteFallback"),
                    component("ByteLevel", add_prefix_space=True, trim_offsets=True),
                    ctc(),
                    component("Fuse"),
                    METASPACE,
                    component("Metaspace", replacement="_"),
                    replace("x", string="a"),
                    strip("a", 1, 2),
                    component("WordPiece", prefix="##", cleanup=False),
                    component("Sequence", decoders=[component("Fuse")]),
                ),
            ),
        )
        for one in components
    ],
    features=("save",),
)
SAVING.requirement(
    "SAVE-MODELS: A model is written with its type, its options and its vocabulary",
    "A model is written with its type and all its options; merges are written as pairs, in their order; a vocabulary keeps its ids, also with gaps.",
    "Ports write merges as strings, or sort them.",
    loads(
        [
            of(bpe("abc", ("b c", "a bc"), unk_token="a", fuse_unk=True, byte_fallback=True, ignore_merges=True)),
            of(bpe("ab", ("a b",), continuing_subword_prefix="", end_of_word_suffix="")),
            of({**bpe("ab", ("a b",)), "merges": ["a b"]}),
            of(word_piece("a ##b", max_input_chars_per_word=7)),
            of({"type": "WordLevel", "vocab": {"b": 7, "[UNK]": 3, "a": 5}, "unk_token": "[UNK]"}),
            of(unigram({"<unk>": 0.0, "a": -1.5})),
            of(unigram({"<unk>": 0.0, "a": -1}, byte_fallback=True)),
        ],
        "a ab",
    ),
    features=("save",),
)
SAVING.requirement(
    "SAVE-ADDED-TOKENS: Added tokens are written in the order of their ids, with the ids that they have",
    "Added tokens are written in the order of their ids, with the ids that they have (and not those that the file had), and with all flags.",
    "Ports write them in the order in which they were read, with the old ids.",
    [
        case(simple(added_tokens=tokens), saved(), text("a<x>b"), vocabulary())
        for tokens in (
            [added(6, "<x>")],
            [added(6, "<x>", special=True), added(3, "a", special=True), added(7, "<y>", lstrip=True)],
            [added(9, "<x>", single_word=True, rstrip=True), added(1, "[CLS]", special=True)],
            [added(6, "<x>"), added(6, "<x>", special=True)],
        )
    ],
    features=("save",),
)
SAVING.requirement(
    "SAVE-TRUNCATION-AND-PADDING: Truncation and padding are written as they were read",
    "Truncation and padding are written with all their members.",
    "Ports keep them as arguments of encode, and lose them.",
    loads(
        [
            simple(truncation=truncation(3, stride=1, strategy="OnlySecond", direction="Left")),
            simple(
                padding=padding(None, pad_to_multiple_of=8, direction="Left", pad_id=2, pad_type_id=1, pad_token="x")
            ),
            simple(padding=padding(4), truncation=truncation(2)),
        ],
        "a",
    ),
    features=("save",),
)
SAVING.edge(
    "SAVE-ANY-TEXT: Tokens are written as they are, whatever characters they have",
    "Tokens may hold any characters: quotes, backslashes, control characters, line ends, characters beyond U+FFFF.",
    "Ports write JSON by hand.",
    loads(
        [
            tokenizer(
                word_level(['"', "\\", "\n", "\x00", "\x7f", "\u2028", "\U0001f389", "</script>", "\u00e9", " "])
            ),
            tokenizer(word_level("a"), added_tokens=[added(2, '"\\\n\u0001\U0001f389')]),
            tokenizer(characters("ab"), normalizer=component("Replace", pattern={"String": '"'}, content="\\\n")),
        ],
        "\n",
        'a"\\\n\u0001\U0001f389',
    ),
    features=("save",),
)
SAVING.edge(
    "SAVE-FIXED-LENGTH-OF-ZERO: A fixed length of zero is no padding to the longest",
    'A fixed length of 0 is written as {"Fixed": 0}, and a pad_to_multiple_of of 0 as 0.',
    "Ports take 0 for nothing.",
    loads([simple(padding=padding(0)), simple(padding=padding(0, pad_to_multiple_of=0))], "a"),
    features=("save",),
)


def texts(documents: Iterable[Document], *asked: str) -> list[CaseRecipe]:
    """Return a case for each of ``documents``, which is written, and used."""
    return [case(document, written(), text(*asked)) for document in documents]


def backwards(value: Any) -> Any:
    """Return ``value`` with the members of all its objects the other way round."""
    if isinstance(value, dict):
        return {name: backwards(value[name]) for name in reversed(value)}
    return [backwards(item) for item in value] if isinstance(value, list) else value


EVERY_PART = simple(
    truncation=truncation(9, stride=1, strategy="OnlySecond", direction="Left"),
    padding=padding(4, pad_to_multiple_of=8, direction="Left", pad_id=2, pad_type_id=1, pad_token="x"),
    added_tokens=[added(0, "[UNK]", special=True), added(4, "b", lstrip=True, rstrip=True)],
    normalizer=component(
        "Sequence", normalizers=[BERT_NORMALIZER, component("Replace", pattern={"Regex": "x"}, content="")]
    ),
    pre_tokenizer=component(
        "Sequence",
        pretokenizers=[
            component("WhitespaceSplit"),
            METASPACE,
            component("Split", pattern={"String": " "}, behavior="MergedWithNext", invert=True),
            component("ByteLevel", add_prefix_space=False, trim_offsets=False, use_regex=False),
        ],
    ),
    post_processor=component("Sequence", processors=[ROBERTA, TEMPLATE]),
    decoder=component(
        "Sequence", decoders=[ctc(), strip("a", 1, 2), component("WordPiece", prefix="##", cleanup=False)]
    ),
)
"""A tokenizer with every part that has members in an order, but for those of the next."""

EVERY_OTHER_PART = simple(
    normalizer=component(
        "Sequence",
        normalizers=[
            component("Strip", strip_left=True, strip_right=False),
            component("Prepend", prepend="a"),
            component("Replace", pattern={"String": "x"}, content="y"),
        ],
    ),
    pre_tokenizer=component(
        "Sequence",
        pretokenizers=[
            component("Digits", individual_digits=True),
            component("Punctuation", behavior="Contiguous"),
            component("CharDelimiterSplit", delimiter=" "),
            component("FixedLength", length=3),
        ],
    ),
    post_processor=component(
        "Sequence",
        processors=[
            component("ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=False),
            component("BertProcessing", sep=["[SEP]", 2], cls=["[CLS]", 1]),
        ],
    ),
    decoder=component(
        "Sequence",
        decoders=[
            replace("a", string="b"),
            METASPACE,
            component("BPEDecoder", suffix="</w>"),
            component("ByteLevel", add_prefix_space=True, trim_offsets=False, use_regex=False),
        ],
    ),
)

SAVING.edge(
    "SAVE-ORDER-OF-MEMBERS: Members are written in one order, whatever order they had",
    "The members of the file and of every component are written in an order of their own, type first where there is one, and not in that of the file that was read; a vocabulary is written in the order of its ids.",
    "Ports sort members by name, or keep the order of what they read, so that two files of one tokenizer differ.",
    texts(
        [
            EVERY_PART,
            backwards(EVERY_PART),
            backwards(EVERY_OTHER_PART),
            *(
                backwards(of(model))
                for model in (
                    bpe("cab", ("b c", "a bc"), unk_token="a", continuing_subword_prefix="", end_of_word_suffix=""),
                    word_piece("b a ##b"),
                    word_level("b \uff5e \U0001f389 a"),
                    unigram({"<unk>": 0.0, "b": -1.5, "a": -2.5}),
                )
            ),
        ],
        "a b",
    ),
    features=("save",),
)
SAVING.edge(
    "SAVE-ON-ONE-LINE: Without white space between values, and no line end after the last",
    "A tokenizer that is not written for people to read is one line: no space after commas and colons, none around brackets, nothing behind the last brace, and empty lists and objects are [] and {}.",
    "Ports write what the JSON writer of their language does by default, such as a space after every colon.",
    texts([simple(), of({"type": "WordLevel", "vocab": {}, "unk_token": "[UNK]"}), of(bpe("ab", ("a b",)))], "a b"),
    features=("save",),
)
SAVING.edge(
    "SAVE-NUMBERS: Numbers are written with the fewest digits that give them again",
    "A score is written with the fewest digits that give the same double, always with a point or an exponent (-1.0, -0.0); the exponent has neither leading zeros nor a missing sign (1e+16, -1e-7), and stands below 1e-5 and from 1e16 on (-0.000015). A dropout is written with the fewest digits that give the same single, and with an exponent below 1e-6 only.",
    "Ports write -1.5e-05, 1e16, 17 digits, or -1 for -1.0, as their language does.",
    texts(
        [
            of(unigram({"<unk>": 0.0, **scores}))
            for scores in (
                {"a": -1, "b": -0.0, "c": 10, "d": -100.0},
                {"a": -1.5e-5, "b": -1e-5, "c": -9.99e-6, "d": -1e-7, "e": -1.25e-10, "f": -1e-300},
                {"a": 1e15, "b": 1e16, "c": 123456789012345680.0, "d": -1.5e21, "e": 1e300, "f": 9999999999999998.0},
                {"a": -12.345678901234567, "b": -0.1, "c": -0.30000000000000004, "d": -7.450580596923828},
                {"a": -0.0003255895905649453, "b": -0.010000000000000002},
            )
        ],
        "ab",
    ),
    texts([of(bpe("ab", dropout=dropout)) for dropout in (0.0, 0.1, 0.7, 1.25e-6, 1e-7, 1.0)], "ab"),
    features=("save",),
)
SAVING.edge(
    "SAVE-ESCAPES: Only what JSON asks for is escaped",
    "Quotes, backslashes and control characters below U+0020 are escaped, the latter as \\b, \\t, \\n, \\f, \\r or \\u with four small hexadecimal digits; all else, slashes, U+007F, U+2028 and characters beyond U+FFFF included, is written as it is.",
    "Ports escape all that is not ASCII, slashes, or what JavaScript or HTML ask for.",
    texts(
        [
            tokenizer(word_level(['"', "\\", "\b\t\n\f\r", "\x00\x0b\x1f", "\x7f\x80\x9f", "/", "</script>&'"])),
            tokenizer(word_level(["\u2028\u2029", "\u00e9", "e\u0301", "\U0001f389", "\ufeff", "\uffff", "\u4e00"])),
            tokenizer(word_level("a"), added_tokens=[added(2, '"\\\n/\u001f\u2028\U0001f389')]),
            tokenizer(
                characters("ab"), normalizer=component("Replace", pattern={"String": '"'}, content="\\\u0001/\u00e9")
            ),
        ],
        "/",
    ),
    features=("save",),
)

# Vocabulary ----------------------------------------------------------------------------------------------------------

VOCABULARY = Area(
    "vocabulary",
    "The vocabulary",
    "vocabulary",
    "All tokens with their ids: those of the model and those that were added.",
)
VOCABULARY.requirement(
    "VOCABULARY-HAS-ADDED-TOKENS: Added tokens are part of the vocabulary",
    "The vocabulary has the tokens of the model and the added tokens, each with the id that encode gives for it.",
    "Ports list the model's tokens alone.",
    [
        case(of(model, added_tokens=tokens), vocabulary(), text("a <x>"))
        for model in (word_level("a b"), bpe("ab", ("a b",)), word_piece("a ##b"), unigram({"<unk>": 0.0, "a": -1.0}))
        for tokens in ([], [added(9, "<x>", special=True)], [added(0, "a"), added(1, "<x>"), added(2, "<y>")])
    ],
    features=("vocabulary",),
)
VOCABULARY.edge(
    "VOCABULARY-IDS-WITH-GAPS: Ids with gaps stay as they are",
    "The ids of a model may have gaps and any order; the first token that is added has the number of the model's tokens as its id, even if a token has that id.",
    "Ports give the first free id, or the largest id plus one.",
    [
        case(
            of({"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"}, added_tokens=tokens),
            vocabulary(),
            text("a<x> b<y>", "<y>"),
            ids([0, 1, 2, 3, 4, 5, 6, 10, 11]),
        )
        for vocab in ({"[UNK]": 0, "a": 5, "b": 10}, {"[UNK]": 2, "a": 1, "b": 0}, {"[UNK]": 3, "a": 4, "b": 5})
        for tokens in ([], [added(0, "<x>")], [added(0, "<x>", special=True), added(0, "<y>")])
    ],
    features=("vocabulary",),
)
VOCABULARY.edge(
    "VOCABULARY-LOADED-ANEW: What was added through the API is not part of the file",
    "Tokens that were added to a loaded tokenizer belong to that object: the file that is loaded again has none of them.",
    "Ports keep a table of added tokens for all tokenizers.",
    case(
        simple(),
        text("a<x>"),
        changed([new_tokens("<x>")], encode("a<x>b", special=False)),
        text("a<x>"),
        pair("<x>", "a"),
    ),
    each(simple(), "a b"),
    features=("changes",),
)

AREAS = (FILE, SAVING, VOCABULARY)
