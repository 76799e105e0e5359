"""What a page of very many findings costs: to make, to keep, to open.

    python benchmarks/report_size.py [--findings N]… [--keep FOLDER]

For each number of findings a record of a run with that many is made, and a page of it by ``tokconf report`` in a
process of its own; Chromium then opens the page from disk. Printed are the sizes of the record and of the page, the
processor time and the most memory that making the page takes, and three times of the browser, since it was sent there:
until the first screen is painted, until the list of findings can be used, and until a finding is open to which a link
leads that stands behind half of all others. Times of the browser are the best of three.

The exit status is 1 where the list of a page of 100,000 findings or fewer takes 3 seconds or more, or a page of 10,000
is of 5 MB or more.

The record is that of a real run of two bundled tokenizers in which one of the implementations is given findings: texts
of random letters of several scripts, with both whole answers, so that the page cannot be packed better than a real one.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))

from chromium import MISSING, find_browser, started  # found by the line above

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Json = dict[str, Any]

TOKENIZERS = ("bert-mini", "gpt2-mini")
IMPLEMENTATIONS = ("reference", "transformers")
STAGES = ("model", "post_process")
SCRIPTS = ("abcdefghijklmnopqrstuvwxyz ", "абвгдежзиклмн ", "אבגדהוזחט ", "あいうえおかき", "漢字学校電車")
KINDS = ("other values", "other length")

ROUNDS = 3
LONGEST_SECONDS = 3.0
LARGEST = {10_000: 5_000_000}
"""How many bytes a page of that many findings may have."""


def record_of(folder: Path, findings: int) -> Path:
    """Write the record of a run with that many ``findings`` into ``folder``, and return its path."""
    base = folder / "base.jsonl"
    if not base.exists():
        implementations = ("tokenizers", *IMPLEMENTATIONS)
        options = ("--only", "arabic/sentence", "--cause-time", "0", "--quiet", "--json", str(base))
        command = (sys.executable, "-m", "tokenizer_conformance", "run", *TOKENIZERS, "-i", *implementations, *options)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - a command of ours
    record = folder / f"{findings}.jsonl"
    rest = findings
    with record.open("w", encoding="utf-8") as file:
        for line in base.read_text(encoding="utf-8").splitlines():
            read = json.loads(line)
            if read["type"] == "tokenizer":
                share = rest if read["tokenizer"] == TOKENIZERS[-1] else rest // 2
                read["findings"] = [_finding(read["tokenizer"], rest - number) for number in range(share)]
                rest -= share
            file.write(json.dumps(read) + "\n")
    return record


def _finding(tokenizer: str, number: int) -> Json:
    """Return a finding of a record, the one of that ``number``."""
    # What is drawn is about a tokenizer, and nothing is to be kept secret by it.
    random = Random(number)  # noqa: S311
    text = "".join(random.choices(random.choice(SCRIPTS), k=random.randint(3, 30)))
    implementation, stage = random.choice(IMPLEMENTATIONS), random.choice(STAGES)
    sides = {"baseline": _answer(text, random), "implementation": _answer(text, random)}
    same = {"verdict": "differ", "kind": random.choice(KINDS), "field": "ids", "party": None, "detail": str(number)}
    example = {
        "input": {"id": f"texts.txt:{number}", "category": "texts.txt"},
        "question": {
            "ask": "encode",
            "text": {"value": text, "length": len(text)},
            "pair": None,
            "add_special_tokens": stage == "post_process",
        },
        "difference": same
        | {"part": None, "position": 0}
        | {side: {"excerpt": _excerpt(answer)} for side, answer in sides.items()},
        "differs_at": stage,
        "consequence_of": None,
        "near": {"position": 0, "in_pair": False},
        "reduced_from": len(text) * 3,
    }
    touched = number % 977 + 1
    return same | {
        "implementation": implementation,
        "stage": stage,
        "differences": touched,
        "inputs": touched,
        "consequences": 0,
        "first": example,
        "smallest": example | {"answers": sides},
        "repeat": f"tokconf run {tokenizer} -i tokenizers {implementation} --only texts.txt:{number}",
        "own_inputs": [f"texts.txt:{number + place}" for place in range(5)],
    }


def _answer(text: str, random: Random) -> Json:
    """Return a whole answer in which each of a few characters is a token."""
    cuts = sorted({0, len(text), *(random.randrange(len(text)) for _ in range(len(text) // 3))})
    spans = list(pairwise(cuts))
    return {
        "outcome": "Encoded",
        "answer": {
            "ids": [random.randrange(30_000) for _ in spans],
            "tokens": [text[start:end] for start, end in spans],
            "offsets": spans,
            "word_ids": None,
            "type_ids": None,
            "attention_mask": None,
            "special_tokens_mask": None,
            "sequence_ids": None,
            "overflowing": None,
        },
    }


def _excerpt(answer: Json) -> Json:
    encoded = answer["answer"]
    return {"start": 0, "total": len(encoded["ids"]), "entries": encoded["ids"][:4], "tokens": encoded["tokens"][:4]}


# Measuring ------------------------------------------------------------------------------------------------------------


def made_page(record: Path) -> tuple[Path, float, int]:
    """Make the page of ``record``; return its path, seconds of a processor, and the most memory of this, in bytes."""
    page = record.with_suffix(".html")
    command = [
        sys.executable,
        "-m",
        "tokenizer_conformance",
        "report",
        str(record),
        "--html",
        str(page),
        "--force",
        "--quiet",
    ]
    process = subprocess.Popen(command)  # noqa: S603 - a command of ours
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"tokconf report failed: {status}")
    return page, used.ru_utime + used.ru_stime, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def opened(browser: Browser, page: Path, findings: int) -> tuple[float, float, float]:
    """Return after how many seconds the first screen, the list, and the last finding of ``page`` are there."""
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(page.as_uri())
    tab.wait_for_selector("html[data-ready]", state="attached")
    painted, usable = tab.evaluate(
        "[performance.getEntriesByName('first-contentful-paint')[0].startTime, "
        "performance.getEntriesByName('findings shown')[0].startTime]"
    )
    context.close()
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"{page.as_uri()}#finding={TOKENIZERS[-1]}/{findings - findings // 2}")
    tab.wait_for_selector("tr.opened .detail", state="attached")
    linked = tab.evaluate("performance.getEntriesByName('finding shown')[0].startTime")
    context.close()
    return painted / 1000, usable / 1000, linked / 1000


def main() -> int:
    """Measure, print, and say by the exit status whether the goals are met."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--findings", type=int, action="append", help="how many findings; may be given again")
    parser.add_argument("--keep", type=Path, help="a folder in which records and pages are kept")
    arguments = parser.parse_args()
    program = find_browser()
    if program is None:
        parser.error(MISSING)
    rows, missed = [], []
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for findings in arguments.findings or [1_000, 10_000, 100_000]:
            record = record_of(folder, findings)
            page, seconds, memory = made_page(record)
            with started(program) as browser:
                times = [opened(browser, page, findings) for _ in range(ROUNDS)]
            painted, usable, linked = (min(each) for each in zip(*times, strict=True))
            size = page.stat().st_size
            megabytes = (record.stat().st_size / 1e6, size / 1e6, memory / 1e6)
            rows.append((findings, *megabytes, seconds, painted, usable, linked))
            if usable >= LONGEST_SECONDS or size >= LARGEST.get(findings, size + 1):
                missed.append(findings)
    heads = ("findings", "record MB", "page MB", "memory MB", "made s", "painted s", "list s", "by link s")
    print(tabulate(rows, heads, floatfmt=".2f", intfmt=","))
    for findings in missed:
        print(f"a page of {findings:,} findings is too slow or too large")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
