"""The records of the parts of one run: whether they belong together, and which of them are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import MergedPart
from tokenizer_conformance.errors import BadInputError, form_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.command_io.shard import Shard

Json = dict[str, Any]

CHANGES_SHOWN = 8
"""How many things that differ between two records are named."""


def state_of(read: RecordedLines) -> str | None:
    """Say why the part that was ``read`` is not whole; ``None`` where it is.

    A part that has stopped where it was told to, or broke, has come to its end.
    """
    if read.cut is not None:
        return f"its run was killed: {read.cut}"
    footer = read.footer
    if footer is not None and footer.get("conclusion") == Conclusion.INTERRUPTED:
        return f"its run was interrupted (line {len(read.lines)})"
    return None


def merged_parts(parts: Iterable[tuple[RecordedLines, Shard | None, Environment]]) -> tuple[MergedPart, ...]:
    """Return how the merged record names its parts."""
    return tuple(
        MergedPart(shard, read.path.name, environment, state_of(read))
        for read, shard, environment in parts
        if shard is not None
    )


def in_order(parts: Sequence[RecordedLines], changes: Callable[[Json, Json], list[str]]) -> list[RecordedLines]:
    """Return the records of ``parts`` of one run in the order of the parts; ``changes`` tells two headers apart.

    Raises :class:`BadInputError` where one is no part of a run, is of another run, or is there twice.
    """
    for part in parts:
        _refuse_what_is_no_part(part)
    first = parts[0]
    there: dict[int, RecordedLines] = {}
    for part in parts:
        of, number = part.header["shard"]["of"], part.header["shard"]["part"]
        differ = [] if of == first.header["shard"]["of"] else [f"{first.header['shard']['of']} parts there, {of} here"]
        differ += _changes(part, first, changes)
        if differ:
            shown = "; ".join(differ[:CHANGES_SHOWN])
            more = f"; and {len(differ) - CHANGES_SHOWN} more" if len(differ) > CHANGES_SHOWN else ""
            raise BadInputError(
                f"{str(part.path)!r} is a part of another run than {str(first.path)!r} ({shown}{more}); merge the "
                "parts of one run"
            )
        if number in there:
            raise BadInputError(
                f"part {number} of {of} is there twice: {str(there[number].path)!r} and {str(part.path)!r}; give each "
                "part once"
            )
        there[number] = part
    return [there[number] for number in sorted(there)]


def _changes(part: RecordedLines, first: RecordedLines, changes: Callable[[Json, Json], list[str]]) -> list[str]:
    try:
        return changes(first.header, part.header)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise part.fault(1, form_words(error)) from error


OF_ONE_PART = ("environment", "shard", "merged")
"""The members of a header that are those of a part alone."""


def changes_of_headers(one: Json, other: Json, names: Mapping[str, str] | None = None) -> list[str]:
    """Return what is not the same in the headers of two parts, a phrase for each.

    ``names`` are those of the members that are compared, in words; without that, all but :data:`OF_ONE_PART` are.
    Raises ``KeyError`` or ``TypeError`` where one is no header.
    """
    if names is None:
        names = {key: key.replace("_", " ") for key in {**one, **other} if key not in OF_ONE_PART}
    told = [
        f"{words}: {_shown(one.get(key))} there, {_shown(other.get(key))} here"
        for key, words in names.items()
        if one.get(key) != other.get(key)
    ]
    versions = [each["environment"]["tokconf"] for each in (one, other)]
    return told if versions[0] == versions[1] else [f"tokconf {versions[0]} there, {versions[1]} here", *told]


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value)) or "none"
    if isinstance(value, dict):
        named = [str(value[key])[:12] for key in ("name", "version", "sha256") if key in value]
        return " ".join(named) or ", ".join(f"{key} {_shown(each)}" for key, each in value.items())
    return "none" if value in (None, "") else str(value)


def _refuse_what_is_no_part(part: RecordedLines) -> None:
    if "merged" in part.header:
        raise BadInputError(
            f"{str(part.path)!r} was merged of {len(part.header['merged'])} parts already; give these parts themselves"
        )
    if part.header.get("shard") is None:
        raise BadInputError(f"{str(part.path)!r} is the record of a whole run, and no part of one: --shard makes these")
    shard = part.header["shard"]
    numbers = [shard.get(key) for key in ("part", "of")] if isinstance(shard, dict) else [None]
    if not all(isinstance(number, int) for number in numbers) or not 1 <= shard["part"] <= shard["of"]:
        raise part.fault(1, f"'shard' is {shard!r}")


def missing(parts: Sequence[RecordedLines]) -> list[str]:
    """Say of each part that is not there, or not whole, what is missing; the ``parts`` are those of one run."""
    of = parts[0].header["shard"]["of"]
    there = {part.header["shard"]["part"]: part for part in parts}
    absent = [number for number in range(1, of + 1) if number not in there]
    told = [f"{_listed(absent)} of {of} {'is' if len(absent) == 1 else 'are'} missing"] if absent else []
    for number, part in sorted(there.items()):
        state = state_of(part)
        if state is not None:
            told.append(f"part {number} of {of}, {str(part.path)!r}, is not whole: {state}")
    return told


def _listed(numbers: list[int]) -> str:
    """Name the parts of these numbers.

    >>> _listed([1]), _listed([1, 3, 4, 5])
    ('part 1', 'parts 1, 3-5')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] + 1 == number:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    words = ", ".join("-".join(map(str, run)) for run in runs)
    return f"part{'' if len(numbers) == 1 else 's'} {words}"
