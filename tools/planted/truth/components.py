"""Components of a tokenizer.json that are left out, in another order, or another in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted.edits import in_turn, of_added_tokens, option, put, without
from planted.fakes import in_file
from planted.truth.case import Case

if TYPE_CHECKING:
    from planted.edits import Json
    from planted.fakes import Change
    from planted.truth.case import Statements

LEFT_OUT = "components left out"

_BERT = ("bert-mini", "bert-base-uncased", "bert-added")
_BYTES = ("gpt2-mini", "roberta-mini", "gpt2")


def _left_out(name: str, change: Change, on: tuple[str, ...], said: Statements, implied: Statements = ()) -> Case:
    return Case(name, LEFT_OUT, f"{name.replace('-', ' ')} is left out.", in_file(change), on, said, implied)


def _part(where: str, on: tuple[str, ...], said: Statements = (), implied: Statements = ()) -> Case:
    stage, _, kind = where.partition(".")
    name = f"no-{kind}-{stage.replace('_', '-')}".lower()
    left_out = f"component-left-out: *{kind}*"
    return Case(name, LEFT_OUT, f"{kind} is left out.", in_file(without(where)), on, (left_out, *said), implied)


WHOLE: tuple[Case, ...] = (
    _left_out(
        "normalizer",
        put("normalizer", None),
        ("bert-mini", "xlnet-mini", "t5-mini"),
        ("component-left-out: *normalizer*",),
        ("normalizer-flags", "case-folding", "normalization-form", "component-left-out"),
    ),
    _left_out(
        "normalizer-of-parts",
        put("normalizer", None),
        ("options-mini", "wordlevel-mini", "albert-base-v1"),
        ("component-left-out: *normalizer*",),
        ("normalizer-flags", "case-folding", "normalization-form", "component-left-out"),
    ),
    _left_out(
        "composing-normalizer",
        put("normalizer", None),
        ("gpt2-parts", "llama-mini", "google-fnet-base"),
        ("component-left-out: *normalizer*", "component-left-out: *NFC*", "normalization-form: *NFC -> none*"),
        ("prefix-space-policy", "component-left-out"),
    ),
    _left_out(
        "pre-tokenizer",
        put("pre_tokenizer", None),
        ("bert-mini", "options-mini", "wordlevel-mini"),
        (
            "component-left-out: *pre_tokenizer*",
            "component-left-out: *PreTokenizer*",
            "component-left-out: *Whitespace*",
        ),
        ("component-left-out",),
    ),
    _left_out(
        "byte-pre-tokenizer",
        put("pre_tokenizer", None),
        _BYTES,
        ("component-left-out: *pre_tokenizer*", "component-left-out: *ByteLevel*"),
    ),
    _left_out(
        "mark-pre-tokenizer",
        put("pre_tokenizer", None),
        ("t5-mini", "xlnet-whole", "camembert-base"),
        ("component-left-out: *pre_tokenizer*", "component-left-out: *Metaspace*"),
        ("prefix-space-policy",),
    ),
    _left_out(
        "post-processor",
        put("post_processor", None),
        ("bert-mini", "roberta-mini", "t5-mini"),
        ("component-left-out: *post_processor*", "special-token-handling: *none put around*"),
        ("offset-convention", "special-token-handling: *removed*"),
    ),
    _left_out(
        "byte-post-processor",
        put("post_processor", None),
        ("roberta-base", "roberta-padded"),
        (
            "component-left-out: *post_processor*",
            "component-left-out: *RobertaProcessing*",
            "special-token-handling: *none put around*",
        ),
        ("offset-convention", "special-token-handling: *removed*", "length-limit", "padding-policy"),
    ),
    _left_out(
        "decoder",
        put("decoder", None),
        ("bert-mini", "gpt2-mini", "llama-mini"),
        ("component-left-out: *decoder*", "component-left-out: *WordPiece*", "component-left-out: *ByteLevel*"),
        ("decode-clean-up",),
    ),
    _left_out(
        "mark-decoder",
        put("decoder", None),
        ("t5-mini", "xlnet-mini", "camembert-base"),
        ("component-left-out: *decoder*", "component-left-out: *Metaspace*"),
        ("prefix-space-policy",),
    ),
    _left_out(
        "added-tokens",
        put("added_tokens", []),
        ("bert-mini", "bert-base-uncased", "roberta-mini"),
        ("added-token-flags: *not looked for*", "special-token-handling", "component-left-out: *added*"),
    ),
    _left_out(
        "added-tokens-of-words",
        put("added_tokens", []),
        ("options-mini", "gpt2-added", "t5-mini"),
        (
            "added-token-flags: *not looked for*",
            "special-token-handling",
            "component-left-out: *added*",
            "ids-without-value",
        ),
    ),
    _left_out(
        "truncation",
        put("truncation", None),
        ("options-mini", "bert-cut", "llama-cut"),
        ("length-limit: *ignored*", "component-left-out: *truncation*"),
    ),
    _left_out(
        "padding",
        put("padding", None),
        ("options-mini", "bert-padded", "roberta-padded"),
        ("padding-policy: *ignored*", "component-left-out: *padding*", "length-limit: *padding ignored*"),
    ),
)

PARTS: tuple[Case, ...] = (
    _part("normalizer.Lowercase", ("options-mini", "wordlevel-plain", "albert-base-v1"), ("case-folding",)),
    _part("normalizer.StripAccents", ("xlnet-mini", "options-mini", "bert-parts"), ("normalization-form: *accent*",)),
    _part("normalizer.NFD", ("options-mini",), ("normalization-form: *none*",)),
    _part("normalizer.NFKD", ("xlnet-mini", "bert-parts", "albert-base-v1"), ("normalization-form: *none*",)),
    _part("normalizer.NFKC", ("wordlevel-mini", "wordlevel-plain"), ("normalization-form: *none*",)),
    _part("normalizer.Nmt", ("wordlevel-mini", "bert-strip"), (), ("characters-dropped",)),
    _part("normalizer.Strip", ("bert-strip",), ("normalizer-flags: *strip*",)),
    _part("normalizer.Replace", ("llama-mini", "xlnet-mini", "bert-strip")),
    _part("normalizer.Prepend", ("llama-mini", "llama-cut", "llama-padded"), ("prefix-space-policy",)),
    _part(
        "normalizer.Precompiled",
        ("t5-mini", "t5-small", "camembert-base"),
        ("charsmap-approximation: *none*", "component-left-out: *normalizer*"),
    ),
    _part("pre_tokenizer.WhitespaceSplit", ("xlnet-mini", "bert-parts", "t5-small")),
    _part("pre_tokenizer.Punctuation", ("wordlevel-mini", "bert-parts", "wordlevel-plain")),
    _part("pre_tokenizer.Digits", ("wordlevel-mini", "bert-parts", "wordlevel-plain")),
    _part("pre_tokenizer.UnicodeScripts", ("wordlevel-mini",)),
    _part("pre_tokenizer.Split", ("wordlevel-mini", "gpt2-parts")),
    _part("pre_tokenizer.Metaspace", ("xlnet-mini", "llama-first", "t5-small"), ("prefix-space-policy",)),
    _part("decoder.ByteFallback", ("llama-mini", "llama-first", "llama-cut")),
    _part("decoder.Fuse", ("llama-mini", "llama-first", "llama-cut")),
    _part("decoder.Strip", ("llama-mini", "llama-first", "llama-cut"), ("prefix-space-policy",)),
    _part("decoder.Replace", ("llama-mini", "llama-first", "llama-cut")),
)


def _reversed(member: str, parts: str) -> Change:
    def change(document: Json) -> None:
        document[member][parts].reverse()

    return change


def _other(
    name: str, what: str, change: Change, on: tuple[str, ...], said: Statements, implied: Statements = ()
) -> Case:
    return Case(name, "components exchanged", what, in_file(change), on, said, implied)


EXCHANGED: tuple[Case, ...] = (
    _other(
        "normalizers-reversed",
        "The normalizers of the sequence are carried out from the last to the first.",
        _reversed("normalizer", "normalizers"),
        ("options-mini", "llama-mini", "bert-parts"),
        ("component-order",),
        ("prefix-space-policy",),
    ),
    _other(
        "pre-tokenizers-reversed",
        "The pre-tokenizers of the sequence are carried out from the last to the first.",
        _reversed("pre_tokenizer", "pretokenizers"),
        ("xlnet-mini", "wordlevel-mini", "gpt2-parts"),
        ("component-order",),
    ),
    _other(
        "decoders-reversed",
        "The decoders of the sequence are carried out from the last to the first.",
        _reversed("decoder", "decoders"),
        ("llama-mini", "llama-first", "llama-cut"),
        ("component-order",),
    ),
    _other(
        "nfc-for-nfkc",
        "NFC stands in the place of NFKC.",
        option("normalizer.NFKC", "type", "NFC"),
        ("wordlevel-mini", "wordlevel-plain"),
        ("normalization-form: *NFKC -> NFC*",),
    ),
    _other(
        "nfd-for-nfkd",
        "NFD stands in the place of NFKD.",
        option("normalizer.NFKD", "type", "NFD"),
        ("xlnet-mini", "bert-parts", "xlnet-base-cased"),
        ("normalization-form: *NFKD -> NFD*",),
    ),
    _other(
        "nfkc-for-the-map",
        "NFKC stands in the place of the character map.",
        option("normalizer.Precompiled", "type", "NFKC"),
        ("t5-mini", "t5-small", "camembert-base"),
        ("charsmap-approximation: *NFKC*",),
        ("normalization-form: *NFKC first*",),
    ),
    _other(
        "white-space-for-bert",
        "Words are cut at white space alone, and punctuation stays with them.",
        option("pre_tokenizer.BertPreTokenizer", "type", "WhitespaceSplit"),
        ("bert-mini", "bert-base-uncased", "bert-cut"),
        ("regex-class-approximation: *BertPreTokenizer -> WhitespaceSplit*",),
    ),
    _other(
        "whitespace-for-bert",
        "Words are cut by Whitespace in the place of BertPreTokenizer.",
        option("pre_tokenizer.BertPreTokenizer", "type", "Whitespace"),
        ("bert-mini", "bert-base-uncased", "bert-cut"),
        ("regex-class-approximation: *BertPreTokenizer -> Whitespace*",),
    ),
    _other(
        "bert-for-whitespace",
        "Words are cut by BertPreTokenizer in the place of Whitespace.",
        option("pre_tokenizer.Whitespace", "type", "BertPreTokenizer"),
        ("options-mini", "bert-strip", "wordlevel-plain"),
        ("regex-class-approximation: *Whitespace -> BertPreTokenizer",),
    ),
    _other(
        "mark-put-by-hand",
        "A Prepend normalizer puts the mark where the pre-tokenizer does it, which stays.",
        put("normalizer", {"type": "Prepend", "prepend": "\u2581"}),
        ("llama-first", "camembert-base", "xlnet-whole"),
        (),
        ("component-left-out: *normalizer*", "normalization-form"),
    ),
    _other(
        "lowercased-first",
        "All text is lowercased first, also for a cased vocabulary.",
        put("normalizer", {"type": "Lowercase"}),
        ("gpt2-mini", "roberta-mini", "gpt2"),
        ("case-folding: *the text is lower-cased first*", "case-folding: normalizer: * Lowercase*"),
    ),
    _other(
        "nothing-special",
        "No added token is special.",
        of_added_tokens("special", False),
        ("bert-mini", "roberta-mini", "t5-mini"),
        ("added-token-flags: *special*", "special-token-handling: *always kept*"),
    ),
    _other(
        "all-special",
        "Every added token is special.",
        of_added_tokens("special", True),
        ("options-mini", "bert-added", "gpt2-added"),
        ("added-token-flags: *special*",),
    ),
    _other(
        "added-tokens-normalized",
        "Added tokens are looked for in the normalized text.",
        of_added_tokens("normalized", True),
        ("bert-mini", "xlnet-mini", "options-mini"),
        ("added-token-flags: *normalized*",),
    ),
    _other(
        "added-tokens-never-normalized",
        "Added tokens are looked for in the text as it is.",
        of_added_tokens("normalized", False),
        ("options-mini", "bert-added", "llama-mini"),
        ("added-token-flags: *normalized*",),
    ),
    _other(
        "no-special-tokens-but-the-others",
        "The special ones of the added tokens are not read.",
        lambda document: document.update(
            added_tokens=[each for each in document["added_tokens"] if not each["special"]]
        ),
        ("options-mini", "bert-added", "gpt2-added"),
        (
            "special-token-handling: *not looked for*",
            "special-token-handling: *always kept*",
            "component-left-out: *added*",
        ),
    ),
    _other(
        "only-special-tokens",
        "Those of the added tokens that are not special are not read.",
        lambda document: document.update(added_tokens=[each for each in document["added_tokens"] if each["special"]]),
        ("options-mini", "bert-added", "gpt2-added"),
        (
            "special-token-handling: *added tokens are not looked*",
            "special-token-handling: *that are not special are not looked*",
            "component-left-out: *added*",
            "ids-without-value",
        ),
    ),
    _other(
        "unlike-decoder",
        "A WordPiece decoder stands in the place of the one in the file.",
        in_turn(put("decoder", {"type": "WordPiece", "prefix": "##", "cleanup": True})),
        ("t5-mini", "roberta-mini", "llama-mini"),
        (),
        ("component-left-out: *decoder*", "decode-clean-up"),
    ),
)

CASES = (*WHOLE, *PARTS, *EXCHANGED)
