"""Runs that are killed at random moments leave nothing alive and nothing broken; ``tools/kill_runs.py`` kills more."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import kill_runs as tool
import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found in /proc")


@pytest.mark.parametrize("count", [pytest.param(2, marks=pytest.mark.long), pytest.param(60, marks=pytest.mark.slow)])
def test_runs_that_are_killed_leave_nothing_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    for limit in ("SURVIVAL_SECONDS", "PATIENCE_SECONDS"):
        monkeypatch.setattr(tool, limit, 120.0)  # others may have the processor
    monkeypatch.setattr(tool, "COMMAND", tuple("contractions" if each == "co" else each for each in tool.COMMAND))
    done = tool.kill_runs(count, seed=count, jobs=1, folder=tmp_path)
    assert len(done) == count
    assert [killed for killed in done if killed.wrong] == []


def test_what_is_left_alive_is_found() -> None:
    with subprocess.Popen(["sleep", "60"], env=os.environ | {tool.MARK: "a-mark"}) as process:
        try:
            deadline = time.monotonic() + 30
            while tool._marked("a-mark") != ["sleep 60 "]:  # until it is started, it is this Python still
                assert time.monotonic() < deadline
            assert tool._marked("another") == []
        finally:
            process.kill()
