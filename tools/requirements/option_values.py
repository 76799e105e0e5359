"""What a value of each option is in a tokenizer of the area of combined options, and the texts that show it.

Which options there are, and which kinds of values each has, stands in the suite's own
:data:`~tokenizer_conformance.validation.suite.coverage.OPTIONS`; here every kind has a value or two that texts show.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, Final

from requirements.recipe import UNKNOWN, Document, numbered
from requirements.truncation import sequence, special
from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
from tokenizer_conformance.validation.suite.coverage import OPTIONS, PARTS, SEQUENCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.validation.suite.coverage import Options

# Texts ---------------------------------------------------------------------------------------------------------------

TEXTS: Final = (
    "Hello  wo12-d, TOK.",
    " h\u00e9llo\tlle\u0301 Wo.\u0436\u0436",
    "hello TOKwo hel lo wo \u4eac\ufb01 ll",
    "xTok o-o 1| dw",
    "\uff28e\u200bll  lo \n",
)
"""Case, accents of both forms, white space of all kinds, digits, marks, an ideograph, added tokens, unknown letters."""

ADDED: Final = ("TOK", "wo")
"""What the added tokens are; the texts have them alone, within words, and in another case."""


# Values --------------------------------------------------------------------------------------------------------------

WORDS_OF_KINDS: Final = {"true": True, "false": False, "null": None, "0": 0}

VALUES: Final[dict[str, tuple[Any, ...]]] = {
    "normalizers.Precompiled.precompiled_charsmap.text": tuple(
        b64encode(charsmap(each)).decode()
        for each in ({"H": "h", "\ufb01": "fi", "\u00e9": "e", "\t": " "}, {"l": "L", " ": "\u2581", "W": "w"})
    ),
    "normalizers.Prepend.prepend.text": ("\u2581", "xw"),
    "normalizers.Replace.pattern.String": ({"String": "l"}, {"String": " "}),
    "normalizers.Replace.pattern.Regex": ({"Regex": r"\s+"}, {"Regex": "[hoO]"}),
    "normalizers.Replace.content.text": ("\u2581", "ow"),
    "pre_tokenizers.CharDelimiterSplit.delimiter.text": (" ", "o"),
    "pre_tokenizers.FixedLength.length.number": (2, 5),
    "pre_tokenizers.Metaspace.replacement.text": ("\u2581", "_"),
    "pre_tokenizers.Split.pattern.String": ({"String": " "}, {"String": "o"}),
    "pre_tokenizers.Split.pattern.Regex": ({"Regex": r"\s|\d"}, {"Regex": "l+"}),
    "models.BPE.dropout.number": (1.0,),
    "models.BPE.unk_token.text": (UNKNOWN, "?"),
    "models.BPE.continuing_subword_prefix.text": ("##",),
    "models.BPE.end_of_word_suffix.text": ("</w>",),
    "models.BPE.merges.one": ([["l", "l"]],),
    "models.BPE.merges.several": ([["l", "l"], ["h", "e"], ["l", "o"], ["he", "l"], ["w", "o"], ["1", "2"]],),
    "models.Unigram.unk_id.number": (0, 1),
    "models.WordLevel.unk_token.text": (UNKNOWN, "?"),
    "models.WordPiece.unk_token.text": (UNKNOWN, "?"),
    "models.WordPiece.continuing_subword_prefix.text": ("##",),
    "models.WordPiece.max_input_chars_per_word.number": (100, 3),
    "processors.BertProcessing.sep.several": (["[SEP]", 2], ["</s>", 4]),
    "processors.BertProcessing.cls.several": (["[CLS]", 5], ["<s>", 6]),
    "processors.RobertaProcessing.sep.several": (["[SEP]", 2], ["</s>", 4]),
    "processors.RobertaProcessing.cls.several": (["[CLS]", 5], ["<s>", 6]),
    "processors.TemplateProcessing.single.one": ([sequence("A")], [sequence("A", 2)]),
    "processors.TemplateProcessing.single.several": ([special("[CLS]"), sequence("A"), special("[SEP]", 1)],),
    "processors.TemplateProcessing.pair.one": ([sequence("B", 1)],),
    "processors.TemplateProcessing.pair.several": (
        [special("[CLS]"), sequence("A"), special("[SEP]"), sequence("B", 1), special("[SEP]", 1)],
    ),
    "decoders.BPEDecoder.suffix.text": ("</w>", "o"),
    "decoders.CTC.pad_token.text": ("l", "[PAD]"),
    "decoders.CTC.word_delimiter_token.text": ("o", "\u2581"),
    "decoders.Metaspace.replacement.text": ("\u2581", "_"),
    "decoders.Replace.pattern.String": ({"String": "l"}, {"String": " "}),
    "decoders.Replace.pattern.Regex": ({"Regex": r"\s+"}, {"Regex": "[hoO]"}),
    "decoders.Replace.content.text": ("\u2581", "ow"),
    "decoders.Strip.content.text": ("l", "h"),
    "decoders.Strip.start.number": (1,),
    "decoders.Strip.stop.number": (1,),
    "decoders.WordPiece.prefix.text": ("##", "l"),
    "truncation.max_length.number": (5, 9),
    "truncation.stride.number": (1, 2),
    "padding.strategy.Fixed": ({"Fixed": 7}, {"Fixed": 30}),
    "padding.pad_to_multiple_of.number": (4, 9),
    "padding.pad_id.number": (3, 8),
    "padding.pad_type_id.number": (1, 2),
    "padding.pad_token.text": ("[PAD]", "o"),
}
"""The values of each kind that does not name its only value: by component, option and kind."""


def values_of(component: str, option: str, kind: str) -> tuple[Any, ...]:
    """Return the values of a kind.

    >>> values_of("truncation", "direction", "Left"), values_of("truncation", "stride", "0")
    (('Left',), (0,))
    """
    if kind == "empty":
        return ([],) if option == "merges" else ("",)
    named = VALUES.get(f"{component}.{option}.{kind}")
    return (WORDS_OF_KINDS.get(kind, kind),) if named is None else named


def all_values(component: str, option: str, options: Options) -> list[Any]:
    """Return the values of an option of a component."""
    return [value for kind in options[option] for value in values_of(component, option, kind)]


def options_of(component: str) -> Options:
    """Return the options of a component or part, as ``"models.BPE"`` or ``"padding"``; of one that holds others, none."""
    stage, _, name = component.partition(".")
    options = OPTIONS[stage][name] if name else PARTS[stage]
    if component == "processors.RobertaProcessing":
        options = {**options, **OPTIONS["processors"]["BertProcessing"]}
    return {} if name == "Sequence" else options


# Components ---------------------------------------------------------------------------------------------------------

FIXED: Final[dict[str, Document]] = {
    "processors.TemplateProcessing": {
        "special_tokens": {
            "[CLS]": {"id": "[CLS]", "ids": [5], "tokens": ["[CLS]"]},
            "[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]},
        }
    },
    "pre_tokenizers.ByteLevel": {"trim_offsets": True},
    "processors.ByteLevel": {"use_regex": True},
    "decoders.ByteLevel": {"add_prefix_space": True, "trim_offsets": True, "use_regex": True},
}
"""What the file form of a component has beside its options."""


# Whole tokenizers ----------------------------------------------------------------------------------------------------

_LETTERS = "helowrdxHWTOKLfi"
_CHARACTERS = f"{_LETTERS}12-,.|_ \t\n\u00e9\u0301\u4eac\ufb01\u2581\u0120\u010a\u00c3\u00a9\uff28?"

TOKENS: Final = (
    *(UNKNOWN, "?", "[SEP]", "[PAD]", "</s>", "[CLS]", "<s>", "[MASK]", "h"),
    *_CHARACTERS,
    *(f"##{letter}" for letter in f"{_LETTERS}12"),
    *(f"{letter}</w>" for letter in f"{_LETTERS}12"),
    *(
        "ll",
        "he",
        "lo",
        "hel",
        "wo",
        "12",
        "hello",
        "Hello",
        "llo",
        "\u2581hello",
        "\u2581wo",
        "##ll",
        "##lo",
        "##he",
        "##wo",
    ),
    *("##12", "##hel", "lo</w>", "ll</w>", "wo</w>", "12</w>", "he</w>", "hel</w>", "##ll</w>"),
    *(f"##{letter}</w>" for letter in "lod2"),
    *("<0xD0>", "<0xB6>"),
)
"""What the models know; the letter U+0436 has only its bytes."""


def completed(document: Document) -> Document:
    """Return ``document`` with a vocabulary for its model, and merges in the form that the model's prefix asks for."""
    model = dict(document["model"])
    if model["type"] == "Unigram":
        model["vocab"] = [[token, -1.0 - 4.0 / len(token)] for token in dict.fromkeys(TOKENS)]
    else:
        model["vocab"] = numbered(TOKENS)
    if model["type"] == "BPE":
        prefix = model["continuing_subword_prefix"] or ""
        model["merges"] = [[left, prefix + right] for left, right in model["merges"]]
    return {"version": "1.0", **document, "model": model}


def added_tokens(flags: Sequence[Document | None]) -> list[Document]:
    """Return the added tokens of ``flags``; ``None`` where one is not added."""
    ids = {"TOK": len(numbered(TOKENS)), "wo": numbered(TOKENS)["wo"]}
    return [
        {"id": ids[content], "content": content, **form}
        for content, form in zip(ADDED, flags, strict=True)
        if form is not None
    ]


def in_stage(stage: str, components: Sequence[Document], *, wrapped: bool) -> Document | None:
    """Return ``components`` as what stands in the field of ``stage``: alone, or in a ``Sequence``."""
    if len(components) > 1 or wrapped:
        return {"type": "Sequence", SEQUENCES[stage]: list(components)}
    return components[0] if components else None
