"""``tokconf implementations``: the list of what there is, and the self-check of a program."""

from __future__ import annotations

import json
import re
import shlex
import sys
import textwrap
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

PROJECT = Path(__file__).resolve().parents[3]
PROGRAMS = PROJECT / "tests" / "adapters" / "protocol" / "programs"
EXAMPLES = PROJECT / "examples" / "protocol"
WORDS = shlex.join([sys.executable, "-I", "-S", str(EXAMPLES / "words.py")])
TRAINER = shlex.join([sys.executable, "-I", "-S", str(EXAMPLES / "train_words.py")])

ENTRIES = """\
toy = fake_implementations:Toy
ids-only = fake_implementations:IdsOnly
unavailable = fake_implementations:Unavailable
broken = fake_implementations:NoSuchClass
deadly = deadly_plugin:Anything
"""


def register(folder: Path, name: str, entries: str) -> None:
    """Write the metadata of a distribution, as an installer would."""
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[tokenizer_adapters]\n{entries}")


@pytest.fixture
def installed(tokconf: CommandLine, tmp_path: Path) -> CommandLine:
    """The command, with plugins good and bad."""
    plugins = tmp_path / "plugins"
    register(plugins, "some_plugins", ENTRIES)
    (plugins / "deadly_plugin.py").write_text("import os\nos._exit(7)\n")
    return replace(tokconf, plugin=plugins)


@pytest.mark.long
def test_the_list_says_what_each_shows_and_how_to_install_what_is_missing(installed: CommandLine) -> None:
    done = installed.run("implementations")
    assert done.status == 0
    assert done.err == ""
    lines = done.out.splitlines()
    assert lines[0].split("  ")[0] == "name"
    assert re.search(r"^toy +1\.0 +Python +all +all +code points$", done.out, re.MULTILINE)
    assert re.search(r"^ids-only +1\.0 +Python +model, post_process, decode +text, ids$", done.out, re.MULTILINE)
    assert re.search(r"^tokenizers +\d\S+ +Rust +all +all +code points +https://", done.out, re.MULTILINE)
    missing = done.out[done.out.index("not installed; this installs them:") : done.out.index("broken, and left out:")]
    assert re.search(r"^  unavailable +.*pip install unavailable$", missing, re.MULTILINE)
    broken = done.out[done.out.index("broken, and left out:") :]
    assert re.search(r"^  broken +implementation 'broken' \(.* of some_plugins 1.0\) is broken: ", broken, re.MULTILINE)
    assert re.search(r"^  deadly +deadly does not start: ended with exit status 7$", broken, re.MULTILINE)


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    "width", [40, 80, 400, *(pytest.param(width, marks=pytest.mark.slow) for width in (60, 120, 200))]
)
def test_the_list_fits_the_terminal(installed: CommandLine, width: int) -> None:
    out = installed.run("implementations", COLUMNS=str(width)).out
    assert [line for line in out.splitlines() if len(line) > width] == []
    assert "".join(out.split()).count("pipinstallunavailable") == 1
    if width != 200:  # where a table fits depends on what is installed
        assert ("name    " in out) == (width == 400)


@pytest.mark.long
def test_the_list_as_json_has_everything(installed: CommandLine) -> None:
    document = json.loads(installed.run("implementations", "--json").out)
    assert (document["schema"], document["version"]) == ("tokenizer-conformance-implementations", "1.0")
    found = {each["name"]: each for each in document["implementations"]}
    assert found["tokenizers"]["package"].startswith("tokenizer-conformance ")
    assert found["tokenizers"]["process"] == "shared"
    assert found["ids-only"] == {
        "name": "ids-only",
        "state": "installed",
        "package": "some_plugins 1.0",
        "process": "own",
        "version": "1.0",
        "language": "Python",
        "stages": ["model", "post_process", "decode"],
        "fields": ["text", "ids"],
        "offset_unit": "code points",
        "home_page": "",
        "install": "",
    }
    assert {found[name]["state"] for name in ("broken", "deadly")} == {"broken"}
    assert found["unavailable"]["state"] == "not installed"
    assert found["unavailable"]["reason"].endswith("pip install unavailable")


@pytest.mark.parametrize("words", [("implementations",), ("run", "gpt2-mini")])
def test_two_packages_with_one_name_are_refused(tokconf: CommandLine, tmp_path: Path, words: tuple[str, ...]) -> None:
    register(tmp_path, "one_plugin", "toy = fake_implementations:Toy\n")
    register(tmp_path, "other_plugin", "toy = fake_implementations:Utf8\n")
    done = replace(tokconf, plugin=tmp_path).run(*words)
    assert done.status == 3
    assert "two implementations are registered as 'toy': fake_implementations:" in done.err
    assert "uninstall one of the packages" in done.err


@pytest.mark.long
def test_the_implementation_of_the_contributors_guide_passes_and_is_compared(
    tokconf: CommandLine, tmp_path: Path
) -> None:
    guide = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
    source, configuration = (
        textwrap.dedent(re.search(rf"^   ```{language}\n(.*?)^   ```", guide, re.DOTALL | re.MULTILINE)[1])
        for language in ("python", "toml")
    )
    code = [line for line in source.splitlines() if line.strip()]
    assert len(code) <= 36
    (tmp_path / "words.py").write_text(source)
    ((name, value),) = tomllib.loads(configuration)["project"]["entry-points"]["tokenizer_adapters"].items()
    register(tmp_path, "words", f"{name} = {value}\n")
    tokconf = replace(tokconf, plugin=tmp_path)
    checked = tokconf.run("implementations", "check", "words")
    assert checked.status == 0, checked.out
    compared = tokconf.run(
        "run", "bert-mini", "-i", "tokenizers", "words", "-k", "contractions/curly", "--isolate", "words"
    )
    assert compared.status == 1, compared.err
    assert re.search(r"^words +– \d+ +– \d+ +✗", compared.out, re.MULTILINE)


# The check -----------------------------------------------------------------------------------------------------------


@pytest.mark.long_but(1)
@pytest.mark.parametrize("prefix", ["", "mine=command:"])
def test_a_good_program_passes(tokconf: CommandLine, prefix: str) -> None:
    done = tokconf.run("implementations", "check", f"{prefix}{WORDS}")
    assert done.status == 0
    assert all(line.startswith("ok     ") for line in done.out.splitlines())
    assert "ok     start: words 1.0 (Python), stages model, decode, offsets in code points" in done.out
    assert "ok     load: gpt2-mini, bert-mini, xlnet-mini" in done.out


def test_a_trainer_learns_from_a_small_corpus(tokconf: CommandLine) -> None:
    done = tokconf.run("implementations", "check", TRAINER)
    assert done.status == 0, done.out
    assert "ok     start: train-words 1.0 (Python), trains wordlevel from words\n" in done.out
    assert "ok     train wordlevel: 9 tokens\n" in done.out


@pytest.mark.long
def test_what_is_registered_as_a_trainer_too_is_checked_as_both(tokconf: CommandLine) -> None:
    done = tokconf.run("implementations", "check", "reference")
    assert done.status == 0, done.out
    assert "ok     observe model: " in done.out
    assert "ok     train bpe: " in done.out


def test_a_broken_program_is_refused_with_the_lines_that_show_it(tokconf: CommandLine) -> None:
    broken = shlex.join([sys.executable, str(PROGRAMS / "broken.py"), str(EXAMPLES / "words.py"), "made-up-unit"])
    done = tokconf.run("implementations", "check", broken)
    assert done.status == 3
    fault, sent, received = done.out.splitlines()
    assert fault.startswith('FAULT  start: answer to start: value.offset_unit: expected one of "code points"')
    assert sent == '       sent      {"id":1,"do":"start","protocol":1}'
    assert received.startswith('       received  {"id": 1, "value": {"protocol": 1, "name": "words"')


@pytest.mark.long
def test_a_registered_implementation_is_checked_on_the_tokenizer_given(
    tokconf: CommandLine, toy_tokenizer: Path
) -> None:
    done = tokconf.run("implementations", "check", "utf8", "--tokenizer", str(toy_tokenizer))
    assert "ok     load: toy-tokenizer" in done.out
    assert done.status == 0, done.out
    other = tokconf.run("implementations", "check", "toy")
    assert other.status == 3
    assert "FAULT  load: it loads none of these, so give one that it loads: " in other.out


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("'",), 2, "gives no command: No closing quotation"),
        (("cat", "--tokenizer", "no-such-tokenizer"), 2, "no-such-tokenizer"),
        (("no-such-program --flag",), 2, "cannot start 'no-such-program': no such program in PATH"),
        (("unavailable",), 3, "unavailable is not installed; install it with: pip install unavailable"),
    ],
)
def test_what_cannot_be_checked_is_said_in_words(
    tokconf: CommandLine, words: tuple[str, ...], status: int, message: str
) -> None:
    done = tokconf.run("implementations", "check", *words)
    assert done.status == status
    assert message in done.err + done.out
    assert "Traceback" not in done.err


def test_a_class_of_the_current_folder_is_compared_and_says_what_it_is_taken_for(
    tokconf: CommandLine,
) -> None:
    example = Path(__file__).parents[3] / "examples" / "python" / "words_class.py"
    (tokconf.folder / "mine.py").write_text(example.read_text("utf-8"))
    done = tokconf.run("suite", "run", "-i", "mine:Words", "-k", "WORDLEVEL-IDS-ARE-FREE")
    assert (
        "tokconf: mine:Words is taken as a class like tokenizers.Tokenizer: from_file, encode, decode; no" in done.err
    )
    assert "broken" not in done.err
    assert re.search(r"^asked +Words unversioned \(Python\)$", done.out, re.MULTILINE)
    checked = tokconf.run("implementations", "check", "mine:Words", "--tokenizer", "wordlevel-mini")
    assert (checked.status, "FAULT" in checked.out) == (0, False), checked.out
