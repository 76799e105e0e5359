"""Sweeps: every code point in a few surroundings, one a text, or many a text so that few texts have them all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.characters import CODE_POINTS, in_order
from tokenizer_conformance.inputs.text_generators.generator import Generator, Produced

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.text_generators.generator import Material

PACKED = 64
"""How many code points a packed text has: as few as find all of Unicode in some thousands of texts."""

FORMS: dict[str, str] = {
    "between letters": "a{}b",
    "alone": "{}",
    "at the end of a word": "ab{}",
    "at the beginning of a word": "{}ab",
    "after a space": "a {}",
}
"""What a code point stands in, ``{}``, by name."""

PACKED_FORMS = ("between letters", "alone", "at the end of a word", "at the beginning of a word")
"""The forms of which several stand in a text, with spaces between them; after a space all of them are."""


def _single(form: str) -> str:
    return f"sweep, {form}"


def _packed(form: str) -> str:
    return f"packed sweep, {form}"


def _single_text(surroundings: str, number: int) -> str:
    return surroundings.format(chr(in_order()[number]))


def _packed_text(surroundings: str, number: int) -> str:
    code_points = in_order()[number * PACKED : (number + 1) * PACKED]
    return " ".join(surroundings.format(chr(code_point)) for code_point in code_points)


def _made(count: int, text: partial[str], _material: Material) -> Produced:
    return Produced(count, text)


PACKED_SWEEPS = tuple(
    Generator(
        _packed(form),
        f"every code point {form}, {PACKED} a text: a rule that treats one of them in another way shows",
        partial(_made, -(-CODE_POINTS // PACKED), partial(_packed_text, FORMS[form])),
    )
    for form in PACKED_FORMS
)

SINGLE_SWEEPS = tuple(
    Generator(
        _single(form),
        f"every code point {form}, one a text: what the neighbours in a longer text would hide",
        partial(_made, CODE_POINTS, partial(_single_text, surroundings)),
    )
    for form, surroundings in FORMS.items()
)
