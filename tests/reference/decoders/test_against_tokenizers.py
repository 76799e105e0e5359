"""Random decoders on random tokens, compared with the target."""

from __future__ import annotations

import json
import random
from itertools import product
from typing import Any

import pytest
from in_one_test import in_one_test

from tokenizer_reference.decoders import ByteLevel
from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR

PARTS = [
    *(
        "a",
        "b",
        "x",
        "_",
        "##",
        "▁",
        "▁▁",
        "</w>",
        "<pad>",
        "|",
        "é",
        "京",
        "Ġ",
        "Ã",
        "©",
        "\u0301",
        "😀",
        "",
        "\n",
        "\0",
    ),
    *(".", "?", "!", ",", "'", "n't", "'m", "do", "not", "'s", "'ve", "'re", " ", " .", " ' ", " do not"),
    *("<0x41>", "<0xC3>", "<0xa9>", "<0x+1>", "<0x-1>", "<0xE2>", "<0x82>", "<0xAC>", "<0x4>"),
]

BOUNDARY_BYTES = [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5]
"""Bytes at the bounds of what UTF-8 allows first, second and later in a sequence."""

OPTIONS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "BPEDecoder": (("</w>", "a", "", "▁"),),
    "ByteFallback": (),
    "ByteLevel": (),
    "CTC": (("<pad>", "a", "", "é"), ("|", "", ".", "▁"), (True, False)),
    "Fuse": (),
    "Metaspace": (("▁", "a", "_"), ("always", "first", "never"), (True, False)),
    "Replace": (("a", "▁", "", "é", "##", "."), (" ", "", "xy", "a")),
    "Strip": (("a", " ", "▁", "é"), (0, 1, 2, 5), (0, 0, 1, 2)),
    "WordPiece": (("##", "a", ""), (True, False)),
}
"""Values for the arguments of each decoder."""

Recipe = tuple[str, tuple[Any, ...]]


def _recipe(rng: random.Random, depth: int = 0) -> Recipe:
    name = rng.choice([*OPTIONS, "Sequence"] if depth < 2 else [*OPTIONS])
    if name == "Sequence":
        return name, tuple(_recipe(rng, depth + 1) for _ in range(rng.randint(0, 4)))
    return name, tuple(map(rng.choice, OPTIONS[name]))


def _build(decoders: Any, recipe: Recipe) -> Any:
    name, arguments = recipe
    if name == "Sequence":
        return decoders.Sequence([_build(decoders, each) for each in arguments])
    return getattr(decoders, name)(*arguments)


def _token(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.7:
        return "".join(rng.choices(PARTS, k=rng.choice([1, 1, 2, 3])))
    byte = rng.choice([*BOUNDARY_BYTES, rng.randrange(256)])
    return f"<0x{byte:02X}>" if kind < 0.85 else BYTE_TO_CHAR[byte]


@in_one_test("seed", range(20))
def test_random_decoders_give_the_text_of_the_target(seed: int, reference: Any, target: Any) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        recipe = _recipe(rng)
        tokens = [_token(rng) for _ in range(rng.choice([0, 1, 2, 3, 6, 12]))]
        ours, theirs = _build(reference.decoders, recipe), _build(target.decoders, recipe)
        assert json.dumps(ours._to_json(), ensure_ascii=False, separators=(",", ":")).encode() == theirs.__getstate__()
        try:
            text = ours.decode(tokens)
        except UpstreamPanicError:
            with pytest.raises(target.panic):
                theirs.decode(tokens)
        else:
            assert text == theirs.decode(tokens), (recipe, tokens)


@pytest.mark.parametrize("size", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_ill_formed_utf_8_gets_the_replacement_characters_of_the_target(size: int, target: Any) -> None:
    ours, theirs = ByteLevel(), target.decoders.ByteLevel()
    for sequence in product(BOUNDARY_BYTES, repeat=size):
        tokens = ["".join(BYTE_TO_CHAR[byte] for byte in sequence)]
        assert ours.decode(tokens) == theirs.decode(tokens), sequence
