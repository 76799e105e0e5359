"""Judge whether the reasons that runs give are true, on implementations whose fault is known.

    make cause-truth                                  all faults, and reports/cause-truth.md from their record
    python tools/cause_truth.py -k lowercase          those with that in their name, group or tokenizer
    python tools/cause_truth.py -k added-tokens --show   with what the run says in full
    python tools/cause_truth.py --count 100           so many of these, drawn at random

Each fault (``tools/planted/truth``) is planted in an implementation, which is compared with `tokenizers` as ``tokconf
run`` does it, on tokenizers that it reaches and on a seeded sample of the built-in inputs. What may truly be said of it
is written there. *Right*: a proven cause names the fault. *Wrong*: a proven cause says what is not the fault. All else
is *unexplained*, which is right where no class of reasons is about the fault. What was ended goes on where it was, also
with another ``--count``; what was finished begins anew. Of a part (``-k``, ``--first``) no record is kept where none is
named. Exit status 1 where anything is wrong, or less than 90
% of what can be said is said.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING

from planted.truth.judging import Effort
from planted.truth.results import is_enough, page_of, rows_of, summary
from planted.truth.running import lines_of_runs
from planted.truth.table import CASES
from published.measuring import Measuring, read_measured, record_file
from published.records import RecordError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from planted.truth.case import Case
    from planted.truth.results import Json

RECORD = Path(".venv/records/cause-truth.jsonl")

TOOL = "cause_truth"


def chosen(words: Sequence[str]) -> list[tuple[Case, str]]:
    """Return the cases, each with a tokenizer, whose names have all ``words`` in them."""
    pairs = [(case, tokenizer) for case in CASES for tokenizer in case.on]
    return [each for each in pairs if all(word in f"{each[0].name} {each[0].group} {each[1]}" for word in words)]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument(
        "-k", nargs="+", default=[], metavar="WORD", help="only where these are in name, group, tokenizer"
    )
    made.add_argument("--first", action="store_true", help="only the first tokenizer of each fault")
    made.add_argument("--count", type=int, metavar="N", help="only so many of these runs, drawn at random")
    made.add_argument("--show", action="store_true", help="show in full what each run says")
    made.add_argument("--record", type=Path, help=f"where to write the record: {RECORD}; of a part, nowhere")
    made.add_argument("--jobs", type=int, default=2, help="how many processes at a time")
    made.add_argument("--inputs", type=int, default=Effort().of_category, help="how many inputs of each category")
    made.add_argument("--cause-time", type=float, default=Effort().cause_seconds, help="seconds to look for causes")
    made.add_argument("--seed", type=int, default=Effort().seed, help="what draws the inputs")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command, and return its exit status."""
    given = parser().parse_args(arguments)
    pairs = chosen(given.k)
    if given.first:
        pairs = [(case, tokenizer) for case, tokenizer in pairs if tokenizer == case.on[0]]
    if given.count is not None and given.count < 1:
        print(f"cause_truth: --count {given.count}: at least 1 has to be run", file=sys.stderr)
        return 2
    if not pairs:
        print(f"cause_truth: no case has {' and '.join(given.k)} in its name", file=sys.stderr)
        return 2
    random.Random(given.seed).shuffle(pairs)  # what is there of an ended measurement is a sample of all
    pairs = pairs[: given.count]
    effort = Effort(given.inputs, given.cause_time, given.seed)
    try:
        with record_file(given.record, RECORD, is_part=given.k or given.first) as file:
            record = Measuring(file, TOOL, {**asdict(effort), "words": given.k, "first": given.first})
            judge(pairs, record, given)
    except RecordError as error:
        print(f"cause_truth: {error}", file=sys.stderr)
        return 2
    rows = rows_of(record.lines)
    print(f"\n{summary(rows)}")
    return 0 if is_enough(rows) else 1


def judge(pairs: Sequence[tuple[Case, str]], record: Measuring, given: argparse.Namespace) -> None:
    """Run the cases of ``pairs`` that ``record`` lacks, and show all results."""
    for line in record.lines:
        show(line, in_full=given.show)
    done = {(line["fault"], line["tokenizer"]) for line in record.lines}
    left = [(case, tokenizer) for case, tokenizer in pairs if (case.name, tokenizer) not in done]
    effort = Effort(given.inputs, given.cause_time, given.seed)
    with tempfile.TemporaryDirectory() as folder:
        for line in lines_of_runs(left, Path(folder), effort, given.jobs):
            record.add(line)
            show(line, in_full=given.show)
    record.finish()


def show(line: Json, *, in_full: bool) -> None:
    """Print a result; nothing of a fault that there is no more."""
    for row in rows_of([line]):
        print(row.in_full() if in_full else row.line(), flush=True)


def page(records: Sequence[Path]) -> str:
    """Return the page that is made of a record. Raises :class:`RecordError`."""
    (record,) = records
    measured = read_measured(record, TOOL, {"words": [], "first": False})
    effort = Effort(**{each.name: measured.parameters[each.name] for each in fields(Effort)})
    return page_of(rows_of(measured.lines), effort)


if __name__ == "__main__":
    sys.exit(main())
