"""Cases of regular expressions: mostly, what a pattern finds in some texts."""

from __future__ import annotations

from typing import Any

from quirk_cases.asking import found
from quirk_cases.case import Case, Panics, Refuses, Shows


def _finds(pattern: str, *texts: str) -> Any:
    return lambda package: found(package, pattern, *texts)


def _both_find(patterns: tuple[str, str], *texts: str) -> Any:
    return lambda package: [found(package, pattern, *texts) for pattern in patterns]


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
    "REGEX-EMPTY-MATCH-AFTER-A-MATCH-IS-SKIPPED": Shows(ask=_replaced("x*", "axb"), odd="-a-b-", naive="-a--b-"),
    "REGEX-SKIPPED-EMPTY-MATCH-HIDES-ALTERNATIVES": Shows(ask=_replaced("|a", "a"), odd="-a-", naive="---"),
    "REGEX-WORD-AND-BRACKETED-WORD-DIFFER": Shows(
        ask=lambda package: [
            found(package, pattern, "²", "½", "①") for pattern in (r"\w", r"\p{Word}", r"[\w]", r"[\p{Word}]")
        ],
        odd=[[["²"], ["½"], []]] * 2 + [[[], [], []]] * 2,
    ),
    "REGEX-PROPERTIES-OF-UNICODE-16": Shows(
        ask=lambda package: (found(package, r"\p{L}", "\ua7cd", "\ua7ce"), _refused(package, r"\p{Beria_Erfe}")),
        odd=([["\ua7cd"], []], True),
        naive=([["\ua7cd"], ["\ua7ce"]], False),
    ),
    "REGEX-OPTION-COVERS-LATER-ALTERNATIVES": Shows(
        ask=_finds("a(?i)b|c", "c", "aC"), odd=[[], ["aC"]], naive=[["c"], []]
    ),
    "REGEX-PUNCT-IN-BRACKETS-HAS-SYMBOLS": Shows(
        ask=_both_find(("[[:punct:]]", r"\p{Punct}"), "!", "$", "€"), odd=[[["!"], ["$"], ["€"]], [["!"], [], []]]
    ),
    "REGEX-H-IS-A-HEXADECIMAL-DIGIT": Shows(ask=_finds(r"\h", "a", " "), odd=[["a"], []], naive=[[], [" "]]),
    "REGEX-V-IS-ONE-CHARACTER": Shows(ask=_finds(r"\v", "\x0b", "\n"), odd=[["\x0b"], []], naive=[["\x0b"], ["\n"]]),
    "REGEX-ANCHORS-ARE-OF-LINES": Shows(ask=_finds("^a$", "b\na\nb"), odd=[["a"]], naive=[[]]),
    "REGEX-M-LETS-THE-DOT-MATCH-NEWLINES": Shows(
        ask=lambda package: (found(package, "(?m).", "\n"), _refused(package, "(?s).")),
        odd=([["\n"]], True),
        naive=([[]], False),
    ),
    "REGEX-DOT-LEAVES-OUT-THE-LINE-FEED-ONLY": Shows(
        ask=_finds(".", "\n", "\r", "\x85", "\u2028"), odd=[[], ["\r"], ["\x85"], ["\u2028"]]
    ),
    "REGEX-CLUSTERS-WITHOUT-CONJUNCTS": Shows(
        ask=_finds(r"\X", "\u0915\u094d\u0937"), odd=[["\u0915\u094d", "\u0937"]], naive=[["\u0915\u094d\u0937"]]
    ),
    "REGEX-INCB-IS-HALF-A-PROPERTY": Shows(
        ask=_finds(r"\p{InCB}", "\u094d", "\u0915", "\u0300", "\u0d4d", "\u1dc0"),
        odd=[["\u094d"], [], [], ["\u0d4d"], ["\u1dc0"]],
        naive=[["\u094d"], ["\u0915"], ["\u0300"], ["\u0d4d"], ["\u1dc0"]],
    ),
    "REGEX-CASE-FOLDS-TO-SEVERAL-CHARACTERS": Shows(
        ask=_both_find(("(?i)ss", "(?i)st"), "ß", "\ufb06"), odd=[[["ß"], []], [[], ["\ufb06"]]], naive=[[[], []]] * 2
    ),
    "REGEX-CLASS-FOLDS-NO-NEIGHBOURS": Shows(
        ask=_both_find(("(?i)st", "(?i)[s]t"), "\ufb06"), odd=[[["\ufb06"]], [[]]], naive=[[["\ufb06"]], [["\ufb06"]]]
    ),
    "REGEX-LONGEST-FOLDING-IS-ONE-UNIT": Shows(
        ask=_finds("(?i)ffi", "\ufb03", "\ufb00i"), odd=[["\ufb03"], []], naive=[["\ufb03"], ["\ufb00i"]]
    ),
    "REGEX-CASE-OF-PROPERTIES-IN-BRACKETS-ONLY": Shows(
        ask=_both_find((r"(?i)\p{Lu}", r"(?i)[\p{Lu}]"), "a"), odd=[[[]], [["a"]]]
    ),
    "REGEX-PROPERTY-NEEDS-BRACES": Shows(ask=_finds(r"\pL", "a", "pL"), odd=[[], ["pL"]], naive=[["a"], ["L"]]),
    "REGEX-LONG-ESCAPE-IS-TEXT": Shows(
        ask=_finds(r"\U0001F600", "\U0001f600", "U0001F600"), odd=[[], ["U0001F600"]], naive=[["\U0001f600"], []]
    ),
    "REGEX-QUOTATION-IS-TEXT": Shows(ask=_finds(r"\Q.\E", ".", "QxE"), odd=[[], ["QxE"]], naive=[["."], []]),
    "REGEX-CAPITAL-N-IS-NO-NAME": Shows(ask=_finds(r"\N{2}", "ab\n"), odd=[["ab"]], naive=[[]]),
    "REGEX-INTERVAL-MAY-LACK-ITS-START": Shows(
        ask=_finds("a{,2}", "aaa", "a{,2}"), odd=[["aa", "a"], ["a"]], naive=[[], ["a{,2}"]]
    ),
    "REGEX-REVERSED-INTERVAL-IS-POSSESSIVE": Shows(
        ask=lambda package: found(package, "a{3,1}", "aaaa") + found(package, "a{3,1}a", "aaa", "aaaa"),
        odd=[["aaa", "a"], [], ["aaaa"]],
    ),
    "REGEX-EXACT-COUNT-CANNOT-BE-LAZY": Shows(
        ask=_finds("a{2}?b", "b", "aab"), odd=[["b"], ["aab"]], naive=[[], ["aab"]]
    ),
    "REGEX-INTERVAL-CANNOT-BE-POSSESSIVE": Shows(
        ask=_finds("a{2,3}+", "aaaaaaa"), odd=[["aaaaaa"]], naive=[["aaa", "aaa"]]
    ),
    "REGEX-ONCE-DROPS-THE-GROUP": Shows(ask=_finds("(?:ab){1}*", "abbab"), odd=[["abb", "ab"]], naive=[["ab", "ab"]]),
    "REGEX-ANCHOR-REPEATS-IN-A-CAPTURE-ONLY": Shows(
        ask=lambda package: [_refused(package, pattern) for pattern in ("^*a", "(?:^)*a", "(^)*a")],
        odd=[True, True, False],
        naive=[False, False, False],
    ),
    "REGEX-UNFINISHED-RANGE-IS-LOST": Shows(
        ask=_finds("[a-[b]]", "a", "-", "b"), odd=[[], [], ["b"]], naive=[["a"], ["-"], ["b"]]
    ),
    "REGEX-RANGE-AFTER-A-NAMED-SET-IS-REFUSED": Shows(
        ask=lambda package: [_refused(package, pattern) for pattern in (r"[\w-z]", r"[\w-]")],
        odd=[True, False],
        naive=[False, False],
    ),
    "REGEX-LONE-BYTE-MATCHES-NOTHING": Shows(
        ask=_both_find((r"\xff", r"[\xff]"), "ÿ"), odd=[[[]], [[]]], naive=[[["ÿ"]], [["ÿ"]]]
    ),
    "REGEX-LOOK-BEHIND-DOES-NOT-SEE-THE-START": Shows(
        ask=_both_find((r"(?<=\b)a", r"(?<=\bb*)a"), "a", " a"),
        odd=[[["a"], ["a"]], [[], ["a"]]],
        naive=[[["a"], ["a"]], [["a"], ["a"]]],
    ),
    "REGEX-LOOK-BEHIND-SEES-ONLY-ONE-LINE-BREAK": Shows(
        ask=_finds(r"(?<=\R)a", "\na", "\r\na"), odd=[[], ["a"]], naive=[["a"], ["a"]]
    ),
    "REGEX-CONDITION-IN-NEGATIVE-LOOK-BEHIND-NEVER-HOLDS": Shows(
        ask=_finds("(?<!(?(a)b))x", "x", "bx", "abx"), odd=[[], [], []], naive=[["x"], ["x"], []]
    ),
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
    "REGEX-PROPERTY-NAMES-WITHOUT-VALUES": Shows(
        ask=lambda package: [_refused(package, pattern) for pattern in (r"\p{Script=Latin}", r"\p{ l a-t_in }")],
        odd=[True, False],
        naive=[False, True],
    ),
    "REGEX-NAMED-GROUPS-OF-ONE-FORM": Shows(
        ask=lambda package: [_refused(package, pattern) for pattern in ("(?<n>a)", "(?P<n>a)")],
        odd=[False, True],
        naive=[False, False],
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
