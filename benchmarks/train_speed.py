"""Training time and memory of the reference and of ``tokenizers``, side by side, on the same texts.

    python benchmarks/train_speed.py FILE… [--size CHARACTERS] [--rounds N] [--vocab-size N] [--models BPE WordPiece …]

Each training runs in a process of its own, with one thread. Times are processor time of the training alone, best of the
rounds, so that other work on the machine matters little; the speed printed is that of the reference over that of
``tokenizers`` (1 is as fast, 0.5 takes twice as long). Memory is by how much the largest resident size of the process
grew during the training.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from tabulate import tabulate

LIBRARIES = ("tokenizers", "tokenizer_reference")
MODELS = {
    "BPE": "BpeTrainer",
    "WordPiece": "WordPieceTrainer",
    "WordLevel": "WordLevelTrainer",
    "Unigram": "UnigramTrainer",
}
PRE_TOKENIZERS = ("Whitespace", "ByteLevel", "Metaspace")

ONE_THREAD = {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}

TOO_SMALL = "characters"
"""What stands for a training that is refused because the vocabulary is smaller than the alphabet."""


def lines_of(file: Path, size: int) -> list[str]:
    """Return the lines of a text that is repeated until it has ``size`` characters; 0 leaves it as it is."""
    text = file.read_text(encoding="utf-8")
    if size:
        text = (text * (size // len(text) + 1))[:size]
    return text.splitlines(keepends=True)


def largest_size() -> int:
    """Return the largest resident size that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def train(library_name: str, model: str, pre_tokenizer: str, vocab_size: int, lines: list[str]) -> dict[str, Any]:
    """Train once and return seconds, the growth of memory in MiB, and the number of tokens."""
    library = import_module(library_name)
    tokenizer = library.Tokenizer(getattr(library.models, model)())
    tokenizer.pre_tokenizer = getattr(library.pre_tokenizers, pre_tokenizer)()
    # Tables that are built when they are first used are not part of the training.
    tokenizer.pre_tokenizer.pre_tokenize_str("".join(lines[:20]))
    trainer = getattr(library.trainers, MODELS[model])(vocab_size=vocab_size, show_progress=False)
    memory, start = largest_size(), time.process_time()
    try:
        tokenizer.train_from_iterator(lines, trainer)
    except Exception as error:
        if "characters" in str(error) or "all chars" in str(error):
            return {"refused": TOO_SMALL}
        raise
    seconds = time.process_time() - start
    return {"seconds": seconds, "memory": (largest_size() - memory) / 1024, "tokens": tokenizer.get_vocab_size()}


def train_alone(*arguments: str) -> dict[str, Any]:
    """Do as :func:`train` in a process of its own."""
    command = [sys.executable, __file__, "--alone", *arguments]
    done = subprocess.run(command, env={**os.environ, **ONE_THREAD}, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip().splitlines()[-1]}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def compare(file: Path, size: int, model: str, pre_tokenizer: str, vocab_size: int, rounds: int) -> list[object]:
    """Return a row: what was trained, seconds and memory of both, and the speed of the reference."""
    arguments = (model, pre_tokenizer, str(vocab_size), str(file), str(size))
    best: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for library in LIBRARIES:
            result = train_alone(library, *arguments)
            if "refused" in result:
                return [file.stem, model, pre_tokenizer, vocab_size, f"more {TOO_SMALL} than tokens"]
            if library not in best or result["seconds"] < best[library]["seconds"]:
                best[library] = result
    theirs, ours = (best[library] for library in LIBRARIES)
    if theirs["tokens"] != ours["tokens"]:
        raise SystemExit(f"{' '.join(arguments)}: the two learn different numbers of tokens; times would mean nothing")
    speed = theirs["seconds"] / ours["seconds"]
    return [
        file.stem,
        model,
        pre_tokenizer,
        vocab_size,
        ours["tokens"],
        theirs["seconds"],
        ours["seconds"],
        speed,
        theirs["memory"],
        ours["memory"],
    ]


def main() -> None:
    """Print the table."""
    if sys.argv[1:2] == ["--alone"]:
        library, model, pre_tokenizer, vocab_size, file, size = sys.argv[2:]
        print(json.dumps(train(library, model, pre_tokenizer, int(vocab_size), lines_of(Path(file), int(size)))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="UTF-8 texts")
    parser.add_argument("--size", type=int, default=0, help="how much text to train on, in characters; 0 for all of it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--vocab-size", type=int, nargs="+", default=[8000])
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--pre-tokenizers", nargs="+", choices=PRE_TOKENIZERS, default=list(PRE_TOKENIZERS))
    arguments = parser.parse_args()
    headers = ["text", "model", "pre-tokenizer", "vocab_size", "tokens", "tokenizers (s)", "reference (s)", "speed"]
    headers += ["tokenizers (MiB)", "reference (MiB)"]
    rows = [
        compare(file, arguments.size, model, pre_tokenizer, vocab_size, arguments.rounds)
        for file in arguments.files
        for model in arguments.models
        for pre_tokenizer in arguments.pre_tokenizers
        for vocab_size in arguments.vocab_size
    ]
    print(tabulate(rows, headers, floatfmt=".2f"))


if __name__ == "__main__":
    main()
