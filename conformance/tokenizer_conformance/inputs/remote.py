"""Files of texts that are elsewhere: in an object store, on the hub, on a web server. They are read by ``fsspec``.

Only the bytes that are wanted are asked for. What fails is tried again, a few times; then it is told. Credentials are
those that the library of each kind of place finds by itself: its environment variables and files.
"""

from __future__ import annotations

import importlib
import io
import re
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

T = TypeVar("T")

FORM = re.compile(r"([a-z][a-z0-9+.-]+::)*[a-z][a-z0-9+.-]+://", re.IGNORECASE)
"""How the word begins that names something elsewhere; a drive of Windows has one letter."""

EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs", "http": "http", "https": "http"}
"""The extra that has what reads a protocol."""

ATTEMPTS = 4
"""How often something is asked for."""

PAUSE_SECONDS = 0.5
"""How long the first pause is between two attempts; each other one is twice as long as the one before it."""

ANSWER_SECONDS = 60
"""How long an attempt may take."""

LISTING_SECONDS = 600
"""How long one may take to list files, of which there may be a million."""

AT_ONCE = 4 << 20
"""How many bytes are asked for at once."""

LISTINGS = ("find", "glob")
"""What lists files, and what lists those that a pattern matches."""

TOLD = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)
"""What another attempt does not change, and who reads files tells."""

SMALL = 1 << 16
"""How many bytes are asked for at once of a file that is read here and there."""

MOST_SMALL = 4
"""How many answers of that size are kept: the ends of files of columns are read again and again."""

FINAL = (*TOLD, ImportError, ValueError, TypeError)
"""What another attempt does not change."""

TO_REPEAT = frozenset({408, 429})
"""The answers of a web server below 500 after which one tries again."""


@dataclass(frozen=True, slots=True)
class Url:
    """The file or folder elsewhere that ``word`` names on a command line.

    ``trouble`` is why it is known that it cannot be read.
    """

    word: str
    trouble: str = ""

    def __str__(self) -> str:
        return self.word

    def as_posix(self) -> str:
        """Return the word."""
        return self.word

    @property
    def name(self) -> str:
        """The last part of its path."""
        is_web = self.word.lower().startswith(("http://", "https://"))
        return PurePosixPath(urlsplit(self.word).path if is_web else self.word).name

    @property
    def is_pattern(self) -> bool:
        """Whether it names the files that it matches."""
        return "*" in self.word

    @property
    def protocol(self) -> str:
        """Its first part, such as ``s3``."""
        return re.split("::|://", self.word, maxsplit=1)[0].lower()


Location = Path | Url
"""Where a file is."""


def is_url(word: str) -> bool:
    """Return whether ``word`` names something elsewhere.

    >>> is_url("s3://bucket/a.txt"), is_url("datasets:a:train"), is_url("C:/a.txt")
    (True, False, False)
    """
    return FORM.match(word) is not None


def open_url(url: Url, at_once: int = AT_ONCE) -> BinaryIO:
    """Return the bytes of the file at ``url``. Raises :class:`BadInputError` and ``OSError``, as reading them does."""
    if url.trouble:
        raise OSError(url.trouble)
    system, path = file_system(url)
    info = asked(partial(_within, system, "info", path))
    if info.get("type") == "directory":
        raise IsADirectoryError(str(url))
    if info.get("size") is None:
        raise OSError("the server does not say how large it is, so it cannot be read in parts; download it first")
    read = partial(_within, system, "cat_file", path, **_as_it_is(url))
    return io.BufferedReader(_Remote(read, info["size"]), at_once)


def files_at(url: Url) -> dict[str, Url]:
    """Return the files in the folder at ``url``, or those that it matches as a pattern; none where it is a file itself.

    They have the names that they have in that folder, or after the part of the pattern that has no wildcards. Raises as
    :func:`open_url` does.
    """
    system, path = file_system(url)
    found: dict[str, Any] = asked(partial(_within, system, LISTINGS[url.is_pattern], path, detail=True))
    if path in found:
        return {}
    root = f"{path.partition('*')[0].rpartition('/')[0] if url.is_pattern else path.rstrip('/')}/"
    return {
        name.removeprefix(root): Url(system.unstrip_protocol(name))
        for name, info in found.items()
        if info["type"] == "file"
    }


def file_system(url: Url) -> tuple[Any, str]:
    """Return what reads ``url``, and the path there. Raises :class:`BadInputError` where that is not installed."""
    core = importlib.import_module("fsspec.core")
    try:
        system, path = core.url_to_fs(url.word)
    except ImportError as error:
        extra = EXTRAS.get(url.protocol)
        how = str(error) if extra is None else f"install it with: pip install 'tokenizer-conformance[{extra}]'"
        raise BadInputError(f"{url.word!r}: what reads {url.protocol}:// is not installed; {how}") from error
    except Exception as error:  # whatever a library of a protocol raises
        raise BadInputError(f"{url.word!r} cannot be read: {_in_words(error)}") from error
    return system, path


def asked(ask: Callable[[], T]) -> T:
    """Return what ``ask`` returns, which may fail some times. Raises ``OSError`` with what happened last."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return ask()
        except Exception as error:  # whatever a library of a protocol raises
            cause = _hidden_cause(error)
            if isinstance(cause, TOLD):
                raise
            if _is_final(cause):
                raise OSError(_in_words(cause)) from error
            if attempt == ATTEMPTS:
                raise OSError(f"{_in_words(cause)} (the last of {ATTEMPTS} attempts)") from error
            time.sleep(PAUSE_SECONDS * 2 ** (attempt - 1))
    raise AssertionError


def _within(system: Any, method: str, *arguments: Any, **named: Any) -> Any:
    """Call a method of a file system, for a limited time where it can be left."""
    seconds = LISTING_SECONDS if method in LISTINGS else ANSWER_SECONDS
    limit = {"timeout": seconds} if getattr(system, "async_impl", False) else {}
    return getattr(system, method)(*arguments, **named, **limit)


def _as_it_is(url: Url) -> dict[str, object]:
    """Return what is told to a web server, so that it does not compress what it sends."""
    return {"headers": {"Accept-Encoding": "identity"}} if url.protocol in {"http", "https"} else {}


def _hidden_cause(error: Exception) -> Exception:
    """Return what is behind ``error``: what goes wrong with a web server is told as if there were no such file."""
    cause = error.__cause__
    is_of_web = isinstance(cause, TimeoutError) or type(cause).__module__.partition(".")[0] == "aiohttp"
    is_hidden = isinstance(error, FileNotFoundError) and is_of_web and getattr(cause, "status", None) != 404
    return cause if is_hidden and isinstance(cause, Exception) else error


def _is_final(error: Exception) -> bool:
    status = getattr(error, "status", None)
    is_refused = isinstance(status, int) and 400 <= status < 500 and status not in TO_REPEAT
    return is_refused or isinstance(error, FINAL) or "Credentials" in type(error).__name__


def _in_words(error: Exception) -> str:
    status = getattr(error, "status", None)
    if isinstance(status, int):
        return f"the server answers {status} {getattr(error, 'message', '')}".rstrip()
    if isinstance(error, TimeoutError):
        return "there was no answer in time"
    return (str(error).strip() or type(error).__name__).splitlines()[0]


class _Remote(io.RawIOBase):
    """The ``size`` bytes of a file elsewhere; each ``read`` of a part of it is a question of its own."""

    def __init__(self, read: Callable[..., bytes], size: int) -> None:
        super().__init__()
        self._read, self._size, self._at = read, size, 0
        self._small: dict[tuple[int, int], bytes] = {}

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        end = min(self._at + len(buffer), self._size)
        if end <= self._at:
            return 0
        data = self._small.get((self._at, end)) or asked(partial(self._part, self._at, end))
        if len(data) <= SMALL:
            self._small = {**dict(list(self._small.items())[-MOST_SMALL:]), (self._at, end): data}
        buffer[: len(data)] = data
        self._at = end
        return len(data)

    def _part(self, start: int, end: int) -> bytes:
        data = self._read(start=start, end=end)
        if len(data) == self._size > end - start:
            raise io.UnsupportedOperation("the server gives no parts of files; download it first")
        if len(data) != end - start:
            raise OSError(f"{len(data):,} bytes came in place of {end - start:,}")
        return data
