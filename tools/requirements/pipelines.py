"""Recipes of the real pipelines: the components of published checkpoints around small vocabularies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from requirements.precompiled import NMT_NFKC
from requirements.recipe import (
    Area,
    CaseRecipe,
    Document,
    added,
    batch,
    bpe,
    byte_tokens,
    case,
    component,
    encode,
    ids,
    pair,
    row,
    stream,
    text,
    tokenizer,
    unigram,
    word_piece,
    words,
)
from requirements.truncation import sequence, special, truncation

if TYPE_CHECKING:
    from collections.abc import Iterable

EVERYDAY = row(
    "Hello, world!•It's 3 o'clock; we'll go.•  two  spaces •The 2nd of May 2024•caf\u00e9 na\u00efve•"
    "cafe\u0301•\u00dcber Stra\u00dfe•don't \u2019til•a\nb\r\n\tc•x=1.5+y_z"
)
HOSTILE = row(
    "\u65e5\u672c\u8a9e \u4e2d\u6587•\u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439•"
    "\U0001f389\U0001f468\u200d\U0001f469\u200d\U0001f467•\ufb01 \u2460 \u00bd•\u0130\u0131 \u03a3\u03c2•"
    "a\u00a0b\u3000c\u200bd•e\u0301\u0327\u0301•\u0000\u0001\ufffd\u007f•\u0e01\u0e33 \u0939\u093f•"
    "``quoted'' \u201cx\u201d•aaaaaaaaaaaaaaaaaaaa•\u1112\u1161\u11ab \ud55c"
)
TEXTS = EVERYDAY + HOSTILE

BYTE_ALPHABET = [chr(code) for code in (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x144))]
"""The 256 characters that stand for bytes, in the order of their numbers."""

GPT2_MERGES = row(
    "\u0120 t•\u0120 a•h e•i n•r e•l l•\u0120t he•\u0120 w•o r•\u0120w or•l d•\u0120wor ld•H e•He ll•Hell o•"
    "' s•I t•\u00c3 \u00a9•\u0120 \u0120•' t•2 4•\u0120 2•\u00e6 \u0139•\u00e6\u0139 \u00a5"
)

PIECES = {
    "\u2581": -3.0,
    **{
        character: -6.0 - number / 100
        for number, character in enumerate("abcdefghijklmnoprstuvwxyzHITMUX0123459'.,;!\"-+=_")
    },
    "\u2581the": -3.5,
    "\u2581H": -5.0,
    "ello": -4.5,
    "\u2581hello": -4.2,
    "\u2581world": -4.1,
    "\u2581wor": -5.2,
    "ld": -4.9,
    "\u2581a": -3.9,
    "in": -4.4,
    "\u2581caf": -5.5,
    "caf\u00e9": -8.0,
    "\u00e9": -7.0,
    "\u65e5\u672c": -6.0,
    "\u2581\u65e5": -7.0,
    "aa": -5.9,
    "aaaa": -9.0,
    "fi": -5.0,
    "1/2": -6.0,
    "\u0417\u0434": -6.5,
}
"""Pieces and scores of the Unigram vocabularies, without special ones."""


WORDS = [
    *row(
        "hello world the it ' s t ll , . ! ; 3 2 o clock go we a b c x = + 1 5 y _ z caf ##e ##f cafe nai ##ve "
        'na uber strass ##e ##a ##aa two spaces 20 ##24 ##nd of may don till ##til 日 本 中 # ##o ##x " ` fi 1/2'
    )
]


def questions(document: Document, *, second: str = "the world", lines: Iterable[str] = TEXTS) -> list[CaseRecipe]:
    """Return a case for each text, and cases of pairs, words and batches."""
    return [
        *(case(document, text(line), name=f"text-{number}") for number, line in enumerate(lines, 1)),
        case(document, pair("Hello", second), name="pair"),
        case(document, pair("", second), pair(second, ""), name="empty-pair"),
        case(document, words(["Hello", " world", "don't"], ["caf\u00e9", "", "\u65e5\u672c"]), name="words"),
        case(document, pair(["Hello"], ["the", "world!"]), name="pair-of-words"),
        case(document, batch("Hello", second, ""), name="batch"),
    ]


def with_lengths(document: Document, pad: Document) -> list[CaseRecipe]:
    """Return cases of the same tokenizer with truncation and padding, as training code sets them."""
    return [
        case({**document, "truncation": truncation(length, stride=stride), "padding": padding}, *_lengths(), name=name)
        for name, length, stride, padding in (
            ("cut", 6, 0, None),
            ("stride", 8, 2, None),
            ("padded", 64, 0, {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": 8, **pad}),
            ("padded-left", 8, 0, {"strategy": {"Fixed": 8}, "direction": "Left", "pad_to_multiple_of": None, **pad}),
        )
    ]


def _lengths() -> tuple[Any, ...]:
    return (
        encode("Hello, world! It's the world"),
        encode("Hello", "the world, the world"),
        batch("Hello", "Hello, world!"),
    )


def template(single: list[Document], both: list[Document], **specials: int) -> Document:
    """Return a template with special tokens of these ids."""
    return component(
        "TemplateProcessing",
        single=single,
        pair=both,
        special_tokens={name: {"id": name, "ids": [id_], "tokens": [name]} for name, id_ in specials.items()},
    )


A, B = sequence("A"), sequence("B", 1)


def bert_template(cls: str, sep: str, **specials: int) -> Document:
    """Return the template of BERT."""
    return template([special(cls), A, special(sep)], [special(cls), A, special(sep), B, special(sep, 1)], **specials)


def listed(*tokens: str, **flags: Any) -> list[Document]:
    """Return special tokens with the ids of their places; ``flags`` are those of the last one."""
    *others, last = tokens
    return [
        *(added(id_, token, special=True) for id_, token in enumerate(others)),
        added(len(others), last, special=True, **flags),
    ]


# Byte-level ----------------------------------------------------------------------------------------------------------

BYTE_LEVEL = component("ByteLevel", add_prefix_space=False, trim_offsets=True)
BYTE_DECODER = component("ByteLevel", add_prefix_space=True, trim_offsets=True)


def byte_level(first: tuple[str, ...] = (), **stages: Any) -> Document:
    """Return a byte-level BPE tokenizer whose vocabulary begins with ``first``."""
    model = bpe([*first, *BYTE_ALPHABET], GPT2_MERGES, continuing_subword_prefix="", end_of_word_suffix="")
    return tokenizer(model, **{"pre_tokenizer": BYTE_LEVEL, "decoder": BYTE_DECODER, **stages})


GPT2 = byte_level(
    added_tokens=[added(256 + len(GPT2_MERGES), "<|endoftext|>", special=True, normalized=True)],
    post_processor=component("ByteLevel", add_prefix_space=True, trim_offsets=False),
)
ROBERTA_SPECIALS = ("<s>", "<pad>", "</s>", "<unk>")
ROBERTA = byte_level(
    ROBERTA_SPECIALS,
    added_tokens=[
        *(added(id_, token, special=True, normalized=True) for id_, token in enumerate(ROBERTA_SPECIALS)),
        added(260 + len(GPT2_MERGES), "<mask>", special=True, normalized=True, lstrip=True),
    ],
    post_processor=component(
        "RobertaProcessing", sep=["</s>", 2], cls=["<s>", 0], trim_offsets=True, add_prefix_space=False
    ),
)
LLAMA3_PATTERN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = tokenizer(
    bpe([*BYTE_ALPHABET, "Hello", "\u0120world", "202"], GPT2_MERGES, ignore_merges=True),
    pre_tokenizer=[
        component("Split", pattern={"Regex": LLAMA3_PATTERN}, behavior="Isolated", invert=False),
        component("ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=False),
    ],
    decoder=BYTE_DECODER,
    added_tokens=[added(283, "<|begin_of_text|>", special=True), added(284, "<|eot_id|>", special=True)],
    post_processor=component(
        "Sequence",
        processors=[
            component("ByteLevel", add_prefix_space=True, trim_offsets=False, use_regex=True),
            template(
                [special("<|begin_of_text|>"), A],
                [special("<|begin_of_text|>"), A, special("<|begin_of_text|>", 1), B],
                **{"<|begin_of_text|>": 283},
            ),
        ],
    ),
)
CLIP_MERGES = ("h e", "l l", "he ll", "hell o</w>", "w o", "wo r", "l d</w>", "wor ld</w>", "i t</w>")
CLIP = tokenizer(
    bpe(
        [*BYTE_ALPHABET, *(f"{character}</w>" for character in BYTE_ALPHABET)],
        CLIP_MERGES,
        end_of_word_suffix="</w>",
        continuing_subword_prefix="",
        unk_token="<|endoftext|>",
    ),
    normalizer=[component("NFC"), component("Replace", pattern={"Regex": r"\s+"}, content=" "), component("Lowercase")],
    pre_tokenizer=[
        component(
            "Split",
            pattern={"Regex": r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"},
            behavior="Removed",
            invert=True,
        ),
        component("ByteLevel", add_prefix_space=False, trim_offsets=True),
    ],
    decoder=BYTE_DECODER,
    added_tokens=[added(600, "<|startoftext|>", special=True), added(601, "<|endoftext|>", special=True)],
    post_processor=component(
        "RobertaProcessing",
        sep=["<|endoftext|>", 522],
        cls=["<|startoftext|>", 521],
        trim_offsets=False,
        add_prefix_space=False,
    ),
)

# WordPiece -----------------------------------------------------------------------------------------------------------


def bert(*, lowercase: bool) -> Document:
    """Return the pipeline of BERT."""
    names = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    model = word_piece([])
    model["vocab"] = {token: id_ for id_, token in enumerate(dict.fromkeys([*names, *WORDS, "Hello", "The", "May"]))}
    return tokenizer(
        model,
        normalizer=component(
            "BertNormalizer", clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=lowercase
        ),
        pre_tokenizer=component("BertPreTokenizer"),
        post_processor=bert_template("[CLS]", "[SEP]", **{"[CLS]": 2, "[SEP]": 3}),
        decoder=component("WordPiece", prefix="##", cleanup=True),
        added_tokens=listed(*names),
    )


# Unigram -------------------------------------------------------------------------------------------------------------

LEGACY_METASPACE = component("Metaspace", replacement="\u2581", add_prefix_space=True)
OLDER_METASPACE = {**LEGACY_METASPACE, "str_rep": "\u2581"}
METASPACE = component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True)
QUOTES = [
    component("Replace", pattern={"String": "``"}, content='"'),
    component("Replace", pattern={"String": "''"}, content='"'),
]
BLANKS = component("Replace", pattern={"Regex": " {2,}"}, content=" ")


def scored(*specials: str, unknown: int) -> Document:
    """Return a Unigram model whose vocabulary begins with ``specials``."""
    return unigram({**dict.fromkeys(specials, 0.0), **PIECES}, unknown)


XLNET_SPECIALS = ("<unk>", "<s>", "</s>", "<cls>", "<sep>", "<pad>", "<mask>", "<eod>", "<eop>")
XLNET = tokenizer(
    scored(*XLNET_SPECIALS, unknown=0),
    normalizer=[*QUOTES, component("NFKD"), component("StripAccents"), NMT_NFKC],
    pre_tokenizer=[component("WhitespaceSplit"), OLDER_METASPACE],
    post_processor=template(
        [A, special("<sep>"), special("<cls>", 2)],
        [A, special("<sep>"), B, special("<sep>", 1), special("<cls>", 2)],
        **{"<sep>": 4, "<cls>": 3},
    ),
    decoder=OLDER_METASPACE,
    added_tokens=listed(*XLNET_SPECIALS),
)
T5_SPECIALS = ("<pad>", "</s>", "<unk>")
T5 = tokenizer(
    scored(*T5_SPECIALS, unknown=2),
    normalizer=NMT_NFKC,
    pre_tokenizer=[component("WhitespaceSplit"), OLDER_METASPACE],
    post_processor=template([A, special("</s>")], [A, special("</s>"), sequence("B"), special("</s>")], **{"</s>": 1}),
    decoder=OLDER_METASPACE,
    added_tokens=[
        *listed(*T5_SPECIALS),
        *(added(32099 - number, f"<extra_id_{number}>", special=True) for number in (2, 1, 0)),
    ],
)
ALBERT_SPECIALS = ("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")
ALBERT = tokenizer(
    scored(*ALBERT_SPECIALS, unknown=1),
    normalizer=[*QUOTES, component("NFKD"), component("StripAccents"), component("Lowercase"), NMT_NFKC],
    pre_tokenizer=[component("WhitespaceSplit"), LEGACY_METASPACE],
    post_processor=bert_template("[CLS]", "[SEP]", **{"[CLS]": 2, "[SEP]": 3}),
    decoder=LEGACY_METASPACE,
    added_tokens=listed(*ALBERT_SPECIALS, lstrip=True),
)
CAMEMBERT_SPECIALS = ("<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED", "<s>", "</s>")
CAMEMBERT = tokenizer(
    scored(*CAMEMBERT_SPECIALS, unknown=3),
    normalizer=[NMT_NFKC, BLANKS],
    pre_tokenizer=LEGACY_METASPACE,
    post_processor=template(
        [special("<s>"), A, special("</s>")],
        [special("<s>"), A, special("</s>"), special("</s>"), sequence("B"), special("</s>")],
        **{"<s>": 5, "</s>": 6},
    ),
    decoder=LEGACY_METASPACE,
    added_tokens=[
        *(
            added(CAMEMBERT_SPECIALS.index(name), name, special=True)
            for name in CAMEMBERT_SPECIALS
            if name[4:] != "k>NOTUSED"
        ),
        added(32004, "<mask>", special=True, lstrip=True, normalized=True),
    ],
)
FNET_SPECIALS = ("<unk>", "<s>", "</s>", "<pad>", "[CLS]", "[SEP]", "[MASK]")
MERGES = row(
    "\u2581 t•h e•\u2581t he•l l•\u2581 H•e ll•\u2581H ell•\u2581Hell o•\u2581 w•o r•l d•\u2581w or•"
    "\u2581wor ld•a a•aa aa"
)
SENTENCE_ALPHABET = "\u2581abcdefghijklmnoprstuvwxyzHITMUX0123459'.,;!\"-+=_\u00e9\u65e5"
FNET = tokenizer(
    bpe([*FNET_SPECIALS, *SENTENCE_ALPHABET], MERGES, unk_token="<unk>", fuse_unk=True),
    normalizer=[*QUOTES, NMT_NFKC, BLANKS],
    pre_tokenizer=METASPACE,
    post_processor=bert_template("[CLS]", "[SEP]", **{"[CLS]": 4, "[SEP]": 5}),
    decoder=METASPACE,
    added_tokens=listed(*FNET_SPECIALS, lstrip=True),
)

# Byte fallback -------------------------------------------------------------------------------------------------------

LLAMA_SPECIALS = ("<unk>", "<s>", "</s>")
LLAMA_MODEL = bpe(
    [*LLAMA_SPECIALS, *byte_tokens(), *SENTENCE_ALPHABET], MERGES, unk_token="<unk>", fuse_unk=True, byte_fallback=True
)
LLAMA_TEMPLATE = template([special("<s>"), A], [special("<s>"), A, special("<s>", 1), B], **{"<s>": 1})
LLAMA_DECODERS = [
    component("Replace", pattern={"String": "\u2581"}, content=" "),
    component("ByteFallback"),
    component("Fuse"),
    component("Strip", content=" ", start=1, stop=0),
]
LLAMA = tokenizer(
    LLAMA_MODEL,
    normalizer=[
        component("Prepend", prepend="\u2581"),
        component("Replace", pattern={"String": " "}, content="\u2581"),
    ],
    post_processor=LLAMA_TEMPLATE,
    decoder=LLAMA_DECODERS,
    added_tokens=listed(*LLAMA_SPECIALS),
)
LLAMA_METASPACE = tokenizer(
    LLAMA_MODEL,
    pre_tokenizer=component("Metaspace", replacement="\u2581", prepend_scheme="first", split=False),
    post_processor=LLAMA_TEMPLATE,
    decoder=LLAMA_DECODERS,
    added_tokens=listed(*LLAMA_SPECIALS),
)

# Areas ---------------------------------------------------------------------------------------------------------------

PIPELINES: tuple[tuple[str, str, str, Document, str, str, str], ...] = (
    (
        "GPT2",
        "GPT-2",
        "byte-level BPE with the GPT-2 pattern; its post-processor leaves offsets as they are",
        GPT2,
        "<|endoftext|>",
        "a byte alphabet that is off by one, \\p{L} of another Unicode, contractions in capitals, trimmed offsets",
        "[PAD]",
    ),
    (
        "ROBERTA",
        "RoBERTa",
        "GPT-2's tokens, trimmed offsets, two separators between pairs and type ids of 0",
        ROBERTA,
        "<mask>",
        "offsets that keep the space, one separator, type ids of 1, a mask that leaves its space behind",
        "<pad>",
    ),
    (
        "LLAMA3",
        "Llama 3",
        "byte-level BPE made of tiktoken ranks, with a pattern of its own and ignore_merges",
        LLAMA3,
        "<|eot_id|>",
        "merges that do not lead to a word of the vocabulary, numbers of more than three digits in one piece",
        "<|eot_id|>",
    ),
    (
        "CLIP",
        "CLIP",
        "lowercased byte-level BPE with a suffix for the end of words",
        CLIP,
        "<|endoftext|>",
        "spaces that become tokens, the suffix at every character, a pattern that is not inverted",
        "<|endoftext|>",
    ),
    (
        "BERT-UNCASED",
        "BERT, uncased",
        "lowercased WordPiece without accents",
        bert(lowercase=True),
        "[MASK]",
        "accents that stay, punctuation that is ASCII only, Chinese characters that stay together",
        "[PAD]",
    ),
    (
        "BERT-CASED",
        "BERT, cased",
        "WordPiece with accents and capitals",
        bert(lowercase=False),
        "[MASK]",
        "accents that are stripped although strip_accents is null and lowercase is false",
        "[PAD]",
    ),
    (
        "XLNET",
        "XLNet",
        "Unigram without accents, special tokens at the end",
        XLNET,
        "<mask>",
        "a class token at the beginning, type ids of 0 for it, quotes that are not replaced",
        "<pad>",
    ),
    (
        "T5",
        "T5",
        "Unigram, one special token at the end of each text, sentinels",
        T5,
        "<extra_id_0>",
        "sentinels that are cut into pieces, one end token for a pair, a prefix that is missing after a sentinel",
        "<pad>",
    ),
    (
        "ALBERT",
        "ALBERT",
        "lowercased Unigram with BERT's template",
        ALBERT,
        "[MASK]",
        "lowercasing before accents are stripped, a mask that leaves its space behind",
        "<pad>",
    ),
    (
        "CAMEMBERT",
        "CamemBERT",
        "Unigram over texts whose runs of spaces become one",
        CAMEMBERT,
        "<mask>",
        "runs of spaces that stay, one separator between pairs, offsets that slide after a removed space",
        "<pad>",
    ),
    (
        "FNET",
        "FNet",
        "sentence-level BPE with fused unknown characters",
        FNET,
        "[MASK]",
        "unknown characters that are not fused, merges across words",
        "<pad>",
    ),
    (
        "LLAMA",
        "Llama",
        "BPE with byte fallback; a normalizer writes U+2581 for spaces and puts one before the text",
        LLAMA,
        "</s>",
        "a prefix that is missing after a special token, bytes of the whole word, a space that stays when decoding",
        "<unk>",
    ),
    (
        "LLAMA-METASPACE",
        "Llama, with Metaspace",
        "the same tokens made by a pre-tokenizer that puts U+2581 before the first piece only",
        LLAMA_METASPACE,
        "</s>",
        "a prefix after every special token, words that are split",
        "<unk>",
    ),
)
"""Id, name, what it is, the tokenizer, a special token of texts, what ports get wrong, the padding token."""


def area(id_: str, name: str, summary: str, document: Document, token: str, mistakes: str, pad_token: str) -> Area:
    """Return the area of one pipeline."""
    made = Area(f"pipelines.{id_}", name, "model", f"The pipeline of {name}: {summary}. The vocabulary is a small one.")
    why = f"All stages together: {mistakes}."
    made.requirement(
        f"PIPELINE-{id_}-TEXTS: {name}: everyday and hostile texts",
        f"The pipeline of {name} is {summary}: every stage gives what its parts are required to give, in their order.",
        why,
        questions(document),
    )
    made.requirement(
        f"PIPELINE-{id_}-SPECIAL-TOKENS: {name}: special tokens in the text",
        f"A special token such as {token} is found in the text before any stage works, and what stands around it is normalized and cut by itself.",
        "Ports normalize the whole text first, or cut the token into pieces.",
        case(document, text(f"Hello{token}world"), text(f"Hello {token} world {token}")),
        case(document, text(token, f"{token}{token}", f" {token}")),
        case(document, text(f"caf\u00e9 {token}\u65e5\u672c", f"x{token.upper()}y")),
        case(document, pair(f"a{token}", f"{token} b"), words([token, "a"], [f"a{token}b"])),
    )
    made.requirement(
        f"PIPELINE-{id_}-LENGTHS: {name}: truncation and padding",
        "With truncation and padding the encoding has the special tokens, the overflowing parts and the columns that are required of these.",
        "Each of them alone may be right, and their order wrong.",
        with_lengths(document, {"pad_id": 1, "pad_type_id": 0, "pad_token": pad_token}),
    )
    made.requirement(
        f"PIPELINE-{id_}-DECODING: {name}: decoding",
        "Any ids are decoded, also such as no text gives, at once and id by id.",
        "Ports test decoding on what encoding gives.",
        [
            case(document, ids(row), stream(row), text("Hello"))
            for row in (
                [5, 6, 7, 8, 9, 10],
                [20, 40, 60, 80, 100],
                [0, 1, 2, 3, 4],
                [30, 3, 31, 31, 5],
                [99, 98, 150, 97],
            )
        ],
    )
    return made


AREAS = tuple(area(*row) for row in PIPELINES)
