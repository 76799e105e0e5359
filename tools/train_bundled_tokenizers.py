"""Train the bundled tokenizers on the bundled corpus and write their files.

    python tools/train_bundled_tokenizers.py

Three have the pipeline of a published checkpoint (``gpt2``, ``bert-base-uncased``, ``xlnet-base-cased``) around a small
vocabulary trained here. The others have a few hundred tokens, and what these pipelines lack: ``roberta-mini``,
``llama-mini`` and ``t5-mini`` the components of those families, ``options-mini`` truncation, padding and added tokens
with every flag, ``wordlevel-mini`` a chain of pre-tokenizers. The files are as ``tokenizers`` writes them.

Two of the library's trainers hand out ids in the order of randomly seeded hash maps, so that they give a different
vocabulary in every process (observed, tokenizers 0.23.3). What that means here:

- ``gpt2-mini``: the plain BPE trainer is reproducible, and so is the file.
- ``bert-mini``: the WordPiece trainer is not, not even in the set of its pieces. Its vocabulary is therefore derived
  from a plain BPE trained on the same words (:func:`wordpiece_vocabulary`), which makes the file reproducible.
- ``xlnet-mini``: the Unigram trainer gives the same pieces in every process, but shuffles the scores of the characters
  that it puts back at the end, and the last bits of the others. :func:`canonical_unigram` puts both in one order. The
  file came out equal in every run that was tried; the trainer does not promise it.
- the others: from the plain BPE trainer, or counted here, and so reproducible.
"""

from __future__ import annotations

import base64
import json
import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FOLDER = Path(__file__).resolve().parent.parent / "conformance" / "tokenizer_conformance" / "inputs" / "bundled"
CORPUS = FOLDER / "corpus.txt"

BERT_SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
XLNET_SPECIAL_TOKENS = ("<unk>", "<s>", "</s>", "<cls>", "<sep>", "<pad>", "<mask>", "<eod>", "<eop>")

SCORE_DIGITS = 6
"""Decimals of a Unigram score: few enough that every JSON reader gets the same number."""

REQUIRED_CHARACTER_STEP = 0.0001
"""By how much the Unigram trainer lets the scores of the characters fall that it puts back at the end."""

Vocabulary = list[tuple[str, float]]


def main() -> None:
    """Write every bundled tokenizer."""
    lines = corpus_lines()
    for name, build in BUILDERS.items():
        (FOLDER / name).mkdir(exist_ok=True)
        (FOLDER / name / "tokenizer.json").write_text(as_file(build(lines)), encoding="utf-8", newline="\n")


def corpus_lines() -> list[str]:
    """Return the lines of the corpus that are not empty."""
    return [line for line in CORPUS.read_text(encoding="utf-8").split("\n") if line]


def as_file(content: dict[str, Any]) -> str:
    """Return ``content``, a whole ``tokenizer.json``, as the library writes it."""
    return f"{Tokenizer.from_str(json.dumps(content)).to_str(pretty=True)}\n"


# gpt2-mini ------------------------------------------------------------------------------------------------------------


def gpt2_mini(lines: Sequence[str]) -> dict[str, Any]:
    """Byte-level BPE with the settings of GPT-2's published file; the end-of-text token comes last, as there."""
    end_of_text = "<|endoftext|>"
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=1999, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(lines, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    vocabulary = {**model["vocab"], end_of_text: len(model["vocab"])}
    # The flags of the three stages differ in the published file too; those of a decoder have no effect.
    pre_tokenizer = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return pipeline(
        added_tokens=[added_token(vocabulary[end_of_text], end_of_text, normalized=True)],
        normalizer=None,
        pre_tokenizer=pre_tokenizer,
        post_processor={**pre_tokenizer, "add_prefix_space": True, "trim_offsets": False},
        decoder={**pre_tokenizer, "add_prefix_space": True},
        model={**model, "continuing_subword_prefix": "", "end_of_word_suffix": "", "vocab": vocabulary},
    )


# bert-mini ------------------------------------------------------------------------------------------------------------


def bert_mini(lines: Sequence[str]) -> dict[str, Any]:
    """WordPiece with the pipeline of bert-base-uncased."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=1600, show_progress=False))
    words = {
        word
        for line in lines
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(line))
    }
    cut_words = ([token.value for token in tokenizer.model.tokenize(word)] for word in words)
    vocabulary = wordpiece_vocabulary(BERT_SPECIAL_TOKENS, cut_words)
    return pipeline(
        added_tokens=[added_token(vocabulary[token], token) for token in BERT_SPECIAL_TOKENS],
        normalizer={
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        pre_tokenizer={"type": "BertPreTokenizer"},
        post_processor=template(
            single=[("[CLS]", 0), ("$A", 0), ("[SEP]", 0)],
            pair=[("[CLS]", 0), ("$A", 0), ("[SEP]", 0), ("$B", 1), ("[SEP]", 1)],
            vocabulary=vocabulary,
        ),
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
        model={
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    )


def wordpiece_vocabulary(special_tokens: Sequence[str], words: Iterable[Sequence[str]]) -> dict[str, int]:
    """Return a WordPiece vocabulary of the pieces that ``words`` are cut into, in an order that they alone decide.

    A piece that begins a word enters as it is, one that continues a word with ``##`` before it, and so does every
    character at its place, so that each of the words can be written. Special tokens come first, then characters, then
    longer pieces; both by code points, those that begin words before those that continue them.

    >>> wordpiece_vocabulary(["[UNK]"], [["ab", "c"], ["c", "ab"]])
    {'[UNK]': 0, 'a': 1, 'c': 2, '##a': 3, '##b': 4, '##c': 5, 'ab': 6, '##ab': 7}
    """
    pieces = {(index > 0, piece) for word in words for index, piece in enumerate(word)}
    characters = {
        (continues or position > 0, character)
        for continues, piece in pieces
        for position, character in enumerate(piece)
    }
    ordered = [*sorted(characters), *sorted(pieces - characters)]
    tokens = [*special_tokens, *(f"##{piece}" if continues else piece for continues, piece in ordered)]
    return {token: id_ for id_, token in enumerate(tokens)}


# xlnet-mini -----------------------------------------------------------------------------------------------------------


def xlnet_mini(lines: Sequence[str]) -> dict[str, Any]:
    """Unigram with the pipeline of xlnet-base-cased, less its character map, which alone is 300 KB."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace("``", '"'),
            normalizers.Replace("''", '"'),
            normalizers.NFKD(),
            normalizers.StripAccents(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    trainer = trainers.UnigramTrainer(
        vocab_size=2000, special_tokens=list(XLNET_SPECIAL_TOKENS), unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(lines, trainer)
    trained = json.loads(tokenizer.to_str())
    scored = [(piece, score) for piece, score in trained["model"]["vocab"] if piece not in XLNET_SPECIAL_TOKENS]
    vocabulary = [*((token, 0.0) for token in XLNET_SPECIAL_TOKENS), *canonical_unigram(scored)]
    ids = {piece: id_ for id_, (piece, _) in enumerate(vocabulary)}
    return pipeline(
        added_tokens=[added_token(ids[token], token) for token in XLNET_SPECIAL_TOKENS],
        normalizer=trained["normalizer"],
        pre_tokenizer=trained["pre_tokenizer"],
        post_processor=template(
            single=[("$A", 0), ("<sep>", 0), ("<cls>", 2)],
            pair=[("$A", 0), ("<sep>", 0), ("$B", 1), ("<sep>", 1), ("<cls>", 2)],
            vocabulary=ids,
        ),
        decoder={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        model={"type": "Unigram", "unk_id": ids["<unk>"], "vocab": vocabulary, "byte_fallback": False},
    )


def canonical_unigram(vocabulary: Vocabulary) -> Vocabulary:
    """Return ``vocabulary`` with rounded scores, from the highest score down, equal scores by their pieces.

    The characters that the trainer puts back at the end (the longest run of single characters, lowest scores last, each
    :data:`REQUIRED_CHARACTER_STEP` below the one before) come in an order that changes from process to process; they
    keep their scores as a group and share them out by code points.

    >>> canonical_unigram([("ab", -1.00000049), ("z", -5.0001), ("a", -5.0002), ("y", -5.0)])
    [('ab', -1.0), ('a', -5.0), ('y', -5.0001), ('z', -5.0002)]
    """
    ordered = _by_score((piece, round(score, SCORE_DIGITS)) for piece, score in vocabulary)
    start = _start_of_required_characters(ordered)
    pieces = [piece for piece, _ in ordered[:start]] + sorted(piece for piece, _ in ordered[start:])
    return _by_score(zip(pieces, (score for _, score in ordered), strict=True))


def _by_score(vocabulary: Iterable[tuple[str, float]]) -> Vocabulary:
    return sorted(vocabulary, key=lambda entry: (-entry[1], entry[0]))


def _start_of_required_characters(ordered: Vocabulary) -> int:
    start = len(ordered)
    while start > 0 and len(ordered[start - 1][0]) == 1:
        if start < len(ordered):
            step = ordered[start - 1][1] - ordered[start][1]
            if round(step, SCORE_DIGITS) != REQUIRED_CHARACTER_STEP:
                break
        start -= 1
    return start


# roberta-mini ---------------------------------------------------------------------------------------------------------


def roberta_mini(lines: Sequence[str]) -> dict[str, Any]:
    """Byte-level BPE with RobertaProcessing, a prefix space, and a mask that takes the blanks before it."""
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=True)
    learned, merges = plain_bpe(lines, byte_level, 600, pre_tokenizers.ByteLevel.alphabet())
    special = ("<s>", "<pad>", "</s>", "<unk>")
    ids = {token: id_ for id_, token in enumerate([*special, *learned, "<mask>"])}
    return pipeline(
        added_tokens=[
            *(added_token(ids[token], token) for token in special),
            added_token(ids["<mask>"], "<mask>", lstrip=True),
        ],
        normalizer=None,
        pre_tokenizer={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        post_processor={
            "type": "RobertaProcessing",
            "sep": ["</s>", ids["</s>"]],
            "cls": ["<s>", ids["<s>"]],
            "trim_offsets": True,
            "add_prefix_space": True,
        },
        decoder={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        model=bpe(ids, merges),
    )


# llama-mini -----------------------------------------------------------------------------------------------------------

LLAMA_ALPHABET = ("▁", "é", "ß", "日")
"""Characters of more than one byte that have a token; all others of them are written in bytes."""

LLAMA_BYTES = 0xF0
"""How many bytes have a token: those of characters up to U+FFFF, so that all others are unknown."""


def llama_mini(lines: Sequence[str]) -> dict[str, Any]:
    """BPE without a pre-tokenizer that falls back to bytes; one special token is normalized before it is looked for."""
    plain = [line for line in lines if line.isascii()]
    learned, merges = plain_bpe(plain, pre_tokenizers.Metaspace(), 400, LLAMA_ALPHABET)
    special = ("<unk>", "<s>", "</s>")
    most_bytes = (f"<0x{value:02X}>" for value in range(LLAMA_BYTES))
    ids = {token: id_ for id_, token in enumerate([*special, *most_bytes, *learned])}
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    strip = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
    return pipeline(
        added_tokens=[added_token(ids[token], token, normalized=token == "</s>") for token in special],
        normalizer={"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, replace]},
        pre_tokenizer=None,
        post_processor=template(
            single=[("<s>", 0), ("$A", 0)],
            pair=[("<s>", 0), ("$A", 0), ("<s>", 1), ("$B", 1)],
            vocabulary=ids,
        ),
        decoder={
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                strip,
            ],
        },
        model=bpe(ids, merges) | {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True},
    )


# t5-mini --------------------------------------------------------------------------------------------------------------

FOLDED = {
    "\u00a0": " ",
    "\u3000": " ",
    "\t": " ",
    "\n": " ",
    "\u200b": "",
    "\u00ad": "",
    "\ufb01": "fi",
    "\ufb03": "ffi",
    "\u00bd": "1\u20442",
    "\u2026": "...",
    "\u2460": "1",
    "\uff21": "A",
    "\uff41": "a",
    "\uff01": "!",
    "e\u0301": "\u00e9",
    "a\u0308": "\u00e4",
    "\u304b\u3099": "\u304c",
    "\uff76": "\u30ab",
    "\uff76\uff9e": "\u30ac",
    "\u1112\u1161\u11ab": "\ud55c",
    "\U0001d400": "A",
}
"""What the character map of ``t5-mini`` replaces: some of NFKC, as the maps of SentencePiece do, with keys in keys."""


def t5_mini(lines: Sequence[str]) -> dict[str, Any]:
    """Unigram behind a character map, with the pieces of a plain BPE and the logarithms of their frequencies."""
    words = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    learned, merges = plain_bpe(lines, words, 900)
    special = ("<pad>", "</s>", "<unk>")
    vocabulary = [*((token, 0.0) for token in special), *frequencies(lines, words, learned, merges)]
    ids = {piece: id_ for id_, (piece, _) in enumerate(vocabulary)}
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return pipeline(
        added_tokens=[
            *(added_token(ids[token], token) for token in special),
            *(added_token(len(ids) + number, f"<extra_id_{number}>") for number in range(2)),
        ],
        normalizer={
            "type": "Sequence",
            "normalizers": [
                {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap(FOLDED)).decode("ascii")},
                {"type": "Strip", "strip_left": False, "strip_right": True},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"},
            ],
        },
        pre_tokenizer=metaspace,
        post_processor=template(
            single=[("$A", 0), ("</s>", 0)],
            pair=[("$A", 0), ("</s>", 0), ("$B", 0), ("</s>", 0)],
            vocabulary=ids,
        ),
        decoder=metaspace,
        model={"type": "Unigram", "unk_id": ids["<unk>"], "vocab": vocabulary, "byte_fallback": False},
    )


def frequencies(
    lines: Sequence[str], words: Any, learned: Sequence[str], merges: Sequence[Sequence[str]]
) -> Vocabulary:
    """Return the ``learned`` pieces with the logarithms of how often they stand in ``lines``, each at least once."""
    model = models.BPE({piece: id_ for id_, piece in enumerate(learned)}, [(left, right) for left, right in merges])
    counts = Counter(dict.fromkeys(learned, 1))
    for line in lines:
        for word, _ in words.pre_tokenize_str(line):
            counts.update(token.value for token in model.tokenize(word))
    total = counts.total()
    return _by_score((piece, round(math.log(count / total), SCORE_DIGITS)) for piece, count in counts.items())


# options-mini ---------------------------------------------------------------------------------------------------------

OPTIONS_SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[TASK]")

OPTIONS_ADDED_TOKENS: tuple[tuple[str, dict[str, bool]], ...] = (
    ("<mask>", {"lstrip": True}),
    ("<s>", {"rstrip": True}),
    ("</s>", {"lstrip": True, "rstrip": True}),
    ("[MASK]", {"normalized": True}),
    ("<|endoftext|>", {"single_word": True}),
    ("the", {"special": False, "single_word": True, "normalized": True}),
    ("É", {"special": False, "single_word": True, "normalized": True}),
    ("ing", {"special": False}),
    ("ING", {"special": False, "normalized": True, "lstrip": True}),
    ("of the", {"special": False, "normalized": True}),
    ("<|", {"special": False}),
)
"""Added tokens with every flag, of spellings that the built-in inputs have; one begins another."""


def options_mini(lines: Sequence[str]) -> dict[str, Any]:
    """WordPiece with truncation, padding, added tokens with every flag, and a template in which a token has two ids."""
    normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase(), normalizers.StripAccents()])
    folded = list(map(normalizer.normalize_str, lines))
    learned, merges = plain_bpe(folded, pre_tokenizers.Whitespace(), 700)
    model = models.BPE({piece: id_ for id_, piece in enumerate(learned)}, [(left, right) for left, right in merges])
    words = {word for line in folded for word, _ in pre_tokenizers.Whitespace().pre_tokenize_str(line)}
    cut_words = ([token.value for token in model.tokenize(word)] for word in words)
    ids = wordpiece_vocabulary(OPTIONS_SPECIAL_TOKENS, cut_words)
    added = {token: ids[token] for token in OPTIONS_SPECIAL_TOKENS}
    for content, _ in OPTIONS_ADDED_TOKENS:
        added[content] = ids.get(content, len(ids) + len(added.keys() - ids.keys()))
    processor = template(
        single=[("[CLS]", 0), ("$A", 1), ("[SEP]", 0)],
        pair=[("[CLS]", 0), ("$B", 2), ("[SEP]", 2), ("$A", 1), ("[SEP]", 1)],
        vocabulary=ids,
    )
    processor["special_tokens"]["[CLS]"] = {
        "id": "[CLS]",
        "ids": [ids["[CLS]"], ids["[TASK]"]],
        "tokens": ["[CLS]", "[TASK]"],
    }
    flags = dict(OPTIONS_ADDED_TOKENS)
    return pipeline(
        truncation={"direction": "Left", "max_length": 32, "strategy": "LongestFirst", "stride": 4},
        padding={
            "strategy": "BatchLongest",
            "direction": "Left",
            "pad_to_multiple_of": 8,
            "pad_id": ids["[PAD]"],
            "pad_type_id": 3,
            "pad_token": "[PAD]",
        },
        added_tokens=[added_token(id_, content, **flags.get(content, {})) for content, id_ in _by_id(added)],
        normalizer=json.loads(normalizer.__getstate__()),
        pre_tokenizer={"type": "Whitespace"},
        post_processor=processor,
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": False},
        model={
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 20,
            "vocab": ids,
        },
    )


def _by_id(ids: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(ids.items(), key=lambda entry: entry[1])


# wordlevel-mini -------------------------------------------------------------------------------------------------------

MOST_FREQUENT = 400
"""How many words ``wordlevel-mini`` knows."""


def wordlevel_mini(lines: Sequence[str]) -> dict[str, Any]:
    """Whole words behind a chain of pre-tokenizers, with BertProcessing and no decoder."""
    normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()])
    pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.UnicodeScripts(),
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Punctuation("merged_with_previous"),
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.Split(Regex("ing|[A-Z]"), "merged_with_next"),
        ]
    )
    counts = Counter(
        word for line in lines for word, _ in pre_tokenizer.pre_tokenize_str(normalizer.normalize_str(line))
    )
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[:MOST_FREQUENT]
    special = ("<unk>", "<cls>", "<sep>", "<pad>")
    ids = {token: id_ for id_, token in enumerate([*special, *frequent])}
    return pipeline(
        added_tokens=[added_token(ids[token], token) for token in special],
        normalizer=json.loads(normalizer.__getstate__()),
        pre_tokenizer=json.loads(pre_tokenizer.__getstate__()),
        post_processor={"type": "BertProcessing", "sep": ["<sep>", ids["<sep>"]], "cls": ["<cls>", ids["<cls>"]]},
        decoder=None,
        model={"type": "WordLevel", "vocab": ids, "unk_token": "<unk>"},
    )


# Parts of a tokenizer.json --------------------------------------------------------------------------------------------


def pipeline(**components: Any) -> dict[str, Any]:
    """Return a whole ``tokenizer.json`` of ``components``, without truncation and padding unless these are given."""
    return {"version": "1.0", "truncation": None, "padding": None, **components}


def added_token(id_: int, content: str, **flags: bool) -> dict[str, Any]:
    """Return the entry of an added token, special unless ``flags`` say otherwise."""
    usual = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": id_, "content": content, **usual, **flags}


def plain_bpe(
    lines: Sequence[str], words: Any, vocab_size: int, alphabet: Sequence[str] = ()
) -> tuple[list[str], list[list[str]]]:
    """Return the tokens, in the order of their ids, and the merges of a BPE; ``words`` is its pre-tokenizer."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = words
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=list(alphabet), show_progress=False)
    tokenizer.train_from_iterator(lines, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    return [token for token, _ in _by_id(model["vocab"])], model["merges"]


def bpe(vocabulary: dict[str, int], merges: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return a BPE model without any of its options."""
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": vocabulary,
        "merges": merges,
    }


def template(
    single: Sequence[tuple[str, int]], pair: Sequence[tuple[str, int]], vocabulary: dict[str, int]
) -> dict[str, Any]:
    """Return a ``TemplateProcessing``; a part is a special token, ``$A`` or ``$B``, with its type id."""

    def part(name: str, type_id: int) -> dict[str, Any]:
        if name.startswith("$"):
            return {"Sequence": {"id": name[1:], "type_id": type_id}}
        return {"SpecialToken": {"id": name, "type_id": type_id}}

    names = sorted({name for name, _ in pair if not name.startswith("$")})
    return {
        "type": "TemplateProcessing",
        "single": [part(*entry) for entry in single],
        "pair": [part(*entry) for entry in pair],
        "special_tokens": {name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]} for name in names},
    }


BUILDERS = {
    "gpt2-mini": gpt2_mini,
    "bert-mini": bert_mini,
    "xlnet-mini": xlnet_mini,
    "roberta-mini": roberta_mini,
    "llama-mini": llama_mini,
    "t5-mini": t5_mini,
    "options-mini": options_mini,
    "wordlevel-mini": wordlevel_mini,
}

if __name__ == "__main__":
    main()
