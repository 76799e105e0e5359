r"""Writing a test of pytest that stands alone: it compares two implementations on a tokenizer and texts in the file.

What is written is ASCII: hostile texts stand as escapes, so that no editor, terminal or version control can change one.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

TEST = '''\
"""Does {first} conform to {second} on a tokenizer? Needs pytest and tokenizer-conformance.

Written by: {command}
"""

from tokenizer_conformance import assert_conforms

IMPLEMENTATION = {implementation}
AGAINST = {against}
TOKENIZER = {tokenizer}

# Each text is asked about alone, and in a pair with the next one.
TEXTS = [
{texts}
]


def test_conforms():
    assert_conforms(IMPLEMENTATION, TOKENIZER, TEXTS, against=AGAINST)
'''


def written_test(implementation: str, against: str, tokenizer: str, texts: Iterable[str]) -> str:
    r"""Return a file of Python with one test: that ``implementation`` conforms to ``against`` on ``tokenizer``.

    The first two are words of the command line, the third names a tokenizer there.

    >>> print(written_test("reference", "tokenizers", "bert-mini", ["\u202e"]).splitlines()[13])
        '\u202e',
    """
    command = shlex.join(["tokconf", "suite", "write", implementation, against, "--tokenizer", tokenizer])
    return TEST.format(
        first=_in_docstring(implementation),
        second=_in_docstring(against),
        command=_in_docstring(command),
        implementation=ascii(implementation),
        against=ascii(against),
        tokenizer=ascii(tokenizer),
        texts="\n".join(f"    {text!a}," for text in texts),
    )


def _in_docstring(text: str) -> str:
    r"""Return ``text`` as it can stand in a docstring.

    >>> print(_in_docstring('a "b"'))
    a \"b\"
    """
    return ascii(text)[1:-1].replace('"', '\\"')
