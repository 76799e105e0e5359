"""What is said of a finding that was made small: for people, and as JSON."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Decode, DecodeStream, Encode, Normalize, PreTokenize, plain_of
from tokenizer_conformance.comparison.character_names import name_of
from tokenizer_conformance.comparison.document_parts import names_of_ids, tokens_of
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.question_reduction import slots_of
from tokenizer_conformance.comparison.record_forms import difference_record, question_record
from tokenizer_conformance.comparison.wording import aligned, describe, subject_lines, window
from tokenizer_conformance.escape import code_point, one_line, quoted
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.minimize.minimization import SmallFinding
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.reduction import Json

MOST_CHARACTERS = 24
"""Up to how many characters are named one by one."""

LONGEST_DOCUMENT = 4000
"""Up to how many characters a tokenizer.json is printed whole."""


def lines_of(minimized: SmallFinding, length: int, baseline: str, implementation: str) -> Iterator[str]:
    """Yield what was found, as lines for people; ``length`` is that of the question as the run asked it."""
    after = minimized.after
    yield f"asked: {describe(after.question)} ({_smaller(after.question, length)})"
    yield from (f"  {line}" for line in subject_lines(after.question))
    yield from (f"  {line}" for line in _characters(after.question))
    yield f"{after.stage}: {after.difference.kind}" + _of_field(after)
    yield from window(after.difference, one_line(baseline), one_line(implementation))
    yield from _document_lines(minimized)
    yield f"made small in {counted(minimized.checks, 'check')}, {minimized.seconds:.1f} s"


def _of_field(witness: Witness) -> str:
    return "" if witness.difference.field is None else f" ({witness.difference.field})"


def _smaller(question: Observation, length: int) -> str:
    unit = "id" if isinstance(plain_of(question), Decode | DecodeStream) else "character"
    return f"{counted(length_of(question), unit)} of {length:,}"


def _characters(question: Observation) -> list[str]:
    """Return a line for each distinct character of the texts of ``question``."""
    characters = dict.fromkeys(character for slot in slots_of(question) if isinstance(slot, str) for character in slot)
    shown = [[quoted(each), code_point(each), name_of(each)] for each in list(characters)[:MOST_CHARACTERS]]
    more = len(characters) - len(shown)
    return [*aligned(shown), *([f"and {more:,} more"] if more else [])] if shown else []


def _document_lines(minimized: SmallFinding) -> Iterator[str]:
    document = minimized.after.document
    if document is None:
        if not minimized.takes_documents:
            yield "tokenizer.json: stays whole, for the implementation reads other files beside it"
        else:
            yield "tokenizer.json: stays whole, for no smaller one was found in the time that shows the same"
        return
    text = written(document)
    yield (
        f"tokenizer.json: {len(text.encode()):,} bytes of {minimized.bytes_before:,}, "
        f"{counted(len(tokens_of(document)), 'token')} in its vocabulary"
    )
    names = names_of_ids(document)
    ids = [number for slot in slots_of(minimized.after.question) if not isinstance(slot, str) for number in slot]
    for number in dict.fromkeys(ids):
        if number in names:
            yield f"  id {number} is {quoted(names[number])}"
    if len(text) <= LONGEST_DOCUMENT:
        yield f"  {json.dumps(document)}"


def written(document: Json) -> str:
    """Return ``document`` as the text of a file."""
    return json.dumps(document, ensure_ascii=True) + "\n"


def command_lines(minimized: SmallFinding, file: str, words: tuple[str, str]) -> list[str]:
    """Return the commands that show the difference, with the tokenizer.json at ``file``; none where a command cannot.

    ``words`` name the two sides on a command line.
    """
    question = minimized.after.question
    run = ["tokconf", "run", file, "-i", *words, "--baseline", words[0]]
    match question:
        case Normalize(text) | PreTokenize(text) | Encode(str(text), None):
            inputs = ["--no-builtin", "--inputs", "witness.txt", "--split", "file"]
            return [f"printf {_printf(text)} > witness.txt", shlex.join([*run, *inputs])]
        case Decode((number,)):
            return [shlex.join([*run, "--every-id", "--only", f"id {number}"])]
        case _:
            return []


def _printf(text: str) -> str:
    r"""Return ``text`` as an argument of printf: what is not plainly visible, or means something there, in octal.

    >>> _printf("a é%")
    "'a \\303\\251\\045'"
    """
    plain = {*map(chr, range(0x20, 0x7F))} - {"'", "\\", "%"}
    coded = "".join(
        character if character in plain else "".join(f"\\{byte:03o}" for byte in character.encode(errors="replace"))
        for character in text
    )
    return f"'{coded}'"


def record_of(minimized: SmallFinding, length: int, commands: Sequence[str]) -> dict[str, Any]:
    """Return what was found as JSON; ``length`` is that of the question as the run asked it."""
    after = minimized.after
    return {
        "stage": after.stage,
        "question": question_record(after.question),
        "characters": [
            {"code_point": code_point(character), "name": name_of(character)}
            for slot in slots_of(after.question)
            if isinstance(slot, str)
            for character in slot[:MOST_CHARACTERS]
        ],
        "difference": difference_record(after.difference),
        "is_another": minimized.is_another,
        "size": {"before": length, "after": length_of(after.question)},
        "document": after.document,
        "bytes": {
            "before": minimized.bytes_before,
            "after": None if after.document is None else len(written(after.document).encode()),
        },
        "checks": minimized.checks,
        "seconds": round(minimized.seconds, 3),
        "commands": list(commands),
    }
