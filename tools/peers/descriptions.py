"""What is said of a peer: its claims, what it is given, and the causes of its differences, as ``NAME.toml`` has them.

Everything that a file may hold is a field of a class here; a word that is none is an error, and so is a missing one.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from tokenizer_adapters.contract import Stage

FOLDER = Path(__file__).parent


class DescriptionError(Exception):
    """A file cannot be used. The message says which, where in it, and what is expected."""


class Kind(StrEnum):
    """The outcome of a cause.

    ``DIFFERENCE``: no way of asking was found that gives the answer of ``tokenizers``. ``FILE``: the file that the peer
    reads says nothing of it. ``DESIGN``: its documentation says that it is meant to be so. ``DEFAULT``: an option of
    the peer gives the answer of ``tokenizers``.
    """

    DIFFERENCE = "difference"
    FILE = "file"
    DESIGN = "design"
    DEFAULT = "default"


class Runs(StrEnum):
    """What runs the scripts of a peer."""

    PYTHON = "python"
    TRANSFORMERS_4 = "transformers 4"
    NODE = "node"
    OWN_ENVIRONMENT = "its environment"


QUESTIONS = {
    "normalize": "tokenizer.normalizer.normalize_str(TEXT)",
    "pre_tokenize": "[piece for piece, _ in tokenizer.pre_tokenizer.pre_tokenize_str(TEXT)]",
    "encode": "tokenizer.encode(TEXT, add_special_tokens=False).ids",
    "encode, with special tokens": "tokenizer.encode(TEXT).ids",
    "encode, with xyz (normalized) and yz (not) added": (
        '(tokenizer.add_tokens([__import__("tokenizers").AddedToken("xyz", normalized=True),'
        ' __import__("tokenizers").AddedToken("yz", normalized=False)]), tokenizer.encode(TEXT).ids)[1]'
    ),
    "encode words": "tokenizer.encode(TEXT, is_pretokenized=True, add_special_tokens=False).ids",
    "encode pair": "tokenizer.encode(TEXT, PAIR).ids",
    "types of a pair": "tokenizer.encode(TEXT, PAIR).type_ids",
    "type ids of a pair": "tokenizer.encode(TEXT, PAIR, add_special_tokens=False).type_ids",
    "overflowing parts, truncated to three ids": (
        "(tokenizer.enable_truncation(3, stride=1), [part.ids for part in tokenizer.encode(TEXT).overflowing])[1]"
    ),
    "tokens": "tokenizer.encode(TEXT, add_special_tokens=False).tokens",
    "offsets": "tokenizer.encode(TEXT, add_special_tokens=False).offsets",
    "decoded tokens": (
        "[tokenizer.decode([id], skip_special_tokens=False)"
        " for id in tokenizer.encode(TEXT, add_special_tokens=False).ids]"
    ),
    "special tokens mask": "tokenizer.encode(TEXT, add_special_tokens=False).special_tokens_mask",
    "decode": "tokenizer.decode(IDS)",
    "decode, keeping special tokens": "tokenizer.decode(IDS, skip_special_tokens=False)",
    "decode, without a decoder": '(setattr(tokenizer, "decoder", None), tokenizer.decode(IDS))[1]',
    "decode id by id": (
        "(lambda stream: [stream.step(tokenizer, id) for id in IDS])"
        '(__import__("tokenizers").decoders.DecodeStream(skip_special_tokens=True))'
    ),
}
"""What a finding may ask, and how ``tokenizers`` is asked for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One way of asking that was ``chosen`` ``over`` another, and ``why``."""

    chosen: str
    over: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """Something that the peer does not have: ``what``, as a sentence."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How a peer is called without this project: what ``runs`` the script, and the ``setup`` before each call."""

    runs: str = Runs.PYTHON
    setup: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One cause of differences.

    ``checkpoint`` is that of the smallest example, ``ask`` one of :data:`QUESTIONS` about ``text`` (and ``pair``) or
    ``ids``; ``call`` asks the peer. ``ours`` and ``theirs`` are the very answers, as literals. ``tried`` are other ways
    to ask, none of which gives the answer of ``tokenizers``; ``avoid`` is one that does. ``by_hand`` does so too, with
    rules of the peer that were changed by hand, which no file and no option gives. ``also`` says where else the cause
    shows.
    """

    cause: str
    why: str
    kind: str = Kind.DIFFERENCE
    stage: str
    checkpoint: str
    ask: str
    text: str | list[str] | None = None
    pair: str | None = None
    ids: tuple[int, ...] | None = None
    call: str
    ours: str
    theirs: str
    tried: tuple[str, ...] = ()
    avoid: str | None = None
    by_hand: str | None = None
    also: str = ""
    setup: str = ""
    model: str = ""

    @property
    def subject(self) -> str:
        """What was asked about, as a literal."""
        if self.ids is not None:
            return ascii(list(self.ids))
        return ascii(self.text if self.pair is None else (self.text, self.pair))


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """All that is said of an implementation ``name``."""

    name: str
    claims: str
    given: str
    shows: str
    loads: str
    choices: tuple[Choice, ...] = ()
    lacks: tuple[str, ...] = ()
    asking: Asking | None = None
    findings: tuple[Finding, ...] = ()

    def setup_of(self, finding: Finding) -> str:
        """Return the lines before the call of ``finding``."""
        return (finding.setup or (self.asking.setup if self.asking else "")).strip()


def read_peers(folder: Path = FOLDER) -> list[Peer]:
    """Return all peers that are described in ``folder``, by name.

    Raises :class:`DescriptionError`.
    """
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise DescriptionError(f"{folder} holds no description")
    return [_read(file) for file in files]


def _read(file: Path) -> Peer:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(f"{file.name}: {error}") from error
    tables = {word: _tables(file.name, word, found.pop(word, [])) for word in ("option", "lack", "finding")}
    asking = found.pop("ask", None)
    if asking is not None and not isinstance(asking, dict):
        raise DescriptionError(f"{file.name}: ask is a table, written [ask]")
    peer: Peer = _Table(file.name, found, ("ask", *tables)).read(
        Peer,
        name=file.stem,
        choices=tuple(table.read(Choice) for table in tables["option"]),
        lacks=tuple(table.read(Lack).what for table in tables["lack"]),
        asking=None if asking is None else _Table(f"{file.name}: ask", asking).read(Asking),
        findings=tuple(map(_finding, tables["finding"])),
    )
    causes = [each.cause for each in peer.findings]
    questions = [f"{each.checkpoint}, {each.ask} {each.subject}" for each in peer.findings]
    for value, count in Counter((*causes, *questions)).items():
        if count > 1:
            raise DescriptionError(f"{file.name}: {value!r} is there {count} times")
    return peer


def _tables(file: str, word: str, found: Any) -> list[_Table]:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise DescriptionError(f"{file}: {word} is a list of tables, each written [[{word}]]")
    return [_Table(f"{file}: {word} {number}", each) for number, each in enumerate(found, 1)]


def _finding(table: _Table) -> Finding:
    where, found = table.where, table.values
    for word in ("ids", "tried"):
        if word in found:
            found[word] = tuple(found[word])
    finding: Finding = table.read(Finding)
    words: list[tuple[str, str, list[str]]] = [
        ("kind", finding.kind, list(Kind)),
        ("stage", finding.stage, [*Stage, "load"]),
        ("ask", finding.ask, list(QUESTIONS)),
    ]
    for word, value, allowed in words:
        if value not in allowed:
            raise DescriptionError(f"{where}: {word} is {value!r}, and none of {', '.join(allowed)}")
    if (finding.text is None) is (finding.ids is None):
        raise DescriptionError(f"{where}: it asks about a text or about ids, one of the two")
    if (finding.avoid is None) is (finding.kind == Kind.DEFAULT):
        raise DescriptionError(f"{where}: avoid, a call that gives the answer of tokenizers, makes it a {Kind.DEFAULT}")
    if finding.ours == finding.theirs:
        raise DescriptionError(f"{where}: both sides have one answer, {finding.ours}")
    return finding


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of TOML, and where it stands; ``tables`` are the names of those in it."""

    where: str
    values: dict[str, Any]
    tables: tuple[str, ...] = ()

    def read(self, kind: type[Any], **given: object) -> Any:
        """Return the table as a value of ``kind``; ``given`` are fields that stand elsewhere."""
        declared = {field.name: field for field in fields(kind)}
        unknown = sorted(self.values.keys() - (declared.keys() - given.keys()))
        if unknown:
            known = [name for name in declared if name not in given]
            raise DescriptionError(
                f"{self.where}: it has {', '.join(unknown)}; known are {', '.join((*known, *self.tables))}"
            )
        missing = [
            name
            for name, field in declared.items()
            if field.default is MISSING and name not in self.values and name not in given
        ]
        if missing:
            raise DescriptionError(f"{self.where}: it lacks {', '.join(missing)}")
        return kind(**self.values, **given)
