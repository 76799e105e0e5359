"""Train the bundled tokenizers on the bundled corpus and write their files.

    python tools/train_bundled_tokenizers.py

Three have the pipeline of a published checkpoint (``gpt2``, ``bert-base-uncased``, ``xlnet-base-cased``) around a small
vocabulary trained here. The others have a few hundred tokens, and what these pipelines lack: ``roberta-mini``,
``llama-mini``, ``t5-mini`` and ``gpt1-mini`` the components of those families, ``options-mini`` truncation, padding and
added tokens with every flag, ``wordlevel-mini`` a chain of pre-tokenizers, ``rare-mini`` components that hardly any
tokenizer has. Six have the pipelines of today's models: their patterns and options are those of the files that their
publishers gave out. The files are as ``tokenizers`` writes them.

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
from dataclasses import dataclass, field
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
"""How many words a tokenizer of whole words knows."""


def most_frequent(lines: Sequence[str], normalizer: Any, pre_tokenizer: Any, special: Sequence[str]) -> dict[str, int]:
    """Return the ids of the ``special`` tokens, and of the most frequent words that ``pre_tokenizer`` makes."""
    counts = Counter(
        word for line in lines for word, _ in pre_tokenizer.pre_tokenize_str(normalizer.normalize_str(line))
    )
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[:MOST_FREQUENT]
    return {token: id_ for id_, token in enumerate([*special, *frequent])}


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
    special = ("<unk>", "<cls>", "<sep>", "<pad>")
    ids = most_frequent(lines, normalizer, pre_tokenizer, special)
    return pipeline(
        added_tokens=[added_token(ids[token], token) for token in special],
        normalizer=json.loads(normalizer.__getstate__()),
        pre_tokenizer=json.loads(pre_tokenizer.__getstate__()),
        post_processor={"type": "BertProcessing", "sep": ["<sep>", ids["<sep>"]], "cls": ["<cls>", ids["<cls>"]]},
        decoder=None,
        model={"type": "WordLevel", "vocab": ids, "unk_token": "<unk>"},
    )


# gpt1-mini ------------------------------------------------------------------------------------------------------------

END_OF_WORD = "</w>"

LAST = 0xE000
"""What is added to a character that is the last of a word while the merges are learned: the trainer itself is not
reproducible where it is given a suffix."""


def gpt1_mini(lines: Sequence[str]) -> dict[str, Any]:
    """BPE whose last token of a word has a suffix, as the first GPT has it, and the decoder that takes it away."""
    normalizer = normalizers.BertNormalizer()
    words = pre_tokenizers.BertPreTokenizer()
    folded = (normalizer.normalize_str(line) for line in lines if line.isascii())
    marked = [
        " ".join(word[:-1] + chr(LAST + ord(word[-1])) for word, _ in words.pre_tokenize_str(line)) for line in folded
    ]
    learned, merges = plain_bpe(marked, pre_tokenizers.WhitespaceSplit(), 500)
    ids = {token: id_ for id_, token in enumerate(["<unk>", *map(_with_suffix, learned)])}
    return pipeline(
        added_tokens=[added_token(ids["<unk>"], "<unk>")],
        normalizer=json.loads(normalizer.__getstate__()),
        pre_tokenizer={"type": "BertPreTokenizer"},
        post_processor=None,
        decoder={"type": "BPEDecoder", "suffix": END_OF_WORD},
        model=bpe(ids, [[_with_suffix(left), _with_suffix(right)] for left, right in merges])
        | {"unk_token": "<unk>", "end_of_word_suffix": END_OF_WORD},
    )


def _with_suffix(token: str) -> str:
    last = ord(token[-1])
    return token if last < LAST else token[:-1] + chr(last - LAST) + END_OF_WORD


# rare-mini ------------------------------------------------------------------------------------------------------------

RARE_SPLITS = (
    (r"(\p{L})\1+|(?<=[[:punct:]])[\p{Greek}\p{Han}]++", "contiguous", False),
    (r"(?i:[a-z&&[^aeiou]]{1,2}[aeiou]+?|ss|k)(?!\d)", "merged_with_previous", False),
    (r"(?<vowels>(?>[aeiou\u00e0-\u00ff]+))n\b|\|", "isolated", False),
    (r"[[:alpha:]]+(?=\W|\Z)|\R", "merged_with_next", True),
)
"""Patterns of what hardly any tokenizer has: backward references, names, atomic groups, intersections, look-behind."""


def rare_mini(lines: Sequence[str]) -> dict[str, Any]:
    """Whole pieces behind components that hardly any published tokenizer has, and a chain of decoders.

    The end of a token is stripped before its beginning: the target's process ends where the end of a token that has
    nothing left is to be stripped, and where both ends are one character.
    """
    normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), "|")])
    pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.CharDelimiterSplit("/"),
            *(pre_tokenizers.Split(Regex(pattern), how, invert) for pattern, how, invert in RARE_SPLITS),
            pre_tokenizers.FixedLength(5),
        ]
    )
    special = ("<pad>", "<s>", "</s>", "<unk>")
    ids = most_frequent(lines, normalizer, pre_tokenizer, special)
    return pipeline(
        added_tokens=[added_token(ids[token], token) for token in special],
        normalizer=json.loads(normalizer.__getstate__()),
        pre_tokenizer=json.loads(pre_tokenizer.__getstate__()),
        post_processor={
            "type": "Sequence",
            "processors": [
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
                {"type": "BertProcessing", "sep": ["</s>", ids["</s>"]], "cls": ["<s>", ids["<s>"]]},
            ],
        },
        decoder={
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"Regex": "[aeiou]+(?=n)|^[Tt]h"}, "content": "<$0>"},
                {"type": "Strip", "content": "s", "start": 0, "stop": 1},
                {"type": "Strip", "content": "r", "start": 1, "stop": 0},
                {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True},
            ],
        },
        model={"type": "WordLevel", "vocab": ids, "unk_token": "<unk>"},
    )


# Today's models -------------------------------------------------------------------------------------------------------

CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
"""How Llama 3's tokenizer.json cuts texts: the words of tiktoken's ``cl100k_base`` without its possessive repeats."""

QWEN = CL100K.replace(r"\p{N}{1,3}", r"\p{N}")
"""How those of Qwen 2 to 3 do: digits stand alone."""

_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"


def _by_case(ending: str, digits: str) -> str:
    """Return a pattern that cuts where lower case ends; a word may have an ``ending``, numbers are ``digits``."""
    before = r"[^\r\n\p{L}\p{N}]?"
    words = rf"{before}{_UPPER}*{_LOWER}+{ending}|{before}{_UPPER}+{_LOWER}*{ending}"
    return rf"{words}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"


O200K = _by_case(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?", r"\p{N}{1,3}")
"""How GPT-4o's and gpt-oss's do: the words of tiktoken's ``o200k_base``."""

TEKKEN = _by_case("", r"\p{N}")
"""How that of Mistral Nemo does."""

DEEPSEEK = (
    r"\p{N}{1,3}",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    (
        "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
        "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
    ),
)
"""How those of DeepSeek V3 and V4 do, one after the other; line ends stand in the last one as they are."""

READ_TOO = (
    " ".join(map(str, range(1980, 2030))),
    "It's that she's there and he's here; it's so, it's not, she'll know, they'll know, it's he's.",
    "if x:\n    return\n\n\nelse:\n        pass\n\n",
) * 6
"""What is read beside the corpus, so that there are tokens for numbers, contractions, indents and empty lines."""

TODAY_SIZE = 560
"""How many tokens a vocabulary of bytes has: 256 of them are the bytes."""

OUT_OF_REACH = 8
"""How many words only ``ignore_merges`` makes one token; of Llama 3's, 731 merges never apply."""


@dataclass(frozen=True, slots=True)
class ByteLevelModel:
    """A byte-level BPE behind one Split or several, as most of today's models have it.

    ``first`` are added tokens with the first ids, ``last`` those with the last ones: entries of the vocabulary where
    ``in_vocabulary``. ``trim`` is the trim_offsets of the pre-tokenizer and the decoder.
    """

    splits: tuple[str, ...]
    inverted: bool = False
    ignore_merges: bool = False
    normalizer: dict[str, Any] | None = None
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    in_vocabulary: bool = True
    flags: dict[str, dict[str, bool]] = field(default_factory=dict)
    begin: str | None = None
    trim: bool = True
    byte_level_after: dict[str, bool] | None = None

    def __call__(self, lines: Sequence[str]) -> dict[str, Any]:
        """Return the whole tokenizer.json, trained on ``lines``."""
        lines = [*lines, *READ_TOO]
        learned, merges = plain_bpe(lines, self._words(), TODAY_SIZE, pre_tokenizers.ByteLevel.alphabet())
        if self.ignore_merges:
            beyond = out_of_reach(lines, self._words(), learned, merges)
            learned, merges = [*learned, *("".join(pair) for pair in beyond)], [*merges, *beyond]
        ids = {token: id_ for id_, token in enumerate([*self.first, *learned, *self.last])}
        entries = ids if self.in_vocabulary else {token: ids[token] for token in (*self.first, *learned)}
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": self.trim, "use_regex": False}
        return pipeline(
            added_tokens=[
                added_token(ids[token], token, **self.flags.get(token, {})) for token in (*self.first, *self.last)
            ],
            normalizer=self.normalizer,
            pre_tokenizer={"type": "Sequence", "pretokenizers": [*map(self._split, self.splits), byte_level]},
            post_processor=self._after(ids),
            decoder={**byte_level, "add_prefix_space": self.trim, "use_regex": self.trim},
            model=bpe(entries, merges) | {"ignore_merges": self.ignore_merges},
        )

    def _split(self, pattern: str) -> dict[str, Any]:
        behavior = "Removed" if self.inverted else "Isolated"
        return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": self.inverted}

    def _words(self) -> Any:
        splits = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in self.splits]
        return pre_tokenizers.Sequence([*splits, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])

    def _after(self, ids: dict[str, int]) -> dict[str, Any] | None:
        parts = [] if self.byte_level_after is None else [{"type": "ByteLevel", **self.byte_level_after}]
        if self.begin is not None:
            parts.append(beginning(self.begin, ids))
        return {"type": "Sequence", "processors": parts} if len(parts) > 1 else next(iter(parts), None)


def beginning(token: str, ids: dict[str, int]) -> dict[str, Any]:
    """Return the template that puts ``token`` before each text."""
    pair = [(token, 0), ("$A", 0), (token, 1), ("$B", 1)]
    return template(single=pair[:2], pair=pair, vocabulary=ids)


def out_of_reach(
    lines: Sequence[str], words: Any, learned: Sequence[str], merges: Sequence[Sequence[str]]
) -> list[list[str]]:
    """Return pairs of ``learned`` tokens that make frequent words, and that the ``merges`` never put side by side."""
    model = models.BPE({piece: id_ for id_, piece in enumerate(learned)}, [(left, right) for left, right in merges])
    known = frozenset(learned)
    counts = Counter(word for line in lines for word, _ in words.pre_tokenize_str(line))
    found = []
    for word in sorted(counts.keys() - known, key=lambda word: (-counts[word], word)):
        cuts = [[word[:at], word[at:]] for at in range(1, len(word))]
        pair = next((cut for cut in cuts if known.issuperset(cut)), None)
        if pair is not None and len(model.tokenize(word)) > 2:
            found.append(pair)
    return found[:OUT_OF_REACH]


def _reserved(form: str, *numbers: int) -> tuple[str, ...]:
    return tuple(form.format(number) for number in numbers)


SPOKEN = {"add_prefix_space": True, "trim_offsets": False, "use_regex": True}
"""The options of a ByteLevel post-processor in most files of today: with trim_offsets off it does nothing."""

DEEPSEEK_ROLES = ("<｜fim▁hole｜>", "<｜fim▁begin｜>", "<｜fim▁end｜>", "<｜User｜>", "<｜Assistant｜>")
QWEN_MARKS = ("<tool_call>", "</tool_call>", "<think>", "</think>")
"""Added tokens that stay in decoded texts."""

TODAY = {
    "llama3-mini": ByteLevelModel(
        (CL100K,),
        ignore_merges=True,
        last=(
            "<|begin_of_text|>",
            "<|end_of_text|>",
            *_reserved("<|reserved_special_token_{}|>", *range(4)),
            "<|start_header_id|>",
            "<|end_header_id|>",
            "<|reserved_special_token_4|>",
            "<|eot_id|>",
            *_reserved("<|reserved_special_token_{}|>", *range(5, 11)),
        ),
        in_vocabulary=False,
        begin="<|begin_of_text|>",
        byte_level_after=SPOKEN,
    ),
    "o200k-mini": ByteLevelModel((O200K,), inverted=True, last=("<|endoftext|>", "<|endofprompt|>")),
    "qwen-mini": ByteLevelModel(
        (QWEN,),
        normalizer={"type": "NFC"},
        last=("<|endoftext|>", "<|im_start|>", "<|im_end|>", *QWEN_MARKS),
        in_vocabulary=False,
        flags={name: {"special": False} for name in QWEN_MARKS},
        trim=False,
        byte_level_after={"add_prefix_space": False, "trim_offsets": False, "use_regex": False},
    ),
    "tekken-mini": ByteLevelModel(
        (TEKKEN,),
        ignore_merges=True,
        first=(
            *("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]"),
            *("[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]", "<pad>", "[PREFIX]", "[MIDDLE]", "[SUFFIX]"),
            *_reserved("<SPECIAL_{}>", *range(14, 40)),
        ),
        begin="<s>",
    ),
    "deepseek-mini": ByteLevelModel(
        DEEPSEEK,
        normalizer={"type": "Sequence", "normalizers": []},
        first=("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>"),
        last=(
            *_reserved("<｜place▁holder▁no▁{}｜>", *range(8)),
            *DEEPSEEK_ROLES,
            "<|EOT|>",
        ),
        in_vocabulary=False,
        flags={
            **{name: {"special": False, "normalized": True} for name in DEEPSEEK_ROLES},
            "<|EOT|>": {"normalized": True},
        },
        byte_level_after=SPOKEN,
    ),
}

GEMMA_SPECIAL = ("<pad>", "<eos>", "<bos>", "<unk>", "<mask>", "[multimodal]")
GEMMA_TURNS = ("<start_of_turn>", "<end_of_turn>")
HTML = ("table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", *(f"h{size}" for size in range(1, 7)), "code")


def gemma_mini(lines: Sequence[str]) -> dict[str, Any]:
    """BPE that falls back to bytes, behind a Split that finds nothing, with two hundred added tokens in the vocabulary.

    The normalizer leaves no space for the Split, so the whole text is one word. Most added tokens are runs and tags.
    """
    plain = [line for line in (*lines, *READ_TOO) if line.isascii() and not line[0].isdigit()]
    learned, merges = plain_bpe(plain, pre_tokenizers.Metaspace(prepend_scheme="never"), 320, LLAMA_ALPHABET)
    unused = _reserved("<unused{}>", *range(100))
    runs = [character * count for character in "\n▁" for count in range(2, 32)]
    tags = [f"<{slash}{name}>" for name in HTML for slash in ("", "/")]
    added = (*GEMMA_SPECIAL, *unused, *GEMMA_TURNS, *runs, *tags)
    each_byte = (f"<0x{value:02X}>" for value in range(256))
    ids = {token: id_ for id_, token in enumerate(dict.fromkeys([*added, *each_byte, *learned]))}
    special = {"<pad>", "<eos>", "<bos>", "<unk>", *GEMMA_TURNS}
    return pipeline(
        added_tokens=[added_token(ids[token], token, special=token in special) for token in added],
        normalizer={"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        pre_tokenizer={
            "type": "Split",
            "pattern": {"String": " "},
            "behavior": "MergedWithPrevious",
            "invert": False,
        },
        post_processor=beginning("<bos>", ids),
        decoder={
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
            ],
        },
        model=bpe(ids, merges) | {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True},
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
    "gpt1-mini": gpt1_mini,
    "rare-mini": rare_mini,
    **TODAY,
    "gemma-mini": gemma_mini,
}

if __name__ == "__main__":
    main()
