"""What a Ray cluster costs beside processes of this machine, and that a lost node changes nothing.

    python benchmarks/ray_overhead.py [--megabytes N] [--nodes N] [--tokenizer NAME]... [--shared FOLDER]

A corpus in Parquet is measured by ``tokconf metrics`` three times: by as many processes of this machine as there are
nodes (--jobs), on a Ray cluster of that many nodes of one processor each, and there again while one node is killed
midway: after half the time of the second. All on one machine, one after the other. The start of the cluster is told
apart, and the time to join it as the command tells it. Printed are seconds, their ratio to those of --jobs, and whether
the record is that of --jobs but for times, environment and command. The texts are those of the folder --shared.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import parquet
from ray.cluster_utils import Cluster
from tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Callable

TEXTS = ("texts/pride_and_prejudice.txt", "texts/wagahai.txt")
APART = {"seconds", "environment", "command", "started", "lines", "sha256"}
NODE = {"num_cpus": 1, "object_store_memory": 200 << 20}


@dataclass(frozen=True)
class Measured:
    """How long a command took, of that to join the cluster, and what is in its record but for times."""

    seconds: float
    joining: float
    record: list[Any]


def corpus(path: Path, shared: Path, megabytes: int) -> int:
    """Write a table of about so many megabytes of English and Japanese lines, no two the same; return its bytes."""
    lines = [line for text in TEXTS for line in (shared / text).read_text("utf-8").splitlines() if line.strip()]
    rows: list[str] = []
    size = 0
    for number in count():
        rows += (f"{number} {line}" for line in lines)
        size = sum(len(row.encode()) for row in rows) if number < 1 else size // number * (number + 1)
        if size >= megabytes * 1_000_000:
            break
    parquet.write_table(pa.table({"text": rows}), path, row_group_size=5000)
    return sum(len(row.encode()) for row in rows)


def measured(arguments: list[str], record: Path, address: str, meanwhile: Callable[[], None]) -> Measured:
    """Carry out the command, on the cluster at ``address`` where there is one."""
    began = time.monotonic()
    process = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "tokenizer_conformance", *arguments, "--json", str(record)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"RAY_ADDRESS": address, "TOKCONF_PROGRESS": "off"},
        encoding="utf-8",
    )
    meanwhile()
    _, told = process.communicate()
    seconds = time.monotonic() - began
    if process.returncode:
        sys.exit(told)
    joining = re.search(r"joined in (\d+\.\d) s", told)
    return Measured(seconds, float(joining[1]) if joining else 0.0, without_times(record))


def without_times(record: Path) -> list[Any]:
    """Return the lines of ``record`` without what depends on time, machine and command."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(each) for name, each in value.items() if name not in APART}
        return [plain(each) for each in value] if isinstance(value, list) else value

    return [plain(json.loads(line)) for line in record.read_text("utf-8").splitlines()]


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--tokenizer", action="append")
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("TOKCONF_SHARED", ".")))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        size = corpus(Path(folder, "corpus.parquet"), given.shared, given.megabytes)
        print(f"{size / 1e6:.0f} MB of text, {given.nodes} nodes of one processor each, on one machine")
        compared(Path(folder), given.nodes, given.tokenizer or ["gpt2-mini"])


def compared(folder: Path, nodes: int, tokenizers: list[str]) -> None:
    """Measure with --jobs, on Ray, and on Ray while a node is killed; print a table."""
    arguments = ["metrics", *tokenizers, "--inputs", str(folder / "corpus.parquet"), "--checkpoint-every", "5"]
    here = measured([*arguments, "--jobs", str(nodes)], folder / "jobs.jsonl", "", lambda: None)
    began = time.monotonic()
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    for _ in range(nodes - 1):
        last = cluster.add_node(**NODE)
    print(f"the cluster was started in {time.monotonic() - began:.1f} s, which is in no line below")
    on_ray = [*arguments, "--engine", "ray"]
    whole = measured(on_ray, folder / "ray.jsonl", cluster.address, lambda: None)

    def kill() -> None:
        time.sleep(whole.seconds / 2)
        cluster.remove_node(last, allow_graceful=False)

    hurt = measured(on_ray, folder / "killed.jsonl", cluster.address, kill)
    cluster.shutdown()
    rows = ((f"--jobs {nodes}", here), ("Ray", whole), ("Ray, a node killed midway", hurt))
    table = [
        (name, each.seconds, each.joining, each.seconds / here.seconds, "yes" if each.record == here.record else "NO")
        for name, each in rows
    ]
    headers = ("", "seconds", "of these joining", f"to --jobs {nodes}", "same record")
    print(tabulate(table, headers, floatfmt=("", ".1f", ".1f", ".2f", "")))


if __name__ == "__main__":
    main()
