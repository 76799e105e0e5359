"""Why a tokenizer.json is not loaded: the one sentence that every command says of it.

What implementations say names no place ("data did not match any variant of untagged enum ModelWrapper at line 1 column
2"). The reference names the JSON path of what `tokenizers` 0.23.3 refuses, and :data:`FORMS` are the forms of a file
that only some releases load. A remedy that names a value was tried: with it, the reference loads the file.
"""

from __future__ import annotations

import difflib
import json
import re
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from packaging.version import InvalidVersion, Version

from tokenizer_adapters.contract import CannotLoadError, TokenizerSource
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.comparison.asking import NotLoadedError
from tokenizer_conformance.comparison.document_parts import (
    PARTS_OF_SEQUENCE,
    at,
    path_of,
    path_text,
    type_of_model,
    with_part,
)
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.inputs.tokenizer_schema import tokenizer_json_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.comparison.reduction import Json

TARGET = "tokenizers"
RELEASE = "0.23.3"
"""What the reference is the reference of."""

REFERENCE = "reference"

ALIKE = (TARGET, "transformers", REFERENCE)
"""How the names begin of those who refuse what `tokenizers` refuses."""

LARGEST = 64 << 20
"""Larger files, in bytes, are not read again to say what is wrong with them."""

SECTIONS: dict[str, tuple[str, str]] = {
    "normalizer": ("normalizer", "normalizers"),
    "pre_tokenizer": ("pre-tokenizer", "pre_tokenizers"),
    "model": ("model", "models"),
    "post_processor": ("post-processor", "processors"),
    "decoder": ("decoder", "decoders"),
}
"""What the components of a member are called, in words and in the JSON Schema."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file at ``path``: ``what``, which ``releases`` load it where that is known, what ``to_do``.

    All are parts of sentences; ``of`` names the component.
    """

    path: Path
    of: str
    what: str
    releases: str
    to_do: str

    @property
    def place(self) -> str:
        """The path and the component."""
        return f"{path_text(self.path)} ({self.of})" if self.of else path_text(self.path)

    @property
    def advice(self) -> str:
        """The releases, and what to do."""
        return f"{f'{self.releases}. ' if self.releases else ''}To do: {self.to_do}"


def why_not_loaded(error: CannotLoadError, source: TokenizerSource | None = None) -> str:
    """Return the words of ``error``, and what is wrong with the file of ``source``, by default the one refused.

    The words are alone where the file is not to blame, as far as that is known. Who does not read files as `tokenizers`
    does may have reasons of its own.
    """
    words = str(error)
    if error.unsupported or not isinstance(error, NotLoadedError):
        return words
    return ". ".join([words.removesuffix("."), *told_faults((source or error.source).file, words, error.info)])


def told_faults(file: str, words: str, info: ImplementationInfo) -> tuple[str, ...]:
    """Return a sentence for each fault of ``file``, which the implementation of ``info`` refuses with ``words``.

    Of what the reference says itself, only what to do.
    """
    if not _reads_alike(info, words):
        return ()
    faults = faults_of(file, words, release_of(info))
    if info.name == REFERENCE:
        return tuple(each.advice for each in faults)
    return tuple(f"In the file, {each.place}: {each.what}. {each.advice}" for each in faults)


def faults_of(file: str, words: str = "", release: str | None = None) -> tuple[Fault, ...]:
    """Return what is wrong with ``file``, which was refused with ``words``, maybe by a ``release`` of `tokenizers`.

    That is what the reference refuses, before it the forms that this release does not load.
    """
    try:
        stat = FilePath(file).stat()
        if stat.st_size > LARGEST:
            return ()
        document, refused = _looked_into(file, stat.st_mtime_ns, stat.st_size)
    except (OSError, ValueError, RecursionError):
        return ()
    if not isinstance(document, dict):
        return ()
    old = () if release in (None, RELEASE) else tuple(_faults_of_forms(document, words, str(release)))
    if refused is None or (old and _is_told(refused[0], old)):
        return old
    form = _form_of(document, refused[0])
    if form is not None and release is not None and form.is_loaded_by(release):
        return old
    return (*old, _described(document, *refused, form))


def _is_told(path: Path, faults: tuple[Fault, ...]) -> bool:
    return any(path[: len(each.path)] == each.path for each in faults)


def _reads_alike(info: ImplementationInfo, words: str) -> bool:
    """Return whether the implementation of ``info`` loads as `tokenizers` does, which its ``words`` may show."""
    return info.name.startswith(ALIKE) or re.search(r" at line \d+ column \d+|untagged enum", words) is not None


def release_of(info: ImplementationInfo) -> str | None:
    """Return which release of `tokenizers` the implementation of ``info`` is, ``None`` where it is another."""
    return info.version if info.name.partition("==")[0] == TARGET else None


@lru_cache(maxsize=4)
def _looked_into(file: str, _modified: int, _size: int) -> tuple[Any, tuple[Path, str] | None]:
    """Return the document in ``file``, and where and why the reference refuses it."""
    return json.loads(FilePath(file).read_text("utf-8")), _refused_by_reference(file)


def _refused_by_reference(file: str) -> tuple[Path, str] | None:
    try:
        select(REFERENCE, Isolation()).build().load(TokenizerSource("the file", file))
    except CannotLoadError as error:
        path, message = getattr(error.__cause__, "path", None), getattr(error.__cause__, "message", "")
        return (path_of(path), one_line(message)) if isinstance(path, str) and message else None
    return None


def _loads(document: Json) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = FilePath(folder) / "tokenizer.json"
        file.write_text(json.dumps(document, ensure_ascii=True), encoding="utf-8")
        return _refused_by_reference(str(file)) is None


# Forms that only some releases load ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a tokenizer.json that not all releases of `tokenizers` load.

    ``change`` is the known change that a probe shows. ``first`` and ``last`` are the releases between which it is
    loaded, none where there is no bound; or it is loaded by all but those from ``refused[0]`` to before ``refused[1]``.
    ``find`` gives its place in a document. Where the place alone does not tell, a refusal has the ``words``.
    """

    change: str
    what: str
    to_do: str
    find: Callable[[Json], Path | None]
    first: str | None = None
    last: str | None = None
    refused: tuple[str, str] | None = None
    words: str = ""

    def is_loaded_by(self, release: str) -> bool:
        """Return whether ``release`` loads it; a word that is no release does, so that nothing is said of it."""
        try:
            asked = Version(release)
        except InvalidVersion:
            return True
        if self.refused is not None:
            return not Version(self.refused[0]) <= asked < Version(self.refused[1])
        return (self.first is None or Version(self.first) <= asked) and (
            self.last is None or asked <= Version(self.last)
        )

    @property
    def releases(self) -> str:
        """Say which releases load it."""
        if self.refused is not None:
            return f"{TARGET} {self.refused[0]} refuses it; releases before, and from {self.refused[1]} on, load it"
        if self.first is not None and self.last is not None:
            return f"Only {TARGET} {self.first} to {self.last} load it"
        if self.first is not None:
            return f"{TARGET} {self.first} is the first release that loads it"
        return f"{TARGET} {self.last} is the last release that loads it"


def _inside(path: Path, component: Any) -> Iterator[tuple[Path, Json]]:
    if not isinstance(component, dict):
        return
    yield path, component
    key = PARTS_OF_SEQUENCE.get(str(path[0]), "")
    parts = component.get(key)
    for index, part in enumerate(parts if isinstance(parts, list) else ()):
        yield from _inside((*path, key, index), part)


def _component(section: str, type_: str, fits: Callable[[Json], bool] = bool) -> Callable[[Json], Path | None]:
    """Make what finds the first component of that type in ``section``, for which ``fits`` holds."""

    def found(document: Json) -> Path | None:
        inside = _inside((section,), document.get(section))
        return next((path for path, each in inside if each.get("type") == type_ and fits(each)), None)

    return found


def _metaspace(fits: Callable[[Json], bool]) -> Callable[[Json], Path | None]:
    first, second = _component("pre_tokenizer", "Metaspace", fits), _component("decoder", "Metaspace", fits)
    return lambda document: first(document) or second(document)


def _pairs(document: Json) -> Path | None:
    model = document.get("model")
    merges = model.get("merges") if isinstance(model, dict) else None
    return ("model", "merges") if isinstance(merges, list) and merges and isinstance(merges[0], list) else None


def _no_dropout(document: Json) -> Path | None:
    dropout = at(document, ("model", "dropout"))
    return ("model", "dropout") if dropout == 0 and dropout is not False else None


def _empty_list(document: Json) -> Path | None:
    return next(((part,) for part in ("normalizer", "pre_tokenizer") if document.get(part) == []), None)


def _normalized_token(document: Json) -> Path | None:
    tokens = document.get("added_tokens")
    for token in tokens if isinstance(tokens, list) else ():
        if isinstance(token, dict) and token.get("normalized") is True:
            return ("added_tokens",)
    return None


FORMS: tuple[Form, ...] = (
    Form(
        "merges-loaded-as-pairs",
        "merges are lists of two tokens",
        f"use {TARGET} 0.20.0 or newer, or write each merge as one string with a space between both tokens",
        _pairs,
        first="0.20.0",
    ),
    Form(
        "bpe-dropout-zero",
        "a dropout of 0",
        f"write null, which is the same, or use {TARGET} 0.20.0 or newer",
        _no_dropout,
        first="0.20.0",
    ),
    Form(
        "byte-level-normalizer",
        "the normalizer ByteLevel",
        f"use {TARGET} 0.20.0 or newer",
        _component("normalizer", "ByteLevel"),
        first="0.20.0",
    ),
    Form(
        "fixed-length",
        "the pre-tokenizer FixedLength",
        f"use {TARGET} 0.21.2 or newer",
        _component("pre_tokenizer", "FixedLength"),
        first="0.21.2",
    ),
    Form(
        "metaspace-without-prefix-space-loads",
        "a Metaspace that does not say add_prefix_space",
        f"use {TARGET} 0.19.0 or newer, or add what prepend_scheme means: true for always, false for never",
        _metaspace(lambda each: "add_prefix_space" not in each),
        first="0.19.0",
    ),
    Form(
        "metaspace-prefix-space-refused",
        "a Metaspace whose add_prefix_space is false, and which does not say prepend_scheme",
        'add "prepend_scheme": "never", which means the same',
        _metaspace(lambda each: each.get("add_prefix_space") is False and "prepend_scheme" not in each),
        last="0.15.2",
    ),
    Form(
        "empty-list-is-a-normalizer",
        "an empty list in place of a component",
        "write null, which means the same",
        _empty_list,
        first="0.20.0",
        last="0.21.1",
    ),
    Form(
        "added-token-normalized-to-nothing-refused",
        "an added token of which the normalizer leaves nothing",
        f'use {TARGET} 0.23.2 or newer, or set "normalized" to false for this token',
        _normalized_token,
        refused=("0.23.1", "0.23.2"),
        words=r"pattern\.len\(\) must be >= 1",
    ),
)
"""Each is a known change; what one of these changes says elsewhere, in `tokconf changes`, is the same."""


def _faults_of_forms(document: Json, words: str, release: str) -> Iterator[Fault]:
    for form in FORMS:
        path = None if form.is_loaded_by(release) or not re.search(form.words, words) else form.find(document)
        if path is not None:
            yield Fault(path, component_at(document, path), form.what, form.releases, form.to_do)


# What the reference refuses ------------------------------------------------------------------------------------------


def component_at(document: Json, path: Path) -> str:
    """Return what the innermost component is called that ``path`` leads into, nothing where it leads into none.

    >>> component_at({"decoder": {"type": "Sequence", "decoders": [{"type": "CTC"}]}}, ("decoder", "decoders", 0, "x"))
    'in the decoder CTC'
    """
    if path[:1] == ("added_tokens",) and len(path) > 1:
        content = at(document, (*path[:2], "content"))
        return f"in the added token {quoted(content)}" if isinstance(content, str) else "in an added token"
    name = SECTIONS.get(str(path[0]), ("",))[0] if path else ""
    return f"in the {name} {_type_at(document, path)}".rstrip() if name else ""


def _type_at(document: Json, path: Path) -> str:
    """Return the type of the innermost component that ``path`` leads into, where it says one."""
    types = [at(document, (*path[:length], "type")) for length in range(1, len(path) + 1)]
    return one_line(next((each for each in reversed(types) if isinstance(each, str)), ""), 40)


def _form_of(document: Json, path: Path) -> Form | None:
    """Return the form that `tokenizers` 0.23.3 does not load, and that is at ``path``."""
    return next((each for each in FORMS if not each.is_loaded_by(RELEASE) and _is_at(each, document, path)), None)


def _described(document: Json, path: Path, message: str, form: Form | None) -> Fault:
    if unknown_key := re.match(r"unknown key '(.+?)'", message):
        path = (*path, unknown_key[1])
    of = component_at(document, path)
    if form is not None:
        return Fault(path, of, message, form.releases, form.to_do)
    if path[-1:] == ("type",) and (tried := _type_that_loads(document, path)):
        return Fault(path, of, message, "", f'write "{tried}" there; so the file loads')
    unknown = re.match(r"there is no [\w-]+ '", message) is not None
    releases = f"No release of {TARGET} up to {RELEASE} has this type" if unknown else ""
    return Fault(path, of, message, releases, _remedy(document, path, message))


def _is_at(form: Form, document: Json, path: Path) -> bool:
    found = form.find(document)
    return found is not None and path[: len(found)] == found


def _type_that_loads(document: Json, path: Path) -> str | None:
    """Return the type with which the component at ``path`` is loaded, and the whole file."""
    component, found = at(document, path[:-1]), at(document, path)
    known = _names_of_types(str(path[0]))
    likely = difflib.get_close_matches(found, known, n=2) if isinstance(found, str) else []
    if path == ("model", "type") and isinstance(component, dict):
        likely = [*likely, type_of_model({**component, "type": None})]
    return next((each for each in likely if _loads(with_part(document, path, each))), None)


def _names_of_types(section: str) -> list[str]:
    prefix = f"{SECTIONS[section][1]}." if section in SECTIONS else "-"
    names = [name.removeprefix(prefix) for name in tokenizer_json_schema()["$defs"] if name.startswith(prefix)]
    return [name for name in names if name[0].isupper()]


REMEDIES: tuple[tuple[str, str], ...] = (
    (r"there is no [\w-]+ '", "use the library that wrote the file, or a newer release of it; or leave the part out"),
    (r"expected the name of a", "write the name of its type there"),
    (r"missing field `(\w+)`", 'add "\\1"'),
    (r"unknown key '", "take the key out"),
    (r"unknown tokenizer version", 'write "1.0"'),
    (
        r"the token .+ is not in the vocabulary|what .+ is not in the vocabulary",
        "take the merge out, or add the token to $.model.vocab; do vocabulary and merges belong to one tokenizer?",
    ),
    (r"there is no piece", "write the index of the unknown piece, or null where there is none"),
    (r"not JSON", "correct the JSON, or get the file again"),
    (r"expected one of BatchLongest", 'write "BatchLongest", or {"Fixed": LENGTH}'),
    (r"expected ", "write what is expected there"),
)
"""What to do, by what the reference says; the first that is found holds."""


def _remedy(document: Json, path: Path, message: str) -> str:
    found = next(((match, words) for rule, words in REMEDIES if (match := re.search(rule, message))), None)
    if found is None:
        return "correct this, or get the file again"
    match, words = found
    option = match[1] if match.re.groups and match[1] else path[-1] if path else ""
    meaning = _meaning(document, path, str(option))
    return match.expand(words) + (f" ({quoted(str(option))}: {meaning})" if meaning else "")


def _meaning(document: Json, path: Path, option: str) -> str:
    """Return what the JSON Schema says of the ``option`` of the component that ``path`` leads into."""
    section = str(path[0]) if path else ""
    name = f"{SECTIONS[section][1]}.{_type_at(document, path)}" if section in SECTIONS else section
    definition = tokenizer_json_schema()["$defs"].get("added_token" if section == "added_tokens" else name, {})
    described = definition.get("properties", {}).get(option, {}).get("description", "")
    return re.split(r"[.:;] ", str(described))[0].rstrip(".")
