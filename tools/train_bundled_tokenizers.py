"""Train the bundled tokenizers on the bundled corpus and write their files.

    python tools/train_bundled_tokenizers.py

Each has the pipeline of a published checkpoint (``gpt2``, ``bert-base-uncased``, ``xlnet-base-cased``) around a small
vocabulary trained here. The files are as ``tokenizers`` writes them.

Two of the library's trainers hand out ids in the order of randomly seeded hash maps, so that they give a different
vocabulary in every process (observed, tokenizers 0.23.3). What that means here:

- ``gpt2-mini``: the plain BPE trainer is reproducible, and so is the file.
- ``bert-mini``: the WordPiece trainer is not, not even in the set of its pieces. Its vocabulary is therefore derived
  from a plain BPE trained on the same words (:func:`wordpiece_vocabulary`), which makes the file reproducible.
- ``xlnet-mini``: the Unigram trainer gives the same pieces in every process, but shuffles the scores of the characters
  that it puts back at the end, and the last bits of the others. :func:`canonical_unigram` puts both in one order. The
  file came out equal in every run that was tried; the trainer does not promise it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

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


# Parts of a tokenizer.json --------------------------------------------------------------------------------------------


def pipeline(**components: Any) -> dict[str, Any]:
    """Return a whole ``tokenizer.json`` of ``components``, without truncation and padding."""
    return {"version": "1.0", "truncation": None, "padding": None, **components}


def added_token(id_: int, content: str, *, normalized: bool = False) -> dict[str, Any]:
    """Return the entry of a special token."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": normalized, "special": True}
    return {"id": id_, "content": content, **flags}


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


BUILDERS = {"gpt2-mini": gpt2_mini, "bert-mini": bert_mini, "xlnet-mini": xlnet_mini}

if __name__ == "__main__":
    main()
