"""Changes in how a tokenizer is loaded, as problems of checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.releases.diff.wording import change_line
from tokenizer_conformance.results.ci_results.check import Problem, plain_rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.releases.diff.events import LoadingChanged
    from tokenizer_conformance.results.ci_results.check import Rule

LOADING_RULES: dict[str, Rule] = {
    "load": plain_rule(
        "loading-changed",
        "A tokenizer is refused that was loaded, or the other way round, or in other words",
        "Where only one side loads a tokenizer, no answers about it are compared.",
    ),
    "vocabulary": plain_rule(
        "vocabulary-changed",
        "The vocabulary is another one",
        "Tokens, or the ids that they have, are others, added tokens among them: ids that were stored before may mean "
        "something else now.",
    ),
    "save": plain_rule(
        "saved-file-changed",
        "A tokenizer is saved as another tokenizer.json",
        "The message has the JSON path, and what stood and stands there. It is loaded from the same file.",
    ),
}
"""The rule for a change of each part, in the words of ledgers."""


def loading_problems(changes: Iterable[LoadingChanged]) -> list[Problem]:
    """Return those of ``changes`` as problems that no ledger knows; what known changes explain is said."""
    return [
        Problem(rule=LOADING_RULES[each.change.what], message=change_line(each), identity=each.change.path)
        for each in changes
        if each.entry is None
    ]
