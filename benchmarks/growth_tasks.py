"""What :mod:`growth` measures: work of any size, for every component and every kind of text that is hard for one."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.inputs.random_tokenizers.complete_documents import (
    BYTE_LEVEL,
    DECODERS,
    METASPACE,
    MODEL,
    NORMALIZERS,
    PRE_TOKENIZERS,
    PROCESSORS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Json = dict[str, Any]

# Texts of any size ---------------------------------------------------------------------------------------------------

RUNS = {
    "a": "a",
    "space": " ",
    "newline": "\n",
    "digit": "1",
    "full stop": ".",
    "é": "é",
    "combining acute": "\u0301",
    "zero width joiner": "\u200d",
    "two marks out of order": "\u0301\u0323",
    "e, acute": "e\u0301",
    "한 in jamo": "\u1112\u1161\u11ab",
    "Han": "京",
    "family emoji": "👩\u200d",
    "flags": "🇫",
    "control": "\x01",
    "metaspace": "▁",
    "İ": "İ",
    "ligature": "ﷺ",
    "a, space": "a ",
    "don't ": "don't ",
}
"""What is repeated."""

PROSE = "It is a truth universally acknowledged, that a man's 1,000 cafés — in 東京 — don't serve naïve coffee. "

TEXTS: dict[str, str] = {"prose": PROSE, **{f"run of {name}": unit for name, unit in RUNS.items()}}


def of_size(unit: str, size: int) -> str:
    """Return ``unit`` again and again, ``size`` characters in all."""
    return (unit * (size // len(unit) + 1))[:size]


# What is measured ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """Work that is measured: ``component`` heads the table, ``kind`` the line.

    ``work`` prepares work of a size with a library, and returns what does it. Sizes are multiplied by ``scale``.
    """

    component: str
    kind: str
    work: Callable[[Any, int], Callable[[], object]]
    scale: float = 1.0


def tokenizer_of(library: Any, **parts: Any) -> Any:
    """Return a tokenizer of ``parts`` of a tokenizer.json."""
    document = {"version": "1.0", "added_tokens": [], "model": MODEL} | parts
    return library.Tokenizer.from_str(json.dumps(document))


def normalize(document: Json, unit: str, library: Any, size: int) -> Callable[[], object]:
    """Normalize a text, alignment included."""
    normalizer, text = tokenizer_of(library, normalizer=document).normalizer, of_size(unit, size)
    normalizer.normalize_str("a b")  # a regex is compiled when it is first needed
    return lambda: normalizer.normalize(library.NormalizedString(text))


def pre_tokenize(document: Json, unit: str, library: Any, size: int) -> Callable[[], object]:
    """Pre-tokenize a text, with offsets."""
    pre_tokenizer, text = tokenizer_of(library, pre_tokenizer=document).pre_tokenizer, of_size(unit, size)
    pre_tokenizer.pre_tokenize_str("a b")
    return lambda: pre_tokenizer.pre_tokenize_str(text)


def tokenize(document: Json, unit: str, library: Any, size: int) -> Callable[[], object]:
    """Give a model one word."""
    tokenizer, text = tokenizer_of(library, model=document), of_size(unit, size)
    return lambda: tokenizer.encode(text).offsets


def process(parts: Json, is_pair: bool, library: Any, size: int) -> Callable[[], object]:
    """Post-process, truncate or pad the tokens of a text of short words."""
    tokenizer = tokenizer_of(library, pre_tokenizer={"type": "WhitespaceSplit"}, **parts)
    text = of_size("a ab ", 2 * size)
    pair = text if is_pair else None
    return lambda: tokenizer.encode(text, pair).offsets


def decode(document: Json, tokens: Sequence[str], library: Any, size: int) -> Callable[[], object]:
    """Decode a list of tokens."""
    decoder = tokenizer_of(library, decoder=document).decoder
    tokens = [tokens[index % len(tokens)] for index in range(size)]
    return lambda: decoder.decode(tokens)


def decode_one(document: Json, unit: str, library: Any, size: int) -> Callable[[], object]:
    """Decode one long token."""
    decoder = tokenizer_of(library, decoder=document).decoder
    tokens = [of_size(unit, size)]
    return lambda: decoder.decode(tokens)


def stream(token: str, library: Any, size: int) -> Callable[[], object]:
    """Decode a stream of as many tokens."""
    tokenizer = tokenizer_of(library, decoder=BYTE_LEVEL, model=MODEL | {"vocab": {token: 0}})

    def step() -> None:
        steps = library.decoders.DecodeStream()
        for _ in range(size):
            steps.step(tokenizer, 0)

    return step


def cut(flags: Json, unit: str, library: Any, size: int) -> Callable[[], object]:
    """Cut a few added tokens out of a text."""
    tokens = [
        library.AddedToken(content, **flags) for content in ("a", "ab", "a a", "1", "\u0301", "京京", "don", "..")
    ]
    tokenizer = tokenizer_of(library)
    tokenizer.add_tokens(tokens)
    text = of_size(unit, size)
    return lambda: tokenizer.encode(text).offsets


def add(flags: Json, library: Any, size: int) -> Callable[[], object]:
    """Add as many tokens, then encode a text that has them all."""
    contents = [f"<{index}" + "x" * (index % 7) for index in range(size)]

    def add_and_encode() -> None:
        tokenizer = tokenizer_of(library)
        tokenizer.add_tokens([library.AddedToken(content, **flags) for content in contents])
        tokenizer.encode("".join(contents)).offsets  # noqa: B018 - reading is part of the work

    return add_and_encode


def load(flags: Json, library: Any, size: int) -> Callable[[], object]:
    """Read a file with as many added tokens, and write it."""
    all_flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False) | flags
    added = [{"id": index + 10, "content": f"<{index}>", **all_flags} for index in range(size)]
    return lambda: tokenizer_of(library, added_tokens=added).to_str()


def add_one_by_one(library: Any, size: int) -> Callable[[], object]:
    """Add as many tokens, each with a call of its own."""
    contents = [f"<{index}>" for index in range(size)]

    def step() -> None:
        tokenizer = tokenizer_of(library)
        for content in contents:
            tokenizer.add_tokens([content])

    return step


def cut_runs(lengths: int, library: Any, size: int) -> Callable[[], object]:
    """Look for the added tokens ab, aab, aaab and so on, ``lengths`` of them, in a text of nothing but a."""
    tokenizer = tokenizer_of(library)
    tokenizer.add_tokens(["a" * length + "b" for length in range(1, lengths + 1)])
    text = "a" * size
    tokenizer.encode("b")
    return lambda: tokenizer.encode(text).offsets


def split(pattern: str, parts: tuple[str, str, str], library: Any, size: int) -> Callable[[], object]:
    """Split a text, a start, a run and an end, at the matches of a pattern."""
    pre_tokenizer = library.pre_tokenizers.Split(library.Regex(pattern), "isolated")
    start, unit, end = parts
    text = start + of_size(unit, size) + end
    pre_tokenizer.pre_tokenize_str("a b")
    return lambda: pre_tokenizer.pre_tokenize_str(text)


def encoded(library: Any, size: int) -> Any:
    """Return an encoding of as many tokens."""
    tokenizer = tokenizer_of(library, pre_tokenizer={"type": "WhitespaceSplit"})
    return tokenizer.encode(of_size("a ab ", 5 * (size // 2)))


def copied(library: Any, encoding: Any) -> Any:
    """Return a new encoding with the same columns."""
    return library.Encoding.merge([encoding], growing_offsets=False)


def merge(growing: bool, has_overflow: bool, library: Any, size: int) -> Callable[[], object]:
    """Merge as many encodings of a few tokens."""
    first = encoded(library, 4)
    encodings = [copied(library, first)] * size
    if has_overflow:
        first.truncate(2)
        encodings[0] = first
    return lambda: library.Encoding.merge(encodings, growing)


def look_up(method: str, many: int, library: Any, size: int) -> Callable[[], object]:
    """Look up ``many`` tokens, words or characters of an encoding."""
    encoding = encoded(library, size)
    end = encoding.offsets[-1][1] if method.startswith("char") else len(encoding)
    function = getattr(encoding, method)
    return lambda: [function(at) for at in range(end - 1, 0, -max(end // many, 1))]


def look_up_once(method: str, library: Any, size: int) -> Callable[[], object]:
    """Copy an encoding, and look its last token, word or character up."""
    encoding = encoded(library, size)
    at = (encoding.offsets[-1][1] if method.startswith("char") else len(encoding)) - 1
    return lambda: getattr(copied(library, encoding), method)(at)


def change(method: str, arguments: tuple[object, ...], library: Any, size: int) -> Callable[[], object]:
    """Change a copy of an encoding, and read its overflow."""
    encoding = encoded(library, size)

    def step() -> object:
        changed = copied(library, encoding)
        getattr(changed, method)(*arguments)
        return changed.overflowing

    return step


def pad(direction: str, library: Any, size: int) -> Callable[[], object]:
    """Pad a copy of an encoding to twice its length."""
    encoding = encoded(library, size)
    return lambda: copied(library, encoding).pad(2 * size, direction=direction)


def read_columns(library: Any, size: int) -> Callable[[], object]:
    """Read every column of an encoding."""
    encoding = encoded(library, size)
    columns = ("ids", "tokens", "offsets", "word_ids", "type_ids", "attention_mask", "sequence_ids")
    return lambda: [getattr(encoding, column) for column in columns]


def pickled(library: Any, size: int) -> Callable[[], object]:
    """Write and read an encoding with `pickle`."""
    encoding = encoded(library, size)
    return lambda: pickle.loads(pickle.dumps(encoding))  # noqa: S301 - what was written here


def words_of(size: int) -> list[str]:
    """Return as many different words."""
    source = random.Random(size)  # noqa: S311 - not for secrets
    words = ("".join(source.choices("abcdefgh", k=source.randint(2, 9))) for _ in range(2 * size))
    return list(dict.fromkeys(words))[:size]


def model_of(kind: str, size: int) -> Json:
    """Return a model of a vocabulary of as many words."""
    words = words_of(size)
    numbered = {token: id_ for id_, token in enumerate(["<unk>", *"abcdefgh", *words])}
    match kind:
        case "BPE":
            pairs = {pair[0] + pair[1]: pair for pair in (sorted((a, b)) for a in "abcdefgh" for b in words)}
            merges = [pair for merged, pair in pairs.items() if merged not in numbered][:size]
            numbered |= {merged: len(numbered) + at for at, merged in enumerate("".join(pair) for pair in merges)}
            return BPE | {"vocab": numbered, "merges": merges}
        case "Unigram":
            pieces = [[token, -1.0 - id_ / size] for token, id_ in numbered.items()]
            return {"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": False}
        case "WordPiece":
            return MODELS["WordPiece"] | {"vocab": numbered}
    return {"type": "WordLevel", "vocab": numbered, "unk_token": "<unk>"}


def load_model(kind: str, library: Any, size: int) -> Callable[[], object]:
    """Read a file with a vocabulary of as many words."""
    text = json.dumps({"version": "1.0", "added_tokens": [], "model": model_of(kind, size)})
    return lambda: library.Tokenizer.from_str(text)


def with_model(step: Callable[[Any], object], library: Any, size: int) -> Callable[[], object]:
    """Do something with a tokenizer of as many words."""
    tokenizer = tokenizer_of(library, model=model_of("WordLevel", size))
    return lambda: step(tokenizer)


def encode_words(kind: str, library: Any, size: int) -> Callable[[], object]:
    """Encode a text of as many different words, none of which is known whole."""
    tokenizer = tokenizer_of(library, pre_tokenizer={"type": "WhitespaceSplit"}, model=model_of(kind, 1000))
    text = " ".join(words_of(size))
    return lambda: tokenizer.encode(text).offsets


def encode_beyond(unit: str, library: Any, size: int) -> Callable[[], object]:
    """Encode a text of words with more tokens than bytes, so that the ranges of tokens leave their words."""
    model = MODELS["BPE, byte_fallback, tokens beyond the text"]
    tokenizer = tokenizer_of(library, pre_tokenizer={"type": "WhitespaceSplit"}, model=model)
    text = of_size(unit, size)
    return lambda: tokenizer.encode(text).offsets


def encode_pieces(library: Any, size: int) -> Callable[[], object]:
    """Encode one word that a second pre-tokenizer cuts into as many pieces, which are not aligned one to one."""
    sequence = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, BYTE_LEVEL | {"use_regex": True}]}
    tokenizer = tokenizer_of(library, pre_tokenizer=sequence, model=MODELS["Unigram"])
    text, numbers = of_size("é!", size), count()
    return lambda: tokenizer.encode(f"{next(numbers)}{text}").offsets  # a word that is new each time


def own_tokens(span: tuple[int, int], library: Any, size: int) -> Callable[[], object]:
    """Give every word of a text a token with that range of bytes, and find the offsets of tokens and words."""
    text = of_size("éa ", size)

    def step() -> object:
        string = library.PreTokenizedString(text)
        library.pre_tokenizers.WhitespaceSplit().pre_tokenize(string)
        string.tokenize(lambda word: [library.Token(0, word, span)])
        return string.to_encoding().offsets, string.get_splits("normalized", "char")

    return step


def batch(is_pair: bool, library: Any, size: int) -> Callable[[], object]:
    """Encode as many short texts, padded, and decode them."""
    tokenizer = tokenizer_of(library, pre_tokenizer={"type": "WhitespaceSplit"})
    tokenizer.enable_padding()
    inputs = [("a ab", "ab")] * size if is_pair else ["a ab"] * size
    return lambda: tokenizer.decode_batch([encoding.ids for encoding in tokenizer.encode_batch(inputs)])


def template(library: Any, size: int) -> Callable[[], object]:
    """Post-process with a template of as many special tokens."""
    special = {"[S]": {"id": "[S]", "ids": [0], "tokens": ["[S]"]}}
    single = [{"SpecialToken": {"id": "[S]", "type_id": 0}}] * size + [{"Sequence": {"id": "A", "type_id": 0}}]
    parts = {"type": "TemplateProcessing", "single": single, "pair": single[-1:] * 2, "special_tokens": special}
    parts["pair"] = [single[-1], {"Sequence": {"id": "B", "type_id": 1}}]
    tokenizer = tokenizer_of(library, post_processor=parts)
    return lambda: tokenizer.encode("a").offsets


_TRAINERS = {
    "BPE": "BpeTrainer",
    "WordPiece": "WordPieceTrainer",
    "WordLevel": "WordLevelTrainer",
    "Unigram": "UnigramTrainer",
}


def train(kind: str, library: Any, size: int) -> Callable[[], object]:
    """Learn a vocabulary from a text of as many different words."""
    text = [" ".join(words_of(size))]

    def step() -> None:
        tokenizer = library.Tokenizer(getattr(library.models, kind)())
        tokenizer.pre_tokenizer = library.pre_tokenizers.WhitespaceSplit()
        trainer = getattr(library.trainers, _TRAINERS[kind])(vocab_size=200, show_progress=False)
        tokenizer.train_from_iterator(text, trainer)

    return step


# The components ------------------------------------------------------------------------------------------------------


def pieces_of_runs(longest: int = 6) -> list[str]:
    """Return a, aa, aaaa and so on, and the characters of all texts."""
    return [*("a" * 2**power for power in range(longest)), *sorted(set("".join(TEXTS.values())) - {"a"})]


MERGES = [["a" * 2**power, "a" * 2**power] for power in range(5)]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]

NUMBERED = {
    token: id_ for id_, token in enumerate(["<unk>", *pieces_of_runs(), *("##" + token for token in pieces_of_runs())])
}

BPE: Json = {
    "type": "BPE",
    "vocab": NUMBERED,
    "merges": MERGES,
    "unk_token": "<unk>",
    "fuse_unk": True,
    "byte_fallback": False,
}

MODELS: dict[str, Json] = {
    "WordLevel": {"type": "WordLevel", "vocab": NUMBERED, "unk_token": "<unk>"},
    "WordPiece": {
        "type": "WordPiece",
        "vocab": NUMBERED,
        "unk_token": "<unk>",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 10**9,
    },
    "BPE": BPE,
    "BPE, nothing known": BPE | {"vocab": {"<unk>": 0}, "merges": []},
    "BPE, byte_fallback": BPE
    | {"vocab": {token: id_ for id_, token in enumerate(["<unk>", *BYTES])}, "merges": [], "byte_fallback": True},
    "BPE, byte_fallback, tokens beyond the text": BPE
    | {
        "vocab": {token: id_ for id_, token in enumerate(["<unk>", *BYTES])},
        "merges": [],
        "byte_fallback": True,
        "continuing_subword_prefix": "##",
    },
    "BPE, ignore_merges": BPE | {"ignore_merges": True},
    "Unigram": {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [["<unk>", 0.0], *([piece, -1.0 - index / 9] for index, piece in enumerate(pieces_of_runs()))],
        "byte_fallback": False,
    },
    "Unigram, one long piece": {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [["<unk>", 0.0], ["a" * 64, -1.0], ["a", -3.0]],
        "byte_fallback": False,
    },
    "Unigram, byte_fallback": {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [["<unk>", 0.0], *([token, -1.0] for token in BYTES)],
        "byte_fallback": True,
    },
}  # fmt: skip

SPLITS = [
    {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}
    for pattern in ({"Regex": r"\s+"}, {"String": "a"})
    for behavior in ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
    for invert in (False, True)
]

_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"

PUBLISHED_REGEXES = (
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    (
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTIONS}?|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTIONS}?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
)
"""Of GPT-2, GPT-4 and GPT-4o."""

TRUNCATIONS: dict[str, Json] = {
    f"truncation to 8, {strategy}, stride {stride}": {
        "truncation": {"direction": "Right", "max_length": 8, "strategy": strategy, "stride": stride}
    }
    for strategy, stride in (("LongestFirst", 0), ("OnlyFirst", 0), ("LongestFirst", 6))
}

PADDINGS: dict[str, Json] = {
    "padding to a multiple": {
        "padding": {
            "strategy": "BatchLongest",
            "direction": "Left",
            "pad_to_multiple_of": 1024,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        }
    }
}

LISTS: dict[str, tuple[str, ...]] = {
    "a": ("a",),
    "a, ##b": ("a", "##b"),
    "▁a": ("▁a",),
    "space": (" ",),
    "Ġ, Ã": ("Ġa", "Ã"),
    "<0xC3>": ("<0xC3>",),
    "<0xE4>, <0xBA>": ("<0xE4>", "<0xBA>"),
    "empty": ("",),
    "</w>": ("a</w>", "b</w>"),
    "n't .": ("do", "n't", "."),
}

FLAGS: dict[str, Json] = {
    "plain": {},
    "normalized": {"normalized": True},
    "single_word": {"single_word": True},
    "lstrip, rstrip": {"lstrip": True, "rstrip": True, "normalized": False},
    "all flags": {"lstrip": True, "rstrip": True, "normalized": True, "single_word": True, "special": True},
}


def named(document: Json) -> str:
    """Return a component's type with its options."""
    options = {
        key: value for key, value in document.items() if key not in ("type", "precompiled_charsmap", "special_tokens")
    }
    shown = json.dumps(options, ensure_ascii=False)[1:-1]
    return f"{document['type']} {shown if len(shown) < 100 else shown[:100] + '…'}".strip()


def of_added_tokens() -> Iterator[Task]:
    """Give work on added tokens, of many lengths, many in number, with and without flags."""
    for lengths in (20, 400, 999):
        yield Task("added tokens of many lengths", f"{lengths}", partial(cut_runs, lengths))
    yield Task("number of added tokens", "one by one", add_one_by_one, 0.25)
    for name, flags in FLAGS.items():
        yield Task(f"number of added tokens, {name}", "add and encode", partial(add, flags))
        yield Task(f"number of added tokens, {name}", "read and write a file", partial(load, flags))
        for kind, unit in TEXTS.items():
            yield Task(f"text with added tokens, {name}", kind, partial(cut, flags, unit))


def of_normalizers() -> Iterator[Task]:
    """Give work of every normalizer."""
    regex = {"type": "Replace", "pattern": {"Regex": PUBLISHED_REGEXES[0]}, "content": "x"}
    for document in (*NORMALIZERS, regex):
        for kind, unit in TEXTS.items():
            yield Task(named(document), kind, partial(normalize, document, unit))


def of_pre_tokenizers() -> Iterator[Task]:
    """Give work of every pre-tokenizer, of ``Split`` with every behaviour and the published patterns."""
    split = {"type": "Split", "behavior": "Isolated", "invert": False}
    published = [split | {"pattern": {"Regex": regex}} for regex in PUBLISHED_REGEXES]
    for document in (*PRE_TOKENIZERS, METASPACE | {"replacement": "▁", "split": True}, *published):
        for kind, unit in TEXTS.items():
            yield Task(named(document), kind, partial(pre_tokenize, document, unit))
        yield Task(named(document), "hundreds of thousands of pieces", partial(pre_tokenize, document, "1, "), 40)
    for document in SPLITS:
        for kind in ("prose", "run of a", "run of space", "run of a, space"):
            yield Task(named(document), kind, partial(pre_tokenize, document, TEXTS[kind]))


def of_models() -> Iterator[Task]:
    """Give work of every model, on one word without an end."""
    for name, document in MODELS.items():
        for kind, unit in TEXTS.items():
            yield Task(name, kind, partial(tokenize, document, unit))


def of_processors() -> Iterator[Task]:
    """Give work of every post-processor, of truncation and of padding."""
    processors = {named(document): {"post_processor": document} for document in PROCESSORS}
    for name, parts in (processors | TRUNCATIONS | PADDINGS).items():
        yield Task(name, "single", partial(process, parts, False))
        yield Task(name, "pair", partial(process, parts, True))


def of_decoders() -> Iterator[Task]:
    """Give work of every decoder: many tokens, and one long one."""
    for document in DECODERS:
        for kind, tokens in LISTS.items():
            yield Task(named(document), f"many {kind}", partial(decode, document, tokens))
        for kind, unit in TEXTS.items():
            yield Task(named(document), f"one token, {kind}", partial(decode_one, document, unit))
    yield Task("DecodeStream", "steps that give text", partial(stream, "a"))
    yield Task("DecodeStream", "steps of a character without end", partial(stream, "Ã"))


HOSTILE = [
    (r"\d+\.\d+", [("", "1", ""), (".", "1", ""), ("", "1", ".")]),
    (r"\S+@\S+", [("", "a", ""), ("", "ab", ""), ("@", "é", ""), ("", "a@b ", "")]),
    (r"\w+(?=\()", [("", "a", ""), ("(", "a", ""), ("", "a( ", "")]),
    (r".*?x", [("", "a", ""), ("x\n", "a", ""), ("", "a\n", "")]),
    (r"(?:a|ab|abc)*d", [("", "a", ""), ("d", "abc", ""), ("", "a", "cd")]),
    (r"((a*)*)*b", [("", "a", ""), ("b", "a", "")]),
    (r"(a|a)*b", [("", "a", ""), ("", "ab", "")]),
    (r"a*a*a*b", [("", "a", "")]),
    (r"(?:\w+\s?)+!", [("", "a", ""), ("!", "a ", "")]),
    (r"(?:a?){30}b", [("", "a", ""), ("", "ab", "")]),
    (r"a{1,100}\z", [("", "a", "b")]),
    (r"\s+$", [("", " ", "a"), ("", "a ", "")]),
    (r"\s*[\r\n]+", [("", " ", ""), ("\n", " ", ""), ("", " \n", "")]),
    (r"\w+\s*=", [("", "a", ""), ("=", "a ", "")]),
    (r"\w+@\w+|\w+#\w+", [("", "a", "")]),
    (r"\p{L}+'\p{L}+", [("", "a", ""), ("", "a'a ", "")]),
    (r"(?<=a)\w+x", [("", "a", "")]),
    (r"(?i)foo.*bar", [("", "foo ", ""), ("", "fooBAR\n", "")]),
    (r'"[^"]*"', [("", '"', ""), ('"', "a", ""), ("", '"a', "")]),
    (r"<.*?>", [("", "<", ""), ("", "<a>", "")]),
    (r"(\w+)\s\1", [("", "a", ""), ("", "a ", ""), ("", "ab ab ", "")]),
    (r"(.)\1", [("", "ab", ""), ("", "a", ""), ("", "😀", "")]),
    (r"(.)\1+b", [("", "a", ""), ("", "ab", "")]),
    (r"(?:(a)|b)*\1c", [("", "ab", "")]),
    (r"(?i)(a)\1", [("", "aA", "")]),
    (r"\X", [("", "a", ""), ("", "\u0301", "")]),
    (r"\Ka+", [("", "a", ""), ("", "ab", "")]),
    (r"\Ga*b", [("", "ab", ""), ("", "a", "")]),
    (r"(?<!a*)b", [("", "ab", "")]),
    (r"(?<=x.*)b", [("", "ab", ""), ("", "éb", "")]),
    (r"(?<!b{1,2})a", [("", "éa", "")]),
]
"""Patterns that are tried in vain at many places, with starts, runs and ends of texts."""


def of_patterns() -> Iterator[Task]:
    """Give work of patterns that backtrack."""
    for pattern, texts in HOSTILE:
        for parts in texts:
            start, unit, end = (json.dumps(part, ensure_ascii=False)[1:-1] for part in parts)
            yield Task("hostile pattern", f"{pattern} in {start}[{unit}…]{end}", partial(split, pattern, parts), 0.5)


def of_encodings() -> Iterator[Task]:
    """Give work of every method of an encoding."""
    for growing in (True, False):
        yield Task("Encoding.merge", f"growing_offsets={growing}", partial(merge, growing, False))
        yield Task("Encoding.merge", f"growing_offsets={growing}, overflow", partial(merge, growing, True), 0.05)
    methods = ("char_to_token", "char_to_word", "word_to_tokens", "word_to_chars")
    for method in (*methods, "token_to_chars", "token_to_word", "token_to_sequence"):
        yield Task("Encoding look-ups", f"{method}, 200 times", partial(look_up, method, 200), 2)
    for method in methods:
        yield Task("Encoding look-ups", f"{method}, once in a copy", partial(look_up_once, method), 2)
    for length, stride, direction in ((8, 0, "right"), (8, 7, "left"), (1000, 0, "right"), (1000, 900, "right")):
        arguments = (length, stride, direction)
        yield Task("Encoding.truncate", f"{length}, {stride}, {direction}", partial(change, "truncate", arguments))
    for direction in ("left", "right"):
        yield Task("Encoding.pad", direction, partial(pad, direction))
    yield Task("Encoding", "set_sequence_id", partial(change, "set_sequence_id", (1,)))
    yield Task("Encoding", "all columns", read_columns)
    yield Task("Encoding", "pickle", pickled)


def of_tokenizers() -> Iterator[Task]:
    """Give work of whole tokenizers: many words, many texts, many special tokens."""
    for kind in ("WordLevel", "WordPiece", "BPE", "Unigram"):
        yield Task("from_str", f"{kind}, words", partial(load_model, kind), 2)
        yield Task("encode", f"{kind}, different words", partial(encode_words, kind))
    for unit in ("ab ", "éa "):
        yield Task("encode", f"tokens beyond their words, {unit}", partial(encode_beyond, unit))
    yield Task("encode", "one word in many pieces", encode_pieces)
    for span in ((0, 0), (1, 9)):
        yield Task(
            "PreTokenizedString", f"tokens of a function, bytes {span[0]} to {span[1]}", partial(own_tokens, span)
        )
    yield Task("vocabulary", "to_str", partial(with_model, lambda tokenizer: tokenizer.to_str()))
    yield Task("vocabulary", "get_vocab", partial(with_model, lambda tokenizer: tokenizer.get_vocab()))
    yield Task("vocabulary", "id_to_token of 1,000", partial(with_model, _thousand_tokens))
    yield Task("batch", "texts", partial(batch, False))
    yield Task("batch", "pairs", partial(batch, True))
    yield Task("template", "special tokens", template, 0.25)


def _thousand_tokens(tokenizer: Any) -> object:
    return [tokenizer.id_to_token(id_) for id_ in range(1000)]


def of_trainers() -> Iterator[Task]:
    """Give work of every trainer."""
    for kind, scale in (("BPE", 0.5), ("WordPiece", 0.5), ("WordLevel", 1), ("Unigram", 0.05)):
        yield Task("training", f"{kind}, different words", partial(train, kind), scale)


STAGES: dict[str, Callable[[], Iterator[Task]]] = {
    "patterns": of_patterns,
    "encodings": of_encodings,
    "tokenizers": of_tokenizers,
    "trainers": of_trainers,
    "added_tokens": of_added_tokens,
    "normalizers": of_normalizers,
    "pre_tokenizers": of_pre_tokenizers,
    "models": of_models,
    "processors": of_processors,
    "decoders": of_decoders,
}
