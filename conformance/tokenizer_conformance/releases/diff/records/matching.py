"""Which implementation of one record is which of the other: by name, by what it is, or as the user says."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PIN = re.compile(r"==|@| \((?:old|new)\)$")
"""What stands between the name of an implementation and its version, or which side it is."""


@dataclass(frozen=True, slots=True)
class Party:
    """An implementation or a trainer of a record, and whether others are compared with it."""

    name: str
    version: str
    is_baseline: bool = False

    @property
    def base(self) -> str:
        """The name without a version.

        >>> Party("tokenizers==0.19.1", "0.19.1").base
        'tokenizers'
        """
        return PIN.split(self.name, maxsplit=1)[0]


RULES: tuple[Callable[[Party], object], ...] = (
    lambda party: party.name,
    lambda party: (party.base, party.version),
    lambda party: (party.base, party.is_baseline),
)
"""What says that two are the same, if nobody else of their records has it; what says most stands first."""


@dataclass(frozen=True, slots=True)
class Matching:
    """Who is who: ``names`` are those of the new record by those of the old one, for all that are in both.

    What is only in the old record keeps its name, unless the new one calls another one so. ``said`` says in words what
    was not plain: other versions, other names, who is in one record alone.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    said: tuple[str, ...] = ()

    def name(self, old: str) -> str:
        """Return the name in the new record of what is called ``old`` in the old one."""
        return self.names.get(old, old)


def matched(then: Sequence[Party], now: Sequence[Party], given: Sequence[str] = ()) -> Matching:
    """Return who of ``then`` is who of ``now``; ``given`` are words ``OLDNAME=NEWNAME``.

    Raises :class:`BadInputError` for a word that names nobody, or somebody twice.
    """
    names = _given(then, now, given)
    for what_of in RULES:
        taken = set(names.values())
        olds = {each.name: what_of(each) for each in then if each.name not in names}
        news = {each.name: what_of(each) for each in now if each.name not in taken}
        names |= _unique(olds, news)
    by_name = {each.name: each for each in now}
    said = [line for each in then if each.name in names for line in _told(each, by_name[names[each.name]])]
    said += [
        f"{one_line(each.name)} {one_line(each.version)} is in the old record alone: {_hint(each, now, names)}"
        for each in then
        if each.name not in names
    ]
    found = set(names.values())
    said += [
        f"{one_line(each.name)} {one_line(each.version)} is in the new record alone: it was not asked then"
        for each in now
        if each.name not in found
    ]
    for each in then:
        # A name that stands for another one now must not be taken for it.
        if each.name not in names and each.name in by_name:
            names[each.name] = f"{each.name} (old)"
    return Matching(names, tuple(said))


def _hint(old: Party, now: Sequence[Party], names: Mapping[str, str]) -> str:
    taken = set(names.values())
    alike = [each.name for each in now if each.name not in taken]
    return f"say who it is now with --match {one_line(old.name)}=NAME" if alike else "it was not asked now"


def _given(then: Sequence[Party], now: Sequence[Party], words: Sequence[str]) -> dict[str, str]:
    olds, news = {each.name for each in then}, {each.name for each in now}
    names: dict[str, str] = {}
    for word in words:
        # Names may have "=" in them: tokenizers==0.19.1=tokenizers==0.23.3
        ends = [at for at, character in enumerate(word) if character == "="]
        pairs = [(word[:at], word[at + 1 :]) for at in ends]
        fitting = [(old, new) for old, new in pairs if old in olds and new in news]
        if len(fitting) != 1:
            raise BadInputError(
                f"--match {word!r}: write OLDNAME=NEWNAME; OLD has {_listed(olds)}, and NEW has {_listed(news)}"
            )
        old, new = fitting[0]
        if old in names or new in names.values():
            raise BadInputError(f"--match {word!r}: one of the two is matched already")
        names[old] = new
    return names


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(map(one_line, names))) or "nobody"


def _unique(olds: Mapping[str, object], news: Mapping[str, object]) -> dict[str, str]:
    """Return who has what nobody else has on his side and one has on the other."""
    then, now = (Counter(side.values()) for side in (olds, news))
    by_what = {what: name for name, what in news.items() if now[what] == 1}
    return {name: by_what[what] for name, what in olds.items() if then[what] == 1 and what in by_what}


def _told(old: Party, new: Party) -> list[str]:
    role = " (the baseline)" if new.is_baseline else ""
    if old.name != new.name:
        was, is_ = (f"{one_line(each.name)} {one_line(each.version)}" for each in (old, new))
        return [f"{was} then is taken for {is_} now{role}"]
    if old.version != new.version:
        return [f"{one_line(old.name)}{role}: {one_line(old.version)} then, {one_line(new.version)} now"]
    return []
