"""The page of a comparison of releases: what breaks for whom goes from one release to another."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

import msgspec

from tokenizer_adapters.contract import OffsetUnit, Stage
from tokenizer_conformance.causes.page import cause_finding
from tokenizer_conformance.comparison.differences import DifferenceKind
from tokenizer_conformance.plural import FEW, counted, few
from tokenizer_conformance.releases.versions.alike import alike, told
from tokenizer_conformance.releases.versions.answer import MOST_NAMED, SHORT, WITH_TRUNCATION, Upgrade, named
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import BEFORE
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Drawing,
    Fact,
    Matrix,
    Novelty,
    Page,
    Section,
    ShownFinding,
    State,
    Table,
)
from tokenizer_conformance.results.plots.plot import Bar, Bars
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    PageReader,
    RecordedPage,
    entry_place,
    environment_facts,
    page_state,
    stale_entries,
)
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records import run as run_lines
from tokenizer_conformance.results.records import versions as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.versions import Changed
from tokenizer_conformance.results.sentences import plain
from tokenizer_conformance.validation.running.loading_finding import loading_finding
from tokenizer_conformance.validation.running.page import RunReader, asked_again_sentence
from tokenizer_conformance.validation.running.plan import Call, Repeated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.releases.versions.alike import AlikeChanges
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

Pair = tuple[int, int]
"""The numbers of two releases among those that were asked, the older one first."""

NO_ANSWER = frozenset(
    kind.value
    for kind in (DifferenceKind.CRASHED, DifferenceKind.TIMED_OUT, DifferenceKind.BROKE_PROTOCOL, DifferenceKind.RAISED)
)
"""The kinds of differences that are no answer in place of one."""

MOST_TOKENIZERS = 7
"""How many tokenizers have a part of their own in the plot; those that change most."""

NOT_SHOWN = "Known changes that no answer shows; `tokconf changes` has a program for each."

ALWAYS_TOLD = {SHORT[Changed.IDS], SHORT[Changed.OFFSETS], WITH_TRUNCATION}
"""What people ask of an upgrade, whether it changes or not."""

WITHOUT_SNAPSHOTS = "tokconf diff --only "
"""How a command begins that cannot be used: it names an input alone, and not the two sides."""

ITSELF = Cell(State.NOT_COMPARED, "itself")


@dataclass(frozen=True, slots=True)
class _Loaded:
    """Which ``releases`` load a tokenizer, and on which inputs each two of them differ about it."""

    releases: frozenset[int]
    differing: dict[Pair, lines.Differing]

    def inputs(self, pair: Pair) -> int:
        return self.differing[pair].inputs if pair in self.differing else 0

    def sources(self, pair: Pair) -> tuple[lines.DifferingSource, ...]:
        return self.differing[pair].sources if pair in self.differing else ()

    def stages(self, pair: Pair) -> dict[Stage, int]:
        return self.differing[pair].stages if pair in self.differing else {}


@dataclass(frozen=True, slots=True)
class _Step:
    """What changed from a release to the next one, with its ``number`` from 1."""

    number: int
    line: lines.Step
    findings: tuple[ShownFinding, ...]

    def changes(self) -> list[ShownFinding]:
        """Return what changed; an answer that is not repeated is no change."""
        return [each for each in self.findings if each.standing is not Novelty.UNSTABLE]

    def told_once(self) -> Iterator[ShownFinding]:
        """Yield what was found, without what causes tell: all of a tokenizer on which one of these is shown."""
        told = {each.tokenizer for each in self.line.tokenizers if each.causes and not each.uncounted}
        told &= {each.tokenizer for each in self.line.causes}
        is_twice = {"findings"} if not self.line.without_cause else set()
        return (each for each in self.findings if each.group not in is_twice or each.tokenizer not in told)

    def news(self) -> list[ShownFinding]:
        """Return the changes that nothing explains: causes where these were looked for, else what was found."""
        groups = {"causes", "changes"} if self.line.causes else {"findings", "changes"}
        return [each for each in self.findings if each.group in groups and each.standing is Novelty.NEW]


class VersionsReader(PageReader[lines.Header]):
    """Reads the record of a comparison of releases."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._inputs = header.inputs.count
        self._versions = {each.word: each.version for each in header.releases}
        self._tokenizers = [each.name for each in header.tokenizers]
        self._words = _words_of(header)
        self._releases: list[str] = []
        self._loaded: dict[str, _Loaded] = {}
        self._steps: list[_Step] = []
        self._sections: dict[str, lines.Section] = {}
        self._facts: list[ShownFinding] = []
        self._bisected: dict[tuple[str, str, str, int], Fact] = {}
        self._speeds: list[Table] = []
        self._footer: lines.Footer | None = None
        self._remarks: list[str] = []

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case lines.Refused():
                self.complaints.append(line.reason)
            case lines.Release():
                self._take_release(line)
            case lines.Matrix():
                differing = {each.releases: each for each in line.differing}
                self._loaded[line.tokenizer] = _Loaded(frozenset(line.loaded), differing)
            case lines.Step():
                self._take_step(line)
            case lines.Bisected():
                key = (line.old, line.new, line.what, line.number)
                self._bisected[key] = Fact("since", _boundary(line))
            case lines.Section():
                self._take_section(line)
            case lines.Speed():
                self._take_speed(line)
            case lines.Footer():
                self._footer = line

    def _take_release(self, line: lines.Release) -> None:
        self._releases.append(line.release)
        kept = ", kept from an earlier run" if line.kept else ""
        loaded = counted(line.loaded, "tokenizer")
        self.news.append(f"{line.release} {line.version}: {loaded} asked about{kept}; {line.seconds:.1f} s")
        if line.refused:
            self._remarks.append(f"{line.release} refuses {counted(line.refused, 'tokenizer')}.")

    def _take_step(self, line: lines.Step) -> None:
        number, old, new = len(self._steps) + 1, line.old, line.new
        findings = (*self._causes(line), *self._loading(line), *self._found(line))
        told = tuple(replace(each, id=f"step-{number}/{each.id}", implementation=new) for each in findings)
        self._steps.append(_Step(number, line, told))
        self.news.append(f"{old} -> {new}: {_changed(line)}; {line.seconds:.1f} s")
        self._remarks += map(asked_again_sentence, line.asked_again)
        if line.unstable and line.unconfirmed:
            further = counted(line.unconfirmed, "further input")
            self._remarks.append(
                f"{old} → {new}: {further} with other answers, of which it is not known whether they are unstable."
            )

    def _causes(self, line: lines.Step) -> Iterator[ShownFinding]:
        total = f" of {self._inputs * (len(self._tokenizers) + len(self._header.truncated)):,}"
        for number, cause in enumerate(line.causes, 1):
            other = line.old if cause.implementation == line.new else line.new
            found = cause_finding(json_of(cause), number=number, baseline=other, total=total)
            yield self._repeatable(found, line)

    def _loading(self, line: lines.Step) -> Iterator[ShownFinding]:
        for number, change in enumerate(line.loading, 1):
            yield loading_finding(change, self._header.ledgers, number=number, sides=(line.old, line.new))

    def _found(self, line: lines.Step) -> tuple[ShownFinding, ...]:
        """Return what was found in the answers: a step is a run of the new release, and the old one is its baseline."""
        run = RunReader("", self._header_of_run(line))
        for each in line.tokenizers:
            # A step asks again about the inputs that differ alone; all were compared.
            told = {**json_of(each), "type": "tokenizer", "inputs": self._inputs}
            run.take(msgspec.convert(told, run_lines.Tokenizer))
        return tuple(self._repeatable(each, line) for each in run.findings())

    def _repeatable(self, finding: ShownFinding, step: lines.Step) -> ShownFinding:
        """Return a ``finding`` of a ``step`` with a command that shows it again.

        Records used to have one for two snapshots, without these. It named the input, which is asked about again.
        """
        if not finding.repeat.startswith(WITHOUT_SNAPSHOTS):
            return finding
        *_, asked = shlex.split(finding.repeat)
        call = Call(tokenizers=self._words)
        again = call.repeat(Repeated(finding.tokenizer, step.old, step.new, asked, ""))
        return replace(finding, repeat=again if finding.tokenizer in self._words else "")

    def _header_of_run(self, line: lines.Step) -> run_lines.Header:
        sides = tuple(
            headers.Implementation(
                name=name,
                version=self._versions.get(name, ""),
                language="",
                home_page="",
                offset_unit=OffsetUnit.CODE_POINTS,
                stages=(),
                fields=(),
            )
            for name in (line.old, line.new)
        )
        return run_lines.Header(
            schema=run_lines.FORMAT.name,
            version=run_lines.FORMAT.version,
            environment=self._header.environment,
            seed=0,
            baseline=line.old,
            implementations=sides,
            tokenizers=(),
            inputs=run_lines.Inputs(count=self._inputs, sha256=self._header.inputs.sha256),
            stages=(),
            fields=(),
            every_id=False,
            required=(),
        )

    def _take_section(self, line: lines.Section) -> None:
        name = line.section
        self._sections[name] = line
        self._facts += fact_findings(line, self._header.ledgers)
        self._remarks += (
            f"{name}: nothing is known of {release}: {reason}" for release, reason in line.missing.items()
        )
        self._remarks += (
            f"{name}: {release} did not repeat {counted(len(names), 'fact')}, which are not compared."
            for release, names in line.unstable.items()
            if names
        )

    def _take_speed(self, line: lines.Speed) -> None:
        rows = tuple((row.release, row.measure, row.median, row.ratio, *row.spread) for row in line.rows)
        columns = ("release", "measure", "median", "times the first release", "from", "to")
        note = "; ".join(f"{release}: {reason}" for release, reason in line.missing.items())
        self._speeds.append(Table(f"Speed and memory with {line.tokenizer}", columns, rows, note))

    def page(self, ended: Ended) -> Page:
        """Return the page of the comparison."""
        header = self._header
        findings = (*self._step_findings(), *self._facts)
        return Page(
            name=self._name,
            kind="versions",
            title=self._page_title(),
            state=page_state(ended, findings),
            conclusion=ended.conclusion.value,
            summary=self._summary(),
            headline=f"{BEFORE.get(ended.conclusion, '')}{self._headline()}",
            sentences=tuple(
                plain(
                    (
                        *islice(self._upgrades(), 1, None),  # the first is the headline
                        *self._remarks,
                        *stale_entries(header.ledgers, () if self._footer is None else self._footer.stale),
                    )
                )
            ),
            facts=(*environment_facts(header.environment), *self._page_facts()),
            compared=tuple(Compared(word, version, "release") for word, version in self._versions.items()),
            complaints=(*ended.complaints, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(self._step_findings()),
            findings=findings,
            counted="inputs or facts",
            sections=tuple(self._page_sections()),
        )

    # What is said first

    def _summary(self) -> str:
        footer = self._footer
        if footer is None:
            return CUT_SHORT
        changed = sum(bool(each.changes()) for each in self._steps)
        unstable = sum(bool(each.line.unstable) for each in self._steps)
        also = f", {counted(unstable, 'step')} with unstable answers" if unstable else ""
        return (
            f"{counted(footer.releases, 'release')}, "
            f"{counted(footer.tokenizers, 'tokenizer')}, {counted(changed, 'step')} with other answers or "
            f"another way of loading, {counted(self._changed_facts(self._releases[1:]), 'changed fact')}{also}"
        )

    def _page_title(self) -> str:
        """Name the releases, each package once, and the tokenizers."""
        by_package: dict[str, list[str]] = {}
        for word in self._versions:
            package, _, version = word.rpartition("==")
            by_package.setdefault(package, []).append(version)
        told = [
            f"{package} {few(versions, 'release')}".strip()
            if len(versions) <= FEW
            else f"{counted(len(versions), 'release')} of {package}"
            for package, versions in by_package.items()
        ]
        return f"{' and '.join(told)} on {few(self._tokenizers, 'tokenizer')}"

    def _headline(self) -> str:
        """Say what breaks for whom goes from the oldest release to the newest."""
        return next(self._upgrades(), "nothing was compared").removesuffix(".")

    def _page_facts(self) -> Iterator[Fact]:
        header = self._header
        yield Fact("inputs", f"{self._inputs:,} for each tokenizer (SHA-256 {header.inputs.sha256[:16]}…)")
        for each in header.tokenizers:
            yield Fact("tokenizer", f"{each.name} (SHA-256 {each.sha256[:16]}…)")
        yield Fact("facts compared", ", ".join(header.sections.compared) or "none")
        left_out = header.sections.left_out
        if left_out:
            yield Fact("facts not compared", f"{', '.join(left_out)} (--section NAME compares them, too)")
        for each in header.truncated[:1]:
            yield Fact(
                "also asked", f"each tokenizer with truncation to {each.max_length} tokens, stride {each.stride}"
            )

    def _upgrades(self) -> Iterator[str]:
        """Say of every release what breaks for whom goes from it to the newest one; then what more each step tells."""
        newest = len(self._releases) - 1
        for old in range(newest):
            yield f"From {self._releases[old]} to {self._releases[newest]}: {'; '.join(self._upgrade((old, newest)))}."
        for step in self._steps:
            is_last = self._releases[newest] == step.line.new  # the answer about this pair has told its causes
            told = "; ".join((*(() if is_last else _explained(step)), *_also_changed(step.line)))
            if told:
                yield f"{step.line.old} → {step.line.new}: {told}."

    def _upgrade(self, pair: Pair) -> Iterator[str]:
        yield from self._answer(pair).parts() if self._loaded else ()
        counts = {name: loaded.inputs(pair) for name, loaded in self._loaded.items() if loaded.inputs(pair)}
        most = sorted(counts.items(), key=lambda each: -each[1])[:MOST_NAMED]
        told = ", ".join(f"{name} {count:,}" for name, count in most)
        more = f", {counted(len(counts) - MOST_NAMED, 'further tokenizer')}" if len(counts) > MOST_NAMED else ""
        if counts:
            yield f"in all {counted(sum(counts.values()), 'input')} with other answers ({told}{more})"
        elif self._loaded:
            yield "every answer is the same"
        steps = [step for step in self._steps if self._is_between(step, pair)]
        # What one step changes and a later one takes back is no change between the two, and is in the sum of both.
        added_up = "step by step, " if len(steps) > 1 else ""
        changes = " and ".join(self._loading_and_facts(pair, steps))
        if changes:
            yield f"{added_up}{changes}"
        yield from _explained(steps[0]) if len(steps) == 1 else _all_explained(steps)

    def _loading_and_facts(self, pair: Pair, steps: Sequence[_Step]) -> Iterator[str]:
        """Say how many changes of loading and of facts the ``steps`` between two releases have."""
        old, new = pair
        loading = sum(len(step.line.loading) for step in steps)
        if loading:
            yield f"{counted(loading, 'change')} in loading and saved files"
        since = self._releases[old + 1 : new + 1]
        by_section = ", ".join(
            f"{name} {count:,}" for name in self._sections if (count := self._changed_facts(since, name))
        )
        if by_section:
            yield f"{counted(self._changed_facts(since), 'changed fact')} ({by_section})"

    def _answer(self, pair: Pair) -> Upgrade:
        copies = {each.name: each.of for each in self._header.truncated}
        whole = {name: each.sources(pair) for name, each in self._loaded.items() if name not in copies}
        return Upgrade(
            old=self._releases[pair[0]],
            sources=self._header.sources,
            whole=whole,
            cut={copies[name]: each.sources(pair) for name, each in self._loaded.items() if name in copies},
            truncated=self._header.truncated,
            lost=[name for name in whole if self._is_lost(name, pair)],
        )

    def _is_lost(self, name: str, pair: Pair) -> bool:
        releases = self._loaded[name].releases
        return pair[0] in releases and pair[1] not in releases

    def _is_between(self, step: _Step, pair: Pair) -> bool:
        old, new = pair
        return step.line.old in self._releases[old:new] and step.line.new in self._releases[old + 1 : new + 1]

    def _changed_facts(self, since: Sequence[str], section: str | None = None) -> int:
        """Count the facts that changed in the releases ``since`` then, those of one ``section`` where that is given."""
        return sum(
            each.count for each in self._facts if each.implementation in since and section in (None, each.reason)
        )

    def _step_findings(self) -> Iterator[ShownFinding]:
        for step in self._steps:
            for each in step.told_once():
                kind, _, number = each.id.rpartition("/")[2].rpartition("-")
                key = (step.line.old, step.line.new, kind, int(number) if number.isdecimal() else 0)
                found = self._bisected.get(key) if each.group in ("causes", "changes") else None
                yield each if found is None else replace(each, facts=(*each.facts, found))

    # Matrices

    def _matrices(self) -> Iterator[Matrix]:
        pairs = list(pairwise(range(len(self._releases))))
        yield from self._upgrade_matrix()
        if pairs and self._loaded:
            rows = tuple((self._title(pair), tuple(self._cell(name, pair) for name in self._loaded)) for pair in pairs)
            yield Matrix("What each step changes, by tokenizer", "from → to", tuple(self._loaded), rows)
        if len(pairs) > 1 and self._loaded:
            names, numbers = tuple(self._releases), range(len(self._releases))
            rows = tuple(
                (names[old], tuple(self._between((min(old, new), max(old, new))) for new in numbers)) for old in numbers
            )
            yield Matrix("Inputs with other answers between any two releases", "from \\ to", names, rows)
        if pairs and self._sections:
            rows = tuple((name, tuple(self._fact_cell(name, pair) for pair in pairs)) for name in self._sections)
            yield Matrix("Changed facts, by step", "facts", tuple(map(self._title, pairs)), rows)

    def _upgrade_matrix(self) -> Iterator[Matrix]:
        """Yield how many inputs change from each release to the newest one, by what of them changes."""
        newest = len(self._releases) - 1
        if newest < 1 or not self._loaded or not self._header.sources:  # a record of an earlier version has none
            return
        upgrades = {(old, newest): self._answer((old, newest)) for old in range(newest)}
        counts = {pair: upgrade.counts() for pair, upgrade in upgrades.items()}
        found = dict.fromkeys(what for each in counts.values() for what in each)
        columns = [what for what in found if what in ALWAYS_TOLD or any(each[what] for each in counts.values())]
        rows = tuple(
            (
                self._releases[pair[0]],
                (self._lost_cell(upgrade.lost), *(self._changed_cell(pair, counts[pair][what]) for what in columns)),
            )
            for pair, upgrade in upgrades.items()
        )
        title = f"To {self._releases[newest]}: how many inputs change, by what of them changes"
        yield Matrix(title, "from", ("not loaded any more", *columns), rows, is_detail=True)

    def _lost_cell(self, lost: Sequence[str]) -> Cell:
        return Cell(State.ERROR, f"{len(lost):,}", ", ".join(lost)) if lost else Cell(State.AGREE, "none")

    def _changed_cell(self, pair: Pair, counts: Mapping[str, int]) -> Cell:
        if not counts:
            return Cell(State.AGREE, "none")
        state = State.KNOWN if self._is_known(pair) else State.DIFFER
        return Cell(state, f"{sum(counts.values()):,}", named(counts))

    def _title(self, pair: Pair) -> str:
        return f"{self._releases[pair[0]]} → {self._releases[pair[1]]}"

    def _cell(self, tokenizer: str, pair: Pair) -> Cell:
        loaded, (old, new) = self._loaded[tokenizer], pair
        of = {"tokenizer": tokenizer, "implementation": self._releases[new]}
        found = [each for each in self._found_between(pair) if each.tokenizer == tokenizer and each.group != "causes"]
        if old not in loaded.releases and new not in loaded.releases:
            return Cell(State.NOT_COMPARED, "not loaded")
        if new not in loaded.releases:
            return Cell(State.ERROR, "not loaded any more", of=of)
        state = state_of_findings(found)
        if old not in loaded.releases:
            return Cell(state if found else State.KNOWN, "loaded now", of=of if found else {})
        inputs, changes = loaded.inputs(pair), sum(each.group == "changes" for each in found)
        text = [counted(inputs, "input")] if inputs else []
        text += [f"{counted(changes, 'change')} of loading"] if changes else []
        if inputs and not found:
            state = State.DIFFER
        stages = ", ".join(f"{stage} {count:,}" for stage, count in loaded.stages(pair).items())
        return Cell(state, ", ".join(text) or "the same", stages, of if found else {})

    def _found_between(self, pair: Pair) -> Iterable[ShownFinding]:
        ends = tuple(self._releases[number] for number in pair)
        return (each for step in self._steps if (step.line.old, step.line.new) == ends for each in step.findings)

    def _between(self, pair: Pair) -> Cell:
        if pair[0] == pair[1]:
            return ITSELF
        common = [loaded for loaded in self._loaded.values() if {*pair} <= loaded.releases]
        if not common:
            return Cell(State.NOT_COMPARED, "no tokenizer that both load")
        total = sum(loaded.inputs(pair) for loaded in common)
        state = State.KNOWN if total and self._is_known(pair) else State.DIFFER if total else State.AGREE
        return Cell(state, f"{total:,}" if total else "the same")

    def _is_known(self, pair: Pair) -> bool:
        """Return whether a ledger or known changes say of every step between two releases why it changes something."""
        steps = [step for step in self._steps if self._is_between(step, pair)]
        return bool(steps) and not any(step.news() or step.line.uncounted for step in steps)

    def _fact_cell(self, section: str, pair: Pair) -> Cell:
        since, facts = self._releases[pair[1]], self._sections[section].facts
        if since not in facts:
            return Cell(State.NOT_COMPARED, "nothing known", self._sections[section].missing.get(since, ""))
        changes = [each for each in self._facts if each.reason == section and each.implementation == since]
        total = sum(each.count for each in changes)
        of = {"implementation": since, "reason": section} if changes else {}
        return Cell(state_of_findings(changes), f"{total:,}" if total else "the same", f"of {facts[since]:,} facts", of)

    # Sections

    def _page_sections(self) -> Iterator[Section]:
        drawings = tuple(self._drawings())
        rows = tuple(self._step_row(step) for step in self._steps)
        columns = (
            "step", "from", "to", "inputs with other answers", "unstable inputs", "changes of loading", "causes",
            "explained causes", "changed facts",
        )  # fmt: skip
        table = Table("Steps", columns, rows, "Inputs are summed over all tokenizers.")
        if drawings:
            yield Section("In pictures", drawings=drawings, is_first=True)
        if rows:
            yield Section("From release to release", tables=(table,))
        others = tuple(
            (step.line.new, each.component, each.title, _when(each), "other texts" if each.could_show else "", each.id)
            for step in self._steps
            for each in step.line.not_shown
        )
        if others:
            titles = ("release", "component", "change", "when", "could show in", "known change")
            table = Table("", titles, others, NOT_SHOWN)
            yield Section("Also changed, not asked here", tables=(table,), is_detail=True)
        if self._speeds:
            yield Section("Speed", ("Numbers to look at; nothing fails for them.",), tables=tuple(self._speeds))

    def _step_row(self, step: _Step) -> tuple[str | int | float | None, ...]:
        causes = [each for each in step.findings if each.group == "causes"]
        return (
            step.number,
            step.line.old,
            step.line.new,
            step.line.inputs,
            step.line.unstable,
            len(step.line.loading),
            len(causes),
            sum(each.standing is Novelty.EXPLAINED for each in causes),
            self._changed_facts([step.line.new]),
        )

    def _drawings(self) -> Iterator[Drawing]:
        pairs = list(pairwise(range(len(self._releases))))
        if len(pairs) < 2 or not any(loaded.differing for loaded in self._loaded.values()):
            return
        groups = tuple(map(self._step_name, pairs))
        counts = {name: tuple(map(loaded.inputs, pairs)) for name, loaded in self._loaded.items()}
        most = sorted((name for name, each in counts.items() if any(each)), key=lambda name: -sum(counts[name]))
        series = {name: bars_of(counts[name]) for name in most[:MOST_TOKENIZERS]}
        if others := [counts[name] for name in most[MOST_TOKENIZERS:]]:
            series["other tokenizers"] = bars_of(map(sum, zip(*others, strict=True)))
        if series:
            yield Drawing(
                Bars("Inputs with other answers at each step, by tokenizer", "inputs", groups, series, stacked=True),
                "How many inputs each release answers otherwise than the one before; tokenizers are added up.",
            )
        by_stage = {
            str(stage): tuple(sum(each.stages(pair).get(stage, 0) for each in self._loaded.values()) for pair in pairs)
            for stage in Stage
        }
        shown = {stage: bars_of(each) for stage, each in by_stage.items() if any(each)}
        if shown:
            yield Drawing(
                Bars("Inputs with other answers at each step, by stage", "inputs", groups, shown),
                "At which stages these inputs have other answers; one may have them at several.",
            )

    def _step_name(self, pair: Pair) -> str:
        """Return the step between two releases as bars are labelled: with versions alone where those tell enough."""
        old, new = (self._versions.get(self._releases[place], self._releases[place]) for place in pair)
        return f"{old} → {new}" if self._is_of_one_package() else self._title(pair)

    def _is_of_one_package(self) -> bool:
        return len({release.partition("==")[0] for release in self._releases}) == 1


def bars_of(counts: Iterable[int]) -> tuple[Bar, ...]:
    """Return ``counts`` as bars."""
    return tuple(Bar(float(count)) for count in counts)


def _words_of(header: lines.Header) -> dict[str, str]:
    """Return the words of the command that name tokenizers, by their names; none where not all inputs are built in."""
    if [each.name for each in header.sources] != [""]:
        return {}
    by_name = {PurePath(word).name: word for word in header.environment.command}
    return {each.name: by_name[each.name] for each in header.tokenizers if each.name in by_name}


# Lines ---------------------------------------------------------------------------------------------------------------


def _explained(step: _Step) -> Iterator[str]:
    """Say how much of what a ``step`` changes has a cause, and whether known changes explain it."""
    line, news = step.line, len(step.news())
    if line.unstable:
        yield f"{counted(line.unstable, 'input')} with unstable answers, which tell of no change"
    if line.without_cause:
        total = counted(line.inputs + line.unstable, "input")
        yield f"{line.without_cause:,} of {total} belong to no cause, since only so many are asked about again"
    if line.uncounted:
        yield f"{counted(line.uncounted, 'difference')} belong to no cause: the time limit was reached"
    if news:
        yield f"no known change explains {news:,} of what was found in answers and loading"
    elif step.changes():
        left = " else" if line.without_cause or line.uncounted else ""
        yield f"known changes explain all{left} that was found in answers and loading"


def _all_explained(steps: Sequence[_Step]) -> Iterator[str]:
    """Say whether known changes explain what several ``steps`` change; how much they do, each step tells."""
    if any(step.news() for step in steps):
        yield "no known change explains some of what was found step by step in answers and loading"
    elif any(step.changes() for step in steps):
        is_whole = not any(step.line.without_cause or step.line.uncounted for step in steps)
        yield f"known changes explain {'all' if is_whole else 'each cause'} that was found step by step"


def _also_changed(line: lines.Step) -> Iterator[str]:
    """Say what a step changed beside, which was not asked."""
    could = [f"{each.title} ({each.id})" for each in line.not_shown if each.could_show]
    rest = len(line.not_shown) - len(could)
    more = f"{counted(rest, 'change')} that other tokenizers or callers of Python see" if rest else ""
    told = "; ".join(filter(None, (*could, more)))
    if told:
        yield f"also changed, not asked here: {told}"


def _changed(line: lines.Step) -> str:
    """Say how much a step has changed."""
    told = [
        f"{counted(line.inputs, 'input')} with other answers" if line.inputs else "",
        f"{counted(len(line.causes), 'cause')}" if line.causes else "",
        f"{counted(len(line.loading), 'change')} of loading" if line.loading else "",
        f"{counted(line.unstable, 'input')} with unstable answers" if line.unstable else "",
    ]
    return ", ".join(filter(None, told)) or "nothing changed"


def _when(change: lines.NotShown) -> str:
    return change.undone or f"since {change.since}"


def _boundary(line: lines.Bisected) -> str:
    """Say since which release a change is there, as far as ``--bisect`` has found it out."""
    since, until = line.since, line.until
    if since is None:
        return "not known: the two did not show it when they were asked anew"
    parts = [since, f"{until} is as before" if until is not None and until != line.old else ""]
    skipped = ", ".join(f"{name} ({reason})" for name, reason in line.skipped.items())
    parts.append(f"between the two could not be asked: {skipped}" if skipped else "")
    goes_back = ", ".join(line.goes_back)
    parts.append(f"it changed more than once, {goes_back} the other way" if goes_back else "")
    parts.append("" if line.is_final is not False else f"{line.new} is otherwise once more")
    return "; ".join(filter(None, parts))


def state_of_findings(findings: Sequence[ShownFinding]) -> State:
    """Return the state of a cell that is about these ``findings``.

    >>> state_of_findings([])
    <State.AGREE: 'agree'>
    """
    standings = {each.standing for each in findings}
    if any(each.standing is Novelty.NEW and each.reason in NO_ANSWER for each in findings):
        return State.ERROR
    if Novelty.NEW in standings:
        return State.DIFFER
    if standings & {Novelty.KNOWN, Novelty.EXPLAINED}:
        return State.KNOWN
    return State.UNSTABLE if Novelty.UNSTABLE in standings else State.AGREE


# Facts ---------------------------------------------------------------------------------------------------------------


def fact_findings(line: lines.Section, ledgers: Sequence[headers.NamedFile]) -> Iterator[ShownFinding]:
    """Yield the changes of facts in a ``line`` of a section; those that are one change under many names are one."""
    by_entry: dict[str, list[lines.SectionChange]] = {}
    for each in line.changes:
        place = entry_place(ledgers, each.known) if each.known is not None else ""
        by_entry.setdefault(place, []).append(each)
    groups = ((place, group) for place in sorted(by_entry) for group in alike(line.section, by_entry[place]))
    for number, (place, group) in enumerate(groups, 1):
        yield _fact_finding(line.section, group, place, number)


def _fact_finding(section: str, group: AlikeChanges, place: str, number: int) -> ShownFinding:
    first, others = group.first, group.changes[1:]
    more = f" and {len(others):,} more" if others else ""
    sides = ((first.until, first.old), (first.since, first.new))
    return ShownFinding(
        id=f"{section}-{number}",
        group="facts",
        headline=f"{first.name}{more}: {group.told}",
        implementation=first.since,
        reason=section,
        standing=Novelty.KNOWN if place else Novelty.NEW,
        count=len(group.changes),
        impact=counted(len(group.changes), "fact"),
        answers=tuple(_fact_answer(release, fact) for release, fact in sides),
        lines=tuple(f"{each.name}: {told(each)}" for each in others),
        known=place,
        facts=(Fact("changed", f"{first.until} → {first.since}"),),
    )


def _fact_answer(release: str, fact: lines.Fact | None) -> Answer:
    if fact is None:
        return Answer(release, trouble="there is none")
    return Answer(release, text=fact.told, total=len(fact.told))


VERSIONS = RecordedPage("a comparison of releases", lines.FORMAT, VersionsReader)
