"""What a badge says, and in which colour: never more than the record does.

All that was asked counts: what an implementation does not show, it has not passed. So one that shows little cannot look
like one that passed everything, although nothing of it failed. Nor can one that does not load the tokenizers. Chat
templates are no part of a tokenizer: who does not render them is not counted there, and the badge says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import one_line
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.requirement import Importance

if TYPE_CHECKING:
    from collections import Counter

    from tokenizer_conformance.validation.badge.reading import ImplementationScore
    from tokenizer_conformance.validation.suite.reader import SuiteIdentity

SUBJECT = "tokenizers conformance"
"""How every label begins."""

PARTIAL = "part of the suite"
"""How the message of a badge begins that is not about the whole suite."""

FAILED = frozenset({CaseVerdict.FAILED, CaseVerdict.KNOWN, CaseVerdict.ERROR})
"""What has failed on a badge: that a failure is known makes it none the better, and no answer is no right one."""

DIGEST_LENGTH = 7
LONGEST = 60
"""How many characters a name or a version may have."""

ALL, MOST, MANY, FEW, FAILS, CORE_FAILED = "brightgreen", "green", "yellowgreen", "lightgrey", "orange", "red"


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge: two texts beside each other, the colour of the second, and the title for those who see neither."""

    label: str
    message: str
    color: str
    title: str


def badge_of(judged: ImplementationScore, suite: SuiteIdentity, *, is_partial: bool) -> Badge:
    """Return the badge of ``judged``, which was asked ``suite``, or a part of it."""
    target, version = (one_line(text, LONGEST) for text in (suite.target, suite.version))
    label = f"{SUBJECT} {target} · suite {version} ({one_line(suite.sha256[:DIGEST_LENGTH])})"
    message = _message(judged, is_partial=is_partial)
    who = f"{one_line(judged.name, LONGEST)} {one_line(judged.version, LONGEST)}"
    return Badge(label, message, _color(judged.counts, is_partial=is_partial), f"{who}: {label}: {message}")


def _message(judged: ImplementationScore, *, is_partial: bool) -> str:
    counts, not_loaded = judged.counts, judged.not_loaded
    core = {verdict: count for (importance, verdict), count in counts.items() if importance is Importance.CORE}
    core_asked, core_passed = sum(core.values()), core.get(CaseVerdict.PASSED, 0)
    parts = [f"core {core_passed:,}/{core_asked:,}"] if core_asked else []
    parts.append(f"all {_having(counts, CaseVerdict.PASSED):,}/{counts.total():,}")
    failed, not_shown = _having(counts, *FAILED) - not_loaded, _having(counts, CaseVerdict.UNSUPPORTED)
    parts += [f"{failed:,} failed"] if failed else []
    parts += [f"{not_loaded:,} not loaded"] if not_loaded else []
    parts += [f"{not_shown:,} not shown"] if not_shown else []
    parts += ["without chat templates"] if judged.left_out else []
    return f"{PARTIAL}: {' · '.join(parts)}" if is_partial else " · ".join(parts)


def _color(counts: Counter[tuple[Importance, CaseVerdict]], *, is_partial: bool) -> str:
    """Return the colour: the first line of the rule in the help of ``tokconf badge`` that fits."""
    passed, asked = _having(counts, CaseVerdict.PASSED), counts.total()
    if any(counts[Importance.CORE, verdict] for verdict in FAILED):
        return CORE_FAILED
    if _having(counts, *FAILED):
        return FAILS
    if is_partial or 2 * passed < asked or not asked:
        return FEW
    if passed == asked:
        return ALL
    return MOST if 10 * passed >= 9 * asked else MANY


def _having(counts: Counter[tuple[Importance, CaseVerdict]], *verdicts: CaseVerdict) -> int:
    return sum(count for (_, verdict), count in counts.items() if verdict in verdicts)
