"""Where reports go: what they replace, what they never replace, and what is said where they cannot be written."""

from __future__ import annotations

import errno
import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.command_io.outputs import KINDS, ReadFile, ReportOptions, open_reports
from tokenizer_conformance.command_io.record import BEGINNING
from tokenizer_conformance.command_io.sinks import GrowingFile

if TYPE_CHECKING:
    from collections.abc import Callable

RECORD = BEGINNING + b'record", "version": "1.1"}\n'
REPORT = b"# ours on toy\n\n**ours conforms**\n\nconform; 1 tokenizer; [how it was made](#how-it-was-made)\n"
NOTES = b"what I found out\n"
NEW = b"new\n"

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a test takes place."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(options: ReportOptions, *read: ReadFile) -> None:
    """Write :data:`NEW` to every report that is asked for."""
    with open_reports(options, read) as opened:
        for each in filter(None, (opened.json, opened.markdown)):
            each.sink.write(NEW)


def refusal(options: ReportOptions, *read: ReadFile) -> str:
    with pytest.raises(BadInput) as caught:
        write(options, *read)
    return caught.value.message


EITHER = pytest.mark.parametrize("option", ["json", "markdown"])


# What is read --------------------------------------------------------------------------------------------------------


def link(to: str) -> Callable[[], str]:
    def make() -> str:
        Path("link").symlink_to(to)
        return "link"

    return make


def hard_link() -> str:
    Path("other").hardlink_to("texts.txt")
    return "other"


def through_a_folder() -> str:
    Path("folder").symlink_to(".", target_is_directory=True)
    return "folder/texts.txt"


def chain() -> str:
    Path("second").symlink_to("texts.txt")
    return link("./second")()


SPELLINGS: dict[str, Callable[[], str]] = {
    "the same": lambda: "texts.txt",
    "a dot": lambda: "./texts.txt",
    "a way round": lambda: f"../{Path.cwd().name}/texts.txt",
    "absolute": lambda: str(Path("texts.txt").absolute()),
    "a link": link("texts.txt"),
    "a link to a link": chain,
    "a hard link": hard_link,
    "a linked folder": through_a_folder,
}


@EITHER
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("content", [NOTES, RECORD, REPORT, b""])
def test_what_is_read_is_never_replaced_whatever_it_is_called(option: str, spelling: str, content: bytes) -> None:
    texts = Path("texts.txt")
    texts.write_bytes(content)
    name = SPELLINGS[spelling]()
    for force in (False, True):
        told = refusal(ReportOptions(**{option: name}, force=force), ReadFile("a file of inputs", texts))
        assert told.startswith(f"--{option} {name!r} is a file of inputs")
        assert texts.read_bytes() == content


@EITHER
def test_an_input_that_is_open_already_is_not_added_to(option: str) -> None:
    texts = Path("texts.txt")
    texts.write_bytes(NOTES)
    with texts.open("ab") as file:
        told = refusal(ReportOptions(**{option: f"/dev/fd/{file.fileno()}"}), ReadFile("a file of inputs", texts))
    assert "is a file of inputs" in told
    assert texts.read_bytes() == NOTES


@EITHER
def test_an_input_that_is_missing_is_not_made_by_its_report(option: str) -> None:
    told = refusal(ReportOptions(**{option: "missing.txt"}), ReadFile("a file of inputs", Path("./missing.txt")))
    assert told == f"--{option} 'missing.txt' is a file of inputs; give another file for the report"
    assert not Path("missing.txt").exists()


@EITHER
@pytest.mark.parametrize(
    ("content", "is_replaced"), [(NOTES, False), (RECORD, "json"), (REPORT, "markdown"), (b"", True)]
)
def test_beside_a_tokenizer_only_reports_are_replaced(option: str, content: bytes, is_replaced: bool | str) -> None:
    path = Path("beside")
    path.write_bytes(content)
    options = ReportOptions(**{option: "beside"}, force=True)
    beside = ReadFile("a file of a tokenizer's folder", path, may_be_report=True)
    if is_replaced in (True, option):
        write(options, beside)
        assert path.read_bytes() == NEW
    else:
        assert "is a file of a tokenizer's folder" in refusal(options, beside)
        assert path.read_bytes() == content


def test_what_reads_a_device_may_report_to_it() -> None:
    write(ReportOptions(json=os.devnull), ReadFile("a file of inputs", Path(os.devnull)))


# What is there already -----------------------------------------------------------------------------------------------

THERE: list[tuple[bytes, tuple[str, ...]]] = [
    (b"", ("json", "markdown")),
    (RECORD, ("json",)),
    (RECORD * 1000, ("json",)),
    (RECORD[:1], ("json",)),
    (RECORD[:40], ("json",)),
    (BEGINNING + b'fuzz", "version": "1.0"}\n{}', ("json",)),
    (REPORT, ("markdown",)),
    (REPORT.replace(b"\n", b"\r\n"), ("markdown",)),
    (REPORT.replace(b"**ours conforms**\n\n", b""), ("markdown",)),
    (NOTES, ()),
    (b"\n", ()),
    (b"\0" * 10, ()),
    (b"{}\n", ()),
    (b'{"type": "header"}\n', ()),
    (b" " + RECORD, ()),
    (b"# ours on toy\n\n**our notes**\n\nsee how it was made\n", ()),
    (NOTES + REPORT, ()),
]
"""What is there, and which options replace it."""


KNOWN_AS_OURS = {
    "--csv": (b"tokenizer,implementation,a\n", b"finding,list,b\n"),
    "--parquet": (b"PAR1 table, tokenizer-conformance-metrics PAR1",),
    "--latex": (b"% tokconf metrics\n",),
}
NOT_OURS = (b"PAR1 somebody else's PAR1", b"of tokenizer-conformance-metrics", b"a,b\n", b"% notes\n", b" % tokconf ")


@pytest.mark.parametrize("option", KNOWN_AS_OURS)
def test_a_table_is_known_by_its_beginning(option: str) -> None:
    called, is_ours = KINDS[option]
    others = [head for other, heads in KNOWN_AS_OURS.items() if other != option for head in heads]
    assert called == "table"
    assert all(map(is_ours, KNOWN_AS_OURS[option]))
    assert not any(map(is_ours, (*others, *NOT_OURS)))


@EITHER
@pytest.mark.parametrize(("content", "by"), THERE)
def test_only_reports_are_replaced_unless_forced(option: str, content: bytes, by: tuple[str, ...]) -> None:
    path = Path("there")
    path.write_bytes(content)
    if option in by:
        write(ReportOptions(**{option: "there"}))
        assert path.read_bytes() == NEW
        return
    kind = "record" if option == "json" else "Markdown report"
    assert refusal(ReportOptions(**{option: "there"})) == (
        f"--{option} 'there' is there already and is no {kind} of tokconf; give another file, or --force to replace it"
    )
    assert path.read_bytes() == content
    write(ReportOptions(**{option: "there"}, force=True))
    assert path.read_bytes() == NEW


OF_TOOLS = {
    "chat.md",
    "README.md",
    "adapter-power.md",
    "casebook.md",
    "cause-truth.md",
    "changes.md",
    "harness-power.md",
    "lint.md",
    "offsets.md",
    "option-pairs.md",
    "peer-causes.md",
    "peer-searches.md",
    "peer-speed.md",
    "peers.md",
    "scale.md",
    "search-power.md",
    "search.md",
    "speed.md",
    "study.md",
    "suite-power.md",
    "upgrade.md",
    "vectors.md",
}
"""Pages that are written by tools, or printed by a command."""


def test_published_reports_are_reports() -> None:
    published = [path for path in sorted((PROJECT / "reports").glob("*.md")) if path.name not in OF_TOOLS]
    assert len(published) > 2
    for path in published:
        title, _what_it_shows, report = path.read_bytes().split(b"\n\n", 2)
        Path("report.md").write_bytes(b"\n\n".join((title, report)))
        write(ReportOptions(markdown="report.md"))


@EITHER
def test_a_report_stays_until_another_is_written(option: str) -> None:
    content = RECORD if option == "json" else REPORT
    Path("there").write_bytes(content)
    with open_reports(ReportOptions(**{option: "there"}), ()):
        pass
    assert Path("there").read_bytes() == content


@EITHER
def test_where_nothing_is_written_nothing_is_left(option: str, folder: Path) -> None:
    with open_reports(ReportOptions(**{option: "new/deep/report"}), ()):
        assert Path("new/deep").is_dir()
    assert list(folder.iterdir()) == []


@EITHER
def test_missing_folders_are_made(option: str) -> None:
    write(ReportOptions(**{option: "new/deep/report"}))
    assert Path("new/deep/report").read_bytes() == NEW


@EITHER
def test_mode_and_owner_of_a_file_stay(option: str) -> None:
    path = Path("there")
    path.touch()
    path.chmod(0o604)
    if os.geteuid() == 0:
        os.chown(path, 1234, 4321)
    before = path.stat()
    write(ReportOptions(**{option: "there"}))
    after = path.stat()
    assert path.read_bytes() == NEW
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


@EITHER
def test_a_file_that_is_made_has_the_mode_of_any_other(option: str) -> None:
    Path("other").touch()
    write(ReportOptions(**{option: "report"}))
    assert Path("report").stat().st_mode == Path("other").stat().st_mode


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write to any file")
@EITHER
def test_a_file_that_may_not_be_written_is_refused(option: str) -> None:
    Path("there").touch(mode=0o444)
    assert refusal(ReportOptions(**{option: "there"})) == "cannot write 'there': Permission denied"


# Links ---------------------------------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_and_its_target_is_written(option: str, is_there: bool) -> None:
    target = Path("elsewhere/target")
    if is_there:
        target.parent.mkdir()
        target.touch()
    Path("second").symlink_to("elsewhere/target")
    Path("first").symlink_to("second")
    write(ReportOptions(**{option: "first"}))
    assert Path("first").readlink() == Path("second")
    assert Path("second").readlink() == target
    assert target.read_bytes() == NEW
    assert not target.is_symlink()


# Devices, pipes, and what is open ------------------------------------------------------------------------------------


@pytest.fixture
def null(folder: Path) -> Path:
    """A null device; one of its own for the superuser, who could replace that of the system."""
    device = folder / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, Path(os.devnull).stat().st_rdev)
        device.write_bytes(NOTES)
    except PermissionError:
        device.unlink(missing_ok=True)
        return Path(os.devnull)
    return device


@EITHER
@pytest.mark.parametrize("is_linked", [True, False])
def test_a_device_stays_a_device(option: str, is_linked: bool, null: Path) -> None:
    before = null.stat()
    if is_linked:
        Path("link").symlink_to(null)
    write(ReportOptions(**{option: "link" if is_linked else str(null)}))
    assert stat.S_ISCHR(null.lstat().st_mode)
    assert os.path.samestat(null.stat(), before)
    assert Path("link").is_symlink() == is_linked


def test_both_reports_may_go_to_the_null_device() -> None:
    write(ReportOptions(json=os.devnull, markdown=os.devnull))


@EITHER
def test_a_pipe_gets_the_report(option: str) -> None:
    os.mkfifo("pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_bytes()))
    reader.start()
    write(ReportOptions(**{option: "pipe"}))
    reader.join()
    assert got == [NEW]
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)


@EITHER
def test_what_is_open_is_written_on_and_stays_open(option: str) -> None:
    with Path("out").open("wb", buffering=0) as file:
        file.write(NOTES)
        write(ReportOptions(**{option: f"/dev/fd/{file.fileno()}"}))
        Path("link").symlink_to(f"/dev/fd/{file.fileno()}")
        write(ReportOptions(**{option: "link"}))
        file.write(NOTES)
    assert Path("out").read_bytes() == NOTES + NEW + NEW + NOTES


def _unwanted(*_: object) -> None:
    raise AssertionError("a report that nobody asked for")


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_has_several_names(name: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with open_reports(ReportOptions(json=name), ()) as opened:
        (report,) = opened.reports(lambda sink: sink, _unwanted, _unwanted)  # type: ignore[arg-type,return-value]
        assert report.stream is sys.stdout
        report.consumer.write(NEW)  # type: ignore[attr-defined]
    assert capsysbinary.readouterr().out == NEW


NOISY = """
import os
from tokenizer_conformance.command_io.outputs import ReportOptions, open_reports
with open_reports(ReportOptions(json="-"), ()) as opened:
    print("noise")
    os.write(1, b"noise\\n")
    opened.json.sink.write(b"new\\n")
print("after")
"""


def test_what_is_printed_beside_a_report_does_not_get_into_it() -> None:
    done = subprocess.run([sys.executable, "-c", NOISY], capture_output=True, check=True)
    assert done.stdout == b"new\nafter\n"
    assert sorted(done.stderr.split()) == [b"noise", b"noise"]


# What cannot be written ----------------------------------------------------------------------------------------------


def directory() -> str:
    Path("folder").mkdir()
    return "folder"


def below_a_file() -> str:
    Path("file").touch()
    return "file/report"


def far_below_a_file() -> str:
    Path("file").touch()
    return "file/deep/report"


def loop() -> str:
    Path("one").symlink_to("two")
    Path("two").symlink_to("one")
    return "one"


def listening() -> str:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    return "socket"


def new_folder() -> str:
    return "folder/"


def closed_descriptor() -> str:
    number = os.open(os.devnull, os.O_RDONLY)
    os.close(number)
    return f"/dev/fd/{number}"


CANNOT: list[tuple[Callable[[], str], str]] = [
    (directory, "cannot write 'folder': Is a directory"),
    (new_folder, "cannot write 'folder/': it names a folder"),
    (below_a_file, "cannot write 'file/report': Not a directory"),
    (far_below_a_file, "/file/deep': Not a directory"),
    (loop, "cannot write 'one': Too many levels of symbolic links"),
    (listening, "cannot write 'socket': is a socket"),
    (closed_descriptor, ": Bad file descriptor"),
    (lambda: "n" * 300, "': File name too long"),
    (lambda: "", " names no file: its value is empty"),
]


@EITHER
@pytest.mark.parametrize(("make", "message"), CANNOT)
def test_what_cannot_be_written_is_known_before_anything_runs(
    option: str, make: Callable[[], str], message: str
) -> None:
    name = make()
    before = sorted(Path.cwd().iterdir())
    assert refusal(ReportOptions(**{option: name})).endswith(message)
    assert sorted(Path.cwd().iterdir()) == before


@EITHER
def test_what_is_open_for_reading_only_is_refused(option: str) -> None:
    with Path(os.devnull).open("rb") as file:
        name = f"/dev/fd/{file.fileno()}"
        assert refusal(ReportOptions(**{option: name})) == f"cannot write {name!r}: Bad file descriptor"


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_that_is_closed_takes_no_report(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    shown = "standard output" if name == "-" else repr(name)
    assert refusal(ReportOptions(json=name)) == f"cannot write {shown}: it is closed"


ONE_FOR_TWO: list[tuple[str, str]] = [
    ("same", "same"),
    ("same", "./same"),
    ("same", "folder/../same"),
    ("same", "link"),
    ("same", "hard"),
    ("dangling", "missing"),
    ("-", "-"),
    ("-", "/dev/stdout"),
    ("/dev/fd/1", "/dev/stdout"),
]


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("names", ONE_FOR_TWO)
def test_two_reports_do_not_go_to_one_place(names: tuple[str, str], is_there: bool) -> None:
    Path("folder").mkdir()
    Path("link").symlink_to("same")
    Path("dangling").symlink_to("missing")
    if is_there:
        Path("same").touch()
        Path("hard").hardlink_to("same")
    elif "hard" in names:
        Path("hard").symlink_to(Path("same").absolute())
    for json, markdown in (names, names[::-1]):
        assert "--json and --markdown both name " in refusal(ReportOptions(json=json, markdown=markdown))


@pytest.mark.parametrize("name", ["-", os.devnull, "/dev/stdout"])
def test_what_goes_through_a_stream_is_not_resumed(name: str) -> None:
    assert "--resume cannot read" in refusal(ReportOptions(json=name, resume=True))


def test_a_report_that_is_lost_when_it_is_closed_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: GrowingFile) -> None:
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    monkeypatch.setattr(GrowingFile, "close", full)
    with pytest.raises(ReportLost, match=r"^cannot write 'run\.jsonl': Disk quota exceeded$") as caught:
        write(ReportOptions(json="run.jsonl"))
    assert caught.value.exit_code == 3


def test_a_folder_that_is_gone_takes_no_report(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert refusal(ReportOptions(json="run.jsonl")) == "cannot write 'run.jsonl': No such file or directory"


# Two at once ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"resume": True}, {"force": True}])
def test_a_record_is_written_by_one_run_at_a_time(options: dict[str, bool]) -> None:
    Path("link").symlink_to("run.jsonl")
    with open_reports(ReportOptions(json="run.jsonl"), ()) as opened:
        assert opened.json is not None
        opened.json.sink.write(RECORD)
        assert refusal(ReportOptions(json="link", **options)) == (
            "another run is writing to 'link'; wait for its end, or give another file"
        )
        opened.json.sink.write(NEW)
    assert Path("run.jsonl").read_bytes() == RECORD + NEW
    write(ReportOptions(json="link"))
    assert Path("run.jsonl").read_bytes() == NEW
