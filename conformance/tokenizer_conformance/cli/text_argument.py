"""A text that is given on the command line, by standard input, or with escapes."""

from __future__ import annotations

import re
import sys
import unicodedata
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.standard_streams import reason_of

if TYPE_CHECKING:
    from pathlib import Path

STANDARD_INPUT = "-"

_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|N\{([^}]*)\}|(.)|$)", re.DOTALL)

_SHORT = {"\\": "\\", "n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'"}


def text_of(argument: str, *, escaped: bool, what: str) -> str:
    """Return the text that ``argument`` stands for: itself, or with ``-`` what standard input holds, to the byte.

    With ``escaped`` the escapes in it are read. ``what`` names the argument in messages. Raises :class:`BadInput` where
    it is no text.
    """
    return _checked(_from_standard_input(what) if argument == STANDARD_INPUT else argument, escaped=escaped, what=what)


def text_in_file(path: Path, *, escaped: bool, what: str) -> str:
    """Return the text of the file at ``path``, to the byte, its escapes read where ``escaped``.

    ``what`` names the option in messages. Raises :class:`BadInput` where it cannot be read, or is no text.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise BadInput(f"{what} {str(path)!r} is not UTF-8: byte 0x{byte:02X} at offset {error.start}") from error
    except OSError as error:
        raise BadInput(f"{what} {str(path)!r} cannot be read: {reason_of(error)}") from error
    return _checked(text, escaped=escaped, what=what)


def _checked(text: str, *, escaped: bool, what: str) -> str:
    """Return ``text``, its escapes read where ``escaped``. Raises :class:`BadInput` where it holds a surrogate."""
    text = unescaped(text, what) if escaped else text
    for position, character in enumerate(text):
        if 0xD800 <= ord(character) <= 0xDFFF:
            raise BadInput(f"{what} is no text: at character {position} stands {_surrogate_words(ord(character))}")
    return text


def _surrogate_words(number: int) -> str:
    if 0xDC80 <= number <= 0xDCFF:
        return f"the byte 0x{number - 0xDC00:02X}, which is not UTF-8"
    return f"the surrogate U+{number:04X}, which is no character"


def _from_standard_input(what: str) -> str:
    if sys.stdin is None:
        raise BadInput(f"{what} is to be read from standard input, which is closed")
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{what} from standard input is not UTF-8: byte 0x{error.object[error.start]:02X} at offset {error.start}"
        ) from error
    except OSError as error:
        raise BadInput(f"{what} cannot be read from standard input: {reason_of(error)}") from error


def unescaped(text: str, what: str) -> str:
    r"""Return ``text`` with its escapes read: those of a Python literal, names of characters among them.

    >>> unescaped(r"\u0041\x42 \N{SNOWMAN}", "TEXT")
    'AB ☃'

    Raises :class:`BadInput` for a backslash that begins none.
    """

    def character(match: re.Match[str]) -> str:
        digits = match[1] or match[2] or match[3]
        if digits is not None and int(digits, 16) <= sys.maxunicode:
            return chr(int(digits, 16))
        if match[4] is not None:
            try:
                return unicodedata.lookup(match[4])
            except KeyError:
                raise BadInput(f"{what} has {match[0]!r}, and no character has that name") from None
        if match[5] in _SHORT:
            return _SHORT[match[5]]
        raise BadInput(
            f"{what} has {match[0]!r} at character {match.start()}, which is no escape; with --escaped write "
            r"\\ for a backslash, and \n, \t, \r, \0, \x41, \u0301, \U0001f600 or \N{NAME}"
        )

    return _ESCAPE.sub(character, text)
