"""Ask the JSON Schema of tokenizer.json and `tokenizers` about the same documents, and print where they part.

    python tools/schema_agreement.py              all changed files of the tests, and random documents: some ten minutes
    python tools/schema_agreement.py --sample     the sample of the default tests: some seconds

A document that the schema refuses and `tokenizers` loads is an error of the schema. A document that the schema accepts
and `tokenizers` refuses (a panic and a crash are refusals) has to be of a kind that a schema cannot say: see
:data:`KINDS`. That is shown, not guessed: where the one thing that is named by a kind is repaired, and nothing else,
`tokenizers` loads the document. The exit status is 1 where there is a document of the first sort, or one of no kind.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from jsonschema import Draft202012Validator

from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.random_tokenizers.complete_documents import COMPLETE_DOCUMENTS, WHOLE
from tokenizer_conformance.inputs.random_tokenizers.documents import random_document
from tokenizer_conformance.inputs.tokenizer_schema import tokenizer_json_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "reference" / "material"))  # test folders are not packages

from changed_files import GROUPS, sample  # noqa: E402 - found by the line above
from mutations import Mutation  # noqa: E402
from target_answers import loaded_by_target  # noqa: E402

RANDOM_DOCUMENTS: Final = 20_000
SEED: Final = 20240607
RECURSION_LIMIT: Final = 5_000
"""Calls in each other; the usual limit of Python is too low for 127 levels of a document."""


# What a schema is asked ----------------------------------------------------------------------------------------------


class Answer(Enum):
    """What the schema says of a document."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    NOT_JSON = "no JSON"
    TOO_DEEP = "too deep"
    """Deeper than the reader of JSON, or the validator, can go."""


def answer_of_schema(validator: Draft202012Validator, content: bytes) -> Answer:
    """Return what the schema says of the document in ``content``, as Python's own reader of JSON gives it."""
    try:
        document = json.loads(content.decode(), parse_constant=_refuse_constant, parse_int=_integer)
        return Answer.ACCEPTED if validator.is_valid(document) else Answer.REFUSED
    except RecursionError:
        return Answer.TOO_DEEP
    except ValueError:
        return Answer.NOT_JSON


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _integer(text: str) -> float:
    """Return the number in ``text``; one of very many digits, which :class:`int` does not read, is infinite."""
    return int(text) if len(text) < sys.int_info.default_max_str_digits else float(text)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow what validating the deepest documents that `tokenizers` loads takes, and a little more."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


# Documents as they are written ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a document as it is written."""

    text: str


class Members(list[tuple[str, Any]]):
    """The members of an object, all of them."""

    def get(self, key: str) -> Any:
        """Return the last member ``key``; ``None`` where there is none."""
        return dict(self).get(key)


def read_tree(content: bytes) -> Any:
    """Return the document in ``content``, its objects as :class:`Members` and its numbers as :class:`Number`."""
    return json.loads(content.decode(), object_pairs_hook=Members, parse_int=Number, parse_float=Number)


def written(tree: Any) -> str:
    """Return what :func:`read_tree` has read as JSON."""
    match tree:
        case Number(text):
            return text
        case Members():
            return "{" + ",".join(f"{json.dumps(key)}:{written(value)}" for key, value in tree) + "}"
        case list():
            return "[" + ",".join(map(written, tree)) + "]"
        case _:
            return json.dumps(tree)


def _everywhere(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what applies ``change`` to all values of a tree, the inner ones first."""

    def changed(tree: Any) -> Any:
        match tree:
            case Members():
                return change(Members((key, changed(value)) for key, value in tree))
            case list():
                return change([changed(item) for item in tree])
            case _:
                return change(tree)

    return changed


# Repairs -------------------------------------------------------------------------------------------------------------


def _last_of_equal_keys(value: Any) -> Any:
    return Members(dict(value).items()) if isinstance(value, Members) else value


def _plain_whole_number(value: Any) -> Any:
    """Return a whole number that is written with a point, an exponent or as -0, without that."""
    if not isinstance(value, Number) or re.fullmatch(r"0|-?[1-9]\d*", value.text):
        return value
    number = float(value.text)
    return Number(str(int(number))) if number.is_integer() else value


def _finite(value: Any) -> Any:
    return Number("0") if isinstance(value, Number) and math.isinf(float(value.text)) else value


_SURROGATE = re.compile("[\ud800-\udfff]")


def _without_surrogates(value: Any) -> Any:
    match value:
        case str():
            return _SURROGATE.sub("x", value)
        case Members():
            return Members((_SURROGATE.sub("x", key), member) for key, member in value)
        case _:
            return value


def _compiling_regex(value: Any) -> Any:
    match value:
        case [("Regex", str())] if isinstance(value, Members):
            return Members([("Regex", "a")])
        case _:
            return value


EMPTY_CHARSMAP: Final = b64encode(bytes(4)).decode()
"""A character map without a trie and without texts."""


def _sound_charsmap(value: Any) -> Any:
    if not isinstance(value, Members):
        return value
    return Members(
        (key, EMPTY_CHARSMAP if key == "precompiled_charsmap" and _is_base64(member) else member)
        for key, member in value
    )


def _is_base64(value: Any) -> bool:
    """Return whether ``value`` is the base64 of four bytes or more; padding may be missing."""
    if not isinstance(value, str):
        return False
    symbols = value.rstrip("=")
    try:
        data = b64decode(symbols + "=" * (-len(symbols) % 4), validate=True)
    except (Base64Error, ValueError):
        return False
    return len(data) >= 4 and b64encode(data).decode().startswith(value)


def _with_model(tree: Any, changed: Callable[[Members], Mapping[str, Any]]) -> Any:
    """Return a document with those members of its model changed that ``changed`` gives."""
    model = tree.get("model") if isinstance(tree, Members) else None
    if not isinstance(model, Members):
        return tree
    new = changed(model)
    repaired = Members((key, new.get(key, value)) for key, value in model)
    return Members((key, repaired if key == "model" else value) for key, value in tree)


def _without_merges(tree: Any) -> Any:
    """Return a document without merges, where they all are pairs of texts, or texts of two tokens."""

    def changed(model: Members) -> dict[str, Any]:
        merges = model.get("merges")
        if not isinstance(merges, list) or isinstance(merges, Members):
            return {}
        sound = any(all(map(is_sound, merges)) for is_sound in (_is_pair, _is_text_of_two))
        return {"merges": []} if sound else {}

    return _with_model(tree, changed)


def _is_pair(merge: Any) -> bool:
    return type(merge) is list and list(map(type, merge)) == [str, str]


def _is_text_of_two(merge: Any) -> bool:
    return isinstance(merge, str) and (merge.startswith("#version") or merge.count(" ") == 1)


def _without_unknown_id(tree: Any) -> Any:
    """Return a document without the number of the unknown piece, where that is a number and there is no such piece."""

    def changed(model: Members) -> dict[str, Any]:
        match model.get("unk_id"), model.get("vocab"):
            case Number(text), list(vocab) if text.isdecimal() and len(vocab) <= int(text) < 2**64:
                return {"unk_id": None}
        return {}

    return _with_model(tree, changed)


def _without_normalized_tokens(tree: Any) -> Any:
    """Return a document in which no added token is searched for in the normalized text."""
    tokens = tree.get("added_tokens") if isinstance(tree, Members) else None
    if not isinstance(tokens, list):
        return tree
    repaired = [_not_normalized(token) for token in tokens]
    return Members((key, repaired if key == "added_tokens" else value) for key, value in tree)


def _not_normalized(token: Any) -> Any:
    if not isinstance(token, Members):
        return token
    return Members((key, False if key == "normalized" and value is True else value) for key, value in token)


DEEPEST: Final = 127


def _deepest_path(tree: Any) -> list[Any]:
    """Return the arrays and objects on a longest way into ``tree``, the outermost first."""
    if not isinstance(tree, list):
        return []
    values = [value for _, value in tree] if isinstance(tree, Members) else tree
    return [tree, *max(map(_deepest_path, values), key=len, default=[])]


def _in_fewer_sequences(tree: Any) -> Any:
    """Return a document with what is in too many sequences in fewer; a sequence is two levels, of object and array."""
    path = _deepest_path(tree)
    excess = len(path) - DEEPEST
    if excess <= 0:
        return tree
    old, new = path[1], path[1 + excess + excess % 2]
    return Members((key, new if value is old else value) for key, value in tree)


def _cut_off(tree: Any, levels: int = DEEPEST) -> Any:
    """Return ``tree`` with all that is deeper than ``levels`` left out."""
    match tree:
        case Members():
            return Members((key, _cut_off(value, levels - 1)) for key, value in tree if levels > 1 or not _nests(value))
        case list():
            return [_cut_off(value, levels - 1) for value in tree if levels > 1 or not _nests(value)]
        case _:
            return tree


def _nests(value: Any) -> bool:
    return isinstance(value, list)


# Kinds of disagreement -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """Something that `tokenizers` refuses and a schema cannot; ``repaired`` returns a tree without it, or the same."""

    name: str
    why: str
    repaired: Callable[[Any], Any]


KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "a whole number with a point, an exponent or a minus",
        "To a schema 2.0, 1e1 and -0 are whole numbers: it knows values, not how they are written.",
        _everywhere(_plain_whole_number),
    ),
    Kind(
        "a key that is given twice",
        "A schema sees the last of equal keys; truncation, padding, added tokens and post-processors are read at once.",
        _everywhere(_last_of_equal_keys),
    ),
    Kind(
        "half of a surrogate pair",
        "Readers of JSON give such a text or fail; UTF-8 cannot hold it. A pattern cannot rule it out everywhere.",
        _everywhere(_without_surrogates),
    ),
    Kind(
        "a number out of range",
        "A number beyond the largest double is refused also where nothing looks at the value.",
        _everywhere(_finite),
    ),
    Kind(
        "more than 127 levels, of sequences",
        "A schema cannot count levels; a sequence in a sequence is allowed.",
        _in_fewer_sequences,
    ),
    Kind(
        "more than 127 levels, of a value that is ignored",
        "A schema cannot count levels; where nothing looks at the value, any depth is allowed.",
        _cut_off,
    ),
    Kind(
        "merges of tokens that are not in the vocabulary",
        "A schema cannot compare values at two places. So with what the two tokens of a merge make together.",
        _without_merges,
    ),
    Kind(
        "an unknown piece that does not exist",
        "A schema cannot compare `unk_id` with the number of pieces.",
        _without_unknown_id,
    ),
    Kind(
        "a regular expression that does not compile",
        "A schema cannot say which texts are regular expressions of Oniguruma.",
        _everywhere(_compiling_regex),
    ),
    Kind(
        "a character map that cannot be read",
        "A schema can ask for base64, not for what its bytes mean.",
        _everywhere(_sound_charsmap),
    ),
    Kind(
        "an added token at which a normalizer panics",
        "A schema does not normalize texts; `tokenizers` does when it loads added tokens, and then may panic.",
        _without_normalized_tokens,
    ),
)
"""The kinds, those of notation first: what the others look at has then been repaired."""

MOST_KINDS_AT_ONCE: Final = 4


@dataclass(frozen=True, slots=True)
class Repaired:
    """A document of a ``name`` without what ``kinds`` name; kinds from the number ``untried`` on may follow."""

    name: str
    tree: Any
    kinds: tuple[str, ...] = ()
    untried: int = 0

    def further(self) -> Iterator[Repaired]:
        """Yield the document with one more kind repaired, for each that has something to repair in it."""
        for at, kind in enumerate(KINDS[self.untried :], self.untried):
            repaired = kind.repaired(self.tree)
            if repaired != self.tree:
                yield Repaired(self.name, repaired, (*self.kinds, kind.name), at + 1)


def explanations(documents: Sequence[Mutation]) -> dict[str, str]:
    """Return the kinds of ``documents``, by their names; a document that has no kind is not there.

    Of the sets of repairs that make `tokenizers` load a document, it is a smallest one.
    """
    found: dict[str, str] = {}
    tried = [Repaired(document.name, read_tree(document.content)) for document in documents]
    for _ in range(MOST_KINDS_AT_ONCE):
        tried = [further for repaired in tried if repaired.name not in found for further in repaired.further()]
        answers = loaded_by_target([written(repaired.tree).encode() for repaired in tried])
        for repaired, is_loaded in zip(tried, answers, strict=True):
            if is_loaded:
                found.setdefault(repaired.name, " and ".join(repaired.kinds))
    return found


# Agreement -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Agreement:
    """What came of asking both about some documents: ``counts`` by the answers of the schema and of the target."""

    counts: Counter[tuple[Answer, bool]] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    unexplained: tuple[str, ...] = ()
    """Names of documents that only the schema accepts, and that are of no kind."""

    too_strict: tuple[str, ...] = ()
    """Names of documents that only the target loads."""

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            self.counts + other.counts,
            self.kinds + other.kinds,
            self.unexplained + other.unexplained,
            self.too_strict + other.too_strict,
        )

    @property
    def holds(self) -> bool:
        """Whether every disagreement is explained."""
        return not self.unexplained and not self.too_strict


def agreement(schema: dict[str, Any], documents: Sequence[Mutation]) -> Agreement:
    """Return how far ``schema`` and the target agree about ``documents``, whose names are distinct."""
    validator = Draft202012Validator(schema)
    loaded = list(loaded_by_target([document.content for document in documents]))
    with deep_recursion():
        answers = [answer_of_schema(validator, document.content) for document in documents]
        asked = list(zip(documents, answers, loaded, strict=True))
        accepted_only = [each for each, answer, is_loaded in asked if answer is Answer.ACCEPTED and not is_loaded]
        kinds = explanations(accepted_only)
    return Agreement(
        Counter(zip(answers, loaded, strict=True)),
        Counter(kinds.values()),
        tuple(document.name for document in accepted_only if document.name not in kinds),
        tuple(document.name for document, answer, is_loaded in asked if answer is not Answer.ACCEPTED and is_loaded),
    )


# The documents -------------------------------------------------------------------------------------------------------


def _sound_documents() -> Iterator[Mutation]:
    for name, document in {**COMPLETE_DOCUMENTS, "whole": WHOLE}.items():
        yield Mutation(f"complete: {name}", json.dumps(document).encode())
    for name in bundled_names():
        yield Mutation(f"bundled: {name}", bundled_file(name).read_bytes())


def random_documents(count: int) -> Iterator[Mutation]:
    """Yield ``count`` random documents, most of them valid, some in older forms."""
    source = Random(SEED)
    for number in range(count):
        yield Mutation(f"random: {number}", json.dumps(random_document(source).json).encode())


def groups_of_documents(*, only_sample: bool) -> dict[str, Callable[[], Iterable[Mutation]]]:
    """Return what gives the documents of each group, by its name."""
    count = RANDOM_DOCUMENTS // 100 if only_sample else RANDOM_DOCUMENTS
    sound = {"complete and bundled": _sound_documents, "random, valid": lambda: random_documents(count)}
    return {**sound, **({"sample of changed files": lambda: sample()[::2]} if only_sample else GROUPS)}


def numbered(documents: Iterable[Mutation]) -> Iterator[Mutation]:
    """Yield ``documents`` under distinct names: two changes in a row may be the same ones."""
    for at, document in enumerate(documents):
        yield Mutation(f"{at}: {document.name}", document.content, document.place)


# The table -----------------------------------------------------------------------------------------------------------

COLUMNS: Final = (
    "documents",
    "both load",
    "both refuse",
    "not JSON",
    "too deep",
    "only schema accepts",
    "only schema refuses",
)


def row(result: Agreement) -> tuple[int, ...]:
    """Return the numbers of the :data:`COLUMNS`."""
    counts = result.counts
    return (
        counts.total(),
        counts[Answer.ACCEPTED, True],
        counts[Answer.REFUSED, False],
        counts[Answer.NOT_JSON, False],
        counts[Answer.TOO_DEEP, False],
        counts[Answer.ACCEPTED, False],
        len(result.too_strict),
    )


def _print_row(name: str, cells: Iterable[object]) -> None:
    print(f"{name:30}", *(f"{cell:>{len(column)},}" for cell, column in zip(cells, COLUMNS, strict=True)), sep="  ")


SHOWN: Final = 20


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", action="store_true", help="only the sample of the default tests")
    only_sample: bool = parser.parse_args().sample
    schema = tokenizer_json_schema()
    print(f"{'':30}", *COLUMNS, sep="  ")
    total = Agreement()
    for name, documents in groups_of_documents(only_sample=only_sample).items():
        result = agreement(schema, list(numbered(documents())))
        _print_row(name, row(result))
        total += result
    _print_row("all", row(total))
    print("\nWhat only the schema accepts, by kind:")
    for kind, count in total.kinds.most_common():
        print(f"{count:8,}  {kind}")
    print("\nWhy a schema cannot say it:")
    for each in KINDS:
        print(f"- {each.name}: {each.why}")
    for what, names in (("accepted and of no kind", total.unexplained), ("refused and loaded", total.too_strict)):
        print(f"\n{what}: {len(names):,}", *map(ascii, names[:SHOWN]), sep="\n  ")
    return 0 if total.holds else 1


if __name__ == "__main__":
    sys.exit(main())
