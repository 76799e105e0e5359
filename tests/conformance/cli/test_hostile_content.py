"""Every command with hostile names, vocabularies, texts and errors: what each of its writers makes of them.

A command is a row of ``COMMANDS``; what is written is judged by the end of its name (``JUDGES``), and has to have
something hostile in it, or nothing would have been tried.
"""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import lxml.html
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hostile import FILE_NAMES, HOSTILE, IN_JSON, MARK, PRODUCT, UNDECODABLE
from lxml import etree
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from forked_command import Finished

    from conftest import CommandLines

FIRST, SECOND, THIRD, FOURTH = (f"{name}.json" for name in FILE_NAMES)
LOADED = "=owned<img src=x>\n# owned\x1b[31m"
CORPUS = "=owned<b>\n# owned\x1b.txt"
COLUMN = "=owned<b>|`"

SUBJECT, REFUSING = "hostile_implementations:HostileAnswers", "hostile_implementations:HostileRefusal"
SIDES = ("-i", "tokenizers", SUBJECT, "--baseline", "tokenizers")
ALL = ("-i", "tokenizers", SUBJECT, REFUSING)
REQUIREMENT = ("-k", "BERT-NORMALIZER-HAS-A-SECOND-NAME")
TEXTS = ("--inputs", "texts.jsonl", "--column", COLUMN)
BOTH = ("--json", "{0}.jsonl", "--markdown", "{0}.md")
CHECKS = ("--junit", "{0}.xml", "--sarif", "{0}.sarif", "--github")
TABLES = ("--csv", "{0}.csv", "--parquet", "{0}.parquet", "--latex", "{0}.tex", "--plots", "{0}-plots")
ARGUMENT = "".join(text for name, text in IN_JSON.items() if name != "NUL")
"""What can be an argument of a program."""


@dataclass(frozen=True)
class Row:
    """A command with its arguments, ``{0}`` being its name here, and the ``statuses`` it may end with.

    ``needs`` are rows whose files it reads.
    """

    arguments: tuple[str, ...]
    statuses: tuple[int, ...] = (0, 1, 3)
    needs: tuple[str, ...] = ()


COMMANDS: dict[str, Row] = {
    "run": Row(("run", FIRST, *ALL, *TEXTS, "--no-builtin", "--cause-time", "1", *BOTH, *CHECKS)),
    "suite": Row(
        ("suite", "run", *ALL, *REQUIREMENT, "--json", "{0}.jsonl", *CHECKS),
    ),
    "fuzz": Row(
        ("fuzz", "-i", SUBJECT, "--tokenizers", "2", "--texts", "3", "--seed", "1", "--json", "{0}.jsonl", *CHECKS)
    ),
    "search": Row(("fuzz", SECOND, *SIDES, *TEXTS, "--cases", "20", "--seed", "1", *BOTH, *CHECKS)),
    "train": Row(
        (
            *("train", "--algorithm", "wordlevel", "--corpus", CORPUS, "--vocab-size", "20"),
            *("--special-tokens", HOSTILE["script"], HOSTILE["ANSI"], HOSTILE["formula"]),
            *("-i", "reference", "owned|`<b>\u202e=command:false", *BOTH),
        ),
    ),
    "snapshot": Row(("snapshot", FIRST, "-i", "tokenizers", *TEXTS, "--no-builtin", "-o", "old.jsonl.gz")),
    "diff": Row(("diff", "old.jsonl.gz", SUBJECT, "--cause-time", "1", *BOTH, *CHECKS), needs=("snapshot",)),
    "another suite": Row(("suite", "run", "-i", "tokenizers", REFUSING, *REQUIREMENT, "--json", "{0}.jsonl")),
    "record diff": Row(
        ("diff", "suite.jsonl", "another-suite.jsonl", *BOTH, *CHECKS), needs=("suite", "another suite")
    ),
    "metrics": Row(("metrics", FIRST, SECOND, THIRD, FOURTH, *TEXTS, "--by", "file", *BOTH, *TABLES)),
    "compare": Row(("compare", FIRST, SECOND, *TEXTS, *BOTH)),
    "compare a text": Row(("compare", FIRST, THIRD, ARGUMENT, *BOTH)),
    "explain": Row(("explain", SECOND, ARGUMENT, *BOTH)),
    "vectors": Row(("vectors", THIRD, "-n", "3", "-o", "{0}.json")),
    "check vectors": Row(("vectors", "check", "vectors.json", "-i", SUBJECT, "--tokenizer", THIRD), needs=("vectors",)),
    "bug": Row(("bug", "run.jsonl", "--finding", "1", *SIDES[:3], "--no-check", "-o", "{0}.md"), needs=("run",)),
    "minimize": Row(("minimize", "run.jsonl", "--finding", "1", *SIDES[:3]), needs=("run",)),
    "audit file": Row(("audit", "file", SECOND, "surrogate.json", *BOTH, *CHECKS)),
    "audit streams": Row(
        ("audit", "streams", THIRD, "-i", SUBJECT, *TEXTS, "--no-builtin", "--cases", "40", *BOTH, *CHECKS)
    ),
    "audit offsets": Row(("audit", "offsets", THIRD, "-i", SUBJECT, *TEXTS, "--no-builtin", *BOTH, *CHECKS)),
    "audit loader": Row(("audit", "loader", LOADED, "-i", SUBJECT, "--cases", "20", *BOTH, *CHECKS)),
    "written test": Row(("suite", "write", "tokenizers", SUBJECT, "--tokenizer", FIRST, "--inputs", CORPUS)),
    "badge": Row(("badge", "suite.jsonl", "--partial", "--output", "{0}-badges"), needs=("suite",)),
    "refused files": Row(("run", "surrogate.json", FIRST + "\x1b[31m", *SIDES), (2,)),
    "name that is no text": Row(("run", f"{UNDECODABLE}.json", *SIDES, *TEXTS, "--no-builtin", *BOTH, *CHECKS), (2,)),
    "text that is none": Row(
        ("run", FIRST, *SIDES, "--no-builtin", "--inputs", "surrogates.jsonl", "--column", COLUMN), (2,)
    ),
    "refused option": Row(("run", FIRST, "-i", ARGUMENT), (2,)),
    "refused column": Row(("run", FIRST, *SIDES, "--no-builtin", *TEXTS[:2], "--column", ARGUMENT), (2,)),
}


@dataclass
class Commands:
    """Runs rows of :data:`COMMANDS` in a folder, each once."""

    folder: Path
    call: Callable[..., Finished]
    done: dict[str, tuple[Finished, list[Path]]] = field(default_factory=dict)

    def of(self, name: str) -> tuple[Finished, list[Path]]:
        """What a command gave, and the files it has written."""
        if name not in self.done:
            row = COMMANDS[name]
            for needed in row.needs:
                self.of(needed)
            before = set(self.folder.rglob("*"))
            stem = name.replace(" ", "-")
            summary = str(self.folder / f"{stem}-summary.md")
            arguments = [each.replace("{0}", stem) if each.startswith("{0}") else each for each in row.arguments]
            finished = self.call(*arguments, GITHUB_STEP_SUMMARY=summary, TOKCONF_PROGRESS="off")
            written = sorted(path for path in set(self.folder.rglob("*")) - before if path.is_file())
            self.done[name] = finished, written
        return self.done[name]


def hostile_document() -> dict[str, Any]:
    vocabulary = {token: id for id, token in enumerate(("[UNK]", "ab", "b", *IN_JSON.values()))}
    added = [
        {"id": id, "content": f"{text}!", "special": id % 2 == 0}
        | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        for id, text in enumerate(IN_JSON.values(), len(vocabulary))
    ]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {"type": "Replace", "pattern": {"String": "b"}, "content": HOSTILE["ANSI"]},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory, command_lines: CommandLines) -> Commands:
    folder = tmp_path_factory.mktemp("hostile")
    document = hostile_document()
    (folder / FIRST).write_text(json.dumps(document))
    (folder / SECOND).write_text(json.dumps(document | {"normalizer": None}))
    (folder / THIRD).write_text(json.dumps(document | {"normalizer": {"type": "Lowercase"}}))
    (folder / FOURTH).write_text(json.dumps(document | {"pre_tokenizer": None}))
    (folder / LOADED).mkdir()
    (folder / LOADED / "tokenizer.json").write_text(json.dumps(document))
    (folder / f"{UNDECODABLE}.json").write_text(json.dumps(document))
    (folder / "surrogate.json").write_text(json.dumps(document | {"model": HOSTILE["surrogates"]}))
    texts = ["ab b", "c", *IN_JSON.values(), *(f"ab {text}! b" for text in IN_JSON.values())]
    (folder / "texts.jsonl").write_text("".join(json.dumps({COLUMN: text}) + "\n" for text in texts))
    (folder / "surrogates.jsonl").write_text(json.dumps({COLUMN: HOSTILE["surrogates"]}))
    (folder / CORPUS).write_bytes("\n".join(IN_JSON.values()).encode())
    return Commands(folder, command_lines(folder).run)


# What each kind of file must be ---------------------------------------------------------------------------------------

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def controls(text: str) -> set[str]:
    """What takes over a terminal: control characters but the end of a line, and what changes the direction."""
    return {each for each in text if each in BIDI or (unicodedata.category(each) in ("Cc", "Cs") and each != "\n")}


HEADINGS = ("h1", "h2", "h3", "h4", "h5")
ELEMENTS = frozenset(
    {
        *("html", "body", "div", *HEADINGS, "p", "ul", "ol", "li", "code", "pre", "em", "strong", "br", "hr", "a"),
        *("table", "thead", "tbody", "tr", "th", "td", "details", "summary"),
    }
)
ATTRIBUTES = {
    "class": r"language-\w+",
    "start": r"\d+",
    "style": r"text-align:\w+",
    "href": "#how-it-was-made",  # the link to the last section, and no other one
}
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


def plain(text: str) -> None:
    assert not controls(text)
    assert PRODUCT not in text


def markdown(path: Path) -> None:
    text = path.read_text("utf-8")
    plain(text)
    assert len(text.encode()) <= 1 << 20
    page = lxml.html.fromstring(f"<div>{MARKDOWN.render(text)}</div>")
    for element in page.iter():
        assert element.tag in ELEMENTS, etree.tostring(element)
        for attribute, value in element.attrib.items():
            assert re.fullmatch(ATTRIBUTES.get(attribute, "(?!)"), value), (attribute, value)
        if element.tag in HEADINGS:
            assert element.text_content() != MARK
    assert MARK not in [item.text_content().strip() for item in page.iter("li", "th", "td")]


def json_lines(path: Path) -> None:
    lines = path.read_text("ascii").split("\n")
    assert lines[-1] == ""
    for line in lines[:-1]:
        assert isinstance(json.loads(line), dict)
        plain(line)


def json_file(path: Path) -> None:
    assert isinstance(json.loads(path.read_text("ascii")), dict)


def xml(path: Path) -> None:
    root = etree.parse(path).getroot()
    assert {each.tag for each in root.iter("*")} <= {
        *("testsuites", "testsuite", "testcase", "properties", "property"),
        *("failure", "error", "skipped", "system-out", "system-err"),
    }
    for each in root.iter("*"):
        for text in (each.text or "", *each.attrib.values()):
            assert not controls(text)


def svg(path: Path) -> None:
    root = etree.parse(path).getroot()
    for each in root.iter("*"):
        name = etree.QName(each).localname
        assert name not in ("script", "foreignObject", "a"), path
        linked = each.get("{http://www.w3.org/1999/xlink}href", "")
        assert linked.startswith("data:image/png;base64," if name == "image" else ("", "#")), linked
        assert not any(name.startswith("on") for name in map(str, each.attrib))
    assert not controls(path.read_text("utf-8"))


def csv_table(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert len({len(row) for row in rows}) == 1
    for cell in (cell for row in rows for cell in row):
        plain(cell)
        assert not cell.startswith(tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")) or _is_number(cell), cell


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?(e[+-]\d+)?", cell) is not None


def parquet(path: Path) -> None:
    table = pq.read_table(path)
    assert table.num_rows
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_string(column.type):
            assert all(each is None or isinstance(each, str) for each in column.to_pylist()), name


def latex(path: Path) -> None:
    text = path.read_text("utf-8")
    plain(text)
    for line in text.split("\n"):
        if not line.startswith("%"):
            assert not re.search(r"\\(input|write)", line.replace(r"\textbackslash{}", "")), line


def not_text(path: Path) -> None:
    assert path.stat().st_size


JUDGES: dict[str, Callable[[Path], None]] = {
    ".md": markdown,
    ".jsonl": json_lines,
    ".json": json_file,
    ".sarif": json_file,
    ".xml": xml,
    ".svg": svg,
    ".csv": csv_table,
    ".parquet": parquet,
    ".tex": latex,
    ".gz": not_text,
    ".png": not_text,
}
"""What a file is held to, by the end of its name."""

UNSEARCHED = (".svg", ".png", ".gz", ".parquet", ".json")
"""Files that are drawn or packed, and badges, which name nobody: in these no text is looked for."""

SLOW = ("vectors", "check vectors")
"""What takes half a minute."""

LONG = (
    "metrics",
    "diff",
    "another suite",
    "record diff",
    "bug",
    "search",
    "fuzz",
    "train",
    "audit loader",
    "audit offsets",
    "audit streams",
)
"""What takes seconds."""


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in SLOW else pytest.mark.long if name in LONG else ())
        for name in COMMANDS
    ],
)
def test_hostile_content_is_harmless_wherever_it_is_written(commands: Commands, name: str) -> None:
    done, written = commands.of(name)
    assert done.status in COMMANDS[name].statuses, (done.status, done.err)
    for shown in (done.out, done.err):
        plain(shown)
    assert MARK in done.out + done.err or name == "bug"  # prints the name of its file alone
    workflow_commands(done.out)
    asked = [each for each in COMMANDS[name].arguments if each.startswith("{0}")]
    assert len(written) >= len(asked)
    for path in written:
        JUDGES[path.suffix](path)
        if path.suffix not in UNSEARCHED:
            assert MARK in path.name + path.read_text("utf-8"), path


def workflow_commands(out: str) -> None:
    """Hold what a step prints to the rules of GitHub: nothing of others is obeyed, and no command is theirs."""
    lines = out.split("\n")
    stops = [line for line in lines if line.startswith("::stop-commands::")]
    resume = f"::{stops[0].removeprefix('::stop-commands::')}::" if stops else None
    heeded = lines[lines.index(resume) + 1 :] if resume in lines else []
    ignored = lines[: -len(heeded)] if heeded else lines
    assert not [line for line in ignored if line.startswith("::") and line not in (*stops, resume)]
    for line in filter(None, heeded):
        match = re.fullmatch(r"::(error|warning|notice) (?P<properties>[^:]*)::(?P<message>.*)", line)
        assert match is not None, line
        properties = [pair.split("=", 1)[0] for pair in match["properties"].split(",")]
        assert properties in (["title"], ["title", "file", "line"])
        assert not re.search(r"%(?!25|0A|0D|3A|2C)", line)


@pytest.mark.long
def test_every_kind_of_file_is_written_by_some_command(commands: Commands) -> None:
    found = {path.suffix for name in COMMANDS.keys() - SLOW for path in commands.of(name)[1]}
    assert found == set(JUDGES)
