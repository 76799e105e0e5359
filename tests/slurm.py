"""What `sbatch` does with the recipe of docs/how-to/cluster.md, here: each task of an array is a process, in turn."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

JOB = "4711"


def main() -> int:
    """Run a script as an array, or what is wrapped after it; print the number of the job."""
    parser = argparse.ArgumentParser()
    parser.add_argument("script", type=Path, nargs="?")
    parser.add_argument("--parsable", action="store_true")
    parser.add_argument("--array")
    parser.add_argument("--dependency")
    parser.add_argument("--wrap")
    given = parser.parse_args()
    if given.wrap is not None:
        if given.dependency != f"afterany:{JOB}":
            return 1
        subprocess.run(["sh", "-c", given.wrap], check=False)
        return 0
    asked = dict(re.findall(r"^#SBATCH --([\w-]+)=(\S+)$", given.script.read_text(), re.MULTILINE))
    first, _, last = (given.array or asked["array"]).partition("-")
    tasks = range(int(first), int(last or first) + 1)
    for task in tasks:
        variables = {
            "SLURM_ARRAY_TASK_ID": str(task),
            "SLURM_ARRAY_TASK_COUNT": str(len(tasks)),
            "SLURM_CPUS_PER_TASK": asked["cpus-per-task"],
        }
        subprocess.run(["bash", str(given.script)], env=os.environ | variables, stdout=sys.stderr, check=False)
    print(JOB)
    return 0


if __name__ == "__main__":
    sys.exit(main())
