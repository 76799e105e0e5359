"""Snippets: programs of a few lines that show a difference, with nothing of this project in them.

They are pure ASCII: whatever stands in a token or a text stands in them as an escape.
"""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import EncodeBatch, Failed
from tokenizer_adapters.protocol.request_lines import observation_fields
from tokenizer_conformance.causes.bug.recipes import Runs, asking_of
from tokenizer_conformance.causes.bug.sides import key_of
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Field, Observation, TokenizerSource
    from tokenizer_conformance.causes.bug.recipes import Asking, Loading, Recipe
    from tokenizer_conformance.causes.bug.sides import ReportedSide
    from tokenizer_conformance.comparison.reduction import Json


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked about: ``question`` on ``document``, where one is given, else on the file of ``source``.

    ``field`` is the part of the answers that is shown. ``sha256`` is that of the file.
    """

    source: TokenizerSource
    sha256: str
    document: Json | None
    question: Observation
    field: Field

    @property
    def is_embedded(self) -> bool:
        """Whether a snippet has the tokenizer.json in it."""
        return self.document is not None


@dataclass(frozen=True, slots=True)
class Snippet:
    """A program that asks the ``sides``; ``takes`` is the path that it is to be given, ``None`` where it needs none."""

    sides: tuple[ReportedSide, ...]
    runs: Runs
    code: str
    takes: str | None


def document_text(document: Json) -> str:
    r"""Return ``document`` as JSON, a member a line, in ASCII and without characters that end a literal.

    >>> print(document_text({"a": "'é`", "b": [1]}))
    {
    "a": "\u0027\u00e9\u0060",
    "b": [1]
    }
    """
    members = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in document.items())
    return "{\n" + re.sub(r"['`$]", lambda match: f"\\u{ord(match[0]):04x}", members) + "\n}"


@dataclass(frozen=True, slots=True)
class _Part:
    """What a program has of one ``side``: a way of ``loading``, the ``call``, and what to ``show`` of the answer."""

    side: ReportedSide
    recipe: Recipe
    loading: Loading
    call: str
    show: str


def ways(sides: Sequence[ReportedSide], subject: Subject) -> Iterator[tuple[Snippet, ...]]:
    """Yield the ways to show the answers of all ``sides`` that have a recipe; each is a snippet or one for each side.

    There are several where a package has several ways to load, the usual one first; there is none where a recipe has no
    call for the question.
    """
    asking = asking_of(subject.question)
    if asking is None:
        return
    able = [parts for parts in (_parts(side, asking, subject) for side in sides) if parts is not None]
    if not able:
        return
    for chosen in itertools.product(*able):
        together: dict[Runs, list[_Part]] = {}
        for part in chosen:
            together.setdefault(part.recipe.runs, []).append(part)
        yield tuple(_snippet(runs, each, asking, subject) for runs, each in together.items())


def _parts(side: ReportedSide, asking: Asking, subject: Subject) -> list[_Part] | None:
    """Return a part for each way to load that fits; ``None`` where ``side`` cannot be asked."""
    recipe = side.recipe
    if recipe is None:
        return None
    call, show = asking.call_in(recipe), _show(recipe, asking, subject)
    if call is None or show is None:
        return None
    return [_Part(side, recipe, each, call.strip(), show) for each in recipe.load if _fits(each, side, subject)]


def _show(recipe: Recipe, asking: Asking, subject: Subject) -> str | None:
    """Return the expression that is printed, about ``answer``."""
    key = key_of(subject.field, asking.kind)
    if not isinstance(subject.question, EncodeBatch):
        return "answer" if key == "text" else recipe.show.get(key)
    if recipe.show_batch:
        return recipe.show_batch.get(key)
    one = recipe.show.get(key)
    return None if one is None else f"[{one} for answer in answer]"


def _fits(loading: Loading, side: ReportedSide, subject: Subject) -> bool:
    """Return whether this way to load is for the model and the files at hand."""
    fits_model = not loading.models or _model_of(subject) in loading.models
    fits_files = not loading.folder or (not subject.is_embedded and subject.source.folder is not None)
    # What reads a model file of its own cannot be given another tokenizer.json.
    has_file = "FILE" not in loading.code or (bool(side.files) and not subject.is_embedded)
    return fits_model and fits_files and has_file


def _model_of(subject: Subject) -> str:
    document = subject.document or json.loads(Path(subject.source.file).read_text(encoding="utf-8"))
    model = document.get("model") or {}
    if "merges" in model:
        return "BPE"
    return str(model.get("type") or ("Unigram" if isinstance(model.get("vocab"), list) else "WordPiece"))


# Programs ------------------------------------------------------------------------------------------------------------


def _snippet(runs: Runs, parts: list[_Part], asking: Asking, subject: Subject) -> Snippet:
    sides = tuple(part.side for part in parts)
    lines = _node_lines(parts, asking, subject) if runs is Runs.NODE else _python_lines(parts, asking, subject)
    return Snippet(sides, runs, "\n".join(lines) + "\n", None if subject.is_embedded else subject.source.file)


def packages_of(sides: Sequence[ReportedSide], runs: Runs) -> tuple[str, ...]:
    """Return the packages that a snippet that asks ``sides`` needs, each as an installer is told its version."""
    mark = "@" if runs is Runs.NODE else "=="
    wanted: dict[str, str] = {}
    for side in sides:
        if side.recipe is not None and side.recipe.install:
            wanted |= {side.recipe.install: f"{side.recipe.install}{mark}{in_ascii(side.version)}"}
            wanted |= {each: each for each in side.recipe.also_install if each not in wanted}
    return tuple(wanted.values())


def _python_lines(parts: list[_Part], asking: Asking, subject: Subject) -> Iterator[str]:
    packages = packages_of([part.side for part in parts], Runs.PYTHON)
    yield from [f"# pip install {' '.join(packages)}"] if packages else []
    yield from (f"# Run it where {in_ascii(part.recipe.here)}." for part in parts if part.recipe.here)
    if subject.is_embedded and subject.document is not None:
        yield from ("import pathlib", "import tempfile", "")
        yield f"DOCUMENT = r'''{document_text(subject.document)}'''"
        yield from ("folder = pathlib.Path(tempfile.mkdtemp())", 'path = folder / "tokenizer.json"')
        yield 'path.write_text(DOCUMENT, encoding="utf-8")'
    else:
        yield f"# Give it the path of the tokenizer.json of {in_ascii(subject.source.name)}."
        yield from ("import hashlib", "import pathlib", "import sys", "")
        yield from ("path = pathlib.Path(sys.argv[1])", "folder = path.parent")
        yield f'if hashlib.sha256(path.read_bytes()).hexdigest() != "{subject.sha256}":'
        yield '    sys.exit("this is another tokenizer.json")'
    yield from (f"{name} = {value!a}" for name, value in asking.arguments.items())
    words = {"SPECIAL": str(asking.special), "SKIP": str(asking.skip), "KEEPING": str(not asking.skip)}
    words["QUESTION"] = ascii(observation_fields(subject.question))
    for part in parts:
        side = part.side
        own = words | _own_file(side)
        yield ""
        yield from _filled(part.loading.code.strip(), own).splitlines()
        *before, asked_for = _filled(part.call, own).splitlines()
        yield from before
        asked = [f"answer = {asked_for}", f"print({_label(side)!r}, ascii({_filled(part.show, own)}), flush=True)"]
        if isinstance(side.outcome, Failed):
            yield from ("try:", *(f"    {line}" for line in asked), "except BaseException as error:")
            yield f"    print({_label(side)!r}, 'raises', type(error).__name__ + ':', ascii(str(error)), flush=True)"
        else:
            yield from asked


def _node_lines(parts: list[_Part], asking: Asking, subject: Subject) -> Iterator[str]:
    yield f"// npm install {' '.join(packages_of([part.side for part in parts], Runs.NODE))}"
    if subject.is_embedded and subject.document is not None:
        yield 'import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";'
        yield from ('import { tmpdir } from "node:os";', 'import { dirname, join } from "node:path";')
        yield f"const DOCUMENT = String.raw`{document_text(subject.document)}`;"
        yield 'const path = join(mkdtempSync(join(tmpdir(), "tokenizer-")), "tokenizer.json");'
        yield "writeFileSync(path, DOCUMENT);"
    else:
        yield f"// Give it the path of the tokenizer.json of {in_ascii(subject.source.name)}."
        yield 'import { createHash } from "node:crypto";'
        yield from ('import { readFileSync } from "node:fs";', 'import { dirname, join } from "node:path";')
        yield "const path = process.argv[2];"
        yield 'const digest = createHash("sha256").update(readFileSync(path)).digest("hex");'
        yield f'if (digest !== "{subject.sha256}") throw new Error("this is another tokenizer.json");'
    yield from (f"const {name} = {json.dumps(value)};" for name, value in asking.arguments.items())
    words = {"SPECIAL": json.dumps(asking.special), "SKIP": json.dumps(asking.skip)}
    for part in parts:
        side = part.side
        yield from _filled(part.loading.code.strip(), words).splitlines()
        # JSON leaves characters as they are; escaped, they can be read and pasted everywhere.
        shown = r'.replace(/[^ -~]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"))'
        asked = [
            f"const answer = {_filled(part.call, words)};",
            f"console.log({json.dumps(_label(side))}, JSON.stringify({_filled(part.show, words)}){shown});",
        ]
        if isinstance(side.outcome, Failed):
            told = f'console.log({json.dumps(_label(side))}, "raises", JSON.stringify(String(error)){shown});'
            yield from ("try {", *(f"  {line}" for line in asked), "} catch (error) {", f"  {told}", "}")
        else:
            yield from asked


def _filled(code: str, words: dict[str, str]) -> str:
    """Put what is asked for in the place of the words in capitals."""
    return re.sub(rf"\b(?:{'|'.join(words)})\b", lambda match: words[match[0]], code)


def _own_file(side: ReportedSide) -> dict[str, str]:
    """Return the words for the model file that the package reads in the place of the tokenizer.json."""
    file = Path(side.files[0]) if side.files else Path()
    return {"FILE": ascii(file.name), "STEM": ascii(file.stem)}


def _label(side: ReportedSide) -> str:
    """Return what stands before an answer."""
    return f"{in_ascii(side.label)}:"


def in_ascii(text: str) -> str:
    r"""Return ``text`` on one line and in ASCII.

    >>> in_ascii("a\né")
    'a \\xe9'
    """
    return one_line(text).encode("ascii", "backslashreplace").decode("ascii")
