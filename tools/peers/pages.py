"""The pages about peers: an overview, one page for each, and the list of what each is given.

A page says what an implementation claims, how it was asked, how far it agrees with ``tokenizers`` on texts and passes
the suite, and the causes of the differences that were found. Pages are Markdown; what comes from a peer or a tokenizer
is shown as code, or as words in which nothing is markup.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from peers.asking import call_of
from peers.descriptions import Finding, Kind, Peer, Runs
from peers.records import Asked, Novelty, Run, SuiteRun
from tokenizer_adapters.contract import Field
from tokenizer_conformance.command_io.markdown import Markdown, as_code, as_words
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.validation.running.wording import load_reason, percent

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    from peers.records import Agreement

ENCODINGS = ("truncation", "padding", "offsets", "pairs", "pre-split", "batches", "encodings")

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("normalizers", ("normalizers", "NormalizedString")),
    ("pre-tokenizers", ("pre_tokenizers", "pre_tokenization", "Regex")),
    ("models", ("models",)),
    ("added tokens", ("added_tokens",)),
    ("post-processors", ("processors",)),
    ("pairs, truncation, padding", ENCODINGS),
    ("decoders", ("decoders", "decoding")),
    ("whole pipelines", ("pipelines",)),
    ("options in combination", ("combined",)),
    ("files, vocabulary", ("tokenizer", "saving", "vocabulary")),
    ("chat templates", ("chat",)),
)
"""Groups of the suite's areas, by what their names begin with."""

IMPORTANCES = ("core", "edge", "quirk")

KINDS: tuple[tuple[Kind, str, str], ...] = (
    (
        Kind.DIFFERENCE,
        "Differences",
        "Without rules changed by hand, no option was found with which it answers as `tokenizers` does.",
    ),
    (
        Kind.DEFAULT,
        "Differences that an option avoids",
        "With its defaults it differs, with the option named it does not. Figures are with it, unless said otherwise.",
    ),
    (
        Kind.FILE,
        "What its files do not say",
        "It reads another file than the tokenizer.json, or a part of it; what is not in there it cannot know.",
    ),
    (Kind.DESIGN, "Meant to be so", "Its documentation says so."),
)
"""The kinds of findings, each with its title and what it means."""

LONGEST_ANSWER = 160
"""How many characters of an answer are shown."""


@dataclass(frozen=True, slots=True)
class Results:
    """What was measured: on the built-in inputs, on lines of books, and with the suite.

    ``as_given`` are the places (implementation and tokenizer) where the files as they were given did better than the
    full configuration.
    """

    builtin: Run
    texts: Run
    suite: SuiteRun
    as_given: frozenset[tuple[str, str]]

    @property
    def baseline(self) -> str:
        """The name of the implementation that the others are compared with."""
        return str(self.builtin.header["baseline"])

    def info(self, name: str) -> dict[str, Any]:
        """Return what the implementation called ``name`` says of itself."""
        found: dict[str, Any] = next(each for each in self.builtin.header["implementations"] if each["name"] == name)
        return found


def group_of(area: str) -> str:
    """Return the group of the area ``area``.

    >>> group_of("models.BPE"), group_of("tokenizer.json")
    ('models', 'files, vocabulary')

    Raises :class:`KeyError` where it belongs to none.
    """
    head = area.partition(".")[0]
    for group, heads in GROUPS:
        if head in heads:
            return group
    raise KeyError(f"no group has the area {area}")


def as_prose(text: str) -> Markdown:
    r"""Return ``text``, which a description has, as running words: nothing in it is markup but its code spans.

    >>> as_prose("a `<s>` and <s>, [CLS]")
    'a `<s>` and \\<s\\>, \\[CLS\\]'
    """
    parts = re.split(r"((?<!`)`[^`]+`(?!`))", " ".join(text.split()))
    escaped = (part if place % 2 else re.sub(r"([\\`*\[\]<>|~])", r"\\\1", part) for place, part in enumerate(parts))
    return Markdown("".join(escaped))


# The suite -----------------------------------------------------------------------------------------------------------


def standing_cells(counts: Counter[Novelty]) -> list[str]:
    """Return the counts of requirements as cells: passed, failed, not loaded, cannot be asked."""
    return [f"{counts[standing]:,}" for standing in Novelty]


def of_asked(counts: Counter[Novelty]) -> str:
    """Return how many requirements passed, of those that could be asked of a tokenizer that was loaded.

    >>> from collections import Counter
    >>> of_asked(Counter({Novelty.PASSED: 3, Novelty.FAILED: 1, Novelty.NOT_SHOWN: 9}))
    '3 of 4'
    """
    asked = counts[Novelty.PASSED] + counts[Novelty.FAILED]
    return f"{counts[Novelty.PASSED]:,} of {asked:,}" if asked else "–"


def group_rows(suite: SuiteRun, name: str) -> Iterator[list[str]]:
    """Yield a row for each group of areas: its name, then what was passed of core, edge and quirk."""
    areas = suite.areas(name)
    for group, _ in GROUPS:
        members = [area for area in areas if group_of(area) == group]
        yield [group, *(of_asked(suite.count(name, importance, members)) for importance in IMPORTANCES)]


# Texts ---------------------------------------------------------------------------------------------------------------


def both(results: Results, name: str, tokenizer: str) -> tuple[Agreement, Agreement]:
    """Return how an implementation agrees on the lines of books, and on the built-in inputs."""
    return results.texts.agreements[name, tokenizer], results.builtin.agreements[name, tokenizer]


def overview_cell(results: Results, name: str, tokenizer: str, asked: Asked) -> str:
    """Return the share of the lines of books, and of the built-in inputs, whose ids or decoded text agree.

    It is rounded down: "100 %" means all of them. That of ids is the lower one of what agrees without and with special
    tokens, with a * where none with them are shown.
    """
    field = "text" if asked is Asked.DECODE else "ids"
    agreements = both(results, name, tokenizer)
    if any(asked not in agreement.differing for agreement in agreements):
        return "–"
    is_plain = asked is Asked.TEXT and any(Asked.TEMPLATE not in each.differing for each in agreements)
    ways = (Asked.TEXT, Asked.TEMPLATE) if asked is Asked.TEXT and not is_plain else (asked,)
    differing = [max(each.differing[way].get(field, 0) for way in ways) for each in agreements]
    shares = [percent(each.inputs - other, each.inputs) for each, other in zip(agreements, differing, strict=True)]
    return (shares[0] if shares[0] == shares[1] else " · ".join(shares)) + ("*" if is_plain else "")


def tokenizer_rows(results: Results, name: str) -> Iterator[list[Markdown]]:
    """Yield a row for each tokenizer that was loaded: what it was given, how many inputs differ in what."""
    for tokenizer in results.builtin.tokenizers:
        agreements = both(results, name, tokenizer)
        if agreements[1].refusal is None:
            files = ", ".join(agreements[1].files) or "tokenizer.json"
            yield [
                as_code(tokenizer),
                as_words(files + (" as they are" if (name, tokenizer) in results.as_given else "")),
                as_words(_differing(agreements, Asked.TEXT, "ids")),
                as_words(_other_fields(agreements)),
                *(as_words(_differing(agreements, asked, "ids")) for asked in (Asked.TEMPLATE, Asked.PAIR)),
                as_words(_differing(agreements, Asked.DECODE, "text")),
            ]


def _differing(agreements: tuple[Agreement, Agreement], asked: Asked, field: str) -> str:
    """Return on how many lines of books and on how many built-in inputs ``field`` differs."""
    if any(asked not in agreement.differing for agreement in agreements):
        return "–"
    texts, builtin = (agreement.differing[asked].get(field, 0) for agreement in agreements)
    return f"{texts:,} · {builtin:,}" if texts or builtin else "0"


def _other_fields(agreements: tuple[Agreement, Agreement]) -> str:
    """Name the fields that differ on more inputs than ids do, which is not because of these."""
    counts = [agreement.differing.get(Asked.TEXT, {}) for agreement in agreements]
    more = [field for field in Field if any(each.get(field, 0) > each.get("ids", 0) for each in counts)]
    return ", ".join(f"{field} {_differing(agreements, Asked.TEXT, field)}" for field in more) or "–"


def refusals(results: Results, name: str) -> list[tuple[str, str]]:
    """Return the reasons why tokenizers were not loaded, each with the names of the tokenizers."""
    names: dict[str, list[str]] = {}
    for tokenizer in results.builtin.tokenizers:
        refusal = results.builtin.agreements[name, tokenizer].refusal
        if refusal is not None:
            names.setdefault(load_reason(refusal, tokenizer), []).append(tokenizer)
    return [(", ".join(tokenizers), reason) for reason, tokenizers in names.items()]


def finer_sum(results: Results, name: str) -> int:
    """Return how many answers of ``name`` had finer offsets."""
    return sum(
        agreement.finer
        for run in (results.builtin, results.texts)
        for (each, _), agreement in run.agreements.items()
        if each == name
    )


# Findings ------------------------------------------------------------------------------------------------------------


def shortened(answer: str) -> str:
    r"""Return the literal ``answer``, or its beginning where it is long.

    Of several spaces a browser shows one, so each after the first is escaped.

    >>> shortened("'a  b'")
    "'a \\x20b'"
    """
    visible = re.sub(r"(?<= ) ", r"\\x20", answer)
    return visible if len(visible) <= LONGEST_ANSWER else f"{visible[:LONGEST_ANSWER]}…"


def by_kind(peer: Peer) -> list[tuple[str, str, list[Finding]]]:
    """Return the findings of ``peer`` by kind: title, what the kind means, findings."""
    groups = [(title, meaning, [each for each in peer.findings if each.kind == kind]) for kind, title, meaning in KINDS]
    return [group for group in groups if group[2]]


def calls(peer: Peer, finding: Finding) -> list[Markdown]:
    """Return the other ways to ask that were tried, as code."""
    return [as_code(call_of(peer, finding, each)) for each in finding.tried]


# Pages ---------------------------------------------------------------------------------------------------------------


def overview(peers: Iterable[Peer], results: Results, command: str) -> str:
    """Return the page over all peers."""
    names = {peer.name: _link(peer.name) for peer in peers}
    own = {each["name"]: as_code(each["name"]) for each in results.builtin.header["implementations"]}
    rows = {name: shown for name, shown in own.items() if name not in names and name != results.baseline} | names
    return _rendered("overview.md.jinja", rows=rows, results=results, command=command, loads_any=_loads_any)


def _loads_any(results: Results, name: str) -> bool:
    """Return whether ``name`` loads any of the tokenizers whose texts were asked about."""
    return any(results.builtin.agreements[name, tokenizer].refusal is None for tokenizer in results.builtin.tokenizers)


def _link(name: str) -> Markdown:
    """Return the name of a peer as a link to its page."""
    return Markdown(f"[{name}](peers/{name}.md)")


def page(peer: Peer, results: Results) -> str:
    """Return the page about ``peer``."""
    language = {Runs.NODE: "js"}.get(Runs(peer.asking.runs) if peer.asking else Runs.PYTHON, "python")
    return _rendered("peer.md.jinja", peer=peer, results=results, language=language)


def list_of_peers(peers: Iterable[Peer]) -> str:
    """Return the page that says what every peer is given, shows and loads, and which options were chosen."""
    return _rendered("PEERS.md.jinja", peers=list(peers))


def _rendered(template: str, **values: object) -> str:
    environment = markdown_environment("peers")
    environment.filters |= {"prose": as_prose}
    environment.globals |= {
        "asked": Asked,
        "by_kind": by_kind,
        "call_of": call_of,
        "calls": calls,
        "finer_sum": finer_sum,
        "group_rows": group_rows,
        "groups": GROUPS,
        "importances": IMPORTANCES,
        "of_asked": of_asked,
        "overview_cell": overview_cell,
        "refusals": refusals,
        "shortened": shortened,
        "standing_cells": standing_cells,
        "tokenizer_rows": tokenizer_rows,
    }
    return environment.get_template(template).render(**values)
