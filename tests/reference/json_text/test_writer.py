"""JSON as the target writes it."""

from __future__ import annotations

import json
import math
import random
import struct

import tokenizers
import tokenizers.models

from tokenizer_reference.json_text.writer import write_float, write_json

EDGES = [
    0.0,
    -0.0,
    1.0,
    1e-4,
    1e-5,
    1.5e-5,
    -1e-5,
    9.999e-6,
    1e-7,
    1e15,
    1e16,
    -1e16,
    1e21,
    5e-324,
    1.7976931348623157e308,
]


def random_floats(count: int) -> list[float]:
    rng = random.Random(7)
    bits = [struct.unpack("<d", rng.randbytes(8))[0] for _ in range(count)]
    sized = [-rng.random() * 10 ** rng.randint(-9, 20) for _ in range(count)]
    return [value for value in (*bits, *sized) if math.isfinite(value)]


def test_floats_and_strings_are_written_as_by_the_target() -> None:
    hostile = '\x00\x01\x1f\x7f"\\/\n\t\r\b\f\u2028é😀'
    vocabulary = [(f"{hostile}{index}", value) for index, value in enumerate(EDGES + random_floats(2000))]
    target = tokenizers.Tokenizer(tokenizers.models.Unigram(vocabulary, 0))
    for pretty in (False, True):
        text = target.to_str(pretty=pretty)
        assert write_json(json.loads(text), pretty=pretty) == text


def test_floats_are_read_back_as_they_were() -> None:
    for value in EDGES + random_floats(2000):
        assert struct.pack("<d", json.loads(write_float(value))) == struct.pack("<d", value)


def test_empty_containers_stay_on_one_line() -> None:
    assert write_json({"a": {}, "b": []}, pretty=True) == '{\n  "a": {},\n  "b": []\n}'
