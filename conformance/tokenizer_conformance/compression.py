"""The two ways in which snapshots and records are compressed: by gzip, and by xz, which makes them smaller.

The answers about a text repeat each other, where it is long further back than the 32 kB that gzip sees. With the
tokenizer of GPT-2, xz saves 5 % for lines of 65 characters, 20 % for paragraphs of 300, and 79 % for Japanese ones of
130, of which every character is several tokens. Which of the two a file is written with follows from its name, which it
is read with from its first bytes. Files of either may be several one after the other; what the standard tools have
compressed anew is read all the same.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib.util
import io
import zlib
from typing import TYPE_CHECKING, Protocol

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import BinaryIO

with contextlib.suppress(ImportError):  # a Python may be built without it
    import lzma

with contextlib.suppress(ImportError):  # of the extra 'zstd'
    import zstandard

HAS_XZ = importlib.util.find_spec("_lzma") is not None
"""Whether this Python reads and writes xz."""

XZ = ".xz"
"""What the name of a file ends in that is compressed by xz; all others are by gzip."""

SMALLEST = XZ if HAS_XZ else ".gz"
"""What the name of a file ends in that is to be as small as this Python can make it."""

MAGIC = {"gzip": b"\x1f\x8b", "xz": b"\xfd7zXZ\0"}
"""How a file of each begins."""

LONGEST_MAGIC = max(map(len, MAGIC.values()))

OTHERS = {"bzip2": b"BZh", "zstd": b"\x28\xb5\x2f\xfd"}
"""How a file begins that something else has compressed, which is read in no snapshot or record."""

MAGIC_OF_TEXTS = {**MAGIC, "zstd": OTHERS["zstd"]}
"""How a file of texts begins that is compressed as such a file may be."""

HAS_ZSTD = importlib.util.find_spec("zstandard") is not None

CHUNK = 1 << 16
"""So many bytes are read at once."""

ZSTD_CHUNK = 1 << 10
"""So many bytes of zstd are decompressed at once, whatever they become: at worst, that is 32 MB."""

MOST_MEMORY = 100 << 20
"""A file of xz says how much memory reading it takes, in bytes; ``xz -9`` makes one of 65 MB."""


class Compression(Protocol):
    """Compresses lines. ``at_once``: so many bytes of lines are compressed together, for which it is told of a part."""

    at_once: int

    def part(self, data: bytes) -> bytes:
        """Return ``data`` compressed, so that with what came before it can be read without what follows."""

    def end(self, data: bytes) -> bytes:
        """Return ``data`` compressed, the last of the file."""


class Gzip:
    """As ``gzip``, with no time of day in it: the same lines give the same bytes."""

    at_once = 1 << 20

    def __init__(self) -> None:
        self._compressor = zlib.compressobj(6, zlib.DEFLATED, 16 + zlib.MAX_WBITS)

    def part(self, data: bytes) -> bytes:
        """Return ``data`` compressed, so that it can be read without what follows."""
        return self._compressor.compress(data) + self._compressor.flush(zlib.Z_SYNC_FLUSH)

    def end(self, data: bytes) -> bytes:
        """Return ``data`` compressed, the last of the file."""
        return self._compressor.compress(data) + self._compressor.flush(zlib.Z_FINISH)


class Xz:
    """As ``xz``, each part for itself. It takes up to double the time of gzip; at higher presets, much more."""

    at_once = 1 << 22

    def part(self, data: bytes) -> bytes:
        """Return ``data`` compressed, so that it can be read without what follows."""
        return lzma.compress(data, preset=1)

    def end(self, data: bytes) -> bytes:
        """Return ``data`` compressed, the last of the file."""
        return self.part(data)


def compression_for(path: Path) -> Compression:
    """Return what compresses the file that is to be at ``path``.

    Raises :class:`BadInputError` where this Python cannot.
    """
    if path.suffix != XZ:
        return Gzip()
    if not HAS_XZ:
        raise BadInputError(
            f"{str(path)!r} cannot be written: this Python was built without xz (the module lzma); give a name that "
            "ends in .gz"
        )
    return Xz()


# Reading --------------------------------------------------------------------------------------------------------------


DAMAGED: tuple[type[Exception], ...] = (
    *(gzip.BadGzipFile, zlib.error),
    *((lzma.LZMAError,) if HAS_XZ else ()),
    *((zstandard.ZstdError,) if HAS_ZSTD else ()),
)
"""What reading raises where a file is not compressed as its beginning says; where it was cut off, ``EOFError``."""

UNREADABLE: tuple[type[Exception], ...] = (EOFError, *DAMAGED)
"""What reading raises where a file is not the whole of what was compressed."""


def compression_of(beginning: bytes, known: Mapping[str, bytes] = MAGIC) -> str | None:
    """Return the name of what compressed a file that begins so, ``None`` where it was none of those that are ``known``.

    >>> compression_of(MAGIC["gzip"] + b"..."), compression_of(b"{}")
    ('gzip', None)
    """
    return next((name for name, magic in known.items() if beginning.startswith(magic)), None)


def refuse_others(beginning: bytes, name: str) -> None:
    """Raise :class:`BadInputError` where the file called ``name`` begins as what is compressed in another way.

    >>> refuse_others(b"BZh91AY", "'a.jsonl.bz2'")
    Traceback (most recent call last):
    tokenizer_conformance.errors.BadInputError: 'a.jsonl.bz2' is compressed with bzip2; decompress it first, or use gzip
    """
    for other, magic in OTHERS.items():
        if beginning.startswith(magic):
            raise BadInputError(f"{name} is compressed with {other}; decompress it first, or use gzip")


def decompressed(file: BinaryIO, name: str) -> io.BufferedIOBase:
    """Return what stands in ``file``, which was compressed by what is called ``name``.

    Reading raises ``EOFError`` where it was cut off, one of :data:`DAMAGED`, and ``OSError``; so does this where this
    Python has no xz, or no zstd.
    """
    if name == "zstd":
        if not HAS_ZSTD:
            raise OSError("it is compressed by zstd; to read it, pip install 'tokenizer-conformance[zstd]'")
        return io.BufferedReader(_Zstd(file), CHUNK)
    if name != "xz":
        return gzip.GzipFile(fileobj=file, mode="rb")
    if not HAS_XZ:
        raise OSError("it is compressed by xz, without which this Python was built (the module lzma)")
    return io.BufferedReader(_Xz(file), CHUNK)


def unpacked(content: bytes) -> bytes:
    """Return the ``content`` of a file, decompressed where it begins as what one of the two has compressed.

    Raises one of :data:`UNREADABLE`, and ``OSError`` where this Python has no xz.

    >>> unpacked(gzip.compress(b"a line")), unpacked(b"a line")
    (b'a line', b'a line')
    """
    name = compression_of(content)
    if name is None:
        return content
    with decompressed(io.BytesIO(content), name) as file:
        return file.read()


class _Xz(io.RawIOBase):
    """What stands in ``file``; other than ``lzma.LZMAFile`` it takes no more memory than it should."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = _decompressor()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._next(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _next(self, most: int) -> bytes:
        """Return at least one byte and at most so many, none at the end. Raises as :func:`decompressed` says."""
        while True:
            rest = b""
            if self._decompressor.eof:
                rest = self._decompressor.unused_data or self._file.read(CHUNK)
                if not rest:
                    return b""
                if not rest.startswith(MAGIC["xz"][: len(rest)]):
                    raise lzma.LZMAError("something else follows it")
                self._decompressor = _decompressor()
            elif self._decompressor.needs_input:
                rest = self._file.read(CHUNK)
                if not rest:
                    raise EOFError
            found = self._decompressor.decompress(rest, most)
            if found:
                return found


def _decompressor() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, MOST_MEMORY)


class _Zstd(io.RawIOBase):
    """What stands in ``file``; other than the reader of ``zstandard`` it sees where that was cut off."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self._decompressor = zstandard.ZstdDecompressor().decompressobj()
        self._begun = False
        self._found = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._found and (data := self._file.read(ZSTD_CHUNK)):
            self._found = memoryview(self._of_frames(data))
        if not self._found and self._begun:
            raise EOFError
        taken, self._found = self._found[: len(buffer)], self._found[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)

    def _of_frames(self, data: bytes) -> bytes:
        """Return what is in ``data``, which may be of several frames. Raises ``ZstdError``."""
        found = b""
        while data:
            found += self._decompressor.decompress(data)
            data = b""
            self._begun = not self._decompressor.eof
            if self._decompressor.eof:
                data = self._decompressor.unused_data
                self._decompressor = zstandard.ZstdDecompressor().decompressobj()
        return found
