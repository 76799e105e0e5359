"""Changes of where texts are cut: other classes of characters in regexes, and other pre-tokenizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.classes.component_changes import flag, instead, said
from tokenizer_conformance.inputs.text_generators.patterns import GPT2

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.causes.classes.component_changes import Change, Changes, Json

APPROXIMATIONS: tuple[tuple[str, str], ...] = (
    (r"\p{L}", "A-Za-z"),
    (r"\p{L}", r"\p{L}\p{M}"),
    (r"\p{N}", "0-9"),
    (r"\p{N}", r"\p{Nd}"),
    (r"\s", r" \t\n\r\f\v"),
    (r"\s", " "),
    (r"\S", r"^ \t\n\r\f\v"),
    (r"\w", "A-Za-z0-9_"),
    (r"\d", "0-9"),
    (r"\s+(?!\S)|", ""),
    ("(?i:", "(?:"),
    ("(?i:'s|'t|'re|'ve|'m|'ll|'d)|", ""),
    *((number, other) for number in (r"\p{N}+", r" ?\p{N}+") for other in (r"\p{N}{1,3}", r"\p{N}{1,2}", r"\p{N}")),
    (r"|\s+(?!\S)", r"|\s*[\r\n]+|\s+(?!\S)"),
    (r"\s*[\r\n]+|", ""),
    (r"\p{N}{1,3}", r" ?\p{N}+"),
    (r"\p{N}{1,3}", r"\p{N}+"),
    (r"\p{N}{1,3}", r"\p{N}"),
    (r"\p{N}{1,3}", r"\p{N}{1,2}"),
    (r"\p{N}{1,3}", r"\p{N}{1,4}"),
    *((r"|\p{N}|", f"|{other}|") for other in (r"\p{N}{1,3}", r"\p{N}+", r" ?\p{N}+")),
    (r"[\r\n/]*", r"[\r\n]*"),
    (r"[\r\n]*", ""),
    (r"[^\r\n\p{L}\p{N}]?", " ?"),
    (r"[\p{L}\p{M}]", r"\p{L}"),
)
"""What is looked for in a regex, and what stands in its place: inside a class as it is, else in brackets."""


_WORD = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"

_UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"


def _by_case(ending: str, digits: str) -> str:
    before = r"[^\r\n\p{L}\p{N}]?"
    words = rf"{before}[{_UPPER}]*[{_LOWER}]+{ending}|{before}[{_UPPER}]+[{_LOWER}]*{ending}"
    return rf"{words}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"


PATTERNS: tuple[tuple[str, str], ...] = (
    ("GPT-2", GPT2),
    ("GPT-2 without contractions", r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"),
    ("cl100k, as in Llama 3", rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}{{1,3}}|{_REST}"),
    ("Qwen 2", rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}|{_REST}"),
    ("o200k", _by_case(f"{_CONTRACTIONS}?", r"\p{N}{1,3}")),
    ("Mistral's Tekken", _by_case("", r"\p{N}")),
)
"""Patterns that ports take for that of another family."""


def _approximated(pattern: str) -> Iterator[tuple[str, str]]:
    """Give ``pattern`` with each class of characters replaced by another, with words for that."""
    for old, new in APPROXIMATIONS:
        if old not in pattern:
            continue
        is_class = old.startswith("\\") and len(old) in {2, 5}
        changed = _with_class(pattern, old, new) if is_class else pattern.replace(old, new)
        yield f"{old} -> {f'[{new}]' if is_class else new or 'nothing'}", changed


def _with_class(pattern: str, old: str, new: str) -> str:
    """Return ``pattern`` with the class ``old`` replaced: in brackets of its own where it does not stand in any."""
    made, depth, at = "", 0, 0
    while at < len(pattern):
        if pattern.startswith(old, at):
            made += new if depth else f"[{new}]"
            at += len(old)
            continue
        step = 2 if pattern[at] == "\\" else 1
        depth += {"[": 1, "]": -1}.get(pattern[at], 0)
        made += pattern[at : at + step]
        at += step
    return made


def _others(pattern: str) -> Iterator[tuple[str, str]]:
    yield from ((f"-> that of {name}", other) for name, other in PATTERNS if other != pattern)
    yield from _approximated(pattern)


def other_regex(component: Json) -> Iterator[Change]:
    """Give a component with other classes of characters in its regex, where it has one."""
    pattern = (component.get("pattern") or {}).get("Regex")
    if isinstance(pattern, str):
        for words, other in _others(pattern):
            changed = {**component, "pattern": {"Regex": other}}
            yield "regex-class-approximation", f"{component['type']} {words}", changed


def _other_byte_level_regex(component: Json) -> Iterator[Change]:
    if component.get("use_regex", True):
        first = [SPACE_BEFORE] if component.get("add_prefix_space", True) else []
        plain = {**component, "use_regex": False, "add_prefix_space": False}
        for words, other in _others(GPT2):
            parts = [*first, split(other, "Isolated"), plain]
            yield "regex-class-approximation", f"ByteLevel {words}", {"type": "Sequence", "pretokenizers": parts}


SPACE_BEFORE: Json = {"type": "Metaspace", "replacement": " ", "prepend_scheme": "always", "split": False}
"""What puts a space before a text that does not begin with one, as ByteLevel does with ``add_prefix_space``."""


def _use_regex(component: Json) -> Iterator[Change]:
    uses = component.get("use_regex", True)
    yield "pre-tokenizer-flags", f"ByteLevel use_regex {said(not uses)}", {**component, "use_regex": not uses}


def split(pattern: str, behavior: str) -> Json:
    """Return the pre-tokenizer that cuts at a regex."""
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": False}


def _unmatched_dropped(component: Json) -> Iterator[Change]:
    """Give a Split as a search for words has it: what lies between them is left out."""
    changed = {**component, "behavior": "Removed", "invert": not component.get("invert", False)}
    if changed["invert"] and component.get("behavior") != "Removed":
        yield "pre-tokenizer-flags", "Split what the pattern does not match is left out", changed


def _only(words: str, pattern: str) -> Changes:
    """Return the change that cuts at no characters but those of ``pattern``."""

    def changes(component: Json) -> Iterator[Change]:
        alone = component.get("individual_digits", component["type"] == "Punctuation")
        behavior = component.get("behavior", "Isolated" if alone else "Contiguous")
        yield "regex-class-approximation", f"{component['type']} -> {words}", split(pattern, behavior)

    return changes


def _splits(*splits: Json) -> Json:
    return {"type": "Sequence", "pretokenizers": list(splits)} if len(splits) > 1 else splits[0]


ASCII_PUNCTUATION = r"[!-/:-@\[-`{-~]"
PUNCTUATION_AND_SYMBOLS = r"[\p{P}\p{S}]"
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
_ASCII_SPACES = r"[ \t\n\r\f\v]+"
_WITHOUT_MARKS = r"\p{Alphabetic}\p{Nd}\p{Pc}\u200c\u200d"
"""``\\w`` of Unicode but for marks, as regular expression libraries have it."""

_OTHER_WORDS: tuple[tuple[str, Json], ...] = tuple(
    (name, {"type": name}) for name in ("WhitespaceSplit", "Whitespace", "BertPreTokenizer")
)
"""Pre-tokenizers that ports put in the place of one another."""

_OTHER_SPLITS: tuple[tuple[str, Json], ...] = (
    ("white space is U+0020", split(" +", "Removed")),
    ("white space is that of ASCII", split(_ASCII_SPACES, "Removed")),
)


def _other_schemes(component: Json) -> Iterator[Change]:
    """Give a Metaspace with each other scheme, whether it says so or has the older option."""
    scheme = component.get("prepend_scheme", "always" if component.get("add_prefix_space", True) else "never")
    rest = {key: value for key, value in component.items() if key != "add_prefix_space"}
    for other in ("never", "first", "always"):
        if other != scheme:
            yield "prefix-space-policy", f"Metaspace prepend_scheme {scheme} -> {other}", {
                **rest, "prepend_scheme": other,
            }  # fmt: skip
    split = component.get("split", True)
    yield "pre-tokenizer-flags", f"Metaspace split {said(not split)}", {
        **rest, "prepend_scheme": scheme, "split": not split,
    }  # fmt: skip


CUT_CHANGES: dict[str, tuple[Changes, ...]] = {
    "ByteLevel": (
        flag("prefix-space-policy", "add_prefix_space", True, False),
        flag("offset-convention", "trim_offsets", True, False),
        _use_regex,
        _other_byte_level_regex,
    ),
    "Metaspace": (_other_schemes, flag("pre-tokenizer-flags", "replacement", "_", " ")),
    "Split": (
        other_regex,
        _unmatched_dropped,
        flag("pre-tokenizer-flags", "behavior", *BEHAVIORS),
        flag("pre-tokenizer-flags", "invert", True, False),
    ),
    "Punctuation": (
        flag("pre-tokenizer-flags", "behavior", *BEHAVIORS),
        _only("ASCII punctuation", ASCII_PUNCTUATION),
        _only("punctuation and symbols", PUNCTUATION_AND_SYMBOLS),
    ),
    "Digits": (
        flag("pre-tokenizer-flags", "individual_digits", True, False),
        _only("[0-9]", "[0-9]"),
    ),
    "WhitespaceSplit": (instead("regex-class-approximation", *_OTHER_SPLITS, *_OTHER_WORDS),),
    "Whitespace": (
        instead(
            "regex-class-approximation",
            (r"\w is ASCII", _splits(split(r"[A-Za-z0-9_]+|[^A-Za-z0-9_\s]+", "Isolated"), split(r"\s+", "Removed"))),
            (
                r"\w has no marks",
                _splits(split(rf"[{_WITHOUT_MARKS}]+|[^{_WITHOUT_MARKS}\s]+", "Isolated"), split(r"\s+", "Removed")),
            ),
            *_OTHER_WORDS,
        ),
    ),
    "BertPreTokenizer": (
        instead(
            "regex-class-approximation",
            *(
                (words, _splits(split(r"\s+", "Removed"), split(pattern, "Isolated")))
                for words, pattern in (
                    ("ASCII punctuation", ASCII_PUNCTUATION),
                    ("punctuation and symbols", PUNCTUATION_AND_SYMBOLS),
                )
            ),
            *_OTHER_WORDS,
        ),
    ),
}
"""The changes of pre-tokenizers, by their types."""
