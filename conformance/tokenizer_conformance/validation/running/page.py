"""The page of a run, or of a diff of snapshots."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from tokenizer_adapters.contract import GUESSED, Field, Stage
from tokenizer_conformance.causes.bug.page_snippets import published
from tokenizer_conformance.causes.page import answers_in, cause_finding, explained_words
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.wording import causes_title, reason_in_words
from tokenizer_conformance.command_io.compact_names import spelled_out
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.findings import RecordedExample
from tokenizer_conformance.comparison.verdicts import NO_ANSWER, SEVERITY, Verdict
from tokenizer_conformance.comparison.wording import describe, example_headline, window
from tokenizer_conformance.inputs.builtin import builtin_categories
from tokenizer_conformance.ledger.entry import VOCABULARY
from tokenizer_conformance.plural import FEW, counted, few
from tokenizer_conformance.results.agreement import Agreement, SameIds, Texts, shows_pairs, shows_special_tokens
from tokenizer_conformance.results.answers import pipeline_of, subjects_of
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import SOME_FOUND, Outcome, Outcomes, Result
from tokenizer_conformance.results.page import (
    Cell,
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
from tokenizer_conformance.results.plots.plot import Bar, Bars, HeatMap
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    PageReader,
    RecordedPage,
    compared_side,
    environment_facts,
    page_state,
    part_facts,
    stale_entries,
)
from tokenizer_conformance.results.records import run as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.headers import Refused
from tokenizer_conformance.results.sentences import plain, said_once
from tokenizer_conformance.results.verdict_states import STATE_OF, state_of
from tokenizer_conformance.validation.running.loading_finding import further_words, loading_finding, vocabulary_finding
from tokenizer_conformance.validation.running.problems import problems_of
from tokenizer_conformance.validation.running.recorded_run import causes_of, tokenizer_of
from tokenizer_conformance.validation.running.speed_page import speed_section
from tokenizer_conformance.validation.running.vocabularies import (
    first_entries,
    hidden_vocabulary,
    is_vocabulary_alone,
    vocabulary_line,
)
from tokenizer_conformance.validation.running.wording import (
    NO_ID_DECODED,
    FindingGroup,
    LoadErrors,
    blame,
    cell,
    consequences,
    coverage_lines,
    finer_offsets,
    found_words,
    given_files,
    hidden_fields,
    impact_lines,
    matrix_results,
    overview_cell,
    own_groups,
    unanswered_extras,
    unseen_stages,
    unstable_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.comparison.findings import Example, Finding
    from tokenizer_conformance.results.page import Compared
    from tokenizer_conformance.results.records.causes import Cause
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.running.events import TokenizerFinished

Json = dict[str, Any]

MOST_SCRIPTS = 12

TOUCHED = (
    "An input counts if its ids without special tokens differ, or, where none are shown without, its ids with them. "
    "Words are counted if both sides show offsets."
)


class RunReader(PageReader[lines.Header]):
    """Reads the record of a run."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._baseline = header.baseline
        self._versions = published(
            header.environment.command, {each.name: each.version for each in header.implementations}
        )
        self._inputs = header.inputs.count
        self._is_sample = bool(header.options.get("sample"))
        self._tokenizers: dict[str, TokenizerFinished] = {}
        self._known: dict[str, tuple[lines.Finding, ...]] = {}
        self._causes: dict[str, tuple[Cause, ...]] = {}
        self._failing: dict[tuple[str, str], set[str]] = {}
        self._sentences: list[str] = []
        self._loading: list[ShownFinding] = []
        self._loading_lines: list[lines.Loading] = []
        self._absent: list[lines.ImplementationMissing] = []
        self._missing: list[str] = []
        self._is_diff = False
        self._speeds: list[lines.Speed] = []
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        if self._absent and not isinstance(line, lines.ImplementationMissing):
            self._tell_absent()
        match line:
            case lines.Tokenizer() | lines.Checkpoint():
                self._take_tokenizer(line)
            case lines.Causes():
                self._take_causes(line)
            case lines.Difference():
                self._fails(line).add(line.input.id)
            case lines.Failing():
                self._fails(line).update(spelled_out(line.inputs))
            case Refused() | lines.ImplementationMissing():
                self._complain(line)
            case lines.Sides() | lines.LoadingChange() | lines.AskedAgain():
                self._take_of_diff(line)
            case lines.Speed():
                self._speeds.append(line)
            case lines.Footer():
                self._footer = line

    def _take_of_diff(self, line: lines.Sides | lines.LoadingChange | lines.AskedAgain) -> None:
        match line:
            case lines.Sides():
                self._is_diff = True
                self._sentences += _sides(line)
            case lines.LoadingChange():
                self._loading_lines.append(line)
                sides = (self._baseline, next(iter(self._implementations()), self._baseline))
                number = len(self._loading) + 1
                self._loading.append(loading_finding(line, self._header.ledgers, number=number, sides=sides))
            case lines.AskedAgain() if line.is_told:
                self._sentences.append(asked_again_sentence(line))

    def _tell(self, finished: TokenizerFinished, seconds: float) -> None:
        """Tell at once the result of a tokenizer."""
        ids = f", {counted(finished.ids, 'id')} decoded alone" if finished.ids else ""
        state = "" if finished.complete else ", INCOMPLETE"
        failing = (each for each in finished.results if each.failing_inputs)
        differing = [f"{each.implementation} {each.failing_inputs:,}" for each in failing]
        told = [f"differ: {', '.join(differing)}"] if differing else []
        told += (vocabulary_line(each, found) for each, found in _other_vocabularies(finished))
        told += (
            f"other answers when asked again: {each.implementation}" for each in finished.results if _is_unstable(each)
        )
        nothing = "no new difference" if finished.results else "nothing to compare with"
        inputs = counted(finished.inputs, "input")
        self.news.append(f"{finished.tokenizer}: {inputs}{ids}{state}, {'; '.join(told) or nothing}; {seconds:.1f} s")

    def _complain(self, line: Refused | lines.ImplementationMissing) -> None:
        if isinstance(line, lines.ImplementationMissing) and line.asked is False:
            self._absent.append(line)
            return
        if isinstance(line, lines.ImplementationMissing):
            self._missing.append(line.name)
        self.complaints.append(line.reason)

    def _tell_absent(self) -> None:
        """Say which implementations of all are not there: why, if that is one, else where that is said."""
        absent, self._absent = self._absent, []
        names = ", ".join(each.name for each in absent)
        several = f'unavailable, and left out: {names} ("tokconf implementations" says why, and how to install them)'
        self.complaints.append(absent[0].reason if len(absent) == 1 else several)

    def _take_tokenizer(self, line: lines.Tokenizer | lines.Checkpoint) -> None:
        name = line.tokenizer
        self._tokenizers[name] = tokenizer_of(line)
        self._tell(self._tokenizers[name], line.seconds)
        self._known[name] = line.known
        self._causes[name] = line.causes

    def _take_causes(self, line: lines.Causes) -> None:
        sought = causes_of(line, json_of(line))
        self._tokenizers[sought.tokenizer] = sought.of(self._tokenizers[sought.tokenizer])
        self._causes[sought.tokenizer] = line.causes

    def _fails(self, line: lines.Difference | lines.Failing) -> set[str]:
        return self._failing.setdefault((line.tokenizer, line.implementation), set())

    def page(self, ended: Ended) -> Page:
        """Return the page of the run."""
        header = self._header
        findings = (
            *self._problems(),
            *self._loading,
            *self._vocabularies(),
            *self._known_findings(),
            *self._unstable(),
        )
        outcomes = Outcomes(tuple(self._outcomes()))
        return Page(
            name=self._name,
            kind="diff" if self._is_diff else "run",
            title=self._title(),
            state=page_state(ended, () if self._lost() else findings, outcomes),
            conclusion=self._concluded(ended),
            summary=self._summary(),
            headline=outcomes.headline(ended),
            outcomes=outcomes,
            sentences=(
                *plain((*self._sentences, *self._loading_sentence())),
                *said_once(self._verdicts()),
                *plain(self._guesses()),
                *said_once(self._cut_short()),
                *plain((*self._causes_sentence(), *_footer_sentences(self._footer, header))),
            ),
            facts=(*environment_facts(header.environment), *self._facts()),
            compared=tuple(self._compared()),
            complaints=(*ended.complaints, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            tokenizers=tuple(each.name for each in header.tokenizers),
            sections=tuple(self._sections()),
            agreements=tuple(self._agreements(outcomes)),
        )

    def _title(self) -> str:
        header = self._header
        names = [each.name for each in header.implementations]
        tokenizers = few([each.name for each in header.tokenizers], "tokenizer")
        if self._is_diff:
            return f"{self._baseline} → {', '.join(self._implementations())} on {tokenizers}"
        of = f"{few(names, 'implementation')} on {tokenizers}"
        if self._speeds:
            return f"Speed of {of}"
        return f"Chat templates: {of}" if header.stages == (Stage.CHAT,) else of

    # What is said first

    def _guesses(self) -> Iterator[str]:
        """Say who was given something that its adapter has guessed: a difference may come of that."""
        guesses: dict[str, list[str]] = {}
        for finished in self._tokenizers.values():
            for result in finished.results:
                if any(GUESSED in file for file in result.files):
                    guesses.setdefault(result.implementation, []).append(finished.tokenizer)
        for name, tokenizers in guesses.items():
            yield (
                f"{name} was given what its adapter guessed for {', '.join(tokenizers)}, since a file is missing "
                "(see the notes): differences there may come of the guess."
            )

    def _outcomes(self) -> Iterator[Outcome]:
        """Yield what each implementation came to on each tokenizer, and who could not be used at all."""
        short = {(each.implementation, each.tokenizer) for each in (self._footer.shortfalls if self._footer else ())}
        changed = {each.tokenizer for each in self._loading if each.standing is Novelty.NEW}
        for finished in self._tokenizers.values():
            if finished.baseline_load_error is not None:
                yield Outcome(self._baseline, finished.tokenizer, Result.NOT_LOADED)
            for row in finished.results:
                is_short = (row.implementation, finished.tokenizer) in short
                found = result_of(finished, row, is_short=is_short, is_changed=finished.tokenizer in changed)
                yield Outcome(row.implementation, finished.tokenizer, found)
        yield from (Outcome(name, "", Result.UNAVAILABLE) for name in self._missing)

    def _agreements(self, outcomes: Outcomes) -> Iterator[Agreement]:
        """Yield how far each implementation gives the ids of the baseline on each tokenizer, where ids were asked."""
        if self._is_diff or Stage.MODEL not in map(Stage, self._header.stages):
            return
        results = {(each.who, each.what): each.result for each in outcomes.of}
        for finished in self._tokenizers.values():
            for row in finished.results:
                result = results[row.implementation, finished.tokenizer]
                yield agreement_of(row, finished.tokenizer, result)

    def _compared(self) -> Iterator[Compared]:
        """Yield who was compared; of a diff the baseline is the old side."""
        roles = {"baseline": "old", "compared": "new"} if self._is_diff else {}
        for each in sorted(self._header.implementations, key=lambda each: each.name != self._baseline):
            role = "baseline" if each.name == self._baseline else "compared"
            yield compared_side(each, roles.get(role, role))

    def _summary(self) -> str:
        footer = self._footer
        if footer is None:
            return CUT_SHORT
        loading = Counter(
            str(each.what) for each in self._loading_lines if each.known is None and not each.explained_by
        )
        lost = self._lost()
        is_told = footer.finished or footer.conclusion is Conclusion.INTERRUPTED
        state = "" if is_told else f"not finished ({footer.reason or footer.conclusion}); "
        return (
            f"{state}{counted(footer.tokenizers, 'tokenizer')}, "
            f"{counted(footer.inputs, 'input')}{' (a sample)' if self._is_sample else ''}, "
            f"{counted(footer.compared, 'value')} compared, "
            f"{found_words(self._tokenizers.values(), tuple(further_words(loading, lost)))}"
        )

    def _concluded(self, ended: Ended) -> str:
        """Return how the run ended, in words. Where some pairs were compared and others not, it is not "nothing"."""
        compared = 0 if self._footer is None else self._footer.compared
        return SOME_FOUND if compared and ended.conclusion is Conclusion.NOTHING_COMPARED else ended.conclusion.value

    def _lost(self) -> list[lines.Shortfall]:
        """Return what the new side of a diff does not show any more."""
        return [] if self._footer is None else [each for each in self._footer.shortfalls if each.lost]

    def _facts(self) -> Iterator[Fact]:
        header = self._header
        sha256 = header.inputs.sha256
        seed = header.options.get("sample-seed")
        drawn = "" if seed is None else f", drawn with seed {seed}"
        sample = f", a sample spread over all{drawn}" if self._is_sample else ""
        yield Fact("inputs", f"{self._inputs:,} for each tokenizer{sample}")
        yield Fact("digest of the inputs", f"SHA-256 {sha256[:16]}…", is_detail=True)
        yield from part_facts(header)
        for each in header.tokenizers:
            commit = f", commit {each.commit}" if each.commit is not UNSET else ""
            commit += ", as the cache has it: the hub was not reached" if each.cached is True else ""
            yield Fact("tokenizer", f"{each.name} (SHA-256 {each.sha256[:16]}…{commit})")

    def _cut_short(self) -> Iterator[tuple[str, str]]:
        for name, finished in self._tokenizers.items():
            if not finished.complete:
                yield name, f"not all was asked, only {counted(finished.inputs, 'input')}."

    def _causes_sentence(self) -> Iterator[str]:
        footer = self._footer
        if footer is not None and footer.causes:
            uncounted = sum(each.uncounted for each in self._tokenizers.values())
            causes = [cause_of(json_of(each)) for each in footer.causes]
            problems = problems_of(self._tokenizers.values(), causes)
            further = sum(each.finding is None for each in problems)
            beside = (
                f" {counted(len(problems) - further, 'finding')} {'is' if len(problems) - further == 1 else 'are'} "
                f"listed, and {counted(further, 'further cause')}."
            )
            yield f"{causes_title(causes, uncounted)}.{beside if further else ''}"

    def _loading_sentence(self) -> Iterator[str]:
        if self._loading:
            news = sum(each.standing is Novelty.NEW for each in self._loading)
            said = f"{news:,} of them new" if news else "all of them known or explained"
            yield f"{counted(len(self._loading), 'change')} in loading, saved files and vocabularies, {said}."

    def _verdicts(self) -> Iterator[tuple[str, str]]:
        """Say of each implementation whether it conforms, and how much of the inputs it touches."""
        for name in self._implementations():
            rows = [(each.tokenizer, result) for each in self._tokenizers.values() for result in each.results]
            explained = {each.tokenizer for each in self._tokenizers.values() if _explained_by(each)}
            yield name, _verdict([row for row in rows if row[1].implementation == name], explained)

    def _implementations(self) -> list[str]:
        return [each.name for each in self._header.implementations if each.name != self._baseline]

    # Findings

    def _problems(self) -> Iterator[ShownFinding]:
        """Yield the new findings and what else their causes are, by the numbers that the run has told."""
        recorded = [each for causes in self._causes.values() for each in causes]
        if self._footer is not None:
            recorded = [*self._footer.causes]
        causes = [cause_of(json_of(each)) for each in recorded]
        nodes = {id(cause): node for cause, node in zip(causes, recorded, strict=True)}
        names = [each.name for each in self._header.tokenizers]
        finished = [self._tokenizers[name] for name in names if name in self._tokenizers]
        for problem in problems_of(finished, causes):
            node = None if problem.cause is None else nodes[id(problem.cause)]
            told = None if node is None else self._cause(node, problem.number)
            if problem.finding is not None:
                found = self._finding(self._tokenizers[problem.tokenizer], problem.finding, str(problem.number))
                yield _with_reason(found, told, problem.reason)
            elif told is not None:
                yield told

    def _cause(self, cause: Cause, number: int) -> ShownFinding:
        implementation, tokenizer, stage = cause.implementation, cause.tokenizer, str(cause.stage)
        total = sum(each.inputs for each in self._tokenizers.values())
        on_all = f" on {len(self._tokenizers):,} tokenizers" if len(self._tokenizers) > 1 else ""
        found = cause_finding(
            json_of(cause),
            number=number,
            baseline=self._other_than(implementation),
            total=f" of {total:,}{on_all}",
            agreeing=self._agreeing(tokenizer, stage),
            seen=self._seen(tokenizer, implementation),
            versions=self._versions,
        )
        # What changed between two sides came with the new one, whichever of them a class explains.
        of = self._implementations()[0] if self._is_diff else found.implementation
        return replace(found, id=str(number), group="findings", implementation=of)

    def _other_than(self, implementation: str) -> str:
        return self._baseline if implementation != self._baseline else next(iter(self._implementations()), "")

    def _agreeing(self, tokenizer: str, stage: str) -> list[str]:
        """Return who answered every question at that stage as the baseline did."""
        finished = self._tokenizers.get(tokenizer)
        results = () if finished is None else finished.results
        return [
            result.implementation
            for result in results
            if Stage(stage) in result.stages and set(result.stages[Stage(stage)].inputs) == {Verdict.AGREE}
        ]

    def _seen(self, tokenizer: str, implementation: str) -> tuple[Sequence[Stage], Sequence[Stage]]:
        finished = self._tokenizers.get(tokenizer)
        results = () if finished is None else finished.results
        result = next((each for each in results if each.implementation == implementation), None)
        if result is None:
            return (), ()
        agree = [stage for stage, count in result.stages.items() if set(count.inputs) == {Verdict.AGREE}]
        return agree, unseen_stages(result)

    def findings(self) -> tuple[ShownFinding, ...]:
        """Return the findings of all tokenizers: the new ones, the known ones, those that are unstable."""
        return (*self._own(), *self._vocabularies(), *self._known_findings(), *self._unstable())

    def _own(self) -> Iterator[ShownFinding]:
        for finished in self._tokenizers.values():
            for number, group in enumerate(own_groups(finished), 1):
                yield self._finding(finished, group, f"{finished.tokenizer}/{number}")

    def _finding(self, finished: TokenizerFinished, group: FindingGroup, id_: str) -> ShownFinding:
        example, signature = group.example, group.shown.signature
        inputs = max(each.inputs for each in group.findings)
        sides = (self._baseline, signature.implementation)
        return ShownFinding(
            id=id_,
            group="findings",
            headline=group.headline,
            implementation=signature.implementation,
            tokenizer=finished.tokenizer,
            stage=str(signature.stage),
            reason=str(signature.kind.value),
            standing=Novelty.EXPLAINED if _explained_by(finished) else Novelty.NEW,
            count=inputs,
            impact=f"{counted(inputs, 'input')} of {finished.inputs:,}, {group.counts_of_differences}",
            subjects=subjects_of(example.question),
            answers=answers_in(_recorded(example), sides),
            window=tuple(window(example.difference, *sides)),
            pipeline=pipeline_of(signature.stage, *self._seen(finished.tokenizer, signature.implementation)),
            agreeing=tuple(self._agreeing(finished.tokenizer, signature.stage)),
            known=_explained_by(finished),
            repeat=group.shown.repeat,
            facts=(
                Fact("question", describe(example.question), is_detail=True),
                Fact("smallest", example_headline(example)),
                *(Fact("inputs", parts) for parts in (group.counts_by_part,) if parts),
                Fact("first inputs", ", ".join(group.shown.own_inputs[:5]), is_detail=True),
            ),
        )

    def _vocabularies(self) -> Iterator[ShownFinding]:
        """Yield the vocabularies that differ, each with the first entries that do."""
        for finished in self._tokenizers.values():
            for row, found in _other_vocabularies(finished):
                yield vocabulary_finding(finished.tokenizer, row, found)

    def _known_findings(self) -> Iterator[ShownFinding]:
        for name, finished in self._tokenizers.items():
            for number, (finding, recorded) in enumerate(zip(finished.known, self._known[name], strict=True), 1):
                entry = recorded.known
                if entry is UNSET:
                    raise ValueError("a known finding names no entry")
                link = "; ".join(filter(None, (entry.link, entry.finding)))
                shown = self._single(finished, finding, f"{name}/known-{number}")
                yield replace(shown, group="known", standing=Novelty.KNOWN, known=f"{entry.reason} {link}".strip())

    def _unstable(self) -> Iterator[ShownFinding]:
        for name, finished in self._tokenizers.items():
            for number, finding in enumerate(finished.unstable, 1):
                shown = self._single(finished, finding, f"{name}/unstable-{number}")
                causes = [each for each in finished.causes if finding.signature in each.findings]
                shown = replace(shown, explanation="; ".join(map(reason_in_words, causes)))
                yield replace(shown, group="unstable", standing=Novelty.UNSTABLE, headline=unstable_line(finding))

    def _single(self, finished: TokenizerFinished, finding: Finding, id_: str) -> ShownFinding:
        return self._finding(finished, FindingGroup((replace(finding, consequences=0),)), id_)

    # Matrices

    def _matrices(self) -> Iterator[Matrix]:
        corner = f"against {self._baseline}"
        tokenizers = list(self._tokenizers.values())
        if len(tokenizers) > 1:
            rows = tuple(
                (name, tuple(_overview(each, name) for each in tokenizers)) for name in self._implementations()
            )
            yield Matrix(
                "Inputs by implementation and tokenizer", corner, tuple(each.tokenizer for each in tokenizers), rows
            )
        stages = tuple(map(Stage, self._header.stages))
        for each in tokenizers:
            has_vocabulary = any(result.vocabulary is not None for result in each.results)
            rows = tuple(
                (
                    result.implementation,
                    (
                        *(_cell(each, result, stage) for stage in stages),
                        *([_vocabulary_cell(each, result)] if has_vocabulary else []),
                    ),
                )
                for result in each.results
            )
            columns = (*map(str, stages), *([VOCABULARY] if has_vocabulary else []))
            if rows:
                yield Matrix(f"{each.tokenizer}, stage by stage", corner, columns, rows)

    # Sections

    def _sections(self) -> Iterator[Section]:
        plots = tuple(self._drawings())
        if plots:
            yield Section("In pictures", drawings=plots, is_first=True)
        touched = tuple(self._impact_tables())
        if touched:
            yield Section("How much is touched", tables=touched)
        yield from speed_section(self._speeds, self._baseline, self._other_ids())
        yield Section("Notes", tuple(self._notes()))
        yield Section("Every verdict", tables=(self._stages_table(),), is_detail=True)

    def _other_ids(self) -> dict[tuple[str, str], float | None]:
        """Return the share of inputs with other ids, by tokenizer and implementation."""
        return {
            (finished.tokenizer, row.implementation): _share(row.impact.documents.changed, row.impact.documents.total)
            for finished in self._tokenizers.values()
            for row in finished.results
            if row.impact is not None
        }

    def _notes(self) -> Iterator[str]:
        load_errors = LoadErrors(self._baseline)
        for finished in self._tokenizers.values():
            if finished.ids:
                yield f"{finished.tokenizer}: {counted(finished.ids, 'id')} decoded alone"
            elif self._header.every_id and Stage.DECODE in self._header.stages and finished.complete:
                yield f"{finished.tokenizer}: {NO_ID_DECODED}"
            yield from (f"{finished.tokenizer}: {line}" for line in load_errors.lines(finished))
            for result in finished.results:
                lines = [
                    given_files(result),
                    hidden_fields(result),
                    finer_offsets(result),
                    unanswered_extras(result),
                    hidden_vocabulary(result),
                    blame(result),
                ]
                yield from (f"{finished.tokenizer}: {line}" for line in [*filter(None, lines), *impact_lines(result)])
            yield from (f"{finished.tokenizer}: {line}" for line in consequences(finished))

    def _stages_table(self) -> Table:
        rows: list[tuple[str | int | float | None, ...]] = []
        for finished in self._tokenizers.values():
            for result in finished.results:
                for stage, count in result.stages.items():
                    counts = [count.inputs.get(verdict, 0) for verdict in SEVERITY]
                    rows.append((finished.tokenizer, result.implementation, str(stage), *counts, count.compared))
        columns = (
            "tokenizer",
            "implementation",
            "stage",
            *(verdict.replace("_", " ") for verdict in SEVERITY),
            "values compared",
        )
        return Table("Inputs by verdict", columns, tuple(rows))

    def _impact_tables(self) -> Iterator[Table]:
        rows: list[tuple[str | int | float | None, ...]] = []
        for finished in self._tokenizers.values():
            for result in finished.results:
                impact = result.impact
                if impact is not None and impact.documents.changed:
                    documents, words = impact.documents, impact.words
                    rows.append(
                        (
                            finished.tokenizer,
                            result.implementation,
                            documents.changed,
                            documents.total,
                            _share(documents.changed, documents.total),
                            None if words is None else _share(words.changed, words.total),
                            impact.tokens_before,
                            impact.tokens,
                        )
                    )
        columns = (
            "tokenizer",
            "implementation",
            "inputs with other ids",
            "of",
            "%",
            "% of words",
            "their tokens before",
            "and now",
        )
        if rows:
            yield Table("Inputs, words and tokens touched", columns, tuple(rows), TOUCHED)

    def _drawings(self) -> Iterator[Drawing]:
        names = [self._baseline, *self._implementations()]
        if len(names) > 2 and self._tokenizers:
            shares = tuple(tuple(self._agreement(one, other) for other in names) for one in names)
            yield Drawing(
                HeatMap("Inputs on which both are known to agree", tuple(names), shares, judges=True),
                "Share of inputs on which both implementations answer as the baseline does, over the tokenizers that "
                "both have loaded. Where both differ from the baseline in one way, they are not counted as agreeing.",
            )
        by_stage = {name: counts for name, counts in self._by_stage().items() if any(counts)}
        if by_stage:
            series = {
                str(stage): tuple(Bar(float(counts[at])) for counts in by_stage.values())
                for at, stage in enumerate(self._columns())
                if any(counts[at] for counts in by_stage.values())
            }
            yield Drawing(
                Bars(
                    "Inputs that differ, by the first stage at which they do",
                    "inputs",
                    (*by_stage,),
                    series,
                    stacked=True,
                ),
                "How many inputs each implementation answers otherwise, by the first stage that differs.",
            )
        scripts = self._by_script()
        if scripts:
            total: Counter[str] = sum(scripts.values(), Counter())
            most = [script for script, _ in total.most_common(MOST_SCRIPTS)]
            series = {name: tuple(Bar(float(counts[script])) for script in most) for name, counts in scripts.items()}
            yield Drawing(
                Bars("Changed words, by script", "words", tuple(most), series),
                "How many words have other ids, by their script, for each implementation that shows offsets.",
            )

    def _agreement(self, one: str, other: str) -> float | None:
        agreeing = total = 0
        for finished in self._tokenizers.values():
            loaded = {result.implementation for result in matrix_results(finished)} | {self._baseline}
            if one in loaded and other in loaded:
                failing = self._failing_on(finished.tokenizer, one) | self._failing_on(finished.tokenizer, other)
                total += finished.inputs
                agreeing += finished.inputs - (len(failing) if one != other else 0)
        return agreeing / total if total else None

    def _failing_on(self, tokenizer: str, implementation: str) -> set[str]:
        return self._failing.get((tokenizer, implementation), set())

    def _columns(self) -> list[Stage]:
        """Return the stages of texts, and that of conversations where these are compared."""
        return [stage for stage in STAGE_ORDER if stage is not Stage.CHAT or stage in self._header.stages]

    def _by_stage(self) -> dict[str, list[int]]:
        counts = {name: [0] * len(self._columns()) for name in self._implementations()}
        for finished in self._tokenizers.values():
            for result in finished.results:
                for at, stage in enumerate(self._columns()):
                    counts[result.implementation][at] += result.blamed.get(stage, 0)
        return counts

    def _by_script(self) -> dict[str, Counter[str]]:
        counts: dict[str, Counter[str]] = {}
        for finished in self._tokenizers.values():
            for result in finished.results:
                if result.impact is not None and result.impact.scripts:
                    counts.setdefault(result.implementation, Counter()).update(result.impact.scripts)
        return counts


# What is said of a run in words --------------------------------------------------------------------------------------


def _verdict(results: Sequence[tuple[str, lines.Result]], explained: set[str]) -> str:
    """Say of one implementation with these ``results`` whether it conforms, and how much is touched where it does not.

    ``explained`` are the tokenizers on which known changes between releases explain every difference.
    """
    loaded = [(tokenizer, result) for tokenizer, result in results if result.load_error is None]
    if not loaded:
        return "not loaded, so nothing was compared."
    differing = [(tokenizer, result) for tokenizer, result in loaded if result.failing_inputs or result.other_entries]
    left_out = len(results) - len(loaded)
    beside = f" ({counted(left_out, 'tokenizer')} not loaded)" if left_out else ""
    silent = sum(_is_silent(result) for _, result in loaded)
    if silent == len(loaded) and not differing:
        return f"nothing was compared on {counted(silent, 'tokenizer')}{beside}."
    unsteady = sum(_is_unstable(result) for _, result in loaded)
    if not differing and unsteady:
        of = f"{unsteady} of {counted(len(loaded), 'tokenizer')}"
        return f"other answers when asked again on {of}{beside}; whether that conforms cannot be said."
    if not differing:
        also = f", nothing was compared on {silent}" if silent else ""
        return f"no new difference on {counted(len(loaded) - silent, 'tokenizer')}{also}{beside}."
    most = sorted(differing, key=lambda each: -each[1].failing_inputs)[:FEW] if len(differing) > FEW else differing
    parts = [f"{tokenizer}: {_touched(result, is_explained=tokenizer in explained)}" for tokenizer, result in most]
    parts += [f"and {counted(len(differing) - FEW, 'other')}"] if most is not differing else []
    return f"differences on {len(differing)} of {counted(len(loaded), 'tokenizer')}{beside}. {'; '.join(parts)}."


def _is_unstable(row: lines.Result) -> bool:
    """Say whether an implementation answered otherwise when it was asked again."""
    return row.has(Verdict.UNSTABLE) or (row.vocabulary is not None and row.vocabulary.unstable)


def result_of(finished: TokenizerFinished, row: lines.Result, *, is_short: bool, is_changed: bool) -> Result:
    """Return what an implementation came to on a tokenizer that is ``finished``: the first of these that holds.

    ``is_short``: it did not answer enough. ``is_changed``: the tokenizer is loaded or saved otherwise than before.
    """
    if row.load_error is not None:
        return Result.NOT_LOADED
    differs = Result.KNOWN if _explained_by(finished) else Result.DIFFERS
    held = (
        (Result.NO_ANSWER, row.has(*NO_ANSWER)),
        (Result.DIFFERS, is_changed or row.other_entries),
        (differs, row.failing_inputs),
        (Result.UNSTABLE, _is_unstable(row)),
        (Result.NOTHING, finished.baseline_load_error is not None),
        (Result.NOT_SHOWN, _is_silent(row)),
        (Result.TOO_LITTLE, is_short),
        (Result.KNOWN, row.has(Verdict.KNOWN) or (row.vocabulary is not None and row.vocabulary.known)),
    )
    return next((each for each, holds in held if holds), Result.CONFORMS)


def agreement_of(row: lines.Result, tokenizer: str, result: Result) -> Agreement:
    """Return how far an implementation gives the ids of the baseline on ``tokenizer``, where it came to ``result``."""
    shares = [_same_ids(row.impact, differing) for differing in _differing_ids(row)] if row.impact else []
    ordinary, hard = (Texts(*(each.get(is_hard, SameIds()) for each in shares)) for is_hard in (False, True))
    return Agreement(row.implementation, tokenizer, result, ordinary, hard, tuple(_unanswered(row)))


def _unanswered(row: lines.Result) -> Iterator[str]:
    for stage, count in row.stages.items():
        inputs = sum(count.inputs.get(verdict, 0) for verdict in NO_ANSWER)
        if inputs:
            yield f"{stage} ({inputs:,} of {sum(count.inputs.values()):,})"


def _differing_ids(row: lines.Result) -> tuple[int | None, int | None, int | None]:
    """Return how many inputs have other ids or an error: alone, with special tokens, in pairs; None: not shown."""
    model, template = row.stages.get(Stage.MODEL), row.stages.get(Stage.POST_PROCESS)
    inputs = 0 if row.impact is None else row.impact.documents.total
    is_plain = model is not None and row.impact is not None and not row.impact.special_tokens
    plain = model.differing_fields.get(Field.IDS, 0) if model is not None and is_plain else None
    if template is None or not template.questions or not inputs:
        return plain, None, None
    unsupported = template.unsupported_fields.get(Field.IDS, 0)
    special = template.differing_fields.get(Field.IDS, 0) if shows_special_tokens(unsupported, inputs) else None
    return plain, special, template.differing_pairs.get(Field.IDS, 0) if shows_pairs(unsupported, inputs) else None


def _same_ids(impact: lines.Impact, differing: int | None) -> dict[bool, SameIds]:
    """Return how many ordinary texts (False) and hard inputs (True) have the same ids: all but so many ``differing``.

    A record does not say which inputs differ with special tokens, in pairs, or by an error. Where it has both kinds,
    those that differ beyond the known ones may be of either, so at least the others of each are the same.
    """
    if differing is None:
        return {}
    hard = {each.name for each in builtin_categories()}
    changed, total = Counter[bool](), Counter[bool]()
    for source, share in impact.sources.items():
        changed[source in hard] += share.changed
        total[source in hard] += share.total
    kinds = [kind for kind in total if total[kind]]
    if len(kinds) == 1 or not differing:
        return {kind: SameIds(total[kind] - differing, total[kind]) for kind in kinds}
    further = max(0, differing - changed.total())
    is_least = differing != changed.total()
    same = {kind: max(0, total[kind] - changed[kind] - further) for kind in kinds}
    return {kind: SameIds(same[kind], total[kind], is_least) for kind in kinds}


def _is_silent(result: lines.Result) -> bool:
    """Return whether ``result`` has no answer that could be compared: none was shown, or both sides refuse.

    Where nothing but the vocabulary was asked for, that is the answer.
    """
    if is_vocabulary_alone(result):
        return False
    verdicts = {verdict for count in result.stages.values() for verdict, inputs in count.inputs.items() if inputs}
    return verdicts <= {Verdict.UNSUPPORTED, Verdict.BOTH_ERROR}


def _other_vocabularies(finished: TokenizerFinished) -> Iterator[tuple[lines.Result, lines.Vocabulary]]:
    """Yield the results with a vocabulary that differs."""
    return (
        (row, row.vocabulary) for row in finished.results if row.vocabulary is not None and row.vocabulary.differing
    )


def _touched(result: lines.Result, *, is_explained: bool) -> str:
    entries = result.other_entries
    of_vocabulary = f"{entries:,} {'entry' if entries == 1 else 'entries'} of the vocabulary" if entries else ""
    answers = _touched_inputs(result, is_explained=is_explained) if result.failing_inputs else ""
    return ", ".join(filter(None, (answers, of_vocabulary)))


def _touched_inputs(result: lines.Result, *, is_explained: bool) -> str:
    explained = ", as known changes explain" if is_explained else ""
    verb = "differs" if result.failing_inputs == 1 else "differ"
    differ = f"{counted(result.failing_inputs, 'input')} {verb}{explained}"
    impact = result.impact
    if impact is None or not impact.documents.total:
        return differ
    counts = _differing_ids(result)[:2]
    plain, special = (None if each is None else f"{_share(each, impact.documents.total):g} %" for each in counts)
    encoded = [count for stage in (Stage.MODEL, Stage.POST_PROCESS) if (count := result.stages.get(stage))]
    fails = any(count.inputs.get(verdict, 0) for count in encoded for verdict in (Verdict.ERROR, *NO_ANSWER))
    get = f"of inputs get other ids{' or an error' if fails else ''}"
    if plain is None:
        return f"{differ}, {special} {get} with special tokens"
    if special is None:
        return f"{differ}, {plain} {get} without special tokens"
    if counts[0] == counts[1]:
        return f"{differ}, {plain} {get}"
    return f"{differ}, {plain} {get} without special tokens, {special} with them"


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _footer_sentences(footer: lines.Footer | None, header: lines.Header) -> Iterator[str]:
    """Say which share of the values was compared, what was answered too seldom, and which entries are stale."""
    if footer is not None:
        names = tuple(each.name for each in header.tokenizers)
        for line in coverage_lines(footer.shares, footer.shortfalls):
            yield f"{line}." if line.startswith(names) else f"{line[0].upper()}{line[1:]}."
        yield from stale_entries(header.ledgers, footer.stale)


def asked_again_sentence(asked: lines.Again) -> str:
    """Say what an implementation did not answer as before, and what it was not asked again."""
    parts = []
    if asked.others:
        parts.append(f"answered {asked.others:,} of {counted(asked.asked, 'question')} differently when asked again")
    if asked.left:
        parts.append(
            f"was asked again {asked.asked:,} of the {asked.asked + asked.left:,} differing questions: {asked.reason}; "
            "whether the others are unstable is unknown"
        )
    return f"{asked.tokenizer}: {asked.implementation} {'; it '.join(parts)}."


def _sides(line: lines.Sides) -> Iterator[str]:
    yield f"Compared: {line.old} (old) with {line.new} (new)."
    for count, which in ((line.only_old, "old"), (line.only_new, "new")):
        if count:
            yield f"{counted(count, 'input')} only on the {which} side, and not compared."
    if line.other_files:
        yield f"Another tokenizer.json on the new side: {', '.join(line.other_files)}."


# Cells ---------------------------------------------------------------------------------------------------------------


def _overview(finished: TokenizerFinished, implementation: str) -> Cell:
    result = next(each for each in finished.results if each.implementation == implementation)
    of = {"tokenizer": finished.tokenizer, "implementation": implementation}
    lines = overview_cell(result, baseline_loaded=finished.baseline_load_error is None)
    if result.load_error is not None or finished.baseline_load_error is not None:
        reason = finished.baseline_load_error or result.load_error or ""
        return Cell(State.NOT_COMPARED, "not loaded", reason)
    state = state_of(verdict for count in result.stages.values() for verdict in count.inputs)
    state = _standing_state(state, finished)
    if is_vocabulary_alone(result) or (result.other_entries and not result.failing_inputs):
        of_vocabulary = _vocabulary_cell(finished, result)
        return replace(of_vocabulary, text=f"{of_vocabulary.text} in the vocabulary", of=of)
    if result.failing_inputs:
        return Cell(state, f"{result.failing_inputs:,} of {finished.inputs:,}", "; ".join(lines), of)
    return Cell(state, f"{finished.inputs:,}", "; ".join(lines), of if state is State.KNOWN else {})


def _cell(finished: TokenizerFinished, result: lines.Result, stage: Stage) -> Cell:
    if result.load_error is not None or finished.baseline_load_error is not None:
        return Cell(State.NOT_COMPARED, "not loaded", finished.baseline_load_error or result.load_error or "")
    count = result.stages[stage]
    state = state_of(count.inputs)
    gravest = sum(number for verdict, number in count.inputs.items() if STATE_OF[verdict] is state)
    total = sum(count.inputs.values())
    text = f"{gravest:,}" if gravest == total else f"{gravest:,} of {total:,}"
    of = {"tokenizer": finished.tokenizer, "implementation": result.implementation, "stage": str(stage)}
    leads = state in (State.DIFFER, State.ERROR, State.KNOWN, State.UNSTABLE)
    state = _standing_state(state, finished)
    return Cell(state, text if total else "nothing", "; ".join(cell(result, stage)), of if leads else {})


def _vocabulary_cell(finished: TokenizerFinished, result: lines.Result) -> Cell:
    found = result.vocabulary
    if found is None:
        return Cell(State.NOT_COMPARED, "nothing")
    if not found.is_compared:
        return Cell(State.UNSUPPORTED, "", found.not_shown)
    if not found.differing:
        return Cell(State.AGREE, f"{found.baseline:,}")
    of = {"tokenizer": finished.tokenizer, "implementation": result.implementation, "stage": VOCABULARY}
    state = State.UNSTABLE if found.unstable else State.DIFFER if found.new else State.KNOWN
    return Cell(state, f"{found.new or found.differing:,} of {found.baseline:,}", first_entries(found), of)


def _standing_state(state: State, finished: TokenizerFinished) -> State:
    """Return the ``state`` of a cell, which is known where known changes between releases explain all that differs."""
    return State.KNOWN if state is State.DIFFER and _explained_by(finished) else state


# Findings ------------------------------------------------------------------------------------------------------------


def _recorded(example: Example) -> Json:
    """Return ``example`` as it stands in the record; without sides where it was gone when it was asked about again."""
    if example.difference.verdict is Verdict.UNSTABLE or not isinstance(example, RecordedExample):
        return {"difference": _NO_SIDES}
    return dict(example.recorded)


_NO_SIDES: Json = {
    "baseline": {"excerpt": {"text": "", "total": 0}},
    "implementation": {"excerpt": {"text": "", "total": 0}},
}


def _with_reason(found: ShownFinding, cause: ShownFinding | None, reason: str) -> ShownFinding:
    """Return a finding with its ``cause``, where that is told there, and the ``reason`` in words.

    The question of the cause stands in the place of its own: it is smaller, and the snippets ask it.
    """
    if cause is None:
        return replace(found, explanation=reason)
    of_cause = {fact.label: fact for fact in cause.facts}
    asked = of_cause["question"]
    facts = found.facts
    if (asked.value, cause.subjects) != (found.facts[0].value, found.subjects):
        facts = (asked, *(fact for fact in facts if fact.label not in {"question", "smallest"}))
    return replace(
        found,
        reason=cause.reason,
        standing=cause.standing,
        explanation=cause.explanation,
        proof=cause.proof,
        known=cause.known,
        facts=(*facts, *(of_cause[label] for label in ("component", "seen on") if label in of_cause)),
        subjects=cause.subjects,
        answers=cause.answers,
        repeat=cause.repeat or found.repeat,
        window=cause.window,
        lines=cause.lines,
        snippets=cause.snippets,
    )


def _explained_by(finished: TokenizerFinished) -> str:
    """Name the known changes between releases that explain every cause of what differs; empty where some is news."""
    if finished.uncounted or not all(each.explained_by for each in finished.causes):
        return ""
    return explained_words(dict.fromkeys(each for cause in finished.causes for each in cause.explained_by or ()))


RUNS = RecordedPage("a run or a diff", lines.FORMAT, RunReader)
