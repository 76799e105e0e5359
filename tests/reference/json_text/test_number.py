"""Numbers as the target's JSON reader reads them."""

from __future__ import annotations

import json
import random
import struct

import pytest
import tokenizers

from tokenizer_reference.json_text.number import read_float
from tokenizer_reference.json_text.writer import write_float

EDGES = [
    "-3.9131507873535156", "0.1", "1e22", "1e23", "1.7976931348623157e308", "4.9e-324", "2.2250738585072014e-308",
    "1e-400",
    "18446744073709551615.0", "18446744073709551616.5", "18446744073709551617e1", "99999999999999999999999.25",
    "0.0e999",
    "0.00000000000000000000000000000123456789012345678901234567890", "123456789012345678901234567890e-40", "-0.0",
    "-0e0", "1E+5",
    "1844674407370955161.55", "1844674407370955161.6", "1844674407370955161599.5",
]  # fmt: skip


def random_number(rng: random.Random) -> str:
    if rng.random() < 0.3:
        return repr(struct.unpack("<d", rng.randbytes(8))[0]).replace("nan", "1.5").replace("inf", "2.5")
    whole = str(rng.randrange(10 ** rng.randint(1, 24)))
    fraction = "".join(rng.choices("0123456789", k=rng.randint(1, 24)))
    exponent = f"e{rng.randint(-340, 280)}" if rng.random() < 0.3 else ""
    return f"{rng.choice(['', '-'])}{whole}.{fraction}{exponent}"


def as_target_reads(numbers: list[str]) -> list[str]:
    """Return the numbers as the target writes them after reading them."""
    scores = ",".join(f'["{index}",{number}]' for index, number in enumerate(numbers))
    document = f'{{"version":"1.0","model":{{"type":"Unigram","unk_id":0,"vocab":[{scores}],"byte_fallback":false}}}}'
    written = tokenizers.Tokenizer.from_str(document).to_str()
    return [write_float(score) for _, score in json.loads(written)["model"]["vocab"]]


def test_numbers_are_read_as_by_the_target() -> None:
    rng = random.Random(11)
    numbers = EDGES + [random_number(rng) for _ in range(20_000)]
    assert [write_float(read_float(number)) for number in numbers] == as_target_reads(numbers)


def test_some_numbers_are_not_the_nearest_float() -> None:
    assert read_float("-3.9131507873535156") != float("-3.9131507873535156")


@pytest.mark.parametrize("number", ["1e309", "-1e400", "123456789012345678901234567890e300"])
def test_number_out_of_range_is_refused(number: str) -> None:
    with pytest.raises(ValueError, match="out of range"):
        read_float(number)
    with pytest.raises(Exception, match="number out of range"):
        as_target_reads([number])


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not a JSON number"):
        read_float("x")
