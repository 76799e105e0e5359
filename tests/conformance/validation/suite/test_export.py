"""An export is enough to run the suite from; nothing of the user's is replaced, and no half of one is left unsaid."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from small_suites import TOY_FILES, area, case, files_of, requirement, step

from tokenizer_adapters.contract import Chat, Normalize
from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.suite.export import INDEX, LINES, README, Form, area_text, exported, write_folder
from tokenizer_conformance.validation.suite.reader import Register, area_of, read_files, schema, suite_of
from tokenizer_conformance.validation.suite.selection import Wanted

if TYPE_CHECKING:
    from collections.abc import Mapping

REGISTER = Register(("TOY-LOWERCASE", "TOY-GONE"), {"TOY-GONE": "It was wrong."})
EVIL = "\ud800\x1b\u2028$x${y}"
EVIL_FILES = files_of(area(requirement("EVIL", case(step(Normalize(EVIL), {"text": "a"})))))

not_as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the user may write everywhere"
)


def export(files: Mapping[str, Any] = TOY_FILES, expression: str = "", form: Form = Form.JSON) -> dict[str, bytes]:
    return exported(files, REGISTER, Wanted(expression), form)


def present(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# What is in an export ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("files", [TOY_FILES, EVIL_FILES], ids=["toy", "evil"])
def test_everything_is_in_the_form_of_the_schema_that_lies_beside_it(files: dict[str, Any], form: Form) -> None:
    found = export(files, form=form)
    validator = jsonschema.Draft202012Validator(json.loads(found["suite-1.json"]))
    index = json.loads(found[INDEX])
    validator.validate(index)
    assert index["files"] == {name: hashlib.sha256(data).hexdigest() for name, data in found.items() if name != INDEX}
    for each in index["areas"]:
        for line in found[each["file"]].splitlines() if form is Form.JSON_LINES else [found[each["file"]]]:
            validator.validate(json.loads(line))


def test_the_files_of_areas_mean_what_they_meant() -> None:
    found = export()
    assert {name: json.loads(found[name]) for name in TOY_FILES} == TOY_FILES


def test_a_line_has_all_that_a_case_needs() -> None:
    lines = [json.loads(line) for line in export(form=Form.JSON_LINES)[LINES].splitlines()]
    cases = list(suite_of(TOY_FILES).cases())
    assert [f"{line['requirement']}/{line['case']}" for line in lines] == [each.id for each in cases]
    for line, each in zip(lines, cases, strict=True):
        assert line["tokenizer"] == each.area.tokenizers[each.case.tokenizer]
        assert (line["features"], line["stage"]) == (sorted(each.requirement.features), each.area.stage)
        assert len(line["steps"]) == len(each.case.steps)


def test_what_lies_beside_a_tokenizer_is_exported_with_it() -> None:
    configurations = {"t1": {"chat_template": "a"}, "t2": {"chat_template": "b"}}
    asked = {**case(step(Chat("[]"), {"text": "a", "ids": [1]})), "releases": []}
    told = {**area(requirement("CHAT", asked), name="chat", stage="chat"), "configurations": configurations}
    files = {**TOY_FILES, **files_of(told)}
    (line,) = export(files, "CHAT", Form.JSON_LINES)[LINES].splitlines()
    assert json.loads(line)["configuration"] == {"chat_template": "a"}
    whole = export(files, "CHAT")
    assert json.loads(whole["chat.json"])["configurations"] == {"t1": {"chat_template": "a"}}
    validator = jsonschema.Draft202012Validator(schema())
    for each in (line, whole["chat.json"], whole[INDEX]):
        validator.validate(json.loads(each))
    assert "configuration" not in json.loads(export(form=Form.JSON_LINES)[LINES].splitlines()[0])


def test_a_selection_has_what_it_needs_and_no_more() -> None:
    found = export(expression="merges")
    assert set(found) == {README, "suite-1.json", "models.Toy.json", INDEX}
    index = json.loads(found[INDEX])
    assert index["selection"] == "merges"
    assert [(each["area"], each["requirements"], each["cases"]) for each in index["areas"]] == [("models.Toy", 1, 1)]
    assert [each["id"] for each in json.loads(found["models.Toy.json"])["requirements"]] == ["TOY-MERGES"]
    with pytest.raises(BadInputError, match="no requirement"):
        export(expression="nosuch")


def test_the_bytes_depend_on_nothing_else() -> None:
    script = (
        "import sys, hashlib; from small_suites import TOY_FILES;"
        "from tokenizer_conformance.validation.suite.export import *;"
        "from tokenizer_conformance.validation.suite.reader import Register;"
        "from tokenizer_conformance.validation.suite.selection import *;"
        "found = exported(TOY_FILES, Register(('TOY-LOWERCASE', 'TOY-GONE'), {'TOY-GONE': 'It was wrong.'}), Wanted(),"
        "Form.JSON); sys.stdout.buffer.write(b''.join(found.values()))"
    )
    fakes = Path(__file__).parents[2] / "fakes"
    environment = os.environ | {"PYTHONPATH": str(fakes), "PYTHONHASHSEED": "7", "LC_ALL": "C", "PYTHONUTF8": "0"}
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, env=environment).stdout
    assert other == b"".join(export().values())


def test_the_readme_has_a_real_example_and_says_every_question_and_feature() -> None:
    text = export()[README].decode("utf-8")
    blocks = text.split("```\n")[1::2]
    example, tokenizer = (json.loads(block) for block in blocks)
    assert any(example in each["cases"] for file in TOY_FILES.values() for each in file["requirements"])
    assert tokenizer in [document for file in TOY_FILES.values() for document in file["tokenizers"].values()]
    for ask in schema()["$defs"]["step"]["properties"]["ask"]["enum"]:
        assert f"| `{ask}` |" in text
    for word in ("core", "edge", "quirk", *WAYS):
        assert f"`{word}`" in text
    assert "2 areas, 4 requirements, 5 cases" in text
    assert "1 area, 1 requirement, 1 case" in export(expression="merges")[README].decode("utf-8")


WAYS = ("special_tokens", "pair", "pre_split", "batch", "stream", "changes")


@pytest.mark.parametrize("name", [*sorted(read_files())[:5], "chat.json"])
def test_the_files_of_the_suite_are_written_as_they_are_laid_out_here(name: str) -> None:
    file = Path(sys.modules[area_of.__module__].__file__ or "").parent / "requirements" / name
    assert area_text(read_files()[name]) == file.read_text("ascii")


# Where it goes -------------------------------------------------------------------------------------------------------


def test_a_missing_folder_is_made_and_an_earlier_export_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    write_folder(str(folder), export(), force=False)
    assert present(folder) == export()
    write_folder(str(folder), export(form=Form.JSON_LINES), force=False)
    assert present(folder) == export(form=Form.JSON_LINES)


def test_an_empty_folder_and_a_link_to_one_are_used(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    write_folder(str(tmp_path / "link"), export(), force=False)
    assert (tmp_path / "link").is_symlink()
    assert present(tmp_path / "folder") == export()


def changed_readme(folder: Path) -> None:
    (folder / README).write_text("my notes", "utf-8")


def another_file(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine", "utf-8")


def no_index(folder: Path) -> None:
    (folder / INDEX).write_text("{}", "utf-8")


def index_that_names_others(folder: Path) -> None:
    mine = folder.parent / "mine"
    mine.write_text("mine", "utf-8")
    index = json.loads((folder / INDEX).read_text("ascii"))
    index["files"]["../mine"] = hashlib.sha256(b"mine").hexdigest()
    (folder / INDEX).write_text(json.dumps(index), "utf-8")


@pytest.mark.parametrize("spoil", [changed_readme, another_file, no_index])
def test_what_is_no_export_is_kept_unless_forced(tmp_path: Path, spoil: Any) -> None:
    folder = tmp_path / "suite"
    write_folder(str(folder), export(form=Form.JSON_LINES), force=False)
    spoil(folder)
    before = present(folder)
    with pytest.raises(BadInput, match="there is no part of an earlier export, or was changed since") as refused:
        write_folder(str(folder), export(), force=False)
    assert refused.value.exit_code == 2
    assert present(folder) == before
    write_folder(str(folder), export(), force=True)
    after = present(folder)
    assert after.items() >= export().items()
    assert ("notes.txt" in after) is (spoil is another_file)


def test_no_file_outside_the_folder_is_taken_for_a_part_of_an_export(tmp_path: Path) -> None:
    folder = tmp_path / "suite"
    write_folder(str(folder), export(form=Form.JSON_LINES), force=False)
    index_that_names_others(folder)
    write_folder(str(folder), export(), force=False)
    assert (tmp_path / "mine").read_text("utf-8") == "mine"


def test_a_folder_in_the_place_of_a_file_is_refused_whatever_is_forced(tmp_path: Path) -> None:
    (tmp_path / README).mkdir()
    with pytest.raises(BadInput, match=r"'README.md' there is a folder"):
        write_folder(str(tmp_path), export(), force=True)
    assert names_in(tmp_path) == [README]


@pytest.mark.parametrize("name", ["file", "file/below", "", "loop", "x" * 300])
def test_what_can_be_no_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine", "utf-8")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(BadInput) as refused:
        write_folder(name, export(), force=True)
    assert refused.value.exit_code == 2
    assert names_in(tmp_path) == ["file", "loop"]
    assert (tmp_path / "file").read_text("utf-8") == "mine"


@not_as_root
def test_a_folder_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    with pytest.raises(BadInput, match="Permission denied"):
        write_folder(str(folder / "suite"), export(), force=False)
    with pytest.raises(BadInput, match="Permission denied"):
        write_folder(str(folder), export(), force=False)


def test_where_no_folder_can_be_made_none_of_those_above_it_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdir = Path.mkdir

    def refusing(path: Path, *given: Any) -> None:
        if path.name == "suite":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        mkdir(path, *given)

    monkeypatch.setattr(Path, "mkdir", refusing)
    name = str(tmp_path / "a" / "b" / "suite")
    with pytest.raises(BadInput) as refused:
        write_folder(name, export(), force=False)
    assert refused.value.message == f"cannot export to {name!r}: Permission denied"
    assert names_in(tmp_path) == []


def test_a_folder_in_which_none_can_be_made_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object, **__: object) -> str:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("tempfile.mkdtemp", refusing)
    name = str(tmp_path / "suite")
    with pytest.raises(BadInput) as refused:
        write_folder(name, export(), force=False)
    assert refused.value.message == f"cannot export to {name!r}: Permission denied"
    assert names_in(tmp_path) == []


class Full:
    """A disk on which there is room for so many files."""

    def __init__(self, files: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self._left = files
        self._write = Path.write_bytes
        monkeypatch.setattr(Path, "write_bytes", lambda *given: self.write(*given))  # noqa: PLW0108 - a method is bound

    def write(self, path: Path, data: bytes) -> int:
        self._left -= 1
        if self._left < 0:
            self._write(path, data[:3])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._write(path, data)


@pytest.mark.parametrize("room", range(4))
@pytest.mark.parametrize("is_there", [False, True])
def test_a_full_disk_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, is_there: bool
) -> None:
    folder = tmp_path / "new" / "suite"
    if is_there:
        write_folder(str(folder), export(form=Form.JSON_LINES), force=False)
    before = sorted(tmp_path.rglob("*"))
    Full(room, monkeypatch)
    with pytest.raises(ReportLost, match="No space left on device; nothing was changed there") as lost:
        write_folder(str(folder), export(), force=False)
    assert lost.value.exit_code == 3
    assert sorted(tmp_path.rglob("*")) == before


def test_an_interrupt_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_folder(str(tmp_path / "suite"), export(), force=False)
    assert names_in(tmp_path) == []


def test_half_an_export_is_said_and_can_be_told_from_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "suite"
    write_folder(str(folder), export(), force=False)
    replace = Path.replace

    def failing(path: Path, to: Path) -> Path:
        if to.name == "models.Toy.json":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return replace(path, to)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", failing)
        with pytest.raises(ReportLost, match="what is there now is not whole: export it again"):
            write_folder(str(folder), export(expression="merges"), force=False)
    assert not any(path.name.startswith(".tokconf") for path in folder.iterdir())
    with pytest.raises(BadInput, match="was changed since"):
        write_folder(str(folder), export(), force=False)
    write_folder(str(folder), export(), force=True)
    assert present(folder) == export()
