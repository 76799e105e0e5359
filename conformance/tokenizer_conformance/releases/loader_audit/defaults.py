"""What a loader's object does in a call without options, beside what the file says: its defaults.

A call of ``transformers`` truncates and pads as its arguments say, and gives what ``model_input_names`` names. Roles of
special tokens, and sides, are said by the file only where it has a model's unknown token, a truncation or a padding:
nothing else of what a loader keeps can contradict a tokenizer.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Called, Encode, Encoded, Unsupported
from tokenizer_conformance.comparison.component_differences import ABSENT, Change, Component, Replacement

if TYPE_CHECKING:
    from tokenizer_adapters.contract import LoaderDefaults, LoaderSubject, WithoutValue
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.reduction import Json

PAIR = ("a", "b")
"""Two texts, on which types show."""

SIDES = (("truncation", "truncation_side"), ("padding", "padding_side"))
"""The sections of the file that have a direction, with the setting that has it in a loader."""


@dataclass(frozen=True, slots=True)
class CallWitness:
    """What a call for two texts gives, beside the encoding of the file."""

    question: Encode
    raw: Encoded
    called: Called


def encoded_of(called: Called | WithoutValue) -> Encoded | WithoutValue:
    """Return what a call gave as an encoding, in which only what was given is shown.

    >>> encoded_of(Called({"input_ids": (1,)})).ids
    (1,)
    """
    if not isinstance(called, Called):
        return called
    found = called.fields
    if "input_ids" not in found:
        return Unsupported(f"the call gave no input_ids, but {', '.join(found) or 'nothing'}")
    return Encoded(found["input_ids"], type_ids=found.get("token_type_ids"), attention_mask=found.get("attention_mask"))


def left_out_by_calls(raw: Json, differing: frozenset[Component]) -> Iterator[Replacement]:
    """Yield what a call may leave undone, as replacements whose document leaves it undone: truncation and padding.

    A call leaves out both, so each is told by what it does without the other. What the loader has otherwise already
    (``differing``) is left out.
    """
    neither = {**raw, Component.TRUNCATION: None, Component.PADDING: None}
    for component in (Component.TRUNCATION, Component.PADDING):
        section = raw.get(component)
        if isinstance(section, Mapping) and component not in differing:
            change = Change(component, section, None)
            yield Replacement(
                Component.DEFAULTS,
                f"defaults.{component}",
                f"the file has a {component}, and a call without options leaves it out",
                (change,),
                1,
                neither,
                base={**neither, component: section},
            )


def type_ids_left_out(file: Asked, subject: LoaderSubject, raw: Json) -> tuple[Replacement, CallWitness] | None:
    """Return that a call gives no types although the file gives two, ``None`` where that is not so."""
    question = Encode(*PAIR)
    encoded, called = file.ask(question), subject.called(*PAIR)
    if not isinstance(encoded, Encoded) or not isinstance(called, Called):
        return None
    if "token_type_ids" in called.fields or not any(encoded.type_ids or ()):
        return None
    change = Change("token_type_ids", [*(encoded.type_ids or ())], ABSENT)
    words = "the file gives texts of a pair different types, and a call without options gives none"
    difference = Replacement(Component.DEFAULTS, "defaults.model_input_names", words, (change,), 1, raw)
    return difference, CallWitness(question, encoded, called)


def contradictions(raw: Json, defaults: LoaderDefaults, vocabulary: Mapping[str, int]) -> Iterator[Replacement]:
    """Yield settings and roles that say another thing than the file, whose tokens have the ids of ``vocabulary``."""
    yield from _roles(raw, defaults, vocabulary)
    truncation = raw.get("truncation")
    if isinstance(truncation, Mapping) and "model_max_length" in defaults.settings:
        yield from _setting("model_max_length", truncation["max_length"], defaults)
    for section, name in SIDES:
        held = raw.get(section)
        if isinstance(held, Mapping) and name in defaults.settings:
            yield from _setting(name, str(held.get("direction", "Right")).lower(), defaults)


def _setting(name: str, said: Any, defaults: LoaderDefaults) -> Iterator[Replacement]:
    kept = defaults.settings[name]
    if kept != said:
        yield _contradiction(name, f"{name} is not what the file says", said, kept)


def _roles(raw: Json, defaults: LoaderDefaults, vocabulary: Mapping[str, int]) -> Iterator[Replacement]:
    named = {"unk_token": _unknown_token(raw), "pad_token": (raw.get("padding") or {}).get("pad_token")}
    for token in defaults.special_tokens:
        name = f"special_tokens.{token.role}"
        if token.content in vocabulary and vocabulary[token.content] != token.id:
            words = f"{token.role} has another id than its token has in the file"
            yield _contradiction(name, words, vocabulary[token.content], token.id)
        elif (said := named.get(token.role)) is not None and said != token.content:
            yield _contradiction(name, f"{token.role} is another token than in the file", said, token.content)


def _unknown_token(raw: Json) -> str | None:
    model = raw["model"]
    place = model.get("unk_id")
    if isinstance(place, int) and isinstance(model.get("vocab"), list) and place < len(model["vocab"]):
        return str(model["vocab"][place][0])
    unknown = model.get("unk_token")
    return unknown if isinstance(unknown, str) else None


def _contradiction(name: str, words: str, raw: Any, loaded: Any) -> Replacement:
    return Replacement(Component.DEFAULTS, f"defaults.{name}", words, (Change(name, raw, loaded),), 1, {})
