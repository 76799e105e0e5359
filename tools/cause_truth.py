"""Judge whether the reasons that runs give are true, on implementations whose fault is known.

    python tools/cause_truth.py                       all faults, and reports/cause-truth.md
    python tools/cause_truth.py -k lowercase          those with that in their name, group or tokenizer
    python tools/cause_truth.py -k added-tokens --show   with what the run says in full
    python tools/cause_truth.py --results FILE        keep the results there, and go on with what is not in it

Each fault (``tools/planted/truth``) is planted in an implementation, which is compared with `tokenizers` as ``tokconf
run`` does it, on tokenizers that it reaches and on a seeded sample of the built-in inputs. What may truly be said of it
is written there. *Right*: a proven cause names the fault. *Wrong*: a proven cause says what is not the fault. All else
is *unexplained*, which is right where no class of reasons is about the fault. Exit status 1 where anything is wrong, or
less than 90 % of what can be said is said.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from planted.truth.judging import Effort
from planted.truth.results import is_enough, page, summary
from planted.truth.results_file import line_of, read_results
from planted.truth.running import results_of
from planted.truth.table import CASES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from planted.truth.case import Case
    from planted.truth.results import Row

REPORT = Path("reports/cause-truth.md")


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
    made.add_argument("--show", action="store_true", help="show in full what each run says")
    made.add_argument("--results", type=Path, metavar="FILE", help="keep results here, and go on where it was left")
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
    if not pairs:
        print(f"cause_truth: no case has {' and '.join(given.k)} in its name", file=sys.stderr)
        return 2
    effort = Effort(given.inputs, given.cause_time, given.seed)
    rows = [] if given.results is None else read_results(given.results, [case for case, _ in pairs])
    rows = [row for row in rows if (row.case, row.tokenizer) in pairs]
    for row in rows:
        show(row, in_full=given.show)
    done = {(row.case.name, row.tokenizer) for row in rows}
    with tempfile.TemporaryDirectory() as folder:
        left = [(case, tokenizer) for case, tokenizer in pairs if (case.name, tokenizer) not in done]
        for row in results_of(left, Path(folder), effort, given.jobs):
            rows.append(row)
            show(row, in_full=given.show)
            if given.results is not None:
                with given.results.open("a", encoding="utf-8") as file:
                    file.write(f"{line_of(row)}\n")
    rows.sort(key=lambda row: pairs.index((row.case, row.tokenizer)))
    print(f"\n{summary(rows)}")
    if not given.k:
        REPORT.write_text(page(rows, effort), encoding="utf-8")
    return 0 if is_enough(rows) else 1


def show(row: Row, *, in_full: bool) -> None:
    """Print a result."""
    print(row.in_full() if in_full else row.line(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
