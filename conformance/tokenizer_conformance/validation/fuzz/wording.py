"""What fuzzing finds, in words, and the command that shows it again."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.wording import window
from tokenizer_conformance.defaults import FUZZ_SECONDS, TEXTS_PER_TOKENIZER
from tokenizer_conformance.escape import escape, one_line, quoted
from tokenizer_conformance.validation.fuzz.results import AnswerDifference, LoadDifference, VocabularyDifference

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.validation.fuzz.plan import ImplementationPlan
    from tokenizer_conformance.validation.fuzz.results import Found


def as_ascii(document: Json) -> str:
    """Return ``document`` on one line of printable ASCII characters."""
    return json.dumps(document).replace("\x7f", "\\u007f")


def found_lines(found: Found, plan: ImplementationPlan) -> list[str]:
    """Return the lines that show ``found`` on both sides."""
    names = escape(plan.baseline), escape(plan.implementation)
    match found:
        case LoadDifference(refused_by, reason):
            who = "both sides" if refused_by is Party.BOTH else f"the {refused_by}"
            return [f"refused by {who}: {one_line(reason)}"]
        case VocabularyDifference(token, baseline, implementation):
            ids = zip(names, (baseline, implementation), strict=True)
            parts = (f"{name}: {'none' if id is None else id}" for name, id in ids)
            return [f"the id of {quoted(token)} is {', '.join(parts)}"]
        case AnswerDifference(_, difference):
            what = difference.part or difference.field or ""
            return [f"{what} {difference.kind}".lstrip(), *window(difference, *names)]


def repeating(plan: ImplementationPlan, number: int) -> str:
    """Return the command that compares on tokenizer ``number`` alone, as it is typed."""
    words = ["tokconf", "fuzz", "--seed", str(plan.seed), "--start", str(number), "--tokenizers", "1"]
    if plan.texts != TEXTS_PER_TOKENIZER:
        words += ["--texts", str(plan.texts)]
    if plan.patience != FUZZ_SECONDS:
        words += ["--timeout", f"{plan.patience:g}"]
    for flag, names in (("--isolate", plan.isolation.isolated), ("--in-process", plan.isolation.in_process)):
        words += [word for name in sorted(names) for word in (flag, name)]
    return shlex.join([*words, "-i", plan.implementation, "--baseline", plan.baseline])
