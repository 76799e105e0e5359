"""What installers say, as errors of their own; and what one installer is told of the other's settings."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.environments import installer
from tokenizer_adapters.environments.commands import Done, carried_out
from tokenizer_adapters.environments.faults import (
    ConflictError,
    DiskFullError,
    EnvironmentFaultError,
    InstallerError,
    NoFileError,
    NoSuchVersionError,
    NotWritableError,
    UnreachableError,
)
from tokenizer_adapters.environments.installer import Tool, fault_of, has_pip, python_in, tool
from tokenizer_adapters.environments.settings import options_for_uv, pip_settings, settings_in, variables_for_uv

if TYPE_CHECKING:
    from pathlib import Path

SAID = [
    # pip 23.2 and 26.3
    (
        (
            "ERROR: Could not find a version that satisfies the requirement tokie==9 (from versions: 1.0, 1.1)\n"
            "ERROR: No matching distribution found for tokie==9"
        ),
        NoSuchVersionError,
        "there is no release tokie==9",
    ),
    (
        (
            "ERROR: Could not find a version that satisfies the requirement numpy<1 (from tokie) (from versions: 2.0)\n"
            "ERROR: No matching distribution found for numpy<1"
        ),
        ConflictError,
        "what tokie==9 needs has no file for this Python",
    ),
    (
        (
            "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<…>: Failed "
            "to establish a new connection: [Errno 111] Connection refused')': /simple/tokie/\n"
            "ERROR: Could not find a version that satisfies the requirement tokie==9 (from versions: none)\n"
            "ERROR: No matching distribution found for tokie==9"
        ),
        UnreachableError,
        "the registry of packages does not answer; try again when there is a network",
    ),
    (
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        DiskFullError,
        "no space is left for the environment of tokie==9: free some",
    ),
    (
        "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/x'",
        NotWritableError,
        "the environment of tokie==9 cannot be written: .*'/x'",
    ),
    (
        (
            "ERROR: Cannot install tokie==9 and numpy<1 because these package versions have conflicting dependencies.\n"
            "ERROR: ResolutionImpossible"
        ),
        ConflictError,
        "tokie==9 cannot be installed for ",
    ),
    # uv 0.13
    (
        (
            "error: No solution found when resolving dependencies\n  cause: Because there is no version of tokie==9 "
            "and you require tokie==9, we can conclude that your requirements are unsatisfiable."
        ),
        NoSuchVersionError,
        "there is no release tokie==9",
    ),
    (
        (
            "error: No solution found when resolving dependencies\n  cause: Because tokie==9 has no usable wheels and "
            "you require tokie==9, we can conclude that your requirements are unsatisfiable.\n"
            "hint: Wheels are required for `tokie` because building from source is disabled"
        ),
        NoFileError,
        "tokie==9 has no file for this Python .* that need not be built; .*'tokie@path/to/environment'",
    ),
    (
        (
            "error: Request failed after 3 retries\n  cause: Failed to fetch: <…>\n  cause: tcp connect error\n  "
            "cause: Connection refused (os error 111)"
        ),
        UnreachableError,
        "does not answer",
    ),
    (
        (
            "error: No solution found\n  cause: Because tokie was not found in the cache\n"
            "hint: Packages were unavailable because the network was disabled."
        ),
        UnreachableError,
        "tokie==9 could not be fetched",
    ),
    ("error: failed to copy file\n  cause: No space left on device (os error 28)", DiskFullError, "TOKCONF_CACHE"),
    (
        "error: something else",
        InstallerError,
        "the environment of tokie==9 could not be made; uv says: error: something else",
    ),
    ("", InstallerError, "it ended with status 1"),
]


@pytest.fixture(autouse=True)
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_NO_INDEX", "UV_OFFLINE", "UV_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("said", "error", "words"), SAID)
def test_what_an_installer_says_has_a_type_and_words(said: str, error: type[EnvironmentFaultError], words: str) -> None:
    found = fault_of(Done(1, "", said), "tokie==9", "uv")
    assert type(found) is error
    assert "\n" not in str(found)
    with pytest.raises(error, match=words):
        raise found


@pytest.mark.parametrize("name", ["PIP_NO_INDEX", "UV_OFFLINE", "UV_NO_INDEX"])
def test_settings_that_forbid_to_ask_are_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")
    said = "ERROR: No matching distribution found for tokie==9"
    with pytest.raises(
        UnreachableError, match=f"{name}.*; unset them, or make the environment while there is a network"
    ):
        raise fault_of(Done(1, "", said), "tokie==9", "pip")


# Which installer -----------------------------------------------------------------------------------------------------


def program(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def test_uv_goes_first_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOKCONF_INSTALLER", raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "here" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    assert tool() == Tool("pip")
    on_path = program(tmp_path / "path", "uv")
    assert tool() == Tool("uv", (str(on_path),))
    beside = program(tmp_path / "here", "uv")
    assert tool() == Tool("uv", (str(beside),))
    monkeypatch.setenv("TOKCONF_INSTALLER", "pip")
    assert tool() == Tool("pip")


def test_an_installer_that_is_asked_for_and_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TOKCONF_INSTALLER", "uv")
    with pytest.raises(InstallerError, match="asks for uv, which is neither on the PATH nor beside"):
        tool()
    monkeypatch.setenv("TOKCONF_INSTALLER", "conda")
    with pytest.raises(InstallerError, match="TOKCONF_INSTALLER is 'conda'; it can be 'uv' or 'pip'"):
        tool()


def test_a_python_without_pip_and_ensurepip_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installer, "has_pip", lambda: False)
    refusal = Done(1, "", "The virtual environment was not created successfully because ensurepip is not available.")
    monkeypatch.setattr(installer, "carried_out", lambda *_: refusal)
    with pytest.raises(InstallerError, match=r"neither pip nor ensurepip; install uv, .*\(python3-venv\)"):
        installer.make(tmp_path / "venv", ("tokie==1",), Tool("pip"))


@pytest.mark.parametrize("here", [True, False])
def test_the_pip_of_this_python_installs_elsewhere_if_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: bool
) -> None:
    ran: list[list[str]] = []

    def run(words: list[str], *_: object) -> Done:
        ran.append(words)
        return Done(0, "", "")

    monkeypatch.setattr(installer, "has_pip", lambda: here)
    monkeypatch.setattr(installer, "carried_out", run)
    installer.make(tmp_path / "venv", ("tokie==1", "numpy"), Tool("pip"))
    made, installed = ran
    python = str(python_in(tmp_path / "venv"))
    assert made == [sys.executable, "-I", "-m", "venv", *(["--without-pip"] if here else []), str(tmp_path / "venv")]
    beginning = [sys.executable, "-I", "-m", "pip", "--python", python] if here else [python, "-I", "-m", "pip"]
    assert installed[: len(beginning)] == beginning
    assert installed[len(beginning)] == "--disable-pip-version-check"
    assert installed[-2:] == ["tokie==1", "numpy"]


def test_this_python_has_a_pip_that_installs_elsewhere() -> None:
    assert has_pip()


# Settings ------------------------------------------------------------------------------------------------------------


def test_uv_is_told_what_pip_was_told() -> None:
    settings = settings_in(
        [
            "global.index-url='one'",
            "global.extra-index-url='two three'",
            "install.find-links='/a'",
            ":env:.find-links='/b'",
            "global.trusted-host='four'",
            "download.index-url='five'",
            "not a setting",
            "global.cert=broken'",
        ]
    )
    assert options_for_uv(settings, {}) == [
        *("--index-strategy", "unsafe-best-match"),
        *("--default-index", "one", "--index", "two", "--index", "three"),
        *("--find-links", "/b", "--allow-insecure-host", "four"),
    ]


@pytest.mark.parametrize("name", ["UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS", "UV_CONFIG_FILE"])
def test_what_is_set_for_uv_itself_holds_alone(name: str) -> None:
    assert options_for_uv({"index-url": "one"}, {name: "two"}) == []


def test_uv_gets_the_certificates_of_pip_unless_it_has_some() -> None:
    assert variables_for_uv({"cert": "/a"}, {}) == {"SSL_CERT_FILE": "/a"}
    assert variables_for_uv({"cert": "/a"}, {"SSL_CERT_FILE": "/b"}) == {}
    assert variables_for_uv({}, {}) == {}


def test_settings_are_read_from_the_files_of_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = one\nextra-index-url = two\n    three\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels")
    read = pip_settings([sys.executable])
    assert read["index-url"] == "one"
    assert read["extra-index-url"].split() == ["two", "three"]
    assert read["find-links"] == "/wheels"


def test_a_python_without_pip_has_no_settings() -> None:
    assert pip_settings([sys.executable, "-S", "-I"]) == {}


# Commands ------------------------------------------------------------------------------------------------------------


def test_a_command_gives_what_it_has_printed() -> None:
    done = carried_out([sys.executable, "-c", "import sys; print('a'); print('b', file=sys.stderr); sys.exit(3)"], 60)
    assert done == Done(3, "a\n", "b\n")


@pytest.mark.long
def test_a_command_that_takes_too_long_is_ended_with_all_that_it_has_started(tmp_path: Path) -> None:
    script = tmp_path / "installer.sh"
    script.write_text(f"(sleep 1.5; touch {tmp_path / 'late'}) &\ntouch {tmp_path / 'early'}\nsleep 60\n")
    with pytest.raises(InstallerError, match=r"did not end within 0\.7 s"):
        carried_out(["sh", str(script)], 0.7)
    time.sleep(1.5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["early", "installer.sh"]


def test_a_command_that_is_not_there_is_said() -> None:
    with pytest.raises(InstallerError, match="no such program in PATH"):
        carried_out(["no-such-installer"], 60)
