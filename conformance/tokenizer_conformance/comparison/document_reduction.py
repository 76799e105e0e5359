"""Making a case smaller: its tokenizer.json and its question.

Of a large vocabulary it is tried first to keep what the answers are made of: that is one step in place of thousands.
What is left is cut by halves. A merge goes with the tokens that it is made of and that it makes.
"""

from __future__ import annotations

import base64
import binascii
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from struct import error as StructError  # noqa: N812 - the name of an exception
from struct import unpack_from
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Decode, DecodeStream
from tokenizer_conformance.comparison.document_parts import (
    Path,
    at,
    dense,
    is_list_of_pieces,
    parts_of,
    paths_in,
    special_tokens_in,
    tokens_of,
    with_part,
    with_tokens,
    without_unknown_piece,
)
from tokenizer_conformance.comparison.question_reduction import reduced_question, slots_of
from tokenizer_conformance.comparison.questions import with_all_ids
from tokenizer_conformance.comparison.reduction import MOST_CHECKS, BudgetSpentError, Case, Json, shortest
from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
from tokenizer_conformance.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokenizer_adapters.contract import Observation

_smaller_charsmap = lazy("tokenizer_conformance.comparison.document_reduction:smaller_charsmap")

OPTIONAL_KEYS = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
"""Members of a tokenizer.json that can be null."""

WHOLE_STRINGS = frozenset(
    {
        "content",
        "continuing_subword_prefix",
        "end_of_word_suffix",
        "id",
        "precompiled_charsmap",
        "prefix",
        "replacement",
        "str_rep",
        "suffix",
        "type",
        "unk_token",
        "version",
    }
)
"""Members whose strings are of no use when cut, or only puzzle a reader then."""

TEMPLATE_TOKENS = "special_tokens"
"""The member of a template that describes its special tokens; an implementation may panic where one is missing."""

VOCABULARIES = (("model", "vocab"), ("model", "merges"))
"""Where the entries of a vocabulary stand, which are whole or not at all."""

DEFAULTS: dict[str, dict[str, Any]] = {
    "BertNormalizer": {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
    "ByteLevel": {"add_prefix_space": True, "trim_offsets": True, "use_regex": True},
    "Metaspace": {"replacement": "\u2581", "prepend_scheme": "always", "split": True},
    "RobertaProcessing": {"trim_offsets": True, "add_prefix_space": True},
    "Strip": {"strip_left": True, "strip_right": True},
}
"""Options that are not off by default: by component type, their values there. What is off stays off."""

LONGEST_TOKEN = 64
"""Up to how many characters a token is looked for in what the answers are made of."""

LONGEST_TEXT = 4000
"""Up to how many characters of an answer its tokens are looked for."""


@dataclass(frozen=True, slots=True)
class Used:
    """What a case uses: the ``tokens`` of its answers, and its ``texts``, as they are at every stage."""

    tokens: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


def reduced(
    case: Case, shows_the_same: Callable[[Case], bool], most_checks: int = MOST_CHECKS, used: Used | None = None
) -> Case:
    """Return ``case``, or a smaller one for which ``shows_the_same`` holds. Asks at most ``most_checks`` times.

    Where ``shows_the_same`` raises :class:`BudgetSpentError`, the smallest case so far is returned. ``used`` is what is
    tried to keep first of a large vocabulary.
    """
    return _reduced(_Reduction(case, shows_the_same, most_checks), used, with_question=True)


def reduced_document(
    case: Case, shows_the_same: Callable[[Case], bool], most_checks: int = MOST_CHECKS, used: Used | None = None
) -> Case:
    """Return ``case`` with a smaller document, as :func:`reduced` does; of its question only ids get other numbers."""
    return _reduced(_Reduction(case, shows_the_same, most_checks), used, with_question=False)


def _reduced(reduction: _Reduction, used: Used | None, *, with_question: bool) -> Case:
    with suppress(BudgetSpentError):
        if used is not None:
            reduction.keep_used(used)
        while True:
            before = reduction.case
            reduction.reduce_document()
            if with_question:
                reduction.reduce_question()
            if reduction.case == before:
                break
        reduction.number_densely()
    return reduction.case


class _Reduction:
    """The smallest case so far."""

    def __init__(self, case: Case, shows_the_same: Callable[[Case], bool], checks_left: int) -> None:
        self.case = case
        self._shows_the_same = shows_the_same
        self._checks_left = checks_left

    def _keep(self, candidate: Case) -> bool:
        """Take ``candidate`` for the case where it shows the same, and say whether it does."""
        if candidate == self.case:
            return False
        if self._checks_left <= 0:
            raise BudgetSpentError
        self._checks_left -= 1
        if not self._shows_the_same(candidate):
            return False
        self.case = candidate
        return True

    def _keep_document(self, document: Json) -> bool:
        return self._keep(replace(self.case, document=document))

    def _put(self, path: Path, value: Any) -> bool:
        """Put ``value`` at ``path`` of the document, where the case then shows the same."""
        return self._keep_document(with_part(self.case.document, path, value))

    # The whole

    def reduce_document(self) -> None:
        """Make the document smaller, once over."""
        self._drop_components()
        self._shorten_vocabulary()
        self._shorten_collections()
        self._simplify_options()

    def reduce_question(self) -> None:
        """Make the question smaller."""
        if self.case.question is not None:
            document = self.case.document

            def shows(question: Observation) -> bool:
                self._checks_left -= 1
                return self._shows_the_same(Case(document, question))

            smaller = reduced_question(self.case.question, shows, self._checks_left)
            self.case = Case(document, smaller)

    # The document

    def keep_used(self, used: Used) -> None:
        """Leave out what a case that uses no more than ``used`` does without, if that shows the same."""
        for keep in _kept(used):
            document = _with_used(self.case.document, keep, used)
            if self._keep_document(document):
                return

    def _drop_components(self) -> None:
        """Do without components, or with one part of a sequence in place of the whole."""
        for key in OPTIONAL_KEYS:
            if self.case.document.get(key) is not None:
                self._put((key,), None)
        for key in OPTIONAL_KEYS:
            while any(self._put(path, part) for path, part in parts_of(self.case.document.get(key), (key,))):
                pass

    def _shorten_vocabulary(self) -> None:
        """Do without tokens, and the merges that need them."""
        shortest(tokens_of(self.case.document), self._has_enough_tokens)
        without_unknown = without_unknown_piece(self.case.document)
        if without_unknown is not None:
            self._keep_document(without_unknown)

    def _has_enough_tokens(self, tokens: list[str]) -> bool:
        return self._keep_document(with_tokens(self.case.document, frozenset(tokens).__contains__))

    def _shorten_collections(self) -> None:
        """Do without entries of lists, and without the descriptions of special tokens that no template has."""
        for path in list(paths_in(self.case.document)):
            value = at(self.case.document, path)
            if isinstance(value, dict) and path and path[-1] == TEMPLATE_TOKENS:
                template = at(self.case.document, path[:-1])
                self._put(path, {name: value[name] for name in value if name in special_tokens_in(template)})
            elif isinstance(value, list) and TEMPLATE_TOKENS not in path and not is_list_of_pieces(value):
                shortest(value, partial(self._put, path))

    def _simplify_options(self) -> None:
        """Turn options off or to their defaults, and shorten strings."""
        for path in list(paths_in(self.case.document)):
            value = at(self.case.document, path)
            if TEMPLATE_TOKENS in path:
                continue
            if isinstance(value, dict) and value.get("type") in DEFAULTS:
                self._put_defaults(path, DEFAULTS[value["type"]])
            elif value is True and path[-1] not in self._defaults_around(path):
                self._put(path, False)
            elif isinstance(value, str) and path[-1] == "precompiled_charsmap":
                self._shorten_charsmap(path, value)
            elif isinstance(value, str) and path[-1] == "Regex":
                self._shorten_regex(path, value)
            elif isinstance(value, str) and path[-1] not in WHOLE_STRINGS and path[:2] not in VOCABULARIES:
                shortest(value, partial(self._put, path))

    def _put_defaults(self, path: Path, defaults: Mapping[str, Any]) -> None:
        for option, default in defaults.items():
            component = at(self.case.document, path)
            if component.get(option, False) not in (False, default):
                self._put((*path, option), default)

    def _defaults_around(self, path: Path) -> Mapping[str, Any]:
        component = at(self.case.document, path[:-1])
        return DEFAULTS.get(component.get("type") or "", {}) if isinstance(component, dict) else {}

    def _shorten_charsmap(self, path: Path, value: str) -> None:
        for texts in ([], _texts(self.case.question)):
            smaller = _smaller_charsmap(value, texts)
            if smaller is not None and len(smaller) < len(value) and self._put(path, smaller):
                return

    def _shorten_regex(self, path: Path, value: str) -> None:
        """Do without alternatives of a regular expression, then without characters."""
        kept = shortest(alternatives(value), lambda parts: self._put(path, "|".join(parts)))
        shortest("|".join(kept), partial(self._put, path))

    def number_densely(self) -> None:
        """Have ids from 0 on, if that shows the same."""
        renumbered = dense(self.case.document)
        if renumbered is None:
            return
        document, numbers = renumbered
        match self.case.question:
            case Decode() | DecodeStream() as question:
                self._keep(Case(document, with_all_ids(question, lambda each: numbers.get(each, each))))
            case question:
                self._keep(Case(document, question))


def alternatives(pattern: str) -> list[str]:
    r"""Return the alternatives of a regular expression, those of groups and classes not.

    >>> alternatives(r"a|(b|c)|[|]|\|")
    ['a', '(b|c)', '[|]', '\\|']
    """
    parts, depth, in_class = [""], 0, False
    for piece in re.findall(r"\\.|.", pattern, re.DOTALL):
        in_class = piece == "[" or (in_class and piece != "]")
        depth += (piece == "(") - (piece == ")") if not in_class else 0
        if piece == "|" and depth == 0 and not in_class:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def _texts(question: Observation | None) -> list[str]:
    return [] if question is None else [slot for slot in slots_of(question) if isinstance(slot, str)]


# What is used --------------------------------------------------------------------------------------------------------


def _kept(used: Used) -> Iterator[frozenset[str]]:
    """Yield what to keep of a vocabulary, little at first: nothing, what the answers are made of, all that could be."""
    yield frozenset()
    yield frozenset(part for token in used.tokens for part in _substrings(token))
    joined = ("".join(used.tokens), *used.texts)
    yield frozenset(part for text in (*used.tokens, *joined) for part in _substrings(text[:LONGEST_TEXT]))


def _substrings(text: str) -> Iterator[str]:
    for start in range(len(text)):
        for end in range(start + 1, min(len(text), start + LONGEST_TOKEN) + 1):
            yield text[start:end]


def _with_used(document: Json, keep: frozenset[str], used: Used) -> Json:
    """Return ``document`` with the tokens to ``keep``, the unknown one, and the added ones that a text could have."""
    model = document.get("model") or {}
    prefix, suffix = (model.get(key) or "" for key in ("continuing_subword_prefix", "end_of_word_suffix"))
    unknown = model.get("unk_token")

    def is_kept(token: str) -> bool:
        return token in keep or token == unknown or token.removeprefix(prefix).removesuffix(suffix) in keep

    changed = with_tokens(document, is_kept)
    if isinstance(document.get("added_tokens"), list):
        changed["added_tokens"] = [
            token
            for token in document["added_tokens"]
            if token.get("content") in used.tokens or any(str(token.get("content")) in text for text in used.texts)
        ]
    return changed


KEY_ENDS = 1 << 8
IS_WIDE = 1 << 9
VALUE = (1 << 31) - 1
LABEL = (1 << 31) | 0xFF


def smaller_charsmap(encoded: str, texts: Iterable[str]) -> str | None:
    """Return the map ``encoded`` (in Base64) with the keys that begin anywhere in ``texts``; ``None`` where it is none.

    >>> import base64
    >>> from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
    >>> whole = base64.b64encode(charsmap({"a": "b", "c": "d"})).decode()
    >>> smaller_charsmap(whole, ["xa"]) == base64.b64encode(charsmap({"a": "b"})).decode()
    True
    """
    try:
        data = base64.b64decode(encoded, validate=True)
        size = unpack_from("<I", data)[0]
        units = unpack_from(f"<{size // 4}I", data, 4)
        found: dict[str, str] = {}
        for text in texts:
            for start in range(len(text)):
                found |= _replacements(text[start:].encode(errors="replace"), units, data[4 + size :])
        return base64.b64encode(charsmap(found)).decode("ascii")
    except (binascii.Error, StructError, ValueError, LookupError):
        return None


def _replacements(text: bytes, units: tuple[int, ...], texts: bytes) -> dict[str, str]:
    """Return the replacements whose keys ``text`` begins with."""
    found = {}
    place = _children(units[0])
    for length, byte in enumerate(text, 1):
        place ^= byte
        if place >= len(units) or byte == 0 or units[place] & LABEL != byte:
            break
        unit = units[place]
        place ^= _children(unit)
        if unit & KEY_ENDS:
            value = units[place] & VALUE
            end = texts.index(b"\0", value)
            found[text[:length].decode()] = texts[value:end].decode()
    return found


def _children(unit: int) -> int:
    return (unit >> 10) << ((unit & IS_WIDE) >> 6)
