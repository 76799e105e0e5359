"""Measures how fast the library of this Python works: ``python -I speed.py MODULE QUESTION``.

``MODULE`` is ``tokenizers`` or ``transformers``. ``QUESTION`` is the path of a JSON file with the path of a
tokenizer.json (``file``), that of its folder or ``null`` (``folder``), ``texts``, and how often each is measured
(``repeat``): the median counts. What is encoded was encoded once before. Prints seconds by measure, and the most bytes
of memory that the process had.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

MEMORY = "peak memory"
STATUS = "/proc/self/status"


def seconds_of(work: Callable[[], Any], repeat: int) -> float:
    """Return the median of the seconds that ``work`` takes, of ``repeat`` times."""
    seconds = []
    for _ in range(repeat):
        gc.collect()
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def peak_memory() -> int | None:
    """Return the most bytes of memory that this process had, ``None`` where the system does not say.

    The status file of Linux counts from the start of this program, ``getrusage`` from that of the one before it.
    """
    with contextlib.suppress(OSError), open(STATUS, encoding="ascii", errors="replace") as status:  # noqa: PTH123
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        resource = importlib.import_module("resource")
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(most) * (1 if sys.platform == "darwin" else 1024)


def tokenizers(question: dict[str, Any]) -> dict[str, float]:
    """Measure ``tokenizers``."""
    library = importlib.import_module("tokenizers")
    file, texts, repeat = question["file"], question["texts"], question["repeat"]
    found = {"load": seconds_of(lambda: library.Tokenizer.from_file(file), repeat)}
    tokenizer = library.Tokenizer.from_file(file)
    ids = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    found["encode_batch"] = seconds_of(lambda: tokenizer.encode_batch(texts), repeat)
    found["encode one by one"] = seconds_of(lambda: [tokenizer.encode(text) for text in texts], repeat)
    found["decode one by one"] = seconds_of(lambda: [tokenizer.decode(each) for each in ids], repeat)
    return found


def transformers(question: dict[str, Any]) -> dict[str, float]:
    """Measure ``transformers``: a batch is a call with all texts."""
    library = importlib.import_module("transformers")
    file, folder, texts, repeat = question["file"], question["folder"], question["texts"], question["repeat"]

    def load() -> Any:
        if folder is not None:
            with contextlib.suppress(Exception):
                return library.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        return library.PreTrainedTokenizerFast(tokenizer_file=file)

    found = {"load": seconds_of(load, repeat)}
    tokenizer = load()
    ids = tokenizer(texts)["input_ids"]
    found["encode_batch"] = seconds_of(lambda: tokenizer(texts), repeat)
    found["encode one by one"] = seconds_of(lambda: [tokenizer(text) for text in texts], repeat)
    found["decode one by one"] = seconds_of(lambda: [tokenizer.decode(each) for each in ids], repeat)
    return found


LIBRARIES = {"tokenizers": tokenizers, "transformers": transformers}


def main(arguments: list[str]) -> int:
    """Print what was measured, as ``arguments`` ask for it."""
    module, path = arguments
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - as small as it can be: its memory is measured
        question = json.load(file)
    gc.disable()
    found: dict[str, float] = LIBRARIES[module](question)
    memory = peak_memory()
    sys.stdout.write(json.dumps(found if memory is None else found | {MEMORY: memory}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
