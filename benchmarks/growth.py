"""How time grows with size, component by component: nothing of the reference may be quadratic.

    python benchmarks/growth.py [STAGE…] [--size N] [--doublings N]

For every component a table: a line for each kind of text, with the time of the reference for sizes that double, in
milliseconds of the processor, and the exponent between size and time that the larger half of the sizes gives (1 is
linear, 2 quadratic), for `tokenizers` as well. Sizes count characters of one text, tokens of one list, or added tokens.
A side that takes more than half a second for a size, or panics, is not asked for the next one. The end names what grows
faster than exponent 1.5, and says why where that is known.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import tokenizers
from tabulate import tabulate

import tokenizer_reference
from tokenizer_conformance.inputs.generation.complete_documents import (
    BYTE_LEVEL,
    DECODERS,
    METASPACE,
    MODEL,
    NORMALIZERS,
    PRE_TOKENIZERS,
    PROCESSORS,
)
from tokenizer_reference.errors import TokenizerReferenceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Json = dict[str, Any]

PATIENCE = 0.5
"""A side that needs more seconds for a size is not asked for the next one."""

SUSPECT = 1.5
"""Exponents above this are named at the end."""

NOISE = 0.002
"""Times below this many seconds say nothing about growth."""

# Texts of any size ---------------------------------------------------------------------------------------------------

RUNS = {
    "a": "a",
    "space": " ",
    "newline": "\n",
    "digit": "1",
    "full stop": ".",
    "é": "é",
    "combining acute": "\u0301",
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

Work = Callable[[Any, int], Callable[[], object]]
"""Prepares work of a size with a library, and returns what does it."""


@dataclass(frozen=True)
class Task:
    """Work that is measured: ``component`` heads the table, ``kind`` the line."""

    component: str
    kind: str
    work: Work


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
    """Give work on added tokens, with and without flags."""
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
    for document in (*PRE_TOKENIZERS, METASPACE | {"replacement": "▁", "split": True}, *SPLITS, *published):
        for kind, unit in TEXTS.items():
            yield Task(named(document), kind, partial(pre_tokenize, document, unit))


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


STAGES: dict[str, Callable[[], Iterator[Task]]] = {
    "added_tokens": of_added_tokens,
    "normalizers": of_normalizers,
    "pre_tokenizers": of_pre_tokenizers,
    "models": of_models,
    "processors": of_processors,
    "decoders": of_decoders,
}

KNOWN = {
    (
        "truncation to 8, LongestFirst, stride 0",
        "pair",
    ): "so does the answer: all combinations of what is cut off both texts",
    (
        "DecodeStream",
        "steps of a character without end",
    ): "each step decodes all ids of the character that has no end yet",
}
"""What is quadratic, and is so in `tokenizers` too: why."""

# Measuring -----------------------------------------------------------------------------------------------------------


def times_of(library: Any, work: Work, sizes: Sequence[int]) -> list[float]:
    """Return the seconds that each size takes, as far as they are measured: the better of two rounds of short work."""
    times: list[float] = []
    for size in sizes:
        try:
            first = _seconds(work(library, size))
            times.append(first if first > PATIENCE else min(first, _seconds(work(library, size))))
        except BaseException as error:
            if not _is_refusal(error):
                raise
            break
        if times[-1] > PATIENCE:
            break
    return times


def _is_refusal(error: BaseException) -> bool:
    """Whether a library raised this on purpose; a panic of the target is known by its name alone."""
    return isinstance(error, TokenizerReferenceError) or type(error).__name__ in ("Exception", "PanicException")


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()  # the collector comes when it likes, and takes as long as all there is asks for
    start = time.process_time()
    try:
        work()
        return time.process_time() - start
    finally:
        gc.enable()


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float | None:
    """Return the slope of log time over log size in the larger half of the sizes, ``None`` where it says nothing."""
    points = [(math.log(size), math.log(seconds)) for size, seconds in zip(sizes, times, strict=False) if seconds > 0]
    points = points[(len(points) - 1) // 2 :]
    if len(points) < 2 or times[-1] < NOISE:
        return None
    mean_x, mean_y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def row_of(task: Task, sizes: Sequence[int]) -> tuple[list[str], float | None, float | None]:
    """Return the line of ``task`` in its table, and the exponents of both sides."""
    ours, theirs = (times_of(library, task.work, sizes) for library in (tokenizer_reference, tokenizers))
    exponents = exponent(sizes, ours), exponent(sizes, theirs)
    cells = [f"{seconds * 1000:.2f}" for seconds in ours] + ["-"] * (len(sizes) - len(ours))
    last = f"{theirs[-1] * 1000:.2f}" if len(theirs) == len(sizes) else "-"
    return [task.kind, *cells, *(_shown(each) for each in exponents), last], *exponents


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def main() -> None:
    """Print a table for each component, and then what grows too fast."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)}; all where none is given")
    parser.add_argument("--size", type=int, default=2000, help="the smallest size")
    parser.add_argument("--doublings", type=int, default=4, help="how often it is doubled")
    parser.add_argument("-k", dest="wanted", default="", help="only components whose name has this in it")
    arguments = parser.parse_args()
    unknown = set(arguments.stages) - set(STAGES)
    if unknown:
        parser.error(f"no stage is called {min(unknown)!r}; choose from {', '.join(STAGES)}")

    sizes = [arguments.size << doubling for doubling in range(arguments.doublings + 1)]
    headers = ["", *(f"{size:,} (ms)" for size in sizes), "exponent", "tokenizers", f"{sizes[-1]:,} (ms)"]
    suspects: list[list[str]] = []
    by_component: dict[tuple[str, str], list[Task]] = {}
    for stage in arguments.stages or STAGES:
        for task in STAGES[stage]():
            if arguments.wanted in task.component:
                by_component.setdefault((stage, task.component), []).append(task)
    gc.freeze()  # what is loaded by now is not to be looked at before each measurement
    for (stage, component), members in by_component.items():
        rows = []
        for task in members:
            row, ours, theirs = row_of(task, sizes)
            rows.append(row)
            if ours is not None and ours > SUSPECT:
                why = KNOWN.get((component, task.kind), "")
                suspects.append([stage, component, task.kind, _shown(ours), _shown(theirs), why])
        print(f"\n{stage}: {component}")
        print(
            tabulate(rows, headers, disable_numparse=True, colalign=("left", *("right" for _ in headers[1:]))),
            flush=True,
        )
    print(f"\n{len(suspects)} of {sum(map(len, by_component.values()))} grow faster than exponent {SUSPECT}")
    if suspects:
        print(tabulate(suspects, ["stage", "component", "", "exponent", "tokenizers", "why"], disable_numparse=True))


if __name__ == "__main__":
    main()
