"""Speed of the reference beside ``tokenizers`` in encoding: processor time of the target over ours, with goals.

    python benchmarks/encode_speed.py FOLDER… --english FILE --japanese FILE [--rounds N] [--record FILE]

A folder has a ``tokenizer.json``. Both encode the same texts and read seven fields of every encoding into Python lists,
in turns, in one process. What is read, and the goals, depend on the kind of pipeline (``KINDS``):

=============== ====================================================================================================
English         the English text, line by line
Japanese        the Japanese text, line by line
document        the English text in one piece; ``Japanese document`` so for the other
code            source files, each in one piece
chat            conversations of paragraphs of the English text, between special tokens of the tokenizer
new words       words of the English text that are all different, in one piece of at most 100 KB
=============== ====================================================================================================

*First* is the first text of a tokenizer that has just been loaded and has encoded nothing. *Cold* is the first pass of
one that has encoded one short text, *warm* a later pass. A speed is the median of the rounds; the range is that of all
of them. ``--plain`` measures the plain way (``Tokenizer.fast = False``), which is the definition.

A benchmark that was ended goes on where it was. Exit status 1 says that a goal was missed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import tokenizers
from rich.console import Console
from rich.progress import track
from tabulate import tabulate

import tokenizer_reference

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))

from published import machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TOOL: Final = "encode_speed"

FIELDS: Final = ("ids", "tokens", "offsets", "word_ids", "type_ids", "attention_mask", "special_tokens_mask")

PASSES: Final = ("cold", "warm")

Json = dict[str, Any]

Goals = dict[str, tuple[float | None, float | None]]
"""What is read, and the least speed wanted, cold and warm; ``None`` where it is only stated."""

LINES: Final[Goals] = {"English": (1.0, 2.0), "Japanese": (0.45, 2.0), "document": (1.4, 3.0)}

KINDS: Final[dict[str, Goals]] = {
    "words": LINES,
    "GPT-2's pattern": {**LINES, "Japanese": (0.6, 2.0), "Japanese document": (0.9, None)},
    "a pattern of its own": {
        "English": (0.6, 2.0),
        "code": (0.6, 2.0),
        "Japanese": (0.4, 2.0),
        "document": (0.6, 2.0),
        "chat": (None, 1.5),
    },
    "one piece": {
        "English": (0.6, 1.5),
        "code": (None, None),
        "Japanese": (None, None),
        "document": (0.6, 1.5),
        "chat": (None, 1.5),
    },
}

WARM_PASSES: Final = 2

NEW_WORDS: Final = "new words"
MOST_NEW: Final = 100_000
"""The reading of words that are all different, and how many bytes it has at most."""

CONVERSATIONS: Final = 300

HEADERS: Final = ("tokenizer", "text", "pass", "tokenizers (s)", "reference (s)", "speed", "range", "goal", "met")


Times = tuple[float, float]
"""Seconds of the processor that target and reference took for the same work, one after the other."""


# Kinds and texts -----------------------------------------------------------------------------------------------------


def kind_of(document: dict[str, Any]) -> str:
    """Return the kind of the pipeline in a tokenizer.json."""
    pre_tokenizer = document["pre_tokenizer"] or {}
    members = pre_tokenizer.get("pretokenizers", [pre_tokenizer])
    patterns = [member.get("use_regex", True) for member in members if member.get("type") == "ByteLevel"]
    if patterns:
        return "GPT-2's pattern" if patterns[0] else "a pattern of its own"
    return "one piece" if document["model"].get("byte_fallback") else "words"


def new_words(text: str) -> str:
    """Return words of ``text`` that are all different, as they come, up to :data:`MOST_NEW` bytes."""
    words: list[str] = []
    size = 0
    for word in dict.fromkeys(text.split()):
        size += len(word.encode()) + 1
        if size > MOST_NEW:
            break
        words.append(word)
    return " ".join(words)


def chats(document: dict[str, Any], text: str) -> list[str]:
    """Return conversations: paragraphs of ``text`` in turns, between two special tokens of the tokenizer.

    These are those that are named for a start and an end, or else the first and the last.
    """
    special = [token["content"] for token in document["added_tokens"] if token["special"]] or ["<s>"]
    before = next((token for token in special if "im_start" in token or "start_of_turn" in token), special[0])
    after = next((token for token in special if "im_end" in token or "end_of_turn" in token), special[-1])
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n") if each.strip()]
    rng = Random(1)  # noqa: S311 - the same texts each time
    return [
        "".join(
            f"{before}{('user', 'assistant')[turn % 2]}\n{rng.choice(paragraphs)[:400]}{after}\n"
            for turn in range(rng.randint(2, 8))
        )
        for _ in range(CONVERSATIONS)
    ]


def readings(document: dict[str, Any], english: str, japanese: str, code: list[str]) -> dict[str, list[str]]:
    """Return the texts of each reading."""
    return {
        "English": english.splitlines(),
        "Japanese": japanese.splitlines(),
        "document": [english],
        "Japanese document": [japanese],
        "code": code,
        "chat": chats(document, english),
    }


# Measuring -----------------------------------------------------------------------------------------------------------


def seconds(tokenizer: Any, texts: Sequence[str]) -> float:
    """Return how long the processor is busy with encoding ``texts`` and reading all fields."""
    start = time.process_time()
    for text in texts:
        encoding = tokenizer.encode(text)
        for field in FIELDS:
            getattr(encoding, field)
    return time.process_time() - start


def loaded(path: Path, *, plain: bool) -> tuple[Any, Any]:
    """Return target and reference, loaded anew."""
    reference = tokenizer_reference.Tokenizer.from_file(str(path))
    reference.fast = not plain
    return tokenizers.Tokenizer.from_file(str(path)), reference


def check_agreement(target: Any, reference: Any, texts: Sequence[str], path: Path) -> None:
    """Compare the ids: times of different work would mean nothing. Ends the program where they differ."""
    for text in texts:
        if target.encode(text).ids != reference.encode(text).ids:
            raise SystemExit(f"{path}: the two give different ids for {text[:60]!r}; their times cannot be compared")


def first(path: Path, text: str, rounds: int, *, plain: bool) -> list[Times]:
    """Return the times of ``rounds`` first texts."""
    times: list[Times] = []
    for _ in range(rounds):
        target, reference = loaded(path, plain=plain)
        times.append((seconds(target, [text]), seconds(reference, [text])))
    return times


def measure(path: Path, texts: Sequence[str], rounds: int, *, plain: bool) -> tuple[list[Times], list[Times]]:
    """Return the times of ``rounds`` cold passes, each by newly loaded tokenizers, and of warm passes after them."""
    cold: list[Times] = []
    warm: list[Times] = []
    for number in range(rounds):
        target, reference = loaded(path, plain=plain)
        target.encode("a")
        reference.encode("a")
        cold.append((seconds(target, texts), seconds(reference, texts)))
        warm += [(seconds(target, texts), seconds(reference, texts)) for _ in range(WARM_PASSES)]
        if number == 0:
            check_agreement(target, reference, texts[:200], path)
    return cold, warm


def row(line: Json, of_pass: Json) -> list[str]:
    """Return the cells of one row of the table: of a ``line`` of the record, that of a pass."""
    speeds = sorted(target / reference for target, reference in of_pass["seconds"])
    goal, speed = of_pass["goal"], statistics.median(speeds)
    return [
        line["tokenizer"],
        line["text"],
        of_pass["pass"],
        *(f"{statistics.median(times):.3f}" for times in zip(*of_pass["seconds"], strict=True)),
        f"{speed:.2f}",
        f"{speeds[0]:.2f} to {speeds[-1]:.2f}",
        *(("-", "-") if goal is None else (f"{goal:.2f}", "yes" if speed >= goal else "NO")),
    ]


def rows_of(lines: Sequence[Json]) -> list[list[str]]:
    """Return the rows of the table of a record."""
    return [row(line, of_pass) for line in lines for of_pass in line["passes"]]


def table(lines: Sequence[Json], style: str) -> str:
    """Return the table of the ``lines`` of a record, and how many goals are met."""
    rows = rows_of(lines)
    wanted = [cells[-1] for cells in rows if cells[-1] != "-"]
    met = f"{wanted.count('yes')} of {len(wanted)} goals met."
    return f"{tabulate(rows, HEADERS, tablefmt=style, disable_numparse=True)}\n\n{met}"


def parsed_arguments() -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="folders with a tokenizer.json")
    parser.add_argument("--english", type=Path, required=True, help="a UTF-8 text")
    parser.add_argument("--japanese", type=Path, required=True, help="a UTF-8 text")
    parser.add_argument("--only", nargs="*", help="the readings to measure, such as English or chat")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--plain", action="store_true", help="measure the plain way")
    machine.add_options(parser, "speed-encoding")
    return parser.parse_args()


def source_files() -> list[Path]:
    """Return the source files of the reference, without its tables of Unicode."""
    folder = Path(tokenizer_reference.__file__).parent
    return [path for path in sorted(folder.rglob("*.py")) if path.name != "unicode_tables.py"]


@dataclass(frozen=True, slots=True)
class Work:
    """What is measured: texts, by the name of the reading, for a tokenizer in a folder, and its goals."""

    folder: Path
    reading: str
    texts: Sequence[str]
    goals: tuple[float | None, float | None]

    def passes(self, rounds: int, *, plain: bool) -> Iterator[Json]:
        """Measure, and yield the seconds of both sides in each round of each pass."""
        path = self.folder / "tokenizer.json"
        if self.reading == NEW_WORDS:
            measured = {"first": first(path, self.texts[0], rounds, plain=plain)}
        else:
            measured = dict(zip(PASSES, measure(path, self.texts, rounds, plain=plain), strict=True))
        for (name, times), goal in zip(measured.items(), self.goals, strict=False):
            yield {"pass": name, "goal": goal, "seconds": times}


def work_for(folder: Path, english: str, japanese: str, code: list[str]) -> list[Work]:
    """Return what is measured of the tokenizer in ``folder``."""
    document = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    texts = readings(document, english, japanese, code)
    goals = KINDS[kind_of(document)]
    return [
        *(Work(folder, name, texts[name], goals[name]) for name in goals),
        Work(folder, NEW_WORDS, [new_words(english)], (None, None)),
    ]


def main() -> int:
    """Measure, and print the table of the record."""
    arguments = parsed_arguments()
    english, japanese = (path.read_text(encoding="utf-8") for path in (arguments.english, arguments.japanese))
    code = [path.read_text(encoding="utf-8") for path in source_files()]
    work = [each for folder in arguments.folders for each in work_for(folder, english, japanese, code)]
    if arguments.only:
        work = [each for each in work if each.reading in arguments.only]
    record = machine.begun(arguments, TOOL)
    done = {(line["tokenizer"], line["text"]) for line in record.lines}
    console = Console(stderr=True)
    for each in track(work, "measuring", console=console, transient=True, disable=not console.is_terminal):
        if (each.folder.name, each.reading) not in done:
            passes = list(each.passes(arguments.rounds, plain=arguments.plain))
            record.add({"tokenizer": each.folder.name, "text": each.reading, "passes": passes})
    record.finish()
    print(table(record.lines, "simple"))
    return int(any(cells[-1] == "NO" for cells in rows_of(record.lines)))


if __name__ == "__main__":
    sys.exit(main())
