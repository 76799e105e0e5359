"""A Ray cluster of two nodes of this machine, of one processor each, whose nodes and head can be lost.

    python benchmarks/small_cluster.py

The program reads words, one a line: ``add`` and ``remove`` a node, ``behead``. After the start, and when each is done,
it writes the address of the cluster, which ends with the input. :class:`SmallCluster` runs it: Ray may end the process
that has started it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

NODE = {"num_cpus": 1, "object_store_memory": 100 << 20}

ENDING_SECONDS = 60

_cluster = lazy("ray.cluster_utils:Cluster")
"""Imported by the program alone: whoever runs it may do without Ray."""


class SmallCluster:
    """The cluster, run by the program with ``environment`` added to the one that is there.

    ``address`` is what ``RAY_ADDRESS`` is to be.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
            encoding="utf-8",
        )
        self.address = self._answer()

    def remove(self) -> None:
        """Kill the node that was added last."""
        self._tell("remove")

    def add(self) -> None:
        """Add a node."""
        self._tell("add")

    def behead(self) -> None:
        """Kill the head with all that runs on its node."""
        self._tell("behead")

    def end(self) -> None:
        """End it, with all that runs on it."""
        self._process.communicate(timeout=ENDING_SECONDS)

    def _tell(self, word: str) -> None:
        print(word, file=self._process.stdin, flush=True)
        self._answer()

    def _answer(self) -> str:
        answer = next(iter(self._process.stdout or ()), "").strip()
        if not answer:
            raise RuntimeError("the cluster has ended")
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def add(cluster: Any) -> None:
    """Add a node."""
    cluster.add_node(**NODE)


def remove(cluster: Any) -> None:
    """Kill the node that was added last."""
    cluster.remove_node(max(cluster.worker_nodes, key=lambda node: node.unique_id), allow_graceful=False)


def behead(cluster: Any) -> None:
    """Kill the head."""
    cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)


WORDS = {done.__name__: done for done in (add, remove, behead)}


def main() -> None:
    """Do what the words of standard input say."""
    cluster = _cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    add(cluster)
    print(cluster.address, flush=True)
    for line in sys.stdin:
        WORDS[line.strip()](cluster)
        print(cluster.address, flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
