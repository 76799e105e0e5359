"""The fake implementations, importable by the tests and registered as a plugin for the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

FAKES = Path(__file__).parent / "fakes"
PACKAGES = Path(__file__).parents[1] / "packages"
TOOLS = Path(__file__).parents[2] / "tools"
sys.path.insert(0, str(FAKES))  # test folders are not packages
sys.path.append(str(TOOLS))  # nor are the tools, which plant mistakes too

import fake_implementations  # noqa: E402 - found by the line above
import huggingface_hub.constants as hub_settings  # noqa: E402
import planted_faults  # noqa: E402
from forked_command import Finished, Template  # noqa: E402
from hub_server import HubServer  # noqa: E402
from recorded_commands import recorded  # noqa: E402, F401 - a fixture

from tokenizer_conformance import Corpus, Input, RunPlan, read_corpus, run  # noqa: E402
from tokenizer_conformance.cli import main  # noqa: E402
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile, find_tokenizer, read_tokenizer  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from click.testing import Result
    from fake_implementations import Toy

    from tokenizer_conformance import Event

    CommandLines = Callable[[Path], "CommandLine"]
    Tokconf = Callable[..., Result]

IN_PROCESS = {"TOKCONF_IN_PROCESS": "all"}
"""The environment in which a command runs plugins in its own process: that is faster."""

MAIN = "import sys; from tokenizer_conformance.__main__ import main; sys.exit(main())"
"""What the script ``tokconf`` does."""

TEXTS = ("abc", "aBc d", "x", "a-b", "zebra crossing", "éa 🎉b")
"""Texts that bring out the fault of each fake."""


@pytest.fixture(scope="session")
def hub_homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there yet; pytest's own numbering would look through thousands for each new one."""
    homes = tmp_path_factory.mktemp("hub-homes")
    return (homes / str(number) for number in count())


@pytest.fixture(autouse=True)
def hub_cache(hub_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the hub, and no hub, here and in processes of tests: no test asks the network."""
    home = next(hub_homes)
    home.mkdir()
    monkeypatch.setenv("HF_HOME", str(home))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for variable in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_CACHE", "HF_ENDPOINT"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(hub_settings, "HF_HUB_CACHE", str(home / "hub"))
    monkeypatch.setattr(hub_settings, "HF_TOKEN_PATH", str(home / "token"))
    monkeypatch.setattr(hub_settings, "HF_HUB_OFFLINE", True)
    return home / "hub"


@pytest.fixture
def hub_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A hub of our own, which is asked where ``HF_ENDPOINT`` names it and ``HF_HUB_OFFLINE`` is not set."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with HubServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.released.set()
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a command says what it is at depends on how fast the machine is; tests of that turn it on again."""
    monkeypatch.setenv("TOKCONF_PROGRESS", "off")


@pytest.fixture(autouse=True)
def _not_at_github(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is the same wherever the tests run; tests of what GitHub is told say that they are there."""
    for variable in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(scope="session")
def toy_tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer.json that the fakes can load, in a folder called ``toy-tokenizer``."""
    folder = tmp_path_factory.mktemp("checkpoint") / "toy-tokenizer"
    folder.mkdir()
    file = folder / "tokenizer.json"
    file.write_text(json.dumps({"model": {"type": "Toy"}}), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def toy_file(toy_tokenizer: Path) -> TokenizerFile:
    return read_tokenizer(find_tokenizer(str(toy_tokenizer)))


def corpus_of(texts: tuple[str, ...] = TEXTS) -> Corpus:
    inputs = tuple(Input(f"text {number}", "test", text) for number, text in enumerate(texts))
    corpus, refusals = read_corpus([("test", inputs)])
    assert not refusals
    return corpus


@pytest.fixture(scope="session")
def events_of(toy_file: TokenizerFile) -> Callable[..., list[Event]]:
    """A function that runs fakes against the toy and returns all events; causes are looked for where that is asked."""

    def run_fakes(*implementations: type[Toy], texts: tuple[str, ...] = TEXTS, **options: Any) -> list[Event]:
        built = tuple(implementation() for implementation in (fake_implementations.Toy, *implementations))
        plan = {
            "tokenizers": (toy_file,),
            "implementations": built,
            "baseline": built[0].info.name,
            "corpus": corpus_of(texts),
            "cause_seconds": 0.0,
        }
        return list(run(RunPlan(**(plan | options))))

    return run_fakes


@dataclass(frozen=True)
class CommandLine:
    """Runs ``tokconf`` in a process of its own, with the fakes installed as a plugin and answering in that process.

    ``template`` is what is forked to be such a process, ``None`` where nothing is forked.
    """

    folder: Path
    plugin: Path
    template: Template | None = None

    def environment(self) -> dict[str, str]:
        """Return the variables that such a process needs."""
        given = filter(None, [os.environ.get("PYTHONPATH")])
        return {"PYTHONPATH": os.pathsep.join(map(str, (self.plugin, FAKES, PACKAGES, TOOLS, *given)))} | IN_PROCESS

    def start(self, *arguments: str, bug: str = "", **environment: str) -> subprocess.Popen[str]:
        """Start the command; ``bug`` is Python that is run before it, to plant a bug in it."""
        program = ["-c", f"{bug}\n{MAIN}"] if bug else ["-m", "tokenizer_conformance"]
        return subprocess.Popen(
            [sys.executable, *program, *arguments],
            cwd=self.folder,
            env=os.environ | self.environment() | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def run(self, *arguments: str, bug: str = "", **environment: str) -> Finished:
        """Run the command to its end; a ``bug`` is planted when all of its modules are imported.

        Where the interpreter is told something, it is started anew.
        """
        if self.template and not any(name.startswith("PYTHON") for name in environment):
            return self.template.run(arguments, self.folder, os.environ | self.environment() | environment, bug)
        return self.run_anew(*arguments, bug=bug, **environment)

    def run_anew(self, *arguments: str, bug: str = "", **environment: str) -> Finished:
        """Run the command to its end in an interpreter of its own; a ``bug`` is planted before anything is imported."""
        process = self.start(*arguments, bug=bug, **environment)
        out, err = process.communicate(timeout=120)
        return Finished(process.returncode, out, err)


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that registers the fakes when it is on the path."""
    folder = tmp_path_factory.mktemp("plugin")
    install_fakes(folder)
    return folder


@pytest.fixture
def cli(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tokconf:
    """Runs a command in this process, in an empty folder."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.setattr(sys, "argv", ["tokconf", "run"])
    return lambda *arguments: CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="session")
def command_template(plugin: Path) -> Iterator[Template | None]:
    """What ``tokconf`` is forked from; where forking is not safe, ``None``."""
    if sys.platform != "linux":
        yield None
        return
    template = Template(CommandLine(plugin, plugin).environment())
    yield template
    template.close()


@pytest.fixture(scope="session")
def command_lines(plugin: Path, command_template: Template | None) -> CommandLines:
    """A function that gives the command line in a folder."""
    return lambda folder: CommandLine(folder, plugin, command_template)


@pytest.fixture
def tokconf(tmp_path: Path, command_lines: CommandLines) -> CommandLine:
    return command_lines(tmp_path)


def install_fakes(folder: Path) -> None:
    """Write the metadata that registers the fakes, as an installer would."""
    metadata = folder / "fake_implementations-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-implementations\nVersion: 1.0\n")
    entries = "".join(
        f"{fake.name} = {module.__name__}:{fake.__name__}\n"
        for module in (fake_implementations, planted_faults)
        for fake in module.ALL
    )
    (metadata / "entry_points.txt").write_text(f"[tokenizer_adapters]\n{entries}")
