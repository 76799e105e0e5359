"""Loaders that build the pipeline anew from parts of the files, as `transformers` and peers do.

Most say nothing of what they run. Those in *loaders that save* write it as a tokenizer.json.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from planted.edits import in_turn, of_added_tokens, option, put, without
from planted.fakes import at_once, decoding, in_file
from planted.truth.case import Case, pair_of

if TYPE_CHECKING:
    from planted.edits import Json
    from planted.fakes import Change
    from planted.truth.case import Statements

GROUP = "loaders"


def _rebuilt(
    name: str, what: str, change: Change, on: tuple[str, ...], said: Statements, implied: Statements = ()
) -> Case:
    return Case(name, GROUP, what, in_file(change), on, said, implied)


def _template(*single: str, second: tuple[str, ...] = (), last: int = 1) -> Change:
    """Return the change that builds the template anew; texts are ``A`` and ``B``, and ``last`` is the type of ``B``."""

    def change(document: Json) -> None:
        ids = {token["content"]: token["id"] for token in document["added_tokens"]}
        pieces = [_piece(each, 0) for each in single]
        document["post_processor"] = {
            "type": "TemplateProcessing",
            "single": pieces,
            "pair": pieces + [_piece(each, last) for each in second],
            "special_tokens": {
                each: {"id": each, "ids": [ids[each]], "tokens": [each]} for each in {*single, *second} - {"A", "B"}
            },
        }

    return change


def _piece(name: str, type_id: int) -> Json:
    return {"Sequence" if name in ("A", "B") else "SpecialToken": {"id": name, "type_id": type_id}}


def _of_mask(name: str, value: bool) -> Change:
    def change(document: Json) -> None:
        for token in document["added_tokens"]:
            if "mask" in token["content"].lower():
                token[name] = value

    return change


_CLEANED_UP = (" .", " ?", " !", " ,", " ' ", " n't", " 'm", " 's", " 've", " 're")


def _cleaned_up(text: str) -> str:
    """Return ``text`` as ``clean_up_tokenization_spaces`` of `transformers` makes it."""
    for each in _CLEANED_UP:
        text = text.replace(each, each.strip())
    return text


_BERT = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None}
_MARKS = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
_XLNET = ("xlnet-mini", "xlnet-base-cased", "xlnet-whole")
_LLAMA = ("llama-mini", "llama-cut", "llama-padded")

NORMALIZER = _rebuilt(
    "flags-of-the-class",
    "The normalizer is built anew with the flags of its class: letters become small, whatever the file says.",
    put("normalizer", {**_BERT, "lowercase": True}),
    ("bert-base-cased", "bert-cased", "bert-kept"),
    ("normalizer-flags: *lowercase true*", "case-folding: *the text is lower-cased first*"),
    # What strips accents brings the text to NFD first.
    (
        "normalizer-flags: *accents*",
        "characters-dropped: U+0300",
        "normalization-form: the text is brought to NFD first",
    ),
)
TEMPLATE = _rebuilt(
    "template-of-cls-and-sep",
    "The post-processor is built anew from the names of cls and sep, the first before the text, the second behind it.",
    _template("<cls>", "A", "<sep>", second=("B", "<sep>")),
    _XLNET,
    ("special-token-handling: *<cls>*", "special-token-handling: *before*"),
)
DECODER = _rebuilt(
    "decoder-of-the-family",
    "The family's decoder stands in the place of the one in the file, and knows nothing of bytes.",
    put("decoder", _MARKS),
    ("llama-mini", "llama-first", "llama-cut"),
    ("component-left-out: *ByteFallback*",),
)
ADDED = _rebuilt(
    "added-tokens-of-names",
    "Added tokens are built anew from their names, and all flags are lost.",
    in_turn(*(of_added_tokens(name, False) for name in ("single_word", "lstrip", "rstrip", "normalized"))),
    ("options-mini", "bert-added", "gpt2-added"),
    tuple(f"added-token-flags: *{name}*" for name in ("lstrip", "rstrip", "single_word", "normalized")),
)
SIZES = _rebuilt(
    "sizes-of-the-file-dropped",
    "Truncation and padding of the file are dropped: they are options of the call.",
    in_turn(put("truncation", None), put("padding", None)),
    ("options-mini", "bert-cut", "roberta-padded"),
    ("length-limit: *ignored*", "padding-policy: *ignored*", "component-left-out: *truncation*"),
)
ACCENTS = _rebuilt(
    "normalizer-that-keeps-accents",
    "The normalizer is built anew by a class that keeps accents: what decomposes letters and drops marks is not there.",
    in_turn(without("normalizer.NFKD"), without("normalizer.StripAccents")),
    ("xlnet-mini", "xlnet-base-cased", "albert-base-v1"),
    ("component-left-out: *StripAccents*", "normalization-form: *accent*"),
    ("component-left-out: *NFKD*", "normalization-form: *NFKD -> none*"),
)
CLEAN_UP = Case(
    "clean-up-of-the-configuration",
    GROUP,
    "Spaces before punctuation are removed from decoded text, as the configuration asks, and the file does not.",
    decoding(_cleaned_up),
    ("gpt2-mini", "t5-mini", "xlnet-base-cased"),
    ("decode-clean-up: *clean*", "decode-clean-up: *of the whole text*"),
)

VOCABULARY = _rebuilt(
    "pipeline-of-a-vocabulary",
    "Nothing but the vocabulary is taken from the file; all else is as the class has it.",
    in_turn(
        put("normalizer", {**_BERT, "lowercase": True}),
        put("pre_tokenizer", {"type": "BertPreTokenizer"}),
        put("decoder", {"type": "WordPiece", "prefix": "##", "cleanup": True}),
        put("truncation", None),
        put("padding", None),
    ),
    ("bert-parts", "options-mini", "bert-kept"),
    (),
    (
        "normalizer-flags: *lowercase true*",
        "normalizer-flags: *accents*",
        "length-limit: *ignored*",
        "padding-policy: *ignored*",
        "decode-clean-up: *cleanup true*",
        "component-left-out: *Digits*",
        "component-left-out: *NFKD*",
        "normalization-form: *NFKD*",
        "normalization-form: the text is brought to NFD first",
        "regex-class-approximation: *-> BertPreTokenizer",
        # What BertNormalizer does otherwise than the parts of a sequence: it drops controls, format and private use
        # characters, has spaces for white space, and its accents are the nonspacing marks of Unicode 8.
        "characters-dropped: U+0000",
        "characters-dropped: U+0300",
        "characters-dropped: U+E000",
        "characters-dropped: controls (Cc) but tabs and line ends",
        "characters-dropped: controls and format characters",
        "characters-dropped: U+0009 becomes U+0020",
        "characters-dropped: U+000A becomes U+0020",
        "characters-dropped: U+00A0 becomes U+0020",
        "characters-dropped: U+2029 becomes U+0020",
        "characters-dropped: format characters*",
        "regex-class-approximation: StripAccents removes nonspacing marks only",
        "unicode-version: older categories",
    ),
)

REBUILT: tuple[Case, ...] = (
    NORMALIZER,
    TEMPLATE,
    DECODER,
    ADDED,
    SIZES,
    ACCENTS,
    CLEAN_UP,
    _rebuilt(
        "template-of-bert",
        "The post-processor is built anew from cls and sep as that of BERT: one sep between texts, types 0 and 1.",
        _template("<s>", "A", "</s>", second=("B", "</s>")),
        ("roberta-template", "roberta-mini", "camembert-base"),
        ("pair-handling",),
        ("offset-convention: *trim_offsets false*",),
    ),
    _rebuilt(
        "template-with-an-end",
        "The post-processor is built anew with the end token that the configuration asks for, and the file does not.",
        _template("<s>", "A", "</s>", second=("<s>", "B", "</s>")),
        _LLAMA,
        ("special-token-handling: *</s>*", "special-token-handling: *behind*"),
    ),
    _rebuilt(
        "mask-that-takes-no-space",
        "The mask token is built anew from its name, and no longer takes the space before it.",
        _of_mask("lstrip", False),
        ("roberta-base", "albert-base-v1", "google-fnet-base"),
        ("added-token-flags: *lstrip*",),
    ),
    _rebuilt(
        "mask-that-takes-a-space",
        "The mask token is built anew as one that takes the space before it.",
        _of_mask("lstrip", True),
        ("xlnet-mini", "xlnet-base-cased", "bert-mini"),
        ("added-token-flags: *lstrip*",),
    ),
    _rebuilt(
        "marks-of-the-newer-way",
        "The normalizer that puts U+2581 is built anew as a pre-tokenizer, which puts it before the first word alone.",
        in_turn(put("normalizer", None), put("pre_tokenizer", {**_MARKS, "prepend_scheme": "first", "split": False})),
        _LLAMA,
        ("prefix-space-policy: *first*", "component-left-out: *normalizer*"),
        # Without a normalizer, added tokens are looked for and shown as they are.
        ("component-left-out: *Prepend*", "component-left-out: *Replace*", "added-token-flags: normalized is false"),
    ),
    _rebuilt(
        "marks-before-the-first-word-alone",
        "The pre-tokenizer of an older file is built anew, and puts U+2581 before the first word alone.",
        option("pre_tokenizer.Metaspace", "prepend_scheme", "first"),
        ("t5-small", "camembert-base", "xlnet-base-cased"),
        ("prefix-space-policy: *-> first*",),
    ),
    _rebuilt(
        "space-of-the-configuration",
        "The pre-tokenizer is built anew with the configuration's add_prefix_space, which is false where the file's is "
        "true.",
        in_turn(
            option("pre_tokenizer.ByteLevel", "add_prefix_space", False),
            option("post_processor.RobertaProcessing", "add_prefix_space", False),
        ),
        ("roberta-mini", "roberta-cut", "roberta-padded"),
        ("prefix-space-policy: *add_prefix_space false*",),
    ),
    _rebuilt(
        "white-space-cut-off-first",
        "The pre-tokenizer is built anew as the family's, which cuts at white space and drops it.",
        put("pre_tokenizer", {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, _MARKS]}),
        ("t5-mini", "camembert-base", "google-fnet-base"),
        ("characters-dropped: *white space*",),
    ),
    _rebuilt(
        "first-entry-unknown",
        "The model is built anew, and its first entry is the unknown one.",
        put("model.unk_id", 0),
        ("t5-mini", "camembert-base", "albert-base-v1"),
        ("unknown-token-policy: *unk_id*",),
        ("unknown-token-policy",),
    ),
    _rebuilt(
        "clean-up-of-the-class",
        "The decoder is built anew with the clean-up of its class, which the file has off.",
        option("decoder.WordPiece", "cleanup", True),
        ("options-mini", "bert-cased", "bert-kept"),
        ("decode-clean-up: *cleanup true*",),
    ),
    VOCABULARY,
)


def _saving(case: Case, *members: str, on: tuple[str, ...] = ()) -> Case:
    """Return the case of a loader that saves what it runs, which differs from the file in ``members``."""
    said = (f"pipeline-rebuilt-by-loader: {', '.join(members)}", *case.said) if members else case.said
    return replace(case, name=f"saved-{case.name}", group="loaders that save", said=said, saves=True, on=on or case.on)


SAVED: tuple[Case, ...] = (
    _saving(NORMALIZER, "normalizer"),
    _saving(TEMPLATE, "post_processor"),
    _saving(DECODER, "decoder"),
    _saving(ADDED, "added_tokens"),
    _saving(ACCENTS, "normalizer"),
    _saving(VOCABULARY, "*normalizer*"),
    _saving(CLEAN_UP),  # no part of the pipeline: the file that is saved says nothing of it
    replace(
        _saving(CLEAN_UP, on=("gpt2-mini", "gpt2", "roberta-mini")),
        name="saved-clean-up-beside-what-changes-nothing",
        what="Decoded text is cleaned up, and the file that is saved differs in an option that decides of nothing.",
        fault=at_once(in_file(put("decoder.add_prefix_space", False)), decoding(_cleaned_up)),
    ),
    replace(
        pair_of(_saving(ACCENTS, "normalizer"), CLEAN_UP, "xlnet-mini", "xlnet-base-cased", "albert-base-v1"),
        group="loaders that save",
        saves=True,
    ),
)

CASES = (*REBUILT, *SAVED)
