"""Search for planted faults, and record what the search made of each, for reports/search-power.md.

    make search-power                                   all, on the bundled tokenizers, and the page
    python tools/search_power.py sharp-s merge-late     those
    python tools/search_power.py --checkpoints FOLDER   on real checkpoints: FOLDER/gpt2/tokenizer.json and so on

A fault counts as found where the search names it within ``--cases`` texts; as blamed right where the cause that most
inputs show lies at the stage where the fault was planted; as named right where its reason is one that stands in the
table of faults (``unexplained`` is right for a fault that no class is about, and wrong for any other). The page has
the cases that were needed, the number of findings and the smallest text. A search that was ended goes on where it was.
Exit status 1 where a fault is not found.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planted.fakes import Faulty
from planted.faults import FAULTS, Planted
from published.measuring import Measuring, read_measured, record_file
from published.records import RecordError
from tabulate import tabulate

from tokenizer_adapters.selection import ALL, Isolation, select
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.record_forms import cause_of, cause_record
from tokenizer_conformance.comparison.questions import texts_in
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.validation.search.asking import CaseAsker
from tokenizer_conformance.validation.search.cases import Answered
from tokenizer_conformance.validation.search.engine import search
from tokenizer_conformance.validation.search.events import CauseFound, SearchFinished
from tokenizer_conformance.validation.search.generators import SEARCH_GENERATORS
from tokenizer_conformance.validation.search.plan import Pairing, SearchedImplementation, SearchPlan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.validation.search.cases import Batch

RECORD = Path(".venv/records/search-power.jsonl")

TOOL = "search_power"

CASES = 1000
"""How many texts a search may ask about."""

SHORT = 8
"""So many characters are few."""

CHECKPOINTS = {"gpt2": "gpt2", "bert": "bert-base-uncased", "xlnet": "xlnet-base-cased", "t5": "t5-small"}


@dataclass(frozen=True, slots=True)
class Found:
    """What a search made of a ``fault``: the cases until it was named, and all causes, the most frequent first."""

    fault: Planted
    cases: int | None
    causes: tuple[Cause, ...]

    @property
    def main(self) -> Cause | None:
        """The cause that most inputs show."""
        return self.causes[0] if self.causes else None

    @property
    def is_blamed(self) -> bool:
        """Whether the stage is right."""
        return self.main is not None and self.main.signature.manner.stage is self.fault.stage

    @property
    def is_named(self) -> bool:
        """Whether the class of the reason is right."""
        return self.main is not None and self.main.reason.name in self.fault.reasons

    @property
    def size(self) -> int | None:
        """How much the smallest witness asks about: code points, or ids."""
        return None if self.main is None else self.main.witness.size

    @property
    def row(self) -> list[str]:
        """The row of the report."""
        main = self.main
        if main is None:
            return [self.fault.name, self.fault.family, self.fault.stage, "no", "", "", "", "", ""]
        return [
            self.fault.name,
            self.fault.family,
            f"{self.fault.stage}{'' if self.is_blamed else f' (said: {main.signature.manner.stage})'}",
            "yes" if self.cases is None else str(self.cases),
            str(len(self.causes)),
            main.signature.component,
            f"{main.reason.name}{'' if self.is_named else ' (wrong)'}",
            str(self.size),
            ascii(" | ".join(texts_in(main.witness.question)) or main.witness.question)[:60].replace("|", "\\|"),
        ]


class _Here:
    """Asks in this process."""

    patience = 10.0

    def __init__(self, plan: SearchPlan, pairing: Pairing, bench: Bench) -> None:
        self._asker = CaseAsker(bench.trial(pairing.tokenizer.source), plan.known(pairing))

    def submit(self, task: Batch, /) -> Future[Answered]:
        """Ask about ``task`` at once."""
        future: Future[Answered] = Future()
        future.set_result(Answered(self._asker.results(task.cases)))
        return future


@contextmanager
def here(plan: SearchPlan, pairing: Pairing, /) -> Iterator[_Here]:
    """Have a pairing asked about in this process."""
    with Bench(plan.baseline.built, pairing.implementation.built) as bench:
        yield _Here(plan, pairing, bench)


def found(fault: Planted, tokenizer: TokenizerFile, cases: int) -> Found:
    """Search for ``fault`` on ``tokenizer``, and return what came of it."""
    chosen = select("tokenizers", Isolation(in_process=frozenset({ALL})))
    plan = SearchPlan(
        baseline=SearchedImplementation(TokenizersImplementation(), chosen),
        pairings=(Pairing(tokenizer, SearchedImplementation(Faulty(fault.name, fault.fault), chosen)),),
        seed=1,
        patience=10.0,
        cases=cases,
        generators=SEARCH_GENERATORS,
    )
    first: int | None = None
    causes: tuple[Cause, ...] = ()
    for event in search(plan, here):
        match event:
            case CauseFound() if first is None:
                first = event.cases
            case SearchFinished():
                causes = tuple(sorted((each.cause for each in event.causes), key=lambda cause: -cause.inputs))
    return Found(fault, first, causes)


def line_of(result: Found) -> dict[str, Any]:
    """Return the line of the record that :func:`results_of` reads."""
    return {
        "fault": result.fault.name,
        "cases": result.cases,
        "causes": [cause_record(cause) for cause in result.causes],
    }


def results_of(lines: Iterable[dict[str, Any]]) -> list[Found]:
    """Return what the ``lines`` of a record say."""
    faults = {fault.name: fault for fault in FAULTS}
    return [Found(faults[line["fault"]], line["cases"], tuple(map(cause_of, line["causes"]))) for line in lines]


def main(given: Sequence[str] | None = None) -> int:
    """Carry out the command, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("faults", nargs="*", metavar="FAULT")
    parser.add_argument("--cases", type=int, default=CASES, help="how many texts a search may ask about")
    parser.add_argument("--checkpoints", type=Path, help="a folder of real checkpoints")
    parser.add_argument("--record", type=Path, help=f"where to write the record: {RECORD}; of some faults, nowhere")
    arguments = parser.parse_args(given)
    wanted = [fault for fault in FAULTS if not arguments.faults or fault.name in arguments.faults]
    if not wanted:
        print(f"search_power: no such fault; there are {', '.join(fault.name for fault in FAULTS)}", file=sys.stderr)
        return 2
    where = "the bundled tokenizers" if arguments.checkpoints is None else "real checkpoints"
    parameters = {"cases": arguments.cases, "where": where, "faults": arguments.faults}
    try:
        with record_file(arguments.record, RECORD, is_part=arguments.faults) as file:
            record = Measuring(file, TOOL, parameters)
            made = {result.fault.name: result for result in results_of(record.lines)}
            for number, fault in enumerate(wanted, 1):
                if fault.name not in made:
                    made[fault.name] = found(fault, _tokenizer(fault.family, arguments.checkpoints), arguments.cases)
                    record.add(line_of(made[fault.name]))
                print(f"{number:2}/{len(wanted)} {' | '.join(made[fault.name].row)}", flush=True)
            record.finish()
    except RecordError as error:
        print(f"search_power: {error}", file=sys.stderr)
        return 2
    results = list(made.values())
    for line in summary(results, arguments.cases):
        print(line)
    return 0 if all(result.causes for result in results) else 1


def _tokenizer(family: str, checkpoints: Path | None) -> TokenizerFile:
    word = f"{family}-mini" if checkpoints is None else str(checkpoints / CHECKPOINTS[family])
    return read_tokenizer(find_tokenizer(word))


def summary(results: Sequence[Found], cases: int) -> list[str]:
    """Return the figures, a line each."""
    one = [result for result in results if result.fault.is_one_character]
    short = sum(result.size is not None and result.size <= SHORT for result in results)
    found_ones, single = sum(bool(each.causes) for each in results), sum(bool(each.causes) for each in one)
    return [
        f"{found_ones} of {len(results)} faults found within {cases:,} texts ({single} of {len(one)} on one character)",
        f"{sum(each.is_blamed for each in results)} blamed at the right stage",
        f"{sum(each.is_named for each in results)} with the right class",
        f"{short} with a smallest text of at most {SHORT} characters or ids",
        f"{sum(len(each.causes) == 1 for each in results)} make one finding",
        f"{sum(len(each.causes) for each in results)} findings in all",
    ]


def page(records: Sequence[Path]) -> str:
    """Return the page that is made of a record. Raises :class:`RecordError`."""
    (record,) = records
    measured = read_measured(record, TOOL, {"faults": []})
    cases, where = measured.parameters["cases"], measured.parameters["where"]
    results = results_of(measured.lines)
    headers = ["fault", "tokenizer", "stage", "cases", "findings", "component", "class", "size", "smallest text"]
    table = tabulate([result.row for result in results], headers=headers, tablefmt="github", disable_numparse=True)
    lines = "\n".join(f"- {line}" for line in summary(results, cases))
    return (
        "# What a search makes of planted faults\n\n<!-- Written by tools/search_power.py; do not edit. -->\n\n"
        f"Each of these implementations is `tokenizers` with one fault. They were searched on {where},\n"
        "as `tokconf fuzz TOKENIZER` does (seed 1). *Cases* are the texts that were asked about\n"
        "until the fault was named first.\n\n"
        f"{lines}\n\n{table}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
