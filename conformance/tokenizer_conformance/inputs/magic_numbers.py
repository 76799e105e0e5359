"""What a file is that was given for a tokenizer or a text and is neither, told by its first bytes."""

from __future__ import annotations

import re

HEAD = 512
"""How many bytes from the beginning of a file are looked at."""

MAGIC_NUMBERS: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL | re.IGNORECASE), words)
    for pattern, words in (
        (rb"\x1f\x8b", "it is compressed with gzip: decompress it first"),
        (rb"BZh[1-9]", "it is compressed with bzip2: decompress it first"),
        (rb"\xfd7zXZ\x00", "it is compressed with xz: decompress it first"),
        (rb"\x28\xb5\x2f\xfd", "it is compressed with zstd: decompress it first"),
        (rb"PK\x03\x04", "it is a zip archive: unpack it first"),
        (rb"\xff\xfe|\xfe\xff", "it is UTF-16: convert it to UTF-8"),
        (rb"\xef\xbb\xbf", "it begins with a byte order mark: save it as UTF-8 without one"),
        (rb"version https://git-lfs", "it is a pointer of Git LFS, and not the file: get that with 'git lfs pull'"),
        (rb"\s*<(!doctype|html)", "it is a web page: download the file itself"),
        (
            rb"(entry|repository|revision|page|file) not found|not found|invalid username|access to|unauthorized",
            "it is a server's message, and not the file: get that again, with access to it",
        ),
        (
            rb"\n.\n.<\w+>",
            "it looks like a SentencePiece model: give the folder of its checkpoint, with a tokenizer.json",
        ),
        (rb"GGUF", "it holds weights (GGUF): give the tokenizer.json of the checkpoint"),
        (rb'.{8}\{"__metadata__"', "it holds weights (safetensors): give the tokenizer.json of the checkpoint"),
        (rb"%PDF-", "it is a PDF: extract its text first"),
        (rb"\x89PNG|\xff\xd8\xff|GIF8", "it is an image"),
        (rb"PAR1", "it is Parquet: give it a name that ends in .parquet"),
        (rb"ARROW1|\xff\xff\xff\xff", "it is Arrow: give it a name that ends in .arrow"),
        (rb"FEA1", "it is Feather of version 1: write it anew as version 2"),
        (rb"SQLite format 3\x00", "it is a table in a binary format: write its texts into a text file"),
    )
)
"""How a file of another kind begins, and what to do about it."""


def by_magic_number(head: bytes) -> str | None:
    r"""Return what the file is that begins with ``head`` and what to do about it, ``None`` where that is not known.

    >>> by_magic_number(b"\x1f\x8b\x08\x00")
    'it is compressed with gzip: decompress it first'
    """
    return next((words for pattern, words in MAGIC_NUMBERS if pattern.match(head)), None)
