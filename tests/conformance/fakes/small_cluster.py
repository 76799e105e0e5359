"""A Ray cluster of this machine, its nodes of one processor each, as a program: lines in, lines out.

It begins with two nodes. Every line is a word of :data:`COMMANDS`; every answer is the address of the cluster.
"""

from __future__ import annotations

import sys

from ray.cluster_utils import Cluster

NODE = {"num_cpus": 1, "object_store_memory": 100 << 20}


class SmallCluster:
    def __init__(self) -> None:
        self.cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
        self.add()

    def add(self) -> None:
        """Add a node."""
        self.cluster.add_node(**NODE)

    def remove(self) -> None:
        """Kill the node that was added last."""
        self.cluster.remove_node(max(self.cluster.worker_nodes, key=lambda node: node.unique_id), allow_graceful=False)

    def behead(self) -> None:
        """Kill the head with all that runs on its node."""
        self.cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)

    def stop(self) -> None:
        self.cluster.shutdown()


def main() -> None:
    small = SmallCluster()
    print(small.cluster.address, flush=True)
    for line in sys.stdin:
        getattr(small, line.strip())()
        print(small.cluster.address, flush=True)
    small.stop()


if __name__ == "__main__":
    main()
