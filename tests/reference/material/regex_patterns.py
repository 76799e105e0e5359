"""Patterns that `tokenizers` takes or refuses, every construct of Oniguruma's language, and texts to match them in."""

from __future__ import annotations

from typing import Final

POSIX_NAMES: Final = (
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
)  # fmt: skip
QUANTIFIERS: Final = (
    "?", "*", "+", "??", "*?", "+?", "?+", "*+", "++", "{2}", "{2,}", "{,2}", "{1,2}", "{0}", "{0,0}", "{1}", "{2}?",
    "{2}+", "{2,}?", "{2,}+", "{1,2}?", "{1,2}+", "{,2}?", "{2,1}", "{2,1}?", "{2,1}+", "{3,1}",
)  # fmt: skip
INNER: Final = (
    "?", "*", "+", "??", "*?", "+?", "{2}", "{1,2}",
)  # fmt: skip
OUTER: Final = (
    "?", "*", "+", "??", "*?", "+?", "{2}", "{1,2}", "{2}?",
)  # fmt: skip
CASED_TEXTS: Final = (
    "a", "k", "s", "ß", "ẞ", "ss", "sss", "ssss", "i", "İ", "ı", "i\u0307", "fi", "ffi", "ff", "st", "ﬃ", "ﬀi", "fﬁ",
    "ﬅ", "σ", "ς", "μ", "é", "É", "ᾳ", "αι", "ΐ", "ǆ", "ǅ", "中", "1", "straße", "STRASSE",
)  # fmt: skip
CASED_SETS: Final = (
    "a", "k", "s", "ß", "^s", "^k", "^ß", "a-z", "A-Z", "à-ÿ", "ﬁ", "ﬀﬃ", "[:upper:]", r"\p{Lu}", "[^a]b", "^[^a]",
    "a&&A", "i", "İ", "ﬅſ", r"\x{df}", "ὖὒ",
)  # fmt: skip
ASCII_ESCAPES: Final = (
    r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\h", r"[\w]", r"[^\w]", r"[\W]", r"[\d]", r"[\s]", r"\p{Word}",
    r"\p{Alpha}", r"\p{Digit}", r"\p{Nd}", r"\p{Space}", r"\p{Upper}", r"\p{Punct}", r"\p{Cntrl}", r"\P{Alpha}",
    "[[:alpha:]]", "[[:^alpha:]]", "[[:punct:]]", "[[:ascii:]]", "[[:cntrl:]]", r"\b",
)  # fmt: skip

TEXTS: Final = [
    "a", "ab", "aab", "abab", "abcabc", "a b", " ab  c ", "\n", "a\n", "\na", "a\nb\n", "a\n\nb", "a\r\nb\r",
    "\r\n\r\n",
    "aaaa", "aaba", "foo bar_baz-1", "x1y22z333", "l'été", "STRASSE straße ẞ straſſe", "ss sS ßẞ ſs",
    "ﬃ ffi ﬀi fﬁ ﬅ st ſt", "kK\u212a iI\u0130\u0131 i\u0307", "ΑΣας σΣς", "ᾳ αι Αι ΐ \u1fd3 ΐ", "²³¹¼½¾ ①Ⅷ",
    "中文 ひらがな カタカナ", "a\u0301e\u0301", "\u200c\u200d\ufeff", "\x0b\x0c\x85\u2028\u2029\u3000",
    "😀👍🏽👨\u200d👩\u200d👧🇩🇪🇫🇷🇪",
    "क्ष नि", "𐐀𐐨𝒳𞤀", "\x00\x01\x1c\x1f\x7f", "0٣५９", "$+<=>^`|~€×!?。", "{}[]()*+?.^$|\\", "a{2}b{,3}",
    "pL Q E U0001F600 u{41}", "]-[&&^", "\ue001\U000f0000\u0378",
]  # fmt: skip

CONSTRUCTS: Final[dict[str, list[str]]] = {
    "characters": [
        "a", "ab", "é", "中", "😀", " ", "]", "}", "{", "{a", "a{", "a{,}", "a{x}", "a{1", "a{1,", "&&", "-", ",", "#",
        "/", '"', r"\.", r"\*", r"\\", r"\-", r"\ ", r"\é", r"\#", r"\/", r"\q", r"\Q.\E", r"\<", r"\>", r"\`", r"\'",
        r"\E", r"\L", r"\U0001F600", r"\pL", r"\u", r"\p", r"\P",
    ],
    "escapes": [
        r"\t", r"\n", r"\r", r"\f", r"\v", r"\a", r"\e", r"[\b]", r"\x61", r"\x6", r"\x", r"\xg", r"\x{61}",
        r"\x{1F600}", r"\x{61 62}", r"\x{61 62}+", r"\x{}", r"\x{g}", r"\u0061", r"\u00e9", r"\ud800", r"\o{141}",
        r"\o{141 142}", r"\o", r"\o{}", r"\141", r"\0", r"\012", r"\0123", r"\18", r"\81", r"\400", r"\777", r"\cA",
        r"\C-a", r"\c?", r"\M-a", r"\M-\C-a", r"\c\\", r"\xc3\xa9", r"\303\251", r"\xe4\xb8\xad+", r"\xf0\x9f\x98\x80",
        r"\xff", r"\x{110000}", r"\x{13ffff}", r"[\xff]", r"[^\xff]", r"[\xc3\xa9]", r"[\303\251]", r"[a-\xff]",
        r"[\x80-\xff]", r"[\x80-é]", r"[\u0080-\xff]", r"[\x{61-63}]", r"[\x{61 63-65 e9}]", r"[\x{61}-\x{63}]",
        r"[a-\x{7fffffff}]", r"[\x{1fffff}]", r"[\o{141-143}]", r"[\x]", r"[\x{}]", r"[\8\9]", r"[\0-\177]",
    ],
    "sets": [
        ".", "(?m:.)", r"\N", r"\O", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\h", r"\H", r"\R", r"\X", r"\p{L}",
        r"\P{L}", r"\p{^L}", r"\P{^L}", r"\p{ l }", r"\p{lowercase letter}", r"\p{Han}", r"\p{Hiragana}", r"\p{Word}",
        r"\P{Word}", r"\p{^Word}", r"\p{Alpha}", r"\p{Punct}", r"\p{Any}", r"\p{Cn}", r"\p{In_Basic_Latin}",
        r"\p{Emoji}", r"\p{LC}", r"\p{XDigit}",
        *(f"[[:{negation}{name}:]]" for negation in ("", "^") for name in POSIX_NAMES),
    ],
    "brackets": [
        "[a]", "[^a]", "[ab]", "[a-c]", "[^a-c]", "[a-cx-z]", "[]a]", "[^]a]", "[]]", "[a-]", "[-a]", "[--/]", "[!--]",
        "[a-c-e]", "[a-c-]", "[a\\-c]", "[a^]", "[\\^a]", "[&]", "[a&b]", "[.]", "[$^]", "[|]", "[(]", r"[\w]",
        r"[^\w]",
        r"[\W]", r"[\w-]", r"[-\w]", r"[\d.]", r"[\s\S]", r"[^\s\S]", r"[\p{L}]", r"[\P{L}]", r"[\p{^L}]",
        r"[^\p{L}\p{N}\s]", r"[\R]", r"[\X]", r"[\A\z\G\K]", r"[\h]", r"[\H]", r"[\n-\r]", "[[a]]", "[[a][b]]",
        "[a[b]c]", "[^a[^b]]", "[[^a]b]", "[a-[b]]", "[a[b-c]-d]", "[[a-z]&&[aeiou]]", "[a-z&&[^aeiou]]",
        "[a-w&&[^c-g]z]", "[a&&]", "[&&a]", "[a&&b]", "[a&&a&&a]", "[^a&&a]", "[a-z&&-]", "[a-&&-]", "[[:alpha:]]",
        "[[:alpha:][:digit:]]", "[[:alpha:]_]", "[^[:alpha:]]", "[:alpha:]", "[[::]]", "[[:alpha:]-]",
        r"[^(\s|[.,!?…。，、।۔،])]+", "[#!]", "(?x)[ a#]",
    ],
    "quantifiers": [
        *(f"a{quantifier}b?" for quantifier in QUANTIFIERS),
        *(f"(?:a{inner}){outer}b?" for inner in INNER for outer in OUTER),
        "a**", "a+?*", "a?+*", "a{2}{3}", "a{2}{1,2}", "(?:ab){2}", "(?:ab){1}*", "(?:ab){1}", "ab{1}*",
        "(?:a|ab)(?:c|bcd)(?:d*)", "(?:a|b)*?c", "(?>a|ab)c", "(?>a*)a", "a*+a", "(?:a?){3}a{3}", "(?:ab|a)*+b",
        "(?:)*",
        "(?:|a)*", "(?:|a)+", "(?:a|)*", "(?:a|)+b", "(?:a??)*", "(?:a*)*b", "(?:a*?)*?b", "(?:|a|ab)+", "(?:|aa|a){2}",
        "(?:|aa|a){2,3}b", "(?:|a){2,}", "(?:|a){2}?", "(?:a|b|){1,3}c", "(?x)a {2}", "(?x)a # comment\n{2}", "a(?#b)*",
        "(^)?a", "()*", "(?:a{0})b", "x{0}", "(?:ab){0}c",
    ],
    "alternatives": [
        "a|b", "a|", "|a", "|", "a||b", "ab|a", "a|ab", "(?:a|b)c", "(?:|a)b", "(a|b|c)+", "(?:a|b|)+", "a|b|ab",
        "x|(?:y|z)|a",
    ],
    "places": [
        "^", "$", r"\A", r"\Z", r"\z", r"\b", r"\B", r"\G", r"\y", r"\Y", "^a", "a$", "^a$", r"\Aa", r"a\Z", r"a\z",
        r"\ba", r"a\b", r"\Ba", r"\Ga", "^$", "^^a", "$\n^", r"^.*$", r"\G\w", r"\b\w+\b", r"a\Kb", r"\Ka", r"ab\K",
        r"\w+\K\s", "(?m)^a.b$", r"\s+\z", r"(?:^|\s)a", r"(?:a|$)b?", r"\y\X\y", r"\X+", r".\Y.", r"(?W)\b",
        r"(?P)\b\w+", r"(?W:\B).",
    ],
    "look-arounds": [
        "(?=a)", "(?!a)", "a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "(?<=a|bc)x?", "(?<!a|bc)x?", r"\s+(?!\S)|\s+",
        r"(?<=\s)a", r"(?<!\S)\w", "(?=(a))a", "(?!(a))b", "(?<=(a))b", "(?=.*b)a", "(?=a*?b)a", "(?!)", "(?=)",
        "(?<=)",
        "(?<!)", "(?<=a*)b", "(?<=a+)b", "(?<!a+)b", "(?<=a?b)c?", "(?<=ab?)x?", "(?<!ab?)x?", "(?<=a(?:b|cd))x?",
        "(?<=a{1,2}b)x?", r"(?<=^a)b", r"(?<=^|,)a", r"(?<=\b)a", r"(?<=\Ba?)x?", "(?<=(?<=a)b)c", "(?<!(?<!a)b)c",
        "(?<!(?<=a)b)c", r"(?<=\R)a", r"(?<=a\R)b", r"(?<=\Ra?)b", r"(?<=\X)a", "(?<=.)a", "(?<=.*b)a",
        "(?<=(?>a|ab))c",
        r"(?<=\p{L}{2})\d", "(?<=$)a", r"(?<=\G)a", "(?<=ab??|\\B)x?", "(?<=a??|\\B)x?", "(?i)(?<=ß)x?",
        "(?i)(?<=ss)x?",
        "(?i)(?<=k)x?", "(?i)(?<=[ß])x?", "(?<=(?i:st))x?", "(?<!(?<!)|a)b?", r"(?<!(?(a)b))c", r"(?<=(?(a)b|c)d*)x?",
        r"(?=(\d{3})+(?!\d))", r"(?<=[a-z])(?=[A-Z])", r"(?<!\d)(?=\d)", r"\d{1,3}(?=(?:\d{3})*\b)",
        r"(?i)(?<=(a)\1)b", r"(?i:(?<=(\1|s?+)\s++))", r"(?i)(?<=(a|(?<=\1)b))", r"(?i)(?<=(?<x>s)\k<x>)",
        r"(?i)(?<=\g<1>(a))",
    ],
    "case": [
        *(f"(?i:{text})" for text in CASED_TEXTS),
        *(f"(?i)[{inside}]" for inside in CASED_SETS),
        r"(?i)\p{Lu}", r"(?i)\w", "(?i:s)s", "(?i)s(?:s)", r"(?i)s\x73", "(?i)s()s", "(?i)(s)s", "(?i)s|s",
        "(?i)(?:s|t)t", "(?i)s+s", "(?i)ss+", "(?i)s{2}", "(?i)(?:ss){2}", "(?i:s)(?i:s)", "(?i)[s]t", "(?i)s[t]",
        "(?i)f(?:f|i)", "(?i)f(?:i)", "(?i)s(?#)s", "(?xi)s s", "(?i)s(?:)s", "(?i)(?:as+s)s", "(?i)x?(?:as+s)s",
        "a(?i)b|c", "(?:a(?i)b)|C", "a(?i:b)c", "(?i)a(?-i)b", "(?i)a(?-i:b)c", "(?-i)a", "(?i-i)a", "(?I)(?i)k",
        "(?iI)ß|ss|k", "(?iI:[k])", "(?i)(?<=k)a", "(?i)(a)\\1", "(?i)(ß)\\1", "(?i)(s)\\1", "(?i:(k))\\1",
        "(k)(?i:\\1)",
    ],
    "options": [
        "(?m).", "(?m:.)a", "(?m).+", "(?-m).", "(?x) a b ", "(?x:a b) c", "(?x)a#b\nc", "(?x)a\\ b", "(?x-i)a",
        "(?imx) A . ", "(?mix-mix)a", "(?-)a", "(?-:a)", "(?:(?x) a )b c", "(?C)(a)(b)", "(?C)(a|b)c", "(?C:(a))",
        *(f"(?{option}){escape}" for option in "WDSP" for escape in ASCII_ESCAPES),
        "(?W:\\w)\\w", "(?W)a(?-W)\\w", "(?y{g})\\X", "(?y{g}:\\y)", "(?#comment)a", r"a(?#\)x)b", "(?#)",
    ],
    "captures": [
        "(a)", "(a)(b)", "((a)b)", "(?<x>a)", "(?'x'a)", "(?<été>a)", r"(?<x-y >a)\g<x-y >", r"(a)\1", r"(a|b)\1",
        r"(a)\k<1>", r"(a)\k'1'", r"(a)(b)\k<-1>", r"(a)\k<-1>", r"\k<+1>?(a)", r"(?<x>a)\k<x>", r"(?<x>a)\k'x'",
        r"(?<x>a)|(?<x>b)\k<x>", r"(?<x>a)(?<x>b)?\k<x>", r"(?<x>a)(b)\k<x>", r"(a)?\1b", r"(a)?b\1", r"\1(a)",
        r"(?:\1|(a))*", r"(a\1?)+", r"(a*)\1", r"(a*)*\1", r"(?:(a)|b)*\1", r"(?:(a)|(b))*\1\2", r"(|a)+\1",
        r"(?:()|a)+\1", r"(?:a|())*\1b?", r"(?:()|())*\1\2", r"(\w)(\w)\2\1", r"(.)\1+", r"(?=(a))\1", r"(?>(a|ab))\1",
        r"((a)|(b))+\2", "(a){0}b", r"(?:(a)){2}\1", r"(a)\g<1>", r"(?<x>a|b)\g<x>", r"\g<1>(ab)", r"(a(b)?)\g<1>\2",
        r"(?i:(a))\g<1>", r"(a)(?i)\g<1>", r"(a)\g<-1>", r"\g<+1>(a)", r"(?<x>a){0}\g<x>b", r"(ab?)\g'1'", r"\g", r"\k",
        r"\ga", r"(?<x>a*)*b", r"((a)*)*b(?<y>c)?",
    ],
    "conditionals": [
        r"(a)?(?(1)b|c)", r"(a)?(?(1)b)", r"(a)?(?(1))b", r"(?<x>a)?(?(<x>)b|c)", r"(?<x>a)?(?('x')b|c)", "(?(a)b|c)",
        "(?(a)b|c|d)", "(?(a)|c)", "(?(a|b)c|d)", "(?((?=a))a|b)", "(?((?!a)).|a)b", "(a)?(?(-1)b|c)", "(?(a)(?:b|c))",
        "(?(a)(?:b|c)|d)", "(?(a)(?:^)*b|c)", "(?(1a)b|c)", "(?()a|b)", "(?(a*)b|c)", "x(?(a)b)", "(?(ab|a)b|a)",
    ],
}  # fmt: skip
"""What `tokenizers` takes, by theme."""

REFUSED: Final = [
    "(", "(a", "a)", ")", "(?", "(?:", "(?:a", "(?=a", "(?<", "(?<=a", "(?<x", "(?<x>a", "(?z)", "(?)", "(?i", "(?i:a",
    "(?s:a)", "(?a)", "(?u)", "(?|a)", "(?P<n>a)", "(?P=n)", "(?&n)", "(?R)", "(?1)", "(?p)", "(?@a)", "(?i-y{g})",
    "(?y)", "(?y{x})", "(?-I)a", "(?#a", "*", "+a", "?", "{2}a", "a|*", "(?:+)", "a|{2}", "^*", "$+", r"\b?", r"\A{2}",
    r"\K*", r"\G+", "(?=a)*", "(?!a)?", "(?<=a)+", "(?:^|a)*", r"(?:\b|a)+?b", r"(?:(?=a)|b)+", "(?:a|(?=b))+", "(?i)*",
    "a(?i)*", r"\y*", "a{100001}", "a{1,100001}", "a{99999999999}", "(?<=a{65536})b", "(?<=a{70000})",
    "(?:a{50000}){50000}", "[", "[a", "[]", "[^]", "[^", "[a-", "[b-a]", r"[\w-a]", r"[a-\w]", r"[\p{L}-z]",
    "[[:alpha:]-z]", "[a-[:alpha:]]", "[[:foo:]]", "[[:alpha]", "[[:a]", "[[:alpha:]", "[[:^:]]", "[a&&", "[[a]",
    r"[\x{62}-\x{61}]", r"[\x{61-62-63}]", r"[\x{-61}]", r"[a-\x{62-63}]", r"[\xc3]", r"[\xc3\x28]", r"[\400]",
    r"[\u12]", r"[\x{200000}]", "\\", "a\\", r"\u12", r"\u{41}", r"\x{61", r"\x{61,62}", r"\x{200000}", r"\x{1fffff}",
    r"\x{123456789}", r"\o{81", r"\o{18}", r"\c", r"\C", r"\Ca", r"\C-", r"\M", r"\Ma", r"\M-", r"\x80", r"\xc3",
    r"\xc3a", r"\xe4\xb8", r"\200", r"\xc3\x28", r"\p{", r"\p{L", r"\p{}", r"\p{foo}", r"\p{Script=Han}", r"\p{gc=L}",
    r"\p{IsL}", r"\p{L&}", r"\p{é}", r"\p{^^L}", r"\p{a(b}", r"\P{foo}", r"\p{Beria_Erfe}", r"\1", r"\9", r"(a)\2",
    r"\k<1>", r"\k<x>", r"\k<x>(?<x>a)", r"\k<0>", r"(a)\k<-2>", r"(a)\k<>", r"(a)\k<1", r"(a)\k<-0>", r"\k<",
    r"(?<x>a)\1", r"(?<x>a)(b)\2", r"(?<x>a)\k<1>", r"(?<x>a)\g<1>", r"\g<1>", r"\g<x>", r"(?<x>a)(?<x>b)\g<x>", r"\g<",
    r"\g<>", r"(a)\g<2>", r"(?<1x>a)", "(?<>a)", "(?<-x>a)", "(?< x>a)", r"\k<a b>", r"(?<a b>x)\k<a b>", r"\g<1a>",
    r"\g<+a>", "(?<=(?=a))b", "(?<=(?!a))b", r"(?<=\z)a", r"(?<=\Z)a", "(?<!(a))b", "(?<=(?<!a)b)c", "(?<!(?=a))b",
    "(?<=a?b?)c", "(?<!a*b{0,2})c", "(?<=x|a?b*)c", r"(?<=\1)(?i)(a)", r"(?<=\g<1>)((?i)a)", r"(?i)(?<=(?<=\1)(a))",
    "(?(1)a|b)", "(?(a)",
    "(?(a))", "(?(<x>)a)", "(?(?=a)b|c)", "(a)(?(2)b)", "(?(", "(?(1", "a(?C)b", "a(?I)b", "(?C)(?C)a", "(?I)a(?C)",
    r"(?C)(a)\1",
]  # fmt: skip
"""What `tokenizers` refuses."""

SETS: Final = [
    ".", r"\N", r"\O", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\h", r"\H", r"\R", r"\p{Word}", r"\p{Punct}",
    r"[\w]",
    r"[^\w]", r"[\d]", r"[\s]", r"[\h]", r"[^\W\d]",
    *(f"[[:{negation}{name}:]]" for negation in ("", "^") for name in POSIX_NAMES),
    *(f"(?{option}:{escape})" for option in "WDSP" for escape in (r"\w", r"\W", r"\d", r"\s", r"[^\w]",
    "[[:alpha:]]", "[[:punct:]]", r"\p{Cntrl}")),
    *(f"(?i:{inside})" for inside in ("[a-z]", "[^a-z]", "[[:upper:]]", r"[\p{Ll}]", r"[^\p{Lu}]", r"\p{Lu}")),
]  # fmt: skip
"""Patterns of one character, to be compared on all."""
