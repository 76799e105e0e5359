"""Cases of regular expressions: mostly, what a pattern finds in some texts."""

from __future__ import annotations

from typing import Any

from quirk_cases.asking import found
from quirk_cases.case import Case, Panics, Refuses, Shows


def _replaced(pattern: str, text: str) -> Any:
    return lambda package: package.normalizers.Replace(package.Regex(pattern), "-").normalize_str(text)


def _refused(package: Any, pattern: str) -> bool:
    try:
        package.Regex(pattern)
    except Exception:
        return True
    return False


def _finds_if_taken(pattern: str, *texts: str) -> Any:
    """Ask for what ``pattern`` finds, or "refused"."""
    return lambda package: "refused" if _refused(package, pattern) else found(package, pattern, *texts)


REGULAR_EXPRESSIONS: dict[str, Case] = {
    "REGEX-CONDITION-WITHOUT-OTHER-SIDE-LOSES-TEXT": Shows(
        instead="raises UnsupportedRegexError where something stands after the condition",
        ask=_finds_if_taken("(?(ab)c)d", "abcd"),
        odd=[["d"]],
        naive=[["abcd"]],
        reference="refused",
    ),
    "REGEX-RELATIVE-CALL-CAN-REACH-THE-WHOLE-PATTERN": Shows(
        instead="raises UnsupportedRegexError, as for all recursion",
        ask=_finds_if_taken(r"<\g<-1>?>", "<<>> >"),
        odd=[["<<>>"]],
        reference="refused",
    ),
    "REGEX-NAMES-FORBID-NUMBERS": Refuses(
        ask=lambda package: package.Regex(r"(a)(?<n>b)\1"), message="numbered backref/call is not allowed"
    ),
    "REGEX-BACKTRACKING-LIMIT-PANICS": Panics(
        instead="goes on without a limit, which can take exponential time",
        ask=_replaced("^(a|a)*$", f"{'a' * 22}b"),
        message="retry-limit-in-match over",
        reference=f"{'a' * 22}b",
    ),
}
