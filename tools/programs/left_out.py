"""What is not asked, because the target hangs, takes all memory, answers at random, or differs by a known quirk.

Whether a step is such a one is decided by the state of the reference before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from programs.step import Step


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Why something is left out, and what says so of the values of expressions."""

    reason: str
    is_left_out: Callable[..., bool]


def _has_one_form_twice(tokenizer: Any) -> bool:
    forms = list(tokenizer._added._normalized_patterns.values())
    return len(set(forms)) < len(forms) or "" in forms


def _random_forms(tokenizer: Any, normalizer: Any) -> bool:
    """Whether an assignment normalizes several contents and fails at one of them, in an order that is random."""
    contents = [token.content for token in tokenizer._added.decoder().values() if token.normalized]
    failed = 0
    for content in contents:
        try:
            normalizer.normalize_str(content)
        except Exception:  # noqa: BLE001 - what a custom normalizer raises
            failed += 1
    return 0 < failed < len(contents)


def _is_drawn(tokenizer: Any, texts: list[str]) -> bool:
    cutter = tokenizer._word_cutter()
    words = {word for text in texts for word in cutter.words(text)}
    match type(tokenizer.model).__name__:
        case "WordPiece":
            return len({character for word in words for character in word[1:]}) > 1
        case "Unigram":
            return len("".join(words)) > 1
    return False


def _is_its_own_place(sequence: Any, index: int, value: Any) -> bool:
    return sequence[index] is value


def _is_no_option(component: Any, option: str) -> bool:
    return option not in type(component)._OPTIONS


def _is_another_by_now(component: Any, first: str | None) -> bool:
    return first not in (None, type(component).__name__)


def _is_missing(part: Any) -> bool:
    return part is None


def _is_inner_sequence(component: Any) -> bool:
    return getattr(component, "_is_inner", False)


def _cannot_be_copied(component: Any) -> bool:
    return type(component).__name__ in ("Replace", "Precompiled")


FIRST_CLASSES: Final = "first_classes"
"""The name of a mapping of names to the classes that they had at first."""


def still_of_its_class(holder: str) -> tuple[str, ...]:
    """Return the doubt whether the component that a name stands for has been replaced in a Sequence."""
    return "another class", holder, f"{FIRST_CLASSES}.get({holder!r})"


LEFT_OUT: Final[Mapping[str, LeftOut]] = {
    "one form twice": LeftOut(
        "of two added tokens with one normalized form the target takes either, and one of none may fill its memory",
        _has_one_form_twice,
    ),
    "forms at random": LeftOut(
        "a normalizer that fails at some added tokens meets them in random order, and what came before is kept",
        _random_forms,
    ),
    "drawn ids": LeftOut("the ids that WordPiece and Unigram learn are drawn, where there are several", _is_drawn),
    "own place": LeftOut("the target hangs where a member is put in its own place", _is_its_own_place),
    "no option": LeftOut("the object is a new one each time: what is no option is lost in the target", _is_no_option),
    "another class": LeftOut(
        "an object that held a member before another was put in its place keeps its class in the target, and panics",
        _is_another_by_now,
    ),
    "no part": LeftOut("None is no component, and nothing can be done with it", _is_missing),
    "inner sequence": LeftOut(
        "a Sequence inside one of a file cannot be looked into in the target", _is_inner_sequence
    ),
    "no copy": LeftOut("the target cannot copy Replace and Precompiled", _cannot_be_copied),
}


def left_out(step: Step, names: dict[str, Any]) -> str | None:
    """Return the name of what ``step`` is left out for, ``None`` where it is to be asked."""
    for name, *expressions in step.doubts:
        try:
            values = [eval(expression, names) for expression in expressions]
            if LEFT_OUT[name].is_left_out(*values):
                return name
        except Exception:  # noqa: BLE001 - what cannot be looked at fails in the step as well
            continue
    return None
