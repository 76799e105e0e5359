"""How much memory an implementation takes to load a tokenizer.json, over the size of the file.

    python benchmarks/load_memory.py [FILE…] [--generated MB…] [-i IMPL…]

Each loading happens in a process of its own, which has loaded a small tokenizer before, so that what the library itself
takes is left out. Shown is the peak of resident memory while loading over what was resident before, in MiB and in bytes
per byte of the file; `reading` is the check that the harness itself makes. Generated files are BPE, WordPiece and
Unigram with random tokens of up to 12 letters, written without indentation, each beside a tokenizer_config.json that
names a class, which `transformers` then builds anew. The factors in
`conformance/tokenizer_conformance/validation/running/preparation.py` are from here. Needs Linux.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from tabulate import tabulate

from tokenizer_adapters.registry import load_implementation
from tokenizer_conformance import find_tokenizer, read_tokenizer

MB = 1 << 20
READING = "reading"
SIDES = (READING, "reference", "tokenizers", "transformers")
CLASSES = {"BPE": "GPT2Tokenizer", "WordPiece": "BertTokenizer", "Unigram": "T5Tokenizer"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def generated(kind: str, size: int) -> str:
    """Return a tokenizer.json of about ``size`` bytes."""
    rng = random.Random(size)  # noqa: S311 - no secret
    tokens = dict.fromkeys(["[UNK]", *LETTERS])
    merges = []
    written = 0
    while written < size:
        left = rng.choice(LETTERS) if not merges or rng.random() < 0.2 else merges[rng.randrange(len(merges))]
        left = "".join(left)
        pair = (left, rng.choice(LETTERS))
        token = "".join(pair) if kind == "BPE" else "".join(rng.choices(LETTERS, k=rng.randint(4, 12)))
        if token in tokens or len(token) > 12:
            continue
        tokens[token] = None
        merges.append(pair)
        written += {"BPE": 2 * len(token) + 18, "WordPiece": len(token) + 12, "Unigram": len(token) + 12}[kind]
    ids = {token: number for number, token in enumerate(tokens)}
    models = {
        "BPE": lambda: {"type": kind, "vocab": ids, "merges": merges},
        "WordPiece": lambda: {
            "type": kind,
            "vocab": ids,
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
        },
        "Unigram": lambda: {
            "type": kind,
            "unk_id": 0,
            "vocab": [[token, -round(rng.uniform(1, 20), 3)] for token in tokens],
        },
    }
    return json.dumps({"version": "1.0", "added_tokens": [], "model": models[kind]()}, separators=(",", ":"))


def resident(key: str) -> int:
    """Return ``VmRSS`` or its peak, ``VmHWM``, of this process, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(f"{key}:")[2].split()[0]) * 1024


def peak_of_loading(side: str, file: str) -> int:
    """Return how many bytes more than before are resident at the peak of loading ``file``."""
    load = read_tokenizer if side == READING else load_implementation(side).load
    load(find_tokenizer("gpt2-mini"))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets VmHWM
    before = resident("VmRSS")
    load(find_tokenizer(file))
    return resident("VmHWM") - before


def main() -> None:
    """Measure every file in processes of their own, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--generated", nargs="*", type=int, default=[], metavar="MB")
    parser.add_argument("-i", nargs="+", default=SIDES, choices=SIDES, metavar="IMPL", dest="sides")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(peak_of_loading(options.sides[0], options.files[0]))
        return
    with tempfile.TemporaryDirectory() as folder:
        files = list(options.files)
        for size in options.generated:
            for kind, class_name in CLASSES.items():
                file = Path(folder) / f"{kind} of {size} MB" / "tokenizer.json"
                file.parent.mkdir()
                file.write_text(generated(kind, size * MB), encoding="utf-8")
                file.with_name("tokenizer_config.json").write_text(json.dumps({"tokenizer_class": class_name}))
                files.append(str(file))
        rows = []
        for file in files:
            size = Path(file).stat().st_size
            row = [Path(file).parent.name, f"{size / MB:.1f}"]
            for side in options.sides:
                command = [sys.executable, __file__, "--one", "-i", side, "--", file]
                done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - this script itself
                peak = int(done.stdout or 0)
                row.append(f"{peak / MB:.0f} ({peak / size:.1f})" if peak else f"({done.stderr.strip()[-40:]})")
            rows.append(row)
            print(*row, sep="\t", file=sys.stderr, flush=True)
    print(
        tabulate(rows, ["file", "MiB", *(f"{side}, MiB (per byte)" for side in options.sides)], disable_numparse=True)
    )


if __name__ == "__main__":
    main()
