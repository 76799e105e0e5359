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
    "regex-empty-match-after-a-match-is-skipped": Shows(ask=_replaced("x*", "axb"), odd="-a-b-", naive="-a--b-"),
    "regex-skipped-empty-match-hides-alternatives": Shows(ask=_replaced("|a", "a"), odd="-a-", naive="---"),
    "regex-word-and-bracketed-word-differ": Shows(
        ask=lambda package: [
            found(package, pattern, "²", "½", "①") for pattern in (r"\w", r"\p{Word}", r"[\w]", r"[\p{Word}]")
        ],
        odd=[[["²"], ["½"], []]] * 2 + [[[], [], []]] * 2,
    ),
    "regex-properties-of-unicode-16": Shows(
        ask=lambda package: (found(package, r"\p{L}", "\ua7cd", "\ua7ce"), _refused(package, r"\p{Beria_Erfe}")),
        odd=([["\ua7cd"], []], True),
        naive=([["\ua7cd"], ["\ua7ce"]], False),
    ),
    "regex-option-covers-later-alternatives": Shows(
        ask=_finds("a(?i)b|c", "c", "aC"), odd=[[], ["aC"]], naive=[["c"], []]
    ),
    "regex-punct-in-brackets-has-symbols": Shows(
        ask=_both_find(("[[:punct:]]", r"\p{Punct}"), "!", "$", "€"), odd=[[["!"], ["$"], ["€"]], [["!"], [], []]]
    ),
    "regex-h-is-a-hexadecimal-digit": Shows(ask=_finds(r"\h", "a", " "), odd=[["a"], []], naive=[[], [" "]]),
    "regex-v-is-one-character": Shows(ask=_finds(r"\v", "\x0b", "\n"), odd=[["\x0b"], []], naive=[["\x0b"], ["\n"]]),
    "regex-anchors-are-of-lines": Shows(ask=_finds("^a$", "b\na\nb"), odd=[["a"]], naive=[[]]),
    "regex-m-lets-the-dot-match-newlines": Shows(
        ask=lambda package: (found(package, "(?m).", "\n"), _refused(package, "(?s).")),
        odd=([["\n"]], True),
        naive=([[]], False),
    ),
    "regex-dot-leaves-out-the-line-feed-only": Shows(
        ask=_finds(".", "\n", "\r", "\x85", "\u2028"), odd=[[], ["\r"], ["\x85"], ["\u2028"]]
    ),
    "regex-clusters-without-conjuncts": Shows(
        ask=_finds(r"\X", "\u0915\u094d\u0937"), odd=[["\u0915\u094d", "\u0937"]], naive=[["\u0915\u094d\u0937"]]
    ),
    "regex-incb-is-half-a-property": Shows(
        ask=_finds(r"\p{InCB}", "\u094d", "\u0915", "\u0300", "\u0d4d", "\u1dc0"),
        odd=[["\u094d"], [], [], ["\u0d4d"], ["\u1dc0"]],
        naive=[["\u094d"], ["\u0915"], ["\u0300"], ["\u0d4d"], ["\u1dc0"]],
    ),
    "regex-case-folds-to-several-characters": Shows(
        ask=_both_find(("(?i)ss", "(?i)st"), "ß", "\ufb06"), odd=[[["ß"], []], [[], ["\ufb06"]]], naive=[[[], []]] * 2
    ),
    "regex-class-folds-no-neighbours": Shows(
        ask=_both_find(("(?i)st", "(?i)[s]t"), "\ufb06"), odd=[[["\ufb06"]], [[]]], naive=[[["\ufb06"]], [["\ufb06"]]]
    ),
    "regex-longest-folding-is-one-unit": Shows(
        ask=_finds("(?i)ffi", "\ufb03", "\ufb00i"), odd=[["\ufb03"], []], naive=[["\ufb03"], ["\ufb00i"]]
    ),
    "regex-case-of-properties-in-brackets-only": Shows(
        ask=_both_find((r"(?i)\p{Lu}", r"(?i)[\p{Lu}]"), "a"), odd=[[[]], [["a"]]]
    ),
    "regex-property-needs-braces": Shows(ask=_finds(r"\pL", "a", "pL"), odd=[[], ["pL"]], naive=[["a"], ["L"]]),
    "regex-long-escape-is-text": Shows(
        ask=_finds(r"\U0001F600", "\U0001f600", "U0001F600"), odd=[[], ["U0001F600"]], naive=[["\U0001f600"], []]
    ),
    "regex-quotation-is-text": Shows(ask=_finds(r"\Q.\E", ".", "QxE"), odd=[[], ["QxE"]], naive=[["."], []]),
    "regex-capital-n-is-no-name": Shows(ask=_finds(r"\N{2}", "ab\n"), odd=[["ab"]], naive=[[]]),
    "regex-interval-may-lack-its-start": Shows(
        ask=_finds("a{,2}", "aaa", "a{,2}"), odd=[["aa", "a"], ["a"]], naive=[[], ["a{,2}"]]
    ),
    "regex-reversed-interval-is-possessive": Shows(
        ask=lambda package: found(package, "a{3,1}", "aaaa") + found(package, "a{3,1}a", "aaa", "aaaa"),
        odd=[["aaa", "a"], [], ["aaaa"]],
    ),
    "regex-exact-count-cannot-be-lazy": Shows(
        ask=_finds("a{2}?b", "b", "aab"), odd=[["b"], ["aab"]], naive=[[], ["aab"]]
    ),
    "regex-interval-cannot-be-possessive": Shows(
        ask=_finds("a{2,3}+", "aaaaaaa"), odd=[["aaaaaa"]], naive=[["aaa", "aaa"]]
    ),
    "regex-once-drops-the-group": Shows(ask=_finds("(?:ab){1}*", "abbab"), odd=[["abb", "ab"]], naive=[["ab", "ab"]]),
    "regex-anchor-repeats-in-a-capture-only": Shows(
        ask=lambda package: [_refused(package, pattern) for pattern in ("^*a", "(?:^)*a", "(^)*a")],
        odd=[True, True, False],
        naive=[False, False, False],
    ),
    "regex-unfinished-range-is-lost": Shows(
        ask=_finds("[a-[b]]", "a", "-", "b"), odd=[[], [], ["b"]], naive=[["a"], ["-"], ["b"]]
    ),
    "regex-range-after-a-named-set-is-refused": Shows(
        ask=lambda package: [_refused(package, pattern) for pattern in (r"[\w-z]", r"[\w-]")],
        odd=[True, False],
        naive=[False, False],
    ),
    "regex-lone-byte-matches-nothing": Shows(
        ask=_both_find((r"\xff", r"[\xff]"), "ÿ"), odd=[[[]], [[]]], naive=[[["ÿ"]], [["ÿ"]]]
    ),
    "regex-look-behind-does-not-see-the-start": Shows(
        ask=_both_find((r"(?<=\b)a", r"(?<=\bb*)a"), "a", " a"),
        odd=[[["a"], ["a"]], [[], ["a"]]],
        naive=[[["a"], ["a"]], [["a"], ["a"]]],
    ),
    "regex-look-behind-sees-only-one-line-break": Shows(
        ask=_finds(r"(?<=\R)a", "\na", "\r\na"), odd=[[], ["a"]], naive=[["a"], ["a"]]
    ),
    "regex-condition-in-negative-look-behind-never-holds": Shows(
        ask=_finds("(?<!(?(a)b))x", "x", "bx", "abx"), odd=[[], [], []], naive=[["x"], ["x"], []]
    ),
    "regex-condition-without-other-side-loses-text": Shows(
        ask=_finds_if_taken("(?(ab)c)d", "abcd"), odd=[["d"]], naive=[["abcd"]], reference="refused"
    ),
    "regex-relative-call-can-reach-the-whole-pattern": Shows(
        ask=_finds_if_taken(r"<\g<-1>?>", "<<>> >"), odd=[["<<>>"]], reference="refused"
    ),
    "regex-property-names-without-values": Shows(
        ask=lambda package: [_refused(package, pattern) for pattern in (r"\p{Script=Latin}", r"\p{ l a-t_in }")],
        odd=[True, False],
        naive=[False, True],
    ),
    "regex-named-groups-of-one-form": Shows(
        ask=lambda package: [_refused(package, pattern) for pattern in ("(?<n>a)", "(?P<n>a)")],
        odd=[False, True],
        naive=[False, False],
    ),
    "regex-names-forbid-numbers": Refuses(
        ask=lambda package: package.Regex(r"(a)(?<n>b)\1"), message="numbered backref/call is not allowed"
    ),
    "regex-backtracking-limit-panics": Panics(
        ask=_replaced("^(a|a)*$", f"{'a' * 22}b"), message="retry-limit-in-match over", reference=f"{'a' * 22}b"
    ),
}
