"""The specification: the requirements of the suite as pages that are read from top to bottom.

What is said stands in the requirements alone; the pages are made from them, and examples from their cases.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.markdown import Markdown, as_code, as_words
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.suite.examples import ALL_MEMBERS, example_of
from tokenizer_conformance.validation.suite.requirement import Importance, Suite
from tokenizer_conformance.validation.suite.wording import releases_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tokenizer_conformance.validation.suite.requirement import Area, Requirement

OVERVIEW = "SPECIFICATION.md"
"""The file of the overview, in the folder that is written."""
FOLDER = "specification"
"""The folder of the parts, beside the overview."""
MARK = "<!-- Written by `tokconf suite spec`; do not edit. -->"
"""The first line of every file that is written."""

_GUIDE = "#how-to-read-a-page"
_CODE = re.compile(r"`([^`]+)`")
_THREAD = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/(?:issues|pull|discussions)/(\d+)")


@dataclass(frozen=True, slots=True)
class Part:
    """One page.

    ``areas`` are names of areas; one that ends in a full stop stands for all that begin so. ``members`` are those of
    tokenizer.json that are shown with an example, if the tokenizer has them.
    """

    name: str
    title: str
    areas: tuple[str, ...]
    members: tuple[str, ...]

    def has(self, area: Area) -> bool:
        """Return whether ``area`` stands on this page."""
        return any(area.name.startswith(name) if name.endswith(".") else area.name == name for name in self.areas)


_NORMALIZER = ("added_tokens", "normalizer")
_CUTTING = ("added_tokens", "normalizer", "pre_tokenizer")
_MODEL = (*_CUTTING, "model")
_AROUND = ("added_tokens", "pre_tokenizer", "post_processor", "truncation", "padding")

PARTS: tuple[Part, ...] = (
    Part("added-tokens", "Added tokens", ("added_tokens",), ("added_tokens", "normalizer", "pre_tokenizer")),
    Part(
        "normalizers",
        "Normalizers",
        (
            "normalizers.BertNormalizer",
            "normalizers.Strip",
            "normalizers.StripAccents",
            "normalizers.Lowercase",
            "normalizers.Nmt",
            "normalizers.Replace",
            "normalizers.Prepend",
            "normalizers.ByteLevel",
            "normalizers.Sequence",
        ),
        _NORMALIZER,
    ),
    Part(
        "unicode-normalization",
        "Unicode's normalization forms and SentencePiece's maps",
        (
            "normalizers.NFC",
            "normalizers.NFD",
            "normalizers.NFKC",
            "normalizers.NFKD",
            "normalizers.Precompiled",
        ),
        _NORMALIZER,
    ),
    Part("alignment", "Alignment and offsets", ("NormalizedString", "offsets"), _CUTTING),
    Part(
        "pre-tokenizers",
        "Pre-tokenizers",
        (
            "pre_tokenization",
            "pre_tokenizers.BertPreTokenizer",
            "pre_tokenizers.Whitespace",
            "pre_tokenizers.WhitespaceSplit",
            "pre_tokenizers.Digits",
            "pre_tokenizers.Punctuation",
            "pre_tokenizers.CharDelimiterSplit",
            "pre_tokenizers.Metaspace",
            "pre_tokenizers.ByteLevel",
            "pre_tokenizers.UnicodeScripts",
            "pre_tokenizers.FixedLength",
            "pre_tokenizers.Sequence",
        ),
        _CUTTING,
    ),
    Part("regular-expressions", "Split and regular expressions", ("pre_tokenizers.Split", "Regex"), _CUTTING),
    Part("models", "Models", ("models.",), _MODEL),
    Part("training", "Training", ("trainers",), _MODEL),
    Part("post-processors", "Post-processors", ("processors.",), _AROUND),
    Part("truncation-and-padding", "Truncation and padding", ("truncation", "padding"), _AROUND),
    Part("inputs", "Inputs and encodings", ("pairs", "pre-split", "batches", "encodings"), _AROUND),
    Part("decoders", "Decoders", ("decoding", "decoders.", "decoding.stream"), ("added_tokens", "model", "decoder")),
    Part("files", "Files", ("tokenizer.json", "saving", "vocabulary"), ALL_MEMBERS),
    Part(
        "pipelines",
        "Pipelines",
        ("pipelines.",),
        ("added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "truncation", "padding"),
    ),
    Part("combinations", "Options in combination", ("combined",), ALL_MEMBERS),
    Part("chat-templates", "Chat templates", ("chat",), ("chat_template",)),
)


def areas_by_part(suite: Suite) -> dict[Part, tuple[Area, ...]]:
    """Return the areas of ``suite`` by their part, without the parts that have none.

    Raises :class:`BadInputError` where an area belongs to no part.
    """
    homeless = [area.name for area in suite.areas if not any(part.has(area) for part in PARTS)]
    if homeless:
        raise BadInputError(f"the specification has no part with the area {homeless[0]!r}; see suite/specification.py")
    by_part = {part: tuple(area for area in suite.areas if part.has(area)) for part in PARTS}
    return {part: areas for part, areas in by_part.items() if areas}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many requirements there are, by importance, how many of them have no cases, and how many cases."""

    requirements: int
    core: int
    edge: int
    quirk: int
    not_asked: int
    cases: int


def counts_of(areas: Iterable[Area]) -> Counts:
    """Count the requirements of ``areas`` and their cases."""
    requirements = [requirement for area in areas for requirement in area.requirements]
    by_importance = Counter(requirement.importance for requirement in requirements)
    return Counts(
        requirements=len(requirements),
        core=by_importance[Importance.CORE],
        edge=by_importance[Importance.EDGE],
        quirk=by_importance[Importance.QUIRK],
        not_asked=sum(1 for requirement in requirements if requirement.not_asked),
        cases=sum(len(requirement.cases) for requirement in requirements),
    )


def suite_of(suite: Suite, areas: Sequence[str]) -> Suite:
    """Return the ``areas`` of ``suite`` alone, by name; all of them where none are given.

    Raises :class:`BadInputError` where there is no such area.
    """
    names = {area.name for area in suite.areas}
    for name in areas:
        if name not in names:
            raise BadInputError(f"no area is called {name!r}; 'tokconf suite list' names them all")
    return Suite(tuple(area for area in suite.areas if not areas or area.name in areas))


# Pages ---------------------------------------------------------------------------------------------------------------


def overview_page(suite: Suite, *, alone: bool = True) -> str:
    """Return the overview in Markdown. ``alone`` says that the parts stand in files of their own."""
    parts = areas_by_part(suite)
    return _rendered(
        "specification.md.jinja",
        parts=[(part, areas, counts_of(areas)) for part, areas in parts.items()],
        total=counts_of(suite.areas),
        link=lambda part: Markdown(f"{FOLDER}/{part.name}.md" if alone else f"#{part.name}"),
    )


def part_page(part: Part, areas: Sequence[Area], guide: str = f"../{OVERVIEW}{_GUIDE}") -> str:
    """Return the page of ``part`` in Markdown, with these ``areas``. ``guide`` is where it stands how to read it."""
    return _rendered("part.md.jinja", part=part, areas=areas, counts=counts_of(areas), guide=guide)


def _rendered(template: str, **values: object) -> str:
    environment = markdown_environment("tokenizer_conformance.validation.suite")
    environment.filters |= {"prose": prose}
    environment.globals |= {"mark": Markdown(MARK), "facts": facts, "example": example_of, "thread": thread}
    environment.globals |= {"counted": counted}
    return environment.get_template(template).render(**values).rstrip("\n") + "\n"


def prose(text: str) -> Markdown:
    r"""Return the words of a requirement in Markdown: what stands between backticks is code, nothing else is markup.

    >>> print(prose("The field `a_b` of *all*"))
    The field `a_b` of \*all\*
    """
    pieces = _CODE.split(text)
    return Markdown("".join(as_code(piece) if number % 2 else _words(piece) for number, piece in enumerate(pieces)))


def _words(text: str) -> str:
    """Return ``text`` as running words; unlike ``as_words``, with the space at its ends."""
    before = " " if text[:1] == " " else ""
    after = " " if text[-1:] == " " and text.strip() else ""
    return f"{before}{as_words(text)}{after}"


def facts(requirement: Requirement) -> str:
    """Say how much ``requirement`` matters, and which releases of the target have it."""
    cases = counted(len(requirement.cases), "case") if requirement.cases else ""
    return ", ".join(filter(None, (requirement.importance.value, *releases_told(requirement), cases)))


def thread(url: str) -> Markdown:
    """Return a link to ``url``, where a port made the mistake.

    >>> print(thread("https://github.com/owner/name/issues/12"))
    [owner/name 12](https://github.com/owner/name/issues/12)
    """
    found = _THREAD.fullmatch(url)
    label = f"{found[1]} {found[2]}" if found else url.removeprefix("https://")
    target = url.replace("(", "%28").replace(")", "%29").replace(" ", "%20")
    return Markdown(f"[{as_words(label)}]({target})")


# Files ---------------------------------------------------------------------------------------------------------------


def whole_document(suite: Suite, *, overview: bool = True) -> str:
    """Return all pages as one document, with or without the overview."""
    guide = _GUIDE if overview else ""
    pages = [part_page(part, areas, guide) for part, areas in areas_by_part(suite).items()]
    return "\n".join([overview_page(suite, alone=False), *pages] if overview else pages)


def pages_by_file(suite: Suite) -> dict[str, str]:
    """Return the overview and the parts by the file, below the folder that is written, that they stand in."""
    parts = areas_by_part(suite)
    pages = {f"{FOLDER}/{part.name}.md": part_page(part, areas) for part, areas in parts.items()}
    return {OVERVIEW: overview_page(suite), **pages}


def write_page(file: Path, text: str) -> None:
    """Write ``text`` to ``file``, and make its folder.

    Raises :class:`BadInputError` where that fails, or where the file holds anything but a page of the specification.
    """
    try:
        if file.exists() and not file.read_bytes().startswith(MARK.encode()):
            raise BadInputError(f"{file} is no page of the specification, and is not overwritten; name another file")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise BadInputError(f"cannot write {file}: {error.strerror}") from error
