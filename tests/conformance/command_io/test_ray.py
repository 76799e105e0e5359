"""On the nodes of a Ray cluster a command does what it does here, also where a node or the head is lost."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from small_cluster import SmallCluster

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io import ray_pool
from tokenizer_conformance.command_io.compact_names import spelled_out
from tokenizer_conformance.command_io.worker_pool import LostPoolError
from tokenizer_conformance.command_io.worker_process import program

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator

    from conftest import CommandLine, CommandLines

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed (the extra [ray])"),
]

SOON = {"RAY_gcs_rpc_server_reconnect_timeout_s": "2", "RAY_health_check_period_ms": "500"}
"""Settings with which Ray sees soon that something is lost."""

GIVEN = """
import os
import time
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tokenizer_adapters.tokenizers import TokenizersImplementation

class Given(TokenizersImplementation):
    @cached_property
    def info(self):
        return replace(TokenizersImplementation().info, name="given")

    def load(self, source):
        return Subject(super().load(source))

class Subject:
    def __init__(self, whole):
        self.whole, self.vocabulary = whole, whole.vocabulary

    def observe(self, observation):
        text = getattr(observation, "text", None)
        if text == "die of this":
            os._exit(7)
        while text == "the last text" and not Path({gate!r}).exists():
            time.sleep(0.05)
        return self.whole.observe(replace(observation, text="another") if text == "the odd text" else observation)
"""
"""Dies of a text, answers the last one when the file ``gate`` is there, and the odd one wrongly."""

SMALL = "from tokenizer_conformance.research.metrics import tasks; tasks.PARTITION_BYTES = 1 << 16"
"""Makes several partitions of what would be one."""

RUN = ("run", "-i", "toy", "swapped-merge", "shifted-offset", "--cause-time", "0", "--every-id", "--no-builtin")


@pytest.fixture(scope="module")
def clusters(plugin: Path, command_lines: CommandLines) -> Iterator[Callable[[], SmallCluster]]:
    """A function that starts a cluster of two nodes; all end with the tests of this module."""
    begun = []

    def begin() -> SmallCluster:
        begun.append(SmallCluster(command_lines(plugin).environment() | SOON))
        return begun[-1]

    yield begin
    for cluster in begun:
        cluster.end()


@pytest.fixture(scope="module")
def cluster(clusters: Callable[[], SmallCluster]) -> SmallCluster:
    return clusters()


GIVEN_CLASS = "a_given_class:Given"


class GivenClass:
    """The class of :data:`GIVEN`; ``path`` is the environment of a command that finds it."""

    def __init__(self, tokconf: CommandLine) -> None:
        self.gate = tokconf.folder / "gate"
        (tokconf.folder / "a_given_class.py").write_text(GIVEN.format(gate=str(self.gate)))
        self.path = {"PYTHONPATH": os.pathsep.join((str(tokconf.folder), tokconf.environment()["PYTHONPATH"]))}


@pytest.fixture
def given_class(tokconf: CommandLine) -> GivenClass:
    return GivenClass(tokconf)


def joined(cluster: SmallCluster) -> dict[str, str]:
    """Return the environment of a command that joins it."""
    return {"RAY_ADDRESS": cluster.address} | SOON


def texts_of(folder: Path, count: int) -> str:
    path = folder / f"{count}.txt"
    path.write_text("\n".join(f"The {number}th text, of étés & 夏 {'a-b ' * 20}" for number in range(count)))
    return str(path)


def lines(path: Path) -> list[Any]:
    """Return the lines of a record without what depends on the machine, the time or the command.

    Which inputs fail is told with each checkpoint, as time passes: here all at once.
    """
    apart = {"seconds", "baseline_seconds", "asking", "environment", "lines", "sha256"}

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(each) for name, each in value.items() if name not in apart}
        return [plain(each) for each in value] if isinstance(value, list) else value

    content = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    told: list[Any] = []
    failing: dict[tuple[str, str], list[str]] = {}
    for line in map(json.loads, content.splitlines()):
        if line["type"] == "failing":
            failing.setdefault((line["tokenizer"], line["implementation"]), []).extend(spelled_out(line["inputs"]))
        elif line["type"] != "checkpoint":
            told.append(plain(line))
    return [failing, *told]


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# The same ------------------------------------------------------------------------------------------------------------


def test_a_run_has_the_record_of_one_process(tokconf: CommandLine, cluster: SmallCluster, toy_tokenizer: Path) -> None:
    seen = []
    for engine in ("local", "ray"):
        record = tokconf.folder / f"{engine}.jsonl"
        given = (
            str(toy_tokenizer),
            "--every-id",
            "--inputs",
            texts_of(tokconf.folder, 300),
            "--json",
            str(record),
            "--engine",
            engine,
        )
        done = tokconf.run(*RUN, *given, **joined(cluster))
        said = done.err.splitlines()
        assert [line.split(" in ")[0] for line in said] == (["tokconf: Ray was joined"] if engine == "ray" else [])
        seen.append((done.status, lines(record)))
    assert seen[0][0] == 1
    assert len(seen[0][1]) > 200
    assert seen[0] == seen[1]


def test_a_text_that_kills_is_told_as_by_processes_of_this_machine(
    tokconf: CommandLine, cluster: SmallCluster, given_class: GivenClass
) -> None:
    (tokconf.folder / "texts.txt").write_text("one\ndie of this\nthree\n" * 3)
    seen = []
    for engine in ("local", "ray"):
        given = ("metrics", "gpt2-mini", "-i", GIVEN_CLASS, "--inputs", "texts.txt", "--json", "m.jsonl", "--force")
        done = tokconf.run_anew(*given, "--jobs", "2", "--engine", engine, **given_class.path, **joined(cluster))
        seen.append((done.status, lines(tokconf.folder / "m.jsonl")))
    assert seen[0][0] == 3
    assert "exit status 7" in json.dumps(seen[0][1])
    assert seen[0] == seen[1]


def test_another_command_has_the_record_of_one_process(tokconf: CommandLine, cluster: SmallCluster) -> None:
    seen = []
    for engine in ("local", "ray"):
        given = ("--json", "compared.jsonl", "--inputs", texts_of(tokconf.folder, 100), "--engine", engine)
        done = tokconf.run("compare", "gpt2-mini", "llama-mini", *given, "--force", **joined(cluster))
        assert done.status == 0, done.err
        seen.append(lines(tokconf.folder / "compared.jsonl"))
    assert len(seen[0]) > 3
    assert seen[0] == seen[1]


def test_a_node_with_another_release_is_refused(cluster: SmallCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    monkeypatch.setattr(ray_pool, "releases", lambda: {"tokenizers": "0.1"})
    pool: ray_pool.RayPool[int, Any] = ray_pool.RayPool(program("a process"), str, 0, Limits(), 60.0)
    with pool, pytest.raises(LostPoolError, match=r"^node \S+ has tokenizers \S+, and the machine of the command 0.1"):
        pool.submit(1).result(60)
    assert pool.jobs == 2


@pytest.mark.parametrize(
    ("address", "why"), [("127.0.0.1:9", "Connection refused"), ("ray://127.0.0.1:9", "give HOST:PORT")]
)
def test_a_cluster_that_cannot_be_joined_is_told(monkeypatch: pytest.MonkeyPatch, address: str, why: str) -> None:
    monkeypatch.setenv("RAY_ADDRESS", address)
    pool: ray_pool.RayPool[int, Any] = ray_pool.RayPool(program("a process"), str, 0, Limits(), 60.0)
    with pytest.raises(LostPoolError, match=rf"at '{address}' \(RAY_ADDRESS\) cannot be joined: .*{why}"):
        pool.begin()


# Lost ----------------------------------------------------------------------------------------------------------------


class Waiting:
    """Commands that wait at the last text of a corpus until they are let go."""

    def __init__(self, tokconf: CommandLine, given_class: GivenClass) -> None:
        self._tokconf = tokconf
        self._gate = given_class.gate
        self.options = {"bug": SMALL, **given_class.path}
        corpus = Path(texts_of(tokconf.folder, 1500))
        corpus.write_text(f"the odd text\n{corpus.read_text()}\nthe last text\n")
        given = ("gpt2-mini", "-i", "tokenizers", GIVEN_CLASS, "--inputs", str(corpus))
        self.metrics = ("metrics", *given, "--checkpoint-every", "0")

    def start(self, cluster: SmallCluster, record: str, *arguments: str) -> subprocess.Popen[str]:
        return self._tokconf.start(*arguments, "--json", record, "--engine", "ray", **joined(cluster), **self.options)

    def let_go(self) -> None:
        self._gate.touch()


@pytest.fixture
def waiting(tokconf: CommandLine, given_class: GivenClass) -> Waiting:
    return Waiting(tokconf, given_class)


def test_a_node_that_is_lost_changes_nothing(tokconf: CommandLine, cluster: SmallCluster, waiting: Waiting) -> None:
    process = waiting.start(cluster, "ray.jsonl", *waiting.metrics)
    wait_until((tokconf.folder / "ray.jsonl.checkpoint").exists)
    cluster.remove()
    assert process.poll() is None
    waiting.let_go()
    process.communicate(timeout=100)
    cluster.add()
    assert process.returncode == 0
    assert tokconf.run_anew(*waiting.metrics, "--json", "local.jsonl", **waiting.options).status == 0
    assert lines(tokconf.folder / "ray.jsonl") == lines(tokconf.folder / "local.jsonl")


def test_when_the_head_is_lost_that_is_told_and_the_command_goes_on_with_another(
    tokconf: CommandLine, clusters: Callable[[], SmallCluster], cluster: SmallCluster, waiting: Waiting
) -> None:
    lost = clusters()
    record = tokconf.folder / "metrics.jsonl"
    process = waiting.start(lost, record.name, *waiting.metrics)
    wait_until((tokconf.folder / "metrics.jsonl.checkpoint").exists)
    lost.behead()
    assert process.poll() is None
    process.communicate(timeout=60)
    assert process.returncode == 3
    footer = lines(record)[-1]
    assert footer["reason"].startswith("the Ray cluster is lost")
    assert footer["finished"] is False
    waiting.let_go()
    on = ("--json", record.name, "--engine", "ray", "--resume")
    again = tokconf.run_anew(*waiting.metrics, *on, **joined(cluster), **waiting.options)
    here = tokconf.run_anew(*waiting.metrics, "--json", "local.jsonl", **waiting.options)
    assert again.status == here.status
    assert lines(record)[-1] == lines(tokconf.folder / "local.jsonl")[-1]
